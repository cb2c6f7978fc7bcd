"""A text over the whole screen: the sentences of a row, the faults of a file."""

from __future__ import annotations

from typing import ClassVar

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Static


class TextScreen(ModalScreen[None]):
    """Closes with q, Enter or Esc; up and down scroll.

    Args:
        title: its first line.
        paragraphs: plain text, never markup.
    """

    BINDINGS: ClassVar = [Binding("q,enter,escape,f", "dismiss", "close", show=False)]

    def __init__(self, title: str, paragraphs: list[str]) -> None:
        super().__init__()
        self._title = title
        self._paragraphs = paragraphs

    def compose(self) -> ComposeResult:
        with VerticalScroll(id="help"):
            text = Text(self._title, style="bold")
            text.append("  (q or Enter closes; up and down scroll)\n\n", style="not bold")
            text.append("\n\n".join(self._paragraphs), style="not bold")
            yield Static(text)
