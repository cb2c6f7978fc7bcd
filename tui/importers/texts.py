"""Bytes of a foreign file as text, whatever wrote them, with a note on everything that was done to them."""

from __future__ import annotations

import codecs
import re

_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig", "UTF-8"),
    (codecs.BOM_UTF16_LE, "utf-16", "UTF-16"),
    (codecs.BOM_UTF16_BE, "utf-16", "UTF-16"),
)
_SAMPLE = 4096
_COLOUR = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[@-Z\\-_])")


def decoded(data: bytes) -> tuple[str, list[str]]:
    """The text of these bytes, and sentences on how it was read where that is not plain UTF-8.

    A byte order mark decides; then zeros at every other byte mean UTF-16; what is no UTF-8 is read as
    Windows-1252, which covers Latin-1. Colours and other commands to a terminal are taken out, line ends
    become `\\n`.
    """
    text, notes = _text(data)
    if "\x1b" in text:
        text = _COLOUR.sub("", text)
        notes.append("commands to a terminal (colours) were taken out")
    if "\0" in text:
        notes.append(f"{text.count(chr(0)):,} zero bytes were taken out")
        text = text.replace("\0", "")
    return text.replace("\r\n", "\n").replace("\r", "\n"), notes


def _text(data: bytes) -> tuple[str, list[str]]:
    for mark, encoding, name in _MARKS:
        if data.startswith(mark):
            said = f"read as {name}: it begins with a byte order mark"
            return data.decode(encoding, errors="replace"), [said] if name != "UTF-8" else []
    head = data[:_SAMPLE]
    for encoding, zeros in (("utf-16-le", head[1::2]), ("utf-16-be", head[::2])):
        if len(head) >= 4 and zeros.count(0) > 0.4 * len(head) / 2 and head.count(0) == zeros.count(0):
            return data.decode(encoding, errors="replace"), ["read as UTF-16: every other byte is zero"]
    try:
        return data.decode(), []
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        said = f"read as Windows-1252 (Latin-1): line {line} is not UTF-8"
        return data.decode("cp1252", errors="replace"), [said]
