"""Leaving in order: a small app of its own under the guard, so that each end can be watched."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import threading
import time
from pathlib import Path

import pytest

from tests.terminal.conftest import Start
from tests.terminal.harness import Session
from tui.terminal.guard import Guard, hung_up

APP = """
import os, sys
from textual.app import App
from textual.widgets import Label
from tui.terminal.guard import Guard

class Guarded(App):
    def compose(self):
        yield Label("ready")

    def on_mount(self):
        self.guard = Guard(self.leave, signal_patience=1.0)
        self.guard.start()
        if "busy" in sys.argv:
            self.set_interval(0.01, self.redraw)
        if "stuck" in sys.argv:
            self.set_timer(0.01, lambda: [0 for _ in iter(int, 1)])

    def redraw(self):
        self.query_one(Label).update(os.urandom(600).hex())

    def leave(self, status):
        with open(os.environ["STORE"], "a") as file:
            file.write(f"stored {status}")
        self.exit(return_code=status)

    def on_unmount(self):
        self.guard.stop()

app = Guarded()
app.run(mouse=False)
sys.exit(app.return_code)
"""

terminal = pytest.mark.terminal


@pytest.fixture
def store(tmp_path: Path) -> Path:
    return tmp_path / "store"


def run(start: Start, store: Path, *args: str, **options: object) -> Session:
    """The guarded app, on the screen."""
    session = start(*args, command=(sys.executable, "-c", APP), STORE=str(store), **options)
    wanted = (lambda s: len(s.raw) > 5000) if "busy" in args else "ready"
    return session.wait_for(wanted)


@terminal
@pytest.mark.parametrize("mode", ["still", "busy"])
@pytest.mark.parametrize("number", [signal.SIGHUP, signal.SIGTERM])
def test_a_signal_stores_restores_and_tells(start, store, number, mode):
    session = run(start, store, mode).signal(number)
    assert session.wait() == 128 + number
    assert store.read_text() == f"stored {128 + number}"
    assert session.raw.rindex(b"\x1b[?1049l") > len(session.raw) - 40


@terminal
@pytest.mark.parametrize("mode", ["still", "busy"])
@pytest.mark.parametrize("ignored", [False, True])
def test_a_vanished_terminal_ends_it(start, store, ignored, mode):
    session = run(start, store, mode, ignore_hangup=ignored)
    before = session.cpu_seconds()
    began = time.monotonic()
    session.vanish()
    assert session.wait() == 129
    assert time.monotonic() - began < 3
    assert store.read_text() == "stored 129"
    assert session.usage.ru_utime + session.usage.ru_stime - before < 1.5


@terminal
def test_a_stuck_program_ends_all_the_same(start, store):
    session = run(start, store, "stuck", ignore_hangup=True)
    began = time.monotonic()
    session.vanish()
    assert session.wait() == 129
    assert time.monotonic() - began < 3
    assert run(start, store, "stuck").signal(signal.SIGTERM).wait() == 143


@terminal
def test_hung_up():
    master, slave = os.openpty()
    assert not hung_up(slave)
    os.close(master)
    assert hung_up(slave)
    os.close(slave)


def test_the_watch_sleeps_and_ends_with_the_program():
    async def program() -> tuple[float, float]:
        guard = Guard(lambda status: None)
        guard.start()
        before = time.process_time()
        await asyncio.get_running_loop().run_in_executor(None, threading.Event().wait, 0.5)
        used = time.process_time() - before
        guard.stop()
        return used, threading.active_count()

    threads = threading.active_count()
    handlers = [signal.getsignal(number) for number in (signal.SIGHUP, signal.SIGTERM)]
    used, _ = asyncio.run(program())
    assert used < 0.1
    assert threading.active_count() == threads
    assert [signal.getsignal(number) for number in (signal.SIGHUP, signal.SIGTERM)] == handlers


def test_an_ignored_signal_stays_ignored():
    async def program() -> object:
        guard = Guard(lambda status: None)
        guard.start()
        during = signal.getsignal(signal.SIGHUP)
        guard.stop()
        return during

    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        assert asyncio.run(program()) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGHUP, before)
