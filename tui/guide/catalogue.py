"""Where scripts are found, in which order the menu shows them, and what stops one from being started.

The first hit wins: a folder that was named, `$ROOFLAB_SCRIPTS`, `./lab_scripts`, then the program's own
copy, which is always there.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib import resources
from pathlib import Path

from tui.files.toml import NotToml, decode, loads
from tui.guide import tables
from tui.guide.exercise import Exercise
from tui.guide.findings import did_you_mean
from tui.guide.lint import INDEX, exercise_of, lint, scripts_in
from tui.guide.reader import load
from tui.guide.script import Script


class NotUsable(Exception):
    """A script cannot be found or started; the text is one sentence that says what to do."""


@dataclass(frozen=True)
class Listed:
    """One line of the menu."""

    path: Path
    id: str
    script: Script | None
    """None when it cannot be read."""
    fault: str = ""
    """Why it cannot be started."""


@dataclass(frozen=True)
class Group:
    """Scripts under one heading of the menu."""

    title: str
    scripts: tuple[Listed, ...]


def folders(named: str = "", environ: Mapping[str, str] | None = None) -> tuple[Path, ...]:
    """The folders that are searched, the first one first; missing ones are left out.

    Raises:
        NotUsable: when a folder that was named is not there.
    """
    environ = os.environ if environ is None else environ
    if named and not Path(named).is_dir():
        raise NotUsable(f"there is no folder {named!r}")
    own = Path(str(resources.files("lab_scripts")))
    candidates = [named, environ.get("ROOFLAB_SCRIPTS", ""), "lab_scripts", str(own)]
    found: dict[str, Path] = {}
    for each in candidates:
        if each and Path(each).is_dir():
            found.setdefault(os.path.realpath(each), Path(each))
    return tuple(found.values())


def find(name: str, named: str = "", environ: Mapping[str, str] | None = None) -> Path:
    """The script of an id, or the file that was named.

    Raises:
        NotUsable: when there is none.
    """
    if name.endswith(".toml") or "/" in name:
        if not Path(name).is_file():
            raise NotUsable(f"there is no script file {name!r}")
        return Path(name)
    searched = folders(named, environ)
    for folder in searched:
        if (folder / f"{name}.toml").is_file() and f"{name}.toml" != INDEX:
            return folder / f"{name}.toml"
    known = {path.stem for folder in searched for path in scripts_in(folder)}
    near = did_you_mean(name, known) or "; `rooflab lab list` shows them"
    raise NotUsable(f"there is no exercise {name!r}{near}")


def ready(path: Path) -> Exercise:
    """The exercise of a script file, checked.

    Raises:
        NotUsable: when something in it would make it impossible or unfair to do.
    """
    loaded = load(path)
    stopping = [each for each in lint(loaded) if each.stops]
    exercise = exercise_of(loaded)
    if stopping or exercise is None:
        first = stopping[0] if stopping else "it is empty"
        line = f":{stopping[0].line}" if stopping else ""
        count = f"{len(stopping)} errors, the first: " if len(stopping) > 1 else ""
        raise NotUsable(f"{path}{line}: {count}{first} (`rooflab lab lint {path}` shows all)")
    return exercise


def menu(named: str = "", environ: Mapping[str, str] | None = None) -> tuple[Group, ...]:
    """Every script that can be found, in the groups and the order of the index files.

    Raises:
        NotUsable: when a folder that was named is not there.
    """
    left: dict[str, Listed] = {}
    groups: dict[str, list[str]] = {}
    for folder in folders(named, environ):
        for title, names in read_index(folder):
            groups.setdefault(title, []).extend(names)
        for path in scripts_in(folder):
            left.setdefault(path.stem, _listed(path))
    found = []
    for title, names in groups.items():
        scripts = tuple(left.pop(name) for name in dict.fromkeys(names) if name in left)
        if scripts:
            found.append(Group(title, scripts))
    if left:
        found.append(Group("Further exercises" if found else "", tuple(left.values())))
    return tuple(found)


def _listed(path: Path) -> Listed:
    loaded = load(path)
    stopping = [each for each in loaded.findings if each.stops]
    fault = f"line {stopping[0].line}: {stopping[0]}" if stopping else ""
    return Listed(path, path.stem, loaded.script, fault)


def read_index(folder: Path) -> Iterator[tuple[str, list[str]]]:
    """Titles of groups with the ids in them; an index that cannot be read orders nothing.

    `tui.guide.catalogue.index_faults` says what is wrong with one.
    """
    try:
        values = loads(decode(tables.read_file(folder / INDEX, INDEX)))
    except (tables.Refused, NotToml):
        return
    groups = values.get("group", [])
    for group in groups if isinstance(groups, list) else []:
        names = group.get("scripts", []) if isinstance(group, dict) else []
        if isinstance(names, list):
            yield str(group.get("title", "")), [name for name in names if isinstance(name, str)]


def index_faults(folder: Path) -> Iterator[tuple[str, str]]:
    """What is wrong with a folder's index file: a code and a sentence each; nothing when it has none."""
    path = folder / INDEX
    if not path.exists():
        return
    try:
        loads(decode(tables.read_file(path, INDEX)))
    except tables.Refused as error:
        yield error.code, str(error)
    except NotToml as error:
        yield "E002", f"line {error.line}: {error}"
    known = {each.stem for each in scripts_in(folder)}
    for _, names in read_index(folder):
        for name in names:
            if name not in known:
                yield "W093", f'lists "{name}", which is not in the folder{did_you_mean(name, known)}'
