"""Every glyph in ASCII, one cell for one cell, so that a picture stays the picture.

A font or a line that cannot carry box drawing and braille gets letters and signs instead. Braille is
read by its dots: where they sit and which way they lean, so a curve still reads as a curve. What tells
two marks apart by shape in Unicode tells them apart in ASCII: `─` a rule, `╌` a cap, `·` a ghost. A wrong
answer is a capital X, because the small one stands for a product.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache

_BRAILLE = 0x2800

# Rows of the dots in a braille cell, from the top; bit order as in the Unicode code chart (U+2800).
_LEFT_BITS = ((0x01, 0), (0x02, 1), (0x04, 2), (0x40, 3))
_RIGHT_BITS = ((0x08, 0), (0x10, 1), (0x20, 2), (0x80, 3))

_SIGNS = {
    "\u00a0": " ",
    "·⋅∙": ".",
    "•★☆✦◆✱∗": "*",
    "–—−‐‑‒―╴╶╸╺╼╾⎯": "-",
    "‘’‚′‹›´": "'",
    "“”„″«»": '"',
    "…": ".",
    "×╳": "x",
    "✗✘✕✖": "X",
    "✓✔☑": "+",
    "±∓": "+",
    "÷⁄∕╱": "/",
    "╲": "\\",
    "≤←◀◁◂◄⟵⇐⏎↵↩⌫": "<",
    "≥→▶▷▸►⟶⇒❯": ">",
    "↑▲△▴⇑⌃": "^",
    "↓▼▽▾⇓": "v",
    "↔⇔": "-",
    "↕": "|",
    "≈∼": "~",
    "≠⚠": "!",
    "≡": "=",
    "●⏺": "o",
    "○◯◌⭘": "O",
    "◇◈": "<",
    "■◼▪": "#",
    "□◻▫☐": "o",
    "°": "o",
    "√": "V",
    "∞": "8",
    "∑Σ": "S",
    "Δ∆": "D",
    "µμ": "u",
    "η": "n",
    "σ": "s",
    "π": "p",
    "α": "a",
    "β": "b",
    "γ": "g",
    "λ": "l",
    "ω": "w",
    "┄┅╌╍": "=",
    "┈┉": ".",
    "╎╏┆┇┊┋": ":",
    "│┃║╵╷╹╻╽╿▏▎▍▌▐▕⎸": "|",
    "─━": "-",
    "═": "=",
    "▔": "-",
    "▁▂▃▄▖▗": "_",
    "▀▘▝": '"',
    "▚": "\\",
    "▞": "/",
    "░": ":",
}

_TABLE = {ord(glyph): ascii_ for glyphs, ascii_ in _SIGNS.items() for glyph in glyphs}

# A dot between two words or numbers multiplies them (I·B); anywhere else it separates or is a mark.
_PRODUCT = re.compile(r"(?<=[^\W_])[·⋅](?=[^\W_])")


def to_ascii(text: str) -> str:
    """`text` with every character above 0x7F replaced, each by as many characters as it takes cells."""
    if text.isascii():
        return text
    return "".join(map(_ascii_of, _PRODUCT.sub("*", text)))


def fit_ascii(text: str, cells: int) -> str:
    """`to_ascii` in exactly `cells` characters, for a screen that has measured the text already."""
    return to_ascii(text)[:cells].ljust(cells)


@lru_cache(maxsize=2048)
def _ascii_of(character: str) -> str:
    code = ord(character)
    if code < 0x80:
        return character
    if code in _TABLE:
        return _TABLE[code]
    if _BRAILLE <= code < _BRAILLE + 0x100:
        return _ascii_of_dots(code - _BRAILLE)
    if 0x2500 <= code <= 0x257F:
        return "+"  # what is left of box drawing: corners, tees and crosses
    if 0x2580 <= code <= 0x259F or 0x1FB00 <= code <= 0x1FB3B:
        return "#"
    return _ascii_of_letter(character)


def _ascii_of_letter(character: str) -> str:
    cells = _cells(character)
    parts = unicodedata.normalize("NFKD", character)
    plain = [part for part in parts if part.isascii() and part.isprintable()]
    if len(plain) == cells:
        return "".join(plain)
    return "?" * cells


def _cells(character: str) -> int:
    if unicodedata.category(character) in ("Mn", "Me", "Cf", "Cc"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in ("W", "F") else 1


def _ascii_of_dots(bits: int) -> str:
    """The sign that sits and leans most like the dots of one braille cell."""
    left = _rows(bits, _LEFT_BITS)
    right = _rows(bits, _RIGHT_BITS)
    count = len(left) + len(right)
    if count == 0:
        return " "
    if count >= 6:
        return "#"
    if not left or not right:
        return _ascii_of_column(left or right)
    lean = _mean(left) - _mean(right)
    if abs(lean) >= 1.5:
        return "/" if lean > 0 else "\\"
    if count >= 5:
        return "*"
    return _ascii_of_height(_mean([*left, *right]))


def _ascii_of_column(rows: list[int]) -> str:
    if len(rows) == 1:
        return "'" if rows[0] < 2 else "."
    touching = rows[-1] - rows[0] == len(rows) - 1
    return "|" if touching else ":"


def _ascii_of_height(row: float) -> str:
    if row < 0.75:
        return '"'
    return "-" if row <= 2.25 else "_"


def _rows(bits: int, column: Iterable[tuple[int, int]]) -> list[int]:
    return [row for bit, row in column if bits & bit]


def _mean(rows: list[int]) -> float:
    return sum(rows) / len(rows)


def writable(text: str, encoding: str) -> str:
    """`text` as a stream of this encoding can carry it: as it is, or in ASCII."""
    try:
        text.encode(encoding)
    except (UnicodeEncodeError, LookupError):
        return to_ascii(text)
    return text
