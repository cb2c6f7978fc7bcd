"""A hand-in in one line for a chat or a mail: who, which exercise, one digit a graded step, the receipt.

A line carries no answers, so it can only be counted, not graded again; the receipt says which file belongs
to it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from tui.files.report import plain
from tui.guide.receipt import PATTERN, as_meant
from tui.guide.regrade import Grade, Outcome
from tui.guide.values import LONGEST_ID, SLUG

MARK = "RL1"
LONGEST = 76
_NOTHING = "-"
"""Stands where an exercise has no graded steps."""

# Mail programs quote with "> " and may break a line at any blank.
_GAP = r"[\s>|]{1,20}"
_LINE = re.compile(
    rf"(?<!\w){MARK}{_GAP}(?P<script>[a-z0-9-]{{1,{LONGEST_ID}}})/(?P<revision>\d{{1,7}})"
    rf"{_GAP}(?P<alias>\S{{1,60}}){_GAP}(?P<digits>[0-8]{{1,60}}|{_NOTHING})"
    rf"{_GAP}(?P<receipt>{PATTERN})(?![\w-])"
)


class NoRoom(ValueError):
    """The exercise has more graded steps than fit into a line; the text says what to do."""


@dataclass(frozen=True)
class Line:
    """A hand-in by line."""

    script_id: str
    revision: int
    alias: str
    """Without blanks, and cut where the line had no room."""
    outcomes: tuple[Outcome, ...]
    """One for each graded step."""
    receipt: str

    def __str__(self) -> str:
        digits = "".join(each.value for each in self.outcomes) or _NOTHING
        return f"{MARK} {self.script_id}/{self.revision} {self.alias} {digits} {self.receipt}"


def line_of(grade: Grade) -> Line:
    """The line of a hand-in, at most `LONGEST` characters.

    Raises:
        NoRoom: when not even a short alias fits.
    """
    outcomes = tuple(step.outcome for step in grade.steps)
    bare = Line(grade.script_id, grade.revision, "", outcomes, grade.receipt)
    room = LONGEST - len(str(bare))
    if room < 1:
        raise NoRoom(f"{len(outcomes)} graded steps do not fit into one line: hand in the file instead")
    alias = "_".join(grade.alias.split()).lstrip(">|") or "learner"
    return Line(grade.script_id, grade.revision, alias[:room], outcomes, grade.receipt)


def find_lines(text: str) -> Iterator[Line]:
    """Every such line in a text, in order; quoted, indented and broken ones too."""
    for found in _LINE.finditer(text):
        revision = int(found["revision"])
        if not SLUG.fullmatch(found["script"]) or revision < 1 or not plain(found["alias"]):
            continue
        digits = "" if found["digits"] == _NOTHING else found["digits"]
        outcomes = tuple(map(Outcome, digits))
        yield Line(found["script"], revision, plain(found["alias"]), outcomes, as_meant(found["receipt"]))
