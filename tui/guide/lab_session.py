"""Trials outside an exercise are a session without a script, stored in the same JSON lines.

After a dropped line or a crash the next start brings the trials back; after a normal end it starts empty.
Nothing is written, not even a folder, before the first event.
"""

from __future__ import annotations

import os
import secrets
import socket
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, fields
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

from tui import __version__
from tui.events import LAB_EVENTS, Event
from tui.files.writer import Writer
from tui.guide.transcript import FORMAT, Stored, Transcript, load, reopen
from tui.settings import SettingsError, sessions_dir, stamp, state_path

DONE, HANGUP, RESUME = "done", "hangup", "resume"
NEWEST = 20
"""How many stored labs a start looks through; older ones are not brought back."""

_EVENT_BY_NAME = {event.NAME: event for event in LAB_EVENTS}


class LabSession:
    """Stores the lab's events as they happen, and finds those of a lab that was cut off.

    Args:
        writer: the thread that waits for the disk.
        on_trouble: called with an OSError or a `SettingsError`, on the writer's thread, when an event could
            not be stored.
    """

    def __init__(
        self,
        writer: Writer,
        on_trouble: Callable[[Exception], None],
        *,
        clock: Callable[[], float] = time.time,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._writer = writer
        self._on_trouble = on_trouble
        self._clock = clock
        self._monotonic = monotonic
        self._started = monotonic()
        self._transcript: Transcript | None = None
        self._backlog: list[bytes] = []
        """Lines that are not on disk yet; a failed one is tried again before the next."""

    def resume(self) -> tuple[Event, ...]:
        """The events of the newest lab that was cut off, which this session then continues.

        Returns:
            Nothing when the last lab ended normally, or still runs in another terminal.
        """
        for path in _newest():
            try:
                stored = load(path)
                if not _cut_off(stored) or not _claim(path, len(stored.records)):
                    continue
                self._transcript = reopen(path, stored)
            except (OSError, ValueError):
                continue
            self._append({"event": RESUME, **_process()})
            return tuple(filter(None, map(_event, stored.records)))
        return ()

    def record(self, event: Event) -> None:
        """Store one event; returns at once, the disk is waited for elsewhere."""
        try:
            self._append({"event": event.NAME, **asdict(event)})
        except SettingsError as error:
            self._on_trouble(error)

    def end(self, reason: str) -> None:
        """Store how the program ended: `DONE`, or `HANGUP` when the line or the machine took it away."""
        if self._transcript is not None:
            self._append({"event": reason})

    def _append(self, body: Mapping[str, Any]) -> None:
        if self._transcript is None:
            self._transcript = Transcript(_root() / _folder_name(self._clock()) / "transcript.jsonl")
            self._queue({"format": FORMAT, "app": __version__, "kind": "lab", **_process()})
        self._queue({"n": self._transcript.count, **body})

    def _queue(self, body: Mapping[str, Any]) -> None:
        transcript = self._transcript
        assert transcript is not None
        when = datetime.fromtimestamp(self._clock(), timezone.utc).isoformat(timespec="milliseconds")
        line = transcript.seal({**body, "t": when, "dt": round(self._monotonic() - self._started, 3)})
        self._writer.submit(lambda: self._store(transcript, line), self._stored)

    def _store(self, transcript: Transcript, line: bytes) -> None:
        self._backlog.append(line)
        sessions_dir()
        for folder in (transcript.path.parent.parent, transcript.path.parent):
            folder.mkdir(mode=0o700, exist_ok=True)
        while self._backlog:
            transcript.write(self._backlog[0])
            self._backlog.pop(0)

    def _stored(self, error: Exception | None) -> None:
        if error is not None:
            self._on_trouble(error)


def _event(record: Mapping[str, Any]) -> Event | None:
    kind = _EVENT_BY_NAME.get(str(record.get("event")))
    if kind is None:
        return None
    names = [field.name for field in fields(kind)]
    if not all(isinstance(record.get(name), str) for name in names):
        return None
    return kind(**{name: record[name] for name in names})


def _root() -> Path:
    return state_path() / "sessions" / "lab"


def _newest() -> list[Path]:
    # Folder names start with the UTC time, so that the order of names is the order of starts.
    try:
        root = _root()
        names = sorted(os.listdir(root), reverse=True)[:NEWEST]
    except (OSError, SettingsError):
        return []
    return [root / name / "transcript.jsonl" for name in names]


def _cut_off(stored: Stored) -> bool:
    last = stored.records[-1].get("event") if stored.records else None
    if last == DONE:
        return False
    if last == HANGUP:
        return True
    resumed = [record for record in stored.records if record.get("event") == RESUME]
    owner = resumed[-1] if resumed else stored.head
    # Another host may still run it: a login node cannot see its neighbour's processes.
    return owner.get("host") == socket.gethostname() and not _alive(owner)


def _claim(path: Path, count: int) -> bool:
    """Whether this program is the one that continues the session; only one of two terminals is."""
    try:
        os.close(os.open(path.with_name(f"resumed-at-{count}"), os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600))
    except FileExistsError:
        return False
    return True


def _process() -> dict[str, Any]:
    pid = os.getpid()
    return {"host": socket.gethostname(), "pid": pid, "born": _born(pid)}


def _alive(owner: Mapping[str, Any]) -> bool:
    pid = owner.get("pid")
    if not isinstance(pid, int) or pid <= 0:
        return False
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass
    return _born(pid) == owner.get("born")


def _born(pid: int) -> str:
    """The kernel's start time of a process, so that a reused number is not taken for the old one."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text(encoding="ascii", errors="replace")
    except OSError:
        return ""
    # The process name, in parentheses, may itself hold blanks; the start time is field 22.
    return stat.rpartition(")")[2].split()[19]


def _folder_name(now: float) -> str:
    return f"{stamp(datetime.fromtimestamp(now, timezone.utc))}-{secrets.token_hex(2)}"
