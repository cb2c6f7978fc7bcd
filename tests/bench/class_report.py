"""Reading, grading and counting hand-ins: what each costs among a thousand, against each of ten."""

from __future__ import annotations

import tempfile
import time
from pathlib import Path

from tests.bench.measure import Row, alternate
from tests.guide.handins import Class
from tests.guide.scripts import STRONG
from tui.events import Event
from tui.guide.catalogue import ready
from tui.guide.class_output import as_text
from tui.guide.class_reading import Reader
from tui.guide.class_report import report
from tui.guide.events import Answered, Chosen

FEW, MANY = 10, 1000
GOAL = 1.25
"""Flat: one among a thousand costs what one among ten does; the rest is room for the noise of ten."""


def class_rows(runs: int) -> list[Row]:
    """Milliseconds of processor time for each hand-in, and seconds for a thousand of them."""
    with tempfile.TemporaryDirectory(prefix="rooflab-bench-") as folder:
        many = _class(Path(folder, "many"), MANY)
        few = _class(Path(folder, "few"), FEW)
        ours, peer = alternate(runs, lambda: _each(many, MANY), lambda: _few(few))
    whole = tuple(MANY * each / 1000 for each in ours)
    return [
        Row(f"class report of {MANY} hand-ins, each; peer: of {FEW}", "ms", GOAL, tuple(ours), tuple(peer)),
        Row(f"class report of {MANY} hand-ins, processor time", "s", None, whole),
    ]


def _class(folder: Path, count: int) -> Path:
    room = Class(folder, ready(STRONG))
    for number in range(count):
        room.handed_in(room.learner(f"learner {number}", _wrong(number)))
    return folder


def _wrong(number: int) -> dict[str, list[Event]]:
    wrong: dict[str, list[Event]] = {}
    wrong |= {"naive-speedup": [Answered("0.525"), Answered("abc")]} if number % 2 else {}
    wrong |= {"verdict": [Chosen(("yes-fast",))]} if number % 5 == 0 else {}
    return wrong


def _few(folder: Path) -> float:
    """The same number of hand-ins in turn as the others have at once, so that both are as long."""
    return sum(_each(folder, FEW) for _ in range(FEW)) / FEW


def _each(folder: Path, count: int) -> float:
    """Milliseconds of processor time for one of the hand-ins in a folder; the script is read once before."""
    reader = Reader()
    reader.paths([next(folder.iterdir())])
    before = time.process_time()
    reader.paths([folder])
    counted = report(reader.found, lambda name: None)
    text = as_text(counted)
    spent = time.process_time() - before
    (group,) = counted.groups
    assert (len(group.learners), group.steps[0].first_right) == (count, count // 2)
    assert f"{count} hand-ins in 1 exercise counted, 0 not counted" in text
    return 1000 * spent / count
