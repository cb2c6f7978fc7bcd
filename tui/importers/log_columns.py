"""Lines of a large log that say the same words between the same bars and end with one, read by columns.

A log of millions of lines is nearly all such lines. One whose words, bars, line end or digits stand
otherwise than those of the line to compare with is left to the reader, which looks at each by itself.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_WINDOW = 12
"""Bytes of a number that are looked at. Up to 15 digits are exact as a float, and their quotient by a power
of ten is the float next to the number."""

_FARTHEST = 10**_WINDOW
"""What is said of the distances where there are none."""

_LINE_END, _BAR, _BLANK, _ZERO, _DOT = b"\n| 0."


@dataclass(frozen=True)
class Words:
    """Bytes that stand `offset` after a bar of the line; bar 0 is the end of the line before."""

    bar: int
    offset: int
    text: bytes


@dataclass(frozen=True)
class Digits:
    """A number that begins `start` after a bar, with `after` behind it, which ends with the next bar; blanks
    may stand before it.
    """

    bar: int
    start: int
    after: bytes
    decimals: int = 0
    kind: Literal["q", "d"] = "d"
    """Of the array that its column becomes."""


@dataclass(frozen=True)
class Shape:
    """What all lines have in common: how many bars, the last at the end, what words, where their numbers."""

    bars: int
    words: tuple[Words, ...]
    digits: tuple[Digits, ...]


class Stretch(NamedTuple):
    """Lines in a row whose first number rises, from byte `start` up to `stop`, and a column for each number
    of the shape.
    """

    start: int
    stop: int
    columns: tuple[array[Any], ...]
    least: int
    """The smallest distance of two numbers of the first column."""


def stretches(block: bytes, shape: Shape) -> Iterator[Stretch]:
    """All lines of a shape in a block of whole lines, in their order."""
    import numpy as np

    if any(each.decimals >= _WINDOW for each in shape.digits):
        return
    text = np.frombuffer(block, np.uint8)
    marks = np.flatnonzero((text == _LINE_END) | (text == _BAR))
    ends = np.flatnonzero(text[marks] == _LINE_END)
    marks = np.concatenate(([-1], marks))  # a line end before the first line
    bar_before = marks[ends] == marks[ends + 1] - 1
    lines = np.flatnonzero((np.diff(ends, prepend=-1) == shape.bars + 1) & bar_before)
    bars = marks[ends[lines] - shape.bars + np.arange(shape.bars + 2)[:, None]]
    good = np.ones(len(lines), bool)
    for each in shape.words:
        good &= _at(block, bars[each.bar] + each.offset, len(each.text)) == each.text
    values = []
    for number in shape.digits:
        column, read = _numbers(block, bars[number.bar], bars[number.bar + 1], number)
        values.append(column)
        good &= read
    columns = [
        array(each.kind, column[good].astype(each.kind).tobytes())
        for each, column in zip(shape.digits, values, strict=True)
    ]
    lines, starts, stops = lines[good], bars[0, good] + 1, bars[-1, good] + 1
    steps = np.diff(columns[0])
    apart = (np.diff(lines) > 1) | (steps <= 0)
    for first, stop in pairwise([0, *(np.flatnonzero(apart) + 1).tolist(), len(lines)]):
        if first < stop:
            kept = tuple(column[first:stop] for column in columns)
            least = int(steps[first : stop - 1].min(initial=_FARTHEST))
            yield Stretch(int(starts[first]), int(stops[stop - 1]), kept, least)


def _at(block: bytes, places: NDArray[np.intp], length: int) -> NDArray[np.bytes_]:
    """The bytes from each place on; those of the beginning for a place whose bytes lie outside the block."""
    import numpy as np

    last = len(block) - length
    if last < 0:
        return np.zeros(len(places), f"S{length}")
    every = np.ndarray((last + 1,), f"S{length}", block, strides=(1,))
    found: NDArray[np.bytes_] = every[np.where((places < 0) | (places > last), 0, places)]
    return found


def _numbers(
    block: bytes, bars: NDArray[np.intp], following: NDArray[np.intp], where: Digits
) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """The number of each line, and whether there is one and nothing else."""
    import numpy as np

    starts, stops = bars + where.start, following + 1 - len(where.after)
    length = _WINDOW + len(where.after)
    # A row for each place before the end, because numpy is slow along short rows.
    whole = _at(block, stops - _WINDOW, length).view(np.uint8).reshape(-1, length).T.copy()
    marks, after = whole[:_WINDOW], whole[_WINDOW:]
    blank = (marks == _BLANK) | (np.arange(-_WINDOW, 0)[:, None] < starts - stops)
    digits = marks - _ZERO
    digit = (digits < 10) & ~blank
    powers = [10**power for power in reversed(range(_WINDOW))]
    good = (starts < stops) & (stops < starts + _WINDOW) & (stops >= _WINDOW)
    good &= (after == np.frombuffer(where.after, np.uint8)[:, None]).all(axis=0)
    if where.decimals:
        dot = _WINDOW - 1 - where.decimals
        good &= marks[dot] == _DOT
        digit[dot] = True
        powers = [*powers[1 : dot + 1], 0, *powers[dot + 1 :]]
    good &= (digit | blank).all(axis=0) & (digit[:-1] <= digit[1:]).all(axis=0) & digit[-1]
    return np.array(powers, float) @ np.where(digit, digits, 0) / 10**where.decimals, good
