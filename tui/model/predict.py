"""What the laws of the stages say about a count that was not measured: its step, its limit, its slack.

A prediction is the longest path through what each law gives. Runs at the predicted count itself never
take part, so that the same question has the same answer before and after it was measured.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from tui.model.flags import counted
from tui.model.flags import seconds as in_seconds
from tui.model.laws import BUBBLE_OF, LAWS, Fit, Measured, Number, Unfit, fit, free_parameters
from tui.model.path import NoPath, Timing
from tui.model.quantity import format_number
from tui.model.steps import Steps
from tui.model.study import HOST

REACH = 4096
"""The limit is followed up to so many times the largest measured count."""

COUNTS_FOR_A_LINE = 3
"""As in the tables: two counts are no trend."""


@dataclass(frozen=True)
class Change:
    """The smallest count, above all measured ones, at which another stage is the limit."""

    devices: int
    before: str
    after: str


@dataclass(frozen=True)
class Forecast:
    """The step at one count, as the laws have it."""

    steps: Steps
    """What it was made from: everything measured at other counts."""
    devices: int
    timing: Timing
    fits: Mapping[str, Fit]

    @property
    def time(self) -> Number:
        """Seconds of the longest path."""
        return self.timing.total

    @property
    def limit(self) -> str:
        """The largest stage on that path."""
        return self.timing.limit

    @cached_property
    def change(self) -> Change | None:
        """Where the limit changes hands next; `None` when it does not within `REACH`."""
        return _change(self.steps, self.fits)

    @cached_property
    def notes(self) -> tuple[str, ...]:
        """What has to be known before the number is believed, each one sentence."""
        return (*self.steps.notes, *_notes(self))


def fits(steps: Steps) -> dict[str, Fit]:
    """The law of every stage through the measured counts.

    Raises:
        Unfit: when one cannot be found.
    """
    found = {}
    for stage in steps.stages:
        measured = [
            Measured(
                point.devices,
                steps.place(stage, point.devices, point.seconds),
                point.seconds[stage.name],
                point.questioned,
            )
            for point in steps.points
            if stage.name in point.seconds
        ]
        found[stage.name] = fit(stage, measured)
    return found


def stage_seconds(steps: Steps, laws: Mapping[str, Fit], devices: int) -> dict[str, Number]:
    """The seconds of every stage at a count by its law; the compute stage first, bubbles follow it.

    Raises:
        Unfit: when a law gives less than 0 s, or the layout there is not known well enough.
    """
    found: dict[str, Number] = {}
    for stage in sorted(steps.stages, key=lambda stage: stage.name != BUBBLE_OF):
        found[stage.name] = laws[stage.name].at(steps.place(stage, devices, found))
    return found


def forecast(steps: Steps, devices: int) -> Forecast:
    """Predict one count from all others.

    Raises:
        NoPath: when fewer than two counts were measured and a law rests on them, or there is no stage.
        Unfit: when a law cannot be found or used.
    """
    if devices < 1:
        raise NoPath(f"a count is 1 or more, not {devices}")
    others = steps.without(devices)
    graph = others.graph
    if len(others.points) < 2 and any(free_parameters(stage) for stage in others.stages):
        only = others.points[0].devices if others.points else "no count"
        raise NoPath(
            f"only {only} was measured besides {devices}: one count says nothing about how a stage changes; "
            "measure another"
        )
    laws = fits(others)
    return Forecast(others, devices, graph.timing(stage_seconds(others, laws, devices)), laws)


def timing_at(steps: Steps, devices: int) -> Timing:
    """The longest path at a count: through what was measured there, else through what the laws give.

    Raises:
        NoPath, Unfit: as `Steps.measured` and `forecast`.
    """
    if steps.has(devices):
        return steps.measured(devices)
    return forecast(steps, devices).timing


def path_time(steps: Steps, devices: int) -> Number:
    """Seconds of the longest path at a measured or predicted count; raises as `timing_at`."""
    return timing_at(steps, devices).total


def slack(steps: Steps, devices: int, stage: str) -> Number:
    """Seconds by which a stage may grow at a count before the step does; raises as `timing_at`.

    Raises:
        NoPath: also for a stage that does not exist.
    """
    found = timing_at(steps, devices).slack
    if stage not in found:
        raise NoPath(f"there is no stage {stage!r}; the stages are {', '.join(found)}")
    return found[stage]


# ----------------------------------------------------------------------------------- where the limit changes


def _change(steps: Steps, laws: Mapping[str, Fit]) -> Change | None:
    """Counts in steps of a twentieth, then the interval halved down to one count.

    In floats: an exact chance of a late rank among 100,000 has a million digits.
    """
    last = max((point.devices for point in steps.points), default=1)
    quick = {
        name: replace(law, params={key: float(value) for key, value in law.params.items()})
        for name, law in laws.items()
    }

    def limit(devices: int) -> str:
        try:
            return steps.graph.timing(stage_seconds(steps, quick, devices)).limit
        except Unfit:
            return ""

    first, below = limit(last), last
    above = last
    while above < last * REACH:
        above = max(above + 1, above * 21 // 20)
        now = limit(above)
        if not now or not first:
            return None
        if now != first:
            while above - below > 1:
                middle = (above + below) // 2
                if limit(middle) == first:
                    below = middle
                else:
                    above = middle
            return Change(above, first, limit(above))
        below = above
    return None


# --------------------------------------------------------------------------------------------------- notes


def _notes(made: Forecast) -> Iterator[str]:
    steps, devices = made.steps, made.devices
    if made.steps.points:
        yield from two_counts(steps)
    for name, law in made.fits.items():
        counts = [each.devices for each in law.measured]
        missing = [str(point.devices) for point in steps.points if point.devices not in counts]
        if counts and missing:
            yield f"{name} was not measured at {', '.join(missing)}: its law rests on the other counts"
    by_construction = [name for name, law in made.fits.items() if law.by_construction]
    if by_construction:
        yield f"fits by construction, no more counts than parameters: {', '.join(by_construction)}"
    yield from below_zero(made.fits)
    yield from _unexplained_time(steps)
    doubtful = [str(point.devices) for point in steps.points if point.questioned]
    if doubtful:
        yield f"the efficiency at {', '.join(doubtful)} is above one and unexplained; the laws rest on it too"
    for left, why in steps.left_out.items():
        if left not in steps.planned:
            yield f"the run at {counted(left, steps.of)} takes no part: {why}"
    yield from _overhead(made)
    yield from _networks(steps, devices)
    dp = steps.counts_at(devices).get("dp")
    if dp is not None and dp != int(dp):
        yield f"{counted(devices, steps.of)} are no multiple of tp·pp·cp, so no such run can be started"


def below_zero(laws: Mapping[str, Fit | str]) -> Iterator[str]:
    """Laws whose parameters are times below 0 s, which no stage can take."""
    for name, law in laws.items():
        if isinstance(law, Fit):
            wrong = [f"{key} = {format_number(value, 3)}" for key, value in law.params.items() if value < 0]
            if wrong:
                yield (
                    f"the law of {name} ({LAWS[law.law].formula}) has {' and '.join(wrong)}, below 0: it "
                    "only meets the measured counts, and is no cause of theirs; choose another law"
                )


def two_counts(steps: Steps) -> Iterator[str]:
    """Why no line is drawn through so few counts; nothing where there are enough."""
    if len(steps.points) < COUNTS_FOR_A_LINE:
        count = len(steps.points)
        yield (
            f"{count} measured count{'s' if count > 1 else ''}: no line is drawn, because every law with two "
            "parameters goes through two counts"
        )


def _unexplained_time(steps: Steps) -> Iterator[str]:
    """Stages that leave a part of the measured step, or exceed it, as numbers."""
    parts = []
    for point in steps.points:
        if steps.missing(point.devices):
            continue
        rest = float(steps.remainder(point.devices))
        if rest:
            which = "less" if rest > 0 else "more"
            parts.append(f"{in_seconds(abs(rest))} {which} at {point.devices}")
    if parts:
        yield f"the path is not the measured step ({', '.join(parts)}); the prediction is the path's"


def _overhead(made: Forecast) -> Iterator[str]:
    """That host work, which no device shortens, is most of the step."""
    host = made.timing.seconds.get(HOST)
    if host is not None and host * 2 > made.time:
        share = f"{float(host / made.time):.0%} of the step at {made.devices}"
        yield f"overhead-bound: {HOST} takes {share}, and more devices do not shorten it"


def _networks(steps: Steps, devices: int) -> Iterator[str]:
    names = list(dict.fromkeys(point.network for point in steps.points if point.network))
    if len(names) > 1:
        yield f"the counts lie in different networks ({', '.join(names)}): one law through them is a guess"
    there = steps.network(devices)
    if steps.points and there and there not in names:
        yield f"{counted(devices, steps.of)} need the network {there!r}, in which nothing was measured"
