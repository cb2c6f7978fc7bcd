"""A script made ready to be done: what every name means at every step, and what every step accepts."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import MISSING, dataclass, field, fields, replace
from functools import cached_property
from typing import Any

from tui.guide.data import DataSet
from tui.guide.expression import ExpressionError, parse
from tui.guide.functions import FUNCTIONS, Scope
from tui.guide.grading import Key, key_of
from tui.guide.script import (
    Misconception,
    Numeric,
    Options,
    Play,
    ResetStep,
    Script,
    SetInputs,
    Step,
)
from tui.model.quantity import ReadError
from tui.model.roofline import Outcome, attainable, outcome
from tui.model.trial import read_bandwidth, read_intensity


@dataclass(frozen=True)
class Moment:
    """What holds when a step is reached by doing all steps before it as the script says."""

    scope: Scope
    spoiled_by: int | None = None
    """Position of a set step whose inputs cannot be read; until the next one nothing can be worked out."""


@dataclass(frozen=True)
class Exercise:
    """A script with its tables, ready to be done."""

    script: Script
    sets: Mapping[str, DataSet] = field(default_factory=dict)
    files: Mapping[str, bytes] = field(default_factory=dict, repr=False)
    """The bytes that the session keeps a copy of, by path inside the script's folder."""

    @property
    def steps(self) -> tuple[Step, ...]:
        """The steps in order."""
        return self.script.step

    @cached_property
    def moments(self) -> tuple[Moment, ...]:
        """One for each step."""
        return trace(self.script, self.sets)

    @cached_property
    def shared(self) -> Mapping[str, Misconception]:
        """The script's own wrong ideas that steps use by id."""
        return {each.id: each for each in self.script.misconception}

    @cached_property
    def keys(self) -> tuple[Key | None, ...]:
        """What each numeric step accepts; None for other kinds.

        Raises:
            ExpressionError: when a key cannot be worked out, which the checks find before a start.
        """
        return tuple(
            self.key(step, moment.scope) if isinstance(step, Numeric) else None
            for step, moment in zip(self.steps, self.moments, strict=True)
        )

    def key(self, step: Numeric, scope: Scope) -> Key:
        """What a numeric step accepts where names mean what `scope` says."""
        return key_of(step, scope, self.shared)

    @cached_property
    def graded_hash(self) -> str:
        """SHA-256 over what decides marks; texts, hints and feedback do not change it."""
        script = self.script
        parts = {
            "id": script.id,
            "schedule": list(map(str, script.score.schedule)),
            "hint_cost": str(script.score.hint_cost),
            "pass": str(script.score.passes),
            "data": {name: _graded_data(data) for name, data in sorted(self.sets.items())},
            "steps": [_graded_step(step) for step in script.step],
        }
        text = json.dumps(parts, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        return hashlib.sha256(text.encode()).hexdigest()


def trace(script: Script, sets: Mapping[str, DataSet]) -> tuple[Moment, ...]:
    """What holds at each step, followed from the first one on."""
    scope, spoiled, moments = Scope(data=sets), None, []
    for place, step in enumerate(script.step):
        if isinstance(step, ResetStep):
            scope, spoiled = replace(scope, intensity=None, bandwidth=None), None
        if isinstance(step, SetInputs):
            try:
                scope, spoiled = with_inputs(scope, step), None
            except ReadError:
                spoiled = place
        moments.append(Moment(scope, spoiled if spoiled != place else None))
        if isinstance(step, Play) and scope.intensity is not None and scope.bandwidth is not None:
            scope = replace(scope, last=attainable(scope.intensity, scope.bandwidth, scope.cap))
    return tuple(moments)


def with_inputs(scope: Scope, step: SetInputs) -> Scope:
    """The scope once the inputs read what the step asks for.

    Raises:
        ReadError: when one of them cannot be read.
    """
    intensity, bandwidth = step.inputs.get("I"), step.inputs.get("B")
    return replace(
        scope,
        intensity=scope.intensity if intensity is None else read_intensity(intensity).value,
        bandwidth=scope.bandwidth if bandwidth is None else read_bandwidth(bandwidth).value,
    )


def outcome_at(scope: Scope) -> Outcome | None:
    """What the roofline says of the inputs of a scope, None without both of them."""
    if scope.intensity is None or scope.bandwidth is None:
        return None
    return outcome(scope.intensity, scope.bandwidth, scope.cap)


def uses(step: Step, data_id: str | None = None) -> frozenset[str]:
    """Words of the columns that would answer a step: those its key calls, and those it says itself.

    Args:
        data_id: count only calls about this table.
    """
    words = set(step.cover)
    if isinstance(step, Numeric) and step.answer:
        try:
            calls = parse(step.answer).calls
        except ExpressionError:
            calls = ()
        for name, written in calls:
            column = FUNCTIONS[name].column
            if column and (data_id is None or written[:1] == (data_id,)):
                words.add(column)
    return frozenset(words)


_NO_MARKS = frozenset(
    {"title", "text", "hints", "solution", "concept", "expect", "cover", "shuffle", "confidence"}
    | {"use", "misconception", "private", "discuss"}
)
"""Keys of steps that explain, arrange or report, and never decide a mark."""


def _graded_step(step: Step) -> dict[str, Any]:
    """What decides marks, without what is left at its default: a key that a later version adds must not
    make every old session look different.
    """
    parts: dict[str, Any] = {"id": step.id, "kind": step.kind}
    for each in fields(step):
        value = getattr(step, each.name)
        default = each.default_factory() if each.default_factory is not MISSING else each.default
        if each.name not in _NO_MARKS and value != default:
            parts[each.name] = value
    if step.schedule:
        parts["schedule"] = list(map(str, step.schedule))
    if isinstance(step, Options):
        for name in ("choice", "line"):
            parts.pop(name, None)
        parts["options"] = [[option.id, option.right] for option in step.options]
    return parts


def _graded_data(data: DataSet) -> list[Any]:
    hidden = sorted(data.hidden)
    return [data.family, data.key, data.baseline, hidden, list(data.columns), list(map(list, data.rows))]
