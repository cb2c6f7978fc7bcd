"""A table of runs on the screen: some columns pinned, the others scrolled by whole columns.

Only the rows in sight are ever made into text, so a table of thousands of rows costs what its window
costs; and a changed study repaints only the lines whose text changed.
"""

from __future__ import annotations

from collections.abc import Set
from textwrap import wrap
from typing import Any, ClassVar

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual.binding import Binding
from textual.geometry import Region
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from tui.widgets.columns import TableView

GAP = "  "
Line = tuple[tuple[str, str], ...]
"""Texts with the names of their styles."""


class EfficiencyTable(Widget, can_focus=True):
    """Shows a `TableView`, or sentences while there are no rows."""

    BINDINGS: ClassVar = [
        Binding("up", "move(-1)", show=False),
        Binding("down", "move(1)", show=False),
        Binding("pageup", "page(-1)", show=False),
        Binding("pagedown", "page(1)", show=False),
        Binding("home", "end(-1)", show=False),
        Binding("end", "end(1)", show=False),
        Binding("left", "sideways(-1)", show=False),
        Binding("right", "sideways(1)", show=False),
        Binding("enter", "choose", show=False),
    ]
    COMPONENT_CLASSES: ClassVar[set[str]] = {
        "runs--head",
        "runs--cursor",
        "runs--blocks",
        "runs--warns",
        "runs--base",
    }

    class Highlighted(Message):
        """Another row is under the cursor."""

    class Chosen(Message):
        """Enter was pressed on the row under the cursor."""

    def __init__(self) -> None:
        super().__init__(id="runs-table")
        self._view: TableView | None = None
        self._sentences: tuple[str, ...] = ()
        self._covered: Set[str] = frozenset()
        self._cursor = 0
        self._top = 0
        self._shift = 0
        self._drawn: list[Line] = []

    # What the tab asks for -----------------------------------------------------------------------

    def show(
        self, view: TableView | None, sentences: tuple[str, ...] = (), covered: Set[str] = frozenset()
    ) -> None:
        """Show other rows; the cursor stays on its place as far as there is one."""
        self._view, self._sentences, self._covered = view, sentences, covered
        self._cursor = max(0, min(self._cursor, self._count - 1))
        self._shift = max(0, min(self._shift, self._last_shift))
        self._keep_in_sight()
        self._repaint()

    def go_to(self, place: int) -> None:
        """Put the cursor on a row of the table."""
        self._move_to(place)

    @property
    def row(self) -> Any:
        """The row under the cursor, None while there is none."""
        return self._view.rows[self._cursor] if self._view and self._count else None

    @property
    def cursor(self) -> int:
        """The place of the row under the cursor."""
        return self._cursor

    @property
    def _count(self) -> int:
        return len(self._view.rows) if self._view else 0

    @property
    def _room(self) -> int:
        """Rows in sight: under the headings, and above the line that says of more where not all fit."""
        room = max(1, self.size.height - 1)
        return room if self._count <= room else max(1, room - 1)

    @property
    def more_to_the_right(self) -> bool:
        """Whether there are columns beyond the right edge."""
        return self._view is not None and self._visible()[-1] < len(self._view.columns) - 1

    # Keys ----------------------------------------------------------------------------------------

    def action_move(self, by: int) -> None:
        self._move_to(self._cursor + by)

    def action_page(self, by: int) -> None:
        self._move_to(self._cursor + by * max(1, self._room - 1))

    def action_end(self, side: int) -> None:
        self._move_to(0 if side < 0 else self._count - 1)

    def action_sideways(self, by: int) -> None:
        shift = max(0, min(self._shift + by, self._last_shift))
        if by < 0 or self.more_to_the_right:
            self._shift = shift
            self._repaint()

    def action_choose(self) -> None:
        if self.row is not None:
            self.post_message(self.Chosen())

    def _move_to(self, place: int) -> None:
        place = max(0, min(place, self._count - 1))
        if place != self._cursor:
            self._cursor = place
            self._keep_in_sight()
            self._repaint()
            self.post_message(self.Highlighted())

    def _keep_in_sight(self) -> None:
        room = self._room
        self._top = max(0, min(self._top, self._cursor, self._count - room))
        if self._cursor >= self._top + room:
            self._top = self._cursor - room + 1

    # Drawing -------------------------------------------------------------------------------------

    @property
    def _last_shift(self) -> int:
        return max(0, len(self._view.columns) - self._view.pinned - 1) if self._view else 0

    def _visible(self) -> list[int]:
        """The places of the columns that fit whole, the pinned ones always among them."""
        view = self._view
        assert view is not None
        shown = list(range(view.pinned))
        # The last cell is kept for the mark that says there is more.
        room = self.size.width - 2 - sum(view.widths[place] + len(GAP) for place in shown)
        for place in range(view.pinned + self._shift, len(view.columns)):
            if view.widths[place] > room:
                break
            shown.append(place)
            room -= view.widths[place] + len(GAP)
        return shown

    def on_resize(self) -> None:
        self._keep_in_sight()
        self._repaint()

    def on_focus(self) -> None:
        self._repaint()

    def on_blur(self) -> None:
        self._repaint()

    def _repaint(self) -> None:
        """Make the lines anew and refresh those that changed."""
        before, self._drawn = self._drawn, self._lines()
        height = max(len(before), len(self._drawn))
        old = [*before, *[()] * (height - len(before))]
        new = [*self._drawn, *[()] * (height - len(self._drawn))]
        changed = [y for y in range(height) if old[y] != new[y]]
        regions = [Region(0, y, self.size.width, 1) for y in changed if y < self.size.height]
        if regions:
            self.refresh(*regions)

    def _lines(self) -> list[Line]:
        if self._view is None or not self._count:
            width = max(10, self.size.width - 2)
            wrapped = (line for each in self._sentences for line in (wrap(each, width) or [""]))
            return [((f" {line}", ""),) for line in wrapped]
        shown = self._visible()
        more = " >" if shown[-1] < len(self._view.columns) - 1 else ""
        head = self._aligned([column.heading for column in self._view.columns], shown)
        lines: list[Line] = [((head + more, "head"),)]
        below = self._top + self._room
        for place, row in enumerate(self._view.rows[self._top : below], self._top):
            text = self._aligned(self._view.cells(row, self._covered), shown)
            lines.append(self._styled(place, row, text))
        if self._count > self._room:
            parts = [f"▲ {self._top} more above"] * (self._top > 0)
            parts += [f"▼ {self._count - below} more below"] * (self._count > below)
            lines.append(((f" {', '.join(parts)}: PgUp, PgDn, Home, End", "head"),))
        return lines

    def _styled(self, place: int, row: Any, text: str) -> Line:
        if place == self._cursor:
            return ((">" + text[1:], "cursor" if self.has_focus else "base"),)
        assert self._view is not None
        severity = "" if "flags" in self._covered else self._view.severity(row)
        width = self._view.widths[0] + 1
        return ((text[:width], "" if severity == "notes" else severity), (text[width:], ""))

    def _aligned(self, cells: list[str], shown: list[int]) -> str:
        view = self._view
        assert view is not None
        parts = []
        for place in shown:
            width, cell = view.widths[place], cells[place]
            padding = " " * max(0, width - cell_len(cell))
            parts.append(cell + padding if view.columns[place].words else padding + cell)
        return " " + GAP.join(parts)

    def render_line(self, y: int) -> Strip:
        line = self._drawn[y] if y < len(self._drawn) else ()
        width = self.size.width
        segments = [Segment(text, self._style(name)) for text, name in line]
        return Strip(segments).adjust_cell_length(width, self._style(""))

    def _style(self, name: str) -> Style:
        return self.get_component_rich_style(f"runs--{name}") if name else self.rich_style
