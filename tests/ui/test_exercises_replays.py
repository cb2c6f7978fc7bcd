"""Complaints about other teaching programs, tried on the exercises in the app; each test names its report."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.guide.playing import exercise, lines
from tests.guide.test_exercises import COURSE
from tests.ui.exercises import (
    attempt,
    do_lines,
    field_texts,
    from_menu,
    graded,
    here,
    opened,
    pick,
    play,
    score,
    start_exercise,
    state_of,
    transcripts,
    type_keys,
    when,
)
from tests.ui.screens import start, text
from tui.guide.store import kept_sessions
from tui.tabs.choice_screen import ChoiceScreen

THREE, SHRINKING = "roofline-three-trials", "strong-shrinking-batch"
JUNK = ["nan", "inf", "NA", "400abc", "400 GFLOP/s extra", "--", "1e999999999", ""]
TO_THE_THIRD = ["", "", "8", "50", "400", "", "", "1", "", "8", "100", "800", "", "", "", "8", "200"]
"""Lines up to the third prediction."""


async def test_commas_points_and_per_cent_are_read_or_asked_about_and_never_guessed() -> None:
    """https://github.com/Khan/perseus/pull/2574, https://github.com/FormulasQuestion/moodle-qtype_formulas/issues/11"""
    app = start_exercise(SHRINKING)
    async with app.run_test(size=(80, 23)) as pilot:
        await opened(pilot)
        await do_lines(pilot, ["", "1,90"])
        await type_keys(pilot, "=95,2 %", "enter")
        assert state_of(app, "naive-efficiency").done
        await from_menu(pilot, "Practise this step again")
        for typed in ("0,952", "95,2%", "20/21"):
            await type_keys(pilot, "ctrl+u", f"={typed}", "enter")
            assert f"✓ right: {typed} read as" in text(app)
    app = start_exercise(THREE)
    async with app.run_test(size=(80, 23)) as pilot:
        await opened(pilot)
        await do_lines(pilot, TO_THE_THIRD)
        await type_keys(pilot, "=1,000", "enter")
        assert "Type 1000 or 1.000." in text(app)
        assert not state_of(app, "t3-predict").done
        await type_keys(pilot, "ctrl+u", "=1 000", "enter", "enter")
        await play(pilot)
        assert "✓ right: 1 000 read as 1000 GFLOP/s." in text(app)


async def test_junk_uses_no_try_and_stays_in_the_field() -> None:
    """https://github.com/swirldev/swirl_courses/issues/221, https://github.com/ratfactor/ziglings/pull/145"""
    app = start_exercise(SHRINKING)
    async with app.run_test(size=(80, 23)) as pilot:
        await opened(pilot)
        await do_lines(pilot, [""])
        for junk in JUNK:
            await type_keys(pilot, "ctrl+u", f"={junk}", "enter")
            assert "No try was used." in " ".join(text(app).split()), junk
            assert app.query_one("#guide-input").value == junk
        state = state_of(app, "naive-speedup")
        assert (state.tries, state.unreadable, state.done) == (0, len(JUNK), False)
    app = start_exercise(THREE)
    async with app.run_test(size=(80, 23)) as pilot:
        await opened(pilot)
        await do_lines(pilot, ["", "", "8", "50"])
        for junk in JUNK[:-1]:
            await type_keys(pilot, "ctrl+u", f"={junk}", "enter")
            assert field_texts(app) == ["8", "50", junk]
        assert not state_of(app, "t1-predict").done
        assert app.lab.prediction is None


async def test_repeating_and_mistyping_cost_one_try_together() -> None:
    """https://github.com/PrairieLearn/PrairieLearn/issues/3120"""
    app = start_exercise(THREE)
    async with app.run_test(size=(80, 23)) as pilot:
        await opened(pilot)
        await do_lines(pilot, [*TO_THE_THIRD, "1000", "", "", "1", "8000", "8000"])
        assert here(app) == "knee"
        assert "You answered that before: no try was used." in text(app)
        await do_lines(pilot, ["8,000", "8 000", "125"])
        state = state_of(app, "knee")
        assert (state.tries, state.unreadable, state.share) == (1, 1, 0.5)


async def test_half_then_quit_then_the_rest_is_graded_as_it_was_shown(
    state: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """https://github.com/rundel/learnrhash/issues/6"""
    monkeypatch.chdir(tmp_path)
    typed = list(lines(exercise(SHRINKING), COURSE[SHRINKING], 0))
    half = len(typed) // 2
    app = start_exercise(SHRINKING)
    async with app.run_test(size=(80, 23)) as pilot:
        await opened(pilot)
        await do_lines(pilot, typed[:half])
        shown = score(app)
        await type_keys(pilot, "ctrl+q")
    app = start_exercise(SHRINKING)
    async with app.run_test(size=(80, 23)) as pilot:
        await opened(pilot)
        assert score(app) == shown
        await do_lines(pilot, typed[half:])
        await pick(pilot, "Hand it in")
        await type_keys(pilot, "=me", "enter", "enter")
        await when(app, lambda: "RECEIPT" in text(app), "the receipt")
        (file,) = tmp_path.glob("*.lab.json")
        assert graded(file) == score(app) == "4.58"
        await type_keys(pilot, "enter")
        await when(app, lambda: isinstance(app.screen, ChoiceScreen), "the end")
        assert "4.58 of 14 points" in text(app)
    assert len(transcripts(state)) == 1


async def test_nothing_travels_from_one_exercise_to_the_next() -> None:
    """https://github.com/phyver/GameShell/issues/18"""
    app = start()
    async with app.run_test(size=(80, 23)) as pilot:
        await type_keys(pilot, "escape", "6")
        await when(app, lambda: "Enter starts" in text(app), "the list")
        await type_keys(pilot, "enter")
        await opened(pilot)
        await do_lines(pilot, [*TO_THE_THIRD, "1600"])
        first, lab = attempt(app).session, app.lab
        await type_keys(pilot, "6", *["down"] * 4, "enter")
        await opened(pilot, SHRINKING)
        assert (app.lab.trials, field_texts(app)) == ((), ["", "", ""])
        await do_lines(pilot, ["", "3", "1.9"])
        await type_keys(pilot, "escape", "6", *["up"] * 4, "enter")
        await opened(pilot, THREE)
        after = attempt(app).session
        assert (after.states, after.here, after.inputs) == (first.states, first.here, first.inputs)
        assert (app.lab.trials, field_texts(app)) == (lab.trials, ["8", "200", "1600"])


async def test_the_last_step_counts_when_the_program_is_left_at_once() -> None:
    """https://github.com/rust-lang/rustlings/issues/2024"""
    app = start_exercise(SHRINKING)
    async with app.run_test(size=(80, 23)) as pilot:
        await opened(pilot)
        *most, last = lines(exercise(SHRINKING), COURSE[SHRINKING], None)
        await do_lines(pilot, most)
        await type_keys(pilot, f"={last}", "enter", "ctrl+q")
    (kept,) = kept_sessions(SHRINKING)
    assert kept.session.finished
