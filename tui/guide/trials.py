"""Inputs, predictions and Play: what the instrument's events mean inside an exercise."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

from tui.guide.answers import MISSED, WRONG, not_read, numeric_feedback, share_of
from tui.guide.data import aligned, row_in_words, row_key
from tui.guide.exercise import outcome_at
from tui.guide.expression import ExpressionError
from tui.guide.functions import Scope
from tui.guide.grading import judge, read_answer
from tui.guide.script import Pause, Play, Predict, ResetStep, SetInputs
from tui.guide.state import NOTHING, Feedback, Session, Tone
from tui.model.quantity import ReadError, Reading, format_number
from tui.model.roofline import Limit
from tui.model.trial import BANDWIDTH_UNIT, INTENSITY_UNIT, read_bandwidth, read_intensity

HALF = Fraction(1, 2)
MOST_SENTENCES = 3
"""More revealed rows than this are easier to read as a table."""
BINDS = {
    Limit.MEMORY: "limited by memory",
    Limit.RIDGE: "at the ridge: both limits bind",
    Limit.COMPUTE: "at the COMPUTE CAP",
}
_UNITS = {"I": INTENSITY_UNIT, "B": BANDWIDTH_UNIT}
_READERS: dict[str, Callable[[str], Reading]] = {"I": read_intensity, "B": read_bandwidth}

WITHDRAW_FIRST = Feedback(
    Tone.ASK, ("Your prediction belongs to these inputs. To change them, take the prediction back first.",)
)


def locked(session: Session) -> tuple[int, ...]:
    """Positions of predictions that wait for Play and hold the inputs."""
    steps = session.exercise.steps
    return tuple(
        place
        for place, state in enumerate(session.states)
        if isinstance(step := steps[place], Predict) and step.lock and state.done and not state.judged
    )


def was_reset(session: Session) -> tuple[Session, Feedback]:
    """The session after the instrument was reset."""
    if locked(session):
        return session, WITHDRAW_FIRST
    session = replace(session, inputs=("", ""))
    if isinstance(session.step, ResetStep) and not session.state.done:
        said = Feedback(Tone.RIGHT, ("Both inputs are empty.",))
        return session.changed(session.here, done=True, feedback=said), said
    return session, NOTHING


def inputs_set(session: Session, intensity: str, bandwidth: str) -> tuple[Session, Feedback]:
    """The session after one or both inputs were committed."""
    if (intensity, bandwidth) != session.inputs and locked(session):
        return session, WITHDRAW_FIRST
    session = replace(session, inputs=(intensity, bandwidth))
    step = session.step
    if isinstance(step, SetInputs) and not session.state.done:
        return _checked(session, step)
    return session, NOTHING


def _checked(session: Session, step: SetInputs) -> tuple[Session, Feedback]:
    typed = dict(zip(("I", "B"), session.inputs, strict=True))
    given = [name for name in step.inputs if typed[name].strip()]
    try:
        readings = {name: _READERS[name](typed[name]) for name in given}
    except ReadError as error:
        return not_read(session, error)
    if len(given) < len(step.inputs):
        return session, Feedback(lines=tuple(f"{reading.said}." for reading in readings.values()))
    lines = []
    for name, wanted in step.inputs.items():
        found = readings[name]
        if found.value != _READERS[name](wanted).value:
            number = format_number(found.value, 12)
            lines.append(f"{name} reads {number} {_UNITS[name]}; it should read {wanted}.")
    if lines:
        said = Feedback(Tone.WRONG, (f"{WRONG}: {lines[0]}", *lines[1:]))
        return session.changed(session.here, checks=session.state.checks + 1, feedback=said), said
    said = Feedback(Tone.RIGHT, ("The inputs read what they should.",))
    return session.changed(session.here, done=True, feedback=said), said


def readable(name: str, text: str) -> bool:
    """Whether a text can be an input of this name."""
    try:
        _READERS[name](text)
    except ReadError:
        return False
    return True


def set_for_them(session: Session, step: SetInputs) -> tuple[Session, Feedback]:
    """The session after the program set the inputs."""
    typed = tuple(step.inputs.get(name, old) for name, old in zip(("I", "B"), session.inputs, strict=True))
    said = Feedback(Tone.NOTE, tuple(f"{name} is set to {text}." for name, text in step.inputs.items()))
    session = replace(session, inputs=(typed[0], typed[1]))
    return session.changed(session.here, done=True, assisted=True, feedback=said), said


# ----------------------------------------------------------------------------------------- predictions


def predicted(session: Session, text: str) -> tuple[Session, Feedback]:
    """The session after a prediction was committed on the predict step."""
    step = session.step
    if not isinstance(step, Predict) or not text.strip():
        return session, NOTHING  # elsewhere, and taken away again, it commits nothing
    state = session.state
    if state.judged:
        return session, Feedback(Tone.REFUSED, ("This prediction was judged; it is final.",))
    if state.done and step.lock:
        return revised(session, text)
    return _committed(session, session.here, text)


def revised(session: Session, text: str) -> tuple[Session, Feedback]:
    """The session after a locked prediction was changed, where the step allows it."""
    place = next(reversed(locked(session)), None)
    if place is None:
        return session, Feedback(Tone.REFUSED, ("There is no locked prediction to change.",))
    step, state = session.exercise.steps[place], session.states[place]
    assert isinstance(step, Predict)
    if len(state.revised) >= step.revise:
        return session, Feedback(Tone.REFUSED, ("Your prediction is locked until Play.",))
    after, said = _committed(session, place, text)
    if after.states[place].text != state.text:
        after = after.changed(place, revised=(*state.revised, state.text))
    return after, said


def _committed(session: Session, place: int, text: str) -> tuple[Session, Feedback]:
    step = session.exercise.steps[place]
    assert isinstance(step, Predict)
    scope = _own_scope(session, place)
    key = session.exercise.key(step, scope)
    try:
        reading = read_answer(step, key, text)
    except ReadError as error:
        return not_read(session, error)
    share = {"split": HALF, "commit": Fraction(1), "correct": Fraction(0)}[step.credit]
    if not step.answer:
        share = Fraction(1)
    said = Feedback(Tone.NOTE, (f"{reading.said}. Committed; Play shows the result.",))
    frozen = scope if scope != session.exercise.moments[place].scope else None
    return session.changed(place, done=True, text=text, share=share, frozen=frozen, feedback=said), said


def _own_scope(session: Session, place: int) -> Scope:
    """The script's scope with the learner's own inputs, where both can be read."""
    scope = session.exercise.moments[place].scope
    try:
        intensity, bandwidth = read_intensity(session.inputs[0]), read_bandwidth(session.inputs[1])
    except ReadError:
        return scope
    own = replace(scope, intensity=intensity.value, bandwidth=bandwidth.value)
    step = session.exercise.steps[place]
    try:
        if isinstance(step, Predict):
            session.exercise.key(step, own)
    except ExpressionError:
        return scope  # with these inputs the key has no value: the script's own inputs stand
    return own


def withdrawn(session: Session) -> tuple[Session, Feedback]:
    """The session after the locked predictions were taken back; the first of them is open again."""
    places = locked(session)
    if not places:
        return session, Feedback(Tone.REFUSED, ("There is no locked prediction to take back.",))
    said = Feedback(Tone.NOTE, ("Your prediction is taken back: set the inputs, then predict again.",))
    for place in places:
        session = session.changed(place, done=False, share=Fraction(0), frozen=None, feedback=said)
    return replace(session, here=places[0]), said


def confident(session: Session, level: int) -> tuple[Session, Feedback]:
    """The session after the learner said how sure the prediction is."""
    places = locked(session)
    if not places or level not in (1, 2, 3):
        return session, Feedback(Tone.REFUSED, ("Say 1, 2 or 3 after a prediction.",))
    return session.changed(places[-1], confidence=level), NOTHING


# ------------------------------------------------------------------------------------------------ Play


def play_place(session: Session) -> int | None:
    """Position of the Play that may happen now: the step on show, or the one right after what is done."""
    for place in range(session.here, len(session.states)):
        step, state = session.exercise.steps[place], session.states[place]
        if isinstance(step, Play):
            return None if state.done else place
        if isinstance(step, Predict) and state.done:
            continue
        if isinstance(step, Pause) and place > session.here:
            continue
        return None
    return None


def play_asked(session: Session) -> Feedback:
    """What is said when Play is pressed; refused where no Play may happen."""
    if isinstance(session.step, Predict) and not session.state.done:
        return Feedback(Tone.REFUSED, ("Write down your prediction first; then Play.",))
    if play_place(session) is None:
        return Feedback(Tone.REFUSED, ("There is nothing to play at this step.",))
    return NOTHING


def played(session: Session) -> tuple[Session, Feedback]:
    """The session after the animation ended: predictions are judged, hidden rows are shown."""
    place = play_place(session)
    if place is None:
        return session, play_asked(session)
    for between in range(session.here, place):
        session = session.changed(between, done=True)
    step = session.exercise.steps[place]
    assert isinstance(step, Play)
    lines, tone, idea = list(_result(session, step, place)), Tone.NOTE, ""
    for waiting in range(place):
        state = session.states[waiting]
        if isinstance(session.exercise.steps[waiting], Predict) and state.done and not state.judged:
            session, said = _judged(session, waiting)
            lines += said.lines
            tone, idea = said.tone, said.idea
    said = Feedback(tone, tuple(lines), idea)
    return replace(session.changed(place, done=True, feedback=said), here=place), said


def _result(session: Session, step: Play, place: int) -> tuple[str, ...]:
    if "data" in step.reveal:
        data = session.exercise.sets[step.reveal["data"]]
        keys = set(map(row_key, step.reveal.get("rows", data.hidden)))
        found = [n for n, key in enumerate(data.keys) if key in keys]
        if len(found) > MOST_SENTENCES:
            table = "\n".join(f"  {line}" for line in aligned(data, found))
            return (f"Revealed: {len(found)} rows.", table)
        return tuple(f"Revealed: {row_in_words(data, n)}." for n in found)
    outcome = outcome_at(_own_scope(session, place))
    if outcome is None or session.exercise.script.instrument != "roofline":
        return ()
    return (f"The marker stops at {format_number(outcome.attainable)} GFLOP/s, {BINDS[outcome.limit]}.",)


def _judged(session: Session, place: int) -> tuple[Session, Feedback]:
    step, state = session.exercise.steps[place], session.states[place]
    assert isinstance(step, Predict)
    scope = state.frozen or session.exercise.moments[place].scope
    key = session.exercise.key(step, scope)
    try:
        reading = read_answer(step, key, state.text)
    except ReadError:  # it was read when it was committed; only a file changed by hand gets here
        return session.changed(place, judged=True), NOTHING
    verdict = judge(key, scope, reading.value, state.text)
    share = state.share
    if verdict.right and step.answer:
        share += share_of(session, step, 0, state.hints) * (1 - share)
    said = numeric_feedback(step, verdict, reading, MISSED)
    if not step.answer:
        said = Feedback(Tone.NOTE, said.lines[1:] if verdict.idea else (), said.idea)
    elif not verdict.right and step.solution:
        said = Feedback(said.tone, (*said.lines, step.solution), said.idea)
    ideas = (verdict.idea.id,) if verdict.idea else ()
    session = session.changed(
        place, judged=True, share=share, first_right=verdict.right, ideas=ideas, feedback=said
    )
    return session, said
