"""Playing a shipped exercise as a learner does, and finding the numbers and equations in its texts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction as F
from operator import add, mul, sub, truediv

from tests.guide.first_exercises import Expected
from tests.guide.scripts import SHIPPED
from tui.guide.catalogue import ready
from tui.guide.exercise import Exercise
from tui.guide.script import Numeric, Options, Predict, Runs, SetInputs, Step
from tui.model.quantity import format_number

SHARES = (F(1), F(1, 2), F(1, 4))
"""What the first, the second and every later try is worth."""


def exercise(name: str) -> Exercise:
    """A shipped exercise, ready to be played."""
    return ready(SHIPPED / f"{name}.toml")


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
