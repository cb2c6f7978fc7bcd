"""Whole exercises on a real terminal: done by keys, cut off in the middle, typed ahead, and graded again."""

from __future__ import annotations

import signal
from itertools import cycle
from pathlib import Path

import pytest

from tests.guide.scripts import RIGHT_ROOFLINE
from tests.terminal.harness import Session
from tui.events import Event, InputsSet, Locked, Played, Predicted
from tui.guide.events import Chosen, Confidence, RunsEntered
from tui.guide.handin import decode, encoded, make
from tui.guide.regrade import Scripts, regrade
from tui.guide.store import Kept, kept_sessions

pytestmark = pytest.mark.terminal

THREE = "roofline-three-trials"
RUN = ("lab", "run", THREE)

TRIAL_1 = [
    ("enter", "Step 1 of 18"),
    ("enter", "Step 2 of 18"),
    ("f7", "Step 3 of 18"),
    ("8\r50\r", "Step 4 of 18"),
    ("400\r", "How sure are you?"),
    ("3", "Step 5 of 18"),
    ("f5", "The marker stops at 400 GFLOP/s"),
    ("enter", "Step 6 of 18"),
    ("1\r", "✓ right."),
    ("enter", "Step 7 of 18"),
]
"""Keys, and what is on the screen when they have acted."""

THE_REST = [
    ("f7", "Step 8 of 18"),
    ("8\r100\r", "Step 9 of 18"),
    ("800\r", "How sure are you?"),
    ("enter", "Step 10 of 18"),
    ("f5", "The marker stops at 800 GFLOP/s"),
    ("enter", "Step 11 of 18"),
    ("f7", "Step 12 of 18"),
    ("8\r200\r", "Step 13 of 18"),
    ("1000\r", "How sure are you?"),
    ("1", "Step 14 of 18"),
    ("f5", "at the COMPUTE CAP"),
    ("enter", "Step 15 of 18"),
    ("1\r", "✓ right."),
    ("enter", "Step 16 of 18"),
    ("125\r", "✓ right: 125 read as 125 GB/s."),
    ("enter", "Step 17 of 18"),
    ("1\r", "✓ right."),
    ("enter", "Step 18 of 18"),
    ("10 and 100: I x B is the cap\r", "Saved."),
    ("enter", "14 of 14 points (100 %): passed"),
]


@pytest.fixture(autouse=True)
def _same_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the program under test stored is found by this process too."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))


def do(session: Session, *walk: tuple[str, str]) -> Session:
    """Press keys and wait for what they lead to."""
    for keys, shown in walk:
        session.send(keys).wait_for(shown)
    return session


def opened(session: Session, shown: str = "Enter begins.") -> Session:
    """Wait until the exercise stands."""
    return session.wait_for(shown).wait_for("F2 menu")


def kept(script: str = THREE) -> Kept:
    """The only session there is."""
    (found,) = kept_sessions(script)
    return found


def how_far(script: str = THREE) -> list[tuple[object, ...]]:
    """What is stored: the step, and what is known of each."""
    session = kept(script).session
    here = session.step.id if session.step else ""
    return [
        (here, state.done, state.tries, state.checks, state.share, state.text) for state in session.states
    ]


def graded() -> tuple[str, tuple[str, ...]]:
    """Points of the transcript, graded again from its raw answers, and what is wrong with it."""
    grade = regrade(decode(encoded(make(kept(), "somebody"))), Scripts())
    return f"{grade.result.earned} of {grade.result.possible}", grade.faults


def stored(session: Session, count: int, event: type[Event], script: str = THREE) -> None:
    """Wait until so many events of a kind are in the transcript."""
    session.wait_for(
        lambda _: [record["event"] for record in kept(script).stored.records].count(event.NAME) >= count
    )


# Done from start to end --------------------------------------------------------------------------


@pytest.mark.parametrize("size", [(80, 23), (120, 40)], ids=["80x23", "120x40"])
def test_three_trials_done_from_start_to_end_by_keys(start, size):
    session = opened(start(*RUN, size=size))
    do(session, *TRIAL_1, *THE_REST)
    session.send("ctrl+q")
    assert session.wait() == 0
    assert graded() == ("14 of 14", ())


def test_three_trials_done_from_start_to_end_in_plain_text(start):
    session = start(*RUN, "--plain").wait_for("Step 1 of 18")
    for line in RIGHT_ROOFLINE:
        session.send(f"{line}\r")
    session.wait_for("14 of 14 points (100 %): passed").send("\r")
    assert session.wait() == 0
    assert graded() == ("14 of 14", ())


# Cut off in the middle ---------------------------------------------------------------------------


def cut(session: Session, how: str) -> None:
    """Kill the program, or take its terminal away."""
    if how == "killed":
        session.signal(signal.SIGKILL)
        session.wait()
    else:
        session.vanish()
        assert session.wait() in (129, -signal.SIGHUP)


@pytest.mark.parametrize(
    ("size", "first"), [((80, 23), "killed"), ((120, 40), "closed")], ids=["80x23", "120x40"]
)
def test_whatever_step_it_is_cut_off_at_it_goes_on_there(start, size, first):
    # Each place is cut off in the other way at the other size.
    ways = cycle(["killed", "closed"] if first == "killed" else ["closed", "killed"])

    def again(step: str) -> Session:
        before = how_far()
        cut(session, next(ways))
        following = start(*RUN, size=size).wait_for("Resumed:").wait_for("F2 menu")
        following.send("enter").wait_for(step)
        assert how_far() == before
        return following

    session = do(opened(start(*RUN, size=size)), *TRIAL_1[:3], ("8\r60\r", "B reads 60"))
    stored(session, 2, InputsSet)
    session = again("Step 3 of 18")
    session.wait_for("60").send("\x15", "50\r").wait_for("Step 4 of 18")
    stored(session, 3, InputsSet)
    session = do(again("Step 4 of 18"), ("400\r", "How sure are you?"))
    stored(session, 1, Predicted)
    session = do(again("How sure are you?"), ("2", "Step 5 of 18"))
    stored(session, 1, Confidence)
    session.send("f5").wait_for("●")
    stored(session, 1, Locked)
    session = do(again("Press F5"), *TRIAL_1[6:8], ("2\r", "✗ not yet."))
    stored(session, 1, Chosen)
    session = do(again("Step 6 of 18"), ("1\r", "✓ right."), TRIAL_1[-1])
    stored(session, 2, Chosen)
    assert [state.tries for state in kept().session.states if state.tries] == [1]


@pytest.mark.parametrize("how", ["killed", "closed"])
def test_cut_off_in_plain_text_it_goes_on_there(start, how):
    session = start(*RUN, "--plain").wait_for("Step 1 of 18")
    session.send("\r\r8\r50\r400\r2\r\r2\r").wait_for("✗ not yet.")
    before = how_far()
    cut(session, how)
    start(*RUN, "--plain").wait_for("Step 6 of 18")
    assert how_far() == before


@pytest.mark.parametrize("how", ["killed", "closed"])
def test_rows_that_were_entered_stand_in_the_table_again(start, how):
    table = ("lab", "run", "strong-first-table")
    session = opened(start(*table))
    do(session, ("enter", "Step 1 of 12"), ("enter", "Step 2 of 12"), ("2\r", "✓ right."))
    do(session, ("enter", "Step 3 of 12"), ("a4\t9.6\r", "look at time_s"), ("8\t50\r", "1 of 4 rows"))
    stored(session, 2, RunsEntered, "strong-first-table")
    before = how_far("strong-first-table")
    cut(session, how)
    session = start(*table).wait_for("Resumed:").wait_for("F2 menu").wait_for("9.6")
    session.send("enter").wait_for("Step 3 of 12").wait_for("1 of 4 rows")
    assert how_far("strong-first-table") == before


# Typed ahead -------------------------------------------------------------------------------------


def test_keys_typed_blindly_in_one_packet(start):
    session = opened(start(*RUN))
    session.send(
        "enter", "enter", "f7", "8\r50\r400\r3", "f5", "f5", "\r1\r\r", "f7", "8\r100\r800\r\r", "f5"
    )
    session.wait_for("The marker stops at 800 GFLOP/s").wait_for("✓ right: 800")
    stored(session, 2, Played)
    states = {
        step.id: state for step, state in zip(kept().exercise.steps, kept().session.states, strict=True)
    }
    assert [states[step].share for step in ("t1-predict", "t1-observe", "t2-predict")] == [1, 1, 1]
    assert states["t1-predict"].confidence == 3
