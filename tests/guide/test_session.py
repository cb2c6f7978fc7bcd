"""The fold: tries, points, hints, going back, help, and what never costs anything."""

from __future__ import annotations

from fractions import Fraction as F

import pytest

from tests.guide.scripts import HEAD, STRONG, answer, at, compute, play, right_way, small
from tui.events import Played, Predicted
from tui.guide.catalogue import ready
from tui.guide.events import (
    Chosen,
    Done,
    Goto,
    HintAsked,
    LinesMarked,
    Next,
    Practised,
    Reflected,
    Skipped,
    SolutionShown,
    Unreadable,
)
from tui.guide.session import apply, replay
from tui.guide.state import (
    HINT_PAUSE_S,
    Session,
    Tone,
    begin,
    can_show,
    covered,
    earned,
    hint_wait,
    order,
    points_text,
    result,
    revealed,
)

CHOICES = """
[[step]]
id = "{kind}"
kind = "{kind}"
text = "Which?"
points = 4
{more}
""" + "".join(
    f'[[step.choice]]\nid = "c{n}"\ntext = "choice number {n}"\nfeedback = "Because {n}."\n{{{n}}}\n'
    for n in range(4)
)


def choices(right: set[int], more: str = "", kind: str = "classify") -> Session:
    marks = ["correct = true" if n in right else f'misconception = "my.idea-{n}"' for n in range(4)]
    return begin(small(CHOICES.format(*marks, kind=kind, more=more)))


def asked(more: str = 'tol = "exact"') -> Session:
    return begin(small(compute("cap", more, "GFLOP/s")))


# ----------------------------------------------------------------------------------------- tries, points


@pytest.mark.parametrize(
    ("wrong", "share"), [([], F(1)), (["1"], F(1, 2)), (["1", "2"], F(1, 4)), (["1", "2", "3", "4"], F(1, 4))]
)
def test_points_go_by_the_try(wrong: list[str], share: F) -> None:
    session, _ = answer(asked(), *wrong, "1000")
    assert session.state.share == share
    assert earned(session, 0) == 4 * share
    assert session.state.first_right is (not wrong)


def test_the_same_wrong_answer_in_any_spelling_costs_nothing_and_says_the_same() -> None:
    session, first = answer(asked(), "1600")
    for text in ("1600", "1600.0", "1.6 TFLOP/s", " 1600 GFLOP/s ", "1 600"):
        session, again = answer(session, text)
        assert again.lines[1:-1] == first.lines[1:]
        assert "no try" in again.lines[-1]
    assert session.state.tries == 1
    session, _ = answer(session, "1,600", "1000")
    assert session.state.share == F(1, 2)


def test_a_step_can_have_its_own_schedule_and_number_of_tries() -> None:
    session = asked('tol = "exact"\nschedule = [1, 0.75, 0]\nattempts = 2\nsolution = "The cap."')
    session, feedback = answer(session, "1")
    assert not session.state.done
    session, feedback = answer(session, "2")
    assert session.state.done
    assert session.state.shown
    assert earned(session, 0) == 0
    assert "The answer is 1000 GFLOP/s." in feedback.lines


def test_hints_cost_only_where_the_script_says_so() -> None:
    hints = 'tol = "exact"\nhints = ["general", "specific"]'
    session, feedback = play(asked(hints), [HintAsked(0.0), HintAsked(20.0)])
    assert feedback.lines == ("Hint: specific",)
    session, _ = answer(session, "1000")
    assert session.state.share == 1
    costly = small(compute("cap", hints, "GFLOP/s"), HEAD + "[score]\nhint_cost = 0.25\n")
    session, _ = play(begin(costly), [HintAsked(0.0), HintAsked(20.0), HintAsked(40.0)])
    session, _ = answer(session, "1000")
    assert session.state.share == F(1, 2)


def test_the_next_hint_waits_ten_seconds_and_never_longer_than_that() -> None:
    session = asked('tol = "exact"\nhints = ["general", "specific"]')
    assert hint_wait(session, 0.0) == 0
    session, _ = apply(session, HintAsked(100.0))
    assert hint_wait(session, 101.0) == HINT_PAUSE_S - 1
    assert hint_wait(session, 110.0) == 0
    assert hint_wait(session, 3.0) == 0, "opened before a break: the clock began anew"


def test_the_solution_opens_after_the_last_hint_or_three_attempts() -> None:
    session = asked('tol = "exact"\nhints = ["only"]')
    assert not can_show(session)
    refused, feedback = apply(session, SolutionShown())
    assert feedback.tone is Tone.REFUSED
    assert refused == session
    assert can_show(play(session, [HintAsked(0.0)])[0])
    assert can_show(answer(session, "1", "2", "3")[0])
    assert can_show(answer(session, "abc", "", "x")[0]), "nobody is stuck who cannot type it"
    session, feedback = play(session, [HintAsked(0.0), SolutionShown()])
    assert session.state.done
    assert earned(session, 0) == 0


@pytest.mark.parametrize(
    ("picks", "share"),
    [
        ((0, 2), F(1)),
        ((0,), F(1, 2)),
        ((0, 1), F(0)),
        ((0, 1, 2), F(1, 2)),
        ((1, 3), F(0)),
        ((0, 1, 2, 3), F(0)),
    ],
)
def test_several_choices_score_right_less_wrong_of_the_first_submission(picks, share: F) -> None:
    session, feedback = apply(choices({0, 2}, 'select = "many"'), Chosen(tuple(f"c{n}" for n in picks)))
    assert session.state.share == share
    for n in picks:
        assert any(f"Because {n}." in line for line in feedback.lines)
    if feedback.tone is Tone.WRONG:
        missed = {0, 2} - set(picks)
        assert all(any(f"left out: choice number {n}" in line for line in feedback.lines) for n in missed)
        session, feedback = apply(session, Chosen(("c0", "c2")))
        assert feedback.tone is Tone.RIGHT
        assert session.state.share == share


def test_one_choice_scores_by_the_try_and_names_the_idea() -> None:
    session, feedback = apply(choices({3}), Chosen(("c1",)))
    assert feedback.lines == ("✗ not yet. Because 1.",)
    assert feedback.idea == "my.idea-1"
    session, _ = apply(session, Chosen(("c1",)))
    session, _ = apply(session, Chosen(("c3",)))
    assert session.state.share == F(1, 2)
    assert session.state.ideas == ("my.idea-1",)


@pytest.mark.parametrize("ids", [(), ("c9",), ("c0", "c1")])
def test_what_is_no_pick_costs_nothing(ids: tuple[str, ...]) -> None:
    session = choices({3})
    after, feedback = apply(session, Chosen(ids))
    assert feedback.tone is Tone.REFUSED
    assert after == session


def test_shuffled_choices_keep_their_order_within_a_session() -> None:
    exercise = choices({0}, "shuffle = true").exercise
    orders = {order(begin(exercise, seed), exercise.steps[0]) for seed in map(str, range(40))}
    assert len(orders) > 5
    session = begin(exercise, "one")
    first = order(session, exercise.steps[0])
    assert order(apply(session, Chosen(("c1",)))[0], exercise.steps[0]) == first
    assert set(first) == {"c0", "c1", "c2", "c3"}


@pytest.mark.parametrize(
    ("points", "text"),
    [(F(2), "2"), (F(1, 3), "0.33"), (F(2, 3), "0.67"), (F(1, 8), "0.13"), (F(5, 2), "2.5"), (F(0), "0")],
)
def test_points_are_rounded_once_half_up(points: F, text: str) -> None:
    assert points_text(points) == text
    assert points_text(3 * F(1, 3)) == "1"


# ------------------------------------------------------------------------------------------ moving about


def test_a_step_that_is_not_done_is_not_left_and_earlier_ones_can_be_read_again() -> None:
    session = at(ready(STRONG), "naive-efficiency")
    stuck, feedback = apply(session, Next())
    assert feedback.tone is Tone.REFUSED
    assert stuck.here == session.here
    back, _ = apply(session, Goto("scene"))
    assert back.here == 0
    again, _ = play(back, [Next(), Next()])
    assert again == session
    beyond, feedback = apply(session, Goto("reflect"))
    assert feedback.tone is Tone.REFUSED
    assert beyond == session


def test_a_finished_step_is_read_only_with_its_feedback_and_can_be_practised() -> None:
    session = at(ready(STRONG), "naive-efficiency")
    session, _ = apply(session, Goto("naive-speedup"))
    assert session.state.feedback.lines[-1] == "40.0 s / 21.0 s = 1.905"
    same, feedback = answer(session, "3")
    assert feedback.tone is Tone.REFUSED
    assert same == session
    practising, _ = apply(session, Practised())
    after, feedback = answer(practising, "0.525")
    assert feedback.idea == "scaling.inverse"
    assert after == practising
    after, feedback = answer(practising, "1.905")
    assert feedback.tone is Tone.RIGHT
    assert result(after) == result(session)


def test_only_optional_steps_are_left_out() -> None:
    session, feedback = apply(asked(), Skipped())
    assert feedback.tone is Tone.REFUSED
    session, _ = apply(asked('tol = "exact"\noptional = true'), Skipped())
    assert session.finished
    assert result(session).earned == 0


def test_the_last_step_counts_as_soon_as_it_is_done() -> None:
    session = at(ready(STRONG), "reflect")
    session, _ = apply(session, Reflected("one sentence"))
    assert result(session).done == 12
    assert session.finished
    session, _ = play(session, [Next(), Done()])
    assert session.closed


def test_reflections_keep_their_limits() -> None:
    exercise = small('[[step]]\nid = "r"\nkind = "reflect"\ntext = "Say"\nmin_chars = 5\nmax_chars = 8\n')
    for text, done in (("four", False), ("123456789", False), ("sixsix", True)):
        assert apply(begin(exercise), Reflected(text))[0].state.done is done


# ------------------------------------------------------------------------------------------------ covered


def test_columns_stay_covered_until_the_last_step_that_asks_for_them() -> None:
    exercise = ready(STRONG)
    assert covered(begin(exercise))["claimed"] == {"ideal", "speedup", "efficiency", "flags"}
    session = at(exercise, "find-it")
    assert covered(session)["claimed"] == {"flags", "ideal"}
    session, _ = play(session, [LinesMarked(("batch",)), Next()])
    assert covered(session)["claimed"] == {"ideal"}
    assert covered(session)["fixed"] == {"speedup", "efficiency"}
    back, _ = apply(session, Goto("scene"))
    assert covered(back) == covered(session), "going back uncovers nothing"
    done = replay(begin(exercise), right_way(exercise))
    assert covered(done) == {"claimed": frozenset(), "fixed": frozenset()}


def test_hidden_rows_are_revealed_by_play() -> None:
    exercise = small(
        '[[data]]\nid = "t"\nfamily = "strong"\nhidden_rows = [64]\nrows = """\ndevices, time_s\n8, 47.5\n'
        '64, 19.0\n"""\n'
        '[[step]]\nid = "p"\nkind = "predict"\ntext = "t?"\nunit = "s"\ntol = "2.5%"\n'
        "answer = \"cell('t', 64, 'time_s')\"\n"
        '[[step]]\nid = "show"\nkind = "play"\nreveal = { data = "t", rows = [64] }\n'
    )
    session, _ = apply(begin(exercise), Predicted("18.5"))
    assert revealed(session) == {}
    session, feedback = apply(session, Played())
    assert feedback.lines[0] == "Revealed: devices 64, time_s 19.0."
    assert revealed(session) == {"t": frozenset({"64"})}
    assert session.states[0].judged


def test_an_unreadable_event_of_an_older_program_stays_what_it_was() -> None:
    session, _ = apply(asked(), Unreadable("1000", "N02"))
    assert session.state.unreadable == 1
    assert not session.state.done
