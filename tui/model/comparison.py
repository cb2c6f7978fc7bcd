"""What a rule looks at: a row, the baseline, the row it steps up from, and what holds for the table."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property

from tui.model.flags import ORDER, Flag, counted
from tui.model.ratios import Measurement
from tui.model.rows import Row
from tui.model.samples import Placement, Sample, flop_per_unit, placement, work_of, works
from tui.model.study import Experiment, Family, Machine, Run, Work


@dataclass(frozen=True)
class Case:
    """A sample with what the experiment and the machine say of it."""

    sample: Sample
    work: Work | None
    work_declared: bool
    """Whether W was written with any row or for all, not read off batches or taken as D."""
    flop_per_unit: float | None
    place: Placement
    work_counts: bool
    """Whether ratios weigh the work; strong scaling does not, its rows did the same."""

    @property
    def run(self) -> Run:
        """What all runs of the sample share."""
        return self.sample.run

    @cached_property
    def measured(self) -> Measurement[float] | None:
        """Its median time for its work (1 where work does not count); `None` without a time above 0."""
        time = self.sample.time
        work = self.work.amount if self.work and self.work_counts else 1.0
        usable = time and work > 0 and not self.reads_zero
        return Measurement(self.sample.devices, time, work) if time and usable else None

    @property
    def reads_zero(self) -> bool:
        """Whether the clock read 0 for any of its times; then the others prove nothing either."""
        return self.sample.fastest == 0

    @cached_property
    def costed(self) -> Measurement[float] | None:
        """The same with its mean time, which is what it costs."""
        here, time = self.measured, self.sample.mean_time
        return Measurement(here.devices, time, here.work) if here and time else None

    @property
    def arithmetic(self) -> float | None:
        """FLOP on each device for one time."""
        if self.work is None or self.flop_per_unit is None:
            return None
        return self.work.amount * self.flop_per_unit / self.sample.devices


@dataclass(frozen=True)
class Setting:
    """What holds for all rows of a table."""

    experiment: Experiment
    machine: Machine
    devices_constant: bool
    """Whether all of two or more timed rows have the same count."""
    time_step_s: float | None
    """The smallest step between times that the data can show, seconds."""
    targets: Sequence[Experiment]
    """Experiments of the same study that measured the time to a quality target."""

    @property
    def family(self) -> Family:
        """The family that the rows are read as."""
        return self.experiment.family

    @property
    def of(self) -> str:
        """The unit of the counts, for sentences."""
        return self.experiment.counts

    def counted(self, number: int) -> str:
        """A count with its unit, for sentences."""
        return counted(number, self.experiment.counts)


@dataclass(frozen=True)
class Comparison:
    """One row against the baseline; the rows of ratios are there once blocking is decided."""

    here: Case
    base: Case | None
    setting: Setting
    row: Row | None = None
    smaller: Case | None = None
    """The next smaller comparable row of the same domain."""

    @property
    def is_baseline(self) -> bool:
        """Whether the row is the baseline itself."""
        return self.base is not None and self.here.sample is self.base.sample


@dataclass(frozen=True)
class Rule:
    """When a flag is raised: for some families, whenever `says` has a sentence."""

    code: str
    says: Callable[[Comparison], str | None]
    families: tuple[Family, ...] = ("strong", "weak", "model-size")


def raised(rules: Iterable[Rule], about: Comparison) -> tuple[Flag, ...]:
    """The flags that the rules raise, in the order of all codes."""
    family = about.setting.family
    said = ((rule.code, rule.says(about)) for rule in rules if family in rule.families)
    flags = [Flag(code, sentence) for code, sentence in said if sentence]
    return tuple(sorted(flags, key=lambda flag: ORDER[flag.code]))


def cases_of(gathered: Sequence[Sample], experiment: Experiment, machine: Machine) -> tuple[Case, ...]:
    """The samples with their work, arithmetic and place."""
    work = works(gathered, experiment)
    declared = any(work_of(sample.run, experiment) for sample in gathered)
    return tuple(
        Case(
            sample,
            work[place],
            declared,
            flop_per_unit(sample.run, experiment),
            placement(sample.run, experiment, machine),
            work_counts=experiment.family != "strong",
        )
        for place, sample in enumerate(gathered)
    )


def setting_of(
    cases: Sequence[Case], experiment: Experiment, machine: Machine, targets: Sequence[Experiment]
) -> Setting:
    """What holds for the table of these cases."""
    timed = [case for case in cases if case.sample.jobs]
    return Setting(
        experiment=experiment,
        machine=machine,
        devices_constant=len(timed) > 1 and len({case.sample.devices for case in timed}) == 1,
        time_step_s=_time_step(case.sample for case in timed),
        targets=targets,
    )


def _time_step(timed: Iterable[Sample]) -> float | None:
    """The last decimal place that any time uses: data in whole milliseconds cannot show less than one.
    Never more than a second, because round numbers of seconds are no sign of a coarse clock.
    """
    times = {time for sample in timed for time in (sample.fastest, sample.slowest) if time}
    if not times:
        return None
    exponents = (Decimal(repr(float(time))).normalize().as_tuple().exponent for time in times)
    return math.pow(10.0, min(0, *(int(exponent) for exponent in exponents)))
