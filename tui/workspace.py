"""The open study: what it holds, where it is kept, and how far back it can be taken.

Every commit goes to the disk by itself, in order, on the writer's thread; nobody has to save. `status`
says whether all of it is there. Where it is not, because the disk is full, the folder read-only, or the
file was changed by another program, the study stays in memory and complete, nothing foreign is
overwritten, and the status says so until a retry, a reload or another file name helps. Until then a copy of
the whole study is kept in the state folder, so that it outlives the program.

One owner calls a workspace. `open`, `reload` and `save_as` wait for the disk and belong on a thread that
may wait; everything else returns at once. `notify` is called on the writer's thread.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import threading
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Literal

from tui import settings
from tui.files import atomic, drafts, recent
from tui.files import study as files
from tui.files.errors import AlreadyThere, Busy, ChangedElsewhere, FileError
from tui.files.side_copy import SideCopy
from tui.files.store import Store
from tui.files.writer import Writer
from tui.history import History, Step
from tui.model.study import Problem, Study, problems
from tui.typed_line import TypedLine

PATIENCE_S = 10.0
"""How long a reload or a save under another name waits for the writes before it."""

Notify = Callable[["Status"], None]


@dataclass(frozen=True)
class Status:
    """How the study and its file stand to each other."""

    saved: bool
    """Everything committed is on the disk. False for a study in memory only."""
    saving: bool = False
    """Commits are on their way there."""
    trouble: Literal["", "changed elsewhere", "cannot write"] = ""
    sentence: str = ""
    """What is wrong and what helps, where there is trouble."""
    kept: Path | None = None
    """The copy that holds what the file does not, where there is trouble and the copy could be written."""
    draft_trouble: str = ""
    """Why the line being typed is not kept, where it is not."""

    @property
    def is_safe(self) -> bool:
        """Whether all that was entered is on the disk, in the file or in the copy."""
        return not self.saving and (not self.trouble or self.kept is not None) and not self.draft_trouble


class Refused(ValueError):
    """A commit that is not taken; the text is one sentence, `problems` all that is wrong with the study."""

    def __init__(self, sentence: str, found: tuple[Problem, ...] = ()) -> None:
        super().__init__(sentence)
        self.problems = found


class Workspace:
    """One study with its undo history and, unless it is only in memory, its file."""

    def __init__(
        self,
        first: Step,
        writer: Writer,
        store: Store | None,
        path: Path | None,
        notify: Notify,
        environ: Mapping[str, str] | None,
    ) -> None:
        """For `open`, `scratch` and `in_memory`, which say what belongs together."""
        self._history = History(first)
        self._writer = writer
        self._store = store
        self._path = path
        self._notify = notify
        self._environ = environ
        self._side_copy = SideCopy(lambda: settings.studies_dir(environ), path or Path("study"))
        self._changing = threading.Condition()
        self._saves = 0
        self._chores = 0
        self._reserved = False
        self._status = Status(saved=store is not None)
        self._checked = Study()
        """A study that was found to have no problems."""
        self.line = TypedLine(lambda: self._path, self._chore, self._drop_committed, environ)
        """The line being typed."""

    @classmethod
    def open(
        cls,
        path: Path,
        writer: Writer,
        notify: Notify = lambda status: None,
        environ: Mapping[str, str] | None = None,
    ) -> Workspace:
        """Open a study file.

        Raises:
            NotAStudy: with all its faults, when the file is no study.
            FileError: when it cannot be read.
        """
        document, fingerprint = files.read(path)
        store = Store(lambda: path, document, fingerprint)
        workspace = cls(Step("", document.study, document.data), writer, store, path, notify, environ)
        workspace._checked = document.study
        with contextlib.suppress(settings.SettingsError):
            folder = settings.state_path(environ) / "drafts"
            workspace.line.found(drafts.left_behind(folder, path))
        workspace._note_recent(path)
        return workspace

    @classmethod
    def scratch(
        cls,
        writer: Writer,
        now: datetime,
        notify: Notify = lambda status: None,
        environ: Mapping[str, str] | None = None,
    ) -> Workspace:
        """An empty study without a file name; its file in the state folder is made at the first commit.

        `now` is an aware UTC time. Drafts for scratch studies that never got a file are offered here. A
        state folder that cannot be used is only complained of at the first commit.
        """
        name = f"{settings.stamp(now)}-{secrets.token_hex(2)}.toml"
        store = Store(lambda: settings.studies_dir(environ) / name, mode=atomic.PRIVATE)
        try:
            state = settings.state_path(environ)
        except settings.SettingsError:
            return cls(Step("", Study()), writer, store, None, notify, environ)
        path = state / "studies" / name
        workspace = cls(Step("", Study()), writer, store, path, notify, environ)
        workspace.line.found(drafts.orphaned(state / "drafts", path.parent))
        return workspace

    @classmethod
    def in_memory(
        cls,
        study: Study,
        writer: Writer,
        notify: Notify = lambda status: None,
        environ: Mapping[str, str] | None = None,
    ) -> Workspace:
        """A study that nothing is written of until `save_as` gives it a file: an exercise's data."""
        return cls(Step("", study), writer, None, None, notify, environ)

    # what there is

    @property
    def study(self) -> Study:
        """The study as it is now, on the disk or not."""
        return self._history.current.study

    @property
    def path(self) -> Path | None:
        """The study's file, which a scratch study gets at its first commit; None in memory."""
        return self._path

    @property
    def status(self) -> Status:
        """How the study and its file stand to each other now."""
        with self._changing:
            return self._status

    @property
    def undo_label(self) -> str:
        """What `undo` would take back; empty when there is nothing."""
        return self._history.undo_label

    @property
    def redo_label(self) -> str:
        """What `redo` would do again; empty when there is nothing."""
        return self._history.redo_label

    # edits

    def commit(self, study: Study, label: str) -> None:
        """Go on with a changed study and send it to the disk; `label` is what undo will call it.

        A paste or an import is one commit. A study equal to the present one is no commit.

        Raises:
            Refused: when the study has problems and could not be opened again, or while the file is being
                reloaded or renamed; nothing has changed then.
        """
        if study == self.study:
            return
        found = problems(study, self._checked)
        if found:
            raise Refused(found[0].sentence, found)
        self._check_free()
        self._checked = study
        step = Step(label, study)
        self._history.push(step)
        self._save(step)

    def undo(self) -> str:
        """Take the last commit back, file text and all; its label, or nothing when there was none.

        Raises:
            Refused: while the file is being reloaded or renamed.
        """
        self._check_free()
        label = self._history.undo_label
        step = self._history.undo()
        if step is not None:
            self._save(step)
        return label

    def redo(self) -> str:
        """Do again what was undone last; its label, or nothing when there was none. Errors as `undo`."""
        self._check_free()
        label = self._history.redo_label
        step = self._history.redo()
        if step is not None:
            self._save(step)
        return label

    # the file

    def retry(self) -> None:
        """Try again to save what is in memory. Errors as `undo`."""
        self._check_free()
        self._save(self._history.current)

    def reload(self) -> None:
        """Take the study from the file again; what was in memory can be had back by undo.

        Raises:
            NotAStudy, FileError: when that is not possible; nothing has changed then.
        """
        with self._exclusive():
            if self._store is None:
                return
            document = self._store.reload()
            self._side_copy.leave()
            self._history.push(Step("reload", document.study, document.data))
            self._checked = document.study

    def save_as(self, path: Path, replace_it: bool = False) -> None:
        """Save the study under another name and keep working there. The old file stays as it is.

        A study in memory gets its first file this way.

        Raises:
            AlreadyThere: when there is such a file and `replace_it` is not set, or when it is the study's
                own file, which is never saved over blindly.
            CannotEdit, FileError: when it cannot be saved there; nothing has changed then.
        """
        if self._path is not None and os.path.realpath(path) == os.path.realpath(self._path):
            raise AlreadyThere(path, f"{path} is the study's own file: choose another name")
        if not replace_it and os.path.lexists(path):
            raise AlreadyThere(path, f"{path} exists already: choose another name or replace it")
        with self._exclusive():
            step = self._history.current
            store = self._store or Store(lambda: path)
            self._store = store.moved(path, step.study, step.data, replace=replace_it)
            self._path = path
        self._chore(self._drop_committed)
        self._note_recent(path)

    def close(self, timeout: float = 2.0) -> bool:
        """Wait for the writes under way; whether all that should be on the disk is there."""
        with self._changing:
            done = self._changing.wait_for(self._is_idle, timeout)
            return done and not self._status.trouble and not self._status.draft_trouble

    # the writer's thread

    def _drop_committed(self) -> None:
        # On the writer's thread, behind the save of the commit that the lines belong to.
        if not self.status.trouble:
            self.line.forget_committed()
            self._side_copy.drop()

    def _save(self, step: Step) -> None:
        store = self._store
        if store is None:
            return

        kept: list[Path] = []

        def save() -> None:
            try:
                step.data = store.text(step.study, step.data)
                store.write(step.data)
            except Exception:
                # Whatever is wrong with the copy too is less than what is wrong with the file itself.
                with contextlib.suppress(Exception):
                    kept.append(self._side_copy.keep(step.study, step.data))
                raise

        with self._changing:
            self._saves += 1
            self._status = replace(self._status, saved=False, saving=True)
        self._writer.submit(save, lambda error: self._saved(error, kept[0] if kept else None))

    def _saved(self, error: Exception | None, kept: Path | None) -> None:
        with self._changing:
            self._saves -= 1
            now = replace(self._status, saving=self._saves > 0, kept=kept)
            if error is None:
                status = replace(now, saved=not now.saving, trouble="", sentence="")
            elif isinstance(error, ChangedElsewhere):
                status = replace(now, trouble="changed elsewhere", sentence=str(error))
            else:
                status = replace(now, trouble="cannot write", sentence=str(error) or repr(error))
            told = self._settle(status)
        self._drop_committed()
        if told:
            self._notify(status)

    def _chore(self, job: Callable[[], None]) -> None:
        """Something on the disk that the study does not depend on."""
        with self._changing:
            self._chores += 1
        self._writer.submit(job, self._chore_done)

    def _chore_done(self, error: Exception | None) -> None:
        with self._changing:
            self._chores -= 1
            status = replace(self._status, draft_trouble=str(error) if error else "")
            told = self._settle(status)
        if told:
            self._notify(status)

    def _settle(self, status: Status) -> bool:
        """Take a status, wake whoever waits for the disk; whether it is news. Holds the lock."""
        told = status != self._status
        self._status = status
        self._changing.notify_all()
        return told

    def _is_idle(self) -> bool:
        return self._saves == 0 and self._chores == 0

    def _note_recent(self, path: Path) -> None:
        def note() -> None:
            with contextlib.suppress(settings.SettingsError, FileError):
                recent.note(settings.state_dir(self._environ), path)

        self._chore(note)

    def _check_free(self) -> None:
        with self._changing:
            if self._reserved:
                raise Refused("the file is being read or renamed just now; commit again in a moment")

    @contextlib.contextmanager
    def _exclusive(self) -> Iterator[None]:
        """Let the writes under way end, take no others in the block, and be saved when it went well."""
        with self._changing:
            if not self._changing.wait_for(self._is_idle, PATIENCE_S) or self._reserved:
                where = self._path or Path("the study")
                raise Busy(where, f"{where} is still being saved: try again in a moment")
            self._reserved = True
        try:
            yield
            with self._changing:
                status = Status(saved=self._store is not None, draft_trouble=self._status.draft_trouble)
                told = self._settle(status)
                self._reserved = False
            if told:
                self._notify(status)
        finally:
            with self._changing:
                self._reserved = False
