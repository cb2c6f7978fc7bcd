"""A plot that stands still, drawn from a `PlotSpec`."""

from __future__ import annotations

from rich.segment import Segment
from textual.geometry import Region
from textual.strip import Strip
from textual.widget import Widget

from tui.plotting import canvas
from tui.plotting.compose import Picture, draw
from tui.plotting.reveal import changed
from tui.plotting.spec import PlotSpec
from tui.widgets.plot_styles import PLOT_STYLES


class SpecView(Widget):
    """Shows a plot, nothing while there is none to show."""

    def __init__(self) -> None:
        super().__init__(id="runs-plot")
        self._spec: PlotSpec | None = None
        self._picture: Picture | None = None
        self._unavailable = False

    def show(self, spec: PlotSpec | None) -> None:
        """Show another plot."""
        if spec != self._spec:
            self._spec = spec
            self._redraw()

    def curves_ready(self, unavailable: str) -> None:
        """plotext is loaded, or cannot be: the points stand in either case."""
        self._unavailable = bool(unavailable)
        self._redraw()

    def on_resize(self) -> None:
        self._redraw()

    def _redraw(self) -> None:
        before, self._picture = self._picture, None
        if self._spec is not None and self.size:
            curves = canvas.loaded() and not self._unavailable
            self._picture = draw(self._spec, self.size.width, self.size.height, curves=curves)
        if before is None or self._picture is None or before.geometry.width != self._picture.geometry.width:
            self.refresh()
            return
        rows = changed(before, self._picture)
        regions = [Region(start, row, end - start, 1) for row, start, end in rows]
        if regions:
            self.refresh(*regions)

    def render_line(self, y: int) -> Strip:
        picture = self._picture
        runs = picture.runs(y) if picture is not None and y < picture.height else []
        segments = [Segment(text, PLOT_STYLES[name]) for text, name in runs]
        return Strip(segments).adjust_cell_length(self.size.width, PLOT_STYLES[""])
