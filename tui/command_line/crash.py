"""A fault of the program: the traceback goes to a file, one sentence to the screen."""

from __future__ import annotations

import os
import platform
import tempfile
import traceback
from datetime import datetime, timezone
from pathlib import Path

from tui import __version__
from tui.settings import SettingsError, crash_path


def report(fault: BaseException | str, *, stored: bool | None = None) -> str:
    """Store a fault, an exception or the words of one, and return the sentence to show.

    `stored` says whether all that was entered is on the disk; None where there was nothing to enter.
    """
    now = datetime.now(timezone.utc)
    what = _one_line(fault)
    try:
        path = _stored(fault, now)
    except OSError as error:
        return f"it crashed ({what}); {_ENTERED[stored]}no file could be written for it: {error.strerror}."
    return f"it crashed ({what}); {_ENTERED[stored]}the traceback is in {path}."


_ENTERED = {
    None: "",
    True: "what was entered is stored, and ",
    False: "not all that was entered could be stored, and ",
}


def _stored(fault: BaseException | str, now: datetime) -> Path:
    text = _text(fault, now)
    try:
        path = crash_path(now)
        _append(path, text)
    except (SettingsError, OSError):
        # The state folder cannot be made or written: a traceback is worth a temporary file.
        descriptor, name = tempfile.mkstemp(prefix="rooflab-crash-", suffix=".txt")
        os.close(descriptor)
        path = Path(name)
        _append(path, text)
    return path


def _append(path: Path, text: str) -> None:
    # Appending keeps both of two crashes in one second.
    descriptor = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    with open(descriptor, "a", encoding="utf-8", errors="backslashreplace") as file:
        file.write(text)


def _text(fault: BaseException | str, now: datetime) -> str:
    said = fault if isinstance(fault, str) else "".join(traceback.format_exception(fault))
    return (
        f"rooflab {__version__}, Python {platform.python_version()}, {platform.platform()}\n"
        f"{now.isoformat(timespec='seconds')}, TERM={os.environ.get('TERM', '')}\n\n{said.rstrip()}\n"
    )


def _one_line(fault: BaseException | str) -> str:
    said = fault.strip() if isinstance(fault, str) else traceback.format_exception_only(fault)[-1].strip()
    line = said.splitlines()[-1] if said else "no reason was given"
    return "".join(c if c.isprintable() else "?" for c in line)[:160]
