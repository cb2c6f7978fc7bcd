"""Samples to rows, and rows to a table: pure arithmetic, no process is started here."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import median
from typing import TypeVar

Sample = TypeVar("Sample")


@dataclass(frozen=True)
class Row:
    """One line of the table.

    Attributes:
        what: what was measured.
        unit: of `ours` and `peer`.
        goal: the figure must not be above it; None when there is no goal.
        ours: one value a run.
        peer: the values of the runs that alternated with ours; then the figure is the ratio ours / peer,
            pair by pair. Empty when the figure is ours itself.
        every: the largest figure is held against the goal, not the median.
        not_measured: why there are no values.
    """

    what: str
    unit: str
    goal: float | None
    ours: tuple[float, ...] = ()
    peer: tuple[float, ...] = ()
    every: bool = False
    not_measured: str = ""

    @property
    def figures(self) -> tuple[float, ...]:
        """What is held against the goal: ratios pair by pair, or our values."""
        if not self.peer:
            return self.ours
        return tuple(a / b for a, b in zip(self.ours, self.peer, strict=True))

    @property
    def met(self) -> bool | None:
        """Whether the goal is met; None without a goal or values."""
        if self.goal is None or not self.ours:
            return None
        return (max if self.every else median)(self.figures) <= self.goal

    def as_json(self) -> dict[str, object]:
        """The row with every sample in it."""
        ratios = self.figures if self.peer else ()
        summary = _summary(self.figures) if self.ours else None
        return {
            "what": self.what,
            "unit": self.unit,
            "goal": self.goal,
            "judged_by": "largest" if self.every else "median",
            "met": self.met,
            "ours": list(self.ours),
            "peer": list(self.peer),
            "ratios": list(ratios),
            "figure": summary,
            "not_measured": self.not_measured or None,
        }


def _summary(values: Sequence[float]) -> dict[str, float]:
    return {"median": median(values), "min": min(values), "max": max(values)}


def alternate(
    runs: int, ours: Callable[[], Sample], peer: Callable[[], Sample]
) -> tuple[list[Sample], list[Sample]]:
    """Run both in turn, ours first, after one run of each that is not counted."""
    ours()
    peer()
    pairs = [(ours(), peer()) for _ in range(runs)]
    return [a for a, _ in pairs], [b for _, b in pairs]


HEADER = ("what", "ours", "peer", "median", "min to max", "goal", "")


def table(rows: Sequence[Row]) -> str:
    """The rows as aligned text; `x` after a figure marks a ratio."""
    lines = [HEADER, *map(_cells, rows)]
    widths = [max(len(line[column]) for line in lines) for column in range(len(HEADER))]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip()
        for line in lines
    )


def _cells(row: Row) -> tuple[str, ...]:
    goal = "" if row.goal is None else f"<= {row.goal:g}"
    if not row.ours:
        return row.what, "", "", "not measured", row.not_measured, goal, ""
    figure = _summary(row.figures)
    sign = "x" if row.peer else ""
    return (
        row.what,
        f"{_short(median(row.ours))} {row.unit}",
        f"{_short(median(row.peer))} {row.unit}" if row.peer else "-",
        _short(figure["median"]) + sign,
        f"{_short(figure['min'])} to {_short(figure['max'])}",
        goal,
        {True: "met", False: "MISSED", None: ""}[row.met],
    )


def _short(value: float) -> str:
    """Three figures, and never an exponent."""
    return f"{value:.0f}" if value >= 100 else f"{value:.3g}"
