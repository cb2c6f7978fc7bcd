"""Trials come back after a dropped line or a crash, and never after a normal end."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tui.events import InputsSet, Locked, Played, Predicted
from tui.files.writer import Writer
from tui.guide.lab_session import DONE, HANGUP, LabSession
from tui.guide.transcript import load

TRIAL = (InputsSet("8", "50"), Predicted("400"), Locked(), Played())


@pytest.fixture(autouse=True)
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    return tmp_path / "rooflab"


class Lab:
    """A lab session with its writer and what it complained about."""

    def __init__(self) -> None:
        self.writer = Writer()
        self.troubles: list[Exception] = []
        self.session = LabSession(self.writer, self.troubles.append)

    def play(self, *events) -> None:
        for event in events or TRIAL:
            self.session.record(event)

    def leave(self, reason: str | None) -> None:
        if reason:
            self.session.end(reason)
        assert self.writer.close(10)


def transcripts(state: Path) -> list[Path]:
    return sorted((state / "sessions" / "lab").glob("*/transcript.jsonl"))


def test_nothing_is_written_before_the_first_event(state: Path) -> None:
    lab = Lab()
    assert lab.session.resume() == ()
    lab.leave(DONE)
    assert not state.exists()


def test_after_a_normal_end_the_next_start_is_empty() -> None:
    first = Lab()
    first.play()
    first.leave(DONE)
    assert Lab().session.resume() == ()


def test_after_a_hang_up_the_next_start_goes_on_with_the_same_file(state: Path) -> None:
    first = Lab()
    first.play()
    first.leave(HANGUP)
    second = Lab()
    assert second.session.resume() == TRIAL
    second.play(InputsSet("8", "100"))
    second.leave(HANGUP)
    assert len(transcripts(state)) == 1
    assert Lab().session.resume() == (*TRIAL, InputsSet("8", "100"))
    assert load(transcripts(state)[0]).broken_at is None


def test_a_lab_that_runs_in_another_terminal_is_left_alone() -> None:
    other = Lab()
    other.play()
    assert other.writer.close(10)
    assert Lab().session.resume() == ()


def test_only_one_of_two_terminals_takes_a_dropped_lab() -> None:
    first = Lab()
    first.play()
    first.leave(HANGUP)
    takers = [Lab(), Lab()]
    assert sorted(len(taker.session.resume()) for taker in takers) == [0, len(TRIAL)]


KILLED = """
import os, signal, sys
from tui.files.writer import Writer
from tui.guide.lab_session import LabSession
from tui.events import InputsSet, Predicted, Locked, Played
writer = Writer()
session = LabSession(writer, print)
for event in (InputsSet("8", "50"), Predicted("400"), Locked(), Played())[:int(sys.argv[1])]:
    session.record(event)
writer.close(10)
os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.mark.parametrize("events", [1, 2, 3, 4])
def test_a_kill_after_any_event_loses_none_of_them(events: int) -> None:
    child = subprocess.run([sys.executable, "-c", KILLED, str(events)], check=False)
    assert child.returncode == -signal.SIGKILL
    assert Lab().session.resume() == TRIAL[:events]


def test_a_file_cut_at_any_byte_gives_the_events_before_the_cut(state: Path) -> None:
    lab = Lab()
    lab.play()
    lab.leave(HANGUP)
    path = transcripts(state)[0]
    whole = path.read_bytes()
    starts = [0]
    for line in whole.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    for cut in range(starts[1], len(whole) + 1):
        path.write_bytes(whole[:cut])
        stored = load(path)
        assert stored.good_bytes == max(start for start in starts if start <= cut)
        assert stored.broken_at is None
        assert len(stored.records) == starts.index(stored.good_bytes) - 1


def test_a_cut_tail_is_taken_away_before_going_on(state: Path) -> None:
    lab = Lab()
    lab.play()
    lab.leave(HANGUP)
    path = transcripts(state)[0]
    path.write_bytes(path.read_bytes() + b'{"event":"comm')
    again = Lab()
    assert again.session.resume() == TRIAL
    again.leave(DONE)
    stored = load(path)
    assert (stored.cut_tail, stored.broken_at) == (False, None)
    assert stored.records[-1]["event"] == DONE


def edit(line: int, key: str, value: str):
    def change(lines: list[dict]) -> list[dict]:
        lines[line][key] = value
        return lines

    return change


@pytest.mark.parametrize(
    ("change", "line"),
    [
        pytest.param(edit(2, "text", "401"), 3, id="an answer"),
        pytest.param(edit(0, "app", "9.9"), 1, id="the head"),
        pytest.param(lambda lines: [*lines[:2], *lines[3:]], 3, id="a line taken out"),
        pytest.param(lambda lines: [lines[0], lines[2], lines[1], *lines[3:]], 2, id="two lines swapped"),
    ],
)
def test_the_chain_shows_an_edit_and_where(state: Path, change, line: int) -> None:
    lab = Lab()
    lab.play()
    lab.leave(DONE)
    path = transcripts(state)[0]
    lines = [json.loads(raw) for raw in path.read_bytes().splitlines()]
    path.write_text("".join(json.dumps(record) + "\n" for record in change(lines)), encoding="utf-8")
    assert load(path).broken_at == line


def test_trouble_is_told_and_the_lines_are_stored_when_it_is_over(state: Path) -> None:
    state.write_text("in the way", encoding="utf-8")
    lab = Lab()
    lab.play(*TRIAL[:2])
    state_is_blocked = lab.writer
    done: list[None] = []
    state_is_blocked.submit(lambda: None, lambda error: done.append(None))
    while not done:
        os.sched_yield()
    assert len(lab.troubles) >= 2
    state.unlink()
    lab.play(*TRIAL[2:])
    lab.leave(HANGUP)
    assert Lab().session.resume() == TRIAL


def test_no_home_at_all_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("XDG_STATE_HOME")
    monkeypatch.setenv("HOME", "nowhere")
    monkeypatch.setattr("tui.settings._home_on_record", lambda: "")
    lab = Lab()
    assert lab.session.resume() == ()
    lab.play()
    assert "set XDG_STATE_HOME" in str(lab.troubles[0])


def test_the_files_are_private(state: Path) -> None:
    lab = Lab()
    lab.play()
    lab.leave(DONE)
    for path in [*transcripts(state), *transcripts(state)[0].parents[:4]]:
        if path == state.parent:
            break
        assert path.stat().st_mode & 0o077 == 0, path
