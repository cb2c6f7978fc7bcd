"""Rows of a table to runs: every row is a run, a step of one, a run that did not complete, or a problem."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from tui.importers import own_csv
from tui.model.numerals import quoted
from tui.model.run_text import READABLE, EditError, read_value
from tui.model.study import Run, in_range

from .imported import Options, Problem
from .table_cells import Decimal, Unreadable, ended, missing, number, seconds, whole, without_spread
from .table_columns import Columns, Taken
from .table_counts import Counts
from .table_grid import Grid, Row
from .table_measure import Measure

_LONGEST_CELL = 200
_TOLD_EVERY = 4096
_FEWEST = 1e-20
"""Work per second from which on, and down from the inverse of which, a rate is one."""
_LAYOUT = ("devices", "nodes", "ranks", "threads_per_rank")
_LISTED = re.compile(r"[\d.eE+-]+(?:[ ;]+[\d.eE+-]+)+")
_STATUS = {"ok": "completed", "success": "completed", "passed": "completed", "finished": "completed"}


@dataclass
class Measured:
    """One row as it was read, before rows are gathered; a run is only made of it when it is complete.

    Attributes:
        values: fields of the run but for its times.
        times: seconds.
        rate: work per second of all devices, where there is no time.
        groups: words that may keep it apart from rows of another algorithm.
        sizes: of the problem, by column.
        step: number inside a job; None without one.
        family: what a column says.
    """

    line: int
    values: dict[str, Any]
    times: tuple[float, ...] = ()
    rate: float | None = None
    groups: tuple[str, ...] = ()
    sizes: tuple[str, ...] = ()
    step: int | None = None
    family: str = ""

    @property
    def devices(self) -> int:
        """The count."""
        return int(self.values["devices"])

    @property
    def layout(self) -> tuple[object, ...]:
        """The count and what it is made of."""
        return tuple(self.values.get(name) for name in _LAYOUT)

    @property
    def completed(self) -> bool:
        """Whether it has a measurement, and the job came to its end."""
        measured = bool(self.times) or self.rate is not None
        return measured and self.values.get("status", "completed") == "completed"

    def run(self) -> Run:
        """The run of this row."""
        return Run(times_s=self.times, **self.values)


@dataclass(frozen=True)
class _Job:
    """One of several jobs of a row."""

    times: tuple[float, ...]
    status: str = ""
    note: str = ""
    extra: dict[str, str] = field(default_factory=dict)


@dataclass
class Rows:
    """All rows of a table as they were read."""

    measured: list[Measured] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)


def read_rows(
    grid: Grid,
    columns: Columns,
    counts: Counts,
    measure: Measure,
    options: Options,
    decimal: Decimal | None,
    progress: Callable[[int], None] = lambda done: None,
) -> Rows:
    """Read every row; what cannot be read is a problem, and the next row is read all the same.

    `progress` is called with the number of rows read, every few thousand of them.
    """
    reader = _Reader(columns, counts, measure, options, decimal)
    found = Rows()
    for place, row in enumerate(grid.rows):
        if place % _TOLD_EVERY == 0:
            progress(place)
        before = len(reader.problems)
        rows = reader.read(row)
        if len(reader.problems) == before:
            found.measured += rows
    found.problems = reader.problems
    return found


class _Reader:
    def __init__(
        self, columns: Columns, counts: Counts, measure: Measure, options: Options, decimal: Decimal | None
    ) -> None:
        self._columns = columns
        self._counts = counts
        self._measure = measure
        self._decimal = decimal
        self._as_jobs = options.repeats == "jobs" or (options.repeats is None and named_runs(measure.times))
        self.problems: list[Problem] = []
        used = {
            column.place
            for column in (*counts.factors, *counts.layout.values(), *measure.times, *measure.stages)
        }
        used |= {measure.rate.place} if measure.rate else set()
        self._groups = columns.of("group", "text")
        self._sizes = columns.of("size")
        self._fields = [one for one in columns.taken if one.place not in used and _is_field(one.role)]
        known = {"group", "text", "size", "step", "repeat", "family", "work-per-device", "status"}
        read = (
            used
            | {one.place for one in columns.taken if one.role in known}
            | {one.place for one in self._fields}
        )
        self._kept = [one for one in columns.taken if one.place not in read]

    def read(self, row: Row) -> list[Measured]:
        """The run of a row; several where each of its times is a job."""
        values: dict[str, Any] = {}
        devices = self._whole(row, "the count", None)
        if devices is not None:
            values["devices"] = devices
        for name, column in self._counts.layout.items():
            found = self._layout(row, column)
            if found is not None:
                values[name] = found
        self._put_fields(row, values)
        kept = {one.name: self._extra(row.cells[one.place]) for one in self._kept if row.cells[one.place]}
        if kept:
            values["extra"] = kept
        self._put_stages(row, values)
        notes = [values.get("note", ""), row.remark]
        jobs = self._jobs(row) if self._as_jobs and self._measure.rate is None else []
        rate, times = (None, ()) if len(jobs) > 1 else self._measured(row, values, notes, devices)
        if any(notes):
            values["note"] = "; ".join(note for note in notes if note)
        if devices is None:
            return []
        self._refuse_extremes(row, values)
        self._multiply_ranks(values)
        measured = Measured(
            row.line,
            values,
            times,
            rate,
            tuple(row.cells[one.place] for one in self._groups),
            tuple(row.cells[one.place] for one in self._sizes),
            self._number_of(row, "step"),
            self._family(row),
        )
        return [_one_job(measured, job) for job in jobs] if len(jobs) > 1 else [measured]

    def _refuse_extremes(self, row: Row, values: dict[str, Any]) -> None:
        """Numbers that no study may hold, because their ratios leave the range of floats."""
        numbers = [value for value in values.values() if type(value) is float]
        for value in (*numbers, *values.get("stages_s", {}).values()):
            if not in_range(value):
                self._refuse(row, "", f"holds {value:g}, which is out of the range of measurements")

    def _refuse(self, row: Row, column: str, sentence: str) -> None:
        self.problems.append(Problem(row.line, column, sentence.rstrip(".")))

    # counts

    def _whole(self, row: Row, name: str, column: Taken | None) -> int | None:
        try:
            return self._counts.of(row.cells)
        except Unreadable as error:
            column = next((one for one in self._counts.factors if self._bad_count(row, one)), None)
            self._refuse(row, column.name if column else name, error.sentence)
            return None

    def _bad_count(self, row: Row, column: Taken) -> bool:
        try:
            whole(row.cells[column.place], self._decimal)
        except Unreadable:
            return True
        return False

    def _layout(self, row: Row, column: Taken) -> int | None:
        cell = row.cells[column.place]
        if missing(cell):
            return None
        try:
            return whole(cell, self._decimal)
        except Unreadable as error:
            if column not in self._counts.factors:
                self._refuse(row, column.name, error.sentence)
            return None

    def _multiply_ranks(self, values: dict[str, Any]) -> None:
        if self._counts.each_node and values.get("nodes") and values.get("ranks"):
            values["ranks"] *= values["nodes"]

    def _number_of(self, row: Row, role: str) -> int | None:
        column = next(iter(self._columns.of(role)), None)
        cell = row.cells[column.place].strip() if column else ""
        return int(cell) if cell.isascii() and cell.isdecimal() and len(cell) < 16 else None

    def _family(self, row: Row) -> str:
        column = next(iter(self._columns.of("family")), None)
        return row.cells[column.place].strip().lower() if column else ""

    # fields

    def _put_fields(self, row: Row, values: dict[str, Any]) -> None:
        values.update({name: count for name, count in self._columns.constants.items() if name != "devices"})
        if "threads" in values:
            values["threads_per_rank"] = values.pop("threads")
        for column in self._fields:
            cell = row.cells[column.place]
            if missing(cell):
                continue
            try:
                values[column.role] = _value(column.role, cell, self._decimal)
            except (EditError, Unreadable) as error:
                said = error.sentence.partition(": ")[2] if isinstance(error, EditError) else error.sentence
                self._refuse(row, column.name, said or str(error))
        for column in self._columns.of("work-per-device"):
            self._put_work(row, column, values)
        for column in self._columns.of("status"):
            self._put_status(row, column, values)

    def _put_work(self, row: Row, column: Taken, values: dict[str, Any]) -> None:
        cell = row.cells[column.place]
        try:
            if not missing(cell) and values.get("devices"):
                each = number(cell, self._decimal)
                if each < 0:
                    raise Unreadable(f"read {quoted(cell)}: no work is below 0")
                values["work"] = each * values["devices"]
        except Unreadable as error:
            self._refuse(row, column.name, error.sentence)

    def _put_status(self, row: Row, column: Taken, values: dict[str, Any]) -> None:
        word = row.cells[column.place].strip()
        if missing(word):
            return
        try:
            values["status"] = _STATUS.get(word.lower()) or read_value("status", word)
        except EditError:
            values["status"] = ended(word)
            values["note"] = f"{column.name}: {word}"

    def _put_stages(self, row: Row, values: dict[str, Any]) -> None:
        stages = {}
        for column in self._measure.stages:
            cell = row.cells[column.place]
            if not missing(cell):
                try:
                    stages[_stage_name(column)] = seconds(cell, column.unit or "s", self._decimal)
                except Unreadable as error:
                    self._refuse(row, column.name, error.sentence)
        if stages:
            values["stages_s"] = stages

    def _extra(self, cell: str) -> str:
        """A cell that is kept; a decimal comma is written as a point, so that it can be checked."""
        if self._decimal == "comma" and re.fullmatch(r"[-+]?[\d.]*,\d+\s*%?", cell):
            return cell.replace(".", "").replace(",", ".")
        return cell[:_LONGEST_CELL]

    # measurements

    def _measured(
        self, row: Row, values: dict[str, Any], notes: list[str], devices: int | None
    ) -> tuple[float | None, tuple[float, ...]]:
        rate = self._measure.rate
        if rate is not None:
            return self._rate(row, rate, values, notes, devices), ()
        times: list[float] = []
        for column in self._measure.times:
            cell = row.cells[column.place]
            if without_spread(cell) != cell:
                values.setdefault("extra", {})[column.name] = cell
            try:
                times += self._seconds(row, column)
            except Unreadable as error:
                self._words_or_refuse(row, column, error, values, notes)
        return None, tuple(times)

    def _seconds(self, row: Row, column: Taken) -> list[float]:
        """The times in a cell, seconds; none where it is blank.

        Raises:
            Unreadable: when it holds something else.
        """
        cell = row.cells[column.place]
        if missing(cell):
            return []
        bare = without_spread(cell)
        parts = re.split(r"[ ;]+", bare) if _LISTED.fullmatch(bare) else [bare]
        times = [seconds(part, column.unit or "s", self._decimal) for part in parts]
        if not all(map(in_range, times)):
            self._refuse(row, column.name, "is out of the range of times")
        return times

    def _jobs(self, row: Row) -> list[_Job]:
        """The jobs of a row whose columns are a job each: what failed in one says nothing of the others."""
        jobs: list[_Job] = []
        for column in self._measure.times:
            cell = row.cells[column.place]
            kept = {column.name: cell} if without_spread(cell) != cell else {}
            try:
                jobs += [_Job((time,), extra=kept) for time in self._seconds(row, column)]
            except Unreadable as error:
                ending: dict[str, Any] = {}
                notes: list[str] = []
                self._words_or_refuse(row, column, error, ending, notes)
                jobs.append(_Job((), ending.get("status", ""), "; ".join(notes)))
        return jobs

    def _words_or_refuse(
        self, row: Row, column: Taken, error: Unreadable, values: dict[str, Any], notes: list[str]
    ) -> None:
        """Words in a time cell say that there is no time: the job did not complete."""
        if not error.words:
            self._refuse(row, column.name, error.sentence)
            return
        values["status"] = ended(error.words)
        notes.append(f"{column.name}: {error.words[:_LONGEST_CELL]}")

    def _rate(
        self, row: Row, column: Taken, values: dict[str, Any], notes: list[str], devices: int | None
    ) -> float | None:
        cell = row.cells[column.place]
        if missing(cell):
            return None
        try:
            value = number(cell, self._decimal)
        except Unreadable as error:
            self._words_or_refuse(row, column, error, values, notes)
            return None
        if value < 0:
            self._refuse(row, column.name, f"read {quoted(cell)}: no rate is below 0")
            return None
        if value and not _FEWEST < value < 1 / _FEWEST:
            self._refuse(row, column.name, f"read {quoted(cell)}, which is out of the range of rates")
            return None
        if value == 0:
            values["status"] = "failed"
            notes.append(f"{column.name}: 0, no work was done")
            return None
        each = self._measure.each
        if each.startswith(("node", "nodo", "knoten", "noeud")) and values.get("nodes"):
            return value * int(values["nodes"])
        return value * (devices or 1) if each else value


def named_runs(times: Sequence[Taken]) -> bool:
    """Whether columns of times are named as repeats of the whole program: run1, run2, rep1; not step1."""
    return len(times) > 1 and all(column.heading.has("repeat") for column in times)


def _one_job(row: Measured, job: _Job) -> Measured:
    """The row as one of its jobs, with what is known of that one alone."""
    values = dict(row.values)
    if job.status:
        values["status"] = job.status
    if job.note:
        values["note"] = "; ".join(note for note in (row.values.get("note", ""), job.note) if note)
    if job.extra:
        values["extra"] = values.get("extra", {}) | job.extra
    return replace(row, values=values, times=job.times)


def _is_field(role: str) -> bool:
    return role in own_csv.FIELDS and role not in ("devices", "times_s", "status")


def _value(field_name: str, cell: str, decimal: Decimal | None) -> Any:
    if field_name in ("date", "seed", "reached", "quality"):
        return own_csv.value(field_name, cell)
    if decimal and field_name not in ("note", "label", "cause", "hosts", "domain", "local_shape", "routing"):
        cell = repr(number(cell, decimal)) if re.fullmatch(r"[-+\d.,]+", cell) else cell
    if field_name not in READABLE:
        return own_csv.value(field_name, cell)
    return read_value(field_name, cell)


def _stage_name(column: Taken) -> str:
    if column.detail:
        return column.detail
    words = [
        word for word in column.heading.words if word not in ("time", "times", "avg", "per", "step", "t")
    ]
    return "_".join(words) or column.name


def line_kinds(rows: Sequence[Measured]) -> tuple[set[int], set[int]]:
    """Lines that gave a completed run, and lines that gave none that did."""
    done = {each.line for each in rows if each.completed}
    return done, {each.line for each in rows} - done
