"""What the guide panel shows of each step, without a screen."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.guide.playing import exercise
from tests.guide.scripts import compute, small
from tests.guide.test_exercises import COURSE
from tui.guide.attempt import Attempt
from tui.guide.grading import asked_for
from tui.guide.panel_page import PanelPage, page_of
from tui.guide.script import Numeric
from tui.guide.state import begin

WIDTHS = (58, 78, 198)
"""Columns of the panel on screens of 60, 80 and 200."""


def pages(name: str, width: int) -> list[PanelPage]:
    """Every step of an exercise as if it were on show."""
    session = begin(exercise(name))
    return [page_of(Attempt(replace(session, here=n)), width) for n in range(len(session.states))]


@pytest.mark.parametrize("name", COURSE)
def test_unit_and_precision_stand_beside_the_field_whole_on_every_screen(name: str) -> None:
    for width in WIDTHS:
        for step, page in zip(exercise(name).steps, pages(name, width), strict=True):
            if isinstance(step, Numeric):
                assert asked_for(step) in page.entry + page.prompt, step.id
                assert len(f"{page.entry}: ") + 12 <= width, step.id


@pytest.mark.parametrize("name", COURSE)
def test_no_row_is_wider_than_the_panel(name: str) -> None:
    for width in WIDTHS:
        for page in pages(name, width):
            widths = [len(row.text) + 4 * (row.option is not None) for row in page.rows]
            assert max(widths, default=0) <= width, page.head
            assert len(page.prompt) <= 2 * width


def test_what_has_no_room_beside_the_field_is_said_below_the_step() -> None:
    step = compute("42", 'tol = "0.001"\nrequire_unit = true', "GFLOP/s")
    page = page_of(Attempt(begin(small(step))), 58)
    assert page.entry == "Answer"
    asked = "in GFLOP/s (write the unit), within 0.001 GFLOP/s"
    assert page.prompt == f"Type the number ({asked}), Enter answers."
