"""Keys that arrive in one packet do what they do one by one."""

from __future__ import annotations

import pytest

from tests.terminal.lab import assert_the_lesson_is_read, opened, trial

pytestmark = pytest.mark.terminal


def test_a_lesson_typed_blindly(start):
    session = opened(start(TEXTUAL_ANIMATIONS="none"))
    for number, keys in enumerate(("8\r50\r400\r", "8\r100\r800\r", "8\r200\r1600\r"), start=1):
        session.send(*(["f7"] if number > 1 else []), keys)
        session.wait_for(lambda s, number=number: trial(s, number)).wait_for("Played:")
    assert_the_lesson_is_read(session)
