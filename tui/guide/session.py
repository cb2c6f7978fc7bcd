"""An exercise as a fold over its events: the only way it changes, live, resumed, re-graded or in plain text.

`apply` is pure. It takes whatever happened, on the instrument or in the panel, and answers with the next
session and what is to be said. Times are not looked at: the pause between two hints is kept by whoever
lets a learner ask for one (`state.hint_wait`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

from tui.events import Event, InputsSet, Locked, Played, Predicted, Reset
from tui.guide import trials
from tui.guide.answers import answered, not_read, picked, shown
from tui.guide.entering import entered, filled_in
from tui.guide.events import (
    Answered,
    Assisted,
    Chosen,
    Confidence,
    Discussed,
    Done,
    FreeOff,
    FreeOn,
    Goto,
    HintAsked,
    LinesMarked,
    Next,
    Practised,
    Reflected,
    Revised,
    RunsEntered,
    Skipped,
    SolutionShown,
    Unreadable,
    Withdrawn,
)
from tui.guide.grading import read_answer
from tui.guide.script import Compute, Numeric, Options, Pause, Predict, Read, Reflect, Runs, SetInputs
from tui.guide.state import NOTHING, Feedback, Session, Tone, can_assist, can_show
from tui.model.quantity import ReadError

Applied = tuple[Session, Feedback]


def apply(session: Session, event: Event) -> Applied:
    """The session after `event`, and what is said; what cannot happen now changes nothing."""
    handler = _HANDLERS.get(type(event))
    if handler is None or (session.free and not isinstance(event, FreeOff)):
        return session, NOTHING
    return handler(session, event)


def replay(session: Session, events: Iterable[Event]) -> Session:
    """The session that stored events lead to."""
    for event in events:
        session, _ = apply(session, event)
    return session


def number_event(session: Session, text: str) -> Event:
    """What happened when `text` was committed on a numeric step: an answer, a prediction, or neither."""
    step = session.step
    if not isinstance(step, Numeric):
        return Answered(text)
    key = session.exercise.keys[session.here]
    assert key is not None
    try:
        read_answer(step, key, text)
    except ReadError as error:
        return Unreadable(text, error.code)
    return Predicted(text) if isinstance(step, Predict) else Answered(text)


def _refused(*lines: str) -> Feedback:
    return Feedback(Tone.REFUSED, lines)


_DONE = _refused("This step is done; it can be practised again, without points.")


def _closed_to_answers(session: Session) -> bool:
    return session.step is None or (session.state.done and not session.practising)


# ------------------------------------------------------------------------------------------ moving about


def _next(session: Session, _: Next) -> Applied:
    step = session.step
    if step is None:
        return session, NOTHING
    if not session.state.done:
        if not isinstance(step, (Read, Pause)):
            return session, _refused("This step is not done yet.")
        session = session.changed(session.here, done=True)
    return replace(session, here=session.here + 1, practising=False), NOTHING


def _goto(session: Session, event: Goto) -> Applied:
    place = session.exercise.script.place(event.to)
    if place is None or place > session.first_open:
        return session, _refused("That step comes later.")
    return replace(session, here=place, practising=False), NOTHING


def _discussed(session: Session, _: Discussed) -> Applied:
    if not isinstance(session.step, Pause):
        return session, NOTHING
    return session.changed(session.here, done=True), NOTHING


def _skipped(session: Session, _: Skipped) -> Applied:
    step = session.step
    if step is None or session.state.done:
        return session, NOTHING
    if not step.optional:
        return session, _refused("This step cannot be left out.")
    session = session.changed(session.here, done=True, skipped=True)
    return replace(session, here=session.here + 1), NOTHING


def _practised(session: Session, _: Practised) -> Applied:
    if session.step is None or not session.step.GRADED or not session.state.done:
        return session, _refused("Only a step that is done can be practised.")
    if isinstance(session.step, Predict):
        return session, _refused("A judged prediction is final; the step after it can be practised.")
    return replace(session, practising=True), Feedback(lines=("Practising: nothing is scored.",))


def _free_on(session: Session, _: FreeOn) -> Applied:
    said = Feedback(lines=("Free play: nothing is graded. Leaving it brings the inputs back.",))
    return replace(session, free=True), said


def _free_off(session: Session, _: FreeOff) -> Applied:
    if not session.free:
        return session, NOTHING
    session = replace(session, free=False)
    return session, Feedback(lines=("Free play is over; the inputs are as they were.",))


def _end_read(session: Session, _: Done) -> Applied:
    return replace(session, closed=session.finished), NOTHING


# ------------------------------------------------------------------------------------------------- help


def _hint(session: Session, event: HintAsked) -> Applied:
    step = session.step
    if step is None or not step.hints:
        return session, _refused("There are no hints for this step.")
    opened = session.state.hints
    if opened >= len(step.hints) or session.state.done:
        return session, Feedback(lines=step.hints[:opened] or ("This step is done.",))
    session = session.changed(session.here, hints=opened + 1, hint_at=event.at)
    return session, Feedback(lines=(f"Hint: {step.hints[opened]}",))


def _show(session: Session, _: SolutionShown) -> Applied:
    step = session.step
    if step is None or not can_show(session):
        return session, _refused("The solution opens after the last hint, or after three attempts.")
    if isinstance(step, Runs):
        return _assist(session, Assisted()) if step.data else (session, _refused("Enter rows of your own."))
    return shown(session, step)


def _assist(session: Session, _: Assisted) -> Applied:
    step = session.step
    if isinstance(step, SetInputs) and not session.state.done:
        return trials.set_for_them(session, step)
    if isinstance(step, Runs) and step.data and not session.state.done:
        return filled_in(session, step)
    return session, _refused("There is nothing to do for you here.")


def _assist_if_offered(session: Session, event: Assisted) -> Applied:
    if not can_assist(session):
        return session, _refused("Try it once yourself first.")
    return _assist(session, event)


# ---------------------------------------------------------------------------------------------- answers


def _answer(session: Session, event: Answered) -> Applied:
    if not isinstance(session.step, Compute):
        return session, _refused("No number is asked for here.")
    if _closed_to_answers(session):
        return session, _DONE
    return answered(session, session.step, event.text)


def _unreadable(session: Session, event: Unreadable) -> Applied:
    step = session.step
    if not isinstance(step, Numeric):
        return session, NOTHING
    key = session.exercise.keys[session.here]
    assert key is not None
    try:
        read_answer(step, key, event.text)
    except ReadError as error:
        return not_read(session, error)
    # A newer program reads what an older one could not: it stays what it was then.
    return session.changed(session.here, unreadable=session.state.unreadable + 1), NOTHING


def _pick(session: Session, event: Chosen | LinesMarked) -> Applied:
    if not isinstance(session.step, Options):
        return session, _refused("There is nothing to pick here.")
    if _closed_to_answers(session):
        return session, _DONE
    return picked(session, session.step, event.ids)


def _runs(session: Session, event: RunsEntered) -> Applied:
    if not isinstance(session.step, Runs) or _closed_to_answers(session):
        return session, NOTHING
    return entered(session, session.step, event.columns, event.rows)


def _reflect(session: Session, event: Reflected) -> Applied:
    step = session.step
    if not isinstance(step, Reflect):
        return session, NOTHING
    text = event.text.strip()
    if len(text) < step.min_chars:
        return session, _refused(f"{len(text)} characters: write at least {step.min_chars}.")
    if len(text) > step.max_chars:
        return session, _refused(f"{len(text)} characters: at most {step.max_chars} are kept.")
    return session.changed(session.here, done=True, text=text), Feedback(lines=("Saved.",))


_HANDLERS: dict[type[Event], Callable[[Session, Any], Applied]] = {
    Reset: lambda session, _: trials.was_reset(session),
    InputsSet: lambda session, event: trials.inputs_set(session, event.intensity, event.bandwidth),
    Predicted: lambda session, event: trials.predicted(session, event.text),
    Locked: lambda session, _: (session, trials.play_asked(session)),
    Played: lambda session, _: trials.played(session),
    Revised: lambda session, event: trials.revised(session, event.text),
    Withdrawn: lambda session, _: trials.withdrawn(session),
    Confidence: lambda session, event: trials.confident(session, event.level),
    Next: _next,
    Goto: _goto,
    Discussed: _discussed,
    Skipped: _skipped,
    Practised: _practised,
    FreeOn: _free_on,
    FreeOff: _free_off,
    HintAsked: _hint,
    SolutionShown: _show,
    Assisted: _assist_if_offered,
    Answered: _answer,
    Unreadable: _unreadable,
    Chosen: _pick,
    LinesMarked: _pick,
    RunsEntered: _runs,
    Reflected: _reflect,
    Done: _end_read,
}
