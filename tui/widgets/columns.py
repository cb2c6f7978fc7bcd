"""What a scaling table shows in cells: its columns in the order of their worth, and the texts in them.

The first four are pinned: flags, D, T and E. A column that no row has a value for is left out.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from rich.cells import cell_len, set_cell_size

from tui.model.flags import Flag
from tui.model.quantity import format_number
from tui.model.rows import Row, Table
from tui.model.run_text import printable_words

PINNED = 4
COVER = "▒▒"
CROSSED = "┊"
"""Stands before the count of a row beyond a network boundary, as the plot draws the boundary."""

GLYPHS = {"blocks": "✗", "warns": "!", "notes": "·"}
_SAMPLED = 200
"""Rows whose texts decide the widths of a large table."""
_WIDEST = 24

_WORDS = {
    "work-changed": "W changed",
    "batch-changed": "batch",
    "updates-skipped": "skipped",
    "not-completed": "no time",
    "work-not-proportional": "W/D differs",
    "devices-constant": "same D",
    "other-work-model": "work model",
    "other-model": "other model",
    "time-means-differs": "T means",
    "layout-product": "layout",
    "above-one-unexplained": "unexplained",
    "gain-above-ideal": "gain > 2",
    "domain-crossed": "domain",
    "local-shape-changed": "shape",
    "local-batch-mismatch": "batch parts",
    "arithmetic-changed": "arithmetic",
    "sequences-changed": "seq. length",
    "iterations-changed": "iterations",
    "below-timer-resolution": "timer",
    "derived-clash": "derived",
    "sparse-peak": "peak",
    "over-memory": "memory",
    "idle-devices": "idle",
    "overhead-bound": "overhead",
    "one-job": "one job",
    "few-jobs": "few jobs",
    "above-one-within-spread": "> 1 in spread",
    "above-one-explained": "> 1, cause",
    "batch-grows": "batch grows",
    "layout-differs": "layout",
    "work-differs-slightly": "W/D",
}
"""The codes that need other words than their own in a narrow column."""


@dataclass(frozen=True)
class Column:
    """One column.

    Attributes:
        heading: what stands above it.
        cell: the text of a row's cell, empty where there is nothing to say.
        covered: whether a self-test covers it.
        words: whether it holds words, set left, instead of numbers.
    """

    heading: str
    cell: Callable[[Row], str]
    covered: bool = False
    words: bool = False


def number(value: float | None) -> str:
    """A time, a rate or another measured number: four significant digits."""
    return "" if value is None else format_number(value)


def ratio(value: float | None) -> str:
    """An efficiency or another ratio around one: three decimals."""
    return "" if value is None else f"{round(value, 3) + 0.0:.3f}"  # + 0.0: never -0.000


def _whole(value: float | None) -> str:
    """An exact count or an exact global work, in full."""
    if value is None:
        return ""
    return str(int(value)) if float(value).is_integer() and abs(value) < 1e15 else format_number(value, 6)


def _bounds(row: Row) -> str:
    bounds = row.efficiency_interval or row.efficiency_range
    return f"{bounds[0]:.3f}-{bounds[1]:.3f}" if bounds else ""


def _jobs(row: Row) -> str:
    return f"{row.jobs}x{row.steps // row.jobs}" if row.jobs else ""


def _if_spread(row: Row, value: float | None) -> str:
    """A time beside T, where there was more than one."""
    return number(value) if row.steps > 1 else ""


def _percent(value: float | None) -> str:
    return "" if value is None else f"{100 * value:.1f} %"


def _run(name: str, heading: str, *, words: bool = False) -> Column:
    """A column of what was entered with the runs."""

    def cell(row: Row) -> str:
        value = getattr(row.sample.run, name)
        return printable_words(str(value)) if words else _whole(value)

    return Column(heading, cell, words=words)


_SPREAD = Column("E from-to", _bounds, covered=True)
_COST = Column("cost", lambda row: ratio(row.relative_cost), covered=True)
_FLOPS = Column("FLOP/s/dev", lambda row: number(row.flops_per_device))
_PEAK = Column("of peak", lambda row: _percent(row.peak_share))
_DOUBLING = Column("gain x2", lambda row: ratio(row.per_doubling), covered=True)
_WORK = Column("W", lambda row: _whole(row.work.amount if row.work else None))
_PER_DEVICE = Column("W/D", lambda row: number(row.work_per_device))
_RATE = Column("W/T", lambda row: number(row.rate))
_RATE_PER_DEVICE = Column("W/T/D", lambda row: number(row.rate_per_device))
_DEVICE_SECONDS = Column("device-s", lambda row: number(row.device_seconds), covered=True)
_IDEAL = Column("ideal", lambda row: number(row.ideal))
_JOBS = Column("jobs", _jobs)
_DOMAIN = Column("network", lambda row: printable_words(row.place.name), words=True)
_ARITHMETIC = Column("E arith.", lambda row: ratio(row.efficiency_by_arithmetic), covered=True)

_REST = (
    _run("global_batch", "batch"),
    _run("micro_batch", "micro"),
    _run("accumulation", "accum"),
    _run("sequence_length", "seq.len"),
    Column("layout", lambda row: printable_words(row.layout), words=True),
    Column("mem GiB", lambda row: number(row.sample.memory_gib)),
    Column("of memory", lambda row: _percent(row.memory_share)),
    Column("charged h", lambda row: number(row.charged_hours), covered=True),
    Column("price", lambda row: number(row.price), covered=True),
    Column("largest", lambda row: printable_words(row.largest_stage), words=True),
    Column("mean s", lambda row: _if_spread(row, row.time_mean_s)),
    Column("min s", lambda row: _if_spread(row, row.time_min_s)),
    Column("max s", lambda row: _if_spread(row, row.time_max_s)),
    _run("note", "note", words=True),
)

_BY_WORTH: dict[str, tuple[Column, ...]] = {
    "strong": (
        Column("S", lambda row: ratio(row.speedup), covered=True),
        _COST,
        _FLOPS,
        _SPREAD,
        _DOUBLING,
        _DOMAIN,
        _IDEAL,
        _JOBS,
        _PEAK,
        Column("Karp-Flatt", lambda row: ratio(row.karp_flatt), covered=True),
        _DEVICE_SECONDS,
        _RATE,
        _RATE_PER_DEVICE,
        _WORK,
        *_REST,
    ),
    "weak": (
        _WORK,
        _ARITHMETIC,
        _RATE,
        Column("scaled S", lambda row: ratio(row.scaled_speedup), covered=True),
        _PER_DEVICE,
        _SPREAD,
        _COST,
        _FLOPS,
        _DOUBLING,
        _DOMAIN,
        _JOBS,
        _PEAK,
        _RATE_PER_DEVICE,
        _DEVICE_SECONDS,
        *_REST,
    ),
    "model-size": (
        _run("parameters", "params"),
        _WORK,
        _FLOPS,
        _PEAK,
        _RATE,
        _RATE_PER_DEVICE,
        _DEVICE_SECONDS,
        _DOMAIN,
        _JOBS,
        *_REST,
    ),
}


def short_flags(row: Row, table: Table) -> str:
    """The flags in a few words, the gravest first: `✗ batch`, `! unexplained +1`."""
    is_base = table.baseline is not None and table.rows[table.baseline.row] is row
    if not row.flags:
        return "D0" if is_base else ""
    first = row.flags[0]
    more = f" +{len(row.flags) - 1}" if len(row.flags) > 1 else ""
    return ("D0 " if is_base else "") + f"{GLYPHS[first.severity]} {_word(first, row)}{more}"


def _word(flag: Flag, row: Row) -> str:
    if flag.code == "not-completed":
        if all(run.withdrawn for run in row.runs):
            return "withdrawn"
        status = row.sample.run.status
        return {"completed": "no time", "out-of-memory": "memory"}.get(status, status)
    return _WORDS.get(flag.code, flag.code)


@dataclass(frozen=True)
class TableView:
    """A table ready to be shown: which columns, how wide, and where the network boundary was crossed."""

    table: Table
    columns: tuple[Column, ...]
    widths: tuple[int, ...]

    @staticmethod
    def of(table: Table) -> TableView:
        """Choose the columns of a table; may run on any thread."""
        pinned = (
            Column("flags", lambda row: short_flags(row, table), words=True, covered=True),
            Column(_devices_heading(table), lambda row: _devices(row)),
            Column("T s", lambda row: number(row.time_s)),
            Column("E", lambda row: _efficiency(row), covered=True),
        )
        rows = _sample(table.rows)
        rest = [column for column in _BY_WORTH[table.family] if any(column.cell(row) for row in rows)]
        if len({row.place.name for row in rows}) < 2:
            rest = [column for column in rest if column is not _DOMAIN]
        if all(row.efficiency_by_arithmetic is None or _same(row) for row in rows):
            rest = [column for column in rest if column is not _ARITHMETIC]
        columns = (*(pinned[:-1] if table.family == "model-size" else pinned), *rest)
        widths = tuple(
            min(_WIDEST, max(cell_len(column.heading), *(cell_len(column.cell(row)) for row in rows)))
            for column in columns
        )
        return TableView(table, columns, widths)

    @property
    def pinned(self) -> int:
        """How many columns stay when the others scroll."""
        return PINNED - (self.table.family == "model-size")

    def cells(self, row: Row, *, covered: bool) -> list[str]:
        """The texts of one row, cut to their columns; a judgement gives E away, so it is covered with it."""
        texts = [column.cell(row) for column in self.columns]
        return [
            cut(COVER if covered and column.covered and text not in ("", "D0") else text, width)
            for column, text, width in zip(self.columns, texts, self.widths, strict=True)
        ]


def _same(row: Row) -> bool:
    return row.efficiency is not None and ratio(row.efficiency) == ratio(row.efficiency_by_arithmetic)


def _devices_heading(table: Table) -> str:
    return "D" if table.counts == "device" else cut(printable_words(table.counts), 10)


def _devices(row: Row) -> str:
    crossed = any(flag.code == "domain-crossed" for flag in row.flags)
    return f"{CROSSED if crossed else ''}{row.devices}"


def _efficiency(row: Row) -> str:
    if row.efficiency is not None:
        return ratio(row.efficiency)
    return "none" if row.blocked and row.time_s is not None else ""


def _sample(rows: Sequence[Row]) -> Sequence[Row]:
    step = max(1, len(rows) // _SAMPLED)
    return (*rows[::step], *rows[-1:])


def cut(text: str, width: int) -> str:
    """A text in at most `width` cells."""
    return text if cell_len(text) <= width else set_cell_size(text, max(0, width - 1)) + "…"
