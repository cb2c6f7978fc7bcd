"""Exercise sessions on disk: started, found again after whatever happened, and continued by replay.

A session has a folder of its own with the transcript and a copy of the script and its data as they were
at the start. It is graded with that copy for ever, unless the installed script decides marks in the same
way: then its newer texts are shown.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from tui.events import Event
from tui.files.errors import FileError
from tui.guide.catalogue import NotUsable, ready
from tui.guide.events import Opened, Resumed, from_record, to_record
from tui.guide.exercise import Exercise
from tui.guide.ownership import claim, is_alive, is_here, process
from tui.guide.recorder import AtOnce, Recorder, Writes
from tui.guide.session import replay
from tui.guide.state import Session, begin
from tui.guide.transcript import KIND, Stored, TakenOver, load
from tui.settings import TRANSCRIPT, SettingsError, state_path

MOST_KEPT = 20
"""How many sessions of one script are looked at, the newest first."""


@dataclass(frozen=True)
class Kept:
    """A session that was found on disk, as far as it went."""

    folder: Path
    exercise: Exercise
    session: Session
    stored: Stored
    notices: tuple[str, ...] = ()
    """What a learner should know about it."""

    @property
    def owner(self) -> dict[str, object]:
        """The program that wrote it last."""
        resumed = [record for record in self.stored.records if record.get("event") == Resumed.NAME]
        return dict(resumed[-1] if resumed else self.stored.head)

    @property
    def in_use(self) -> bool:
        """Whether it is open in another terminal of this host."""
        last = self.stored.records[-1].get("event") if self.stored.records else ""
        return last not in ("leave", "done", "hangup") and is_here(self.owner) and is_alive(self.owner)

    @property
    def elsewhere(self) -> bool:
        """Whether that is another program than this one."""
        return self.in_use and self.owner.get("pid") != os.getpid()


class ExerciseStore:
    """Stores the events of one exercise as they happen.

    Args:
        writer: waits for the disk; `AtOnce` by default.
        elsewhere: how the session can be written somewhere else, for a sentence about trouble.
        on_trouble: called with one sentence when events cannot be stored, and with "" once they are again;
            on the writer's thread.
    """

    def __init__(
        self,
        on_trouble: Callable[[str], None],
        writer: Writes | None = None,
        *,
        elsewhere: str = "`save DIR` writes it elsewhere.",
        clock: Callable[[], float] = time.time,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._on_trouble = on_trouble
        self._elsewhere = elsewhere
        self._in_trouble = False
        self._recorder = Recorder(writer or AtOnce(), self._stored, clock=clock, monotonic=monotonic)

    def start(self, exercise: Exercise) -> Session:
        """A new session of an exercise; it goes on in memory where nothing can be written."""
        script = exercise.script
        head = {
            "kind": KIND,
            "script": script.id,
            "revision": script.revision,
            "graded_hash": exercise.graded_hash,
        }
        self._recorder.begin(_root(script.id), head, _frozen(exercise))
        self.record(Opened())
        return begin(exercise, self._recorder.folder.name)

    def resume(self, kept: Kept) -> bool:
        """Continue a stored session; False when another terminal was faster.

        Where its folder cannot be written it goes on in memory, with what was stored before.
        """
        path = kept.folder / TRANSCRIPT
        try:
            if not claim(path, len(kept.stored.records)):
                return False
            self._recorder.go_on(path, kept.stored)
        except OSError:
            self._recorder.adopt(path, kept.stored)
        self._recorder.append({**to_record(Resumed()), **process()})
        return True

    def record(self, event: Event, step: str = "") -> None:
        """Store one event that happened on a step."""
        self._recorder.append({**to_record(event), **({"step": step} if step else {})})

    def save_into(self, folder: Path) -> Path:
        """Write the whole session below another folder and go on there; the session's new folder.

        Raises:
            OSError, FileError: when that is not possible either.
        """
        moved = self._recorder.save_into(folder)
        self._stored(None)
        return moved

    @property
    def folder(self) -> Path:
        """Where the session is stored, or should be."""
        return self._recorder.folder

    @property
    def unsaved(self) -> int:
        """Events that are only in memory; one more attempt is made."""
        if self._recorder.unsaved:
            self._recorder.retry()
        return self._recorder.unsaved

    @property
    def in_trouble(self) -> bool:
        """Whether the last attempt to write failed."""
        return self._in_trouble

    @property
    def elapsed(self) -> float:
        """Seconds since the session was opened here."""
        return self._recorder.elapsed

    def _stored(self, error: Exception | None) -> None:
        if isinstance(error, TakenOver):
            self._on_trouble(f"{error}; this one goes on in {error.now}.")
        elif error is not None:
            if not self._in_trouble:
                self._on_trouble(f"{_in_words(error, self._recorder.folder)} {self._elsewhere}")
            self._in_trouble = True
        elif self._in_trouble:
            self._in_trouble = False
            self._on_trouble("")


def has_sessions(script_id: str) -> bool:
    """Whether anything is stored for a script, readable or not."""
    root = _root(script_id)
    return root is not None and root.is_dir()


def kept_sessions(script_id: str, installed: Exercise | None = None) -> list[Kept]:
    """The stored sessions of a script, the newest first; folders that hold none are skipped."""
    try:
        root = state_path() / "sessions" / script_id
        names = sorted(os.listdir(root), reverse=True)[:MOST_KEPT]
    except (OSError, SettingsError):
        return []
    found = []
    for name in names:
        try:
            found.append(open_kept(root / name, installed))
        except (OSError, ValueError, NotUsable):
            continue
    return found


def open_kept(folder: Path, installed: Exercise | None = None) -> Kept:
    """A stored session, replayed.

    Args:
        installed: the script as it is now; its texts are used where it decides marks in the same way.

    Raises:
        OSError: when the transcript cannot be read.
        ValueError: when it is no transcript of an exercise.
        NotUsable: when the copy of the script is damaged and no installed one grades alike.
    """
    stored = load(folder / TRANSCRIPT)
    if stored.head.get("kind") != KIND:
        raise ValueError(f"{folder.name} is no session of an exercise")
    exercise, notices = _exercise_for(folder, stored, installed)
    if stored.cut_tail:
        notices.append("The last line of the transcript was cut off and is dropped.")
    if stored.broken_at is not None:
        notices.append(f"The transcript was changed or damaged at line {stored.broken_at}.")
    events = filter(None, map(from_record, stored.records))
    session = replay(begin(exercise, folder.name), events)
    return Kept(folder, exercise, session, stored, tuple(notices))


def _exercise_for(folder: Path, stored: Stored, installed: Exercise | None) -> tuple[Exercise, list[str]]:
    graded = stored.head.get("graded_hash")
    if installed is not None and installed.graded_hash == graded:
        return installed, []
    name = str(stored.head.get("script", ""))
    exercise = ready(folder / f"{Path(name).name}.toml")
    notices = []
    if exercise.graded_hash != graded:
        notices.append("The copy of the script was changed after the start: points may differ.")
    elif installed is not None:
        notices.append(
            "The installed script grades differently now; you finish the version you started,"
            " and --new starts again."
        )
    return exercise, notices


def _root(script_id: str) -> Path | None:
    """The folder of a script's sessions, None where no home is known."""
    try:
        return state_path() / "sessions" / script_id
    except SettingsError:
        return None


def _frozen(exercise: Exercise) -> dict[str, bytes]:
    """What is kept beside the transcript; the script under the name its id asks for."""
    own = next(iter(exercise.files), "")
    renamed = f"{exercise.script.id}.toml"
    return {(renamed if name == own else name): data for name, data in exercise.files.items()}


def _in_words(error: Exception, folder: Path) -> str:
    if isinstance(error, (FileError, SettingsError)):
        why = str(error)
    else:
        why = f"{folder}: {(getattr(error, 'strerror', None) or str(error)).lower()}"
    return f"NOT SAVED ({why}). It stays in memory and is tried again."
