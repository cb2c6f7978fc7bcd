"""Scaling tables as Markdown (the dialect with pipe tables) to paste into a report."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from tui.model.rows import Table

from . import report
from .report_columns import Column, columns

_SPECIAL = re.compile(r"([\\`*_\[\]<>|~&$])")


def as_markdown(tables: Sequence[Table], above: str = "") -> str:
    """All tables under headings of the third level; `above` says the setup before the first."""
    blocks = [f"Setup: {escaped(above)}"] if above else []
    return "\n\n".join([*blocks, *("\n".join(_table(table)) for table in tables)])


def escaped(text: str) -> str:
    """Words from a file so that Markdown shows them as they are, also inside a table."""
    return _SPECIAL.sub(r"\\\1", report.plain(text))


def _table(table: Table) -> Iterator[str]:
    yield f"### {escaped(report.title(table))}"
    yield ""
    yield from (bullet(name, words) for name, words in report.facts(table))
    yield ""
    if not table.rows:
        yield report.NO_RUNS
        return
    keys = report.keyed(table)
    found = columns(table, keys.cells)
    rows = zip(*(column.cells for column in found), strict=True)
    yield from grid([heading(column) for column in found], [column.words for column in found], rows)
    yield from said_below(table, keys)


def bullet(name: str, words: str) -> str:
    """One fact of a list."""
    return f"- **{name}**: {escaped(words)}"


def grid(titles: Sequence[str], words: Sequence[bool], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    """A table: titles that are escaped already, whether a column is text, and cells as they are."""
    yield _line(titles)
    yield _line(":--" if each else "--:" for each in words)
    yield from (_line(map(escaped, row)) for row in rows)


def heading(column: Column) -> str:
    """The title of a column with its unit, escaped."""
    unit = f" ({column.unit.strip('()')})" if column.unit else ""
    return escaped(column.title + unit)


def _line(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def said_below(table: Table, keys: report.Keyed) -> Iterator[str]:
    """What is to be said of the table as a whole, and every flag of its rows with its number."""
    said = [table.shared_noise] if table.shared_noise else []
    said += [f"{flag.code}: {flag.sentence}" for flag in table.flags]
    for sentence in said:
        yield ""
        yield escaped(sentence)
    if keys.flags:
        yield ""
        yield f"Flags: {report.LEGEND}."
        yield ""
    for place, flag in enumerate(keys.flags, 1):
        sign = report.SIGNS[flag.severity]
        yield f"{place}. {sign + ' ' if sign else ''}**{flag.code}**: {escaped(flag.sentence)}"
