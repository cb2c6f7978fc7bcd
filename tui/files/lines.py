"""Where everything stands in a TOML text: the line of a value, and the characters it covers.

Neither TOML parser of the Python world says on which line a value stood. `Layout` scans a text that a
parser has already accepted, so it need not judge, only find. It remembers headers and `key = value`
entries; what is inside a value is scanned when it is asked for.

A path is what the parser's nested result is indexed with: `("experiment", 1, "run", 3, "times_s", 0)`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from .toml import loads

Path = tuple[str | int, ...]

_KEY = r"""(?:[A-Za-z0-9_-]+|"(?:[^"\\\n]|\\.)*"|'[^'\n]*')"""
_KEYS = re.compile(rf"{_KEY}(?:[ \t]*\.[ \t]*{_KEY})*")
_ONE_KEY = re.compile(_KEY)
_BLANK_LINES = re.compile(r"(?:[ \t\r]*(?:#[^\n]*)?\n)*[ \t\r]*(?:#[^\n]*\Z)?")
_BETWEEN = re.compile(r"(?:[ \t\r\n,]|#[^\n]*)*")
_EQUALS = re.compile(r"[ \t]*=[ \t]*")
_STRING = r'''"""(?:[^\\]|\\.)*?"{3,5}|\'\'\'.*?'{3,5}|"(?:[^"\\\n]|\\.)*"|'[^'\n]*\''''
_WHOLE_STRING = re.compile(_STRING, re.DOTALL)
_BRACKET = re.compile(rf"{_STRING}|\#[^\n]*|[\[\]{{}}]", re.DOTALL)
_SCALAR = re.compile(r"\d{4}-\d\d-\d\d[ ]\d\d:[^,\]}\s#]*|[^,\]}\s#]+")


class Entry(NamedTuple):
    """One `key = value`: offsets of the key's first character, the value's first, and the value's end."""

    keys: tuple[str, ...]
    start: int
    value: int
    end: int


@dataclass
class Block:
    """A header with the entries below it; the entries before any header are the block with path ()."""

    path: Path
    start: int
    """Offset of the header's first bracket."""
    end: int
    """Offset behind the header's last bracket."""
    entries: list[Entry] = field(default_factory=list)


@dataclass(frozen=True)
class Spot:
    """Where the thing at a path stands.

    `kind` is `block` (a table with a header of its own), `blocks` (an array of such tables), `entry`
    (`key = value` on lines of its own), `dotted` (a table that only exists as the first part of dotted
    keys), `implied` (one that only exists in the headers of its parts), `inner` (a key of an inline
    table) or `item` (an element of an array in brackets).
    """

    kind: Literal["block", "blocks", "entry", "dotted", "implied", "inner", "item"]
    start: int
    value: int
    end: int


class Layout:
    """The headers and entries of one valid TOML text, its line ends `\\n` or `\\r\\n`."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.blocks = [Block((), 0, 0)]
        self._by_path: dict[Path, Block] = {(): self.blocks[0]}
        self._lengths: dict[Path, int] = {}
        """Elements so far of each array of tables."""
        self._heads: dict[Path, int] = {}
        """First header that begins with a path."""
        self._scan()

    def line(self, path: Path) -> int:
        """The line, from 1, of the thing at `path`, or of the nearest thing around it that is there."""
        for length in range(len(path), 0, -1):
            spot = self.find(path[:length])
            if spot is not None:
                return self.text.count("\n", 0, spot.start) + 1
        return 1

    def find(self, path: Path) -> Spot | None:
        """Where the thing at `path` stands; None when the text does not have it."""
        block = self._by_path.get(path)
        if block is not None:
            return Spot("block", block.start, block.start, block.end)
        for length in range(len(path) - 1, -1, -1):
            holder = self._by_path.get(path[:length])
            if holder is not None:
                spot = self._in_entries(holder.entries, path[length:], "entry")
                if spot is not None:
                    return spot
        if path in self._heads:
            head = self._heads[path]
            return Spot("blocks" if path in self._lengths else "implied", head, head, head)
        return None

    def block(self, path: Path) -> Block | None:
        """The table that has its own header with this path."""
        return self._by_path.get(path)

    def under(self, path: Path) -> list[Block]:
        """The blocks of this table, of its parts and of its elements, in the order of the text."""
        return [each for each in self.blocks if each.path[: len(path)] == path]

    def items(self, value: int) -> list[tuple[int, int]]:
        """Start and end of each element of the array that begins at offset `value`."""
        found = []
        at = self._after(_BETWEEN, value + 1)
        while self.text[at] != "]":
            end = self._value_end(at)
            found.append((at, end))
            at = self._after(_BETWEEN, end)
        return found

    def inner(self, value: int) -> list[Entry]:
        """The entries of the inline table that begins at offset `value`."""
        found = []
        at = self._after(_BETWEEN, value + 1)
        while self.text[at] != "}":
            found.append(self._entry(at))
            at = self._after(_BETWEEN, found[-1].end)
        return found

    def _in_entries(self, entries: list[Entry], path: Path, kind: Literal["entry", "inner"]) -> Spot | None:
        for entry in entries:
            depth = len(entry.keys)
            if path[:depth] == entry.keys:
                if len(path) == depth:
                    return Spot(kind, entry.start, entry.value, entry.end)
                return self._in_value(entry.value, path[depth:])
        for entry in entries:
            if entry.keys[: len(path)] == path:
                return Spot("dotted", entry.start, entry.value, entry.end)
        return None

    def _in_value(self, value: int, path: Path) -> Spot | None:
        opening, first = self.text[value], path[0]
        if opening == "[" and isinstance(first, int):
            items = self.items(value)
            if first >= len(items):
                return None
            start, end = items[first]
            return self._in_value(start, path[1:]) if path[1:] else Spot("item", start, start, end)
        if opening == "{":
            return self._in_entries(self.inner(value), path, "inner")
        return None

    def _scan(self) -> None:
        current = self.blocks[0]
        at = self._after(_BLANK_LINES, 0)
        while at < len(self.text):
            if self.text[at] == "[":
                current = self._header(at)
                at = current.end
            else:
                current.entries.append(self._entry(at))
                at = current.entries[-1].end
            at = self._after(_BLANK_LINES, at)

    def _header(self, start: int) -> Block:
        repeated = self.text.startswith("[[", start)
        at = start + (2 if repeated else 1)
        while self.text[at] in " \t":
            at += 1
        end = self._after(_KEYS, at)
        names = _names(self.text[at:end])
        path: Path = ()
        for name in names[:-1]:
            path = self._noted((*path, name), start)
            if path in self._lengths:
                path = (*path, self._lengths[path] - 1)
        path = self._noted((*path, names[-1]), start)
        if repeated:
            self._lengths[path] = self._lengths.get(path, 0) + 1
            path = (*path, self._lengths[path] - 1)
        close = "]]" if repeated else "]"
        block = Block(path, start, self.text.index(close, end) + len(close))
        self.blocks.append(block)
        self._by_path[path] = block
        return block

    def _noted(self, path: Path, start: int) -> Path:
        self._heads.setdefault(path, start)
        return path

    def _entry(self, start: int) -> Entry:
        end = self._after(_KEYS, start)
        value = self._after(_EQUALS, end)
        return Entry(_names(self.text[start:end]), start, value, self._value_end(value))

    def _value_end(self, start: int) -> int:
        opening = self.text[start]
        if opening in "\"'":
            return self._after(_WHOLE_STRING, start)
        if opening not in "[{":
            return self._after(_SCALAR, start)
        depth = 0
        for token in _BRACKET.finditer(self.text, start):
            if token[0] in ("[", "{"):
                depth += 1
            elif token[0] in ("]", "}"):
                depth -= 1
                if depth == 0:
                    return token.end()
        return len(self.text)

    def _after(self, pattern: re.Pattern[str], at: int) -> int:
        found = pattern.match(self.text, at)
        return at if found is None else found.end()


def _names(dotted: str) -> tuple[str, ...]:
    return tuple(_name(found[0]) for found in _ONE_KEY.finditer(dotted))


def _name(part: str) -> str:
    if part[0] == "'":
        return part[1:-1]
    if part[0] == '"':
        (name,) = loads(f"{part} = 0")
        return name
    return part
