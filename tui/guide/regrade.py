"""Graded again from the raw answers: what a hand-in says of each step, whatever score it claims.

The script that it carries is checked as a stranger's script is, and the events go through the same fold that
answered the learner.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from fractions import Fraction
from pathlib import Path

from tui.events import Event
from tui.files.report import plain
from tui.guide.events import from_record
from tui.guide.exercise import Exercise
from tui.guide.expression import ExpressionError
from tui.guide.handin import Handin
from tui.guide.lint import exercise_of, lint
from tui.guide.reader import parse
from tui.guide.script import Predict
from tui.guide.session import apply
from tui.guide.state import Result, Session, begin, earned, result
from tui.guide.time_limit import TooLong, time_limit

MOST_SECONDS = 10.0
"""Processor time of one hand-in. It takes milliseconds; only a file made for it takes longer."""
_TOO_LONG = f"grading it takes more than {MOST_SECONDS:.0f} seconds"
LONGEST_ANSWER = 40


class NotReplayed(ValueError):
    """A hand-in that cannot be replayed; the text says why."""


class Outcome(str, Enum):
    """How a graded step ended, as the digit that stands for it in a one-line hand-in."""

    NOT_REACHED = "0"
    FIRST = "1"
    LATER = "2"
    SHOWN = "3"
    TRYING = "4"
    MISSED = "5"
    COMMITTED = "6"
    SKIPPED = "7"
    REACHED = "8"

    @property
    def words(self) -> str:
        """For a table."""
        return _WORDS[self]

    @property
    def reached(self) -> bool:
        """Whether the learner saw the step."""
        return self is not Outcome.NOT_REACHED

    @property
    def right(self) -> bool:
        """Whether the learner got it right in the end."""
        return self in (Outcome.FIRST, Outcome.LATER)


_WORDS = {
    Outcome.NOT_REACHED: "not reached",
    Outcome.FIRST: "right",
    Outcome.LATER: "right later",
    Outcome.SHOWN: "shown",
    Outcome.TRYING: "not yet",
    Outcome.MISSED: "missed",
    Outcome.COMMITTED: "committed",
    Outcome.SKIPPED: "left out",
    Outcome.REACHED: "not answered",
}


@dataclass(frozen=True)
class StepGrade:
    """What one learner did at one graded step."""

    outcome: Outcome
    earned: Fraction
    answers: int
    """Readable, new answers, the right one included."""
    hints: int
    unreadable: int
    ideas: tuple[str, ...]
    """Ids of the wrong ideas that answers showed."""
    confidence: int
    answer: str
    """The last answer as it was typed, cut."""


@dataclass(frozen=True)
class Grade:
    """One hand-in, graded again."""

    alias: str
    script_id: str
    revision: int
    receipt: str
    started: str
    ended: str
    exercise: Exercise = field(repr=False)
    result: Result
    steps: tuple[StepGrade, ...]
    """One for each graded step, in order."""
    claimed: str
    """Points that the file claims, as text; "" when it claims none."""
    faults: tuple[str, ...]
    """What shows that the file is not as the program wrote it."""
    started_otherwise: bool
    """Whether the session was started with a script that decides marks in another way."""

    @property
    def percent(self) -> int:
        """Earned points in whole percent of the possible ones, rounded half up once."""
        return int(self.result.share * 100 + Fraction(1, 2))

    @property
    def complete(self) -> bool:
        """Whether every step is done."""
        return self.result.done == self.result.steps


class Scripts:
    """The exercises that hand-ins carry; equal ones are read and checked once."""

    def __init__(self) -> None:
        self._made: dict[str, Exercise | str] = {}

    def of(self, handin: Handin) -> Exercise:
        """The exercise that a hand-in carries.

        Raises:
            NotReplayed: when it cannot be done.
        """
        digest = hashlib.sha256(handin.script_id.encode())
        for name, data in sorted(handin.files.items()):
            digest.update(hashlib.sha256(name.encode()).digest() + hashlib.sha256(data).digest())
        key = digest.hexdigest()
        if key not in self._made:
            try:
                self._made[key] = _exercise(f"{handin.script_id}.toml", handin.files)
            except NotReplayed as error:
                self._made[key] = str(error)
            except TooLong:
                self._made[key] = _TOO_LONG
        made = self._made[key]
        if isinstance(made, str):
            raise NotReplayed(made)
        return made


def _exercise(name: str, files: Mapping[str, bytes]) -> Exercise:
    if name not in files:
        raise NotReplayed(f"it does not carry {name}")
    data = {other: text for other, text in files.items() if other != name}
    if not data:
        return _checked(files[name], Path(os.devnull), name)  # no file is below it, so none can be named
    try:
        with tempfile.TemporaryDirectory(prefix="rooflab-") as folder:
            for other, text in data.items():
                path = Path(folder, other)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(text)
            return _checked(files[name], Path(folder), name)
    except OSError as error:
        raise NotReplayed(f"the data it carries cannot be unpacked: {error.strerror}") from None


def _checked(data: bytes, folder: Path, name: str) -> Exercise:
    loaded = parse(data, folder, name)
    stopping = [each for each in lint(loaded) if each.stops]
    exercise = exercise_of(loaded)
    if stopping or exercise is None:
        why = plain(str(stopping[0])) if stopping else "it is empty"
        raise NotReplayed(f"the script it carries cannot be used: {why}")
    return exercise


def regrade(handin: Handin, scripts: Scripts) -> Grade:
    """Grade a hand-in with the script that it carries.

    Raises:
        NotReplayed: when that script cannot be used, or checking or replaying takes absurdly long.
    """
    try:
        with time_limit(MOST_SECONDS):
            exercise = scripts.of(handin)
            session = begin(exercise)
            for event in filter(None, map(from_record, handin.events)):
                session = _after(session, event)
    except TooLong:
        raise NotReplayed(_TOO_LONG) from None
    graded = [place for place, step in enumerate(exercise.steps) if step.GRADED]
    claimed = handin.score.get("points")
    return Grade(
        alias=handin.alias,
        script_id=handin.script_id,
        revision=handin.revision,
        receipt=handin.receipt,
        started=handin.started,
        ended=handin.ended,
        exercise=exercise,
        result=result(session),
        steps=tuple(_step_grade(session, place) for place in graded),
        claimed=plain(str(claimed))[:20] if claimed is not None else "",
        faults=handin.faults,
        started_otherwise=handin.head.get("graded_hash") != exercise.graded_hash,
    )


def _after(session: Session, event: Event) -> Session:
    try:
        return apply(session, event)[0]
    except (ArithmeticError, ExpressionError, LookupError, ValueError) as error:
        kind = type(error).__name__
        raise NotReplayed(f"the event {event.NAME} cannot be replayed ({kind})") from None


def outcome(session: Session, place: int) -> Outcome:
    """How a graded step stands."""
    step, state = session.exercise.steps[place], session.states[place]
    if state.skipped:
        return Outcome.SKIPPED
    if not state.done:
        if state.tries or state.unreadable or state.checks:
            return Outcome.TRYING
        return Outcome.REACHED if place <= session.first_open else Outcome.NOT_REACHED
    if isinstance(step, Predict):
        if not state.judged or not step.answer:
            return Outcome.COMMITTED
        return Outcome.FIRST if state.first_right else Outcome.MISSED
    if state.shown or state.assisted:
        return Outcome.SHOWN
    return Outcome.LATER if state.tries else Outcome.FIRST


def _step_grade(session: Session, place: int) -> StepGrade:
    state = session.states[place]
    how = outcome(session, place)
    right = how.right or how in (Outcome.MISSED, Outcome.COMMITTED)
    return StepGrade(
        outcome=how,
        earned=earned(session, place),
        answers=state.tries + right,
        hints=state.hints,
        unreadable=state.unreadable,
        ideas=state.ideas,
        confidence=state.confidence,
        answer=plain(state.text)[:LONGEST_ANSWER],
    )
