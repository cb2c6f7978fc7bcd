"""The words around a scaling table: its heading, the judgements of a row, what to type when it is empty."""

from __future__ import annotations

from textwrap import wrap

from rich.cells import cell_len

from tui.model import scaling
from tui.model.flags import Flag, counted, seconds
from tui.model.numerals import format_number
from tui.model.rows import Row, Table
from tui.model.run_text import printable_words
from tui.model.study import Experiment, Study
from tui.widgets.columns import GLYPHS, cut

_LONGEST_NAME = 40
_MOST_LINES = 5
"""Lines that a heading may take from the table."""
DEFAULT_CHOICE = "smallest completed feasible count"

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
}
"""What an empty table says, by family."""


def heading(table: Table | None, experiment: Experiment | None, place: int, of: int) -> tuple[str, ...]:
    """What stands above the table, in parts that are kept whole: name, W, what T means, D0."""
    if experiment is None:
        return ("No experiment yet: the first run makes one. w declares what W is.",)
    name = cut(printable_words(experiment.name), _LONGEST_NAME) + (
        f" ({place + 1} of {of}, e)" if of > 1 else ""
    )
    means = f"one T = {experiment.time_means or '? (w)'}"
    if table is None:
        declared = experiment.work is not None or experiment.work_model is not None
        work = printable_words(scaling.table(experiment).work)
        return (name, work, means) if declared else (name, "W is not declared (w)", means)
    parts = [name, printable_words(table.work), means, _baseline(table)]
    if table.withdrawn:
        parts.append(f"{table.withdrawn} withdrawn, kept in the file")
    return tuple(parts)


def _baseline(table: Table) -> str:
    base = table.baseline
    if base is None:
        return "no D0: no completed feasible run"
    chosen = base.chosen
    if chosen.startswith(DEFAULT_CHOICE):
        chosen = "by default" + chosen.removeprefix(DEFAULT_CHOICE)
    return f"D0 = {counted(base.devices, table.counts)}, {seconds(base.time_s)} ({base.kind}, {chosen})"


def wrapped(parts: tuple[str, ...], width: int) -> list[str]:
    """Parts in lines of at most `width`, broken between parts where they fit at all, else at blanks."""
    lines: list[str] = []
    for part in parts:
        if lines and cell_len(f"{lines[-1]} · {part}") <= width:
            lines[-1] += f" · {part}"
        else:
            lines += wrap(part, width)
    return lines[:_MOST_LINES]


def judgements(row: Row | None, table: Table) -> list[str]:
    """One line for each flag of the row, the gravest first; the table's own stand with its baseline."""
    flags: list[Flag] = list(row.flags) if row else []
    listed = [_sentence(flag) for flag in flags]
    if row is None or _is_baseline(row, table):
        listed += [_sentence(flag) for flag in table.flags if flag not in flags]
    else:
        listed += [_sentence(flag) for flag in table.flags if flag.code == "two-counts-only"]
    if table.shared_noise and row is not None and row.spread is not None:
        listed.append(f"{GLYPHS['notes']} {table.shared_noise}")
    return listed


def _is_baseline(row: Row, table: Table) -> bool:
    return table.baseline is not None and table.rows[table.baseline.row] is row


def _sentence(flag: Flag) -> str:
    return f"{GLYPHS[flag.severity]} {printable_words(flag.sentence)} [{flag.code}]"


def jobs_of(row: Row, experiment: Experiment) -> list[int]:
    """The places of a row's runs in the experiment, those that count first."""
    mine = {id(run) for run in row.runs}
    places = [place for place, run in enumerate(experiment.run) if id(run) in mine]
    return sorted(places, key=lambda place: bool(experiment.run[place].withdrawn))


def row_of(table: Table, experiment: Experiment, place: int) -> int:
    """The row that holds a run; the first where none does."""
    run = experiment.run[place] if place < len(experiment.run) else None
    return next((at for at, row in enumerate(table.rows) if any(each is run for each in row.runs)), 0)


def which_job(places: list[int], experiment: Experiment) -> str:
    """The jobs of a row with their numbers, for a question: `1: 40.2 s, 2: 41 s`."""
    return ", ".join(
        f"{number}: {format_number(experiment.run[place].times_s[0])} s"
        if experiment.run[place].times_s
        else f"{number}: no time"
        for number, place in enumerate(places, 1)
    )


def experiment_lines(study: Study, places: list[int], families: tuple[str, ...]) -> list[str]:
    """The lines of the picker: every experiment, then a new one of each family."""
    lines = []
    for place in places:
        each = study.experiment[place]
        runs = "1 run" if len(each.run) == 1 else f"{len(each.run)} runs"
        lines.append(f"{each.name}  ({each.family}, {runs})")
    return [*lines, *(f"new {family} experiment" for family in families)]
