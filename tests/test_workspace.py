"""The open study: commits reach the disk, trouble is said and loses nothing, undo is exact."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

import pytest

from tests.committing_program import with_run
from tests.files import hostile_disks
from tui.files import atomic, errors
from tui.files import study as files
from tui.files.writer import Done, Job, Writer
from tui.history import History, Step
from tui.model.study import Experiment, Run, Study
from tui.workspace import Refused, Status, Workspace

NOW = datetime(2026, 11, 30, 9, 12, tzinfo=timezone.utc)

TEXT = b"""\
# measured by hand
format = 1
[[experiment]]
family = "strong"
name = "x"   # one of many

[[experiment.run]]
devices = 8
times_s = [40.2]   # cold
"""


class HeldWriter(Writer):
    """A writer whose jobs run when the test says so."""

    def __init__(self) -> None:
        super().__init__()
        self.held: list[tuple[Job, Done]] = []

    def submit(self, job: Job, done: Done) -> None:
        self.held.append((job, done))

    def release(self) -> None:
        """Run the first job that waits."""
        job, done = self.held.pop(0)
        try:
            job()
        except Exception as error:
            done(error)
        else:
            done(None)


@pytest.fixture
def environ(tmp_path: Path) -> dict[str, str]:
    return {"XDG_STATE_HOME": str(tmp_path / "state")}


@pytest.fixture
def writer() -> Iterator[Writer]:
    writer = Writer()
    yield writer
    writer.close()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "study.toml"
    path.write_bytes(TEXT)
    return path


def runs(study: Study) -> list[int]:
    return [run.devices for each in study.experiment for run in each.run]


def on_disk(path: Path) -> list[int]:
    return runs(files.read(path)[0].study)


def add(workspace: Workspace, devices: int) -> None:
    workspace.commit(with_run(workspace.study, devices), f"add {devices}")


def settled(workspace: Workspace) -> Status:
    workspace.close()
    return workspace.status


# commits


def test_a_commit_is_on_the_disk_when_it_is_called_saved(path: Path, environ: dict[str, str]) -> None:
    held = HeldWriter()
    told: list[Status] = []
    workspace = Workspace.open(path, held, told.append, environ)
    held.release()  # the recent list
    assert workspace.status == Status(saved=True)
    add(workspace, 16)
    assert runs(workspace.study) == [8, 16]
    assert workspace.status == Status(saved=False, saving=True)
    assert on_disk(path) == [8]
    held.release()
    assert on_disk(path) == [8, 16]
    assert told == [Status(saved=True)]
    assert b"# measured by hand" in path.read_bytes()
    assert b"[40.2]   # cold" in path.read_bytes()


def test_commits_wait_for_the_writes_before_them(path: Path, environ: dict[str, str]) -> None:
    held = HeldWriter()
    workspace = Workspace.open(path, held, environ=environ)
    held.release()
    add(workspace, 16)
    add(workspace, 32)
    held.release()
    assert on_disk(path) == [8, 16]
    assert workspace.status == Status(saved=False, saving=True), "the second is not there yet"
    held.release()
    assert on_disk(path) == [8, 16, 32]
    assert workspace.status == Status(saved=True)


def test_a_commit_that_could_not_be_opened_again_is_refused(
    path: Path, writer: Writer, environ: dict[str, str]
) -> None:
    workspace = Workspace.open(path, writer, environ=environ)
    wrong = replace(workspace.study, experiment=(replace(workspace.study.experiment[0], baseline=5),))
    with pytest.raises(Refused, match="no run has 5 devices") as caught:
        workspace.commit(wrong, "baseline")
    assert caught.value.problems[0].path == ("experiment", 0, "baseline")
    assert (runs(workspace.study), workspace.undo_label) == ([8], "")


def test_the_same_study_again_is_no_commit(path: Path, writer: Writer, environ: dict[str, str]) -> None:
    workspace = Workspace.open(path, writer, environ=environ)
    workspace.commit(replace(workspace.study), "nothing")
    assert workspace.undo_label == ""


def test_a_study_with_errors_is_not_opened(path: Path, writer: Writer, environ: dict[str, str]) -> None:
    path.write_text("titel = 1")
    with pytest.raises(files.NotAStudy, match="did you mean 'title'"):
        Workspace.open(path, writer, environ=environ)


# scratch and memory


def test_a_scratch_study_gets_its_file_at_the_first_commit(writer: Writer, environ: dict[str, str]) -> None:
    workspace = Workspace.scratch(writer, NOW, environ=environ)
    folder = Path(environ["XDG_STATE_HOME"]) / "rooflab" / "studies"
    assert not folder.exists()
    assert workspace.status == Status(saved=True), "nothing was committed, nothing can be lost"
    add(workspace, 4)
    assert settled(workspace) == Status(saved=True)
    (file,) = folder.iterdir()
    assert workspace.path == file
    assert file.name.startswith("20261130T091200Z-")
    assert len(file.name) == len("20261130T091200Z-abcd.toml")
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert on_disk(file) == [4]
    workspace.undo()
    assert settled(workspace) == Status(saved=True)
    assert on_disk(file) == []


def test_a_scratch_study_without_a_state_folder_says_so_and_can_be_saved_elsewhere(
    tmp_path: Path, writer: Writer
) -> None:
    (tmp_path / "blocked").write_text("")
    workspace = Workspace.scratch(writer, NOW, environ={"XDG_STATE_HOME": str(tmp_path / "blocked")})
    add(workspace, 4)
    status = settled(workspace)
    assert (status.saved, status.trouble) == (False, "cannot write")
    assert "XDG_STATE_HOME" in status.sentence
    workspace.save_as(tmp_path / "rescued.toml")
    assert workspace.status.trouble == ""
    assert on_disk(tmp_path / "rescued.toml") == [4]


def test_a_study_in_memory_writes_nothing_until_it_is_kept(
    tmp_path: Path, writer: Writer, environ: dict[str, str]
) -> None:
    workspace = Workspace.in_memory(with_run(Study(), 1), writer, environ=environ)
    add(workspace, 2)
    assert workspace.close()
    assert workspace.status == Status(saved=False)
    assert list(tmp_path.iterdir()) == []
    assert workspace.undo() == "add 2"
    assert workspace.redo() == "add 2"
    workspace.save_as(tmp_path / "kept.toml")
    add(workspace, 4)
    assert settled(workspace) == Status(saved=True)
    assert on_disk(tmp_path / "kept.toml") == [1, 2, 4]


# undo


def test_undo_and_redo_restore_the_exact_text(path: Path, writer: Writer, environ: dict[str, str]) -> None:
    path.write_bytes(b"\xef\xbb\xbf" + TEXT.replace(b"\n", b"\r\n") + b"# end without a newline")
    first = path.read_bytes()
    workspace = Workspace.open(path, writer, environ=environ)
    add(workspace, 16)
    workspace.close()
    second = path.read_bytes()
    withdrawn = replace(workspace.study.experiment[0].run[0], withdrawn="cold start")
    one = workspace.study.experiment[0]
    workspace.commit(
        replace(workspace.study, experiment=(replace(one, run=(withdrawn, one.run[1])),)), "withdraw"
    )
    assert (workspace.undo_label, workspace.redo_label) == ("withdraw", "")
    assert [workspace.undo(), workspace.undo(), workspace.undo()] == ["withdraw", "add 16", ""]
    workspace.close()
    assert path.read_bytes() == first
    assert workspace.redo_label == "add 16"
    assert workspace.redo() == "add 16"
    workspace.close()
    assert path.read_bytes() == second
    add(workspace, 64)
    assert workspace.redo() == ""
    assert settled(workspace) == Status(saved=True)
    assert on_disk(path) == [8, 16, 64]


def test_history_is_bounded_by_depth() -> None:
    history = History(Step("", Study()), depth=3)
    for number in range(1, 6):
        history.push(Step(str(number), Study(title=str(number))))
    assert [history.undo_label, *(step.label for step in iter(history.undo, None))] == ["5", "4", "3", "2"]
    assert (history.current.study.title, history.undo_label) == ("2", "")


def test_history_is_bounded_by_memory_but_keeps_where_it_is() -> None:
    history = History(Step("", Study(), b"x" * 10), size=25)
    for number in range(1, 4):
        history.push(Step(str(number), Study(), b"x" * 10))
    assert history.undo() is not None
    assert history.undo() is None
    history.push(Step("huge", Study(), b"x" * 100))
    assert history.current.label == "huge"
    assert history.undo() is None


# trouble


def test_a_file_changed_elsewhere_is_not_overwritten_and_nothing_is_lost(
    path: Path, tmp_path: Path, writer: Writer, environ: dict[str, str]
) -> None:
    told: list[Status] = []
    workspace = Workspace.open(path, writer, told.append, environ)
    workspace.close()
    theirs = TEXT + b'note = "theirs"\n'
    path.write_bytes(theirs)
    add(workspace, 16)
    status = settled(workspace)
    assert (status.saved, status.trouble) == (False, "changed elsewhere")
    assert "reload it or save a copy" in status.sentence
    assert told[-1] == status
    add(workspace, 32)
    assert settled(workspace).trouble == "changed elsewhere"
    assert path.read_bytes() == theirs
    assert runs(workspace.study) == [8, 16, 32]
    workspace.save_as(tmp_path / "copy.toml")
    assert workspace.status == Status(saved=True)
    assert b"# cold" in (tmp_path / "copy.toml").read_bytes()
    add(workspace, 64)
    assert settled(workspace) == Status(saved=True)
    assert on_disk(tmp_path / "copy.toml") == [8, 16, 32, 64]
    assert path.read_bytes() == theirs


def test_reloading_takes_theirs_and_undo_brings_ours_back(
    path: Path, writer: Writer, environ: dict[str, str]
) -> None:
    workspace = Workspace.open(path, writer, environ=environ)
    path.write_bytes(TEXT.replace(b"devices = 8", b"devices = 9"))
    add(workspace, 16)
    assert settled(workspace).trouble == "changed elsewhere"
    workspace.reload()
    assert runs(workspace.study) == [9]
    assert workspace.status == Status(saved=True)
    assert workspace.undo() == "reload"
    assert settled(workspace) == Status(saved=True)
    assert on_disk(path) == [8, 16]


def test_reloading_what_is_no_study_any_more_changes_nothing(
    path: Path, writer: Writer, environ: dict[str, str]
) -> None:
    workspace = Workspace.open(path, writer, environ=environ)
    path.write_text("titel = 1")
    with pytest.raises(files.NotAStudy):
        workspace.reload()
    path.unlink()
    with pytest.raises(errors.FileMissing):
        workspace.reload()
    assert runs(workspace.study) == [8]
    add(workspace, 16)
    assert settled(workspace).trouble == "changed elsewhere"
    assert not path.exists()


def test_a_full_disk_is_said_and_a_retry_saves_everything(
    path: Path, writer: Writer, environ: dict[str, str]
) -> None:
    workspace = Workspace.open(path, writer, environ=environ)
    workspace.close()
    with hostile_disks.file_size_limit(len(TEXT)):
        add(workspace, 16)
        add(workspace, 32)
        status = settled(workspace)
    assert (status.saved, status.trouble) == (False, "cannot write")
    assert "file size limit" in status.sentence
    assert path.read_bytes() == TEXT
    assert runs(workspace.study) == [8, 16, 32]
    workspace.retry()
    assert settled(workspace) == Status(saved=True)
    assert on_disk(path) == [8, 16, 32]


def test_a_read_only_disk_is_said_and_another_name_helps(
    tmp_path: Path, writer: Writer, environ: dict[str, str]
) -> None:
    folder = tmp_path / "disk"
    folder.mkdir()
    with hostile_disks.mounted(folder) as disk:
        path = disk / "study.toml"
        path.write_bytes(TEXT)
        hostile_disks.make_read_only(disk)
        workspace = Workspace.open(path, writer, environ=environ)
        add(workspace, 16)
        assert "read-only" in settled(workspace).sentence
        workspace.save_as(tmp_path / "copy.toml")
    assert on_disk(tmp_path / "copy.toml") == [8, 16]
    assert workspace.path == tmp_path / "copy.toml"


def test_an_edit_that_cannot_be_made_is_trouble_and_can_be_saved_elsewhere(
    path: Path, tmp_path: Path, writer: Writer, environ: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    workspace = Workspace.open(path, writer, environ=environ)
    monkeypatch.setattr(files, "edited", lambda text, *rest: text)
    add(workspace, 16)
    status = settled(workspace)
    assert (status.trouble, "save a copy" in status.sentence) == ("cannot write", True)
    assert path.read_bytes() == TEXT
    workspace.save_as(tmp_path / "copy.toml")
    assert on_disk(tmp_path / "copy.toml") == [8, 16]


def test_saving_under_a_name_that_is_taken_asks_first(
    path: Path, tmp_path: Path, writer: Writer, environ: dict[str, str]
) -> None:
    workspace = Workspace.open(path, writer, environ=environ)
    other = tmp_path / "other.toml"
    other.write_text("theirs")
    with pytest.raises(errors.AlreadyThere, match="exists already"):
        workspace.save_as(other)
    with pytest.raises(errors.AlreadyThere, match="own file"):
        workspace.save_as(path, replace_it=True)
    with pytest.raises(errors.FolderMissing):
        workspace.save_as(tmp_path / "gone" / "x.toml")
    assert (workspace.path, workspace.status) == (path, Status(saved=True))
    workspace.save_as(other, replace_it=True)
    assert on_disk(other) == [8]


def test_nothing_is_committed_while_the_file_is_being_replaced(
    path: Path, writer: Writer, environ: dict[str, str]
) -> None:
    workspace = Workspace.open(path, writer, environ=environ)
    before = workspace.study
    with workspace._exclusive():
        for attempt in (lambda: add(workspace, 16), workspace.undo, workspace.redo, workspace.retry):
            with pytest.raises(Refused, match="in a moment"):
                attempt()
        with pytest.raises(errors.Busy):
            workspace.reload()
    assert workspace.study == before
    add(workspace, 16)
    assert settled(workspace) == Status(saved=True)


def test_closing_waits_only_so_long_for_a_disk_that_hangs(path: Path, environ: dict[str, str]) -> None:
    held = HeldWriter()
    workspace = Workspace.open(path, held, environ=environ)
    add(workspace, 16)
    assert workspace.close(timeout=0.01) is False
    while held.held:
        held.release()
    assert workspace.close(timeout=0.01) is True


def test_closing_says_when_something_could_not_be_saved(
    path: Path, writer: Writer, environ: dict[str, str]
) -> None:
    workspace = Workspace.open(path, writer, environ=environ)
    path.unlink()
    add(workspace, 16)
    assert workspace.close() is False


# kills


@pytest.mark.parametrize("reports", [1, 2, 5, 9])
def test_what_was_called_saved_outlives_a_kill(tmp_path: Path, reports: int) -> None:
    path = tmp_path / "study.toml"
    path.write_bytes(files.fresh(Study(experiment=(Experiment("strong", "x"),))).data)
    with subprocess.Popen(
        [sys.executable, "-m", "tests.committing_program", str(path), "1000"],
        stdout=subprocess.PIPE,
        text=True,
    ) as program:
        assert program.stdout is not None
        saved = [int(program.stdout.readline()) for _ in range(reports)]
        program.kill()  # most likely in the middle of the next save
        saved += [int(line) for line in program.stdout.read().split()]
    found = on_disk(path)
    assert found[: len(saved)] == saved
    assert len(found) - len(saved) in (0, 1), "at most the one whose report was still to come"


# drafts


def drafts_in(environ: dict[str, str]) -> list[Path]:
    return list((Path(environ["XDG_STATE_HOME"]) / "rooflab" / "drafts").iterdir())


def crashed(workspace: Workspace, environ: dict[str, str]) -> None:
    """From now on the drafts of this process look like those of one that is gone."""
    workspace.close()
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    for file in drafts_in(environ):
        file.rename(file.with_name(file.name.replace(f"-{os.getpid()}.", f"-{gone.pid}.")))


def test_a_half_typed_line_is_offered_after_a_crash(
    path: Path, writer: Writer, environ: dict[str, str]
) -> None:
    workspace = Workspace.open(path, writer, environ=environ)
    workspace.line.keep("experiment 1, new run", {"devices": "64", "times_s": ""}, NOW)
    workspace.line.keep("experiment 1, new run", {"devices": "64", "times_s": "11.6 11."}, NOW)
    crashed(workspace, environ)
    again = Workspace.open(path, writer, environ=environ)
    (draft,) = again.line.left_behind
    assert (draft.where, draft.fields) == ("experiment 1, new run", {"devices": "64", "times_s": "11.6 11."})
    assert (draft.study, draft.written) == (path, NOW)
    assert stat.S_IMODE(draft.file.stat().st_mode) == 0o600
    again.line.keep("experiment 1, new run", dict(draft.fields), NOW)
    again.line.drop()
    again.close()
    assert Workspace.open(path, writer, environ=environ).line.left_behind == ()
    assert drafts_in(environ) == []


def test_the_line_typed_in_a_program_that_still_runs_is_not_offered_to_another(
    path: Path, writer: Writer, environ: dict[str, str]
) -> None:
    workspace = Workspace.open(path, writer, environ=environ)
    workspace.line.keep("new run", {"devices": "64"}, NOW)
    workspace.close()
    (file,) = drafts_in(environ)
    file.rename(file.with_name(file.name.replace(f"-{os.getpid()}.", f"-{os.getppid()}.")))
    assert Workspace.open(path, writer, environ=environ).line.left_behind == ()


def test_a_line_for_a_scratch_study_that_never_got_a_file_is_offered_to_the_next(
    writer: Writer, environ: dict[str, str]
) -> None:
    workspace = Workspace.scratch(writer, NOW, environ=environ)
    workspace.line.keep("new run", {"devices": "4"}, NOW)
    crashed(workspace, environ)
    (draft,) = Workspace.scratch(writer, NOW, environ=environ).line.left_behind
    assert draft.fields == {"devices": "4"}


@pytest.mark.parametrize("text", ["", "{", "[]", '{"fields": 5}', '{"study": 1, "where": 2, "fields": {}}'])
def test_a_torn_draft_is_passed_over(path: Path, writer: Writer, environ: dict[str, str], text: str) -> None:
    workspace = Workspace.open(path, writer, environ=environ)
    workspace.line.keep("new run", {"devices": "64"}, NOW)
    workspace.close()
    (file,) = drafts_in(environ)
    file.write_text(text)
    assert Workspace.open(path, writer, environ=environ).line.left_behind == ()


def test_a_line_is_kept_until_its_commit_is_on_the_disk(
    path: Path, writer: Writer, environ: dict[str, str]
) -> None:
    workspace = Workspace.open(path, writer, environ=environ)
    workspace.line.keep("new run", {"devices": "16"}, NOW)
    path.write_bytes(TEXT.replace(b"40.2", b"41"))
    add(workspace, 16)
    workspace.line.commit()
    assert settled(workspace).trouble == "changed elsewhere"
    assert len(drafts_in(environ)) == 1
    path.write_bytes(TEXT)
    workspace.retry()
    assert settled(workspace).saved
    assert drafts_in(environ) == []


def test_a_line_typed_after_a_commit_that_is_not_saved_is_not_dropped_with_it(
    path: Path, writer: Writer, environ: dict[str, str]
) -> None:
    workspace = Workspace.open(path, writer, environ=environ)
    workspace.line.keep("new run", {"devices": "16"}, NOW)
    path.write_bytes(TEXT.replace(b"40.2", b"41"))
    add(workspace, 16)
    workspace.line.commit()
    workspace.line.keep("new run", {"devices": "32"}, NOW)
    assert settled(workspace).trouble == "changed elsewhere"
    path.write_bytes(TEXT)
    workspace.retry()
    assert settled(workspace).saved
    assert len(drafts_in(environ)) == 1
    assert workspace.line.typed is not None
    assert workspace.line.typed.fields == {"devices": "32"}


def test_runs_that_were_looked_at_once_are_not_looked_at_again_and_others_are(
    writer: Writer, monkeypatch: pytest.MonkeyPatch
) -> None:
    from tui.model import study as model

    looked: list[float] = []
    sentence = model._number_sentence
    monkeypatch.setattr(
        model, "_number_sentence", lambda value, of: looked.append(value) or sentence(value, of)
    )
    given = Study(experiment=(Experiment("strong", "x", run=(Run(8, (40.2,)),)),))
    workspace = Workspace.in_memory(given, writer)
    add(workspace, 16)
    assert 40.2 in looked  # nobody has looked at what an exercise brings
    looked.clear()
    add(workspace, 32)
    assert 40.2 not in looked
    assert 32 in looked
    with pytest.raises(Refused, match="devices must be 1 or more"):
        add(workspace, 0)


def test_a_draft_that_cannot_be_kept_is_said_and_does_not_touch_the_study(
    path: Path, tmp_path: Path, writer: Writer
) -> None:
    (tmp_path / "blocked").write_text("")
    workspace = Workspace.open(path, writer, environ={"XDG_STATE_HOME": str(tmp_path / "blocked")})
    workspace.line.keep("new run", {"devices": "64"}, NOW)
    add(workspace, 16)
    status = settled(workspace)
    assert (status.saved, status.trouble) == (True, "")
    assert "XDG_STATE_HOME" in status.draft_trouble
    assert on_disk(path) == [8, 16]


# odds and ends


def test_leftovers_of_killed_saves_are_swept_at_the_first_save(
    path: Path, writer: Writer, environ: dict[str, str]
) -> None:
    stale = path.with_name(f"{atomic._temporary_prefix(path)}00000000")
    stale.write_bytes(b"half a fi")
    os.utime(stale, (1, 1))
    workspace = Workspace.open(path, writer, environ=environ)
    add(workspace, 16)
    workspace.close()
    assert not stale.exists()


def test_a_fault_of_the_program_in_a_save_is_said_too(
    path: Path, writer: Writer, environ: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*anything: Any) -> None:
        raise RuntimeError

    workspace = Workspace.open(path, writer, environ=environ)
    monkeypatch.setattr(files, "edited", broken)
    add(workspace, 16)
    assert settled(workspace).sentence == "RuntimeError()"


def test_a_scratch_workspace_loads_nothing_heavy(tmp_path: Path) -> None:
    """It exists before the first frame; only reading or writing a study may load pydantic."""
    code = (
        "import sys; from datetime import datetime, timezone\n"
        "from tui.workspace import Workspace; from tui.files.writer import Writer\n"
        "Workspace.scratch(Writer(), datetime.now(timezone.utc))\n"
        "print([m for m in ('pydantic', 'numpy', 'textual', 'rich', 'plotext') if m in sys.modules])"
    )
    run = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "XDG_STATE_HOME": str(tmp_path)},
    )
    assert run.stdout.strip() == "[]"


def test_many_commits_in_a_row_are_all_there(path: Path, writer: Writer, environ: dict[str, str]) -> None:
    workspace = Workspace.open(path, writer, environ=environ)
    for number in range(20):
        workspace.commit(with_run(workspace.study, number + 1), "add")
    assert settled(workspace) == Status(saved=True)
    assert on_disk(path) == [8, *range(1, 21)]
    assert files.read(path)[0].study.experiment[0].run[-1] == Run(20, (1.0,))
