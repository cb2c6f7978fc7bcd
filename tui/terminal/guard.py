"""When the line drops or the scheduler ends the job: leave in order, and never stay behind.

A closed SSH line sends SIGHUP, a scheduler SIGTERM. Where SIGHUP is ignored (`nohup`, a shell's
`trap '' HUP`) or goes to another process, only the terminal itself tells: its end is hung up, every
read returns nothing at once, and a program that keeps reading takes a whole core of a login node for
ever. So one thread sleeps in poll() on the terminal, costs nothing, and wakes when it is gone.
"""

from __future__ import annotations

import asyncio
import os
import select
import signal
import threading
from collections.abc import Callable
from contextlib import suppress
from types import FrameType
from typing import Any

STANDARD_STREAMS = (0, 1, 2)

HANGUP_STATUS = 128 + signal.SIGHUP
"""Exit status after the terminal went away."""

HANGUP_PATIENCE = 2.5
"""Seconds from a vanished terminal to the end of the process, storing included."""

SIGNAL_PATIENCE = 10.0
"""Seconds from a signal to the end of the process, on a terminal that is there but may be slow."""

_STOP = b"\0"


class Guard:
    """Watches over a running program; start it on the event loop, stop it when the program ends by itself.

    Args:
        leave: Called once, on the event loop, with the exit status 128 + signal number; it stores everything
            and asks the program to end with that status.
        terminal: File descriptor of the terminal.
        hangup_patience: Seconds after a hang-up at which the process ends whatever it is doing.
        signal_patience: The same after a signal that left the terminal in place.
    """

    def __init__(
        self,
        leave: Callable[[int], None],
        *,
        terminal: int = 0,
        hangup_patience: float = HANGUP_PATIENCE,
        signal_patience: float = SIGNAL_PATIENCE,
    ) -> None:
        self._leave = leave
        self._terminal = terminal
        self._hangup_patience = hangup_patience
        self._signal_patience = signal_patience
        self._before: dict[int, Any] = {}
        self._watch: threading.Thread | None = None
        self._alarm: tuple[int, int] | None = None
        self._leaving = False

    def start(self) -> None:
        """Take over SIGHUP, SIGTERM and SIGINT, and watch; on the main thread, with the loop running."""
        loop = asyncio.get_running_loop()
        ears, bell = os.pipe()
        self._alarm = (ears, bell)
        for number in (signal.SIGHUP, signal.SIGTERM, signal.SIGINT):
            before = signal.getsignal(number)
            if before is signal.SIG_IGN:
                continue  # whoever started us asked to ignore it; the hang-up itself is still noticed
            self._before[number] = before
            # Not loop.add_signal_handler: it waits for a loop that may itself wait for a stuck terminal.
            signal.signal(number, self._ring)
        self._watch = threading.Thread(target=self._run, args=(loop, ears), name="rooflab-guard", daemon=True)
        self._watch.start()

    def stop(self) -> None:
        """Give the signals back and end the watch; while leaving it stays on as the last resort."""
        for number, before in self._before.items():
            signal.signal(number, signal.SIG_IGN if self._leaving else before)
        self._before.clear()
        if self._alarm is None or self._watch is None or self._leaving:
            return
        os.write(self._alarm[1], _STOP)
        self._watch.join()
        for end in self._alarm:
            os.close(end)
        self._alarm = None

    def _ring(self, number: int, frame: FrameType | None) -> None:
        if self._alarm is not None:
            os.write(self._alarm[1], bytes([number]))

    def _run(self, loop: asyncio.AbstractEventLoop, ears: int) -> None:
        poll = select.poll()
        poll.register(ears, select.POLLIN)
        if os.isatty(self._terminal):
            poll.register(self._terminal, 0)  # no event asked for: a hang-up is always told
        ready = [fd for fd, _ in poll.poll()]
        number = os.read(ears, 1)[0] if ears in ready else signal.SIGHUP
        if bytes([number]) == _STOP:
            return
        self._leaving = True
        gone = silence_the_dead()
        with suppress(RuntimeError):  # the loop has just closed: the program is ending by itself
            loop.call_soon_threadsafe(self._leave, 128 + number)
        # The last resort: a shutdown that waits for a terminal that takes nothing would wait for ever.
        threading.Event().wait(self._hangup_patience if gone else self._signal_patience)
        os._exit(128 + number)


def hung_up(descriptor: int) -> bool:
    """Whether the other end of this descriptor is gone."""
    poll = select.poll()
    poll.register(descriptor, 0)
    return any(event & select.POLLHUP for _, event in poll.poll(0))


def silence_the_dead() -> bool:
    """Let what is still written to a terminal that is gone vanish quietly; whether any stream led to one.

    A failed write would end Textual's writer thread, and its shutdown would then wait for it for ever.
    Input is left alone: its reader may be between select() and read(), and anything that has nothing to
    read would hold it there. It reads "nothing" over and over until the shutdown, a few tenths of a second.
    """
    dead = [descriptor for descriptor in STANDARD_STREAMS if hung_up(descriptor)]
    if not dead:
        return False
    sink = os.open(os.devnull, os.O_WRONLY)
    for descriptor in dead:
        if descriptor != 0:
            os.dup2(sink, descriptor)
    os.close(sink)
    return True
