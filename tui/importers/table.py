"""Tables as people have them: CSV, TSV, semicolons, blanks, Markdown, boxes, JUBE results.

The reading goes in stages, each in a module of its own: bytes to text (`texts`), text to cells
(`table_grid`), wide to long (`table_wide`), columns to roles (`table_columns`, `table_counts`,
`table_measure`), rows to runs (`table_runs`), runs to experiments (`table_parts`).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from tui.model.study import Family

from .imported import (
    Choice,
    Column,
    Imported,
    Note,
    Options,
    Part,
    Problem,
    Question,
    Source,
    Tally,
    family_question,
)
from .own_csv import MOST_COLUMNS, too_wide
from .roles import ROLES
from .table_cells import Commas, commas
from .table_columns import Columns, Taken, check_mapping, column_names, columns
from .table_counts import Counts, counts_of
from .table_grid import Grid, Lines, read_lines, shown_rows
from .table_measure import Measure, measure_of
from .table_parts import Parts, parts_of, said_by_derived, take_keys
from .table_runs import Rows, line_kinds, read_rows
from .table_wide import long
from .table_words import heading
from .texts import decoded

NAME = "table"
ABOUT = "CSV, TSV, semicolons, blanks, Markdown, boxes, JUBE results"
EXAMPLE = "cores,time_s"

MOST_LINES = 200_000
"""Lines that are read one by one; larger tables are read in bulk, if they are clean."""

MOST_QUESTIONS = 10
"""Questions that are asked at once; the answers of the first settle many of the others."""

_SENTENCE = 6
"""Words of a line, where most are no numbers, that is no row of a table."""

_LOOKED_AT = 4096
"""Characters that tell text from bytes that are none."""

_STRANGE = 0.1
"""Share of characters that cannot be shown, from which on a file is no text."""

_SURE, _LIKELY, _PERHAPS = 0.5, 0.4, 0.1
_SETTINGS = re.compile(r"(?:[ \t]*(?:#[^\n]*)?\n)*[ \t]*[\w.-]+[ \t]*=[ \t]*[^\n,;|\t]+\n")
"""The first line of a settings file, a study for instance: `format = 1`."""
_SHOWN_ROWS = 5


def sniff(head: bytes, name: str) -> float:
    """How sure it is that a file is a table, never more than 0.5."""
    text, _ = decoded(head)
    start = text[:_LOOKED_AT]
    if sum(not mark.isprintable() and mark not in "\n\t\f" for mark in start) > _STRANGE * len(start):
        return 0.0  # no text
    if name.lower().endswith((".csv", ".tsv", ".md")):
        return _SURE
    if re.match(r"\s*[\[{<]", text) or _SETTINGS.match(text):
        return 0.0
    found = read_lines(text)
    rows = sum(len(grid.rows) for grid in found.grids)
    regular = rows + found.headings + found.blank + found.note_lines
    if not rows or regular < 0.7 * found.total:
        return _PERHAPS if rows else 0.0
    return _LIKELY if any(grid.head for grid in found.grids) else _PERHAPS


def read(source: Source, options: Options) -> Imported:
    """The tables of a file as runs, with everything that has to be asked first.

    Raises:
        BadMap: when an option names a column that is not there.
    """
    data = source.read()
    count = data.count(b"\n") + bool(data and not data.endswith(b"\n"))
    if count > MOST_LINES:
        too_many = (
            f"has {count:,} lines, too many for single runs: a study takes the medians of each count; "
            "`rooflab table` reads a clean file with the columns devices,time_s of any length"
        )
        problem = Problem(0, "", too_many)
        return Imported(NAME, source.path, problems=(problem,), tally=Tally(count, refused=count))
    text, said = decoded(data)
    source.progressed(len(data) // 4, len(data))
    lines = read_lines(text)
    reader = _Reader(source, options, lines, len(data))
    reader.notes += [Note(0, sentence) for sentence in said]
    return reader.imported()


@dataclass
class _Decided:
    """One table with everything that was decided about it."""

    grid: Grid
    columns: Columns
    counts: Counts
    measure: Measure
    rows: Rows
    open: bool = False
    parts: Parts = field(default_factory=Parts)


class _Reader:
    def __init__(self, source: Source, options: Options, lines: Lines, size: int) -> None:
        self._source = source
        self._options = options
        self._lines = lines
        self._size = size
        self.notes: list[Note] = []
        self._problems = list(lines.problems)
        self._questions: list[Question] = []

    def imported(self) -> Imported:
        """Read all tables of the file."""
        rows = sum(len(grid.rows) for grid in self._lines.grids)
        if not rows:
            self._problems.append(Problem(0, "", "there are no rows with numbers in it"))
        signs = commas(self._all_cells(), self._options.decimal)
        self._settle_commas(signs)
        if signs.open:
            signs = replace(signs, decimal="point")  # until it is answered
        longs = [long(grid) for grid in self._lines.grids if not self._too_wide(grid)]
        check_mapping(self._options, [column_names(grid) for grid, _ in longs] or [()])
        decided = []
        for grid, notes in longs:
            self.notes += notes
            decided.append(self._decide(grid, signs))
        return self._result(decided)

    def _too_wide(self, grid: Grid) -> bool:
        if grid.width <= MOST_COLUMNS:
            return False
        self._problems.append(Problem(grid.head_line or grid.rows[0].line, "", too_wide(grid.width)))
        return True

    def _all_cells(self) -> list[tuple[int, str]]:
        return [(row.line, cell) for grid in self._lines.grids for row in grid.rows for cell in row.cells]

    def _settle_commas(self, signs: Commas) -> None:
        if signs.decimal and not self._options.decimal:
            self.notes.append(Note(0, signs.why))
        if signs.open:
            choices = (
                Choice("the comma stands between thousands", "--map decimal=point"),
                Choice("the comma is the decimal sign", "--map decimal=comma"),
            )
            self._questions.append(Question("number", f"{signs.open} has two readings", choices))

    def _decide(self, grid: Grid, signs: Commas) -> _Decided:
        found = columns(grid, self._options)
        counts = counts_of(grid, found)
        measure = measure_of(grid, found, counts, self._options, signs.decimal)
        self.notes += [Note(grid.head_line, sentence) for sentence in (*counts.notes, *measure.notes)]
        decided = _Decided(grid, found, counts, measure, Rows())
        refused = measure.refused or (not self._options.mapping and self._not_times(grid, found))
        if refused:
            self._problems.append(Problem(grid.head_line, "", refused))
            return decided
        self._questions += [*counts.questions, *measure.questions]
        if not counts.known or not (measure.times or measure.rate):
            decided.open = True
            return decided
        if measure.rate is not None:
            said = "there is no time in the table: T is computed from the rate, as work / rate"
            self.notes.append(Note(grid.head_line, said))
        self.notes += [Note(grid.head_line, said) for said in take_keys(grid, found, counts, measure)]
        decided.rows = read_rows(grid, found, counts, measure, self._options, signs.decimal, self._progress)
        self._problems += decided.rows.problems
        if decided.rows.measured:
            family = self._family(decided)
            decided.parts = parts_of(
                decided.rows.measured, found, counts, measure, self._options, family, signs.decimal
            )
            self.notes += [Note(grid.head_line, sentence) for sentence in dict.fromkeys(decided.parts.notes)]
            self._questions += decided.parts.questions
        return decided

    def _not_times(self, grid: Grid, found: Columns) -> str:
        """Why a table without a heading holds no times, where its file or its lines say so; else nothing."""
        if grid.head:
            return ""
        if heading(self._source.path.stem).has("speedup", "efficiency"):
            return (
                "by the name of the file these are ratios of times, and it has no heading; import the times, "
                "the ratios are computed from them"
            )
        if grid.width >= _SENTENCE and len(found.of("number")) < grid.width / 2:
            return (
                "its lines are sentences with numbers in them, as no format that is known here has them: "
                "make a table of the numbers, with a heading like devices,time_s"
            )
        return ""

    def _progress(self, done: int) -> None:
        """Tell how far the rows of a table are; the first quarter was the splitting into cells."""
        rows = max(sum(len(grid.rows) for grid in self._lines.grids), 1)
        self._source.progressed(self._size * (rows + 3 * done) // (4 * rows), self._size)

    # family

    def _family(self, decided: _Decided) -> Family | None:
        """What the runs are compared as: by an option, the heading, the name of the file, or its ratios."""
        if self._options.family:
            return self._options.family
        heads = " ".join(decided.grid.head).lower()
        if re.search(r"=\s*[\d,]+\s*[*x]\s*\w+", heads):
            return self._said("weak", "its heading multiplies the size by the count", decided)
        for where, words in (
            ("its title", decided.grid.title),
            ("the name of the file", self._source.path.stem),
        ):
            said = {word for word in ("strong", "weak") if re.search(rf"(?<![a-z]){word}", words.lower())}
            if len(said) == 1:
                return self._said("weak" if "weak" in said else "strong", f"{where} says so", decided)
        if not decided.columns.of("derived"):
            return None
        family, why = said_by_derived(decided.rows.measured)
        return self._said(family, why, decided) if family else None

    def _said(self, family: Family, why: str, decided: _Decided) -> Family:
        sentence = f"taken for {family} scaling: {why} (--family says otherwise)"
        if sentence not in [note.sentence for note in self.notes]:
            self.notes.append(Note(decided.grid.head_line, sentence))
        return family

    # the whole

    def _result(self, decided: Sequence[_Decided]) -> Imported:
        parts = self._named_parts(decided)
        if any(part.family is None for part in parts):
            self._questions.append(self._family_question(parts))
        jobs = any(each.parts.many_jobs for each in decided)
        steps = any(each.parts.many_steps for each in decided)
        self._say_repeats(jobs, steps)
        tally = self._tally(decided)
        if tally.not_completed:
            rows = "1 row" if tally.not_completed == 1 else f"{tally.not_completed:,} rows"
            sentence = f"{rows} without a time: kept as not completed"
            self.notes.append(Note(0, sentence))
        return Imported(
            NAME,
            self._source.path,
            parts=tuple(parts),
            notes=tuple(sorted((*self._lines.notes, *self.notes), key=lambda note: note.line)),
            problems=tuple(sorted(dict.fromkeys(self._problems), key=lambda problem: problem.line)),
            questions=tuple(dict.fromkeys(self._questions))[:MOST_QUESTIONS],
            columns=tuple(
                _shown(column, _table_name(each, place) if len(decided) > 1 else "")
                for place, each in enumerate(decided, 1)
                for column in each.columns.taken
            ),
            repeats="steps" if steps else "jobs" if jobs else None,
            first_rows=tuple(row for grid in self._lines.grids[:1] for row in shown_rows(grid, _SHOWN_ROWS)),
            tally=tally,
        )

    def _named_parts(self, decided: Sequence[_Decided]) -> list[Part]:
        parts = []
        for place, each in enumerate(decided, 1):
            prefix = _table_name(each, place) if len(decided) > 1 else each.grid.title
            for part in each.parts.parts:
                parts.append(replace(part, name=", ".join(word for word in (prefix, part.name) if word)))
        return parts

    def _family_question(self, parts: Sequence[Part]) -> Question:
        why = ""
        works = {run.work for part in parts for run in part.runs if run.work is not None}
        if len(works) > 1:
            why = "the work differs between the rows, which alone does not make it weak scaling"
        return family_question(self._source.path.name, why)

    def _say_repeats(self, jobs: bool, steps: bool) -> None:
        if jobs and self._options.repeats is None:
            sentence = (
                "several times of one count are taken for jobs (--map repeats=steps says they are steps)"
            )
            self.notes.append(Note(0, sentence))
        if steps and self._options.repeats is None:
            sentence = (
                "several times of one job are taken for its steps (--map repeats=jobs says they are jobs)"
            )
            self.notes.append(Note(0, sentence))

    def _tally(self, decided: Sequence[_Decided]) -> Tally:
        done: set[int] = set()
        undone: set[int] = set()
        merged: set[int] = set()
        for each in decided:
            here, there = line_kinds(each.rows.measured)
            done, undone, merged = done | here, undone | there, merged | each.parts.merged
        lines = self._lines
        rest = lines.total - lines.blank - lines.headings - lines.note_lines
        undone -= done
        waiting = sum(len({row.line for row in each.grid.rows}) for each in decided if each.open)
        return Tally(
            lines.total,
            runs=len(done - merged),
            steps=len(merged),
            not_completed=len(undone - merged),
            notes=lines.note_lines,
            refused=rest - len(done | undone) - waiting,
            waiting=waiting,
            headings=lines.headings,
            blank=lines.blank,
        )


def _table_name(each: _Decided, place: int) -> str:
    return each.grid.title or f"table {place}"


def _shown(column: Taken, table: str) -> Column:
    role = column.role if column.role in ROLES or not column.role.endswith("?") else ""
    role = {"text": "label", "number": "", "derived": ""}.get(role, role)
    return Column(column.place + 1, column.name, role, column.unit, column.why or "kept as it came", table)
