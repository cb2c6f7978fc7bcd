"""Append-only transcripts: one JSON object a line, each carrying the hash of everything before it.

A line is written with one `write` to a file opened with O_APPEND and is on disk before it counts as
stored. A cut-off last line, as a kill or a full disk leaves it, is dropped when the file is read. The
hash chain shows casual edits, reordering and truncation; it does not stop somebody who rewrites the
whole file.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

FORMAT = 1
KIND = "exercise"
"""What the head of an exercise's transcript says that it is."""


@dataclass(frozen=True)
class Stored:
    """What a transcript file holds."""

    head: Mapping[str, Any]
    """The first line: format, app, what kind of session, when and where it started."""
    records: tuple[Mapping[str, Any], ...]
    """The events after the head, in order; `n` counts from 1."""
    good_bytes: int
    """Length of the part that is whole lines; anything after it is a cut-off tail."""
    cut_tail: bool
    broken_at: int | None
    """Number of the first line whose hash does not continue the chain (the head is line 1)."""
    last_hash: str = field(repr=False, default="")
    raw: bytes = field(repr=False, default=b"")
    """The whole lines as they stand in the file."""


class TakenOver(OSError):
    """Another program has written to the transcript since this one last did."""

    def __init__(self, path: Path, now: Path | None = None) -> None:
        super().__init__(f"{path.parent} was continued in another terminal")
        self.path = path
        self.now = now
        """The folder where this program goes on."""


def canonical(body: Mapping[str, Any]) -> bytes:
    """The bytes that are hashed: keys sorted, no blanks, UTF-8."""
    return json.dumps(body, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def sealed(previous: str, body: Mapping[str, Any]) -> dict[str, Any]:
    """`body` with `h`, the SHA-256 of the previous line's hash and this body."""
    digest = hashlib.sha256(previous.encode() + canonical(body)).hexdigest()
    return {**body, "h": digest}


def load(path: Path) -> Stored:
    """Read a transcript as far as it goes.

    Raises:
        OSError: when the file cannot be read.
        ValueError: when its first line is no head of a format this program reads.
    """
    data = path.read_bytes()
    good = data.rfind(b"\n") + 1
    lines = data[:good].splitlines()
    parsed: list[Mapping[str, Any]] = []
    broken: int | None = None
    previous = ""
    for number, raw in enumerate(lines, start=1):
        record = _parse(raw)
        if record is None:
            broken = broken or number
            continue
        body = {key: value for key, value in record.items() if key != "h"}
        if broken is None and sealed(previous, body)["h"] != record.get("h"):
            broken = number
        previous = str(record.get("h", ""))
        parsed.append(record)
    if not parsed or parsed[0].get("format") != FORMAT:
        raise ValueError(f"{path.name} does not start like a transcript of format {FORMAT}")
    return Stored(parsed[0], tuple(parsed[1:]), good, good < len(data), broken, previous, data[:good])


class Transcript:
    """A transcript open for appending; one owner per file, which notices when another one appends."""

    def __init__(self, path: Path, last_hash: str = "", count: int = 0, size: int = 0) -> None:
        self.path = path
        self._last_hash = last_hash
        self._count = count
        self._size = size

    @property
    def count(self) -> int:
        """Lines sealed so far, the head included."""
        return self._count

    def seal(self, body: Mapping[str, Any]) -> bytes:
        """The next line, chained to the one before; it must then be written in this order."""
        record = sealed(self._last_hash, body)
        self._last_hash = record["h"]
        self._count += 1
        return canonical(record) + b"\n"

    def move(self, path: Path) -> None:
        """Go on in another file, which gets all lines from the first on."""
        self.path = path
        self._size = 0

    def write(self, line: bytes) -> None:
        """Append `line` and wait until it is on disk; the file is made, private, when missing.

        A write that does not fit leaves no half line behind.

        Raises:
            TakenOver: when the file is not as this program left it; nothing was written.
            OSError: when there is no space, no permission, or no folder.
        """
        descriptor = os.open(self.path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            start = os.fstat(descriptor).st_size
            if start != self._size:
                raise TakenOver(self.path)
            try:
                written = 0
                while written < len(line):
                    written += os.write(descriptor, line[written:])
                os.fsync(descriptor)
            except OSError:
                os.ftruncate(descriptor, start)
                raise
            self._size = start + len(line)
        finally:
            os.close(descriptor)


def reopen(path: Path, stored: Stored) -> None:
    """Take away the cut-off tail of a transcript that is to be continued.

    Raises:
        OSError: when the file cannot be written.
    """
    if stored.cut_tail:
        os.truncate(path, stored.good_bytes)


def _parse(raw: bytes) -> Mapping[str, Any] | None:
    try:
        value = json.loads(raw)
    except ValueError:
        return None
    return value if isinstance(value, dict) else None
