"""Whatever ends the program, the fields one was typing in come back; and no byte ends it."""

from __future__ import annotations

import os
import signal
import sys

import pytest

from tests.terminal.harness import Session
from tests.terminal.lab import opened
from tests.terminal.test_runs_walk import on_the_strong_tab

pytestmark = pytest.mark.terminal

FAULT = """
import sys
import tui.widgets.runs_editor as module
def crash(self, by):
    raise ValueError("boom")
module.LineInput.action_other_run = crash
from tui.cli import main
sys.exit(main(sys.argv[1:]))
"""

UP = "\x1b[A"


def send_bytes(session: Session, data: bytes) -> Session:
    """Send what no UTF-8 terminal sends."""
    os.write(session.master, data)
    return session


def test_bytes_that_are_no_utf8_are_shown_as_such_and_nothing_ends(start):
    session = opened(start())
    send_bytes(session, b"\xe4x").wait_for("\N{REPLACEMENT CHARACTER}")
    send_bytes(session, b"\x1b[200~gr\xf6\xdfe\x1b[201~").wait_for("gr\N{REPLACEMENT CHARACTER}")
    session.send("ctrl+q")
    assert session.wait() == 0


def half_typed(session: Session) -> Session:
    """A line whose second field was never left."""
    return on_the_strong_tab(session).send("a", "48\t1488.5").wait_for("Read as 1488.5 s.")


def brought_back(start) -> None:
    session = opened(start()).send("\x07").send("\x1b[C")
    session.wait_for("This line was typed and not committed: 48 1488.5").send("enter")
    session.wait_for("Added 48 devices, 1489 s. Saved.")


@pytest.mark.parametrize("number", [signal.SIGHUP, signal.SIGTERM])
def test_a_signal_keeps_the_field_one_is_in(start, number):
    half_typed(start()).signal(number).wait()
    brought_back(start)


def test_leaving_keeps_the_field_one_is_in(start):
    assert half_typed(start()).send("ctrl+q").wait() == 0
    brought_back(start)


def test_a_crash_keeps_the_field_one_is_in_and_says_that_all_is_stored(start):
    session = half_typed(start(command=(sys.executable, "-c", FAULT)))
    assert session.send(UP).wait() == 70
    assert "whatwasenteredisstored" in "".join(session.text.split())
    brought_back(start)


def test_a_crash_does_not_call_stored_what_could_not_be_stored(start, tmp_path):
    (tmp_path / "file").touch()
    missing = str(tmp_path / "file" / "state")
    session = start(command=(sys.executable, "-c", FAULT), XDG_STATE_HOME=missing, TMPDIR=str(tmp_path))
    assert half_typed(session).send(UP).wait() == 70
    assert "notallthatwasenteredcouldbestored" in "".join(session.text.split())


@pytest.mark.parametrize("how", ["hang-up", "ctrl+q"])
def test_a_form_that_was_being_filled_in_comes_back(start, how):
    session = on_the_strong_tab(start()).send("w").wait_for("What holds for all runs")
    session.send("\t123 tokens").wait_for("123 tokens")
    if how == "ctrl+q":
        session.send("ctrl+q")
    else:
        session.signal(signal.SIGHUP)
    session.wait()
    again = opened(start()).send("\x07").send("\x1b[C").wait_for("What holds for all runs")
    again.wait_for("123 tokens").send("enter").wait_for("W = 123 tokens").wait_for("Saved.")
    assert again.send("ctrl+q").wait() == 0
    last = opened(start()).send("\x07").send("\x1b[C")
    last.wait_for("No runs here yet").wait_for("strong scaling: 0 runs")
