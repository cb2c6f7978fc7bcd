"""The studies somebody worked on lately, for the list at start-up.

Studies without a name of their own are found in their folder; files elsewhere are remembered in a small
list. Both are conveniences: whatever is wrong with them is passed over.
"""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

from . import atomic, toml
from .errors import FileError

KEPT = 20
"""Paths that the list remembers."""

_HEAD = 4096
_WHOLE = 16384
"""Bytes up to which a file without a title is read whole: the list is made while a key waits."""
_NAMED = 2
"""Experiments that are named."""


@dataclass(frozen=True)
class Recent:
    """A study file that is there now."""

    path: Path
    title: str
    """What its experiments are where it gives none of its own; empty where that too is not known."""
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
    """The title at the head of a study, or what is in it, without reading the whole of a large file."""
    try:
        with path.open("rb") as file:
            text = file.read(_WHOLE + 1).decode("utf-8-sig", "replace")
    except OSError:
        return ""
    head = text[:_HEAD]
    if len(head) == _HEAD:
        head = head[: head.rfind("\n")]
    above_headers = "\n".join(_until_header(head))
    try:
        title = toml.loads(above_headers).get("title", "")
        if not title and len(text) <= _WHOLE:
            return _content(toml.loads(text))
    except toml.NotToml:
        return ""
    return title if isinstance(title, str) else ""


def _content(study: Mapping[str, Any]) -> str:
    """The experiments of a study and its runs: `strong scaling, weak scaling: 12 runs`."""
    listed = study.get("experiment", [])
    found = [each for each in listed if isinstance(each, dict)] if isinstance(listed, list) else []
    names = [f"{name}" for each in found if (name := each.get("name") or each.get("family"))]
    if not names:
        return ""
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    runs = [each["run"] for each in found if isinstance(each.get("run"), list)]
    count = sum(len(each) for each in runs)
    return f"{', '.join(names[:_NAMED])}{more}: {count} run{'' if count == 1 else 's'}"


def _until_header(text: str) -> list[str]:
    lines = text.splitlines()
    end = next((at for at, line in enumerate(lines) if line.lstrip().startswith("[")), len(lines))
    return lines[:end]
