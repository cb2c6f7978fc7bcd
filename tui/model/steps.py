"""What was measured of the parts of a step, count by count: the input of every question about limits.

One point for each count, made of the rows that the tables would compare; what they block or cannot
compare is left out and named. Numbers typed in decimals become exact fractions here, so that sums and
differences come out as a person would reckon them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from math import ceil

from tui.model.flags import counted
from tui.model.laws import BUBBLE_OF, Number, Place, Unfit, bubble_share, exact
from tui.model.path import Graph, NoPath, Timing
from tui.model.rows import Row, Table
from tui.model.samples import counts_devices, counts_nodes, global_batch, job_times, node_count
from tui.model.scaling import table
from tui.model.study import Domain, Experiment, Family, Machine, Run, Stage

GRID = ("communication", "input", "bubble", "kernel", "rank_tail", "host", "wait")
"""The names of stages that are asked for at every count; all other names are free."""

Counts = Mapping[str, Number]
"""What a law may run over at one count: devices, nodes, ranks, parallel degrees, micro_batches."""

_GROWING = ("devices", "nodes", "ranks", "dp")
_NO_MACHINE = Machine()


@dataclass(frozen=True)
class Point:
    """One count: its step and the exposed seconds of each stage that was measured there."""

    devices: int
    time: Number
    """T, the median over jobs, seconds."""
    seconds: Mapping[str, Number]
    counts: Counts = field(default_factory=dict)
    jobs: tuple[Mapping[str, Number], ...] = ()
    """The stages of each job that measured any."""
    questioned: bool = False
    """Whether its efficiency is above one and nobody has said why."""
    network: str = ""


@dataclass(frozen=True)
class Steps:
    """One experiment as stages and points, by ascending count."""

    stages: tuple[Stage, ...]
    points: tuple[Point, ...]
    family: Family = "strong"
    of: str = "device"
    """What the counts count."""
    base: int | None = None
    """D0, the count that the tables compare with."""
    planned: Mapping[int, Counts] = field(default_factory=dict)
    """Layouts of the runs that wait for their time."""
    left_out: Mapping[int, str] = field(default_factory=dict)
    """Counts that have runs but no point, each with the reason."""
    ladder: tuple[Domain, ...] = ()
    """The ladder of networks, in the unit of the counts."""
    notes: tuple[str, ...] = ()

    @cached_property
    def graph(self) -> Graph:
        """The dependency graph.

        Raises:
            NoPath: when there is no stage, or the edges cannot be meant.
        """
        if not self.stages:
            raise NoPath("no stage is measured: enter the seconds of the parts of each step (stages_s)")
        return Graph(self.stages)

    def point(self, devices: int) -> Point:
        """What was measured at a count.

        Raises:
            NoPath: when nothing was, or nothing that may be compared.
        """
        for point in self.points:
            if point.devices == devices:
                return point
        if devices in self.left_out:
            raise NoPath(f"{counted(devices, self.of)}: {self.left_out[devices]}")
        listed = ", ".join(str(point.devices) for point in self.points) or "none"
        raise NoPath(f"no completed run with {counted(devices, self.of)}; there are runs with {listed}")

    def has(self, devices: int) -> bool:
        """Whether a count was measured."""
        return any(point.devices == devices for point in self.points)

    def without(self, devices: int) -> Steps:
        """The same before that count was measured; its layout stays known."""
        known = {point.devices: point.counts for point in self.points if point.devices == devices}
        kept = tuple(point for point in self.points if point.devices != devices)
        return replace(self, points=kept, planned={**self.planned, **known})

    def missing(self, devices: int) -> tuple[str, ...]:
        """The stages of the path that were not measured at a measured count."""
        seconds = self.point(devices).seconds
        return tuple(stage.name for stage in self.stages if stage.name not in seconds)

    def measured(self, devices: int) -> Timing:
        """The longest path through the seconds measured at a count.

        Raises:
            NoPath: when a stage was not measured there: the limit is then unknown, not guessed.
        """
        graph, missing = self.graph, self.missing(devices)
        if missing:
            raise NoPath(f"limit unknown: {', '.join(missing)} not measured at {devices}")
        return graph.timing(self.point(devices).seconds)

    def remainder(self, devices: int) -> Number:
        """The measured step less the longest path: what no stage explains; below 0 where stages exceed it."""
        return self.point(devices).time - self.measured(devices).total

    def grid(self) -> Mapping[str, Mapping[int, bool]]:
        """For each name that is asked for, the counts and whether it was measured there."""
        return {name: {point.devices: name in point.seconds for point in self.points} for name in GRID}

    def counts_at(self, devices: int) -> Counts:
        """What laws run over at any count: as measured, as planned, else as the measured layouts go on.

        Degrees that were the same at all counts stay; replicas, nodes and ranks grow with the devices;
        micro-batches of a fixed global batch shrink as the replicas grow.
        """
        known: Counts = self.planned.get(devices, {})
        if self.has(devices):
            known = self.point(devices).counts
        elif devices not in self.planned and self.points:
            known = _continued(self.points, devices)
        return {"devices": Fraction(devices), **known}

    def place(self, stage: Stage, devices: int, seconds: Mapping[str, Number]) -> Place:
        """Where the law of a stage is asked at a count; `seconds` are those of the other stages there.

        Raises:
            Unfit: when the layout of that count is not known well enough.
        """
        counts, variable = self.counts_at(devices), stage.of or "devices"
        here = counted(devices, self.of)
        if variable not in counts:
            raise Unfit(
                f"{stage.name} runs over {variable}, which is not known at {here}: "
                "enter a run with its layout, whose time may wait"
            )
        if stage.law != "bubble":
            return Place(counts[variable])
        for name, words in (("pp", "pp"), ("micro_batches", "accumulation or global and micro-batch")):
            if name not in counts:
                raise Unfit(
                    f"{stage.name} follows the law bubble, and {words} is not known at {here}: "
                    "enter a run with its layout, whose time may wait"
                )
        if BUBBLE_OF not in seconds:
            raise Unfit(f"{stage.name} is a share of the stage {BUBBLE_OF!r}, unknown at {here}")
        share = bubble_share(counts["pp"], counts["micro_batches"], counts.get("vpp", Fraction(1)))
        return Place(counts[variable], share * seconds[BUBBLE_OF])

    def network(self, devices: int) -> str:
        """The smallest network that reaches so many devices; empty without a ladder."""
        for rung in self.ladder:
            if devices <= rung.devices:
                return rung.name
        return f"beyond {self.ladder[-1].name}" if self.ladder else ""


def _continued(points: Sequence[Point], devices: int) -> Counts:
    last = points[-1].counts
    factor = Fraction(devices) / points[-1].devices
    counts: dict[str, Number] = {}
    for name, value in last.items():
        if name in _GROWING:
            counts[name] = Fraction(ceil(value * factor)) if name == "nodes" else value * factor
        elif all(point.counts.get(name) == value for point in points):
            counts[name] = value
        elif name == "micro_batches" and "dp" in last:
            fed = {point.counts.get("dp", 0) * point.counts.get(name, 0) for point in points}
            if len(fed) == 1:
                counts[name] = value / factor
    return counts


# --------------------------------------------------------------------------------------- from a study


def steps_of(experiment: Experiment, machine: Machine = _NO_MACHINE) -> Steps:
    """The steps of an experiment's comparable rows.

    Raises:
        NoPath: for an experiment of the target family, whose runs are whole trainings.
    """
    if experiment.family == "target":
        raise NoPath(f"{experiment.name}: time to a quality target has no path of stages")
    rows = table(experiment, machine)
    chosen, left_out, notes = _one_row_per_count(rows, [stage.name for stage in experiment.stages])
    points = tuple(_point(row, experiment, machine) for row in chosen)
    stages, said = _stages(experiment, points)
    return Steps(
        stages=stages,
        points=points,
        family=experiment.family,
        of=experiment.counts,
        base=rows.baseline.devices if rows.baseline else None,
        planned=_planned(experiment, machine),
        left_out=left_out,
        ladder=_ladder(experiment, machine),
        notes=(*said, *notes),
    )


def _one_row_per_count(rows: Table, names: Sequence[str]) -> tuple[list[Row], dict[int, str], list[str]]:
    """The row that stands for each count: with most stages measured, then the fastest."""
    by_count: dict[int, list[Row]] = {}
    left_out: dict[int, str] = {}
    for row in rows.rows:
        if row.comparable and row.time_s:
            by_count.setdefault(row.devices, []).append(row)
        else:
            left_out.setdefault(row.devices, _why_not(row))
    notes = []
    chosen = []
    for devices, alike in by_count.items():
        left_out.pop(devices, None)
        row = min(alike, key=lambda row: (-sum(n in row.sample.stages_s for n in names), row.time_s or 0))
        chosen.append(row)
        if len(alike) > 1:
            layout = f" ({row.layout})" if row.layout else ""
            notes.append(
                f"{counted(devices, rows.counts)}: {len(alike)} rows; the one with most stages, then the "
                f"fastest, is taken{layout}"
            )
    return chosen, left_out, notes


def _why_not(row: Row) -> str:
    blocks = [flag for flag in row.flags if flag.severity == "blocks"]
    if blocks:
        return f"{blocks[0].code}: {blocks[0].sentence}"
    if row.time_s == 0:
        return "its time is 0 s, below what the timer shows, so it has no ratio"
    return "no other row that it could be compared with has a time"


def _point(row: Row, experiment: Experiment, machine: Machine) -> Point:
    jobs = tuple(
        {name: exact(value) for name, value in run.stages_s.items()}
        for run in row.sample.counted
        if run.stages_s and job_times(run, experiment.time_means)
    )
    return Point(
        devices=row.devices,
        time=exact(row.time_s or 0),
        seconds={name: exact(value) for name, value in row.sample.stages_s.items()},
        counts=_counts(row.sample.run, experiment, machine),
        jobs=jobs,
        questioned="above-one-unexplained" in row.codes,
        network=row.place.name,
    )


def _counts(run: Run, experiment: Experiment, machine: Machine) -> Counts:
    """The values of everything that a law may run over, where they are known."""
    degrees = (run.tp or 1) * (run.pp or 1) * (run.cp or 1)
    replicas = Fraction(run.devices, degrees) if counts_devices(experiment) else None
    dp = Fraction(run.dp) if run.dp else replicas
    micro: Number | None = Fraction(run.accumulation) if run.accumulation else None
    batch = global_batch(run, experiment)
    if micro is None and batch and dp and run.micro_batch:
        micro = Fraction(batch) / (dp * run.micro_batch)
    known = {
        "devices": run.devices,
        "nodes": node_count(run, experiment, machine),
        "ranks": run.ranks,
        "dp": dp,
        "tp": run.tp,
        "pp": run.pp,
        "cp": run.cp,
        "ep": run.ep,
        "vpp": run.vpp,
        "micro_batches": micro,
    }
    return {name: Fraction(value) for name, value in known.items() if value is not None}


def _stages(experiment: Experiment, points: Sequence[Point]) -> tuple[tuple[Stage, ...], list[str]]:
    """The stages as declared, and those that runs measured besides."""
    declared = experiment.stages
    names = {stage.name for stage in declared}
    others = [name for name in dict.fromkeys(n for p in points for n in p.seconds) if name not in names]
    chain = not any(stage.after for stage in declared)
    if chain:
        declared = (*declared, *(Stage(name) for name in others))
    if not declared:
        return (), []
    notes = []
    if chain and len(declared) > 1:
        order = " → ".join(stage.name for stage in declared)
        notes.append(f"no stage says what it comes after: they are taken as one chain, {order}")
    elif others and not chain:
        notes.append(f"measured, but no part of the path because it is not in `stages`: {', '.join(others)}")
    assumed = [stage.name for stage in declared if stage.law is None]
    if assumed:
        notes.append(f"no law is written for {', '.join(assumed)}: assumed to be fixed")
    return declared, notes


def _planned(experiment: Experiment, machine: Machine) -> dict[int, Counts]:
    waiting = (run for run in experiment.run if not run.withdrawn and not run.times_s)
    return {run.devices: _counts(run, experiment, machine) for run in waiting}


def _ladder(experiment: Experiment, machine: Machine) -> tuple[Domain, ...]:
    per_count = machine.devices_per_node if counts_nodes(experiment) else 1
    if not per_count:
        return ()
    return tuple(Domain(rung.name, rung.devices // per_count) for rung in machine.domains)
