"""All twenty exercises: checked, played to the end right and with every wrong idea, every equation proved."""

from __future__ import annotations

import pytest

from tests.guide.first_exercises import Expected
from tests.guide.first_roofline import ROOFLINE, WEAK
from tests.guide.first_strong import STRONG
from tests.guide.playing import SHARES, exercise, lines, points_of_wrong_ways, says, sides
from tests.guide.scripts import SHIPPED
from tests.guide.second_limits import LIMITS
from tests.guide.second_practice import PRACTICE
from tests.guide.test_plain import Sitting
from tui.guide.catalogue import menu
from tui.guide.exercise import Exercise
from tui.guide.lint import lint, scripts_in
from tui.guide.preview import preview
from tui.guide.reader import load
from tui.guide.script import Numeric, Options, Predict
from tui.guide.selftest import selftest
from tui.guide.state import result

COURSE = {**ROOFLINE, **STRONG, **WEAK, **LIMITS, **PRACTICE}
"""What each must be, by its id, in the order of the menu."""

each = pytest.mark.parametrize("name", COURSE)


# ------------------------------------------------------------------------------------- as an author sees it


@each
def test_the_checks_have_nothing_to_say(name: str) -> None:
    neighbours = {path.stem for path in scripts_in(SHIPPED)}
    found = lint(load(SHIPPED / f"{name}.toml"), neighbours)
    assert [str(finding) for finding in found if finding.code != "I100"] == []


@each
def test_its_own_answers_are_accepted_and_its_wrong_ideas_are_known(name: str) -> None:
    assert selftest(exercise(name)).problems == ()


@each
@pytest.mark.parametrize(("width", "height"), [(80, 23), (60, 20)])
def test_every_page_fits(name: str, width: int, height: int) -> None:
    assert preview(exercise(name), width, height).overflows == ()


@each
def test_the_keys_are_what_was_worked_out_by_hand(name: str) -> None:
    found = exercise(name)
    keys = {step.id: key for step, key in zip(found.steps, found.keys, strict=True) if key is not None}
    assert {step: key.right.value for step, key in keys.items() if key.right} == COURSE[name].exact
    for step, ideas in COURSE[name].ideas.items():
        known = {idea.id: near.value if near else ideas[idea.id] for idea, near in keys[step].wrong}
        assert (list(known), known) == (list(ideas), ideas), step
    assert set(keys) == set(COURSE[name].ideas)


def test_the_menu_has_them_in_this_order() -> None:
    assert [script.id for group in menu(str(SHIPPED)) for script in group.scripts] == list(COURSE)


# ---------------------------------------------------------------------------------------- as a learner does


@each
def test_done_right_from_start_to_finish(name: str) -> None:
    found, expected = exercise(name), COURSE[name]
    sitting = Sitting(found, lines(found, expected, None))
    score = result(sitting.session)
    assert (score.done, score.possible, score.earned) == (score.steps, expected.points, expected.points)
    assert [state.tries for state in sitting.session.states] == [0] * score.steps
    assert sitting.session.closed
    assert f"{expected.points} of {expected.points} points (100 %)" in sitting.text


@each
def test_done_with_every_wrong_idea_once(name: str) -> None:
    found, expected = exercise(name), COURSE[name]
    assert found.script.score.schedule == SHARES
    predicted = {step.id for step in found.steps if isinstance(step, Predict)}
    rounds = max([1, *(len(ideas) for step, ideas in expected.ideas.items() if step in predicted)])
    for round_ in range(rounds):
        sitting = Sitting(found, lines(found, expected, round_))
        assert sitting.session.closed
        assert result(sitting.session).earned == points_of_wrong_ways(found, expected)
        _every_idea_was_answered(found, expected, sitting, round_)


def _every_idea_was_answered(found: Exercise, expected: Expected, sitting: Sitting, round_: int) -> None:
    said = " ".join(sitting.text.split())
    for step, state in zip(found.steps, sitting.session.states, strict=True):
        if isinstance(step, Predict):
            ideas = list(expected.ideas[step.id])
            assert state.ideas == (ideas[min(round_, len(ideas) - 1)],), step.id
        elif isinstance(step, Numeric):
            assert state.ideas == tuple(expected.ideas[step.id]), step.id
        elif isinstance(step, Options):
            for option in step.options:
                assert " ".join(option.feedback.split()) in said, (step.id, option.id)


@each
def test_every_equation_in_the_texts_holds(name: str) -> None:
    found = sides(name)
    assert [(place, float(left), right) for place, left, right in found if not says(right, left)] == []


def test_the_equations_are_really_found() -> None:
    assert sum(len(sides(name)) for name in COURSE) > 120
