"""A one-row text field that reads a number with a unit and never drops a character."""

from __future__ import annotations

from collections.abc import Callable

from textual.events import Paste
from textual.message import Message
from textual.widgets import Input

from tui.model.quantity import ReadError, Reading


class QuantityInput(Input):
    """Any text may be typed; what it was read as is asked of `read_now`.

    Args:
        reader: turns the text into a `Reading` or raises `ReadError` with a sentence for the person.
        id: Textual id of the field.
    """

    class LinesPasted(Message):
        """Several lines were pasted; one field cannot hold them, and none may be lost."""

        def __init__(self, field: QuantityInput, lines: list[str]) -> None:
            super().__init__()
            self.field = field
            self.lines = lines

    def __init__(self, reader: Callable[[str], Reading], *, id: str) -> None:
        super().__init__(select_on_focus=False, id=id)
        # What compact=True does, without styling the field anew three times before it is on the screen.
        self.add_class("-textual-compact", update=False)
        self.set_reactive(Input.compact, True)
        self.cursor_blink = False
        self._reader = reader

    def watch_disabled(self, disabled: bool) -> None:
        """Look locked, which is one style: to have field and parts styled anew would take 1 ms for each."""
        if disabled and self.has_focus:
            self.blur()
        self.styles.text_style = "none" if disabled else None

    def on_paste(self, event: Paste) -> None:
        """Hand on what is more than a line; a single line is pasted as ever."""
        lines = [line.strip() for line in event.text.splitlines() if line.strip()]
        if len(lines) > 1:
            event.prevent_default()
            event.stop()
            self.post_message(self.LinesPasted(self, lines))

    @property
    def blank(self) -> bool:
        """Whether nothing was typed."""
        return not self.value.strip()

    def read_now(self) -> Reading:
        """What the field says now.

        Raises:
            ReadError: with the sentence to show, when it is no quantity of the field's kind.
        """
        return self._reader(self.value)

    def reading(self) -> Reading | None:
        """What the field says now, or None while it is blank or unreadable."""
        try:
            return self.read_now()
        except ReadError:
            return None
