"""One hand-in graded again: the score that was shown, the script that it carries, and broken chains."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

import pytest

from tests.guide.handins import START, Class, done_with, kept_in
from tests.guide.scripts import RIGHT_ROOFLINE, RIGHT_STRONG, ROOFLINE, SHIPPED, STRONG, typed
from tui.cli import main
from tui.events import Event
from tui.guide.catalogue import ready
from tui.guide.events import Answered, Left
from tui.guide.handin import decode, encoded, make
from tui.guide.handin_mail import block
from tui.guide.plain import PlainRunner
from tui.guide.regrade import NotReplayed, Scripts, regrade
from tui.guide.state import begin, points_text, result
from tui.guide.store import open_kept


def grade(capsys: pytest.CaptureFixture[str], *words: object) -> tuple[int, str]:
    status = main(["lab", "grade", *map(str, words)])
    said = capsys.readouterr()
    return status, said.out + said.err


WRONG = {
    "all right, roofline": (ROOFLINE, RIGHT_ROOFLINE),
    "all right, strong": (STRONG, RIGHT_STRONG),
    "wrong ideas, roofline": (
        ROOFLINE,
        [
            *typed(". . 8 60 8 50 1000 3 . 2 3 1", ". 8 100 400 . .", ". 8 200 1600 . .", "2 3 4 1"),
            *typed("8000 200 125", "2 3 1 words"),
        ],
    ),
    "hints and the solution": (STRONG, ["", "hint", "3", "4", "abc", "show", "0.238", "95.2 %", "quit"]),
    "stopped in the middle": (ROOFLINE, RIGHT_ROOFLINE[:9]),
}


@pytest.mark.parametrize(("file", "keys"), [pytest.param(*each, id=name) for name, each in WRONG.items()])
def test_a_plain_session_grades_to_the_score_it_printed(
    capsys: pytest.CaptureFixture[str], file: Path, keys: list[str], tmp_path: Path
) -> None:
    """https://github.com/rundel/learnrhash/issues/6"""
    done = subprocess.run(
        [sys.executable, "-m", "tui", "lab", "run", file.stem, "--plain"],
        input="\n".join([*keys[:-1], "score", *keys[-1:], "score"]) + "\n",
        cwd=SHIPPED.parent,
        capture_output=True,
        text=True,
        check=True,
    )
    printed = re.findall(r"(\S+ of \S+ points \(\d+ %\): (?:not )?passed)", done.stdout)[-1]
    (folder,) = Path(os.environ["XDG_STATE_HOME"], "rooflab", "sessions", file.stem).iterdir()
    assert main(["lab", "handin", "--alias", "ada", "-o", str(tmp_path / "mine.json")]) == 0
    capsys.readouterr()
    for path in (folder, folder / "transcript.jsonl", tmp_path / "mine.json"):
        status, said = grade(capsys, path)
        assert status == 0
        assert f"steps done, {printed}." in said


@pytest.mark.parametrize("file", [ROOFLINE, STRONG], ids=["roofline", "strong"])
def test_any_part_of_a_session_grades_as_it_stood(file: Path, tmp_path: Path) -> None:
    """What the learner saw after each line is what a hand-in made then says, to the last digit."""
    exercise = ready(file)
    keys: Iterable[str] = RIGHT_ROOFLINE if file is ROOFLINE else RIGHT_STRONG
    events: list[tuple[str, Event]] = []
    lines = iter([line for key in keys for line in (("7", key) if key[:1].isdigit() else (key,))])
    runner = PlainRunner(
        begin(exercise),
        record=lambda each: events.append(("", each)),
        read_line=lambda prompt: next(lines, None),
        write=lambda line: None,
        now=lambda: 0.0,
        save=lambda folder: "",
    )
    runner.run()
    assert isinstance(events[-1][1], Left)
    scripts = Scripts()
    for cut in range(0, len(events), 5):
        kept = kept_in(tmp_path / str(cut), exercise, events[:cut], START)
        again = regrade(decode(encoded(make(kept, "ada"))), scripts)
        assert (again.result, again.faults) == (result(kept.session), ())
        assert again.claimed == points_text(again.result.earned)


@pytest.fixture
def room(tmp_path: Path) -> Class:
    return Class(tmp_path / "drop", ready(STRONG))


def test_every_step_is_shown(capsys: pytest.CaptureFixture[str], room: Class) -> None:
    wrong = {"naive-speedup": [Answered("0.525"), Answered("abc")]}
    handin = room.learner("Zoë", wrong, until="enter")
    status, said = grade(capsys, room.handed_in(handin))
    assert status == 0
    assert "strong-shrinking-batch, revision 1, by Zoë" in said
    assert f"receipt {handin.receipt}, from 2026-11-30T09:12:00.000+00:00 to 2026-11-30T09:" in said
    assert "It decides marks as the installed script does." in said
    rows = [line.split() for line in said.splitlines() if re.match(r"  \d+ ", line)]
    assert rows[0] == ["2", "naive-speedup", "right", "later", "0.5/1", "2", "0", "1", "scaling.inverse"]
    assert [row[1] for row in rows][-3:] == ["enter", "true-efficiency", "record"]
    assert "not answered" in said
    assert "not reached" in said
    assert "8 of 12 steps done, 9.5 of 14 points (68 %): passed." in said


def test_a_claimed_score_is_said_and_not_used(capsys: pytest.CaptureFixture[str], room: Class) -> None:
    handin = room.learner("ada", {"naive-speedup": [Answered("3")]})
    path = room.handed_in(handin, lambda v: v["score"].update(points="9\x1b[2J" + "9" * 99))
    status, said = grade(capsys, path)
    assert status == 0
    assert "13.5 of 14 points" in said
    assert "The file claims 9[2J9999999999999999 points; that was not used." in said


def test_a_broken_chain_is_graded_and_ends_with_one(capsys: pytest.CaptureFixture[str], room: Class) -> None:
    path = room.handed_in(room.learner("ada"), lambda v: v["head"].update(alias="bob"))
    status, said = grade(capsys, path)
    assert status == 1
    assert "by bob" in said
    assert "NOT as it was written: its head was changed: alias, script or start." in said
    assert "14 of 14 points" in said


def test_another_version_than_the_installed_one(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    folder = tmp_path / "newer"
    folder.mkdir()
    text = STRONG.read_text(encoding="utf-8").replace("decimals = 2", "decimals = 1", 1)
    (folder / STRONG.name).write_text(text, encoding="utf-8")
    room = Class(tmp_path / "drop", ready(folder / STRONG.name))
    status, said = grade(capsys, room.handed_in(room.learner("ada")))
    assert status == 0
    assert "It decides marks otherwise than the installed script (revision 1)" in " ".join(said.split())
    (folder / STRONG.name).rename(folder / "strong-other.toml")
    text = text.replace('"strong-shrinking-batch"', '"strong-other"')
    (folder / "strong-other.toml").write_text(text, encoding="utf-8")
    other = Class(tmp_path / "other", ready(folder / "strong-other.toml"))
    _, said = grade(capsys, other.handed_in(other.learner("ada")))
    assert "strong-other is not installed here; the script it carries was used." in " ".join(said.split())


def test_a_session_whose_copy_of_the_script_was_changed(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    exercise = ready(STRONG)
    kept = kept_in(tmp_path / "s", exercise, done_with(exercise, {}), START)
    text = STRONG.read_text(encoding="utf-8").replace("decimals = 2", "decimals = 0", 1)
    (tmp_path / "s" / STRONG.name).write_text(text, encoding="utf-8")
    path = tmp_path / "mine.json"
    path.write_bytes(encoded(make(open_kept(kept.folder), "ada")))
    _, said = grade(capsys, path)
    assert "otherwise than the one the session was started with" in " ".join(said.split())


CSV_SCRIPT = """\
format = 1
id = "with-table"
revision = 1
title = "With a table"
goal = "After this you can read a table."
[[data]]
id = "t"
family = "strong"
file = "data/my runs.csv"
[[step]]
id = "naive-speedup"
kind = "compute"
text = "How much?"
answer = "speedup('t', 8)"
unit = "1"
decimals = 2
points = 2
"""


def with_table(folder: Path) -> Class:
    (folder / "scripts" / "data").mkdir(parents=True)
    (folder / "scripts" / "data" / "my runs.csv").write_text("devices,time_s\n4,40\n8,21\n", encoding="utf-8")
    (folder / "scripts" / "with-table.toml").write_text(CSV_SCRIPT, encoding="utf-8")
    return Class(folder / "drop", ready(folder / "scripts" / "with-table.toml"))


def test_the_data_come_with_the_hand_in(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    room = with_table(tmp_path)
    handin = room.learner("ada")
    assert set(handin.files) == {"with-table.toml", "data/my runs.csv"}
    path = room.handed_in(handin)
    (tmp_path / "scripts" / "data" / "my runs.csv").unlink()
    status, said = grade(capsys, path)
    assert status == 0
    assert "2 of 2 points (100 %): passed." in said


def test_no_other_file_than_those_it_carries_is_read(tmp_path: Path) -> None:
    room = with_table(tmp_path)
    outside = tmp_path / "outside.csv"
    outside.write_text("devices,time_s\n4,40\n8,21\n", encoding="utf-8")
    for name in (str(outside), "../outside.csv", "data/../../outside.csv", "data/other.csv", "none.csv"):
        text = CSV_SCRIPT.replace("data/my runs.csv", name)
        path = room.handed_in(
            room.learner("ada"),
            lambda v, t=text: v["files"].update({"with-table.toml": t, "data/x.csv": "a"}),
        )
        with pytest.raises(NotReplayed, match=r"the script it carries cannot be used: .*E02[03]"):
            regrade(decode(path.read_bytes()), Scripts())


@pytest.mark.parametrize(
    ("files", "why"),
    [
        ({"other.toml": "x"}, "it does not carry with-table.toml"),
        ({"with-table.toml": "x ="}, "the script it carries cannot be used: E002"),
        ({"with-table.toml": CSV_SCRIPT, "data/my runs.csv": "x", "data": "x"}, "cannot be unpacked"),
        ({"with-table.toml": "a = " + "[" * 5000}, "nested too deeply"),
        ({"with-table.toml": CSV_SCRIPT, "data/my runs.csv": "devices,time_s\n4,1e99999\n"}, "E022"),
    ],
)
def test_a_script_that_cannot_be_used_is_said(tmp_path: Path, files: dict[str, str], why: str) -> None:
    room = with_table(tmp_path)
    path = room.handed_in(room.learner("ada"), lambda v: v.update(files=files))
    with pytest.raises(NotReplayed, match=why):
        regrade(decode(path.read_bytes()), Scripts())


def test_a_mail_with_one_block_is_graded(
    capsys: pytest.CaptureFixture[str], room: Class, tmp_path: Path
) -> None:
    text = block(encoded(room.learner("ada")))
    mail = tmp_path / "mail.txt"
    mail.write_text(f"Hi\n{text}\n", encoding="utf-8")
    assert "14 of 14 points" in grade(capsys, mail)[1]
    mail.write_text(f"{text}\n{text}\n", encoding="utf-8")
    assert grade(capsys, mail) == (
        2,
        f"rooflab lab: {mail}: 2 hand-ins are in it; `rooflab lab class` reads several\n",
    )
    mail.write_text(text[:500], encoding="utf-8")
    assert grade(capsys, mail) == (2, f"rooflab lab: {mail}: the text block is cut off\n")
