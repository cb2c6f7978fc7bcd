"""What a count costs in device time and whether it fits the memory, at measured and other counts."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from tui.model.laws import Fit, Measured, Number, Place, Unfit, exact, fit
from tui.model.rows import Table
from tui.model.study import Stage


@dataclass(frozen=True)
class Cost:
    """One row of the table as device time and memory."""

    devices: int
    time_s: float | None
    device_seconds: float | None
    relative_cost: float | None
    charged_device_seconds: float | None
    """What is billed, whole nodes where nodes are."""
    memory_gib: float | None
    fits: bool | None
    """Whether the fullest device had room; `None` where memory or capacity is not written."""


def costs(rows: Table, capacity_gib: float | None) -> tuple[Cost, ...]:
    """Every row, in the table's order; `capacity_gib` is what one device has."""
    return tuple(
        Cost(
            devices=row.devices,
            time_s=row.time_s,
            device_seconds=row.device_seconds,
            relative_cost=row.relative_cost,
            charged_device_seconds=row.charged_hours * 3600 if row.charged_hours is not None else None,
            memory_gib=row.sample.memory_gib,
            fits=None
            if row.sample.memory_gib is None or capacity_gib is None
            else row.sample.memory_gib <= capacity_gib,
        )
        for row in rows.rows
    )


def memory_law(rows: Table) -> Fit | None:
    """Memory per device as a/D + b, through the highest memory of each count; `None` below two counts.

    The part a is split between the devices, the part b stands on each of them.
    """
    by_count: dict[int, Number] = {}
    for row in rows.rows:
        gib = row.sample.memory_gib
        if gib is not None:
            by_count[row.devices] = max(exact(gib), by_count.get(row.devices, Fraction(0)))
    points = [Measured(devices, Place(Fraction(devices)), gib) for devices, gib in by_count.items()]
    try:
        return fit(Stage("memory", "split+fixed"), points)
    except Unfit:
        return None


def smallest_feasible(
    split: Number, fixed: Number, capacity: Number, among: Sequence[int] = ()
) -> int | None:
    """The smallest count at which split/D + fixed is within the capacity; `None` when none is.

    Args:
        among: the counts that can be had; every whole number where there are none.
    """
    if among:
        return min((count for count in among if split / count + fixed <= capacity), default=None)
    if split + fixed <= capacity:
        return 1
    return math.ceil(split / (capacity - fixed)) if fixed < capacity else None
