"""A prediction as text of at most 80 columns: its stages, its limit, and how earlier ones did."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from tui.command_line.studies import error_of, facts, grid, percent, remarks, shown
from tui.files import report
from tui.model.cost import memory_law, smallest_feasible
from tui.model.laws import Fit, Place, Unfit, exact, late
from tui.model.overhead import overhead_share
from tui.model.predict import HOST
from tui.model.scaling import table
from tui.model.score import Locked
from tui.model.steps import GRID

if TYPE_CHECKING:
    from tui.command_line.predict import Answer

MEASURED, NOT = "yes", "no"


def as_text(answer: Answer) -> str:
    """The whole answer."""
    made, of = answer.made, answer.experiment.counts
    lines = [f"{report.plain(answer.experiment.name)}: the step at {made.devices} {of}, predicted"]
    lines += facts(list(_facts(answer)))
    lines += ["", *_stages(answer), "  * on the longest path; off: (law - measured)/measured, worst count"]
    lines += ["", *_grid(answer)]
    if answer.locked:
        lines += [
            "",
            "  locked predictions",
            *remarks([words for each in answer.locked for words in _locked(each, of)]),
        ]
    notes = made.notes
    return "\n".join([*lines, "", *remarks(notes)] if notes else lines)


def _facts(answer: Answer) -> Iterator[tuple[str, str]]:
    made, of = answer.made, answer.experiment.counts
    yield "time", f"{shown(made.time)} s, {_spread(answer)}"
    yield "limit", f"{made.limit}, on the path {' → '.join(made.timing.path)}"
    change = made.change
    yield (
        "then",
        f"the limit passes from {change.before} to {change.after} at {change.devices} {of}"
        if change
        else "the limit stays the same as far as the laws can be followed",
    )
    for _, words, time in answer.alternatives.named:
        yield "instead", f"{words} says {shown(time)} s"
    yield from _shares(answer)
    yield from _cost(answer)


def _spread(answer: Answer) -> str:
    spread = answer.spread
    if spread.low is None or spread.high is None:
        few = "one job" if spread.jobs == 1 else "no job"
        return f"no interval: {few} with stages at some count"
    bounds = f"{shown(spread.low)} to {shown(spread.high)} s"
    if spread.kind == "interval":
        return f"95 % interval {bounds} from {spread.jobs} jobs or more at each count"
    return f"{bounds} over single jobs, at least {spread.jobs} at each count: no percentage"


def _shares(answer: Answer) -> Iterator[tuple[str, str]]:
    made = answer.made
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


def _cost(answer: Answer) -> Iterator[tuple[str, str]]:
    made = answer.made
    cost = made.devices * made.time
    base = next((point for point in made.steps.points if point.devices == made.steps.base), None)
    times = f", {shown(cost / (base.devices * base.time))} × that of {base.devices}" if base else ""
    compared = times if made.steps.family == "strong" else ""
    yield "cost", f"{shown(cost)} device-seconds{compared}"
    words = _memory(answer)
    if words:
        yield "memory", words


def _memory(answer: Answer) -> str:
    made, experiment = answer.made, answer.experiment
    law = memory_law(table(experiment, answer.study.machine))
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


def _stages(answer: Answer) -> list[str]:
    timing = answer.made.timing
    rows = []
    for name, law in answer.made.fits.items():
        mark = "*" if name in timing.path else ""
        off = law.largest_residual
        worst = f"{error_of(off[1])} at {off[0]}" if off and off[1] else "0.0 %" if off else "–"
        seconds = (shown(timing.seconds[name]), shown(timing.slack[name]))
        rows.append((f"{mark}{name}", _law(law), _params(law), *seconds, worst))
    return grid(("stage", "law", "parameters", "time s", "slack s", "off"), rows, words=3)


def _law(law: Fit) -> str:
    return f"{law.law}{' ?' if law.assumed else ''}"


def _params(law: Fit) -> str:
    return ", ".join(f"{key.removesuffix('_s')}={shown(value, 3)}" for key, value in law.params.items())


def _grid(answer: Answer) -> list[str]:
    """What was measured of the parts that are asked for, at each count."""
    points = answer.steps.points
    measured = answer.steps.grid()
    if len(points) > 8:
        rows = []
        for name in GRID:
            where = [str(devices) for devices, yes in measured[name].items() if yes]
            rows.append((name, "all" if len(where) == len(points) else ", ".join(where) or NOT))
        return grid(("measured", "at"), rows, words=2)
    titles = ("measured", *(str(point.devices) for point in points))
    return grid(
        titles, [(name, *(MEASURED if yes else NOT for yes in measured[name].values())) for name in GRID]
    )


def _locked(each: Locked, of: str) -> Iterator[str]:
    prediction, score = each.prediction, each.score
    limit = f", limit {prediction.limit}" if prediction.limit else ""
    words = (
        f"{prediction.made:%Y-%m-%d}: {shown(exact(prediction.time_s))} s at {prediction.devices} {of}{limit}"
    )
    if each.superseded:
        yield f"{words}; superseded"
        return
    if score is None:
        yield f"{words}; {each.why_no_score}"
        return
    if score.limit_right is None:
        verdict = score.why_no_limit or "no limit was stated"
    else:
        verdict = "the limit was right" if score.limit_right else f"the limit was {score.limit}"
    others = ", ".join(f"{error_of(score.errors[key])} {name}" for key, name, _ in score.alternatives.named)
    yield (
        f"{words}; measured {shown(score.measured)} s: {error_of(score.error)}, {verdict}"
        + (f"; instead {others}" if others else "")
    )
