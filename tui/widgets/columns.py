"""What a table of runs shows in cells: columns in the order of their worth, and the texts in them."""

from __future__ import annotations

from collections.abc import Callable, Sequence, Set
from dataclasses import dataclass
from typing import Any

from rich.cells import cell_len, set_cell_size

from tui.model.quantity import format_number
from tui.model.run_text import printable_words

COVER = "▒▒"
GLYPHS = {"blocks": "✗", "warns": "!", "notes": "·"}
_SAMPLED = 200
"""Rows whose texts decide the widths of a large table."""
_WIDEST = 24


@dataclass(frozen=True)
class Column:
    """One column.

    Attributes:
        heading: what stands above it.
        cell: the text of a row's cell, empty where there is nothing to say.
        covered_by: the words that cover it, each by itself, of those an exercise or a self-test may cover.
        words: whether it holds words, set left, instead of numbers.
    """

    heading: str
    cell: Callable[[Any], str]
    covered_by: tuple[str, ...] = ()
    words: bool = False


@dataclass(frozen=True)
class TableView:
    """Rows as they are shown: which columns, how wide, and how many of them stay in sight.

    Attributes:
        pinned: how many columns stay when the others scroll.
        severity: of the gravest that is to be said of a row, empty where there is nothing.
    """

    rows: tuple[Any, ...]
    columns: tuple[Column, ...]
    widths: tuple[int, ...]
    pinned: int
    severity: Callable[[Any], str]

    @staticmethod
    def of(
        rows: Sequence[Any], pinned: Sequence[Column], rest: Sequence[Column], severity: Callable[[Any], str]
    ) -> TableView:
        """Choose widths, and leave out what no row has a value for; may run on any thread."""
        looked_at = _sample(rows)
        said = [column for column in rest if any(column.cell(row) for row in looked_at)]
        columns = (*pinned, *said)
        widths = tuple(
            min(_WIDEST, max([cell_len(column.heading), *(cell_len(column.cell(row)) for row in looked_at)]))
            for column in columns
        )
        return TableView(tuple(rows), columns, widths, len(pinned), severity)

    def cells(self, row: Any, covered: Set[str] = frozenset()) -> list[str]:
        """The texts of one row, cut to their columns; those of `covered` words are covered."""
        found = []
        for column, width in zip(self.columns, self.widths, strict=True):
            text = column.cell(row)
            # An empty cell is covered too: that a row has no efficiency, or no flag, tells of it as well.
            hidden = text != "D0" and not covered.isdisjoint(column.covered_by)
            found.append(cut(COVER if hidden else text, width))
        return found


def number(value: float | None) -> str:
    """A time, a rate or another measured number: four significant digits."""
    return "" if value is None else format_number(value)


def ratio(value: float | None) -> str:
    """An efficiency or another ratio around one: three decimals."""
    return "" if value is None else f"{round(value, 3) + 0.0:.3f}"  # + 0.0: never -0.000


def whole(value: float | None) -> str:
    """An exact count or an exact global work, in full."""
    if value is None:
        return ""
    return str(int(value)) if float(value).is_integer() and abs(value) < 1e15 else format_number(value, 6)


def devices_heading(counts: str) -> str:
    """What stands above the counts."""
    return "D" if counts == "device" else cut(printable_words(counts), 10)


def _sample(rows: Sequence[Any]) -> Sequence[Any]:
    step = max(1, len(rows) // _SAMPLED)
    return (*rows[::step], *rows[-1:])


def cut(text: str, width: int) -> str:
    """A text in at most `width` cells."""
    return text if cell_len(text) <= width else set_cell_size(text, max(0, width - 1)) + "…"
