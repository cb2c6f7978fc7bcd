"""Which program a stored session belongs to, so that two terminals never continue the same one."""

from __future__ import annotations

import os
import socket
from collections.abc import Mapping
from pathlib import Path
from typing import Any


def process() -> dict[str, Any]:
    """What a transcript says of the program that writes it: host, process, and when that was born."""
    pid = os.getpid()
    return {"host": socket.gethostname(), "pid": pid, "born": _born(pid)}


def is_here(owner: Mapping[str, Any]) -> bool:
    """Whether the owner ran on this host; a login node cannot see its neighbour's processes."""
    return owner.get("host") == socket.gethostname()


def is_alive(owner: Mapping[str, Any]) -> bool:
    """Whether the owner, a process of this host, still runs."""
    pid = owner.get("pid")
    if not isinstance(pid, int) or pid <= 0:
        return False
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except (PermissionError, OverflowError):
        pass
    return _born(pid) == owner.get("born")


def claim(path: Path, count: int) -> bool:
    """Whether this program is the one that continues a transcript; only one of two terminals is.

    Raises:
        OSError: when the folder cannot be written.
    """
    try:
        os.close(os.open(path.with_name(f"resumed-at-{count}"), os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600))
    except FileExistsError:
        return False
    return True


def _born(pid: int) -> str:
    """The kernel's start time of a process, so that a reused number is not taken for the old one."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text(encoding="ascii", errors="replace")
    except OSError:
        return ""
    # The process name, in parentheses, may itself hold blanks; the start time is field 22.
    return stat.rpartition(")")[2].split()[19]
