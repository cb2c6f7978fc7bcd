"""JSON of foreign tools, element by element with its lines, so that a fault can be told where it stands."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass, field
from typing import Any

from tui.model.numerals import LIMIT, printable

from .imported import Problem, Source
from .texts import decoded

LARGEST = 256 * 1024 * 1024
"""Bytes of a JSON file that is read; such a file cannot be streamed."""

MOST_ELEMENTS = 100_000
"""Entries of a list that are read; each becomes a run or several."""

_BLANK = " \t\n\r"
_LARGEST = float(LIMIT)
_DECODER = json.JSONDecoder()


@dataclass(frozen=True)
class Element:
    """One element of a list, and the lines that it stands on."""

    value: Any
    line: int
    last_line: int


@dataclass
class Document:
    """A JSON object taken apart.

    Attributes:
        top: its keys but the one that was asked for.
        elements: of the list under that key.
        lines: of the file.
        problem: why it could not be read to its end; what was read before stands.
        notes: how the bytes were read.
    """

    top: dict[str, Any] = field(default_factory=dict)
    elements: list[Element] = field(default_factory=list)
    lines: int = 0
    problem: Problem | None = None
    notes: list[str] = field(default_factory=list)


def document(source: Source, key: str) -> Document:
    """The object in a file, with the list under `key` kept element by element.

    Raises:
        FileError, OSError: when the file cannot be read.
    """
    found = Document()
    text = text_of(source, found)
    if found.problem is None:
        try:
            _object(text, key, found)
        except (ValueError, RecursionError) as error:
            found.problem = fault(error, text)
    return found


def text_of(source: Source, found: Document) -> str:
    """The text of a file; sets the problem where it is too large."""
    if source.size > LARGEST:
        size = f"{source.size / 2**20:,.0f} MiB"
        said = f"the file has {size} of JSON, {LARGEST // 2**20} are read: split it, or export less"
        found.problem = Problem(0, "", said)
        return ""
    text, found.notes = decoded(source.read())
    source.progressed(source.size, source.size)
    found.lines = text.count("\n") + (not text.endswith("\n"))
    return text


def fault(error: Exception, text: str) -> Problem:
    """What is wrong with a text that is no JSON."""
    if isinstance(error, json.JSONDecodeError):
        line = text.count("\n", 0, error.pos) + 1
        read = printable(text[error.pos : error.pos + 20])
        where = f'at "{read}"' if read else "at its end: the file is cut off"
        return Problem(line, "", f"is no JSON {where} ({error.msg.lower()})")
    if isinstance(error, RecursionError):
        return Problem(0, "", "is nested too deeply to be read")
    return Problem(0, "", f"cannot be read as JSON: {printable(str(error))}")


def _object(text: str, key: str, found: Document) -> None:
    at = _skip(text, 0)
    _expect(text, at, "{")
    at = _skip(text, at + 1)
    while text[at : at + 1] != "}":
        name, at = _DECODER.raw_decode(text, at)
        at = _skip(text, at)
        _expect(text, at, ":")
        at = _skip(text, at + 1)
        if name == key and text[at : at + 1] == "[":
            at = _list(text, at, found)
        else:
            value, at = _DECODER.raw_decode(text, at)
            found.top[str(name)] = value
        if found.problem:
            return
        at = _skip(text, at)
        if text[at : at + 1] != "}":
            _expect(text, at, ",")
            at = _skip(text, at + 1)
    at = _skip(text, at + 1)
    if at < len(text):
        raise json.JSONDecodeError("Extra data", text, at)


def _list(text: str, at: int, found: Document) -> int:
    line, counted = text.count("\n", 0, at) + 1, at
    at = _skip(text, at + 1)
    while text[at : at + 1] != "]":
        value, end = _DECODER.raw_decode(text, at)
        line += text.count("\n", counted, at)
        last = line + text.count("\n", at, end)
        if len(found.elements) == MOST_ELEMENTS:
            said = f"from here on there are more than {MOST_ELEMENTS:,} entries, too many for single runs"
            found.problem = Problem(line, "", f"{said}: split the file, or export less")
            return len(text)
        found.elements.append(Element(value, line, last))
        line, counted = last, end
        at = _skip(text, end)
        if text[at : at + 1] != "]":
            _expect(text, at, ",")
            at = _skip(text, at + 1)
    return at + 1


def _skip(text: str, at: int) -> int:
    while at < len(text) and text[at] in _BLANK:
        at += 1
    return at


def _expect(text: str, at: int, mark: str) -> None:
    if text[at : at + 1] != mark:
        raise json.JSONDecodeError(f"Expecting '{mark}'", text, at)


def mapping(value: Any) -> dict[str, Any]:
    """The value where it is an object, else an empty one."""
    return value if isinstance(value, dict) else {}


def number(value: Any) -> float | None:
    """A finite number of a size that a measurement has; numbers in strings are numbers too."""
    if isinstance(value, bool) or not isinstance(value, (int, float, str)):
        return None
    try:
        found = float(value)
    except (ValueError, OverflowError):
        return None
    return found if math.isfinite(found) and (found == 0 or 1 / _LARGEST < abs(found) < _LARGEST) else None


def whole(value: Any, least: int = 1) -> int | None:
    """A whole number from `least` on."""
    found = number(value)
    return int(found) if found is not None and found == int(found) and found >= least else None
