"""The spread of the jobs carried through to a predicted time.

Each draw takes jobs at every count, summarises their stages, finds the laws again and predicts again: a
job keeps its stages together, because what delays one of them often delays others. From 5 jobs at every
count that is the percentile bootstrap (Efron, "Bootstrap methods: another look at the jackknife", Annals
of Statistics 7(1), 1979); with fewer only the range over single jobs is given, without a percentage.
"""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from tui.model.laws import Number, Unfit
from tui.model.predict import Forecast, fits, stage_seconds
from tui.model.spread import JOBS_FOR_INTERVAL, LEVEL, RatioSpread, median
from tui.model.steps import Point, Steps

DRAWS = 500
"""Draws of a bootstrap; also the most combinations of single jobs that are tried."""

_SEED = 1979

Seconds = Mapping[str, Number]


def carried(made: Forecast) -> RatioSpread:
    """Where the predicted time may lie, given how the jobs at each count differ.

    `jobs` is the smallest number of jobs with stages at any count; with one nothing is known.
    """
    points = made.steps.points
    jobs = min((len(point.jobs) for point in points), default=0)
    if jobs < 2:
        return RatioSpread("none", jobs)
    enough = jobs >= JOBS_FOR_INTERVAL
    draws = _resampled(points) if enough else _combined(points)
    times = sorted(_times(made, draws))
    if not times:
        return RatioSpread("none", jobs)
    if not enough:
        return RatioSpread("range", jobs, times[0], times[-1])
    tail = (1 - LEVEL) / 2
    low = times[math.floor(tail * (len(times) - 1))]
    high = times[math.ceil((1 - tail) * (len(times) - 1))]
    return RatioSpread("interval", jobs, low, high)


def _times(made: Forecast, draws: Iterator[tuple[Seconds, ...]]) -> Iterator[float]:
    """The predicted time of each draw; a draw that some law cannot meet has none."""
    steps = made.steps
    for draw in draws:
        points = tuple(
            replace(point, seconds={**point.seconds, **seconds})
            for point, seconds in zip(steps.points, draw, strict=True)
        )
        drawn = Steps(steps.stages, points, steps.family, steps.of, planned=steps.planned)
        try:
            seconds = stage_seconds(drawn, fits(drawn), made.devices)
        except Unfit:
            continue
        yield float(steps.graph.timing(seconds).total)


def _resampled(points: Sequence[Point]) -> Iterator[tuple[Seconds, ...]]:
    """Jobs of each count drawn with replacement, each stage at its median."""
    source = random.Random(_SEED)  # the same study gives the same interval
    jobs = [[_floats(job) for job in point.jobs] for point in points]
    for _ in range(DRAWS):
        yield tuple(_medians(source.choices(each, k=len(each))) for each in jobs)


def _combined(points: Sequence[Point]) -> Iterator[tuple[Seconds, ...]]:
    """One job of each count, in all combinations or, where they are too many, in a sample of them."""
    jobs = [[_floats(job) for job in point.jobs] for point in points]
    if math.prod(map(len, jobs)) <= DRAWS:
        yield from itertools.product(*jobs)
        return
    source = random.Random(_SEED)
    for _ in range(DRAWS):
        yield tuple(source.choice(each) for each in jobs)


def _floats(job: Seconds) -> dict[str, float]:
    return {name: float(value) for name, value in job.items()}


def _medians(jobs: Sequence[Mapping[str, float]]) -> dict[str, float]:
    names = dict.fromkeys(name for job in jobs for name in job)
    return {name: median([job[name] for job in jobs if name in job]) for name in names}
