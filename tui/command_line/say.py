"""Output of the commands: what a stream cannot carry is written in ASCII."""

from __future__ import annotations

import sys
from typing import TextIO

from tui.terminal.glyphs import to_ascii, writable

OK, FINDINGS, CANNOT, CRASHED = 0, 1, 2, 70
"""Exit statuses: done; done, with findings in the data; usage, or it cannot start; a fault of the program."""


class OutputLost(Exception):
    """Standard output could not be written, a full disk for instance; the text is one sentence."""


def say(text: str, *, ascii_only: bool = False) -> None:
    """Write one text and a line end to standard output."""
    try:
        _write(sys.stdout, to_ascii(text) if ascii_only else text)
    except OSError as error:
        raise _lost(error) from error


def flush() -> None:
    """Hand what was said to the system now, while a failure can still be told."""
    try:
        if sys.stdout is not None:
            sys.stdout.flush()
    except OSError as error:
        raise _lost(error) from error


def _lost(error: OSError) -> Exception:
    if isinstance(error, BrokenPipeError):
        return error  # the reader has seen enough (`| head`): nothing to tell
    return OutputLost(f"the output could not be written: {error.strerror}.")


def complain(text: str, *, command: str = "") -> None:
    """Write one sentence to standard error, named as the program's."""
    name = f"rooflab {command}".rstrip()
    _write(sys.stderr, f"{name}: {text}")


def _write(stream: TextIO | None, text: str) -> None:
    if stream is not None:  # `>&-` leaves none
        stream.write(writable(text, stream.encoding or "ascii") + "\n")
