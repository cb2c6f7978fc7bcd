"""Loss budgets and predictions before they are laid out: facts as names and words, rows, and remarks."""

from __future__ import annotations

from collections.abc import Iterator

from tui.model.cost import memory_law, smallest_feasible
from tui.model.flags import counted, ratio
from tui.model.laws import Fit, Number, Place, Unfit, exact, late
from tui.model.losses import Budget
from tui.model.overhead import POP_SOURCE, Balance, overhead_share, speedup_limit
from tui.model.predict import Forecast
from tui.model.rates import predicted_rate
from tui.model.rows import Table
from tui.model.score import Alternatives
from tui.model.spread import RatioSpread
from tui.model.steps import Steps
from tui.model.study import HOST, Experiment

from .report_numbers import error_of, percent, shown
from .report_predictions import rate_words

Fact = tuple[str, str]

BUDGET_TITLES = ("stage", "lost s", "share", "E if free")

# ------------------------------------------------------------------------------------------- loss budgets


def budget_facts(budget: Budget, steps: Steps) -> tuple[Fact, ...]:
    """The ideal, what was measured, what was lost, and the path."""
    first, second, of = budget.first, budget.second, steps.of
    rule = f"T({first})·{first}/{second}" if steps.family == "strong" else f"T({first})"
    efficiency = ratio(float(budget.efficiency))
    return (
        ("ideal", f"{shown(budget.ideal)} s = {rule}"),
        ("measured", f"{shown(budget.time)} s, E = {efficiency} against {counted(first, of)}"),
        ("lost", f"{shown(budget.lost)} s"),
        ("path", f"{' → '.join(budget.path)} at {counted(second, of)}"),
    )


def budget_rows(budget: Budget) -> list[tuple[str, ...]]:
    """One row for each line of the budget, under `BUDGET_TITLES`, then their sum."""
    rows = [
        (
            line.stage,
            shown(line.lost),
            percent(line.share),
            "–" if line.efficiency_if_free is None else ratio(float(line.efficiency_if_free)),
        )
        for line in budget.lines
    ]
    whole = percent(sum((line.share or 0 for line in budget.lines), 0))
    return [*rows, ("all", shown(budget.lost), whole, "")]


def budget_notes(budget: Budget, steps: Steps) -> list[str]:
    """Stages beside the path, and what the stages leave of the measured steps."""
    notes = []
    slack = steps.measured(budget.second).slack
    for name, spare in slack.items():
        if name not in budget.path:
            notes.append(f"{name} is beside the path at {budget.second}, with {shown(spare)} s of slack")
    for devices, rest in zip((budget.first, budget.second), budget.remainders, strict=True):
        if rest:
            notes.append(remainder_words(devices, rest))
    return notes


def remainder_words(devices: int, rest: Number) -> str:
    """What the stages leave of a measured step, or by how much they exceed it."""
    if rest > 0:
        return f"at {devices} no stage explains {shown(rest)} s of the measured step"
    return f"at {devices} the stages exceed the measured step by {shown(-rest)} s"


def balance_words(devices: int, here: Balance | str) -> str:
    """How evenly the ranks of a count were busy, or why that cannot be told."""
    if isinstance(here, str):
        return f"at {devices}: {here}"
    load, communication, both, most = (
        ratio(float(value))
        for value in (
            here.load_balance,
            here.communication_efficiency,
            here.parallel_efficiency,
            here.largest_over_mean,
        )
    )
    return (
        f"at {devices}, {here.ranks} ranks: load balance {load} (max/mean {most}) × communication "
        f"efficiency {communication} = parallel efficiency {both} ({POP_SOURCE})"
    )


# -------------------------------------------------------------------------------------------- predictions


def forecast_facts(
    made: Forecast, spread: RatioSpread, instead: Alternatives, experiment: Experiment, rows: Table
) -> Iterator[Fact]:
    """Everything that is predicted of a count, but for its stages.

    Args:
        spread: that of the predicted time.
        instead: what rules that know no stages say of the same count.
        rows: the experiment's table, for the memory and the arithmetic.
    """
    of = experiment.counts
    yield "time", f"{shown(made.time)} s, {spread_words(spread)}"
    rate = predicted_rate(rows, experiment, made.devices, made.time)
    if rate is not None:
        yield "rate", rate_words(rate, of)
    yield "limit", f"{made.limit}, on the path {' → '.join(made.timing.path)}"
    change = made.change
    yield (
        "then",
        f"the limit passes from {change.before} to {change.after} at {counted(change.devices, of)}"
        if change
        else "the limit stays the same as far as the laws can be followed",
    )
    for _, words, time in instead.named:
        yield "instead", f"{words} says {shown(time)} s"
    yield from _shares(made)
    yield from _cost(made)
    words = _memory(made, experiment, rows)
    if words:
        yield "memory", words


def spread_words(spread: RatioSpread) -> str:
    """Where a predicted time may lie, or why nothing is known of that."""
    if spread.low is None or spread.high is None:
        few = "one job" if spread.jobs == 1 else "no job"
        return f"no interval: {few} with stages at some count"
    bounds = f"{shown(spread.low)} to {shown(spread.high)} s"
    if spread.kind == "interval":
        return f"95 % interval {bounds} from {spread.jobs} jobs or more at each count"
    return f"{bounds} over single jobs, at least {spread.jobs} at each count: no percentage"


def _shares(made: Forecast) -> Iterator[Fact]:
    if HOST in made.fits:
        shares = []
        for point in made.steps.points:
            if not made.steps.missing(point.devices):
                shares.append(f"{percent(overhead_share(made.steps, point.devices))} at {point.devices}")
        here = percent(overhead_share(made.steps, made.devices))
        yield HOST, f"{here} of the step; {', '.join(shares)}" if shares else f"{here} of the step"
    for name, law in made.fits.items():
        if law.law == "tail":
            chance = late(law.params["q"], made.devices)
            yield name, f"the chance that a rank is late is {percent(chance)} with {made.devices}"


def _cost(made: Forecast) -> Iterator[Fact]:
    cost = made.devices * made.time
    base = next((point for point in made.steps.points if point.devices == made.steps.base), None)
    times = f", {shown(cost / (base.devices * base.time))} × that of {base.devices}" if base else ""
    compared = times if made.steps.family == "strong" else ""
    yield "cost", f"{shown(cost)} device-seconds{compared}"


def _memory(made: Forecast, experiment: Experiment, rows: Table) -> str:
    law = memory_law(rows)
    if law is None:
        return ""
    try:
        gib = law.at(Place(exact(made.devices)))
    except Unfit:
        return ""
    words = f"{shown(gib)} GiB on each by a/D + b"
    if experiment.memory_per_device_gib is None:
        return words
    capacity = exact(experiment.memory_per_device_gib)
    verdict = "fits" if gib <= capacity else "does not fit"
    least = smallest_feasible(law.params["a"], law.params["b"], capacity)
    where = f"the smallest count that fits is {least}" if least else "no count fits"
    return f"{words}, {verdict} {shown(capacity)} GiB; {where}"


def speedup_words(made: Forecast) -> str:
    """The most that more devices can ever give over the baseline; empty where there is no such limit."""
    base = made.steps.base
    most = speedup_limit(made, base) if base is not None and made.steps.has(base) else None
    return (
        f"by these laws no count is more than {shown(most)} × as fast as {base}" if most is not None else ""
    )


def law_words(law: Fit) -> str:
    """The name of a stage's law, with a question mark where nobody chose it."""
    return f"{law.law}{' ?' if law.assumed else ''}"


def params_words(law: Fit) -> str:
    """The parameters of a law with their values."""
    return ", ".join(f"{key.removesuffix('_s')}={shown(value, 3)}" for key, value in law.params.items())


def residual_words(share: Number | None) -> str:
    """(law − measured)/measured, in per cent."""
    return "–" if share is None else error_of(share)
