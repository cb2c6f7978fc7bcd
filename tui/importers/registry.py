"""The formats that can be read. A format is a module of this package; adding one means adding one file.

A module is a format when it has these names:

    NAME = "hyperfine"                   what `--as` calls it
    ABOUT = "hyperfine JSON"             a few words
    EXAMPLE = '{"results": [...]}'       a line of such a file
    def sniff(head: bytes, name: str) -> float
    def read(source: Source, options: Options) -> Imported

`sniff` looks at the first bytes of a file and at its name and says how sure it is: 0 is no, 1 is a file
that can be nothing else; the table reader says at most 0.5, so whatever knows its own marks goes first.
Neither ever fails on a file's contents: what cannot be read is a `Problem`.
"""

from __future__ import annotations

import difflib
import functools
import importlib
import pkgutil
from pathlib import Path
from typing import Protocol, cast

import tui.importers
from tui.files.errors import FileError, reading

from .imported import Imported, Options, Source


class Format(Protocol):
    """A module that reads one foreign format."""

    NAME: str
    ABOUT: str
    EXAMPLE: str

    def sniff(self, head: bytes, name: str) -> float:
        """How sure it is that the file is of this format, from 0 to 1."""

    def read(self, source: Source, options: Options) -> Imported:
        """The file as it is understood."""


class NotRecognised(FileError):
    """No format fits the file, or there is no format of that name."""


@functools.cache
def formats() -> tuple[Format, ...]:
    """All formats, by name."""
    found = []
    for module in pkgutil.iter_modules(tui.importers.__path__, "tui.importers."):
        loaded = importlib.import_module(module.name)
        if all(hasattr(loaded, name) for name in ("NAME", "ABOUT", "EXAMPLE", "sniff", "read")):
            found.append(cast(Format, loaded))
    return tuple(sorted(found, key=lambda each: each.NAME))


def named(name: str, path: Path) -> Format:
    """The format that is called so; `path` only appears in the error.

    Raises:
        NotRecognised: when there is none.
    """
    known = {each.NAME: each for each in formats()}
    if name in known:
        return known[name]
    near = difflib.get_close_matches(name, known, n=1)
    hint = f"did you mean {near[0]!r}?" if near else f"there are {', '.join(known)}"
    raise NotRecognised(path, f"there is no format {name!r}; {hint}")


def recognised(source: Source) -> Format:
    """The format that is surest of the file; of several, the first by name.

    Raises:
        NotRecognised: when none knows it.
        FileError: when it cannot be read.
    """
    path = source.path
    with reading(path):
        head = source.head()
    if not head.strip(b" \t\r\n\0\xef\xbb\xbf"):
        raise NotRecognised(path, f"{path} is empty: there is nothing to read in it")
    surest = max(formats(), key=lambda each: each.sniff(head, path.name))
    if surest.sniff(head, path.name) <= 0:
        known = ", ".join(each.NAME for each in formats())
        raise NotRecognised(
            path, f"{path} is of no format that is known here; if it is one of {known}, say so with --as"
        )
    return surest


def read(source: Source, options: Options | None = None, as_format: str | None = None) -> Imported:
    """Read a file in the format that is asked for, else in the one it is recognised as.

    Raises:
        NotRecognised: when there is no such format.
        FileError: when it cannot be read at all.
        Stopped: when whoever watches wants it stopped.
    """
    chosen = named(as_format, source.path) if as_format else recognised(source)
    try:
        return chosen.read(source, options or Options())
    except OSError as error:  # of a stream; anything else is a fault of the reader
        with reading(source.path):
            raise error
