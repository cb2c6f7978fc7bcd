"""What the device count of a table is: a column, or a product of nodes, ranks and threads, said or asked."""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from tui.model.numerals import quoted

from .imported import Choice, Question
from .table_cells import Unreadable, is_product, missing, whole
from .table_columns import Columns, Taken
from .table_grid import Grid
from .table_words import words_of

_GPU_WORDS = words_of("gpu gpus ngpu ngpus gcd gcds accelerator accelerators tpu tpus")
_CORE_WORDS = words_of(
    "core cores ncore ncores cpu cpus ncpu ncpus processor processors nucleo nucleos coeur coeurs kern kerne "
    "rechenkerne prozessorkerne procesador procesadores processador processadores"
)
_SERIAL = re.compile(r"\b(serial|sequential|se[cq]uen[cz]i\w+|s[ée]quentiel\w*|seriell)\b", re.IGNORECASE)
_LAYOUTS = words_of("layout config configuration topology decomposition placement mapping")
_LIKELY = 10**8
"""A count that somebody may have had; larger ones are times in ns or bytes."""

_LAYOUT = {"nodes": "nodes", "ranks": "ranks", "threads": "threads_per_rank"}


@dataclass
class Counts:
    """How the count of a row is found.

    Attributes:
        word: what is counted: core, rank, GPU, node.
        factors: the columns whose product it is; empty while it is open.
        constant: the count of all rows, where an option gave it.
        layout: columns that give nodes, ranks and threads.
        each_node: whether ranks are those of each node.
        notes: what was decided by itself.
    """

    word: str = "device"
    factors: tuple[Taken, ...] = ()
    constant: int | None = None
    layout: Mapping[str, Taken] = field(default_factory=dict)
    each_node: bool = False
    labels: Taken | None = None
    """A column of words that end in the count, as "mpi_4" and "serial"."""
    notes: list[str] = field(default_factory=list)
    questions: list[Question] = field(default_factory=list)

    @property
    def known(self) -> bool:
        """Whether every row has a count."""
        return bool(self.factors) or self.constant is not None or self.labels is not None

    def of(self, cells: Sequence[str]) -> int:
        """The count of a row.

        Raises:
            Unreadable: when one of its cells is no count.
        """
        if self.labels is not None:
            return _in_label(cells[self.labels.place])
        product = self.constant or 1
        for column in self.factors:
            cell = cells[column.place]
            if missing(cell):
                raise Unreadable("is blank: write how many there were, or take the row out")
            product *= whole(cell, None)
        return product


def counts_of(grid: Grid, columns: Columns) -> Counts:
    """Decide the count of a table."""
    found = Counts()
    if columns.constants.get("devices"):
        found.constant = columns.constants["devices"]
    single = {role: _single(role, columns, found) for role in ("nodes", "ranks", "threads", "ranks-per-node")}
    per_node = single.pop("ranks-per-node")
    devices_each = _single("devices-per-node", columns, found)
    present = {role: column for role, column in single.items() if column is not None}
    if per_node is not None and "ranks" not in present:
        present["ranks"], found.each_node = per_node, True
    found.layout = {_LAYOUT[role]: column for role, column in present.items()}
    devices = _single("devices", columns, found)
    if devices is None:
        devices = _total(grid, columns, present)
    if found.constant is not None:
        pass
    elif devices is not None:
        found.factors, found.word = (devices,), _word(devices)
    elif devices_each is not None and "nodes" in present and "ranks" not in present:
        found.factors, found.word = (present["nodes"], devices_each), _word(devices_each)
        found.notes.append(f"the count is {present['nodes'].name} × {devices_each.name}")
    elif present:
        _product(grid, present, found)
    elif not found.questions:
        found.labels = _labels(grid, columns)
        if found.labels is None:
            found.questions.append(_open(grid, columns))
        else:
            what = "the product" if _products(grid, found.labels) else "the number"
            serial = "" if what == "the product" else ", 1 where that says serial"
            found.notes.append(f"the count is {what} in {found.labels.name}{serial}")
    return found


def _labels(grid: Grid, columns: Columns) -> Taken | None:
    """The only column of words, or of products like 4x8, where every cell holds a count and they differ."""
    layouts = [one for one in columns.of("number") if _LAYOUTS & set(one.heading.words)]
    words = columns.of("text", "label") or [one for one in layouts if _products(grid, one)]
    if len(words) != 1:
        return None
    cells = [row.cells[words[0].place] for row in grid.rows]
    try:
        counts = {_in_label(cell) for cell in cells}
    except Unreadable:
        return None
    return words[0] if len(counts) > 1 else None


def _products(grid: Grid, column: Taken) -> bool:
    return all(is_product(row.cells[column.place]) for row in grid.rows)


def _in_label(cell: str) -> int:
    """The count in a word.

    Raises:
        Unreadable: when there is none, or more than one.
    """
    if _SERIAL.search(cell):
        return 1
    if is_product(cell):
        return whole(cell, None)
    numbers = re.findall(r"\d+", cell)
    if len(numbers) != 1:
        raise Unreadable(f"read {quoted(cell)}, which holds no count")
    return whole(numbers[0], None)


def _single(role: str, columns: Columns, found: Counts) -> Taken | None:
    """The one column of a role: the mapped one, the only one; of several devices the GPUs."""
    here = columns.of(role)
    mapped = [column for column in here if column.mapped]
    if mapped or len(here) < 2:
        return next(iter(mapped or here), None)
    gpus = [column for column in here if _GPU_WORDS & set(column.heading.words)]
    chosen = gpus[0] if role == "devices" and len(gpus) == 1 else None
    if chosen is not None:
        for other in here:
            if other is not chosen:
                columns.set(other, "", "kept as it came: the count is that of the GPUs")
        found.notes.append(
            f"the count is {chosen.name}, not {', '.join(c.name for c in here if c is not chosen)}"
        )
        return chosen
    listed = " and ".join(column.name for column in here)
    choices = tuple(Choice(f"the count is {one.name}", map_option(f"{role}={one.name}")) for one in here)
    found.questions.append(Question("count", f"{listed} could all be the number of {role}", choices))
    return here[0]


def _total(grid: Grid, columns: Columns, present: Mapping[str, Taken]) -> Taken | None:
    """A column "Total" that is the product of the ranks and threads beside it."""
    totals = columns.of("total?")
    if len(totals) != 1 or not {"ranks", "threads"} <= set(present):
        return None
    for row in grid.rows:
        try:
            product = whole(row.cells[present["ranks"].place], None) * whole(
                row.cells[present["threads"].place], None
            )
            if product != whole(row.cells[totals[0].place], None):
                return None
        except Unreadable:
            continue
    return columns.set(totals[0], "devices", "the product of ranks and threads in every row")


def _product(grid: Grid, present: Mapping[str, Taken], found: Counts) -> None:
    ranks, threads, nodes = present.get("ranks"), present.get("threads"), present.get("nodes")
    if found.each_node and ranks is not None and nodes is None:
        said = f"{ranks.name} is that of each node, and there is no number of nodes"
        found.questions.append(
            Question("count", said, (Choice("all rows ran on one node", "--map nodes=1"),))
        )
        return
    if ranks is not None and nodes is not None and not ranks.mapped and not found.each_node:
        _check_total(grid, ranks, nodes, found)
    first = (nodes,) if found.each_node and nodes is not None else ()
    chosen = tuple(column for column in (*first, ranks, threads) if column is not None)
    if not chosen and nodes is not None:
        found.factors, found.word = (nodes,), "node"
        found.notes.append(f"the count is {nodes.name}")
        return
    if ranks is None and nodes is not None and threads is not None:
        choices = (
            Choice("nodes times threads", map_option(f"ranks-per-node={threads.name}")),
            Choice("the threads are those of all nodes", map_option(f"devices={threads.name}")),
            Choice("the nodes", map_option(f"devices={nodes.name}")),
        )
        found.questions.append(
            Question("count", f"{nodes.name} and {threads.name} leave the count open", choices)
        )
    found.factors = chosen
    if len(chosen) > 1:
        found.word = "core"
        found.notes.append(f"the count is {' × '.join(column.name for column in chosen)}")
    else:
        found.word = "rank" if ranks is not None else "thread"
        found.notes.append(f"the count is {chosen[0].name}")


def _check_total(grid: Grid, ranks: Taken, nodes: Taken, found: Counts) -> None:
    """Ranks are those of all nodes unless they stay the same where the nodes change."""
    pairs = set()
    for row in grid.rows:
        try:
            pairs.add((whole(row.cells[nodes.place], None), whole(row.cells[ranks.place], None)))
        except Unreadable:
            continue
    if any(here < at for at, here in pairs):
        found.each_node = True
        found.notes.append(f"{ranks.name} is that of each node: in some rows it is smaller than {nodes.name}")
    elif len({at for at, _ in pairs}) > 1 and len({here for _, here in pairs}) == 1:
        sentence = f"{ranks.name} stays the same while {nodes.name} changes: is it that of each node?"
        choices = (
            Choice("of each node", map_option(f"ranks-per-node={ranks.name}")),
            Choice("of all nodes together", map_option(f"ranks={ranks.name}")),
        )
        found.questions.append(Question("count", sentence, choices))


def _open(grid: Grid, columns: Columns) -> Question:
    whole_numbers = []
    for column in columns.taken:
        if column.role in ("number", "size", "group", "", "step", "repeat") and not column.mapped:
            cells = [row.cells[column.place] for row in grid.rows]
            if cells and all(_is_count(cell) for cell in cells) and len(set(cells)) > 1:
                whole_numbers.append(column)
    choices = [
        Choice(f"the count is {one.name}", map_option(f"devices={one.name}")) for one in whole_numbers[:4]
    ]
    choices.append(Choice("one count for all rows", "--map devices=1"))
    listed = ", ".join(column.name for column in columns.taken)
    if grid.head:
        said = f"the table has no column that is known to count devices; its columns are {listed[:300]}"
    else:
        said = (
            "the table has no heading: put a line above it that names its columns, as cores,time_s, or where "
            f"each column is another count as size,1,2,4; now they are {listed[:300]}"
        )
    return Question("count", said, tuple(choices))


def _is_count(cell: str) -> bool:
    likely = cell.strip().isdecimal() and len(cell) < 16 and 0 < int(cell) < _LIKELY
    return likely or is_product(cell)


def _word(column: Taken) -> str:
    words = set(column.heading.words)
    if words & _GPU_WORDS:
        return "GPU"
    if words & _CORE_WORDS:
        return "core"
    kinds = column.heading.kinds
    named = {"ranks": "rank", "threads": "thread", "nodes": "node"}
    return next((named[kind] for kind in kinds if kind in named), "core" if "total" in kinds else "device")


def map_option(statement: str) -> str:
    """A statement as it is typed into a shell: `--map 'time=wall time:s'`."""
    return f"--map {shlex.quote(statement)}"
