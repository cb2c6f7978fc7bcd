"""The tables of an exercise: rows of text that become exact numbers only when they are asked for.

A data set is an experiment of the study format, so its columns are the fields of a run. Several rows
with one key are several jobs of one configuration: what is measured there is the median over the jobs of
each job's median, as in the tables.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from decimal import Decimal
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any

from tui.model.quantity import format_exact
from tui.model.ratios import Measurement
from tui.model.study import Run

if TYPE_CHECKING:
    from tui.model.study import Study

TIME, TIMES, LABEL, STAGE, EXTRA = "time_s", "times_s", "row", "stages_s.", "extra."
BLANK = "?"
"""Marks a cell that a learner fills in; `?8` says what belongs there."""

_TYPES = {each.name: str(each.type) for each in fields(Run)}
_NUMBERS = {
    name for name, kind in _TYPES.items() if ("int" in kind or "float" in kind) and "dict" not in kind
}
_WHOLE = {name for name in _NUMBERS if "float" not in _TYPES[name]}

_NOT_COLUMNS = {"work_model", "time_means", "hosts", "busy_s", "extra", "stages_s", "label"}
COLUMNS: tuple[str, ...] = (TIME, LABEL, *(name for name in _TYPES if name not in _NOT_COLUMNS))
"""Every column a data set may have, besides `stages_s.NAME` and `extra.NAME`."""

STATUSES = ("completed", "failed", "out-of-memory", "stopped")
_NUMBER = re.compile(r"-?\d{1,30}(\.\d{1,30})?([eE][+-]?\d{1,2})?")


class DataError(ValueError):
    """A table does not have what was asked of it; the text is one sentence."""


def is_number(text: str) -> bool:
    """Whether a cell holds one plain decimal number."""
    return _NUMBER.fullmatch(text) is not None


def exact(text: str) -> Fraction:
    """The exact value of such a cell."""
    return Fraction(Decimal(text))


def row_key(text: str) -> str:
    """A row's name such that 8, 8.0 and " 8" are the same row."""
    text = text.strip()
    return format_exact(exact(text)) if is_number(text) else text


def holds_numbers(column: str) -> bool:
    """Whether a column's cells are numbers."""
    return column in _NUMBERS or column == TIME or column.startswith(STAGE)


def holds_whole_numbers(column: str) -> bool:
    """Whether they are counts."""
    return column in _WHOLE


def is_column(name: str) -> bool:
    """Whether a run has such a field."""
    return name in COLUMNS or any(name.startswith(each) and name != each for each in (STAGE, EXTRA))


@dataclass(frozen=True)
class DataSet:
    """One table: cells as text, blanks filled in where the script says what belongs there."""

    id: str
    family: str
    key: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    blanks: frozenset[tuple[int, str]] = frozenset()
    """Row positions and columns that a learner fills in."""
    baseline: str = ""
    hidden: frozenset[str] = frozenset()
    """Keys of rows that are not shown until they are revealed."""
    cover: tuple[str, ...] = ()
    source: str = ""
    settings: Mapping[str, Any] = field(default_factory=dict)

    @cached_property
    def keys(self) -> tuple[str, ...]:
        """The key of every row, in order."""
        place = self.columns.index(self.key)
        return tuple(row_key(row[place]) for row in self.rows)

    @cached_property
    def _by_key(self) -> Mapping[str, list[int]]:
        places: dict[str, list[int]] = {}
        for place, key in enumerate(self.keys):
            places.setdefault(key, []).append(place)
        return places

    def text(self, place: int, column: str) -> str:
        """One cell as written, "" when the table has no such column."""
        return self.rows[place][self.columns.index(column)] if column in self.columns else ""

    def visible(self, revealed: frozenset[str] = frozenset()) -> tuple[int, ...]:
        """Positions of the rows that a learner may see."""
        hidden = self.hidden - revealed
        return tuple(place for place, key in enumerate(self.keys) if key not in hidden)

    def asked(self) -> tuple[int, ...]:
        """Positions of the rows that are to be entered: completed ones in sight, or those with blanks."""
        if self.blanks:
            return tuple(sorted({place for place, _ in self.blanks}))
        return tuple(place for place in self.visible() if self._completed(place))

    def shown(self, place: int, column: str) -> str:
        """One cell as a learner sees it: the mark where it is to be filled in."""
        return BLANK if (place, column) in self.blanks else self.text(place, column)

    def cell(self, row: str, column: str) -> Fraction:
        """The number in one cell.

        Raises:
            DataError: when there is no such row or column, the key names several rows, or no number is there.
        """
        places = self._places(row)
        if column not in self.columns:
            raise DataError(f'data "{self.id}" has no column "{column}"{_near(column, self.columns)}')
        if len(places) > 1:
            raise DataError(
                f'data "{self.id}" has {len(places)} rows {self.key}={row}: '
                'name the rows in a column `row` and set key = "row"'
            )
        text = self.text(places[0], column)
        if not is_number(text):
            raise DataError(f'data "{self.id}", row {row}: {column} is {text or "blank"!r}, not a number')
        return exact(text)

    def devices(self, row: str) -> int:
        """The count D of a row."""
        return self._devices(self._places(row)[0])

    def measured(self, row: str) -> Measurement[Fraction]:
        """What was measured in one configuration.

        Raises:
            DataError: when there is no such row, or none of its jobs completed.
        """
        return self._measurement(self._places(row), f"row {row}")

    def base(self) -> Measurement[Fraction]:
        """The measurement at the baseline, by default the smallest count that completed."""
        if self.baseline:
            wanted = row_key(self.baseline)
            places = self._by_key.get(wanted, [])
            places = places or [n for n in range(len(self.rows)) if str(self._devices(n)) == wanted]
            if not places:
                raise DataError(f'data "{self.id}" has no row for its baseline {self.baseline}')
            return self._measurement(places, f"the baseline {self.baseline}")
        done = [place for place in range(len(self.rows)) if self._times(place)]
        if not done:
            raise DataError(f'data "{self.id}" has no completed run')
        first = self.keys[min(done, key=self._devices)]
        return self.measured(first)

    def earlier(self, devices: int) -> tuple[Measurement[Fraction], ...]:
        """Measurements at smaller counts, ascending, one for each count."""
        counts = {self._devices(n): self.keys[n] for n in range(len(self.rows)) if self._times(n)}
        return tuple(self.measured(counts[count]) for count in sorted(counts) if count < devices)

    def _places(self, row: str) -> list[int]:
        places = self._by_key.get(row_key(row), [])
        if not places:
            listed = ", ".join([*self._by_key][:12])
            raise DataError(f'data "{self.id}" has no row {self.key}={row}: there are {listed}')
        return places

    def _devices(self, place: int) -> int:
        text = self.text(place, "devices")
        if not is_number(text) or exact(text).denominator != 1:
            raise DataError(f'data "{self.id}", row {place + 1}: no device count')
        return int(exact(text))

    def _completed(self, place: int) -> bool:
        return self.text(place, "status") in ("", "completed")

    def _times(self, place: int) -> list[Fraction]:
        if not self._completed(place):
            return []
        column = TIME if TIME in self.columns else TIMES
        return [exact(each) for each in values_in(self.text(place, column)) if is_number(each)]

    def _measurement(self, places: Sequence[int], what: str) -> Measurement[Fraction]:
        jobs = [_median(times) for times in map(self._times, places) if times]
        if not jobs:
            raise DataError(f'data "{self.id}" has no completed time for {what}')
        return Measurement(self._devices(places[0]), _median(jobs), self._work(places[0]))

    def _work(self, place: int) -> Fraction:
        """W over all devices: as written, by the work model, from the batches, else one unit for each
        device in a weak family; strong ratios compare times only.
        """
        if self.family != "weak":
            return Fraction(1)
        if is_number(self.text(place, "work")):
            return exact(self.text(place, "work"))
        model = self.settings.get("work_model")
        devices = self._devices(place)
        if isinstance(model, dict) and isinstance(model.get("per_device"), (int, Decimal)):
            return Fraction(model["per_device"]) * devices
        batches = [self.text(n, "global_batch") for n in range(len(self.rows))]
        lengths = [self.text(n, "sequence_length") for n in range(len(self.rows))]
        if all(map(is_number, batches)):
            length = exact(lengths[place]) if all(map(is_number, lengths)) else Fraction(1)
            return exact(batches[place]) * length
        return Fraction(devices)


def column_heading(column: str) -> str:
    """What stands above a column: stages and imported columns by their own name, so that lines stay short."""
    return next((column.removeprefix(each) for each in (STAGE, EXTRA) if column.startswith(each)), column)


def aligned(data: DataSet, places: Iterable[int], width: int = 0) -> list[str]:
    """Rows as text under their headings, every column as wide as its widest cell.

    Args:
        width: where they would be wider than that, the columns stand closer; 0 for any width.
    """
    header = [column_heading(column) for column in data.columns]
    rows = [header, *([data.shown(place, column) for column in data.columns] for place in places)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    gap = " " if width and sum(widths) + 2 * (len(widths) - 1) > width else "  "
    return [gap.join(map(str.rjust, row, widths)).rstrip() for row in rows]


def row_in_words(data: DataSet, place: int) -> str:
    """A row in one line: "devices 64, time_s 19.0"."""
    cells = ((column_heading(column), data.shown(place, column)) for column in data.columns)
    return ", ".join(f"{column} {text}" for column, text in cells if text)


def values_in(text: str) -> list[str]:
    """The values of a cell that may hold several, split at blanks and semicolons."""
    return [each for each in re.split(r"[ ;]+", text) if each]


def _median(values: Iterable[Fraction]) -> Fraction:
    ordered = sorted(values)
    middle = len(ordered) // 2
    return ordered[middle] if len(ordered) % 2 else (ordered[middle - 1] + ordered[middle]) / 2


def _near(word: str, known: Iterable[str]) -> str:
    from tui.guide.findings import did_you_mean

    return did_you_mean(word, known)


def as_study(sets: Iterable[DataSet], revealed: Mapping[str, frozenset[str]] | None = None) -> Study:
    """The exercise's tables as a study, for the picker of the tabs; what is hidden or blank is absent.

    Args:
        revealed: keys of the hidden rows that are shown by now, by table.

    Raises:
        tui.files.schema.Misfit: when a setting is nothing the study format knows.
    """
    from tui.files.schema import study_of
    from tui.guide.script import OF_EXPERIMENT, OF_MACHINE

    experiments: list[dict[str, Any]] = []
    machine: dict[str, Any] = {}
    for data in sets:
        plain = {name: _plain(value) for name, value in data.settings.items()}
        machine |= {name: value for name, value in plain.items() if name in OF_MACHINE}
        shown = data.visible((revealed or {}).get(data.id, frozenset()))
        experiment = {name: value for name, value in plain.items() if name in OF_EXPERIMENT}
        if is_number(data.baseline):
            experiment["baseline"] = int(exact(data.baseline))
        runs = [_run(data, place) for place in shown]
        experiments.append({"family": data.family, "name": data.id, **experiment, "run": runs})
    return study_of({"format": 1, "machine": machine, "experiment": experiments})


def _run(data: DataSet, place: int) -> dict[str, Any]:
    run: dict[str, Any] = {}
    for column in data.columns:
        text = data.shown(place, column)
        if text in ("", BLANK):
            continue
        value = _value(column, text)
        table, _, name = column.partition(".")
        if name:
            run.setdefault(table, {})[name] = value
        else:
            run[{TIME: TIMES, LABEL: "label"}.get(column, column)] = value
    return run


def _value(column: str, text: str) -> Any:
    if column in (TIME, TIMES):
        return [float(exact(each)) for each in values_in(text)]
    if column == "reached":
        return text == "true"
    if holds_whole_numbers(column):
        return int(exact(text))
    if holds_numbers(column) or (column.startswith(EXTRA) and is_number(text)):
        return float(exact(text))
    return text


def _plain(value: Any) -> Any:
    if isinstance(value, Decimal):
        return float(value)
    if isinstance(value, dict):
        return {name: _plain(each) for name, each in value.items()}
    return [_plain(each) for each in value] if isinstance(value, list) else value
