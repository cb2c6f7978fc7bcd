"""Reads what a class handed in: files, folders of them, and pasted mail; nothing in any of it is fatal."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from tui.files.report import plain
from tui.guide.handin import MOST_BYTES, NotHandin, decode
from tui.guide.handin_line import Line, find_lines
from tui.guide.handin_mail import find_blocks
from tui.guide.receipt import receipt_in_name
from tui.guide.regrade import Grade, NotReplayed, Scripts, regrade

MOST_PASTED = 256 << 20
PASTED = "(pasted text)"


@dataclass(frozen=True)
class NotCounted:
    """Something that was handed in and cannot be counted."""

    source: str
    reason: str
    alias: str = ""
    receipt: str = ""


@dataclass
class HandedIn:
    """Everything that was found, in the order in which it was read."""

    grades: list[tuple[str, Grade]] = field(default_factory=list)
    """Hand-ins whose chain holds, with their source."""
    lines: list[tuple[str, Line]] = field(default_factory=list)
    damaged: list[NotCounted] = field(default_factory=list)


class Reader:
    """Reads hand-ins one after the other; equal scripts are checked once."""

    def __init__(self) -> None:
        self.found = HandedIn()
        self._scripts = Scripts()

    def paths(self, paths: Iterable[Path]) -> None:
        """Read files, and folders with everything below them; hidden files are half-written ones.

        A link that is named is followed, one inside a folder is not.
        """
        for path in paths:
            if path.is_dir():
                for each in _below(path):
                    self._file(each, os.path.relpath(each, path))
            else:
                self._file(Path(os.path.realpath(path)), path.name)

    def pasted(self, data: bytes, source: str = PASTED) -> None:
        """Read text with lines, blocks or one whole file in it."""
        if data.lstrip(b" \t\r\n\xef\xbb\xbf").startswith(b"{") or not data.strip():
            self._handin(data, source)
            return
        text = data.decode("utf-8", errors="replace").replace("\r\n", "\n").replace("\xa0", " ")
        lines, blocks = list(find_lines(text)), list(find_blocks(text))
        self.found.lines += [(plain(source), line) for line in lines]
        for each in blocks:
            if isinstance(each, bytes):
                self._handin(each, source)
            else:
                self._damaged(source, str(each))
        if not lines and not blocks:
            self._damaged(source, "no hand-in is in it")

    def _file(self, path: Path, name: str) -> None:
        try:
            self.pasted(_bytes(path), name)
        except NotHandin as error:
            self._damaged(name, str(error))
        except OSError as error:
            self._damaged(name, f"it cannot be read: {(error.strerror or str(error)).lower()}")

    def _handin(self, data: bytes, source: str) -> None:
        try:
            grade = regrade(decode(data), self._scripts)
        except (NotHandin, NotReplayed) as error:
            self._damaged(source, str(error))
            return
        named = receipt_in_name(Path(source).name)
        faults = list(grade.faults)
        if named and named != grade.receipt:
            faults.append(f"its name says receipt {named}, what is in it {grade.receipt}")
        if faults:
            self._damaged(source, "; ".join(faults), grade.alias, grade.receipt)
        else:
            self.found.grades.append((plain(source), grade))

    def _damaged(self, source: str, reason: str, alias: str = "", receipt: str = "") -> None:
        self.found.damaged.append(NotCounted(plain(source), reason, alias, receipt))


def _below(folder: Path) -> Iterator[Path]:
    for here, inside, names in os.walk(folder):
        inside[:] = sorted(name for name in inside if not name.startswith("."))
        yield from (Path(here, name) for name in sorted(names) if not name.startswith("."))


def _bytes(path: Path) -> bytes:
    """The bytes of a regular file that is not too large; a stranger's link could lead anywhere.

    Raises:
        NotHandin: when it is something else.
        OSError: when it cannot be read.
    """
    if path.is_symlink():
        raise NotHandin("it is a symbolic link, which is not followed")
    # Without O_NONBLOCK a pipe without a writer would hold the program for ever.
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK | os.O_NOFOLLOW)
    with os.fdopen(descriptor, "rb") as file:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            raise NotHandin("it is no file")
        data = file.read(MOST_BYTES + 1) if status.st_size <= MOST_BYTES else b""
    if status.st_size > MOST_BYTES or len(data) > MOST_BYTES:
        raise NotHandin(f"it is larger than {MOST_BYTES >> 20} MiB")
    return data
