"""Runs from a CSV table whose columns are named as the fields of a run: `devices,time_s[,work,…]`.

UTF-8, a header, one job a line. Several rows of one count are jobs; several `time_s` columns, or several
times in one cell, are steps of one job. Lines that begin with # are remarks. A blank cell is absent. What
such a table cannot say, the family above all, is for the caller to ask.
"""

from __future__ import annotations

import collections
import csv
import datetime as dt
import difflib
import functools
import io
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tui.files.errors import FileError
from tui.files.schema import COMMON_NAMES
from tui.files.toml import NotToml, decode
from tui.model.numerals import printable, quoted
from tui.model.run_text import READABLE, EditError, read_value
from tui.model.study import Run

STAGE = "stages_s."
"""What the name of a stage's column begins with; the stage's own name follows."""

MOST_COLUMNS = 1000
"""Columns of the widest table that is read."""

_TIMES = "times_s"
_NAMED_OTHERWISE = {"time_s": _TIMES}
_DELIMITERS = ",;\t"
_ANY_TIME = {_TIMES, "wall_s", "time_to_target_s"}
_CLOSE = 0.8
_PLAIN = re.compile(r"[0-9]{1,15}(\.[0-9]{1,15})?")


@dataclass(frozen=True)
class Fault:
    """One thing wrong with a table: where, and one sentence with what was read and what to do."""

    line: int
    """From 1."""
    column: str
    """Its name in the header; empty for a line as a whole."""
    sentence: str

    def __str__(self) -> str:
        return f"line {self.line}: {self.column + ': ' if self.column else ''}{self.sentence}"


class NotATable(FileError):
    """A file that cannot be read as a table of runs; `faults` holds everything wrong with it."""

    def __init__(self, path: Path, faults: Sequence[Fault]) -> None:
        count = f"{len(faults)} errors, the first in " if len(faults) > 1 else ""
        super().__init__(path, f"{path}: {count}{faults[0]}")
        self.faults = tuple(faults)


@dataclass(frozen=True)
class Runs:
    """The runs of a table in file order, and what the reader has to be told about the reading."""

    run: tuple[Run, ...]
    notes: tuple[str, ...] = ()


def parse(data: bytes, path: Path = Path("table")) -> Runs:
    """The runs in these bytes; `path` only appears in errors.

    Raises:
        NotATable: with all faults at once.
    """
    try:
        text = decode(data)
    except NotToml as error:
        raise NotATable(path, [Fault(error.line, "", str(error))]) from error
    lines, remarks = _lines(text, path)
    if not lines:
        sentence = "there is no row: the first line names the columns, as devices,time_s"
        raise NotATable(path, [Fault(1, "", sentence)])
    number, header = lines[0]
    columns, faults = _columns(number, header)
    if faults:
        raise NotATable(path, faults)
    table = _Table(columns)
    runs = [table.run(number, cells) for number, cells in lines[1:]]
    if table.faults:
        raise NotATable(path, table.faults)
    if not runs:
        raise NotATable(path, [Fault(number, "", "there are columns and no row below them: add the runs")])
    return Runs(tuple(run for run in runs if run is not None), tuple(_notes(columns, remarks)))


def is_ours(data: bytes) -> bool:
    """Whether the first line of a file names a count and a time exactly as we do: for all others the reader
    of foreign tables finds out what the columns are.
    """
    lines = (line for line in data[:65536].decode("utf-8-sig", errors="replace").splitlines() if line.strip())
    header = next((line for line in lines if not line.lstrip().startswith("#")), "")
    names = {cell.strip(' "').lower() for cell in header.split(_delimiter(header))}
    return "devices" in names and not names.isdisjoint({"time_s", *_ANY_TIME})


# --------------------------------------------------------------------------------------- lines and header


def _lines(text: str, path: Path) -> tuple[list[tuple[int, list[str]]], list[int]]:
    """The rows that are neither blank nor remarks, with their line numbers; the lines of the remarks that
    look like rows.
    """
    lines = io.StringIO(text, newline="")
    reader = csv.reader(lines, delimiter=_delimiter(text), skipinitialspace=True, strict=True)
    rows: list[tuple[int, list[str]]] = []
    remarks: list[int] = []
    begins = 1
    try:
        for cells in reader:
            number, begins = begins, reader.line_num + 1
            if cells and cells[0].lstrip().startswith("#"):
                if re.match(r"#\s*\d", cells[0].lstrip()):
                    remarks.append(number)
            elif any(cell.strip() for cell in cells):
                rows.append((number, [cell.strip() for cell in cells]))
    except csv.Error as error:
        sentence = f"cannot be split into cells ({error}): check its quotation marks"
        raise NotATable(path, [Fault(begins, "", sentence)]) from error
    return rows, remarks


def _delimiter(text: str) -> str:
    """The separator of the header: comma, semicolon or tab."""
    lines = (line for line in text.splitlines() if line.strip() and not line.lstrip().startswith("#"))
    header = next(lines, "")
    return max(_DELIMITERS, key=header.count)


@dataclass(frozen=True)
class _Column:
    """One column: its name in the file, and the field it fills (empty: kept as it is)."""

    name: str
    field: str


def _columns(line: int, header: Sequence[str]) -> tuple[list[_Column], list[Fault]]:
    if len(header) > MOST_COLUMNS:
        return [], [Fault(line, "", too_wide(len(header)))]
    columns = [_Column(name, _field(name)) for name in header]
    present = {column.field for column in columns}
    alike = collections.Counter(column.field or column.name for column in columns)
    faults = []
    for place, column in enumerate(columns, 1):
        sentence = _wrong_name(column, alike[column.field or column.name] > 1, present)
        if sentence:
            faults.append(Fault(line, f"column {place}", sentence))
    if not faults and ("devices" not in present or present.isdisjoint(_ANY_TIME)):
        faults.append(Fault(line, "", _lacking(header, "devices" in present)))
    return columns, faults


def _field(name: str) -> str:
    lower = name.lower()
    if lower.startswith(STAGE) and len(name) > len(STAGE):
        return STAGE + name[len(STAGE) :]
    lower = _NAMED_OTHERWISE.get(lower, lower)
    return lower if lower in FIELDS else ""


def too_wide(columns: int) -> str:
    """The sentence about a table of more columns than are read."""
    return (
        f"has {columns:,} columns, and up to {MOST_COLUMNS:,} are read: keep those of the count, of the time "
        "and of what tells the rows apart"
    )


def _wrong_name(column: _Column, twice: bool, present: set[str]) -> str:
    """What is wrong with the name of a column; nothing where it is known, or no field is meant."""
    if not column.name:
        return "the column has no name: name it, or take its separator away"
    if twice and column.field != _TIMES:
        return f"{quoted(column.name)} stands twice in the header: rename one of them or take it away"
    meant = "" if column.field else _meant(column.name)
    if not meant or meant in present:
        return ""
    return f"unknown column {quoted(column.name)}; did you mean {_with_unit(meant)}?"


def _with_unit(field: str) -> str:
    """A field as its column is called, and that its numbers have a unit."""
    name = "time_s" if field == _TIMES else field
    for ending, unit, other in (("_s", "seconds", "ms"), ("_gib", "GiB", "GB")):
        if field.endswith(ending):
            return f"{name}, in {unit} (or with the unit at every value, as 12.5 {other})"
    return name


def _meant(name: str) -> str:
    """The field that an unknown name nearly spells."""
    guess = COMMON_NAMES.get(name.lower(), "")
    if guess in FIELDS:
        return guess
    near = difflib.get_close_matches(name.lower(), [*FIELDS, *_NAMED_OTHERWISE], n=1, cutoff=_CLOSE)
    return _NAMED_OTHERWISE.get(near[0], near[0]) if near else ""


def _lacking(header: Sequence[str], has_devices: bool) -> str:
    read_as = quoted(", ".join(header))
    if all(re.match(r"[-+.\d]", name) for name in header):
        return f"{read_as} is no header: put a line above it that names the columns, as devices,time_s"
    if has_devices:
        return f"{read_as} has no column time_s: name the column of the seconds so"
    return f"{read_as} has no column devices: name the column of the counts so"


def _notes(columns: Sequence[_Column], remarks: Sequence[int]) -> Iterator[str]:
    kept = ", ".join(printable(column.name) for column in columns if not column.field)
    if kept:
        yield f"columns without a meaning here, kept as they came: {kept}"
    if remarks:
        lines = f"line{'s' if len(remarks) > 1 else ''} {', '.join(map(str, remarks))}"
        yield f"read as a remark, not as a run, because of its #: {lines}"


# ------------------------------------------------------------------------------------------------ rows


class _Table:
    """Turns lines into runs and collects what is wrong with them."""

    def __init__(self, columns: Sequence[_Column]) -> None:
        self._columns = columns
        self.faults: list[Fault] = []

    def run(self, line: int, cells: Sequence[str]) -> Run | None:
        """The run of a line; None where something of it is wrong."""
        wrong = _wrong_width(len(self._columns), cells)
        if wrong:
            self.faults.append(Fault(line, "", wrong))
            return None
        before = len(self.faults)
        values: dict[str, Any] = {}
        for column, cell in zip(self._columns, cells, strict=True):
            if cell:
                self._put(values, line, column, cell)
            elif column.field == "devices":
                self.faults.append(Fault(line, column.name, "is blank; write how many devices the run had"))
        return None if len(self.faults) > before else Run(**values)

    def _put(self, values: dict[str, Any], line: int, column: _Column, cell: str) -> None:
        if not column.field:
            values.setdefault("extra", {})[column.name] = cell
            return
        try:
            read = value(column.field, cell)
        except EditError as error:
            self.faults.append(Fault(line, column.name, _sentence(error, column.field)))
            return
        if column.field.startswith(STAGE):
            values.setdefault("stages_s", {})[column.field.removeprefix(STAGE)] = read
        elif column.field == _TIMES:
            values[_TIMES] = (*values.get(_TIMES, ()), *read)
        else:
            values[column.field] = read


def _wrong_width(wanted: int, cells: Sequence[str]) -> str:
    have = len(cells)
    if have == wanted:
        return ""
    advice = "a blank cell needs its separator too"
    if have > wanted:
        advice = "put quotation marks round a cell that contains the separator"
        if not any(cells[wanted:]):
            advice += ", or take the separators at its end away"
    return f"has {have} cells, the header has {wanted}: {advice}"


def _sentence(error: EditError, field: str) -> str:
    """The reader's sentence without the name of the field, which stands before it already."""
    said = error.sentence.partition(": ")[2] if error.field else error.sentence
    said = said.rstrip(".")
    if field == _TIMES and re.search(r'"[^"\d]*"', said):
        said += "; where the run did not complete leave the cell blank and write failed in a column status"
    return said


# ----------------------------------------------------------------------------------------------- cells


@functools.lru_cache(maxsize=4096)
def value(field: str, cell: str) -> Any:
    """What a cell says of a field; counts and batches are the same in many rows.

    Raises:
        EditError: when it says nothing that can be read.
    """
    if field == _TIMES and _PLAIN.fullmatch(cell):
        return (float(cell),)
    if field == "date":
        return _date(cell)
    return read_value("note" if field == "withdrawn" else field, cell)


def _date(cell: str) -> dt.date | dt.datetime:
    iso = re.sub(r"[zZ]$", "+00:00", cell)
    for kind in (dt.date, dt.datetime):
        try:
            return kind.fromisoformat(iso)
        except ValueError:
            continue
    raise EditError(f"read {quoted(cell)}, expected a date like 2026-11-30 or 2026-11-30T09:12:00Z.")


FIELDS = (*READABLE, "withdrawn", "date")
"""Every field of a run that has a column; besides these `stages_s.NAME`."""
