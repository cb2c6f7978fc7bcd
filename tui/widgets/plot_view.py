"""The lab's plot on the screen: one or two views of a scene, and the animation of Play.

The animation lives here and nowhere else. Two pictures are made once per trial and a frame is a function of
the time that has passed, so late ticks are skipped and a resize in the middle goes on where it was. Only
the cells that changed are drawn again: Textual sends a changed row from its first changed cell on.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

from rich.segment import Segment
from rich.style import Style
from textual.binding import Binding
from textual.geometry import Region
from textual.strip import Strip
from textual.timer import Timer
from textual.widget import Widget

from tui.events import Played
from tui.plotting import canvas
from tui.plotting.compose import Picture, draw
from tui.plotting.reveal import Reveal, changed
from tui.plotting.roofline import Scene, View, after, before, motion
from tui.plotting.spec import STYLES, PlotSpec
from tui.widgets.did import Did

DURATION = 2.0
"""Seconds of one Play."""
FRAMES_PER_SECOND = 10
BOTH_FROM = 110
"""Columns from which both views stand side by side."""
GAP = 2


@dataclass(frozen=True)
class Pane:
    """One view's part of the widget: its first column and the picture drawn there."""

    view: View
    left: int
    picture: Picture


class PlotView(Widget, can_focus=True):
    """Shows a scene still, or plays it.

    Args:
        now: the clock the animation follows, seconds.
    """

    BINDINGS: ClassVar = [Binding("enter", "skip", "skip to the end", show=False)]
    COMPONENT_CLASSES: ClassVar[set[str]] = {f"plot--{style}" for style in STYLES if style}

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
        self._styles_by_name: dict[str, Style] = {}

    # What the tab asks for -----------------------------------------------------------------------

    def show(self, scene: Scene) -> None:
        """Show a scene as it stands, without an animation."""
        self._stop()
        self._scene = scene
        self._redraw()

    def play(self, scene: Scene) -> None:
        """Animate the scene's current trial; posts `Played` once when it has ended."""
        self._stop()
        self._scene = scene
        self._played_for, self._since = 0.0, self._now()
        self._timer = self.set_interval(1 / FRAMES_PER_SECOND, self._tick)
        self._redraw()
        if self.app.animation_level == "none":
            self.skip()

    def action_skip(self) -> None:
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
        self._show_panes(self._with_pictures([reveal.after for reveal in self._reveals]))
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
        self._redraw()

    def notify_style_update(self) -> None:
        super().notify_style_update()
        self._styles_by_name.clear()

    def render_line(self, y: int) -> Strip:
        segments: list[Segment] = []
        column = 0
        for pane in self._panes:
            if y >= pane.picture.height:
                continue
            if pane.left > column:
                segments.append(Segment(" " * (pane.left - column), self._style("")))
            segments += [Segment(text, self._style(name)) for text, name in pane.picture.runs(y)]
            column = pane.left + pane.picture.width
        return Strip(segments, column).adjust_cell_length(self.size.width, self._style(""))

    def _style(self, name: str) -> Style:
        if name not in self._styles_by_name:
            component = f"plot--{name}"
            self._styles_by_name[name] = (
                self.get_component_rich_style(component) if name else self.rich_style
            )
        return self._styles_by_name[name]

    def _redraw(self) -> None:
        """Make the pictures anew for this scene and size, and show the frame that is due."""
        places = self._places()
        if self.playing:
            self._reveals = [self._reveal(view, width) for view, _, width in places]
            self._panes = [
                Pane(view, left, reveal.before)
                for (view, left, _), reveal in zip(places, self._reveals, strict=True)
            ]
            self._draw_frame()
            self.refresh()
            return
        make = after if self._scene.current else before
        self._show_panes([Pane(view, left, self._draw(make, view, width)) for view, left, width in places])

    def _draw_frame(self) -> None:
        progress = self._progress
        self._show_panes(self._with_pictures([reveal.frame(progress) for reveal in self._reveals]))

    def _with_pictures(self, pictures: list[Picture]) -> list[Pane]:
        return [
            Pane(pane.view, pane.left, picture)
            for pane, picture in zip(self._panes, pictures, strict=True)
        ]

    def _show_panes(self, panes: list[Pane]) -> None:
        previous, self._panes = self._panes, panes
        if [(p.view, p.left) for p in previous] != [(p.view, p.left) for p in panes]:
            self.refresh()
            return
        for old, new in zip(previous, panes, strict=True):
            regions = [
                Region(new.left + start, row, end - start, 1)
                for row, start, end in changed(old.picture, new.picture)
            ]
            if regions:
                self.refresh(*regions)

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
        return draw(make(self._scene, view), width, self.size.height, curves=curves)
