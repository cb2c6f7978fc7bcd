"""Inputs, predictions and Play in an exercise: what is locked, withdrawn, revised and judged."""

from __future__ import annotations

from fractions import Fraction as F

import pytest

from tests.guide.scripts import ROOFLINE, at, play, small
from tui.events import InputsSet, Played, Predicted, Reset
from tui.guide.catalogue import ready
from tui.guide.events import (
    Answered,
    Assisted,
    Chosen,
    Confidence,
    Discussed,
    FreeOff,
    FreeOn,
    Next,
    Revised,
    Withdrawn,
)
from tui.guide.session import apply
from tui.guide.state import Tone, begin, can_assist, earned, result


def test_inputs_must_read_exactly_what_is_asked_in_any_unit() -> None:
    session = at(ready(ROOFLINE), "t1-set")
    half, feedback = apply(session, InputsSet("8", ""))
    assert feedback.lines == ("8 read as 8 FLOP/byte.",)
    wrong, feedback = apply(half, InputsSet("8", "60"))
    assert feedback.lines == ("✗ not yet: B reads 60 GB/s; it should read 50 GB/s.",)
    assert can_assist(wrong)
    assert not can_assist(half)
    right, _ = apply(wrong, InputsSet("8 flop/byte", "0.05 TB/s"))
    assert right.state.done


@pytest.mark.parametrize("text", ["50 Gb/s", "50 gb/s", "50 GBPS", "50 Gbit/s"])
def test_bits_are_never_silently_bytes(text: str) -> None:
    session, feedback = apply(at(ready(ROOFLINE), "t1-set"), InputsSet("8", text))
    assert feedback.tone is Tone.UNREADABLE
    assert not session.state.done
    assert can_assist(session)


def test_do_it_for_me_is_offered_after_one_failed_check_and_is_logged() -> None:
    session = at(ready(ROOFLINE), "t1-set")
    refused, feedback = apply(session, Assisted())
    assert feedback.tone is Tone.REFUSED
    session, _ = play(refused, [InputsSet("8", "60"), Assisted()])
    assert session.state.done
    assert session.state.assisted
    assert session.inputs == ("8 FLOP/byte", "50 GB/s")


def test_a_prediction_is_locked_and_judged_after_play() -> None:
    session = at(ready(ROOFLINE), "t1-predict")
    early, feedback = apply(session, Played())
    assert feedback.tone is Tone.REFUSED
    assert early == session
    session, feedback = play(session, [Predicted("400"), Confidence(3)])
    assert feedback.lines == ()
    assert session.state.share == F(1, 2)
    assert not session.state.judged
    locked, feedback = apply(session, Predicted("500"))
    assert feedback.tone is Tone.REFUSED
    assert locked == session
    session, feedback = play(session, [Next(), Played()])
    assert feedback.tone is Tone.RIGHT
    assert feedback.lines[0] == "The marker stops at 400 GFLOP/s, limited by memory."
    place = session.exercise.script.place("t1-predict")
    assert session.states[place].share == 1
    assert session.states[place].confidence == 3


def test_play_from_the_predict_step_goes_on_by_itself() -> None:
    session, feedback = play(at(ready(ROOFLINE), "t1-predict"), [Predicted("1000"), Played()])
    assert session.step.id == "t1-play"
    assert session.state.done
    assert feedback.idea == "roofline.always-cap"
    assert earned(session, session.here - 1) == 1


def test_changing_an_input_asks_and_withdraws_the_prediction() -> None:
    session, _ = play(at(ready(ROOFLINE), "t1-predict"), [Predicted("400"), Next()])
    asks, feedback = apply(session, InputsSet("8", "60"))
    assert feedback.tone is Tone.ASK
    assert asks == session
    asks, feedback = apply(session, Reset())
    assert feedback.tone is Tone.ASK
    session, _ = apply(session, Withdrawn())
    assert session.step.id == "t1-predict"
    assert session.state.share == 0
    session, feedback = play(session, [InputsSet("8", "60"), Predicted("480"), Played()])
    assert feedback.tone is Tone.RIGHT, "judged by the inputs it was committed with"


def test_one_revision_keeps_both_and_judges_the_last() -> None:
    session, _ = play(at(ready(ROOFLINE), "t3-predict"), [Predicted("1600"), Next(), Revised("1000")])
    place = session.exercise.script.place("t3-predict")
    assert session.states[place].revised == ("1600",)
    refused, feedback = apply(session, Revised("900"))
    assert feedback.tone is Tone.REFUSED
    session, feedback = apply(refused, Played())
    assert feedback.tone is Tone.RIGHT
    assert session.states[place].share == 1


def test_a_prediction_without_an_answer_earns_its_points_by_being_made() -> None:
    exercise = small(
        '[[step]]\nid = "p"\nkind = "predict"\ntext = "t(8)?"\nunit = "s"\ncredit = "commit"\npoints = 2\n'
        '[[step.misconception]]\nid = "m.ideal"\nvalue = "120 / 8"\nfeedback = "That is the ideal."\n'
        '[[step]]\nid = "talk"\nkind = "pause"\ntext = "Talk."\ndiscuss = true\n'
        '[[step]]\nid = "show"\nkind = "play"\n'
    )
    session, _ = play(begin(exercise), [Predicted("17"), Next(), Discussed(), Next(), Played()])
    assert session.finished
    assert result(session).earned == 2
    session, feedback = play(begin(exercise), [Predicted("15"), Played()])
    assert feedback.lines == ("That is the ideal.",)
    assert result(session).earned == 2


def test_free_play_changes_nothing() -> None:
    session, _ = play(at(ready(ROOFLINE), "t1-predict"), [Predicted("400")])
    free, _ = play(
        session,
        [FreeOn(), InputsSet("3", "7"), Reset(), Predicted("1"), Played(), Chosen(("slope",)), Answered("4")],
    )
    assert free.free
    after, _ = apply(free, FreeOff())
    assert after == session


def test_a_prediction_taken_away_again_commits_nothing() -> None:
    session = at(ready(ROOFLINE), "t1-predict")
    after, _ = apply(session, Predicted(""))
    assert after == session


def test_inputs_without_a_value_of_the_key_leave_the_scripts_own() -> None:
    exercise = small(
        '[[step]]\nid = "s"\nkind = "set"\ntext = "Set"\ninputs = { I = "8", B = "50" }\n'
        '[[step]]\nid = "p"\nkind = "predict"\ntext = "?"\nanswer = "B / (I - 9)"\nunit = "1"\ntol = "1%"\n'
        '[[step]]\nid = "go"\nkind = "play"\n'
    )
    session, _ = play(begin(exercise), [InputsSet("8", "50"), Next(), InputsSet("9", "50"), Predicted("-50")])
    _, feedback = apply(session, Played())
    assert feedback.tone is Tone.RIGHT
