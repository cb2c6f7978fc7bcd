"""Scripts for tests: the shipped ones, small ones, and sessions that are led through them."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from tui.events import Event, InputsSet, Played, Predicted, Reset
from tui.guide.events import Chosen, Confidence, LinesMarked, Next, Reflected, RunsEntered
from tui.guide.exercise import Exercise
from tui.guide.lint import exercise_of, lint
from tui.guide.reader import Loaded, parse
from tui.guide.session import apply, number_event
from tui.guide.state import Feedback, Session, begin

SHIPPED = Path(__file__).parents[2] / "lab_scripts"
ROOFLINE = SHIPPED / "roofline-three-trials.toml"
STRONG = SHIPPED / "strong-shrinking-batch.toml"

HEAD = """\
format = 1
id = "small"
revision = 1
title = "A small one"
goal = "After this you can run a test."
"""


def typed(*lines: str) -> list[str]:
    """Lines as they are typed; the words of each are lines of their own, and a dot is an empty line."""
    return ["" if word == "." else word for line in lines for word in line.split()]


RIGHT_ROOFLINE = [
    *typed(". . 8 50 400 . . 1", ". 8 100 800 . .", ". 8 200 1000 . .", "1 125 1"),
    "my own words",
]
"""What a learner types to do the exercise right; the first Enter after a prediction passes the confidence."""

RIGHT_STRONG = [
    *("", "1.905", "95.2 %", "3", "2", "42", "0.476", "1"),
    *("4, 2048, 16, 32, 40.0", "8, 2048, 16, 16, 22.4", "16, 2048, 16, 8, 13.2"),
    *("0.758", "1", "W was 2048 in every run"),
]


def loaded(steps: str, head: str = HEAD, folder: Path = SHIPPED) -> Loaded:
    """A script of these steps as the reader sees it."""
    return parse((head + steps).encode(), folder, "small.toml")


def codes(script: Loaded) -> list[str]:
    """Codes of everything the checks say, totals left out."""
    return [each.code for each in lint(script) if each.code != "I100"]


def small(steps: str, head: str = HEAD) -> Exercise:
    """An exercise of these steps; fails where the checks would stop it."""
    script = loaded(steps, head)
    assert not [str(each) for each in lint(script) if each.stops]
    exercise = exercise_of(script)
    assert exercise is not None
    return exercise


def compute(answer: str, more: str = "", unit: str = "1", step: str = "q") -> str:
    """A compute step."""
    return f"""
[[step]]
id = "{step}"
kind = "compute"
text = "How much?"
answer = "{answer}"
unit = "{unit}"
points = 4
{more}
"""


def play(session: Session, events: Iterable[Event]) -> tuple[Session, Feedback]:
    """The session after some events, and what was said to the last."""
    feedback = Feedback()
    for event in events:
        session, feedback = apply(session, event)
    return session, feedback


def answer(session: Session, *texts: str) -> tuple[Session, Feedback]:
    """The session after numbers were committed on the step on show."""
    feedback = Feedback()
    for text in texts:
        session, feedback = apply(session, number_event(session, text))
    return session, feedback


def at(exercise: Exercise, step_id: str) -> Session:
    """A session whose learner did everything before a step right and stands at it."""
    session = begin(exercise)
    for event in right_way(exercise):
        if session.step is not None and session.step.id == step_id:
            return session
        session, _ = apply(session, event)
    raise AssertionError(f"no step {step_id}")


def right_way(exercise: Exercise) -> list[Event]:
    """Events of a learner who does a shipped exercise right."""
    numbers = {
        "t1-predict": "400",
        "t2-predict": "800",
        "t3-predict": "1000",
        "knee": "125",
        "naive-speedup": "1.905",
        "naive-efficiency": "95.2 %",
        "same-sequences": "42",
        "honest-ratio": "0.476",
        "true-efficiency": "0.758",
    }
    events: list[Event] = []
    for step in exercise.steps:
        match step.kind:
            case "reset":
                events.append(Reset())
            case "set":
                events += [InputsSet(step.inputs["I"], ""), InputsSet(step.inputs["I"], step.inputs["B"])]
            case "predict":
                events += [Predicted(numbers[step.id]), Confidence(2)]
            case "play":
                events.append(Played())
            case "compute":
                from tui.guide.events import Answered

                events.append(Answered(numbers[step.id]))
            case "observe" | "explain" | "classify":
                events.append(Chosen(tuple(step.right)))
            case "flaw":
                events.append(LinesMarked(tuple(step.right)))
            case "runs":
                data = exercise.sets[step.data]
                rows = [data.rows[place] for place in data.asked()]
                events += [RunsEntered(data.columns, tuple(rows[:n])) for n in range(1, len(rows) + 1)]
            case "reflect":
                events.append(Reflected("my own words"))
        events.append(Next())
    return events
