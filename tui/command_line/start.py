"""`rooflab`: prepare the environment, run the app, and turn its end into an exit status."""

from __future__ import annotations

import gc
import io
import os
import sys
from collections.abc import MutableMapping
from pathlib import Path
from typing import TYPE_CHECKING

from tui.command_line import crash
from tui.command_line.say import CANNOT, CRASHED, complain
from tui.settings import thread_limits
from tui.terminal.detect import COLOUR_SYSTEMS, here
from tui.terminal.guard import HANGUP_STATUS, hung_up

if TYPE_CHECKING:
    from tui.app import RooflabApp
    from tui.guide.wanted import Wanted

TURN = 0.001
"""Seconds that a thread with a key to hand over or a frame to write waits for its turn; 0.005 by default."""


def start(*, file: str | None = None, exercise: Wanted | None = None, ascii_asked: bool, mouse: bool) -> int:
    """Open the lab, a study, or an exercise on this terminal; the exit status."""
    terminal = here(ascii_asked=ascii_asked)
    if terminal.refusal:
        without = "" if exercise is None else "; add --plain to do the exercise line by line"
        complain(f"{terminal.refusal}{without}")
        return CANNOT
    prepare(os.environ)
    # The imports make a few hundred thousand objects that all stay; looking through them again and again for
    # garbage is a tenth of the time to the first frame. The app turns it on again behind that frame.
    gc.disable()
    sys.setswitchinterval(TURN)

    from rich.console import Console

    from tui.app import RooflabApp
    from tui.terminal.any_byte import take_any_byte

    take_any_byte()
    app = RooflabApp(terminal=terminal, file=None if file is None else Path(file), exercise=exercise)
    words = io.StringIO()
    # What Textual prints at its end is a page of traceback after a fault: it goes to a file instead.
    app.error_console = Console(file=words, markup=False, highlight=False)
    app.run(mouse=mouse)
    if terminal.multiplexer == "screen":
        clear_left_over_frame()
    return _status(app, words.getvalue())


def prepare(environ: MutableMapping[str, str]) -> None:
    """Take out of the environment what would stop or mislead the libraries, and limit numpy's threads."""
    environ.update(thread_limits(environ))
    if environ.get("NO_COLOR") == "":
        del environ["NO_COLOR"]  # set but empty means colour (https://no-color.org), Textual reads it as none
    if environ.get("TEXTUAL_COLOR_SYSTEM", "auto") not in COLOUR_SYSTEMS:
        del environ["TEXTUAL_COLOR_SYSTEM"]  # Textual raises KeyError on any other value
    for name in ("COLUMNS", "LINES"):
        environ.pop(name, None)  # exported, they would stand over the real size after every resize


def clear_left_over_frame() -> None:
    """Wipe the frame that GNU screen without `altscreen on` leaves under the prompt.

    Whether it is on cannot be asked. Where it is, this happens on the other screen and nobody sees it.
    """
    sys.stderr.write("\x1b[?1049h\x1b[H\x1b[2J\x1b[?1049l")
    sys.stderr.flush()


def _status(app: RooflabApp, words: str) -> int:
    # The exception is read from a private attribute of Textual's App (the one its own `run_test` raises
    # from): publicly, a fault shows only as return code 1 and as text wrapped to the terminal's width.
    error = app._exception
    if error is None and app.return_code is not None:
        if words:
            complain(words.strip())
        return app.return_code
    stored = app.store_after_fault()
    if hung_up(0):
        return HANGUP_STATUS  # reading from a terminal that is gone is no fault
    complain(crash.report(error or words, stored=stored))
    return CRASHED
