"""Sessions that are closed whatever happens, each in a home of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.terminal.harness import PROGRAM, Session, environment

Start = Callable[..., Session]


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Start a program, by default rooflab, on a terminal; keyword arguments in capitals are variables."""
    opened: list[Session] = []

    def start(*args: str, command: tuple[str, ...] = (PROGRAM,), **options: object) -> Session:
        changes = {name: options.pop(name) for name in list(options) if name.isupper()}
        session = Session([*command, *args], environment(tmp_path, **changes), **options)
        opened.append(session)
        return session

    yield start
    for session in opened:
        session.close()
