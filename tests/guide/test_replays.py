"""Complaints about other teaching programs, tried on this one; each test names its report."""

from __future__ import annotations

import itertools
import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from fractions import Fraction as F

import pytest

from tests.guide.scripts import ROOFLINE, SHIPPED, STRONG, answer, at, compute, loaded, play, right_way, small
from tui.events import InputsSet, Played, Predicted, Reset
from tui.guide import pages
from tui.guide.catalogue import ready
from tui.guide.events import FreeOff, FreeOn, Next, Reflected
from tui.guide.grading import Range
from tui.guide.lint import lint, scripts_in
from tui.guide.lint_numbers import prints_answer
from tui.guide.script import Compute, Numeric, Predict
from tui.guide.session import replay
from tui.guide.state import Tone, begin, points_text, result
from tui.guide.store import kept_sessions
from tui.model.quantity import format_exact, format_number

FILES = [pytest.param(file, id=file.stem) for file in (ROOFLINE, STRONG)]
ALL = [pytest.param(file, id=file.stem) for file in scripts_in(SHIPPED)]


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGHUP, signal.SIGTERM])
def test_progress_survives_a_power_cut_and_a_closed_terminal(number: signal.Signals) -> None:
    """https://github.com/phyver/GameShell/issues/108, https://github.com/swirldev/swirl/issues/594"""
    with subprocess.Popen(
        [sys.executable, "-m", "tui", "lab", "run", "strong-shrinking-batch", "--plain"],
        cwd=SHIPPED.parent,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as child:
        assert child.stdin is not None
        assert child.stdout is not None
        child.stdin.write("\n0.525\n1.905\n0.952\n3\n2\n")
        child.stdin.flush()
        next(line for line in child.stdout if "Step 6 of 12" in line)
        child.send_signal(number)
    (kept,) = kept_sessions("strong-shrinking-batch")
    assert kept.session.step.id == "same-sequences"
    assert kept.session.states[1].tries == 1
    assert result(kept.session).earned == F(1, 2) + 1 + 2 + 1


@pytest.mark.parametrize("text", ["0,952", "95,2 %", "95,2%", "0.952", "20/21"])
def test_decimal_comma_and_percent_are_right(text: str) -> None:
    """https://github.com/FormulasQuestion/moodle-qtype_formulas/issues/11"""
    _, feedback = answer(at(ready(STRONG), "naive-efficiency"), text)
    assert feedback.tone is Tone.RIGHT


@pytest.mark.parametrize(
    ("text", "right"), [("1,000", None), ("1.000", False), ("1 000", True), ("1000,0", True), ("1'000", True)]
)
def test_separators_are_never_guessed(text: str, right: bool | None) -> None:
    """https://github.com/Khan/perseus/pull/2574"""
    session, feedback = answer(at(ready(ROOFLINE), "t3-predict"), text)
    if right is None:
        assert feedback.code == "N06"
        assert feedback.choices == ("1000", "1.000")
        assert not session.state.done
        return
    assert feedback.lines[0].startswith(f"{text} read as {'1000' if right else '1'} GFLOP/s")
    _, feedback = play(session, [Played()])
    assert (feedback.tone is Tone.RIGHT) is right


def test_free_play_changes_no_answer() -> None:
    """https://github.com/swirldev/swirl/issues/654"""
    session = at(ready(ROOFLINE), "t1-predict")
    inputs = session.inputs
    session, _ = play(session, [FreeOn(), Reset(), InputsSet("3", "7"), FreeOff()])
    assert session.inputs == inputs
    _, feedback = play(session, [Predicted("400"), Played()])
    assert feedback.tone is Tone.RIGHT


@pytest.mark.parametrize("file", FILES)
def test_special_values_and_trailing_characters_are_never_judged(file) -> None:
    """https://github.com/swirldev/swirl_courses/issues/221, https://github.com/ratfactor/ziglings/pull/145"""
    exercise = ready(file)
    for place, step in enumerate(exercise.steps):
        if not isinstance(step, Numeric):
            continue

        session = replace(begin(exercise), here=place)
        right = format_exact(exercise.keys[place].right.value)
        for text in ("nan", "inf", "NA", f"{right}abc", f"{right} GFLOP/s extra", "", "--", "1e999999999"):
            start = time.process_time()
            after, feedback = answer(session, text)
            assert time.process_time() - start < 0.05
            assert feedback.tone is Tone.UNREADABLE, text
            assert (after.state.tries, after.state.done) == (0, False)


def test_a_question_to_which_everything_is_right_is_an_error() -> None:
    """https://github.com/jupyter/nbgrader/issues/1658"""
    everything = "".join(
        f'[[step.choice]]\nid = "c{n}"\ntext = "choice {n}"\ncorrect = true\nfeedback = "f"\n'
        for n in range(3)
    )
    script = loaded('[[step]]\nid = "q"\nkind = "classify"\ntext = "Q"\n' + everything)
    assert "E082" in [each.code for each in lint(script)]


@pytest.mark.parametrize("file", FILES)
def test_unit_and_precision_stand_in_every_prompt(file) -> None:
    """https://github.com/PrairieLearn/PrairieLearn/issues/12450"""
    exercise = ready(file)
    session = begin(exercise)
    for place, step in enumerate(exercise.steps):
        if isinstance(step, Numeric):
            last = pages.page(session, place, 76)[-1]
            unit = "as a ratio or in %" if step.unit == "1" else f"in {step.unit}"
            precision = "to 2 decimals" if step.decimals else f"within {step.tol.replace('%', ' %')}"
            assert last == f"{'Predict' if isinstance(step, Predict) else 'Answer'} {unit}, {precision}."


def test_repeating_and_mistyping_cost_one_try_together() -> None:
    """https://github.com/PrairieLearn/PrairieLearn/issues/3120, .../issues/608"""
    session = begin(small(compute("cap", 'tol = "1%"', "GFLOP/s")))
    session, _ = answer(session, "1600", "1600", "1,600", "1000")
    assert (session.state.tries, session.state.share) == (1, F(1, 2))


@pytest.mark.parametrize(
    ("text", "tone"), [("50%", "right"), ("0.5", "right"), ("1/2", "right"), ("50", "unreadable")]
)
def test_percent_and_ratio_are_the_same_number(text: str, tone: str) -> None:
    """https://github.com/Khan/khan-exercises/issues/116961"""
    _, feedback = answer(begin(small(compute("0.5", "percent = true\ndecimals = 2"))), text)
    assert feedback.tone.value == tone


def test_nothing_leaks_from_one_exercise_to_the_next() -> None:
    """https://github.com/phyver/GameShell/issues/18"""
    first = at(ready(ROOFLINE), "t3-play")
    second = begin(ready(STRONG))
    assert (second.inputs, second.here) == (("", ""), 0)
    assert all(state == type(state)() for state in second.states)
    again = at(ready(ROOFLINE), "t3-play")
    assert again == first


def test_the_last_exercise_counts_when_the_program_is_left_at_once() -> None:
    """https://github.com/rust-lang/rustlings/issues/2024"""
    exercise = ready(ROOFLINE)
    events = right_way(exercise)
    last = next(n for n, event in enumerate(events) if isinstance(event, Reflected))
    session = replay(begin(exercise), events[: last + 1])
    assert (result(session).done, session.finished) == (18, True)


def wrong_texts(right: Range) -> list[str]:
    factors = (-1, 1000, F(1, 1000), F(128, 125), F(125, 128), 2, F(1, 2), 7)
    return [format_number(right.value * factor, 8) for factor in factors if right.value * factor not in right]


@pytest.mark.parametrize("file", ALL)
def test_no_wrong_answer_prints_the_key(file) -> None:
    """https://github.com/ucbds-infra/otter-grader/issues/953"""
    exercise = ready(file)
    for place, step in enumerate(exercise.steps):
        if not isinstance(step, Compute):
            continue
        key = exercise.keys[place]
        session = replace(begin(exercise), here=place)
        ideas = [format_number(ranged.value, 8) for _, ranged in key.wrong if ranged]
        for text in (*ideas, *wrong_texts(key.right), "abc", "400 GB/s"):
            _, feedback = answer(session, text)
            assert feedback.tone is not Tone.RIGHT
            said = " ".join(feedback.lines[1:] if feedback.tone is Tone.WRONG else feedback.lines)
            assert not prints_answer(said, key.right), said


def test_committing_a_prediction_says_nothing_about_it() -> None:
    """The verdict waits for Play, whatever was predicted."""
    session = at(ready(ROOFLINE), "t2-predict")
    said = {answer(session, text)[1].lines[0].replace(text, "X") for text in ("800", "400", "1000", "7")}
    assert said == {"X read as X GFLOP/s. Committed; Play shows the result."}


def test_points_in_thirds_add_up() -> None:
    """https://github.com/ucbds-infra/otter-grader/issues/563"""
    steps = "".join(compute("cap", 'tol = "1%"\nschedule = ["100/3%"]', "GFLOP/s", f"q{n}") for n in range(3))
    session = begin(small(steps.replace("points = 4", "points = 1")))
    for _ in range(3):
        session, _ = answer(session, "1000")
        session, _ = play(session, [Next()])
    assert result(session).earned == 1
    assert points_text(result(session).earned) == "1"


def test_the_same_events_give_the_same_session_whoever_folds_them() -> None:
    """https://github.com/rundel/learnrhash/issues/6: what is resumed is what is graded."""
    exercise = ready(STRONG)
    events = right_way(exercise)
    for cut in range(0, len(events), 7):
        halfway = replay(begin(exercise), events[:cut])
        assert replay(halfway, events[cut:]) == replay(begin(exercise), events)
    assert result(replay(begin(exercise), events)).earned == 14


@pytest.mark.parametrize("order", list(itertools.permutations(["3", "1.905", "abc"]))[:4])
def test_whatever_comes_first_the_right_answer_is_still_right(order: tuple[str, ...]) -> None:
    session, _ = answer(at(ready(STRONG), "naive-speedup"), *order)
    assert session.state.done
