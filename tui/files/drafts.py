"""Half-typed lines, kept apart from the study until they are committed, and offered back after a crash.

A draft belongs to one study and one running program. The files lie in the state folder, so a study in a
folder that others read never shows what somebody was about to type.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import platform
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from . import atomic
from .errors import FileError


@dataclass(frozen=True)
class Draft:
    """What stood in the edit line when a field was last left."""

    study: Path
    """The file the line would have gone to; it need not exist yet."""
    where: str
    """What was being edited, in the words of the caller."""
    fields: Mapping[str, str]
    """The raw text of each field."""
    written: datetime
    file: Path
    """Where the draft itself is kept."""


def file_for(folder: Path, study: Path) -> Path:
    """The file in which this program keeps its draft for a study."""
    return folder / f"{_prefix(study)}{platform.node()}-{os.getpid()}.json"


def keep(draft: Draft) -> None:
    """Put a draft on the disk.

    Raises:
        FileError: when that is not possible.
    """
    body = {
        "format": 1,
        "study": str(draft.study),
        "where": draft.where,
        "fields": dict(draft.fields),
        "written": draft.written.isoformat(),
    }
    atomic.overwrite(draft.file, json.dumps(body, ensure_ascii=False).encode(), mode=atomic.PRIVATE)


def drop(file: Path) -> None:
    """Forget a draft; nothing happens when it is gone already."""
    with contextlib.suppress(OSError):
        file.unlink()


def left_behind(folder: Path, study: Path) -> tuple[Draft, ...]:
    """The drafts for a study whose program is not running any more, the latest first."""
    return _readable(folder, _prefix(study))


def orphaned(folder: Path, studies: Path) -> tuple[Draft, ...]:
    """The drafts for studies in the folder `studies` that never got a file, the latest first."""
    return tuple(
        draft for draft in _readable(folder, "") if draft.study.parent == studies and not draft.study.exists()
    )


def _prefix(study: Path) -> str:
    return hashlib.sha256(os.fsencode(os.path.realpath(study))).hexdigest()[:16] + "-"


def _readable(folder: Path, prefix: str) -> tuple[Draft, ...]:
    """Drafts that cannot be read are passed over: they are a convenience, never a reason not to start."""
    try:
        names = os.listdir(folder)
    except OSError:
        return ()
    found = []
    for name in names:
        if name.startswith(prefix) and name.endswith(".json") and name[0] != "." and not _in_use(name):
            with contextlib.suppress(FileError, ValueError, TypeError, KeyError):
                found.append(_load(folder / name))
    return tuple(sorted(found, key=lambda draft: draft.written, reverse=True))


def _load(file: Path) -> Draft:
    body = json.loads(atomic.read(file).data)
    if not isinstance(body, dict) or not isinstance(body.get("fields"), dict):
        raise ValueError("this is no draft")
    fields = {str(name): str(text) for name, text in body["fields"].items()}
    written = datetime.fromisoformat(body["written"])
    if written.tzinfo is None:
        raise ValueError("a draft's time needs its zone")
    return Draft(Path(body["study"]), str(body["where"]), fields, written, file)


def _in_use(name: str) -> bool:
    """Whether the program that wrote a draft still runs; on another machine that cannot be known."""
    machine, _, pid = name.removesuffix(".json").partition("-")[2].rpartition("-")
    if machine != platform.node() or not pid.isdigit() or int(pid) == os.getpid():
        return False
    try:
        os.kill(int(pid), 0)
    except ProcessLookupError:
        return False
    except (PermissionError, OverflowError):
        return True
    return True
