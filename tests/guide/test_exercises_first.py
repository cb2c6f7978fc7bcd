"""The first ten exercises: checked, played to the end right and wrong, and every number in them proved."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction as F
from operator import add, mul, sub, truediv

import pytest

from tests.guide.first_exercises import Expected
from tests.guide.first_roofline import ROOFLINE, WEAK
from tests.guide.first_strong import STRONG
from tests.guide.scripts import SHIPPED
from tests.guide.test_plain import Sitting
from tui.guide.catalogue import menu, ready
from tui.guide.exercise import Exercise
from tui.guide.lint import lint, scripts_in
from tui.guide.preview import preview
from tui.guide.reader import load
from tui.guide.script import Numeric, Options, Predict, Runs, SetInputs, Step
from tui.guide.selftest import selftest
from tui.guide.state import result
from tui.model.quantity import format_number

FIRST_TEN = {**ROOFLINE, **STRONG, **WEAK}
"""What each must be, by its id, in the order of the menu."""

SHARES = (F(1), F(1, 2), F(1, 4))
"""What the first, the second and every later try is worth."""

each = pytest.mark.parametrize("name", FIRST_TEN)


def exercise(name: str) -> Exercise:
    return ready(SHIPPED / f"{name}.toml")


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
    assert {step: key.right.value for step, key in keys.items() if key.right} == FIRST_TEN[name].exact
    for step, ideas in FIRST_TEN[name].ideas.items():
        known = {idea.id: near.value if near else ideas[idea.id] for idea, near in keys[step].wrong}
        assert (list(known), known) == (list(ideas), ideas), step
    assert set(keys) == set(FIRST_TEN[name].ideas)


@each
def test_it_ends_with_one_sentence_to_remember_and_says_where_its_numbers_come_from(name: str) -> None:
    script = exercise(name).script
    first, _, _ = script.closing.replace("\n", " ").partition("  ")
    assert re.fullmatch(r"Remember: [^.]*\.", first), first
    assert script.source.startswith("synthetic")
    assert all(data.source == "synthetic" for data in script.data)


def test_the_menu_has_them_first_and_in_this_order() -> None:
    listed = [script.id for group in menu(str(SHIPPED)) for script in group.scripts]
    assert listed[:10] == list(FIRST_TEN)


# ---------------------------------------------------------------------------------------- as a learner does


def lines(found: Exercise, expected: Expected, round_: int | None) -> Iterator[str]:
    """What is typed from start to end: right, or with wrong answers before each right one.

    Args:
        round_: which wrong idea a prediction shows, the last one where it has fewer; None for right ones.
    """
    for step in found.steps:
        if isinstance(step, SetInputs):
            yield from (text.split()[0] for text in step.inputs.values())
        elif not step.GRADED:
            yield "my own words" if step.kind == "reflect" else ""
        elif isinstance(step, Predict):
            ideas = list(expected.ideas[step.id].values())
            shown = None if round_ is None else ideas[min(round_, len(ideas) - 1)]
            yield expected.answers[step.id][0] if shown is None else format_number(shown, 8)
            if step.confidence:
                yield ""
        else:
            yield from wrong_lines(step, expected) if round_ is not None else ()
            yield from expected.answers[step.id]


def wrong_lines(step: Step, expected: Expected) -> Iterator[str]:
    """Every wrong answer that a step knows, once: ideas, single wrong choices, a row with a wrong cell."""
    if isinstance(step, Options):
        yield from (str(n) for n, option in enumerate(step.options, start=1) if not option.right)
    elif isinstance(step, Numeric):
        yield from (format_number(value, 8) for value in expected.ideas[step.id].values())
    elif isinstance(step, Runs):
        yield expected.wrong_row[step.id]


def points_of_wrong_ways(found: Exercise, expected: Expected) -> F:
    """What is earned when every wrong answer came first, by the rules that the script states."""
    total = F(0)
    for step in found.steps:
        if not step.GRADED:
            continue
        wrong = len(list(wrong_lines(step, expected)))
        if isinstance(step, Predict):
            share = F(1) if step.credit == "commit" else F(1, 2)
        elif isinstance(step, Runs):
            rows = len(expected.answers[step.id])
            share = (SHARES[1] + rows - 1) / rows
        elif isinstance(step, Options) and step.select == "many":
            share = F(0)  # the first submission counts, and it was one wrong pick
        else:
            share = SHARES[min(wrong, 2)]
        total += step.points * share
    return total


@each
def test_done_right_from_start_to_finish(name: str) -> None:
    found, expected = exercise(name), FIRST_TEN[name]
    sitting = Sitting(found, lines(found, expected, None))
    score = result(sitting.session)
    assert (score.done, score.possible) == (score.steps, expected.points)
    # One prediction of the ten cannot be known: its points are for committing.
    assert score.earned == expected.points
    assert [state.tries for state in sitting.session.states] == [0] * score.steps
    assert sitting.session.closed
    assert f"{expected.points} of {expected.points} points (100 %)" in sitting.text


@each
def test_done_with_every_wrong_idea_once(name: str) -> None:
    found, expected = exercise(name), FIRST_TEN[name]
    assert found.script.score.schedule == SHARES
    predicted = {step.id for step in found.steps if isinstance(step, Predict)}
    rounds = max([1, *(len(ideas) for step, ideas in expected.ideas.items() if step in predicted)])
    for round_ in range(rounds):
        sitting = Sitting(found, lines(found, expected, round_))
        assert sitting.session.closed
        assert result(sitting.session).earned == points_of_wrong_ways(found, expected)
        said = " ".join(sitting.text.split())
        for step, state in zip(found.steps, sitting.session.states, strict=True):
            if step.id in predicted:
                ideas = list(expected.ideas[step.id])
                assert state.ideas == (ideas[min(round_, len(ideas) - 1)],), step.id
            elif isinstance(step, Numeric):
                assert state.ideas == tuple(expected.ideas[step.id]), step.id
            elif isinstance(step, Options):
                for option in step.options:
                    assert " ".join(option.feedback.split()) in said, (step.id, option.id)


# ------------------------------------------------------------------------------------ numbers in the texts


NUMBER = re.compile(r"(?<![\w.,])\d{1,3}(?:,\d{3})+(?![\d.])|(?<![\w.,/])\d+(?:\.\d+)?(?![\d]|\.\d)")
SIGNS = {"*": mul, "/": truediv, "+": add, "-": sub}
EQUATION = re.compile(r"((?:[\d,.]+ ?[×/+*-] ?)+[\d,.]*\d) = ([\d,.]*\d)(?![\d/×]| [×/+*])")


def texts(found: Exercise) -> Iterator[tuple[str, str]]:
    """Every text of an exercise with the place it stands at."""
    script = found.script
    yield from (("preamble", script.preamble), ("closing", script.closing))
    yield from ((idea.id, idea.feedback) for idea in script.misconception)
    for step in script.step:
        for text in (step.text, step.solution, *step.hints):
            yield step.id, text
        for option in step.options if isinstance(step, Options) else ():
            yield from ((f"{step.id}/{option.id}", text) for text in (option.text, option.feedback))
        for idea in step.misconception if isinstance(step, Numeric) else ():
            yield f"{step.id}/{idea.id}", idea.feedback


def known_numbers(found: Exercise, expected: Expected, step: str | None = None) -> set[F]:
    """What a text of a step may say: cells, counts, inputs, the cap, keys, numbers worked out by hand, and
    the values of the wrong ideas of that step, of all steps where none is named.
    """
    cells = {cell for data in found.sets.values() for row in data.rows for cell in row}
    inputs = (text for step in found.steps if isinstance(step, SetInputs) for text in step.inputs.values())
    typed = [*cells, *(text.split()[0] for text in inputs), *found.script.params.get("cap", "").split()[:1]]
    numbers = {F(text) for text in typed if re.fullmatch(r"\d+(\.\d+)?", text)}
    settings = re.findall(r"\d+(?:\.\d+)?", " ".join(str(data.settings) for data in found.sets.values()))
    numbers |= {F(text) for text in settings}
    numbers |= {*expected.exact.values(), *expected.facts, *map(F, expected.numbers)}
    asked = expected.ideas if step is None else {step: expected.ideas.get(step, {})}
    numbers |= {value for ideas in asked.values() for value in ideas.values()}
    counts = {F(data.devices(key)) for data in found.sets.values() for key in data.keys}
    return numbers | {big / small for big in counts for small in counts if big > small}


def says(text: str, value: F) -> bool:
    """Whether a text is a value rounded to the digits it shows."""
    return abs(value - F(text)) <= F(1, 2 * 10 ** len(text.partition(".")[2]))


def names(text: str, value: F) -> bool:
    """Whether a text stands for a value: rounded where it has decimals, else exactly."""
    return says(text, value) if "." in text else F(text) == value


@each
def test_every_number_in_the_texts_is_known_or_worked_out(name: str) -> None:
    found, expected = exercise(name), FIRST_TEN[name]
    unknown = []
    for place, text in texts(found):
        known = known_numbers(found, expected, place.partition("/")[0])
        for match in NUMBER.finditer(text):
            number = match[0].replace(",", "")
            share = re.match(r" ?%", text[match.end() :])
            if share:
                fine = any(says(number, value * 100) for value in known)
            else:
                fine = any(names(number, value) for value in known)
            if not fine:
                unknown.append(f"{place}: {number}{' %' if share else ''} in {text.strip()[:60]!r}")
    assert unknown == []


def sides(name: str) -> list[tuple[str, F, str]]:
    """The equations in the texts of an exercise: where, the exact left side, the right side as written."""
    found = []
    for place, text in texts(exercise(name)):
        for match in EQUATION.finditer(" ".join(text.split())):
            left = match[1].replace(",", "").replace("×", "*")
            numbers = re.split(r" ?[*/+-] ?", left)
            value = F(numbers[0])
            for sign, number in zip(re.findall(r"[*/+-]", left), numbers[1:], strict=True):
                value = SIGNS[sign](value, F(number))
            found.append((place, value, match[2].replace(",", "")))
    return found


@each
def test_every_equation_in_the_texts_holds(name: str) -> None:
    found = sides(name)
    assert [(place, float(left), right) for place, left, right in found if not says(right, left)] == []


def test_the_equations_are_really_found() -> None:
    assert sum(len(sides(name)) for name in FIRST_TEN) > 50
