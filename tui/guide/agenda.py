"""Plans of a workshop from the index and what is installed: 90 minutes, and half a day.

The index file may say which exercises fit into 90 minutes, for how long and up to which step::

    [workshop]
    parts = [ { script = "roofline-three-trials", minutes = 12 },
              { script = "weak-declare-the-work", minutes = 12, until = "efficiency" } ]

Without it, and where parts are not installed, exercises follow in the order of the menu as long as they fit.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tui.files.toml import NotToml, decode, loads
from tui.guide import tables
from tui.guide.lint import INDEX
from tui.guide.script import Script

SHORT, LONG = 90, 240
START, TALK, STAND_UP, PAUSE, END = 10, 3, 5, 10, 5
WORK_AT_MOST = 50
"""Minutes of a half day after which a pause is due."""
WORTH_FILLING = 10
"""Minutes left over that are given to the learners' own runs; less goes to the end."""

WORDS = {
    "start": "start and login: everybody sees the first frame",
    "talk": "talk: what surprised you?",
    "stand up": "stand up",
    "pause": "pause",
    "own": "your own runs: enter them in the Strong tab, read the flags",
    "end": "hand in (`rooflab lab handin --line`) and read the class report (`rooflab lab class -`)",
}


@dataclass(frozen=True)
class Part:
    """An exercise of the workshop."""

    script: str
    minutes: int
    until: str = ""
    """Id of the last step; "" for all of them."""


@dataclass(frozen=True)
class Entry:
    """One line of a plan."""

    at: int
    """Minutes from the beginning."""
    minutes: int
    words: str


@dataclass(frozen=True)
class Plan:
    """A workshop."""

    title: str
    entries: tuple[Entry, ...]
    later: tuple[str, ...] = ()
    """Ids of the exercises for which there is no time."""
    missing: tuple[str, ...] = ()
    """Ids that the index names and nothing here has."""

    @property
    def minutes(self) -> int:
        """How long it takes."""
        return sum(entry.minutes for entry in self.entries)


def workshop_parts(folders: Iterable[Path]) -> tuple[Part, ...]:
    """The parts that the first index file with a workshop names; none when there is no such file."""
    for folder in folders:
        try:
            values = loads(decode(tables.read_file(folder / INDEX, INDEX)))
        except (tables.Refused, NotToml):
            continue
        workshop = values.get("workshop")
        parts = workshop.get("parts") if isinstance(workshop, dict) else None
        if isinstance(parts, list):
            return tuple(filter(None, map(_part, parts)))
    return ()


def _part(values: Any) -> Part | None:
    """What an index says of a part; nothing can be planned with one that says less than name and minutes."""
    if not isinstance(values, dict):
        return None
    script, minutes, until = values.get("script"), values.get("minutes"), values.get("until", "")
    if not isinstance(script, str) or not isinstance(minutes, int) or not isinstance(until, str):
        return None
    return Part(script, minutes, until) if 0 < minutes <= SHORT else None


def short_plan(parts: Sequence[Part], scripts: Mapping[str, Script]) -> Plan:
    """Ninety minutes: the workshop's parts, then what else fits.

    Args:
        scripts: what is installed, in the order of the menu.
    """
    room = SHORT - START - TALK - STAND_UP - END
    chosen: list[Part] = []
    left = room
    named = [part for part in parts if part.script in scripts]
    others = [Part(name, script.minutes) for name, script in scripts.items()]
    for part in (*named, *others):
        if part.minutes <= left and part.script not in [each.script for each in chosen]:
            chosen.append(part)
            left -= part.minutes
    own = left if left >= WORTH_FILLING else 0
    entries = [*_short_entries(chosen, scripts, room), ("own", own), ("end", END + left - own)]
    missing = tuple(part.script for part in parts if part.script not in scripts)
    return Plan("A workshop of 90 minutes", tuple(_placed(entries)), missing=missing)


def _short_entries(
    chosen: Sequence[Part], scripts: Mapping[str, Script], room: int
) -> Iterator[tuple[str, int]]:
    yield "start", START
    done, stood_up = 0, False
    for number, part in enumerate(chosen):
        yield _words(part, scripts[part.script]), part.minutes
        done += part.minutes
        if number == 0:
            yield "talk", TALK
        if not stood_up and (2 * done >= room or number == len(chosen) - 1):
            stood_up = True
            yield "stand up", STAND_UP
    if not chosen:
        yield "talk", TALK + STAND_UP


def long_plan(scripts: Mapping[str, Script]) -> Plan:
    """Half a day: all exercises in the order of the menu with pauses, as long as there is time."""
    entries, later = [("start", START)], []
    used, since = START + END, 0
    for name, script in scripts.items():
        pause = PAUSE if since and since + script.minutes > WORK_AT_MOST else 0
        if used + pause + script.minutes > LONG:
            later.append(name)
            continue
        if pause:
            entries.append(("pause", pause))
            since = 0
        entries.append((_words(Part(name, script.minutes), script), script.minutes))
        used += pause + script.minutes
        since += script.minutes
    return Plan("Half a day", tuple(_placed([*entries, ("end", END)])), later=tuple(later))


def _words(part: Part, script: Script) -> str:
    place = script.place(part.until) if part.until else None
    until = "" if place is None else f", steps 1 to {place + 1} of {len(script.step)}"
    return f"{script.id}: {script.title}{until}"


def _placed(entries: Iterable[tuple[str, int]]) -> Iterator[Entry]:
    at = 0
    for words, minutes in entries:
        if minutes:
            yield Entry(at, minutes, WORDS.get(words, words))
        at += minutes
