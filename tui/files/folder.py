"""What a folder holds, for choosing a file; and where a typed or pasted path leads."""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from .errors import reading

MOST = 20_000
"""Entries of a folder that are listed; a folder with more is best named by typing."""
_TOLD_EVERY = 1000


@dataclass(frozen=True)
class Entry:
    """One file or folder of a folder."""

    name: str
    is_folder: bool


@dataclass(frozen=True)
class Folder:
    """What was found in a folder: folders first, both in the order of their names."""

    path: Path
    entries: tuple[Entry, ...]
    cut: bool = False
    """Whether there are more than `MOST`."""

    def matching(self, text: str) -> list[Entry]:
        """The entries with a text in their name; hidden ones only for a text that begins with a dot."""
        wanted = text.lower()
        hidden = text.startswith(".")
        return [
            each
            for each in self.entries
            if wanted in each.name.lower() and (hidden or not each.name.startswith("."))
        ]


def listed(path: Path, watch: Callable[[int, int], None] = lambda done, total: None) -> Folder:
    """The entries of a folder. `watch` is called now and then and may raise to stop it.

    Raises:
        FileError: when it cannot be listed.
    """
    found: list[Entry] = []
    with reading(path), os.scandir(path) as entries:
        for count, entry in enumerate(entries):
            if count % _TOLD_EVERY == 0:
                watch(0, 0)
            if count == MOST:
                return Folder(path, _sorted(found), cut=True)
            found.append(Entry(entry.name, _is_folder(entry)))
    return Folder(path, _sorted(found))


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir()
    except OSError:
        return False


def _sorted(entries: Sequence[Entry]) -> tuple[Entry, ...]:
    return tuple(sorted(entries, key=lambda each: (not each.is_folder, each.name.lower(), each.name)))


def is_path(text: str) -> bool:
    """Whether a text that was typed is a path, and not the part of a name."""
    return "/" in text or text.startswith("~") or text in (".", "..")


def led_to(text: str, folder: Path) -> Path:
    """Where a path that was typed or pasted leads, taken from a folder; as a shell would write it too, in
    quotes or with blanks escaped.
    """
    plain = (folder / os.path.expanduser(text)).absolute()
    if _is_there(plain):
        return Path(os.path.normpath(plain))
    try:
        words = shlex.split(text.removeprefix("file://"))
    except ValueError:
        words = []
    if len(words) == 1:
        shell = (folder / os.path.expanduser(words[0])).absolute()
        if _is_there(shell):
            return Path(os.path.normpath(shell))
    return plain


def _is_there(path: Path) -> bool:
    try:
        return path.exists()
    except (OSError, ValueError):
        return False
