"""What a folder holds, and where a typed path leads."""

from __future__ import annotations

from pathlib import Path

import pytest

from tui.files import folder
from tui.files.errors import FileError


def names(found: list[folder.Entry]) -> list[str]:
    return [each.name for each in found]


def test_folders_come_first_and_hidden_files_only_when_asked_for(tmp_path: Path) -> None:
    for name in ("b.csv", "A.csv", ".secret"):
        (tmp_path / name).touch()
    (tmp_path / "z").mkdir()
    (tmp_path / ".git").mkdir()
    (tmp_path / "gone").symlink_to(tmp_path / "nowhere")
    found = folder.listed(tmp_path)
    assert names(found.matching("")) == ["z", "A.csv", "b.csv", "gone"]
    assert names(found.matching("CSV")) == ["A.csv", "b.csv"]
    assert names(found.matching(".")) == [".git", ".secret", "A.csv", "b.csv"]
    assert names(found.matching(".s")) == [".secret"]


def test_more_files_than_anybody_scrolls_through_are_cut_and_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(folder, "MOST", 3)
    for name in "abcd":
        (tmp_path / name).touch()
    found = folder.listed(tmp_path)
    assert (len(found.entries), found.cut) == (3, True)


def test_what_cannot_be_listed_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(FileError, match=r"cannot read .*file: a part of its path is a file"):
        folder.listed(tmp_path / "file")
    with pytest.raises(FileError, match="there is no file"):
        folder.listed(tmp_path / "gone")


def test_a_path_is_taken_as_typed_then_as_a_shell_writes_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    there = tmp_path / "my runs.csv"
    there.touch()
    monkeypatch.setenv("HOME", str(tmp_path))
    for text in (
        "my runs.csv",
        "./my runs.csv",
        r"my\ runs.csv",
        "'my runs.csv'",
        f'"{there}"',
        "~/my runs.csv",
        f"file://{tmp_path}/my\\ runs.csv",
    ):
        assert folder.led_to(text, tmp_path) == there, text
    assert folder.led_to("gone 'x", tmp_path) == tmp_path / "gone 'x"
    assert folder.led_to("a\0b", tmp_path) == tmp_path / "a\0b"


@pytest.mark.parametrize(
    ("text", "is_path"), [("a/b", True), ("~", True), ("..", True), ("...", False), ("a.b", False)]
)
def test_a_part_of_a_name_is_no_path(text: str, is_path: bool) -> None:
    assert folder.is_path(text) == is_path
