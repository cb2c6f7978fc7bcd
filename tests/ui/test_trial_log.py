"""The table of trials: older ones are read by keys, and no row is sent without need."""

from __future__ import annotations

import pytest

from tests.ui.screens import Clock, lines, play_trial, start
from tui.widgets.trial_log import TrialLog

FIRST_ROW = 15
"""Of the log, on a screen of 80×23."""


def numbers(app) -> list[str]:
    """The numbers of the trials in sight."""
    rows = lines(app)[FIRST_ROW + 1 : FIRST_ROW + 4]
    return [row.split()[0] for row in rows if row]


async def test_older_trials_are_read_by_keys() -> None:
    app = start()
    async with app.run_test(size=(80, 23)) as pilot:
        for number in range(6):
            if number:
                await pilot.press("f7")
            await play_trial(pilot, "8", f"{number + 1}0", "400")
        assert numbers(app) == ["4", "5", "6"]
        for key, expected in (
            ("up", "345"),
            ("pageup", "123"),
            ("up", "123"),
            ("down", "234"),
            ("end", "456"),
            ("down", "456"),
            ("home", "123"),
        ):
            await pilot.press(key)
            assert numbers(app) == list(expected), key
        assert lines(app)[FIRST_ROW].split()[:2] == ["#", "I"]
        await pilot.press("f7")
        await play_trial(pilot, "8", "70", "400")
        assert numbers(app) == ["5", "6", "7"]


async def test_only_rows_that_change_are_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[int] = []
    render = TrialLog.render_line
    monkeypatch.setattr(TrialLog, "render_line", lambda self, y: drawn.append(y) or render(self, y))
    clock = Clock()
    app = start(clock)
    async with app.run_test(size=(80, 23)) as pilot:
        await pilot.press(*"8", "enter", *"50", "enter", *"400")
        drawn.clear()
        await pilot.press("enter")
        await pilot.pause()
        assert "Playing" in lines(app)[2]
        assert app.query_one(TrialLog).has_focus
        assert drawn == []
        await pilot.press("enter")
        await pilot.pause()
        assert set(drawn) == {0, 1}
        drawn.clear()
        await pilot.press("f7")
        await pilot.pause()
        assert drawn == []
