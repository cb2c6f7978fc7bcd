"""`rooflab roofline`: the numbers of one trial as text or as one JSON object."""

from __future__ import annotations

import json
from fractions import Fraction

from tui.model.numerals import format_exact, format_number, format_product
from tui.model.quantity import ReadError, read
from tui.model.roofline import LAB_CAP, Limit, Outcome, outcome
from tui.model.trial import SMALLEST

DIGITS = 6
"""Significant digits of the text output; the JSON output is not rounded."""


class BadValue(ValueError):
    """A value that cannot be used; the text names the option, what was read, and what to do."""


def read_option(option: str, text: str, unit: str) -> Fraction:
    """The value of an option in `unit`, above 0.

    Raises:
        BadValue: when it cannot be read, has two readings, or is not above 0.
    """
    try:
        value = read(text, unit).value
    except ReadError as error:
        raise BadValue(f"{option}: {error.sentence}") from None
    if value <= 0:
        raise BadValue(f"{option}: {format_exact(value)} {unit} was read; it must be above 0.")
    if not SMALLEST <= value <= 1 / SMALLEST:
        raise BadValue(f"{option}: {text.strip()!r} was read; numbers from 1e-12 to 1e12 {unit} are taken.")
    return value


def as_json(intensity: Fraction, bandwidth: Fraction) -> str:
    """The trial as one line of JSON; intensity in FLOP/byte, bandwidths in GB/s, rates in GFLOP/s."""
    result = outcome(intensity, bandwidth)
    members = {
        "intensity": _plain(intensity),
        "bandwidth": _plain(bandwidth),
        "cap": _plain(LAB_CAP),
        "attainable": _plain(result.attainable),
        "uncapped": _plain(result.uncapped),
        "limit": result.limit.value,
        "knee_bandwidth": _plain(result.knee_bandwidth),
        "ridge_intensity": _plain(result.ridge_intensity),
    }
    return json.dumps(members, separators=(",", ":"))


def as_text(intensity: Fraction, bandwidth: Fraction) -> str:
    """The trial as aligned lines, each with its unit and what it says."""
    result = outcome(intensity, bandwidth)
    shown_i, shown_b, shown_product = format_product(intensity, bandwidth, DIGITS)
    cap, attainable, knee, ridge = (
        format_number(value, DIGITS)
        for value in (LAB_CAP, result.attainable, result.knee_bandwidth, result.ridge_intensity)
    )
    rows = (
        ("I", f"{shown_i} FLOP/byte", ""),
        ("B", f"{shown_b} GB/s", ""),
        ("I·B", f"{shown_product} GFLOP/s", "what the memory could feed"),
        ("cap", f"{cap} GFLOP/s", "what the machine can compute"),
        ("attainable", f"{attainable} GFLOP/s", "min(cap, I·B)"),
        ("limit", result.limit.value, _why(result)),
        ("knee", f"{knee} GB/s", f"the bandwidth from which on the cap binds at I = {shown_i}"),
        ("ridge", f"{ridge} FLOP/byte", f"the intensity from which on the cap binds at B = {shown_b}"),
    )
    width = max(len(value) for _, value, _ in rows)
    return "\n".join(f"{name:<10}  {value:<{width}}  {note}".rstrip() for name, value, note in rows)


def _why(result: Outcome) -> str:
    above = format_number(result.above_cap, DIGITS)
    return {
        Limit.MEMORY: "I·B is below the cap",
        Limit.RIDGE: "I·B equals the cap",
        Limit.COMPUTE: f"I·B is {above} GFLOP/s above the cap",
    }[result.limit]


def _plain(value: Fraction) -> int | float:
    return int(value) if value.denominator == 1 else float(value)
