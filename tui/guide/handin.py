"""A hand-in: one session with the script and the data it was done with, chained to its alias.

The chain starts anew with a head that names the alias and the carried files, so that a changed answer, a
missing tail, another alias or another script show. It does not stop somebody who rewrites the whole file.
Hand-ins come from strangers: sizes are limited, names lead nowhere, and a score that is claimed is not used.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import Any

from tui.files.report import plain
from tui.guide.events import Reflected, from_record
from tui.guide.receipt import receipt
from tui.guide.script import Reflect, Step
from tui.guide.session import apply
from tui.guide.state import begin, points_text, result
from tui.guide.store import Kept
from tui.guide.transcript import sealed
from tui.guide.values import LONGEST_ID, SLUG

FORMAT, KIND, SUFFIX = 1, "hand-in", ".lab.json"
MOST_BYTES = 16 << 20
MOST_EVENTS = 20_000
MOST_FILES = 100
LONGEST_ALIAS = 40

_OF_THE_MACHINE = {"h", "n", "host", "pid", "born"}
"""What a stored line says of the computer it was written on, and its place there."""
_LONGEST_NUMBER = 18
_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,6})?\+00:00")


class NotHandin(ValueError):
    """The bytes are no hand-in that can be read; the text says why."""


@dataclass(frozen=True)
class Handin:
    """One hand-in, read or about to be written; nothing in it is trusted."""

    head: Mapping[str, Any]
    """Format, alias, script, revision, graded hash, start, digests of the files."""
    events: tuple[Mapping[str, Any], ...] = field(repr=False)
    files: Mapping[str, bytes] = field(repr=False)
    """The script and its data by their names inside the script's folder."""
    last: str
    """Hash of the last line."""
    score: Mapping[str, Any]
    """What the learner's program counted; never used for a grade."""
    faults: tuple[str, ...] = ()
    """What does not fit together; nothing when the chain holds."""

    @property
    def alias(self) -> str:
        """What the learner wants to be called."""
        return clean_alias(self.head["alias"])

    @property
    def script_id(self) -> str:
        """Id of the exercise."""
        return str(self.head["script"])

    @property
    def revision(self) -> int:
        """Revision of the script."""
        return int(self.head["revision"])

    @property
    def receipt(self) -> str:
        """Forty bits of the last hash."""
        return receipt(self.last)

    @property
    def started(self) -> str:
        """When the session began, UTC, "" when no time stands there."""
        return _time(self.head.get("start"))

    @property
    def ended(self) -> str:
        """When the last thing happened, likewise."""
        return _time(self.events[-1].get("t")) if self.events else self.started

    @property
    def file_name(self) -> str:
        """What its file is called; letters and digits only, so that every system takes it."""
        folded = unicodedata.normalize("NFKD", self.alias).encode("ascii", "ignore").decode()
        name = re.sub(r"[^A-Za-z0-9]+", "-", folded).strip("-") or "learner"
        return f"{name}-{self.script_id}-{self.receipt}{SUFFIX}"


def clean_alias(text: str) -> str:
    """An alias on one line, without control characters and not longer than a row of a table can hold."""
    return plain(text)[:LONGEST_ALIAS].strip()


def _time(value: Any) -> str:
    return value if isinstance(value, str) and _TIME.fullmatch(value) else ""


# ---------------------------------------------------------------------------------------------- making one


def make(kept: Kept, alias: str) -> Handin:
    """The hand-in of a stored session.

    Args:
        alias: as `clean_alias` returns it, not empty.
    """
    exercise, stored = kept.exercise, kept.stored
    files = {
        (name if number else f"{exercise.script.id}.toml"): data
        for number, (name, data) in enumerate(exercise.files.items())
    }
    head = {
        "format": FORMAT,
        "kind": KIND,
        "app": stored.head.get("app", ""),
        "script": exercise.script.id,
        "revision": exercise.script.revision,
        "graded_hash": stored.head.get("graded_hash", ""),
        "alias": alias,
        "start": stored.head.get("t", ""),
        "files": {name: hashlib.sha256(data).hexdigest() for name, data in files.items()},
        **({"damaged_at": stored.broken_at} if stored.broken_at else {}),
    }
    lines = []
    previous = ""
    for number, body in enumerate((head, *_shared(kept))):
        line = sealed(previous, {**body, "n": number} if number else body)
        previous = line["h"]
        lines.append(line)
    counted = result(kept.session)
    score = {
        "points": points_text(counted.earned),
        "of": counted.possible,
        "done": counted.done,
        "steps": counted.steps,
    }
    return Handin(lines[0], tuple(lines[1:]), files, previous, score)


def _shared(kept: Kept) -> Iterator[dict[str, Any]]:
    """The events without what is nobody's business: the computer, and private reflections."""
    session = begin(kept.exercise)
    for record in kept.stored.records:
        body = {name: value for name, value in record.items() if name not in _OF_THE_MACHINE}
        event = from_record(record)
        if isinstance(event, Reflected) and not _public(session.step):
            if not _accepted(session.step, event.text):
                continue
            event = Reflected("·" * _least(session.step))
            body["text"] = event.text
        if event is not None:
            session, _ = apply(session, event)
        yield body


def _public(step: Step | None) -> bool:
    return isinstance(step, Reflect) and not step.private


def _least(step: Step | None) -> int:
    return step.min_chars if isinstance(step, Reflect) else 0


def _accepted(step: Step | None, text: str) -> bool:
    return isinstance(step, Reflect) and step.min_chars <= len(text.strip()) <= step.max_chars


def encoded(handin: Handin) -> bytes:
    """The bytes of its file: JSON, one event a line, ASCII so that no mail program changes a letter."""
    parts = {
        "format": FORMAT,
        "kind": KIND,
        "head": handin.head,
        "files": {name: data.decode("utf-8") for name, data in handin.files.items()},
        "last": handin.last,
        "score": handin.score,
    }
    lines = [f"{json.dumps(name)}: {json.dumps(value)}" for name, value in parts.items()]
    events = ",\n".join(map(json.dumps, handin.events))
    return ("{" + ",\n".join([*lines, f'"events": [\n{events}\n]']) + "}\n").encode("ascii")


# --------------------------------------------------------------------------------------------- reading one


def decode(data: bytes) -> Handin:
    """Read a hand-in; whether its chain holds is in `faults`.

    Raises:
        NotHandin: when it cannot even be replayed.
    """
    values = _json(data)
    if values.get("kind") != KIND:
        raise NotHandin("it is no hand-in of this program")
    if values.get("format") != FORMAT:
        raise NotHandin(f"it has format {plain(str(values.get('format')))[:20]}; this program reads {FORMAT}")
    head, events, last = values.get("head"), values.get("events"), values.get("last")
    if not isinstance(head, dict) or not isinstance(events, list) or not isinstance(last, str):
        raise NotHandin("its head, its events or its last hash is missing")
    if not re.fullmatch(r"[0-9a-f]{64}", last):
        raise NotHandin("its last hash is none")
    if len(events) > MOST_EVENTS:
        raise NotHandin(f"it has {len(events)} events: at most {MOST_EVENTS} are read")
    if not all(isinstance(each, dict) for each in events):
        raise NotHandin("something among its events is none")
    _insist_on_head(head)
    files = _files(values.get("files"))
    score = values.get("score")
    claimed = score if isinstance(score, dict) else {}
    faults = filter(None, _faults(head, events, last, files))
    return Handin(head, tuple(events), files, last, claimed, tuple(faults))


def _json(data: bytes) -> dict[str, Any]:
    if len(data) > MOST_BYTES:
        raise NotHandin(f"it is larger than {MOST_BYTES >> 20} MiB")
    if not data.strip():
        raise NotHandin("it is empty")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise NotHandin("it is no text") from None
    try:
        values = json.loads(text, parse_int=_whole, parse_float=_finite, parse_constant=_finite)
    except RecursionError:
        raise NotHandin("it is nested too deeply") from None
    except json.JSONDecodeError as error:
        if text.lstrip().startswith("{") and not text.rstrip().endswith("}"):
            raise NotHandin("it is cut off") from None
        raise NotHandin(f"it is no JSON from line {error.lineno} on") from None
    if not isinstance(values, dict):
        raise NotHandin("it is no hand-in of this program")
    return values


def _whole(text: str) -> int:
    if len(text) > _LONGEST_NUMBER:
        raise NotHandin(f"it holds a number of {len(text)} digits")
    return int(text)


def _finite(text: str) -> float:
    value = float(text)
    if value - value != 0:  # an infinity, or no number
        raise NotHandin(f"it holds the number {text[:20]}")
    return value


def _insist_on_head(head: Mapping[str, Any]) -> None:
    script, revision, alias = head.get("script"), head.get("revision"), head.get("alias")
    if not isinstance(script, str) or len(script) > LONGEST_ID or not SLUG.fullmatch(script):
        raise NotHandin("its head names no script")
    if not isinstance(revision, int) or isinstance(revision, bool) or revision < 1:
        raise NotHandin("its head names no revision")
    if not isinstance(alias, str) or not clean_alias(alias):
        raise NotHandin("its head names no alias")


def _files(values: Any) -> dict[str, bytes]:
    if not isinstance(values, dict) or not 0 < len(values) <= MOST_FILES:
        raise NotHandin("it does not carry its script")
    for name in values:
        path = PurePosixPath(name)
        if path.is_absolute() or ".." in path.parts or not path.parts or not name.isprintable():
            raise NotHandin("a file that it carries has no name inside a folder")
    return {name: _bytes(name, text) for name, text in values.items()}


def _bytes(name: str, text: Any) -> bytes:
    if isinstance(text, str):
        with contextlib.suppress(UnicodeEncodeError):
            return text.encode("utf-8")
    raise NotHandin(f"the file {plain(name)[:60]} that it carries is no text")


def _faults(
    head: Mapping[str, Any], events: Sequence[Mapping[str, Any]], last: str, files: Mapping[str, bytes]
) -> Iterator[str]:
    yield _chain_fault((head, *events), last)
    digests = head.get("files")
    named = digests if isinstance(digests, dict) else {}
    for name in dict.fromkeys((*named, *files)):
        if name not in files or hashlib.sha256(files[name]).hexdigest() != named.get(name):
            yield f"the file {plain(str(name))[:60]} that it carries was changed"
    if "damaged_at" in head:
        where = plain(str(head["damaged_at"]))[:20]
        yield f"its transcript was changed or damaged at line {where} before it was handed in"


def _chain_fault(lines: Iterable[Mapping[str, Any]], last: str) -> str:
    previous = ""
    for number, line in enumerate(lines):
        body = {name: value for name, value in line.items() if name != "h"}
        try:
            wanted = sealed(previous, body)["h"]
        except (UnicodeEncodeError, RecursionError):
            wanted = None
        if wanted is None or wanted != line.get("h"):
            what = f"event {number} was changed or moved, or one before it is missing"
            return what if number else "its head was changed: alias, script or start"
        previous = wanted
    return "" if previous == last else "events are missing at its end, or were added there"
