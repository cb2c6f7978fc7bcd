"""The other pages of the Limits tab as lines: laws, losses, prediction, what was measured, costs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tui.files.report_limits import (
    BUDGET_TITLES,
    balance_words,
    budget_facts,
    budget_notes,
    budget_rows,
    forecast_facts,
    law_words,
    params_words,
    remainder_words,
    residual_words,
    speedup_words,
)
from tui.files.report_numbers import error_of, percent, shown
from tui.files.report_predictions import locked_words, rate_words
from tui.model.cost import Cost, costs, memory_law, smallest_feasible
from tui.model.flags import counted, ratio
from tui.model.laws import LAWS, Fit, exact, late
from tui.model.limits import Limits
from tui.model.losses import Budget
from tui.model.overhead import POP_DEFINITIONS, POP_SOURCE, Balance
from tui.model.path import Timing
from tui.model.predict import Forecast, below_zero, two_counts
from tui.model.rates import measured_rate
from tui.model.run_text import printable_words
from tui.model.steps import GRID
from tui.model.study import HOST
from tui.tabs.limits_stages import Look, hides_forecast, tails
from tui.widgets.columns import COVER
from tui.widgets.efficiency_table import Line
from tui.widgets.stage_lines import Grid, PageLines, facts, paragraphs, remarks, sentence

PARTS_ASKED = {
    "communication": "communication",
    "input": "input readiness",
    "bubble": "bubbles",
    "kernel": "kernel shapes",
    "rank_tail": "rank tails",
    "host": "host time",
    "wait": "waiting",
}
"""What is asked for at every count, by the name of its stage."""

_DASH = "–"
_YES = {True: "yes", False: "no"}
_LISTED = 8
"""Counts that are named one by one."""


# ------------------------------------------------------------------------------------------------- laws


def laws_page(limits: Limits, look: Look) -> PageLines:
    """The law of each stage with its parameters, and how far it is off at each measured count."""
    points = limits.steps.points
    names = [stage.name for stage in limits.steps.stages]
    if not names:
        return PageLines(tuple(paragraphs(["No stage yet: n names the first."], look.width)))
    rows, styles = [], []
    for name in names:
        law = limits.laws[name]
        if isinstance(law, str):
            chosen = next(stage.law for stage in limits.steps.stages if stage.name == name)
            rows.append((name, chosen or "fixed ?", "none", *(_DASH for _ in points)))
        else:
            rows.append(
                (name, law_words(law), params_words(law), *(_residual(law, p.devices) for p in points))
            )
        styles.append("warns" if isinstance(law, str) else "")
    titles = ("stage", "law", "parameters, s", *(f"off at {point.devices}" for point in points))
    page = Grid(titles, rows, 3, 2, styles).page(look.width, look.shift, cursor=True)
    notes = ["off: (law - measured)/measured; ? after a law: nobody chose it, so it is assumed"]
    notes += [*below_zero(limits.laws), *two_counts(limits.steps), *limits.steps.notes]
    return page.then(remarks(notes, look.width))


def _residual(law: Fit, devices: int) -> str:
    """Nothing where the law cannot but fit: a residual of 0 would pretend that it had been tested."""
    if law.by_construction or devices not in law.residuals:
        return _DASH
    return residual_words(law.residuals[devices])


def law_note(limits: Limits, name: str, look: Look) -> str:
    """What is to be said of the law of one stage."""
    law = limits.laws[name]
    stage = next(stage for stage in limits.steps.stages if stage.name == name)
    if isinstance(law, str):
        return sentence(law)
    over = f" with D = {stage.of}" if stage.of else ""
    hidden = law.law == "tail" and look.hides("late")
    said = [f"{name}: {COVER if hidden else LAWS[law.law].formula}{over}"]
    if law.assumed:
        said.append("assumed, g chooses another")
    if law.by_construction:
        said.append("fits by construction, because no more counts than parameters were measured")
    elif law.given:
        said.append(f"{', '.join(sorted(law.given))} given, not measured")
    return f"{printable_words('; '.join(said))}."


# ------------------------------------------------------------------------------------------ loss budget


def losses_page(limits: Limits, look: Look) -> PageLines:
    """Where the time between two counts went."""
    budget, width = limits.budget, look.width
    if not isinstance(budget, Budget):
        return PageLines(tuple(paragraphs([sentence(budget)], width)))
    named = [_covered_fact(budget, fact, look) for fact in budget_facts(budget, limits.steps)]
    rows: Sequence[Sequence[str]] = budget_rows(budget)
    notes = budget_notes(budget, limits.steps)
    if look.hides("loss"):
        rows = [(stage, *(COVER if cell else "" for cell in cells)) for stage, *cells in rows]
    if look.hides("efficiency"):
        rows = [(*cells, COVER if free else "") for *cells, free in rows]
    if look.hides("path") and look.hides("loss"):
        rows = [(COVER, *cells) for _, *cells in rows]
    if look.hides("path") or look.hides("slack"):
        notes = []
    head = facts(named, width)
    below = Grid(BUDGET_TITLES, rows).lines(width)
    pair = (budget.first, budget.second)
    notes = [
        *notes,
        *limits.steps.notes,
        *(balance_words(d, limits.balances[d]) for d in pair if d in limits.balances),
    ]
    return PageLines((*head, (), *below)).then(remarks(notes, width))


def _covered_fact(budget: Budget, fact: tuple[str, str], look: Look) -> tuple[str, str]:
    """A fact of the budget; of what was measured only the efficiency is covered."""
    name, words = fact
    if name == "measured" and look.hides("efficiency"):
        return name, f"{shown(budget.time)} s, E = {COVER}"
    word = {"lost": "loss"}.get(name, name)
    return name, COVER if look.hides(word) else words


# ------------------------------------------------------------------------------------------- prediction


def predict_page(limits: Limits, look: Look) -> PageLines:
    """The prediction of one count, and the locked ones with their scores."""
    made, width = limits.forecast, look.width
    hidden = hides_forecast(limits, look)
    named = list(_forecast_facts(limits, made) if isinstance(made, Forecast) else _rules(limits, made))
    named = [(name, COVER if _hides_fact(name, words, look, hidden) else words) for name, words in named]
    block = _locked(limits, look)
    scored = any(each.score and each.prediction.devices == limits.predicted for each in limits.locked)
    lines = facts(named, width)
    lines = [*block, (), *lines] if scored else [*lines, (), *block]
    notes = made.notes if isinstance(made, Forecast) and not hidden else ()
    return PageLines(tuple(lines)).then(remarks(notes, width))


def _hides_fact(name: str, words: str, look: Look, all_of_them: bool) -> bool:
    """Whether one fact of the prediction is covered; which count it is of never is."""
    if all_of_them:
        return name not in ("at", "no path")
    if name == "instead":
        return look.hides("ideal") and words.startswith("the ideal line")
    return look.hides({"at most": "speedup", "cost": "cost", "memory": "memory"}.get(name, ""))


def _rules(limits: Limits, why: str) -> Iterator[tuple[str, str]]:
    """What can be said of a count whose path is not known: the rules that need no stages."""
    if limits.predicted is not None:
        yield "at", counted(limits.predicted, limits.steps.of)
    yield "no path", sentence(why)
    for _, words, time in limits.instead.named:
        yield "instead", f"{words} says {shown(time)} s"
    if limits.predicted is not None and limits.steps.has(limits.predicted):
        yield "measured", f"{shown(limits.steps.point(limits.predicted).time)} s"


def _forecast_facts(limits: Limits, made: Forecast) -> Iterator[tuple[str, str]]:
    others = [str(point.devices) for point in made.steps.points]
    if len(others) > _LISTED:
        others = [f"{len(others)} counts from {others[0]} to {others[-1]}"]
    through = f", by the laws through {', '.join(others)}" if others else ", by laws that are given"
    yield "at", f"{counted(made.devices, limits.steps.of)}{through}"
    named = forecast_facts(made, limits.spread, limits.instead, limits.experiment, limits.rows)
    for name, words in named:
        yield name, words + (_measured_rate(limits, made.devices) if name == "rate" else "")
        if name == "limit":
            yield "stages", ", ".join(_stage_words(made.timing, each) for each in made.timing.seconds)
        if name == "time" and limits.steps.has(made.devices):
            time = limits.steps.point(made.devices).time
            yield "measured", f"{shown(time)} s: off {error_of((made.time - time) / time)}"
    most = speedup_words(made)
    if most:
        yield "at most", most


def _measured_rate(limits: Limits, devices: int) -> str:
    if not limits.steps.has(devices):
        return ""
    rate = measured_rate(limits.rows, devices, limits.steps.point(devices).time)
    return f"; measured {rate_words(rate, limits.steps.of)}" if rate else ""


def _stage_words(timing: Timing, name: str) -> str:
    spare = f" ({shown(timing.slack[name])} slack)" if name not in timing.path else ""
    return f"{name} {shown(timing.seconds[name])}{spare}"


def _locked(limits: Limits, look: Look) -> list[Line]:
    if not limits.locked:
        said = "Nothing is locked yet: k locks this prediction, before its run is entered."
        return paragraphs([said], look.width)
    head: Line = ((" Locked, never edited, only superseded:", "bold"),)
    of = limits.steps.of
    if hides_forecast(limits, look):
        words = [
            f"{each.prediction.made:%Y-%m-%d}: {COVER} at {counted(each.prediction.devices, of)}"
            for each in limits.locked
        ]
    else:
        words = [locked_words(each, limits.rows) for each in limits.locked]
    return [head, *remarks(words, look.width)]


# --------------------------------------------------------------------------------------- what was measured


def measured_page(limits: Limits, look: Look) -> PageLines:
    """Which parts of the step were measured at which count, and what the limit is there."""
    points, width = limits.steps.points, look.width
    if not points:
        return PageLines(tuple(paragraphs(["No count is measured yet."], width)))
    there = limits.steps.grid()
    hidden = look.hides("measured")
    rows = [
        (PARTS_ASKED[name], name, *(COVER if hidden else _YES[yes] for yes in there[name].values()))
        for name in GRID
    ]
    titles = ("part of the step", "stage", *(str(point.devices) for point in points))
    page = Grid(titles, rows, 2, 2).page(width, look.shift)
    limit = [(f"at {point.devices}", _limit_words(limits, point.devices, look)) for point in points]
    missing = [PARTS_ASKED[name] for name in GRID if not hidden and not any(there[name].values())]
    notes = (
        [f"measured nowhere: {', '.join(missing)}; what is not measured may be the limit"] if missing else []
    )
    of = limits.steps.of
    notes += [f"the run at {counted(at, of)} takes no part: {why}" for at, why in _left_out(limits)]
    return page.then(facts(limit, width)).then(remarks(notes, width))


def _left_out(limits: Limits) -> Iterator[tuple[int, str]]:
    return ((at, why) for at, why in limits.steps.left_out.items() if at not in limits.steps.planned)


def _limit_words(limits: Limits, devices: int, look: Look) -> str:
    timing = limits.timings[devices]
    if isinstance(timing, str):
        return timing
    if look.hides("path"):
        return f"limit {COVER}"
    rest = limits.steps.remainder(devices)
    return f"limit {timing.limit}" + (f"; {remainder_words(devices, rest)}" if rest else "")


# ------------------------------------------------------------------------------------------------- cost


def cost_page(limits: Limits, look: Look) -> PageLines:
    """Device time, memory, host overhead, late ranks and balance at each count."""
    width = look.width
    if not limits.rows.rows:
        return PageLines(tuple(paragraphs(["No count is measured yet."], width)))
    late_ones = tails(limits)
    titles = (
        "D",
        "T s",
        "device-s",
        "cost",
        "charged",
        "mem GiB",
        "fits",
        HOST,
        *(f"late: {n}" for n in late_ones),
    )
    listed = costs(limits.rows, limits.experiment.memory_per_device_gib)
    rows = [_cost_row(limits, each, late_ones, look) for each in listed]
    page = Grid(titles, rows, 0, 1).page(width, look.shift)
    balanced = {at: each for at, each in limits.balances.items() if isinstance(each, Balance)}
    if balanced:
        page = page.then(_balance_lines(balanced, width))
    return page.then(remarks(list(_cost_notes(limits, late_ones, look)), width))


def _cost_row(limits: Limits, each: Cost, late_ones: Sequence[str], look: Look) -> tuple[str, ...]:
    timing = limits.timings.get(each.devices)
    host = _DASH
    if isinstance(timing, Timing) and HOST in timing.seconds and timing.total:
        host = COVER if look.hides("path") else percent(timing.seconds[HOST] / timing.total)
    cost = (
        shown(each.device_seconds),
        _DASH if each.relative_cost is None else ratio(each.relative_cost),
        shown(each.charged_device_seconds),
    )
    memory = (shown(each.memory_gib), _DASH if each.fits is None else "yes" if each.fits else "no")
    chances = tuple(_late(limits.laws[name], each.devices) for name in late_ones)
    return (
        str(each.devices),
        shown(each.time_s),
        *_known("cost", cost, look),
        *_known("memory", memory, look),
        host,
        *_known("late", chances, look),
    )


def _known(word: str, cells: tuple[str, ...], look: Look) -> tuple[str, ...]:
    """Cells of which those that say something are covered by a word."""
    return tuple(COVER if look.hides(word) and cell != _DASH else cell for cell in cells)


def _late(law: Fit | str, devices: int) -> str:
    return percent(late(law.params["q"], devices)) if isinstance(law, Fit) else _DASH


def _balance_lines(balanced: dict[int, Balance], width: int) -> list[Line]:
    rows = [
        (
            str(devices),
            str(each.ranks),
            *(
                ratio(float(value))
                for value in (
                    each.load_balance,
                    each.communication_efficiency,
                    each.parallel_efficiency,
                    each.largest_over_mean,
                )
            ),
        )
        for devices, each in sorted(balanced.items())
    ]
    lines = Grid(("D", "ranks", "load", "comm.", "parallel", "max/mean"), rows, 0).lines(width)
    meant = {"load_balance": "load", "communication_efficiency": "comm.", "parallel_efficiency": "parallel"}
    return [*lines, *facts([(meant[key], words) for key, words in POP_DEFINITIONS.items()], width)]


def _cost_notes(limits: Limits, late_ones: Sequence[str], look: Look) -> Iterator[str]:
    base = limits.steps.base
    if base is not None and limits.steps.family != "model-size":
        yield f"device-s: D·mean T; cost: that for the same work against D0 = {base}"
    if any(isinstance(each, Timing) and HOST in each.seconds for each in limits.timings.values()):
        yield f"{HOST}: the share of the longest path that work on the host takes, which no device shortens"
    else:
        yield f"share of the host: unknown until a stage {HOST!r} is measured"
    if late_ones:
        chance = COVER if look.hides("late") else "1 - (1 - q)^D"
        yield f"late: the chance {chance} that at least one of D ranks is late"
    elif not look.hides("late"):
        yield "chance of a late rank, 1 - (1 - q)^D: give a stage the law tail, with q where it is known"
    capacity = limits.experiment.memory_per_device_gib
    law = memory_law(limits.rows)
    if law is not None and capacity is not None and not look.hides("memory"):
        least = smallest_feasible(law.params["a"], law.params["b"], exact(capacity))
        where = f"from {least} on it fits" if least else "no count fits"
        yield f"memory goes as a/D + b with {params_words(law)} GiB: {where} {shown(exact(capacity))} GiB"
    for devices, each in sorted(limits.balances.items()):
        if isinstance(each, str):
            yield balance_words(devices, each)
    if limits.balances:
        yield f"balance of the ranks after {POP_SOURCE}"
    else:
        yield (
            "balance of the ranks: unknown; on its table a run takes busy_s=1.2 1.1 ... in the last field, "
            "the useful seconds of each rank"
        )
