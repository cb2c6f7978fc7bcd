"""The columns of a scaling table: flags, D, T and E stay, the others stand in the order of their worth."""

from __future__ import annotations

from tui.model.flags import Flag
from tui.model.quantity import format_number, prefixed
from tui.model.rows import Row, Table
from tui.model.run_text import printable_words
from tui.widgets.columns import GLYPHS, Column, TableView, devices_heading, number, ratio, whole

CROSSED = "┊"
"""Stands before the count of a row beyond a network boundary, as the plot draws the boundary."""
COVERS = frozenset(
    ("ideal", "speedup", "efficiency", "per-doubling", "cost", "work", "rate", "memory", "flags", "target")
)
"""The words that cover something in a scaling table; the last one what is said beside a growing batch."""
SELF_TEST = frozenset(("speedup", "efficiency", "per-doubling", "cost", "flags"))
"""What a self-test covers; a judgement gives E away, so it is covered with it."""

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
    "jobs-not-completed": "job failed",
    "cost-of-mean": "mean > T",
    "one-job": "one job",
    "few-jobs": "few jobs",
    "above-one-within-spread": "> 1 in spread",
    "above-one-explained": "> 1, cause",
    "batch-grows": "batch grows",
    "batch-unknown": "batch?",
    "layout-differs": "layout",
    "work-differs-slightly": "W/D",
}
"""The codes that need other words than their own in a narrow column."""


def _bounds(row: Row) -> str:
    bounds = row.efficiency_interval or row.efficiency_range
    return f"{bounds[0]:.3f}-{bounds[1]:.3f}" if bounds else ""


def _jobs(row: Row) -> str:
    """How many jobs, and how many steps in each: `3 x 5`, `3 x 1-5` where they differ; of more jobs that did
    not all complete `2 of 3 x 5`.
    """
    if not row.jobs:
        return ""
    timed = [len(run.times_s) for run in row.sample.counted if run.status == "completed" and run.times_s]
    steps = [*timed, *[1] * (row.jobs - len(timed))]  # a job that has only its wall time
    failed = sum(run.status != "completed" for run in row.sample.counted)
    jobs = f"{row.jobs} of {row.jobs + failed}" if failed else str(row.jobs)
    return f"{jobs} x {min(steps)}" + (f"-{max(steps)}" if min(steps) < max(steps) else "")


def _if_spread(row: Row, value: float | None) -> str:
    """A time beside T, where there was more than one."""
    return number(value) if row.steps > 1 else ""


def _rate(value: float | None) -> str:
    """Work per second with the prefix that fits it: 250.3 TFLOP/s."""
    return "" if value is None else prefixed(value, "FLOP/s")


def _serial(value: float | None) -> str:
    """A serial share, which can be very small: three significant digits, not three decimals."""
    return "" if value is None else format_number(value, 3)


def _percent(value: float | None) -> str:
    return "" if value is None else f"{100 * value:.1f} %"


def _run(name: str, heading: str, *, words: bool = False) -> Column:
    """A column of what was entered with the runs."""

    def cell(row: Row) -> str:
        value = getattr(row.sample.run, name)
        return printable_words(str(value)) if words else whole(value)

    return Column(heading, cell, words=words)


_SPREAD = Column("E from-to", _bounds, ("efficiency",))
_COST = Column("cost", lambda row: ratio(row.relative_cost), ("cost",))
_FLOPS = Column("FLOP/s/dev", lambda row: _rate(row.flops_per_device), ("rate",))
_PEAK = Column("of peak", lambda row: _percent(row.peak_share), ("rate",))
_DOUBLING = Column("gain x2", lambda row: ratio(row.per_doubling), ("per-doubling",))
_WORK = Column("W", lambda row: whole(row.work.amount if row.work else None), ("work",))
_PER_DEVICE = Column("W/D", lambda row: number(row.work_per_device), ("work",))
_RATE = Column("W/T", lambda row: number(row.rate), ("rate",))
_RATE_PER_DEVICE = Column("W/T/D", lambda row: number(row.rate_per_device), ("rate",))
_DEVICE_SECONDS = Column("device-s", lambda row: number(row.device_seconds), ("cost",))
_IDEAL = Column("ideal", lambda row: number(row.ideal), ("ideal",))
_JOBS = Column("jobs x steps", _jobs)
_DOMAIN = Column("network", lambda row: printable_words(row.place.name), words=True)
_ARITHMETIC = Column("E arith.", lambda row: ratio(row.efficiency_by_arithmetic), ("efficiency",))

_REST = (
    _run("global_batch", "batch"),
    _run("micro_batch", "micro"),
    _run("accumulation", "accum"),
    _run("sequence_length", "seq.len"),
    Column("layout", lambda row: printable_words(row.layout), words=True),
    Column("mem GiB", lambda row: number(row.sample.memory_gib), ("memory",)),
    Column("of memory", lambda row: _percent(row.memory_share), ("memory",)),
    Column("charged h", lambda row: number(row.charged_hours), ("cost",)),
    Column("price", lambda row: number(row.price), ("cost",)),
    Column("largest", lambda row: printable_words(row.largest_stage), words=True),
    Column("mean s", lambda row: _if_spread(row, row.time_mean_s)),
    Column("min s", lambda row: _if_spread(row, row.time_min_s)),
    Column("max s", lambda row: _if_spread(row, row.time_max_s)),
    _run("note", "note", words=True),
)

_BY_WORTH: dict[str, tuple[Column, ...]] = {
    "strong": (
        Column("S", lambda row: ratio(row.speedup), ("speedup",)),
        _COST,
        _FLOPS,
        _SPREAD,
        _DOUBLING,
        _DOMAIN,
        _IDEAL,
        _JOBS,
        _PEAK,
        Column("Karp-Flatt", lambda row: _serial(row.karp_flatt), ("efficiency",)),
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
        Column("scaled S", lambda row: ratio(row.scaled_speedup), ("speedup",)),
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
    base = None if table.family == "model-size" else table.baseline
    is_base = base is not None and table.rows[base.row] is row
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


def scaling_view(table: Table) -> TableView:
    """A table as it is shown; may run on any thread."""
    pinned = [
        Column("flags", lambda row: short_flags(row, table), ("flags",), words=True),
        Column(devices_heading(table.counts), _devices),
        Column("T s", _time),
        Column("E", _efficiency, ("efficiency",)),
    ]
    rest = list(_BY_WORTH[table.family])
    if len({row.place.name for row in table.rows}) < 2:
        rest.remove(_DOMAIN)
    if _ARITHMETIC in rest and all(row.efficiency_by_arithmetic is None or _same(row) for row in table.rows):
        rest.remove(_ARITHMETIC)
    return TableView.of(table.rows, pinned[: 3 if table.family == "model-size" else 4], rest, _severity)


def _severity(row: Row) -> str:
    return row.flags[0].severity if row.flags else ""


def _same(row: Row) -> bool:
    return row.efficiency is not None and ratio(row.efficiency) == ratio(row.efficiency_by_arithmetic)


def _devices(row: Row) -> str:
    crossed = any(flag.code == "domain-crossed" for flag in row.flags)
    return f"{CROSSED if crossed else ''}{row.devices}"


def _time(row: Row) -> str:
    """T; a clock that read 0 has measured nothing, whatever the other times of the row are."""
    return "reads 0" if row.time_min_s == 0 else number(row.time_s)


def _efficiency(row: Row) -> str:
    if row.efficiency is not None:
        return ratio(row.efficiency)
    refused = row.blocked or row.time_min_s == 0
    return "none" if refused and row.time_s is not None else ""
