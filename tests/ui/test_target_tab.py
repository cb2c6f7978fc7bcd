"""Tab 5 by keys: runs towards a quality target, their seeds, and what a fast step does not promise."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.events import Paste
from textual.pilot import Pilot
from textual.widgets import Input

from tests.ui.runs import message, start_with, study, table, type_run, until
from tests.ui.screens import SIZES, curves, lines, text
from tui.app import RooflabApp
from tui.model.study import Run
from tui.tabs.target import TargetTab
from tui.widgets.efficiency_table import EfficiencyTable

# github.com/mlcommons/training_results_v1.0, NVIDIA/results/dgxa100{,_n8}_ngc21.05_pytorch/bert: minutes to
# the target, and samples until then, of ten runs each on 8 and 64 devices.
MINUTES = {
    8: "23.8981 17.743 21.5433 22.9763 22.6377 21.6154 22.4408 19.8199 18.9106 23.5966",
    64: "3.3209 3.2587 3.4438 3.3005 3.3487 3.3291 3.5203 3.3125 3.4148 3.515",
}
SAMPLES = {
    8: "3000256 2250304 2850176 3000256 2850176 2700096 2850176 2550016 2400384 3000256",
    64: "3151872 3151872 3326976 3151872 3151872 3151872 3326976 3151872 3326976 3326976",
}
BERT = "devices\ttime to target [min]\tsamples\n" + "\n".join(
    f"{devices}\t{minutes}\t{samples}"
    for devices in (8, 64)
    for minutes, samples in zip(MINUTES[devices].split(), SAMPLES[devices].split(), strict=True)
)

PAIR = """\
format = 1

[[experiment]]
family = "weak"
name = "steps"
counts = "GPU"
run = [ {devices = 8, times_s = [1.0], global_batch = 256},
  {devices = 32, times_s = [1.1], global_batch = 1024} ]

[[experiment]]
family = "target"
name = "loss 2.80"
counts = "GPU"
run = [ {devices = 8, times_s = [1.0], global_batch = 256, updates = 40000},
  {devices = 32, times_s = [1.1], global_batch = 1024, updates = 16000} ]
"""


async def on_target(pilot: Pilot[None]) -> None:
    """Go to the tab by its keys."""
    await curves(pilot)
    await pilot.press("ctrl+g", *["right"] * 4, "enter")
    await until(pilot, lambda: pilot.app.query("#target EfficiencyTable"))


def cells(app: RooflabApp, count: str, place: int = 0) -> dict[str, str]:
    """The cells of a row by their headings, those beyond the edge of the screen too."""
    shown = app.page.query_one(EfficiencyTable)
    view = shown._view
    assert view is not None
    rows = [row for row in view.rows if str(row.devices) == count]
    texts = view.cells(rows[place], shown._covered)
    return {column.heading: cell for column, cell in zip(view.columns, texts, strict=True)}


async def test_fast_steps_and_a_slow_way_to_the_target_typed_in_by_keys() -> None:
    app = start_with()
    async with app.run_test(size=(80, 23)) as pilot:
        await on_target(pilot)
        await pilot.press("a")
        await type_run(pilot, "8", "256", "40000", "1.00")
        await until(pilot, "Added 8 devices, 40000 updates. Saved.")
        await type_run(pilot, "32", "1024", "16000", "1.10 s")
        await until(pilot, "Added 32 devices, 16000 updates. Saved.")
        assert study(app).experiment[0].run[1] == Run(32, (1.1,), global_batch=1024, updates=16000)
        await pilot.press("escape")
        small, large = cells(app, "8"), cells(app, "32")
        assert [large[name] for name in ("system E", "÷ infl.", "= target E", "speedup")] == [
            "0.909",
            "1.600",
            "0.568",
            "2.273",
        ]
        assert (small["to target s"], large["to target s"]) == ("40000", "17600")
        assert (small["upd./M"], large["upd./M"]) == ("3906", "977")
        assert (small["device-h"], large["device-h"]) == ("88.89", "156.4")
        # Both efficiencies stand in one row of the screen and in one sentence.
        assert any("0.909" in line and "0.568" in line and "2.273" in line for line in lines(app))
        said = " ".join(text(app).split())
        assert "The steps are 90.9 % efficient, but per device only 0.568 to the target" in said
        assert "156.4 device-hours against 88.89 at D0: 1.760 times." in said


async def test_published_seeds_pasted_and_summarised_by_key() -> None:
    app = start_with()
    async with app.run_test(size=(120, 40)) as pilot:
        await on_target(pilot)
        table(app).post_message(Paste(BERT))
        await until(pilot, "Added 20 rows")
        assert cells(app, "64")["reached"] == "10 of 10"
        assert cells(app, "64")["speedup from-to"] == "5.853-6.910"
        await pilot.press("m")
        await until(pilot, "Now the mean over the seeds")
        assert "mean over the seeds (m: another)" in text(app)
        await pilot.press("m", "end")
        await until(pilot, "Now the olympic mean over the seeds")
        large = cells(app, "64")
        assert [large[name] for name in ("system E", "÷ infl.", "= target E", "speedup")] == [
            "0.932",
            "1.159",
            "0.804",
            "6.431",
        ]
        assert (large["fastest s"], large["slowest s"]) == ("195.5", "211.2")
        # Up and down in the edit line go over the seeds of a row.
        await pilot.press("home", "enter", "down")
        assert "run 2 of 10" in message(app)
        assert app.page.query_one(".field-time_to_target_s", Input).value == "1064.58"


async def test_a_seed_that_did_not_get_there_is_infinite_and_counted() -> None:
    app = start_with()
    async with app.run_test(size=(80, 23)) as pilot:
        await on_target(pilot)
        rows = "8,100,yes\n16,40,yes\n16,45,no\n16,30,yes\n16,,no\n16,50,yes"
        table(app).post_message(Paste(f"D,ttt,reached\n{rows}"))
        await until(pilot, "Added")
        assert len(study(app).experiment[0].run) == 6
        row = cells(app, "16")
        assert (row["reached"], row["to target s"], row["flags"]) == ("3 of 5", "50", "! 3 of 5 +1")
        await pilot.press("end")
        assert "3 of 5 reached; a seed that did not ranks as infinite" in text(app)
        await pilot.press("m")
        await until(pilot, "Now the mean")
        assert (cells(app, "16")["to target s"], cells(app, "16")["speedup"]) == ("none", "")
        await until(pilot, lambda: "infinite, so it has no mean time" in " ".join(text(app).split()))


async def test_runs_are_withdrawn_compared_with_another_and_taken_back(tmp_path: Path) -> None:
    path = tmp_path / "pair.toml"
    path.write_text(PAIR, encoding="utf-8")
    app = start_with(path)
    async with app.run_test(size=(80, 23)) as pilot:
        await curves(pilot)
        await until(pilot, " T s ")
        assert app.page.id == "weak"
        await pilot.press("end")
        # The weak efficiency and what became of it stand together, never cut off.
        await until(pilot, "Speedup to the target (loss 2.80): 2.273, 0.568 per device")
        await pilot.press("5")
        await until(pilot, "to target s")
        assert cells(app, "32")["weak E"] == "0.909"
        await pilot.press("end", "b")
        await until(pilot, "D0 = 32 GPU")
        assert cells(app, "8")["speedup"] == "0.440"
        await pilot.press("b", "d")
        await until(pilot, "Withdraw 32 GPUs: why?")
        assert "Enter withdraws it and keeps it in the file; Esc or ctrl+r: nothing changes." in message(app)
        await pilot.press(*"bug", "enter")
        await until(pilot, "1 withdrawn, kept in the file")
        assert cells(app, "32")["flags"] == "withdrawn"
        await pilot.press("end", "d", *["backspace"] * 3, "enter")
        await until(pilot, "Counts again")
        assert cells(app, "32")["speedup"] == "2.273"
        await pilot.press("u", "u", "u", "u")
        await until(pilot, lambda: path.read_text(encoding="utf-8") == PAIR)


async def test_an_exercise_covers_what_is_worked_out(tmp_path: Path) -> None:
    path = tmp_path / "pair.toml"
    path.write_text(PAIR, encoding="utf-8")
    app = start_with(path)
    async with app.run_test(size=(120, 40)) as pilot:
        await curves(pilot)
        await until(pilot, " T s ")
        await pilot.press("5", "end")
        await until(pilot, "17600")
        page = app.page
        assert isinstance(page, TargetTab)
        page.cover(frozenset({"target"}))
        await until(pilot, "▒▒")
        for secret in ("17600", "0.568", "0.909", "2.273", "1.600", "977", "156.4", "40000 s", "16384000"):
            assert secret not in text(app), secret
        assert (cells(app, "32")["batch"], cells(app, "32")["updates"]) == ("1024", "16000")
        await pilot.press("h", "h")
        assert "0.568" not in text(app)
        page.cover(frozenset())
        await until(pilot, "0.568")


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
async def test_an_empty_tab_says_what_to_type(size: tuple[int, int]) -> None:
    app = start_with(ROOFLAB_ASCII="1", LANG="C", LC_ALL="C")
    async with app.run_test(size=size) as pilot:
        await on_target(pilot)
        said = " ".join(text(app).split())
        assert "type the count, Tab, the global batch, Tab, the updates that were needed" in said
        assert "Esc or ctrl+r leaves the line" in said
        assert "a add" in lines(app)[-1]
        assert text(app).isascii()
