"""Plans of a workshop: they fit their time, keep the order of the menu, and use only what is installed."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.guide.scripts import SHIPPED
from tui.cli import main
from tui.guide.agenda import LONG, SHORT, WORDS, WORK_AT_MOST, Part, long_plan, short_plan, workshop_parts
from tui.guide.script import Read, Script


def script(name: str, minutes: int) -> Script:
    steps = tuple(Read(id=f"s{n}", kind="read") for n in range(1, 10))
    return Script(format=1, id=name, revision=1, title=name.upper(), goal="g", minutes=minutes, step=steps)


def scripts(*minutes: int) -> dict[str, Script]:
    return {f"x{n}": script(f"x{n}", each) for n, each in enumerate(minutes)}


PUBLISHED = (Part("a", 12), Part("b", 12), Part("c", 18), Part("d", 12, "s5"), Part("e", 13, "s4"))


def test_the_workshop_of_the_index_is_planned_to_the_minute() -> None:
    plan = short_plan(PUBLISHED, {name: script(name, 20) for name in "eabcdf"})
    assert [(entry.minutes, entry.words) for entry in plan.entries] == [
        (10, WORDS["start"]),
        (12, "a: A"),
        (3, WORDS["talk"]),
        (12, "b: B"),
        (18, "c: C"),
        (5, WORDS["stand up"]),
        (12, "d: D, steps 1 to 5 of 9"),
        (13, "e: E, steps 1 to 4 of 9"),
        (5, WORDS["end"]),
    ]
    assert (plan.minutes, plan.missing) == (90, ())


def test_what_is_not_installed_makes_room_for_what_is() -> None:
    plan = short_plan(PUBLISHED, {"c": script("c", 20), **scripts(30, 25, 10)})
    words = [entry.words for entry in plan.entries]
    assert plan.missing == ("a", "b", "d", "e")
    assert [each for each in words if ": " in each and each[0] in "abcdex"][:3] == [
        "c: C",
        "x0: X0",
        "x2: X2",
    ]
    assert plan.minutes == SHORT


@pytest.mark.parametrize(
    "minutes", [(), (15,), (15, 20), (50,) * 4, (240,), (67,), (66,), (1,) * 100, (12, 13, 14, 15) * 9]
)
def test_plans_fit_whatever_is_installed(minutes: tuple[int, ...]) -> None:
    installed = scripts(*minutes)
    short, long = short_plan((), installed), long_plan(installed)
    assert short.minutes == SHORT
    assert long.minutes <= LONG
    for plan in (short, long):
        ends = [entry.at + entry.minutes for entry in plan.entries]
        assert [entry.at for entry in plan.entries] == [0, *ends[:-1]]
        assert plan.entries[0].words == WORDS["start"]
        assert plan.entries[-1].words == WORDS["end"]
    named = [entry.words.split(":")[0] for entry in long.entries if entry.words.startswith("x")]
    assert sorted([*named, *long.later]) == sorted(installed)
    assert named == [name for name in installed if name in named]


def test_nobody_works_long_without_a_pause() -> None:
    since = 0
    for entry in long_plan(scripts(*(12, 20, 15, 18) * 4)).entries[1:]:
        since = 0 if entry.words == WORDS["pause"] else since + entry.minutes
        assert since <= WORK_AT_MOST + 5


INDEX = """\
[workshop]
parts = [
  { script = "roofline-three-trials", minutes = 12, until = "t1-observe" },
  { script = "none", minutes = 9 },
  { script = 7, minutes = 9 }, { script = "x" }, { script = "y", minutes = 0 }, "z",
]
"""


def test_the_index_says_what_fits(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("roofline-three-trials.toml", "strong-shrinking-batch.toml"):
        (tmp_path / name).write_bytes((SHIPPED / name).read_bytes())
    (tmp_path / "broken.toml").write_text("x =", encoding="utf-8")
    assert workshop_parts([tmp_path]) == ()
    (tmp_path / "index.toml").write_text(INDEX, encoding="utf-8")
    parts = (Part("roofline-three-trials", 12, "t1-observe"), Part("none", 9))
    assert workshop_parts([tmp_path]) == parts
    assert workshop_parts([tmp_path / "missing", tmp_path]) == parts
    assert main(["lab", "agenda", "--scripts", str(tmp_path)]) == 0
    out = capsys.readouterr().out
    said = " ".join(out.split())
    assert "0:10 12 min roofline-three-trials: Three trials under one roof, steps 1 to 6 of 18" in said
    assert "not installed, so left out: none" in out
    assert "A workshop of 90 minutes (90 minutes)" in out
    assert "Half a day (" in out
    assert "broken" not in out
    assert max(map(len, out.splitlines())) <= 80
