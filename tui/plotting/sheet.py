"""A sheet of cells that knows what may be written over: blank, ink, or taken."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

Cell = tuple[str, str]
"""One character and its style name."""

Span = tuple[int, int, int]
"""Row, first column, and the column after the last, of one piece of text."""

BLANK: Cell = (" ", "")
FREE, INKED, TAKEN = 0, 1, 2


class Sheet:
    """The cells of one picture while it is composed; texts keep to the canvas rectangle."""

    def __init__(self, width: int, height: int, left: int, rows: int) -> None:
        self.cells: list[list[Cell]] = [[BLANK] * width for _ in range(height)]
        self.spans: list[Span] = []
        self.left, self.right, self.rows = left, width, rows
        self._guard = [bytearray(width) for _ in range(height)]

    def rows_so_far(self) -> tuple[tuple[Cell, ...], ...]:
        """A copy of the cells as they are now."""
        return tuple(map(tuple, self.cells))

    def put(self, row: int, column: int, character: str, style: str, guard: int = INKED) -> None:
        """Set one cell, which must be on the sheet."""
        self.cells[row][column] = (character, style)
        self._guard[row][column] = guard

    def blank(self, row: int, column: int) -> bool:
        """Whether nothing is drawn in a cell."""
        return self._guard[row][column] == FREE

    def take(self, row: int, column: int) -> None:
        """Keep a cell as it is: no text may cover it."""
        self._guard[row][column] = TAKEN

    def write(self, row: int, column: int, text: str, style: str) -> None:
        """Write a text over what is there, with the ink on either side blanked so that it reads."""
        for offset, character in enumerate(text):
            self.put(row, column + offset, character, style, TAKEN)
        self.spans.append((row, column, column + len(text)))
        for beside in (column - 1, column + len(text)):
            if self.left <= beside < self.right and self._guard[row][beside] == INKED:
                self.put(row, beside, *BLANK, guard=FREE)

    def place(self, text: str, style: str, spots: Iterable[tuple[int, int]], over: int = FREE) -> bool:
        """Write a text at the first (row, column) where it fits with a cell between it and other text.

        `over` is the heaviest thing it may cover. Says whether a spot was found.
        """
        for row, column in spots:
            if self._fits(row, column, len(text), over):
                self.write(row, column, text, style)
                return True
        return False

    def _fits(self, row: int, column: int, length: int, over: int) -> bool:
        end = column + length
        if not (0 <= row < self.rows and self.left <= column and end <= self.right):
            return False
        guard = self._guard[row]
        if any(level > over for level in guard[column:end]):
            return False
        return not any(self.left <= at < self.right and guard[at] == TAKEN for at in (column - 1, end))


def near(row: int, column: int, length: int, sheet: Sheet, reach: int) -> Iterator[tuple[int, int]]:
    """Spots for a text on the sheet, the nearest to its wanted place first, at most `reach` rows away."""
    last = sheet.right - length
    if last < sheet.left:
        return
    wanted = min(max(column, sheet.left), last)
    for away in range(reach + 1):
        for at in dict.fromkeys((row + away, row - away)):
            if 0 <= at < sheet.rows:
                for shift in range(max(last - wanted, wanted - sheet.left) + 1):
                    for start in dict.fromkeys((wanted - shift, wanted + shift)):
                        if sheet.left <= start <= last:
                            yield at, start
