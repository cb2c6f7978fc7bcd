"""The guide panel: every kind of step by keys, locks, help, moving about, and what stays covered."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from textual.pilot import Pilot

from tests.guide.first_strong import STRONG
from tests.guide.playing import exercise
from tests.guide.playing import lines as answers
from tests.guide.scripts import HEAD
from tests.ui.exercises import (
    attempt,
    do_lines,
    from_menu,
    go_on,
    graded,
    here,
    offered,
    opened,
    pick,
    play,
    score,
    start_exercise,
    type_keys,
    when,
)
from tests.ui.runs import opened as study_opened
from tests.ui.runs import start_with, study
from tests.ui.screens import Clock, lines, text
from tui.app import RooflabApp
from tui.files.study import read
from tui.guide.state import StepState
from tui.model.trial import Phase
from tui.widgets.efficiency_table import EfficiencyTable

KINDS = """
[score]
show = "live"
[[step]]
id = "read"
kind = "read"
title = "[b]bold[/b] \\u001b[31mred"
text = "Look at [red]this[/red], [link=x]that[/link] and [ nothing. \\u001b]0;title\\u0007 \\u202e"
[[step]]
id = "talk"
kind = "pause"
discuss = true
text = "Say it to your neighbour."
[[step]]
id = "one"
kind = "observe"
points = 2
text = "Which is right?"
hints = ["Not the first.", "Not the third either."]
[[step.choice]]
id = "a"
text = "the first"
feedback = "No, not that."
[[step.choice]]
id = "b"
text = "the [b]second[/b]"
correct = true
feedback = "Yes."
[[step.choice]]
id = "c"
text = "the third"
feedback = "No, nor that."
[[step]]
id = "several"
kind = "classify"
select = "many"
points = 2
text = "Which two?"
[[step.choice]]
id = "x"
text = "this"
correct = true
feedback = "Of course."
[[step.choice]]
id = "y"
text = "not this"
feedback = "Never."
[[step.choice]]
id = "z"
text = "and this"
correct = true
feedback = "Clearly."
[[step]]
id = "line"
kind = "flaw"
points = 1
text = "Which line is wrong?"
[[step.line]]
id = "l1"
text = "devices: 4 -> 8"
feedback = "That is the point."
[[step.line]]
id = "l2"
text = "W:  2048 -> 1024"
flaw = true
feedback = "Yes."
[[step]]
id = "number"
kind = "compute"
points = 2
text = "How long?"
answer = "42"
unit = "s"
accept = ["s", "min"]
tol = "0.5%"
require_unit = true
hints = ["Twice.", "Twice 21."]
solution = "2 x 21 s is 42 s."
[[step]]
id = "extra"
kind = "compute"
optional = true
points = 1
text = "And twice that?"
answer = "84"
unit = "s"
tol = "0.5%"
[[step]]
id = "words"
kind = "reflect"
min_chars = 5
text = "What did you learn?"
"""
"""One step of each kind that needs no instrument."""

TABLES = """
[[data]]
id = "given"
family = "strong"
cover = ["speedup", "efficiency", "flags"]
rows = "devices, time_s\\n4, 40.0\\n8, 25.0\\n16, 17.0"
hidden_rows = [16]
[[data]]
id = "plan"
family = "strong"
rows = "devices, micro_batch, global_batch\\n4, 8, 1024\\n16, ?8, 1024"
[[data]]
id = "other"
family = "strong"
cover = ["efficiency"]
rows = "devices, time_s\\n2, 10.0\\n4, 8.0"
[[step]]
id = "scene"
kind = "read"
text = "Table given lists runs."
[[step]]
id = "efficiency"
kind = "compute"
points = 1
text = "What is the efficiency of given on 8?"
answer = "efficiency('given', 8)"
unit = "1"
decimals = 2
[[step]]
id = "guess"
kind = "predict"
points = 1
text = "What will the time of given be on 16?"
answer = "cell('given', 16, 'time_s')"
unit = "s"
tol = "5%"
[[step]]
id = "reveal"
kind = "play"
reveal = { data = "given", rows = [16] }
[[step]]
id = "fill"
kind = "runs"
table = "strong"
data = "plan"
points = 1
text = "Fill in table plan."
[[step]]
id = "again"
kind = "compute"
points = 1
text = "And the efficiency of other on 4?"
answer = "efficiency('other', 4)"
unit = "1"
decimals = 2
"""
"""Tables with hidden rows, blanks and covers."""


@pytest.fixture
def script(tmp_path: Path):
    """Write a script of these steps, and its path."""

    def write(steps: str, instrument: str = "none") -> str:
        path = tmp_path / "small.toml"
        path.write_text(f'{HEAD}instrument = "{instrument}"\n{steps}', encoding="utf-8")
        return str(path)

    return write


def state_of(app: RooflabApp, step: str) -> StepState:
    """What is known of a step."""
    session = attempt(app).session
    return next(s for s, each in zip(session.states, session.exercise.steps, strict=True) if each.id == step)


def said(app: RooflabApp) -> str:
    """The line at the bottom of the panel: what to do next, or how a number is read."""
    return str(app.query_one("#guide-message").visual)


def table_text(app: RooflabApp) -> str:
    """What the table in front shows, out of sight too, and what is said below it."""
    table = app.page.query_one(EfficiencyTable)
    assert table._view is not None
    return "\n".join(" ".join(table._view.cells(row, table._covered)) for row in table._view.rows)


def rows(app: RooflabApp) -> list[list[str]]:
    """Count and time of the rows of the table in front."""
    view = app.page.query_one(EfficiencyTable)._view
    assert view is not None
    return [[column.cell(row) for column in view.columns[1:3]] for row in view.rows]


def field_texts(app: RooflabApp) -> list[str]:
    """What is typed into the lab's fields."""
    return [app.query_one(f"#{field}").value for field in ("intensity", "bandwidth", "prediction")]


# Every kind of step that needs no instrument -----------------------------------------------------


async def test_reading_talking_choosing_marking_answering_and_writing_by_keys(script) -> None:
    app = start_exercise(script(KINDS))
    async with app.run_test(size=(80, 23)) as pilot:
        await opened(pilot)
        assert app.query_one("#guide").full  # there is no instrument
        await type_keys(pilot, "enter")
        # Whatever a script says is text.
        assert "[b]bold[/b]" in lines(app)[1]
        assert "Look at [red]this[/red], [link=x]that[/link] and [ nothing." in text(app)
        assert not [c for c in text(app) if c != "\n" and not c.isprintable()]
        await type_keys(pilot, "enter")
        assert said(app) == "Talk about it, then Enter goes on."
        await type_keys(pilot, "enter")

        assert here(app) == "one"
        await type_keys(pilot, "enter")  # a key too many answers nothing
        assert said(app).startswith("Choose one first")
        assert state_of(app, "one").tries == 0
        await type_keys(pilot, "down", "enter")
        assert "✗ not yet. No, not that." in text(app)
        await type_keys(pilot, "9", "enter")  # no such option, and the same again costs nothing
        assert state_of(app, "one").tries == 1
        await type_keys(pilot, "up", "down", "enter")
        assert "✓ right. Yes." in text(app)
        assert " ✓ 2. the [b]second[/b]" in text(app)
        assert "1 of 8 points so far" in lines(app)[1]
        await type_keys(pilot, "enter")

        assert said(app) == "A digit or space marks, Enter answers."
        await type_keys(pilot, "enter")
        assert said(app).startswith("Mark at least one")
        await type_keys(pilot, "1", "2", "2", "down", "space", "enter")
        assert state_of(app, "several").picks == ("x", "z")
        assert "✓ this: Of course." in text(app)
        await type_keys(pilot, "enter")

        assert "    2. W:  2048 -> 1024" in text(app)  # lines keep their blanks
        await type_keys(pilot, "2", "enter", "enter")

        assert "Answer in s (write the unit), within 0.5 %:" in text(app)
        await type_keys(pilot, "=42")
        assert "unit" in said(app)
        await type_keys(pilot, "enter")
        assert "No try was used." in text(app)
        await type_keys(pilot, "= s")
        assert said(app) == "42 s read as 42 s. Enter answers."
        await type_keys(pilot, "enter")
        assert "2 x 21 s is 42 s." in text(app)
        await type_keys(pilot, "enter")

        await from_menu(pilot, "Leave this step out")
        assert state_of(app, "extra").skipped
        assert here(app) == "words"
        await type_keys(pilot, "=abc", "enter")
        assert "3 characters: write at least 5." in text(app)
        await type_keys(pilot, "=defg", "enter")
        assert state_of(app, "words").text == "abcdefg"
        assert said(app) == "Enter: the end."
        await type_keys(pilot, "enter")
        assert "6 of 8 points" in text(app)
        assert "Keep the exercise's tables as a study of mine" not in offered(app)


async def test_a_step_that_is_done_takes_no_answer_and_can_be_practised_without_points(script) -> None:
    app = start_exercise(script(KINDS))
    async with app.run_test(size=(80, 23)) as pilot:
        await opened(pilot)
        await do_lines(pilot, ["", "", "2", "1 3", "2", "42 s"])
        await type_keys(pilot, "f3")
        assert here(app) == "number"
        assert "2 x 21 s is 42 s." in text(app)
        assert not app.query_one("#guide-answer").display
        await from_menu(pilot, "Practise this step again")
        assert said(app) == "Type the number, Enter answers."
        await type_keys(pilot, "=41 s", "enter")
        assert "✗ not yet: 41 s read as 41 s." in text(app)
        assert (state_of(app, "number").tries, state_of(app, "number").share) == (0, 1)
        await type_keys(pilot, "f3", "f3", "f3", "f3", "f3", "f3")
        assert here(app) == "read"
        assert said(app) == "This is the first step."
        await from_menu(pilot, "Steps")
        assert len(offered(app)) == 7
        await type_keys(pilot, "end", "enter")
        assert here(app) == "extra"
        await type_keys(pilot, "f4")
        assert said(app) == "The next step opens when this one is done."


async def test_hints_open_ten_seconds_apart_then_the_solution(script) -> None:
    clock = Clock()
    app = start_exercise(script(KINDS), clock=clock)
    async with app.run_test(size=(80, 23)) as pilot:
        await opened(pilot)
        await type_keys(pilot, "enter", "f6")
        assert said(app) == "There are no hints for this step."
        await type_keys(pilot, "enter", "enter", "f6")
        assert "Hint: Not the first." in text(app)
        assert text(app).count("Not the first.") == 1
        clock.seconds += 6
        await type_keys(pilot, "f6")
        assert said(app) == "The next hint opens in 4 s: think about the last one."
        assert "Not the third" not in text(app)
        clock.seconds += 4
        await type_keys(pilot, "f2")
        assert "Show the solution of this step" not in offered(app)
        await type_keys(pilot, "escape", "f6")
        assert "Hint: Not the third either." in text(app)
        await type_keys(pilot, "f6")
        assert said(app) == "No more hints. F2 shows the solution."
        await from_menu(pilot, "Show the solution")
        assert "The answer: the [b]second[/b]. Yes." in " ".join(text(app).split())
        assert (state_of(app, "one").shown, state_of(app, "one").share) == (True, 0)
        assert said(app) == "Enter goes on."


async def test_the_solution_opens_after_three_attempts_too(script) -> None:
    app = start_exercise(script(KINDS))
    async with app.run_test(size=(80, 23)) as pilot:
        await opened(pilot)
        await do_lines(pilot, ["", "", "2", "1 3", "2", "41 s", "abc"])
        assert "F2" not in said(app)
        await type_keys(pilot, "=40 s", "enter")
        assert said(app) == "Type the number, Enter answers. F2: show the solution."
        await from_menu(pilot, "Show the solution")
        assert "The answer is 42 s." in text(app)


async def test_what_was_typed_and_not_committed_comes_back_with_its_step(script) -> None:
    app = start_exercise(script(KINDS))
    async with app.run_test(size=(80, 23)) as pilot:
        await opened(pilot)
        await do_lines(pilot, ["", "", "2", "1 3", "2"])
        await type_keys(pilot, "=4", "f3", "f4", "=2 s")
        assert app.query_one("#guide-input").value == "42 s"
        await type_keys(pilot, "f3", "f4", "enter")
        assert state_of(app, "number").done


# Predictions on the roofline -----------------------------------------------------------------------


async def test_a_prediction_is_echoed_locked_drawn_played_and_judged_beside_the_number() -> None:
    app = start_exercise("roofline-three-trials")
    async with app.run_test(size=(80, 23)) as pilot:
        await opened(pilot)
        await do_lines(pilot, ["", "", "8", "50"])
        assert here(app) == "t1-predict"
        assert app.focused is app.query_one("#prediction")
        assert "in GFLOP/s, within 1 %" in said(app)
        await type_keys(pilot, "f5")
        assert "Write down your prediction first; then Play." in text(app)
        assert app.lab.phase is Phase.SETTING
        await type_keys(pilot, "=1,600", "enter")
        assert "Type 1600 or 1.600." in text(app)
        assert state_of(app, "t1-predict").done is False
        await type_keys(pilot, "ctrl+u", "=1000")
        assert lines(app)[2] == " 1000 read as 1000 GFLOP/s. Enter commits."
        await type_keys(pilot, "enter")
        # Locked: the fields take nothing, the value is drawn, and nothing says whether it is right.
        assert all(app.query_one(f"#{field}").disabled for field in ("intensity", "bandwidth", "prediction"))
        assert "you: 1000" in text(app)
        assert "How sure are you?" in said(app)
        await type_keys(pilot, "3")
        assert state_of(app, "t1-predict").confidence == 3
        assert here(app) == "t1-play"
        assert "memory" not in text(app)
        await type_keys(pilot, "f5")
        assert app.lab.phase is Phase.PLAYING
        assert "The marker stops" not in text(app)
        await type_keys(pilot, "enter")
        assert app.lab.phase is Phase.PLAYED
        assert "The marker stops at 400 GFLOP/s, limited by memory." in text(app)
        assert "✗ not this time: 1000 read as 1000 GFLOP/s." in text(app)
        await type_keys(pilot, "enter", "f3", "f3")
        assert here(app) == "t1-predict"
        await type_keys(pilot, "f5")
        assert state_of(app, "t1-predict").share == 0.5  # final


async def test_inputs_are_locked_with_the_prediction_and_taking_it_back_asks_first() -> None:
    app = start_exercise("roofline-three-trials")
    async with app.run_test(size=(80, 23)) as pilot:
        await opened(pilot)
        await do_lines(pilot, ["", "", "8", "50", "400"])
        await type_keys(pilot, "f7")
        assert said(app) == "Withdraw it? Enter takes the prediction back, Esc keeps it."
        assert app.lab.prediction is not None
        await type_keys(pilot, "escape")
        assert "Your prediction stays as it is." in text(app)
        assert state_of(app, "t1-predict").done
        await type_keys(pilot, "f7", "enter")
        assert here(app) == "t1-predict"
        assert not state_of(app, "t1-predict").done
        assert app.lab.prediction is None
        assert not app.query_one("#bandwidth").disabled
        await type_keys(pilot, "=1000", "enter", "enter", "f2")
        await pick(pilot, "Take the locked prediction back")
        await type_keys(pilot, "=400", "enter", "2")
        await play(pilot)
        assert "✓ right: 400 read as 400 GFLOP/s." in text(app)


async def test_a_locked_prediction_is_changed_once_where_the_step_allows_it() -> None:
    app = start_exercise("roofline-three-trials")
    async with app.run_test(size=(80, 23)) as pilot:
        await opened(pilot)
        await do_lines(pilot, ["", "", *"8 50 400".split(), "", ""])
        await type_keys(pilot, "f2")
        assert not [each for each in offered(app) if "locked" in each]
        await type_keys(pilot, "escape")
        await do_lines(pilot, ["1", "", *"8 100 800".split(), "", "", "", *"8 200 1600".split()])
        await type_keys(pilot, "2")
        assert here(app) == "t3-play"
        await from_menu(pilot, "Change the locked prediction once")
        assert said(app).startswith("Type the prediction that shall stand")
        await type_keys(pilot, "=900", "escape")
        assert state_of(app, "t3-predict").text == "1600"
        await from_menu(pilot, "Change the locked prediction once")
        await type_keys(pilot, "=1000")
        await type_keys(pilot, "enter")
        state = state_of(app, "t3-predict")
        assert (state.text, state.revised) == ("1000", ("1600",))
        assert "you: 1000" in text(app)
        assert app.query_one("#prediction").value == "1000"
        await type_keys(pilot, "f2")
        assert not [each for each in offered(app) if each.startswith("Change the locked")]
        await type_keys(pilot, "escape")
        await play(pilot)
        assert "✓ right: 1000 read as 1000 GFLOP/s." in text(app)


async def test_wrong_inputs_are_named_and_can_be_set_for_the_learner() -> None:
    app = start_exercise("roofline-three-trials")
    async with app.run_test(size=(80, 23)) as pilot:
        await opened(pilot)
        await do_lines(pilot, ["", ""])
        await type_keys(pilot, "f2")
        assert "Do it for me" not in offered(app)
        await type_keys(pilot, "escape", "=8", "enter", "=50 Gb/s", "enter")
        assert here(app) == "t1-set"
        await type_keys(pilot, "ctrl+u", "=60", "enter")
        assert "✗ not yet: B reads 60 GB/s; it should read 50 GB/s." in text(app)
        await from_menu(pilot, "Do it for me")
        assert here(app) == "t1-predict"
        assert state_of(app, "t1-set").assisted
        assert [app.query_one(f"#{field}").value for field in ("intensity", "bandwidth")] == [
            "8 FLOP/byte",
            "50 GB/s",
        ]
        await type_keys(pilot, "=400", "enter", "enter")
        await play(pilot)
        assert "✓ right: 400" in text(app)


async def test_free_play_is_not_graded_and_gives_fields_marks_and_trials_back() -> None:
    app = start_exercise("roofline-three-trials")
    async with app.run_test(size=(80, 23)) as pilot:
        await opened(pilot)
        await do_lines(pilot, ["", "", "8", "50"])
        await type_keys(pilot, "=40")
        before, lab = attempt(app).session, app.lab
        await from_menu(pilot, "Free play")
        assert "FREE PLAY: nothing is graded. F2 ends it." in text(app)
        await type_keys(pilot, "f7", "=4", "enter", "=300", "enter", "=900", "f5", "f5")
        assert app.lab.phase is Phase.PLAYED
        assert "1000" in text(app)
        await type_keys(pilot, "f7", "f7", "=2", "enter")
        await from_menu(pilot, "End free play")
        assert "FREE PLAY" not in text(app)
        assert app.lab == lab
        after = attempt(app).session
        assert (after.inputs, after.here) == (before.inputs, before.here)
        assert [state.done for state in after.states] == [state.done for state in before.states]
        assert [app.query_one(f"#{field}").value for field in ("intensity", "bandwidth")] == ["8", "50"]
        assert app.focused is app.query_one("#prediction")
        await type_keys(pilot, "ctrl+u", "=400", "enter", "enter")
        await play(pilot)
        assert "✓ right: 400" in text(app)


# Tables ------------------------------------------------------------------------------------------


async def test_rows_are_revealed_filled_in_and_covered_until_the_last_step_that_asks(script) -> None:
    app = start_exercise(script(TABLES, "strong"))
    async with app.run_test(size=(80, 23)) as pilot:
        await opened(pilot)
        await do_lines(pilot, [""])
        assert [row[0] for row in rows(app)] == ["4", "8"]  # the third is hidden
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
        assert [row[0] for row in rows(app)] == ["4", "8", "16"]
        await type_keys(pilot, "enter")

        assert here(app) == "fill"
        assert [row[0] for row in rows(app)] == ["4", "16"]  # the table in front is the one to fill
        assert isinstance(app.focused, EfficiencyTable)
        assert said(app).startswith("In the table: Enter on a row, fill in what is blank")
        await type_keys(pilot, "down", "enter", *["tab"] * 4, "=7", "enter")
        assert "✗ not yet: Row devices 16: look at micro_batch." in text(app)
        assert "F2: do it for me." in said(app)
        assert "Saving" not in text(app)
        await type_keys(pilot, "enter", *["tab"] * 4, "ctrl+u", "=8", "enter")
        assert "✓ right: all 1 rows are in the table." in text(app)
        await type_keys(pilot, "enter")
        assert here(app) == "again"
        assert [row[0] for row in rows(app)] == ["2", "4"]
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
        await type_keys(pilot, "h", "h", "f", "escape", "v", "v")  # neither self-test nor plot gives it away
        assert "0.625" not in text(app)
        await type_keys(pilot, "escape", "=0.625", "enter")
        assert state_of(app, "again").done
        assert "0.625" in table_text(app)


async def test_rows_are_done_for_the_learner_after_a_failed_check() -> None:
    app = start_exercise("strong-first-table")
    async with app.run_test(size=(80, 23)) as pilot:
        await opened(pilot)
        await do_lines(pilot, ["", "2", "4, 9.6", "8, 50"])
        assert here(app) == "enter"
        await from_menu(pilot, "Do it for me")
        assert state_of(app, "enter").assisted
        shown = {row[0]: row[1] for row in rows(app)}
        assert shown == {"1": "", "2": "", "4": "96", "8": "50", "16": "27.2", "32": "16"}
        await type_keys(pilot, "enter")
        assert here(app) == "ideal-32"


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
        await type_keys(pilot, "=8", "enter", "=50", "enter", "=400", "enter", "f5", "f7", "=2", "enter", "=7e")
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
        await do_lines(pilot, answers(exercise("strong-shrinking-batch"), STRONG["strong-shrinking-batch"], None))
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
        await do_lines(pilot, ["", "", *"8 50 400".split(), "", "", "1"])
        await from_menu(pilot, "Hand in what is done so far")
        await type_keys(pilot, "enter")
        assert "Type what you want to be called, then Enter." in text(app)
        await type_keys(pilot, "=Zo [b]", "tab", "ctrl+u", f"={tmp_path}/none", "enter")
        await when(app, lambda: "Not handed in" in text(app), "the fault")
        assert [field.value for field in app.screen.query("Input")][0] == "Zo [b]"
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
        await do_lines(pilot, ["", "", *"8 50 400".split()])
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


# Sizes -------------------------------------------------------------------------------------------

STORM = [(20, 5), (200, 60), (60, 20), (80, 23)]


async def storm(pilot: Pilot[None]) -> None:
    """Resize to what is too small, to what is huge, to the smallest that is usable, and back."""
    app = pilot.app
    assert isinstance(app, RooflabApp)
    for size in STORM:
        await pilot.resize_terminal(*size)
        await pilot.pause(0)
        assert ("60x20" in text(app)) is (size == (20, 5))
    assert "GuidePanel" in repr(app.query_one("#guide"))


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
        assert not app.page.query_one(EfficiencyTable).display
        assert sum("┤" in line or "│" in line for line in lines(app)) >= 3
        await type_keys(pilot, *["v"] * len(app.page.query_one(EfficiencyTable)._view.columns))
