"""Locked predictions, and how right they were once the run arrived.

Beside the path stand three ways to guess the same number without knowing a single stage: the ideal line
from the baseline, the same gain again, and Amdahl's law through two counts (Amdahl, "Validity of the
single processor approach to achieving large scale computing capabilities", AFIPS 1967).
"""

from __future__ import annotations

import datetime as dt
import hashlib
import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from tui.model.flags import counted
from tui.model.laws import Number
from tui.model.path import NoPath
from tui.model.predict import Forecast
from tui.model.steps import Point, Steps
from tui.model.study import Prediction


@dataclass(frozen=True)
class Alternatives:
    """The time at one count by rules that know no stages; absent where a rule says nothing."""

    base: int | None = None
    """The count that the ideal line starts from."""
    through: tuple[int, int] | None = None
    """The two counts that the other rules go through."""
    ideal: Number | None = None
    same_gain: Number | None = None
    amdahl: Number | None = None

    @property
    def named(self) -> tuple[tuple[str, str, Number], ...]:
        """Key, words and seconds of those that say something."""
        pair = "{} and {}".format(*self.through) if self.through else ""
        rules = (
            ("ideal", f"the ideal line from {self.base}", self.ideal),
            ("same_gain", f"the same gain again, as between {pair}", self.same_gain),
            ("amdahl", f"Amdahl through {pair}", self.amdahl),
        )
        return tuple((key, words, time) for key, words, time in rules if time is not None)


@dataclass(frozen=True)
class Score:
    """A locked prediction against the run that came."""

    prediction: Prediction
    measured: Number
    """Seconds."""
    error: Number
    """(predicted − measured)/measured."""
    limit: str | None
    """The limit as measured; `None` where a stage was not measured there."""
    why_no_limit: str
    """Why the limit is not known, in one sentence; empty where it is."""
    alternatives: Alternatives

    @property
    def limit_right(self) -> bool | None:
        """Whether the stated limit was the limit; `None` when one of them is not known."""
        if self.limit is None or not self.prediction.limit:
            return None
        return self.limit == self.prediction.limit

    @property
    def errors(self) -> dict[str, Number]:
        """The error that each alternative would have had."""
        return {key: (time - self.measured) / self.measured for key, _, time in self.alternatives.named}


@dataclass(frozen=True)
class Locked:
    """One locked prediction as it stands now."""

    prediction: Prediction
    superseded: bool
    """Whether a later one was locked for the same count; only the last is the one that counts."""
    score: Score | None
    """`None` while no run that may be compared was measured at its count."""
    why_no_score: str = ""


def alternatives(steps: Steps, devices: int, through: tuple[int, int] | None = None) -> Alternatives:
    """What the rules say of a count, from the runs at other counts.

    Args:
        through: the two counts to go through, instead of the first two.

    Raises:
        NoPath: when one of `through` was not measured, or they are no two counts besides `devices`.
    """
    others = steps.without(devices)
    if steps.family == "model-size" or not others.points:
        return Alternatives()
    base = next((point for point in others.points if point.devices == steps.base), others.points[0])
    strong = steps.family == "strong"
    ideal = base.time * base.devices / devices if strong else base.time
    pair = _pair(others, devices, through)
    if pair is None:
        return Alternatives(base.devices, None, ideal)
    first, second = pair
    return Alternatives(
        base=base.devices,
        through=(first.devices, second.devices),
        ideal=ideal,
        same_gain=_same_gain(first, second, devices),
        amdahl=_amdahl(first, second, devices) if strong else None,
    )


def _pair(steps: Steps, devices: int, through: tuple[int, int] | None) -> tuple[Point, Point] | None:
    if through is None:
        return (steps.points[0], steps.points[1]) if len(steps.points) > 1 else None
    if devices in through or through[0] == through[1]:
        raise NoPath(
            f"two counts besides {devices} are needed to go through, not {through[0]} and {through[1]}"
        )
    return steps.point(min(through)), steps.point(max(through))


def _same_gain(first: Point, second: Point, devices: int) -> Number | None:
    """T2·(T2/T1)^(log(D/D2)/log(D2/D1)); `None` where that is beyond any number a time could be."""
    try:
        found = _gained(first, second, devices)
        return found if math.isfinite(found) else None
    except OverflowError:
        return None


def _gained(first: Point, second: Point, devices: int) -> Number:
    """Exact where the count is a whole number of steps away."""
    gain = second.time / first.time
    power = math.log(devices / second.devices) / math.log(second.devices / first.devices)
    whole = round(power)
    step = Fraction(second.devices, first.devices)
    if Fraction(devices, second.devices) == step**whole:
        return second.time * gain**whole
    return float(second.time) * math.pow(float(gain), power)


def _amdahl(first: Point, second: Point, devices: int) -> Number:
    """a + b/D through both counts."""
    split = (first.time - second.time) / (Fraction(1, first.devices) - Fraction(1, second.devices))
    fixed = first.time - split / first.devices
    return fixed + split / devices


def score(steps: Steps, prediction: Prediction, through: tuple[int, int] | None = None) -> Score | None:
    """The score of a prediction; `None` while nothing comparable was measured at its count."""
    if not steps.has(prediction.devices):
        return None
    measured = steps.point(prediction.devices).time
    limit, why = None, ""
    try:
        limit = steps.measured(prediction.devices).limit
    except NoPath as unknown:
        why = str(unknown)
    return Score(
        prediction=prediction,
        measured=measured,
        error=(Fraction(str(prediction.time_s)) - measured) / measured,
        limit=limit,
        why_no_limit=why,
        alternatives=alternatives(steps, prediction.devices, through),
    )


def locked(
    steps: Steps, predictions: Sequence[Prediction], through: tuple[int, int] | None = None
) -> tuple[Locked, ...]:
    """Every locked prediction with its score, in the order they were made."""
    last = {prediction.devices: place for place, prediction in enumerate(predictions)}
    found = []
    for place, prediction in enumerate(predictions):
        devices = prediction.devices
        why = "" if steps.has(devices) else "its run is awaited"
        if devices in steps.left_out and devices not in steps.planned:
            why = f"its run cannot be compared: {steps.left_out[devices]}"
        superseded = last[devices] != place
        found.append(Locked(prediction, superseded, score(steps, prediction, through), why))
    return tuple(found)


def lock(steps: Steps, made: Forecast, now: dt.datetime) -> Prediction:
    """The prediction to store, with its date and the fingerprint of what it was made from.

    Raises:
        NoPath: when the count was measured already, so that nothing is predicted.
    """
    if steps.has(made.devices):
        raise NoPath(
            f"the step at {counted(made.devices, steps.of)} was measured already: a prediction is locked "
            "before its run arrives"
        )
    return Prediction(
        devices=made.devices,
        made=now.replace(microsecond=0),
        time_s=float(made.time),
        limit=made.limit,
        inputs_sha256=fingerprint(made.steps),
    )


def fingerprint(steps: Steps) -> str:
    """SHA-256 of the stages and of all that was measured; equal for the same inputs in any file."""
    inputs = {
        "family": steps.family,
        "stages": [
            [each.name, each.law, sorted(each.after), each.of, sorted(each.params.items())]
            for each in steps.stages
        ],
        "points": [
            [point.devices, str(point.time), sorted((name, str(t)) for name, t in point.seconds.items())]
            for point in steps.points
        ],
    }
    return hashlib.sha256(json.dumps(inputs, sort_keys=True).encode()).hexdigest()
