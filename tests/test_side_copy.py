"""What cannot go into the study's own file is kept whole in the state folder until it can."""

from __future__ import annotations

import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.committing_program import with_run
from tests.files import hostile_disks
from tui.files import recent
from tui.files import study as files
from tui.files.writer import Writer
from tui.workspace import Status, Workspace

TEXT = b"""\
# measured by hand
format = 1
[[experiment]]
family = "strong"
name = "x"
run = [ {devices = 8, times_s = [40.2]} ]   # cold
"""
THEIRS = TEXT + b"# theirs\n"

KILLED = """
import sys, threading
from pathlib import Path
from tests.committing_program import with_run
from tui.files.writer import Writer
from tui.workspace import Workspace

def tell(status):
    if status.trouble and not status.saving:
        print(status.kept, flush=True)

path = Path(sys.argv[1])
workspace = Workspace.open(path, Writer(), tell)
path.write_bytes(path.read_bytes() + b"# theirs")
workspace.commit(with_run(workspace.study, 16), "add 16")
threading.Event().wait()
"""


@pytest.fixture
def environ(tmp_path: Path) -> dict[str, str]:
    return {"XDG_STATE_HOME": str(tmp_path / "state")}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "study.toml"
    path.write_bytes(TEXT)
    return path


@pytest.fixture
def workspace(path: Path, environ: dict[str, str]) -> Iterator[Workspace]:
    writer = Writer()
    yield Workspace.open(path, writer, environ=environ)
    writer.close()


def add(workspace: Workspace, devices: int) -> Status:
    """Commit a run and wait for what comes of it."""
    workspace.commit(with_run(workspace.study, devices), f"add {devices}")
    workspace.close()
    return workspace.status


def runs(path: Path) -> list[int]:
    return [run.devices for each in files.read(path)[0].study.experiment for run in each.run]


def copies(tmp_path: Path) -> list[Path]:
    return list((tmp_path / "state" / "rooflab").glob("studies/*.toml"))


def test_what_is_not_saved_is_kept_whole_privately_and_among_the_recent(
    workspace: Workspace, path: Path, tmp_path: Path
) -> None:
    path.write_bytes(THEIRS)
    status = add(workspace, 16)
    assert status.trouble == "changed elsewhere"
    assert status.is_safe
    assert status.kept is not None
    assert runs(status.kept) == [8, 16]
    assert b"# cold" in status.kept.read_bytes()
    assert stat.S_IMODE(status.kept.stat().st_mode) == 0o600
    assert add(workspace, 32).kept == status.kept
    assert copies(tmp_path) == [status.kept]
    assert runs(status.kept) == [8, 16, 32]
    assert status.kept in [each.path for each in recent.listed(tmp_path / "state" / "rooflab")]
    assert path.read_bytes() == THEIRS


@pytest.mark.parametrize("how", ["retry", "another name"])
def test_the_copy_goes_when_the_study_is_saved(
    workspace: Workspace, path: Path, tmp_path: Path, how: str
) -> None:
    path.write_bytes(THEIRS)
    assert add(workspace, 16).kept
    if how == "retry":
        path.write_bytes(TEXT)
        workspace.retry()
    else:
        workspace.save_as(tmp_path / "other.toml")
    workspace.close()
    assert workspace.status == Status(saved=True)
    workspace._writer.close(timeout=5.0)  # the copy goes behind the word that the study is saved
    assert copies(tmp_path) == []


def test_what_a_reload_puts_away_is_still_there_after_the_next_save(
    workspace: Workspace, path: Path, tmp_path: Path
) -> None:
    path.write_bytes(THEIRS)
    kept = add(workspace, 16).kept
    workspace.reload()
    assert add(workspace, 64) == Status(saved=True)
    assert runs(path) == [8, 64]
    assert kept is not None
    assert runs(kept) == [8, 16]
    path.write_bytes(THEIRS)
    again = add(workspace, 128).kept
    assert again not in (None, kept)
    assert runs(kept) == [8, 16]


def test_where_nothing_can_be_written_no_copy_is_named(
    workspace: Workspace, path: Path, tmp_path: Path
) -> None:
    workspace.close()
    with hostile_disks.file_size_limit(len(TEXT)):
        status = add(workspace, 16)
    assert (status.trouble, status.kept, status.is_safe) == ("cannot write", None, False)
    assert "file size limit" in status.sentence


def test_a_copy_outlives_a_kill(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    with subprocess.Popen(
        [sys.executable, "-c", KILLED, str(path)], stdout=subprocess.PIPE, text=True
    ) as program:
        assert program.stdout is not None
        kept = Path(program.stdout.readline().strip())
        program.kill()
    assert runs(kept) == [8, 16]
    assert runs(path) == [8]
