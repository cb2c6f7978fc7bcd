"""The step times of a log in one row of dots, and below it why some do not count."""

from __future__ import annotations

from collections.abc import Sequence

from tui.files.report_text import wrapped
from tui.importers.imported import StepRow
from tui.model.quantity import format_number

LEVELS = 4
"""Heights of a dot in one braille cell."""

_LETTERS = {
    "warm-up": "w",
    "checkpoint": "c",
    "evaluation": "e",
    "skipped": "s",
    "other batch": "b",
    "no time": "0",
    "window": "-",
}
LEGEND = (
    "w warm-up, c checkpoint, e evaluation, s skipped, b other batch, - outside the window; blank: they count"
)
_LEFT = (0x40, 0x04, 0x02, 0x01)
_RIGHT = (0x80, 0x20, 0x10, 0x08)
"""The dots of a braille cell from the lowest to the highest (Unicode code chart U+2800)."""
_OUTLIER = 3
"""Times the middle one beyond which a time is drawn at the top, so that the others are not all flat."""


def step_lines(row: StepRow, width: int) -> list[str]:
    """Title, times and marks of a job in at most so many cells."""
    each = 1 if len(row.times_s) <= width else 2  # points in a cell
    points = _joined(row.times_s, row.marks, each * width)
    levels = _levels([time for time, _ in points])
    marks = [mark for _, mark in points]
    starts = range(0, len(points), each)
    dots = "".join(_cell(levels[place], levels[place : place + each][-1]) for place in starts)
    letters = "".join(_letter(marks[place : place + each]) for place in starts)
    low, high = min(row.times_s), max(row.times_s)
    times = f"{format_number(low)} s (low) to {format_number(high)} s (high)"
    title = f"iterations {row.first} to {row.last}, {times}"
    return [*wrapped(title, "", width), dots, letters.rstrip()]


def _joined(times: Sequence[float], marks: Sequence[str], most: int) -> list[tuple[float, str]]:
    """At most so many points, each the mean of neighbours, with the first mark among them."""
    each = -(-len(times) // most)
    starts = range(0, len(times), each)
    parts = ((times[start : start + each], marks[start : start + each]) for start in starts)
    return [(sum(some) / len(some), next(filter(None, why), "")) for some, why in parts]


def _levels(times: Sequence[float]) -> list[int]:
    low = min(times)
    middle = sorted(times)[len(times) // 2]
    high = min(max(times), _OUTLIER * middle) if middle else max(times)
    span = high - low
    if span <= 0.02 * high:
        return [0] * len(times)
    return [min(LEVELS - 1, int((time - low) / span * LEVELS)) for time in times]


def _cell(left: int, right: int) -> str:
    return chr(0x2800 + _LEFT[left] + _RIGHT[right])


def _letter(marks: Sequence[str]) -> str:
    return next((_LETTERS.get(mark, "?") for mark in marks if mark), " ")
