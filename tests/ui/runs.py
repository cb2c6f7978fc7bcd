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
    for line in screen[heads[0] + 1 : heads[0] + 1 + len(view.table.rows)]:
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
