"""The list of studies at start-up."""

from __future__ import annotations

import os
import stat
from datetime import datetime, timezone
from pathlib import Path

import pytest

from tui.files import recent


@pytest.fixture
def state(tmp_path: Path) -> Path:
    state = tmp_path / "rooflab"
    (state / "studies").mkdir(parents=True)
    return state


def study(path: Path, at: int, text: str = "format = 1\n") -> Path:
    path.write_text(text)
    os.utime(path, (at, at))
    return path


def test_named_and_nameless_studies_newest_first(state: Path, tmp_path: Path) -> None:
    scratch = study(state / "studies" / "a.toml", 200, 'title = "scratch"  # x\n[machine]\nname = "y"\n')
    named = study(tmp_path / "n.toml", 300, "# no title\n[[experiment]]\n")
    old = study(tmp_path / "o.toml", 100, "\ufefftitle = '''two\nlines'''\n")
    for path in (named, old):
        recent.note(state, path)
    listed = recent.listed(state)
    assert [each.path for each in listed] == [named, scratch, old]
    assert [each.title for each in listed] == ["", "scratch", "two\nlines"]
    assert listed[1].changed == datetime.fromtimestamp(200, timezone.utc)
    assert [each.path for each in recent.listed(state, limit=1)] == [named]


def test_a_study_without_a_title_is_told_by_what_is_in_it(state: Path) -> None:
    one = '[[experiment]]\nname = "one"\nrun = [{devices = 8}, {devices = 16}]\n'
    other = '[[experiment]]\nfamily = "weak"\n'
    study(state / "studies" / "a.toml", 300, f"{one}{other}")
    study(state / "studies" / "b.toml", 200, f"{one}{other}{other}")
    study(state / "studies" / "c.toml", 100, f"{one}#{'x' * 20_000}")
    titles = [each.title for each in recent.listed(state)]
    assert titles == ["one, weak: 2 runs", "one, weak and 1 more: 2 runs", ""]


def test_a_file_is_listed_once_and_only_while_it_is_there(state: Path, tmp_path: Path) -> None:
    path = study(tmp_path / "n.toml", 100)
    recent.note(state, path)
    recent.note(state, Path(os.path.relpath(path)))
    assert [each.path for each in recent.listed(state)] == [path]
    path.unlink()
    assert recent.listed(state) == ()


def test_the_list_is_private_and_bounded(state: Path, tmp_path: Path) -> None:
    for number in range(recent.KEPT + 5):
        recent.note(state, study(tmp_path / f"{number}.toml", number))
    assert len(recent.listed(state, limit=100)) == recent.KEPT
    assert stat.S_IMODE((state / "recent.json").stat().st_mode) == 0o600


@pytest.mark.parametrize("text", ["", "{", "5", '["a", 5]', '{"a": 1}'])
def test_a_damaged_list_is_passed_over(state: Path, tmp_path: Path, text: str) -> None:
    (state / "recent.json").write_text(text)
    path = study(tmp_path / "n.toml", 1)
    assert recent.listed(state) == ()
    recent.note(state, path)
    assert [each.path for each in recent.listed(state)] == [path]


def test_no_state_folder_is_an_empty_list(tmp_path: Path) -> None:
    assert recent.listed(tmp_path / "nothing") == ()


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("title = 5\n", ""),
        ("title = \n", ""),
        ("\xff\x00", ""),
        ('title = "x"\n' + "# long remark\n" * 1000, "x"),
        ("# long remark\n" * 1000 + 'title = "too far down"\n', ""),
    ],
)
def test_titles_of_odd_files(state: Path, text: str, title: str) -> None:
    (state / "studies" / "a.toml").write_text(text)
    assert [each.title for each in recent.listed(state)] == [title]
