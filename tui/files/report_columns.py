"""The columns of a scaling table as text: which there are, how each cell is written, what each is worth."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, fields, replace

from tui.model.flags import amount, ratio
from tui.model.quantity import format_number, prefix_of
from tui.model.rows import Row, Table
from tui.model.samples import Layout
from tui.model.study import Run, Work, WorkModel

from .report import plain

ABSENT = "–"
_APART = {
    "work": "W",
    "work_model": "work model",
    "time_means": "",
    "global_batch": "batch",
    "micro_batch": "micro-batch",
    "accumulation": "accumulation",
    "local_shape": "shape",
    "sequence_length": "sequence",
    "parameters": "parameters",
    "active_parameters": "active",
    "routing": "routing",
    "skipped_updates": "skipped",
}
"""What else tells rows of one count apart, and the word that its value gets."""


@dataclass(frozen=True)
class Column:
    """One column of a text or Markdown table."""

    key: str
    """Its name in CSV, where every column is printed."""
    title: str
    unit: str
    cells: tuple[str, ...]
    """One for each row; `ABSENT` where there is no number."""
    worth: int
    """Columns of lower numbers are kept first; those of 0 always."""
    words: bool = False
    """Words stand left, numbers right."""

    @property
    def empty(self) -> bool:
        """Whether no row has anything here."""
        return all(cell in ("", ABSENT) for cell in self.cells)


Writer = Callable[[Row], str]

_MEANINGS = {
    "speedup": "S = T(D0)/T(D)",
    "ideal": "D/D0 is the ideal speedup",
    "efficiency": "E = S/(D/D0)",
    "per_doubling": "×/dbl is the factor in work per second for each doubling of D, from the next smaller"
    " comparable row of the same network (2 is ideal)",
    "relative_cost": "cost is D times the mean time, against the baseline's",
    "karp_flatt": "e K-F = (1/S - 1/p)/(1 - 1/p) with p = D/D0, the serial share that would explain S",
    "jobs": "jobs are completed jobs, with all their times in brackets",
    "efficiency_interval": "E 95 % is the interval of E from job to job",
    "efficiency_range": "E range is that of the ratios of single jobs",
    "efficiency_by_arithmetic": "E by FLOP compares FLOP/s of a device in place of work",
    "arithmetic_ratio": "FLOP/D is the arithmetic on each device against the baseline's",
    "scaled_speedup": "E·D/D0 is the scaled speedup",
    "rate": "W/T is the throughput",
    "rate_per_device": "W/T/D that of each device",
    "device_seconds": "D·T is D times the mean time",
    "flags": "flags: the numbers of the judgements below, D0 the baseline",
}
_WEAK_MEANINGS = {
    "efficiency": "E = (W/D/T)/(W0/D0/T0)",
    "relative_cost": "cost/W is D times the mean time for a unit of work, against the baseline's",
}


def columns(table: Table, flag_cells: Sequence[str]) -> tuple[Column, ...]:
    """Every column that has something to say about this table, in the order in which they stand.

    `flag_cells` is the content of the flags column, which is the last.
    """
    by_family = {"weak": _weak, "model-size": _model_size}.get(table.family, _strong)
    found = [*_which(table), *by_family(table), *_beside(table)]
    flags = Column("flags", "flags", "", tuple(flag_cells), 0, words=True)
    return (*(column for column in found if not column.empty), flags)


def meaning(key: str, family: str) -> str:
    """What a column is, where its title alone does not say it."""
    return (_WEAK_MEANINGS.get(key) if family == "weak" else None) or _MEANINGS.get(key, "")


# ------------------------------------------------------------------------------------ which row this is


def _which(table: Table) -> Iterator[Column]:
    rows = table.rows
    yield _column(table, "devices", "D", lambda row: str(row.devices), 0, table.counts)
    yield _words(table, "label", labels, 4)
    several_places = len({row.place for row in rows}) > 1
    if several_places:
        yield _words(table, "network", lambda row: row.place.name, 3)
    apart = _telling_apart(table)
    if apart:
        yield _words(table, "which", lambda row: _differences(row.sample.run, apart), 2)
    else:
        yield _words(table, "layout", lambda row: str(_unnamed(row.sample.layout, several_places)), 28)


def labels(row: Row) -> str:
    """The labels of a row's runs, each once."""
    return ", ".join(dict.fromkeys(run.label for run in row.runs if run.label))


def _unnamed(layout: Layout, domain_has_a_column: bool) -> Layout:
    return replace(layout, domain="") if domain_has_a_column else layout


def _telling_apart(table: Table) -> list[str]:
    """The fields in which rows of one count differ, but for the domain, which has a column."""
    names = [*(each.name for each in fields(Layout) if each.name != "domain"), *_APART]
    by_count: dict[int, list[Run]] = {}
    for row in table.rows:
        by_count.setdefault(row.devices, []).append(row.sample.run)
    several = [runs for runs in by_count.values() if len(runs) > 1]
    return [name for name in names if any(_differ(runs, name) for runs in several)]


def _differ(runs: Iterable[Run], name: str) -> bool:
    return len({getattr(run, name) for run in runs}) > 1


def _differences(run: Run, names: Iterable[str]) -> str:
    told = ((_APART.get(name, name.replace("_", " ")), getattr(run, name)) for name in names)
    return ", ".join(f"{word} {_said(value)}".strip() for word, value in told if value not in (None, "", 0))


def _said(value: object) -> str:
    if value is None:
        return ABSENT
    if isinstance(value, Work):
        return amount(value.amount, value.of)
    if isinstance(value, WorkModel):
        return " ".join(
            _said(getattr(value, each.name)) for each in fields(value) if getattr(value, each.name)
        )
    return amount(value) if isinstance(value, (int, float)) else str(value)


# -------------------------------------------------------------------------------------------- families


def _strong(table: Table) -> Iterator[Column]:
    yield from _times(table)
    yield _column(table, "speedup", "S", lambda row: number(row.speedup), 1)
    yield _column(table, "ideal", "D/D0", lambda row: number(row.ideal), 11)
    yield from _efficiency(table)
    yield _column(table, "per_doubling", "×/dbl", lambda row: decimals(row.per_doubling), 12)
    yield _column(table, "relative_cost", "cost", lambda row: decimals(row.relative_cost), 13)
    yield _column(table, "karp_flatt", "e K-F", lambda row: _fraction(row.karp_flatt), 30)


def _weak(table: Table) -> Iterator[Column]:
    yield _work(table, 0)
    yield from _times(table)
    yield from _efficiency(table)
    if any("arithmetic-changed" in row.codes for row in table.rows):
        yield from _arithmetic(table)
    yield _column(table, "scaled_speedup", "E·D/D0", lambda row: number(row.scaled_speedup), 10)
    yield _column(table, "ideal", "D/D0", lambda row: number(row.ideal), 14)
    yield _column(table, "per_doubling", "×/dbl", lambda row: decimals(row.per_doubling), 13)
    yield _column(table, "relative_cost", "cost/W", lambda row: decimals(row.relative_cost), 15)


def _arithmetic(table: Table) -> Iterator[Column]:
    """What equal work with unequal arithmetic needs beside the plain efficiency."""
    key = "efficiency_by_arithmetic"
    yield _column(table, key, "E", lambda row: decimals(row.efficiency_by_arithmetic), 1, "by FLOP")
    yield _column(table, "arithmetic_ratio", "FLOP/D", lambda row: decimals(row.arithmetic_ratio), 5, "ratio")


def _model_size(table: Table) -> Iterator[Column]:
    yield _column(table, "parameters", "parameters", lambda row: number(row.sample.run.parameters), 0)
    active = "active_parameters"
    yield _column(table, active, "active", lambda row: number(row.sample.run.active_parameters), 6)
    yield _work(table, 1)
    yield from _times(table)


def _times(table: Table) -> Iterator[Column]:
    yield _column(table, "time_s", "T", lambda row: number(row.time_s), 0, "s")
    spread = _range(number, lambda row: (row.time_min_s, row.time_max_s))
    yield _column(table, "time_range", "T range", spread, 18, "s")
    worth = 16 if any(row.steps > 1 for row in table.rows) else 27
    yield _column(table, "jobs", "jobs", lambda row: f"{row.jobs} ({row.steps})", worth, "(times)")


def _efficiency(table: Table) -> Iterator[Column]:
    yield _column(table, "efficiency", "E", lambda row: decimals(row.efficiency), 0)
    interval = _range(ratio, lambda row: row.efficiency_interval)
    yield _column(table, "efficiency_interval", "E 95 %", interval, 6)
    whole = _range(ratio, lambda row: row.efficiency_range)
    yield _column(table, "efficiency_range", "E range", whole, 7)


def _work(table: Table, worth: int) -> Column:
    units = {row.work.of for row in table.rows if row.work}
    if len(units) > 1:
        mixed = _words(table, "work", lambda row: _said(row.work), worth)
        return replace(mixed, title="W")
    shared = units.pop() if units else ""
    return _column(table, "work", "W", lambda row: _said(row.work and row.work.amount), worth, shared)


def _beside(table: Table) -> Iterator[Column]:
    """What is known of each row by itself, whatever the family."""
    of, unit = _unit_of_work(table), table.counts
    yield _flops(table)
    yield _column(table, "peak_share", "peak", lambda row: _percent(row.peak_share), 9, "%")
    yield _column(table, "rate", "W/T", lambda row: number(row.rate), 19, f"{of}/s")
    yield _column(table, "rate_per_device", "W/T/D", lambda row: number(row.rate_per_device), 26, f"{of}/s")
    yield _column(table, "device_seconds", "D·T", lambda row: number(row.device_seconds), 17, f"{unit}·s")
    yield _column(table, "charged_hours", "charged", lambda row: number(row.charged_hours), 21, "device-h")
    yield _column(table, "price", "price", lambda row: number(row.price), 22)
    yield _column(table, "memory_gib", "memory", lambda row: number(row.sample.memory_gib), 23, "GiB")
    yield _column(table, "memory_share", "of mem.", lambda row: _percent(row.memory_share), 24, "%")
    yield _words(table, "largest_stage", lambda row: row.largest_stage, 25)


def _unit_of_work(table: Table) -> str:
    units = {row.work.of for row in table.rows if row.work}
    return (units.pop() if len(units) == 1 else "") or "W"


def _flops(table: Table) -> Column:
    """Achieved FLOP/s per device, with the prefix that fits the largest of them."""
    scale, prefix = prefix_of(max((row.flops_per_device or 0 for row in table.rows), default=0))

    def cell(row: Row) -> str:
        return number(None if row.flops_per_device is None else row.flops_per_device / scale)

    return _column(table, "flops_per_device", f"{prefix}FLOP/s", cell, 8, f"per {table.counts}")


# ----------------------------------------------------------------------------------------------- cells


def _column(table: Table, key: str, title: str, cell: Writer, worth: int, unit: str = "") -> Column:
    return Column(key, title, plain(unit), tuple(map(cell, table.rows)), worth)


def _words(table: Table, key: str, cell: Writer, worth: int) -> Column:
    cells = tuple(plain(cell(row)) for row in table.rows)
    return Column(key, key.replace("_", " "), "", cells, worth, words=True)


def number(value: float | None) -> str:
    """Four significant digits."""
    return ABSENT if value is None or not math.isfinite(value) else format_number(value)


def decimals(value: float | None) -> str:
    """Three decimals, as every ratio near one is written; four significant digits from 1000 on."""
    return number(value) if value is None or not abs(value) < 1000 else ratio(value)


def _fraction(value: float | None) -> str:
    """A serial fraction can be very small: four decimals."""
    return number(value) if value is None or not abs(value) < 1000 else f"{value:.4f}"


def _percent(value: float | None) -> str:
    return ABSENT if value is None or not math.isfinite(value) else f"{100 * value:.1f}"


def _range(
    write: Callable[[float], str], ends: Callable[[Row], tuple[float | None, float | None] | None]
) -> Writer:
    return lambda row: between(write, *(ends(row) or (None, None)))


def between(write: Callable[[float], str], low: float | None, high: float | None) -> str:
    """Two numbers in one cell; absent where there is one only."""
    if low is None or high is None or low == high or not math.isfinite(low + high):
        return ABSENT
    return f"{write(low)}–{write(high)}"
