"""Numbers that somebody else derived: imported columns that a table can check against its own times."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from math import isclose
from typing import Literal

from tui.model.study import Run

Meaning = Literal["speedup", "efficiency", "share of peak", "iterations"]

_LARGEST = 60
"""Power of ten beyond which a number, or its last digit, is no ratio that anybody derived."""

AGREES = 0.01
"""Relative difference up to which a derived number and its own times agree."""

_FOREIGN = (
    "ideal",
    "expected",
    "energy",
    "memory",
    "cache",
    "bandwidth",
    "load",
    "time",
    "per ",
    "/s",
    "flop",
    "error",
    "teoric",
    "theor",
    "esperad",
    "attes",
    "attendu",
    "erwartet",
    "tiempo",
    "tempo",
    "temps",
    "zeit",
    "energi",
    "memori",
    "speicher",
)
"""Words of columns that only look like one of the meanings: ideal speedup, time per iteration."""

_SPEEDUP = (
    "speedup",
    "speed up",
    "acelerac",
    "acceleration",
    "accelerazion",
    "beschleunigung",
    "ganancia",
    "ganho",
)
_EFFICIENCY = (
    "efficien",
    "eficien",
    "effizien",
    "efficac",
    "rendimiento",
    "rendimento",
    "rendement",
    "wirkungsgrad",
)
"""Beginnings of both words in English, Spanish, Portuguese, German, French and Italian, without accents."""

_ITERATIONS = ("iteration", "iteracion", "iteracoes", "iterazion")


@dataclass(frozen=True)
class Derived:
    """One imported number, with every reading its text allows."""

    meaning: Meaning
    column: str
    text: str
    readings: tuple[float, ...]
    """A ratio may be printed as 0.91 or, without a sign, as 91: then both."""
    rounding: float
    """Half a unit of its last printed digit, on the first reading."""

    def agrees(self, own: float) -> bool:
        """Whether any reading is the table's own number, within 1 % or its own rounding."""
        first = self.readings[0]
        return any(
            isclose(reading, own, rel_tol=AGREES, abs_tol=self.rounding * (reading / first if first else 1))
            for reading in self.readings
        )

    def nearest(self, own: float) -> float:
        """The reading that comes nearest to the table's own number."""
        return min(self.readings, key=lambda reading: abs(reading - own))


def derived(run: Run) -> Iterator[Derived]:
    """The derived numbers among a run's imported columns, in their order."""
    for column, value in run.extra.items():
        meaning = _meaning(column)
        text = str(value).strip()
        number = None if isinstance(value, bool) or meaning is None else _number(text.rstrip("% x×"))
        if meaning is None or number is None:
            continue
        exponent = int(number.as_tuple().exponent)
        half = 0.5 * 10.0**exponent
        percent = "%" in text or any(word in column.lower() for word in ("%", "percent", "pct"))
        if percent:
            yield Derived(meaning, column, text, (float(number) / 100,), half / 100)
        elif meaning in ("efficiency", "share of peak"):
            yield Derived(meaning, column, text, (float(number), float(number) / 100), half)
        else:
            yield Derived(meaning, column, text, (float(number),), half)


def iterations(run: Run) -> float | None:
    """The iteration count of a run, where a column has it."""
    return next((each.readings[0] for each in derived(run) if each.meaning == "iterations"), None)


def _meaning(column: str) -> Meaning | None:
    plain = unicodedata.normalize("NFKD", column.lower().replace("_", " ").replace("-", " "))
    name = " ".join("".join(mark for mark in plain if not unicodedata.combining(mark)).split())
    if any(word in name for word in _FOREIGN):
        return None
    if any(word in name for word in _SPEEDUP):
        return "speedup"
    if any(word in name for word in _EFFICIENCY):
        return "efficiency"
    if name in ("mfu", "mfu (%)", "% of peak", "percent of peak", "pct of peak"):
        return "share of peak"
    if any(word in name for word in _ITERATIONS) or name in ("iters", "niter", "n iter"):
        return "iterations"
    return None


def _number(text: str) -> Decimal | None:
    try:
        number = Decimal(text)
    except InvalidOperation:
        return None
    if not number.is_finite() or max(abs(number.adjusted()), abs(int(number.as_tuple().exponent))) > _LARGEST:
        return None
    return number
