"""What a target table says, before it is laid out: facts, the two tables of its rows, and remarks."""

from __future__ import annotations

from dataclasses import dataclass

from tui.model.flags import counted, ratio
from tui.model.target import SUMMARIES, TargetRow, TargetTable

from .report_numbers import shown

NO_PROMISE = "a fast step is no promise to reach the target sooner"
NEEDED = ("D", "label", "reached", "time s", "fastest s", "slowest s", "upd./M", "device-h")
AGAINST = ("D", "label", "system E", "÷ inflation", "= target E", "speedup", "weak E")

COLUMNS = (
    "D is the count; fastest and slowest are those of the seeds that reached the target; upd./M are updates "
    "of the optimizer for a million units of work; system E is work per second on each device against the "
    "baseline's, inflation the work to the target against the baseline's, and target E their quotient; "
    "speedup is how many times sooner the target was reached; weak E is that of a weak-scaling experiment of "
    "the study at the same two counts"
)
"""What the columns of both tables are."""


@dataclass(frozen=True)
class Grid:
    """A small table: its titles, and as many cells in each row."""

    titles: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    words: int = 2
    """So many columns from the left are text, the others numbers."""


def target_facts(table: TargetTable) -> tuple[tuple[str, str], ...]:
    """How the seeds are summarised and what the rows are compared with, as names and words."""
    said = [("summary", SUMMARIES[table.summary])]
    if table.base is None:
        said.append(("baseline", "none: no configuration has a time to the target"))
    else:
        label = f", {table.base.label}" if table.base.label else ""
        said.append(("baseline", f"D0 = {counted(table.base.devices, table.counts)}{label}"))
    if table.withdrawn:
        said.append(("withdrawn", f"{table.withdrawn} in the file and not in the numbers"))
    return tuple(said)


def target_grids(table: TargetTable) -> tuple[Grid, ...]:
    """What every configuration needed, and where there is a baseline what that is against it."""
    needed = Grid(NEEDED, tuple(map(_needed, table.rows)))
    return (needed,) if table.base is None else (needed, Grid(AGAINST, tuple(map(_against, table.rows))))


def target_remarks(table: TargetTable) -> tuple[str, ...]:
    """What is to be said below, a sentence each."""
    return (*_spreads(table), *table.notes, NO_PROMISE)


def _needed(row: TargetRow) -> tuple[str, ...]:
    fastest, slowest = row.time_range or (None, None)
    return (
        str(row.devices),
        row.label or "–",
        f"{row.reached} of {len(row.seeds)}",
        shown(row.time),
        shown(fastest),
        shown(slowest),
        shown(row.updates_per_million),
        shown(row.device_hours),
    )


def _against(row: TargetRow) -> tuple[str, ...]:
    ratios = (row.system_efficiency, row.inflation, row.target_efficiency, row.speedup, row.weak_efficiency)
    written = ("–" if value is None else ratio(float(value)) for value in ratios)
    return (str(row.devices), row.label or "–", *written)


def _spreads(table: TargetTable) -> list[str]:
    written = []
    for row in table.rows:
        if row.spread is not None and row.spread.low is not None and row.spread.high is not None:
            words = row.spread.words.replace("jobs", "seeds")
            bounds = f"{ratio(row.spread.low)} to {ratio(row.spread.high)}"
            written.append(f"{counted(row.devices, table.counts)}: speedup {bounds} ({words})")
    return written
