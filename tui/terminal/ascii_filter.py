"""The ASCII screen: one filter behind every widget, so that no widget needs a second set of glyphs."""

from __future__ import annotations

from rich.segment import Segment
from textual.color import Color
from textual.filter import LineFilter

from tui.terminal.glyphs import fit_ascii


class AsciiFilter(LineFilter):
    """Sends no byte above 0x7F; every segment keeps its style and its cells.

    Return it last from `App.get_line_filters`, and only while ASCII is wanted.
    """

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        """The segments in ASCII; `background` is not needed."""
        return [
            segment
            if segment.text.isascii() or segment.control
            else Segment(fit_ascii(segment.text, segment.cell_length), segment.style)
            for segment in segments
        ]
