"""Ratios of two measurements, before any judgement of whether they may be compared.

The table's columns and the answer keys of the exercises come from here. Every ratio is written as one
quotient of products, t0·d0/(t·d), so that whole numbers stay whole; exact `Fraction`s in give exact
`Fraction`s out, floats give floats. Only the gain per doubling needs a root and is always a float.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Generic, TypeVar

Number = TypeVar("Number", Fraction, float)


@dataclass(frozen=True)
class Measurement(Generic[Number]):
    """A time that completed some work on some devices.

    Raises:
        ValueError: when the devices are below 1, or the time or the work is not above 0.
    """

    devices: int
    time: Number
    """Seconds, or any unit that both sides of a ratio share."""
    work: Number
    """W over all devices together; where only times are compared, the same on both sides."""

    def __post_init__(self) -> None:
        if self.devices < 1:
            raise ValueError(f"a measurement needs at least one device, not {self.devices}")
        if not self.time > 0:
            raise ValueError(f"a time of {self.time} has no ratio; it must be above 0")
        if not self.work > 0:
            raise ValueError(f"work of {self.work} has no rate; it must be above 0")


def ideal(base: Measurement[Number], here: Measurement[Number]) -> Fraction:
    """The resource-proportional speedup D/D0, exactly."""
    return Fraction(here.devices, base.devices)


def speedup(base: Measurement[Number], here: Measurement[Number]) -> Number:
    """Strong scaling: how many times faster the same work is done, T(D0)/T(D)."""
    return base.time / here.time


def efficiency(base: Measurement[Number], here: Measurement[Number]) -> Number:
    """Strong scaling: measured speedup over the ideal one, S/(D/D0)."""
    return base.time * base.devices / (here.time * here.devices)


def weak_efficiency(base: Measurement[Number], here: Measurement[Number]) -> Number:
    """Weak scaling: work per device and second against the baseline's, (W/D/T)/(W0/D0/T0).

    With W proportional to D this is T(D0)/T(D); the device count is not divided out a second time.
    """
    return here.work * base.devices * base.time / (base.work * here.devices * here.time)


def scaled_speedup(base: Measurement[Number], here: Measurement[Number]) -> Number:
    """Weak scaling: work per second against the baseline's, E·D/D0 (Gustafson, CACM 31(5), 1988)."""
    return here.work * base.time / (base.work * here.time)


def per_doubling(smaller: Measurement[Number], larger: Measurement[Number]) -> float:
    """The factor in work per second that each doubling between two counts gave; 2 is ideal.

    For the same work that is (T1/T2)^(ln 2/ln(D2/D1)).

    Raises:
        ValueError: when the second count is not the larger one.
    """
    if larger.devices <= smaller.devices:
        raise ValueError(f"{larger.devices} devices are no step up from {smaller.devices}")
    doublings = math.log(larger.devices / smaller.devices) / math.log(2)
    return math.pow(scaled_speedup(smaller, larger), 1 / doublings)


def device_seconds(here: Measurement[Number]) -> Number:
    """What the run occupied: D·T."""
    return here.time * here.devices


def relative_cost(base: Measurement[Number], here: Measurement[Number]) -> Number:
    """Device time for a unit of work against the baseline's; for the same work D·T/(D0·T0)."""
    return here.time * here.devices * base.work / (base.time * base.devices * here.work)


def karp_flatt(base: Measurement[Number], here: Measurement[Number]) -> Number | None:
    """The experimentally determined serial fraction e = (1/S − 1/p)/(1 − 1/p) with p = D/D0, which is
    (D·T − D0·T0)/((D − D0)·T0); negative where the efficiency is above one, `None` for p ≤ 1.

    Source: Karp and Flatt, "Measuring parallel processor performance", CACM 33(5), 1990.
    """
    if here.devices <= base.devices:
        return None
    excess = here.time * here.devices - base.time * base.devices
    return excess / (base.time * (here.devices - base.devices))
