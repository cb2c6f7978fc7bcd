"""Of what a rate is, all devices together or each of them, where the numbers of a table leave no doubt."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from .table_cells import Decimal, Unreadable, number
from .table_columns import Columns, Taken
from .table_counts import Counts
from .table_grid import Grid

ALIKE = 0.02
"""Numbers that differ by less are the same."""

_GREW = 1.5


class Evidence:
    """The numbers of a table, looked at column beside column."""

    def __init__(self, grid: Grid, columns: Columns, counts: Counts, decimal: Decimal | None) -> None:
        self._grid = grid
        self._columns = columns
        self._counts = counts
        self._decimal = decimal

    def pair(self, rates: Sequence[Taken]) -> tuple[Taken, Taken] | None:
        """Of two rates the one that is the other times the count in every row."""
        if len(rates) != 2 or not self._counts.known:
            return None
        for total, each in (rates, rates[::-1]):
            points = list(self.points(total, each))
            if points and all(math.isclose(a, b * count, rel_tol=ALIKE) for count, a, b in points):
                return total, each
        return None

    def of_one(self, column: Taken) -> tuple[bool | None, str]:
        """Whether a rate is of each device, where the numbers leave no doubt, and why."""
        points = [(count, rate) for count, rate, _ in self.points(column, column) if rate > 0]
        if len({count for count, _ in points}) < 2:
            return False, ""
        for ideal in self._columns.of("derived"):
            if ideal.heading.has("ideal"):
                linear = self._growth_of(ideal)
                if linear is not None:
                    return (not linear), f"its ideal {'grows with the count' if linear else 'stays the same'}"
        first, last = min(points), max(points)
        grew, more = last[1] / first[1], last[0] / first[0]
        if grew > _GREW:
            return False, f"it grows {grew:.3g}-fold while the count grows {more:.3g}-fold"
        return None, ""

    def _growth_of(self, column: Taken) -> bool | None:
        """Whether a column is proportional to the count (True), constant (False), or neither."""
        points = list(self.points(column, column))
        if len(points) < 2:
            return None
        count, value, _ = points[0]
        if all(math.isclose(v * count, value * c, rel_tol=ALIKE) for c, v, _ in points):
            return True
        return False if all(math.isclose(v, value, rel_tol=ALIKE) for _, v, _ in points) else None

    def points(self, one: Taken, other: Taken) -> Iterator[tuple[int, float, float]]:
        """Count and the numbers of two columns, for the rows that have all three."""
        if not self._counts.known:
            return
        for row in self._grid.rows:
            try:
                yield (
                    self._counts.of(row.cells),
                    number(row.cells[one.place], self._decimal),
                    number(row.cells[other.place], self._decimal),
                )
            except Unreadable:
                continue

    def beside_ideal(self, column: Taken) -> tuple[bool | None, str]:
        """Rate of all (False) or of each (True), by the ideal and the efficiency beside it."""
        ideal = next((one for one in self._columns.of("derived") if one.heading.has("ideal")), None)
        linear = self._growth_of(ideal) if ideal else None
        if ideal is None or linear is None:
            return None, ""
        if linear:
            return False, f"{ideal.name} grows in proportion to the count"
        below = [value <= best * (1 + ALIKE) for _, value, best in self.points(column, ideal)]
        if all(below):
            return True, f"{ideal.name} is the same in all rows, and no row is above it"
        return None, ""
