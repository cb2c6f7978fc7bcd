"""The stages of an experiment as Markdown: their seconds, their laws, and where the time went."""

from __future__ import annotations

from collections.abc import Iterator

from tui.model.flags import counted
from tui.model.laws import LAWS, Fit
from tui.model.limits import Limits
from tui.model.losses import Budget
from tui.model.path import Timing
from tui.model.predict import below_zero

from .report_columns import ABSENT
from .report_limits import (
    BUDGET_TITLES,
    budget_facts,
    budget_notes,
    budget_rows,
    law_words,
    params_words,
    residual_words,
)
from .report_markdown import bullet, escaped, grid
from .report_numbers import shown


def stage_lines(limits: Limits) -> Iterator[str]:
    """Everything about the stages, with an empty line before each block."""
    yield from _seconds(limits)
    yield from _laws(limits)
    yield from _budget(limits)
    notes = [*below_zero(limits.laws), *limits.steps.notes]
    if notes:
        yield ""
    yield from (f"- {escaped(note)}" for note in notes)


def _seconds(limits: Limits) -> Iterator[str]:
    points = limits.steps.points
    names = dict.fromkeys(stage.name for stage in limits.steps.stages)
    names |= dict.fromkeys(name for point in points for name in point.seconds)
    rows = [(name, *(shown(point.seconds.get(name)) for point in points)) for name in names]
    timings = [limits.timings[point.devices] for point in points]
    rows.append(("step T", *(shown(point.time) for point in points)))
    rows.append(("limit", *(each.limit if isinstance(each, Timing) else ABSENT for each in timings)))
    heads = ("stage (s)", *(counted(point.devices, limits.steps.of) for point in points))
    yield from ("", "### Stages", "")
    yield from grid([escaped(head) for head in heads], [True, *(False for _ in points)], rows)


def _laws(limits: Limits) -> Iterator[str]:
    points = limits.steps.points
    rows = []
    for name, law in limits.laws.items():
        if isinstance(law, str):
            rows.append((name, law, ABSENT, *(ABSENT for _ in points)))
            continue
        off = [ABSENT if law.by_construction else _off(law, point.devices) for point in points]
        rows.append((name, f"{law_words(law)}: {LAWS[law.law].formula}", params_words(law), *off))
    if not rows:
        return
    heads = ("stage", "law", "parameters (s)", *(f"off at {point.devices}" for point in points))
    yield from ("", "### Laws of the stages", "")
    yield from grid([escaped(head) for head in heads], [True, True, True, *(False for _ in points)], rows)
    yield from ("", "off: (law - measured)/measured; ? after a law: nobody chose it, so it is assumed.")


def _off(law: Fit, devices: int) -> str:
    return residual_words(law.residuals.get(devices))


def _budget(limits: Limits) -> Iterator[str]:
    budget, steps = limits.budget, limits.steps
    if not isinstance(budget, Budget):
        yield from ("", escaped(f"No loss budget: {budget.rstrip('.')}."))
        return
    yield from (
        "",
        f"### Where the time went between {budget.first} and {counted(budget.second, steps.of)}",
        "",
    )
    yield from (bullet(name, words) for name, words in budget_facts(budget, steps))
    yield ""
    words = [place == 0 for place in range(len(BUDGET_TITLES))]
    yield from grid([escaped(title) for title in BUDGET_TITLES], words, budget_rows(budget))
    notes = budget_notes(budget, steps)
    if notes:
        yield ""
    yield from (f"- {escaped(note)}" for note in notes)
