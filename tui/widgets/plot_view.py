"""The lab's plot on the screen: one or two views of a scene, and the animation of Play.

The animation lives here and nowhere else. Two pictures are made once per trial and a frame is a function of
the time that has passed, so late ticks are skipped and a resize in the middle goes on where it was. Only
the cells that changed are drawn again. Textual sends a changed row from the left edge of its widget to the
last changed cell, so the plot is drawn by a few narrow slices side by side: a third fewer bytes a second.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from rich.segment import Segment
from textual.app import ComposeResult
from textual.geometry import Region, Size
from textual.strip import Strip
from textual.timer import Timer
from textual.widget import Widget

from tui.events import Played
from tui.plotting import canvas
from tui.plotting.compose import Picture, draw
from tui.plotting.reveal import Reveal, changed
from tui.plotting.roofline import Scene, View, after, before, motion
from tui.plotting.spec import PlotSpec
from tui.widgets.did import Did
from tui.widgets.plot_styles import PLOT_STYLES

DURATION = 2.0
"""Seconds of one Play."""
FRAMES_PER_SECOND = 10
BOTH_FROM = 110
"""Columns from which both views stand side by side."""
GAP = 2
KEPT = 4
"""Pictures that are kept: before and after Play, in both views."""
SLICES = 3
"""Narrow widgets that the plot is drawn by; five save no more bytes and cost more time."""


class Pane(NamedTuple):
    """One view's part of the widget: its first column and the picture drawn there."""

    view: View
    left: int
    picture: Picture


class Slice(Widget):
    """Some columns of the plot that it stands in."""

    DEFAULT_CSS = "Slice { width: 1fr; height: 100%; }"

    def render_line(self, y: int) -> Strip:
        plot = self.parent
        assert isinstance(plot, PlotView)
        return plot.line(y, self.region.x - plot.region.x, self.size.width)


class PlotView(Widget):
    """Shows a scene still, or plays it.

    Args:
        now: the clock the animation follows, seconds.
    """

    DEFAULT_CSS = "PlotView { layout: horizontal; }"
    BLANK = True

    def __init__(self, now: Callable[[], float]) -> None:
        super().__init__(id="plot")
        self._now = now
        self._scene = Scene(cap=1000.0)
        self._view: View = "response"
        self._panes: list[Pane] = []
        self._reveals: list[Reveal] = []
        self._timer: Timer | None = None
        self._played_for = 0.0
        """Seconds of the running Play until it was last paused."""
        self._since: float | None = None
        """The clock when the running Play started or went on; None while it is paused or nothing plays."""
        self._unavailable = ""
        self._drawn_for = Size(0, 0)
        """The size that the panes were made for."""
        self._slices = [Slice() for _ in range(SLICES)]
        self._pictures: dict[tuple[PlotSpec, int, int, bool], Picture] = {}
        """The last ones made: Play starts from the one on the screen, and both views come back by turns."""

    def compose(self) -> ComposeResult:
        yield from self._slices

    # What the tab asks for -----------------------------------------------------------------------

    def show(self, scene: Scene) -> None:
        """Show a scene as it stands, without an animation."""
        if scene == self._scene and not self.playing:
            return
        self._stop()
        self._scene = scene
        self._redraw()

    def play(self, scene: Scene) -> None:
        """Animate the scene's current trial; posts `Played` once when it has ended."""
        self._stop()
        self._scene = scene
        self._played_for, self._since = 0.0, self._now()
        self._timer = self.set_interval(1 / FRAMES_PER_SECOND, self._tick)
        # Made with the first frame: what the key that started it changes is on the screen before that.
        self._reveals = []
        if self.app.animation_level == "none":
            self.skip()

    def skip(self) -> None:
        """Go to the last frame of a running Play; nothing happens when none runs."""
        if self._timer is not None:
            self._finish()

    def next_view(self) -> None:
        """Change between the views; with both on the screen they change sides."""
        self._view = "roof" if self._view == "response" else "response"
        self._redraw()

    def curves_ready(self, unavailable: str) -> None:
        """plotext is loaded, or cannot be: then its sentence stands in the place of the curves."""
        self._unavailable = unavailable
        self._redraw()

    @property
    def playing(self) -> bool:
        """Whether an animation runs or is paused."""
        return self._timer is not None

    # The clock -----------------------------------------------------------------------------------

    @property
    def _progress(self) -> float:
        running = 0.0 if self._since is None else self._now() - self._since
        return min(1.0, (self._played_for + running) / DURATION)

    def _tick(self) -> None:
        if self._since is None:
            return
        if self._progress >= 1.0:
            self._finish()
        else:
            self._draw_frame()

    def _finish(self) -> None:
        self._stop()
        if self._reveals:
            self._show_panes(self._with_pictures([reveal.after for reveal in self._reveals]))
        else:
            self._redraw()
        # A timer's callback runs in the context of whoever started it, here the app; a message that seems to
        # come from the app would not climb to it.
        self.post_message(Did(Played()).set_sender(self))

    def _stop(self) -> None:
        if self._timer is not None:
            self._timer.stop()
        self._timer, self._since, self._played_for = None, None, 0.0

    def on_hide(self) -> None:
        """A hidden tab's timers keep running, so the animation waits by itself."""
        if self._since is not None:
            self._played_for += self._now() - self._since
            self._since = None

    def on_show(self) -> None:
        if self.playing and self._since is None:
            self._since = self._now()

    # Drawing -------------------------------------------------------------------------------------

    def on_resize(self) -> None:
        if self._drawn_for != self.size:
            self._redraw()

    def line(self, y: int, left: int, width: int) -> Strip:
        """Some columns of one row of the plot, for a slice."""
        if self._drawn_for != self.size:
            # The slices draw before the resize is heard of: the plot then stands in the very first frame.
            self._redraw()
        segments: list[Segment] = []
        column, end = left, left + width
        for pane in self._panes:
            start = max(column, pane.left)
            if start >= end or y >= pane.picture.height:
                continue
            if start > column:
                segments.append(Segment(" " * (start - column), PLOT_STYLES[""]))
            runs = pane.picture.runs(y, start - pane.left, end - pane.left)
            segments += [Segment(text, PLOT_STYLES[name]) for text, name in runs]
            column = max(column, min(end, pane.left + pane.picture.width))
        return Strip(segments, column - left).adjust_cell_length(width, PLOT_STYLES[""])

    def _redraw(self) -> None:
        """Make the pictures anew for this scene and size, and show the frame that is due."""
        if not self.size:
            return
        self._drawn_for = self.size
        places = self._places()
        if self.playing:
            self._reveals = [self._reveal(view, width) for view, _, width in places]
            pictures = [reveal.frame(self._progress) for reveal in self._reveals]
        else:
            make = after if self._scene.current else before
            pictures = [self._draw(make, view, width) for view, _, width in places]
        self._show_panes(
            [Pane(view, left, picture) for (view, left, _), picture in zip(places, pictures, strict=True)]
        )

    def _draw_frame(self) -> None:
        if not self._reveals:
            self._redraw()
            return
        progress = self._progress
        self._show_panes(self._with_pictures([reveal.frame(progress) for reveal in self._reveals]))

    def _with_pictures(self, pictures: list[Picture]) -> list[Pane]:
        return [
            Pane(pane.view, pane.left, picture) for pane, picture in zip(self._panes, pictures, strict=True)
        ]

    def _show_panes(self, panes: list[Pane]) -> None:
        previous, self._panes = self._panes, panes
        if [(p.view, p.left) for p in previous] != [(p.view, p.left) for p in panes]:
            for part in self._slices:
                part.refresh()
            return
        cells = [
            Region(new.left + start, row, end - start, 1)
            for old, new in zip(previous, panes, strict=True)
            for row, start, end in changed(old.picture, new.picture)
        ]
        left = self.region.x
        for part in self._slices if cells else ():
            place = part.region
            own = [each.translate((left - place.x, 0)).intersection(place.size.region) for each in cells]
            if any(own):
                part.refresh(*filter(None, own))

    def _places(self) -> list[tuple[View, int, int]]:
        """View, first column and width of each picture."""
        width = self.size.width
        if width < BOTH_FROM:
            return [(self._view, 0, width)]
        other: View = "roof" if self._view == "response" else "response"
        half = (width - GAP) // 2
        return [(self._view, 0, half), (other, half + GAP, width - half - GAP)]

    def _reveal(self, view: View, width: int) -> Reveal:
        pictures = self._draw(before, view, width), self._draw(after, view, width)
        return Reveal(*pictures, motion(self._scene, view))

    def _draw(self, make: Callable[[Scene, View], PlotSpec], view: View, width: int) -> Picture:
        curves = canvas.loaded() and not self._unavailable
        key = (make(self._scene, view), width, self.size.height, curves)
        if key not in self._pictures:
            self._pictures = dict([*self._pictures.items()][1 - KEPT :])
            self._pictures[key] = draw(*key[:3], curves=curves)
        return self._pictures[key]
