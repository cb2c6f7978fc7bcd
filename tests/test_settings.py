"""The state folder and its permissions, in every environment a login node can offer."""

from __future__ import annotations

import os
import pwd
import stat
import subprocess
import sys
from datetime import datetime, timezone
from pathlib import Path

import pytest

from tui import settings


def test_state_goes_where_xdg_says(tmp_path: Path) -> None:
    assert (
        settings.state_path({"XDG_STATE_HOME": str(tmp_path), "HOME": "/elsewhere"}) == tmp_path / "rooflab"
    )


@pytest.mark.parametrize("value", ["", "relative/state", "./state"], ids=["empty", "relative", "dotted"])
def test_a_value_the_specification_forbids_is_ignored(value: str) -> None:
    path = settings.state_path({"XDG_STATE_HOME": value, "HOME": "/home/ada"})
    assert path == Path("/home/ada/.local/state/rooflab")


def test_without_home_the_user_database_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    entry = pwd.struct_passwd(("ada", "x", 1, 1, "", "/cluster/ada", "/bin/sh"))
    monkeypatch.setattr(pwd, "getpwuid", lambda uid: entry)
    assert settings.state_path({}) == Path("/cluster/ada/.local/state/rooflab")


def test_no_home_at_all_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown(uid: int) -> pwd.struct_passwd:
        raise KeyError(uid)

    monkeypatch.setattr(pwd, "getpwuid", unknown)
    with pytest.raises(settings.SettingsError, match="set XDG_STATE_HOME") as caught:
        settings.state_path({"HOME": "relative"})
    assert "\n" not in str(caught.value)


def test_every_folder_made_on_the_way_is_private(tmp_path: Path) -> None:
    environ = {"HOME": str(tmp_path)}
    before = os.umask(0)
    try:
        folders = [
            settings.studies_dir(environ),
            settings.sessions_dir(environ),
            settings.drafts_dir(environ),
        ]
    finally:
        os.umask(before)
    made = {tmp_path / ".local", tmp_path / ".local/state", *folders, folders[0].parent}
    assert {stat.S_IMODE(each.stat().st_mode) for each in made} == {0o700}
    assert settings.studies_dir(environ) == folders[0], "a second call finds it"


def test_asking_for_the_path_makes_nothing(tmp_path: Path) -> None:
    settings.state_path({"HOME": str(tmp_path)})
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("in_the_way", ["state-file", "rooflab-file"])
def test_a_file_in_the_way_is_one_sentence(tmp_path: Path, in_the_way: str) -> None:
    blocked = tmp_path / "state"
    if in_the_way == "rooflab-file":
        blocked.mkdir()
        (blocked / "rooflab").write_text("")
    else:
        blocked.write_text("")
    with pytest.raises(settings.SettingsError, match="XDG_STATE_HOME") as caught:
        settings.state_dir({"XDG_STATE_HOME": str(blocked)})
    assert str(blocked) in str(caught.value)


def test_crash_file_is_named_by_its_time(tmp_path: Path) -> None:
    when = datetime(2026, 11, 30, 9, 12, 5, tzinfo=timezone.utc)
    path = settings.crash_path(when, {"XDG_STATE_HOME": str(tmp_path)})
    assert path == tmp_path / "rooflab" / "crash-20261130T091205Z.txt"
    assert path.parent.is_dir()


def test_threads_are_limited_only_where_the_user_chose_nothing() -> None:
    assert settings.thread_limits({"OMP_NUM_THREADS": "4", "MKL_NUM_THREADS": ""}) == {
        "OPENBLAS_NUM_THREADS": "1",
        "MKL_NUM_THREADS": "1",
    }


def test_import_is_cheap() -> None:
    """It is loaded before the first frame and by every command."""
    code = (
        "import sys, tui.settings; print([m for m in ('numpy', 'pydantic', 'textual') if m in sys.modules])"
    )
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert out.strip() == "[]"
