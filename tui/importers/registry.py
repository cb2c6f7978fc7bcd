"""The formats that can be read. A format is a module of this package; adding one means adding one file.

A module is a format when it has these names:

    NAME = "hyperfine"                   what `--as` calls it
    ABOUT = "hyperfine JSON"             a few words
    EXAMPLE = '{"results": [...]}'       a line of such a file
    def sniff(head: bytes, name: str) -> float
    def read(source: Source, options: Options) -> Imported

and `ANYWHERE = True` where it is a log whose lines may stand behind any amount of other output.

`sniff` looks at the first bytes of a file and at its name and says how sure it is: 0 is no, 1 is a file
that can be nothing else; the table reader says at most 0.5, so whatever knows its own marks goes first.
Neither ever fails on a file's contents: what cannot be read is a `Problem`.
"""

from __future__ import annotations

import difflib
import functools
import importlib
import pkgutil
from collections.abc import Iterator
from pathlib import Path
from typing import Protocol, cast

import tui.importers
from tui.files.errors import FileError, reading

from .imported import Imported, Options, Source

OWN_MARKS = 0.5
"""A format that is surer than this has found marks of its own; a table is never surer."""


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


class Empty(NotRecognised):
    """There is nothing in the file."""


@functools.cache
def formats() -> tuple[Format, ...]:
    """All formats, by name."""
    return tuple(sorted(_loaded(), key=lambda each: each.NAME))


def _loaded() -> Iterator[Format]:
    """All formats by the name of their module; each is loaded when its turn comes."""
    for module in pkgutil.iter_modules(tui.importers.__path__, "tui.importers."):
        loaded = importlib.import_module(module.name)
        if all(hasattr(loaded, name) for name in ("NAME", "ABOUT", "EXAMPLE", "sniff", "read")):
            yield cast(Format, loaded)


def format_lines() -> list[str]:
    """All formats as lines to choose from."""
    return [f"{each.NAME}: {each.ABOUT}" for each in formats()]


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
    """The format that is surest of the head of the file; of several, the first by its module. Where none
    finds its own marks there, the rest is looked through for the lines of a log.

    Raises:
        NotRecognised: when none knows it.
        FileError: when it cannot be read.
    """
    path = source.path
    with reading(path):
        head = source.head()
    if not head.strip(b" \t\r\n\0\xef\xbb\xbf") and source.size <= len(head):
        raise Empty(path, f"{path} is empty: there is nothing to read in it")
    surest, sure = _surest(head, path.name)
    found = (_log_further_on(source) if sure < OWN_MARKS else None) or surest
    if found is None:
        known = ", ".join(each.NAME for each in formats())
        raise NotRecognised(
            path, f"{path} is of no format that is known here; if it is one of {known}, say so with --as"
        )
    return found


def _surest(head: bytes, name: str) -> tuple[Format | None, float]:
    """The format that is surest, and how sure it is; None where none is."""
    surest, sure = None, 0.0
    for each in _loaded():
        here = each.sniff(head, name)
        if here > sure:
            surest, sure = each, here
        if sure >= 1:
            break  # none can be surer, so the others need not be loaded
    return surest, sure


def _log_further_on(source: Source) -> Format | None:
    """The log whose lines stand behind the head of a file; None where there are none."""
    logs = [each for each in formats() if getattr(each, "ANYWHERE", False)]
    with reading(source.path):
        for piece in source.pieces():
            for each in logs:
                if each.sniff(piece, "") > OWN_MARKS:
                    return each
    return None


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
