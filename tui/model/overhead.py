"""What does not shrink, and what waits for the slowest: host overhead, and balance between the ranks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from tui.model.flags import seconds as in_seconds
from tui.model.laws import Fit, Number, exact
from tui.model.path import NoPath
from tui.model.predict import Forecast, timing_at
from tui.model.samples import job_times
from tui.model.spread import median
from tui.model.steps import Steps
from tui.model.study import HOST, Experiment, Run, TimeMeans

POP_SOURCE = "POP metrics, co-design.pop-coe.eu/metrics"
POP_DEFINITIONS: Mapping[str, str] = {
    "load_balance": "mean useful seconds of the ranks / those of the busiest",
    "communication_efficiency": "useful seconds of the busiest rank / the step",
    "parallel_efficiency": "load balance · communication efficiency",
}
"""What the three numbers of `Balance` are, after `POP_SOURCE`."""


def overhead_share(steps: Steps, devices: int, stage: str = HOST) -> Number:
    """The share of the path that a fixed overhead takes at a measured or predicted count.

    Raises:
        NoPath, Unfit: when the path is not known there, or has no such stage.
    """
    timing = timing_at(steps, devices)
    if stage not in timing.seconds:
        raise NoPath(f"no stage is called {stage!r}, so its share is not known")
    return timing.seconds[stage] / timing.total if timing.total else Fraction(0)


def speedup_limit(made: Forecast, base: int) -> Number | None:
    """The most that any number of devices can be faster than `base`, T(D0) over what the path comes to.

    `None` when a law grows without end or cannot be followed: then more devices slow the step down some
    day, and there is no such limit.
    """
    ends: dict[str, Number] = {}
    for stage in made.steps.stages:
        end = _end(made.fits[stage.name], stage.of)
        if end is None:
            return None
        ends[stage.name] = end
    total = made.steps.graph.timing(ends).total
    return made.steps.point(base).time / total if total > 0 else None


def _end(law: Fit, variable: str | None) -> Number | None:
    # Degrees of model parallelism do not grow with the devices by themselves.
    return law.limit if variable in (None, "devices", "nodes", "ranks", "dp") or law.law == "fixed" else None


@dataclass(frozen=True)
class Balance:
    """How evenly and how fully the ranks of one job were busy; `POP_DEFINITIONS` says what each number is."""

    ranks: int
    load_balance: Number
    communication_efficiency: Number
    parallel_efficiency: Number
    largest_over_mean: Number
    """How much longer than the mean rank the others wait for, 1 for perfect balance."""


def balance(busy: Sequence[Number], time: Number) -> Balance:
    """Load balance, communication and parallel efficiency of the useful seconds of each rank in one step.

    Raises:
        ValueError: in one sentence, when the seconds cannot be those of that step.
    """
    if len(busy) < 2:
        raise ValueError(f"balance needs the useful seconds of at least two ranks, not {len(busy)}")
    largest, total = max(busy), sum(busy, Fraction(0))
    if largest <= 0:
        raise ValueError("no rank was busy: its useful seconds are all 0")
    if largest > time:
        raise ValueError(
            f"the busiest rank worked {in_seconds(float(largest))} in a step of {in_seconds(float(time))}: "
            "busy_s and times_s must mean the same step"
        )
    mean = total / len(busy)
    return Balance(len(busy), mean / largest, largest / time, mean / time, largest / mean)


def balance_of(run: Run, time_means: TimeMeans | None = None) -> Balance | None:
    """The balance of one job, from its `busy_s`; `None` where it has none or no time.

    Raises:
        ValueError: in one sentence, when there is not one value for each rank, and as `balance`.
    """
    times = job_times(run, time_means)
    if not run.busy_s or not times:
        return None
    if run.ranks is not None and len(run.busy_s) != run.ranks:
        raise ValueError(f"busy_s has {len(run.busy_s)} values for {run.ranks} ranks: one for each is needed")
    return balance([exact(each) for each in run.busy_s], exact(median(times)))


def balances(experiment: Experiment) -> dict[int, Balance | str]:
    """The balance of the last job with `busy_s` at each count, or why there is none, in one sentence."""
    found: dict[int, Balance | str] = {}
    for run in experiment.run:
        if run.withdrawn:
            continue
        try:
            here: Balance | str | None = balance_of(run, experiment.time_means)
        except ValueError as error:
            here = str(error)
        if here is not None:
            found[run.devices] = here
    return found
