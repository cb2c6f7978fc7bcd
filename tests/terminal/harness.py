"""Drive an installed program through a real pseudo-terminal and read its screen with pyte.

Nothing here sleeps for a fixed time: `wait_for` reads until a condition holds, and a deadline that is
generous (machines are shared) ends it with a picture of the screen.
"""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import pyte

PROGRAM = str(Path(sys.executable).with_name("rooflab"))
"""The command as pip installed it beside the Python that runs the tests."""

SIZE = (80, 23)
PATIENCE = 30.0

KEYS = {
    "enter": "\r",
    "tab": "\t",
    "escape": "\x1b",
    "f1": "\x1bOP",
    "f2": "\x1bOQ",
    "f3": "\x1bOR",
    "f5": "\x1b[15~",
    "f7": "\x1b[18~",
    "f9": "\x1b[20~",
    "ctrl+c": "\x03",
    "ctrl+p": "\x10",
    "ctrl+q": "\x11",
    "ctrl+z": "\x1a",
}
"""What an xterm sends."""

# Sequences with a < = or > before their numbers (kitty keyboard, device attributes): pyte reads them wrongly.
_UNKNOWN_TO_PYTE = re.compile(rb"\x1b\[[<=>][0-9;]*[A-Za-z]")
_UNFINISHED = re.compile(rb"\x1b(\[[<=>]?[0-9;]*)?$")

Condition = str | Callable[["Session"], object]


def environment(home: Path, **changes: str | None) -> dict[str, str]:
    """A login shell's environment with nothing of this process but PATH; `None` takes a variable out."""
    variables: dict[str, str | None] = {
        "PATH": os.environ["PATH"],
        "HOME": str(home),
        "XDG_STATE_HOME": str(home / "state"),
        "TERM": "xterm-256color",
        "LANG": "C.UTF-8",
        **changes,
    }
    return {name: value for name, value in variables.items() if value is not None}


class Session:
    """One program on a terminal of its own.

    Args:
        args: The command.
        env: Its whole environment.
        size: Columns and rows.
        ignore_hangup: Start it with SIGHUP ignored, as `nohup` does.
        streams: File descriptors for 0, 1 or 2 that are to be something else than the terminal.
    """

    def __init__(
        self,
        args: Sequence[str],
        env: Mapping[str, str],
        *,
        size: tuple[int, int] = SIZE,
        ignore_hangup: bool = False,
        streams: Mapping[int, int] | None = None,
    ) -> None:
        self.raw = b""
        self.usage: object = None
        self._held = b""
        self._screen = pyte.Screen(*size)
        self._stream = pyte.ByteStream(self._screen)
        self.master, slave = pty.openpty()
        self._set_size(size)

        def prepare() -> None:
            fcntl.ioctl(slave, termios.TIOCSCTTY, 0)
            if ignore_hangup:
                signal.signal(signal.SIGHUP, signal.SIG_IGN)

        ends = {number: (streams or {}).get(number, slave) for number in range(3)}
        self.process = subprocess.Popen(
            args,
            stdin=ends[0],
            stdout=ends[1],
            stderr=ends[2],
            env=dict(env),
            start_new_session=True,
            preexec_fn=prepare,
            pass_fds=(slave,),
        )
        os.close(slave)

    # Reading -------------------------------------------------------------------------------------

    @property
    def screen(self) -> list[str]:
        """The rows of the screen without trailing blanks."""
        return [row.rstrip() for row in self._screen.display]

    @property
    def text(self) -> str:
        """The screen as one text."""
        return "\n".join(self.screen)

    def cell(self, row: int, column: int) -> pyte.screens.Char:
        """One cell with its attributes: data, fg, bg, bold, reverse."""
        return self._screen.buffer[row][column]

    def read(self, seconds: float) -> bytes:
        """Whatever arrives until `seconds` have passed or the other end is closed."""
        arrived = b""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            chunk = self._chunk(left)
            if chunk is None:
                break
            arrived += chunk
        return arrived

    def wait_for(self, condition: Condition, timeout: float = PATIENCE) -> Session:
        """Read until the text is on the screen, or the condition holds; fails with the screen."""
        end = time.monotonic() + timeout
        while not self._holds(condition):
            left = end - time.monotonic()
            if left <= 0 or self._chunk(min(left, 0.5)) is None:
                if self._holds(condition):
                    break
                raise AssertionError(f"never came: {condition!r}\n{self.text}\n{self.raw[-300:]!r}")
        return self

    def settle(self, quiet: float = 0.4, timeout: float = PATIENCE) -> Session:
        """Read until nothing has come for `quiet` seconds."""
        end = time.monotonic() + timeout
        while self._chunk(quiet):
            assert time.monotonic() < end, f"the screen never comes to rest\n{self.text}"
        return self

    def wait(self, timeout: float = PATIENCE) -> int:
        """Read to the end of the program and return its exit status, negative for a signal."""
        end = time.monotonic() + timeout
        while time.monotonic() < end:
            self._chunk(0.02)
            pid, status, usage = os.wait4(self.process.pid, os.WNOHANG)
            if pid:
                self.usage = usage
                self.process.returncode = os.waitstatus_to_exitcode(status)
                while self._chunk(0.1):
                    pass
                return self.process.returncode
        raise AssertionError(f"still running after {timeout} s\n{self.text}")

    def _holds(self, condition: Condition) -> object:
        return condition in self.text if isinstance(condition, str) else condition(self)

    def _chunk(self, seconds: float) -> bytes | None:
        """What arrives next, empty when nothing does in time, `None` when the other end is closed."""
        if self.master < 0:
            return None
        if not select.select([self.master], [], [], seconds)[0]:
            return b""
        try:
            chunk = os.read(self.master, 65536)
        except OSError:
            return None
        self.raw += chunk
        data = _UNKNOWN_TO_PYTE.sub(b"", self._held + chunk)
        cut = _UNFINISHED.search(data)
        self._held = data[cut.start() :] if cut else b""
        self._stream.feed(data[: cut.start()] if cut else data)
        return chunk or None

    # Acting --------------------------------------------------------------------------------------

    def send(self, *keys: str) -> Session:
        """Type keys by name, anything else as it is."""
        os.write(self.master, "".join(KEYS.get(key, key) for key in keys).encode())
        return self

    def resize(self, columns: int, rows: int) -> Session:
        """Change the size of the terminal; the kernel tells the program."""
        self._screen.resize(rows, columns)
        self._set_size((columns, rows))
        return self

    def _set_size(self, size: tuple[int, int]) -> None:
        columns, rows = size
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def signal(self, number: int) -> Session:
        """Send a signal to the program."""
        self.process.send_signal(number)
        return self

    def vanish(self) -> None:
        """Take the terminal away, as a dropped line does."""
        os.close(self.master)
        self.master = -1

    def cpu_seconds(self) -> float:
        """User and system time of the program so far."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def close(self) -> None:
        """End the program whatever it is doing."""
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        if self.master >= 0:
            self.vanish()
