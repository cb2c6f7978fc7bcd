"""Where the program keeps its state, and what it sets in the environment before numpy is loaded.

Folders follow the XDG Base Directory Specification (https://specifications.freedesktop.org/basedir/latest/):
state lives in ``$XDG_STATE_HOME/rooflab``, by default ``~/.local/state/rooflab``; a relative value is
ignored, and every folder made here is open to its owner only. There is no configuration file.

Every function reads a mapping, by default the process environment, and changes nothing in it.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from datetime import datetime, timezone
from pathlib import Path

_STAMP = "%Y%m%dT%H%M%SZ"

PRIVATE = 0o700
"""Permission bits of every folder made here."""

TRANSCRIPT = "transcript.jsonl"
"""The file of a stored session, in a folder of its own."""

NUMERIC_THREADS = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")
"""Variables that numpy's linear algebra reads once, when it is loaded."""


class SettingsError(Exception):
    """The environment leaves no place for the state; the text is one sentence that says what to do."""


def state_path(environ: Mapping[str, str] | None = None) -> Path:
    """The state folder's path, whether or not it exists yet.

    Raises:
        SettingsError: when neither ``XDG_STATE_HOME``, ``HOME`` nor the user database names a folder.
    """
    environ = os.environ if environ is None else environ
    chosen = environ.get("XDG_STATE_HOME", "")
    if os.path.isabs(chosen):
        return Path(chosen) / "rooflab"
    return _home(environ) / ".local" / "state" / "rooflab"


def state_dir(environ: Mapping[str, str] | None = None) -> Path:
    """The state folder, made with permission 0700 when it is missing.

    Raises:
        SettingsError: when it has no path or cannot be made.
    """
    return _made(state_path(environ))


def sessions_dir(environ: Mapping[str, str] | None = None) -> Path:
    """Where exercise sessions and lab trials are recorded; made when missing, errors as `state_dir`."""
    return _made(state_path(environ) / "sessions")


def studies_dir(environ: Mapping[str, str] | None = None) -> Path:
    """Where studies without a file name of their own go; made when missing, errors as `state_dir`."""
    return _made(state_path(environ) / "studies")


def drafts_dir(environ: Mapping[str, str] | None = None) -> Path:
    """Where half-typed lines are kept until they are committed; made when missing, errors as `state_dir`."""
    return _made(state_path(environ) / "drafts")


def crash_path(now: datetime, environ: Mapping[str, str] | None = None) -> Path:
    """The file for the traceback of a crash at `now` (an aware UTC time); errors as `state_dir`."""
    return state_dir(environ) / f"crash-{stamp(now)}.txt"


def stamp(now: datetime) -> str:
    """A UTC time as it stands in file names, ``20261130T091200Z``: sorts by time, needs no quoting."""
    return now.strftime(_STAMP)


def stamped(text: str) -> datetime:
    """The time that such a stamp names.

    Raises:
        ValueError: when it is none.
    """
    return datetime.strptime(text, _STAMP).replace(tzinfo=timezone.utc)


def thread_limits(environ: Mapping[str, str] | None = None) -> dict[str, str]:
    """What to add to the environment before numpy is loaded: one thread, where the user chose nothing.

    A login node limits the threads of a user; a linear algebra library would start one for each core.
    """
    environ = os.environ if environ is None else environ
    return {name: "1" for name in NUMERIC_THREADS if not environ.get(name)}


def _home(environ: Mapping[str, str]) -> Path:
    home = environ.get("HOME", "")
    if not os.path.isabs(home):
        home = _home_on_record()
    if not os.path.isabs(home):
        raise SettingsError(
            "no home folder is known, so there is no place for the state: "
            "set XDG_STATE_HOME to a folder of yours"
        )
    return Path(home)


def _home_on_record() -> str:
    """The home folder in the user database, empty where this user has no entry (a container's bare uid)."""
    import pwd

    try:
        return pwd.getpwuid(os.getuid()).pw_dir
    except KeyError:
        return ""


def _made(folder: Path) -> Path:
    """Make `folder` and its missing parents, each 0700: ``makedirs`` would leave the parents open."""
    missing = []
    here = folder
    try:
        while not here.exists() and here != here.parent:
            missing.append(here)
            here = here.parent
        for each in reversed(missing):
            each.mkdir(PRIVATE, exist_ok=True)
    except OSError as error:
        raise SettingsError(_cannot_make(folder, error)) from error
    if not folder.is_dir():
        raise SettingsError(f"{folder} is no folder: move it away, or point XDG_STATE_HOME elsewhere")
    return folder


def _cannot_make(folder: Path, error: OSError) -> str:
    why = (error.strerror or str(error)).lower()
    return f"cannot make the folder {folder} ({why}): set XDG_STATE_HOME to a folder you can write to"
