"""What opening an exercise adds: to a start that asks for one, and from the list."""

from __future__ import annotations

from tests.bench.measure import Row, alternate
from tests.bench.programs import Kind, ours, started
from tests.bench.start import has_plot

GOAL = 200
"""Milliseconds."""
OPEN = "Enter begins."
"""What the exercise says as soon as it stands."""


def exercise_rows(runs: int) -> list[Row]:
    """Milliseconds more than a start to the first plot, and from Enter in the list until it stands."""
    opened, plain = alternate(runs, _opened_by_the_start, _first_plot)
    more = tuple(a - b for a, b in zip(opened, plain, strict=True))
    listed = tuple([_opened_from_the_list() for _ in range(runs + 1)][1:])
    return [
        Row("opening an exercise adds to the start", "ms", GOAL, more),
        Row("opening an exercise from the list", "ms", GOAL, listed),
    ]


def _opened_by_the_start() -> float:
    plain = ours()
    kind = Kind((*plain.command, "lab", "run", "roofline-three-trials"), (OPEN,))
    with started(kind) as program:
        program.wait_for(OPEN)
        program.settle()
        shown = program.when(kind.drawn)
        program.quit()
        return 1000 * (shown - program.started)


def _first_plot() -> float:
    kind = ours()
    with started(kind) as program:
        program.wait_for(*kind.first_frame)
        program.settle()
        shown = program.when(has_plot)
        program.quit()
        return 1000 * (shown - program.started)


def _opened_from_the_list() -> float:
    kind = ours()
    with started(kind) as program:
        program.wait_for(*kind.first_frame)
        program.settle()
        program.send("\x1b")
        program.settle()
        program.send("6")
        program.wait_for("Enter starts")
        program.settle()
        pressed = program.send("\r")
        program.wait_for(OPEN)
        program.settle()
        shown = program.when(lambda lines: any(OPEN in line for line in lines), pressed)
        program.quit()
        return 1000 * (shown - pressed)
