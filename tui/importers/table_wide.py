"""Wide tables made long: a column for each count, or for each size, becomes a row for each of its cells."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from .imported import Note
from .table_cells import numeric_share
from .table_grid import Grid, Row
from .table_words import Heading, heading

VALUES = "values"
"""What the cells of a wide table are called where no heading says what they are."""

_COUNT_KINDS = ("devices", "nodes", "ranks", "threads")
_MEASURE_KINDS = ("time", "rate", "repeat", "part", "speedup", "efficiency")


def long(grid: Grid) -> tuple[Grid, list[Note]]:
    """The table with one measurement a row, and what was done to it; the same table where it is long."""
    if not grid.head or not grid.rows:
        return grid, []
    heads = [heading(name) for name in grid.head]
    if _lies_on_its_side(grid, heads):
        said = (
            f"{grid.head[0]} stand in the heading and what was measured below: each column is taken for a row"
        )
        return _turned(grid), [Note(grid.head_line, said)]
    by_size = [place for place, head in enumerate(heads) if head.equals and not head.has("speedup")]
    if len(by_size) >= 2 and _distinct(heads[place].equals for place in by_size):
        sizes = [(heads[place].equals or ("", ""))[1] for place in by_size]
        key = (heads[by_size[0]].equals or ("size", ""))[0]
        value = re.sub(r"\b[A-Za-z]\w*\s*=.*$", "", grid.head[by_size[0]]).strip() or VALUES
        return _melted(grid, by_size, f"{key} (size)", sizes, value), [_said(grid, by_size, "a size")]
    numbered = [place for place, head in enumerate(heads) if _is_numbered(head, grid, place)]
    if len(numbered) < 2 or not _distinct(heads[place].number for place in numbered):
        return grid, []
    return _by_number(grid, heads, numbered)


def _lies_on_its_side(grid: Grid, heads: Sequence[Heading]) -> bool:
    """Whether the heading is `cores,4,8,16` and each line below begins with words: time_s, speedup."""
    first = heads[0].has(*_COUNT_KINDS) and not heads[0].has("time", "rate")
    counts = len(heads) > 2 and all(name.strip().isdecimal() for name in grid.head[1:])
    names = [row.cells[0].strip() for row in grid.rows]
    words = all(names) and not numeric_share(names) and _distinct(names)
    return first and counts and words and len(names) < len(heads)


def _turned(grid: Grid) -> Grid:
    """The table with its columns as rows; every line of the file stays the line of some row."""
    lines = [row.line for row in grid.rows]
    rows = [
        Row(lines[(place - 1) % len(lines)], (grid.head[place], *(row.cells[place] for row in grid.rows)))
        for place in range(1, len(grid.head))
    ]
    head = (grid.head[0], *(row.cells[0].strip() for row in grid.rows))
    return replace(grid, head=head, rows=rows)


def _by_number(grid: Grid, heads: Sequence[Heading], numbered: list[int]) -> tuple[Grid, list[Note]]:
    others = [heads[place] for place in range(len(heads)) if place not in numbered]
    counted = any(head.has(*_COUNT_KINDS) and not head.has("time", "rate") for head in others)
    first = heads[numbered[0]]
    numbers = [heads[place].number for place in numbered]
    bare = all(heads[place].name.strip().isdecimal() for place in numbered)
    counts = next((kind for kind in first.kinds if kind in _COUNT_KINDS), "")
    in_a_row = [int(number) for number in numbers] in (
        list(range(len(numbers))),
        list(range(1, len(numbers) + 1)),
    )
    if first.has("repeat") or (counted and not counts and in_a_row):
        return grid, []  # repeats: every column is a time of the same job
    if counted and not counts:
        return (
            _melted(grid, numbered, "size", numbers, VALUES if bare else _base(first)),
            [_said(grid, numbered, "a size")],
        )
    if counted or not (bare or counts or first.has(*_MEASURE_KINDS) or _same_base(heads, numbered)):
        return grid, []
    value = VALUES if bare or not first.has("time", "rate") else _base(first)
    if value == VALUES and grid.title:
        value = grid.title if heading(grid.title).has("time", "rate") else VALUES
    return _melted(grid, numbered, counts or "devices", numbers, value), [_said(grid, numbered, "a count")]


def _is_numbered(head: Heading, grid: Grid, place: int) -> bool:
    """A heading that is a number or ends in one, above numbers, and is no unit of its own."""
    if not head.number or head.equals or head.has("speedup", "efficiency", "ideal"):
        return False
    cells = [row.cells[place] for row in grid.rows]
    return int(head.number) < 10**9 and (numeric_share(cells) > 0.5 or not any(cells))


def _same_base(heads: Sequence[Heading], places: Sequence[int]) -> bool:
    bases = {_base(heads[place]) for place in places}
    return len(bases) == 1 and len(places) > 2


def _base(head: Heading) -> str:
    return re.sub(r"[ _=:-]*\(?\[?\d+\]?\)?", "", head.name).strip() or VALUES


def _distinct(values: Iterable[object]) -> bool:
    listed = list(values)
    return len(set(listed)) == len(listed)


def _said(grid: Grid, places: Sequence[int], what: str) -> Note:
    names = [grid.head[place] for place in places]
    shown = ", ".join([*names[:3], "…", names[-1]] if len(names) > 4 else names)
    return Note(grid.head_line, f"the columns {shown} are taken for {what} each: one run a cell")


def _melted(grid: Grid, places: Sequence[int], key: str, keys: Sequence[str], value: str) -> Grid:
    """Row by row: the cells of the other columns, one of `keys`, and the cell below it."""
    stay = [place for place in range(len(grid.head)) if place not in places]
    head = (*(grid.head[place] for place in stay), key, value)
    rows = [
        Row(row.line, (*(row.cells[place] for place in stay), number, row.cells[place]), row.remark)
        for row in grid.rows
        for place, number in zip(places, keys, strict=True)
    ]
    return replace(grid, head=head, rows=rows)
