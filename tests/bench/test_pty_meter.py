"""A program that crashed is not one that needed little."""

import sys

import pytest

from tests.bench.pty_meter import NeverCame, Program

WAITS = "import sys, tty; tty.setraw(0); print('up', flush=True); sys.stdin.read(1); "


def quit_of(code: str) -> float:
    with Program((sys.executable, "-c", code), {}) as program:
        program.wait_for("up")
        program.settle()
        return program.quit(timeout=10)


@pytest.mark.terminal
def test_a_program_that_ends_when_it_is_asked_to_is_measured() -> None:
    assert 0 < quit_of(WAITS) < 10


@pytest.mark.terminal
@pytest.mark.parametrize(
    ("code", "said"),
    [(WAITS + "raise SystemExit(70)", "ended with status 70"), ("print('up')", "had ended by itself")],
)
def test_a_program_that_crashed_is_refused(code: str, said: str) -> None:
    with pytest.raises(NeverCame, match=said):
        quit_of(code)
