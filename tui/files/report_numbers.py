"""Numbers as reports write them: exactly where that is short, shares in per cent, errors with their sign."""

from __future__ import annotations

from fractions import Fraction

from tui.model.laws import Number
from tui.model.quantity import format_exact, format_number

_LONGEST_EXACT = 7


def shown(value: Number | None, digits: int = 4) -> str:
    """A number for a table: exactly where that is short, so that sums on the screen are right."""
    if value is None:
        return "–"
    exactly = format_exact(value) if isinstance(value, Fraction) else ""
    short = exactly and "/" not in exactly and len(exactly) <= _LONGEST_EXACT
    text = exactly if short else format_number(value, digits)
    return f"−{text[1:]}" if text.startswith("-") else text


def percent(share: Number | None) -> str:
    """A share in per cent with one decimal, half away from zero, and its sign where it is negative."""
    if share is None:
        return "–"
    tenths = Fraction(share) * 1000
    whole = int(abs(tenths) + Fraction(1, 2))
    return f"{'−' if tenths < 0 and whole else ''}{whole // 10}.{whole % 10} %"


def error_of(share: Number) -> str:
    """An error in per cent, always with its sign."""
    written = percent(share)
    return written if written.startswith("−") or written == "0.0 %" else f"+{written}"
