"""The one thread that waits for the disk, so that a slow home folder never makes a key wait."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable

Job = Callable[[], None]
Done = Callable[[Exception | None], None]


class Writer:
    """Runs jobs in the order they were submitted, one at a time, on a thread of its own.

    The thread starts with the first job. It is a daemon, so a disk that hangs can hold up an exit only
    for as long as `close` is told to wait.
    """

    def __init__(self) -> None:
        self._jobs: queue.SimpleQueue[tuple[Job, Done] | None] = queue.SimpleQueue()
        self._thread: threading.Thread | None = None
        self._closed = False

    def submit(self, job: Job, done: Done) -> None:
        """Queue `job`; `done` is called on the writer's thread with its error, or None.

        After `close` the job runs at once on the caller's thread: nothing committed is dropped.
        """
        if self._closed:
            _run(job, done)
            return
        if self._thread is None:
            self._thread = threading.Thread(target=self._work, name="rooflab-writer", daemon=True)
            self._thread.start()
        self._jobs.put((job, done))

    def close(self, timeout: float = 2.0) -> bool:
        """Finish the queued jobs and end the thread.

        Args:
            timeout: seconds to wait for the disk at most.

        Returns:
            Whether everything submitted has run.
        """
        self._closed = True
        if self._thread is None:
            return True
        self._jobs.put(None)
        self._thread.join(timeout)
        return not self._thread.is_alive()

    def _work(self) -> None:
        while (item := self._jobs.get()) is not None:
            _run(*item)


def _run(job: Job, done: Done) -> None:
    try:
        job()
    except Exception as error:  # whatever the job raised belongs to its submitter, not to this thread
        done(error)
    else:
        done(None)
