"""Scaling tables as Markdown (the dialect with pipe tables) to paste into a report."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

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
    for name, words in report.facts(table):
        yield f"- **{name}**: {escaped(words)}"
    yield ""
    if not table.rows:
        yield report.NO_RUNS
        return
    keys = report.keyed(table)
    found = columns(table, keys.cells)
    yield _line(_heading(column) for column in found)
    yield _line(":--" if column.words else "--:" for column in found)
    for row in zip(*(column.cells for column in found), strict=True):
        yield _line(map(escaped, row))
    yield from _below(table, keys)


def _heading(column: Column) -> str:
    unit = f" ({column.unit.strip('()')})" if column.unit else ""
    return escaped(column.title + unit)


def _line(cells: Iterator[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _below(table: Table, keys: report.Keyed) -> Iterator[str]:
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
