"""The columns of a target table: flags, D and the time stay, then what a step gives stands beside what the
target took.
"""

from __future__ import annotations

from fractions import Fraction

from tui.model.quantity import format_number
from tui.model.run_text import printable_words
from tui.model.target import TargetRow, TargetTable
from tui.widgets.columns import GLYPHS, Column, TableView, devices_heading, number, ratio, whole

COVERS = frozenset(("target", "efficiency", "speedup", "work", "rate", "cost", "flags"))
"""The words that cover something in a target table; `target` everything that is worked out."""
SELF_TEST = frozenset(("target", "flags"))


def target_view(table: TargetTable) -> TableView:
    """A table as it is shown, configurations without a run that counts at its end; may run on any thread."""
    rows = (*table.rows, *table.gone)
    # A time that was written is given; one that was worked out is what is asked for.
    timed = ("target",) if any(row.derived for row in rows) else ()
    worked = () if any(run.work_to_target for row in rows for run in row.runs) else ("target",)
    apart = _told_apart(rows)
    pinned = (
        Column("flags", lambda row: short_flags(row, table), ("flags",), words=True),
        Column(devices_heading(table.counts), lambda row: str(row.devices)),
        *apart,
        Column("to target s", _time, timed),
    )
    rest = (
        Column("system E", lambda row: _ratio(row.system_efficiency), ("target", "efficiency")),
        Column("÷ infl.", lambda row: _ratio(row.inflation), ("target", "work")),
        Column("= target E", lambda row: _ratio(row.target_efficiency), ("target", "efficiency")),
        Column("speedup", lambda row: _ratio(row.speedup), ("target", "speedup")),
        Column("weak E", lambda row: ratio(row.weak_efficiency), ("target", "efficiency")),
        Column("reached", _reached),
        Column("device-h", lambda row: _number(row.device_hours), ("target", "cost")),
        Column("upd./M", _updates_per_million, ("target",)),
        *(column for column in _CONFIGURATION if column not in apart),
        Column("W/T", lambda row: _number(row.throughput), ("target", "rate")),
        Column("W to target", lambda row: _whole(row.work), ("work", *worked)),
        Column("updates", lambda row: _whole(row.updates)),
        Column("fastest s", lambda row: _number(_bound(row, 0)), timed),
        Column("slowest s", lambda row: _number(_bound(row, 1)), timed),
        Column("speedup from-to", _spread, ("target", "speedup")),
        Column("quality", _quality),
    )
    return TableView.of(rows, pinned, rest, severity)


_CONFIGURATION = (
    Column("batch", lambda row: whole(row.global_batch)),
    Column("schedule", lambda row: printable_words(row.schedule), words=True),
    Column("label", lambda row: printable_words(row.label), words=True),
)


def _told_apart(rows: tuple[TargetRow, ...]) -> tuple[Column, ...]:
    """What the configurations of one count differ in, which then has to stand beside it."""
    found = []
    for column in _CONFIGURATION:
        seen: dict[int, set[str]] = {}
        for row in rows:
            seen.setdefault(row.devices, set()).add(column.cell(row))
        if any(len(texts) > 1 for texts in seen.values()):
            found.append(column)
    return tuple(found)


def short_flags(row: TargetRow, table: TargetTable) -> str:
    """The gravest that is to be said, in a word: `✗ 1 of 3`, `! 3 of 5`."""
    start = "D0 " if row is table.base else ""
    if not row.counted:
        return "withdrawn"
    if row.remarks:
        more = f" +{len(row.remarks) - 1}" if len(row.remarks) > 1 else ""
        return f"{start}{GLYPHS[row.remarks[0].severity]} {row.remarks[0].word}{more}"
    return f"{start}{GLYPHS['notes']} one seed" if len(row.seeds) == 1 else start.strip()


def severity(row: TargetRow) -> str:
    """Of the gravest that is to be said of a row."""
    return row.remarks[0].severity if row.remarks else ""


def _time(row: TargetRow) -> str:
    if row.time is not None:
        return number(float(row.time))
    return "none" if row.seeds else ""


def _reached(row: TargetRow) -> str:
    return f"{row.reached} of {len(row.seeds)}" if row.seeds else ""


def _bound(row: TargetRow, side: int) -> Fraction | None:
    """The fastest or the slowest seed, where there was more than one."""
    return row.time_range[side] if row.time_range and len(row.seeds) > 1 else None


def _spread(row: TargetRow) -> str:
    spread = row.spread
    if spread is None or spread.low is None or spread.high is None:
        return ""
    return f"{spread.low:.3f}-{spread.high:.3f}"


def _updates_per_million(row: TargetRow) -> str:
    """Updates are counted whole, so the rate is, as soon as it has four digits or nearly."""
    found = row.updates_per_million
    return str(round(found)) if found is not None and found >= 100 else _number(found)


def _quality(row: TargetRow) -> str:
    """The final quality, from the lowest to the highest seed where they differ."""
    if not row.qualities:
        return ""
    low, high = (format_number(bound) for bound in (min(row.qualities), max(row.qualities)))
    return low if low == high else f"{low} to {high}"


def _ratio(value: Fraction | None) -> str:
    return ratio(None if value is None else float(value))


def _number(value: Fraction | None) -> str:
    return number(None if value is None else float(value))


def _whole(value: Fraction | None) -> str:
    return whole(None if value is None else float(value))
