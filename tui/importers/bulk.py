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
    cells = _cells(body[end + 1 :], len(names))
    if cells is None:
        return None
    times = cells[:, names.index("time_s")]
    whole = cells[:, [names.index(key) for key in keys]]
    if not _sound(times, whole):
        return None
    return _samples(keys, whole, times)


def _cells(rows: bytes, width: int) -> NDArray[np.float64] | None:
    """The numbers of rows of one width; None where anything else is in them."""
    import numpy as np

    rows = rows.replace(b"\r\n", b"\n").rstrip(b"\n")
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


def _samples(keys: Sequence[str], whole: NDArray[np.float64], times: NDArray[np.float64]) -> list[Sample]:
    import numpy as np

    order = np.lexsort((times, *whole.T[::-1]))
    sorted_keys, sorted_times = whole[order], times[order]
    starts = np.flatnonzero(np.r_[True, (sorted_keys[1:] != sorted_keys[:-1]).any(axis=1)])
    found = []
    for start, stop in zip(starts, [*starts[1:], len(order)], strict=True):
        counts: dict[str, Any] = dict(zip(keys, map(int, sorted_keys[start]), strict=True))
        run = Run(**counts)
        jobs = tuple(sorted_times[start:stop].tolist())
        found.append(Sample(run, layout(run), jobs, jobs, len(jobs), jobs[0], jobs[-1], ()))
    return sorted(found, key=lambda sample: sample.devices)
