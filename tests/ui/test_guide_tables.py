"""Exercises beside tables, the person's own study and lab meanwhile, and handing in."""

from __future__ import annotations

import re
from pathlib import Path

from tests.guide.first_strong import STRONG
from tests.guide.playing import exercise
from tests.guide.playing import lines as answers
from tests.ui.exercise_scripts import TABLES
from tests.ui.exercises import (
    attempt,
    do_lines,
    enter_row,
    experiment,
    field_texts,
    from_menu,
    graded,
    here,
    opened,
    pick,
    play,
    said,
    score,
    shown_rows,
    start_exercise,
    state_of,
    table_text,
    type_keys,
    when,
)
from tests.ui.runs import opened as study_opened
from tests.ui.runs import start_with, study
from tests.ui.screens import lines, text
from tui.files.study import read
from tui.widgets.efficiency_table import EfficiencyTable

SHRINKING = "strong-shrinking-batch"

# Tables ------------------------------------------------------------------------------------------


async def test_rows_are_revealed_filled_in_and_covered_until_the_last_step_that_asks(script) -> None:
    app = start_exercise(script(TABLES, "strong"))
    async with app.run_test(size=(80, 23)) as pilot:
        await opened(pilot)
        await do_lines(pilot, [""])
        assert [row[0] for row in shown_rows(app)] == ["4", "8"]  # the third is hidden
        assert said(app) == "Type the number, Enter answers. Tab: the table."
        assert "0.8" not in table_text(app)
        await type_keys(pilot, "=0.4", "enter")
        assert "0.8" not in table_text(app)
        await type_keys(pilot, "=0.80", "enter", "enter")
        assert here(app) == "guess"
        assert "17" not in table_text(app)
        await type_keys(pilot, "f5")
        assert "Write down your prediction first; then Play." in text(app)
        await type_keys(pilot, "=15", "enter")
        assert here(app) == "reveal"
        assert "17" not in table_text(app)
        await type_keys(pilot, "f3")
        assert here(app) == "guess"
        assert "17" not in table_text(app)
        await type_keys(pilot, "f4", "f5")
        assert "Revealed: devices 16, time_s 17.0." in text(app)
        assert "✗ not this time: 15 read as 15 s." in text(app)
        assert [row[0] for row in shown_rows(app)] == ["4", "8", "16"]
        await type_keys(pilot, "enter")

        assert here(app) == "fill"
        assert [row[0] for row in shown_rows(app)] == ["4", "16"]  # the table in front is the one to fill
        assert isinstance(app.focused, EfficiencyTable)
        assert said(app).startswith("In the table: Enter on a row, fill in what is blank")
        await type_keys(pilot, "down", "enter", *["tab"] * 4, "=7", "enter")
        assert "✗ not yet: Row devices 16: look at micro_batch." in text(app)
        assert "F2: do it for me." in said(app)
        assert "Saving" not in text(app)
        await type_keys(pilot, "enter", *["tab"] * 4, "ctrl+u", "=8", "enter")
        assert "✓ right: the row is in the table." in text(app)
        await type_keys(pilot, "enter")
        assert here(app) == "again"
        assert [row[0] for row in shown_rows(app)] == ["2", "4"]
        assert "0.625" not in table_text(app)


async def test_looking_back_at_a_step_uncovers_nothing_that_a_later_one_asks(script) -> None:
    app = start_exercise(script(TABLES, "strong"))
    async with app.run_test(size=(80, 23)) as pilot:
        await opened(pilot)
        await do_lines(pilot, ["", "0.80", "17", "", "16, 8, 1024"])
        assert here(app) == "again"
        for key in ["f3"] * 5 + ["f4"] * 5:
            await type_keys(pilot, key)
            assert "0.625" not in text(app)
        await type_keys(pilot, "tab")
        assert isinstance(app.focused, EfficiencyTable)
        assert said(app) == "Esc: back to the guide."
        await type_keys(pilot, "h", "h", "f", "escape", "v", "v")  # neither self-test nor plot gives it away
        assert "0.625" not in text(app)
        await type_keys(pilot, "escape", "=0.625", "enter")
        assert state_of(app, "again").done
        assert "0.625" in table_text(app)


async def test_entering_rows_is_practised_on_the_table_as_it_was_at_first(script) -> None:
    app = start_exercise(script(TABLES, "strong"))
    async with app.run_test(size=(80, 23)) as pilot:
        await opened(pilot)
        await do_lines(pilot, ["", "0.80", "17", "", "16, 8, 1024"])
        await type_keys(pilot, "f3")
        await from_menu(pilot, "Practise this step again")
        assert isinstance(app.focused, EfficiencyTable)
        assert experiment(app, "plan").run[1].micro_batch is None
        await enter_row(pilot, attempt(app).session.step, ["16", "7", "1024"])
        assert "✗ not yet: Row devices 16: look at micro_batch." in text(app)
        assert (state_of(app, "fill").tries, state_of(app, "fill").share) == (0, 1)
        await type_keys(pilot, "f4")
        assert experiment(app, "plan").run[1].micro_batch == 8


async def test_rows_are_done_for_the_learner_after_a_failed_check() -> None:
    app = start_exercise("strong-first-table")
    async with app.run_test(size=(80, 23)) as pilot:
        await opened(pilot)
        await do_lines(pilot, ["", "2", "4, 9.6", "8, 50"])
        assert here(app) == "enter"
        await from_menu(pilot, "Do it for me")
        assert state_of(app, "enter").assisted
        shown = {row[0]: row[1] for row in shown_rows(app)}
        assert shown == {"1": "", "2": "", "4": "96", "8": "50", "16": "27.2", "32": "16"}
        await type_keys(pilot, "enter")
        assert here(app) == "ideal-32"


async def test_a_wrong_row_beside_the_right_ones_is_gone_once_all_are_there() -> None:
    app = start_exercise("strong-first-table")
    async with app.run_test(size=(80, 23)) as pilot:
        await opened(pilot)
        await do_lines(pilot, ["", "2", "4, 9.6", "4, 96.0", "8, 50", "16, 27.2"])
        assert ["4", "52.8"] in shown_rows(app)
        assert "Row devices 4: the right one is there; this one is too many." in text(app)
        await do_lines(pilot, ["32, 16", "8", "3.53"])
        assert here(app) == "efficiency-16"
        assert ["4", "96"] in shown_rows(app)
        assert "3.529" in table_text(app)


async def test_free_play_gives_the_tables_back_and_so_does_restoring_them() -> None:
    app = start_exercise("strong-shrinking-batch")
    async with app.run_test(size=(80, 23)) as pilot:
        await opened(pilot)
        await do_lines(pilot, [""])
        before = app.study
        await from_menu(pilot, "Free play")
        await type_keys(pilot, "a", "=32", "tab", "=9", "enter", "escape", "d", "=why", "enter")
        assert app.study != before
        assert "▒▒" not in table_text(app)
        await from_menu(pilot, "End free play")
        assert app.study == before
        assert "▒▒" in table_text(app)
        await type_keys(pilot, "tab", "d", "=why", "enter")
        assert app.study != before
        await from_menu(pilot, "Bring the exercise's tables back")
        assert app.study == before
        await type_keys(pilot, "escape", "=1.90", "enter")
        assert state_of(app, "naive-speedup").done


async def test_own_runs_of_a_step_without_a_table(script) -> None:
    steps = (
        '[[step]]\nid = "own"\nkind = "runs"\ntable = "weak"\nmin_rows = 2\ntext = "Two runs of yours."\n'
        'points = 1\n[[step]]\nid = "r"\nkind = "read"\ntext = "Done."\n'
    )
    app = start_exercise(script(steps, "weak"))
    async with app.run_test(size=(80, 23)) as pilot:
        await opened(pilot)
        await type_keys(pilot, "enter", "a", "=4", "tab", "=10", "enter")
        assert "1 of 2 rows are in the table." in text(app)
        await type_keys(pilot, "=8", "tab", "=11", "enter")
        assert "2 of 2 rows are in the table." in text(app)
        await type_keys(pilot, "enter")
        assert here(app) == "r"
        await type_keys(pilot, "enter")
        assert "1 of 1 points" in text(app)


# The person's own study and lab ----------------------------------------------------------------------


async def test_study_lab_and_half_typed_lines_come_back_untouched(exercises: Path) -> None:
    contents = exercises.read_bytes()
    app = start_with(exercises)
    async with app.run_test(size=(80, 23)) as pilot:
        await study_opened(pilot)
        await type_keys(pilot, "a", "=64", "tab", "=3.", "escape", "u")
        await type_keys(pilot, "a", "=64", "tab", "=3.")
        await type_keys(pilot, "ctrl+g", "left", "enter")
        await type_keys(
            pilot, "=8", "enter", "=50", "enter", "=400", "enter", "f5", "f7", "=2", "enter", "=7e"
        )
        before, fields, study, screen = app.lab, field_texts(app), app.study, lines(app)
        assert len(before.trials) == 1
        await type_keys(pilot, "escape", "6")
        await when(app, lambda: "Enter starts" in text(app), "the list")
        await type_keys(pilot, "enter")
        await opened(pilot)
        await do_lines(pilot, ["", "", "8", "60", "50"])
        assert len(app.lab.trials) == 0
        await from_menu(pilot, "Leave the exercise")
        await type_keys(pilot, "1")
        assert (app.lab, field_texts(app), app.study) == (before, fields, study)
        assert [line for line in lines(app) if "│" in line or "┤" in line] == [
            line for line in screen if "│" in line or "┤" in line
        ]
        await type_keys(pilot, "escape", "2")
        assert [field.value for field in app.page.query("LineInput")][:2] == ["64", "3."]
    assert exercises.read_bytes() == contents


async def test_the_exercises_tables_become_a_study_of_ones_own(state: Path, exercises: Path) -> None:
    contents = exercises.read_bytes()
    app = start_exercise("strong-shrinking-batch")
    async with app.run_test(size=(80, 23)) as pilot:
        await opened(pilot)
        await do_lines(
            pilot, answers(exercise("strong-shrinking-batch"), STRONG["strong-shrinking-batch"], None)
        )
        await pick(pilot, "Keep the exercise's tables")
        assert app.attempt is None
        assert "▒▒" not in text(app)
        assert study(app).experiment[1].name == "fixed"
        await when(app, lambda: list(state.glob("studies/*.toml")), "the study's file")
    (kept,) = state.glob("studies/*.toml")
    document, _ = read(kept)
    assert [len(each.run) for each in document.study.experiment] == [3, 3]
    assert exercises.read_bytes() == contents


# Handing in --------------------------------------------------------------------------------------


async def test_handing_in_shows_the_receipt_of_a_file_that_grades_alike(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    app = start_exercise("roofline-three-trials")
    async with app.run_test(size=(80, 23)) as pilot:
        await opened(pilot)
        await do_lines(pilot, ["", "", "8", "50", "400", "", "", "1"])
        await from_menu(pilot, "Hand in what is done so far")
        await type_keys(pilot, "enter")
        assert "Type what you want to be called, then Enter." in text(app)
        await type_keys(pilot, "=Zo [b]", "tab", "ctrl+u", f"={tmp_path}/none", "enter")
        await when(app, lambda: "Not handed in" in text(app), "the fault")
        assert app.screen.query_one("#handin-alias").value == "Zo [b]"
        await type_keys(pilot, "ctrl+u", f"={tmp_path}", "enter")
        await when(app, lambda: "RECEIPT" in text(app), "the receipt")
        (file,) = tmp_path.glob("*.lab.json")
        shown = re.search(r"\((\w{4}-\w{4})\)", text(app))
        assert shown is not None
        assert shown[1] in file.name
        assert graded(file) == score(app) == "3"
        await type_keys(pilot, "enter")
        assert here(app) == "t2-reset"


async def test_a_disk_that_takes_nothing_is_said_and_the_session_is_written_elsewhere(
    state: Path, tmp_path: Path
) -> None:
    state.parent.mkdir(exist_ok=True)
    state.write_text("in the way")
    app = start_exercise("roofline-three-trials")
    async with app.run_test(size=(80, 23)) as pilot:
        await opened(pilot)
        await when(app, lambda: "NOT SAVED" in text(app), "the banner")
        await do_lines(pilot, ["", "", "8", "50", "400"])
        await type_keys(pilot, "ctrl+q")
        assert app.is_running
        assert "loses what is not saved" in text(app)
        elsewhere = tmp_path / "elsewhere"
        elsewhere.mkdir()
        await from_menu(pilot, "Write the session into another folder")
        await type_keys(pilot, f"={tmp_path}/none", "enter")
        assert "There is no such folder" in text(app)
        await type_keys(pilot, "ctrl+u", f"={elsewhere}", "enter")
        assert "it goes on there" in said(app)
        await when(app, lambda: "NOT SAVED" not in text(app), "no banner")
        await play(pilot)
    (transcript,) = elsewhere.glob("*/transcript.jsonl")
    assert '"event":"play"' in transcript.read_text()
