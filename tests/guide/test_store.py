"""Exercise sessions on disk: killed, cut, copied, crowded out, read-only, taken over; nothing is lost."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.files.hostile_disks import make_read_only, mounted
from tests.guide.scripts import ROOFLINE, STRONG, answer, play, right_way
from tui.events import Event
from tui.guide import events
from tui.guide.catalogue import NotUsable, ready
from tui.guide.events import Answered, Left, Next, Unreadable, from_record, to_record
from tui.guide.session import apply, replay
from tui.guide.state import Session, begin
from tui.guide.store import ExerciseStore, kept_sessions, open_kept
from tui.guide.transcript import load
from tui.settings import SettingsError


@pytest.fixture(autouse=True)
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    return tmp_path / "state" / "rooflab"


class Terminal:
    """A store with what it complained about, and the session it leads to."""

    def __init__(self) -> None:
        self.troubles: list[str] = []
        self.store = ExerciseStore(self.troubles.append)
        self.session: Session | None = None

    def start(self, file: Path = STRONG) -> Terminal:
        self.session = self.store.start(ready(file))
        return self

    def do(self, *events: Event) -> Terminal:
        for event in events:
            assert self.session is not None
            step = self.session.step
            self.store.record(event, step.id if step else "")
            self.session, _ = apply(self.session, event)
        return self

    def type(self, *texts: str) -> Terminal:
        from tui.guide.session import number_event

        for text in texts:
            assert self.session is not None
            self.do(number_event(self.session, text))
        return self

    @property
    def path(self) -> Path:
        return self.store.folder / "transcript.jsonl"


def begun() -> Terminal:
    """Somebody who has read the scene, made one wrong and one unreadable attempt, and one right one."""
    return Terminal().start().do(Next()).type("0.525", "abc", "1.905").do(Next())


def test_every_event_is_on_disk_with_its_step_before_it_is_answered() -> None:
    terminal = begun()
    records = load(terminal.path).records
    assert [record["event"] for record in records] == [
        "open",
        "next",
        "answer",
        "unreadable",
        "answer",
        "next",
    ]
    assert [record.get("step") for record in records[1:]] == ["scene", *["naive-speedup"] * 4]
    assert [record["n"] for record in records] == [1, 2, 3, 4, 5, 6]
    assert records[2]["text"] == "0.525"
    assert all({"t", "dt", "h"} <= set(record) for record in records)


def test_the_head_says_what_is_graded_by_what() -> None:
    terminal = begun()
    head = load(terminal.path).head
    assert (head["script"], head["revision"], head["format"]) == ("strong-shrinking-batch", 1, 1)
    assert head["graded_hash"] == ready(STRONG).graded_hash
    assert (terminal.store.folder / "strong-shrinking-batch.toml").read_bytes() == STRONG.read_bytes()
    for path in (terminal.store.folder, terminal.path, terminal.store.folder.parent):
        assert path.stat().st_mode & 0o077 == 0, path


KILLED = """
import os, signal, sys
from pathlib import Path
from tests.guide.scripts import right_way
from tui.guide.catalogue import ready
from tui.guide.session import apply
from tui.guide.store import ExerciseStore
exercise = ready(Path(sys.argv[1]))
store = ExerciseStore(print)
session = store.start(exercise)
events = right_way(exercise)
pid = os.getpid()
for n, event in enumerate(events[: int(sys.argv[2])]):
    store.record(event)
    session, _ = apply(session, event)
os.kill(pid, signal.SIGKILL)
"""


@pytest.mark.parametrize(("file", "count"), [(STRONG, 3), (STRONG, 17), (ROOFLINE, 11), (ROOFLINE, 27)])
def test_a_killed_program_loses_nothing(file: Path, count: int) -> None:
    command = [sys.executable, "-c", KILLED, str(file), str(count)]
    child = subprocess.run(command, cwd=ROOFLINE.parents[1], check=False)
    assert child.returncode == -signal.SIGKILL
    exercise = ready(file)
    (kept,) = kept_sessions(exercise.script.id)
    expected = replay(begin(exercise, kept.folder.name), right_way(exercise)[:count])
    assert kept.session == expected
    assert not kept.in_use
    assert kept.notices == ()


@pytest.mark.parametrize("file", [ROOFLINE, STRONG], ids=lambda file: file.stem)
def test_cut_after_every_event_it_goes_on_at_the_same_step_with_the_same_tries(file: Path) -> None:
    exercise = ready(file)
    terminal = Terminal().start(file)
    states = [terminal.session]
    sizes = [terminal.path.stat().st_size]
    for event in right_way(exercise):
        terminal.do(event)
        states.append(terminal.session)
        sizes.append(terminal.path.stat().st_size)
    whole = terminal.path.read_bytes()
    for size, expected in zip(sizes, states, strict=True):
        terminal.path.write_bytes(whole[:size])
        assert open_kept(terminal.store.folder, exercise).session == expected


def test_cut_at_any_byte_the_whole_lines_before_it_count() -> None:
    terminal = begun()
    whole = terminal.path.read_bytes()
    ends = [n + 1 for n, byte in enumerate(whole) if byte == ord("\n")]
    exercise = ready(STRONG)
    for cut in range(ends[-4], len(whole) + 1):
        terminal.path.write_bytes(whole[:cut])
        kept = open_kept(terminal.store.folder, exercise)
        lines = sum(end <= cut for end in ends)
        assert len(kept.stored.records) == lines - 1
        assert bool(kept.notices) is (cut not in ends)


def test_a_session_that_never_got_its_first_line_is_passed_over(state: Path) -> None:
    terminal = begun()
    for name in ("20990101T000000Z-aaaa", "20990101T000000Z-bbbb"):
        (terminal.store.folder.parent / name).mkdir()
    (terminal.store.folder.parent / "20990101T000000Z-bbbb" / "transcript.jsonl").write_bytes(b'{"form')
    assert [kept.folder for kept in kept_sessions("strong-shrinking-batch")] == [terminal.store.folder]


def test_a_resumed_session_goes_on_in_the_same_file() -> None:
    first = begun().do(Left())
    (kept,) = kept_sessions("strong-shrinking-batch")
    second = Terminal()
    assert second.store.resume(kept)
    second.session = kept.session
    second.type("95.2 %")
    stored = load(first.path)
    assert stored.broken_at is None
    assert [record["event"] for record in stored.records][-2:] == ["resume", "answer"]
    assert open_kept(first.store.folder).session == second.session
    assert second.session is not None
    assert second.session.states[2].done


def test_a_damaged_line_is_said_and_the_rest_is_used() -> None:
    terminal = begun()
    lines = terminal.path.read_bytes().splitlines(keepends=True)
    lines[4] = b"\x00\xff garbage\n"
    terminal.path.write_bytes(b"".join(lines))
    kept = open_kept(terminal.store.folder)
    assert kept.notices == ("The transcript was changed or damaged at line 5.",)
    assert kept.session.states[1].done


def test_an_edited_answer_is_shown_by_the_chain() -> None:
    terminal = begun()
    records = [json.loads(line) for line in terminal.path.read_bytes().splitlines()]
    records[3]["text"] = "1.905"
    terminal.path.write_text("".join(json.dumps(each) + "\n" for each in records), encoding="utf-8")
    assert "changed or damaged at line 4" in open_kept(terminal.store.folder).notices[0]


def test_events_that_make_no_sense_are_passed_over() -> None:
    for record in ({"event": "teleport"}, {"event": "answer"}, {"event": "answer", "text": 4}, {}):
        assert from_record(record) is None
    assert from_record({"event": "choice", "ids": ["a", 3]}) is None
    for event in (Answered("4"), Unreadable("x", "N02"), *right_way(ready(STRONG))):
        assert from_record(json.loads(json.dumps(to_record(event)))) == event


def test_two_terminals_have_a_session_each_and_never_share_one() -> None:
    first, second = begun(), begun()
    assert first.store.folder != second.store.folder
    assert len(kept_sessions("strong-shrinking-batch")) == 2
    first.do(Left())
    kept = open_kept(first.store.folder)
    takers = [Terminal().store.resume(kept), Terminal().store.resume(kept)]
    assert takers == [True, False]


def test_whoever_finds_the_file_continued_elsewhere_goes_on_in_a_folder_of_its_own() -> None:
    first = begun()
    other = Terminal()
    assert other.store.resume(open_kept(first.store.folder))  # as another host would, which cannot see us
    folder = first.store.folder
    first.type("0.952")
    assert first.store.folder != folder
    assert "continued in another terminal" in first.troubles[0]
    assert open_kept(first.store.folder).session.states[2].done
    assert (first.store.folder / "strong-shrinking-batch.toml").exists()
    assert load(folder / "transcript.jsonl").broken_at is None
    assert load(first.path).broken_at is None


def test_a_session_copied_to_another_machine_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    terminal = begun().do(Left())
    elsewhere = tmp_path / "elsewhere"
    shutil.copytree(terminal.store.folder.parent, elsewhere / "rooflab/sessions/strong-shrinking-batch")
    monkeypatch.setenv("XDG_STATE_HOME", str(elsewhere))
    (kept,) = kept_sessions("strong-shrinking-batch")
    assert kept.folder.is_relative_to(elsewhere)
    assert kept.session.states[1].done


# --------------------------------------------------------------------------------------- newer scripts


def rewritten(tmp_path: Path, old: str, new: str):
    folder = tmp_path / "newer"
    folder.mkdir()
    text = STRONG.read_text(encoding="utf-8")
    assert old in text
    (folder / STRONG.name).write_text(text.replace(old, new, 1), encoding="utf-8")
    return ready(folder / STRONG.name)


def test_a_better_wording_is_used_in_an_open_session(tmp_path: Path) -> None:
    terminal = begun()
    newer = rewritten(tmp_path, "What is the speedup from", "Which speedup is there from")
    kept = open_kept(terminal.store.folder, newer)
    assert kept.exercise is newer
    assert kept.notices == ()
    assert kept.session.states[1].tries == 1


def test_other_marks_are_for_other_sessions(tmp_path: Path) -> None:
    terminal = begun()
    newer = rewritten(tmp_path, "decimals = 2", "decimals = 3")
    kept = open_kept(terminal.store.folder, newer)
    assert kept.exercise.graded_hash == ready(STRONG).graded_hash
    assert "you finish the version you started" in kept.notices[0]
    assert kept.session.states[1].done


def test_a_damaged_copy_of_the_script_is_replaced_by_one_that_grades_alike() -> None:
    terminal = begun()
    (terminal.store.folder / "strong-shrinking-batch.toml").write_bytes(b"\xff")
    assert open_kept(terminal.store.folder, ready(STRONG)).session.states[1].done
    with pytest.raises(NotUsable):
        open_kept(terminal.store.folder)


# --------------------------------------------------------------------------------------- hostile places


def test_a_full_disk_is_said_once_and_made_good_later(state: Path, tmp_path: Path) -> None:
    state.mkdir(parents=True)
    with mounted(state, "32k"):
        filler = state / "filler"
        filler.write_bytes(b"x" * 20_000)
        terminal = Terminal().start().do(Next()).type("0.525")
        assert len(terminal.troubles) == 1
        assert terminal.troubles[0].startswith("NOT SAVED (")
        assert "no space" in terminal.troubles[0].lower()
        filler.unlink()
        terminal.type("1.905")
        assert terminal.troubles[1:] == [""]
        kept = open_kept(terminal.store.folder)
        assert kept.session == terminal.session
        assert kept.stored.broken_at is None


def test_a_read_only_home_keeps_everything_in_memory_and_can_be_written_elsewhere(
    state: Path, tmp_path: Path
) -> None:
    state.mkdir(parents=True)
    with mounted(state):
        make_read_only(state)
        terminal = Terminal().start().do(Next()).type("0.525", "1.905")
        assert len(terminal.troubles) == 1
        assert "read-only" in terminal.troubles[0]
        assert terminal.store.unsaved == 5
        moved = terminal.store.save_into(tmp_path)
        assert terminal.store.unsaved == 0
        terminal.do(Next())
        kept = open_kept(moved)
        assert kept.session == terminal.session
        assert moved.parent == tmp_path


def test_a_stored_session_in_a_read_only_home_goes_on_in_memory(state: Path) -> None:
    state.mkdir(parents=True)
    with mounted(state, "1m"):
        begun().do(Left())
        make_read_only(state)
        (kept,) = kept_sessions("strong-shrinking-batch")
        second = Terminal()
        assert second.store.resume(kept)
        second.session = kept.session
        second.type("0.952")
        assert second.store.unsaved == 2
        assert len(second.troubles) == 1
        assert second.session is not None
        assert second.session.states[2].done


def test_without_any_home_it_says_so_and_goes_on(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def nowhere(environ=None):
        raise SettingsError("no home folder is known")

    monkeypatch.setattr("tui.guide.store.state_path", nowhere)
    monkeypatch.chdir(tmp_path)
    terminal = begun()
    assert "XDG_STATE_HOME" in terminal.troubles[0]
    assert list(tmp_path.iterdir()) == []
    assert kept_sessions("strong-shrinking-batch") == []
    moved = terminal.store.save_into(tmp_path)
    assert open_kept(moved).session.states[1].done


def test_what_is_replayed_is_what_was_seen() -> None:
    session = begin(ready(STRONG))
    session, _ = play(session, [Next()])
    session, _ = answer(session, "3", "abc", "3", "1.905")
    assert (session.state.tries, session.state.unreadable, session.state.share) == (1, 1, 1 / 2)


def test_a_terminal_is_in_use_while_its_program_lives() -> None:
    terminal = begun()
    assert open_kept(terminal.store.folder).in_use
    terminal.do(Left())
    assert not open_kept(terminal.store.folder).in_use
    assert os.getpid() == load(terminal.path).head["pid"]


WRITTEN = [
    (events.Opened(), '{"event": "open"}'),
    (events.Resumed(), '{"event": "resume"}'),
    (events.Next(), '{"event": "next"}'),
    (events.Goto("s"), '{"event": "goto", "to": "s"}'),
    (events.HintAsked(1.5), '{"event": "hint", "at": 1.5}'),
    (events.Confidence(2), '{"event": "confidence", "level": 2}'),
    (events.Discussed(), '{"event": "discussed"}'),
    (events.Revised("9"), '{"event": "revise", "text": "9"}'),
    (events.Withdrawn(), '{"event": "withdraw"}'),
    (events.Answered("9"), '{"event": "answer", "text": "9"}'),
    (events.Unreadable("x", "N01"), '{"event": "unreadable", "text": "x", "code": "N01"}'),
    (events.Chosen(("a", "b")), '{"event": "choice", "ids": ["a", "b"]}'),
    (events.LinesMarked(("a",)), '{"event": "lines", "ids": ["a"]}'),
    (events.RunsEntered(("d",), (("8",),)), '{"event": "runs", "columns": ["d"], "rows": [["8"]]}'),
    (events.Reflected("so"), '{"event": "reflect", "text": "so"}'),
    (events.Assisted(), '{"event": "assist"}'),
    (events.SolutionShown(), '{"event": "show"}'),
    (events.Skipped(), '{"event": "skip"}'),
    (events.Practised(), '{"event": "practise"}'),
    (events.FreeOn(), '{"event": "free_on"}'),
    (events.FreeOff(), '{"event": "free_off"}'),
    (events.Done(), '{"event": "done"}'),
    (events.Left(), '{"event": "leave"}'),
]
"""Every event of an exercise as transcripts have it; those that were handed in have to be read for ever."""


@pytest.mark.parametrize(("event", "line"), WRITTEN, ids=[event.NAME for event, _ in WRITTEN])
def test_events_are_written_as_they_always_were_and_read_back(event: Event, line: str) -> None:
    assert json.dumps(to_record(event)) == line
    back = from_record(json.loads(line))
    assert (type(back), back) == (type(event), event)


def test_no_event_of_an_exercise_is_forgotten_and_no_word_stands_for_two() -> None:
    assert tuple(type(event) for event, _ in WRITTEN) == events.EXERCISE_EVENTS
    words = [event.NAME for event in (*events.INSTRUMENT_EVENTS, *events.EXERCISE_EVENTS)]
    assert len(set(words)) == len(words)
