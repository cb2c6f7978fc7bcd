"""From `[[data]]` to a data set: the file or the rows, cell by cell, with a sentence for each fault."""

from __future__ import annotations

import csv
import io
import os
import stat
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from tui.guide.data import (
    BLANK,
    STATUSES,
    TIMES,
    DataSet,
    exact,
    holds_numbers,
    holds_whole_numbers,
    is_column,
    is_number,
    row_key,
    values_in,
)
from tui.guide.findings import did_you_mean
from tui.guide.script import Data
from tui.guide.values import shown
from tui.model.quantity import format_exact

MOST_BYTES = 1 << 20
MOST_ROWS = 5000
MOST_COMPLAINTS = 20
_BATCH = ("devices", "micro_batch", "accumulation", "global_batch")


class Refused(Exception):
    """A file or table that cannot be used: a code and a sentence."""

    def __init__(self, code: str, sentence: str) -> None:
        super().__init__(sentence)
        self.code = code


@dataclass(frozen=True)
class Complaint:
    """One fault of a table."""

    code: str
    sentence: str


def fetch(folder: Path, name: str) -> bytes:
    """The bytes of a file that a script names.

    Raises:
        Refused: when the path leaves the folder, or the file is missing, no file, or too large.
    """
    inside = Path(os.path.realpath(folder))
    path = Path(os.path.realpath(inside / name))
    if os.path.isabs(name) or ".." in Path(name).parts or "\0" in name or inside not in path.parents:
        raise Refused("E023", f"{shown(name)} leaves the folder of the script")
    return read_file(path, name)


def read_file(path: Path, name: str) -> bytes:
    """The bytes of a regular file of at most a mebibyte; raises `Refused` otherwise."""
    try:
        # Without O_NONBLOCK a pipe without a writer would hold the program for ever.
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
    except (OSError, ValueError) as error:
        why = (getattr(error, "strerror", None) or str(error)).lower()
        raise Refused("E020", f"{shown(name)} cannot be read: {why}") from None
    try:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            raise Refused("E020", f"{shown(name)} is no file")
        data = b""
        while status.st_size <= MOST_BYTES >= len(data) and (chunk := os.read(descriptor, MOST_BYTES + 1)):
            data += chunk
    finally:
        os.close(descriptor)
    if status.st_size > MOST_BYTES or len(data) > MOST_BYTES:
        raise Refused("E024", f"{shown(name)} is larger than 1 MiB")
    return data


def read(raw: Data, text: str) -> tuple[DataSet | None, list[Complaint]]:
    """The data set of a `[[data]]` whose CSV text is `text`, and everything wrong with it."""
    try:
        found = list(csv.reader(io.StringIO(text), skipinitialspace=True))
    except csv.Error as error:
        return None, [Complaint("E022", f"the rows cannot be read: {error}")]
    lines = [[cell.strip() for cell in row] for row in found]
    lines = [row for row in lines if any(row)]
    if not lines or len(lines) < 2:
        return None, [Complaint("E021", "there are no rows under a header")]
    if len(lines) - 1 > MOST_ROWS:
        return None, [Complaint("E024", f"{len(lines) - 1} rows: at most {MOST_ROWS} are read")]
    header, *rows = lines
    faults = list(_header_faults(raw, header)) or list(_cell_faults(header, rows))
    if faults:
        return None, faults[:MOST_COMPLAINTS]
    filled, blanks, faults = _filled(header, rows)
    data = DataSet(
        id=raw.id,
        family=raw.family,
        key=raw.key,
        columns=tuple(header),
        rows=tuple(tuple(row) for row in filled),
        blanks=frozenset(blanks),
        baseline=raw.baseline,
        hidden=frozenset(map(row_key, raw.hidden_rows)),
        cover=raw.cover,
        source=raw.source,
        settings=raw.settings,
    )
    keys = data.keys
    for name in (*raw.hidden_rows,):
        if row_key(name) not in keys:
            faults.append(Complaint("E021", f"hidden row {shown(name)} is not in the table"))
    if any(not key for key in keys):
        faults.append(Complaint("E021", f"a row has no {raw.key}, which is the key of this table"))
    return (None if faults else data), faults


def _header_faults(raw: Data, header: Sequence[str]) -> Iterator[Complaint]:
    for name in header:
        if not is_column(name):
            from tui.guide.data import COLUMNS

            yield Complaint("E026", f"column {shown(name)} is no field of a run{did_you_mean(name, COLUMNS)}")
    for name in sorted({name for name in header if header.count(name) > 1}):
        yield Complaint("E022", f"two columns are called {shown(name)}")
    for name in dict.fromkeys((raw.key, "devices")):
        if name not in header:
            yield Complaint("E021", f"there is no column {shown(name)}: it is the key of the rows")


def _cell_faults(header: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[Complaint]:
    for number, row in enumerate(rows, start=1):
        if len(row) != len(header):
            yield Complaint("E022", f"row {number} has {len(row)} cells, the header {len(header)}")
            continue
        for column, cell in zip(header, row, strict=True):
            why = _fault(column, cell)
            if why:
                yield Complaint("E022", f"row {number}, column {column}: {shown(cell)} {why}")


def _fault(column: str, cell: str) -> str:
    if cell.startswith(BLANK):
        cell = cell[1:].strip()
    if not cell:
        return ""
    if column == "status" and cell not in STATUSES:
        return f"is none of {', '.join(STATUSES)}"
    if not holds_numbers(column):
        return ""
    parts = values_in(cell) if column == TIMES else [cell]
    if not all(map(is_number, parts)):
        return "is not a number: write it with a decimal point and without a unit"
    if holds_whole_numbers(column) and exact(cell).denominator != 1:
        return "is not a whole number"
    return "" if all(exact(each) >= 0 for each in parts) or column == "quality" else "is below 0"


def _filled(
    header: Sequence[str], rows: Sequence[Sequence[str]]
) -> tuple[list[list[str]], list[tuple[int, str]], list[Complaint]]:
    """The rows with every blank filled in, where the blanks are, and those that cannot be known."""
    filled, blanks, found = [list(row) for row in rows], [], []
    for place, row in enumerate(filled):
        for column, cell in zip(header, list(row), strict=True):
            if not cell.startswith(BLANK):
                continue
            blanks.append((place, column))
            known = cell[1:].strip() or _from_batch(dict(zip(header, row, strict=True)), column)
            if not known:
                what = f"row {place + 1}, column {column}: say what belongs into the blank, like ?8"
                found.append(Complaint("E022", what))
            row[header.index(column)] = known
    return filled, blanks, found


def _from_batch(row: dict[str, str], column: str) -> str:
    """The one factor of devices × micro-batch × accumulation = global batch that is blank, else nothing."""
    others = [name for name in _BATCH if name != column]
    if column not in _BATCH or not all(is_number(row.get(name, "")) for name in others):
        return ""
    numbers = {name: exact(row[name]) for name in others}
    batch = numbers.pop("global_batch", None)
    product = Fraction(1)
    for value in numbers.values():
        product *= value
    value = product if batch is None else batch / product if product else Fraction(0)
    return format_exact(value) if value > 0 and value.denominator == 1 else ""
