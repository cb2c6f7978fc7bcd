"""ctrl+s: the kind of a report and the name of its file."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Input, Static

from tui.export import SUFFIXES, Format
from tui.model.run_text import printable_words


@dataclass(frozen=True)
class Kind:
    """One kind of report and what to say of it."""

    to: Format
    words: str
    ascii_only: bool = False


KINDS = (
    Kind("markdown", "Markdown: tables, plots, every judgement in words"),
    Kind("markdown", "Markdown in plain ASCII, where braille is not shown", ascii_only=True),
    Kind("csv", "CSV: exact numbers, a line for each row"),
)


@dataclass(frozen=True)
class Wanted:
    """What report to write, and where."""

    kind: Kind
    path: Path
    replace_it: bool
    """Whether the file that is there may be replaced: it was asked and answered."""


class ExportScreen(ModalScreen[None]):
    """A list of kinds and a field for the name. It stays, with what was typed, until the report is written.

    Args:
        stem: the name that is suggested, without its suffix.
        write: begins to write a report; its end is told by `failed`, or by closing the screen.
    """

    BINDINGS: ClassVar = [
        Binding("escape,ctrl+r", "dismiss", show=False),
        Binding("up", "move(-1)", show=False),
        Binding("down", "move(1)", show=False),
    ]

    def __init__(self, stem: str, write: Callable[[ExportScreen, Wanted], None]) -> None:
        super().__init__()
        self._stem = stem
        self._write = write
        self._at = 0
        self._asked = ""
        self._busy = False

    def compose(self) -> ComposeResult:
        with Vertical(id="dialog"):
            yield Static("Write a report of the study into a file:", markup=False)
            yield Static("", id="choices")
            field = Input(self._stem + SUFFIXES["markdown"], compact=True, select_on_focus=False, id="path")
            field.cursor_blink = False
            yield field
            yield Static("", markup=False, id="dialog-message")
            yield Static("Up and down choose, Enter writes. Esc or ctrl+r closes.", markup=False)

    def on_mount(self) -> None:
        self._redraw()
        self.set_focus(self._field)

    @property
    def _field(self) -> Input:
        return self.query_one("#path", Input)

    def _redraw(self) -> None:
        text = Text(no_wrap=True, overflow="ellipsis")
        for place, kind in enumerate(KINDS):
            mark = ">" if place == self._at else " "
            text.append(f"{mark} {kind.words}\n", style="reverse" if place == self._at else "")
        self.query_one("#choices", Static).update(text)

    def action_move(self, by: int) -> None:
        """Another kind; the name takes its suffix, unless it has one of its own."""
        before = SUFFIXES[KINDS[self._at].to]
        self._at = max(0, min(self._at + by, len(KINDS) - 1))
        suffix = SUFFIXES[KINDS[self._at].to]
        if suffix != before and self._field.value.endswith(before):
            self._field.value = self._field.value.removesuffix(before) + suffix
            self._field.cursor_position = len(self._field.value)
        self._redraw()

    @on(Input.Changed)
    def _typed(self) -> None:
        self._asked = ""
        if not self._busy:
            self._say("")

    @on(Input.Submitted)
    def _enter(self, event: Input.Submitted) -> None:
        typed = event.value.strip()
        if self._busy:
            return
        try:
            path = Path(typed).expanduser()
            there = path.exists()
        except (OSError, RuntimeError, ValueError):
            # No such user, a name that is too long, or a NUL: writing says which in a sentence.
            path, there = Path(typed), False
        if not typed:
            self._say("Type a name, like report.md.")
        elif path.is_dir():
            self._say(f"{typed} is a folder: add a file name.")
        elif there and self._asked != typed:
            self._asked = typed
            self._say(f"{typed} is there already: Enter replaces it, or type another name.")
        else:
            self._busy = True
            self._say("Writing ...")
            self._write(self, Wanted(KINDS[self._at], path, replace_it=there))

    def failed(self, sentence: str) -> None:
        """It could not be written; another name or another try may help."""
        self._busy = False
        self._asked = ""
        self._say(sentence)

    def _say(self, sentence: str) -> None:
        self.query_one("#dialog-message", Static).update(printable_words(sentence))
