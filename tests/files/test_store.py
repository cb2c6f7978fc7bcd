"""A study's file between two saves: each text builds on the one before it, saved or not."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from tui.files import errors, study
from tui.files.store import Store

TEXT = b'# ours\ntitle = "a"  # short\n'


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "s.toml"
    path.write_bytes(TEXT)
    return path


def opened(path: Path) -> tuple[Store, study.Document]:
    document, fingerprint = study.read(path)
    return Store(lambda: path, document, fingerprint), document


def test_an_edit_after_an_undo_starts_from_the_text_that_was_gone_back_to(path: Path) -> None:
    store, document = opened(path)
    earlier = b'# as it was before\ntitle = "b"\n'
    assert store.text(replace(document.study, title="b"), earlier) == earlier
    assert store.text(replace(document.study, title="c"), None) == b'# as it was before\ntitle = "c"\n'


def test_a_text_that_could_not_be_saved_is_built_on_all_the_same(path: Path) -> None:
    store, document = opened(path)
    path.write_bytes(b"theirs")
    first = store.text(replace(document.study, title="b"), None)
    with pytest.raises(errors.ChangedElsewhere):
        store.write(first)
    path.write_bytes(TEXT)
    store.write(store.text(replace(document.study, title="c"), None))
    assert path.read_bytes() == b'# ours\ntitle = "c"  # short\n'


def test_reloading_goes_on_from_what_the_file_holds(path: Path) -> None:
    store, document = opened(path)
    path.write_bytes(b'# theirs\ntitle = "x"\n')
    assert store.reload().study.title == "x"
    store.write(store.text(replace(document.study, title="y"), None))
    assert path.read_bytes() == b'# theirs\ntitle = "y"\n'


def test_moving_leaves_the_old_file_and_goes_on_in_the_new_one(path: Path, tmp_path: Path) -> None:
    store, document = opened(path)
    other = tmp_path / "other.toml"
    moved = store.moved(other, document.study, TEXT, replace=False)
    moved.write(moved.text(replace(document.study, title="b"), None))
    assert (path.read_bytes(), other.read_bytes()) == (TEXT, TEXT.replace(b'"a"', b'"b"'))
    with pytest.raises(errors.ChangedElsewhere):
        store.moved(other, document.study, TEXT, replace=False)
    store.moved(other, document.study, TEXT, replace=True)
    assert other.read_bytes() == TEXT


def test_a_study_without_a_text_is_written_afresh(path: Path, tmp_path: Path) -> None:
    store, document = opened(path)
    store.moved(tmp_path / "other.toml", document.study, None, replace=False)
    assert (tmp_path / "other.toml").read_bytes() == b'format = 1\ntitle = "a"\n'
