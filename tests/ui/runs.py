"""What the tests of measured runs share: the app on a tab of runs, and rows of its table as words."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from textual.pilot import Pilot

from tests.ui.screens import Clock, curves, lines, terminal, text
from tui.app import RooflabApp
from tui.model.study import Study
from tui.widgets.efficiency_table import EfficiencyTable

Condition = str | Callable[[], object]
PATIENCE = 500

EXERCISES = """\
format = 1
title = "exercises"

[[experiment]]
family = "strong"
name = "claimed"
counts = "GPU"
run = [ {devices = 4, times_s = [40.0], global_batch = 2048},
  {devices = 8, times_s = [21.0], global_batch = 1024},
  {devices = 16, times_s = [11.6], global_batch = 512} ]

[[experiment]]
family = "strong"
name = "fixed"
run = [ {devices = 4, times_s = [40.0], global_batch = 2048, micro_batch = 16, accumulation = 32},
  {devices = 8, times_s = [22.4], global_batch = 2048, micro_batch = 16, accumulation = 16},
  {devices = 16, times_s = [13.2], global_batch = 2048, micro_batch = 16, accumulation = 8} ]

[[experiment]]
family = "strong"
name = "above one"
run = [ {devices = 1, times_s = [120.0]}, {devices = 2, times_s = [56.0]}, {devices = 4, times_s = [31.0]},
  {devices = 8, times_s = [17.5]} ]

[[experiment]]
family = "strong"
name = "placement"
run = [ {devices = 4, domain = "one domain", times_s = [64.0]},
  {devices = 8, domain = "one domain", times_s = [33.0]},
  {devices = 8, domain = "two domains", times_s = [41.0]},
  {devices = 16, domain = "two domains", times_s = [21.0]} ]

[[experiment]]
family = "strong"
name = "small matrices"
work = { amount = 1280e12, of = "FLOP" }
flop_per_unit = 1.0
run = [ {devices = 4, times_s = [1.0]}, {devices = 32, times_s = [0.21052631578947367]} ]

[[experiment]]
family = "weak"
name = "tokens"
counts = "GPU"
work_model = { per_device = 32000, of = "tokens", flop_per_unit = 6e9, flop_per_unit_position = 5e5 }
run = [ {devices = 8, times_s = [12.0], sequence_length = 2000},
  {devices = 16, times_s = [12.6], sequence_length = 2000},
  {devices = 32, times_s = [13.5], sequence_length = 2000},
  {devices = 64, times_s = [15.0], sequence_length = 2000},
  {devices = 64, times_s = [21.0], sequence_length = 8000} ]
"""
"""Small tables made up for teaching, with their answers in the tests below."""


def start_with(file: Path | None = None, **environ: str) -> RooflabApp:
    """The app, opening a study where one is given."""
    return RooflabApp(terminal=terminal(**environ), file=file, now=Clock())


async def until(pilot: Pilot[None], condition: Condition) -> None:
    """Wait until a text is on the screen or a condition holds; fails with the screen."""
    app = pilot.app
    assert isinstance(app, RooflabApp)
    for _ in range(PATIENCE):
        await pilot.pause()
        if condition in text(app) if isinstance(condition, str) else condition():
            return
        await pilot.pause(0.02)
    raise AssertionError(f"never came: {condition!r}\n{text(app)}")


async def on_tab(pilot: Pilot[None], tab: str = "strong") -> None:
    """Go to a tab of runs."""
    await curves(pilot)
    await pilot.press("ctrl+g", *{"strong": ["right"], "weak": ["right", "right"]}[tab], "enter")
    await until(pilot, lambda: pilot.app.query(f"#{tab} EfficiencyTable"))


async def opened(pilot: Pilot[None]) -> None:
    """Wait until the study given at the start is on the screen."""
    await curves(pilot)
    await until(pilot, " T s ")


async def type_run(pilot: Pilot[None], *fields: str) -> None:
    """Fill the edit line from its first field on and commit it."""
    for place, field in enumerate(fields):
        await pilot.press(*(["tab"] if place else []), *field)
    await pilot.press("enter")


def study(app: RooflabApp) -> Study:
    """The open study."""
    assert app.study is not None
    return app.study


def table(app: RooflabApp) -> EfficiencyTable:
    """The table in front."""
    return app.page.query_one(EfficiencyTable)


def words(app: RooflabApp, count: str) -> list[list[str]]:
    """The rows of a count as words: the count, T, E and whatever else fits on the screen."""
    view = table(app)._view
    screen = lines(app)
    heads = [place for place, line in enumerate(screen) if line.startswith(" flags ")]
    if view is None or not heads:
        return []
    flags = 1 + view.widths[0]
    found = []
    for line in screen[heads[0] + 1 : heads[0] + 1 + len(view.rows)]:
        parts = line[flags:].replace("┊", "").split()
        if parts[:1] == [count]:
            found.append(parts)
    return found


def row(app: RooflabApp, count: str) -> list[str]:
    """The only row of a count."""
    (found,) = words(app, count)
    return found


def message(app: RooflabApp) -> str:
    """What the message line says."""
    return str(app.page.query_one("#message").visual)
