"""Exercises on screens of any size: the instrument keeps its rows, and a resize loses nothing."""

from __future__ import annotations

import pytest
from textual.pilot import Pilot

from tests.ui.exercise_scripts import KINDS
from tests.ui.exercises import (
    do_lines,
    here,
    opened,
    play,
    start_exercise,
    state_of,
    type_keys,
)
from tests.ui.screens import lines, text
from tui.app import RooflabApp
from tui.model.trial import Phase
from tui.widgets.efficiency_table import EfficiencyTable
from tui.widgets.spec_view import SpecView

STORM = [(20, 5), (200, 60), (60, 20), (80, 23)]


async def storm(pilot: Pilot[None]) -> None:
    """Resize to what is too small, to what is huge, to the smallest that is usable, and back."""
    app = pilot.app
    assert isinstance(app, RooflabApp)
    for size in STORM:
        await pilot.resize_terminal(*size)
        await pilot.pause(0)
        if len(app.screen_stack) == 1:
            assert ("60x20" in text(app)) is (size == (20, 5))


async def test_a_resize_in_the_middle_of_any_step_of_the_lab_loses_nothing() -> None:
    app = start_exercise("roofline-three-trials")
    async with app.run_test(size=(80, 23)) as pilot:
        await opened(pilot)
        await storm(pilot)
        await type_keys(pilot, "enter")
        await storm(pilot)
        await type_keys(pilot, "enter")
        await storm(pilot)
        await type_keys(pilot, "f7", "=8", "enter", "=5")
        await storm(pilot)
        await type_keys(pilot, "=0", "enter", "=40")
        await storm(pilot)
        await type_keys(pilot, "=0", "enter")
        await storm(pilot)
        await type_keys(pilot, "2")
        assert state_of(app, "t1-predict").confidence == 2
        await type_keys(pilot, "f5")
        assert app.lab.phase is Phase.PLAYING
        await storm(pilot)
        assert app.lab.phase is Phase.PLAYING
        await type_keys(pilot, "f5")
        await storm(pilot)
        assert "The marker stops at 400 GFLOP/s" in text(app)
        await type_keys(pilot, "enter", "down")
        await storm(pilot)
        await type_keys(pilot, "enter")
        assert state_of(app, "t1-observe").picks == ("slope",)


async def test_a_resize_in_the_middle_of_marking_typing_and_writing_loses_nothing(script) -> None:
    app = start_exercise(script(KINDS))
    async with app.run_test(size=(80, 23)) as pilot:
        await opened(pilot)
        await do_lines(pilot, ["", "", "2"])
        await type_keys(pilot, "1", "3")
        await storm(pilot)
        await type_keys(pilot, "enter")
        assert state_of(app, "several").picks == ("x", "z")
        await type_keys(pilot, "enter", "2")
        await storm(pilot)
        await type_keys(pilot, "enter", "enter", "=42")
        await storm(pilot)
        await type_keys(pilot, "= s", "enter", "enter")
        await type_keys(pilot, "=84 s", "enter", "enter", "=my own")
        await storm(pilot)
        await type_keys(pilot, "= words")
        await storm(pilot)
        await type_keys(pilot, "enter")
        assert state_of(app, "words").text == "my own words"
        await type_keys(pilot, "enter")
        await storm(pilot)
        assert "Hand it in and get a receipt" in text(app)


async def test_a_resize_in_the_middle_of_a_table_loses_nothing() -> None:
    app = start_exercise("strong-first-table")
    async with app.run_test(size=(80, 23)) as pilot:
        await opened(pilot)
        await do_lines(pilot, ["", "2"])
        await type_keys(pilot, "a", "=4", "tab", "=9")
        await storm(pilot)
        await type_keys(pilot, "=6", "enter")
        assert "1 of 4 rows are in the table." in text(app)
        await do_lines(pilot, ["8, 50", "16, 27.2", "32, 16"])
        await storm(pilot)
        assert here(app) == "ideal-32"


@pytest.mark.parametrize("size", [(80, 23), (60, 20)], ids=["80x23", "60x20"])
async def test_the_instrument_keeps_its_rows(size: tuple[int, int]) -> None:
    app = start_exercise("roofline-three-trials")
    async with app.run_test(size=size) as pilot:
        await opened(pilot)
        await do_lines(pilot, ["", "", "8", "50"])
        assert sum("┤" in line or "│" in line for line in lines(app)) >= 6
        await type_keys(pilot, "=400", "enter", "enter")
        await play(pilot)
        assert sum("┤" in line or "│" in line for line in lines(app)) >= 6
    app = start_exercise("strong-first-table")
    async with app.run_test(size=size) as pilot:
        await opened(pilot)
        await do_lines(pilot, ["", "2", "4, 96", "8, 50", "16, 27.2", "32, 16"])
        assert app.page.query_one(EfficiencyTable).region.height >= 5
        assert all(each.region.bottom <= size[1] for each in app.query("#editor, #guide"))
        await type_keys(pilot, "tab", "v")
        assert app.page.query_one(EfficiencyTable).region.height == 0
        assert app.page.query_one(SpecView).region.height >= 4
        await type_keys(pilot, "escape", "=8", "enter")
        assert state_of(app, "ideal-32").done
