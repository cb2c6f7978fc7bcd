"""What can happen to a study: the events of measured runs, kept apart because the lab starts without them.

As all events they carry what was committed as the person typed it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from tui.events import Event
from tui.model.study import Experiment

# Studies. `family` is the tab that the person works on; `experiment` is the name of the experiment, empty
# where the study has none of that family yet; `place` counts its runs from 0.



@dataclass(frozen=True)
class RunCommitted(Event):
    """The edit line was committed: a new run where `place` is None, else that run changed.

    `fields` holds the raw text of every field that was not left empty, by the field's key.
    """

    NAME: ClassVar[str] = "run"
    family: str
    experiment: str
    place: int | None
    fields: Mapping[str, str]


@dataclass(frozen=True)
class RunsPasted(Event):
    """Rows copied from a spreadsheet or a file were pasted; the raw text."""

    NAME: ClassVar[str] = "paste"
    family: str
    experiment: str
    text: str


@dataclass(frozen=True)
class RunsImported(Event):
    """A table or a log was taken in, as it was understood and shown.

    `into` is the experiment that its runs go to; empty where each of `experiments` is to be a new one.
    """

    NAME: ClassVar[str] = "import"
    file: str
    into: str
    experiments: tuple[Experiment, ...]


@dataclass(frozen=True)
class RunWithdrawn(Event):
    """Runs no longer count, for a reason; with an empty one they count again."""

    NAME: ClassVar[str] = "withdraw"
    experiment: str
    places: tuple[int, ...]
    reason: str


@dataclass(frozen=True)
class BaselineChosen(Event):
    """The count D0 that all rows are compared with; empty for the default."""

    NAME: ClassVar[str] = "baseline"
    experiment: str
    devices: str


@dataclass(frozen=True)
class CauseWritten(Event):
    """Why the efficiency of a run is above one; empty takes the cause away."""

    NAME: ClassVar[str] = "cause"
    experiment: str
    place: int
    cause: str


@dataclass(frozen=True)
class ExperimentSet(Event):
    """What holds for a whole experiment was declared: a new one where `experiment` is empty.

    `fields` holds the raw text of every field of the form, by its key.
    """

    NAME: ClassVar[str] = "experiment"
    family: str
    experiment: str
    fields: Mapping[str, str]


@dataclass(frozen=True)
class StagesCommitted(Event):
    """The line of the Limits tab was committed: a new run where `place` is None, else that run changed.

    `fields` holds the raw text of every field that was not left empty: `devices`, `times_s` and, for each
    stage, `stages_s.NAME`. What this line has no field for stays as it was.
    """

    NAME: ClassVar[str] = "stages"
    family: str
    experiment: str
    place: int | None
    fields: Mapping[str, str]


@dataclass(frozen=True)
class StageSet(Event):
    """A stage was declared, or changed where `stage` names one.

    `fields` holds the raw text of every field of its form: name, law, after, of, params.
    """

    NAME: ClassVar[str] = "stage"
    family: str
    experiment: str
    stage: str
    fields: Mapping[str, str]


@dataclass(frozen=True)
class StageRemoved(Event):
    """A stage was taken out, with its seconds at every count."""

    NAME: ClassVar[str] = "no-stage"
    experiment: str
    stage: str


@dataclass(frozen=True)
class PredictionLocked(Event):
    """The prediction for a count was locked; `made` is the time, as ISO 8601 with its offset."""

    NAME: ClassVar[str] = "lock-prediction"
    experiment: str
    devices: str
    made: str


@dataclass(frozen=True)
class LossesAsked(Event):
    """The loss budget between D0 and another count is to be shown. No study changes."""

    NAME: ClassVar[str] = "losses"
    experiment: str
    devices: int


@dataclass(frozen=True)
class Undone(Event):
    """The last change of the study was taken back."""

    NAME: ClassVar[str] = "undo"


@dataclass(frozen=True)
class Redone(Event):
    """What was undone last was done again."""

    NAME: ClassVar[str] = "redo"


@dataclass(frozen=True)
class LineLeft(Event):
    """A field of a half-typed line was left: the line is kept as a draft. No study changes.

    `where` says what was being edited, as the tab understands it again.
    """

    NAME: ClassVar[str] = "draft"
    where: str
    fields: Mapping[str, str]


@dataclass(frozen=True)
class LineDropped(Event):
    """The half-typed line was given up, and its draft with it."""

    NAME: ClassVar[str] = "drop"


StudyEvent = (
    RunCommitted
    | RunsPasted
    | RunsImported
    | RunWithdrawn
    | BaselineChosen
    | CauseWritten
    | ExperimentSet
    | StagesCommitted
    | StageSet
    | StageRemoved
    | PredictionLocked
    | LossesAsked
    | Undone
    | Redone
    | LineLeft
    | LineDropped
)
"""Everything that the owner of the study folds."""
