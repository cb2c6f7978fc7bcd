"""Numbers, choices and flawed lines: what an answer changes and what is said about it."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from tui.guide.grading import Verdict, judge, read_answer
from tui.guide.script import Compute, Option, Options, Step
from tui.guide.state import Feedback, Session, Tone, joined
from tui.model.quantity import ReadError, Reading, format_exact, format_number

RIGHT, WRONG, MISSED = "✓ right", "✗ not yet", "✗ not this time"


def share_of(session: Session, step: Step, tries: int, hints: int) -> Fraction:
    """Part of the points for being right after so many wrong tries and opened hints."""
    score = session.exercise.script.score
    schedule = step.schedule or score.schedule
    return max(Fraction(0), schedule[min(tries, len(schedule) - 1)] - hints * score.hint_cost)


def unreadable(error: ReadError) -> Feedback:
    """What is said about a text that could not be read."""
    return Feedback(Tone.UNREADABLE, (f"{error.sentence} No try was used.",), "", error.code, error.choices)


def not_read(session: Session, error: ReadError) -> tuple[Session, Feedback]:
    """The session after a text that could not be read: it costs nothing."""
    said = unreadable(error)
    if session.practising or session.state.done:
        return session, said
    state = session.state
    units = state.units + (error.code == "U06")
    return session.changed(session.here, unreadable=state.unreadable + 1, units=units), said


def answered(session: Session, step: Compute, text: str) -> tuple[Session, Feedback]:
    """The session after a number was committed."""
    exercise = session.exercise
    key, scope = exercise.keys[session.here], exercise.moments[session.here].scope
    assert key is not None
    try:
        reading = read_answer(step, key, text)
    except ReadError as error:
        return not_read(session, error)
    verdict = judge(key, scope, reading.value, text)
    said = numeric_feedback(step, verdict, reading)
    if session.practising:
        return session, said
    state = session.state
    if verdict.right:
        share = share_of(session, step, state.tries, state.hints)
        first = not state.tries
        return (
            session.changed(
                session.here, done=True, share=share, text=text, first_right=first, feedback=said
            ),
            said,
        )
    ideas = (verdict.idea.id,) if verdict.idea else ()
    return missed(session, step, format_exact(reading.value), said, text=text, ideas=ideas)


def numeric_feedback(step: Step, verdict: Verdict, reading: Reading, wrong: str = WRONG) -> Feedback:
    """What is said about a number that could be read; never the key, unless it is right."""
    if verdict.right:
        return Feedback(Tone.RIGHT, _kept(f"{RIGHT}: {reading.said}.", step.solution))
    first = f"{wrong}: {reading.said}."
    if verdict.idea:
        return Feedback(Tone.WRONG, _kept(first, verdict.idea.feedback), verdict.idea.id)
    return Feedback(Tone.WRONG, _kept(first, verdict.miss))


def missed(
    session: Session, step: Step, answer: str, said: Feedback, *, text: str = "", ideas: tuple[str, ...] = ()
) -> tuple[Session, Feedback]:
    """The session after a wrong answer: a try, unless the same was answered before."""
    state = session.state
    if answer in state.wrong:
        lines = (*said.lines, "You answered that before: no try was used.")
        return session, Feedback(said.tone, lines, said.idea)
    tries = state.tries + 1
    new = tuple(idea for idea in ideas if idea not in state.ideas)
    session = session.changed(
        session.here,
        tries=tries,
        wrong=(*state.wrong, answer),
        ideas=(*state.ideas, *new),
        text=text,
        feedback=said,
    )
    if step.attempts and tries >= step.attempts:
        return shown(session, step, (*said.lines, "That was the last try."))
    return session, said


def shown(session: Session, step: Step, before: tuple[str, ...] = ()) -> tuple[Session, Feedback]:
    """The session after the solution was shown: done, and nothing more to earn."""
    said = Feedback(Tone.NOTE, (*before, *solution_of(session, step)))
    return session.changed(session.here, done=True, shown=True, feedback=said), said


def solution_of(session: Session, step: Step) -> tuple[str, ...]:
    """The right answer in words."""
    if isinstance(step, Options):
        right = [option.text for option in step.options if option.right]
        return _kept(f"The answer: {'; '.join(right)}.", step.solution, *_why(step))
    key = session.exercise.keys[session.here]
    if not isinstance(step, Compute) or key is None or key.right is None:
        return _kept(step.solution)
    unit = "" if step.unit == "1" else f" {step.unit}"
    return _kept(f"The answer is {format_number(key.right.value)}{unit}.", step.solution)


def _why(step: Options) -> list[str]:
    return [option.feedback for option in step.options if option.right]


# --------------------------------------------------------------------------------------------- choices


def picked(session: Session, step: Options, ids: Sequence[str]) -> tuple[Session, Feedback]:
    """The session after choices or lines were submitted."""
    options = {option.id: option for option in step.options}
    chosen = [options[name] for name in dict.fromkeys(ids) if name in options]
    if not chosen or (step.select == "one" and len(chosen) > 1):
        wanted = "one" if step.select == "one" else "at least one"
        return session, Feedback(Tone.REFUSED, (f"Pick {wanted} of the numbers shown. No try was used.",))
    names = frozenset(option.id for option in chosen)
    right = names == step.right
    said = _feedback(step, chosen, right)
    if session.practising:
        return session, said
    state = session.state
    many = step.select == "many"
    share = _share(session, step, names)
    picks = tuple(option.id for option in step.options if option.id in names)
    if right:
        earned = state.share if many and state.tries else share
        first = not state.tries
        return (
            session.changed(
                session.here, done=True, share=earned, first_right=first, picks=picks, feedback=said
            ),
            said,
        )
    ideas = tuple(option.misconception for option in chosen if option.misconception and not option.right)
    if many and not state.tries:
        session = session.changed(session.here, share=share)
    return missed(session.changed(session.here, picks=picks), step, joined(names), said, ideas=ideas)


def _share(session: Session, step: Options, picks: frozenset[str]) -> Fraction:
    """For one of several by tries; for several (right - wrong)/right of the first submission."""
    state = session.state
    if step.select == "one":
        return share_of(session, step, state.tries, state.hints)
    right = len(picks & step.right)
    part = Fraction(max(0, 2 * right - len(picks)), len(step.right))
    return max(Fraction(0), part - state.hints * session.exercise.script.score.hint_cost)


def _feedback(step: Options, chosen: Sequence[Option], right: bool) -> Feedback:
    tone = Tone.RIGHT if right else Tone.WRONG
    idea = next((option.misconception for option in chosen if option.misconception and not option.right), "")
    head = f"{RIGHT}." if right else f"{WRONG}."
    if step.select == "one":
        lines = _kept(f"{head} {chosen[0].feedback}", step.solution if right else "")
        return Feedback(tone, lines, idea)
    told = [f"{'✓' if option.right else '✗'} {option.text}: {option.feedback}" for option in chosen]
    left = [option for option in step.options if option.right and option not in chosen]
    told += [f"left out: {option.text}: {option.feedback}" for option in left]
    return Feedback(tone, _kept(head, *told, step.solution if right else ""), idea)


def _kept(*lines: str) -> tuple[str, ...]:
    return tuple(line.strip() for line in lines if line.strip())
