"""Text to tables of cells: the separator, rules and boxes, remarks, blank lines, several tables in one file.

Nothing is read as a number here; a heading is told from a row by having words where a row has numbers.
"""

from __future__ import annotations

import collections
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from tui.model.run_text import printable_words

from .imported import Note, Problem
from .table_split import NUMBER, REMARK, UNIT, Split, is_number, safely, separator_of, without_empty_end

LONGEST_LINE = 1_000_000
"""Characters of a line that may still be a row."""

LONGEST_CELL = 20
"""Lines that a quoted cell may go over."""

_OPENS = re.compile(r'(?:^|[,;\t])\s*"(?:[^"]|"")*$')
_CLOSES = re.compile(r'^(?:[^"]|"")*"\s*(?:[,;\t]|$)')
"""The begin of a quoted cell that its line does not end, and the end of one."""

_LINE_DRAWING = frozenset("-=_─━═┄┈")
_RULE = frozenset("+|: \t*│┃║┌┐└┘┬┴├┤┼╔╗╚╝╦╩╠╣╬╭╮╰╯╞╡╪┏┓┗┛┳┻┣┫╋") | _LINE_DRAWING
_TAIL = re.compile(r"\s+#(?!\d+\b)\s*(.*)$")
MISSING = frozenset(
    {"", "-", "--", "---", "–", "—", "n/a", "n.a.", "na", "nan", "null", "none", "nil", ".", "?"}
)
"""Cells that say nothing, in lower case."""


@dataclass(frozen=True)
class Row:
    """The cells of one line, and what stood behind a `#` at its end."""

    line: int
    cells: tuple[str, ...]
    remark: str = ""


@dataclass
class Grid:
    """One table: its heading, where it has one, and its rows, all of one width.

    Attributes:
        title: a line of words above it.
        head_line: of the heading; 0 without one.
        head: the headings, as they were read; empty without one.
        blank_end: whether every row of a table without a heading ends in a blank cell, which is left out.
    """

    title: str = ""
    head_line: int = 0
    head: tuple[str, ...] = ()
    blank_end: bool = False
    rows: list[Row] = field(default_factory=list)

    @property
    def width(self) -> int:
        """Cells of a row."""
        return len(self.head) or len(self.rows[0].cells)


@dataclass
class Lines:
    """What the lines of a file are.

    Attributes:
        separator: in words.
        notes: remarks of the file, commented-out rows among them, and what was done to its cells.
        note_lines: how many lines are notes.
    """

    separator: str = ""
    total: int = 0
    blank: int = 0
    headings: int = 0
    note_lines: int = 0
    grids: list[Grid] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)


def read_lines(text: str) -> Lines:
    """The tables of a text, and what its other lines are."""
    lines = text.split("\n")
    if lines and not lines[-1]:
        lines.pop()
    found = Lines(total=len(lines))
    numbered = _joined(lines, found) if '"' in text else enumerate(lines, 1)
    kept = [(number, line) for number, line in numbered if _is_kept(number, line, found)]
    split, found.separator = separator_of([line for _, line in kept])
    _Gatherer(found, split).gather(kept)
    return found


def _joined(lines: Sequence[str], found: Lines) -> Iterator[tuple[int, str]]:
    """The lines with their numbers, where a quoted cell goes over lines as one; those after its first only
    shape the file.
    """
    place = 0
    while place < len(lines):
        line, number = lines[place], place + 1
        if line.count('"') % 2 and _OPENS.search(line):
            ahead = lines[place + 1 : place + LONGEST_CELL]
            more = next((count for count, each in enumerate(ahead, 1) if each.count('"') % 2), 0)
            if more and _CLOSES.search(lines[place + more]):
                line = " ".join((line, *lines[place + 1 : place + more + 1]))
                found.headings += more
                place += more
        yield number, line
        place += 1


def _is_kept(number: int, line: str, found: Lines) -> bool:
    """Whether a line is looked into; blank ones, rules and endless ones are counted here."""
    if len(line) > LONGEST_LINE:
        said = f"has {len(line):,} characters, too many for a row: is this a table with line ends?"
        found.problems.append(Problem(number, "", said))
        return False
    bare = line.strip()
    if not bare.strip(",;|"):
        found.blank += 1
        return False
    if _is_rule(bare):
        found.headings += 1
        return False
    return True


def _is_rule(bare: str) -> bool:
    """A line that only draws: dashes between the rows of a table."""
    return bare[0] in _RULE and _RULE.issuperset(bare) and any(bare.count(mark) > 1 for mark in _LINE_DRAWING)


# ----------------------------------------------------------------------------------------------- tables


class _Gatherer:
    """Puts lines together to tables."""

    def __init__(self, found: Lines, split: Split) -> None:
        self._found = found
        self._split = split
        self._grid: Grid | None = None
        self._waiting: list[tuple[int, str]] = []
        """Remarks since the last row: the last of them may be the heading of what follows."""
        self._title: tuple[int, str] | None = None
        self._next = ""
        """The line after the one that is looked at."""

    def gather(self, lines: Iterable[tuple[int, str]]) -> None:
        """Go through the lines that are neither blank nor rules."""
        listed = list(lines)
        for place, (number, line) in enumerate(listed):
            self._next = listed[place + 1][1] if place + 1 < len(listed) else ""
            remark = REMARK.match(line)
            if remark:
                self._waiting.append((number, line[remark.end() :].strip(" #/%")))
                continue
            tail = _TAIL.search(line)
            body = line[: tail.start()] if tail else line
            row = Row(number, tuple(self._cells(body)), printable_words(tail[1]).strip() if tail else "")
            self._take(row, body)
        self._keep_remarks()
        self._keep_title()
        self._found.grids = [grid for grid in self._found.grids if self._has_rows(grid)]
        for grid in self._found.grids:
            _even(grid, self._found)

    def _cells(self, line: str) -> list[str]:
        return [
            (cell if cell.isprintable() else printable_words(cell)).strip()
            for cell in safely(self._split, line)
        ]

    def _take(self, row: Row, line: str) -> None:
        if (
            self._grid is not None
            and self._title is None
            and not self._waiting
            and NUMBER.match(row.cells[0])
        ):
            self._grid.rows.append(row)  # most lines of a table
            return
        filled = [cell for cell in row.cells if cell]
        if self._grid is not None and self._title is None and self._same_heading(row.cells):
            self._found.headings += 1
        elif self._grid is not None and self._gives_units(row.cells):
            self._found.headings += 1
            self._grid.head = _with_units(self._grid.head, row.cells)
        elif len(filled) == 1 and len(row.cells) == 1 and not is_number(filled[0]):
            self._keep_title()
            self._title = row.line, printable_words(line).strip().rstrip(":")
        elif self._heads(row.cells):
            self._start(row.line, without_empty_end(list(row.cells)), row.remark)
        else:
            if self._grid is None or self._title is not None:
                self._start_after_remark(row)
            else:
                self._keep_remarks()
            assert self._grid is not None
            self._grid.rows.append(row)

    def _heads(self, cells: Sequence[str]) -> bool:
        """Whether a line is the heading of what follows it."""
        if self._above_numbers(cells):
            return True
        if not _is_heading(cells) or self._fits_text_columns(cells):
            return False
        # Below a heading of its width, a word before numbers is a row: "mpi, 2, 4".
        inside = self._grid is not None and bool(self._grid.head) and len(cells) == len(self._grid.head)
        return not (inside and self._title is None and any(map(is_number, cells)))

    def _above_numbers(self, cells: Sequence[str]) -> bool:
        """Words at the top of a table whose next line has nothing but numbers."""
        if self._grid is not None or is_number(cells[0]) or REMARK.match(self._next):
            return False
        below = [cell for cell in self._cells(self._next) if cell]
        words = sum(not NUMBER.fullmatch(cell) for cell in cells)
        return bool(below) and all(map(is_number, below)) and 2 * words > len(cells)

    def _same_heading(self, cells: Sequence[str]) -> bool:
        head = self._grid.head if self._grid else ()
        return bool(head) and tuple(without_empty_end(list(cells))) == head

    def _gives_units(self, cells: Sequence[str]) -> bool:
        """Whether a line below the heading says the units of its columns, and nothing else."""
        grid = self._grid
        if grid is None or not grid.head or grid.rows or len(cells) < len(grid.head):
            return False
        said = [cell for cell in cells if cell.lower() not in MISSING]
        return bool(said) and all(map(UNIT.fullmatch, said))

    def _fits_text_columns(self, cells: Sequence[str]) -> bool:
        """Whether a line of words may be a row of the table: its heading is as wide, and rows hold words
        or nothing where it does.
        """
        grid = self._grid
        if grid is None or not grid.head or len(without_empty_end(list(cells))) != len(grid.head):
            return False
        if not grid.rows:
            return any(cell.lower() in MISSING for cell in cells)
        before = grid.rows[-1].cells
        return sum(is_number(cell) for cell in before) <= sum(is_number(cell) for cell in cells)

    def _start(self, line: int, head: Sequence[str], remark: str = "") -> None:
        self._keep_remarks()
        if remark:
            self._found.notes.append(Note(line, f"remark: {remark}"))
        title = self._title[1] if self._title else ""
        if self._title:
            self._found.headings += 1
            self._title = None
        self._found.headings += 1
        self._grid = Grid(title, line, tuple(head))
        self._found.grids.append(self._grid)

    def _start_after_remark(self, row: Row) -> None:
        """A table whose heading, where it has one, is the remark above it."""
        if self._waiting:
            line, text = self._waiting[-1]
            head = without_empty_end(self._cells(text))
            if len(head) == len(without_empty_end(list(row.cells))) and _is_heading(head):
                self._waiting.pop()
                self._start(line, head)
                return
        if self._title is not None and self._grid is not None and self._grid.head:
            # Words between the rows of one table are remarks, not a title.
            self._keep_title()
            self._keep_remarks()
            return
        self._keep_remarks()
        title = self._title[1] if self._title else ""
        if self._title:
            self._found.headings += 1
            self._title = None
        self._grid = Grid(title)
        self._found.grids.append(self._grid)

    def _keep_remarks(self) -> None:
        for line, text in self._waiting:
            what = "commented out, kept as a remark: " if re.match(r"\W*\d", text) else "remark: "
            self._found.notes.append(Note(line, what + printable_words(text).strip()[:200]))
        self._found.note_lines += len(self._waiting)
        self._waiting = []

    def _keep_title(self) -> None:
        if self._title is not None:
            self._found.notes.append(Note(self._title[0], f"remark: {self._title[1][:200]}"))
            self._found.note_lines += 1
            self._title = None

    def _has_rows(self, grid: Grid) -> bool:
        if not grid.rows and grid.head:
            shown = ", ".join(grid.head)[:200]
            self._found.headings -= 1
            self._found.note_lines += 1
            self._found.notes.append(Note(grid.head_line, f"a line of words without rows below it: {shown}"))
        return bool(grid.rows)


def _is_heading(cells: Sequence[str]) -> bool:
    """Words where rows have numbers: at most the later cells are numbers (the counts of a wide table)."""
    filled = [cell for cell in cells if cell]
    if not filled or is_number(cells[0]) or cells[0].lower() in MISSING - {""}:
        return False
    numbers = [cell for cell in filled if is_number(cell)]
    # "Photons, 32, 64, 96": whole and different numbers behind the words; "sequential, 10.2" is a row.
    last = filled[len(filled) - len(numbers) :]
    whole = all(re.fullmatch(r"\d+", cell) for cell in last)
    return not numbers or (whole and len(numbers) > 1 and len(set(last)) == len(last))


def _with_units(head: Sequence[str], cells: Sequence[str]) -> tuple[str, ...]:
    """The heading with the units of the line below it, as "time (ms)"."""
    units = (cell.strip("[](){} ") for cell in cells)
    pairs = zip(head, units, strict=False)
    return tuple(f"{name} ({unit})" if unit.lower() not in MISSING else name for name, unit in pairs)


def _even(grid: Grid, found: Lines) -> None:
    """Give all rows the width of the heading: separators at the end go, other widths are refused."""
    usual = collections.Counter(
        len(row.cells) if row.cells[-1] else len(without_empty_end(list(row.cells))) for row in grid.rows
    )
    widest = max(usual)
    if grid.head and len(grid.head) > widest:
        grid.head = _mended_head(grid, widest, found)
    width = len(grid.head) or max(len(row.cells) for row in grid.rows)
    if not grid.head and width > 1 and all(not row.cells[-1] for row in grid.rows):
        width, grid.blank_end = width - 1, True
    kept = []
    for row in grid.rows:
        if len(row.cells) == width:
            kept.append(row)
            continue
        cells = list(row.cells)
        while len(cells) > width and not cells[-1]:
            cells.pop()
        if not grid.head and usual[len(cells)] and len(cells) == usual.most_common(1)[0][0] < width:
            cells += [""] * (width - len(cells))
        if len(cells) == width:
            kept.append(Row(row.line, tuple(cells), row.remark))
        else:
            found.problems.append(Problem(row.line, "", _width_words(len(cells), width, grid)))
    grid.rows = kept


def _width_words(have: int, wanted: int, grid: Grid) -> str:
    of = f"the heading in line {grid.head_line} names {wanted}" if grid.head else f"other rows have {wanted}"
    advice = (
        "a blank cell needs its separator too" if have < wanted else "quote a cell that holds a separator"
    )
    return f"has {have} cell{'' if have == 1 else 's'}, {of}: {advice}"


def _mended_head(grid: Grid, width: int, found: Lines) -> tuple[str, ...]:
    """A heading that was split inside a number ("N=10,000 tasks") put together again."""
    head = list(grid.head)
    place = 0
    while place < len(head) - 1 and len(head) > width:
        if head[place].count("(") > head[place].count(")"):
            head[place : place + 2] = [f"{head[place]}, {head[place + 1]}"]
        else:
            place += 1
    for place in range(len(head) - 2, -1, -1):
        inside = re.search(r"\d$", head[place]) and re.match(r"\d{3}(?!\d)", head[place + 1])
        if len(head) > width and inside:
            head[place : place + 2] = [f"{head[place]},{head[place + 1]}"]
    if len(head) < len(grid.head):
        said = "the heading has a comma inside a number or brackets, and was read as one cell there"
        found.notes.append(Note(grid.head_line, said))
    return tuple(head)


def shown_rows(grid: Grid, many: int = 5) -> Iterator[tuple[str, ...]]:
    """The first rows as they stand in the file."""
    for row in grid.rows[:many]:
        yield row.cells
