"""The class report: what it counts, whom it counts once, what it lists, and that names are never commands."""

from __future__ import annotations

import csv
import io
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterable
from fractions import Fraction as F
from pathlib import Path

import pytest

from tests.guide.handins import Class
from tests.guide.scripts import ROOFLINE, SHIPPED, STRONG, compute, loaded
from tui.cli import main
from tui.events import Event, Predicted
from tui.guide.catalogue import ready
from tui.guide.class_output import as_csv, as_json, as_markdown, as_text
from tui.guide.class_reading import Reader
from tui.guide.class_report import Report, SureAndWrong, idea_titles, report
from tui.guide.events import Answered, Chosen, Confidence, HintAsked
from tui.guide.exercise import Exercise
from tui.guide.handin import MOST_BYTES, Handin, decode, encoded
from tui.guide.handin_line import line_of
from tui.guide.handin_mail import block
from tui.guide.lint import exercise_of
from tui.guide.regrade import Scripts, regrade


@pytest.fixture(scope="module")
def exercise() -> Exercise:
    return ready(STRONG)


@pytest.fixture
def room(tmp_path: Path, exercise: Exercise) -> Class:
    return Class(tmp_path / "drop", exercise)


def read(paths: Iterable[Path] = (), pasted: str = "", installed: Exercise | None = None) -> Report:
    reader = Reader()
    reader.paths(paths)
    if pasted:
        reader.pasted(pasted.encode())
    return report(reader.found, lambda name: installed)


def line(handin: Handin) -> str:
    return str(line_of(regrade(handin, Scripts())))


# ---------------------------------------------------------------------------------------- forty learners

INVERSE = {"naive-speedup": [Answered("0.525")]}
TIME_ONLY = {"verdict": [Chosen(("yes-fast",))]}
DEVICES = {"naive-efficiency": [Answered("0.238")]}
UPSIDE = {"naive-efficiency": [Answered("1.05")]}


def wrong_of(number: int) -> dict[str, list[Event]]:
    """Fourteen learners with one wrong idea, nine with another, six with a third, two with a fourth."""
    wrong: dict[str, list[Event]] = {}
    wrong |= INVERSE if number < 14 else {}
    wrong |= TIME_ONLY if 10 <= number < 19 else {}
    wrong |= DEVICES if 20 <= number < 26 else {}
    wrong |= UPSIDE if 26 <= number < 28 else {}
    return wrong


def test_forty_hand_ins_with_five_damaged_ones(room: Class) -> None:
    paths = [room.handed_in(room.learner(f"learner {n}", wrong_of(n))) for n in range(35)]
    damaged = [
        room.handed_in(room.learner("swapped"), lambda v: v["head"].update(alias="somebody else")),
        room.handed_in(room.learner("edited", INVERSE), lambda v: v["events"][2].update(text="1.905")),
        room.handed_in(room.learner("cut")),
        room.handed_in(room.learner("empty")),
        room.handed_in(room.learner("broken")),
    ]
    damaged[2].write_bytes(damaged[2].read_bytes()[:9000])
    damaged[3].write_bytes(b"")
    damaged[4].write_bytes(os.urandom(5000).replace(b"{", b"x"))
    assert len(paths) + len(damaged) == len(list(room.folder.iterdir())) == 40
    counted = read([room.folder], installed=room.exercise)
    (group,) = counted.groups
    assert (len(group.learners), group.as_installed) == (35, True)
    assert [(each.id, each.learners, each.steps) for each in group.ideas] == [
        ("scaling.inverse", 14, ("naive-speedup",)),
        ("strong.time-only", 9, ("verdict",)),
        ("scaling.divides-by-D", 6, ("naive-efficiency",)),
        ("scaling.upside-down", 2, ("naive-efficiency",)),
    ]
    first, second, third = group.steps[:3]
    assert (first.id, first.reached, first.first_right, first.right) == ("naive-speedup", 35, 21, 35)
    assert (second.first_right, third.first_right, first.median_tries) == (27, 26, 1)
    assert sorted(each.source for each in counted.damaged) == sorted(path.name for path in damaged)
    text = as_text(counted)
    places = [text.index(idea) for idea in ("scaling.inverse", "strong.time-only", "scaling.divides-by-D")]
    assert places == sorted(places)
    below = text[text.index("Not counted:") :].replace("\n  ", "")
    assert all(path.name in below for path in damaged)
    assert text.endswith("35 hand-ins in 1 exercise counted, 5 not counted.")


# ------------------------------------------------------------------------------------------- what is counted


def test_tries_hints_and_unreadable_answers(room: Class) -> None:
    busy = {"naive-speedup": [Answered("3"), Answered("4"), Answered("abc"), HintAsked(9.0)]}
    stopped = room.learner("stopped", until="naive-efficiency")
    counted = read(
        [room.handed_in(each) for each in (room.learner("busy", busy), room.learner("quick"), stopped)]
    )
    first, second, third = counted.groups[0].steps[:3]
    assert (first.reached, first.first_right, first.right, first.median_tries) == (3, 2, 3, 1)
    assert (first.hints, first.unreadable) == (1, 1)
    assert (second.reached, second.right) == (3, 2)
    assert (third.reached, third.right) == (2, 2)
    grades = {each.alias: each.grade for each in counted.groups[0].learners}
    assert grades["busy"].result.earned == 13 + F(1, 4)
    assert not grades["stopped"].complete


OPTION = '[[step.choice]]\nid = "{0}"\ntext = "choice {0}"\nfeedback = "f"\n{1}\n'
IDEAS = (
    compute("cap", 'tol = "1%"\nuse = ["roofline.no-cap", "mine"]', "GFLOP/s")
    + '[[misconception]]\nid = "mine"\ntitle = "my own words"\nvalue = "7"\nfeedback = "f"\n'
    + '[[step]]\nid = "c"\nkind = "classify"\ntext = "Which?"\n'
    + OPTION.format("yes", "correct = true")
    + OPTION.format("no", 'misconception = "only.here"')
    + OPTION.format("never", 'misconception = "strong.time-only"')
)


def test_a_wrong_idea_has_the_name_that_says_most() -> None:
    exercise = exercise_of(loaded(IDEAS))
    assert exercise is not None
    titles = idea_titles(exercise)
    names = ("mine", "only.here", "strong.time-only", "roofline.no-cap")
    assert [titles[name] for name in names] == [
        *("my own words", '"choice no"', "less time is scaling", "I·B without the cap")
    ]


def test_sure_and_wrong(tmp_path: Path) -> None:
    room = Class(tmp_path / "drop", ready(ROOFLINE))
    sure = {"t3-predict": [Predicted("1600"), Confidence(3)]}
    unsure = {"t3-predict": [Predicted("1600"), Confidence(1)]}
    certain = {"t1-predict": [Predicted("1000"), Confidence(2), Confidence(3)]}
    people = [room.learner("ada", sure), room.learner("bob", unsure), room.learner("eve", certain)]
    # The right way says "fairly" after every prediction: the last word counts.
    (group,) = read(map(room.handed_in, people)).groups
    assert group.sure_and_wrong == ()
    assert [each.id for each in group.ideas] == ["roofline.no-cap", "roofline.always-cap"]


def test_the_last_word_on_confidence_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.guide.scripts.Confidence", lambda level: Confidence(3))
    room = Class(tmp_path / "drop", ready(ROOFLINE))
    ada = room.learner("ada", {"t3-predict": [Predicted("1600")]})
    (group,) = read([room.handed_in(ada)]).groups
    assert group.sure_and_wrong == (SureAndWrong("ada", "t3-predict", "1600", ("roofline.no-cap",)),)
    assert "ada at t3-predict: 1600 (roofline.no-cap)" in as_text(read([room.folder]))


def test_a_score_that_is_claimed_is_not_used(room: Class) -> None:
    handin = room.learner("ada", {"naive-speedup": [Answered("3")]})
    path = room.handed_in(handin, lambda v: v["score"].update(points="14", done=12))
    (group,) = read([path]).groups
    assert group.learners[0].grade.result.earned == 13.5


# ----------------------------------------------------------------------------------- once for each learner


def test_of_several_the_newest_complete_one_counts(room: Class) -> None:
    old = room.learner("Zoë", {"naive-speedup": [Answered("3")]}, minutes=1)
    new = room.learner("zoe\u0308 ", minutes=30)
    later = room.learner("ZOË", until="enter", minutes=60)
    paths = [room.handed_in(each) for each in (old, new, later)]
    copy = room.folder / f"copy of {paths[1].name}"
    copy.write_bytes(paths[1].read_bytes())
    (group,) = read([*paths, copy]).groups
    assert [each.receipt for each in group.learners] == [new.receipt]
    assert {each.receipt for each in group.left_aside} == {old.receipt, later.receipt}
    assert "Further hand-ins of the same alias, not counted:" in as_text(read([room.folder]))


def test_two_exercises_and_two_versions_are_counted_apart(room: Class, tmp_path: Path) -> None:
    folder = tmp_path / "newer"
    folder.mkdir()
    text = STRONG.read_text(encoding="utf-8").replace("decimals = 2", "decimals = 1", 1)
    text = re.sub(r"^revision( *)= 1", r"revision\1= 2", text, flags=re.MULTILINE)
    (folder / STRONG.name).write_text(text, encoding="utf-8")
    other = Class(tmp_path / "drop", ready(folder / STRONG.name))
    third = Class(tmp_path / "drop", ready(ROOFLINE))
    other._sessions, third._sessions = 10, 20
    for each, alias in ((room, "ada"), (other, "bob"), (third, "ada")):
        each.handed_in(each.learner(alias))
    counted = read([room.folder], installed=room.exercise)
    found = {(g.exercise.script.id, g.exercise.script.revision): g for g in counted.groups}
    assert set(found) == {("roofline-three-trials", 1), (STRONG.stem, 1), (STRONG.stem, 2)}
    assert [len(group.learners) for group in found.values()] == [1, 1, 1]
    assert found[STRONG.stem, 2].as_installed is False
    assert "revision 2, graded otherwise than the installed one" in as_text(counted)


# ------------------------------------------------------------------------------------------ lines and mail


def test_lines_in_quoted_mail_are_counted_and_named(room: Class) -> None:
    ada, bob = room.learner("ada", INVERSE), room.learner("bob", until="verdict")
    mail = f"On Monday Ada wrote:\n> > {line(ada)}\n> bye\n\n{line(bob)}\n"
    counted = read(pasted=mail, installed=room.exercise)
    (group,) = counted.groups
    assert [each.alias for each in group.only_lines] == ["ada", "bob"]
    assert (group.files, counted.damaged) == ((), ())
    first, _, third = group.steps[:3]
    assert (first.reached, first.first_right, first.right, first.median_tries) == (2, 1, 2, None)
    assert (third.reached, third.right) == (2, 1)
    assert "2 sent only the line (ada, bob)" in " ".join(as_text(counted).split())


def test_a_line_whose_file_came_too_is_not_counted_again(room: Class) -> None:
    ada, later = room.learner("ada", until="enter"), room.learner("ada", minutes=9)
    bob = room.learner("bob")
    files = [room.handed_in(later), room.handed_in(bob)]
    counted = read(files, pasted=f"{line(ada)}\n{line(bob)}\n", installed=room.exercise)
    assert [each.alias for each in counted.groups[0].learners] == ["ada", "bob"]
    assert counted.groups[0].only_lines == ()
    changed = line(bob).replace(" 1111111111 ", " 1111111121 ")
    (other,) = read(files, pasted=changed).damaged
    assert other.reason == "the results in the line are not those of the file with the same receipt"


def test_a_block_in_a_mail_is_a_file(room: Class) -> None:
    ada = room.learner("ada", INVERSE)
    mail = f"{line(ada)}\n{block(encoded(ada))}\n"
    quoted = "".join(f"> {each}\r\n" for each in mail.splitlines())
    for text in (mail, quoted, f"{quoted}{mail}"):
        (group,) = read(pasted=text).groups
        assert [each.grade is not None for each in group.learners] == [True]
        assert [each.id for each in group.ideas] == ["scaling.inverse"]
    (cut,) = read(pasted=mail[:900], installed=room.exercise).damaged
    assert cut.reason == "the text block is cut off"


def test_a_line_of_an_unknown_exercise_is_listed(room: Class) -> None:
    (unknown,) = read(pasted=line(room.learner("ada"))).damaged
    assert unknown.alias == "ada"
    assert "no file and no installed script tells what the 10 results in the line mean" in unknown.reason


# ---------------------------------------------------------------------------------------- nothing is fatal


def test_whatever_stands_in_the_folder_is_listed(room: Class, tmp_path: Path) -> None:
    """https://github.com/jupyter/nbgrader/issues/1083"""
    good = room.handed_in(room.learner("ada"))
    folder = room.folder
    (folder / "empty.lab.json").write_bytes(b"")
    (folder / "binary").write_bytes(bytes(range(256)))
    (folder / "half.lab.json").write_bytes(good.read_bytes()[:500])
    (folder / "deep.lab.json").write_bytes(b'{"a":' * 100_000)
    with open(folder / "large.lab.json", "wb") as file:
        file.truncate(200 << 20)
    (folder / "notes.txt").write_text("see you on Monday", encoding="utf-8")
    (folder / "link.lab.json").symlink_to("/etc/passwd")
    os.mkfifo(folder / "pipe")
    (folder / ".rooflab-half-written").write_bytes(b"{")
    (folder / "sub").mkdir()
    newer = re.sub(rb"format( +)= 1", rb"format\1= 9", good.read_bytes())
    (folder / "sub" / "other.json").write_bytes(newer)
    counted = read([folder])
    reasons = {each.source: each.reason for each in counted.damaged}
    assert set(reasons) == {
        *("empty.lab.json", "binary", "half.lab.json", "deep.lab.json", "large.lab.json", "notes.txt"),
        *("link.lab.json", "pipe", "sub/other.json"),
    }
    assert reasons["large.lab.json"] == f"it is larger than {MOST_BYTES >> 20} MiB"
    assert reasons["link.lab.json"] == "it is a symbolic link, which is not followed"
    assert reasons["pipe"] == "it is no file"
    assert reasons["notes.txt"] == "no hand-in is in it"
    assert "E011" in reasons["sub/other.json"]
    assert [each.alias for each in counted.groups[0].learners] == ["ada"]


def test_a_link_that_is_named_is_followed(room: Class, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(room.handed_in(room.learner("ada")))
    (tmp_path / "all").symlink_to(room.folder)
    for name in ("link", "all"):
        assert [len(group.learners) for group in read([tmp_path / name]).groups] == [1]


HOSTILE = ["=1+1", "+cmd", "-2", "@SUM(A1)", "[red]x[/red]", "<script>", "a|b`c`*d*", "\u202ex", "x\x1b[2J"]


def test_names_are_data_everywhere(room: Class) -> None:
    from tui.guide.handin import clean_alias

    for alias in HOSTILE:
        room.handed_in(room.learner(clean_alias(alias)))
    (room.folder / "=evil.txt").write_text("x", encoding="utf-8")
    counted = read([room.folder])
    rows = list(csv.DictReader(io.StringIO(as_csv(counted))))
    assert len(rows) == len(HOSTILE)
    assert {"'=1+1", "'+cmd", "'-2", "'@SUM(A1)"} <= {row["alias"] for row in rows}
    assert not [cell for row in rows for cell in row.values() if cell[:1] in set("=+-@")]
    text = as_text(counted)
    assert "[red]x[/red]" in text
    assert not [c for c in text if c != "\n" and not c.isprintable()]
    page = as_markdown(counted)
    assert "\\[red\\]x" in page
    assert "\\<script\\>" in page
    assert "a\\|b\\`c\\`\\*d\\*" in page
    assert {each["alias"] for each in json.loads(as_json(counted))["exercises"][0]["learners"]} == {
        clean_alias(alias) for alias in HOSTILE
    }


def test_every_form_says_the_same(room: Class, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    room.handed_in(room.learner("ada", INVERSE | TIME_ONLY))
    room.handed_in(room.learner("bob", until="enter"))
    names = {name: str(tmp_path / f"out.{name}") for name in ("csv", "md", "json")}
    options = [word for name, path in names.items() for word in (f"--{name}", path)]
    assert main(["lab", "class", str(room.folder), *options]) == 0
    text = capsys.readouterr().out
    (row, other) = csv.DictReader(Path(names["csv"]).read_text(encoding="utf-8").splitlines())
    assert (row["points"], row["naive-speedup"], row["verdict"]) == ("12.5", "right later", "right later")
    assert (other["done"], other["enter"], other["record"]) == ("8/12", "not answered", "not reached")
    assert row["wrong ideas"] == "scaling.inverse strong.time-only"
    values = json.loads(Path(names["json"]).read_text(encoding="utf-8"))
    (group,) = values["exercises"]
    assert [each["points"] for each in group["learners"]] == [12.5, 10]
    assert [each["id"] for each in group["wrong_ideas"]] == ["scaling.inverse", "strong.time-only"]
    assert group["learners"][0]["receipt"] in text
    page = Path(names["md"]).read_text(encoding="utf-8")
    assert "| 1 | scaling.inverse" in page
    for name in names:
        assert main(["lab", "class", str(room.folder), f"--{name}", "-"]) == 0
        assert capsys.readouterr().out == Path(names[name]).read_text(encoding="utf-8")
    assert main(["lab", "class", str(room.folder), "--csv", str(tmp_path / "none" / "x.csv")]) == 2
    assert "not written: cannot save" in capsys.readouterr().err


def test_the_text_fits_a_terminal(room: Class) -> None:
    for number in range(12):
        room.handed_in(room.learner(f"learner with a long name {number}"[:40], wrong_of(number * 3)))
    lines = as_text(read([room.folder])).splitlines()
    assert [line for line in lines if len(line) > 80 and ".lab.json" not in line] == []


@pytest.mark.parametrize("env", [{"LC_ALL": "C", "PYTHONUTF8": "0"}, {"LC_ALL": "C.UTF-8"}])
def test_mail_is_read_from_standard_input_in_any_locale(room: Class, env: dict[str, str]) -> None:
    zoe = room.learner("Zoë")
    done = subprocess.run(
        [sys.executable, "-m", "tui", "lab", "class", "-"],
        input=f"> {line(zoe)}\n".encode(),
        env={**os.environ, **env},
        cwd=SHIPPED.parent,
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert b"1 sent only the line" in done.stdout
    assert b"1 hand-in in 1 exercise counted, 0 not counted." in done.stdout
    assert ("Zoë" in done.stdout.decode("utf-8", "replace")) == ("PYTHONUTF8" not in env)


def test_what_is_read_once_is_checked_once(room: Class, monkeypatch: pytest.MonkeyPatch) -> None:
    """A thousand hand-ins take a hundred times as long as ten, not more."""
    from tui.guide import regrade as module

    calls = []
    lint = module.lint
    monkeypatch.setattr(module, "lint", lambda loaded: calls.append(1) or lint(loaded))
    for number in range(6):
        room.handed_in(room.learner(f"l{number}"))
    assert len(read([room.folder]).groups[0].learners) == 6
    assert len(calls) == 1
    assert decode(next(room.folder.iterdir()).read_bytes()).faults == ()
