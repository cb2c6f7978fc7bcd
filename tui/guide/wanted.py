"""Which exercise a person asked for, and which of its sessions; small, because the start loads it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Wanted:
    """An exercise to open."""

    path: Path
    new: bool = False
    """Start again; the sessions that are there stay."""
    session: Path | None = None
    """The folder of the session to go on with; None for the newest unfinished one."""
