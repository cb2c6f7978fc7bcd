"""Hand-ins: what is in one, what shows a change, and what a stranger's may not do."""

from __future__ import annotations

import json
import re
import signal
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.guide.handins import START, Class, done_with, grade_of, kept_in
from tests.guide.scripts import HEAD, STRONG, compute, small
from tui.cli import main
from tui.guide.catalogue import ready
from tui.guide.events import Answered, HintAsked, Next, Opened, Reflected, Resumed
from tui.guide.handin import MOST_BYTES, MOST_EVENTS, NotHandin, clean_alias, decode, encoded, make
from tui.guide.handin_line import LONGEST, line_of
from tui.guide.regrade import NotReplayed, Scripts, regrade


@pytest.fixture
def room(tmp_path: Path) -> Class:
    return Class(tmp_path / "drop", ready(STRONG))


# --------------------------------------------------------------------------------------------- what is in it


def test_a_hand_in_says_nothing_of_the_computer(room: Class) -> None:
    handin = room.learner("Zoë B.", {"naive-speedup": [Resumed()]})
    assert handin.file_name == f"Zoe-B-strong-shrinking-batch-{handin.receipt}.lab.json"
    assert re.fullmatch(r"[0-9A-HJKMNP-TV-Z]{4}-[0-9A-HJKMNP-TV-Z]{4}", handin.receipt)
    text = encoded(handin).decode("ascii")
    assert "login1" not in text
    assert "4711" not in text
    assert set(handin.head) == {
        *("format", "kind", "app", "script", "revision", "graded_hash", "alias", "start", "files", "h")
    }
    assert decode(encoded(handin)) == handin


def test_handing_in_twice_gives_the_same_file(room: Class, tmp_path: Path) -> None:
    events = done_with(room.exercise, {})
    kept = [kept_in(tmp_path / name, room.exercise, events, START) for name in ("a", "b")]
    first, again = (make(each, "ada") for each in kept)
    assert encoded(first) == encoded(again)
    assert make(kept[0], "bob").receipt != first.receipt


PRIVATE = """
[[step]]
id = "own"
kind = "reflect"
text = "Only for you."
private = true
min_chars = 5
[[step]]
id = "shared"
kind = "reflect"
text = "For all."
"""


def test_private_reflections_stay_at_home(tmp_path: Path) -> None:
    exercise = small(PRIVATE)
    events = [
        ("", Opened()),
        ("own", Reflected("hmpf")),
        ("own", Reflected("my boss must not see this")),
        ("own", Next()),
        ("shared", Reflected("everybody may see that")),
    ]
    handin = make(kept_in(tmp_path / "s", exercise, events, START), "ada")
    text = encoded(handin).decode()
    assert "boss" not in text
    assert "hmpf" not in text
    assert "everybody may see that" in text
    graded = grade_of(handin)
    assert (graded.faults, graded.result.done) == ((), 2)


@pytest.mark.parametrize(
    "alias", ["=cmd|'/C calc'!A0", "[red]x[/]", "\x1b]0;x\x07", "a\nb", "x" * 500, "../../etc"]
)
def test_an_alias_is_one_line_of_data(room: Class, alias: str) -> None:
    cleaned = clean_alias(alias)
    assert cleaned.isprintable()
    assert 0 < len(cleaned) <= 40
    handin = room.learner(cleaned)
    assert re.fullmatch(r"[A-Za-z0-9.-]+", handin.file_name)
    assert len(str(line_of(grade_of(handin)))) <= LONGEST


# ------------------------------------------------------------------------------------------ what was changed


def event(values: dict[str, Any], name: str) -> dict[str, Any]:
    return next(each for each in values["events"] if each["event"] == name)


def swap(values: dict[str, Any]) -> None:
    events = values["events"]
    events[3], events[4] = events[4], events[3]


def cut_and_sealed(values: dict[str, Any]) -> None:
    del values["events"][-4:]
    values["last"] = values["events"][-1]["h"]


CHANGES: dict[str, tuple[Callable[[dict[str, Any]], Any], str]] = {
    "an answer": (lambda v: event(v, "answer").update(text="1.905"), "event 3 was changed"),
    "a time": (lambda v: event(v, "answer").update(t="2026-11-30T09:00:00.000+00:00"), "event 3 was changed"),
    "a score": (lambda v: v["score"].update(points="14"), ""),
    "the alias": (lambda v: v["head"].update(alias="bob"), "its head was changed"),
    "the order": (swap, "event 4 was changed or moved"),
    "an event less": (lambda v: v["events"].pop(5), "event 6 was changed or moved"),
    "an event twice": (lambda v: v["events"].insert(5, v["events"][5]), "event 7 was changed or moved"),
    "no tail": (lambda v: v["events"].pop(), "events are missing at its end"),
    "no tail, last hash moved": (cut_and_sealed, "its name says receipt"),
    "no events": (lambda v: v["events"].clear(), "events are missing at its end"),
    "the script": (
        lambda v: v["files"].update(
            {STRONG.name: v["files"][STRONG.name].replace("decimals = 2", "decimals = 0")}
        ),
        "that it carries was changed",
    ),
    "a script more": (
        lambda v: v["files"].update({"x.csv": "devices,time_s\n"}),
        "x.csv that it carries was changed",
    ),
}


@pytest.mark.parametrize(
    ("change", "fault"), [pytest.param(*each, id=name) for name, each in CHANGES.items()]
)
def test_what_was_changed_shows(
    capsys, room: Class, change: Callable[[dict[str, Any]], Any], fault: str
) -> None:
    """https://github.com/jupyter/nbgrader/issues/1104"""
    handin = room.learner("ada", {"naive-speedup": [Answered("0.525"), HintAsked(30.0)]})
    path = room.handed_in(handin, change)
    assert main(["lab", "class", str(path)]) == (1 if fault else 0)
    out = " ".join(capsys.readouterr().out.split())
    assert fault in out
    assert ("1 not counted." if fault else "0 not counted.") in out
    status = main(["lab", "grade", str(path)])
    said = capsys.readouterr().out
    assert status == (1 if fault and "its name" not in fault else 0)
    assert ("NOT as it was written" in said) == bool(status)


def test_a_damaged_transcript_is_still_one_in_the_hand_in(room: Class, tmp_path: Path) -> None:
    kept = kept_in(tmp_path / "s", room.exercise, done_with(room.exercise, {}), START)
    path = kept.folder / "transcript.jsonl"
    path.write_bytes(path.read_bytes().replace(b"1.905", b"1.906"))
    from tui.guide.store import open_kept

    handin = make(open_kept(kept.folder, room.exercise), "ada")
    (fault,) = decode(encoded(handin)).faults
    assert fault == "its transcript was changed or damaged at line 4 before it was handed in"


# --------------------------------------------------------------------------------------- what strangers send

HOSTILE: dict[str, tuple[bytes, str]] = {
    "empty": (b"", "it is empty"),
    "blank": (b" \n\n", "it is empty"),
    "binary": (b"{" + bytes(range(128, 256)), "it is no text"),
    "cut": (b'{"kind": "hand-in", "head": {"al', "it is cut off"),
    "no JSON": (b'{"kind": }', "it is no JSON from line 1 on"),
    "a list": (b"[1]", "it is no hand-in"),
    "deep": (b'{"kind":' + b"[" * 200_000 + b"]" * 200_000 + b"}", "nested too deeply"),
    "a huge number": (b'{"kind": ' + b"9" * 5000 + b"}", "a number of 5000 digits"),
    "infinity": (b'{"kind": 1e999}', "the number 1e999"),
    "not a number": (b'{"kind": NaN}', "the number NaN"),
    "newer": (b'{"kind": "hand-in", "format": 2}', "it has format 2; this program reads 1"),
    "large": (b"{" + b" " * MOST_BYTES + b"}", "larger than 16 MiB"),
}


@pytest.mark.parametrize(("data", "why"), [pytest.param(*each, id=name) for name, each in HOSTILE.items()])
def test_what_is_no_hand_in_is_said_in_a_sentence(data: bytes, why: str) -> None:
    with pytest.raises(NotHandin, match=re.escape(why)):
        decode(data)


def renamed(name: str) -> Callable[[dict[str, Any]], Any]:
    return lambda values: values["files"].update({name: "x"})


BAD_PARTS: dict[str, tuple[Callable[[dict[str, Any]], Any], str]] = {
    "a path up": (renamed("../../x.csv"), "has no name inside a folder"),
    "a path from the root": (renamed("/etc/x.csv"), "has no name inside a folder"),
    "no name": (renamed(""), "has no name inside a folder"),
    "a command in a name": (renamed("\x1b[2J.csv"), "has no name inside a folder"),
    "no text in a file": (lambda v: v["files"].update({STRONG.name: 7}), "is no text"),
    "half a letter": (lambda v: v["files"].update({STRONG.name: "\ud800"}), "is no text"),
    "many files": (
        lambda v: v["files"].update({f"{n}.csv": "" for n in range(200)}),
        "does not carry its script",
    ),
    "many events": (lambda v: v.update(events=[{}] * (MOST_EVENTS + 1)), "20001 events"),
    "no events": (lambda v: v.update(events="x"), "is missing"),
    "events of text": (lambda v: v.update(events=["x"]), "something among its events is none"),
    "a script that is a path": (lambda v: v["head"].update(script="../x"), "names no script"),
    "a truth as revision": (lambda v: v["head"].update(revision=True), "names no revision"),
    "an alias of control characters": (lambda v: v["head"].update(alias="\x1b\x07"), "names no alias"),
    "a last hash of words": (lambda v: v.update(last="words"), "its last hash is none"),
}


@pytest.mark.parametrize(
    ("change", "why"), [pytest.param(*each, id=name) for name, each in BAD_PARTS.items()]
)
def test_parts_that_cannot_be_used_are_named(
    room: Class, change: Callable[[dict[str, Any]], Any], why: str
) -> None:
    path = room.handed_in(room.learner("ada"), change)
    with pytest.raises(NotHandin, match=re.escape(why)):
        decode(path.read_bytes())


@pytest.mark.parametrize("value", [None, 3, [], {}, "\ud800", "x" * 10_000, [["a"]], 10**17])
def test_any_value_in_an_event_is_survived(room: Class, value: Any) -> None:
    """Chain or no chain: what an event holds is looked at before it is replayed."""
    data, scripts = encoded(room.learner("ada", {"naive-speedup": [HintAsked(30.0)]})), Scripts()
    for name in ("answer", "choice", "lines", "runs", "hint", "open"):
        for key in ("event", "text", "ids", "rows", "columns", "at", "step", "t", "h"):
            values = json.loads(data)
            event(values, name)[key] = value
            assert regrade(decode(json.dumps(values).encode()), scripts).faults


TABLE = "devices, time_s\n" + "4, 7\n" * 4000
SLOW = f"""
[[data]]
id = "t"
family = "strong"
rows = '''
{TABLE}'''
""" + "".join(compute("efficiency('t', 4)", step=f"q{n}", more="decimals = 2") for n in range(200))


def test_nothing_takes_for_ever(room: Class, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tui.guide.regrade.MOST_SECONDS", 0.02)
    data = encoded(room.learner("ada", until="enter"))
    slow_script, slow_events = json.loads(data), json.loads(data)
    slow_script["files"][STRONG.name] = HEAD.replace("small", STRONG.stem) + SLOW
    table = room.exercise.sets["fixed"]
    rows = [list(table.rows[place]) for place in table.asked()[:-1]] * 5
    entered = {"event": "runs", "columns": list(table.columns), "rows": rows}
    slow_events["events"] += [entered] * 15_000
    start = time.process_time()
    for values in (slow_script, slow_events):
        handin = decode(json.dumps(values).encode())
        with pytest.raises(NotReplayed, match="grading it takes more than 10 seconds"):
            regrade(handin, Scripts())
    assert time.process_time() - start < 5
    scripts = Scripts()
    slow = decode(json.dumps(slow_script).encode())
    for _ in range(20):  # a copy of such a script costs nothing more
        with pytest.raises(NotReplayed):
            regrade(slow, scripts)
    assert time.process_time() - start < 10
    assert signal.getitimer(signal.ITIMER_VIRTUAL) == (0, 0)
    assert signal.getsignal(signal.SIGVTALRM) == signal.SIG_DFL
