"""What the guide panel shows of the step on show: its head, its rows, and what to do next; pure."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

from tui.guide import pages
from tui.guide.attempt import Attempt
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
from tui.guide.state import Feedback, Session, Tone, can_assist, can_show, order, points_text, result
from tui.guide.wrapping import clean, wrap
from tui.model.trial import Phase

RowStyle = Literal["", "head", "right", "wrong", "note", "hint"]

CONFIDENCE = "How sure are you? 1 a guess, 2 fairly, 3 certain; Enter: no answer."
_STYLES: dict[Tone, RowStyle] = {Tone.RIGHT: "right", Tone.WRONG: "wrong"}
TABLE_TABS = ("strong", "weak", "limits", "target")
_TABS = {
    "strong": ("strong", "limits"),
    "weak": ("weak", "limits"),
    "model-size": ("weak", "limits"),
    "target": ("target",),
}
"""The tabs that show the tables of each family."""
MARKS = 4
"""Columns before an option, for the cursor and the box of those that can be marked."""
ROOM_FOR_A_NUMBER = 15
"""Columns that a field keeps; a label that leaves fewer of them is said in the prompt instead."""


@dataclass(frozen=True)
class Row:
    """One row of the panel's body."""

    text: str
    style: RowStyle = ""
    option: int | None = None
    """Which option it belongs to, counted from 0."""


@dataclass(frozen=True)
class PanelPage:
    """A step as the panel shows it."""

    head: str
    rows: tuple[Row, ...]
    reveal: int
    """First row of what was said last; 0 when nothing was."""
    prompt: str
    """What to do next."""
    entry: str = ""
    """What is typed into the panel's own field, with unit and precision; "" where it has none."""
    options: int = 0
    """How many options can be picked now."""
    many: bool = False
    """Whether several may be."""


def asks_confidence(attempt: Attempt) -> bool:
    """Whether the learner is asked how sure the prediction on show is."""
    session = attempt.session
    step = session.step
    return (
        isinstance(step, Predict)
        and step.confidence
        and session.state.done
        and not session.state.judged
        and not session.state.confidence
    )


def page_of(attempt: Attempt, width: int) -> PanelPage:
    """The step on show, its rows at most `width` columns wide."""
    session = attempt.session
    step = session.step
    assert step is not None
    if attempt.intro:
        lines = [line for each in attempt.intro for line in ("", *wrap(each, width))][1:]
        head = clean(session.exercise.script.title)
        done = any(state.done for state in session.states)
        prompt = "Enter goes on." if done else "Enter begins."
        return PanelPage(head, tuple(map(Row, lines)), 0, f"{prompt} F2 is the menu of the exercise.")
    playing = attempt.lab.phase is Phase.PLAYING
    rows = list(_rows(session, step, width))
    said = () if playing else tuple(_said(attempt, width))
    answering = _answering(session) and not playing
    return PanelPage(
        head=_head(session),
        rows=(*rows, *said),
        reveal=len(rows) if said else 0,
        prompt=_prompt(attempt, width),
        entry=_entry(attempt, width) if answering else "",
        options=len(step.options) if isinstance(step, Options) and answering else 0,
        many=isinstance(step, Options) and step.select == "many",
    )


def _answering(session: Session) -> bool:
    return not session.free and (not session.state.done or session.practising)


def _head(session: Session) -> str:
    if session.free:
        return "FREE PLAY: nothing is graded. F2 ends it."
    text = pages.heading(session, session.here)
    if session.exercise.script.score.show == "live":
        score = result(session)
        text += f", {points_text(score.earned)} of {score.possible} points so far"
    return text


def _rows(session: Session, step: Step, width: int) -> list[Row]:
    rows = [Row(line) for line in pages.question(step, width)]
    if isinstance(step, Reflect) and session.state.text:
        rows += [Row(line) for line in wrap(f"You wrote: {session.state.text}", width)]
    rows += [Row(line) for line in _tables(session, step, width)]
    if isinstance(step, Options):
        names = order(session, step)
        for place, lines in enumerate(pages.options(session, step, width - 5)):
            picked = session.state.done and names[place] in session.state.picks
            lines[0] = f"✓{lines[0][1:]}" if picked else lines[0]
            rows += [Row(line, option=place) for line in lines]
    if not isinstance(step, Numeric):
        rows += [Row(line) for line in pages.material(session, step, width)]
    for hint in step.hints[: session.state.hints]:
        rows += [Row(line, "hint") for line in pages.said(Feedback(lines=(f"Hint: {hint}",)), width)]
    return [each for row in rows for each in _fitting(row, width)]


def _fitting(row: Row, width: int) -> Iterator[Row]:
    """A row with columns of its own in as many as it needs: what is cut cannot be read."""
    room = width - MARKS * (row.option is not None)
    deeper = len(row.text) - len(row.text.lstrip()) + 2 if row.option is None else len("  1. ")
    indent = " " * min(deeper, room // 2)
    for line in textwrap.wrap(row.text, room, subsequent_indent=indent) or [""]:
        yield replace(row, text=line)


def _tables(session: Session, step: Step, width: int) -> list[str]:
    """The tables that a step names and that the tab in front does not have: not yet entered, or another's."""
    lines = []
    for data in pages.tables_of(session, step):
        on_tab = session.exercise.script.instrument in _TABS[data.family]
        to_enter = any(
            isinstance(each, Runs) and each.data == data.id and not state.done
            for each, state in zip(session.exercise.steps, session.states, strict=True)
        )
        absent = to_enter and not data.blanks
        if not (isinstance(step, Runs) and step.data == data.id) and (absent or not on_tab):
            lines += pages.table(data, session, width)
    return lines


def _said(attempt: Attempt, width: int) -> list[Row]:
    step, state = attempt.session.step, attempt.session.state
    said = attempt.said if attempt.said.lines else state.feedback
    if step is not None and state.hints and said.lines[:1] == (f"Hint: {step.hints[state.hints - 1]}",):
        said = state.feedback  # the hint stands among the hints; what was said of the answer stays
    style = _STYLES.get(said.tone, "note")
    rows = [Row(line, style) for line in pages.said(said, width)]
    return [each for row in rows for each in _fitting(row, width)]


def _entry(attempt: Attempt, width: int) -> str:
    step = attempt.session.step
    if isinstance(step, Predict) and attempt.on_roofline:
        return ""  # the lab's own field takes it
    if isinstance(step, Numeric):
        word, asked = "Predict" if isinstance(step, Predict) else "Answer", asked_for(step)
        return f"{word} {asked}" if _fits(asked, width) else word
    return "Write" if isinstance(step, Reflect) else ""


def _fits(asked: str, width: int) -> bool:
    return len(f"Predict {asked}: ") <= width - ROOM_FOR_A_NUMBER


def _prompt(attempt: Attempt, width: int) -> str:
    session = attempt.session
    step, state = session.step, session.state
    if attempt.lab.phase is Phase.PLAYING:
        return "Watch the marker. Enter or F5 goes to the end."
    if session.free:
        return "Try what you like; F2 ends free play and brings everything back."
    if asks_confidence(attempt):
        return CONFIDENCE
    if state.done and not session.practising:
        last = session.here + 1 == len(session.states)
        return "Enter: the end." if last else "Enter goes on."
    words = _what_to_do(attempt, step, width) if step is not None else ""
    if can_assist(session):
        words += " F2: do it for me."
    elif can_show(session):
        words += " F2: show the solution."
    elif session.exercise.script.instrument in TABLE_TABS and not isinstance(step, Runs):
        has_pages = session.exercise.script.instrument == "limits"
        words += " Tab: pages (v)." if has_pages else " Tab: the table."
    return words


def _what_to_do(attempt: Attempt, step: Step, width: int) -> str:
    if isinstance(step, Pause) and step.discuss:
        return "Talk about it, then Enter goes on."
    if isinstance(step, ResetStep):
        return "Press F7 (Reset)."
    if isinstance(step, SetInputs):
        return _how_to_set(attempt, step)
    if isinstance(step, Predict) and attempt.on_roofline:
        return f"Type it into `predict` above ({asked_for(step)}), Enter commits."
    if isinstance(step, Play):
        return "Press F5: it shows what was hidden." if step.reveal else "Press F5 (Play)."
    if isinstance(step, Options):
        what = "marks lines" if isinstance(step, Flaw) else "marks"
        if step.select == "many":
            return f"A digit or space {what}, Enter answers."
        return "A digit or up and down choose, Enter answers."
    if isinstance(step, Runs):
        return _how_to_enter(attempt.session, step)
    if isinstance(step, Numeric):
        number = "your prediction" if isinstance(step, Predict) else "the number"
        then = "commits it" if isinstance(step, Predict) else "answers"
        asked = "" if _fits(asked_for(step), width) else f" ({asked_for(step)})"
        return f"Type {number}{asked}, Enter {then}."
    return "Write a sentence or two, Enter saves." if isinstance(step, Reflect) else "Enter goes on."


def _how_to_set(attempt: Attempt, step: SetInputs) -> str:
    if attempt.lab.phase is Phase.PLAYED:
        return "Press F7 first: it empties the fields."
    names = " and ".join(step.inputs)
    return f"Type {names} into the {'field' if len(step.inputs) == 1 else 'fields'} above, Enter after each."


def _how_to_enter(session: Session, step: Runs) -> str:
    data = session.exercise.sets.get(step.data)
    if data is not None and data.blanks:
        return "In the table: Enter on a row, fill in what is blank, Enter. F8: all of this."
    return "In the table: a types a row, Enter commits it. F8: all of this."
