"""A hand-in as a block of text for a mail, and hand-ins found in mail, however often it was quoted.

The block is the compressed file in base 64, in lines short enough that no quoting breaks them, without the
"=" signs that mail programs rewrite.
"""

from __future__ import annotations

import base64
import binascii
import re
import zlib
from collections.abc import Iterator

from tui.guide.handin import MOST_BYTES, NotHandin

BEGIN, END = "-----BEGIN ROOFLAB HAND-IN-----", "-----END ROOFLAB HAND-IN-----"
_WIDTH = 64
_QUOTES = re.compile(r"[\s>|]*")


def block(data: bytes) -> str:
    """The bytes of a hand-in as text, between a line that begins it and one that ends it."""
    text = base64.b64encode(zlib.compress(data, 9)).decode("ascii").rstrip("=")
    lines = [text[start : start + _WIDTH] for start in range(0, len(text), _WIDTH)]
    return "\n".join([BEGIN, *lines, END])


def find_blocks(text: str) -> Iterator[bytes | NotHandin]:
    """The bytes of every block in a text, in order, or why one has none."""
    gathered: list[str] | None = None
    for raw in text.splitlines():
        line = _QUOTES.sub("", raw, count=1).rstrip()
        if line == BEGIN:
            if gathered is not None:
                yield _CUT
            gathered = []
        elif gathered is not None and line == END:
            yield _unpacked("".join(gathered))
            gathered = None
        elif gathered is not None:
            gathered.append(line)
    if gathered is not None:
        yield _CUT


_CUT = NotHandin("the text block is cut off")


def _unpacked(text: str) -> bytes | NotHandin:
    try:
        packed = base64.b64decode(text + "=" * (-len(text) % 4), validate=True)
        machine = zlib.decompressobj()
        data = machine.decompress(packed, MOST_BYTES + 1)
    except (binascii.Error, zlib.error, ValueError):
        return NotHandin("the text block was changed on its way")
    if len(data) > MOST_BYTES:
        return NotHandin(f"the text block unpacks to more than {MOST_BYTES >> 20} MiB")
    return data if machine.eof else NotHandin("the text block is cut off")
