"""What the tests of the screen share: a start without a real terminal, a clock, and the screen as text."""

from __future__ import annotations

from textual.pilot import Pilot

from tui.app import RooflabApp
from tui.terminal.detect import Terminal, detect
from tui.widgets.plot_view import PlotView

SIZES = [(80, 23), (60, 20), (120, 40)]


class Clock:
    """A clock that stands still until it is told to go on."""

    def __init__(self) -> None:
        self.seconds = 100.0

    def __call__(self) -> float:
        return self.seconds


def terminal(**environ: str) -> Terminal:
    """A terminal as detection finds it in this environment."""
    variables = {"TERM": "xterm-256color", "LANG": "C.UTF-8", **environ}
    return detect(variables, stdin_tty=True, stderr_tty=True, encoding="utf-8")


def start(clock: Clock | None = None, **environ: str) -> RooflabApp:
    """The app, ready for `run_test`."""
    return RooflabApp(terminal=terminal(**environ), now=clock or Clock())


def lines(app: RooflabApp) -> list[str]:
    """The rows of the screen in front, without trailing blanks."""
    # Textual has no public way to read the screen as text; this one place knows the private one.
    return [strip.text.rstrip() for strip in app.screen._compositor.render_strips()]


def text(app: RooflabApp) -> str:
    """The screen in front as one text."""
    return "\n".join(lines(app))


async def play_trial(pilot: Pilot[None], intensity: str, bandwidth: str, prediction: str) -> None:
    """Type one trial and play it to its end."""
    await pilot.press(*intensity, "enter", *bandwidth, "enter", *prediction, "enter")
    pilot.app.query_one(PlotView).skip()
    await pilot.pause()


async def three_trials(pilot: Pilot[None]) -> None:
    """The three trials of the lesson, with the miss that it is about in the third."""
    for number, (bandwidth, prediction) in enumerate([("50", "400"), ("100", "800"), ("200", "1600")]):
        if number:
            await pilot.press("f7")
        await play_trial(pilot, "8", bandwidth, prediction)


async def curves(pilot: Pilot[None]) -> None:
    """Wait until the curves can be drawn, as they can a moment after the first frame."""
    from tui.plotting import canvas

    while not canvas.loaded():
        await pilot.pause(0.02)
    await pilot.pause()
