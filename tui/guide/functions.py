"""The functions that answer keys may call: the instrument's own, one entry each.

A function that a later tab brings joins by one more entry; the checks read the same table, so nothing
else has to learn of it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, Literal

from tui.guide.data import LABEL, DataError, DataSet, as_study, exact, is_number
from tui.model import laws, losses, predict, ratios, roofline
from tui.model.steps import Steps, steps_of
from tui.model.study import Experiment
from tui.model.target import SUMMARIES, Summary, TargetRow, target_table

Argument = Literal["number", "data", "row", "column", "stage"]
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
    # Longer ones are no lesson, and their exact power would cost a learner's session seconds.
    if share.denominator.bit_length() > 24 or devices.denominator != 1 or not 0 <= devices <= 512:
        raise DataError("late() needs a short decimal and a whole number of ranks up to 512")
    return _exact(laws.late(share, devices))


def _exact(value: laws.Number) -> Fraction:
    """A number of the model as a fraction; laws with an uneven logarithm or root give floats."""
    return value if isinstance(value, Fraction) else laws.exact(value)


# ---------------------------------------------------------------------------------- limits and target


def _experiment(data: DataSet) -> Experiment:
    """A table as an experiment with everything in it: blanks filled in, hidden rows in sight."""
    return as_study([replace(data, blanks=frozenset(), hidden=frozenset())]).experiment[0]


def _steps(data: DataSet) -> Steps:
    return steps_of(_experiment(data))


def _steps_before(data: DataSet) -> Steps:
    """The steps before hidden rows were measured: what is asked of those is a prediction."""
    steps = _steps(data)
    for key in data.hidden:
        steps = steps.without(data.devices(key))
    return steps


def count_of(data: DataSet, row: str) -> int:
    """The device count of a row, or one that the table does not have."""
    if data.key == "devices" and is_number(row) and exact(row).denominator == 1:
        return int(exact(row))
    return data.devices(row)


def _path_time(_: Scope, data: DataSet, row: str) -> Fraction:
    return _exact(predict.path_time(_steps_before(data), count_of(data, row)))


def _slack(_: Scope, data: DataSet, row: str, stage: str) -> Fraction:
    return _exact(predict.slack(_steps_before(data), count_of(data, row), stage))


def _loss(_: Scope, data: DataSet, first: str, second: str, stage: str) -> Fraction:
    return _exact(losses.loss(_steps(data), count_of(data, first), count_of(data, second), stage))


def _target_row(data: DataSet, row: str, how: tuple[str, ...]) -> TargetRow:
    """A row of the Target table; `how` names the summary over the seeds where it is not the median."""
    known: dict[str, Summary] = {name: name for name in SUMMARIES}
    if len(how) > 1 or (how and how[0] not in known):
        raise DataError(f"the summary over the seeds is one of {', '.join(known)}, not {', '.join(how)}")
    devices = data.devices(row)
    table = target_table(_experiment(data), known[how[0]] if how else "median")
    found = [
        each for each in table.rows if each.devices == devices and (data.key != LABEL or each.label == row)
    ]
    if len(found) != 1:
        raise DataError(
            f'data "{data.id}" has {len(found)} configurations {data.key}={row}: '
            'name them in a column `row` and set key = "row"'
        )
    return found[0]


def _time_to_target(_: Scope, data: DataSet, row: str, *how: str) -> Fraction:
    here = _target_row(data, row, how)
    if here.time is None:
        raise DataError(f'data "{data.id}", row {row}: {here.reached_in_words}, so there is no time')
    return here.time


def _inflation(_: Scope, data: DataSet, row: str, *how: str) -> Fraction:
    here = _target_row(data, row, how)
    if here.inflation is None:
        raise DataError(
            f'data "{data.id}", row {row}: its work to the target, or the baseline\'s, is not known'
        )
    return here.inflation


_PAIR: tuple[Argument, ...] = ("data", "row")
_LIMITS, _TARGET = ("limits",), ("target",)
_STRONG, _WEAK = ("strong", *_LIMITS), ("weak", *_LIMITS, *_TARGET)

FUNCTIONS: dict[str, Function] = {
    "attainable": Function(("number", "number"), _attainable),
    "cell": Function(("data", "row", "column"), _cell),
    "speedup": Function(_PAIR, _of_pair(ratios.speedup), "speedup", ("strong",)),
    "ideal": Function(_PAIR, _ideal, "ideal", ("strong",)),
    "efficiency": Function(_PAIR, _of_pair(ratios.efficiency), "efficiency", _STRONG),
    "weak_efficiency": Function(_PAIR, _of_pair(ratios.weak_efficiency), "efficiency", _WEAK),
    "device_time": Function(_PAIR, _device_time, "cost", ("strong", "weak", *_LIMITS)),
    "path_time": Function(_PAIR, _path_time, "path", _LIMITS),
    "slack": Function(("data", "row", "stage"), _slack, "slack", _LIMITS),
    "loss": Function(("data", "row", "row", "stage"), _loss, "loss", _LIMITS),
    "late": Function(("number", "number"), _late, "late", _LIMITS),
    "time_to_target": Function(_PAIR, _time_to_target, "target", _TARGET, many=True),
    "inflation": Function(_PAIR, _inflation, "target", _TARGET, many=True),
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
