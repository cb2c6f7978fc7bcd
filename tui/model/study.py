"""What a study holds: the machine, its experiments, and the runs that were really measured.

These dataclasses *are* the study format, version 1: every field is a key of the file, with the same
name, and the arrays of tables (`[[experiment]]`, `[[experiment.run]]`, `[[experiment.prediction]]`)
keep their singular names. Everything here was typed or imported by somebody; whatever can be computed
is computed elsewhere and never stored.

They have slots, because an import may bring a hundred thousand runs, which take a third of the memory so.

A value of the wrong type never gets this far. What a type cannot say (a count below 1, a baseline that
no run has, a stage after one that does not exist) is what `problems` says.
"""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Iterator, Set
from dataclasses import Field, dataclass, field, fields, is_dataclass
from functools import cache
from graphlib import CycleError, TopologicalSorter
from typing import Any, Literal

SMALLEST = 1e-31
"""Numbers nearer to 0, or beyond the inverse, are no measurement; their ratios leave the range of floats."""

FORMAT = 1
"""The version of the study format that these dataclasses describe."""

Family = Literal["strong", "weak", "model-size", "target"]
Status = Literal["completed", "failed", "out-of-memory", "stopped"]
TimeMeans = Literal["one update", "main loop", "whole job"]
BaselineKind = Literal["best serial", "one device", "smallest feasible"]
Charged = Literal["node", "device"]
LawName = Literal[
    "split",
    "fixed",
    "split+fixed",
    "ring",
    "linear",
    "tree",
    "per-doubling",
    "halo",
    "alltoall",
    "bubble",
    "tail",
]
Variable = Literal["devices", "nodes", "ranks", "dp", "tp", "pp", "cp", "ep"]

UNDECLARED = "device"
"""What a count counts where nobody has said it."""

COMPUTE, HOST = "compute", "host"
"""Names of stages: the work itself, and work that the devices wait for and do not shorten."""

PARALLEL_DEGREES = ("dp", "tp", "pp", "cp", "ep", "vpp")
"""Data, tensor, pipeline, context and expert parallelism, and virtual pipeline stages per device."""

_COUNT = {"least": 1}
_ANY_SIGN: dict[str, Any] = {"least": None}
_IMPORTED = {"imported": True}


@dataclass(frozen=True, slots=True)
class Domain:
    """One rung of the ladder of networks: up to `devices` devices reach each other through it."""

    name: str
    devices: int = field(metadata=_COUNT)


@dataclass(frozen=True, slots=True)
class Machine:
    """What the runs were measured on, and how its use is billed."""

    name: str = ""
    device: str = ""
    devices_per_node: int | None = field(default=None, metadata=_COUNT)
    domains: tuple[Domain, ...] = ()
    """The ladder of networks, smallest first."""
    charged: Charged | None = None
    """Whether whole nodes are billed, or devices."""
    price: float | None = None
    """Per device-hour, in `currency`."""
    currency: str = ""


@dataclass(frozen=True, slots=True)
class Work:
    """The work unit W that one measured time completes, over all devices together."""

    amount: float
    of: str = ""
    """What is counted: tokens, cells, atoms."""
    sequences: int | None = field(default=None, metadata=_COUNT)
    lengths: str = ""
    optimizer: str = ""


@dataclass(frozen=True, slots=True)
class WorkModel:
    """How the work of a weak-scaling family grows: a declared amount on each device.

    One unit at sequence length s costs `flop_per_unit + s · flop_per_unit_position` FLOP, so that equal
    tokens in longer sequences are not mistaken for equal arithmetic.
    """

    per_device: float | None = None
    of: str = ""
    flop_per_unit: float | None = None
    flop_per_unit_position: float | None = None


@dataclass(frozen=True, slots=True)
class Stage:
    """A part of the step: how its time changes with the count, and what it waits for."""

    name: str
    law: LawName | None = None
    after: tuple[str, ...] = ()
    of: Variable | None = None
    """The count that the law runs over; the devices when absent."""
    params: dict[str, float] = field(default_factory=dict, metadata=_ANY_SIGN)


@dataclass(frozen=True, slots=True)
class Run:
    """One job: one allocation, one start of the program. Absent is `None` or empty, never 0."""

    devices: int = field(metadata=_COUNT)
    times_s: tuple[float, ...] = ()
    """Seconds of each completed work unit measured inside this job; empty while the run is awaited."""
    status: Status = "completed"
    label: str = ""

    work: float | Work | None = None
    """W over all devices where it is not the experiment's; a number counts the experiment's unit."""
    work_model: WorkModel | None = None
    """The work model where it is not the experiment's."""
    time_means: TimeMeans | None = None
    """What one time means where it is not what the experiment says."""
    global_batch: int | None = field(default=None, metadata=_COUNT)
    micro_batch: int | None = field(default=None, metadata=_COUNT)
    accumulation: int | None = field(default=None, metadata=_COUNT)
    local_shape: str = ""
    sequence_length: int | None = field(default=None, metadata=_COUNT)
    parameters: float | None = None
    active_parameters: float | None = None
    routing: str = ""

    dp: int | None = field(default=None, metadata=_COUNT)
    tp: int | None = field(default=None, metadata=_COUNT)
    pp: int | None = field(default=None, metadata=_COUNT)
    cp: int | None = field(default=None, metadata=_COUNT)
    ep: int | None = field(default=None, metadata=_COUNT)
    vpp: int | None = field(default=None, metadata=_COUNT)
    nodes: int | None = field(default=None, metadata=_COUNT)
    ranks: int | None = field(default=None, metadata=_COUNT)
    threads_per_rank: int | None = field(default=None, metadata=_COUNT)
    hosts: tuple[str, ...] = ()
    domain: str = ""
    """The network the job was placed in; overrides what the machine's ladder says of its count."""

    memory_gib: float | None = None
    """Peak memory of the fullest device, GiB."""
    stages_s: dict[str, float] = field(default_factory=dict)
    """Exposed seconds of each stage of the step."""
    busy_s: tuple[float, ...] = ()
    """Useful seconds of each rank."""
    skipped_updates: int | None = None
    wall_s: float | None = None
    valid_updates: int | None = None

    date: dt.datetime | dt.date | None = None
    note: str = ""
    cause: str = ""
    """Why the efficiency of this run is above one."""
    withdrawn: str = ""
    """Why the run no longer counts; it stays in the file and is counted in every report."""
    extra: dict[str, str | int | float | bool] = field(default_factory=dict, metadata=_IMPORTED)
    """Imported columns without a meaning here, kept as they came."""

    schedule: str = ""
    seed: int | None = field(default=None, metadata=_ANY_SIGN)
    updates: int | None = None
    work_to_target: float | None = None
    time_to_target_s: float | None = None
    reached: bool | None = None
    quality: float | None = field(default=None, metadata=_ANY_SIGN)


@dataclass(frozen=True, slots=True)
class Prediction:
    """A locked statement about a count that was not measured yet; never edited, only superseded."""

    devices: int = field(metadata=_COUNT)
    made: dt.datetime
    time_s: float
    limit: str = ""
    inputs_sha256: str = ""


@dataclass(frozen=True, slots=True)
class Experiment:
    """One family of runs that are meant to be compared with each other."""

    family: Family
    name: str
    counts: str = UNDECLARED
    """What `devices` counts: GPU, node, core, rank."""
    time_means: TimeMeans | None = None
    baseline: int | None = field(default=None, metadata=_COUNT)
    baseline_kind: BaselineKind | None = None
    memory_per_device_gib: float | None = None
    flop_per_unit: float | None = None
    peak_flops_per_device: float | None = None
    peak_source: str = ""
    work: Work | None = None
    work_model: WorkModel | None = None
    stages: tuple[Stage, ...] = ()
    run: tuple[Run, ...] = ()
    prediction: tuple[Prediction, ...] = ()

    @property
    def runs(self) -> tuple[Run, ...]:
        """Every run in file order, withdrawn ones too."""
        return self.run

    @property
    def predictions(self) -> tuple[Prediction, ...]:
        """Every locked prediction in file order."""
        return self.prediction


@dataclass(frozen=True, slots=True)
class Study:
    """A study file: one machine and the experiments made on it."""

    format: int = FORMAT
    title: str = ""
    machine: Machine = Machine()
    experiment: tuple[Experiment, ...] = ()

    @property
    def experiments(self) -> tuple[Experiment, ...]:
        """The experiments in file order."""
        return self.experiment


Path = tuple[str | int, ...]
"""Where in a study: keys and positions from 0, as `("experiment", 0, "run", 2, "times_s", 1)`."""


@dataclass(frozen=True, slots=True)
class Problem:
    """A value of the right type that cannot be meant, and one sentence that says what to do."""

    path: Path
    sentence: str


def problems(study: Study, checked: Study = Study()) -> tuple[Problem, ...]:
    """Everything in a study that cannot be meant, in file order. Unlikely measurements are no problem:
    a time of 0 is kept and flagged where it is compared.

    `checked` is a study that was found to have no problems: the runs that both share, as the very same
    objects, are not looked at again, because all that can be wrong with a run is in the run itself.
    """
    sound = {id(run) for experiment in checked.experiment for run in experiment.run}
    found = list(_number_problems(study, (), sound))
    if study.format != FORMAT:
        sentence = f"format {study.format} is not known here; this version reads {FORMAT}"
        found.append(Problem(("format",), sentence))
    found += _ladder_problems(study.machine)
    seen: dict[str, int] = {}
    for place, experiment in enumerate(study.experiment):
        path: Path = ("experiment", place)
        if experiment.name in seen:
            first = seen[experiment.name] + 1
            sentence = f"experiment {first} is called {experiment.name!r} too; give each its own name"
            found.append(Problem((*path, "name"), sentence))
        seen.setdefault(experiment.name, place)
        found += _baseline_problems(experiment, path)
        found += _stage_problems(experiment.stages, path)
    return tuple(found)


def _ladder_problems(machine: Machine) -> Iterator[Problem]:
    ladder = machine.domains
    for place in range(1, len(ladder)):
        below, here = ladder[place - 1], ladder[place]
        path: Path = ("machine", "domains", place)
        if here.devices <= below.devices:
            yield Problem(
                (*path, "devices"),
                f"{here.name!r} reaches {here.devices} devices, {below.name!r} before it already "
                f"{below.devices}; list the domains from the smallest to the largest",
            )
        if here.name in [domain.name for domain in ladder[:place]]:
            yield Problem((*path, "name"), f"two domains are called {here.name!r}; give each its own name")


def _baseline_problems(experiment: Experiment, path: Path) -> Iterator[Problem]:
    baseline = experiment.baseline
    counts = sorted({run.devices for run in experiment.run})
    if baseline is not None and counts and baseline not in counts:
        listed = ", ".join(map(str, counts))
        yield Problem((*path, "baseline"), f"no run has {baseline} devices; there are runs with {listed}")
    if experiment.baseline_kind in ("one device", "best serial") and baseline not in (None, 1):
        yield Problem(
            (*path, "baseline_kind"),
            f"the baseline has {baseline} devices, so its kind is not {experiment.baseline_kind!r}; "
            "write 'smallest feasible' or baseline = 1",
        )


def _stage_problems(stages: tuple[Stage, ...], path: Path) -> Iterator[Problem]:
    names = [stage.name for stage in stages]
    for place, stage in enumerate(stages):
        where: Path = (*path, "stages", place)
        if stage.name in names[:place]:
            yield Problem((*where, "name"), f"two stages are called {stage.name!r}; give each its own name")
        for position, earlier in enumerate(stage.after):
            if earlier not in names:
                known = ", ".join(repr(name) for name in names)
                sentence = f"there is no stage {earlier!r} to come after; the stages are {known}"
                yield Problem((*where, "after", position), sentence)
    ring = _waiting_in_a_ring(stages)
    if ring:
        place = names.index(ring[0])
        chain = " after ".join(repr(name) for name in ring)
        sentence = f"{chain}: these stages wait for each other; take one of these edges out"
        yield Problem((*path, "stages", place, "after"), sentence)


def _waiting_in_a_ring(stages: tuple[Stage, ...]) -> list[str]:
    """The names along one ring of `after` edges, its first name again at the end; empty without one."""
    try:
        TopologicalSorter({stage.name: stage.after for stage in stages}).prepare()
    except CycleError as found:
        # It lists each stage before the one that waits for it.
        ring: list[str] = found.args[1]
        return ring[::-1]
    return []


def _number_problems(holder: Any, path: Path, sound: Set[int] = frozenset()) -> Iterator[Problem]:
    """Numbers that are not finite, or below what their field allows (0 where it says nothing).

    What holds numbers itself and has one of the identities in `sound` is passed over.
    """
    for each in _checked_fields(holder.__class__):
        value = getattr(holder, each.name)
        if value is None or value == "" or value == ():
            continue  # most of a run is absent, and a study may have thousands
        for place, leaf in _leaves(value, (*path, each.name)):
            if isinstance(leaf, (int, float)):
                sentence = "" if isinstance(leaf, bool) else _number_sentence(leaf, each)
                if sentence:
                    yield Problem(place, sentence)
            elif is_dataclass(leaf) and id(leaf) not in sound:
                yield from _number_problems(leaf, place, sound)


@cache
def _checked_fields(kind: Any) -> tuple[Field[Any], ...]:
    return tuple(each for each in fields(kind) if "imported" not in each.metadata)


def in_range(value: float) -> bool:
    """Whether a study may hold a number: 0, or one whose ratios stay in the range of floats."""
    return not value or SMALLEST <= abs(value) <= 1 / SMALLEST


def _leaves(value: Any, path: Path) -> Iterator[tuple[Path, Any]]:
    if isinstance(value, tuple):
        for place, item in enumerate(value):
            yield (*path, place), item
    elif isinstance(value, dict):
        for key, item in value.items():
            yield (*path, key), item
    else:
        yield path, value


def _number_sentence(value: float, of: Field[Any]) -> str:
    if not math.isfinite(value):
        return f"{of.name} must be a finite number, not {value}; leave it out where it was not measured"
    least = of.metadata.get("least", 0)
    if least is not None and value < least:
        return f"{of.name} must be {least} or more, not {value}"
    if not in_range(value):
        return f"{of.name} must lie between {SMALLEST:g} and {1 / SMALLEST:g}, not {value}"
    return ""
