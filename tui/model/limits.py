"""Everything that is to be said of one experiment's steps at once, and where it cannot be said, why.

Made as a whole, because a spread of many jobs takes tenths of a second and belongs on a thread.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from tui.model.carried import carried
from tui.model.laws import Fit, Unfit
from tui.model.losses import Budget, loss_budget
from tui.model.overhead import Balance, balances
from tui.model.path import NoPath, Timing
from tui.model.predict import Forecast, fits, forecast
from tui.model.rows import Table
from tui.model.scaling import table
from tui.model.score import Alternatives, Locked, alternatives, locked
from tui.model.spread import RatioSpread
from tui.model.steps import Steps, steps_of
from tui.model.study import Experiment, Machine

NOTHING = "no count is measured yet"
ONE_COUNT = "only {} is measured: losses are counted from one count to another; measure a second"


@dataclass(frozen=True)
class Asked:
    """What the person wants to know.

    Attributes:
        devices: the count to predict; where it is None the one that was locked last, else twice the largest
            measured one.
        pair: the two counts of the loss budget; D0 and `beside` where it is None.
        beside: D0's other count in the loss budget; the largest where it is None.
        through: two counts that rules without stages go through; the first two where it is None, or where
            they cannot be used for the count that is predicted.
    """

    devices: int | None = None
    pair: tuple[int, int] | None = None
    beside: int | None = None
    through: tuple[int, int] | None = None


@dataclass(frozen=True)
class Limits:
    """What is known of one experiment. A text in place of a thing is the sentence that says why not."""

    experiment: Experiment
    rows: Table
    steps: Steps
    timings: Mapping[int, Timing | str]
    """The longest path at each measured count, through its measured seconds."""
    laws: Mapping[str, Fit | str]
    """The law of each stage through all measured counts."""
    predicted: int | None
    """The count of the forecast; None while nothing is measured."""
    forecast: Forecast | str
    spread: RatioSpread
    instead: Alternatives
    locked: tuple[Locked, ...]
    pair: tuple[int, int] | None
    """The counts of the budget; None while there are not two."""
    budget: Budget | str
    balances: Mapping[int, Balance | str]


def limits_of(experiment: Experiment, machine: Machine, asked: Asked) -> Limits:
    """Everything about one experiment, which is not of the target family; may run on any thread."""
    steps = steps_of(experiment, machine)
    predicted = asked.devices or _default_count(experiment, steps)
    made = _forecast(steps, predicted)
    pair = asked.pair or _default_pair(steps, asked.beside)
    instead = _instead(steps, predicted, asked.through) if predicted else Alternatives()
    return Limits(
        experiment=experiment,
        rows=table(experiment, machine),
        steps=steps,
        timings={point.devices: _timing(steps, point.devices) for point in steps.points},
        laws=_laws(steps),
        predicted=predicted,
        forecast=made,
        spread=carried(made) if isinstance(made, Forecast) else RatioSpread("none", 0),
        instead=instead,
        locked=locked(steps, experiment.prediction),
        pair=pair,
        budget=_budget(steps, pair),
        balances=balances(experiment),
    )


def _default_count(experiment: Experiment, steps: Steps) -> int | None:
    if experiment.prediction:
        return experiment.prediction[-1].devices
    return 2 * steps.points[-1].devices if steps.points else None


def _default_pair(steps: Steps, beside: int | None) -> tuple[int, int] | None:
    if len(steps.points) < 2:
        return None
    first, last = steps.points[0].devices, steps.points[-1].devices
    base = first if steps.base is None else steps.base
    other = last if beside in (None, base) else beside
    if other is None or other == base:
        return first, last
    return min(base, other), max(base, other)


def _timing(steps: Steps, devices: int) -> Timing | str:
    try:
        return steps.measured(devices)
    except NoPath as error:
        return str(error)


def _laws(steps: Steps) -> dict[str, Fit | str]:
    found: dict[str, Fit | str] = {}
    for stage in steps.stages:
        try:
            found |= fits(replace(steps, stages=(stage,)))
        except Unfit as error:
            found[stage.name] = str(error)
    return found


def _forecast(steps: Steps, devices: int | None) -> Forecast | str:
    if devices is None:
        return NOTHING
    try:
        return forecast(steps, devices)
    except (NoPath, Unfit) as error:
        return str(error)


def _instead(steps: Steps, devices: int, through: tuple[int, int] | None) -> Alternatives:
    try:
        return alternatives(steps, devices, through)
    except NoPath:
        return alternatives(steps, devices)


def _budget(steps: Steps, pair: tuple[int, int] | None) -> Budget | str:
    if pair is None:
        return ONE_COUNT.format(steps.points[0].devices) if steps.points else NOTHING
    try:
        return loss_budget(steps, *pair)
    except NoPath as error:
        return str(error)
