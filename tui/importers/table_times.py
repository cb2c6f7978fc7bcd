"""Which of several times is the whole of it, and which are its parts, by their names alone."""

from __future__ import annotations

from collections.abc import Sequence

from .table_columns import Taken
from .table_words import KIND

_TOTAL_KINDS = ("time", "total", "part", "devices")


def rank(column: Taken) -> int:
    """How surely a time is the whole of it: 3 named so, or of one step, 1 qualified, 0 a statistic."""
    head = column.heading
    if column.role == "time":
        return 4
    if head.has("spread"):
        return 0
    if all(word == "cpu" or KIND.get(word) in _TOTAL_KINDS for word in head.words):
        return 3
    return 3 if "per" in head.words or (head.has("total") and not head.has("stage", "ranks")) else 1


def same_but_number(columns: Sequence[Taken]) -> bool:
    """Whether the names of columns differ by a number only: time_1, time_2."""
    names = {"".join(mark for mark in column.name.lower() if mark.isalpha()) for column in columns}
    return len(names) == 1 or all(column.role == "time" for column in columns)


def is_stage(column: Taken) -> bool:
    """Whether a time is a part: named like one, or in the same unit under a name of its own."""
    head = column.heading
    return head.has("stage", "ranks") or (bool(head.unit) and not head.has("time"))
