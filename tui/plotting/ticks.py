"""Ticks and the short numbers written at them."""

from __future__ import annotations

import math

from tui.plotting.spec import Tick

_DIGITS = 6


def short(value: float, width: int = 9) -> str:
    """A number in at most `width` characters where that is possible: 0.1, 333, 1600, 2.5e-8.

    As many of six significant digits as fit; plain from 0.0001 to below a million, never `1e+03` for 999.96.
    """
    if value == 0:
        return "0"
    text = ""
    for digits in range(_DIGITS, 0, -1):
        mantissa, _, exponent_text = f"{value:.{digits - 1}e}".partition("e")
        exponent = int(exponent_text)
        if -4 <= exponent < _DIGITS:
            text = _trimmed(f"{value:.{max(0, digits - 1 - exponent)}f}")
        else:
            text = f"{_trimmed(mantissa)}e{exponent}"
        if len(text) <= width:
            break
    return text


def _trimmed(text: str) -> str:
    return text.rstrip("0").rstrip(".") if "." in text else text


def round_ticks(high: float) -> tuple[Tick, ...]:
    """Ticks from 0 up to `high` in steps of 1, 2 or 5 times a power of ten: three to seven of them.

    The ends come first, because they say what the frame is.
    """
    least = high / 6
    power = 10.0 ** math.floor(math.log10(least))
    step = next(step for step in (power, 2 * power, 5 * power, 10 * power) if step >= least * (1 - 1e-9))
    count = math.floor(high / step + 1e-9)
    order = [0, count, *range(1, count)]
    return tuple(Tick(index * step, short(index * step)) for index in order)


def decade_ticks(first: int, last: int) -> tuple[Tick, ...]:
    """Ticks at 10^first … 10^last, the ends first."""
    return tuple(Tick(10.0**power, short(10.0**power)) for power in [first, last, *range(first + 1, last)])
