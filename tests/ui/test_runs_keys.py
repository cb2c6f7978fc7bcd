"""Keys on a page of runs where the table is hidden, a question is refused, or a dialog has the keys."""

from __future__ import annotations

from pathlib import Path

from tests.ui.runs import on_tab, opened, start_with, study, table, until
from tests.ui.screens import lines, text
from tui.tabs.experiment_screen import ExperimentForm

FIVE = """\
format = 1
[[experiment]]
family = "strong"
name = "five"
counts = "GPU"
run = [ {devices = 4, times_s = [40.0]}, {devices = 8, times_s = [21.0]}, {devices = 16, times_s = [11.6]},
  {devices = 32, times_s = [6.6]}, {devices = 64, times_s = [4.6]} ]
"""


def five(folder: Path) -> Path:
    path = folder / "five.toml"
    path.write_text(FIVE, encoding="utf-8")
    return path


def footer(screen: list[str]) -> str:
    return screen[-1].strip()


async def test_behind_a_plot_the_keys_act_on_a_row_that_is_named_and_a_form_gives_the_keys_back(
    tmp_path: Path,
) -> None:
    app = start_with(five(tmp_path))
    async with app.run_test(size=(80, 23)) as pilot:
        await opened(pilot)
        await pilot.press("v")
        await until(pilot, "Row 4 GPUs (up, down) · E over GPU")
        keys = footer(lines(app))
        await pilot.press("down", "w")
        await until(pilot, lambda: isinstance(app.screen, ExperimentForm))
        assert footer(lines(app)) == "^q quit"
        await pilot.press("escape")
        await until(pilot, "Row 8 GPUs (up, down) · E over GPU")
        assert app.focused is table(app)
        assert footer(lines(app)) == keys
        await pilot.press("v")
        await until(pilot, "Row 8 GPUs (up, down) · T over GPU")
        await pilot.press("b")
        await until(pilot, "Saved.")
        assert study(app).experiment[0].baseline == 8


async def test_a_cause_below_one_is_asked_for_too_and_what_is_typed_runs_no_commands(tmp_path: Path) -> None:
    app = start_with(five(tmp_path))
    async with app.run_test(size=(80, 23)) as pilot:
        await opened(pilot)
        await pilot.press("down", "c", *"bad cable")
        await until(pilot, "8 GPUs: E = 0.952; asked only above one.")
        assert "bad cable" in text(app)
        await pilot.press("enter")
        await until(pilot, "Cause written at 8 GPUs: bad cable. Saved.")
        assert [run.cause for run in study(app).experiment[0].run] == ["", "bad cable", "", "", ""]


async def test_after_a_restart_the_last_table_is_offered_by_what_is_in_it() -> None:
    app = start_with()
    async with app.run_test(size=(80, 23)) as pilot:
        await on_tab(pilot)
        await pilot.press("a", *"8", "tab", *"40", "enter")
        await until(pilot, "Saved.")
    again = start_with()
    async with again.run_test(size=(60, 20)) as pilot:
        assert "^g tabs" in footer(lines(again))
        await on_tab(pilot)
        await until(pilot, "Your last table: ctrl+o, then Enter.")
        assert "strong scaling: 1 run  just now" in text(again)
        await pilot.press("ctrl+o")
        await until(pilot, "a new study, empty")
        await pilot.press("enter")
        await until(pilot, lambda: study(again).experiment and len(study(again).experiment[0].run) == 1)
