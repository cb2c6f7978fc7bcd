"""Marks upon a drawn sheet: one glyph a cell, and those that would be misread apart joined, "2,3"."""

from __future__ import annotations

from typing import NamedTuple

from tui.plotting.geometry import Geometry
from tui.plotting.sheet import TAKEN, Cell, Sheet
from tui.plotting.spec import Mark

_LONGEST = 9
"""Cells a joined group may take: further out its digits would no longer say where the marks stand."""

_MORE: Cell = ("+", "dim")
_COMMA: Cell = (",", "dim")


class Group(NamedTuple):
    """Marks of one cell, or numbers that would run together, and where their glyphs stand.

    Attributes:
        marks: (importance, mark), from left to right, the more important later within a cell.
        column: the cell of the leftmost one.
        start: the column its text starts at; left of `column` only at the right edge.
    """

    row: int
    column: int
    marks: tuple[tuple[int, Mark], ...]
    start: int
    cells: tuple[Cell, ...]

    @property
    def end(self) -> int:
        """The column after the last one taken."""
        return self.start + len(self.cells)


def put_marks(sheet: Sheet, marks: tuple[Mark, ...], geometry: Geometry) -> tuple[list[Group], list[str]]:
    """Write the marks inside the frame; give back their groups and a sentence for each glyph left out."""
    placed = []
    for importance, mark in enumerate(marks):
        cell = geometry.cell(mark.x, mark.y)
        if cell:
            placed.append((*cell, importance, mark))
    groups: list[Group] = []
    left_out: list[str] = []
    for row, column, importance, mark in sorted(placed, key=lambda entry: entry[:3]):
        group = _group(sheet, row, column, ((importance, mark),))
        while groups and groups[-1].row == row and _run_together(groups[-1], group):
            before = groups.pop()
            group = _group(sheet, row, before.column, before.marks + group.marks)
        groups.append(group)
    for group in groups:
        for offset, (character, style) in enumerate(group.cells):
            sheet.put(group.row, group.start + offset, character, style, TAKEN)
        sheet.spans.append((group.row, group.start, group.end))
        if _MORE in group.cells:
            left_out.append(f"{', '.join(mark.glyph for _, mark in group.marks)} share one place")
    return groups, left_out


def _run_together(left: Group, right: Group) -> bool:
    """Whether two neighbours overlap, or are digits side by side: 1 and 2 would read as 12."""
    if left.end != right.start:
        return left.end > right.start
    return left.cells[-1][0].isdigit() and right.cells[0][0].isdigit()


def _group(sheet: Sheet, row: int, column: int, marks: tuple[tuple[int, Mark], ...]) -> Group:
    room = min(_LONGEST, sheet.right - sheet.left)
    kept = list({mark.glyph: (importance, mark) for importance, mark in marks}.values())
    glyphs = len(kept)
    while kept and len(_spelled(kept, len(kept) < glyphs)) > room:
        kept.remove(min(kept, key=lambda entry: entry[0]))
    cells = _spelled(kept, len(kept) < glyphs)
    start = min(column, sheet.right - len(cells))
    return Group(row, column, marks, start, cells)


def _spelled(marks: list[tuple[int, Mark]], more: bool) -> tuple[Cell, ...]:
    """The glyphs with commas between them, after a `+` where some are left out."""
    words = [[_MORE]] if more else []
    words += [[(character, mark.style) for character in mark.glyph] for _, mark in marks]
    return tuple(cell for word in words for cell in (_COMMA, *word))[1:]
