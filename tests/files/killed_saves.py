"""Saves one file again and again, killed with SIGKILL before every single system call of the save.

Run as ``python -m tests.files.killed_saves FOLDER new|existing``; prints one JSON object per kill. It is
a program of its own because it forks, which a test runner with threads must not.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from pathlib import Path
from typing import Any

from tui.files import atomic

OLD = b"old " * 5000
NEW = b"the new content " * 5000


class StopsAt:
    """Stands in for the `os` module inside `atomic`: reports its n-th call on a pipe and then waits to die.

    A write gets half of its bytes out first, which is what a torn file is made of.
    """

    def __init__(self, step: int, report: int) -> None:
        self._left = step
        self._report = report

    def __getattr__(self, name: str) -> Any:
        real = getattr(os, name)
        if not callable(real) or isinstance(real, type) or name in ("fsencode", "fspath", "strerror"):
            return real

        def call(*args: Any, **keywords: Any) -> Any:
            self._left -= 1
            if self._left == 0:
                if name == "write":
                    real(args[0], args[1][: len(args[1]) // 2])
                os.write(self._report, name.encode())
                signal.pause()
            return real(*args, **keywords)

        return call


def save(target: Path, step: int, report: int) -> None:
    """One save of NEW, which stops before its call number `step`; "done" on the pipe when it returned."""
    vars(atomic)["os"] = StopsAt(step, report)
    expected = atomic.Fingerprint.of(OLD) if target.exists() else None
    atomic.write(target, NEW, expected)
    os.write(report, b"done")
    signal.pause()


def killed_at(target: Path, step: int) -> str:
    """Fork a save, kill it at `step`, and return the name of the call it was about to make."""
    get, put = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            save(target, step, put)
        finally:
            os._exit(1)
    os.close(put)
    name = os.read(get, 100).decode()
    os.close(get)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return name


def main(folder: Path, kind: str) -> None:
    """Kill at step 1, 2, … until a save gets through."""
    target = folder / "study.toml"
    name = ""
    step = 0
    while name != "done":
        step += 1
        target.unlink(missing_ok=True)
        if kind == "existing":
            target.write_bytes(OLD)
        name = killed_at(target, step)
        found = target.read_bytes() if target.exists() else None
        state = {None: "absent", OLD: "old", NEW: "new"}.get(found, "torn")
        # The next program must not be held up by what the killed one left behind.
        again = atomic.Fingerprint.of(found) if found is not None else None
        atomic.write(target, b"next", again)
        print(json.dumps({"step": step, "before": name, "state": state}))
        if not name:
            raise SystemExit("the save failed by itself")


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2])
