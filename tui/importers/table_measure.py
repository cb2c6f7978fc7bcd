"""What a table measured: which column is the time, its unit, or which rate stands for it and of what.

A table without a time may hold work per second. Whether that is of all devices together or of each one
is taken from its name, from a second rate beside it, from an ideal or an efficiency column, or from its
growth: a rate that grew with the count cannot be that of one device. Else it is asked.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from .imported import Choice, Options, Question
from .table_cells import Decimal, Unreadable, has_unit, is_short_clock, missing, number
from .table_columns import Columns, Taken
from .table_counts import Counts, map_option
from .table_grid import Grid
from .table_rates import ALIKE, Evidence
from .table_times import is_stage, rank, same_but_number

_MATRIX = 4
"""Columns of numbers beyond which a table without a heading is a matrix."""

_PLAUSIBLE = (1e-4, 1e5)
"""Seconds that a measured time is likely to lie between; only the order of choices depends on it."""


@dataclass
class Measure:
    """What the cells of a row say was measured.

    Attributes:
        times: columns of times; several are steps of one job, or jobs.
        rate: the column of work per second, where there is no time.
        each: what the rate is of: empty for all devices, `device`, or the word of the heading.
        stages: columns that are parts of the time.
        notes: what was decided by itself.
    """

    times: tuple[Taken, ...] = ()
    rate: Taken | None = None
    each: str = ""
    stages: tuple[Taken, ...] = ()
    notes: list[str] = field(default_factory=list)
    questions: list[Question] = field(default_factory=list)
    refused: str = ""
    """Why nothing of the table can be read, where that is so."""


def measure_of(
    grid: Grid, columns: Columns, counts: Counts, options: Options, decimal: Decimal | None
) -> Measure:
    """Decide what was measured."""
    return _Decider(grid, columns, counts, options, decimal).decide()


class _Decider:
    def __init__(
        self, grid: Grid, columns: Columns, counts: Counts, options: Options, decimal: Decimal | None
    ) -> None:
        self._grid = grid
        self._columns = columns
        self._counts = counts
        self._options = options
        self._decimal = decimal
        self._evidence = Evidence(grid, columns, counts, decimal)
        self._found = Measure()

    def decide(self) -> Measure:
        found = self._found
        times = self._times()
        if times:
            found.times = tuple(self._with_unit(column) for column in times)
            self._stages()
            self._rates_beside()
        elif self._rates():
            self._choose_rate()
        elif not found.questions:
            self._other_numbers()
        return found

    def _cells(self, column: Taken) -> list[str]:
        return [row.cells[column.place] for row in self._grid.rows]

    # times

    def _times(self) -> list[Taken]:
        mapped = [column for column in self._columns.of("time") if column.mapped]
        if mapped or any(one.mapped for one in self._columns.of("rate", "rate-per-device")):
            return mapped
        candidates = self._columns.of("time", "time?")
        if not candidates:
            candidates = self._columns.of("total?") if self._columns.of("stage?") else []
        if not candidates:
            return []
        best = max(map(rank, candidates))
        top = [column for column in candidates if rank(column) == best]
        if len(top) == 1 and best > 1:
            return top
        if len(top) > 1 and same_but_number(top):
            return top
        if len(top) == 1 and len(candidates) == 1:
            return top
        listed = ", ".join(column.name for column in top)
        choices = tuple(
            Choice(
                f"the time is {one.name}, in {one.unit or 's'}",
                map_option(f"time={one.name}:{one.unit or 's'}"),
            )
            for one in top
        )
        what = f"{listed} are all times" if len(top) > 1 else f"{listed} is a part of the time"
        self._found.questions.append(Question("time", f"{what}: which one is the whole of it?", choices))
        return top[:1]

    def _with_unit(self, column: Taken) -> Taken:
        """The time with its unit settled: by an option, the heading, the cells; else it is asked."""
        cells = [cell for cell in self._cells(column) if not missing(cell)]
        timed = [cell for cell in cells if cell[:1].isdecimal() or cell[:1] in ".,"]
        unit = column.unit
        if not unit and timed and all(is_short_clock(cell) for cell in timed):
            self._ask_clock(column, timed[0])
            return self._columns.set(column, "time", "a clock", "min:s")
        if not unit and timed and all(has_unit(cell) or is_short_clock(cell) for cell in timed):
            return self._columns.set(column, "time", "its cells say their unit", "")
        if unit in ("ns", "us", "ms", "s", "min", "h", "d", "min:s", "h:min"):
            return self._columns.set(column, "time", column.why or "a time by its name", unit)
        if timed:
            self._ask_unit(column, timed)
        return self._columns.set(column, "time", column.why or "a time by its name", unit or "s")

    def _ask_unit(self, column: Taken, cells: Sequence[str]) -> None:
        values = []
        for cell in cells:
            try:
                values.append(number(cell, self._decimal))
            except Unreadable:
                continue
        middle = sorted(values)[len(values) // 2] if values else 1.0
        order = sorted(
            (
                ("seconds", "s", 1.0),
                ("milliseconds", "ms", 1e-3),
                ("microseconds", "us", 1e-6),
                ("nanoseconds", "ns", 1e-9),
                ("minutes", "min", 60.0),
                ("hours", "h", 3600.0),
            ),
            key=lambda unit: (
                not _PLAUSIBLE[0] <= middle * unit[2] <= _PLAUSIBLE[1],
                middle > 1e9 and unit[2],
            ),
        )
        choices = tuple(Choice(words, map_option(f"time={column.name}:{unit}")) for words, unit, _ in order)
        sentence = f"the unit of {column.name} is not written: what is {cells[0]}?"
        self._found.questions.append(
            Question("time unit", sentence, choices, self._grid.head_line, column.name)
        )

    def _ask_clock(self, column: Taken, cell: str) -> None:
        choices = (
            Choice("minutes and seconds", map_option(f"time={column.name}:min:s")),
            Choice("hours and minutes", map_option(f"time={column.name}:h:min")),
        )
        sentence = f"{cell} in {column.name} may be minutes and seconds, or hours and minutes"
        self._found.questions.append(
            Question("time unit", sentence, choices, self._grid.head_line, column.name)
        )

    def _stages(self) -> None:
        """Times beside the time are parts of it; parts without a unit have that of the time."""
        whole = self._found.times[0]
        mapped = self._columns.of("stage")
        per_step = "per" in whole.heading.words
        parts = []
        for column in self._columns.of("time?", "stage?"):
            if column.heading.has("spread", "part") and not column.heading.has("stage"):
                self._columns.set(column, "", "a statistic, kept as it came")
            elif is_stage(column) and (per_step or "per" not in column.heading.words):
                parts.append(
                    self._columns.set(column, "stage", "a part of the time", column.unit or whole.unit)
                )
            else:
                self._columns.set(column, "", "a second time, kept as it came")
        self._found.stages = (*mapped, *parts)

    # rates

    def _rates(self) -> list[Taken]:
        mapped = [column for column in self._columns.of("rate", "rate-per-device") if column.mapped]
        return mapped or self._columns.of("rate", "rate-per-device", "rate?")

    def _choose_rate(self) -> None:
        rates = self._rates()
        if len(rates) > 1 and not rates[0].mapped:
            pair = self._evidence.pair(rates)
            if pair is None:
                self._ask_rate(rates)
                return
            total, each = pair
            self._columns.set(each, "", f"{total.name} for each of the count, kept as it came")
            self._found.notes.append(
                f"{each.name} is {total.name} divided by the count: the first is that of all together"
            )
            self._take_rate(total, "")
            return
        column = rates[0]
        if column.role != "rate?":
            self._take_rate(column, "device" if column.role == "rate-per-device" else "")
        elif column.heading.each:
            self._take_rate(column, column.heading.each)
            self._found.notes.append(
                f"{column.name} is taken for the rate of each {column.heading.each}, by its name"
            )
        elif column.heading.has("total"):
            self._take_rate(column, "")
        else:
            self._total_or_each(column)

    def _take_rate(self, column: Taken, each: str) -> None:
        role = "rate-per-device" if each else "rate"
        self._found.each = each
        self._found.rate = self._columns.set(column, role, column.why or "work per time", column.unit)

    def _ask_rate(self, rates: Sequence[Taken]) -> None:
        choices = []
        for one in rates:
            role = "rate-per-device" if one.heading.each else "rate"
            choices.append(Choice(f"the rate is {one.name}", map_option(f"{role}={one.name}")))
        listed = ", ".join(column.name for column in rates)
        self._found.questions.append(
            Question("rate", f"{listed} are all rates: which one was measured?", tuple(choices))
        )

    def _total_or_each(self, column: Taken) -> None:
        each, why = self._evidence.of_one(column)
        if each is None:
            sentence = f"{column.name} is a rate: of all devices together, or of each?"
            choices = (
                Choice("of all together", map_option(f"rate={column.name}")),
                Choice("of each", map_option(f"rate-per-device={column.name}")),
            )
            self._found.questions.append(
                Question("rate", sentence, choices, self._grid.head_line, column.name)
            )
        elif why:
            self._found.notes.append(
                f"{column.name} is taken for the rate of {'each' if each else 'all together'}: {why}"
            )
        self._take_rate(column, "device" if each else "")

    def _rates_beside(self) -> None:
        """A rate beside a time says W; what that is across the rows is worth a note."""
        rates = self._columns.of("rate?")
        for column in rates:
            self._columns.set(column, "", "a rate beside the time, kept as it came")
        if len(rates) != 1 or len(self._found.times) != 1:
            return
        points = list(self._evidence.points(rates[0], self._found.times[0]))
        works = [(count, rate * time) for count, rate, time in points if rate * time > 0]
        if len({count for count, _ in works}) < 2:
            return
        name = f"{rates[0].name} × {self._found.times[0].name}"
        low, high = min(works, key=lambda each: each[1]), max(works, key=lambda each: each[1])
        per_count = [work / count for count, work in works]
        if high[1] / low[1] < 1 + 2 * ALIKE:
            self._found.notes.append(
                f"{name} gives the same work in every row, as in strong scaling; if the work grew with the "
                f"count (weak scaling), {rates[0].name} is the rate of each device, not of all"
            )
        elif max(per_count) / min(per_count) < 1 + 2 * ALIKE:
            self._found.notes.append(f"{name} grows with the count: the work W grows with it")
        else:
            self._found.notes.append(
                f"{name} goes from {low[1]:.3g} at {low[0]} to {high[1]:.3g} at {high[0]}: "
                "rate and time are not of the same work; the time is used"
            )

    # neither

    def _other_numbers(self) -> None:
        """One number a row whose name says nothing: beside an ideal it is a rate, else it is asked."""
        numbers = [
            column
            for column in self._columns.of("number", "total?")
            if column not in self._counts.factors
            and not column.heading.has("iterations")
            and any(not missing(cell) for cell in self._cells(column))
        ]
        if len(numbers) == 1:
            each, why = self._evidence.beside_ideal(numbers[0])
            if each is not None:
                self._found.notes.append(
                    f"{numbers[0].name} is taken for the rate of {'each' if each else 'all'}: {why}"
                )
                self._take_rate(numbers[0], "device" if each else "")
                return
        alone = not self._grid.head and self._grid.width == 1
        if not numbers or alone:
            self._found.refused = self._nothing(alone)
            return
        if not self._grid.head and not self._counts.known and len(numbers) > _MATRIX:
            return  # a heading, which is asked for, says both
        together = [_all_times(numbers)] if len(numbers) > 1 and same_but_number(numbers) else []
        choices = (
            together
            + [
                Choice(f"{one.name} is a time in seconds", map_option(f"time={one.name}:s"))
                for one in numbers[:3]
            ]
            + [
                Choice(f"{one.name} is a rate of all devices", map_option(f"rate={one.name}"))
                for one in numbers[:3]
            ]
        )
        listed = ", ".join(column.name for column in numbers[:8]) + (", …" if len(numbers) > 8 else "")
        plural = "are times or rates" if len(numbers) > 1 else "is a time or a rate"
        sentence = f"nothing says whether {listed} {plural}{self._blank_end()}"
        self._found.questions.append(Question("time", sentence, tuple(choices)))

    def _blank_end(self) -> str:
        return "; every row ends in a blank cell: is the time missing?" if self._grid.blank_end else ""

    def _nothing(self, alone: bool) -> str:
        if alone:
            return f"every row has one number, and a run needs a count and a time{self._blank_end()}"
        derived = [column.name for column in self._columns.of("derived")]
        if derived:
            return (
                f"{', '.join(derived)}: ratios of times that are not in the file; "
                "import the table of the times, the ratios are computed from it"
            )
        listed = ", ".join(column.name for column in self._columns.taken)
        return f"no column holds times or rates; the columns are {listed[:300]}{self._blank_end()}"


def _all_times(columns: Sequence[Taken]) -> Choice:
    """The answer that takes repeats of one name, run1 and run2, for times all together."""
    maps = ",".join(f"time={column.name}:s" for column in columns)
    return Choice(f"{columns[0].name} to {columns[-1].name} are times in seconds", map_option(maps))
