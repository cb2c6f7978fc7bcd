"""A save is all or nothing, never over somebody else's work, and says in one sentence what is wrong."""

from __future__ import annotations

import fcntl
import json
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from tests.files import hostile_disks
from tui.files import atomic, errors


def leftovers(folder: Path) -> list[str]:
    return [name for name in os.listdir(folder) if name.startswith(".")]


def saved(path: Path, data: bytes) -> atomic.Fingerprint:
    return atomic.write(path, data, None)


# what is written


def test_round_trip_and_no_leftovers(tmp_path: Path) -> None:
    path = tmp_path / "study.toml"
    first = saved(path, b"format = 1\n")
    second = atomic.write(path, b"format = 1\n# more\n", first)
    assert atomic.read(path) == atomic.Contents(b"format = 1\n# more\n", second)
    assert leftovers(tmp_path) == []


def test_a_link_stays_a_link_and_its_target_is_written(tmp_path: Path) -> None:
    real = tmp_path / "group" / "study.toml"
    real.parent.mkdir()
    fingerprint = saved(real, b"old")
    link = tmp_path / "study.toml"
    link.symlink_to(real)
    atomic.write(link, b"new", fingerprint)
    assert link.is_symlink()
    assert real.read_bytes() == b"new"


def test_a_link_into_nothing_makes_its_target(tmp_path: Path) -> None:
    link = tmp_path / "study.toml"
    link.symlink_to(tmp_path / "elsewhere.toml")
    saved(link, b"new")
    assert (tmp_path / "elsewhere.toml").read_bytes() == b"new"


@pytest.mark.parametrize("bits", [0o600, 0o640, 0o664])
def test_permission_bits_are_kept(tmp_path: Path, bits: int) -> None:
    path = tmp_path / "study.toml"
    fingerprint = saved(path, b"old")
    path.chmod(bits)
    atomic.write(path, b"new", fingerprint)
    assert stat.S_IMODE(path.stat().st_mode) == bits


def test_owner_and_group_are_kept_where_the_user_may(tmp_path: Path) -> None:
    if os.geteuid() != 0:
        pytest.skip("only root can give a file away")
    path = tmp_path / "study.toml"
    fingerprint = saved(path, b"old")
    os.chown(path, 1234, 5678)
    atomic.write(path, b"new", fingerprint)
    assert (path.stat().st_uid, path.stat().st_gid) == (1234, 5678)


def test_extended_attributes_are_kept(tmp_path: Path) -> None:
    path = tmp_path / "study.toml"
    fingerprint = saved(path, b"old")
    try:
        os.setxattr(path, "user.project", b"ab12")
    except (OSError, AttributeError) as error:
        pytest.skip(f"no extended attributes here: {error}")
    atomic.write(path, b"new", fingerprint)
    assert os.getxattr(path, "user.project") == b"ab12"


def test_a_new_file_follows_the_umask_or_is_private(tmp_path: Path) -> None:
    before = os.umask(0o027)
    try:
        saved(tmp_path / "shared", b"")
        atomic.write(tmp_path / "private", b"", None, mode=atomic.PRIVATE)
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "shared").stat().st_mode) == 0o640
    assert stat.S_IMODE((tmp_path / "private").stat().st_mode) == 0o600


def test_a_name_of_the_greatest_length_can_be_saved(tmp_path: Path) -> None:
    saved(tmp_path / ("n" * 255), b"x")
    assert leftovers(tmp_path) == []


# what is refused


def test_a_changed_file_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "study.toml"
    fingerprint = saved(path, b"mine")
    path.write_bytes(b"ours")  # same size, perhaps the same clock tick: only the bytes tell
    with pytest.raises(
        errors.ChangedElsewhere, match=r"changed by another program.*reload it or save a copy"
    ):
        atomic.write(path, b"more", fingerprint)
    assert path.read_bytes() == b"ours"
    assert leftovers(tmp_path) == []


def test_a_removed_file_does_not_come_back(tmp_path: Path) -> None:
    path = tmp_path / "study.toml"
    fingerprint = saved(path, b"mine")
    path.unlink()
    with pytest.raises(errors.ChangedElsewhere, match="removed or renamed"):
        atomic.write(path, b"more", fingerprint)
    assert not path.exists()


def test_a_file_made_meanwhile_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "study.toml"
    path.write_bytes(b"theirs")
    with pytest.raises(errors.ChangedElsewhere, match="made by another program"):
        saved(path, b"mine")
    assert path.read_bytes() == b"theirs"


def test_a_file_made_between_the_look_and_the_save_is_left_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "study.toml"
    real = os.link

    def slow_link(source: Path, target: Path) -> None:
        path.write_bytes(b"theirs")
        real(source, target)

    monkeypatch.setattr(os, "link", slow_link)
    with pytest.raises(errors.ChangedElsewhere, match="made by another program"):
        saved(path, b"mine")
    assert path.read_bytes() == b"theirs"


def test_touching_and_copying_back_is_no_change(tmp_path: Path) -> None:
    path = tmp_path / "study.toml"
    fingerprint = saved(path, b"mine")
    path.unlink()
    path.write_bytes(b"mine")
    os.utime(path, (1, 1))
    atomic.write(path, b"more", fingerprint)
    assert path.read_bytes() == b"more"


def test_saving_what_is_there_already_is_no_conflict(tmp_path: Path) -> None:
    """A save that got through and could not say so is repeated with the fingerprint of before."""
    path = tmp_path / "study.toml"
    before = saved(path, b"old")
    atomic.write(path, b"new", before)
    assert atomic.write(path, b"new", before) == atomic.Fingerprint.of(b"new")
    assert atomic.write(path, b"new", None) == atomic.Fingerprint.of(b"new")


def refusal(path: Path, kind: type[errors.FileError], data: bytes = b"new") -> str:
    """Save over whatever `path` holds, expect `kind`, check that nothing changed; the sentence."""
    before = path.read_bytes() if path.is_file() else None
    expected = None if before is None else atomic.Fingerprint.of(before)
    with pytest.raises(errors.FileError) as caught:
        atomic.write(path, data, expected)
    assert type(caught.value) is kind
    assert caught.value.path == path
    sentence = str(caught.value)
    assert "\n" not in sentence
    assert (path.read_bytes() if path.is_file() else None) == before
    if path.parent.is_dir():
        assert leftovers(path.parent) == []
    return sentence


def test_folder_missing(tmp_path: Path) -> None:
    assert "no folder" in refusal(tmp_path / "gone" / "study.toml", errors.FolderMissing)


def test_a_file_where_a_folder_should_be(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    said = refusal(tmp_path / "file" / "study.toml", errors.FolderMissing)
    assert "a part of its path is a file, not a folder" in said


def test_a_folder(tmp_path: Path) -> None:
    (tmp_path / "study.toml").mkdir()
    assert "give a file name" in refusal(tmp_path / "study.toml", errors.IsFolder)


def test_a_name_too_long(tmp_path: Path) -> None:
    with pytest.raises(errors.NameTooLong, match="too long"):
        saved(tmp_path / ("n" * 300), b"x")


def test_a_circle_of_links(tmp_path: Path) -> None:
    (tmp_path / "a").symlink_to(tmp_path / "b")
    (tmp_path / "b").symlink_to(tmp_path / "a")
    with pytest.raises(errors.FileError, match="circle"):
        saved(tmp_path / "a", b"x")


def test_an_impossible_name(tmp_path: Path) -> None:
    with pytest.raises(errors.FileError, match="cannot save"):
        saved(tmp_path / "a\0b", b"x")


def test_devices_and_pipes_are_not_replaced(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    refusal(tmp_path / "pipe", errors.NotAFile)
    assert stat.S_ISFIFO((tmp_path / "pipe").stat().st_mode)


def test_a_size_limit_is_no_space(tmp_path: Path) -> None:
    path = tmp_path / "study.toml"
    saved(path, b"old")
    with hostile_disks.file_size_limit(4096):
        assert "file size limit" in refusal(path, errors.NoSpace, b"x" * 5000)


def test_a_full_disk(tmp_path: Path) -> None:
    with hostile_disks.mounted(tmp_path) as disk:
        path = disk / "study.toml"
        fingerprint = saved(path, b"old")
        assert "no space" in refusal(path, errors.NoSpace, b"x" * 100_000)
        atomic.write(path, b"fits", fingerprint)
        assert path.read_bytes() == b"fits"


def test_a_read_only_disk(tmp_path: Path) -> None:
    with hostile_disks.mounted(tmp_path) as disk:
        path = disk / "study.toml"
        saved(path, b"old")
        hostile_disks.make_read_only(disk)
        assert "read-only" in refusal(path, errors.ReadOnly)
        assert "read-only" in refusal(disk / "new.toml", errors.ReadOnly)


@pytest.mark.parametrize("case", ["folder", "file"])
def test_a_read_only_folder_or_file(tmp_path: Path, case: str) -> None:
    folder = tmp_path / "group"
    folder.mkdir()
    path = folder / "study.toml"
    with hostile_disks.ordinary_user(folder):
        saved(path, b"old")
        locked = folder if case == "folder" else path
        locked.chmod(0o555)
        try:
            assert "permission denied" in refusal(path, errors.NotPermitted)
        finally:
            locked.chmod(0o755)


def test_an_input_output_error_keeps_the_system_s_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "study.toml"
    saved(path, b"old")

    def broken(descriptor: int) -> None:
        raise OSError(5, "Input/output error")

    monkeypatch.setattr(os, "fsync", broken)
    assert "input/output error" in refusal(path, errors.FileError)


def test_a_save_that_never_ends_is_not_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "study.toml"
    saved(path, b"old")
    monkeypatch.setattr(atomic, "LOCK_PATIENCE_S", 0.05)
    with path.open("rb") as other:
        fcntl.flock(other, fcntl.LOCK_EX)
        assert "does not finish" in refusal(path, errors.Busy)


def test_a_lock_won_on_a_file_just_replaced_is_no_lock(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The other save renames between our look at the file and our lock on it."""
    path = tmp_path / "study.toml"
    fingerprint = saved(path, b"old")
    real = fcntl.flock
    calls = []

    def late(descriptor: int, operation: int) -> None:
        if not calls:
            (tmp_path / "theirs").write_bytes(b"theirs")
            os.replace(tmp_path / "theirs", path)
        calls.append(descriptor)
        real(descriptor, operation)

    monkeypatch.setattr(fcntl, "flock", late)
    with pytest.raises(errors.ChangedElsewhere):
        atomic.write(path, b"mine", fingerprint)
    assert path.read_bytes() == b"theirs"
    assert len(calls) == 2


@pytest.mark.parametrize("number", [37, 38, 95], ids=["ENOLCK", "ENOSYS", "EOPNOTSUPP"])
def test_without_locks_it_saves_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    path = tmp_path / "study.toml"
    fingerprint = saved(path, b"old")

    def no_locks(descriptor: int, operation: int) -> None:
        raise OSError(number, "no locks")

    monkeypatch.setattr(fcntl, "flock", no_locks)
    atomic.write(path, b"new", fingerprint)
    with pytest.raises(errors.ChangedElsewhere):
        atomic.write(path, b"newer", fingerprint)
    assert path.read_bytes() == b"new"


def test_without_hard_links_a_new_file_is_saved_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_links(source: Path, target: Path) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(os, "link", no_links)
    saved(tmp_path / "study.toml", b"new")
    assert (tmp_path / "study.toml").read_bytes() == b"new"
    assert leftovers(tmp_path) == []


# reading


@pytest.mark.parametrize(
    ("make", "kind"),
    [(lambda p: None, errors.FileMissing), (Path.mkdir, errors.IsFolder), (os.mkfifo, errors.NotAFile)],
    ids=["missing", "folder", "pipe"],
)
def test_what_cannot_be_read(tmp_path: Path, make: object, kind: type[errors.FileError]) -> None:
    path = tmp_path / "study.toml"
    assert callable(make)
    make(path)
    with pytest.raises(kind, match=r"study\.toml"):
        atomic.read(path)


def test_reading_without_permission(tmp_path: Path) -> None:
    path = tmp_path / "study.toml"
    saved(path, b"x")
    path.chmod(0)
    with hostile_disks.ordinary_user(), pytest.raises(errors.NotPermitted, match="permission denied"):
        atomic.read(path)


# killed and concurrent programs


@pytest.mark.parametrize("kind", ["existing", "new"])
def test_killed_before_every_system_call(tmp_path: Path, kind: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tests.files.killed_saves", str(tmp_path), kind],
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    kills = [json.loads(line) for line in done.stdout.splitlines()]
    before, switch = ("old", "replace") if kind == "existing" else ("absent", "link")
    states = [kill["state"] for kill in kills]
    calls = [kill["before"] for kill in kills]
    turn = calls.index(switch)
    assert states == [before] * (turn + 1) + ["new"] * (len(kills) - turn - 1)
    assert calls[-1] == "done", "and when the save has returned, the new file is there"
    assert {"write", "fsync"} <= set(calls[:turn]), "the bytes are on the disk before the name changes"
    assert "fsync" in calls[turn:], "and so is the new name before the save returns"


def test_two_programs_lose_nothing_of_each_other(tmp_path: Path) -> None:
    path = tmp_path / "study.toml"
    saved(path, b"")
    programs = [
        subprocess.Popen(
            [sys.executable, "-m", "tests.files.appending_program", str(path), name, "40"],
            stdout=subprocess.PIPE,
            text=True,
        )
        for name in ("one", "two")
    ]
    refused = sum(int(program.communicate(timeout=60)[0]) for program in programs)
    lines = path.read_text().splitlines()
    assert sorted(lines) == sorted(f"{name} {number}" for name in ("one", "two") for number in range(40))
    assert refused > 0, "they never met: the test shows nothing"
    assert leftovers(tmp_path) == []


def test_sweeping_removes_only_this_file_s_old_leftovers(tmp_path: Path) -> None:
    path = tmp_path / "study.toml"
    old, young = (tmp_path / f"{atomic._temporary_prefix(path)}{n}" for n in ("00000001", "00000002"))
    other = tmp_path / f"{atomic._temporary_prefix(tmp_path / 'other.toml')}00000003"
    for each in (old, young, other):
        each.write_bytes(b"half a fi")
    for each in (old, other):
        os.utime(each, (1, 1))
    assert atomic.sweep(path) == 1
    assert sorted(leftovers(tmp_path)) == sorted([young.name, other.name])
    assert atomic.sweep(tmp_path / "gone" / "study.toml") == 0
