"""A tab that stands but holds nothing yet: it says in a sentence what will be done here."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.widgets import Static

from tui.tabs.base import TabPage

WHAT_COMES = {
    "limits": (
        "Limits: where the time went, and what limits next.\n\n"
        "Here you will record what each part of a step costs at each device count, predict the next count"
        " from the dependency path, and be told how good the prediction was.\n\n"
        "This tab cannot take measurements yet. On the command line, a study with stages is read by"
        " `rooflab losses` and `rooflab predict`."
    ),
    "target": (
        "Target: quality is its own question.\n\n"
        "Here you will compare the time, the device-hours and the work that runs needed to reach the same"
        " quality.\n\n"
        "This tab cannot take runs yet. On the command line, `rooflab target` reads a study of them."
    ),
    "exercises": (
        "Exercises: predict, lock, play, judge.\n\n"
        "Here you will do guided exercises beside the instrument, graded while you work, and hand them"
        " in.\n\n"
        "They do not run in this tab yet. In plain text they do: `rooflab lab list` names them and"
        " `rooflab lab run roofline-three-trials --plain` starts the first."
    ),
}
"""What will be done on each tab that is not built yet, by tab id."""


class WaitingTab(TabPage):
    """Says what will be done on a tab.

    Args:
        tab: id of the tab, a key of `WHAT_COMES`.
    """

    def __init__(self, tab: str) -> None:
        super().__init__(id=tab)
        self._text = WHAT_COMES[tab]

    def compose(self) -> ComposeResult:
        yield Static(self._text, markup=False, classes="empty-state")
