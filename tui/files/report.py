"""A scaling table as something to read, to paste or to compute with: text, Markdown, CSV or JSON.

What all four say alike is here: the lines above the table, and the flags below it with the numbers that
key them to their rows. Nothing is computed here; numbers are rounded in text and Markdown only.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from tui.model.flags import Flag, counted, seconds
from tui.model.quantity import format_number
from tui.model.rows import Row, Table
from tui.model.study import Machine, Study

Format = Literal["text", "markdown", "csv", "json"]

SIGNS = {"blocks": "✗", "warns": "!", "notes": ""}
"""What stands before the number of a flag, by its severity."""

LEGEND = "✗ blocks the comparison, ! warns, the others are notes"
NO_RUNS = "No runs yet: there is nothing to compare."

_FAMILIES = {
    "strong": "strong scaling, the same work on more devices",
    "weak": "weak scaling, work in proportion to the devices",
    "model-size": "model sizes, no efficiency between them",
}


@dataclass(frozen=True)
class Keyed:
    """The flags of a table's rows, equal ones once, and the numbers that each row refers to."""

    flags: tuple[Flag, ...]
    """Flag number n is `flags[n - 1]`."""
    cells: tuple[str, ...]
    """For each row what stands in its flags column, as "D0 ✗1 !2 3"."""


def plain(text: str) -> str:
    """A name from a file without the characters that would command a terminal, on one line."""
    return "".join(c for c in " ".join(text.split()) if c.isprintable())


def setup(study: Study) -> str:
    """What a report says once, above all tables: the study's title and the machine."""
    parts = [plain(part) for part in (study.title, _machine(study.machine)) if part]
    return "; ".join(part for part in parts if part)


def _machine(machine: Machine) -> str:
    node = f"{machine.devices_per_node} devices per node" if machine.devices_per_node else ""
    price = f"{format_number(machine.price)} {machine.currency}".rstrip() if machine.price is not None else ""
    billed = f"{price} per device-hour" if price else ""
    whole = "whole nodes are charged" if machine.charged == "node" else ""
    return ", ".join(part for part in (machine.name, machine.device, node, billed, whole) if part)


def title(table: Table) -> str:
    """The name of the experiment and its family, for the line above the table."""
    return f"{plain(table.name) or 'unnamed experiment'}: {_FAMILIES.get(table.family, table.family)}"


def facts(table: Table) -> tuple[tuple[str, str], ...]:
    """What has to be known before a number is read, as names and words."""
    lines = [
        ("work", table.work),
        ("time", f"T = {_time_means(table)}; the median over jobs of each job's median"),
        ("baseline", _baseline(table)),
    ]
    if table.boundaries:
        ends = (f"{rung.name} ends at {counted(rung.devices, table.counts)}" for rung in table.boundaries)
        lines.append(("networks", "; ".join(ends)))
    if table.withdrawn:
        runs = "1 run is" if table.withdrawn == 1 else f"{table.withdrawn} runs are"
        lines.append(("withdrawn", f"{runs} in the file and not in the numbers"))
    return tuple((name, plain(words)) for name, words in lines)


def _time_means(table: Table) -> str:
    return table.time_means or "what one time means is not written (time_means)"


def _baseline(table: Table) -> str:
    base = table.baseline
    if base is None:
        return "none: no row has a completed time that others can be compared with"
    kind = "" if base.kind == "chosen by hand" else f" {base.kind},"
    return f"D0 = {counted(base.devices, table.counts)}, T(D0) = {seconds(base.time_s)};{kind} {base.chosen}"


def keyed(table: Table) -> Keyed:
    """Number the flags of the rows in the order of the rows; the same sentence keeps its number."""
    numbers: dict[Flag, int] = {}
    cells = []
    for place, row in enumerate(table.rows):
        marks = [f"{SIGNS[flag.severity]}{numbers.setdefault(flag, len(numbers) + 1)}" for flag in row.flags]
        is_baseline = table.baseline is not None and table.baseline.row == place
        cells.append(" ".join(["D0", *marks] if is_baseline else marks))
    return Keyed(tuple(numbers), tuple(cells))


def blocked(table: Table) -> tuple[tuple[Row, Flag], ...]:
    """Every reason against comparing a row, with its row."""
    return tuple((row, flag) for row in table.rows for flag in row.flags if flag.severity == "blocks")


def render(tables: Sequence[Table], to: Format, above: str = "") -> str:
    """The tables in one of the formats, without a line end; `above` is the line of `setup`.

    JSON is one object for one table and a list for any other number.
    """
    from tui.files import report_data, report_markdown, report_text

    if to == "json":
        return report_data.as_json(tables)
    if to == "csv":
        return report_data.as_csv(tables)
    if to == "markdown":
        return report_markdown.as_markdown(tables, above)
    return report_text.as_text(tables, above)
