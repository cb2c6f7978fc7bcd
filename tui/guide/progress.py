"""How far a learner is with each exercise of the menu, from the sessions on the disk."""

from __future__ import annotations

from dataclasses import dataclass

from tui.guide import catalogue
from tui.guide.catalogue import Listed, NotUsable
from tui.guide.state import result
from tui.guide.store import Kept, has_sessions, kept_sessions


@dataclass(frozen=True)
class Progress:
    """One exercise with what was done of it."""

    listed: Listed
    sessions: tuple[Kept, ...] = ()
    """The newest first."""

    @property
    def words(self) -> str:
        """How far the best session is: `done`, `5 of 18 steps`, or nothing before the first start."""
        scores = (result(each.session) for each in self.sessions)
        best = max(scores, key=lambda one: (one.done, one.earned), default=None)
        if best is None:
            return ""
        if best.done < best.steps:
            return f"{best.done} of {best.steps} steps"
        return "done" if best.passed else "done, not passed"


def progress_of(listed: Listed) -> Progress:
    """What is stored of one exercise; nothing where it cannot be started."""
    if listed.script is None or listed.fault or not has_sessions(listed.id):
        return Progress(listed)
    try:
        return Progress(listed, tuple(kept_sessions(listed.id, catalogue.ready(listed.path))))
    except NotUsable:
        return Progress(listed)
