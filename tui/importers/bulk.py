"""Large clean CSV files of runs, read by columns: a million jobs in the time of a few reads of the file.

Clean means our own column names (`devices,time_s` and counts of the layout), one job a line, a plain number
in every cell, nothing else. Whatever is not clean is left to the readers that explain what is wrong.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from tui.model.samples import Sample, layout
from tui.model.study import SMALLEST, Run

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

LEAST_BYTES = 256 * 1024
"""Smaller files are read line by line as fast."""

_PIECE = 1 << 20
"""Bytes that are read at once."""

_WHOLE = (
    "devices",
    "nodes",
    "ranks",
    "threads_per_rank",
    "global_batch",
    "micro_batch",
    "accumulation",
    "dp",
    "tp",
    "pp",
)
_LARGEST = 2**53


def samples_in(data: bytes) -> list[Sample] | None:
    """The samples of a clean CSV file, by ascending count; None where it is not clean.

    The samples have no single runs: a job is one of their times.
    """
    body = data.removeprefix(b"\xef\xbb\xbf")
    end = body.find(b"\n")
    names = [
        name.strip() for name in body[: max(end, 0)].decode("ascii", errors="replace").lower().split(",")
    ]
    keys = [name for name in names if name != "time_s"]
    clean = len(keys) == len(names) - 1 and len(set(keys)) == len(keys) and "devices" in keys
    if not clean or not set(keys) <= set(_WHOLE):
        return None
    cells = _cells(body, end + 1, len(names))
    if cells is None:
        return None
    place, places = names.index("time_s"), [names.index(key) for key in keys]
    if not _sound(cells[:, place], cells[:, places]):
        return None
    # Only one copy of a million rows is held at a time.
    cells = cells[_order(cells, place, places)]
    return _samples(keys, cells[:, places], cells[:, place])


def _cells(body: bytes, start: int, width: int) -> NDArray[np.float64] | None:
    """The numbers of the rows from `start` on, all of one width; None where anything else is in them.

    A piece at a time, because the steps of reading it take several times its size.
    """
    import numpy as np

    stop = len(body)
    while stop > start and body[stop - 1] in b"\r\n":
        stop -= 1
    pieces = []
    while start < stop:
        end = body.rfind(b"\n", start, min(start + _PIECE, stop)) + 1
        end = end if start < end and start + _PIECE < stop else stop
        piece = _numbers(body[start:end], width)
        if piece is None:
            return None
        pieces.append(piece)
        start = end
    return np.concatenate(pieces) if pieces else None


def _numbers(rows: bytes, width: int) -> NDArray[np.float64] | None:
    """The numbers of some rows."""
    import numpy as np

    rows = rows.replace(b"\r\n", b"\n").removesuffix(b"\n")
    marks = np.frombuffer(rows + b"\n", dtype=np.uint8)
    marks = marks[(marks == ord(",")) | (marks == ord("\n"))]
    if not rows or len(marks) % width:
        return None
    ends = marks.reshape(-1, width) == ord("\n")
    if ends[:, :-1].any() or not ends[:, -1].all():
        return None
    with warnings.catch_warnings():
        # Older numpy only warns of what it cannot read, and drops it when it is the end of the last cell.
        warnings.simplefilter("error", DeprecationWarning)
        try:
            cells = np.fromstring(rows.replace(b"\n", b",").decode("latin-1"), sep=",")
        except (ValueError, DeprecationWarning):
            return None
    return cells.reshape(-1, width) if len(cells) == len(marks) else None


def _sound(times: NDArray[np.float64], whole: NDArray[np.float64]) -> bool:
    """Whether all times can be times and all counts counts."""
    import numpy as np

    timed = bool(((times == 0) | ((times >= SMALLEST) & (times <= 1 / SMALLEST))).all())
    return timed and bool(((whole >= 1) & (whole < _LARGEST) & (whole == np.floor(whole))).all())


def _order(cells: NDArray[np.float64], place: int, places: Sequence[int]) -> NDArray[np.intp]:
    """The order of the rows by their counts, then by their time."""
    import numpy as np

    return np.lexsort((cells[:, place], *(cells[:, each] for each in reversed(places))))


def _samples(keys: Sequence[str], whole: NDArray[np.float64], times: NDArray[np.float64]) -> list[Sample]:
    """The samples of rows that are in order."""
    import numpy as np

    starts = np.flatnonzero(np.r_[True, (whole[1:] != whole[:-1]).any(axis=1)])
    found = []
    for start, stop in zip(starts, [*starts[1:], len(times)], strict=True):
        counts: dict[str, Any] = dict(zip(keys, map(int, whole[start]), strict=True))
        run = Run(**counts)
        jobs = tuple(times[start:stop].tolist())
        found.append(Sample(run, layout(run), jobs, jobs, len(jobs), jobs[0], jobs[-1], ()))
    return sorted(found, key=lambda sample: sample.devices)
