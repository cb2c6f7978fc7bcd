"""What is started: ours, and the peers it is held against."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

from tests.bench.pty_meter import Program

PEERS = Path(__file__).parent / "peers"
TRIAL = ("8", "\r", "200", "\r", "1600")
"""The lesson's third trial up to the Enter that plays it."""
KEY_GAP = 0.2
"""Seconds between the parts of `TRIAL`: stock Textual types what comes at once into one field."""
PLAYED = "Played"
"""The word ours and the animated peer show when a Play has ended."""


class Missing(Exception):
    """A program is not there and cannot be made; the text is one line that says why."""


@dataclass(frozen=True)
class Kind:
    """A program to start: its command line and the words on its complete first frame."""

    command: tuple[str, ...]
    first_frame: tuple[str, ...]

    def drawn(self, lines: list[str]) -> bool:
        """Whether the first frame stands on a screen."""
        screen = "\n".join(lines)
        return all(word in screen for word in self.first_frame)


def ours() -> Kind:
    """The installed command of this environment.

    Raises:
        Missing: when the package is not installed beside this Python.
    """
    command = Path(sys.executable).with_name("rooflab")
    if not command.exists():
        raise Missing(f"there is no {command}: install the project into this environment first")
    return Kind((str(command),), ("6 Exercises", "No trials yet"))


def bare() -> Kind:
    """A bare Textual app with six tabs, three inputs and a table, in this environment."""
    return Kind((sys.executable, str(PEERS / "bare_app.py")), ("6 Exercises", "attainable"))


def plotext(folder: Path) -> Kind:
    """The same animation through textual-plotext, in an environment of its own, made when it is not there.

    Raises:
        Missing: when that environment cannot be made.
    """
    python = folder / "bin" / "python"
    check = [str(python), "-c", "import textual_plotext"]
    if not python.exists() or subprocess.run(check, capture_output=True).returncode:
        _make(folder, f"textual=={version('textual')}", "textual-plotext", "plotext<6")
    return Kind((str(python), str(PEERS / "plotext_app.py")), ("6 Exercises", "No trials yet"))


def _make(folder: Path, *requirements: str) -> None:
    print(f"making {folder} with {', '.join(requirements)} ...", file=sys.stderr)
    python = str(folder / "bin" / "python")
    install = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *requirements]
    for command in ([sys.executable, "-m", "venv", "--clear", str(folder)], install):
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode:
            why = (done.stderr or done.stdout).strip().splitlines() or [f"exit status {done.returncode}"]
            raise Missing(f"`{' '.join(command[1:4])}` for the peer failed: {why[-1]}")


@contextmanager
def started(kind: Kind, bytes_per_second: float | None = None) -> Iterator[Program]:
    """Start a program on a fresh state folder and the same plain terminal everywhere."""
    with (
        tempfile.TemporaryDirectory() as state,
        Program(kind.command, environment(state), bytes_per_second) as program,
    ):
        yield program


def type_trial(program: Program) -> None:
    """Fill the three fields; the next Enter plays."""
    for keys in TRIAL:
        program.send(keys)
        program.read_for(KEY_GAP)
    program.settle()


def environment(state: str) -> dict[str, str]:
    """The environment of every program measured."""
    kept = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    return {**kept, "TERM": "xterm-256color", "LANG": "C.UTF-8", "XDG_STATE_HOME": state}
