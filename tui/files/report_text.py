"""Scaling tables as text of at most 80 columns."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence

from tui.model.rows import Table

from . import report
from .report_columns import ABSENT, Column, columns

WIDTH = 80
_GAP = "  "
_MARGIN = "  "
_FLAGS_WIDTH = 16
_LEAST_FLAGS_WIDTH = 6
_WORDS_WIDTH = 22
_UNIT_WIDTH = 12
_ALIGNING = 4
"""How many cells a column may grow so that its decimal points stand below each other."""

_NUMBER = re.compile(r"-?\d+(\.\d+)?")


def as_text(tables: Sequence[Table], above: str = "") -> str:
    """All tables, with an empty line between them and `above` before the first."""
    blocks = ["\n".join(wrapped(above))] if above else []
    return "\n\n".join([*blocks, *("\n".join(_table(table)) for table in tables)])


def _table(table: Table) -> Iterator[str]:
    yield from wrapped(report.title(table))
    named = report.facts(table)
    width = max(len(name) for name, _ in named)
    for name, words in named:
        yield from wrapped(words, f"{_MARGIN}{name:<{width}}  ")
    yield ""
    if not table.rows:
        yield _MARGIN + report.NO_RUNS
        return
    keys = report.keyed(table)
    found = columns(table, keys.cells)
    kept = _fitting(found)
    yield from _grid(kept)
    yield from _below(table, [column.key.replace("_", " ") for column in found if column not in kept])
    yield from _flags(table, keys)


def _below(table: Table, left_out: Sequence[str]) -> Iterator[str]:
    if left_out:
        why = f"Left out to fit {WIDTH} columns (--format csv has them all)"
        yield from wrapped(f"{why}: {', '.join(left_out)}.", _MARGIN)
    if table.shared_noise:
        yield from wrapped(table.shared_noise, _MARGIN)


def _flags(table: Table, keys: report.Keyed) -> Iterator[str]:
    if not table.flags and not keys.flags:
        return
    yield ""
    yield f"{_MARGIN}flags: {report.LEGEND}"
    marks = [f"{report.SIGNS[flag.severity]}{place}" for place, flag in enumerate(keys.flags, 1)]
    listed = [("all", flag) for flag in table.flags] + list(zip(marks, keys.flags, strict=True))
    width = max(len(mark) for mark, _ in listed)
    for mark, flag in listed:
        yield from wrapped(report.plain(f"{flag.code}: {flag.sentence}"), f"{_MARGIN}{mark:>{width}}  ")


# ------------------------------------------------------------------------------------------------ grid


def _fitting(found: Sequence[Column]) -> list[Column]:
    """The columns of most worth that fit beside each other, in their own order."""
    kept: list[Column] = []
    left = WIDTH
    for column in sorted(found, key=lambda each: each.worth):
        width = _width(column) + len(_GAP)
        if width <= left or column.worth == 0:
            kept.append(column)
            left -= width
    return [column for column in found if column in kept]


def _width(column: Column) -> int:
    if column.key == "flags":
        return min(_FLAGS_WIDTH, max(cells(cell) for cell in (column.title, *column.cells)))
    return max(cells(cell) for cell in (column.title, _unit(column), *_written(column)))


def _grid(kept: Sequence[Column]) -> Iterator[str]:
    """A line of titles, one of units, and a line for each row; the flags, which stand last, may take more."""
    *front, flags = kept
    widths = [_width(column) for column in front]
    room = WIDTH - sum(widths) - len(_GAP) * len(kept)
    yield _line((column.title for column in front), front, widths, flags.title)
    if any(column.unit for column in front):
        yield _line(map(_unit, front), front, widths, "")
    written = zip(*map(_written, front), strict=True)
    for row, marks in zip(written, flags.cells, strict=True):
        first, *others = wrapped(marks, width=max(room, _LEAST_FLAGS_WIDTH)) or [""]
        yield _line(row, front, widths, first)
        yield from (_line([""] * len(front), front, widths, more) for more in others)


def _line(written: Iterable[str], front: Sequence[Column], widths: Sequence[int], last: str) -> str:
    padded = (
        cell + " " * (width - cells(cell)) if column.words else " " * (width - cells(cell)) + cell
        for cell, column, width in zip(written, front, widths, strict=True)
    )
    return (_GAP + _GAP.join([*padded, last])).rstrip()


def _unit(column: Column) -> str:
    return cut(column.unit, _UNIT_WIDTH)


def _written(column: Column) -> tuple[str, ...]:
    """Cells as they stand in a column: words cut, decimal points below each other."""
    if column.words:
        return tuple(cut(cell, _WORDS_WIDTH) for cell in column.cells)
    if not all(cell == ABSENT or _NUMBER.fullmatch(cell) for cell in column.cells):
        return column.cells
    tails = [len(cell) - len(cell.partition(".")[0]) for cell in column.cells]
    longest = max(tails, default=0)
    aligned = tuple(cell + " " * (longest - tail) for cell, tail in zip(column.cells, tails, strict=True))
    grown = max(map(len, aligned), default=0) - max(map(len, column.cells), default=0)
    return aligned if grown <= _ALIGNING else column.cells


# ------------------------------------------------------------------------------------- cells and lines


def cells(text: str) -> int:
    """How many cells of a terminal a printable text takes."""
    wide = sum(unicodedata.east_asian_width(c) in "WF" for c in text) if not text.isascii() else 0
    return len(text) + wide - sum(unicodedata.combining(c) > 0 for c in text)


def cut(text: str, longest: int) -> str:
    """The beginning of a text, with a sign where something is missing."""
    if cells(text) <= longest:
        return text
    while cells(text) >= longest:
        text = text[:-1]
    return f"{text}…"


def wrapped(text: str, first: str = "", width: int = WIDTH) -> list[str]:
    """Lines of at most `width` cells: `first` before the first, as many blanks before the others.

    A word that is longer than a line goes on in the next.
    """
    indent = " " * len(first)
    lines: list[str] = []
    line, room = first, width - len(first)
    fresh = True
    for word in _pieces(text, width - len(first)):
        needed = cells(word) + (not fresh)
        if needed > room:
            lines.append(line)
            line, room, fresh, needed = indent, width - len(indent), True, cells(word)
        line += word if fresh else f" {word}"
        room -= needed
        fresh = False
    return [*lines, line.rstrip()] if text else []


def _pieces(text: str, longest: int) -> Iterator[str]:
    for word in text.split():
        piece, taken = "", 0
        for c in word:
            if taken + cells(c) > longest:
                yield piece
                piece, taken = "", 0
            piece += c
            taken += cells(c)
        yield piece
