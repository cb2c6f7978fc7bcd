"""The screen behind all tabs."""

from __future__ import annotations

from textual.geometry import Size
from textual.reactive import reactive
from textual.screen import Screen
from textual.widget import Widget

WIDTHS = [(0, "-narrow"), (80, "-normal"), (110, "-wide")]
HEIGHTS = [(0, "-short"), (30, "-tall")]
"""Classes of the screen from a number of columns or rows on, for the stylesheet."""


class InstrumentScreen(Screen[None]):
    """A change of focus draws the two widgets it concerns anew, not every row of the screen."""

    AUTO_FOCUS = "#intensity"
    BLANK = True

    focused: reactive[Widget | None] = reactive(None, repaint=False)
    behind: reactive[bool] = reactive(False, repaint=False)
    """Whether a dialog has the keys."""

    def on_screen_suspend(self) -> None:
        self.behind = True

    def on_screen_resume(self) -> None:
        self.behind = False

    @classmethod
    def of(cls, size: Size) -> InstrumentScreen:
        """A screen with the classes of its size from the start, so that nothing is styled twice."""
        classes = (
            next(name for least, name in reversed(steps) if length >= least)
            for length, steps in zip(size, (WIDTHS, HEIGHTS), strict=True)
        )
        return cls(id="_default", classes=" ".join(classes))
