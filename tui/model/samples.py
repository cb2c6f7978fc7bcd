"""Runs gathered into samples: what was measured at one count, in one layout, on the same work.

A sample is a row before anything is compared. Its jobs are kept apart from the steps inside each job:
the median of a job's steps is one value, and only jobs are ever repeats of each other.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from math import ceil
from operator import attrgetter

from tui.model.spread import mean, median
from tui.model.study import Experiment, Machine, Run, TimeMeans, Work, WorkModel


@dataclass(frozen=True)
class Layout:
    """How a job lay on the machine; with the count it is what tells two rows apart."""

    nodes: int | None = None
    ranks: int | None = None
    threads_per_rank: int | None = None
    dp: int | None = None
    tp: int | None = None
    pp: int | None = None
    cp: int | None = None
    ep: int | None = None
    vpp: int | None = None
    domain: str = ""

    def __str__(self) -> str:
        parts = [
            f"{name.replace('_', ' ')} {value}"
            for name, value in ((each.name, getattr(self, each.name)) for each in fields(self))
            if value is not None and name != "domain"
        ]
        return ", ".join([*parts, self.domain] if self.domain else parts)


_LAYOUT = attrgetter(*(each.name for each in fields(Layout)))
_WORK = attrgetter(
    "work",
    "work_model",
    "time_means",
    "global_batch",
    "micro_batch",
    "accumulation",
    "local_shape",
    "sequence_length",
    "parameters",
    "active_parameters",
    "routing",
)


@dataclass(frozen=True)
class Sample:
    """Everything measured at one count in one layout on one piece of work."""

    run: Run
    """What all runs of the sample share: count, layout, work, batch, shapes."""
    layout: Layout
    jobs: tuple[float, ...]
    """The median time of each completed job, seconds."""
    means: tuple[float, ...]
    """The mean time of each completed job, which is what it costs."""
    steps: int
    """Measured times in all jobs together."""
    fastest: float | None
    slowest: float | None
    runs: tuple[Run, ...]
    """Every run of the sample: failed, awaited and withdrawn ones too, in file order."""
    caused: tuple[float, ...] = ()
    """The median time of each completed job that a cause was written with."""

    @property
    def devices(self) -> int:
        """The count D."""
        return self.run.devices

    @cached_property
    def time(self) -> float | None:
        """T: the median over jobs of each job's median, seconds."""
        return median(self.jobs) if self.jobs else None

    @cached_property
    def mean_time(self) -> float | None:
        """The mean over jobs of each job's mean, seconds."""
        return mean(self.means) if self.means else None

    @cached_property
    def counted(self) -> tuple[Run, ...]:
        """The runs that were not withdrawn."""
        return tuple(run for run in self.runs if not run.withdrawn)

    @cached_property
    def withdrawn(self) -> tuple[Run, ...]:
        """The runs that no longer count."""
        return tuple(run for run in self.runs if run.withdrawn)

    @property
    def memory_gib(self) -> float | None:
        """The highest memory of any counted run, GiB."""
        return max((run.memory_gib for run in self.counted if run.memory_gib is not None), default=None)

    @cached_property
    def stages_s(self) -> dict[str, float]:
        """Seconds of each stage, the median over the counted runs that measured it."""
        names = dict.fromkeys(name for run in self.counted for name in run.stages_s)
        return {
            name: median([run.stages_s[name] for run in self.counted if name in run.stages_s])
            for name in names
        }

    @property
    def cause(self) -> str:
        """Why the efficiency is above one, as written with any of the runs."""
        return next((run.cause for run in self.counted if run.cause), "")


def samples(experiment: Experiment) -> tuple[Sample, ...]:
    """The runs of an experiment as samples, by count and layout; file order decides nothing.

    Runs that did different work are never one sample, even at the same count: a median over two
    batches or two sequence lengths would be the time of neither.
    """
    alike: dict[tuple[object, ...], list[Run]] = {}
    for run in experiment.run:
        alike.setdefault(_key(run), []).append(run)
    gathered = [sample_of(runs, experiment.time_means) for runs in alike.values()]
    return tuple(sorted(gathered, key=_order))


def sample_of(runs: list[Run], time_means: TimeMeans | None = None) -> Sample:
    """One sample of runs that share count, layout and work."""
    counted = [(run, times) for run in runs if (times := job_times(run, time_means))]
    timed = [times for _, times in counted]
    every = [time for times in timed for time in times]
    first = next((run for run in runs if not run.withdrawn), runs[0])
    return Sample(
        run=first,
        layout=layout(first),
        jobs=tuple(median(times) for times in timed),
        means=tuple(mean(times) for times in timed),
        steps=len(every),
        fastest=min(every, default=None),
        slowest=max(every, default=None),
        runs=tuple(runs),
        caused=tuple(median(times) for run, times in counted if run.cause),
    )


def job_times(run: Run, time_means: TimeMeans | None = None) -> tuple[float, ...]:
    """The times of a run that count: none when it did not complete or was withdrawn.

    A run without step times stands with its wall time where one time means the whole job.
    """
    if run.withdrawn or run.status != "completed":
        return ()
    if not run.times_s and run.wall_s is not None and (run.time_means or time_means) == "whole job":
        return (run.wall_s,)
    return run.times_s


def layout(run: Run) -> Layout:
    """The layout of a run, without its count."""
    return Layout(*_LAYOUT(run))


def _key(run: Run) -> tuple[object, ...]:
    return (run.devices, *_LAYOUT(run), *_WORK(run), int(bool(run.skipped_updates)))


def _order(sample: Sample) -> tuple[object, ...]:
    """By count, then by whatever tells the rows apart; absent before present."""
    key = _key(sample.run)
    return (sample.devices, *(("" if part is None else f"{part!s:>20}") for part in key[1:]))


# -------------------------------------------------------------------------------------- work and batch


def work_of(run: Run, experiment: Experiment) -> Work | None:
    """W over all devices as somebody wrote it: with the run, by the work model, or for all runs."""
    if isinstance(run.work, Work):
        return run.work
    declared = experiment.work
    model = model_of(run, experiment)
    if run.work is not None:
        unit = declared or Work(run.work, model.of if model else "")
        return replace(unit, amount=run.work)
    if experiment.family == "weak" and model is not None and model.per_device is not None:
        return Work(model.per_device * run.devices, model.of)
    return declared


def model_of(run: Run, experiment: Experiment) -> WorkModel | None:
    """The work model that a run follows."""
    return run.work_model or experiment.work_model


def works(gathered: Sequence[Sample], experiment: Experiment) -> list[Work | None]:
    """W of every sample, one kind of statement for all of them.

    Where nobody wrote W it is read off the batches, if every sample has one: tokens where all sequence
    lengths are known, else sequences. A weak family without any of these is taken to give each device
    one unit, so that W = D.
    """
    written = [work_of(sample.run, experiment) for sample in gathered]
    if any(written):
        return written
    batches = [global_batch(sample.run, experiment) for sample in gathered]
    lengths = [sample.run.sequence_length for sample in gathered]
    if None not in batches:
        of, each = ("sequences", [1] * len(lengths)) if None in lengths else ("tokens", lengths)
        return [Work((batch or 0) * (length or 0), of) for batch, length in zip(batches, each, strict=True)]
    if experiment.family == "weak":
        return [Work(sample.devices) for sample in gathered]
    return [None] * len(gathered)


def flop_per_unit(run: Run, experiment: Experiment) -> float | None:
    """FLOP of one unit of this run's work; `None` when it depends on a sequence length nobody wrote."""
    model = model_of(run, experiment)
    if model is None or model.flop_per_unit is None:
        return experiment.flop_per_unit
    if not model.flop_per_unit_position:
        return model.flop_per_unit
    if run.sequence_length is None:
        return None
    return model.flop_per_unit + model.flop_per_unit_position * run.sequence_length


def global_batch(run: Run, experiment: Experiment) -> int | None:
    """The global batch as written, else as its local parts give it."""
    return run.global_batch if run.global_batch is not None else batch_of_parts(run, experiment)


def batch_of_parts(run: Run, experiment: Experiment) -> int | None:
    """dp · micro-batch · accumulation.

    Where no degree is given every device is a replica. An absent accumulation means 1 only where no
    global batch says otherwise, which is the default of every training framework.
    """
    accumulation = run.accumulation
    if accumulation is None and run.global_batch is None:
        accumulation = 1
    replicas = run.dp
    if replicas is None and counts_devices(experiment):
        model_parallel = (run.tp or 1) * (run.pp or 1) * (run.cp or 1)
        replicas = run.devices // model_parallel if run.devices % model_parallel == 0 else None
    if replicas is None or run.micro_batch is None or accumulation is None:
        return None
    return replicas * run.micro_batch * accumulation


# -------------------------------------------------------------------------------- places on the machine


def counts_nodes(experiment: Experiment) -> bool:
    """Whether `devices` counts whole nodes."""
    return experiment.counts.strip().lower() in ("node", "nodes")


def counts_devices(experiment: Experiment) -> bool:
    """Whether `devices` counts what a model is laid out over, and not cores, ranks or nodes."""
    word = experiment.counts.strip().lower().rstrip("s")
    return word not in ("node", "core", "rank", "thread", "process", "processe", "mpi process", "mpi task")


def device_count(run: Run, experiment: Experiment, machine: Machine) -> int | None:
    """How many devices a run used, also where its count is nodes; `None` when that is unknown."""
    if not counts_nodes(experiment):
        return run.devices
    return run.devices * machine.devices_per_node if machine.devices_per_node else None


def node_count(run: Run, experiment: Experiment, machine: Machine) -> int | None:
    """How many nodes a run held: as written, counted, or the fewest that its devices fit into."""
    if run.nodes is not None:
        return run.nodes
    if counts_nodes(experiment):
        return run.devices
    return ceil(run.devices / machine.devices_per_node) if machine.devices_per_node else None


@dataclass(frozen=True)
class Placement:
    """The network that a job had to cross: its name, and its rung (`None` when it has no place in a
    ladder, so that two of them can differ but not be ordered).
    """

    name: str
    rung: int | None


def placement(run: Run, experiment: Experiment, machine: Machine) -> Placement:
    """The domain a run was placed in: as written, by the machine's ladder, or one node against several.

    A job spread over more nodes than it fills reaches as far as those nodes do.
    """
    ladder = machine.domains
    if run.domain:
        named = [place for place, domain in enumerate(ladder) if domain.name == run.domain]
        return Placement(run.domain, named[0] if named else None)
    nodes = node_count(run, experiment, machine)
    if not ladder:
        if nodes is None:
            return Placement("", 0)
        return Placement("one node", 0) if nodes == 1 else Placement("several nodes", 1)
    footprint = device_count(run, experiment, machine) or run.devices
    if nodes is not None and nodes > 1 and machine.devices_per_node:
        footprint = max(footprint, nodes * machine.devices_per_node)
    for place, domain in enumerate(ladder):
        if footprint <= domain.devices:
            return Placement(domain.name, place)
    return Placement(f"beyond {ladder[-1].name}", len(ladder))
