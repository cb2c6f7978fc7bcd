"""The steps of a training log: which of them count, and what the others cost.

A log prints a time per interval of one or more iterations. The steady time of an update is taken from
intervals in which nothing else happened: not the first one after a start, none with skipped updates, none
that contains a checkpoint or an evaluation. What is left out is counted and said, and stays in the wall time
of each valid update (goodput).
"""

from __future__ import annotations

import sys
from array import array
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import compress
from operator import mul, sub
from typing import Literal

from tui.model.quantity import format_number
from tui.model.spread import median

from .imported import Options, StepRow

MOST = 10_000
"""Times that a run keeps; more are joined to means of neighbours."""

Reason = Literal["skipped", "warm-up", "checkpoint", "evaluation", "other batch", "no time", "window"]

_WORDS: dict[Reason, str] = {
    "skipped": "contain skipped updates",
    "warm-up": "stand at the start (warm-up)",
    "checkpoint": "contain a checkpoint",
    "evaluation": "contain an evaluation",
    "other batch": "have another global batch",
    "no time": "have a time or rate of 0",
    "window": "lie outside the chosen window",
}


_REASONS = tuple(_WORDS)
_COUNTS = bytes([1] + [0] * 255)
"""Why an interval does not count, as the number after its place among the reasons, to whether it does."""

_DRAWN = 240
"""Points that a row of step times has at most."""


@dataclass
class Steps:
    """The intervals of one job in the order of the log; each array has one entry an interval.

    Attributes:
        iterations: number of the last iteration of the interval.
        times: of one iteration, averaged over the interval by whoever wrote the log; see `per_second`.
        skipped: updates of the interval that were skipped.
        batches: global batch; 0 where the log does not say.
        marks: what else happened in an interval, by its place.
        started: whether the log shows the start of this job.
        interval: iterations to an interval where the log says it; 0 otherwise.
        per_second: how many units of the times are a second.
        means: whether a time is the mean over its interval.
        updates: whether a time is that of one update, and not of some amount of work.
    """

    iterations: array[int] = field(default_factory=lambda: array("q"))
    times: array[float] = field(default_factory=lambda: array("d"))
    skipped: array[int] = field(default_factory=lambda: array("q"))
    batches: array[int] = field(default_factory=lambda: array("q"))
    marks: dict[int, Reason] = field(default_factory=dict)
    started: bool = False
    interval: int = 0
    per_second: float = 1.0
    means: bool = False
    updates: bool = True
    _least: int = sys.maxsize
    """The smallest distance of two iterations."""

    def add(self, iteration: int, time: float, skipped: int = 0, batch: int = 0) -> None:
        """One interval more."""
        self._join(iteration)
        self.iterations.append(iteration)
        self.times.append(time)
        self.skipped.append(skipped)
        self.batches.append(batch)

    def extend(
        self, iterations: array[int], times: array[float], least: int, skipped: int = 0, batch: int = 0
    ) -> None:
        """Several intervals more, of as many skipped updates and the same batch each.

        Args:
            least: the smallest distance of two of the iterations.
        """
        self._join(iterations[0], least)
        self.iterations.extend(iterations)
        self.times.extend(times)
        self.skipped.extend(array("q", [skipped]) * len(times))
        self.batches.extend(array("q", [batch]) * len(times))

    def _join(self, iteration: int, least: int = sys.maxsize) -> None:
        if len(self.iterations):
            least = min(least, iteration - self.iterations[-1])
        self._least = min(self._least, least)

    def __len__(self) -> int:
        return len(self.times)

    def lengths(self) -> Lengths:
        """Iterations in each interval."""
        numbers = self.iterations
        each = max(1, numbers[1] - numbers[0]) if len(numbers) > 1 else 0
        # Where none are nearer, even ones alone end there.
        if each == self._least and numbers[-1] - numbers[0] == each * (len(numbers) - 1):
            return Lengths(max(1, min(self.interval or each, numbers[0])), each)
        following = array("q", (max(1, length) for length in map(sub, numbers[1:], numbers)))
        usual = self.interval or (Counter(following).most_common(1)[0][0] if following else 1)
        return Lengths(max(1, min(usual, numbers[0])) if len(numbers) else 1, usual, following)


@dataclass(frozen=True)
class Lengths:
    """Iterations in each interval of a job: `first`, then `usual` or what `following` has."""

    first: int
    usual: int
    following: array[int] | None = None

    def __getitem__(self, place: int) -> int:
        if place == 0:
            return self.first
        return self.usual if self.following is None else self.following[place - 1]

    def total(self, intervals: int) -> int:
        """Iterations in all."""
        if not intervals:
            return 0
        more = self.usual * (intervals - 1) if self.following is None else sum(self.following)
        return self.first + more

    def weighed(self, times: array[float]) -> float:
        """The time of all iterations."""
        if not times:
            return 0.0
        if self.following is None:
            return self.usual * sum(times) + (self.first - self.usual) * times[0]
        return float(self.first * times[0] + sum(map(mul, times[1:], self.following)))


@dataclass(frozen=True)
class Chosen:
    """The intervals of a job that count, and everything about the others.

    Attributes:
        times_s: seconds of one update, at most `MOST` of them.
        kept: 1 for each interval that counts, 0 for the others.
        why: 0 for each interval that counts, for the others the place of the reason, from 1.
        dropped: how many do not count, by why.
        wall_s: seconds of all intervals, those that do not count too; None where times are of no update.
        valid_updates: iterations of all intervals that updated the model; None likewise.
        skipped_updates: those that did not.
        batch: global batch of the intervals that count.
        notes: sentences for the person who reads the file.
        lengths: iterations in each interval.
    """

    times_s: tuple[float, ...]
    kept: bytearray
    why: bytearray
    dropped: dict[Reason, int]
    wall_s: float | None
    valid_updates: int | None
    skipped_updates: int
    batch: int
    notes: tuple[str, ...]
    lengths: Lengths


def choose(steps: Steps, options: Options) -> Chosen:
    """What counts of a job: the window that was asked for, else everything but what is no steady update."""
    lengths = steps.lengths()
    why = bytearray(len(steps))
    dropped: dict[Reason, int] = {}
    batch = _usual_batch(steps)
    for place, reason in _reasons(steps, options, lengths, batch):
        if not why[place]:
            why[place] = 1 + _REASONS.index(reason)
            dropped[reason] = dropped.get(reason, 0) + 1
    kept = why.translate(_COUNTS)
    times = list(compress(steps.times, kept))
    skipped = sum(steps.skipped)
    shown, joined = _joined(times, steps.per_second)
    wall = lengths.weighed(steps.times) / steps.per_second
    valid = max(0, lengths.total(len(steps)) - skipped)
    return Chosen(
        times_s=shown,
        kept=kept,
        why=why,
        dropped=dropped,
        wall_s=wall if steps.updates else None,
        valid_updates=valid if steps.updates else None,
        skipped_updates=skipped,
        batch=batch,
        notes=tuple(_notes(steps, options, dropped, lengths, shown, joined, (wall, valid, skipped))),
        lengths=lengths,
    )


def drawn(line: int, steps: Steps, chosen: Chosen) -> StepRow:
    """The times of a job that begins in a line as a row to draw; neighbours share a point where there are
    many.
    """
    each = max(1, -(-len(steps) // _DRAWN))
    starts = range(0, len(steps), each)
    times = (steps.times[start : start + each] for start in starts)
    marks = (max(chosen.why[start : start + each]) for start in starts)
    return StepRow(
        line,
        max(1, steps.iterations[0] - chosen.lengths.first + 1),
        steps.iterations[-1],
        tuple(sum(part) / len(part) / steps.per_second for part in times),
        tuple(_REASONS[mark - 1] if mark else "" for mark in marks),
        each,
    )


def _usual_batch(steps: Steps) -> int:
    """The global batch of the longest part of the job; ramps grow it."""
    if not len(steps) or steps.batches.count(steps.batches[0]) == len(steps):
        return steps.batches[0] if len(steps) else 0
    return Counter(steps.batches).most_common(1)[0][0]


def _reasons(steps: Steps, options: Options, lengths: Lengths, batch: int) -> Iterator[tuple[int, Reason]]:
    """Every interval that does not count; the first reason that is given for one holds."""
    if steps.skipped.count(0) < len(steps):
        yield from ((place, "skipped") for place in compress(range(len(steps)), steps.skipped))
    if 0.0 in steps.times:
        yield from ((place, "no time") for place, time in enumerate(steps.times) if not time)
    if options.window is not None:
        first, last = options.window
        for place, end in enumerate(steps.iterations):
            if end - lengths[place] + 1 < first or end > last:
                yield place, "window"
    elif len(steps) and _starts(steps, lengths):
        yield 0, "warm-up"
    if options.window is None:
        yield from ((place, mark) for place, mark in steps.marks.items() if place < len(steps))
    if steps.batches.count(batch) < len(steps):
        yield from ((place, "other batch") for place, each in enumerate(steps.batches) if each != batch)


def _starts(steps: Steps, lengths: Lengths) -> bool:
    """Whether the first interval is that of a start: it is shown, or the count begins with it."""
    return steps.started or steps.iterations[0] <= lengths.first


def _joined(times: Sequence[float], per_second: float) -> tuple[tuple[float, ...], int]:
    """At most `MOST` times in seconds, and how many neighbours each is the mean of.

    Twelve digits are more than any log prints, and keep 2152.2 ms from becoming 2.1521999999999997 s.
    """
    size = -(-len(times) // MOST)
    parts = (times[start : start + size] for start in range(0, len(times), max(1, size)))
    return tuple(float(f"{sum(part) / len(part) / per_second:.12g}") for part in parts), size


def _notes(
    steps: Steps,
    options: Options,
    dropped: dict[Reason, int],
    lengths: Lengths,
    times: tuple[float, ...],
    joined: int,
    whole: tuple[float, int, int],
) -> Iterator[str]:
    if not len(steps):
        yield "no step was logged"
        return
    wall, valid, skipped = whole
    left_out = ", ".join(f"{count:,} {_WORDS[reason]}" for reason, count in dropped.items())
    first, last = steps.iterations[0], steps.iterations[-1]
    count, begin = len(steps) - sum(dropped.values()), max(1, first - lengths.first + 1)
    also = f"; left out: {left_out}" if left_out else ""
    yield f"{count:,} of {len(steps):,} intervals count (iterations {begin} to {last}){also}"
    if skipped:
        also = ", the first one among them" if steps.skipped[0] and _starts(steps, lengths) else ""
        which = f"{len(steps) - steps.skipped.count(0):,} intervals{also}"
        yield f"{skipped:,} skipped updates in {which}: such a step is fast and changes nothing"
    if options.window is not None:
        why = f": {options.window_reason}" if options.window_reason else ""
        yield f"only iterations {options.window[0]} to {options.window[1]} count, as asked for{why}"
    elif "warm-up" not in dropped and not (skipped and steps.skipped[0]):
        yield f"the log begins at iteration {first}, after the start, so no warm-up was left out"
    if lengths.usual > 1 and steps.means:
        yield f"each time is the mean over {lengths.usual} iterations, as the log prints it"
    widest = max(lengths.following or (0,))
    if steps.updates and widest > lengths.usual:
        yield (
            f"up to {widest:,} iterations lie between two lines, not {lengths.usual}: "
            "in the wall time they have the time of the later line"
        )
    if joined > 1:
        yield f"more than {MOST:,} times are too many for a study: each is the mean of {joined} neighbours"
    if valid and times and dropped and steps.updates:
        yield (
            f"goodput: {format_number(wall / valid)} s of wall time for each valid update, "
            f"{format_number(median(times))} s in the steady state"
        )
