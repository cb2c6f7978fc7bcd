"""The Limits tab by keys: stages, counts, laws, losses, and a prediction that is locked and scored."""

from __future__ import annotations

import subprocess
import sys
from datetime import datetime, timezone
from pathlib import Path

import pytest
from textual.pilot import Pilot

from tests.model.steps_builders import PIPELINE
from tests.ui.runs import message, start_with, study, table, type_run, until, words
from tests.ui.screens import SIZES, curves, lines, text
from tui.app import RooflabApp
from tui.model.study import Run, Stage
from tui.tabs.limits import LimitsTab
from tui.widgets.stage_view import StageView

PIPELINE_ROWS = {
    "8": ("47.5", "40", "4", "2.5", "17.5", "1"),
    "16": ("28.5", "20", "5", "2.5", "17.5", "1"),
    "32": ("19.5", "10", "6", "2.5", "17.5", "1"),
    "64": ("19.0", "5", "7", "2.5", "17.5", "1"),
}
"""Step, compute, communication, bubbles, input and host seconds of a small example made up for teaching."""

HEAD = """\
format = 1
[[experiment]]
family = "strong"
name = "pipeline"
counts = "GPU"
stages = [ {name = "compute", law = "split"},
  {name = "communication", law = "per-doubling", after = ["compute"]},
  {name = "bubble", law = "fixed", after = ["communication"]}, {name = "input", law = "fixed"},
  {name = "host", law = "fixed", after = ["bubble", "input"]} ]
"""


def run_line(count: str, extra: str = "") -> str:
    """One run of the example as TOML."""
    time, *parts = PIPELINE_ROWS[count]
    names = ("compute", "communication", "bubble", "input", "host")
    seconds = ", ".join(f"{name} = {part}" for name, part in zip(names, parts, strict=True))
    body = f"devices = {count}\ntimes_s = [{time}]\nstages_s = {{{seconds}}}\n{extra}"
    return f"[[experiment.run]]\n{body}\n"


@pytest.fixture
def pipeline(tmp_path: Path) -> Path:
    """The example at 8, 16 and 32 in a file; 16 says more than the Limits tab has fields for."""
    path = tmp_path / "pipeline.toml"
    runs = run_line("8") + run_line("16", 'global_batch = 512\nnote = "kept"\n') + run_line("32")
    path.write_text(HEAD + runs, encoding="utf-8")
    return path


async def on_limits(pilot: Pilot[None]) -> None:
    """Go to the tab."""
    await curves(pilot)
    await pilot.press("ctrl+g", "right", "right", "right", "enter")
    await until(pilot, lambda: pilot.app.query("#limits StageView"))


async def opened_on_limits(pilot: Pilot[None]) -> None:
    """Wait until the study given at the start is on the tab."""
    await curves(pilot)
    await until(pilot, lambda: pilot.app.study is not None and pilot.app.study.experiment)
    await until(pilot, lambda: pilot.app.query("#strong EfficiencyTable"))
    await pilot.press("4")
    await until(pilot, "limit")


async def page(pilot: Pilot[None], name: str) -> None:
    """Turn to a page."""
    for _ in range(7):
        if f"[{name}]" in text(pilot.app):
            return
        await pilot.press("v")
        await pilot.pause()
    raise AssertionError(text(pilot.app))


async def name_stage(pilot: Pilot[None], name: str, law: str, after: str | None = None) -> None:
    """Fill the form of a new stage; `after` is typed over what stands there."""
    await pilot.press("n")
    await until(pilot, "A new stage of the step")
    await pilot.press(*name, "tab", *law)
    if after is not None:
        await pilot.press(
            "tab", "ctrl+u", *(("comma" if c == "," else "space" if c == " " else c) for c in after)
        )
    await pilot.press("enter")
    await until(pilot, f"Added the stage {name}")


def said(app: RooflabApp) -> str:
    """The screen as one line, however it was wrapped."""
    return " ".join(text(app).split())


async def test_the_pipeline_typed_in_predicted_locked_and_scored() -> None:
    app = start_with()
    async with app.run_test(size=(80, 23)) as pilot:
        await on_limits(pilot)
        assert "Press n to name a stage, a to type a count" in message(app)
        await name_stage(pilot, "compute", "split")
        await name_stage(pilot, "communication", "per-doubling")  # after the last one, which is prefilled
        await name_stage(pilot, "bubble", "fixed")
        await name_stage(pilot, "input", "fixed", after="")
        await name_stage(pilot, "host", "fixed", after="bubble, input")
        assert study(app).experiment[0].stages == PIPELINE
        await pilot.press("a")
        for count in ("8", "16", "32"):
            await type_run(pilot, count, *PIPELINE_ROWS[count])
            await until(pilot, f"Added {count} devices")
        await until(pilot, "Saved.")
        await pilot.press("escape", "end")
        assert "At 32 the limit is compute, on the path compute → communication → bubble → host" in said(app)
        assert "1 s of slack in input" in said(app)

        await page(pilot, "losses")
        for line in ("lost 7.625 s", "communication 5 65.6 %", "bubble 1.875 24.6 %", "host 0.75 9.8 %"):
            assert line in said(app), line

        await page(pilot, "predict")
        assert "at 64 devices, by the laws through 8, 16, 32" in said(app)
        assert "time 18.5 s" in said(app)
        assert "limit input, on the path input → host" in said(app)
        await pilot.press("k")
        await until(pilot, "Lock 18.5 s at 64 devices for good?")
        await pilot.press("escape", "k", "enter")
        await until(pilot, "its run is awaited")
        assert [each.time_s for each in study(app).experiment[0].prediction] == [18.5]
        await until(pilot, "Saved.")

        await pilot.press("a")
        await type_run(pilot, "64", *PIPELINE_ROWS["64"])
        await until(pilot, "18.5 s was locked for 64, measured 19 s: off −2.6 %")
        await pilot.press("escape")
        await page(pilot, "predict")
        for score in ("−2.6 %, the limit was right", "−68.8 % the ideal line", "−46.0 % the same gain again",
                      "−25.0 % Amdahl through 8 and 16"):  # fmt: skip
            assert score in said(app), score


async def test_what_cannot_be_told_is_a_sentence_and_no_number(pipeline: Path) -> None:
    app = start_with(pipeline)
    async with app.run_test(size=(80, 23)) as pilot:
        await opened_on_limits(pilot)
        # A ring, and a name that no stage has, are said in the form; nothing of it is taken.
        await page(pilot, "laws")
        await pilot.press("home", "enter")
        await until(pilot, "The stage compute")
        await pilot.press("tab", "tab", *"host", "enter")
        await until(pilot, "these stages wait for each other")
        await pilot.press("ctrl+u", *"hots", "enter")
        await until(pilot, 'there is no stage "hots"; did you mean host?')
        await pilot.press("escape")
        assert study(app).experiment[0].stages == PIPELINE

        # Input is not measured at 32 any more.
        await page(pilot, "stages")
        await pilot.press("end", "enter", *["tab"] * 5, "ctrl+u", "enter")
        await until(pilot, "Limit unknown: input not measured at 32.")
        await page(pilot, "losses")
        assert "no loss budget from 8 to 32: input not measured at 32" in said(app).replace(
            "No loss", "no loss"
        )
        await page(pilot, "measured")
        assert "limit unknown: input not measured at 32" in said(app)

        # A time of 0 takes no part; then only one count is left that does.
        await page(pilot, "stages")
        await pilot.press("enter", "tab", "ctrl+u", "0", "enter")
        await until(pilot, "below what the timer shows")
        await pilot.press("up", "enter", "tab", "ctrl+u", "0", "enter")
        await until(pilot, lambda: "16 GPUs takes no part" in said(app))
        await page(pilot, "losses")
        assert "Only 8 is measured: losses are counted from one count to another" in said(app)
        await page(pilot, "predict")
        assert "one count says nothing about how a stage changes; measure another" in said(app)
        assert "time " not in said(app)
        await pilot.press("k")
        await until(pilot, "Nothing to lock.")


async def test_a_count_is_changed_undone_and_redone_and_the_rest_of_its_run_stays(pipeline: Path) -> None:
    before = pipeline.read_text(encoding="utf-8")
    app = start_with(pipeline)
    async with app.run_test(size=(80, 23)) as pilot:
        await opened_on_limits(pilot)
        await pilot.press("home", "down", "enter", "tab", "tab", "ctrl+u", *"800ms")
        await until(pilot, "Read as 0.8 s.")
        await pilot.press("enter")
        await until(pilot, "Saved.")
        run = study(app).experiment[0].run[1]
        assert (run.stages_s["compute"], run.times_s) == (0.8, (28.5,))
        assert (run.global_batch, run.note) == (512, "kept")
        assert app.focused is app.page.query_one(StageView)
        await pilot.press("u")
        await until(pilot, lambda: "Undid: change 16 GPUs" in message(app) and "Saved." in message(app))
        assert pipeline.read_text(encoding="utf-8") == before
        await pilot.press("U")
        await until(pilot, lambda: study(app).experiment[0].run[1] == run)
        # What cannot be read is said, and stays in the field; ctrl+r gives it up.
        await pilot.press("enter", "tab", "tab", "ctrl+u", *"ten", "enter")
        await until(pilot, "compute: ")
        assert app.page.query_one(".field-stage0").value == "ten"
        assert app.focused is app.page.query_one(".field-stage0")
        await pilot.press("ctrl+r")
        assert study(app).experiment[0].run[1] == run
        assert app.page.query_one(".field-stage0").value == ""


async def test_a_half_typed_count_comes_back(pipeline: Path) -> None:
    app = start_with(pipeline)
    async with app.run_test(size=(80, 23)) as pilot:
        await opened_on_limits(pilot)
        await pilot.press("a", *"64", "tab", *"19.0", "tab", "5", "tab")
        await pilot.pause()
    again = start_with(pipeline)
    async with again.run_test(size=(80, 23)) as pilot:
        # It opens where the line was being typed.
        await until(pilot, "This line was typed and not committed: 64 19.0 5")
        await pilot.press("enter")
        await until(pilot, "Saved.")
        assert study(again).experiment[0].run[-1] == Run(64, (19.0,), stages_s={"compute": 5.0})
    # What was committed is no draft any more.
    third = start_with(pipeline)
    async with third.run_test(size=(80, 23)) as pilot:
        await opened_on_limits(pilot)
        assert "not committed" not in text(third)


async def test_laws_by_key_and_stages_renamed_and_removed(pipeline: Path) -> None:
    app = start_with(pipeline)
    async with app.run_test(size=(80, 23)) as pilot:
        await opened_on_limits(pilot)
        await page(pilot, "laws")
        await pilot.press("g")
        await until(pilot, lambda: study(app).experiment[0].stages[0] == Stage("compute", "fixed"))
        # One a meets 40, 20 and 10 s best in relative terms at (1/40 + 1/20 + 1/10)/(1/40² + 1/20² + 1/10²).
        await until(pilot, "a=13.3")
        for off in ("−66.7 %", "−33.3 %", "+33.3 %"):
            assert off in text(app)
        await pilot.press("u")
        await until(pilot, lambda: study(app).experiment[0].stages == PIPELINE)

        await pilot.press("end", "up", "enter")
        await until(pilot, "The stage input")
        await pilot.press("ctrl+u", *"reading", "enter")
        await until(pilot, "Changed the stage reading")
        experiment = study(app).experiment[0]
        assert experiment.stages[4].after == ("bubble", "reading")
        assert [run.stages_s["reading"] for run in experiment.run] == [17.5, 17.5, 17.5]

        await pilot.press("x")
        await until(pilot, "Remove reading and its seconds at every count?")
        await pilot.press("enter")
        await until(pilot, "Removed the stage reading and its seconds at 8, 16, 32.")
        assert all("reading" not in run.stages_s for run in study(app).experiment[0].run)
        await pilot.press("u")
        await until(pilot, lambda: study(app).experiment[0] == experiment)


async def test_a_lock_is_not_taken_back_only_superseded(pipeline: Path) -> None:
    app = start_with(pipeline)
    async with app.run_test(size=(80, 23)) as pilot:
        await opened_on_limits(pilot)
        page_in_front = app.page
        assert isinstance(page_in_front, LimitsTab)
        page_in_front._now = lambda: datetime(2026, 11, 30, 9, 12, tzinfo=timezone.utc)
        await page(pilot, "predict")
        await pilot.press("right")
        await until(pilot, "128 GPUs, by the laws")
        await pilot.press("k", "enter")
        await until(pilot, lambda: study(app).experiment[0].prediction)
        await pilot.press("u")
        await until(pilot, "A locked prediction is never taken back")
        (kept,) = study(app).experiment[0].prediction
        assert (kept.devices, kept.made.isoformat()) == (128, "2026-11-30T09:12:00+00:00")
        await pilot.press("k", "enter")
        await until(pilot, "is locked already, from the same measurements")
        # Another measurement, another prediction; the first one stays.
        await page(pilot, "stages")
        await pilot.press("home", "enter", *["tab"] * 5, "ctrl+u", *"20", "enter")
        await until(pilot, "Saved.")
        await pilot.press("k", "enter")
        await until(pilot, "superseded")
        assert study(app).experiment[0].prediction[0] == kept
        assert len(study(app).experiment[0].prediction) == 2


async def test_l_on_the_strong_table_opens_the_losses_of_its_row(pipeline: Path) -> None:
    app = start_with(pipeline)
    async with app.run_test(size=(80, 23)) as pilot:
        await curves(pilot)
        await until(pilot, " T s ")
        await pilot.press("home", "down", "l")
        await until(pilot, "[losses]")
        await until(pilot, "T(8)·8/16")
        assert "pipeline" in lines(app)[1]
        await pilot.press("right")
        await until(pilot, "T(8)·8/32")
        await pilot.press("2", "home", "down", "l")
        await until(pilot, "T(8)·8/16")
        await pilot.press("l", "ctrl+u", *"16", "space", *"32", "enter")
        await until(pilot, "T(16)·16/32")
        await pilot.press("l", "ctrl+u", *"16", "enter")
        await until(pilot, 'read "16", expected two counts, like 8 32')


async def test_a_run_of_the_strong_tab_is_scored_here(pipeline: Path) -> None:
    app = start_with(pipeline)
    async with app.run_test(size=(80, 23)) as pilot:
        await opened_on_limits(pilot)
        await page(pilot, "predict")
        await pilot.press("k", "enter")
        await until(pilot, "its run is awaited")
        await pilot.press("2", "a", *"64", "tab", *"19", "enter")
        await until(pilot, "Added 64 GPUs")
        await pilot.press("escape")
        await until(pilot, lambda: words(app, "64"))
        assert app.focused is table(app)
        await pilot.press("4")
        await until(pilot, "measured 19 s: off −2.6 %")
        assert "limit unknown: compute, communication, bubble, input, host not measured at 64" in said(app)


async def test_what_an_exercise_asks_for_is_covered(pipeline: Path) -> None:
    app = start_with(pipeline)
    async with app.run_test(size=(80, 40)) as pilot:
        await opened_on_limits(pilot)
        app.page.cover(frozenset(("path", "slack", "loss", "speedup")))
        secrets = {
            "stages": ("the limit is", "slack in input", "####"),
            "path": ("limit     compute", "█", "* compute"),
            "losses": ("7.625", "65.6", "1 s of slack"),
            "predict": ("18.5 s", "input →", "10.26"),
            "measured": ("limit compute",),
            "cost": ("5.1 %",),
        }
        for name, hidden in secrets.items():
            await page(pilot, name)
            assert "▒▒" in text(app), name
            for secret in hidden:
                assert secret not in text(app), (name, secret)
        app.page.cover(frozenset(("slack",)))
        await page(pilot, "path")
        assert "░" in text(app)
        assert "·····" not in text(app)
        app.page.cover(frozenset())
        await page(pilot, "losses")
        assert "7.625" in text(app)


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
async def test_every_page_at_every_size_in_plain_ascii(size: tuple[int, int], pipeline: Path) -> None:
    app = start_with(pipeline, ROOFLAB_ASCII="1")
    async with app.run_test(size=size) as pilot:
        await opened_on_limits(pilot)
        seen = {}
        for _ in range(7):
            shown = text(app)
            assert shown.isascii()
            assert all(len(line) <= size[0] for line in shown.splitlines())
            name = lines(app)[2].partition("[")[2].partition("]")[0]
            seen[name] = shown
            await pilot.press("v")
            await pilot.pause()
        assert list(seen) == ["stages", "path", "laws", "losses", "predict", "measured", "cost"]
        assert "limit     compute" in seen["path"]
        assert ">* compute" in seen["path"]
        assert "\n * host" in seen["path"]
        assert "\n   input" in seen["path"]
        assert " 32 " in seen["stages"]
        # A stage keeps its glyph in the bars without colour.
        await page(pilot, "stages")
        await pilot.press("end", *["down"] * 6)
        bars = [line for line in lines(app) if "###" in line]
        assert [line.split()[0] for line in bars] == ["8", "16", "32"]
        assert all("=" in line and "+" in line for line in bars)
        await pilot.press("V")
        await until(pilot, "[cost]")


async def test_the_spread_of_many_jobs_is_worked_out_aside(tmp_path: Path) -> None:
    path = tmp_path / "jobs.toml"
    runs = "".join(run_line(count) for count in ("8", "16", "32") for _ in range(6))
    path.write_text(HEAD + runs, encoding="utf-8")
    app = start_with(path)
    async with app.run_test(size=(80, 23)) as pilot:
        await opened_on_limits(pilot)
        await page(pilot, "predict")
        await until(pilot, "95 % interval 18.5 to 18.5 s from 6 jobs or more")
        # A key that comes while it is worked out anew is answered.
        await pilot.press("right", "v")
        await until(pilot, "[measured]")
        await page(pilot, "predict")
        await until(pilot, "128 GPUs, by the laws")


def test_the_lab_starts_without_it() -> None:
    code = "import sys, tui.app; print([name for name in sys.modules if 'limits' in name or 'stage' in name])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


async def test_rows_of_another_experiment_and_a_study_without_any(pipeline: Path) -> None:
    with pipeline.open("a", encoding="utf-8") as file:
        file.write(
            '[[experiment]]\nfamily = "weak"\nname = "second"\nrun = [ {devices = 4, times_s = [2.0], '
            'stages_s = {"[red]x[/]" = 1.5}}, {devices = 8, times_s = [2.0]} ]\n'
        )
    app = start_with(pipeline)
    async with app.run_test(size=(80, 23)) as pilot:
        await opened_on_limits(pilot)
        assert "pipeline (1 of 2, e)" in text(app)
        await pilot.press("e", "2")
        await until(pilot, "second (2 of 2, e) · weak")
        await until(pilot, "[red]x[/]")
        await pilot.press("end")
        await until(pilot, "Limit unknown: [red]x[/] not measured at 8.")
        app.page.choose("pipeline")
        await until(pilot, "pipeline (1 of 2, e)")
