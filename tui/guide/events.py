"""What can happen in an exercise, besides what happens on the instrument's own tabs.

Like every event these carry what was committed, as it was typed. `Predicted`, `InputsSet`, `Reset`,
`Locked` and `Played` are the lab's own and mean the same here. A record of a transcript is the event's
word with its fields; `from_record` reads it back and knows nothing of what cannot be read.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any, ClassVar

from tui.events import Event, InputsSet, Locked, Played, Predicted, Reset

# The shapes that most events have. Their classes need no decorator: what a dataclass has is inherited.


@dataclass(frozen=True)
class Bare(Event):
    """Something that happened, with nothing to add."""


@dataclass(frozen=True)
class Typed(Event):
    """Something that was typed, as it was typed."""

    text: str


@dataclass(frozen=True)
class Picked(Event):
    """Something that was picked, by its ids."""

    ids: tuple[str, ...]


# What happens, in the order in which an exercise meets it.


class Opened(Bare):
    """The exercise was opened for the first time."""

    NAME = "open"


class Resumed(Bare):
    """The exercise was opened again."""

    NAME = "resume"


class Next(Bare):
    """The learner goes on to the next step."""

    NAME = "next"


@dataclass(frozen=True)
class Goto(Event):
    """The learner looks at a step, back or forward."""

    NAME: ClassVar[str] = "goto"
    to: str


@dataclass(frozen=True)
class HintAsked(Event):
    """The next hint was opened, so many seconds after the exercise was."""

    NAME: ClassVar[str] = "hint"
    at: float


@dataclass(frozen=True)
class Confidence(Event):
    """How sure the learner is of the prediction, 1 to 3; never scored."""

    NAME: ClassVar[str] = "confidence"
    level: int


class Discussed(Bare):
    """The pause for a talk with a neighbour is over."""

    NAME = "discussed"


class Revised(Typed):
    """The locked prediction was changed once; both are kept."""

    NAME = "revise"


class Withdrawn(Bare):
    """The locked prediction was taken back, to change an input."""

    NAME = "withdraw"


class Answered(Typed):
    """A number was committed."""

    NAME = "answer"


@dataclass(frozen=True)
class Unreadable(Event):
    """What was committed could not be read; it costs nothing."""

    NAME: ClassVar[str] = "unreadable"
    text: str
    code: str


class Chosen(Picked):
    """Choices were submitted, by their ids."""

    NAME = "choice"


class LinesMarked(Picked):
    """Lines of a report were marked, by their ids."""

    NAME = "lines"


@dataclass(frozen=True)
class RunsEntered(Event):
    """The table as it stands: the names of its columns and the text of every row."""

    NAME: ClassVar[str] = "runs"
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


class Reflected(Typed):
    """A reflection was saved."""

    NAME = "reflect"


class Assisted(Bare):
    """The program was asked to set the inputs or fill in the rows."""

    NAME = "assist"


class SolutionShown(Bare):
    """The solution was asked for."""

    NAME = "show"


class Skipped(Bare):
    """An optional step was left out."""

    NAME = "skip"


class Practised(Bare):
    """A finished step is answered again, without points."""

    NAME = "practise"


class FreeOn(Bare):
    """Free play began: nothing is graded until it ends."""

    NAME = "free_on"


class FreeOff(Bare):
    """Free play ended; inputs and tables are as they were."""

    NAME = "free_off"


class Done(Bare):
    """The end was read."""

    NAME = "done"


class Left(Bare):
    """The exercise was left before its end; it can be resumed."""

    NAME = "leave"


INSTRUMENT_EVENTS: tuple[type[Event], ...] = (Reset, InputsSet, Predicted, Locked, Played)
"""Events of the lab that an exercise folds too."""

EXERCISE_EVENTS: tuple[type[Event], ...] = (
    *(Opened, Resumed, Next, Goto, HintAsked, Confidence, Discussed, Revised, Withdrawn),
    *(Answered, Unreadable, Chosen, LinesMarked, RunsEntered, Reflected, Assisted, SolutionShown),
    *(Skipped, Practised, FreeOn, FreeOff, Done, Left),
)
"""Events of exercises only."""

# By these words alone a transcript is read. An event of the study may have one of them too, as `withdraw`: it
# is never a line of a transcript, where a step about a table has the whole table (`RunsEntered`).
_BY_NAME = {event.NAME: event for event in (*INSTRUMENT_EVENTS, *EXERCISE_EVENTS)}


def to_record(event: Event) -> dict[str, Any]:
    """The event as a transcript stores it."""
    return {"event": event.NAME, **asdict(event)}


def from_record(record: Mapping[str, Any]) -> Event | None:
    """The event of a stored line; None for one of a newer program, or one that was tampered with."""
    kind = _BY_NAME.get(str(record.get("event")))
    if kind is None:
        return None
    values = {}
    for each in fields(kind):
        value = _tupled(record.get(each.name))
        if not _CHECKS[str(each.type)](value):
            return None
        values[each.name] = value
    return kind(**values)


def _tupled(value: Any) -> Any:
    return tuple(map(_tupled, value)) if isinstance(value, list) else value


def _texts(value: Any) -> bool:
    return isinstance(value, tuple) and all(isinstance(each, str) for each in value)


_CHECKS: dict[str, Callable[[Any], bool]] = {
    "str": lambda value: isinstance(value, str),
    "int": lambda value: isinstance(value, int) and not isinstance(value, bool),
    "float": lambda value: isinstance(value, (int, float)) and not isinstance(value, bool),
    "tuple[str, ...]": _texts,
    "tuple[tuple[str, ...], ...]": lambda value: isinstance(value, tuple) and all(map(_texts, value)),
}
