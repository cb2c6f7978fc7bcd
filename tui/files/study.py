"""Studies as files: TOML a person can read, compare and edit, and that keeps what they wrote in it.

A `Document` is a study together with the exact bytes that say so. `parse` reads bytes, `changed` makes
the bytes of a changed study out of the old ones with the smallest edits, `fresh` writes a new file.
Whatever is written is read back first and compared, so a file that does not say what it should is never
saved.
"""

from __future__ import annotations

import re
from dataclasses import MISSING, Field, dataclass, fields, is_dataclass
from functools import cache
from pathlib import Path
from typing import Any

from tui.model.study import FORMAT, Study, problems

from . import atomic, schema, toml
from .edit import CannotEdit, edited, rendered, same
from .errors import FileError
from .lines import Layout
from .lines import Path as Place

BLOCKS = frozenset({"machine", "experiment", "run", "prediction"})
"""Keys whose tables get a header of their own; everything else is written on one line."""

_TOML = re.compile(r"\s*(\[\[?[\w.\"' -]+\]\]?\s*(#.*)?$|[\w.\"'-]+\s*=)")
_BOM = b"\xef\xbb\xbf"
_NAMED = frozenset({"experiment", "run", "prediction", "stages", "domains"})


@dataclass(frozen=True)
class Fault:
    """One thing wrong with a study file."""

    line: int
    """From 1."""
    where: str
    """The key in words, as "experiment 1, run 3, times_s value 2"; empty for the file as a whole."""
    sentence: str
    """What was read and what was expected."""

    def __str__(self) -> str:
        return f"line {self.line}: {self.where + ': ' if self.where else ''}{self.sentence}"


class NotAStudy(FileError):
    """A file that cannot be read as a study; `faults` holds everything wrong with it, in file order."""

    def __init__(self, path: Path, faults: tuple[Fault, ...]) -> None:
        count = f"{len(faults)} errors, the first in " if len(faults) > 1 else ""
        super().__init__(path, f"{path}: {count}{faults[0]}")
        self.faults = faults


@dataclass(frozen=True)
class Document:
    """A study and the bytes of the file that holds it."""

    study: Study
    data: bytes


def read(path: Path) -> tuple[Document, atomic.Fingerprint]:
    """Open a study file.

    Raises:
        NotAStudy: with all faults of a file that was read but is no study.
        FileError: when it cannot be read at all.
    """
    contents = atomic.read(path)
    return parse(contents.data, path), contents.fingerprint


def is_study(path: Path, head: bytes) -> bool:
    """Whether a file is meant as a study: by its name, else by the first line that is no remark.

    A line of brackets alone is a table of TOML, one that only begins with them a line of a log.
    """
    if path.suffix.lower() in (".toml", ".csv", ".tsv"):
        return path.suffix.lower() == ".toml"
    text = head.decode("utf-8-sig", errors="replace")
    lines = (line for line in text.splitlines() if line.strip() and not line.lstrip().startswith("#"))
    return _TOML.match(next(lines, "")) is not None


def parse(data: bytes, path: Path = Path("study")) -> Document:
    """The document in these bytes; `path` only appears in errors.

    Raises:
        NotAStudy: with all faults: everything of the wrong kind or unknown, and of the rest whatever
            `tui.model.study.problems` finds.
    """
    try:
        text = toml.decode(data)
        values = toml.loads(text)
    except toml.NotToml as error:
        column = f"column {error.column}" if error.column else ""
        raise NotAStudy(path, (Fault(error.line, column, str(error)),)) from error
    refused = _refused(values)
    if refused:
        line = Layout(text).line(("format",))
        raise NotAStudy(path, (Fault(line, "", refused),))
    found: list[tuple[Place, str]] = []
    study: Study | None
    try:
        study = schema.study_of(values)
    except schema.Misfit as misfit:
        found, study = misfit.faults, misfit.salvage
    if study is not None:
        found = found + [(problem.path, problem.sentence) for problem in problems(study)]
    if found or study is None:
        layout = Layout(text)
        faults = [Fault(layout.line(place), in_words(place, values), sentence) for place, sentence in found]
        raise NotAStudy(path, tuple(sorted(faults, key=lambda fault: fault.line)))
    return Document(study, data)


def _refused(values: dict[str, Any]) -> str:
    """Why a TOML file is not even looked at, or nothing."""
    if not values:
        return "the file is empty; `rooflab new FILE --family strong` writes an example to start from"
    version = values.get("format", FORMAT)
    if isinstance(version, int) and not isinstance(version, bool) and version > FORMAT:
        return f"this is format {version}, made by a newer rooflab; this one reads format {FORMAT}: update it"
    return ""


def fresh(study: Study) -> Document:
    """A new file for a study.

    Raises:
        CannotEdit: when the text would not read back to the same study.
    """
    return _verified(_bytes(rendered(_encoded(study, {}), BLOCKS)), study)


def changed(document: Document, study: Study) -> Document:
    """The document with its study replaced by `study`, and only what differs rewritten.

    Comments, order, spacing, number formats, a byte order mark and CRLF line ends stay.

    Raises:
        CannotEdit: when the file is built in a way that cannot be changed without rewriting it.
    """
    seen: dict[int, Any] = {}
    old, new = _encoded(document.study, seen), _encoded(study, seen)
    text = toml.decode(document.data)
    dos = 0 < text.count("\n") == text.count("\r\n")
    text = edited(text.replace("\r\n", "\n") if dos else text, old, new, BLOCKS)
    data = _bytes(text.replace("\n", "\r\n") if dos else text)
    return _verified((_BOM if document.data.startswith(_BOM) else b"") + data, study)


def _bytes(text: str) -> bytes:
    try:
        return text.encode()
    except UnicodeEncodeError as error:
        half = error.object[error.start]
        raise CannotEdit(f"a text holds half a character, {half!a}, which no file can hold") from error


def _verified(data: bytes, study: Study) -> Document:
    """Read back what is about to be written: whatever an edit got wrong must not reach the disk."""
    try:
        found = schema.study_of(toml.loads(toml.decode(data)))
        # An imported column may hold nan, which `==` never finds equal.
        right = found == study or same(_encoded(found, {}), _encoded(study, {}))
    except (toml.NotToml, schema.Misfit):
        right = False
    if not right:
        raise CannotEdit("the file is laid out in a way that cannot be changed in place; save a copy")
    return Document(study, data)


def in_words(place: Place, values: Any = None) -> str:
    """A path as a person says it: `("experiment", 0, "run", 2)` is "experiment 1, run 3"."""
    words: list[str] = []
    for step in place:
        if isinstance(step, str):
            words.append(step)
        elif words[-1] in _NAMED:
            words[-1] = f"{words[-1]} {step + 1}"
        else:
            words[-1] = f"{words[-1]} value {step + 1}"
    return ", ".join(words)


def _encoded(value: Any, seen: dict[int, Any]) -> Any:
    """Plain values without what is left at its default; parts that two studies share are done once.

    `seen` maps identities to results, so it must not outlive the studies.
    """
    if isinstance(value, tuple):
        return [_encoded(each, seen) for each in value]
    if not is_dataclass(value):
        return value
    if id(value) not in seen:
        seen[id(value)] = {
            name: _encoded(getattr(value, name), seen)
            for name, default in _defaults(value.__class__)
            if name == "format" or default is MISSING or getattr(value, name) != default
        }
    return seen[id(value)]


@cache
def _defaults(kind: Any) -> list[tuple[str, Any]]:
    return [(each.name, _default(each)) for each in fields(kind)]


def _default(of: Field[Any]) -> Any:
    return of.default_factory() if of.default_factory is not MISSING else of.default
