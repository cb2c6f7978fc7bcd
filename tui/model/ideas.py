"""The one catalogue of wrong ideas: what each would answer, and what to say to the person who holds it.

The lab's verdict matches a prediction against the catalogue after Play; exercise scripts name the same
ideas by their id. Ideas about the roofline are worked out from a trial, ideas about scaling from a row of
a table; ideas that no number shows are told from a choice. Order matters: the first idea whose value the
answer matches is the one that is named, so ideas that explain more stand first.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from tui.model.quantity import format_number
from tui.model.ratios import Measurement, efficiency, speedup, weak_efficiency
from tui.model.roofline import attainable

RIGHT_WITHIN = Fraction(1, 100)
"""A prediction counts as right, and an idea as recognised, within one percent."""


@dataclass(frozen=True)
class Evidence:
    """What an idea is worked out from: one trial, and the value that the trial before it gave."""

    intensity: Fraction
    """FLOP/byte."""
    bandwidth: Fraction
    """GB/s."""
    cap: Fraction
    """GFLOP/s."""
    last: Fraction | None = None
    """What the trial before attained, GFLOP/s."""

    @property
    def uncapped(self) -> Fraction:
        """I·B, GFLOP/s."""
        return self.intensity * self.bandwidth

    @property
    def attained(self) -> Fraction:
        """min(cap, I·B), GFLOP/s."""
        return attainable(self.intensity, self.bandwidth, self.cap)


@dataclass(frozen=True)
class Idea:
    """A wrong idea about the roofline that can be told from a number."""

    id: str
    title: str
    """What the person did, in the words of a log column (at most 24 characters)."""
    value: Callable[[Evidence], Fraction | None]
    """The answer, in GFLOP/s, of someone who holds the idea; None where it cannot be told."""
    miss: str
    """The miss in one short sentence, for the lab's verdict line (at most 49 characters)."""
    feedback: Callable[[Evidence], str]
    """One or two sentences that explain the miss with the trial's own numbers."""


GIB = Fraction(2**30, 10**9)


def _shown(value: Fraction) -> str:
    return format_number(value)


ROOFLINE_IDEAS: tuple[Idea, ...] = (
    Idea(
        "roofline.no-cap",
        "I·B without the cap",
        lambda e: e.uncapped,
        "You forgot the cap.",
        lambda e: (
            f"{_shown(e.uncapped)} is what the memory could feed. The arithmetic cannot take more than"
            f" {_shown(e.cap)}, so the curve goes flat there."
        ),
    ),
    Idea(
        "roofline.always-cap",
        "always the cap",
        lambda e: e.cap,
        "You answered the cap, but the smaller limit wins.",
        lambda e: (
            f"You answered with the compute cap. It is a ceiling: the memory can feed only"
            f" {_shown(e.uncapped)}, and the smaller one wins."
        ),
    ),
    Idea(
        "roofline.stale",
        "the last trial's value",
        lambda e: e.last,
        "You gave the last trial's value.",
        lambda e: "You gave the last trial's result; the inputs have changed since.",
    ),
    Idea(
        "roofline.average",
        "average of two limits",
        lambda e: (e.cap + e.uncapped) / 2,
        "You averaged the two limits; the lower one binds.",
        lambda e: "You averaged the two limits; they do not average out, the lower one binds completely.",
    ),
    Idea(
        "roofline.gib",
        "GB read as GiB",
        lambda e: e.uncapped * GIB,
        "You read GB as GiB; here 1 GB is 10^9 bytes.",
        lambda e: "You turned GB into GiB (2^30 bytes); here 1 GB/s is exactly 10^9 bytes per second.",
    ),
    Idea(
        "roofline.gib-down",
        "GiB read as GB",
        lambda e: e.uncapped / GIB,
        "You divided by 2^30; here 1 GB is 10^9 bytes.",
        lambda e: "You divided by 2^30 where 10^9 is meant; here 1 GB/s is exactly 10^9 bytes per second.",
    ),
    Idea(
        "roofline.bits",
        "multiplied by 8 bits",
        lambda e: e.uncapped * 8,
        "You multiplied by 8; B is already in bytes.",
        lambda e: "You multiplied by 8; B is already in bytes, no factor for bits is needed.",
    ),
    Idea(
        "roofline.bits-down",
        "divided by 8 bits",
        lambda e: e.uncapped / 8,
        "You divided by 8; B is already in bytes.",
        lambda e: "You divided by 8; B is already in bytes, no factor for bits is needed.",
    ),
    Idea(
        "roofline.divide",
        "B divided by I",
        lambda e: e.bandwidth / e.intensity,
        "You divided B by I; the two inputs multiply.",
        lambda e: "You divided. FLOP/byte times byte/s leaves FLOP/s, so the two inputs multiply.",
    ),
    Idea(
        "roofline.divide-inverse",
        "I divided by B",
        lambda e: e.intensity / e.bandwidth,
        "You divided I by B; the two inputs multiply.",
        lambda e: "You divided. FLOP/byte times byte/s leaves FLOP/s, so the two inputs multiply.",
    ),
    Idea(
        "roofline.thousand",
        "1000 times too large",
        lambda e: e.attained * 1000,
        "You are off by ×1000; G in gives G out.",
        lambda e: f"You are off by 1000: G in gives G out, so {_shown(e.attained)} GFLOP/s.",
    ),
    Idea(
        "roofline.thousand-down",
        "1000 times too small",
        lambda e: e.attained / 1000,
        "You are off by 1/1000; G in gives G out.",
        lambda e: f"You are off by 1000: G in gives G out, so {_shown(e.attained)} GFLOP/s.",
    ),
)
"""Ideas that a prediction of the attainable throughput can show, the likeliest first."""


def matches(answer: Fraction, value: Fraction) -> bool:
    """Whether `answer` lies within one percent of `value`, bounds included."""
    return abs(answer - value) <= RIGHT_WITHIN * abs(value)


def recognise(answer: Fraction, evidence: Evidence) -> Idea | None:
    """The first idea of the catalogue that explains a wrong prediction.

    Args:
        answer: the prediction, GFLOP/s.
        evidence: the trial it was made for.

    Returns:
        None for a right prediction, and for a miss that no idea explains.
    """
    if matches(answer, evidence.attained):
        return None
    for idea in ROOFLINE_IDEAS:
        value = idea.value(evidence)
        # An idea whose value is the right answer explains nothing about this trial.
        if value is not None and not matches(value, evidence.attained) and matches(answer, value):
            return idea
    return None


# ------------------------------------------------------------------------------ ideas about scaling


@dataclass(frozen=True)
class RowEvidence:
    """What a scaling idea is worked out from: one row of a table, its baseline, and the rows before it."""

    base: Measurement[Fraction]
    devices: int
    """The count that is asked about."""
    here: Measurement[Fraction] | None = None
    """What was measured there; None where it is still to be predicted."""
    earlier: tuple[Measurement[Fraction], ...] = ()
    """Measurements at smaller counts, ascending."""

    @property
    def grown(self) -> Fraction:
        """D/D0."""
        return Fraction(self.devices, self.base.devices)


@dataclass(frozen=True)
class RowIdea:
    """A wrong idea about scaling that can be told from a number."""

    id: str
    title: str
    value: Callable[[RowEvidence], Fraction | None]
    """The answer of someone who holds the idea; None where it cannot be told."""
    feedback: str
    """One or two sentences that explain the miss and never contain the answer."""


@dataclass(frozen=True)
class ToldIdea:
    """A wrong idea that no single number shows: a choice or a script's own value tells it."""

    id: str
    title: str
    feedback: str


def _measured(
    ratio: Callable[[Measurement[Fraction], Measurement[Fraction]], Fraction],
) -> Callable[[RowEvidence], Fraction | None]:
    return lambda e: None if e.here is None else ratio(e.base, e.here)


def _over(
    ratio: Callable[[Measurement[Fraction], Measurement[Fraction]], Fraction],
    divisor: Callable[[RowEvidence], Fraction],
) -> Callable[[RowEvidence], Fraction | None]:
    return lambda e: None if e.here is None else ratio(e.base, e.here) / divisor(e)


def _first_two(e: RowEvidence) -> tuple[Measurement[Fraction], Measurement[Fraction]] | None:
    return (e.earlier[0], e.earlier[1]) if len(e.earlier) > 1 else None


def _same_gain(e: RowEvidence) -> Fraction | None:
    """t2·(t2/t1)^k, where k more steps of the same factor in D lead to the count; None for other counts."""
    pair = _first_two(e)
    if pair is None:
        return None
    first, second = pair
    factor, count, time = Fraction(second.devices, first.devices), Fraction(second.devices), second.time
    while count < e.devices:
        count, time = count * factor, time * second.time / first.time
    return time if count == e.devices else None


def _superlinear(e: RowEvidence) -> Fraction | None:
    pair = _first_two(e)
    return _same_gain(e) if pair and efficiency(*pair) > 1 else None


def _amdahl(e: RowEvidence) -> Fraction | None:
    """a + b/D through the first two counts (Amdahl, AFIPS SJCC 1967)."""
    pair = _first_two(e)
    if pair is None:
        return None
    first, second = pair
    split = (first.time - second.time) / (Fraction(1, first.devices) - Fraction(1, second.devices))
    return first.time - split / first.devices + split / e.devices


ROW_IDEAS: tuple[RowIdea, ...] = (
    RowIdea(
        "scaling.divides-by-D",
        "divides by D, not by D/D0",
        _over(speedup, lambda e: Fraction(e.devices)),
        "You divided by the device count. The baseline already used D0 devices, so the ideal is D/D0.",
    ),
    RowIdea(
        "scaling.inverse",
        "new time over old time",
        lambda e: None if e.here is None else e.here.time / e.base.time,
        "You divided the new time by the old one. Speedup is old over new, so faster is above 1.",
    ),
    RowIdea(
        "scaling.upside-down",
        "ideal over measured",
        _over(lambda base, here: 1 / efficiency(base, here), lambda e: Fraction(1)),
        "Upside down: efficiency is the measured speedup over the ideal one.",
    ),
    RowIdea(
        "scaling.device-ratio",
        "the ideal as the speedup",
        lambda e: e.grown,
        "That is D/D0, the ideal. The speedup is what was measured.",
    ),
    RowIdea(
        "scaling.speedup-only",
        "stops at the speedup",
        _measured(speedup),
        "That is the speedup. Divide it by the ideal D/D0 to get the efficiency.",
    ),
    RowIdea(
        "scaling.ideal",
        "ideal line as a forecast",
        lambda e: e.base.time / e.grown,
        "That is the ideal time T(D0)/(D/D0): no loss at all, which no measurement here shows.",
    ),
    RowIdea(
        "scaling.superlinear-forever",
        "extrapolates a gain above 1",
        _superlinear,
        "You let the gain above the ideal go on. It needs an explanation first, and it rarely repeats.",
    ),
    RowIdea(
        "scaling.same-gain-again",
        "one good ratio, repeated",
        _same_gain,
        "You repeated the gain between the first two counts. One favourable ratio is no law.",
    ),
    RowIdea(
        "scaling.two-point-amdahl",
        "a + b/D through two counts",
        _amdahl,
        "You drew a + b/D through two counts. Two points fit any such curve; the limit may change hands.",
    ),
    RowIdea(
        "weak.strong-formula",
        "divides by D/D0 again",
        _over(weak_efficiency, lambda e: e.grown),
        "Do not divide by D/D0 again: in weak scaling the work already grew with D.",
    ),
    RowIdea(
        "weak.upside-down",
        "new time over old, weak",
        _over(lambda base, here: 1 / weak_efficiency(base, here), lambda e: Fraction(1)),
        "Upside down: weak efficiency is the baseline's time over the new one.",
    ),
    RowIdea(
        "weak.ideal-shrinks",
        "strong ideal for weak runs",
        lambda e: e.base.time / e.grown,
        "That would be strong scaling. Here the work grows with D, so the ideal time stays constant.",
    ),
    RowIdea(
        "cost.faster-is-cheaper",
        "wall time as the cost",
        lambda e: None if e.here is None else e.here.time / e.base.time,
        "That compares wall times. The cost counts every device: D times the time.",
    ),
)
"""Ideas that a number from one row of a scaling table can show."""

TOLD_IDEAS: tuple[ToldIdea, ...] = (
    ToldIdea(
        "roofline.is-device-scaling",
        "the lab as GPU scaling",
        "Only a hypothetical bandwidth changed; devices and work per rank stayed as they were.",
    ),
    ToldIdea(
        "strong.time-only",
        "less time is scaling",
        "Time alone cannot tell. Ask which work was finished in that time.",
    ),
    ToldIdea(
        "strong.keeps-accumulation",
        "forgets that W grows",
        "With the accumulation kept, the update sees more sequences: the work grew with D.",
    ),
    ToldIdea(
        "weak.same-tokens-same-work",
        "equal tokens, equal work",
        "The tokens are equal, the arithmetic is not: attention costs more in longer sequences.",
    ),
    ToldIdea(
        "weak.faster-to-quality",
        "step efficiency as quality",
        "That is the efficiency of a step. How many steps the target needs is another measurement.",
    ),
    ToldIdea(
        "overhead.constant-share",
        "overhead share stays",
        "The overhead stays, the compute shrinks with D: its share grows.",
    ),
    ToldIdea(
        "tail.adds-up",
        "adds chances of lateness",
        "Chances of events that may happen together do not add up: take one minus the chance of none.",
    ),
    ToldIdea(
        "path.chain-only",
        "forgets the other branch",
        "You followed one branch. The step waits for the longest of the branches that run side by side.",
    ),
    ToldIdea(
        "path.adds-parallel",
        "adds parallel branches",
        "You added what runs side by side. Branches overlap, and the step waits for the longest.",
    ),
)
"""Ideas that are told by what somebody chooses, or by a value that a script works out."""
