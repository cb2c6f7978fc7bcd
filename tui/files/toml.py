"""TOML text: bytes to text, text to plain values with errors in one sentence, and values back to text."""

from __future__ import annotations

import datetime as dt
import importlib
import json
import re
import sys
from collections.abc import Callable, Mapping
from typing import Any

_parser = importlib.import_module("tomllib" if sys.version_info >= (3, 11) else "tomli")

_BARE = re.compile(r"[A-Za-z0-9_-]+")
_PLACE = re.compile(r" \(at (?:line (\d+), column (\d+)|end of document)\)$")
_SHOWN = 60


class NotToml(ValueError):
    """The text is no TOML, or the bytes are no text; `line` and `column` count from 1; column 0: unknown."""

    def __init__(self, line: int, column: int, sentence: str) -> None:
        super().__init__(sentence)
        self.line = line
        self.column = column


def decode(data: bytes) -> str:
    """UTF-8 bytes as text, without a byte order mark; line ends are left as they are.

    Raises:
        NotToml: when the bytes are something else.
    """
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise NotToml(1, 1, "this is UTF-16 text; save it as UTF-8")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        column = error.start - (data.rfind(b"\n", 0, error.start) + 1) + 1
        sentence = f"byte {column} is 0x{data[error.start]:02x}, which is not UTF-8; save the file as UTF-8"
        raise NotToml(line, column, sentence) from error


def loads(text: str, parse_float: Callable[[str], Any] = float) -> dict[str, Any]:
    """The values of a TOML document as dictionaries, lists and scalars.

    Raises:
        NotToml: with the line, the column and what stands there.
    """
    try:
        values: dict[str, Any] = _parser.loads(text, parse_float=parse_float)
    except RecursionError as error:
        raise NotToml(1, 0, "arrays or tables are nested too deeply to be read") from error
    except ValueError as error:
        raise _located(text, str(error)) from error
    return values


def _located(text: str, message: str) -> NotToml:
    lines = text.split("\n")
    found = _PLACE.search(message)
    if found is None:
        return NotToml(1, 0, f"not valid TOML: {message}")
    message = message[: found.start()]
    message = message[:1].lower() + message[1:]
    if found[1] is None:
        last = max((number for number, line in enumerate(lines, 1) if line.strip()), default=1)
        return NotToml(last, 0, f"not valid TOML: {message}, at the end of the file")
    line = int(found[1])
    read = lines[line - 1].strip()
    shown = read if len(read) <= _SHOWN else read[: _SHOWN - 1] + "…"
    return NotToml(line, int(found[2]), f"not valid TOML: {message}; read {shown!r}")


def key(name: str) -> str:
    """A key as TOML writes it: bare where that is possible, else quoted."""
    return name if _BARE.fullmatch(name) else _quoted(name)


def inline(value: Any) -> str:
    """A value as TOML text on one line, which reads back to exactly the same value."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return repr(value)
    if isinstance(value, str):
        return _quoted(value)
    if isinstance(value, dt.datetime):
        return value.isoformat().replace("+00:00", "Z")
    if isinstance(value, (dt.date, dt.time)):
        return value.isoformat()
    if isinstance(value, Mapping):
        pairs = ", ".join(f"{key(name)} = {inline(each)}" for name, each in value.items())
        return f"{{ {pairs} }}" if pairs else "{}"
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(inline(each) for each in value)}]"
    raise TypeError(f"TOML has no {type(value).__name__}")


def _quoted(text: str) -> str:
    # JSON's escapes are all TOML escapes; TOML wants DEL escaped as well.
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
