"""Checks of what decides marks: keys, pins, units, tolerances, and wrong ideas against the right answer."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction

from tui.files.lines import Path as Place
from tui.guide.exercise import Exercise
from tui.guide.expression import Expression, ExpressionError, evaluate, holds, parse, say
from tui.guide.findings import Finding
from tui.guide.functions import Scope
from tui.guide.grading import BadTolerance, Range, Tolerance, tolerance_of, with_answer
from tui.guide.script import DEFAULT_TOLERANCE, Compute, Numeric, Predict
from tui.guide.wrong_ideas import Fault, Wrong, ideas_at
from tui.model.quantity import ReadError, find_unit, format_number, read_number
from tui.model.quantity import did_you_mean as near_unit

WIDE = Fraction(1, 10)
"""A tolerance above this share of the answer accepts too much."""


def numeric_findings(exercise: Exercise, place: int, step: Numeric) -> Iterator[Finding]:
    """What is wrong with the numbers of one step."""
    path: Place = ("step", place)
    scope = exercise.moments[place].scope
    yield from _unit_findings(step, path)
    yield from _tolerance_findings(step, path)
    if not step.answer:
        if not (isinstance(step, Predict) and step.credit == "commit"):
            yield Finding("E050", 'answer is missing: a key like answer = "attainable(I, B)"', path)
        yield from _idea_findings(exercise, place, step, None)
        return
    try:
        expression = parse(step.answer)
        target = evaluate(expression, scope)
    except ExpressionError as error:
        yield Finding("E051", f"answer: {error}", (*path, "answer"))
        return
    yield from _key_findings(step, path, expression, scope, target)
    try:
        tolerance = tolerance_of(step)
    except BadTolerance:
        return
    yield from _reach_findings(path, tolerance, target)
    yield from _idea_findings(exercise, place, step, Range(target, tolerance.reach(target)))


def _unit_findings(step: Numeric, path: Place) -> Iterator[Finding]:
    if not step.unit:
        yield Finding("E050", 'unit is missing: write unit = "GB/s", or "1" for a ratio', path)
    target = find_unit(step.unit) if step.unit else None
    for number, symbol in enumerate((step.unit, *step.accept)):
        where: Place = (*path, "unit") if number == 0 else (*path, "accept", number - 1)
        unit = find_unit(symbol) if symbol else None
        if symbol and unit is None:
            near = near_unit(symbol)
            hint = f' (did you mean "{near}"?)' if near else ""
            yield Finding("E058", f'unknown unit "{symbol}"{hint}', where)
        elif unit and target and unit.kind != target.kind:
            kind = f"{unit.kind_name}, not {target.kind_name} like {target.symbol}"
            yield Finding("E058", f'accept: "{symbol}" is {kind}', where)


def _tolerance_findings(step: Numeric, path: Place) -> Iterator[Finding]:
    given = [name for name in ("tol", "decimals", "sigfigs") if getattr(step, name) not in ("", None)]
    if len(given) > 1:
        yield Finding("E054", f"more than one tolerance: {' and '.join(given)}", (*path, given[1]))
    if not given and step.answer:
        default = DEFAULT_TOLERANCE[step.kind].replace("%", " %")
        yield Finding("W056", f"no tolerance is given: {default} applies", path)
    try:
        tolerance_of(step)
    except BadTolerance as error:
        yield Finding("E015", str(error), (*path, "tol"))


def _key_findings(
    step: Numeric, path: Place, expression: Expression, scope: Scope, target: Fraction
) -> Iterator[Finding]:
    if expression.is_bare_number:
        yield Finding("W051", "the answer is a bare number: use the model or the data", (*path, "answer"))
    model = f"{format_number(target, 6)} {step.unit if step.unit != '1' else ''}".rstrip()
    if not step.expect:
        yield Finding("W053", f"no expect: pin the number you have in mind (the model says {model})", path)
        return
    try:
        pinned = read_number(step.expect)
    except ReadError as error:
        yield Finding("E015", f"expect: {error.sentence}", (*path, "expect"))
        return
    if abs(pinned - target) > _half_a_digit(step.expect):
        what = f'for "{expression.text}"{say(expression, scope)}'
        yield Finding("E052", f"you expect {step.expect}, the model says {model} {what}", (*path, "expect"))


def _half_a_digit(pinned: str) -> Fraction:
    """Half a unit of the last digit an author wrote; a fraction or a whole number is meant exactly."""
    decimals = re.fullmatch(r"-?\d*\.(\d+)", pinned.strip())
    return Fraction(1, 2 * 10 ** len(decimals[1])) if decimals else Fraction(0)


def _reach_findings(path: Place, tolerance: Tolerance, target: Fraction) -> Iterator[Finding]:
    if not target and tolerance.kind == "percent":
        yield Finding(
            "E056", "a percentage of an answer of 0 accepts nothing else: give a distance", (*path, "tol")
        )
    elif target and tolerance.reach(target) > WIDE * abs(target):
        yield Finding("W055", f"the tolerance is more than {format_number(WIDE * 100)} % of the answer", path)


def _idea_findings(exercise: Exercise, place: int, step: Numeric, right: Range | None) -> Iterator[Finding]:
    scope, seen = exercise.moments[place].scope, list[Wrong]()
    tolerance = None if right is None else tolerance_of(step)
    for where, idea in ideas_at(step, scope, exercise.shared):
        path: Place = ("step", place, *where)
        if isinstance(idea, Fault):
            # A shared idea says what is missing where it is defined.
            if not (idea.code == "E062" and where[0] == "use"):
                yield Finding(idea.code, idea.sentence, path)
            continue
        if not idea.feedback and where[0] == "misconception":
            yield Finding("E061", f'wrong idea "{idea.id}" has no feedback: say why it is wrong', path)
        if right is None or tolerance is None:
            continue
        yield from _against_right(idea, right, scope, path)
        if idea.value is not None:
            other = _same_value(idea.value, seen, tolerance)
            if other:
                both = f'"{other}" and "{idea.id}" both give {format_number(idea.value)}'
                yield Finding("W065", f"wrong ideas {both}: the first one wins", path)
        seen.append(idea)
        if isinstance(step, Compute) and prints_answer(idea.feedback, right):
            yield Finding("W066", f'the feedback of wrong idea "{idea.id}" prints the answer', path)


def _against_right(idea: Wrong, right: Range, scope: Scope, path: Place) -> Iterator[Finding]:
    if idea.value is not None and idea.value in right:
        accepted = f"{format_number(right.value)} ± {format_number(right.reach)}"
        sentence = (
            f'wrong idea "{idea.id}" = {format_number(idea.value)} is inside the accepted range {accepted}: '
            "learners who hold it would be marked right"
        )
        yield Finding("E063", sentence, path)
    if idea.rule is None:
        return
    try:
        true = holds(idea.rule, with_answer(scope, right.value))
    except ExpressionError as error:
        yield Finding("E051", f'wrong idea "{idea.id}": {error}', path)
        return
    if true:
        yield Finding("E064", f'the rule of wrong idea "{idea.id}" is true for the right answer', path)


def _same_value(value: Fraction, seen: list[Wrong], tolerance: Tolerance) -> str:
    for other in seen:
        if other.value is not None and value in Range(other.value, tolerance.reach(other.value)):
            return other.id
    return ""


_NUMBERS = re.compile(r"(?<![\w.,/])\d+(?:[.,]\d+)?(?![\w/]|[.,]\d)(?:\s?%)?")


def prints_answer(text: str, right: Range) -> bool:
    """Whether one of the numbers in a text would be accepted as the answer."""
    for found in _NUMBERS.findall(text):
        share = found.endswith("%")
        value = Fraction(found.rstrip("% ").replace(",", ".")) / (100 if share else 1)
        if value in right:
            return True
    return False
