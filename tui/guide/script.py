"""A guided exercise as it stands in its file, format 1: data, never code.

The dataclasses are the format: every field made with `entry` is a key of the TOML file, of the kind it
names. The reader, the checks, the JSON Schema and the graded hash all go by these fields.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from fractions import Fraction
from typing import Any, ClassVar, get_args

from tui.guide.values import IDEA, Id, Many, Share, Sum, Table, Tables, Text, Whole, Word, YesNo, entry
from tui.model.study import Experiment, Family, Machine

FORMAT = 1
"""The version of the script format described here."""

FAMILIES: tuple[str, ...] = get_args(Family)
TABLES = ("strong", "weak", "model-size", "limits", "target")
COVERS = (
    "ideal",
    "speedup",
    "efficiency",
    "per-doubling",
    "cost",
    "work",
    "rate",
    "memory",
    "flags",
    "knee",
    "ridge",
    "path",
    "slack",
    "loss",
    "target",
    "measured",
    "late",
)
"""What can be covered until the steps that ask for it are done."""

SCHEDULE = (Fraction(1), Fraction(1, 2), Fraction(1, 4))
DEFAULT_TOLERANCE = {"predict": "1%", "compute": "0.5%"}

_COVER = Many(Word(COVERS))
_SHARES = Many(Share(), least=1)
_SUM = Sum()
_INPUTS = Table({"I": Text(64), "B": Text(64)}, "E040")
_OUTCOME = Table({"attainable": _SUM, "limit": Word(("memory", "ridge", "compute"))})
_REVEAL = Table({"data": Id(), "rows": Many(_SUM, least=1)})
_PARAMS = Table({"cap": Text(64)})


@dataclass(frozen=True, kw_only=True)
class Score:
    """`[score]`: what passes, when points are shown, and what a try costs."""

    passes: Fraction = field(default=Fraction(3, 5), metadata={"kind": Share(), "key": "pass"})
    show: str = entry(Word(("live", "end", "never")), default="end")
    schedule: tuple[Fraction, ...] = entry(_SHARES, default=SCHEDULE)
    hint_cost: Fraction = field(default=Fraction(0), metadata={"kind": Share()})


@dataclass(frozen=True, kw_only=True)
class Misconception:
    """A wrong idea with its own feedback, told from a value or by a rule about the answer."""

    id: str = entry(Id(IDEA))
    title: str = entry(Text(60), default="")
    value: str = entry(_SUM, default="")
    when: str = entry(Text(), default="")
    feedback: str = entry(Text(), default="")


@dataclass(frozen=True, kw_only=True)
class Option(ABC):
    """What a learner picks."""

    id: str = entry(Id())
    text: str = entry(Text())
    feedback: str = entry(Text(), default="")
    misconception: str = entry(Id(IDEA), default="")

    @property
    @abstractmethod
    def right(self) -> bool:
        """Whether it is to be picked."""


@dataclass(frozen=True, kw_only=True)
class Choice(Option):
    """`[[step.choice]]`."""

    correct: bool = entry(YesNo(), default=False)

    @property
    def right(self) -> bool:
        """Whether it is to be picked."""
        return self.correct


@dataclass(frozen=True, kw_only=True)
class Line(Option):
    """`[[step.line]]`: one numbered line of a report, flawed or not."""

    flaw: bool = entry(YesNo(), default=False)

    @property
    def right(self) -> bool:
        """Whether it is to be picked."""
        return self.flaw


@dataclass(frozen=True, kw_only=True)
class Step:
    """What all kinds of steps have in common."""

    KINDS: ClassVar[tuple[str, ...]] = ()
    GRADED: ClassVar[bool] = False
    NEEDS_TEXT: ClassVar[bool] = True

    id: str = entry(Id())
    kind: str = entry(Text())
    title: str = entry(Text(40), default="")
    text: str = entry(Text(), default="")
    points: int = entry(Whole(), default=0)
    hints: tuple[str, ...] = entry(Many(Text()), default=())
    solution: str = entry(Text(), default="")
    concept: str = entry(Text(60), default="")
    optional: bool = entry(YesNo(), default=False)
    attempts: int = entry(Whole(), default=0)
    """Wrong tries until the solution is shown; 0 for no limit."""
    schedule: tuple[Fraction, ...] = entry(_SHARES, default=())
    percent: bool = entry(YesNo(), default=False)
    cover: tuple[str, ...] = entry(_COVER, default=())


@dataclass(frozen=True, kw_only=True)
class Read(Step):
    """Something to read."""

    KINDS = ("read",)


@dataclass(frozen=True, kw_only=True)
class ResetStep(Step):
    """The instrument is to be reset."""

    KINDS = ("reset",)
    NEEDS_TEXT = False


@dataclass(frozen=True, kw_only=True)
class SetInputs(Step):
    """The inputs are to read exactly this."""

    KINDS = ("set",)
    inputs: dict[str, str] = field(default_factory=dict, metadata={"kind": _INPUTS})


@dataclass(frozen=True, kw_only=True)
class Numeric(Step):
    """A number is asked for."""

    GRADED = True
    answer: str = entry(_SUM, default="")
    expect: str = entry(_SUM, default="")
    unit: str = entry(Text(20), default="")
    accept: tuple[str, ...] = entry(Many(Text(20)), default=())
    tol: str = entry(_SUM, default="")
    decimals: int | None = entry(Whole(0, 12), default=None)
    sigfigs: int | None = entry(Whole(1, 12), default=None)
    require_unit: bool = entry(YesNo(), default=False)
    use: tuple[str, ...] = entry(Many(Id(IDEA)), default=())
    misconception: tuple[Misconception, ...] = entry(Tables(Misconception), default=())


@dataclass(frozen=True, kw_only=True)
class Predict(Numeric):
    """A number written down before Play shows it."""

    KINDS = ("predict",)
    lock: bool = entry(YesNo(), default=True)
    revise: int = entry(Whole(0, 3), default=0)
    confidence: bool = entry(YesNo(), default=False)
    credit: str = entry(Word(("split", "commit", "correct")), default="split")


@dataclass(frozen=True, kw_only=True)
class Compute(Numeric):
    """A number worked out, judged at once."""

    KINDS = ("compute",)


@dataclass(frozen=True, kw_only=True)
class Play(Step):
    """The instrument plays, or hidden rows of a table are shown."""

    KINDS = ("play",)
    NEEDS_TEXT = False
    expect: dict[str, str] = field(default_factory=dict, metadata={"kind": _OUTCOME})
    reveal: dict[str, Any] = field(default_factory=dict, metadata={"kind": _REVEAL})


@dataclass(frozen=True, kw_only=True)
class Options(Step, ABC):
    """One or several of a few things are picked."""

    GRADED = True
    select: str = entry(Word(("one", "many")), default="one")

    @property
    @abstractmethod
    def options(self) -> tuple[Option, ...]:
        """What can be picked, in the order of the file."""

    @property
    def right(self) -> frozenset[str]:
        """Ids of what is to be picked."""
        return frozenset(option.id for option in self.options if option.right)


@dataclass(frozen=True, kw_only=True)
class Choose(Options):
    """A question with choices; the three kinds differ in wording and in reports."""

    KINDS = ("observe", "explain", "classify")
    shuffle: bool = entry(YesNo(), default=False)
    choice: tuple[Choice, ...] = entry(Tables(Choice), default=())

    @property
    def options(self) -> tuple[Option, ...]:
        """The choices."""
        return self.choice


@dataclass(frozen=True, kw_only=True)
class Flaw(Options):
    """Numbered lines of a report; the flawed ones are to be marked."""

    KINDS = ("flaw",)
    line: tuple[Line, ...] = entry(Tables(Line), default=())

    @property
    def options(self) -> tuple[Option, ...]:
        """The lines."""
        return self.line


@dataclass(frozen=True, kw_only=True)
class Runs(Step):
    """Rows are entered: those of a data set, or the learner's own."""

    KINDS = ("runs",)
    GRADED = True
    table: str = entry(Word(TABLES))
    data: str = entry(Id(), default="")
    min_rows: int = entry(Whole(0, 1000), default=0)
    columns: tuple[str, ...] = entry(Many(Text(40)), default=())


@dataclass(frozen=True, kw_only=True)
class Reflect(Step):
    """A text in the learner's own words; never graded."""

    KINDS = ("reflect",)
    min_chars: int = entry(Whole(0, 2000), default=0)
    max_chars: int = entry(Whole(1, 20000), default=2000)
    private: bool = entry(YesNo(), default=False)


@dataclass(frozen=True, kw_only=True)
class Pause(Step):
    """A break, to talk to a neighbour for instance."""

    KINDS = ("pause",)
    discuss: bool = entry(YesNo(), default=False)


STEPS: tuple[type[Step], ...] = (
    *(Read, ResetStep, SetInputs, Predict, Compute, Play),
    *(Choose, Flaw, Runs, Reflect, Pause),
)
CLASS_OF: Mapping[str, type[Step]] = {kind: each for each in STEPS for kind in each.KINDS}
"""The dataclass of each kind of step."""


@dataclass(frozen=True, kw_only=True)
class Data:
    """`[[data]]`: an experiment of the study format with rows as CSV text."""

    id: str = entry(Id())
    family: str = entry(Word(FAMILIES))
    file: str = entry(Text(200), default="")
    rows: str = entry(Text(), default="")
    key: str = entry(Text(40), default="devices")
    baseline: str = entry(_SUM, default="")
    hidden_rows: tuple[str, ...] = entry(Many(_SUM), default=())
    source: str = entry(Text(), default="")
    cover: tuple[str, ...] = entry(_COVER, default=())
    settings: dict[str, Any] = field(default_factory=dict)
    """Every other key that an `[[experiment]]` or a `[machine]` may have, as it was read."""


OF_EXPERIMENT = frozenset(each.name for each in fields(Experiment)) - {"run", "prediction", "name"}
OF_MACHINE = frozenset(each.name for each in fields(Machine)) - {"name"}
"""Study keys that a `[[data]]` may have besides its own."""


@dataclass(frozen=True, kw_only=True)
class Script:
    """One exercise."""

    format: int = entry(Whole(0, 10**6))
    id: str = entry(Id())
    revision: int = entry(Whole(1))
    title: str = entry(Text(60))
    goal: str = entry(Text(160))
    preamble: str = entry(Text(), default="")
    closing: str = entry(Text(), default="")
    minutes: int = entry(Whole(1, 240), default=15)
    level: str = entry(Word(("intro", "core", "stretch")), default="core")
    language: str = entry(Text(35), default="en")
    instrument: str = entry(Word(("roofline", "strong", "weak", "limits", "target", "none")), default="none")
    requires: tuple[str, ...] = entry(Many(Id()), default=())
    min_app: str = entry(Text(20), default="")
    authors: tuple[str, ...] = entry(Many(Text(80)), default=())
    licence: str = entry(Text(80), default="")
    source: str = entry(Text(), default="")
    tags: tuple[str, ...] = entry(Many(Text(40)), default=())
    cover: tuple[str, ...] = entry(_COVER, default=())
    params: dict[str, str] = field(default_factory=dict, metadata={"kind": _PARAMS})
    score: Score = Score()
    data: tuple[Data, ...] = entry(Tables(Data), default=())
    misconception: tuple[Misconception, ...] = entry(Tables(Misconception), default=())
    step: tuple[Step, ...] = ()

    def place(self, step_id: str) -> int | None:
        """Position of a step from 0, None when there is none of that id."""
        return next((n for n, step in enumerate(self.step) if step.id == step_id), None)

    @property
    def points(self) -> int:
        """Points of all graded steps together."""
        return sum(step.points for step in self.step if step.GRADED)


def keys_of(kind: type) -> dict[str, tuple[str, Any]]:
    """The keys of a class in the order of its fields, each with the name of its field and its kind."""
    return {
        each.metadata.get("key", each.name): (each.name, each.metadata["kind"])
        for each in fields(kind)
        if "kind" in each.metadata
    }
