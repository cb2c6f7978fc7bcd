"""Where a value lands: the one mapping from data units to cells.

Ticks, marks, levels and the ink of the curves all go through `snap`, so they cannot disagree about a cell.
plotext shrinks positions by up to 0.0016 of a cell; snapped values keep 1/128 away from every edge of a
cell and of a braille dot, so its cell is ours: floor(v + ½).
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import NamedTuple

from tui.plotting.spec import Axis

Point = tuple[float, float]

_WIDE_ENOUGH_FOR_LABELS = 8
"""Columns of canvas below which the labels of the y axis give way to the curve."""


def snap(cells: float) -> float:
    """A position in cells, moved by at most 1/128 off the edges of cells and braille dots."""
    return math.ceil(64 * cells) / 64 - 1 / 128


def cell_of(cells: float) -> int:
    """The cell a position falls in; cell n is centred on n."""
    return math.floor(snap(cells) + 0.5)


class Geometry(NamedTuple):
    """A picture's size, and the canvas inside it: what axes and labels leave.

    Attributes:
        left: columns taken by the y axis and its labels.
        columns, rows: the canvas, starting at picture column `left` and row 0; 0 where there is no room.
        axis_rows: rows below the canvas: 2 for axis and labels, 1 for the axis, 0 for none.
    """

    width: int
    height: int
    x: Axis
    y: Axis
    left: int
    columns: int
    rows: int
    axis_rows: int

    @classmethod
    def of(cls, x: Axis, y: Axis, width: int, height: int) -> Geometry:
        """Share out a picture of `width` × `height` cells; in a small one labels go first, then axes."""
        width, height = max(0, width), max(0, height)
        gutter = max([y.gutter, *(len(tick.label) for tick in y.ticks)])
        left = gutter + 1
        if width < left + _WIDE_ENOUGH_FOR_LABELS:
            left = 1 if width >= 3 else 0
        axis_rows = 2 if height >= 4 else max(0, height - 2)
        return cls(width, height, x, y, left, width - left, height - axis_rows, axis_rows)

    def lines_up_with(self, other: Geometry) -> bool:
        """Whether both give every value the same cell; ticks may differ."""
        bare, other_bare = (g._replace(x=_bare(g.x), y=_bare(g.y)) for g in (self, other))
        return bare == other_bare

    def position(self, x: float, y: float) -> Point | None:
        """Cells right of the canvas's first column and above its last row, or None for no finite place."""
        across, up = self.x.fraction(x) * (self.columns - 1), self.y.fraction(y) * (self.rows - 1)
        return (across, up) if math.isfinite(across) and math.isfinite(up) else None

    def cell_at(self, across: float, up: float) -> tuple[int, int]:
        """The picture's (row from the top, column) of a position."""
        return self.rows - 1 - cell_of(up), self.left + cell_of(across)

    def column(self, x: float) -> int | None:
        """The picture column of a value, or None outside the frame."""
        if self.x.side(x) or self.columns < 1:
            return None
        return self.left + cell_of(self.x.fraction(x) * (self.columns - 1))

    def row(self, y: float) -> int | None:
        """The picture row of a value, counted from the top, or None outside the frame."""
        if self.y.side(y) or self.rows < 1:
            return None
        return self.rows - 1 - cell_of(self.y.fraction(y) * (self.rows - 1))

    def cell(self, x: float, y: float) -> tuple[int, int] | None:
        """(row, column) of a point, or None outside the frame."""
        row, column = self.row(y), self.column(x)
        return None if row is None or column is None else (row, column)


def _bare(axis: Axis) -> Axis:
    return replace(axis, ticks=(), gutter=0)
