"""The Limits tab beside an exercise, by keys: pages turned from the guide, pairs for the rules, the score."""

from __future__ import annotations

from itertools import takewhile

from textual.pilot import Pilot

from tests.guide.playing import exercise, lines
from tests.guide.test_exercises import COURSE
from tests.ui.exercises import do_lines, go_on, here, opened, start_exercise, type_keys
from tests.ui.screens import text
from tui.app import RooflabApp
from tui.widgets.guide_panel import GuideBody
from tui.widgets.stage_view import StageView


def message(app: RooflabApp) -> str:
    """What the tab in front says."""
    return str(app.page.query_one("MessageLine").visual)


async def up_to(pilot: Pilot[None], name: str, step: str) -> None:
    """Do an exercise right by keys until a step is on show."""
    typed = list(lines(exercise(name), COURSE[name], None))
    app = pilot.app
    assert isinstance(app, RooflabApp)
    await opened(pilot)
    await go_on(pilot)
    for line in takewhile(lambda _: here(app) != step, typed):
        await do_lines(pilot, [line])
    assert here(app) == step


async def test_pages_turned_from_the_guide_leave_the_digits_to_its_choices() -> None:
    app = start_exercise("find-the-next-limit")
    async with app.run_test(size=(80, 23)) as pilot:
        await up_to(pilot, "find-the-next-limit", "measured")
        await type_keys(pilot, *"vvvvv")
        assert "[measured]" in text(app)
        assert "kernel shapes     kernel         ▒▒  ▒▒  ▒▒" in text(app)
        assert isinstance(app.focused, GuideBody)
        await type_keys(pilot, "2", "5", "enter")
        assert "✓ right." in text(app)
        assert "kernel shapes     kernel          no   no   no" in text(app), "now the tab confirms it"


async def test_what_was_predicted_is_scored_on_the_tab_as_soon_as_the_run_is_shown() -> None:
    app = start_exercise("find-the-next-limit")
    async with app.run_test(size=(80, 23)) as pilot:
        await up_to(pilot, "find-the-next-limit", "predict-64")
        await type_keys(pilot, "=15.5", "enter", "3")
        assert here(app) == "play-64"
        await type_keys(pilot, *"vvvv")
        assert "18.5" not in text(app)
        await type_keys(pilot, "f5")
        assert message(app).startswith("15.5 s was locked for 64, measured 19 s: off −18.4 %")
        await type_keys(pilot, *"vvvv")
        assert "15.5 s at 64 devices; measured 19 s: −18.4 %" in text(app)


async def test_the_rules_go_through_any_pair_that_is_asked_for() -> None:
    app = start_exercise("pick-two-points")
    async with app.run_test(size=(80, 23)) as pilot:
        await up_to(pilot, "pick-two-points", "predict-32")
        await type_keys(pilot, "tab", *"vvvv")
        assert "Amdahl through 1 and 2 says 248 s" in text(app)
        await type_keys(pilot, "p", "= 8 16", "enter")
        assert "Amdahl through 8 and 16 says 187 s" in text(app)
        assert isinstance(app.focused, StageView)
        await type_keys(pilot, "p", "= 32 16", "enter")
        assert message(app) == "Two counts besides 32 are needed to go through, not 32 and 16."
        assert "Amdahl through 8 and 16 says 187 s" in text(app)
        await type_keys(pilot, "p", "= 8 8 8", "enter")
        assert "Amdahl through 8 and 16 says 187 s" in text(app)
        await type_keys(pilot, "escape", "=200", "enter", "1", "f5")
        await type_keys(pilot, "p")
        await type_keys(pilot, "escape")
        assert isinstance(app.focused, GuideBody), "a question that began in the guide leads back to it"
