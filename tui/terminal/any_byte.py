"""Bytes that are no UTF-8, as a Latin-1 paste sends them: shown as replacement characters.

Textual decodes what the terminal sends strictly, and the first byte that is no UTF-8 ends its input thread
and with it the program.
"""

from __future__ import annotations

import codecs
from functools import partial

from textual.drivers import linux_driver


def take_any_byte() -> None:
    """Have Textual's driver decode its input with replacement characters; before the app is run.

    The decoder is made inside the method that reads the terminal, so a subclass of the driver would have to
    repeat the whole of it. Of the module only the name that it makes the decoder with is replaced.
    """
    linux_driver.getincrementaldecoder = _tolerant  # type: ignore[attr-defined, assignment]


def _tolerant(encoding: str) -> partial[codecs.IncrementalDecoder]:
    return partial(codecs.getincrementaldecoder(encoding), errors="replace")
