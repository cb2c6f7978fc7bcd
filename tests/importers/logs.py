"""Reading a text as a file of one format, for tests of the readers of logs."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

from tui.importers.imported import Imported, Mapped, Options, Source


def read(reader: ModuleType, text: str | bytes, **options: object) -> Imported:
    """What a reader makes of a text; every line of it must be accounted for."""
    data = text.encode() if isinstance(text, str) else text
    found: Imported = reader.read(Source(Path("a.log"), data), Options(**options))
    assert found.tally.adds_up, found.tally
    return found


def mapped(**roles: str) -> tuple[Mapped, ...]:
    """`--map role=value` for each."""
    return tuple(Mapped(role, value) for role, value in roles.items())


def notes(found: Imported) -> str:
    """All notes as one text."""
    return "\n".join(str(note) for note in found.notes)


def asked(found: Imported) -> list[str]:
    """What is asked besides the family."""
    return [question.about for question in found.questions if question.about != "family"]
