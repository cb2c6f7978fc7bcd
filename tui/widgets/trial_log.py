"""The table of trials below the lab's plot."""

from __future__ import annotations

from typing import ClassVar

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from rich.text import Text
from textual.binding import Binding
from textual.events import Blur, Focus, MouseScrollDown, MouseScrollUp
from textual.geometry import Region
from textual.strip import Strip
from textual.widget import Widget

from tui.model.trial import Lab, Phase, Trial
from tui.model.verdict import LOG_HEADER, LogRow, log_row

EMPTY = "No trials yet. Three to try: I = 8 with B = 50, then B = 100, then B = 200."
NARROW_BELOW = 80
"""Columns; below, the cap column (always the same) is left out and gaps are one blank."""
NARROW_WORDS = {"attainable": "attain."}
PLAIN = Style()
STYLES = {True: Style(color="green"), False: Style(bold=True), None: PLAIN}
"""Of a row, by whether its prediction was right."""

Line = tuple[str, Style]
"""One row of the table."""


class TrialLog(Widget, can_focus=True):
    """Shows every played trial under one header, newest last and in sight; the keys below read older ones."""

    BINDINGS: ClassVar = [
        Binding("up", "scroll_rows(-1)", show=False),
        Binding("down", "scroll_rows(1)", show=False),
        Binding("pageup", "scroll_pages(-1)", show=False),
        Binding("pagedown", "scroll_pages(1)", show=False),
        Binding("home", "scroll_pages(-1000)", show=False),
        Binding("end", "scroll_pages(1000)", show=False),
    ]

    def __init__(self) -> None:
        super().__init__(id="log")
        self._trials: tuple[Trial, ...] = ()
        self._above = 0
        """Rows of the table that are scrolled out of sight."""
        self._drawn: list[Line] = []
        """What stands on the screen, from the top."""

    def show(self, lab: Lab) -> None:
        """Show the trials of `lab`; the one that plays now is kept back until it has stopped."""
        trials = lab.earlier if lab.phase is Phase.PLAYING else lab.trials
        if trials != self._trials:
            self._trials = trials
            self._above = len(trials)
            self._redraw()

    def on_resize(self) -> None:
        self._above = len(self._trials)
        self._redraw()

    # Reading older ones --------------------------------------------------------------------------

    def action_scroll_rows(self, by: int) -> None:
        self._above += by
        self._redraw()

    def action_scroll_pages(self, by: int) -> None:
        self.action_scroll_rows(by * max(1, self._room - 1))

    def on_mouse_scroll_up(self, event: MouseScrollUp) -> None:
        event.stop()
        self.action_scroll_rows(-1)

    def on_mouse_scroll_down(self, event: MouseScrollDown) -> None:
        event.stop()
        self.action_scroll_rows(1)

    @property
    def _room(self) -> int:
        return max(0, self.size.height - 1)

    # Drawing -------------------------------------------------------------------------------------

    def on_focus(self, event: Focus) -> None:
        """It looks no different with the focus: the four rows that Textual would draw again are not sent."""
        event.prevent_default()
        self.has_focus = True

    def on_blur(self, event: Blur) -> None:
        event.prevent_default()
        self.has_focus = False

    def render_line(self, y: int) -> Strip:
        if not self._drawn:
            self._drawn = self._lines()
        text, style = self._drawn[y] if y < len(self._drawn) else ("", PLAIN)
        return Strip([Segment(text, self.rich_style + style)]).adjust_cell_length(
            self.size.width, self.rich_style
        )

    def _redraw(self) -> None:
        """Draw the rows that have changed, as far as there is something on them."""
        before, self._drawn = self._drawn, self._lines()
        regions = []
        for row in range(min(self.size.height, max(len(before), len(self._drawn)))):
            old, new = (lines[row] if row < len(lines) else ("", PLAIN) for lines in (before, self._drawn))
            if old != new:
                regions.append(Region(0, row, max(cell_len(old[0]), cell_len(new[0])), 1))
        if regions:
            self.refresh(*regions)

    def _lines(self) -> list[Line]:
        if not self._trials:
            return [
                (line.plain, PLAIN) for line in Text(EMPTY).wrap(self.app.console, max(1, self.size.width))
            ]
        rows = [log_row(trial) for trial in self._trials]
        head, *table = render_log(rows, narrow=self.app.size.width < NARROW_BELOW)
        self._above = max(0, min(self._above, len(table) - self._room))
        return [head, *table[self._above : self._above + self._room]]


def render_log(rows: list[LogRow], *, narrow: bool) -> list[Line]:
    """The header and one line for each row, columns aligned; a miss and a hit differ by glyph and colour."""
    keep = [index for index, name in enumerate(LOG_HEADER) if not (narrow and name == "cap")]
    header = [NARROW_WORDS.get(LOG_HEADER[i], LOG_HEADER[i]) if narrow else LOG_HEADER[i] for i in keep]
    body = [[row.cells[i] for i in keep] for row in rows]
    widths = [max(len(line[column]) for line in [header, *body]) for column in range(len(keep))]
    gap = " " if narrow else "  "

    def line(cells: list[str]) -> str:
        return gap.join(cell.ljust(width) for cell, width in zip(cells, widths, strict=True)).rstrip()

    table = [(line(cells), STYLES[row.right]) for row, cells in zip(rows, body, strict=True)]
    return [(line(header), Style(dim=True)), *table]
