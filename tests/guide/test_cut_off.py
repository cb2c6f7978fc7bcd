"""An exercise that a program left without a word is found at the next start."""

from __future__ import annotations

from pathlib import Path

import pytest

from tui.guide import cut_off
from tui.guide.catalogue import find, ready
from tui.guide.cut_off import cut_off_exercise
from tui.guide.events import Left, Next
from tui.guide.store import ExerciseStore

NAME = "roofline-three-trials"


@pytest.fixture(autouse=True)
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))


def begun() -> ExerciseStore:
    store = ExerciseStore(lambda sentence: None)
    store.start(ready(find(NAME)))
    store.record(Next(), "intro")
    return store


def test_nothing_was_done_yet() -> None:
    assert cut_off_exercise() == ""


def test_a_program_that_still_runs_has_it_open() -> None:
    begun()
    assert cut_off_exercise() == ""


def test_a_program_that_is_gone_had_it_open(monkeypatch: pytest.MonkeyPatch) -> None:
    begun()
    monkeypatch.setattr(cut_off, "is_alive", lambda owner: False)
    assert cut_off_exercise() == NAME


def test_one_that_was_left_was_not_cut_off(monkeypatch: pytest.MonkeyPatch) -> None:
    begun().record(Left())
    monkeypatch.setattr(cut_off, "is_alive", lambda owner: False)
    assert cut_off_exercise() == ""


def test_a_damaged_transcript_is_no_exercise(tmp_path: Path) -> None:
    folder = tmp_path / "rooflab" / "sessions" / NAME / "20261201T000000Z-0000"
    folder.mkdir(parents=True)
    (folder / "transcript.jsonl").write_bytes(b"\x00 no line of ours")
    assert cut_off_exercise() == ""
