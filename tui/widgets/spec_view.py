"""A plot that stands still, drawn from a `PlotSpec`."""

from __future__ import annotations

from typing import ClassVar

from rich.segment import Segment
from rich.style import Style
from textual.geometry import Region
from textual.strip import Strip
from textual.widget import Widget

from tui.plotting import canvas
from tui.plotting.compose import Picture, draw
from tui.plotting.reveal import changed
from tui.plotting.spec import STYLES, PlotSpec


class SpecView(Widget):
    """Shows a plot, nothing while there is none to show."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {f"plot--{style}" for style in STYLES if style}

    def __init__(self) -> None:
        super().__init__(id="runs-plot")
        self._spec: PlotSpec | None = None
        self._picture: Picture | None = None
        self._unavailable = False
        self._styles_by_name: dict[str, Style] = {}

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

    def notify_style_update(self) -> None:
        super().notify_style_update()
        self._styles_by_name.clear()

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
        segments = [Segment(text, self._style(name)) for text, name in runs]
        return Strip(segments).adjust_cell_length(self.size.width, self._style(""))

    def _style(self, name: str) -> Style:
        if name not in self._styles_by_name:
            self._styles_by_name[name] = (
                self.get_component_rich_style(f"plot--{name}") if name else self.rich_style
            )
        return self._styles_by_name[name]
