"""A whole study as one Markdown report: what was measured, on what, what that is worth, and how to repeat it.

Plots and scores come from outside as text; nothing is computed or drawn here. The report has no date in
it, so that the same study gives the same report again.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tui.model.flags import counted, ratio, seconds
from tui.model.limits import Limits
from tui.model.quantity import format_number, prefixed
from tui.model.rows import Row, Table
from tui.model.study import Experiment, Machine, Run, Study
from tui.model.target import TargetTable

from . import report
from .report_columns import ABSENT, Column, between, columns, meaning, number
from .report_markdown import bullet, escaped, grid, heading, said_below
from .report_stages import stage_lines
from .report_target import COLUMNS, target_facts, target_grids, target_remarks

SPREAD = (
    "from job to job: a 95 % interval (bootstrap of the ratio of two medians) from 5 jobs on each side on, "
    "the range of the ratios for 2 to 4; one job has none, as its steps say nothing about the next job"
)
"""How the spread of E is to be read."""


@dataclass(frozen=True)
class Plot:
    """A drawn plot: what it shows, and its lines."""

    caption: str
    text: str


@dataclass(frozen=True)
class Scaling:
    """One strong, weak or model-size experiment."""

    experiment: Experiment
    table: Table
    plots: tuple[Plot, ...] = ()
    no_plots: str = ""
    """Why there is none, in a sentence; empty where there is nothing to draw."""
    predictions: tuple[str, ...] = ()
    """Every locked prediction with its score, a sentence each."""
    limits: Limits | None = None
    """Its stages, where it has any."""


@dataclass(frozen=True)
class Target:
    """One experiment that asks for the time to a quality target."""

    experiment: Experiment
    table: TargetTable


Section = Scaling | Target


@dataclass(frozen=True)
class Origin:
    """What the report was made of, and by what."""

    program: str
    file: str
    """The name of the study's file; empty where it has none."""
    sha256: str
    """Of the bytes that hold exactly this study; empty where no file does."""
    command: str
    """The command line that makes the same report."""


def as_markdown(study: Study, sections: Sequence[Section], origin: Origin) -> str:
    """The report, without a line end."""
    lines = [f"# {escaped(study.title) or 'Report of measured runs'}", ""]
    lines += [bullet(name, words) for name, words in _machine(study.machine)]
    for section in sections:
        made = _target(section) if isinstance(section, Target) else _scaling(section)
        lines += ["", *made]
    return "\n".join([*lines, "", *_origin(origin)])


# ------------------------------------------------------------------------------------------- the machine


def _machine(machine: Machine) -> Iterator[tuple[str, str]]:
    if machine == Machine():
        yield "machine", "not written in the study"
        return
    yield "machine", machine.name or "without a name"
    if machine.device:
        yield "device", machine.device
    if machine.devices_per_node:
        yield "node", f"{machine.devices_per_node} devices"
    if machine.domains:
        rungs = (f"{rung.name} up to {counted(rung.devices, 'device')}" for rung in machine.domains)
        yield "networks", "; ".join(rungs)
    if machine.charged or machine.price is not None:
        whole = {"node": "whole nodes are charged", "device": "devices are charged", None: ""}[
            machine.charged
        ]
        price = ""
        if machine.price is not None:
            price = f"{format_number(machine.price)} {machine.currency}".rstrip() + " per device-hour"
        yield "billing", ", ".join(part for part in (whole, price) if part)


# ---------------------------------------------------------------------------------------- one experiment


def _scaling(section: Scaling) -> Iterator[str]:
    table, experiment = section.table, section.experiment
    yield f"## {escaped(report.title(table))}"
    yield ""
    for name, words in (*report.facts(table), *_measured(table), *_declared(experiment)):
        yield bullet(name, words)
    if not table.rows:
        yield ""
        yield report.NO_RUNS
        return
    keys = report.keyed(table)
    found = columns(table, keys.cells)
    yield ""
    yield from grid([heading(column) for column in found], [c.words for c in found], _across(found))
    meanings = [words for column in found if (words := meaning(column.key, table.family))]
    yield ""
    yield f"Columns: {escaped('; '.join(meanings))}."
    yield from said_below(table, keys)
    yield from _rows(table)
    out = [run for run in experiment.run if run.withdrawn or run.status != "completed"]
    yield from _left_out(out, table.counts)
    if section.limits is not None:
        yield from stage_lines(section.limits)
    yield from _plots(section)
    if section.predictions:
        yield from ("", "### Locked predictions", "")
        yield from (f"- {escaped(words)}" for words in section.predictions)


def _across(found: Sequence[Column]) -> Iterator[tuple[str, ...]]:
    return zip(*(column.cells for column in found), strict=True)


def _measured(table: Table) -> Iterator[tuple[str, str]]:
    """How much was measured, in numbers that account for every run."""
    listed = ", ".join(map(str, dict.fromkeys(row.devices for row in table.rows)))
    yield "counts", f"D is the number of {counted(0, table.counts)[2:]}: {listed or 'none yet'}"
    jobs, times = sum(row.jobs for row in table.rows), sum(row.steps for row in table.rows)
    runs = max(jobs + table.withdrawn, sum(len(row.runs) for row in table.rows))
    said = [counted(runs, "run"), f"{counted(jobs, 'completed job')} with {counted(times, 'time')} in all"]
    waiting = runs - jobs - table.withdrawn
    if waiting:
        said.append(f"{waiting} without a completed time")
    if table.withdrawn:
        said.append(f"{table.withdrawn} withdrawn")
    yield "runs", ", ".join(said)
    if table.family != "model-size":
        yield "spread", SPREAD


def _declared(experiment: Experiment) -> Iterator[tuple[str, str]]:
    if experiment.flop_per_unit is not None:
        yield "arithmetic", f"{prefixed(experiment.flop_per_unit, 'FLOP')} for a unit of work"
    model = experiment.work_model
    if model is not None and model.flop_per_unit is not None:
        position = ""
        if model.flop_per_unit_position:
            more = prefixed(model.flop_per_unit_position, "FLOP")
            position = f", and {more} more for each position of its sequence"
        yield "arithmetic", f"{prefixed(model.flop_per_unit, 'FLOP')} for a unit of work{position}"
    if experiment.peak_flops_per_device is not None:
        source = f" ({experiment.peak_source})" if experiment.peak_source else ""
        yield "peak", f"{prefixed(experiment.peak_flops_per_device, 'FLOP/s')} of a device{source}"
    if experiment.memory_per_device_gib is not None:
        yield "memory", f"{format_number(experiment.memory_per_device_gib)} GiB on each device"


def _rows(table: Table) -> Iterator[str]:
    """What the efficiency table may leave out for want of room: the layout and the spread of every row."""
    yield from ("", "### Jobs, layouts and spread", "")
    titles = (f"D ({table.counts})", "layout", "jobs", "times", "T (s)", "T range (s)", "spread of E")
    cells = [
        (
            str(row.devices),
            row.layout or "not written",
            str(row.jobs),
            str(row.steps),
            number(row.time_s),
            between(number, row.time_min_s, row.time_max_s),
            _spread(row, table),
        )
        for row in table.rows
    ]
    words = (False, True, False, False, False, False, True)
    yield from grid([escaped(title) for title in titles], words, cells)


def _spread(row: Row, table: Table) -> str:
    if table.baseline is not None and table.rows[table.baseline.row] is row:
        return "the baseline: 1 by definition"
    if row.spread is None:
        return ABSENT
    bounds = between(ratio, row.spread.low, row.spread.high)
    return row.spread.words if bounds == ABSENT else f"{bounds}, {row.spread.words}"


def _left_out(out: Sequence[Run], counts: str) -> Iterator[str]:
    """Runs that are in the file and not in the numbers, each with its reason."""
    if out:
        yield from ("", "### Runs that are not in the numbers", "")
        yield from (f"- {escaped(_why_out(run, counts))}" for run in out)


def _why_out(run: Run, counts: str) -> str:
    measured = run.times_s if run.time_to_target_s is None else (run.time_to_target_s,)
    times = ", ".join(map(seconds, measured)) or "no time"
    label = f" ({run.label})" if run.label else ""
    why = f"withdrawn: {run.withdrawn}" if run.withdrawn else run.status
    note = f"; {run.note}" if run.note else ""
    return f"{counted(run.devices, counts)}{label}, {times}: {why}{note}"


def _plots(section: Scaling) -> Iterator[str]:
    if not section.plots and not section.no_plots:
        return
    yield from ("", "### Plots")
    if section.no_plots:
        yield from ("", escaped(section.no_plots))
    for plot in section.plots:
        yield from ("", f"{escaped(plot.caption)}:", "", *fenced(plot.text))


def fenced(text: str) -> list[str]:
    """A text as it stands; the fence is longer than any that the text could hold."""
    ticks = max((len(found) for found in re.findall("`+", text)), default=0)
    fence = "`" * max(3, ticks + 1)
    return [f"{fence}text", *text.split("\n"), fence]


# ------------------------------------------------------------------------------------------------ target


def _target(section: Target) -> Iterator[str]:
    table = section.table
    yield f"## {escaped(f'{report.plain(table.name)}: time to a quality target')}"
    yield ""
    yield from (bullet(name, words) for name, words in target_facts(table))
    if not table.rows:
        yield from ("", report.NO_RUNS)
        return
    for each in target_grids(table):
        words = [place < each.words for place in range(len(each.titles))]
        yield from ("", *grid([escaped(title) for title in each.titles], words, each.rows))
    yield from ("", f"Columns: {escaped(COLUMNS)}.")
    yield ""
    yield from (f"- {escaped(words)}" for words in target_remarks(table))
    yield from _left_out([run for run in section.experiment.run if run.withdrawn], table.counts)


# ------------------------------------------------------------------------------------ how to get it again


def _origin(origin: Origin) -> Iterator[str]:
    yield "## How to reproduce this report"
    yield ""
    yield bullet("program", origin.program)
    if not origin.sha256:
        yield bullet("study", "it is in no file as it is reported here: save it first")
        return
    yield bullet("study", origin.file)
    yield bullet("SHA-256 of its file", origin.sha256)
    yield ""
    yield "The same file, program and command give the same report, to the last byte:"
    yield from ("", *fenced(origin.command))
