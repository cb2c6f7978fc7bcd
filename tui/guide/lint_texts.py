"""Checks of the texts: they must fit a narrow screen, and no colour may carry a meaning."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import fields

from tui.files.lines import Path as Place
from tui.guide.exercise import Exercise
from tui.guide.findings import Finding
from tui.guide.script import Choose, Flaw, Numeric, Step
from tui.guide.wrapping import paragraphs

WIDEST = 76
"""Columns of a line that is not wrapped: the panel at 80 columns, with its frame."""
LONGEST_CHOICE = 60

_COLOURS = re.compile(
    r"\b(red|green|blue|yellow|orange|purple|magenta|cyan|violet|pink|brown)\b", re.IGNORECASE
)


def text_findings(exercise: Exercise) -> Iterator[Finding]:
    """What is wrong with the texts of a script."""
    script = exercise.script
    for name in ("preamble", "closing", "goal", "title"):
        yield from _about(getattr(script, name), (name,))
    for place, idea in enumerate(script.misconception):
        yield from _about(idea.feedback, ("misconception", place, "feedback"))
    for place, step in enumerate(script.step):
        for where, text in _texts(step):
            yield from _about(text, ("step", place, *where))
        if isinstance(step, Choose):
            for number, choice in enumerate(step.choice):
                if len(choice.text) > LONGEST_CHOICE:
                    says = f"choice {number + 1} has {len(choice.text)} characters: at most {LONGEST_CHOICE}"
                    yield Finding("W092", says, ("step", place, "choice", number, "text"))


def _about(text: str, path: Place) -> Iterator[Finding]:
    for lines, wraps in paragraphs(text):
        words = [word for line in lines for word in (line.split() if wraps else [line])]
        widest = max((len(word) for word in words), default=0)
        if widest > WIDEST:
            yield Finding("W092", f"a line has {widest} columns after wrapping: at most {WIDEST}", path)
    colour = _COLOURS.search(text)
    if colour:
        says = f'"{colour[0]}": say which mark or line is meant by its place or name, not by a colour'
        yield Finding("W094", says, path)


def _texts(step: Step) -> Iterator[tuple[Place, str]]:
    for each in fields(step):
        value = getattr(step, each.name)
        if each.name in ("text", "solution", "title"):
            yield (each.name,), value
        if each.name == "hints":
            for number, hint in enumerate(value):
                yield ("hints", number), hint
    if isinstance(step, (Choose, Flaw)):
        word = "choice" if isinstance(step, Choose) else "line"
        for number, option in enumerate(step.options):
            yield (word, number, "feedback"), option.feedback
            if isinstance(step, Flaw):
                yield (word, number, "text"), f"  {option.text}"
    if isinstance(step, Numeric):
        for number, idea in enumerate(step.misconception):
            yield ("misconception", number, "feedback"), idea.feedback
