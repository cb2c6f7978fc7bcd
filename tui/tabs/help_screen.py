"""The help screen: what the tab in front is for, and every key that works there."""

from __future__ import annotations

from typing import ClassVar

from rich.table import Table
from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Static

from tui.commands import COMMANDS


class HelpScreen(ModalScreen[None]):
    """Closes with q, F1, Enter or Esc (GNU screen holds back a lone Esc, so it is never the only way)."""

    BINDINGS: ClassVar = [Binding("q,f1,enter,escape,question_mark", "dismiss", "close", show=False)]

    def __init__(self, tab: str, about: str, exercise: str = "") -> None:
        super().__init__()
        self._tab = tab
        self._about = about
        self._exercise = exercise

    def compose(self) -> ComposeResult:
        with VerticalScroll(id="help"):
            yield Static(self._about_text())
            yield Static(self._keys())
            yield Static("\nLetters and digits act only while no field has the focus; F and ^ keys always.")

    def _about_text(self) -> Text:
        text = Text()
        text.append("Help  ", style="bold")
        text.append("(q, Enter, Esc or F1 closes; up and down scroll)\n\n")
        if self._exercise:
            text.append(self._exercise.strip() + "\n\n")
        text.append(self._about.strip() + "\n\n")
        text.append("Keys here", style="bold")
        return text

    def _keys(self) -> Table:
        """Two columns, so that a long explanation hangs under itself."""
        table = Table.grid(padding=(0, 2))
        table.add_column(no_wrap=True)
        table.add_column()
        for command in COMMANDS:
            if command.exercise and not self._exercise:
                continue
            if command.tabs and self._tab not in command.tabs:
                continue
            table.add_row(f"  {command.shown_keys}", command.help)
        return table
