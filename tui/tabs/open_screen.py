"""ctrl+o: choose a study, a table or a log, among the recent ones or in the folders; ctrl+n: name a copy."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Vertical
from textual.message import Message
from textual.screen import ModalScreen
from textual.widgets import Input, Static

from tui.files.folder import MOST, Folder, is_path, led_to
from tui.files.recent import Recent
from tui.model.run_text import printable_words
from tui.tabs.choice_screen import MOVES
from tui.widgets.listing import Listing, moved

NEW = "a new study, empty"
UP = ".."
_RECENT = 4
"""Recent studies above the folder; more are found by typing."""


def recent_line(each: Recent, now: datetime) -> str:
    """A study of the list in one line: title, name, and when it was last written."""
    name = printable_words(each.title or each.path.name)
    return f"{name}  {_ago(each.changed, now)}  {shown_path(each.path)}"


def _ago(then: datetime, now: datetime) -> str:
    seconds = max(0, int((now - then).total_seconds()))
    for size, word in ((86400, "day"), (3600, "hour"), (60, "minute")):
        if seconds >= size:
            count = seconds // size
            return f"{count} {word}{'s' if count > 1 else ''} ago"
    return "just now"


def shown_path(path: Path) -> str:
    """A path as people write it, with `~` for the home folder."""
    home = os.path.expanduser("~")
    text = printable_words(str(path))
    return "~" + text.removeprefix(home) if home != "/" and (text + "/").startswith(home + "/") else text


@dataclass(frozen=True)
class _Row:
    """A line of the list and where it leads: a file or a folder; a new study where there is no path."""

    words: str
    path: Path | None
    is_folder: bool = False


class PathInput(Input):
    """A field in which backspace goes on where there is nothing left to delete."""

    class Emptied(Message):
        """Backspace was pressed in the empty field."""

    def action_delete_left(self) -> None:
        if self.value:
            super().action_delete_left()
        else:
            self.post_message(self.Emptied())


class OpenScreen(ModalScreen[None]):
    """Recent studies, then a folder; typing filters both, or is a path. It stays until something is open.

    Args:
        folder: what is shown at first.
        recent: the latest studies, newest first.
        now: UTC, for their age.
        look: asks for another folder to be read; `show` is called with it, or `say`.
        choose: takes a file, or None for a new study.
        given_up: called when the screen is left with Esc.
    """

    DEFAULT_CSS = """
    OpenScreen #picker {
        border: solid $foreground; padding: 0 1; width: 100%; max-width: 100; height: 100%; max-height: 30;
    }
    OpenScreen #picker Input {
        text-style: underline; background: $background; padding: 0; border: none; height: 1;
    }
    OpenScreen #picker Input:focus { text-style: underline bold; }
    OpenScreen Static { height: auto; }
    OpenScreen #picker-message { text-style: bold; }
    """
    BINDINGS: ClassVar = [Binding("escape,ctrl+r", "give_up", show=False), *MOVES]

    def __init__(
        self,
        folder: Path,
        recent: Sequence[Recent],
        now: datetime,
        look: Callable[[Path], None],
        choose: Callable[[Path | None], None],
        given_up: Callable[[], None],
    ) -> None:
        super().__init__()
        self._folder = Folder(folder, ())
        self._recent = recent
        self._now = now
        self._look = look
        self._choose = choose
        self._given_up = given_up
        self._rows: list[_Row] = []
        self._at = 0
        self._field = PathInput(placeholder="type a part of a name, or a path", compact=True, id="path")
        self._field.cursor_blink = False
        self._message = Static("", markup=False, id="picker-message")
        self._listing = Listing(id="choices")

    def compose(self) -> ComposeResult:
        with Vertical(id="picker"):
            yield Static("Open a study, a table or a log:", markup=False)
            yield self._field
            yield self._message
            yield self._listing
            yield Static("Enter: open, or into a folder. Backspace: out of it. Esc, ^R: leave.", markup=False)

    def on_mount(self) -> None:
        self.say("")
        self._redraw()
        self.set_focus(self._field)
        self._look(self._folder.path)

    # What the owner tells it ---------------------------------------------------------------------

    def say(self, sentence: str) -> None:
        """Show one sentence; the list stays as it is."""
        self._message.update(printable_words(sentence))
        self._message.display = bool(sentence)

    def show(self, folder: Folder) -> None:
        """Show what a folder holds; the one that was left is chosen in it."""
        before, self._folder = self._folder.path, folder
        with self._field.prevent(Input.Changed):
            self._field.value = ""
        self.say(f"Only {MOST:,} of its files are listed: type the path of another." if folder.cut else "")
        self._rows = self._found("")
        here = [place for place, row in enumerate(self._rows) if row.is_folder and row.path == before]
        inside = self._rows and before != folder.path
        first = next((place for place, row in enumerate(self._rows) if row.words == UP), 0) if inside else 0
        self._at = here[0] if here else min(first + 1, len(self._rows) - 1) if inside else 0
        self._redraw()

    # The list ------------------------------------------------------------------------------------

    def _found(self, text: str) -> list[_Row]:
        """The rows for a text: recent studies and entries of the folder with it in their names."""
        rows = [
            _Row(recent_line(each, self._now), each.path)
            for each in (self._recent if text else self._recent[:_RECENT])
            if text.lower() in f"{each.title} {each.path.name}".lower()
        ]
        folder = self._folder.path
        if not text:
            rows.append(_Row(NEW, None))
            rows += [_Row(UP, folder.parent, True)] if folder.parent != folder else []
        for entry in self._folder.matching(text):
            words = printable_words(entry.name) + ("/" if entry.is_folder else "")
            rows.append(_Row(words, folder / entry.name, entry.is_folder))
        return rows

    @on(Input.Changed)
    def _filter(self, event: Input.Changed) -> None:
        text = event.value.strip()
        self._rows = [] if is_path(text) else self._found(text)
        none = "" if self._rows or is_path(text) else f"No name here has {text!r} in it; Backspace goes back."
        self.say(none)
        self._at = 0
        self._redraw()

    def _redraw(self) -> None:
        words = [row.words for row in self._rows]
        place = next((at for at, row in enumerate(self._rows) if row.words == UP), len(words))
        if UP in words:
            words[place] = f"{UP}  out of {shown_path(self._folder.path)}"
        if not words and is_path(self._field.value.strip()):
            words = ["Enter opens this path."]
        self._listing.show(words, self._at)

    def action_move(self, key: str) -> None:
        self._at = moved(self._at, key, self._listing.page, max(1, len(self._rows)))
        self._redraw()

    # Choosing ------------------------------------------------------------------------------------

    @on(Input.Submitted)
    def _enter(self, event: Input.Submitted) -> None:
        text = event.value.strip()
        if self._rows and not is_path(text):
            row = self._rows[self._at]
            if row.is_folder and row.path is not None:
                self._look(row.path)
            else:
                self._choose(row.path)
            return
        path = led_to(text, self._folder.path)
        try:
            kind = "folder" if path.is_dir() else "file" if path.exists() else ""
        except (OSError, ValueError) as error:
            self.say(f"{text} cannot be looked at: {error}.")
            return
        if kind == "folder":
            self._look(path)
        elif kind:
            self._choose(path)
        else:
            self.say(f"{text} is no file here: type a part of a name in the list, or a whole path.")

    @on(PathInput.Emptied)
    def _out(self) -> None:
        self._look(self._folder.path.parent)

    def action_give_up(self) -> None:
        self._given_up()
        self.dismiss()


class NameScreen(ModalScreen[None]):
    """A field for the name of a new file; it stays until the study is saved there or it is given up.

    Args:
        suggestion: the name that stands in the field.
        save: begins to save under a name; whether a file that is there may be replaced.
    """

    BINDINGS: ClassVar = [Binding("escape,ctrl+r", "dismiss", show=False)]

    def __init__(self, suggestion: str, save: Callable[[Path, bool], None]) -> None:
        super().__init__()
        self._suggestion = suggestion
        self._save = save
        self._asked = ""
        self._busy = False

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

    def say(self, sentence: str) -> None:
        """It could not be saved there: show why, and keep what was typed."""
        self._busy = False
        self.query_one("#dialog-message", Static).update(printable_words(sentence))

    @on(Input.Submitted)
    def _enter(self, event: Input.Submitted) -> None:
        typed = event.value.strip()
        if self._busy:
            return
        path = Path(os.path.expanduser(typed))
        try:
            there = path.exists()
            is_folder = path.is_dir()
        except (OSError, ValueError) as error:
            self.say(f"{typed} cannot be looked at: {error}.")
            return
        if not typed:
            self.say("Type a name, like study.toml.")
        elif is_folder:
            self.say(f"{typed} is a folder: add a file name.")
        elif there and self._asked != typed:
            self._asked = typed
            self.say(f"{typed} is there already: Enter replaces it, or type another name.")
        else:
            self.say("Saving ...")
            self._busy = True
            self._save(path, there)
