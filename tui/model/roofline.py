"""The roofline: what a kernel can attain under one compute cap and one memory bandwidth.

Units throughout: arithmetic intensity in FLOP/byte, bandwidth in decimal GB/s, rates in GFLOP/s.
The bound is min(cap, I·B) (Williams, Waterman and Patterson, "Roofline", CACM 52(4), 2009).

Functions take exact `Fraction`s (what the fields of the lab hold) or floats (published machine
numbers, bulk data) and answer in kind. A tie between the two limits is decided exactly on fractions
and by a relative 1e-9 on floats, here and nowhere else.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from typing import TypeVar

Number = TypeVar("Number", Fraction, float)

LAB_CAP = Fraction(1000)
"""Compute cap of the lab's machine, GFLOP/s; fixed, so that only the bandwidth is ever varied."""

RIDGE_TOLERANCE = 1e-9
"""Relative distance of I·B from the cap below which floats are said to sit on the ridge."""


class Limit(str, Enum):
    """Which resource binds; `RIDGE` when both bind at once."""

    MEMORY = "memory"
    RIDGE = "ridge"
    COMPUTE = "compute"


@dataclass(frozen=True)
class Outcome:
    """What the roofline says of one kernel on one machine; rates in GFLOP/s."""

    cap: Fraction
    attainable: Fraction
    uncapped: Fraction
    """I·B, what the memory could feed."""
    limit: Limit
    knee_bandwidth: Fraction
    """Bandwidth in GB/s from which on the cap binds at this intensity: cap/I."""
    ridge_intensity: Fraction
    """Intensity in FLOP/byte from which on the cap binds at this bandwidth: cap/B."""

    @property
    def above_cap(self) -> Fraction:
        """How far I·B lies above what is attainable, GFLOP/s; 0 while the memory limits."""
        return self.uncapped - self.attainable


def attainable(intensity: Number, bandwidth: Number, cap: Number) -> Number:
    """Attainable throughput min(cap, I·B) in GFLOP/s.

    Raises:
        ValueError: when an argument is negative, not finite, or the cap is 0.
    """
    _check(intensity, bandwidth, cap)
    return min(cap, intensity * bandwidth)


def limit(intensity: Number, bandwidth: Number, cap: Number) -> Limit:
    """Which of the two limits binds.

    Raises:
        ValueError: as for `attainable`.
    """
    _check(intensity, bandwidth, cap)
    fed = intensity * bandwidth
    if isinstance(fed, float) or isinstance(cap, float):
        tied = math.isclose(fed, cap, rel_tol=RIDGE_TOLERANCE)
    else:
        tied = fed == cap
    if tied:
        return Limit.RIDGE
    return Limit.MEMORY if fed < cap else Limit.COMPUTE


def knee_bandwidth(intensity: Number, cap: Number) -> Number:
    """Bandwidth in GB/s at which the curve over B bends: cap/I. Needs an intensity above 0."""
    if not intensity > 0:
        raise ValueError("with an arithmetic intensity of 0 no bandwidth reaches the cap")
    return cap / intensity


def ridge_intensity(bandwidth: Number, cap: Number) -> Number:
    """Intensity in FLOP/byte at which the roof over I bends: cap/B. Needs a bandwidth above 0."""
    if not bandwidth > 0:
        raise ValueError("with a bandwidth of 0 no arithmetic intensity reaches the cap")
    return cap / bandwidth


def outcome(intensity: Fraction, bandwidth: Fraction, cap: Fraction = LAB_CAP) -> Outcome:
    """Everything the lab shows of one trial, exactly.

    Raises:
        ValueError: when I, B or the cap is not above 0.
    """
    return Outcome(
        cap=cap,
        attainable=attainable(intensity, bandwidth, cap),
        uncapped=intensity * bandwidth,
        limit=limit(intensity, bandwidth, cap),
        knee_bandwidth=knee_bandwidth(intensity, cap),
        ridge_intensity=ridge_intensity(bandwidth, cap),
    )


def _check(intensity: Number, bandwidth: Number, cap: Number) -> None:
    named = (("arithmetic intensity", intensity), ("bandwidth", bandwidth), ("compute cap", cap))
    for name, value in named:
        if not math.isfinite(value):
            raise ValueError(f"the {name} must be a finite number, not {value}")
        if value < 0 or (name == "compute cap" and value == 0):
            raise ValueError(f"the {name} must be above 0, not {value}")
