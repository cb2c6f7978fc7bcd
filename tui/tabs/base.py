"""What every tab offers the app."""

from __future__ import annotations

from typing import ClassVar

from textual.containers import Vertical


class TabPage(Vertical):
    """One page of the instrument; the app forwards commands and messages to the page in front."""

    HELP_TEXT: ClassVar[str] = ""
    """What the tab is for and how to use it, shown by F1; plain text, blank lines between paragraphs."""

    def run_command(self, command_id: str) -> None:
        """Do what the command of that id means on this tab."""

    def say(self, sentence: str) -> None:
        """Show one sentence in the tab's message line."""

    def focus_first(self) -> None:
        """Put the focus where a person who just came here goes on."""
