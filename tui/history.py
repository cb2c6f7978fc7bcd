"""Undo and redo: the study and the exact text of each commit, within bounds of depth and memory."""

from __future__ import annotations

from dataclasses import dataclass

from tui.model.study import Study

DEPTH = 100
"""Commits that can be undone."""

BYTES = 64 * 1024 * 1024
"""What their texts may take together."""


@dataclass
class Step:
    """A state of the study; `data` is the file's exact text, filled in when it has been made."""

    label: str
    """What led to it, as "add run"; empty for the state it was opened in."""
    study: Study
    data: bytes | None = None


class History:
    """A line of steps and the place on it; at least one step is always there.

    Steps and place change in one assignment, so a thread that looks never sees half of a change.
    """

    def __init__(self, first: Step, *, depth: int = DEPTH, size: int = BYTES) -> None:
        self._line: tuple[tuple[Step, ...], int] = ((first,), 0)
        self._depth = depth
        self._size = size

    @property
    def current(self) -> Step:
        """Where we are."""
        steps, at = self._line
        return steps[at]

    @property
    def undo_label(self) -> str:
        """What undo would take back; empty when there is nothing."""
        steps, at = self._line
        return steps[at].label if at else ""

    @property
    def redo_label(self) -> str:
        """What redo would do again; empty when there is nothing."""
        steps, at = self._line
        return steps[at + 1].label if at + 1 < len(steps) else ""

    def push(self, step: Step) -> None:
        """Go on with a new step; what had been undone can no longer be redone.

        The oldest steps beyond the bounds are forgotten.
        """
        steps, at = self._line
        kept = [*steps[: at + 1], step]
        size = sum(len(each.data or b"") for each in kept)
        while len(kept) > 1 and (len(kept) > self._depth + 1 or size > self._size):
            size -= len(kept.pop(0).data or b"")
        self._line = (tuple(kept), len(kept) - 1)

    def undo(self) -> Step | None:
        """One step back, or None at the first."""
        return self._go(-1)

    def redo(self) -> Step | None:
        """One step forward, or None at the last."""
        return self._go(1)

    def _go(self, by: int) -> Step | None:
        steps, at = self._line
        if not 0 <= at + by < len(steps):
            return None
        self._line = (steps, at + by)
        return steps[at + by]
