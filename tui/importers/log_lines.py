"""The bytes of a log in blocks of whole lines, as readers of every log want them.

One pass, one block in memory. Carriage returns end a line (progress bars write them), colours of terminals
and NUL bytes are taken out, and everything else stays as it came.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from .imported import Source

BLOCK = 1 << 20
"""Bytes read at once."""

_LET_GO = 1 << 22
"""Bytes that are taken and let go once before the first block. From then on the C library of Linux keeps
the memory of pieces up to this size; it would give each back to the system and take it again, which costs a
fifth of a reading."""

LONGEST = 1 << 24
"""Bytes after which a line is cut, so that a file without line ends is not held as one line."""

SMALLEST, LARGEST = 1e-15, 1e15
"""Numbers of a log outside these are no measurement."""

LINE = 4096
"""Bytes of a line that are looked at; what a search finds in a longer one takes the square of its length."""

_COLOURS = re.compile(rb"\x1b\[[0-9;?]*[ -/]*[@-~]")


def blocks(source: Source) -> Iterator[bytes]:
    """The file in blocks of whole lines, each with its line end; only the last may lack one.

    Raises:
        FileError, OSError: when the file cannot be read.
        Stopped: when whoever watches wants it stopped.
    """
    bytes(_LET_GO)
    total, done, rest = source.size, 0, b""
    with source.open() as stream:
        while True:
            read = stream.read(BLOCK)
            done += len(read)
            source.progressed(done, total)
            if not read:
                break
            end = max(read.rfind(b"\n"), read.rfind(b"\r", 0, len(read) - 1)) + 1
            if end or len(rest) > LONGEST:
                yield cleaned(b"".join((rest, memoryview(read)[:end])))
                rest = read[end:]
            else:
                rest += read
    if rest:
        yield cleaned(rest)


def lines(source: Source, longest: int = LINE) -> Iterator[tuple[int, bytes]]:
    """Every line with its number from 1, without its end, and cut after `longest` bytes.

    Raises:
        FileError, OSError, Stopped: as `blocks`.
    """
    number = 0
    for block in blocks(source):
        for line in block.removesuffix(b"\n").split(b"\n"):
            number += 1
            yield number, line[:longest]


def cleaned(block: bytes) -> bytes:
    """The text of a block: one kind of line end, no colours, no NUL."""
    if b"\r" in block:
        block = block.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    if b"\x1b" in block:
        block = _COLOURS.sub(b"", block)
    return block.replace(b"\0", b"") if b"\0" in block else block


def number(value: bytes) -> float | None:
    """A number of a size that measurements have, 0 too; None for everything else."""
    try:
        found = float(value)
    except ValueError:
        return None
    return found if found == 0 or SMALLEST <= found <= LARGEST else None


def text(value: bytes) -> str:
    """Bytes of a log for a label or a sentence: printable, at most 200 characters."""
    decoded = value[:800].decode("utf-8", "replace")
    return "".join(mark if mark.isprintable() else " " for mark in decoded).strip()[:200]
