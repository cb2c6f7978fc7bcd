"""How the app looks: the terminal's own colours, Unicode or ASCII, styles that come when they are needed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from textual.filter import LineFilter
from textual.reactive import Reactive

from tui.terminal.ascii_filter import AsciiFilter
from tui.widgets.commanded import Commanded
from tui.widgets.instrument_screen import HEIGHTS, WIDTHS, InstrumentScreen

LATE_STYLES = Path(__file__).parent.with_name("late.tcss")
"""Rules of everything that is not on the first screen."""


class Look(Commanded):
    """An app in the look of the instrument.

    Args:
        ascii_only: draw with ASCII at first; a key changes it.
    """

    CSS_PATH = Path(__file__).parent.with_name("app.tcss")

    theme = Reactive("ansi-dark")
    """Here and not set in the constructor: a theme that is set has every style sheet parsed once more."""

    def __init__(self, *, ascii_only: bool) -> None:
        # Native ANSI colours from the start: they follow the terminal's own palette, light or dark, and
        # under NO_COLOR Textual then removes them altogether instead of turning them grey on grey.
        super().__init__(ansi_color=True)
        self.HORIZONTAL_BREAKPOINTS = WIDTHS
        self.VERTICAL_BREAKPOINTS = HEIGHTS
        self._ascii = ascii_only
        self._ascii_filter = AsciiFilter()

    def get_default_screen(self) -> InstrumentScreen:
        return InstrumentScreen.of(self.size)

    def get_line_filters(self) -> list[LineFilter]:
        filters = list(super().get_line_filters())
        return [*filters, self._ascii_filter] if self._ascii else filters

    def swap_glyphs(self) -> None:
        """Change between Unicode and ASCII."""
        self._ascii = not self._ascii
        self.refresh_css(animate=False)
        for widget in self.screen.walk_children():
            widget.refresh()

    def load_late_styles(self) -> None:
        """Read the rules that the first screen does not need."""
        if not self.stylesheet.has_source(str(LATE_STYLES)):
            self.stylesheet.read(LATE_STYLES)
            self.stylesheet.parse()

    def push_screen(self, *args: Any, **kwargs: Any) -> Any:
        self.load_late_styles()
        return super().push_screen(*args, **kwargs)
