"""A scaling table as plots: efficiency, time, or device-seconds over the count D.

Only points that may be compared are joined: within one network domain, at three counts or more. Every
frame starts at 0 or shows whole decades, so that a small loss is not drawn as a large one.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence, Set
from typing import Literal

from tui.model.rows import Baseline, Row, Table
from tui.plotting.spec import Axis, Bar, Boundary, Curve, Level, Mark, PlotSpec, Tick
from tui.plotting.ticks import decade_ticks, round_ticks, short

RunsView = Literal["efficiency", "time", "cost"]

VIEWS: tuple[RunsView, ...] = ("efficiency", "time", "cost")
"""The views in their order."""

UNITS: dict[RunsView, str] = {"efficiency": "E", "time": "T s", "cost": "device-s"}
"""What stands at the y axis of each."""

_TELLS: dict[RunsView, frozenset[str]] = {
    "efficiency": frozenset(("efficiency", "speedup", "per-doubling")),
    "time": frozenset(),
    "cost": frozenset(("cost", "efficiency", "speedup")),
}
"""What the points of each view answer; a time is always given."""

_ROOM = math.sqrt(2)
"""Factor by which the x axis goes on beyond the first and the last count."""

SAME, OTHER, REFUSED = "o", "x", "-"
"""Glyphs of a run: in the baseline's domain, in another one, and not comparable with the baseline."""


def plot(table: Table, view: RunsView, covered: Set[str] = frozenset()) -> PlotSpec | None:
    """One view of a table; `None` where nothing can be drawn yet.

    Args:
        covered: words of what is asked for; left out are the points that would answer it, and the line of
            the ideal.
    """
    value = _VALUES[view]
    drawn = [(row, y) for row in table.rows if (y := value(row)) is not None and y > 0]
    if not drawn or table.baseline is None:
        return None
    hidden = bool(covered & _TELLS[view])
    judged = "flags" not in covered
    base = table.rows[table.baseline.row]
    x = _counts_axis(table)
    ideal = _ideal(table, base, table.baseline, view)
    bars = [Bar(row.devices, *bounds) for row, _ in drawn if (bounds := _bounds(row, view))]
    told = "ideal" not in covered
    measured = [] if hidden else [*(y for _, y in drawn), *(bar.high for bar in bars)]
    logarithmic = view == "time" and table.family == "strong"
    return PlotSpec(
        x,
        _values_axis([ideal(x.low), ideal(x.high), *measured], view, logarithmic=logarithmic),
        curves=(
            *(_ideal_curve(ideal, x, view) if told else ()),
            *(() if hidden or not judged else _joined(table, value)),
        ),
        levels=(Level(1.0, label="ideal", label_style="label"),) if view == "efficiency" else (),
        boundaries=_boundaries(table),
        bars=() if hidden else tuple(bars),
        marks=() if hidden else tuple(_mark(row, y, base, judged) for row, y in drawn),
    )


def in_words(table: Table, view: RunsView, covered: Set[str] = frozenset()) -> str:
    """What the plot shows and how its points are to be read, for the line above it."""
    what = {"efficiency": "E", "time": "T", "cost": "Device-seconds"}[view]
    parts = [f"{what} over {table.counts}, log2"]
    if "flags" in covered:
        return parts[0]
    base = table.rows[table.baseline.row] if table.baseline else None
    glyphs = {_glyph(row, base) for row in table.rows} if base else set()
    if OTHER in glyphs:
        parts.append(f"{OTHER} another network")
    if REFUSED in glyphs and view != "efficiency":
        parts.append(f"{REFUSED} not comparable")
    if not table.trends:
        parts.append("not joined: too few counts")
    return "; ".join(parts)


_VALUES: dict[RunsView, Callable[[Row], float | None]] = {
    "efficiency": lambda row: row.efficiency,
    "time": lambda row: row.time_s,
    "cost": lambda row: row.device_seconds,
}


def _counts_axis(table: Table) -> Axis:
    counts = sorted({row.devices for row in table.rows})
    ticks = [Tick(count, str(count)) for count in dict.fromkeys((counts[0], counts[-1], *counts[1:-1]))]
    return Axis(counts[0] / _ROOM, counts[-1] * _ROOM, "log2", tuple(ticks), table.counts)


def _values_axis(values: Sequence[float], view: RunsView, *, logarithmic: bool) -> Axis:
    if view == "efficiency":
        marked = (Tick(1.0, "1"), Tick(0.0, "0"), Tick(0.5, "0.5"))
        return Axis(0.0, max(1.2, 1.05 * max(values)), ticks=marked, unit=UNITS[view], gutter=3)
    if logarithmic:
        first, last = math.floor(math.log10(min(values))), math.ceil(math.log10(max(values)))
        last = max(last, first + 1)
        return Axis(10.0**first, 10.0**last, "log10", decade_ticks(first, last), UNITS[view])
    top = 1.05 * max(values)
    ticks = round_ticks(top)
    return Axis(0.0, top, ticks=ticks, unit=UNITS[view], gutter=max(len(tick.label) for tick in ticks))


def _ideal(table: Table, base: Row, baseline: Baseline, view: RunsView) -> Callable[[float], float]:
    """The ideal as a function of the count: T0·D0/D at a constant cost, or a constant T where work grows."""
    time, devices = baseline.time_s, baseline.devices
    cost = base.device_seconds or time * devices
    grows = table.family != "strong"
    if view == "efficiency":
        return lambda at: 1.0
    if view == "time":
        return (lambda at: time) if grows else (lambda at: time * devices / at)
    return (lambda at: cost * at / devices) if grows else (lambda at: cost)


def _ideal_curve(ideal: Callable[[float], float], x: Axis, view: RunsView) -> tuple[Curve, ...]:
    """A dotted line from side to side; on a linear axis a curve needs vertices between."""
    if view == "efficiency":
        return ()
    steps = 24
    xs = tuple(x.low * (x.high / x.low) ** (step / steps) for step in range(steps + 1))
    return (Curve(xs, tuple(map(ideal, xs)), "ghost", dotted=True, label="ideal"),)


def _joined(table: Table, value: Callable[[Row], float | None]) -> tuple[Curve, ...]:
    """A line for each set of rows that may be joined, through those that have a value."""
    lines = []
    for places in table.trends:
        points = [(table.rows[place].devices, value(table.rows[place])) for place in places]
        points.sort(key=lambda point: point[0])
        known = [(float(at), y) for at, y in points if y is not None]
        if len(known) > 1:
            lines.append(Curve(tuple(at for at, _ in known), tuple(y for _, y in known)))
    return tuple(lines)


def _bounds(row: Row, view: RunsView) -> tuple[float, float] | None:
    """The spread that stands at a point: of E from job to job, or of T from its fastest to its slowest."""
    if view == "efficiency":
        return row.efficiency_interval or row.efficiency_range
    if view == "time" and row.time_min_s is not None and row.time_max_s is not None:
        return (row.time_min_s, row.time_max_s) if row.time_min_s < row.time_max_s else None
    return None


def _mark(row: Row, y: float, base: Row, judged: bool) -> Mark:
    glyph = _glyph(row, base) if judged else SAME
    style = "dim" if glyph == REFUSED else "mark"
    return Mark(row.devices, y, glyph, style, name=f"{row.devices}: {short(y)}")


def _glyph(row: Row, base: Row) -> str:
    if not row.comparable:
        return REFUSED
    return SAME if row.place == base.place else OTHER


def _boundaries(table: Table) -> tuple[Boundary, ...]:
    """A line between the last count inside each domain and the next one, where the table goes on."""
    counts = sorted({row.devices for row in table.rows})
    lines = []
    for domain in table.boundaries:
        beyond = next((count for count in counts if count > domain.devices), None)
        if beyond is not None:
            lines.append(Boundary(math.sqrt(domain.devices * beyond), f"beyond {domain.name}"))
    return tuple(lines)
