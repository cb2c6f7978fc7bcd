"""Small edits of a TOML text that leave every other character where it was.

`edited` is given a text and what it means before and after, as plain dictionaries and lists, and changes
only what differs: a value is replaced where it stands, a key goes in below the key it follows, a new
element of an array of tables becomes a block of its own. Comments, order, spacing and the way numbers
were written stay as the person left them.

tomlkit, the usual tool, is not used: it moves tables when an array of tables is continued further down
(legal TOML), and needs seconds to parse what this scans in tenths.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Mapping, Sequence
from typing import Any

from .lines import Block, Entry, Layout, Path, Spot
from .toml import inline, key

Table = Mapping[str, Any]

_REST_OF_LINE = re.compile(r"[ \t]*(#[^\n]*)?\r?(?:\n|\Z)")
_COMMENT_LINES = re.compile(r"(?:[ \t]*#[^\n]*\n)+(?=[ \t\r]*(?:\n|\Z))")
_ELEMENT_TAIL = re.compile(r"[ \t]*(,?)[ \t]*(?:#[^\n]*)?\r?\n")
_MISSING = object()


class CannotEdit(Exception):
    """The text is built in a way that this module cannot change."""


def edited(text: str, old: Table, new: Table, blocks: frozenset[str]) -> str:
    """The text of `new`, made from `text`, which means `old`.

    `old` may leave out what the text spells out; a key that both leave out is not touched. `blocks` names
    the keys whose tables get headers of their own when they are new. Line ends must be `\\n`.

    Raises:
        CannotEdit: when the change cannot be put into the text.
    """
    if text and not text.endswith("\n"):
        text += "\n"
    edit = _Edit(Layout(text), blocks)
    edit.table((), old, new)
    return edit.result()


def rendered(values: Table, blocks: frozenset[str]) -> str:
    """A new document: the plain keys, then the tables named in `blocks` with headers of their own."""
    return _lines(values, (), "", blocks)


def _lines(values: Table, path: tuple[str, ...], indent: str, blocks: frozenset[str]) -> str:
    """The entries of one table and, below them, the blocks of its parts."""
    plain = [
        f"{indent}{key(name)} = {inline(value)}\n" for name, value in values.items() if name not in blocks
    ]
    parts = []
    deeper = indent + "  " if path else indent
    for name, value in values.items():
        if name in blocks:
            for each in value if isinstance(value, list) else [value]:
                parts.append("\n" + _block(each, (*path, name), deeper, blocks, isinstance(value, list)))
    return "".join(plain + parts)


def _block(
    values: Table, path: tuple[str, ...], indent: str, blocks: frozenset[str], repeated: bool = True
) -> str:
    dotted = ".".join(key(name) for name in path)
    header = f"[[{dotted}]]" if repeated else f"[{dotted}]"
    return f"{indent}{header}\n{_lines(values, path, indent, blocks)}"


def same(one: Any, other: Any) -> bool:
    """Whether two values are written alike; unlike `==` it tells true from 1, and nan is like nan."""
    if one is other:
        return True
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        return one.keys() == other.keys() and all(same(one[name], other[name]) for name in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(same, one, other))
    if one != one:
        return bool(other != other)
    return isinstance(one, bool) == isinstance(other, bool) and bool(one == other)


class _Edit:
    """The splices that turn one text into another, collected against the text as it was."""

    def __init__(self, layout: Layout, blocks: frozenset[str]) -> None:
        self._layout = layout
        self._text = layout.text
        self._blocks = blocks
        self._splices: list[tuple[int, int, str]] = []

    def result(self) -> str:
        """The text with all splices made; at one place they come in the order they were asked for."""
        out = []
        at = 0
        for start, end, replacement in sorted(self._splices, key=lambda splice: splice[:2]):
            if start < at:
                raise CannotEdit("two changes meet in one place")
            out += [self._text[at:start], replacement]
            at = end
        return "".join([*out, self._text[at:]])

    def _splice(self, start: int, end: int, replacement: str) -> None:
        self._splices.append((start, end, replacement))

    # tables

    def table(self, path: Path, old: Table, new: Table) -> None:
        """Turn the table at `path` from `old` into `new`."""
        spot = self._layout.find(path)
        if spot is not None and spot.kind in ("entry", "inner", "item") and self._keys_differ(path, old, new):
            self._rebuild(spot, old, new)
            return
        for name in old:
            if name not in new:
                self._remove((*path, name))
        for name, value in new.items():
            if not same(old.get(name, _MISSING), value):
                self._set(path, name, old.get(name), new)

    def _keys_differ(self, path: Path, old: Table, new: Table) -> bool:
        gone = any(name not in new for name in old)
        return gone or any(self._layout.find((*path, name)) is None for name in new)

    def _set(self, path: Path, name: str, before: Any, table: Table) -> None:
        where, value = (*path, name), table[name]
        spot = self._layout.find(where)
        if spot is None:
            self._insert(path, name, table)
        elif isinstance(value, Mapping) and isinstance(before or {}, Mapping) and self._is_table(spot):
            self.table(where, before or {}, value)
        elif (
            isinstance(value, list) and isinstance(before or [], list) and self._is_array(spot, name, before)
        ):
            self._array(where, spot, before or [], value)
        elif spot.kind in ("entry", "inner") and name not in self._blocks:
            self._splice(spot.value, spot.end, inline(value))
        else:
            self._remove(where)
            self._insert(path, name, table)

    def _is_table(self, spot: Spot) -> bool:
        return spot.kind in ("block", "dotted", "implied") or self._text[spot.value] == "{"

    def _is_array(self, spot: Spot, name: str, before: Any) -> bool:
        if spot.kind == "blocks":
            return True
        return self._text[spot.value] == "[" and bool(before or name not in self._blocks)

    def _rebuild(self, spot: Spot, old: Table, new: Table) -> None:
        """Write an inline table anew from the texts of what stays; it has no room for comments."""
        text, entries = self._text, self._layout.inner(spot.value)
        kept = {entry.keys[0]: text[entry.value : entry.end] for entry in entries if len(entry.keys) == 1}
        pairs = []
        for name in [*(name for name in kept if name in new or name not in old), *new]:
            if name not in new or (name in kept and same(old.get(name, _MISSING), new[name])):
                pairs.append((name, kept[name]))
            else:
                pairs.append((name, inline(new[name])))
        inside = ", ".join(f"{key(name)} = {value}" for name, value in dict(pairs).items())
        padding = "" if text[spot.value + 1] not in " }" else " "
        self._splice(spot.value, spot.end, f"{{{padding}{inside}{padding}}}" if inside else "{}")

    def _remove(self, path: Path) -> None:
        """Take out a key of a table that has lines of its own; the comment behind it stays."""
        spot = self._layout.find(path)
        if spot is None:
            return
        if spot.kind == "entry":
            self._remove_lines(spot.start, spot.end)
        for block in self._layout.under(path):
            self._remove_block(block)
        if spot.kind == "dotted":
            for entry in self._dotted(path)[0]:
                self._remove_lines(entry.start, entry.end)

    def _remove_lines(self, start: int, end: int) -> None:
        rest = _REST_OF_LINE.match(self._text, end)
        assert rest is not None  # it also matches nothing at all
        if rest[1]:
            self._splice(start, rest.start(1), "")
        else:
            self._splice(self._line_start(start), rest.end(), "")

    def _remove_block(self, block: Block) -> None:
        last = block.entries[-1].end if block.entries else block.end
        start = self._line_start(block.start)
        blank = start - 1 if self._text[max(start - 2, 0) : start] == "\n\n" else start
        self._splice(blank, self._line_end(last), "")

    def _dotted(self, path: Path) -> tuple[list[Entry], int]:
        """The entries whose dotted keys make up the table at `path`, and how many of their keys name it."""
        for length in range(len(path) - 1, -1, -1):
            block = self._layout.block(path[:length])
            if block is not None:
                inside = path[length:]
                depth = len(inside)
                return [entry for entry in block.entries if entry.keys[:depth] == inside], depth
        return [], 0

    # new keys

    def _insert(self, path: Path, name: str, table: Table) -> None:
        value = table[name]
        block = self._layout.block(path)
        if block is None:
            self._insert_without_header(path, name, value)
        elif name in self._blocks:
            self._insert_blocks(path, name, value)
        else:
            self._insert_line(block, list(table), name, value)

    def _insert_line(self, block: Block, order: Sequence[str], name: str, value: Any) -> None:
        """A line of its own below the last of the keys that come before it in the model's order."""
        earlier = set(order[: order.index(name)])
        above = [entry for entry in block.entries if entry.keys[0] in earlier]
        first = block.entries[0] if block.entries else None
        if above:
            at, indent = self._line_end(above[-1].end), self._indent(above[-1].start)
        elif block.path:
            at = self._line_end(block.end)
            indent = self._indent(first.start if first else block.start)
        else:
            at, indent = (self._line_start(first.start) if first else self._top()), ""
        self._splice(at, at, f"{indent}{key(name)} = {inline(value)}\n")

    def _insert_without_header(self, path: Path, name: str, value: Any) -> None:
        spot = self._layout.find(path)
        if spot is not None and spot.kind == "dotted":
            entries, depth = self._dotted(path)
            entry = entries[-1]
            prefix = ".".join(key(each) for each in (*entry.keys[:depth], name))
            at = self._line_end(entry.end)
            self._splice(at, at, f"{self._indent(entry.start)}{prefix} = {inline(value)}\n")
        elif spot is not None and spot.kind == "implied":
            at = self._line_start(spot.start)
            names = tuple(str(each) for each in path if isinstance(each, str))
            block = _block({name: value}, names, self._indent(spot.start), self._blocks, repeated=False)
            self._splice(at, at, block + "\n")
        else:
            raise CannotEdit(f"there is no place for {name}")

    def _insert_blocks(self, path: Path, name: str, value: Any) -> None:
        names = (*(each for each in path if isinstance(each, str)), name)
        if isinstance(value, list):
            self._add_blocks(self._subtree_end(path), names, self._inner_indent(path), value)
            return
        root = self._layout.blocks[0]
        at = self._body_end(root) if root.entries else self._top()
        block = _block(value, names, "", self._blocks, repeated=False)
        self._splice(at, at, f"\n{block}" if root.entries else f"{block}\n")

    def _add_blocks(self, at: int, names: tuple[str, ...], indent: str, elements: Sequence[Table]) -> None:
        for element in elements:
            gap = "" if self._text[max(at - 2, 0) : at] in ("", "\n\n") else "\n"
            self._splice(at, at, gap + _block(element, names, indent, self._blocks))

    # arrays

    def _array(self, path: Path, spot: Spot, old: Sequence[Any], new: Sequence[Any]) -> None:
        """Change, add or take out elements in one stretch; what lies before and behind it is not touched."""
        front = _common(old, new)
        back = _common(old[front:][::-1], new[front:][::-1])
        stay = min(len(old), len(new)) - front - back
        for place in range(front, front + stay):
            self._element(path, place, old[place], new[place])
        edge = front + stay
        removed, added = range(edge, len(old) - back), new[edge : len(new) - back]
        if spot.kind == "blocks":
            self._change_blocks(path, edge, removed, added)
        elif removed or added:
            self._change_items(spot, edge, removed, added)

    def _element(self, path: Path, place: int, before: Any, after: Any) -> None:
        where = (*path, place)
        if same(before, after):
            return
        if isinstance(before, Mapping) and isinstance(after, Mapping):
            self.table(where, before, after)
            return
        spot = self._layout.find(where)
        if spot is None:
            raise CannotEdit(f"element {place + 1} of {path[-1]} is not in the text")
        self._splice(spot.value, spot.end, inline(after))

    def _change_blocks(self, path: Path, edge: int, removed: range, added: Sequence[Table]) -> None:
        for place in removed:
            for block in self._layout.under((*path, place)):
                self._remove_block(block)
        if not added:
            return
        names = tuple(each for each in path if isinstance(each, str))
        sibling = self._layout.block((*path, max(edge - 1, 0)))
        indent = self._indent(sibling.start) if sibling else ""
        if edge:
            self._add_blocks(self._subtree_end((*path, edge - 1)), names, indent, added)
        elif sibling:
            at = self._line_start(sibling.start)
            self._splice(at, at, "".join(_block(each, names, indent, self._blocks) + "\n" for each in added))

    def _change_items(self, spot: Spot, edge: int, removed: range, added: Sequence[Any]) -> None:
        items = self._layout.items(spot.value)
        texts = [inline(each) for each in added]
        if len(removed) == len(items):
            self._splice(spot.value, spot.end, f"[{', '.join(texts)}]")
        elif removed:
            last = removed[-1] + 1 == len(items)
            start = items[edge - 1][1] if last else items[edge][0]
            self._splice(start, items[removed[-1]][1] if last else items[removed[-1] + 1][0], "")
        elif edge == 0:
            self._splice(items[0][0], items[0][0], "".join(f"{each}, " for each in texts))
        else:
            self._add_items(items[edge - 1], texts)

    def _add_items(self, before: tuple[int, int], texts: Sequence[str]) -> None:
        """Behind an element: on lines of their own where that one has its own."""
        start, end = before
        tail = _ELEMENT_TAIL.match(self._text, end)
        indent = self._text[self._line_start(start) : start]
        if tail is None or indent.strip():
            self._splice(end, end, "".join(f", {each}" for each in texts))
            return
        if not tail[1]:
            self._splice(end, end, ",")
        self._splice(tail.end(), tail.end(), "".join(f"{indent}{each},\n" for each in texts))

    # places in the text

    def _line_start(self, at: int) -> int:
        return self._text.rfind("\n", 0, at) + 1

    def _line_end(self, at: int) -> int:
        return self._text.find("\n", at) + 1

    def _indent(self, at: int) -> str:
        before = self._text[self._line_start(at) : at]
        return before if not before.strip() else ""

    def _top(self) -> int:
        """Above the first header; remarks at the head of the file stay at its head."""
        blocks = self._layout.blocks
        return self._line_start(blocks[1].start) if len(blocks) > 1 else len(self._text)

    def _body_end(self, block: Block) -> int:
        """Behind the last entry and the remarks that directly follow it."""
        last = self._line_end(block.entries[-1].end if block.entries else block.end)
        remarks = _COMMENT_LINES.match(self._text, last)
        return remarks.end() if remarks else last

    def _subtree_end(self, path: Path) -> int:
        if not path:
            return len(self._text)
        return max(self._body_end(block) for block in self._layout.under(path))

    def _inner_indent(self, path: Path) -> str:
        block = self._layout.block(path)
        return self._indent(block.start) + "  " if path and block else ""


def _common(one: Sequence[Any], other: Sequence[Any]) -> int:
    """How many elements the two begin with alike."""
    return sum(1 for _ in itertools.takewhile(lambda pair: same(*pair), zip(one, other, strict=False)))
