"""Programs in pseudo-terminals of their own: what they write, when, and what processor time they use.

Linux only: the processor clock and the memory of another process are read from the kernel. Nothing answers
the terminal queries a program sends, as on a terminal that does not know them.
"""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import signal
import struct
import termios
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import TracebackType

COLUMNS, ROWS = 80, 23
PATIENCE = 60.0
"""Seconds to wait for what must come."""
_TICK = 0.01
_SIP = 256
"""Bytes taken at once from a slow line."""


class NeverCame(Exception):
    """A program did not show what was waited for; the text says what its screen showed instead."""


class Program:
    """One running program.

    Args:
        command: program and arguments.
        environ: its whole environment.
        bytes_per_second: how fast its output is taken; as fast as it comes when None.
    """

    def __init__(
        self, command: Sequence[str], environ: Mapping[str, str], bytes_per_second: float | None = None
    ) -> None:
        self.chunks: list[tuple[float, bytes]] = []
        self.written = b""
        self.ended = False
        self._reaped = False
        self._rate = bytes_per_second
        self._next_read = 0.0
        self.started = time.monotonic()
        self.pid, self._terminal = pty.fork()
        if self.pid == 0:
            try:
                fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
                os.execve(command[0], list(command), dict(environ))
            finally:
                os._exit(127)

    def __enter__(self) -> Program:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if not self._reaped:
            os.kill(self.pid, signal.SIGKILL)
            self._reap()
        os.close(self._terminal)

    # Keys and output -----------------------------------------------------------------------------

    def send(self, keys: str) -> float:
        """Type keys; the moment they were typed."""
        now = time.monotonic()
        os.write(self._terminal, keys.encode())
        return now

    def wait_for(self, *texts: str, since: int = 0, timeout: float = PATIENCE) -> None:
        """Read until every text is among the bytes written from position `since` on."""
        wanted = [text.encode() for text in texts]
        if not watch([self], lambda: all(text in self.written[since:] for text in wanted), timeout):
            screen = "\n".join(self.screen())
            raise NeverCame(f"waited {timeout:g} s for {', '.join(texts)!r} on this screen:\n{screen}")

    def settle(self, quiet: float = 0.5, timeout: float = 10.0) -> None:
        """Read until nothing has come for `quiet` seconds (a blinking cursor is given up on)."""
        start = time.monotonic()
        watch([self], lambda: time.monotonic() - max(start, self.last_write) >= quiet, timeout)

    def read_for(self, seconds: float) -> None:
        """Read whatever comes in the next `seconds`."""
        watch([self], lambda: False, seconds)

    @property
    def last_write(self) -> float:
        """When something was last read from it."""
        return self.chunks[-1][0] if self.chunks else self.started

    def wants_reading(self, now: float) -> bool:
        """Whether the line would carry more at this moment."""
        return not self.ended and now >= self._next_read

    def fileno(self) -> int:
        return self._terminal

    def read(self) -> None:
        """Take what is there; `ended` is set once nothing can come any more."""
        try:
            data = os.read(self._terminal, _SIP if self._rate else 65536)
        except OSError:  # on Linux a terminal that nobody holds open any more gives EIO
            data = b""
        now = time.monotonic()
        if not data:
            self.ended = True
            return
        self.chunks.append((now, data))
        self.written += data
        if self._rate:
            self._next_read = max(self._next_read, now - 2 * _TICK) + len(data) / self._rate

    # What was on the screen, and when -------------------------------------------------------------

    def when(self, shows: Callable[[list[str]], bool], after: float = 0.0) -> float:
        """The first moment not before `after` at which `shows` held for the screen's lines.

        Raises:
            NeverCame: when it never did.
        """
        import pyte

        screen = pyte.Screen(COLUMNS, ROWS)
        stream = pyte.ByteStream(screen)
        for moment, data in self.chunks:
            stream.feed(data)
            if moment >= after and shows(screen.display):
                return moment
        raise NeverCame("this screen never showed it:\n" + "\n".join(screen.display))

    def screen(self) -> list[str]:
        """The lines on the screen now."""
        import pyte

        screen = pyte.Screen(COLUMNS, ROWS)
        pyte.ByteStream(screen).feed(self.written)
        return [line.rstrip() for line in screen.display]

    # Cost ----------------------------------------------------------------------------------------

    def cpu(self) -> float:
        """Seconds of processor time used so far, all threads."""
        # The clock id of another process, as clock_getcpuclockid(3) makes it.
        return time.clock_gettime(~self.pid << 3 | 2)

    def peak_memory(self) -> float:
        """The largest resident size so far, MiB."""
        # Not ru_maxrss of wait4: that starts from the size of the process that forked.
        status = Path(f"/proc/{self.pid}/status").read_text()
        found = re.search(r"VmHWM:\s+(\d+) kB", status)
        assert found, "the kernel tells no peak memory"
        return int(found[1]) / 1024

    def quit(self, timeout: float = PATIENCE) -> float:
        """Press ctrl+q and read to the end; seconds until the last byte had come and the process was gone.

        Raises:
            NeverCame: when it had ended before, does not end, or ends as a program does that crashed.
        """
        if self.ended:
            raise NeverCame("it had ended by itself, on this screen:\n" + "\n".join(self.screen()))
        pressed = self.send("\x11")
        if not watch([self], lambda: self.ended, timeout):
            raise NeverCame(f"it had not ended {timeout:g} s after ctrl+q")
        status = self._reap()
        if status:
            raise NeverCame(f"it ended with status {status}, on this screen:\n" + "\n".join(self.screen()))
        return time.monotonic() - pressed

    def _reap(self) -> int:
        _, status = os.waitpid(self.pid, 0)
        self._reaped = True
        return os.waitstatus_to_exitcode(status)


def watch(programs: Sequence[Program], done: Callable[[], bool], timeout: float) -> bool:
    """Read from all programs until `done`; whether that came within `timeout` seconds."""
    deadline = time.monotonic() + timeout
    while not done():
        now = time.monotonic()
        if now >= deadline:
            return False
        readable = [program for program in programs if program.wants_reading(now)]
        for program in select.select(readable, [], [], min(_TICK, deadline - now))[0]:
            program.read()
    return True
