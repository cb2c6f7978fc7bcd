"""Scaling tables for other programs: JSON and CSV, with every number in full precision."""

from __future__ import annotations

import csv
import io
import json
import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from tui.model.rows import Baseline, Row, Table

from .report import plain
from .report_columns import labels

if TYPE_CHECKING:
    from tui.model.target import TargetRow, TargetTable

ROW_KEYS = (
    "devices",
    "layout",
    "jobs",
    "steps",
    "time_s",
    "time_min_s",
    "time_max_s",
    "time_mean_s",
    "speedup",
    "ideal",
    "efficiency",
    "efficiency_interval",
    "efficiency_range",
    "per_doubling",
    "device_seconds",
    "relative_cost",
    "charged_hours",
    "karp_flatt",
    "work",
    "work_per_device",
    "rate",
    "rate_per_device",
    "flops_per_device",
    "scaled_speedup",
    "comparable",
    "flags",
)
"""What JSON says of a row, in this order."""

_PAIRS = ("efficiency_interval", "efficiency_range")
_OF_TABLE = ("family", "name", "counts", "baseline_devices")
_BESIDE: Mapping[str, Callable[[Row], Any]] = {
    "work_of": lambda row: row.work.of if row.work else "",
    "label": labels,
    "network": lambda row: row.place.name,
    "global_batch": lambda row: row.sample.run.global_batch,
    "micro_batch": lambda row: row.sample.run.micro_batch,
    "accumulation": lambda row: row.sample.run.accumulation,
    "local_shape": lambda row: row.sample.run.local_shape,
    "sequence_length": lambda row: row.sample.run.sequence_length,
    "parameters": lambda row: row.sample.run.parameters,
    "active_parameters": lambda row: row.sample.run.active_parameters,
    "routing": lambda row: row.sample.run.routing,
    "arithmetic_ratio": lambda row: row.arithmetic_ratio,
    "efficiency_by_arithmetic": lambda row: row.efficiency_by_arithmetic,
    "peak_share": lambda row: row.peak_share,
    "price": lambda row: row.price,
    "memory_gib": lambda row: row.sample.memory_gib,
    "memory_share": lambda row: row.memory_share,
    "largest_stage": lambda row: row.largest_stage,
}
CSV_COLUMNS = (
    *_OF_TABLE,
    *(
        column
        for name in ROW_KEYS
        for column in ((f"{name}_low", f"{name}_high") if name in _PAIRS else (name,))
    ),
    *_BESIDE,
)
"""The header of the CSV form."""

_TARGET_COLUMNS: Mapping[str, Callable[[TargetRow], Any]] = {
    "devices": lambda row: row.devices,
    "label": lambda row: row.label,
    "global_batch": lambda row: row.global_batch,
    "schedule": lambda row: row.schedule,
    "seeds": lambda row: len(row.seeds),
    "reached": lambda row: row.reached,
    "waiting": lambda row: row.waiting,
    "time_to_target_s": lambda row: row.time,
    "fastest_s": lambda row: row.time_range and row.time_range[0],
    "slowest_s": lambda row: row.time_range and row.time_range[1],
    "work_to_target": lambda row: row.work,
    "updates": lambda row: row.updates,
    "throughput": lambda row: row.throughput,
    "inflation": lambda row: row.inflation,
    "speedup_to_target": lambda row: row.speedup,
    "speedup_low": lambda row: row.spread and row.spread.low,
    "speedup_high": lambda row: row.spread and row.spread.high,
    "target_efficiency": lambda row: row.target_efficiency,
    "system_efficiency": lambda row: row.system_efficiency,
    "weak_efficiency": lambda row: row.weak_efficiency,
    "updates_per_million": lambda row: row.updates_per_million,
    "device_hours": lambda row: row.device_hours,
}

_NUMERAL = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")
_FORMULA = frozenset("=+-@＝＋－＠")
"""First characters that a spreadsheet takes for a formula, in any width. Tabs and line ends, which some
skip before they look, are gone from every cell.
"""


def as_json(tables: Sequence[Table]) -> str:
    """One object for one table, else a list; what is absent is null. The text is ASCII."""
    objects = [table_object(table) for table in tables]
    return json.dumps(objects[0] if len(objects) == 1 else objects, indent=2, allow_nan=False)


def table_object(table: Table) -> dict[str, Any]:
    """A table as plain values, with the keys that JSON has."""
    return {
        "family": table.family,
        "name": table.name,
        "work": table.work,
        "baseline": None if table.baseline is None else _baseline(table.baseline),
        "rows": [_row(row) for row in table.rows],
        "flags": list(table.codes),
    }


def _baseline(base: Baseline) -> dict[str, Any]:
    return {"devices": base.devices, "kind": base.kind, "chosen": base.chosen, "time_s": base.time_s}


def _row(row: Row) -> dict[str, Any]:
    values = {name: getattr(row, name) for name in ROW_KEYS}
    values["work"] = row.work.amount if row.work else None
    values["flags"] = list(row.codes)
    return {name: _finite(value) for name, value in values.items()}


def _finite(value: Any) -> Any:
    """No infinity leaves the program as a number: JSON has none, and none was measured."""
    if isinstance(value, tuple):
        return [_finite(each) for each in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def as_csv(tables: Sequence[Table]) -> str:
    """A header, and one line for each row of each table; absent is an empty cell.

    It has every column that text and Markdown can show, more than JSON has. Cells that a spreadsheet
    would take for a formula get an apostrophe in front.
    """
    return _csv(CSV_COLUMNS, (_line(table, row) for table in tables for row in table.rows))


def target_csv(tables: Sequence[TargetTable]) -> str:
    """A header, and one line for each configuration of each table; absent is an empty cell."""
    heads = ("family", "name", "counts", "baseline_devices", "summary")
    lines = (
        [
            *("target", table.name, table.counts, table.base.devices if table.base else None, table.summary),
            *(write(row) for write in _TARGET_COLUMNS.values()),
        ]
        for table in tables
        for row in table.rows
    )
    return _csv((*heads, *_TARGET_COLUMNS), lines)


def _csv(header: Sequence[str], lines: Iterable[Iterable[Any]]) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(header)
    writer.writerows([_cell(value) for value in line] for line in lines)
    return out.getvalue().removesuffix("\n")


def _line(table: Table, row: Row) -> Iterator[Any]:
    base = table.baseline
    yield from (table.family, table.name, table.counts, base.devices if base else None)
    for name, value in _row(row).items():
        if name in _PAIRS:
            yield from value or (None, None)
        else:
            yield value
    yield from (write(row) for write in _BESIDE.values())


def _cell(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Fraction):
        value = float(value)
    if isinstance(value, (int, float)):
        return repr(_finite(value)) if _finite(value) is not None else ""
    text = plain(" ".join(value) if isinstance(value, list) else value)
    return f"'{text}" if text[:1] in _FORMULA and not _NUMERAL.fullmatch(text) else text
