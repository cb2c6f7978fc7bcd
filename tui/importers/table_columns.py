"""What the columns of a long table are: by the options, by their own names, by words, by their cells.

Only columns that stand for themselves are settled here. Which of several times is the time, and whether a
rate is that of all devices, is for `table_measure`; what the count is, for `table_counts`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from tui.importers.own_csv import FIELDS, STAGE

from .imported import Mapped, Options
from .roles import COUNTS, BadMap
from .table_cells import is_product, missing, numeric_share, without_count_word
from .table_grid import Grid
from .table_words import Heading, heading

_ALIASES: Mapping[str, str] = {
    word: key
    for key, words in {
        "global_batch": "batch batchsize globalbatch globalbatchsize gbs",
        "micro_batch": "microbatch microbatchsize mbs localbatch localbatchsize",
        "accumulation": "gradaccum accum gradientaccumulation gradaccumulation",
        "sequence_length": "seqlen sequencelength seq",
        "parameters": "params nparams parameters modelparameters",
        "ranks-per-node": "ppn npernode taskspernode",
    }.items()
    for word in words.split()
}
_AS_ROLE = {"times_s": "time", "threads_per_rank": "threads"}
_DERIVED = ("speedup", "efficiency", "ideal", "share")


@dataclass(frozen=True)
class Taken:
    """A column and what it was taken for.

    Attributes:
        place: from 0.
        role: of `roles.ROLES`, a field of a run, or `derived`, `text`, `time?`, `rate?`, `total?`, `number`,
            which still have to be decided; empty for a column that is kept as it came.
        mapped: whether an option said so.
    """

    place: int
    heading: Heading
    role: str
    unit: str = ""
    why: str = ""
    detail: str = ""
    mapped: bool = False

    @property
    def name(self) -> str:
        """As it was read."""
        return self.heading.name


@dataclass
class Columns:
    """The columns of a table, and constants that options gave instead of columns."""

    taken: list[Taken]
    constants: dict[str, int] = field(default_factory=dict)

    def of(self, *roles: str) -> list[Taken]:
        """The columns of these roles, in their order."""
        return [one for one in self.taken if one.role in roles]

    def set(self, column: Taken, role: str, why: str, unit: str | None = None) -> Taken:
        """Take a column for something."""
        unit = column.unit if unit is None else unit
        changed = replace(column, role=role, why=why, unit=unit)
        self.taken[column.place] = changed
        return changed


def column_names(grid: Grid) -> tuple[str, ...]:
    """The headings, made unique; `#1`, `#2` where there are none."""
    if not grid.head:
        return tuple(f"#{place}" for place in range(1, grid.width + 1))
    seen: dict[str, int] = {}
    names = []
    for place, read in enumerate(grid.head, 1):
        name = read or f"#{place}"
        seen[name] = seen.get(name, 0) + 1
        names.append(name if seen[name] == 1 else f"{name} ({seen[name]})")
    return tuple(names)


def columns(grid: Grid, options: Options) -> Columns:
    """Take every column for what it says it is."""
    names = column_names(grid)
    read = grid.head or names
    found = Columns([])
    for place, name in enumerate(names):
        cells = [row.cells[place] for row in grid.rows]
        head = replace(heading(read[place] or name), name=name)
        found.taken.append(_by_name(place, head, cells) if grid.head else _unnamed(place, head, cells))
    for mapped in options.mapping:
        _apply(mapped, found, names)
    return found


def _unnamed(place: int, head: Heading, cells: Sequence[str]) -> Taken:
    return Taken(place, head, "number" if numeric_share(cells) > 0.5 else "")


# ---------------------------------------------------------------------------------------------- options


def _apply(mapped: Mapped, found: Columns, names: Sequence[str]) -> None:
    place = _place(mapped.column, names)
    if place is None:
        if mapped.column.isdecimal() and mapped.role in (*COUNTS, *_ALIASES.values()):
            found.constants[mapped.role] = int(mapped.column)
        return
    taken = found.taken[place]
    unit = mapped.unit or taken.heading.unit
    role = "" if mapped.role == "ignore" else mapped.role
    found.taken[place] = replace(taken, role=role, unit=unit, why="as --map says", mapped=True)


def _place(column: str, names: Sequence[str]) -> int | None:
    if column in names:
        return names.index(column)
    if column.startswith("#") and column[1:].isdecimal() and 1 <= int(column[1:]) <= len(names):
        return int(column[1:]) - 1
    lower = [name.lower().strip() for name in names]
    return lower.index(column.lower().strip()) if column.lower().strip() in lower else None


def check_mapping(options: Options, tables: Sequence[Sequence[str]]) -> None:
    """See that every `--map` names a column of some table.

    Raises:
        BadMap: for the first that does not.
    """
    for mapped in options.mapping:
        constant = mapped.column.isdecimal() and mapped.role in (*COUNTS, *_ALIASES.values())
        if not constant and all(_place(mapped.column, names) is None for names in tables):
            listed = "; ".join(", ".join(names) for names in tables)
            raise BadMap(
                f"--map {mapped.role}={mapped.column}: there is no such column; there are {listed[:400]}"
            )


# ------------------------------------------------------------------------------------------------ words


def _by_name(place: int, head: Heading, cells: Sequence[str]) -> Taken:
    taken = Taken(place, head, "", "" if head.unit == "size" else head.unit)
    own = _own(head.name)
    if own:
        return replace(
            taken, role=own, unit="s" if own in ("time", "stage") else "", why="named so", detail=_stage(head)
        )
    if head.has(*_DERIVED) and not head.has("rate"):
        return replace(taken, role="derived", why="derived from times, kept and checked")
    numbers = numeric_share(cells)
    timed = head.has("time") or _is_time_unit(head)
    if head.denominator or head.has("rate"):
        return replace(taken, role="rate?", why="work per time by its name")
    if timed and not head.has("spread", "memory"):
        return replace(taken, role="time?", why="a time by its name")
    if numbers <= 0.5 and not all(missing(cell) for cell in cells):
        return _words(taken)
    if not head.unit or head.has("size"):
        return _numbers(taken, cells)
    return taken


def _own(name: str) -> str:
    lower = name.strip().lower()
    if lower.startswith(STAGE) and len(lower) > len(STAGE):
        return "stage"
    lower = "times_s" if lower == "time_s" else lower
    return _AS_ROLE.get(lower, lower) if lower in FIELDS else ""


def _stage(head: Heading) -> str:
    name = head.name.strip()
    return name[len(STAGE) :] if name.lower().startswith(STAGE) else ""


def _is_time_unit(head: Heading) -> bool:
    return head.unit in ("ns", "us", "ms", "s", "min", "h", "d")


def _words(taken: Taken) -> Taken:
    head = taken.heading
    for kind in ("status", "note", "family"):
        if head.has(kind):
            return replace(taken, role=kind, why="by its name")
    return replace(taken, role="text", why="words")


def _numbers(taken: Taken, cells: Sequence[str]) -> Taken:
    head = taken.heading
    joined = "".join(head.words)
    if joined in _ALIASES:
        return replace(taken, role=_ALIASES[joined], why="by its name")
    count = _count_kind(head)
    if count and _whole(cells):
        if head.each:
            return replace(taken, role=_per_each(head, count), why=f"a count for each {head.each}")
        return replace(taken, role=count, why="a count by its name")
    for kind in ("stage", "repeat", "step", "iterations", "size", "work"):
        if head.has(kind):
            return _of_kind(taken, kind, cells)
    if head.words == ("total",):
        return replace(taken, role="total?", why="a total")
    if head.has("memory", "spread", "note", "date") or head.words[:1] == ("jube",):
        return taken
    return replace(taken, role="number")


def _per_each(head: Heading, count: str) -> str:
    """The role of "ranks per node", "GPUs per node", "threads per rank"; empty for other pairs."""
    if head.each in ("node", "nodo", "knoten", "noeud"):
        return "ranks-per-node" if "ranks" in head.kinds else "devices-per-node"
    return "threads" if "threads" in head.kinds and head.each in ("rank", "proc", "process") else ""


def _of_kind(taken: Taken, kind: str, cells: Sequence[str]) -> Taken:
    if kind == "iterations":
        return replace(taken, role="number")
    if kind == "stage":
        return replace(taken, role="stage?", why="a part of the time by its name")
    if kind in ("repeat", "step") and not _whole(cells, least=0):
        return replace(taken, role="number")
    if kind in ("size", "work") and taken.heading.each:
        return replace(taken, role="work-per-device", why=f"the work of each {taken.heading.each}")
    if kind == "size" and not all(word_is_known(word) for word in taken.heading.words):
        return replace(taken, role="size", why="a size by its name, in part")
    return replace(taken, role=kind, why="by its name")


def word_is_known(word: str) -> bool:
    """Whether a word of a heading has a meaning here."""
    from .table_words import KIND

    return word in KIND


def _count_kind(head: Heading) -> str:
    """The kind of count that a heading is, where it says nothing else."""
    if not head.words or not all(word_is_known(word) or word == "per" for word in head.words):
        return ""
    others = set(head.kinds) - {*COUNTS, "total", "stage", "label"}
    found = [kind for kind in head.kinds if kind in COUNTS]
    if others or not found:
        return ""
    return next((kind for kind in ("threads", "nodes", "ranks") if kind in found), "devices")


def _whole(cells: Sequence[str], least: int = 0) -> bool:
    filled = [cell.strip() for cell in cells if not missing(cell)]
    counts = sum(without_count_word(cell).replace(",", "").isdecimal() or is_product(cell) for cell in filled)
    return bool(filled) and counts > 0.5 * len(filled)
