"""Disks that really fail, for tests: a full one, a read-only one, and a user without root's privileges."""

from __future__ import annotations

import contextlib
import os
import resource
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

NOBODY = 65534


@contextlib.contextmanager
def ordinary_user(*owned: Path) -> Iterator[None]:
    """Permission bits do not bind root, so root steps down for the block; `owned` changes hands first."""
    if os.geteuid() != 0:
        yield
        return
    for each in owned:
        os.chown(each, NOBODY, NOBODY)
        for parent in each.parents:
            if parent.stat().st_uid == 0 and parent != Path("/"):
                parent.chmod(parent.stat().st_mode | 0o011)
    os.seteuid(NOBODY)
    try:
        yield
    finally:
        os.seteuid(0)


@contextlib.contextmanager
def file_size_limit(size: int) -> Iterator[None]:
    """Let no file of this process grow past `size` bytes (``ulimit -f``)."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@contextlib.contextmanager
def mounted(folder: Path, size: str = "64k") -> Iterator[Path]:
    """A small file system of its own at `folder`; skips where this user may not mount one."""
    done = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={size}", "rooflab-test", str(folder)], capture_output=True
    )
    if done.returncode:
        pytest.skip(f"no permission to mount a file system: {done.stderr.decode().strip()}")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True)


def make_read_only(folder: Path) -> None:
    """Remount what `mounted` put at `folder` so that nothing on it can change."""
    subprocess.run(["mount", "-o", "remount,ro", str(folder)], check=True)
