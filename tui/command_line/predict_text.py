"""A prediction as text of at most 80 columns: its stages, its limit, and how earlier ones did."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tui.command_line.studies import facts, grid, remarks
from tui.files import report
from tui.files.report_limits import forecast_facts, law_words, params_words
from tui.files.report_numbers import error_of, shown
from tui.files.report_predictions import locked_words
from tui.model.flags import counted
from tui.model.scaling import table
from tui.model.steps import GRID

if TYPE_CHECKING:
    from tui.command_line.predict import Answer

MEASURED, NOT = "yes", "no"


def as_text(answer: Answer) -> str:
    """The whole answer."""
    made, of = answer.made, answer.experiment.counts
    rows = table(answer.experiment, answer.study.machine)
    lines = [f"{report.plain(answer.experiment.name)}: the step at {counted(made.devices, of)}, predicted"]
    named = forecast_facts(made, answer.spread, answer.alternatives, answer.experiment, rows)
    lines += facts(list(named))
    lines += ["", *_stages(answer), "  * on the longest path; off: (law - measured)/measured, worst count"]
    lines += ["", *_grid(answer)]
    if answer.locked:
        lines += [
            "",
            "  locked predictions",
            *remarks([locked_words(each, rows) for each in answer.locked]),
        ]
    notes = made.notes
    return "\n".join([*lines, "", *remarks(notes)] if notes else lines)


def _stages(answer: Answer) -> list[str]:
    timing = answer.made.timing
    rows = []
    for name, law in answer.made.fits.items():
        mark = "*" if name in timing.path else ""
        off = law.largest_residual
        worst = f"{error_of(off[1])} at {off[0]}" if off and off[1] else "0.0 %" if off else "–"
        seconds = (shown(timing.seconds[name]), shown(timing.slack[name]))
        rows.append((f"{mark}{name}", law_words(law), params_words(law), *seconds, worst))
    return grid(("stage", "law", "parameters", "time s", "slack s", "off"), rows, words=3)


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
