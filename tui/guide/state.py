"""An exercise being done, as values: what each step knows, where the learner is, and what is said.

Nothing here changes anything; `session.apply` makes the next state out of one of these and an event.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from enum import Enum
from fractions import Fraction
from typing import Any

from tui.guide.exercise import Exercise, uses
from tui.guide.functions import Scope
from tui.guide.script import Choose, Options, Play, Predict, Runs, SetInputs, Step

TRIES_UNTIL_SHOWN = 3
"""After so many attempts, readable or not, the solution may be asked for without opening any hint."""

HINT_PAUSE_S = 10.0
"""Seconds between two hints, so that the first is thought about."""


class Tone(str, Enum):
    """What kind of thing is said; a panel shows it as a word and a glyph, never by colour alone."""

    RIGHT = "right"
    WRONG = "wrong"
    UNREADABLE = "unreadable"
    """Nothing was judged and no try was used."""
    ASK = "ask"
    """The learner must say yes to something first."""
    REFUSED = "refused"
    """That cannot be done now."""
    NOTE = "note"


@dataclass(frozen=True)
class Feedback:
    """What is said to the learner after an event."""

    tone: Tone = Tone.NOTE
    lines: tuple[str, ...] = ()
    idea: str = ""
    """Id of the wrong idea that the answer showed."""
    code: str = ""
    """Code of a text that could not be read."""
    choices: tuple[str, ...] = ()
    """Complete texts to type instead, where a text had two readings."""


NOTHING = Feedback()


@dataclass(frozen=True)
class StepState:
    """What is known of one step."""

    done: bool = False
    share: Fraction = Fraction(0)
    """Part of the points that was earned."""
    tries: int = 0
    """Readable, new, wrong answers."""
    wrong: tuple[str, ...] = ()
    """Those answers, each in one form whatever its spelling was."""
    unreadable: int = 0
    units: int = 0
    """Those of them that were of another kind of unit."""
    checks: int = 0
    """Failed checks of inputs or rows."""
    hints: int = 0
    hint_at: float | None = None
    shown: bool = False
    assisted: bool = False
    skipped: bool = False
    first_right: bool = False
    """Whether the first readable answer was right."""
    ideas: tuple[str, ...] = ()
    """Wrong ideas that answers showed."""
    text: str = ""
    """The prediction that stands, the last answer, or the reflection, as it was typed."""
    frozen: Scope | None = field(default=None, repr=False)
    """What the prediction is judged by, where the learner's own inputs differ from the script's."""
    revised: tuple[str, ...] = ()
    """Predictions before the one that stands."""
    confidence: int = 0
    judged: bool = False
    picks: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    row_tries: tuple[tuple[str, int], ...] = ()
    """Wrong versions of each asked row, by its key."""
    feedback: Feedback = NOTHING
    """What was said last; it stays with the step."""


@dataclass(frozen=True)
class Session:
    """An exercise being done."""

    exercise: Exercise
    states: tuple[StepState, ...]
    seed: str = ""
    """Decides the order of shuffled choices, nothing else."""
    here: int = 0
    """Position of the step on show; behind the last one once everything is done and read."""
    inputs: tuple[str, str] = ("", "")
    """The instrument's I and B as they were typed."""
    free: bool = False
    """Free play is on: events change nothing here, so leaving it brings back what was."""
    practising: bool = False
    closed: bool = False
    """The end was read."""

    @property
    def step(self) -> Step | None:
        """The step on show, None behind the last one."""
        return self.exercise.steps[self.here] if self.here < len(self.states) else None

    @property
    def state(self) -> StepState:
        """What is known of the step on show."""
        return self.states[self.here]

    @property
    def first_open(self) -> int:
        """Position of the first step that is not done; the number of steps when all are."""
        return next((n for n, state in enumerate(self.states) if not state.done), len(self.states))

    @property
    def finished(self) -> bool:
        """Whether every step is done; the end need not have been read."""
        return self.first_open == len(self.states)

    def changed(self, place: int, **changes: Any) -> Session:
        """The session with something new about one step."""
        state = replace(self.states[place], **changes)
        return replace(self, states=(*self.states[:place], state, *self.states[place + 1 :]))


def begin(exercise: Exercise, seed: str = "") -> Session:
    """An exercise before its first event."""
    return Session(exercise, tuple(StepState() for _ in exercise.steps), seed)


def can_show(session: Session) -> bool:
    """Whether the solution of the step on show may be asked for now."""
    step = session.step
    if step is None or not step.GRADED or isinstance(step, Predict) or session.state.done:
        return False
    state = session.state
    attempts = state.tries + state.unreadable + state.checks
    return attempts >= TRIES_UNTIL_SHOWN or 0 < len(step.hints) <= state.hints


def can_assist(session: Session) -> bool:
    """Whether "do it for me" is offered: after one failed check of inputs or rows."""
    step = session.step
    return (
        (isinstance(step, SetInputs) or (isinstance(step, Runs) and bool(step.data)))
        and not session.state.done
        and session.state.checks + session.state.unreadable > 0
    )


def hint_wait(session: Session, now: float) -> float:
    """Seconds until the next hint may be opened, 0 for at once; `now` counts from when it was opened.

    After a break the clock starts anew, so a hint opened "later" than now is from before the break.
    """
    last = session.state.hint_at if session.step is not None else None
    if last is None or last > now:
        return 0.0
    return max(0.0, HINT_PAUSE_S - (now - last))


def order(session: Session, step: Options) -> tuple[str, ...]:
    """Ids of the options in the order they are shown: the file's, or shuffled once for this session."""
    ids = [option.id for option in step.options]
    if isinstance(step, Choose) and step.shuffle:
        ids.sort(key=lambda name: hashlib.sha256(f"{session.seed}/{step.id}/{name}".encode()).digest())
    return tuple(ids)


def revealed(session: Session) -> dict[str, frozenset[str]]:
    """Keys of the hidden rows that Play has shown, by table."""
    from tui.guide.data import row_key

    shown: dict[str, frozenset[str]] = {}
    for step, state in zip(session.exercise.steps, session.states, strict=True):
        if isinstance(step, Play) and state.done and "data" in step.reveal:
            name = step.reveal["data"]
            shown[name] = shown.get(name, frozenset()) | frozenset(map(row_key, step.reveal.get("rows", ())))
    return shown


def covered(session: Session) -> dict[str, frozenset[str]]:
    """The words covered in each table now: until the last step that they would answer is done."""
    found = {}
    asked = {word for step in session.exercise.steps for word in step.cover}
    for name, data in session.exercise.sets.items():
        words = {*data.cover, *session.exercise.script.cover, *asked}
        found[name] = frozenset(word for word in words if not _uncovered(session, name, word))
    return found


def _uncovered(session: Session, data_id: str, word: str) -> bool:
    """Going back does not uncover anything, because it is the last such step that counts."""
    asking = [n for n, step in enumerate(session.exercise.steps) if word in uses(step, data_id)]
    return session.states[asking[-1]].done if asking else session.finished


@dataclass(frozen=True)
class Result:
    """Points so far; exact, rounded only where they are written."""

    earned: Fraction
    possible: int
    passed: bool
    done: int
    steps: int

    @property
    def share(self) -> Fraction:
        """Earned over possible, 1 where nothing is graded."""
        return self.earned / self.possible if self.possible else Fraction(1)


def earned(session: Session, place: int) -> Fraction:
    """Points earned by one step."""
    step = session.exercise.steps[place]
    return step.points * session.states[place].share if step.GRADED else Fraction(0)


def result(session: Session) -> Result:
    """Points over all steps."""
    script = session.exercise.script
    total = sum((earned(session, place) for place in range(len(session.states))), Fraction(0))
    enough = not script.points or total / script.points >= script.score.passes
    done = sum(state.done for state in session.states)
    return Result(total, script.points, enough, done, len(session.states))


def points_text(points: Fraction) -> str:
    """Points for the screen: two decimals at most, rounded half up once."""
    hundredths = (2 * points.numerator * 100 + points.denominator) // (2 * points.denominator)
    whole, rest = divmod(hundredths, 100)
    return f"{whole}.{rest:02d}".rstrip("0").rstrip(".") if rest else str(whole)


def joined(ids: Iterable[str]) -> str:
    """Picks in one form whatever their order was."""
    return "|".join(sorted(set(ids)))
