"""Wrong ideas about scaling, the other part of the catalogue that `ideas` begins.

They are worked out from a row of a table; ideas that no number shows are told from a choice. The first idea
whose value the answer matches is the one that is named.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from tui.model.ratios import Measurement, efficiency, speedup, weak_efficiency


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
