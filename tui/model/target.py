"""Time, work and device time to a quality target: what a fast step alone does not promise.

Seeds of one configuration are summarised; a seed that did not reach the target ranks as infinite in its
time and its work, so it is never dropped and never a time. Throughput is the summary of the work over the
summary of the time, which makes system efficiency ÷ work inflation = efficiency to the target an identity.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Literal

from tui.model import ratios
from tui.model.flags import Severity, counted
from tui.model.ratios import Measurement
from tui.model.rows import Table
from tui.model.scaling import table
from tui.model.seeds import Seed, same_batch, seed_of
from tui.model.spread import RatioSpread, of_ratio
from tui.model.study import Experiment, Run, Study

Summary = Literal["median", "mean", "olympic"]

SUMMARIES: Mapping[Summary, str] = {
    "median": "median over the seeds",
    "mean": "mean over the seeds",
    "olympic": "olympic mean over the seeds (fastest and slowest dropped)",
}
"""What each summary is. The olympic mean is that of the MLPerf training rules
(github.com/mlcommons/training_policies, training_rules.adoc, "Benchmark Results").
"""

LEAST: Mapping[Summary, int] = {"median": 1, "mean": 1, "olympic": 3}
"""Seeds that each needs."""
_SAMPLES_PER_MILLION = 10**6


def summarise(values: Sequence[Fraction | None], how: Summary) -> Fraction | None:
    """One number for all seeds, where `None` ranks as infinite; `None` when that is what comes out, or
    when there are fewer seeds than the summary needs.
    """
    if len(values) < LEAST[how]:
        return None
    finite = sorted(value for value in values if value is not None)
    ranked: list[Fraction | None] = [*finite, *[None] * (len(values) - len(finite))]
    half = len(ranked) // 2
    kept = {
        "median": ranked[half - 1 + len(ranked) % 2 : half + 1],
        "mean": ranked,
        "olympic": ranked[1:-1],
    }[how]
    known = [value for value in kept if value is not None]
    return sum(known, Fraction(0)) / len(kept) if len(known) == len(kept) else None


def time_to_target(seeds: Sequence[Seed], how: Summary = "median") -> Fraction | None:
    """Seconds to the target over the seeds; `None` when too many did not reach it."""
    return summarise([seed.time if seed.reached else None for seed in seeds], how)


def work_to_target(seeds: Sequence[Seed], how: Summary = "median") -> Fraction | None:
    """Work to the target over the seeds; `None` likewise, or when the work of a seed is not known."""
    if any(seed.reached and seed.work is None for seed in seeds):
        return None
    return summarise([seed.work if seed.reached else None for seed in seeds], how)


def inflation(base: Measurement[Fraction], here: Measurement[Fraction]) -> Fraction:
    """How much more work the target took than at the baseline, W/W0."""
    return here.work / base.work


@dataclass(frozen=True)
class Remark:
    """What is to be said of one configuration."""

    severity: Severity
    word: str
    """In a word or two, for a narrow column."""
    sentence: str


@dataclass(frozen=True)
class TargetRow:
    """One configuration: what its seeds needed, and that against the baseline's."""

    label: str
    devices: int
    global_batch: int | None
    schedule: str
    seeds: tuple[Seed, ...]
    """Every seed with a result, those that did not reach the target too."""
    waiting: int
    """Runs without a result yet."""
    runs: tuple[Run, ...]
    """Every run of it, in file order; withdrawn ones too, which are no seeds."""
    qualities: tuple[float, ...]
    time: Fraction | None
    """Seconds to the target, summarised; `None` is no time at all."""
    work: Fraction | None
    updates: Fraction | None
    inflation: Fraction | None = None
    """Work to the target against the baseline's."""
    speedup: Fraction | None = None
    """How many times sooner the target was reached than at the baseline."""
    target_efficiency: Fraction | None = None
    """That speedup over D/D0."""
    system_efficiency: Fraction | None = None
    """Throughput per device against the baseline's; inflation times `target_efficiency`."""
    spread: RatioSpread | None = None
    """The spread of the speedup to the target from seed to seed."""
    weak_efficiency: float | None = None
    """What a weak-scaling experiment of the study measured between the same two counts."""
    remarks: tuple[Remark, ...] = ()
    """The gravest first."""

    @property
    def reached(self) -> int:
        """Seeds that reached the target."""
        return sum(seed.reached for seed in self.seeds)

    @property
    def reached_in_words(self) -> str:
        """As "3 of 5 reached"."""
        return f"{self.reached} of {len(self.seeds)} reached"

    def named(self, counts: str) -> str:
        """The configuration for a sentence: `8 GPUs (large batch)`."""
        return counted(self.devices, counts) + (f" ({self.label})" if self.label else "")

    @property
    def measurement(self) -> Measurement[Fraction] | None:
        """Summarised work and time on these devices; `None` unless both are known."""
        if not self.time or not self.work:
            return None
        return Measurement(self.devices, self.time, self.work)

    @property
    def throughput(self) -> Fraction | None:
        """Summarised work over summarised time, units per second."""
        here = self.measurement
        return here.work / here.time if here else None

    @property
    def device_hours(self) -> Fraction | None:
        """Devices times hours to the target."""
        return self.devices * self.time / 3600 if self.time else None

    @property
    def updates_per_million(self) -> Fraction | None:
        """Optimizer updates for a million units of work."""
        return self.updates * _SAMPLES_PER_MILLION / self.work if self.updates and self.work else None

    @property
    def counted(self) -> tuple[Run, ...]:
        """The runs that were not withdrawn."""
        return tuple(run for run in self.runs if not run.withdrawn)

    @property
    def derived(self) -> bool:
        """Whether its time was worked out: summarised over seeds, or updates times the time of one."""
        return len(self.seeds) > 1 or not any(run.time_to_target_s for run in self.counted)

    @property
    def time_range(self) -> tuple[Fraction, Fraction] | None:
        """The fastest and the slowest seed that reached the target."""
        times = [seed.time for seed in self.seeds if seed.reached and seed.time is not None]
        return (min(times), max(times)) if times else None


@dataclass(frozen=True)
class TargetTable:
    """The configurations of one experiment, and which of them the others are compared with."""

    name: str
    counts: str
    summary: Summary
    rows: tuple[TargetRow, ...]
    base: TargetRow | None
    withdrawn: int
    gone: tuple[TargetRow, ...]
    """Configurations of which every run was withdrawn."""
    general: tuple[str, ...]
    """What is to be said of the experiment as a whole."""

    @property
    def notes(self) -> tuple[str, ...]:
        """Everything that is to be said, each of one configuration with its name."""
        return (
            *(f"{row.named(self.counts)}: {each.sentence}" for row in self.rows for each in row.remarks),
            *self.general,
        )


def target_table(experiment: Experiment, how: Summary = "median", beside: Study | None = None) -> TargetTable:
    """The table of a target experiment.

    Args:
        how: the summary over the seeds.
        beside: the study, whose weak-scaling experiments give the weak efficiency of the same pairs.

    Raises:
        ValueError: for an experiment of another family.
    """
    if experiment.family != "target":
        raise ValueError(f"{experiment.name}: a {experiment.family} experiment has no quality target")
    alike: dict[tuple[object, ...], list[Run]] = {}
    for run in experiment.run:
        key = (run.devices, run.global_batch or 0, run.label, run.schedule, run.nodes, run.dp)
        alike.setdefault(key, []).append(run)
    every = [_row(runs, experiment, how) for runs in alike.values()]
    every.sort(key=lambda row: (row.devices, row.global_batch or 0))
    rows = [row for row in every if row.counted]
    base = _base(rows, experiment.baseline)
    weak = _weak_tables(base, beside)
    compared = tuple(_compared(row, base, how, weak) for row in rows)
    return TargetTable(
        name=experiment.name,
        counts=experiment.counts,
        summary=how,
        rows=compared,
        base=compared[rows.index(base)] if base is not None else None,
        withdrawn=sum(bool(run.withdrawn) for run in experiment.run),
        gone=tuple(row for row in every if not row.counted),
        general=tuple(_told_apart(compared, experiment)),
    )


def _row(runs: Sequence[Run], experiment: Experiment, how: Summary) -> TargetRow:
    first = next((run for run in runs if not run.withdrawn), runs[0])
    found = [seed_of(run, experiment) for run in runs if not run.withdrawn]
    seeds = tuple(seed for seed in found if seed is not None)
    row = TargetRow(
        label=first.label,
        devices=first.devices,
        global_batch=first.global_batch,
        schedule=first.schedule,
        seeds=seeds,
        waiting=found.count(None),
        runs=tuple(runs),
        qualities=tuple(run.quality for run in runs if run.quality is not None and not run.withdrawn),
        time=time_to_target(seeds, how),
        work=work_to_target(seeds, how),
        updates=_updates(seeds, how),
    )
    return replace(row, remarks=tuple(_remarks(row, how)))


def _updates(seeds: Sequence[Seed], how: Summary) -> Fraction | None:
    if any(seed.reached and seed.updates is None for seed in seeds):
        return None
    return summarise([seed.updates if seed.reached else None for seed in seeds], how)


def _base(rows: Sequence[TargetRow], written: int | None) -> TargetRow | None:
    """The row at the written count, else at the smallest, whose seeds have a time."""
    timed = [row for row in rows if row.time is not None]
    return next((row for row in timed if row.devices == written), timed[0] if timed else None)


def _compared(row: TargetRow, base: TargetRow | None, how: Summary, weak: Sequence[Table]) -> TargetRow:
    if base is None or not row.time or not base.time:
        return row
    # The work of a plain comparison of times is the same on both sides.
    first, here = (
        Measurement(base.devices, base.time, Fraction(1)),
        Measurement(row.devices, row.time, Fraction(1)),
    )
    row = replace(
        row,
        speedup=ratios.speedup(first, here),
        target_efficiency=ratios.efficiency(first, here),
        spread=_spread(base, row, how) if row is not base else None,
        weak_efficiency=_weak_efficiency(row, weak) if row.devices != base.devices else None,
    )
    first_work, here_work = base.measurement, row.measurement
    if first_work is None or here_work is None:
        return row
    return replace(
        row,
        inflation=inflation(first_work, here_work),
        system_efficiency=ratios.weak_efficiency(first_work, here_work),
    )


def _spread(base: TargetRow, row: TargetRow, how: Summary) -> RatioSpread | None:
    """Of the ratio of medians; none for another summary, or where a seed has no time."""
    if how != "median" or any(seed.time is None for seed in (*base.seeds, *row.seeds)):
        return None
    times = [[float(seed.time) for seed in each.seeds if seed.time] for each in (base, row)]
    return of_ratio(*times)


def _weak_tables(base: TargetRow | None, beside: Study | None) -> list[Table]:
    """The weak-scaling tables of a study that compare with the baseline's count and batch."""
    found: list[Table] = []
    if base is None or beside is None:
        return found
    for experiment in beside.experiment:
        if experiment.family == "weak":
            with suppress(ValueError):
                found.append(table(experiment, beside.machine, baseline=base.devices))
    return [one for one in found if one.baseline and same_batch(_base_run(one), base.runs[0])]


def _base_run(weak: Table) -> Run:
    assert weak.baseline is not None
    return weak.rows[weak.baseline.row].sample.run


def _weak_efficiency(row: TargetRow, weak: Sequence[Table]) -> float | None:
    """E of the same two counts and batches in a weak-scaling experiment; the first that has them."""
    for other in (each for one in weak for each in one.rows):
        alike = same_batch(other.sample.run, row.runs[0])
        if other.devices == row.devices and alike and other.efficiency is not None:
            return other.efficiency
    return None


def _remarks(row: TargetRow, how: Summary) -> Iterator[Remark]:
    if row.seeds and row.reached < len(row.seeds):
        none = "" if row.time else f", so it has no {how} time"
        yield Remark(
            "warns" if row.time else "blocks",
            f"{row.reached} of {len(row.seeds)}",
            f"{row.reached_in_words}; a seed that did not ranks as infinite{none}",
        )
    elif row.seeds and len(row.seeds) < LEAST[how]:
        yield Remark(
            "blocks",
            f"< {LEAST[how]} seeds",
            f"the olympic mean drops the fastest and the slowest seed and needs {LEAST[how]}, "
            f"not {len(row.seeds)}",
        )
    if row.waiting:
        runs = "1 run has" if row.waiting == 1 else f"{row.waiting} runs have"
        yield Remark(
            "warns" if row.seeds else "blocks",
            "waiting",
            f"{runs} no time to the target above 0 yet (time_to_target_s, or updates, times_s)",
        )
    if row.time and row.work is None:
        yield Remark(
            "warns",
            "no work",
            "the work to the target is not written, so no throughput and no inflation",
        )


def _told_apart(rows: Sequence[TargetRow], experiment: Experiment) -> Iterator[str]:
    if any(len(row.seeds) == 1 for row in rows):
        yield "one seed says nothing about the next: there is no spread where only one was run"
    batches = list(dict.fromkeys(str(row.global_batch) for row in rows if row.global_batch))
    if len(batches) > 1:
        yield (
            f"the global batch differs ({', '.join(batches)}): another optimization trajectory, "
            "whatever a step takes"
        )
    stepped = any(run.updates and run.times_s and not run.time_to_target_s for run in experiment.run)
    if stepped and experiment.time_means is None:
        yield "times without time_to_target_s are taken as those of one update (time_means is not written)"
