"""A limit of processor time for work on a stranger's file, which may be made to take for ever."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


class TooLong(Exception):
    """The time is used up. It is no ValueError, so that no reader of numbers takes it for one of its own."""


@contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Let the block use so much processor time of this program; outside the main thread there is no limit.

    Raises:
        TooLong: inside the block.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGVTALRM, _out_of_time)
    # Again and again: raised inside a garbage collector's callback or a destructor, an exception is dropped.
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds, max(0.1, seconds / 10))
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def _out_of_time(number: int, frame: FrameType | None) -> None:
    raise TooLong
