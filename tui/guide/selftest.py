"""Does a script accept its own answers? Every step is answered right in many spellings, at both ends of its
tolerance, with every wrong idea it knows, and with junk, through the same fold that learners go through.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from math import ceil, floor
from typing import Literal

from tui.events import Played, Predicted
from tui.guide.events import Chosen, LinesMarked, RunsEntered
from tui.guide.exercise import Exercise
from tui.guide.grading import Key, judge, tolerance_of
from tui.guide.lint_numbers import prints_answer
from tui.guide.script import Compute, Flaw, Numeric, Options, Play, Runs, SetInputs
from tui.guide.session import apply, number_event
from tui.guide.state import Session, StepState, Tone, begin
from tui.guide.trials import inputs_set
from tui.model.quantity import Unit, find_unit, format_exact, format_number
from tui.model.units import UNIT_SYMBOLS

JUNK = ("", "abc", "nan", "0x190", "1e999999999", "4 0 0", "--")
"""What must never be judged."""

What = Literal["model", "edge", "idea", "junk", "choice", "rows"]
_SAMPLES = tuple(Fraction(n, 8) for n in (-8, 1, 4, 12, 20, 40, 80, 800, 8000))
_LONGEST = 60
_EDGE_DECIMALS = 30


@dataclass(frozen=True)
class Problem:
    """An answer that was not judged as it should be."""

    place: int
    step_id: str
    sentence: str


@dataclass(frozen=True)
class Report:
    """What was tried, and what went wrong."""

    tried: tuple[tuple[What, int], ...]
    problems: tuple[Problem, ...]

    def __str__(self) -> str:
        names = {
            "model": "model answers",
            "edge": "edges",
            "idea": "wrong ideas",
            "junk": "junk answers",
            "choice": "choices",
            "rows": "rows and inputs",
        }
        counted = ", ".join(f"{count} {names[what]}" for what, count in self.tried if count)
        return f"{counted or 'nothing to try'}; {len(self.problems)} problems"


def selftest(exercise: Exercise) -> Report:
    """Answer every step of an exercise in every way that is known."""
    counts: dict[What, int] = dict.fromkeys(("model", "edge", "idea", "junk", "choice", "rows"), 0)
    problems = []
    for place, step in enumerate(exercise.steps):
        for what, sentence in _tried(exercise, place):
            counts[what] += 1
            if sentence:
                problems.append(Problem(place, step.id, sentence))
    return Report(tuple(counts.items()), tuple(problems))


def _tried(exercise: Exercise, place: int) -> Iterator[tuple[What, str]]:
    step = exercise.steps[place]
    if isinstance(step, Numeric):
        key = exercise.keys[place]
        assert key is not None
        yield from _numeric(exercise, place, step, key)
    elif isinstance(step, Options):
        yield from _options(exercise, place, step)
    elif isinstance(step, Runs) and step.data:
        yield "rows", _rows(exercise, place, step)
    elif isinstance(step, SetInputs):
        session, _ = inputs_set(_at(exercise, place), step.inputs.get("I", ""), step.inputs.get("B", ""))
        yield "rows", "" if session.states[place].done else "its own inputs are not accepted"


def _at(exercise: Exercise, place: int) -> Session:
    """A session whose learner stands at a step, with everything before it done."""
    session = begin(exercise)
    done = tuple(StepState(done=True, judged=True) for _ in range(place))
    return replace(session, states=(*done, *session.states[place:]), here=place)


# ---------------------------------------------------------------------------------------------- numbers


def _numeric(exercise: Exercise, place: int, step: Numeric, key: Key) -> Iterator[tuple[What, str]]:
    if key.right is not None:
        target, reach = key.right.value, key.right.reach
        for text in dict.fromkeys(_model_texts(step, target)):
            yield "model", _expect_right(exercise, place, text)
        beyond = reach / 1000 or abs(target) / 10**6 or Fraction(1, 10**6)
        for side in (-1, 1):
            inside = _writable(target + side * reach, -side)
            outside = _writable(target + side * (reach + beyond), side)
            yield "edge", _expect_right(exercise, place, _typed(step, inside))
            yield "edge", _expect_not_right(exercise, place, _typed(step, outside))
    for idea, ranged in key.wrong:
        value = ranged.value if ranged else _sample(exercise, place, idea.id)
        if value is None:
            yield "idea", f'wrong idea "{idea.id}": no tried value shows it'
            continue
        for text in dict.fromkeys(_idea_texts(step, value)):
            yield "idea", _expect_idea(exercise, place, text, idea.id)
    for text in JUNK:
        yield "junk", _expect_unreadable(exercise, place, text)


def _typed(step: Numeric, value: Fraction) -> str:
    """The number as a learner would write it, with its unit where one is asked for."""
    text = format_exact(value)
    return f"{text} {step.unit}" if step.require_unit and step.unit != "1" else text


def _writable(value: Fraction, side: int) -> Fraction:
    """The value, or where it has more digits than can be typed, the nearest short one on that side."""
    if len(format_exact(value)) <= _LONGEST:
        return value
    scaled = value * 10**_EDGE_DECIMALS
    return Fraction(floor(scaled) if side < 0 else ceil(scaled), 10**_EDGE_DECIMALS)


def _model_texts(step: Numeric, target: Fraction) -> Iterator[str]:
    """The model answer in every spelling, and rounded as an honest learner rounds it."""
    unit = find_unit(step.unit)
    assert unit is not None
    bare = not step.require_unit
    for number in _roundings(step, target):
        text = format_exact(number)
        if step.percent and number >= 2 and number != target:
            continue
        if bare:
            yield from (text, f" {text} ", "".join(_WIDE.get(c, c) for c in text))
            comma = text.replace(".", ",")
            # "1,600" has two readings and is asked about; "0,952" has one.
            if "." in text and (len(text.split(".")[1]) != 3 or text.lstrip("-").startswith("0")):
                yield comma
        if unit.kind == "ratio":
            yield from (f"{format_exact(number * 100)}%", f"{format_exact(number * 100)} %")
        else:
            yield from (f"{text} {unit.symbol}", f"{text}{unit.symbol}")
            yield from _other_units(step, unit, number)


_WIDE = {str(digit): chr(0xFF10 + digit) for digit in range(10)}


def _roundings(step: Numeric, target: Fraction) -> Iterator[Fraction]:
    if len(format_exact(target)) <= _LONGEST:
        yield target
    tolerance = tolerance_of(step)
    digits = int(tolerance.amount)
    if tolerance.kind == "decimals":
        yield from (_rounded(target, digits + more) for more in range(3))
    elif tolerance.kind == "sigfigs":
        yield from (Fraction(format_number(target, digits + more)) for more in range(3))
    elif tolerance.kind != "exact":
        yield from (Fraction(format_number(target, places)) for places in (3, 4, 5))
        if abs(target) >= Fraction(1, 10):
            yield _rounded(target, 2)
    if step.expect and "/" not in step.expect:
        yield Fraction(step.expect)


def _rounded(value: Fraction, decimals: int) -> Fraction:
    """Rounded half away from zero, as people round."""
    scaled = abs(value) * 10**decimals
    whole = (2 * scaled.numerator + scaled.denominator) // (2 * scaled.denominator)
    return Fraction(whole if value >= 0 else -whole, 10**decimals)


def _other_units(step: Numeric, unit: Unit, number: Fraction) -> Iterator[str]:
    """The same value in the other units that may be typed, where it stays a short decimal."""
    symbols: Iterable[str] = step.accept or UNIT_SYMBOLS
    for symbol in symbols:
        other = find_unit(symbol)
        if other is None or other.kind != unit.kind or other == unit:
            continue
        text = format_exact(number * unit.factor / other.factor)
        if "/" not in text and len(text) < 16:
            yield f"{text} {symbol}"


def _idea_texts(step: Numeric, value: Fraction) -> Iterator[str]:
    text = format_exact(value)
    if len(text) > _LONGEST:
        text = format_number(value, 9)
    yield _typed(step, Fraction(text) if "/" not in text else value)
    if find_unit(step.unit or "1") == find_unit("1"):
        yield f"{text} x"
    elif step.unit:
        yield f"{text} {step.unit}"


def _sample(exercise: Exercise, place: int, idea: str) -> Fraction | None:
    """A value that shows an idea told by a rule: around the answer, then far from it."""
    key, scope = exercise.keys[place], exercise.moments[place].scope
    assert key is not None
    target = key.right.value if key.right else Fraction(1)
    near = (each for factor in _SAMPLES for each in (target * factor, target + factor, factor))
    for value in near:
        found = judge(key, scope, value).idea
        if found is not None and found.id == idea:
            return value
    return None


def _answered(exercise: Exercise, place: int, text: str) -> tuple[Session, Tone, tuple[str, ...]]:
    """The session after a text was committed, and for a prediction after its Play too."""
    session = _at(exercise, place)
    event = number_event(session, text)
    session, feedback = apply(session, event)
    play = next((n for n in range(place, len(exercise.steps)) if isinstance(exercise.steps[n], Play)), None)
    if isinstance(event, Predicted) and play is not None:
        states = [replace(state, done=True) for state in session.states[place + 1 : play]]
        between = (*session.states[: place + 1], *states, *session.states[play:])
        session, feedback = apply(replace(session, states=between, here=play), Played())
    return session, feedback.tone, feedback.lines


def _expect_right(exercise: Exercise, place: int, text: str) -> str:
    session, tone, lines = _answered(exercise, place, text)
    if tone is Tone.RIGHT or session.states[place].first_right:
        return ""
    return f'"{text}" should be right: {" ".join(lines)}'


def _expect_not_right(exercise: Exercise, place: int, text: str) -> str:
    session, tone, _ = _answered(exercise, place, text)
    right = tone is Tone.RIGHT or session.states[place].first_right
    return f'"{text}" is outside the tolerance and counts as right' if right else ""


def _expect_idea(exercise: Exercise, place: int, text: str, idea: str) -> str:
    session, tone, lines = _answered(exercise, place, text)
    state, step, key = session.states[place], exercise.steps[place], exercise.keys[place]
    if state.ideas[-1:] != (idea,):
        other = state.ideas[-1] if state.ideas else tone.value
        return f'"{text}" should show the wrong idea "{idea}", it shows {other}: {" ".join(lines)}'
    if isinstance(step, Compute) and key and key.right and prints_answer(" ".join(lines[1:]), key.right):
        return f'the answer stands in what is said to "{text}": {" ".join(lines)}'
    return ""


def _expect_unreadable(exercise: Exercise, place: int, text: str) -> str:
    session, tone, _ = _answered(exercise, place, text)
    state = session.states[place]
    if tone is Tone.UNREADABLE and not state.tries and not state.done:
        return ""
    return f'"{text}" was judged, it should not even be read'


# ------------------------------------------------------------------------------------- choices and rows


def _options(exercise: Exercise, place: int, step: Options) -> Iterator[tuple[What, str]]:
    event = LinesMarked if isinstance(step, Flaw) else Chosen
    right = tuple(sorted(step.right))
    session, feedback = apply(_at(exercise, place), event(right))
    full = session.states[place].share == 1 and feedback.tone is Tone.RIGHT
    yield "choice", "" if full else "its own correct choices do not earn the points"
    for option in step.options:
        if (option.id,) == right:
            continue
        session, feedback = apply(_at(exercise, place), event((option.id,)))
        wrong = feedback.tone is Tone.WRONG and session.states[place].tries == 1
        yield "choice", "" if wrong else f'choice "{option.id}" alone is not judged wrong'


def _rows(exercise: Exercise, place: int, step: Runs) -> str:
    data = exercise.sets[step.data]
    rows = tuple(data.rows[n] for n in reversed(data.asked()))
    session, _ = apply(_at(exercise, place), RunsEntered(data.columns, rows))
    state = session.states[place]
    return "" if state.done and state.share == 1 else "its own rows are not accepted in another order"
