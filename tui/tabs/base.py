"""What every tab offers the app."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from textual.containers import Vertical
from textual.widgets import ContentSwitcher

if TYPE_CHECKING:
    from tui.events import Event
    from tui.files.drafts import Draft
    from tui.model.edits import Edit, EditError
    from tui.study_events import StudyEvent


class Pages(ContentSwitcher):
    """Holds the pages and shows the one in front."""

    # Nothing of their own is drawn, so Textual need not prepare it for each frame of an animation.
    BLANK = True


class TabPage(Vertical):
    """One page of the instrument; the app forwards commands and messages to the page in front."""

    BLANK = True
    HELP_TEXT: ClassVar[str] = ""
    """What the tab is for and how to use it, shown by F1; plain text, blank lines between paragraphs."""

    def run_command(self, command_id: str) -> None:
        """Do what the command of that id means on this tab."""

    def settled(self, edit: Edit, event: StudyEvent) -> None:
        """An event posted here has changed the study."""

    def refused(self, error: EditError) -> None:
        """An event posted here could not be taken; nothing has changed."""
        self.say(str(error))

    def cover(self, words: frozenset[str]) -> None:
        """Cover what an exercise asks for; until this is called with fewer words."""

    def choose(self, table: str) -> None:
        """Bring the experiment of that name to the front, where this page shows it."""

    def start_over(self) -> None:
        """Another study was opened: nothing of the one before stays."""

    def show_recent(self, lines: Sequence[str]) -> None:
        """The latest studies, for a page that has nothing else to show."""

    def offer(self, drafts: Sequence[Draft]) -> None:
        """Lines that were half typed when a program ended; the page takes its own."""

    def curves_ready(self, unavailable: str) -> None:
        """plotext is loaded, or cannot be: then `unavailable` says why."""

    def say(self, sentence: str) -> None:
        """Show one sentence in the tab's message line."""

    def uncommitted(self) -> list[Event]:
        """What is typed and not committed yet, as events, for the moment the line drops."""
        return []

    def focus_first(self) -> None:
        """Put the focus where a person who just came here goes on."""
