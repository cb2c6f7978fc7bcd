"""Puts a hand-in into a folder where somebody collects them, and says so only when it can be read there."""

from __future__ import annotations

import os
from pathlib import Path

from tui.files import atomic
from tui.files.errors import FileError, saving

READABLE = 0o644
"""Whoever collects must be able to read it, whatever the umask of the learner is."""


def deliver(folder: Path, name: str, data: bytes) -> Path:
    """Write `data` into the folder, whole or not at all, read it back and compare; its path there.

    Raises:
        FileError: with one sentence, when it is not there as it should be.
    """
    path = folder / name
    atomic.write(path, data, None, mode=READABLE)
    with saving(path):
        os.chmod(path, READABLE)
    if atomic.read(path).data != data:
        raise FileError(path, f"{path} reads back otherwise than it was written")
    return path
