"""An exercise on the disk: the session to go on with, and a hand-in of one."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from tui.guide import catalogue
from tui.guide.catalogue import NotUsable
from tui.guide.delivery import deliver
from tui.guide.exercise import Exercise
from tui.guide.handin import decode, encoded, make
from tui.guide.handin_line import NoRoom, line_of
from tui.guide.regrade import Scripts, regrade
from tui.guide.state import begin
from tui.guide.store import Kept, kept_sessions, open_kept
from tui.guide.wanted import Wanted
from tui.guide.workbench import study_of
from tui.tabs.handin_screen import Delivered


@dataclass(frozen=True)
class Opening:
    """An exercise read from the disk, and the session to go on with."""

    exercise: Exercise
    kept: Kept | None
    others: int = 0
    """Sessions of it that are open in other terminals."""


def look_up(wanted: Wanted) -> Opening:
    """Read an exercise and find the session to go on with: the one named, the newest unfinished, the newest.

    Raises:
        NotUsable: when the script cannot be started.
    """
    exercise = catalogue.ready(wanted.path)
    study_of(begin(exercise))  # here, because on the event loop loading what checks studies holds up the keys
    stored = kept_sessions(exercise.script.id, exercise)
    free = [each for each in stored if not each.elsewhere]
    if wanted.session is not None:
        found = [each for each in stored if each.folder.resolve() == wanted.session.resolve()]
        if not found:
            found = [_named(wanted.session, exercise)]
    else:
        unfinished = [each for each in free if not each.session.finished]
        found = [] if wanted.new else [*unfinished, *free]
    return Opening(exercise, next(iter(found), None), len(stored) - len(free))


def _named(folder: Path, exercise: Exercise) -> Kept:
    try:
        return open_kept(folder, exercise)
    except (OSError, ValueError) as error:
        raise NotUsable(f"{folder} cannot be resumed: {error}") from None


def delivered(session: Path, exercise: Exercise, alias: str, folder: Path) -> Delivered:
    """Hand in a stored session under an alias, into a folder.

    Raises:
        OSError, ValueError, FileError: with a sentence, when it is not there as it should be.
    """
    made = make(open_kept(session, exercise), alias)
    data = encoded(made)
    path = deliver(folder, made.file_name, data)
    try:
        line = str(line_of(regrade(decode(data), Scripts())))
    except NoRoom:
        line = ""
    return Delivered(path, made.receipt, line)
