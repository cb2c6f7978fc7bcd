"""Trials outside an exercise are a session without a script, stored in the same JSON lines.

After a dropped line or a crash the next start brings the trials back; after a normal end it starts empty.
Nothing is written, not even a folder, before the first event, and what reads and writes transcripts is not
loaded before either: most starts find no lab to go on with.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, fields
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tui.events import LAB_EVENTS, Event
from tui.files.writer import Writer
from tui.guide.ownership import claim, is_alive, is_here, process
from tui.settings import TRANSCRIPT, SettingsError, state_path

if TYPE_CHECKING:
    from tui.guide.recorder import Recorder
    from tui.guide.transcript import Stored

DONE, HANGUP, RESUME = "done", "hangup", "resume"
NEWEST = 20
"""How many stored labs a start looks through; older ones are not brought back."""
LAST_LINES = 1024
"""Bytes at the end of a transcript that hold its last line, unless somebody wrote into it."""

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

    @cached_property
    def _recorder(self) -> Recorder:
        from tui.guide.recorder import Recorder

        return Recorder(self._writer, self._stored, clock=self._clock, monotonic=self._monotonic)

    @property
    def _is_open(self) -> bool:
        return "_recorder" in self.__dict__ and self._recorder.is_open

    def resume(self) -> tuple[Event, ...]:
        """The events of the newest lab that was cut off, which this session then continues.

        Returns:
            Nothing when the last lab ended normally, or still runs in another terminal.
        """
        for path in _newest():
            try:
                if _ended_normally(path):
                    continue
                from tui.guide.transcript import load

                stored = load(path)
                if not _cut_off(stored) or not claim(path, len(stored.records)):
                    continue
                self._recorder.go_on(path, stored)
            except (OSError, ValueError):
                continue
            self._append({"event": RESUME, **process()})
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
        if self._is_open:
            self._append({"event": reason})

    def _append(self, body: Mapping[str, Any]) -> None:
        if not self._is_open:
            self._recorder.begin(_root(), {"kind": "lab"})
        self._recorder.append(body)

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
    return [root / name / TRANSCRIPT for name in names]


def _ended_normally(path: Path) -> bool:
    """Whether the last line says so, as nearly all do; the others are worth reading whole."""
    with path.open("rb") as file:
        file.seek(max(0, os.fstat(file.fileno()).st_size - LAST_LINES))
        lines = file.read().split(b"\n")
    return len(lines) > 1 and f'"event":"{DONE}"'.encode() in lines[-2]


def _cut_off(stored: Stored) -> bool:
    last = stored.records[-1].get("event") if stored.records else None
    if last == HANGUP:
        return True
    resumed = [record for record in stored.records if record.get("event") == RESUME]
    owner = resumed[-1] if resumed else stored.head
    # Another host may still run it: a login node cannot see its neighbour's processes.
    return is_here(owner) and not is_alive(owner)
