"""Checks of steps one by one and in their order, apart from the numbers in them."""

from __future__ import annotations

from collections.abc import Iterator

from tui.files.lines import Path as Place
from tui.guide.data import is_column, row_key
from tui.guide.exercise import Exercise, outcome_at
from tui.guide.expression import ExpressionError, evaluate, parse
from tui.guide.findings import Finding, did_you_mean
from tui.guide.functions import FUNCTIONS
from tui.guide.script import Choose, Flaw, Numeric, Options, Play, Predict, Runs, SetInputs, Step
from tui.guide.values import shown
from tui.model.quantity import ReadError, format_number
from tui.model.trial import read_bandwidth, read_intensity

MUCH_LONGER = 1.5
"""The correct choice gives itself away from so many times the length of the others on."""


def step_findings(exercise: Exercise, place: int) -> Iterator[Finding]:
    """What is wrong with one step."""
    step, path = exercise.steps[place], ("step", place)
    yield from _common_findings(step, path)
    if isinstance(step, SetInputs):
        yield from _set_findings(step, path)
    elif isinstance(step, Play):
        yield from _play_findings(exercise, place, step)
    elif isinstance(step, Options):
        yield from _option_findings(step, path)
    elif isinstance(step, Runs):
        yield from _runs_findings(exercise, step, path)


def _common_findings(step: Step, path: Place) -> Iterator[Finding]:
    if step.NEEDS_TEXT and not step.text:
        yield Finding("E035", "the step has no text: say what is to be done", path)
    for number, hint in enumerate(step.hints):
        if not hint:
            yield Finding("E036", f"hint {number + 1} is empty", (*path, "hints", number))
    if step.points and not step.GRADED:
        yield Finding("W091", f"points on a {step.kind} step are never earned", (*path, "points"))


def _set_findings(step: SetInputs, path: Place) -> Iterator[Finding]:
    if not step.inputs:
        yield Finding("E042", 'set without inputs: inputs = { I = "8 FLOP/byte", B = "50 GB/s" }', path)
    for name, read in (("I", read_intensity), ("B", read_bandwidth)):
        if name in step.inputs:
            try:
                read(step.inputs[name])
            except ReadError as error:
                yield Finding("E041", f"input {name}: {error.sentence}", (*path, "inputs", name))


def _play_findings(exercise: Exercise, place: int, step: Play) -> Iterator[Finding]:
    path: Place = ("step", place)
    if step.reveal:
        data = exercise.sets.get(step.reveal.get("data", ""))
        if data is None:
            yield Finding(
                "E090", f"reveals rows of data that is not attached: {_named(exercise, step.reveal)}", path
            )
            return
        keys = data.keys
        for row in step.reveal.get("rows", ()):
            if row_key(row) not in keys:
                yield Finding(
                    "E051", f'data "{data.id}" has no row {shown(row)} to reveal', (*path, "reveal")
                )
    if not step.expect:
        return
    if exercise.moments[place].spoiled_by is not None:
        return  # the set step before it says so
    outcome = outcome_at(exercise.moments[place].scope)
    if outcome is None:
        yield Finding("E071", "expects an outcome, but no set step came before", (*path, "expect"))
        return
    if "attainable" in step.expect:
        try:
            pinned = evaluate(parse(step.expect["attainable"]), exercise.moments[place].scope)
        except ExpressionError as error:
            yield Finding("E071", f"attainable: {error}", (*path, "expect"))
        else:
            if pinned != outcome.attainable:
                model = format_number(outcome.attainable)
                says = f"you expect {format_number(pinned)}, the instrument says {model}"
                yield Finding("E071", f"{says} GFLOP/s", (*path, "expect", "attainable"))
    if step.expect.get("limit", outcome.limit.value) != outcome.limit.value:
        says = f'you expect "{step.expect["limit"]}", the instrument says "{outcome.limit.value}"'
        yield Finding("E072", says, (*path, "expect", "limit"))


def _named(exercise: Exercise, reveal: dict[str, object]) -> str:
    name = str(reveal.get("data", ""))
    return f'"{name}"{did_you_mean(name, exercise.sets)}' if name else 'say which, data = "…"'


def _option_findings(step: Options, path: Place) -> Iterator[Finding]:
    word = "line" if isinstance(step, Flaw) else "choice"
    options, right = step.options, step.right
    if len(options) < 2:
        yield Finding("E080", f"fewer than two {word}s", path)
        return
    if not right:
        missing = ("E086", "no line has flaw = true") if word == "line" else ("E081", "no choice is correct")
        yield Finding(*missing, path)
    if len(right) > 1 and step.select == "one":
        yield Finding("E082", f'{len(right)} {word}s are correct: write select = "many" or keep one', path)
    texts = [" ".join(option.text.casefold().split()) for option in options]
    for number, option in enumerate(options):
        where: Place = (*path, word, number)
        if not option.feedback:
            yield Finding(
                "E083", f'{word} "{option.id}" has no feedback: say why it is right or wrong', where
            )
        if texts[number] in texts[:number]:
            other = options[texts.index(texts[number])].id
            yield Finding("E084", f'{word} "{option.id}" reads like "{other}"', where)
    if isinstance(step, Choose) and step.select == "one":
        yield from _length_findings(step, path)


def _length_findings(step: Choose, path: Place) -> Iterator[Finding]:
    correct = max((len(option.text) for option in step.options if option.right), default=0)
    longest = max((len(option.text) for option in step.options if not option.right), default=0)
    if correct > MUCH_LONGER * longest and correct > longest + 12:
        yield Finding(
            "W085", f"the correct choice has {correct} characters, the longest other {longest}", path
        )


def _runs_findings(exercise: Exercise, step: Runs, path: Place) -> Iterator[Finding]:
    if bool(step.data) == bool(step.min_rows):
        yield Finding("E012", "runs needs either data, to be entered, or min_rows of the learner's own", path)
    for number, column in enumerate(step.columns):
        if not is_column(column):
            yield Finding("E026", f"column {shown(column)} is no field of a run", (*path, "columns", number))
    if not step.data:
        return
    data = exercise.sets.get(step.data)
    if data is None:
        declared = any(each.id == step.data for each in exercise.script.data)
        if not declared:
            near = did_you_mean(step.data, exercise.sets)
            yield Finding("E090", f'data "{step.data}" is not attached{near}', (*path, "data"))
    elif not data.asked():
        yield Finding("E021", f'data "{step.data}" has no completed row in sight to enter', (*path, "data"))


# --------------------------------------------------------------------------------------------- in order


def sequence_findings(exercise: Exercise) -> Iterator[Finding]:
    """Predictions and Plays that do not belong together, and columns that give an answer away."""
    waiting: list[int] = []
    for place, step in enumerate(exercise.steps):
        if isinstance(step, Predict):
            waiting.append(place)
        if isinstance(step, Play):
            if not waiting:
                yield Finding("W073", "Play without a prediction: let learners commit first", ("step", place))
            waiting = []
        if isinstance(step, Numeric):
            yield from _uncovered(exercise, place, step)
    for place in waiting:
        yield Finding("W074", "no Play follows: a value that nothing reveals is a compute", ("step", place))


def _uncovered(exercise: Exercise, place: int, step: Numeric) -> Iterator[Finding]:
    script = exercise.script
    try:
        calls = parse(step.answer).calls if step.answer else ()
    except ExpressionError:
        return
    said: set[str] = set()
    for name, written in calls:
        function = FUNCTIONS[name]
        data = exercise.sets.get(written[0]) if written else None
        covered = {*script.cover, *step.cover, *(data.cover if data else ())}
        if script.instrument in function.tabs and function.column not in covered | said:
            said.add(function.column)
            where = f' of data "{data.id}"' if data else ""
            sentence = f'the column "{function.column}"{where} shows what {name}() asks: cover it'
            yield Finding("W075", sentence, ("step", place, "answer"))
