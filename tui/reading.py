"""One file being read on a thread of its own: how far it is, and how it is stopped."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from tui.importers.imported import Stopped

Watch = Callable[[int, int], None]
"""Called by a reader now and then with the bytes done and all of them; raises `Stopped`."""

TOLD_EVERY_S = 0.25
"""How often the progress is told at most."""


class Reading:
    """Runs `work` on a thread. The thread is a daemon: a disk that hangs cannot keep the program from ending.

    Args:
        work: reads, calling the watch it is given; its result goes to `then`.
        then: called with the result, `failed` with what was raised, unless it was stopped before.
        on_loop: brings a call from the thread to the app's loop.
        now: a clock in seconds.
    """

    def __init__(
        self,
        work: Callable[[Watch], object],
        then: Callable[..., None],
        failed: Callable[[Exception], None],
        on_loop: Callable[..., None],
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self._work = work
        self._then = then
        self._failed = failed
        self._on_loop = on_loop
        self._now = now
        self._told = now()
        self._over = False
        self.progress = (0, 0)
        """Bytes done and all of them; zeros while that is not known."""
        self.on_progress: Callable[[], None] = lambda: None
        """Called on the loop when there is progress to show."""

    def start(self) -> None:
        """Begin."""
        threading.Thread(target=self._run, name="rooflab-reader", daemon=True).start()

    @property
    def over(self) -> bool:
        """Whether it has ended, or was stopped."""
        return self._over

    def stop(self) -> None:
        """Nothing comes of it any more; the thread ends when the reader looks up the next time."""
        self._over = True

    def _watch(self, done: int, total: int) -> None:
        if self._over:
            raise Stopped
        self.progress = (done, total)
        if self._now() - self._told >= TOLD_EVERY_S:
            self._told = self._now()
            self._on_loop(self.on_progress)

    def _run(self) -> None:
        try:
            result = self._work(self._watch)
        except Stopped:
            return
        except Exception as error:  # whatever it is, it is told, or raised, where the user is
            self._on_loop(self._end, self._failed, error)
        else:
            self._on_loop(self._end, self._then, result)

    def _end(self, then: Callable[..., None], outcome: object) -> None:
        if not self._over:
            self._over = True
            then(outcome)
