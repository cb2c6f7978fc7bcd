"""Wrong ideas as a step knows them: the script's own, those it shares, and those of the catalogue."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

from tui.guide.data import DataError, DataSet
from tui.guide.expression import Expression, ExpressionError, evaluate, parse
from tui.guide.findings import did_you_mean
from tui.guide.functions import FUNCTIONS, Scope
from tui.guide.script import Misconception, Numeric, Predict
from tui.model.ideas import ROOFLINE_IDEAS, Evidence
from tui.model.ratios import Measurement
from tui.model.scaling_ideas import ROW_IDEAS, TOLD_IDEAS, RowEvidence

_TRIAL = {idea.id: idea for idea in ROOFLINE_IDEAS}
_ROW = {idea.id: idea for idea in ROW_IDEAS}
_TOLD = {idea.id: idea for idea in TOLD_IDEAS}
CATALOGUE: frozenset[str] = frozenset({*_TRIAL, *_ROW, *_TOLD})
"""Ids of every idea that a script may use without defining it."""


@dataclass(frozen=True)
class Wrong:
    """One wrong idea at one step: the answer it gives there, or the rule that shows it."""

    id: str
    title: str
    feedback: str
    value: Fraction | None = None
    rule: Expression | None = None


@dataclass(frozen=True)
class Fault:
    """An idea that cannot be used here, and why."""

    code: str
    sentence: str


Place = tuple[str | int, ...]


def ideas_at(
    step: Numeric, scope: Scope, shared: Mapping[str, Misconception]
) -> Iterator[tuple[Place, Wrong | Fault]]:
    """The wrong ideas of a step in the order they are tried, each with its place in the step.

    Args:
        shared: the script's `[[misconception]]` tables by id; they go before the catalogue.
    """
    for number, name in enumerate(step.use):
        own = shared.get(name)
        found = _defined(own, scope) if own else _from_catalogue(name, step, scope, shared)
        yield ("use", number), found
    for number, each in enumerate(step.misconception):
        yield ("misconception", number), _defined(each, scope)


def _defined(idea: Misconception, scope: Scope) -> Wrong | Fault:
    if bool(idea.value) == bool(idea.when):
        return Fault("E062", f'wrong idea "{idea.id}" needs exactly one of value and when')
    try:
        if idea.when:
            return Wrong(idea.id, idea.title, idea.feedback, rule=parse(idea.when, rule=True))
        return Wrong(idea.id, idea.title, idea.feedback, evaluate(parse(idea.value), scope))
    except ExpressionError as error:
        return Fault("E051", f'wrong idea "{idea.id}": {error}')


def _from_catalogue(
    name: str, step: Numeric, scope: Scope, shared: Mapping[str, Misconception]
) -> Wrong | Fault:
    if name in _TRIAL:
        idea = _TRIAL[name]
        if scope.intensity is None or scope.bandwidth is None:
            return Fault("E051", f'wrong idea "{name}" needs I and B: no set step came before')
        evidence = Evidence(scope.intensity, scope.bandwidth, scope.cap, scope.last)
        # What is judged after Play may show numbers; before that no feedback may hold the answer.
        words = idea.feedback(evidence) if isinstance(step, Predict) else idea.miss
        return Wrong(name, idea.title, words, idea.value(evidence))
    if name in _ROW:
        row_idea = _ROW[name]
        row = _row_of(step, scope)
        if row is None:
            sentence = f'wrong idea "{name}" needs an answer about one row of one table; give it a value here'
            return Fault("E060", sentence)
        return Wrong(name, row_idea.title, row_idea.feedback, row_idea.value(row))
    if name in _TOLD:
        return Fault("E060", f'wrong idea "{name}" is told from a choice; give it a value here')
    near = did_you_mean(name, {*shared, *CATALOGUE})
    return Fault("E060", f'wrong idea "{name}" is not defined{near}')


def _row_of(step: Numeric, scope: Scope) -> RowEvidence | None:
    """The one row of one table that the step's key is about."""
    try:
        calls = parse(step.answer).calls
        pairs = {written for name, written in calls if FUNCTIONS[name].takes == ("data", "row")}
        ((name, row),) = pairs or {written[:2] for name, written in calls if name == "cell"}
        data = scope.data[name]
        devices = data.devices(row)
        return RowEvidence(data.base(), devices, _measured(data, row), data.earlier(devices))
    except (ExpressionError, DataError, KeyError, ValueError):
        return None


def _measured(data: DataSet, row: str) -> Measurement[Fraction] | None:
    try:
        return data.measured(row)
    except DataError:
        return None
