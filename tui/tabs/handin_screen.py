"""Handing in from the app: a name, a folder, and the receipt once the file is there."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Input, Static

from tui.guide.handin import clean_alias
from tui.guide.wrapping import clean


@dataclass(frozen=True)
class Delivered:
    """A hand-in that lies where it was sent."""

    path: Path
    receipt: str
    line: str
    """The same in one line for a chat; "" where it has no room."""


Deliver = Callable[[str, Path, Callable[["Delivered | str"], None]], None]
"""Sends a hand-in under an alias into a folder, and tells what came of it, or why nothing did."""


class HandinScreen(ModalScreen[None]):
    """Asks for a name and a folder, and then shows the receipt; nothing typed is lost by a fault.

    Args:
        deliver: does it on a thread.
    """

    DEFAULT_CSS = """
    HandinScreen { align: center middle; }
    HandinScreen #handin-box { border: solid $foreground; padding: 0 1; width: 100%; max-width: 82;
        height: auto; max-height: 100%; }
    HandinScreen Static { height: auto; }
    HandinScreen Input { height: 1; border: none; padding: 0; background: $background;
        text-style: underline; }
    HandinScreen Input:focus { text-style: underline bold; }
    HandinScreen #handin-said { text-style: bold; }
    """
    BINDINGS: ClassVar = [Binding("escape,ctrl+r", "close", show=False)]

    def __init__(self, deliver: Deliver) -> None:
        super().__init__()
        self._deliver = deliver
        self._alias = Input(compact=True, id="handin-alias")
        self._folder = Input(str(Path.cwd()), compact=True, select_on_focus=False, id="handin-folder")
        for field in (self._alias, self._folder):
            field.cursor_blink = False
        self._said = Static("", markup=False, id="handin-said")
        self._done = False

    def compose(self) -> ComposeResult:
        with Vertical(id="handin-box"):
            yield Static("What do you want to be called? No real name is needed.", markup=False)
            yield self._alias
            yield Static("Folder that the file goes into:", markup=False)
            yield self._folder
            yield self._said
            yield Static(
                "Your answers go in as you typed them; reflections marked private stay here.\n"
                "Enter: the next field, then it hands in. Esc or ctrl+r: back.",
                markup=False,
                id="handin-keys",
            )

    def on_mount(self) -> None:
        self.set_focus(self._alias)

    @on(Input.Submitted)
    def _hand_in(self, event: Input.Submitted) -> None:
        if self._done:
            self.dismiss()
            return
        alias, folder = clean_alias(self._alias.value), self._folder.value.strip()
        if not alias:
            self._said.update("Type what you want to be called, then Enter.")
            self.set_focus(self._alias)
        elif event.input is self._alias:
            self._said.update("Enter in the folder hands it in there.")
            self.set_focus(self._folder)
        else:
            self._said.update("Writing ...")
            self._deliver(alias, Path(folder or ".").expanduser(), self._told)

    def _told(self, outcome: Delivered | str) -> None:
        if isinstance(outcome, str):
            self._said.update(clean(outcome))
            return
        self._done = True
        self.query_one("#handin-keys").display = False
        spaced = "  ".join(" ".join(part) for part in outcome.receipt.split("-"))
        line = f"\nFor a chat, in one line:\n{outcome.line}" if outcome.line else ""
        self._said.update(
            f"Delivered, read back and compared:\n{clean(str(outcome.path))}\n\n"
            f"    RECEIPT   {spaced}   ({outcome.receipt})\n{line}\n\nEnter closes."
        )

    def action_close(self) -> None:
        """Back to the exercise."""
        self.dismiss()
