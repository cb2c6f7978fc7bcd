"""The words around a table of runs: its heading, what to type when it is empty, its jobs and experiments."""

from __future__ import annotations

from collections.abc import Set
from textwrap import wrap
from typing import Any

from rich.cells import cell_len

from tui.model import scaling
from tui.model.numerals import format_number
from tui.model.run_text import EditError, printable_words, read_value
from tui.model.study import Experiment, Run, Study
from tui.tabs.exhibit import Exhibit
from tui.tabs.scaling_exhibit import time_meaning
from tui.widgets.columns import TableView, cut

_LONGEST_NAME = 40
_MOST_LINES = 5
"""Lines that a heading may take from the table."""

EMPTY = {
    "strong": (
        "Strong scaling: the same work on more devices. No runs here yet.",
        "",
        "a goes to the line at the bottom: type the count, Tab, the seconds, Enter; then the next run."
        " Several steps of one job: 40.2 40.5 40.1. A second job is a second run.",
        "Or paste rows from a spreadsheet: count and seconds, with or without headings.",
        "Esc or ctrl+r leaves the line; up and down in it go to other runs.",
    ),
    "weak": (
        "Weak scaling: the work grows with the devices. No runs here yet.",
        "",
        "a goes to the line at the bottom: type the count, Tab, the seconds, and as W the global work"
        " where it is not the same on each device; Enter; then the next run.",
        "Or paste rows from a spreadsheet: count, seconds and work, with headings.",
        "Esc or ctrl+r leaves the line; up and down in it go to other runs.",
    ),
    "model-size": (
        "Model sizes: parameters, work and time, never mixed with scaling. No runs yet.",
        "",
        "a goes to the line at the bottom: type the count, Tab, the seconds, and the parameters; Enter.",
        "Esc or ctrl+r leaves the line; up and down in it go to other runs.",
    ),
    "target": (
        "Target: how long until the same quality is reached. Fast steps do not promise that. No runs yet.",
        "",
        "a goes to the line at the bottom: type the count, Tab, the global batch, Tab, the updates that were"
        " needed, Tab, the seconds of one update; or the seconds to the target in one number; Enter. Another"
        " seed is another run. A run that did not get there: no under reached.",
        "Or paste rows from a spreadsheet, with headings: devices, batch, s/update, updates.",
        "Esc or ctrl+r leaves the line; up and down in it go to other runs.",
    ),
}
"""What an empty table says, by family."""


def heading(
    exhibit: Exhibit | None, experiment: Experiment | None, place: int, of: int, covered: Set[str]
) -> tuple[str, ...]:
    """What stands above the table, in parts that are kept whole: its name, then what it says of itself."""
    if experiment is None:
        return ("No experiment yet: the first run makes one. w declares what W is.",)
    name = cut(printable_words(experiment.name), _LONGEST_NAME) + (
        f" ({place + 1} of {of}, e)" if of > 1 else ""
    )
    if exhibit is not None:
        return (name, *exhibit.heading(covered))
    if experiment.family == "target":
        return (name, "no runs yet")
    declared = experiment.work is not None or experiment.work_model is not None
    work = printable_words(scaling.table(experiment).work) if declared else "W is not declared (w)"
    return (name, work, time_meaning(experiment))


def wrapped(parts: tuple[str, ...], width: int) -> list[str]:
    """Parts in lines of at most `width`, broken between parts where they fit at all, else at blanks."""
    lines: list[str] = []
    for part in parts:
        if lines and cell_len(f"{lines[-1]} · {part}") <= width:
            lines[-1] += f" · {part}"
        else:
            lines += wrap(part, width)
    return lines[:_MOST_LINES]


def jobs_of(row: Any, experiment: Experiment) -> list[int]:
    """The places of a row's runs in the experiment, those that count first."""
    mine = {id(run) for run in row.runs}
    places = [place for place, run in enumerate(experiment.run) if id(run) in mine]
    return sorted(places, key=lambda place: bool(experiment.run[place].withdrawn))


def row_of(view: TableView, experiment: Experiment, place: int) -> int | None:
    """The row that holds a run; None where none does."""
    run = experiment.run[place] if place < len(experiment.run) else None
    return next((at for at, row in enumerate(view.rows) if any(each is run for each in row.runs)), None)


def which_job(places: list[int], experiment: Experiment) -> str:
    """The jobs of a row with their numbers, for a question: `1: 40.2 s, 2: 41 s`."""
    return ", ".join(f"{number}: {_result(experiment.run[place])}" for number, place in enumerate(places, 1))


def _result(run: Run) -> str:
    """What tells a job from the others of its row."""
    if run.seed is not None:
        return f"seed {run.seed}"
    time = run.time_to_target_s or (run.times_s[0] if run.times_s else None)
    if run.reached is False:
        return "not reached"
    return "no time" if time is None else f"{format_number(time)} s"


def experiment_lines(study: Study, places: list[int], families: tuple[str, ...]) -> list[str]:
    """The lines of the picker: every experiment, then a new one of each family."""
    lines = []
    for place in places:
        each = study.experiment[place]
        runs = "1 run" if len(each.run) == 1 else f"{len(each.run)} runs"
        lines.append(f"{each.name}  ({each.family}, {runs})")
    return [*lines, *(f"new {family} experiment" for family in families)]


READ_AS = "Read as"
_ECHOED = (
    "devices",
    "times_s",
    "memory_gib",
    "work",
    "parameters",
    "global_batch",
    "sequence_length",
    "updates",
    "time_to_target_s",
    "work_to_target",
    "seed",
    "quality",
)
"""Fields whose reading is said while they are typed."""


def echo(key: str, text: str) -> str | None:
    """How a field is read while it is typed, or what is wrong with it; empty for an empty one, None where
    there is nothing to read.
    """
    if key not in _ECHOED or not text.strip():
        return None if key not in _ECHOED else ""
    try:
        value = read_value(key, text)
    except EditError as error:
        return error.sentence
    if key == "times_s":
        shown = " ".join(format_number(time, 6) for time in value[:3]) + (" ..." if len(value) > 3 else "")
        return f"{READ_AS} {shown} s" + (f": {len(value)} steps of one job." if len(value) > 1 else ".")
    unit = {"memory_gib": " GiB", "time_to_target_s": " s"}.get(key, "")
    return f"{READ_AS} {format_number(value, 9)}{unit}."
