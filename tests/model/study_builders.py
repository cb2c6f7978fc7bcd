"""Short ways to write the runs and experiments that tests need."""

from __future__ import annotations

from typing import Any

from tui.model.rows import Row, Table
from tui.model.scaling import table
from tui.model.study import Experiment, Run, WorkModel


def run(devices: int, *times_s: float, **known: Any) -> Run:
    """One job with its step times."""
    return Run(devices, times_s, **known)


def jobs(devices: int, *medians: float, **known: Any) -> tuple[Run, ...]:
    """Several jobs of one time each."""
    return tuple(run(devices, time, **known) for time in medians)


def strong(*runs: Run, **known: Any) -> Experiment:
    return Experiment("strong", "strong", counts=known.pop("counts", "GPU"), run=runs, **known)


def weak(*runs: Run, **known: Any) -> Experiment:
    return Experiment("weak", "weak", counts=known.pop("counts", "GPU"), run=runs, **known)


TOKENS = WorkModel(per_device=32000, of="tokens", flop_per_unit=6e9, flop_per_unit_position=5e5)
"""32,000 tokens per device; 7 GFLOP per token in sequences of 2000, 10 in sequences of 8000."""


def row_at(of: Table | Experiment, devices: int, place: int = 0) -> Row:
    """The row of a count; `place` tells apart rows of one count."""
    rows = table(of).rows if isinstance(of, Experiment) else of.rows
    return [row for row in rows if row.devices == devices][place]


def sentence(row: Row | Table, code: str) -> str:
    """The sentence of a flag that must be there."""
    found = [flag.sentence for flag in row.flags if flag.code == code]
    assert len(found) == 1, f"{code} not among {row.codes}"
    return found[0]
