"""A step as lines of text: what a panel, a preview, a screen reader and a pipe all show of it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

from tui.guide.data import DataSet, aligned, column_heading
from tui.guide.entering import asked_columns
from tui.guide.grading import asked_for
from tui.guide.script import (
    Flaw,
    Numeric,
    Options,
    Pause,
    Play,
    Predict,
    Reflect,
    ResetStep,
    Runs,
    SetInputs,
    Step,
)
from tui.guide.state import Feedback, Result, Session, covered, order, points_text, revealed
from tui.guide.trials import readable
from tui.guide.wrapping import clean, hang, wrap
from tui.model.quantity import format_number

COVERED_BY = {"memory_gib": "memory", "work": "work"}
"""The columns that a table is given with and that a word covers all the same."""
COVERED = "covered"


def heading(session: Session, place: int) -> str:
    """Number, title and points of a step."""
    step = session.exercise.steps[place]
    points = f" ({step.points} point{'' if step.points == 1 else 's'})" if step.GRADED and step.points else ""
    return clean(f"Step {place + 1} of {len(session.states)}: {step.title or step.id}{points}")


def page(session: Session, place: int, width: int) -> list[str]:
    """Everything a learner is shown of a step before answering."""
    step = session.exercise.steps[place]
    lines = [*wrap(heading(session, place), width), *question(step, width)]
    if isinstance(step, Options):
        lines += [line for option in options(session, step, width) for line in option]
    return lines + material(session, step, width)


def question(step: Step, width: int) -> list[str]:
    """The text of a step, with the inputs it asks for."""
    lines = wrap(step.text, width)
    if isinstance(step, SetInputs):
        lines += [f"  {name} = {clean(text)}" for name, text in step.inputs.items()]
    return lines


def options(session: Session, step: Options, width: int) -> list[list[str]]:
    """The lines of each option, numbered in the order they are shown."""
    texts = {option.id: option.text for option in step.options}
    return [
        [f" {number:>2}. {clean(texts[name])}"]
        if isinstance(step, Flaw)
        else hang(f" {number:>2}. ", texts[name], width)
        for number, name in enumerate(order(session, step), start=1)
    ]


def material(session: Session, step: Step, width: int) -> list[str]:
    """What an answer is made from: the rows to enter, or the unit and precision of a number."""
    lines = []
    if isinstance(step, Runs) and step.data in session.exercise.sets:
        lines += table(session.exercise.sets[step.data], None, width)
    if isinstance(step, Numeric):
        lines += wrap(f"{'Predict' if isinstance(step, Predict) else 'Answer'} {asked_for(step)}.", width)
    return lines


def prompt(session: Session) -> str:
    """What stands before the cursor."""
    step = session.step
    if step is None:
        return "Enter leaves"
    if session.state.done and not session.practising:
        return "Enter goes on"
    if isinstance(step, Options):
        what = "line" if isinstance(step, Flaw) else "choice"
        return f"Numbers of the {what}s" if step.select == "many" else f"Number of the {what}"
    if isinstance(step, Runs):
        columns = asked_columns(step, session.exercise.sets.get(step.data))
        return f"Row ({', '.join(map(column_heading, columns))})"
    if isinstance(step, SetInputs):
        return input_prompt(session, next(iter(step.inputs)))
    if isinstance(step, Pause) and step.discuss:
        return "Talk about it, then Enter goes on"
    words = {
        Predict: "Your prediction",
        Play: "Enter plays",
        Reflect: "Your sentence",
        ResetStep: "Enter resets",
    }
    return words.get(type(step), "Your answer" if isinstance(step, Numeric) else "Enter goes on")


def input_prompt(session: Session, name: str) -> str:
    """What stands before the cursor where an input is typed."""
    old = session.inputs["IB".index(name)]
    return f"{name} (Enter keeps {clean(old)})" if old and readable(name, old) else name


def said(feedback: Feedback, width: int) -> list[str]:
    """Feedback as lines."""
    lines = [line for text in feedback.lines for line in wrap(text, width)]
    if feedback.choices:
        lines += wrap("Type " + " or ".join(feedback.choices) + ".", width)
    return lines


def table(data: DataSet, session: Session | None, width: int = 0) -> list[str]:
    """A table as aligned text; rows that are hidden and not revealed are left out, covered cells covered.

    Args:
        session: without one it is the table that is to be entered.
        width: what the lines should keep to where they can; 0 for any width.
    """
    shown = frozenset[str]()
    if session is not None:
        shown = revealed(session).get(data.id, shown)
        data = replace(data, rows=_as_covered(data, session), blanks=_still_blank(data, session))
    lines = aligned(data, data.visible(shown), max(0, width - 2))
    baseline = f", baseline {data.baseline}" if data.baseline else ""
    source = f", {clean(data.source)}" if data.source else ""
    return [f"Table {data.id}{baseline}{source}:", *(f"  {clean(line)}" for line in lines)]


def _as_covered(data: DataSet, session: Session) -> tuple[tuple[str, ...], ...]:
    words = covered(session)[data.id]
    hidden = {column for column, word in COVERED_BY.items() if word in words}
    if hidden.isdisjoint(data.columns):
        return data.rows

    def cell(column: str, text: str) -> str:
        return COVERED if column in hidden and text else text

    return tuple(tuple(map(cell, data.columns, row)) for row in data.rows)


def _still_blank(data: DataSet, session: Session) -> frozenset[tuple[int, str]]:
    """What is to be filled in, until it was."""
    steps = zip(session.exercise.steps, session.states, strict=True)
    filled = any(isinstance(step, Runs) and step.data == data.id and state.done for step, state in steps)
    return frozenset() if filled else data.blanks


def in_sight(session: Session) -> Iterator[DataSet]:
    """The tables of which any row is shown; one with all rows hidden only holds what keys need."""
    shown = revealed(session)
    for name, data in session.exercise.sets.items():
        if data.visible(shown.get(name, frozenset())):
            yield data


def met(session: Session) -> Iterator[DataSet]:
    """The tables in sight that a step up to the first open one is about; later ones are not told before."""
    steps = session.exercise.steps[: session.first_open + 1]
    named = {data.id for step in steps for data in tables_of(session, step)}
    named |= {step.data for step in steps if isinstance(step, Runs)}
    return (data for data in in_sight(session) if data.id in named)


def tables_of(session: Session, step: Step) -> Iterator[DataSet]:
    """The tables that a step is about: those its key reads and those its text names."""
    texts = " ".join([step.text, *step.hints])
    if isinstance(step, Numeric):
        texts += f" {step.answer}"
    for data in in_sight(session):
        if re.search(rf"(?<![\w-]){re.escape(data.id)}(?![\w-])", texts):
            yield data


def score_lines(session: Session, result: Result) -> list[str]:
    """How far the learner is, and the points where the script shows them."""
    lines = [f"{result.done} of {result.steps} steps done."]
    if result.possible and session.exercise.script.score.show != "never":
        needed = format_number(session.exercise.script.score.passes * 100)
        verdict = "passed" if result.passed else "not passed"
        points = f"{points_text(result.earned)} of {result.possible} points ({_percent(result.share)} %)"
        lines.append(f"{points}: {verdict} ({needed} % needed).")
    return lines


def _percent(share: Fraction) -> int:
    """A share in whole percent, rounded half up once."""
    return int(share * 100 + Fraction(1, 2))
