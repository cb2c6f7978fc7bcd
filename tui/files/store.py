"""A study's file as this program last knew it: saved step by step, never over a foreign change."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from tui.model.study import Study

from . import atomic, study


class Store:
    """Remembers the bytes and the fingerprint between two saves. Used by one thread at a time."""

    def __init__(
        self,
        locate: Callable[[], Path],
        document: study.Document | None = None,
        fingerprint: atomic.Fingerprint | None = None,
        *,
        mode: int = atomic.SHARED,
    ) -> None:
        """A store at the path that `locate` returns, which may make folders first.

        `document` is what the next edit starts from, `fingerprint` what the file holds; None where there
        is no file yet. `mode` are the permission bits of a new file.
        """
        self._locate = locate
        self._document = document
        self._fingerprint = fingerprint
        self._mode = mode
        self._swept = False

    def text(self, new: Study, data: bytes | None) -> bytes:
        """The file's text for a study; the text after it builds on this one, on the disk or not.

        `data` is the exact text to go to, as an undo has it; None makes it from the last text with the
        smallest edits.

        Raises:
            CannotEdit: when there is no text for this study in this file.
        """
        if data is None:
            data = (study.changed(self._document, new) if self._document else study.fresh(new)).data
        self._document = study.Document(new, data)
        return data

    def write(self, data: bytes) -> None:
        """Put a text on the disk.

        Raises:
            FileError: when that is not possible.
        """
        path = self._locate()
        self._fingerprint = atomic.write(path, data, self._fingerprint, mode=self._mode)
        if not self._swept:
            atomic.sweep(path)
            self._swept = True

    def reload(self) -> study.Document:
        """Read what the file holds now and go on from there.

        Raises:
            NotAStudy: with all faults, when it is no study any more.
            FileError: when it cannot be read.
        """
        self._document, self._fingerprint = study.read(self._locate())
        return self._document

    def moved(self, path: Path, new: Study, data: bytes | None, *, replace: bool) -> Store:
        """Save a study under another name and return the store to go on with; this one stays as it is.

        `replace` says that a file which is there may be replaced.

        Raises:
            CannotEdit, FileError: as `text` and `write`.
        """
        if data is None:
            data = study.fresh(new).data
        fingerprint = atomic.overwrite(path, data) if replace else atomic.write(path, data, None)
        return Store(lambda: path, study.Document(new, data), fingerprint)
