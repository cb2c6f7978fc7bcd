"""A line of a table to its cells: which separator a file uses, and what a number looks like at its start."""

from __future__ import annotations

import collections
import csv
import re
from collections.abc import Callable, Sequence

_LOOKED_AT = 400
_BOXES = str.maketrans({**dict.fromkeys("│┃║┆┊╎¦", "|"), **dict.fromkeys("├┤┼╠╣╬┝┥┿", "+")})
REMARK = re.compile(r"\s*(#|//|%(?!\s*\d))")
"""The beginning of a remark."""
NUMBER = re.compile(r"[-+]?(\d[\d.,' _]*|[.,]\d+)([eE][-+]?\d+)?")
UNIT = re.compile(
    r"[\[({][^\])}\d]{0,20}[\])}]|#|%|(?:n|u|µ|μ|m)?s|secs?|seconds?|min|h|hours?|d|days?|"
    r"[A-Za-z-]{1,12}/(?:s|sec|h|day)|[KMGT]i?B",
    re.IGNORECASE,
)
"""A cell that is a unit and nothing else."""

Split = Callable[[str], list[str]]


def _by(separator: str) -> Split:
    def split(line: str) -> list[str]:
        if '"' not in line:
            return [cell.strip() for cell in line.split(separator)]
        return [cell.strip() for cell in next(csv.reader([line], delimiter=separator, skipinitialspace=True))]

    return split


def _by_pipe(line: str) -> list[str]:
    bare = line.translate(_BOXES).strip()
    return [cell.strip() for cell in bare.removeprefix("|").removesuffix("|").split("|")]


def _by_gaps(line: str) -> list[str]:
    return re.split(r"\t+|\s{2,}", line.strip())


def _by_blanks(line: str) -> list[str]:
    return line.split()


_SPLITS: tuple[tuple[str, Split], ...] = (
    ("tabs", _by("\t")),
    ("semicolons", _by(";")),
    ("bars", _by_pipe),
    ("commas", _by(",")),
    ("two blanks or more", _by_gaps),
    ("blanks", _by_blanks),
)


def separator_of(lines: Sequence[str]) -> tuple[Split, str]:
    """The way of splitting that gives most lines one width of two cells or more; the first of equals."""
    sample = [line for line in lines[:_LOOKED_AT] if not REMARK.match(line)]
    best: tuple[float, Split, str] = (0.0, _by(","), "commas")
    for name, split in _SPLITS:
        share = _share(sample, split, name)
        if share > best[0] + 0.02:
            best = (share, split, name)
    return best[1], best[2]


def _share(sample: Sequence[str], split: Split, name: str) -> float:
    """Share of lines that have a width of their own kind, where rows of numbers count double."""
    widths: collections.Counter[int] = collections.Counter()
    for line in sample:
        cells = without_empty_end(safely(split, line))
        if name == "commas" and re.search(r"\d\s+\d", cells[0]):
            return 0.0  # "8 40,2": the comma is a decimal sign
        widths[len(cells)] += 2 if any(map(is_number, cells)) else 1
    usual = sum(count for width, count in widths.items() if width > 1 and count > 1)
    few = len(sample) < 3
    usual = usual or (sum(count for width, count in widths.items() if width > 1) if few else 0)
    return usual / max(sum(widths.values()), 1)


def safely(split: Split, line: str) -> list[str]:
    try:
        return split(line)
    except (csv.Error, StopIteration):
        return [line]


def without_empty_end(cells: list[str]) -> list[str]:
    while len(cells) > 1 and not cells[-1]:
        cells = cells[:-1]
    return cells


def is_number(cell: str) -> bool:
    return bool(NUMBER.match(cell.strip("'\" ")))
