"""Whether an exercise was cut off: a program had it open and ended without leaving it."""

from __future__ import annotations

from tui.guide.ownership import is_alive, is_here
from tui.guide.transcript import KIND, load
from tui.settings import TRANSCRIPT, SettingsError, state_path

_ENDS = ("leave", "done", "hangup")


def cut_off_exercise() -> str:
    """Id of the exercise whose newest session of all was cut off, "" where none was."""
    try:
        newest = max((state_path() / "sessions").glob(f"*/*/{TRANSCRIPT}"), key=lambda path: path.parent.name)
        stored = load(newest)
    except (OSError, ValueError, SettingsError):
        return ""
    last = str(stored.records[-1].get("event")) if stored.records else ""
    if stored.head.get("kind") != KIND or last in _ENDS:
        return ""
    # Not before there is such an exercise: every start asks, and what knows exercises takes 3 MB.
    from tui.guide.events import Resumed

    owners = [record for record in stored.records if record.get("event") == Resumed.NAME]
    owner = owners[-1] if owners else stored.head
    return "" if is_here(owner) and is_alive(owner) else str(stored.head.get("script", ""))
