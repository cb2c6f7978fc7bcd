"""A step as a rate: the FLOP/s that each device achieves, where the arithmetic of the step is known."""

from __future__ import annotations

from dataclasses import dataclass

from tui.model.laws import Number
from tui.model.rows import Row, Table
from tui.model.study import Experiment


@dataclass(frozen=True)
class Rate:
    """What each device achieves."""

    flops: float
    """FLOP/s."""
    peak_share: float | None
    """Of the peak of a device; `None` where that is not known."""


def predicted_rate(rows: Table, experiment: Experiment, devices: int, time: Number) -> Rate | None:
    """The rate of a step of `time` seconds at a count; `None` where its arithmetic is not known.

    That is what a run there states, measured or not. Else it follows from the family: the whole work stays
    the same (strong), or that of each device (weak); a model of another size is not known before its run.
    """
    there = [row for row in rows.rows if row.devices == devices and _does_its_work(row)]
    stated = {row.arithmetic_per_device for row in there}
    arithmetic = stated.pop() if len(stated) == 1 else None
    if arithmetic is None and rows.baseline is not None:
        base = rows.rows[rows.baseline.row].arithmetic_per_device
        if rows.family == "strong":
            arithmetic = base and base * rows.baseline.devices / devices
        elif rows.family == "weak":
            arithmetic = base
    if not arithmetic or not time:
        return None
    flops, peak = arithmetic / float(time), experiment.peak_flops_per_device
    return Rate(flops, flops / peak if peak else None)


def _does_its_work(row: Row) -> bool:
    """Whether nothing is wrong with a row but that it has no time."""
    return {flag.code for flag in row.flags if flag.severity == "blocks"} <= {"not-completed"}


def measured_rate(rows: Table, devices: int, time: Number) -> Rate | None:
    """The rate of the row that took `time` seconds at a count; `None` where it is not known."""
    for row in rows.rows:
        if row.devices == devices and row.time_s == float(time) and row.flops_per_device is not None:
            return Rate(row.flops_per_device, row.peak_share)
    return None
