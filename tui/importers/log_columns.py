"""Lines of a large log that say the same words between the same bars, read by columns.

A log of millions of lines is nearly all such lines. One whose words, bars, line end or digits stand
otherwise than those of the line to compare with is left to the reader, which looks at each by itself.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_WINDOW = 16
"""Bytes of a number that are looked at; 15 digits are exact as a float, and so is their quotient by a power
of ten."""

_LINE_END, _BAR, _BLANK, _ZERO, _DOT = b"\n| 0."


@dataclass(frozen=True)
class Words:
    """Bytes that stand `offset` after a bar of the line; bar 0 is the end of the line before."""

    bar: int
    offset: int
    text: bytes


@dataclass(frozen=True)
class Digits:
    """A number that begins `start` after a bar and ends `stop` after the next one, less than 0; blanks may
    stand before it.
    """

    bar: int
    start: int
    stop: int
    decimals: int = 0
    kind: Literal["q", "d"] = "d"
    """Of the array that its column becomes."""


@dataclass(frozen=True)
class Shape:
    """What all lines have in common: how many bars, what words, and where their numbers stand."""

    bars: int
    words: tuple[Words, ...]
    digits: tuple[Digits, ...]


@dataclass(frozen=True)
class Stretch:
    """Lines in a row whose first number rises, from byte `start` up to `stop`, and a column for each number
    of the shape.
    """

    start: int
    stop: int
    columns: tuple[array[Any], ...]


def stretches(block: bytes, shape: Shape) -> Iterator[Stretch]:
    """All lines of a shape in a block of whole lines, in their order."""
    import numpy as np

    text = np.frombuffer(block, np.uint8)
    marks = np.flatnonzero((text == _LINE_END) | (text == _BAR))
    ends = np.flatnonzero(text[marks] == _LINE_END)
    marks = np.concatenate(([-1], marks))  # a line end before the first line
    lines = np.flatnonzero(np.diff(ends, prepend=-1) == shape.bars + 1)
    bars = marks[ends[lines] - shape.bars + np.arange(shape.bars + 2)[:, None]]
    good = np.ones(len(lines), bool)
    for each in shape.words:
        good &= _at(block, bars[each.bar] + each.offset, len(each.text)) == each.text
    lines, bars = lines[good], bars[:, good]
    read = [_numbers(block, bars[each.bar], bars[each.bar + 1], each) for each in shape.digits]
    good = np.logical_and.reduce([fine for _, fine in read])
    lines, bars = lines[good], bars[:, good]
    columns = [
        array(each.kind, values[good].astype(each.kind).tobytes())
        for each, (values, _) in zip(shape.digits, read, strict=True)
    ]
    cuts = (np.flatnonzero((np.diff(lines) > 1) | (np.diff(columns[0]) <= 0)) + 1).tolist()
    for first, stop in zip([0, *cuts], [*cuts, len(lines)], strict=True):
        if first < stop:
            kept = tuple(column[first:stop] for column in columns)
            yield Stretch(int(bars[0, first]) + 1, int(bars[-1, stop - 1]) + 1, kept)


def _at(block: bytes, places: NDArray[np.intp], length: int) -> NDArray[np.bytes_]:
    """The bytes from each place on, up to the end of the block; those of its beginning for a place outside."""
    import numpy as np

    last = len(block) - length
    if last < 0:
        return np.zeros(len(places), f"S{length}")
    every = np.ndarray((last + 1,), f"S{length}", block, strides=(1,))
    return every[np.where((places < 0) | (places > last), 0, places)]


def _numbers(
    block: bytes, bars: NDArray[np.intp], following: NDArray[np.intp], where: Digits
) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """The number of each line, and whether there is one and nothing else."""
    import numpy as np

    stops = following + where.stop
    widths = stops - bars - where.start
    # A row for each place before the end, because numpy is slow along short rows.
    windows = _at(block, stops - _WINDOW, _WINDOW).view(np.uint8).reshape(-1, _WINDOW).T.copy()
    places = np.arange(-_WINDOW, 0)[:, None]
    blank = (windows == _BLANK) | (places < -widths)
    digits = windows - _ZERO
    digit = (digits < 10) & ~blank
    powers = [10**power for power in reversed(range(_WINDOW))]
    good = (widths > 0) & (widths < _WINDOW) & (stops >= _WINDOW)
    if where.decimals:
        dot = _WINDOW - 1 - where.decimals
        good &= (windows[dot] == _DOT) & ~blank[dot]
        digit[dot] = True
        powers = [*powers[1 : dot + 1], 0, *powers[dot + 1 :]]
    good &= (digit | blank).all(axis=0) & (digit[:-1] <= digit[1:]).all(axis=0) & digit[-1]
    return np.array(powers, float) @ np.where(digit, digits, 0) / 10**where.decimals, good
