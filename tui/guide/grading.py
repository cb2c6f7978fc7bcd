"""Is an answer right? Exact arithmetic, tolerances with their ends included, and what kind of miss it was.

Nothing here remembers anything: tries and points are the session's.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from tui.guide.expression import ExpressionError, evaluate, holds, parse
from tui.guide.functions import Scope
from tui.guide.script import DEFAULT_TOLERANCE, Misconception, Numeric
from tui.guide.wrong_ideas import Wrong, ideas_at
from tui.model.quantity import ReadError, Reading, find_unit, format_number, read, read_number

Kind = Literal["exact", "percent", "absolute", "decimals", "sigfigs"]

_PREFIXES = tuple(Fraction(1000) ** power for power in (-3, -2, -1, 1, 2, 3))
_BINARY = tuple(Fraction(1024, 1000) ** power for power in (-3, -2, -1, 1, 2, 3))
_EXACTLY = Fraction(1, 5000)
_CLOSE = 3
"""An answer within so many tolerances is close: it was rounded too early."""


@dataclass(frozen=True)
class Tolerance:
    """How far an accepted answer may be from its target, ends included."""

    kind: Kind
    amount: Fraction = Fraction(0)
    """The share, the distance in the step's unit, or the number of digits."""

    def reach(self, target: Fraction) -> Fraction:
        """The largest distance from `target` that is accepted."""
        if self.kind == "percent":
            return self.amount * abs(target)
        if self.kind == "absolute":
            return self.amount
        if self.kind == "decimals":
            return _power_of_ten(-int(self.amount)) / 2
        if self.kind == "sigfigs" and target:
            return _power_of_ten(_magnitude(target) - int(self.amount) + 1) / 2
        return Fraction(0)

    def words(self, unit: str) -> str:
        """What the prompt says of it."""
        digits = int(self.amount)
        return {
            "exact": "exactly",
            "percent": f"within {format_number(self.amount * 100)} %",
            "absolute": f"within {format_number(self.amount)}{'' if unit == '1' else ' ' + unit}",
            "decimals": f"to {digits} decimals" if digits != 1 else "to 1 decimal",
            "sigfigs": f"to {digits} significant digits" if digits != 1 else "to 1 significant digit",
        }[self.kind]


@dataclass(frozen=True)
class Range:
    """A value and what counts as it."""

    value: Fraction
    reach: Fraction

    def __contains__(self, answer: Fraction) -> bool:
        return abs(answer - self.value) <= self.reach


@dataclass(frozen=True)
class Key:
    """What a numeric step accepts and what it recognises."""

    right: Range | None
    """None where committing a prediction is all that is asked."""
    wrong: tuple[tuple[Wrong, Range | None], ...] = ()


@dataclass(frozen=True)
class Verdict:
    """What an answer is."""

    right: bool
    idea: Wrong | None = None
    miss: str = ""
    """The kind of miss in a sentence, where no idea explains it."""


class BadTolerance(ValueError):
    """A tolerance that cannot be read; the text says how to write one."""


def tolerance_of(step: Numeric) -> Tolerance:
    """The tolerance of a step, the default of its kind when it names none.

    Raises:
        BadTolerance: when its text cannot be read.
    """
    if step.decimals is not None:
        return Tolerance("decimals", Fraction(step.decimals))
    if step.sigfigs is not None:
        return Tolerance("sigfigs", Fraction(step.sigfigs))
    text = (step.tol or DEFAULT_TOLERANCE[step.kind]).strip()
    if text == "exact":
        return Tolerance("exact")
    try:
        amount = read_number(text.removesuffix("%"))
    except ReadError:
        amount = Fraction(-1)
    if amount <= 0:
        raise BadTolerance(
            f'tol "{text[:40]}": write "exact", a share like "0.5%" or a distance like "0.005"'
        )
    return Tolerance("percent", amount / 100) if text.endswith("%") else Tolerance("absolute", amount)


def key_of(step: Numeric, scope: Scope, shared: Mapping[str, Misconception]) -> Key:
    """What the step accepts where names mean what `scope` says; ideas that have no value there are left out.

    Raises:
        ExpressionError: when the answer cannot be worked out.
    """
    tolerance = tolerance_of(step)
    right = None
    if step.answer:
        target = evaluate(parse(step.answer), scope)
        right = Range(target, tolerance.reach(target))
    wrong = []
    for _, idea in ideas_at(step, scope, shared):
        if isinstance(idea, Wrong) and (idea.rule or idea.value is not None):
            value = idea.value
            wrong.append((idea, None if value is None else Range(value, tolerance.reach(value))))
    return Key(right, tuple(wrong))


def read_answer(step: Numeric, key: Key, text: str) -> Reading:
    """The learner's number in the step's unit.

    A plain 80 where a share is asked is asked back, unless it is right or shows a known wrong idea as it
    stands: then its feedback says more than a question.

    Raises:
        ReadError: when the text is unreadable or has two readings.
    """
    try:
        return read(
            text, step.unit or "1", accept=step.accept, require_unit=step.require_unit, percent=step.percent
        )
    except ReadError as error:
        if error.code != "U05":
            raise
        plain = read(text, step.unit or "1", accept=step.accept)
        known = [ranged for _, ranged in key.wrong if ranged is not None]
        if not any(plain.value in each for each in (*known, *filter(None, [key.right]))):
            raise
        return plain


def judge(key: Key, scope: Scope, answer: Fraction, text: str = "") -> Verdict:
    """Right, a known wrong idea, or the kind of miss.

    Args:
        text: the answer as it was typed, for what its rounding says.
    """
    if key.right is not None and answer in key.right:
        return Verdict(True)
    for idea, ranged in key.wrong:
        if _shows(idea, ranged, scope, answer):
            return Verdict(False, idea)
    for idea, ranged in key.wrong:
        if ranged is not None and _rounds_to(ranged.value, answer, text):
            return Verdict(False, idea)
    return Verdict(False, miss=_kind_of_miss(key.right, answer, text) if key.right else "")


def _shows(idea: Wrong, ranged: Range | None, scope: Scope, answer: Fraction) -> bool:
    if ranged is not None:
        return answer in ranged
    assert idea.rule is not None
    try:
        return holds(idea.rule, with_answer(scope, answer))
    except ExpressionError:
        return False


def with_answer(scope: Scope, answer: Fraction) -> Scope:
    """The scope in which `answer` is the learner's value."""
    return Scope(scope.data, scope.intensity, scope.bandwidth, scope.cap, scope.last, answer)


def _kind_of_miss(right: Range, answer: Fraction, text: str) -> str:
    if answer and -answer in right:
        return "Look at the sign."
    if any(answer * factor in right for factor in _PREFIXES):
        return "You are off by a factor of 1000: look at the prefixes (k, M, G, T)."
    nearly = Range(right.value, abs(right.value) * _EXACTLY)  # 2.4 % is also just a coarse rounding
    if any(answer * factor in nearly for factor in _BINARY):
        return "You are off by 1024/1000: here a prefix is a power of 1000, GiB and MiB are other units."
    if right.value and answer * right.value == 1:
        return "Upside down: what is divided by what?"
    if abs(answer - right.value) <= _CLOSE * right.reach or _rounds_to(right.value, answer, text):
        return "Close: keep more digits until the end, then round once."
    return ""


def _rounds_to(value: Fraction, answer: Fraction, text: str) -> bool:
    """Whether the answer is the value rounded to the digits that were typed, two of them at least."""
    numeral = re.match(r"\s*[+-]?([\d.,]*)", text)
    digits = re.sub(r"\D", "", numeral[1] if numeral else "").lstrip("0")
    if len(digits) < 2 or not answer:
        return False
    return abs(answer - value) <= Tolerance("sigfigs", Fraction(len(digits))).reach(answer)


def asked_for(step: Numeric) -> str:
    """What the prompt says of unit and precision, from the fields that grade: "in GFLOP/s, within 1 %"."""
    unit = find_unit(step.unit or "1")
    assert unit is not None
    kind = "as a ratio or in %" if unit.kind == "ratio" else f"in {unit.symbol}"
    if unit.kind == "ratio" and not step.percent and tolerance_of(step).kind == "exact":
        kind = "as a plain number"  # an exact count is no share
    if step.require_unit and unit.kind != "ratio":
        kind += " (write the unit)"
    return f"{kind}, {tolerance_of(step).words(unit.symbol)}" if step.answer else kind


def _magnitude(value: Fraction) -> int:
    """Power of ten of the leading digit, exactly; the value is not 0."""
    bits = abs(value.numerator).bit_length() - value.denominator.bit_length()
    guess = int(bits * 0.30103) + 1
    while _power_of_ten(guess) > abs(value):
        guess -= 1
    return guess


def _power_of_ten(power: int) -> Fraction:
    return Fraction(10**power) if power >= 0 else Fraction(1, 10**-power)
