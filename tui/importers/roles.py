"""What a column of a foreign table can be taken for, and how an option says so: `--map role=COLUMN:unit`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import cast, get_args

from tui.importers.own_csv import FIELDS
from tui.model.numerals import quoted

from .imported import Mapped, Options, Repeats

COUNTS = ("devices", "nodes", "ranks", "threads")
"""Roles that a device count is made of; the run's own name of the last one is `threads_per_rank`."""

ROLES: Mapping[str, str] = {
    "devices": "the count D",
    "nodes": "how many nodes, all together",
    "ranks": "how many ranks or processes, all together",
    "ranks-per-node": "ranks of each node",
    "devices-per-node": "devices of each node",
    "threads": "threads of each rank",
    "time": "a time; :ns :us :ms :s :min :h :d give its unit, :min:s and :h:min that of a clock",
    "rate": "work per second of all devices together (steps/s, FOM); :day for work per day",
    "rate-per-device": "work per second of each device",
    "work": "the work W of all devices together",
    "work-per-device": "the work of each device",
    "size": "the size of the problem: rows of different sizes are different work",
    "group": "a name that keeps rows apart: an algorithm, a machine",
    "repeat": "the number of a repeat of the whole job",
    "step": "the number of a step inside a job",
    "stage": "seconds of one part of the time; :ms and the like as for time",
    "status": "how the job ended",
    "label": "the name of a row",
    "ignore": "nothing: kept as it came",
}
"""Roles by name, in words; besides these every field of a run."""

DECIMAL, REPEATS = "decimal", "repeats"
"""Statements about the file instead of a column: `decimal=comma`, `repeats=steps`."""

TIME_UNITS: Mapping[str, float] = {
    "ns": 1e-9,
    "us": 1e-6,
    "ms": 1e-3,
    "s": 1.0,
    "min": 60.0,
    "h": 3600.0,
    "d": 86400.0,
}
CLOCKS = ("min:s", "h:min")

_UNIT = re.compile(rf"(.+?):({'|'.join((*CLOCKS, *TIME_UNITS, 'day'))})$")
_SAME = {"threads_per_rank": "threads", "time_s": "time", "times_s": "time", "count": "devices"}


class BadMap(Exception):
    """A `--map` that cannot be understood; the text is one sentence."""


def names() -> tuple[str, ...]:
    """Everything that may stand before the `=` of a statement."""
    return (*ROLES, *(field for field in FIELDS if field not in ROLES), *_SAME, DECIMAL, REPEATS)


def names_of_columns() -> dict[str, str]:
    """Everything that one column can be taken for, with its words; fields of a run have none."""
    others = (field for field in FIELDS if field not in ROLES and field not in _SAME)
    return {**ROLES, **{field: f"the field {field} of a run" for field in others}}


def options(statements: Iterator[str] | list[str], plain: Options | None = None) -> Options:
    """The options that `--map` texts stand for, each with one statement or several between commas.

    Raises:
        BadMap: for the first that cannot be understood.
    """
    found = plain or Options()
    start = "|".join(sorted(map(re.escape, names()), key=len, reverse=True))
    mapping: list[Mapped] = []
    decimal, repeats = found.decimal, found.repeats
    for text in statements:
        # A comma only parts two statements where a role follows it: names of columns hold commas too.
        for statement in re.split(rf",(?=(?:{start})=)", text):
            role, equals, column = statement.partition("=")
            role = _SAME.get(role.strip().lower(), role.strip().lower())
            if not equals or not column.strip() or role not in names():
                raise BadMap(_bad(statement))
            column = column.strip()
            if role == DECIMAL:
                if column not in ("comma", "point"):
                    raise BadMap(f"read {quoted(statement)}, expected decimal=comma or decimal=point")
                decimal = "comma" if column == "comma" else "point"
            elif role == REPEATS:
                if column not in get_args(Repeats):
                    raise BadMap(f"read {quoted(statement)}, expected repeats=jobs or repeats=steps")
                repeats = cast(Repeats, column)
            else:
                unit = _UNIT.match(column)
                mapping.append(Mapped(role, unit[1], unit[2]) if unit else Mapped(role, column))
    return Options(tuple(mapping), found.family, repeats, decimal, found.window, found.window_reason)


def _bad(statement: str) -> str:
    import difflib

    role = statement.partition("=")[0].strip().lower()
    near = difflib.get_close_matches(role, names(), n=1)
    hint = (
        f"did you mean {near[0]}=?"
        if near
        else f"a column is taken for {', '.join(ROLES)}, or a field of a run"
    )
    return f"read {quoted(statement)}, expected ROLE=COLUMN, as devices=cores or time=elapsed:ms; {hint}"
