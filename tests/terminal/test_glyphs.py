"""ASCII for every glyph: cell for cell, and what differs by shape still differs."""

from __future__ import annotations

import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual.color import Color

from tui.terminal.ascii_filter import AsciiFilter
from tui.terminal.glyphs import to_ascii, writable


def braille(*dots: int) -> str:
    """The character with these dots, numbered as in the Unicode chart."""
    return chr(0x2800 + sum(1 << dot - 1 for dot in dots))


@pytest.mark.parametrize(
    ("unicode", "ascii_"),
    [
        ("1600 = I·B", "1600 = I*B"),
        ("t0·d0/(t·d)", "t0*d0/(t*d)"),
        ("one · two", "one . two"),
        ("400 ✓", "400 +"),
        ("1600 ✗ 2×", "1600 X 2x"),
        ("▒▒", "##"),
        ("a ≤ b ≥ c − d – e", "a < b > c - d - e"),
        ("└─┬─┤│┼╌", "+-+-+|+="),
        ("█▌▄▀▁", '#|_"_'),
        ("●○", "oO"),
        ("▲▼◀▶ ↑↓←→", "^v<> ^v<>"),
        ("“x” ‘y’ … µs", "\"x\" 'y' . us"),
        ("é ü ₂ ² ½", "e u 2 2 ?"),
        ("平均 w", "???? w"),
        ("plain", "plain"),
    ],
)
def test_text(unicode, ascii_):
    assert to_ascii(unicode) == ascii_


@pytest.mark.parametrize(
    ("dots", "sign"),
    [
        ((), " "),
        ((1, 4), '"'),
        ((2, 5), "-"),
        ((3, 6), "-"),
        ((7, 8), "_"),
        ((3, 5), "-"),
        ((7, 6), "_"),
        ((7, 4), "/"),
        ((1, 8), "\\"),
        ((1, 2, 3, 7), "|"),
        ((4, 5), "|"),
        ((1, 3), ":"),
        ((1,), "'"),
        ((8,), "."),
        ((1, 2, 3, 4, 5, 6, 7, 8), "#"),
    ],
)
def test_braille_is_read_by_its_dots(dots, sign):
    assert to_ascii(braille(*dots)) == sign


def test_a_rising_curve_rises():
    heights = {"_": 0, ".": 0, "-": 1, "'": 2, '"': 2}
    curve = to_ascii("⣀⣀⠤⠤⠒⠒⠉⠉")
    assert [heights[sign] for sign in curve] == sorted(heights[sign] for sign in curve)
    assert len(set(curve)) == 3


def test_the_parts_of_a_plot_stay_apart():
    axis, cap, curve, ghost, boundary, point = (to_ascii(glyph) for glyph in "─╌⠒⠂┊●")
    assert len({cap, ghost, boundary, point, axis}) == 5
    assert curve != cap
    assert to_ascii("✓") != to_ascii("✗")


def test_every_character_takes_as_many_cells_as_before():
    for code in (*range(0x80, 0x3400), *range(0x1F000, 0x20000)):
        character = chr(code)
        shown = to_ascii(character)
        assert shown.isascii(), hex(code)
        assert shown.isprintable(), hex(code)
        if 0x2000 <= code < 0x3000 and character.isprintable():
            assert len(shown) == 1 or len(shown) == cell_len(character), hex(code)


@given(st.text(st.characters(exclude_categories=["Cs", "Cc"], max_codepoint=sys.maxunicode)))
def test_the_filter_keeps_cells_and_style(text):
    style = Style(bold=True)
    segment = Segment(text, style)
    (shown,) = AsciiFilter().apply([segment], Color(0, 0, 0))
    assert shown.text.isascii()
    assert shown.cell_length == segment.cell_length
    assert shown.style == style


def test_the_filter_leaves_ascii_and_controls_alone():
    plain, control = Segment("plain"), Segment.line()
    assert AsciiFilter().apply([plain, control], Color(0, 0, 0)) == [plain, control]


@pytest.mark.parametrize(
    ("encoding", "shown"),
    [("utf-8", "I·B ✓"), ("ascii", "I*B +"), ("latin-1", "I*B +"), ("klingon", "I*B +")],
)
def test_what_a_stream_can_carry(encoding, shown):
    assert writable("I·B ✓", encoding) == shown
