"""The lab's Play through textual-plotext: the same screen and animation, a new plot in every frame.

Runs in an environment of its own (textual-plotext needs plotext 5).
"""

import time
from typing import ClassVar

from textual.app import App, ComposeResult
from textual.containers import Horizontal
from textual.widgets import Footer, Input, Static, Tab, Tabs
from textual_plotext import PlotextPlot

LABELS = ("Roofline", "Strong", "Weak", "Limits", "Target", "Exercises")
CAP = 1000.0
SECONDS = 2.0
FRAMES_PER_SECOND = 10


class PlotextApp(App[None]):
    """Fill three fields, Enter in the last plays."""

    CSS = """
    #tabs { height: 1; }
    #tabs Underline { display: none; }
    #inputs { height: 1; }
    Input { width: 1fr; }
    PlotextPlot { height: 1fr; }
    #message, #scope { height: 1; }
    #log { height: 4; }
    #verdict { height: 2; }
    """
    BINDINGS: ClassVar = [("f5", "play", "Play")]

    def compose(self) -> ComposeResult:
        yield Tabs(*(Tab(f"{number} {label}") for number, label in enumerate(LABELS, 1)), id="tabs")
        with Horizontal(id="inputs"):
            for name in ("intensity", "bandwidth", "prediction"):
                field = Input(placeholder=name, id=name, compact=True)
                field.cursor_blink = False
                yield field
        yield Static("Type I, B and a prediction.", id="message")
        yield PlotextPlot()
        yield Static("No trials yet.", id="log")
        yield Static("", id="verdict")
        yield Static("Only a hypothetical bandwidth changed.", id="scope")
        yield Footer(show_command_palette=False)

    def on_mount(self) -> None:
        self.query_one("#intensity").focus()
        self.draw(0.0)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        if event.input.id == "prediction":
            self.action_play()
        else:
            self.screen.focus_next()

    def action_play(self) -> None:
        self.screen.set_focus(None)
        self.query_one("#message", Static).update("Playing.")
        self.since = time.monotonic()
        self.timer = self.set_interval(1 / FRAMES_PER_SECOND, self.tick)

    def tick(self) -> None:
        progress = min(1.0, (time.monotonic() - self.since) / SECONDS)
        self.draw(progress)
        if progress == 1.0:
            self.timer.stop()
            self.query_one("#message", Static).update("Played.")
            self.query_one("#log", Static).update("1  8  200  1600  1000  1000  COMPUTE  1600")
            self.query_one("#verdict", Static).update("COMPUTE CAP: I·B = 1600 is 600 GFLOP/s above the cap.")

    def draw(self, progress: float) -> None:
        """The cap, the response up to the bandwidth reached, the uncapped line, and the point."""
        widget = self.query_one(PlotextPlot)
        plot = widget.plt
        plot.clear_data()
        plot.xlim(0, 200)
        plot.ylim(0, 1600)
        plot.yticks([0, CAP, 1600])
        plot.plot([0, 200], [CAP, CAP], marker="braille")
        if progress > 0:
            intensity, end = float(self.query_one("#intensity", Input).value), 200 * progress
            knee = min(CAP / intensity, end)
            plot.plot([0, knee, end], [0, intensity * knee, intensity * knee], marker="braille")
            if end > knee:
                plot.plot([knee, end], [CAP, intensity * end], marker="braille")
            plot.scatter([end], [intensity * knee], marker="dot")
        widget.refresh()


if __name__ == "__main__":
    PlotextApp().run(mouse=False)
