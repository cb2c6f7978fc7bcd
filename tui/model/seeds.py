"""One training run towards a quality target: what it says of time, work and updates.

A seed that did not reach the target ranks as infinite; it is never dropped and never a time.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from tui.model.laws import exact
from tui.model.samples import job_times
from tui.model.spread import median
from tui.model.study import Experiment, Run


@dataclass(frozen=True)
class Seed:
    """One training run towards the target."""

    time: Fraction | None
    """Seconds to the target; `None` where it was not reached, which ranks as infinite."""
    work: Fraction | None
    """Work to the target, the same unit everywhere; `None` likewise, and where nobody wrote it."""
    updates: Fraction | None = None
    reached: bool = True


def seed_of(run: Run, experiment: Experiment) -> Seed | None:
    """What one run says of the target; `None` while it has no result.

    Where they are not written, the time is updates times the median time of one update, and the work is
    updates times the global batch.
    """
    failed = run.status != "completed" and run.time_to_target_s is None
    if run.reached is False or (run.reached is None and failed):
        return Seed(None, None, reached=False)
    updates = exact(run.updates) if run.updates else None
    time = exact(run.time_to_target_s) if run.time_to_target_s else _stepped(run, experiment)
    work = exact(run.work_to_target) if run.work_to_target else None
    if work is None and updates and run.global_batch:
        work = updates * run.global_batch
    return Seed(time, work, updates) if time else None


def _stepped(run: Run, experiment: Experiment) -> Fraction | None:
    means = run.time_means or experiment.time_means
    steps = job_times(run, means)
    if means not in ("one update", None) or not run.updates or not steps:
        return None
    return run.updates * exact(median(steps))


def medians_to_target(
    targets: Sequence[Experiment], first: Run, second: Run
) -> tuple[float, float, Experiment] | None:
    """Median seconds to the target at the counts and batches of two runs, infinite where half of the
    seeds did not reach it, from the first experiment that has both; `None` where none has.
    """
    for experiment in targets:
        here = [_times(experiment, run) for run in (first, second)]
        if all(here):
            return median(here[0]), median(here[1]), experiment
    return None


def _times(experiment: Experiment, like: Run) -> list[float]:
    found = [
        seed_of(run, experiment)
        for run in experiment.run
        if not run.withdrawn and run.devices == like.devices and same_batch(run, like)
    ]
    return [math.inf if seed.time is None else float(seed.time) for seed in found if seed is not None]


def same_batch(one: Run, other: Run) -> bool:
    """Whether two runs may have the same global batch; one that is not written contradicts none."""
    return None in (one.global_batch, other.global_batch) or one.global_batch == other.global_batch
