"""Measured rows to parts: other work and other algorithms apart, rates as times, steps into their jobs."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from tui.model.study import Family, Run, TimeMeans, Work, WorkModel, in_range

from .imported import Choice, Options, Part, Question
from .table_cells import Decimal, Unreadable, number
from .table_columns import Columns, Taken
from .table_counts import Counts, map_option
from .table_grid import Grid
from .table_measure import Measure
from .table_runs import Measured
from .table_words import amount

_ALIKE = 1e-6


@dataclass
class Parts:
    """What became of the rows of one table."""

    parts: list[Part] = field(default_factory=list)
    merged: set[int] = field(default_factory=set)
    """Lines whose times went into the run of another line."""
    notes: list[str] = field(default_factory=list)
    questions: list[Question] = field(default_factory=list)
    many_jobs: bool = False
    many_steps: bool = False

    def ask(self, question: Question) -> None:
        """Ask something of a column, once for all parts."""
        if all((one.about, one.column) != (question.about, question.column) for one in self.questions):
            self.questions.append(question)


def take_keys(grid: Grid, columns: Columns, counts: Counts, measure: Measure) -> list[str]:
    """Take a column of numbers without a known name for what keeps rows apart, where all its values occur at
    every count alike: that is how a table of several parameters looks, and its rows are no repeats of each
    other. Where they are 1, 2, 3, … they number repeats. What was decided is returned in words.
    """
    if columns.of("step", "repeat"):
        return []
    used = {column.place for column in (*counts.factors, *counts.layout.values(), *measure.times)}
    used |= {measure.rate.place} if measure.rate else set()
    layout = [column.place for column in (*counts.factors, *counts.layout.values())]
    said = []
    for column in columns.of("number"):
        if column.place in used:
            continue
        seen: dict[tuple[str, ...], list[str]] = {}
        for row in grid.rows:
            seen.setdefault(tuple(row.cells[place] for place in layout), []).append(row.cells[column.place])
        crossed = len(seen) > 1 and len({tuple(sorted(values)) for values in seen.values()}) == 1
        values = sorted(set(next(iter(seen.values()), [])), key=lambda cell: (len(cell), cell))
        if not crossed or len(values) < 2:
            continue
        numbers = [str(place) for place in range(len(values) + 1)]
        if values in (numbers[:-1], numbers[1:]) and not column.heading.has("iterations"):
            columns.set(column, "repeat", "it numbers the rows of each count")
            said.append(f"{column.name} numbers the rows of each count: they are repeats")
        else:
            columns.set(column, "group", "all its values occur at every count")
    return said


def parts_of(
    rows: Sequence[Measured],
    columns: Columns,
    counts: Counts,
    measure: Measure,
    options: Options,
    family: Family | None,
    decimal: Decimal | None,
) -> Parts:
    """Put the rows of one table into parts."""
    found = Parts()
    groups, sizes = columns.of("group", "text"), columns.of("size")
    apart = _apart(rows, groups, sizes, counts)
    by_key: dict[tuple[str, ...], list[Measured]] = {}
    for row in rows:
        by_key.setdefault(tuple(_cell(row, column, groups, sizes) for column in apart), []).append(row)
    if len(by_key) > 1:
        names = ", ".join(column.name for column in apart)
        keep = "keeps" if len(apart) == 1 else "keep"
        found.notes.append(f"{names} {keep} rows apart: {len(by_key)} experiments")
    for key, members in by_key.items():
        name = ", ".join(_words(column, cell) for column, cell in zip(apart, key, strict=True))
        found.parts.append(
            _part(name, members, columns, apart, counts, measure, options, family, decimal, found)
        )
    return found


def _cell(row: Measured, column: Taken, groups: Sequence[Taken], sizes: Sequence[Taken]) -> str:
    return row.groups[groups.index(column)] if column in groups else row.sizes[sizes.index(column)]


def _words(column: Taken, cell: str) -> str:
    words = column.role in ("text", "group") and not cell[:1].isdecimal()
    return cell if words else f"{column.name.removesuffix(' (size)')} {cell}"


def _apart(
    rows: Sequence[Measured], groups: Sequence[Taken], sizes: Sequence[Taken], counts: Counts
) -> list[Taken]:
    """The columns that keep rows apart: those that tell rows of one count and layout from each other.

    A size that changes only together with the count is the work of that count, not another experiment;
    rates at one count alone say nothing of a work, so each size of theirs is an experiment.
    """
    alone = len({row.devices for row in rows}) == 1 and any(row.rate is not None for row in rows)
    chosen: list[Taken] = []
    for column in (*groups, *sizes):
        if column.mapped and column.role == "group":
            chosen.append(column)
            continue
        values: dict[object, set[str]] = {}
        spread: dict[str, set[int]] = {}
        for row in rows:
            cell = _cell(row, column, groups, sizes)
            before = tuple(_cell(row, one, groups, sizes) for one in chosen)
            values.setdefault((row.layout, before), set()).add(cell)
            spread.setdefault(cell, set()).add(row.devices)
        tells_apart = any(len(cells) > 1 for cells in values.values())
        if tells_apart and (alone or any(len(devices) > 1 for devices in spread.values())):
            chosen.append(column)
    return chosen


def _part(
    name: str,
    rows: Sequence[Measured],
    columns: Columns,
    apart: Sequence[Taken],
    counts: Counts,
    measure: Measure,
    options: Options,
    family: Family | None,
    decimal: Decimal | None,
    found: Parts,
) -> Part:
    said = {row.family for row in rows} - {""}
    own: Family | None = family
    if options.family is None and len(said) == 1:
        word = said.pop()
        own = "weak" if word.startswith("weak") else "strong" if word.startswith("strong") else family
    _put_sizes(rows, columns, apart, own, decimal, found, as_rates=measure.rate is not None)
    work, model = None, None
    means: TimeMeans | None = None
    if measure.rate is not None:
        unit = _unit_of_work(measure.rate)
        for row in rows:
            _put_time(row, own, _seconds_of(measure.rate))
        batched = all(row.values.get("global_batch") for row in rows)
        means = "one update" if batched else None
        if own == "weak" and not batched:
            model = WorkModel(per_device=1.0, of=unit)
        elif not batched:
            work = Work(1.0, unit)
    else:
        work = _constant_work(rows, columns, apart, decimal)
        if own == "weak":
            _ask_constant(rows, columns, apart, found)
    runs = _gathered(rows, columns, options, found)
    return Part(name, tuple(runs), own, counts.word, means, work, model)


# ------------------------------------------------------------------------------------------------- work


def _put_sizes(
    rows: Sequence[Measured],
    columns: Columns,
    apart: Sequence[Taken],
    family: Family | None,
    decimal: Decimal | None,
    found: Parts,
    *,
    as_rates: bool,
) -> None:
    """Give the rows the size of their problem as W, where it changes with the count; a rate has its own W.

    Words that keep no rows apart become the label of the run.
    """
    sizes, groups = columns.of("size"), columns.of("group", "text")
    varying = [
        place
        for place, column in enumerate(sizes)
        if column not in apart and len({row.sizes[place] for row in rows}) > 1
    ]
    numbers: list[float | None] = []
    if len(varying) == 1 and not as_rates and not any("work" in row.values for row in rows):
        numbers = [_number(row.sizes[varying[0]], decimal) for row in rows]
    works = [each for each in numbers if each and each > 0]
    if works and len(works) == len(rows):
        _say_growth(sizes[varying[0]], [row.devices for row in rows], works, family, found)
        for row, work in zip(rows, works, strict=True):
            row.values["work"] = work
    kept = [(place, column.name) for place, column in enumerate(sizes) if column not in apart]
    labels = [place for place, column in enumerate(groups) if column not in apart]
    for row in rows:
        extra = {name: row.sizes[place] for place, name in kept if row.sizes[place]}
        if extra:
            row.values["extra"] = row.values.get("extra", {}) | extra
        label = " ".join(row.groups[place] for place in labels if row.groups[place])
        if label:
            row.values.setdefault("label", label)


def _say_growth(
    column: Taken, devices: Sequence[int], sizes: Sequence[float], family: Family | None, found: Parts
) -> None:
    if len(set(devices)) < 2:
        return
    each = [size / count for size, count in zip(sizes, devices, strict=True)]
    if max(each) - min(each) <= _ALIKE * max(each):
        found.notes.append(f"{column.name} grows in proportion to the count: it is taken for the work W")
    elif family == "weak" and not column.mapped and "work" not in column.heading.kinds:
        choices = (
            Choice("W is that number", map_option(f"work={column.name}")),
            Choice("it is another size; W grows with the count", map_option(f"ignore={column.name}")),
        )
        sentence = (
            f"{column.name} changes with the count, from {min(each):.6g} to {max(each):.6g} for each of it: "
            "is it the work W?"
        )
        found.ask(Question("work", sentence, choices, column=column.name))


def _ask_constant(rows: Sequence[Measured], columns: Columns, apart: Sequence[Taken], found: Parts) -> None:
    """Ask whether a size or a work that does not grow with the count is that of each device."""
    if len({row.devices for row in rows}) < 2:
        return
    sizes = columns.of("size")
    if any(len({row.sizes[place] for row in rows}) > 1 for place in range(len(sizes))):
        return
    works = {row.values.get("work") for row in rows}
    open_ = [one for one in columns.of("work") if not one.mapped and len(works) == 1]
    for column in open_ or [one for one in sizes if one not in apart and not one.mapped][:1]:
        choices = (
            Choice("of each", map_option(f"work-per-device={column.name}")),
            Choice("of all together", map_option(f"work={column.name}")),
        )
        sentence = f"{column.name} is the same at every count: is it the work of each, or of all together?"
        found.ask(Question("work", sentence, choices, column=column.name))


def _constant_work(
    rows: Sequence[Measured], columns: Columns, apart: Sequence[Taken], decimal: Decimal | None
) -> Work | None:
    """W of a part whose rows all have one size, by one column."""
    sizes = columns.of("size")
    named = [column for column in sizes if column in apart] or [
        column for place, column in enumerate(sizes) if len({row.sizes[place] for row in rows}) == 1
    ]
    if len(named) != 1 or any("work" in row.values for row in rows):
        return None
    amount = _number(rows[0].sizes[sizes.index(named[0])], decimal)
    return Work(amount, named[0].name.removesuffix(" (size)")) if amount and amount > 0 else None


def _number(cell: str, decimal: Decimal | None) -> float | None:
    """The number of a cell, None where it holds none that a study may hold."""
    try:
        found = number(cell.split("*")[0], decimal or ("point" if cell.count(",") else None))
    except Unreadable:
        return None
    return found if in_range(found) else None


# ------------------------------------------------------------------------------------------------ rates

_SECONDS: Mapping[str, float] = {
    "": 1.0,
    "s": 1.0,
    "ms": 1e-3,
    "us": 1e-6,
    "min": 60.0,
    "h": 3600.0,
    "day": 86400.0,
}


def _seconds_of(rate: Taken) -> float:
    unit = rate.unit if rate.mapped and rate.unit in _SECONDS else rate.heading.denominator
    return _SECONDS.get(unit, 1.0)


def _unit_of_work(rate: Taken) -> str:
    """What one unit of the rate's work is called: the rate's own name without its "per second"."""
    if "/" in rate.heading.unit:
        return rate.heading.unit.partition("/")[0].strip()
    return amount(rate.name.strip())


def _put_time(row: Measured, family: Family | None, second: float) -> None:
    """A rate as the time of one unit of work: of the global batch where known, else 1, weak: D units."""
    if row.rate is not None:
        work = row.values.get("global_batch") or (row.devices if family == "weak" else 1.0)
        row.times = (work * second / row.rate,)


# ------------------------------------------------------------------------------------------------ steps


def _gathered(rows: Sequence[Measured], columns: Columns, options: Options, found: Parts) -> list[Run]:
    """Runs with the steps of one job together; without a step column every row is a job."""
    by_step = bool(columns.of("step")) and options.repeats != "jobs"
    together = options.repeats == "steps"
    jobs: list[Measured] = []
    steps: list[list[float]] = []
    last: dict[object, tuple[int, int | None]] = {}
    for row in rows:
        key = (row.layout, row.groups, row.sizes)
        before = last.get(key)
        joins = before is not None and (together or (by_step and _follows(before[1], row.step)))
        if before is not None and joins and row.completed and jobs[before[0]].completed:
            steps[before[0]] += row.times
            last[key] = before[0], row.step
            found.merged.add(row.line)
            continue
        found.many_jobs = found.many_jobs or before is not None
        last[key] = len(jobs), row.step
        jobs.append(row)
        steps.append(list(row.times))
    for job, times in zip(jobs, steps, strict=True):
        job.times = tuple(times)
        found.many_steps = found.many_steps or len(times) > 1
    return [job.run() for job in jobs]


def _follows(before: int | None, step: int | None) -> bool:
    return before is not None and step is not None and step > before


def said_by_derived(rows: Sequence[Measured]) -> tuple[Family | None, str]:
    """The family whose formula made the efficiencies or speedups of a table, where only one fits, and why.

    Strong: S·T and E·T·D are the same in all rows. Weak: E·T is.
    """
    from tui.model.imported import derived

    values: dict[str, list[float]] = {"S·T": [], "E·T·D": [], "E·T": []}
    counts = set()
    for row in rows:
        if not row.times or "extra" not in row.values:
            continue
        time = row.times[0]
        for each in derived(Run(row.devices, extra=row.values["extra"])):
            if each.meaning == "speedup":
                values["S·T"].append(each.readings[0] * time)
            elif each.meaning == "efficiency":
                values["E·T·D"].append(each.readings[0] * time * row.devices)
                values["E·T"].append(each.readings[0] * time)
            counts.add(row.devices)
    fits = {name for name, each in values.items() if len(each) > 1 and _constant(each)}
    if len(counts) < 2:
        return None, ""
    if "E·T·D" in fits and "E·T" not in fits:
        return "strong", "its efficiencies are those of strong scaling, T0·D0/(T·D), in every row"
    if "E·T" in fits and "E·T·D" not in fits:
        return "weak", "its efficiencies are those of weak scaling, T0/T, in every row"
    if "S·T" in fits and not values["E·T"]:
        return "strong", "its speedups are T0/T in every row"
    return None, ""


def _constant(values: Sequence[float]) -> bool:
    return all(value > 0 for value in values) and math.isclose(max(values), min(values), rel_tol=0.02)
