"""Tables with stages, memory and blanks: in plain text, in the panel, and with a locked prediction."""

from __future__ import annotations

from datetime import datetime, timezone

import pytest

from tests.guide.playing import exercise, lines
from tests.guide.second_limits import LIMITS
from tests.guide.test_plain import Sitting
from tui.events import Played, Predicted
from tui.guide import pages
from tui.guide.attempt import Attempt
from tui.guide.panel_page import page_of
from tui.guide.session import apply, replay
from tui.guide.state import Session, begin
from tui.guide.workbench import study_of
from tui.model.score import score
from tui.model.steps import steps_of
from tui.model.study import Experiment

NAME = "find-the-next-limit"


def at(name: str, step: str, seed: str = "20261201T094544Z-2fd1") -> Session:
    """An exercise on limits, done right up to a step."""
    found = exercise(name)
    session = begin(found, seed)
    for event in Sitting(found, list(lines(found, LIMITS[name], None))).events:
        if session.step is not None and session.step.id == step:
            return session
        session, _ = apply(session, event)
    raise AssertionError(step)


def pipeline(session: Session) -> Experiment:
    """Its table as the tabs have it."""
    return study_of(session).experiment[0]


def test_a_prediction_of_the_path_is_locked_in_its_table_and_scored_when_the_run_is_revealed() -> None:
    before = at(NAME, "predict-64")
    assert pipeline(before).prediction == ()
    locked, _ = apply(before, Predicted("15,5 s"))
    (made,) = pipeline(locked).prediction
    assert (made.devices, made.time_s, made.limit) == (64, 15.5, "")
    assert made.made == datetime(2026, 12, 1, 9, 45, 44, tzinfo=timezone.utc), "when the session was begun"
    assert score(steps_of(pipeline(locked)), made) is None

    shown = replay(at(NAME, "play-64"), [Played()])
    (made,) = pipeline(shown).prediction
    found = score(steps_of(pipeline(shown)), made)
    assert found is not None
    # 18.5 along the path, 5.9375 ideal, 28.5·(28.5/47.5)² again, 14.25 by a + b/D: all against 19 s.
    assert round(float(found.error), 3) == -0.026
    assert {key: round(float(error), 3) for key, error in found.errors.items()} == {
        "ideal": -0.688,
        "same_gain": -0.46,
        "amdahl": -0.25,
    }


def test_a_session_that_is_stored_nowhere_has_no_date_to_lock_under() -> None:
    session, _ = apply(at(NAME, "predict-64", seed=""), Predicted("18.5"))
    assert session.state.done
    assert pipeline(session).prediction == ()


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("32 19.5 10", "A row has 7 cells: devices, time_s, compute, communication, bubble, input, host."),
        ("32 19.5 10 6 2.5 17.5 x", "host: "),
        ("32 19.5 10 6 17.5 2.5 1", "Row devices 32: look at bubble, input."),
        ("32; 19,5; 10; 6; 2,5; 17,5; 1", "✓ right: the row is in the table."),
    ],
)
def test_a_row_with_stages_is_typed_by_their_own_names(typed: str, said: str) -> None:
    sitting = Sitting(exercise(NAME), ["", typed])
    assert "Row (devices, time_s, compute, communication, bubble, input, host): " in sitting.said
    assert said in " ".join(sitting.text.split())
    assert "stages_s" not in sitting.text


def test_what_was_filled_in_stands_in_the_table_from_then_on() -> None:
    data = exercise(NAME).sets["pipeline"]
    blank, full = pages.table(data, at(NAME, "enter-32")), pages.table(data, at(NAME, "measured"))
    assert blank[-1].split() == ["32", *"??????"]
    assert full[-1].split() == ["32", "19.5", "10", "6", "2.5", "17.5", "1"]


def test_a_table_that_is_too_wide_stands_closer() -> None:
    data = exercise(NAME).sets["pipeline"]
    wide, narrow = pages.table(data, None), pages.table(data, None, 60)
    assert max(map(len, wide)) > 60 >= max(map(len, narrow))
    assert [line.split() for line in wide] == [line.split() for line in narrow]
    assert pages.table(data, None, 80) == wide


def test_plain_text_covers_the_memory_that_a_step_asks_for() -> None:
    data = exercise("cost-and-memory").sets["memory-need"]
    before = pages.table(data, at("cost-and-memory", "smallest"))
    after = pages.table(data, at("cost-and-memory", "longer"))
    assert [line.split() for line in before[2:4]] == [["1", "covered"], ["2", "covered"]]
    assert [line.split() for line in after[2:5]] == [["1", "110"], ["2", "60"], ["4", "35"]]


def test_the_panel_prints_the_tables_that_the_tab_in_front_does_not_have() -> None:
    found = exercise("weak-is-not-quality")
    session = begin(found)
    rows = [row.text for row in page_of(Attempt(session), 78).rows]
    assert "  devices  global_batch  time_s" in rows, "it is on the Weak tab, and Target is in front"
    there = at("overhead-and-stragglers", "scene")
    assert not any("devices  time_s" in row.text for row in page_of(Attempt(there), 78).rows)
