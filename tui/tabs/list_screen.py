"""A question with a few answers to choose from, over whatever is on the screen."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar

from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Vertical, VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Input, OptionList, Static


class ListScreen(ModalScreen[int | None]):
    """Dismissed with the position of what was chosen, None when nothing was.

    Args:
        title: its first line.
        choices: one line each; plain text.
        words: what is said above them; plain text.
        at: the choice under the cursor at first.
    """

    DEFAULT_CSS = """
    ListScreen { align: center middle; }
    ListScreen #list-box { border: solid $foreground; padding: 0 1; width: 100%; max-width: 82; height: auto;
        max-height: 100%; }
    ListScreen #list-title { text-style: bold; height: auto; }
    ListScreen #list-words { height: auto; max-height: 60%; }
    ListScreen OptionList { border: none; padding: 0; background: $background; height: auto; max-height: 16;
        scrollbar-size: 1 1; }
    ListScreen OptionList:focus > .option-list--option-highlighted { text-style: reverse;
        background: $background; color: $foreground; }
    """
    BINDINGS: ClassVar = [
        Binding("escape,ctrl+r,q,f2", "give_up", show=False),
        Binding("pageup", "words(-1)", show=False, priority=True),
        Binding("pagedown", "words(1)", show=False, priority=True),
        *(Binding(str(digit), f"number({digit})", show=False) for digit in range(1, 10)),
    ]

    def __init__(self, title: str, choices: Sequence[str], words: Sequence[str] = (), at: int = 0) -> None:
        super().__init__()
        self._title = title
        self._choices = choices
        self._words = words
        self._at = at

    def compose(self) -> ComposeResult:
        with Vertical(id="list-box"):
            yield Static(self._title, markup=False, id="list-title")
            if self._words:
                with VerticalScroll(id="list-words", can_focus=False):
                    yield Static("\n".join(self._words), markup=False)
            yield OptionList(*map(Text, self._choices), id="list-choices", compact=True)
            yield Static("Up, down and Enter choose; Esc or q: back.", markup=False, id="list-keys")

    def on_mount(self) -> None:
        choices = self.query_one(OptionList)
        if self._choices:
            choices.highlighted = min(self._at, len(self._choices) - 1)
        self.set_focus(choices)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Enter on a choice."""
        event.stop()
        self.dismiss(event.option_index)

    def action_number(self, number: int) -> None:
        """A choice by its digit: the cursor goes there."""
        if number <= len(self._choices):
            self.query_one(OptionList).highlighted = number - 1

    def action_words(self, by: int) -> None:
        """Scroll what is said; the choices where nothing is."""
        scrolled = self.query("#list-words")
        for each in scrolled.results(VerticalScroll):
            each.scroll_relative(y=by * max(1, each.size.height - 1), animate=False)
        if not scrolled:
            choices = self.query_one(OptionList)
            choices.scroll_relative(y=by * max(1, choices.size.height - 1), animate=False)

    def action_give_up(self) -> None:
        """Choose nothing."""
        self.dismiss(None)


class FolderScreen(ModalScreen[Path | None]):
    """A field for a folder; it stays open, with a sentence, until there is one of that name.

    Args:
        question: what it is for.
    """

    DEFAULT_CSS = """
    FolderScreen { align: center middle; }
    FolderScreen #folder-box { border: solid $foreground; padding: 0 1; width: 100%; max-width: 82;
        height: auto; }
    FolderScreen Input { height: 1; border: none; padding: 0; background: $background;
        text-style: underline; }
    """
    BINDINGS: ClassVar = [Binding("escape,ctrl+r", "give_up", show=False)]

    def __init__(self, question: str) -> None:
        super().__init__()
        self._question = question

    def compose(self) -> ComposeResult:
        with Vertical(id="folder-box"):
            yield Static(self._question, markup=False)
            field = Input(compact=True, id="folder")
            field.cursor_blink = False
            yield field
            yield Static("", markup=False, id="folder-said")
            yield Static("Enter writes. Esc or ctrl+r: back.", markup=False)

    def on_mount(self) -> None:
        self.set_focus(self.query_one("#folder"))

    @on(Input.Submitted)
    def _take(self, event: Input.Submitted) -> None:
        event.stop()
        path = Path(event.value.strip()).expanduser()
        if event.value.strip() and path.is_dir():
            self.dismiss(path)
        else:
            self.query_one("#folder-said", Static).update("There is no such folder: type one that exists.")

    def action_give_up(self) -> None:
        """Choose nothing."""
        self.dismiss(None)
