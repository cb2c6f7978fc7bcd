"""Wrong ideas about the roofline: what each would answer, and what to say to the person who holds it.

The lab's verdict matches a prediction against them after Play; exercise scripts name the same ideas by their
id. With the ideas about scaling (`scaling_ideas`, apart because the lab starts without them) they are the one
catalogue. Order matters: the first idea whose value the answer matches is the one that is named, so ideas
that explain more stand first.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from tui.model.quantity import format_number
from tui.model.roofline import attainable

RIGHT_WITHIN = Fraction(1, 100)
"""A prediction counts as right within one percent."""

RECOGNISED_WITHIN = Fraction(1, 400)
"""An idea counts as recognised within a quarter percent, as rounding to three digits leaves it: a factor of
1.0737 must not be read into a guess that only happens to lie near it."""


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
        "answered the cap",
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
        "roofline.answers-b",
        "answered B itself",
        lambda e: e.bandwidth,
        "You answered B itself; multiply it by I.",
        lambda e: "You gave the bandwidth. Each byte brings I operations, so multiply B by I.",
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


OVER_CAP = Idea(
    "roofline.over-cap",
    "above the cap",
    lambda e: None,
    "Nothing here can be above the cap.",
    lambda e: "Your prediction is above the compute cap. Nothing on this chart can be.",
)
"""What is left to say of a prediction above the cap that no value explains."""


def matches(answer: Fraction, value: Fraction, within: Fraction = RIGHT_WITHIN) -> bool:
    """Whether `answer` lies within one percent of `value`, or another share, bounds included."""
    return abs(answer - value) <= within * abs(value)


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
        if value is None or matches(value, evidence.attained):
            continue
        if matches(answer, value, RECOGNISED_WITHIN):
            return idea
    return OVER_CAP if answer > evidence.cap else None
