"""Each of the twenty exercises done in the app from start to end: scored as in plain text, no key told."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.guide.playing import exercise, lines
from tests.guide.test_exercises import COURSE
from tests.guide.test_plain import Sitting
from tests.ui.exercises import attempt, do_lines, here, opened, start_exercise, transcripts
from tests.ui.screens import text
from tui.app import RooflabApp
from tui.guide.lint_numbers import prints_answer
from tui.guide.pages import page
from tui.guide.script import Numeric, SetInputs
from tui.guide.state import Session, result
from tui.guide.store import kept_sessions
from tui.widgets.efficiency_table import EfficiencyTable

SIZES = ((80, 23), (60, 20), (120, 40))

FURNITURE = " ".join(map(str, range(1, 21)))
"""Small numbers that stand on every screen: tabs, steps, options, points."""


def seen(app: RooflabApp) -> Iterator[str]:
    """What a learner can see now, and what scrolling the table sideways would show."""
    yield from text(app).split("\n")
    for table in app.query(EfficiencyTable):
        if table._view is not None and app.page in table.ancestors:
            for row in table._view.rows:
                yield "  ".join(table._view.cells(row, table._covered))


def given(session: Session) -> str:
    """What the exercise has told by this step: its tables, inputs, cap, texts and earlier solutions."""
    script = session.exercise.script
    told = [FURNITURE, script.params.get("cap", ""), *page(session, session.here, 200)]
    told += [str(number) for text in told for number in re.findall(r"\d+", text)]
    for data in session.exercise.sets.values():
        told += [cell for row in data.rows for cell in row]
    for step in session.exercise.steps[: session.here]:
        told += step.inputs.values() if isinstance(step, SetInputs) else (step.solution,)
    return "\n".join(told)


def assert_no_key_is_told(app: RooflabApp) -> None:
    """Nothing on the screen is the answer of the step on show."""
    session = attempt(app).session
    if session.step is None or not isinstance(session.step, Numeric) or session.state.done:
        return
    key = session.exercise.keys[session.here]
    assert key is not None
    if key.right is None or prints_answer(given(session), key.right):
        return
    assert [line for line in seen(app) if prints_answer(line, key.right)] == [], session.step.id


async def walk(name: str, size: tuple[int, int], round_: int | None) -> tuple[RooflabApp, Sitting]:
    """Do an exercise in the app and in plain text by the same lines."""
    typed = list(lines(exercise(name), COURSE[name], round_))
    app = start_exercise(name)
    async with app.run_test(size=size) as pilot:
        await opened(pilot)
        await do_lines(pilot, typed, lambda: assert_no_key_is_told(app))
        assert here(app) == "end"
    return app, Sitting(exercise(name), typed)


@pytest.mark.parametrize("name", COURSE)
async def test_done_right_in_the_app_it_scores_as_in_plain_text(name: str) -> None:
    size = SIZES[list(COURSE).index(name) % len(SIZES)]
    app, sitting = await walk(name, size, None)
    score, plain = result(attempt(app).session), result(sitting.session)
    assert (score.earned, score.done) == (plain.earned, plain.steps) == (COURSE[name].points, score.steps)
    (kept,) = kept_sessions(name)
    assert result(kept.session) == score


@pytest.mark.parametrize(
    "name", ["roofline-three-trials", "strong-first-table", "weak-is-not-quality", "read-the-training-line"]
)
async def test_done_with_every_wrong_idea_first_it_scores_as_in_plain_text(name: str, state: Path) -> None:
    app, sitting = await walk(name, (120, 40), 0)
    states = [(each.share, each.tries, each.ideas) for each in attempt(app).session.states]
    assert states == [(each.share, each.tries, each.ideas) for each in sitting.session.states]
    (transcript,) = transcripts(state)
    assert transcript.stat().st_size > 0
