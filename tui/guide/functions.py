"""The functions that answer keys may call: the instrument's own, one entry each.

A function that a later tab brings joins by one more entry; the checks read the same table, so nothing
else has to learn of it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Literal

from tui.guide.data import DataError, DataSet
from tui.model import ratios, roofline

Argument = Literal["number", "data", "row", "column"]
"""What stands in a call: a sum, or a quoted name of data; a row is a key, quoted or not."""


@dataclass(frozen=True)
class Scope:
    """What names mean at one step."""

    data: Mapping[str, DataSet] = field(default_factory=dict)
    intensity: Fraction | None = None
    """FLOP/byte."""
    bandwidth: Fraction | None = None
    """GB/s."""
    cap: Fraction = roofline.LAB_CAP
    last: Fraction | None = None
    """What the trial before attained, GFLOP/s."""
    answer: Fraction | None = None


@dataclass(frozen=True)
class Function:
    """One function of the expressions."""

    takes: tuple[Argument, ...]
    call: Callable[..., Fraction]
    """Gets the scope, then the arguments: fractions, data sets, row keys and column names as text."""
    column: str = ""
    """The covered word of the column that shows its value."""
    tabs: tuple[str, ...] = ()
    """Tabs that show it."""
    many: bool = False
    """Whether its last argument may repeat."""


def _attainable(scope: Scope, intensity: Fraction, bandwidth: Fraction) -> Fraction:
    return roofline.attainable(intensity, bandwidth, scope.cap)


def _cell(_: Scope, data: DataSet, row: str, column: str) -> Fraction:
    return data.cell(row, column)


def _of_pair(ratio: Callable[..., Fraction]) -> Callable[..., Fraction]:
    def call(_: Scope, data: DataSet, row: str) -> Fraction:
        return ratio(data.base(), data.measured(row))

    return call


def _ideal(_: Scope, data: DataSet, row: str) -> Fraction:
    # A row that did not complete has an ideal too.
    return Fraction(data.devices(row), data.base().devices)


def _device_time(_: Scope, data: DataSet, row: str) -> Fraction:
    return ratios.device_seconds(data.measured(row))


def _late(_: Scope, share: Fraction, devices: Fraction) -> Fraction:
    """The chance that at least one of D independent ranks is late."""
    if not 0 <= share <= 1:
        raise DataError(f"late() needs a chance from 0 to 1, not {share}")
    if share.denominator.bit_length() > 24 or devices.denominator != 1 or not 0 <= devices <= 512:
        raise DataError("late() needs a short decimal and a whole number of ranks up to 512")
    on_time = (1 - share) ** int(devices)
    assert isinstance(on_time, Fraction)
    return 1 - on_time


_PAIR: tuple[Argument, ...] = ("data", "row")
_RATIO_TABS = ("strong", "weak")

FUNCTIONS: dict[str, Function] = {
    "attainable": Function(("number", "number"), _attainable),
    "cell": Function(("data", "row", "column"), _cell),
    "speedup": Function(_PAIR, _of_pair(ratios.speedup), "speedup", ("strong",)),
    "ideal": Function(_PAIR, _ideal, "ideal", ("strong",)),
    "efficiency": Function(_PAIR, _of_pair(ratios.efficiency), "efficiency", ("strong",)),
    "weak_efficiency": Function(_PAIR, _of_pair(ratios.weak_efficiency), "efficiency", ("weak",)),
    "device_time": Function(_PAIR, _device_time, "cost", _RATIO_TABS),
    "late": Function(("number", "number"), _late),
    "min": Function(("number",), lambda _, *values: min(values), many=True),
    "max": Function(("number",), lambda _, *values: max(values), many=True),
    "abs": Function(("number",), lambda _, value: abs(value)),
}
"""Every function, by the name scripts call it."""

NAMES: Mapping[str, Callable[[Scope], Any]] = {
    "I": lambda scope: scope.intensity,
    "B": lambda scope: scope.bandwidth,
    "cap": lambda scope: scope.cap,
    "answer": lambda scope: scope.answer,
}
"""Every plain name and where its value comes from."""
