"""One page of the Limits tab: lines that scroll below a heading that stays, with a cursor where rows are."""

from __future__ import annotations

from typing import ClassVar

from rich.segment import Segment
from rich.style import Style
from textual.binding import Binding
from textual.geometry import Region
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from tui.widgets.efficiency_table import Line
from tui.widgets.stage_lines import PageLines

PARTS = 6
"""Colours that stages take in turn; the glyph beside each tells it apart without them."""


class StageView(Widget, can_focus=True):
    """Shows `PageLines`; a page that is shown again has its cursor where it was."""

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
        "stages--head",
        "stages--bold",
        "stages--cursor",
        "stages--warns",
        *(f"stages--part{number}" for number in range(PARTS)),
    }
    DEFAULT_CSS = """
    StageView { height: 1fr; }
    StageView > .stages--head { text-style: dim; }
    StageView > .stages--bold { text-style: bold; }
    StageView > .stages--cursor { text-style: reverse; }
    StageView > .stages--warns { color: ansi_yellow; text-style: bold; }
    StageView > .stages--part0 { color: ansi_cyan; }
    StageView > .stages--part1 { color: ansi_magenta; }
    StageView > .stages--part2 { color: ansi_yellow; }
    StageView > .stages--part3 { color: ansi_green; }
    StageView > .stages--part4 { color: ansi_blue; }
    StageView > .stages--part5 { color: ansi_red; }
    """

    class Highlighted(Message):
        """Another row is under the cursor."""

    class Chosen(Message):
        """Enter was pressed."""

    class Sideways(Message):
        """Left or right was pressed; `by` is -1 or 1."""

        def __init__(self, by: int) -> None:
            super().__init__()
            self.by = by

    def __init__(self) -> None:
        super().__init__(id="stages-view")
        self._page = PageLines(())
        self._shown = ""
        self._places: dict[str, tuple[int, int]] = {}
        """Cursor and first line of each page that was shown."""
        self._cursor = 0
        self._top = 0
        self._drawn: list[Line] = []

    # What the tab asks for -----------------------------------------------------------------------

    def show(self, page: PageLines, name: str) -> None:
        """Show a page; `name` says which, so that its cursor is found again."""
        if name != self._shown:
            self._places[self._shown] = self._cursor, self._top
            self._cursor, self._top = self._places.get(name, (0, 0))
            self._shown = name
        self._page = page
        self._cursor = max(0, min(self._cursor, len(page.rows) - 1))
        self._keep_in_sight()
        self._repaint()

    def start_over(self) -> None:
        """Every page from its top again."""
        self._places.clear()
        self._cursor = self._top = 0

    def go_to(self, place: int) -> None:
        """Put the cursor on a row."""
        self._move_to(place)

    @property
    def more(self) -> bool:
        """Whether the page has columns beyond the right edge."""
        return self._page.more

    @property
    def cursor(self) -> int:
        """The number of the row under the cursor, from 0."""
        return self._cursor

    # Keys ----------------------------------------------------------------------------------------

    def action_move(self, by: int) -> None:
        # Beyond the last row the lines below it come into sight.
        if 0 <= self._cursor + by < len(self._page.rows) and self._row_in_sight:
            self._move_to(self._cursor + by)
        else:
            self._go_down_to(self._top + by)

    def action_page(self, by: int) -> None:
        page = max(1, self._room - 1)
        if self._page.rows and self._row_in_sight and 0 <= self._cursor + by < len(self._page.rows):
            self._move_to(self._cursor + by * page)
        else:
            self._go_down_to(self._top + by * page)

    def action_end(self, side: int) -> None:
        self._move_to(0 if side < 0 else len(self._page.rows) - 1)
        if side < 0 or not self._page.rows:
            self._go_down_to(0 if side < 0 else len(self._page.lines))

    def action_sideways(self, by: int) -> None:
        self.post_message(self.Sideways(by))

    def action_choose(self) -> None:
        self.post_message(self.Chosen())

    @property
    def _room(self) -> int:
        return max(1, self.size.height - bool(self._page.head))

    @property
    def _row_in_sight(self) -> bool:
        rows = self._page.rows
        return bool(rows) and self._top <= rows[self._cursor] < self._top + self._room

    def _move_to(self, place: int) -> None:
        place = max(0, min(place, len(self._page.rows) - 1))
        if place != self._cursor:
            self._cursor = place
            self._keep_in_sight()
            self._repaint()
            self.post_message(self.Highlighted())

    def _keep_in_sight(self) -> None:
        rows = self._page.rows
        if rows:
            line = rows[self._cursor]
            self._top = max(min(self._top, line), line - self._room + 1)
        self._top = max(0, min(self._top, len(self._page.lines) - self._room))

    def _go_down_to(self, top: int) -> None:
        self._top = max(0, min(top, len(self._page.lines) - self._room))
        self._repaint()

    # Drawing -------------------------------------------------------------------------------------

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
        changed = [y for y in range(height) if old[y] != new[y] and y < self.size.height]
        regions = [Region(0, y, self.size.width, 1) for y in changed]
        if regions:
            self.refresh(*regions)

    def _lines(self) -> list[Line]:
        page, room = self._page, self._room
        at = page.rows[self._cursor] if page.rows else -1
        shown = [
            self._under_cursor(line) if place == at else line
            for place, line in enumerate(page.lines[self._top : self._top + room], self._top)
        ]
        if self._top + room < len(page.lines) and shown:
            shown[-1] = self._marked(shown[-1], "↓")
        if self._top > 0 and shown:
            shown[0] = self._marked(shown[0], "↑")
        return [page.head, *shown] if page.head else shown

    def _under_cursor(self, line: Line) -> Line:
        text = "".join(part for part, _ in line)
        return ((">" + text[1:], "cursor" if self.has_focus else "bold"),)

    def _marked(self, line: Line, sign: str) -> Line:
        """The line with a sign in its last cell: there is more in that direction."""
        strip = Strip([Segment(text) for text, _ in line]).cell_length
        last = self.size.width - 1
        return (*line, (" " * (last - strip), ""), (sign, "head")) if strip <= last else line

    def render_line(self, y: int) -> Strip:
        line = self._drawn[y] if y < len(self._drawn) else ()
        segments = [Segment(text, self._style(name)) for text, name in line]
        return Strip(segments).adjust_cell_length(self.size.width, self._style(""))

    def _style(self, name: str) -> Style:
        return self.get_component_rich_style(f"stages--{name}") if name else self.rich_style
