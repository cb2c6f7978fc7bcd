"""The same walk on the bare terminal, in tmux, in GNU screen and over a real sshd."""

from __future__ import annotations

import pytest

from tests.terminal.harness import PROGRAM, environment
from tests.terminal.lab import assert_the_lesson_is_read, opened, play_the_lesson, trial
from tests.terminal.places import bare, in_screen, in_tmux, over_ssh

pytestmark = pytest.mark.terminal

UNICODE, ASCII = "┤", "+"

STILL = {"TEXTUAL_ANIMATIONS": "none"}

WALKS = [
    (bare, {"LANG": "C.UTF-8"}, UNICODE),
    (bare, {"ROOFLAB_ASCII": "1", **STILL}, ASCII),
    (in_tmux, {"LANG": "C.UTF-8", **STILL}, UNICODE),
    (in_tmux, {"LC_ALL": "C"}, ASCII),
    (in_screen, {"LANG": "C.UTF-8", **STILL}, UNICODE),
    (in_screen, {"LC_ALL": "C"}, ASCII),
    (over_ssh, {"LANG": "C.UTF-8", **STILL}, UNICODE),
    (over_ssh, {"LC_ALL": "C", **STILL}, UNICODE),
]


@pytest.mark.parametrize(
    ("place", "changes", "corner"),
    WALKS,
    ids=[f"{place.__name__}-{'-'.join(changes.values())}" for place, changes, _ in WALKS],
)
def test_the_lesson_can_be_played(tmp_path, place, changes, corner):
    with place([PROGRAM], environment(tmp_path, **changes)) as session:
        opened(session)
        play_the_lesson(session)
        assert_the_lesson_is_read(session)
        assert f"1000{corner}" in session.text
        assert session.text.isascii() == (corner == ASCII)
        session.send("ctrl+q")
        assert session.wait() == 0


def test_a_dropped_ssh_line_keeps_the_trials(tmp_path):
    env = environment(tmp_path, TEXTUAL_ANIMATIONS="none")
    with over_ssh([PROGRAM], env) as session:
        opened(session)
        play_the_lesson(session)
        session.process.kill()
        session.wait()
    with bare([PROGRAM], env) as session:
        session.wait_for("Brought back 3 trials").wait_for(lambda s: trial(s, 3))
        assert_the_lesson_is_read(session)


@pytest.mark.parametrize("altscreen", ["off", "on"])
def test_no_frame_stays_behind_in_gnu_screen(tmp_path, altscreen):
    then = f"echo before; {PROGRAM}; echo after; read line"
    with in_screen(["sh", "-c", then], environment(tmp_path), settings=f"altscreen {altscreen}\n") as session:
        opened(session).send("ctrl+q").wait_for("after").settle()
        assert "Reset" not in session.text
        assert ("before" in session.text) == (altscreen == "on")
        session.send("enter")
        assert session.wait() == 0
