"""What a scaling table says: its rows, its baseline, its flags, and which points a line may join.

Nothing here computes; `scaling` builds these, writers and widgets read them. Absent is `None`: a number
that cannot be known, or that must not be given because a flag blocks the comparison.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from tui.model.flags import Flag
from tui.model.samples import Placement, Sample
from tui.model.spread import RatioSpread
from tui.model.study import Domain, Family, Run, Work

COUNTS_FOR_A_TREND = 3
"""Fewer counts in one domain are never joined by a line."""


@dataclass(frozen=True)
class Row:
    """One count in one layout: what was measured, and what that is against the baseline."""

    sample: Sample
    place: Placement
    time_s: float | None = None
    """T, the median over jobs of each job's median."""
    time_min_s: float | None = None
    time_max_s: float | None = None
    time_mean_s: float | None = None
    device_seconds: float | None = None
    """D times the mean time."""
    charged_hours: float | None = None
    """Device-hours billed for one time, whole nodes where nodes are billed."""
    price: float | None = None
    work: Work | None = None
    rate: float | None = None
    """W/T, units of work per second."""
    flops_per_device: float | None = None
    """Achieved FLOP/s per device."""
    peak_share: float | None = None
    arithmetic_per_device: float | None = None
    """FLOP on each device for one time, by the work model."""
    memory_share: float | None = None
    """Memory of the fullest device over what it has."""
    largest_stage: str = ""

    comparable: bool = False
    """Whether the ratios below are given; they are all absent otherwise."""
    ideal: float | None = None
    """D/D0, the resource-proportional speedup."""
    speedup: float | None = None
    efficiency: float | None = None
    spread: RatioSpread | None = None
    """The spread of the efficiency from job to job; none for the baseline itself."""
    per_doubling: float | None = None
    """The factor in work per second per doubling of D, from the next smaller comparable row of the
    same domain."""
    relative_cost: float | None = None
    """Device time for the same work (weak: for a unit of work) against the baseline's."""
    karp_flatt: float | None = None
    scaled_speedup: float | None = None
    arithmetic_ratio: float | None = None
    """Arithmetic per device against the baseline's."""
    efficiency_by_arithmetic: float | None = None
    """Achieved FLOP/s per device against the baseline's."""
    flags: tuple[Flag, ...] = ()

    @property
    def devices(self) -> int:
        """The count D."""
        return self.sample.devices

    @property
    def layout(self) -> str:
        """Nodes, ranks, threads, parallel degrees and domain in words; empty when nothing is known."""
        return str(self.sample.layout)

    @property
    def jobs(self) -> int:
        """Completed jobs behind T."""
        return len(self.sample.jobs)

    @property
    def steps(self) -> int:
        """Measured times in all those jobs together."""
        return self.sample.steps

    @property
    def runs(self) -> tuple[Run, ...]:
        """Every run of this row, also those that do not count."""
        return self.sample.runs

    @property
    def work_per_device(self) -> float | None:
        """W/D."""
        return self.work.amount / self.devices if self.work else None

    @property
    def rate_per_device(self) -> float | None:
        """W/T per device."""
        return self.rate / self.devices if self.rate is not None else None

    @property
    def efficiency_interval(self) -> tuple[float, float] | None:
        """The 95 % interval of the efficiency, from 5 jobs on each side."""
        return _bounds(self.spread, "interval")

    @property
    def efficiency_range(self) -> tuple[float, float] | None:
        """The range of the efficiency over all pairs of jobs, for 2 to 4 of them."""
        return _bounds(self.spread, "range")

    @property
    def blocked(self) -> bool:
        """Whether a flag stands against comparing this row."""
        return any(flag.severity == "blocks" for flag in self.flags)

    @property
    def codes(self) -> tuple[str, ...]:
        """The codes of the flags, what blocks first."""
        return tuple(flag.code for flag in self.flags)


def _bounds(spread: RatioSpread | None, kind: str) -> tuple[float, float] | None:
    if spread is None or spread.kind != kind or spread.low is None or spread.high is None:
        return None
    return spread.low, spread.high


@dataclass(frozen=True)
class Baseline:
    """The row that all others are compared with, and why it is that one."""

    devices: int
    kind: str
    """best serial, one device, smallest feasible, or chosen by hand."""
    chosen: str
    """How it was chosen, in words."""
    time_s: float
    row: int
    """Its place in the table's rows."""


@dataclass(frozen=True)
class Table:
    """One experiment as a table; rows by ascending count, the baseline among them."""

    family: Family
    name: str
    counts: str
    """What the counts count: GPU, node, core, rank."""
    work: str
    """W or the work model, in words; what one time means stands in `time_means`."""
    time_means: str
    baseline: Baseline | None
    rows: tuple[Row, ...]
    flags: tuple[Flag, ...]
    """What is to be said of the table as a whole."""
    boundaries: tuple[Domain, ...]
    """The rungs of the ladder of networks that lie between the counts of this table."""
    withdrawn: int
    """Runs that were withdrawn, in all rows together."""

    @property
    def codes(self) -> tuple[str, ...]:
        """The codes of the flags of the table as a whole."""
        return tuple(flag.code for flag in self.flags)

    @property
    def shared_noise(self) -> str:
        """What is to be said under the spreads; empty where none is shown."""
        if self.baseline is None or not any(row.spread and row.spread.low is not None for row in self.rows):
            return ""
        jobs = self.rows[self.baseline.row].jobs
        return f"All rows share the noise of the baseline's {jobs} jobs: their spreads are not independent."

    @property
    def trends(self) -> tuple[tuple[int, ...], ...]:
        """Places of the rows that a line may join: comparable ones of one domain and one sequence
        length, at three counts or more. Nothing is joined across a boundary, and two counts are never a
        trend.
        """
        joined: dict[object, list[int]] = {}
        for place, row in enumerate(self.rows):
            if row.efficiency is not None:
                joined.setdefault((row.place, row.sample.run.sequence_length), []).append(place)
        single = (tuple(self._one_per_count(places)) for places in joined.values())
        return tuple(places for places in single if len(places) >= COUNTS_FOR_A_TREND)

    def _one_per_count(self, places: Iterable[int]) -> Iterator[int]:
        """Where one count stands in several layouts, the line goes through the most efficient."""
        best: dict[int, int] = {}
        for place in places:
            row = self.rows[place]
            other = best.setdefault(row.devices, place)
            if (self.rows[other].efficiency or 0) < (row.efficiency or 0):
                best[row.devices] = place
        return iter(best.values())
