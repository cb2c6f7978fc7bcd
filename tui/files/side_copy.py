"""A second place for a study whose own file cannot be written: the whole text, in the state folder.

Such a study would live in memory only, and a kill or a dropped line would take what was committed with it.
"""

from __future__ import annotations

import contextlib
import secrets
from collections.abc import Callable
from pathlib import Path

from tui.model.study import Study

from . import atomic, study

_LONGEST_NAME = 40


class SideCopy:
    """The copy of one open study; used by one thread at a time.

    Args:
        folder: makes the folder for it and returns its path; it is asked when there is something to keep.
        beside: the study's own file, whose name the copy bears.
    """

    def __init__(self, folder: Callable[[], Path], beside: Path) -> None:
        self._folder = folder
        self._stem = beside.stem[:_LONGEST_NAME]
        self._file: Path | None = None

    def keep(self, new: Study, data: bytes | None) -> Path:
        """Put the whole study there, open to its owner only; where that is.

        `data` is the text of its file; None where there is none, then it is written anew.

        Raises:
            CannotEdit, FileError, SettingsError: when that is not possible; an older copy stays.
        """
        file = self._file or self._folder() / f"{self._stem}-{secrets.token_hex(2)}-kept.toml"
        atomic.overwrite(file, study.fresh(new).data if data is None else data, mode=atomic.PRIVATE)
        self._file = file
        return file

    def drop(self) -> None:
        """Remove the copy: the study is in its own file."""
        if self._file is not None:
            with contextlib.suppress(OSError):
                self._file.unlink()
        self._file = None

    def leave(self) -> None:
        """Let the copy lie where it is: the program goes on with something else."""
        self._file = None
