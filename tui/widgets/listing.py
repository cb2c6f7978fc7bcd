"""A list in the room there is: one row is chosen, and always in sight."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len, set_cell_size
from rich.text import Text
from textual.widget import Widget

CURSOR = "> "
NO_CURSOR = "  "


class Listing(Widget):
    """Rows of plain text; the chosen one is reversed and has a sign of its own before it."""

    DEFAULT_CSS = "Listing { height: 1fr; min-height: 3; }"

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._rows: Sequence[str] = ()
        self._bold: frozenset[int] = frozenset()
        self._at = 0
        self._top = 0

    def show(self, rows: Sequence[str], at: int, bold: frozenset[int] = frozenset()) -> None:
        """Show rows, one of them chosen; those in `bold` stand out."""
        self._rows, self._at, self._bold = rows, at, bold
        self.refresh()

    @property
    def page(self) -> int:
        """How many rows a page has."""
        return max(1, self.size.height - 1)

    def render(self) -> Text:
        room = max(1, self.size.height)
        lowest = max(0, len(self._rows) - room)
        self._top = max(min(self._top, self._at, lowest), min(self._at - room + 1, lowest), 0)
        text = Text(no_wrap=True)
        for place in range(self._top, min(self._top + room, len(self._rows))):
            chosen = place == self._at
            style = " ".join(["reverse"] * chosen + ["bold"] * (place in self._bold))
            line = cut((CURSOR if chosen else NO_CURSOR) + self._rows[place], self.size.width)
            text.append(line if place == self._top else f"\n{line}", style=style)
        return text


def cut(text: str, width: int) -> str:
    """A text in at most so many cells; what is cut off is shown by a sign."""
    return text if cell_len(text) <= width else set_cell_size(text, max(1, width - 1)) + "…"


def moved(at: int, key: str, page: int, count: int) -> int:
    """Where the choice goes by a key: up, down, pageup, pagedown, home or end."""
    steps = {"up": -1, "down": 1, "pageup": -page, "pagedown": page, "home": -count, "end": count}
    return max(0, min(at + steps[key], count - 1))
