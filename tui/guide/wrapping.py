"""Text for a screen: paragraphs are filled to its width, tables and code stay as they are.

Control characters are taken out of whatever a script says, so that no text can do anything to a
terminal; markup means nothing to those who print these lines.
"""

from __future__ import annotations

import textwrap
import unicodedata
from collections.abc import Iterator


def paragraphs(text: str) -> Iterator[tuple[list[str], bool]]:
    """The blocks between blank lines, and whether each is filled: one with columns in it is not."""
    block: list[str] = []
    for line in [*clean(text).split("\n"), ""]:
        if line.strip():
            block.append(line.rstrip())
        elif block:
            yield block, not any(_has_columns(each) for each in block)
            block = []


def _has_columns(line: str) -> bool:
    return line.startswith(("  ", "|")) or "   " in line


def wrap(text: str, width: int, indent: str = "") -> list[str]:
    """The lines of a text, each at most `width` columns unless it has columns of its own."""
    lines: list[str] = []
    for block, wraps in paragraphs(text):
        if lines:
            lines.append("")
        if wraps:
            filled = textwrap.wrap(
                " ".join(block), max(8, width - len(indent)), break_long_words=True, break_on_hyphens=False
            )
            lines += [indent + line for line in filled]
        else:
            lines += [indent + line for line in block]
    return lines


def hang(label: str, text: str, width: int) -> list[str]:
    """A labelled text whose further lines are indented below its first word."""
    lines = wrap(text, width, " " * len(label)) or [" " * len(label)]
    return [label + lines[0][len(label) :], *lines[1:]]


def clean(text: str) -> str:
    """The text without control and formatting characters; line ends stay."""
    return "".join(c for c in text if c == "\n" or not unicodedata.category(c).startswith("C"))
