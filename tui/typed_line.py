"""The line being typed: kept on the disk, so that it outlives the program, until it is committed or given up.

One owner calls it, as the workspace that it belongs to. What touches the disk is handed to `chore` and runs
on the writer's thread, behind whatever was handed over before.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import datetime
from pathlib import Path

from tui import settings
from tui.files import drafts
from tui.files.drafts import Draft

Job = Callable[[], None]


class TypedLine:
    """The half-typed line of one study, and those that earlier programs left behind.

    Args:
        study: the file of the study; a study in memory has none, and its line is not kept.
        chore: takes what is to be done on the disk.
        on_commit: done there once a line was committed; `forget_committed` is called from it, when what was
            committed is on the disk.
    """

    def __init__(
        self,
        study: Callable[[], Path | None],
        chore: Callable[[Job], None],
        on_commit: Job,
        environ: Mapping[str, str] | None,
    ) -> None:
        self._study = study
        self._chore = chore
        self._on_commit = on_commit
        self._environ = environ
        self._left_behind: tuple[Draft, ...] = ()
        self._typed: Draft | None = None
        self._own: Path | None = None
        """Where the line being typed lies; the writer's thread alone uses it."""
        self._committed: tuple[Path, ...] = ()
        """Lines that may be forgotten as soon as the study is on the disk; used as the one above."""

    @property
    def left_behind(self) -> tuple[Draft, ...]:
        """Half-typed lines of a program that ended without committing them, the latest first."""
        return self._left_behind

    @property
    def typed(self) -> Draft | None:
        """The line that is being typed, as it was kept last."""
        return self._typed

    def found(self, left_behind: tuple[Draft, ...]) -> None:
        """Take the lines that were found for the study when it was opened."""
        self._left_behind = left_behind

    def keep(self, where: str, fields: Mapping[str, str], now: datetime) -> None:
        """Keep the line: the raw text of its fields; `now` is an aware UTC time."""
        study = self._study()
        if study is None:
            return
        draft = Draft(study, where, dict(fields), now, Path())
        self._typed = draft

        def keep() -> None:
            file = drafts.file_for(settings.drafts_dir(self._environ), study)
            self._own = file
            self._committed = tuple(each for each in self._committed if each != file)
            drafts.keep(replace(draft, file=file))

        self._chore(keep)

    def drop(self) -> None:
        """Forget the line and those left behind: it was given up."""
        self._forget(drafts.drop)

    def commit(self) -> None:
        """Forget them as soon as what was committed is on the disk, and keep them until then."""

        def once_saved(file: Path) -> None:
            self._committed += (file,)

        self._forget(once_saved, self._on_commit)

    def forget_committed(self) -> None:
        """Forget the lines that were committed, as the study is on the disk; on the writer's thread."""
        for file in self._committed:
            drafts.drop(file)
        self._committed = ()

    def _forget(self, each: Callable[[Path], None], then: Job = lambda: None) -> None:
        others, self._left_behind, self._typed = self._left_behind, (), None

        def forget() -> None:
            for file in (self._own, *(draft.file for draft in others)):
                if file is not None:
                    each(file)
            then()

        self._chore(forget)
