"""The studies somebody worked on lately, for the list at start-up.

Studies without a name of their own are found in their folder; files elsewhere are remembered in a small
list. Both are conveniences: whatever is wrong with them is passed over.
"""

from __future__ import annotations

import contextlib
import json
import os
from dataclasses import dataclass
from datetime import datetime, timezone
from pathlib import Path

from . import atomic, toml
from .errors import FileError

KEPT = 20
"""Paths that the list remembers."""

_HEAD = 4096


@dataclass(frozen=True)
class Recent:
    """A study file that is there now."""

    path: Path
    title: str
    """Empty where the file gives none."""
    changed: datetime
    """When the file was last written, UTC."""


def note(state: Path, path: Path) -> None:
    """Put a file at the head of the list in the state folder.

    Raises:
        FileError: when the list cannot be written.
    """
    first = os.path.abspath(path)
    paths = [first, *(each for each in _noted(state) if each != first)][:KEPT]
    atomic.overwrite(state / "recent.json", json.dumps(paths).encode(), mode=atomic.PRIVATE)


def listed(state: Path, limit: int = 9) -> tuple[Recent, ...]:
    """The latest studies, newest first; files that are gone or unreadable are left out."""
    paths = {Path(each) for each in _noted(state)}
    with contextlib.suppress(OSError):
        paths |= {each for each in (state / "studies").iterdir() if each.suffix == ".toml"}
    found = []
    for path in paths:
        with contextlib.suppress(OSError):
            found.append((path.stat().st_mtime, path))
    newest = sorted(found, reverse=True)[:limit]
    return tuple(Recent(path, _title(path), datetime.fromtimestamp(at, timezone.utc)) for at, path in newest)


def _noted(state: Path) -> list[str]:
    try:
        paths = json.loads(atomic.read(state / "recent.json").data)
    except (FileError, ValueError):
        return []
    return [each for each in paths if isinstance(each, str)] if isinstance(paths, list) else []


def _title(path: Path) -> str:
    """The title at the head of a study, without reading the whole of a large file."""
    try:
        with path.open("rb") as file:
            head = file.read(_HEAD).decode("utf-8-sig", "replace")
    except OSError:
        return ""
    if len(head) == _HEAD:
        head = head[: head.rfind("\n")]
    above_headers = "\n".join(_until_header(head))
    try:
        title = toml.loads(above_headers).get("title", "")
    except toml.NotToml:
        return ""
    return title if isinstance(title, str) else ""


def _until_header(text: str) -> list[str]:
    lines = text.splitlines()
    end = next((at for at, line in enumerate(lines) if line.lstrip().startswith("[")), len(lines))
    return lines[:end]
