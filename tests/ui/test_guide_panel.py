"""The guide panel: every kind of step by keys, locks, help, moving about, free play on the lab."""

from __future__ import annotations

from tests.ui.exercise_scripts import KINDS
from tests.ui.exercises import (
    attempt,
    do_lines,
    from_menu,
    here,
    offered,
    opened,
    pick,
    play,
    said,
    start_exercise,
    state_of,
    type_keys,
)
from tests.ui.screens import Clock, lines, text
from tui.model.trial import Phase

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
        await type_keys(pilot, "=42 s")  # in the place of what was asked about
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
        await do_lines(pilot, ["", "", "8", "50", "400", "", ""])
        await type_keys(pilot, "f2")
        assert not [each for each in offered(app) if "locked" in each]
        await type_keys(pilot, "escape")
        await do_lines(pilot, ["1", "", "8", "100", "800", "", "", "", "8", "200", "1600"])
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
