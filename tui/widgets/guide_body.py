"""The rows of a step in the guide panel: scrolled by itself, with a cursor on what can be picked."""

from __future__ import annotations

from typing import ClassVar

from rich.text import Text
from textual.binding import Binding
from textual.message import Message
from textual.widgets import Static

from tui.guide.panel_page import PanelPage, Row

STYLES = {"right": "bold green", "wrong": "bold", "hint": "italic", "note": "bold", "head": "bold"}
"""Feedback also says right or wrong in words and a glyph."""


class GuideBody(Static, can_focus=True):
    """The rows of a step: scrolled by itself, with a cursor on the options."""

    BINDINGS: ClassVar = [
        Binding("up", "move(-1)", show=False),
        Binding("down", "move(1)", show=False),
        Binding("pageup", "page(-1)", show=False),
        Binding("pagedown", "page(1)", show=False),
        Binding("enter", "enter", show=False),
        Binding("space", "mark", show=False),
        Binding("escape,ctrl+r", "back_out", show=False),
        *(Binding(str(digit), f"digit({digit})", show=False) for digit in range(1, 10)),
    ]

    class Entered(Message):
        """Enter was pressed."""

    class Typed(Message):
        """A digit was pressed that picks no option."""

        def __init__(self, digit: int) -> None:
            super().__init__()
            self.digit = digit

    class BackedOut(Message):
        """Esc was pressed."""

    def __init__(self) -> None:
        super().__init__("", markup=False, id="guide-body")
        self._rows: tuple[Row, ...] = ()
        self._top = 0
        self._reveal = 0
        """The first row of what was said last, until somebody scrolls; 0 for nothing."""
        self._options = 0
        self._many = False
        self.takes_digits = 0
        """Digits that mean something here although there are no options; others are tabs."""
        self.at = -1
        """The option under the cursor; below 0 until one is chosen, so that no key too many answers."""
        self.marked: frozenset[int] = frozenset()

    def load(self, page: PanelPage, *, fresh: bool) -> None:
        """Show a page; `fresh` when it is of another step."""
        self._rows, self._options, self._many = page.rows, page.options, page.many
        if fresh:
            self.at, self.marked, self._top = -1, frozenset(), 0
        self._reveal = page.reveal
        self._draw_said()

    def _draw_said(self) -> None:
        """Bring the first row of what was said into sight, with as much before it as fits."""
        if self._reveal:
            self._top = min(self._reveal, max(0, len(self._rows) - self._height))
        self._draw()

    @property
    def picks(self) -> tuple[int, ...]:
        """The options that Enter answers with."""
        if self._many:
            return tuple(sorted(self.marked))
        return (self.at,) if self._options and self.at >= 0 else ()

    @property
    def _height(self) -> int:
        return max(1, self.size.height)

    @property
    def scrolled(self) -> str:
        """What is out of sight, in a word."""
        above, below = self._top > 0, self._top + self._height < len(self._rows)
        keys = "/".join(key for key, there in (("PgUp", above), ("PgDn", below)) if there)
        return f"{keys}: more" if keys else ""

    def on_resize(self) -> None:
        self._draw_said()

    def on_focus(self) -> None:
        self._draw()

    def on_blur(self) -> None:
        self._draw()

    def _draw(self) -> None:
        self._top = max(0, min(self._top, len(self._rows) - self._height))
        text = Text(no_wrap=True, overflow="crop")
        for row in self._rows[self._top : self._top + self._height]:
            text.append_text(self._line(row))
            text.append("\n")
        self.update(text, layout=False)
        self.post_message(self.Scrolled())

    class Scrolled(Message):
        """Other rows are in sight."""

    def _line(self, row: Row) -> Text:
        style = STYLES.get(row.style, "")
        if row.option is None or not self._options:
            return Text(row.text, style=style)
        here = row.option == self.at
        first = row.text[:4].strip().rstrip(".").isdigit()
        mark = (">" if here else " ") if first else " "
        box = ("[x]" if row.option in self.marked else "[ ]") if self._many and first else ""
        box = box or ("   " if self._many else "")
        return Text(f"{mark}{box}{row.text}", style="reverse" if here and self.has_focus else style)

    # What the person does ------------------------------------------------------------------------

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """A digit that means nothing here is a tab's."""
        if action == "digit":
            return int(str(parameters[0])) <= (self._options or self.takes_digits)
        return True

    def action_move(self, by: int) -> None:
        """The option before or after, or scrolling where there are none."""
        self._reveal = 0
        if self._options:
            self.at = max(0, min(self.at + by, self._options - 1))
            rows = [place for place, row in enumerate(self._rows) if row.option == self.at]
            if rows:
                self._top = min(self._top, rows[0])
                self._top = max(self._top, rows[-1] - self._height + 1)
        else:
            self._top += by
        self._draw()

    def action_page(self, by: int) -> None:
        """Scroll nearly a whole page."""
        self._reveal = 0
        self._top += by * max(1, self._height - 1)
        self._draw()

    def action_digit(self, digit: int) -> None:
        """Choose or mark an option by its number."""
        if not self._options:
            self.post_message(self.Typed(digit))
            return
        self.action_move(digit - 1 - self.at)
        if self._many:
            self.action_mark()

    def action_mark(self) -> None:
        """Mark the option under the cursor, or take the mark away."""
        if self._many and self._options and self.at >= 0:
            self.marked ^= {self.at}
            self._draw()

    def action_enter(self) -> None:
        """Answer, or go on."""
        self.post_message(self.Entered())

    def action_back_out(self) -> None:
        """Leave a question of the panel's own."""
        self.post_message(self.BackedOut())
