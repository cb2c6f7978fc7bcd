"""Rows pasted from a spreadsheet, a log or another table, as the texts of runs.

Cells are separated by tabs, semicolons, commas or blanks, with a line of headings or without one. Without
headings the first column is the count and all others are times: steps of one job; of runs towards a target
it is the count and the seconds to the target. A unit in a heading, `T [ms]`, is that of its column, and a
clock, `1:30` or `1:02:03`, is a time.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

from tui.model.run_text import READABLE, EditError, printable_words
from tui.model.study import Family
from tui.model.units import spelled

LARGEST = 5_000
"""Rows that may be pasted at once."""

_NAMES = {
    "devices": "devices device d gpus gpu ngpus cores core ncores rank procs processes np n p count",
    "times_s": "time times time_s times_s t t_s seconds s runtime walltime elapsed looptime",
    "global_batch": "batch globalbatch batchsize",
    "micro_batch": "micro microbatch",
    "accumulation": "accum accumulation gradaccum",
    "sequence_length": "seqlen sequencelength seq",
    "memory_gib": "memory memorygib mem gib memgib",
    "work": "work w tokens",
    "status": "status state",
    "domain": "domain placement network",
    "parameters": "params parameters",
    "note": "note notes comment remark",
    "cause": "cause",
}
_MEANING = {word: key for key, words in _NAMES.items() for word in words.split()} | {
    "node": "nodes",
    "nnodes": "nodes",
    "nranks": "ranks",
}
_COUNTED = {
    **dict.fromkeys(("gpu", "gpus", "ngpu", "ngpus"), "GPU"),
    **dict.fromkeys(("core", "cores", "ncores"), "core"),
    **dict.fromkeys(("rank", "ranks", "nranks"), "rank"),
    **dict.fromkeys(("node", "nodes", "nnodes"), "node"),
}
"""What a heading of the count says that is counted; most headings leave that open."""
_TO_TARGET = {
    "updates": "updates update steps iterations updatestotarget updatestotargetloss stepstotarget",
    "times_s": "s/step s/update sstep supdate steptime timeperstep timeperupdate",
    "time_to_target_s": "timetotarget timetotargets secondstotarget ttt timetotrain",
    "work_to_target": "worktotarget samples samplestotarget sequences tokens",
    "reached": "reached converged success",
    "seed": "seed",
    "quality": "quality finalquality accuracy loss finalloss metric",
    "schedule": "schedule lrschedule",
    "label": "label name config configuration",
}
"""What more a heading may mean over runs towards a target."""
_MEANING_TO_TARGET = _MEANING | {word: key for key, words in _TO_TARGET.items() for word in words.split()}
_TIMED = ("times_s", "time_to_target_s")
_FIELDS = {*_NAMES, *_TO_TARGET}
"""What has a field of its own on some edit line; the rest goes into the field for all others."""


@dataclass(frozen=True)
class Pasted:
    """What a pasted text was read as.

    Attributes:
        rows: line number from 1, the texts of a run's fields, and the cells without a meaning by heading.
        columns: what the columns were taken for.
        kept: headings of columns without a meaning here.
        counts: what the heading of the count says that is counted: GPU, node; empty where it leaves it open.
        headings: each heading with what it was read as; empty for a paste without headings.
    """

    rows: tuple[tuple[int, dict[str, str], dict[str, str]], ...]
    columns: tuple[str, ...]
    kept: tuple[str, ...]
    counts: str = ""
    headings: tuple[tuple[str, str], ...] = ()


def looks_like_rows(text: str) -> bool:
    """Whether a pasted text holds more than one line with something in it."""
    return len([line for line in text.splitlines() if line.strip()]) > 1


def count_rows(text: str) -> int:
    """How many runs a pasted text seems to hold, without its line of headings."""
    lines = _lines(text)
    return len(lines) - bool(lines and _is_header(_cells(lines[0][1], _separator(lines))))


def read_pasted(text: str, family: Family = "strong") -> Pasted:
    """Take a pasted text apart; the cells are not read yet.

    Args:
        family: of the experiment that the rows are for; runs towards a target have other columns.

    Raises:
        EditError: when there are no rows, too many, or no column for the count or a time.
    """
    lines = _lines(text)
    if not lines:
        raise EditError("Nothing was pasted: copy rows with a count and seconds, like 8 40.2.")
    if len(lines) > LARGEST + 1:
        raise EditError(f"{len(lines)} rows are more than can be pasted; {LARGEST} go in at once.")
    separator = _separator(lines)
    table = [(number, _cells(line, separator)) for number, line in lines]
    header = table.pop(0)[1] if _is_header(table[0][1]) else None
    if not table:
        raise EditError("The paste holds headings and no rows: copy the rows below them too.")
    width = max(len(cells) for _, cells in table)
    names = header or _names(width, family)
    keys = _keys(names, family)
    for needed, words in _NEEDED[family == "target"]:
        if not any(key in keys for key in needed):
            listed = ", ".join(name or "(no heading)" for name in names)
            raise EditError(f"No column holds {words}. Read as columns: {listed}.")
    units = [_unit(name) if key in _TIMED else "" for key, name in zip(keys, names, strict=True)]
    rows = tuple((number, *_row(cells, keys, names, units)) for number, cells in table)
    known = tuple(dict.fromkeys(key.removesuffix("_s") for key in keys if key))
    kept = tuple(name for key, name in zip(keys, names, strict=True) if not key)
    if header is None:
        return Pasted(rows, known, kept)
    read = zip(names, keys, units, strict=True)
    said = tuple((name, _read_as(key, unit)) for name, key, unit in read if key)
    return Pasted(rows, known, kept, _counted(names[keys.index("devices")]), said)


def _read_as(key: str, unit: str) -> str:
    """What a column was read as, with its unit: `times in min`."""
    name = key.removesuffix("_s").replace("_", " ")
    return f"{name} in {unit or 's'}" if key in _TIMED else name


def _counted(heading: str) -> str:
    """What a heading of the count says that is counted."""
    bare = re.sub(r"[^a-z]", "", re.sub(r"[\[(].*?[\])]", "", heading.lower()))
    return _COUNTED.get(bare, "")


_COUNT = (("devices",), "the count: name it devices")
_NEEDED = (
    (_COUNT, (("times_s",), "a time: name it time_s")),
    (_COUNT, (("time_to_target_s", "updates", "reached"), "a result: name it time_to_target_s, or updates")),
)
"""Columns that there must be, any one of each; last for runs towards a target."""


def _names(width: int, family: Family) -> list[str]:
    """What the columns are without a line of headings."""
    if family != "target":
        return ["devices", *["times_s"] * (width - 1)]
    if width != 2:
        raise EditError(
            "Several columns can be meant: paste a line of headings with the rows, like devices, batch, "
            "s/update, updates."
        )
    return ["devices", "time_to_target_s"]


def _unit(heading: str) -> str:
    """The unit of time in the brackets of a heading, or behind its last underscore; else empty."""
    found = re.search(r"[\[(]\s*([^\W\d_]+)\s*[\])]|_(ms|us|min|h)$", heading.strip())
    word = (found[1] or found[2]) if found else ""
    return word if any(unit.kind == "time" for unit in spelled(word)) else ""


def _lines(text: str) -> list[tuple[int, str]]:
    """The lines with something in them, a leading `#` (the heading of many logs) taken off the first."""
    lines = [(number, line) for number, line in enumerate(text.splitlines(), 1) if line.strip()]
    if lines:
        lines[0] = (lines[0][0], lines[0][1].lstrip(" #"))
    return [(number, line) for number, line in lines if not line.lstrip().startswith("#")]


def _separator(lines: Sequence[tuple[int, str]]) -> str:
    for separator in ("\t", ";"):
        if all(separator in line for _, line in lines):
            return separator
    if all("," in line for _, line in lines):
        first = lines[-1][1].split(",")[0].strip()
        # "8 40,2": a blank inside the first cell says that the comma is a decimal one.
        if " " not in first:
            return ","
    return " "


def _cells(line: str, separator: str) -> list[str]:
    if separator == " ":
        return line.split()
    return [printable_words(cell).strip() for cell in next(csv.reader([line], delimiter=separator))]


def _is_header(cells: Sequence[str]) -> bool:
    """A first cell without a digit at its start is a heading."""
    return bool(cells) and not re.match(r"\s*[-+.]?[0-9]", cells[0])


def _keys(names: Sequence[str], family: Family) -> list[str]:
    """The meaning of each column; nodes or ranks are the count where no other column is, and the only time
    of runs towards a target is that to the target.
    """
    keys = [_key(name, _MEANING_TO_TARGET if family == "target" else _MEANING) for name in names]
    if family == "target" and "updates" not in keys and "time_to_target_s" not in keys:
        keys = ["time_to_target_s" if key == "times_s" else key for key in keys]
    stand_in = next((key for key in ("ranks", "nodes") if key in keys), "")
    if "devices" not in keys and stand_in:
        keys[keys.index(stand_in)] = "devices"
    return keys


def _key(name: str, meaning: Mapping[str, str]) -> str:
    """The run's field that a heading names, empty for a column without a meaning."""
    word = name.strip().lower()
    if word in READABLE or word.startswith("stages_s."):
        return word
    bare = re.sub(r"[\[(].*?[\])]|(?<=[a-z])_(ms|us|min|h)$", "", word)
    for spelling in (word, bare, re.sub(r"[^a-z]", "", bare)):
        if spelling.strip() in meaning:
            return meaning[spelling.strip()]
    return ""


def _timed(cell: str, unit: str) -> str:
    """A time with the unit of its column; a clock as seconds: `1:30` is minutes and seconds, below a heading
    in hours it is hours and minutes.
    """
    clock = re.fullmatch(r"(?:(\d{1,5}):)?(\d{1,5}):([0-5]\d(?:[.,]\d{1,9})?)", cell)
    if clock:
        first, second, third = int(clock[1] or 0), int(clock[2]), Decimal(clock[3].replace(",", "."))
        if unit == "h" and clock[1] is None:
            first, second, third = second, int(third), Decimal(0)
        return f"{3600 * first + 60 * second + third} s"
    return f"{cell} {unit}" if unit and re.fullmatch(r"[0-9.,eE+-]+", cell) else cell


def _row(
    cells: Sequence[str], keys: Sequence[str], names: Sequence[str], units: Sequence[str]
) -> tuple[dict[str, str], dict[str, str]]:
    """The texts of a run and what else its row holds; times in several columns are joined."""
    texts: dict[str, list[str]] = {}
    extra = {}
    for place, cell in enumerate(cells):
        key = keys[place] if place < len(keys) else ""
        if key and cell:
            texts.setdefault(key, []).append(_timed(cell, units[place]) if key in _TIMED else cell)
        elif cell:
            extra[names[place] if place < len(names) else f"column {place + 1}"] = cell
    joined = {key: " ".join(parts) for key, parts in texts.items()}
    other = [f"{key}={joined.pop(key)}" for key in list(joined) if key not in _FIELDS]
    return joined | ({"other": " ".join(other)} if other else {}), extra
