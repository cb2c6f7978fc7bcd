"""The animation of Play: one picture uncovered from left to right over another, and a point on its way.

Both pictures are made once per trial; a frame is a function of the progress alone, so late ticks may be
skipped. Only ink is uncovered: marks, words and tick labels give the result, and come with the last frame.
"""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

from tui.plotting.compose import Picture
from tui.plotting.geometry import Geometry, cell_of
from tui.plotting.sheet import Cell

POINT: Cell = ("●", "point")


class Motion(NamedTuple):
    """How a trial is played, in data units.

    Attributes:
        sweep: the x the reveal starts from and the x it ends at.
        path: (progress, x, y) of the point, progress rising from 0 to 1; straight in the frame between
            them. Empty when the point would never be inside the frame.
    """

    sweep: tuple[float, float]
    path: tuple[tuple[float, float, float], ...]


_Change = tuple[int, Cell]
"""A column, and what its cell becomes once the reveal has reached it."""


class Reveal:
    """The frames between two pictures.

    Raises:
        ValueError: when the pictures do not line up cell by cell.
    """

    def __init__(self, before: Picture, after: Picture, motion: Motion) -> None:
        if not before.geometry.lines_up_with(after.geometry):
            raise ValueError("only pictures of one size and one frame can be revealed over each other")
        self.before, self.after, self._motion = before, after, motion
        self._changes = [_changes(before, after, row) for row in range(before.height)]

    def frame(self, progress: float) -> Picture:
        """The picture at a progress from 0 to 1: `after` itself at 1."""
        if progress >= 1 or self.after.geometry.columns < 1 or self.after.geometry.rows < 1:
            return self.after
        progress = max(0.0, progress)
        column = _sweep_column(self.after.geometry, self._motion.sweep, progress)
        rows = [
            _uncovered(row, changes, column)
            for row, changes in zip(self.before.rows, self._changes, strict=True)
        ]
        at = _point_cell(self.after.geometry, self._motion.path, progress)
        if at:
            row, x = at
            rows[row] = (*rows[row][:x], POINT, *rows[row][x + 1 :])
        return self.before._replace(rows=tuple(rows))


def changed(previous: Picture, following: Picture) -> list[tuple[int, int, int]]:
    """What to draw anew: one (row, first column, column after the last) for each row that differs.

    Pictures of different sizes give every row of the following one.
    """
    if (previous.width, previous.height) != (following.width, following.height):
        return [(row, 0, following.width) for row in range(following.height)]
    regions = []
    for row, (old, new) in enumerate(zip(previous.rows, following.rows, strict=True)):
        if old is not new and old != new:
            differing = [column for column in range(len(new)) if old[column] != new[column]]
            regions.append((row, differing[0], differing[-1] + 1))
    return regions


def _changes(before: Picture, after: Picture, row: int) -> tuple[_Change, ...]:
    """The new ink of one row from left to right, except under the marks and words that were there before."""
    if row >= after.geometry.rows:
        return ()
    kept = {column for at, start, end in before.spans if at == row for column in range(start, end)}
    old, new = before.ink[row], after.ink[row]
    columns = range(after.geometry.left, after.width)
    return tuple((at, new[at]) for at in columns if old[at] != new[at] and at not in kept)


def _uncovered(row: tuple[Cell, ...], changes: tuple[_Change, ...], reached: int) -> tuple[Cell, ...]:
    if not changes or changes[0][0] > reached:
        return row
    cells = list(row)
    for column, cell in changes:
        if column > reached:
            break
        cells[column] = cell
    return tuple(cells)


def _sweep_column(geometry: Geometry, sweep: tuple[float, float], progress: float) -> int:
    start, end = (geometry.x.fraction(x) for x in sweep)
    return geometry.left + cell_of((start + (end - start) * progress) * (geometry.columns - 1))


def _point_cell(
    geometry: Geometry, path: tuple[tuple[float, float, float], ...], progress: float
) -> tuple[int, int] | None:
    """The cell of the point, on the straight line in the frame between two stations of its path."""
    for (p0, x0, y0), (p1, x1, y1) in pairwise(path):
        start, end = geometry.position(x0, y0), geometry.position(x1, y1)
        if progress <= p1 and start and end:
            share = (progress - p0) / (p1 - p0)
            across, up = (a + (b - a) * share for a, b in zip(start, end, strict=True))
            return geometry.cell_at(across, up)
    return None
