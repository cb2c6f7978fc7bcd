"""Hand-ins for tests and bench: learners who do an exercise right but for what they are told to do wrong."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

from tests.guide.scripts import right_way
from tui.events import Event, Predicted
from tui.guide.events import Opened, Resumed, to_record
from tui.guide.exercise import Exercise
from tui.guide.handin import Handin, decode, encoded, make
from tui.guide.regrade import Grade, Scripts, regrade
from tui.guide.session import apply, replay
from tui.guide.state import begin
from tui.guide.store import Kept
from tui.guide.transcript import canonical, load, sealed
from tui.settings import TRANSCRIPT

START = datetime(2026, 11, 30, 9, 12, tzinfo=timezone.utc)


def done_with(
    exercise: Exercise, wrong: Mapping[str, Iterable[Event]], until: str = ""
) -> list[tuple[str, Event]]:
    """Events with the id of their step: all right, after the wrong ones that are given for a step.

    A wrong `Predicted` stands in the place of the right one; `until` is a step that is left alone.
    """
    left = {step: list(events) for step, events in wrong.items()}
    session, found = begin(exercise), [("", Opened())]

    def happens(event: Event) -> None:
        nonlocal session
        found.append((session.step.id if session.step else "", event))
        session, _ = apply(session, event)

    for event in right_way(exercise):
        here = session.step.id if session.step else ""
        if here and here == until:
            break
        extra = left.pop(here, [])
        for each in extra:
            happens(each)
        if not (isinstance(event, Predicted) and any(isinstance(each, Predicted) for each in extra)):
            happens(event)
    assert not left, f"no such steps: {left}"
    return found


def kept_in(folder: Path, exercise: Exercise, events: Iterable[tuple[str, Event]], start: datetime) -> Kept:
    """A session as the program stores it, in a folder of its own."""
    folder.mkdir(parents=True)
    script = exercise.script
    machine = {"host": "login1", "pid": 4711, "born": "17"}
    head = {
        "format": 1,
        "app": "0.1.0",
        "kind": "exercise",
        "script": script.id,
        "revision": script.revision,
        "graded_hash": exercise.graded_hash,
        **machine,
    }
    lines, previous = [], ""
    for number, (step, event) in enumerate([("", None), *events]):
        body: dict[str, Any] = dict(head) if event is None else {"n": number, **to_record(event)}
        body |= {"step": step} if step else {}
        body |= machine if isinstance(event, Resumed) else {}
        body["t"] = (start + timedelta(seconds=20 * number)).isoformat(timespec="milliseconds")
        record = sealed(previous, {**body, "dt": 20.0 * number})
        previous = record["h"]
        lines.append(canonical(record) + b"\n")
    (folder / TRANSCRIPT).write_bytes(b"".join(lines))
    stored = load(folder / TRANSCRIPT)
    session = replay(begin(exercise), [event for _, event in events])
    return Kept(folder, exercise, session, stored)


class Class:
    """Learners of one exercise, whose hand-ins come into one folder."""

    def __init__(self, folder: Path, exercise: Exercise) -> None:
        self.folder = folder
        self.exercise = exercise
        self._sessions = 0

    def learner(
        self,
        alias: str,
        wrong: Mapping[str, Iterable[Event]] | None = None,
        *,
        until: str = "",
        minutes: int = 0,
    ) -> Handin:
        """One learner's hand-in, not written yet."""
        self._sessions += 1
        events = done_with(self.exercise, wrong or {}, until)
        folder = self.folder.with_name(f"sessions-of-{self.folder.name}") / str(self._sessions)
        return make(kept_in(folder, self.exercise, events, START + timedelta(minutes=minutes)), alias)

    def handed_in(self, handin: Handin, change: Callable[[dict[str, Any]], None] | None = None) -> Path:
        """The file of a hand-in in the folder, after somebody changed what is in it."""
        self.folder.mkdir(exist_ok=True)
        path = self.folder / handin.file_name
        data = encoded(handin)
        if change is not None:
            values = json.loads(data)
            change(values)
            data = json.dumps(values).encode()
        path.write_bytes(data)
        return path


def grade_of(handin: Handin) -> Grade:
    """What somebody else makes of a hand-in."""
    return regrade(decode(encoded(handin)), Scripts())
