"""The table of trials below the lab's plot."""

from __future__ import annotations

from rich.text import Text
from textual.app import ComposeResult
from textual.containers import Vertical, VerticalScroll
from textual.widgets import Static

from tui.model.trial import Lab, Phase, Trial
from tui.model.verdict import LOG_HEADER, LogRow, log_row

EMPTY = "No trials yet. Three to try: I = 8 with B = 50, then B = 100, then B = 200."
NARROW_BELOW = 80
"""Columns; below, the cap column (always the same) is left out and gaps are one blank."""
NARROW_WORDS = {"attainable": "attain."}


class TrialLog(Vertical):
    """Shows every played trial, newest last, scrolled to the newest; PgUp and PgDn read the older ones."""

    def __init__(self) -> None:
        super().__init__(id="log")
        self._lab = Lab()
        self._shown: tuple[tuple[Trial, ...], int] = ((), 0)
        """The trials on the screen, and the width they were laid out for."""

    def compose(self) -> ComposeResult:
        head = Static("", markup=False, id="log-head")
        head.display = False
        yield head
        with VerticalScroll(id="log-body"):
            yield Static(EMPTY, markup=False, id="log-rows")

    @property
    def body(self) -> VerticalScroll:
        """The scrolling part; it takes the focus while the fields are locked."""
        return self.query_one("#log-body", VerticalScroll)

    def show(self, lab: Lab) -> None:
        """Show the trials of `lab`; the one that plays now is kept back until it has stopped."""
        self._lab = lab
        self._redraw()

    def on_resize(self) -> None:
        self._redraw()

    def _redraw(self) -> None:
        played = self._lab.earlier if self._lab.phase is Phase.PLAYING else self._lab.trials
        wanted = (played, self.app.size.width if played else 0)
        if wanted == self._shown:
            return
        self._shown = wanted
        head, rows = self.query_one("#log-head", Static), self.query_one("#log-rows", Static)
        head.display = bool(played)
        if not played:
            rows.update(EMPTY)
            return
        table = render_log([log_row(trial) for trial in played], narrow=self.app.size.width < NARROW_BELOW)
        head.update(table[0])
        rows.update(Text("\n").join(table[1:]))
        self.body.scroll_end(animate=False)


def render_log(rows: list[LogRow], *, narrow: bool) -> list[Text]:
    """The header and one line for each row, columns aligned; a miss and a hit differ by glyph and colour."""
    keep = [index for index, name in enumerate(LOG_HEADER) if not (narrow and name == "cap")]
    header = [NARROW_WORDS.get(LOG_HEADER[i], LOG_HEADER[i]) if narrow else LOG_HEADER[i] for i in keep]
    body = [[row.cells[i] for i in keep] for row in rows]
    widths = [max(len(line[column]) for line in [header, *body]) for column in range(len(keep))]
    gap = " " if narrow else "  "

    def line(cells: list[str]) -> str:
        return gap.join(cell.ljust(width) for cell, width in zip(cells, widths, strict=True)).rstrip()

    rendered = [Text(line(header), style="dim", no_wrap=True)]
    for row, cells in zip(rows, body, strict=True):
        style = {True: "green", False: "bold", None: ""}[row.right]
        rendered.append(Text(line(cells), style=style, no_wrap=True))
    return rendered
