"""ctrl+o: open a study by its name, or one of those that were worked on lately; ctrl+n: name a copy."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import ClassVar

from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Input, Static

from tui.files.recent import Recent
from tui.model.run_text import printable_words

NEW = "a new study, empty"


@dataclass(frozen=True)
class Chosen:
    """What to open: a file, or a new study where there is none."""

    path: Path | None


def recent_line(each: Recent, now: datetime) -> str:
    """A study of the list in one line: title, name, and when it was last written."""
    name = printable_words(each.title or each.path.name)
    return f"{name}  {_ago(each.changed, now)}  {printable_words(_short(each.path))}"


def _ago(then: datetime, now: datetime) -> str:
    seconds = max(0, int((now - then).total_seconds()))
    for size, word in ((86400, "day"), (3600, "hour"), (60, "minute")):
        if seconds >= size:
            count = seconds // size
            return f"{count} {word}{'s' if count > 1 else ''} ago"
    return "just now"


def _short(path: Path) -> str:
    home = os.path.expanduser("~")
    text = str(path)
    return "~" + text.removeprefix(home) if home != "/" and text.startswith(home + "/") else text


class OpenScreen(ModalScreen[Chosen | None]):
    """A field for the name and a list; up and down choose, Enter opens what is typed, else what is chosen.

    Args:
        recent: the latest studies, newest first.
        now: UTC, for their age.
    """

    BINDINGS: ClassVar = [
        Binding("escape,ctrl+r", "dismiss", show=False),
        Binding("up", "move(-1)", show=False),
        Binding("down", "move(1)", show=False),
    ]

    def __init__(self, recent: Sequence[Recent], now: datetime) -> None:
        super().__init__()
        self._recent = recent
        self._now = now
        self._at = 0

    def compose(self) -> ComposeResult:
        with Vertical(id="dialog"):
            yield Static("Open a study: type its file name, or choose with up and down.", markup=False)
            field = Input(placeholder="path/to/study.toml", compact=True, id="path")
            field.cursor_blink = False
            yield field
            yield Static("", markup=False, id="dialog-message")
            yield Static("", id="choices")
            yield Static("Enter opens. Esc or ctrl+r closes.", markup=False)

    def on_mount(self) -> None:
        self._redraw()
        self.set_focus(self.query_one("#path"))

    def _redraw(self) -> None:
        lines = [*(recent_line(each, self._now) for each in self._recent), NEW]
        text = Text(no_wrap=True, overflow="ellipsis")
        for place, line in enumerate(lines):
            mark = ">" if place == self._at else " "
            text.append(f"{mark} {line}\n", style="reverse" if place == self._at else "")
        self.query_one("#choices", Static).update(text)

    def action_move(self, by: int) -> None:
        self._at = max(0, min(self._at + by, len(self._recent)))
        self._redraw()

    @on(Input.Submitted)
    def _open(self, event: Input.Submitted) -> None:
        typed = event.value.strip()
        if not typed:
            self.dismiss(Chosen(self._recent[self._at].path if self._at < len(self._recent) else None))
            return
        path = Path(typed).expanduser()
        if path.is_file():
            self.dismiss(Chosen(path))
            return
        what = "is a folder" if path.is_dir() else "is no file here"
        message = f"{printable_words(typed)} {what}: type the name of a study file."
        self.query_one("#dialog-message", Static).update(message)


class NameScreen(ModalScreen[tuple[Path, bool] | None]):
    """A field for the name of a new file; a file that is there is only replaced after a second Enter.

    Args:
        suggestion: the name that stands in the field.
    """

    BINDINGS: ClassVar = [Binding("escape,ctrl+r", "dismiss", show=False)]

    def __init__(self, suggestion: str) -> None:
        super().__init__()
        self._suggestion = suggestion
        self._asked = ""

    def compose(self) -> ComposeResult:
        with Vertical(id="dialog"):
            yield Static("Save the study under this name and go on there:", markup=False)
            field = Input(self._suggestion, compact=True, select_on_focus=False, id="path")
            field.cursor_blink = False
            yield field
            yield Static("", markup=False, id="dialog-message")
            yield Static("Enter saves. Esc or ctrl+r closes.", markup=False)

    def on_mount(self) -> None:
        self.set_focus(self.query_one("#path"))

    @on(Input.Submitted)
    def _save(self, event: Input.Submitted) -> None:
        typed = event.value.strip()
        path = Path(typed).expanduser()
        message = ""
        if not typed:
            message = "Type a name, like study.toml."
        elif path.is_dir():
            message = f"{typed} is a folder: add a file name."
        elif path.exists() and self._asked != typed:
            self._asked = typed
            message = f"{typed} is there already: Enter replaces it, or type another name."
        if message:
            self.query_one("#dialog-message", Static).update(printable_words(message))
        else:
            self.dismiss((path, path.exists()))
