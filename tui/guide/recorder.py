"""Writes a transcript as things happen, and loses nothing where it cannot be written.

Lines that are not on disk yet wait in memory and are tried again with the next one. When another program
has continued the same file, this one goes on in a folder of its own, with everything up to here.
"""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Callable, Mapping
from datetime import datetime, timezone
from pathlib import Path
from typing import Any, Protocol

from tui import __version__
from tui.files import atomic
from tui.files.errors import FileError
from tui.guide.ownership import process
from tui.guide.transcript import FORMAT, Stored, TakenOver, Transcript, reopen
from tui.settings import PRIVATE, TRANSCRIPT, SettingsError, sessions_dir, stamp, state_path


class Writes(Protocol):
    """Runs jobs in order, and says of each how it ended; `tui.files.writer.Writer` is one."""

    def submit(self, job: Callable[[], None], done: Callable[[Exception | None], None]) -> None:
        """Queue `job`; `done` is called with its error, or None."""


class AtOnce:
    """Runs each job on the spot: for a program that has nothing else to do meanwhile."""

    def submit(self, job: Callable[[], None], done: Callable[[Exception | None], None]) -> None:
        """Run `job` and tell `done`."""
        try:
            job()
        except (OSError, FileError, SettingsError) as error:
            done(error)
        else:
            done(None)


class Recorder:
    """Appends to one transcript, from any thread but one at a time.

    Args:
        writer: waits for the disk.
        on_stored: called with an error, or None, after each attempt to write; on the writer's thread.
    """

    def __init__(
        self,
        writer: Writes,
        on_stored: Callable[[Exception | None], None],
        *,
        clock: Callable[[], float] = time.time,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._writer = writer
        self._on_stored = on_stored
        self._clock = clock
        self._monotonic = monotonic
        self._started = monotonic()
        self._transcript: Transcript | None = None
        self._homeless = False
        self._files: dict[str, bytes] = {}
        self._lines: list[bytes] = []
        """Every line from the head on, so that the whole can be written elsewhere."""
        self._stored = 0
        """How many of them are on disk."""

    @property
    def is_open(self) -> bool:
        """Whether a transcript was begun or continued."""
        return self._transcript is not None

    @property
    def folder(self) -> Path:
        """Where the session is stored."""
        assert self._transcript is not None
        return self._transcript.path.parent

    @property
    def unsaved(self) -> int:
        """Lines that are not on disk."""
        return len(self._lines) - self._stored

    @property
    def elapsed(self) -> float:
        """Seconds since this recorder was made."""
        return self._monotonic() - self._started

    def begin(
        self, root: Path | None, head: Mapping[str, Any], files: Mapping[str, bytes] | None = None
    ) -> None:
        """Start a transcript in a new folder below `root`; `files` are kept beside it.

        Without a root it is kept in memory until it is saved into a folder.
        """
        self._files = dict(files or {})
        self._homeless = root is None
        self._transcript = Transcript((root or Path()) / self._folder_name() / TRANSCRIPT)
        self._queue({"format": FORMAT, "app": __version__, **head, **process()})

    def go_on(self, path: Path, stored: Stored) -> None:
        """Continue a transcript that was read.

        Raises:
            OSError: when its cut-off tail cannot be taken away.
        """
        reopen(path, stored)
        self.adopt(path, stored)

    def adopt(self, path: Path, stored: Stored) -> None:
        """Continue a transcript without touching its file yet."""
        self._lines = stored.raw.splitlines(keepends=True)
        self._stored = len(self._lines)
        self._transcript = Transcript(path, stored.last_hash, len(stored.records) + 1, stored.good_bytes)

    def append(self, body: Mapping[str, Any]) -> None:
        """Store one event; returns at once when the writer is a thread."""
        assert self._transcript is not None
        self._queue({"n": self._transcript.count, **body})

    def retry(self) -> None:
        """Try once more to write what is not on disk."""
        self._writer.submit(self._store, self._on_stored)

    def save_into(self, folder: Path) -> Path:
        """Write the whole session into a new folder below `folder`, and go on there.

        Raises:
            OSError, FileError: when that is not possible either.
        """
        assert self._transcript is not None
        self._homeless = False
        self._move(folder / self._transcript.path.parent.name)
        self._store()
        return self.folder

    def _queue(self, body: Mapping[str, Any]) -> None:
        assert self._transcript is not None
        when = datetime.fromtimestamp(self._clock(), timezone.utc).isoformat(timespec="milliseconds")
        line = self._transcript.seal({**body, "t": when, "dt": round(self.elapsed, 3)})
        self._lines.append(line)
        self._writer.submit(self._store, self._on_stored)

    def _store(self) -> None:
        if self._stored == len(self._lines):
            return
        try:
            self._write()
        except TakenOver as error:
            self._move(self.folder.with_name(self._folder_name()))
            self._write()
            raise TakenOver(error.path, self.folder) from None

    def _write(self) -> None:
        assert self._transcript is not None
        if self._homeless:
            raise SettingsError("no home folder is known: set XDG_STATE_HOME to a folder of yours")
        folder = self.folder
        if not folder.is_dir():
            if _in_state_folder(folder):
                sessions_dir()  # makes it private, with a sentence that says what to do when it cannot
            folder.parent.mkdir(mode=PRIVATE, parents=True, exist_ok=True)
            folder.mkdir(mode=PRIVATE, exist_ok=True)
        for name, data in list(self._files.items()):
            (folder / name).parent.mkdir(mode=PRIVATE, parents=True, exist_ok=True)
            atomic.write(folder / name, data, None, mode=atomic.PRIVATE)
            del self._files[name]
        while self._stored < len(self._lines):
            self._transcript.write(self._lines[self._stored])
            self._stored += 1

    def _move(self, folder: Path) -> None:
        assert self._transcript is not None
        kept = _files_in(self.folder)
        self._files = {**kept, **self._files}
        self._transcript.move(folder / TRANSCRIPT)
        self._stored = 0

    def _folder_name(self) -> str:
        now = datetime.fromtimestamp(self._clock(), timezone.utc)
        return f"{stamp(now)}-{os.urandom(2).hex()}"


def _in_state_folder(folder: Path) -> bool:
    """Whether a session lies where sessions are kept, not in a folder that somebody saved it into."""
    try:
        return state_path() / "sessions" in folder.parents
    except SettingsError:
        return False


def _files_in(folder: Path) -> dict[str, bytes]:
    """The copies that stand beside a transcript."""
    found = {}
    with contextlib.suppress(OSError):
        for path in sorted(folder.rglob("*")):
            if path.is_file() and path.name != TRANSCRIPT and not path.name.startswith("resumed-at-"):
                found[str(path.relative_to(folder))] = path.read_bytes()
    return found
