"""What the app reads on a thread: one file at a time, with its progress on the screen from a moment on."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from tui.files.edit import CannotEdit
from tui.files.errors import FileError
from tui.files.study import NotAStudy
from tui.model.run_text import printable_words
from tui.reading import Reading, Watch
from tui.tabs.reading_screen import AFTER_S, ReadingScreen
from tui.tabs.text_screen import TextScreen
from tui.workspace import Refused

if TYPE_CHECKING:
    from tui.app import RooflabApp

Say = Callable[[str], None]
"""Where a sentence goes."""


class FileReader:
    """Runs work on threads and goes on with its result on the app's loop, or says what is wrong.

    Args:
        app: whose screens are used.
    """

    def __init__(self, app: RooflabApp) -> None:
        self._app = app
        self._reading: Reading | None = None
        self._shown: ReadingScreen | None = None
        self._say: Say = lambda sentence: None
        """Where to say what becomes of the file that is being read."""

    def read(
        self, name: str, work: Callable[[Watch], object], then: Callable[[object], None], say: Say
    ) -> None:
        """Read a file, which Esc stops, in the place of the one that is being read."""
        self.stop()

        def done(outcome: object) -> None:
            self._close()
            then(outcome)

        self._say = say
        self._reading = self.do(work, done, say)
        self._reading.on_progress = self._show
        self._app.set_timer(AFTER_S, partial(self._open, self._reading, name))

    def do(self, work: Callable[[Watch], object], then: Callable[[object], None], say: Say) -> Reading:
        """Do something that waits for the disk and cannot be stopped."""
        reading = Reading(work, then, partial(self._failed, say), self._app.when_running)
        reading.start()
        return reading

    def stop(self) -> None:
        """Stop what is being read; nothing comes of it."""
        if self._reading is not None:
            self._reading.stop()
            self._reading = None
            self._close()

    def _open(self, reading: Reading, name: str) -> None:
        if not reading.over and reading is self._reading:
            self._app.show_banner("opening", "")
            self._shown = ReadingScreen(name, self._stopped)
            self._app.push_screen(self._shown)
            self._app.call_later(self._show)

    def _show(self) -> None:
        if self._shown is not None and self._reading is not None:
            self._shown.show(*self._reading.progress)

    def _close(self) -> None:
        self._app.show_banner("opening", "")
        shown, self._shown = self._shown, None
        if shown is not None:
            shown.dismiss()

    def _stopped(self) -> None:
        self.stop()
        self._say("Stopped; nothing was changed.")

    def _failed(self, say: Say, error: Exception) -> None:
        from tui.importers.roles import BadMap

        self._close()
        if isinstance(error, NotAStudy):
            faults = [printable_words(str(fault)) for fault in error.faults]
            title = f"{printable_words(str(error.path))} is no study yet"
            self._app.push_screen(TextScreen(title, faults))
        elif isinstance(error, (FileError, CannotEdit, Refused, BadMap)):
            say(printable_words(str(error)))
        elif isinstance(error, MemoryError):
            say("The file does not fit into the memory that is left here: cut it into parts.")
        else:
            raise error
