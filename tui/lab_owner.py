"""The roofline lab in the app: it folds the lab's events, stores them, and brings a cut-off lab back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tui.events import Event
from tui.files.writer import Writer
from tui.guide.lab_session import LabSession
from tui.model.trial import apply, replay
from tui.model.verdict import next_step
from tui.tabs.roofline import RooflineTab

if TYPE_CHECKING:
    from tui.app import RooflabApp


class LabOwner:
    """Sets the app's `lab`; nothing else does.

    Args:
        app: where it is set, and whose banner says when the trials cannot be stored.
        writer: the thread that waits for the disk.
    """

    def __init__(self, app: RooflabApp, writer: Writer) -> None:
        self._app = app
        self._session = LabSession(writer, self._cannot_store)

    def fold(self, event: Event) -> None:
        """Let an event happen, and store it."""
        self._session.record(event)
        self._app.lab = apply(self._app.lab, event)

    def resume(self) -> str:
        """Bring back what a dropped line or a crash cut off; what to say of it, or nothing."""
        events = self._session.resume()
        if not events:
            return ""
        self._app.lab = replay(events)
        self._app.query_one(RooflineTab).fill_fields(self._app.lab)
        count = len(self._app.lab.trials)
        trials = "1 trial" if count == 1 else f"{count} trials"
        if not count:
            return ""
        return f"Brought back {trials}: the last session was cut off. {next_step(self._app.lab)}"

    def end(self, reason: str) -> None:
        """Store how the program ended."""
        self._session.end(reason)

    def _cannot_store(self, error: Exception) -> None:
        # Called on the writer's thread.
        self._app.when_running(self._show_trouble, error)

    def _show_trouble(self, error: Exception) -> None:
        reason = getattr(error, "strerror", None) or str(error)
        self._app.show_banner("lab", f"Trials are kept only until you quit, they cannot be stored: {reason}.")
