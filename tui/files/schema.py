"""Plain values to the model's dataclasses, with every error at once, and the JSON Schema of a study.

pydantic checks the dataclasses themselves; there is no second set of classes. Loading it takes longer
than drawing the first frame, so it is loaded inside the functions.
"""

from __future__ import annotations

import copy
import difflib
import functools
import json
from collections.abc import Iterable, Mapping
from dataclasses import fields
from typing import TYPE_CHECKING, Any

from tui.model import study as model

from .lines import Path
from .toml import inline

if TYPE_CHECKING:
    from pydantic import TypeAdapter

TABLES: Mapping[str, tuple[type, str]] = {
    "": (model.Study, "the lines above the first header"),
    "machine": (model.Machine, "[machine]"),
    "domains": (model.Domain, "domains"),
    "experiment": (model.Experiment, "[[experiment]]"),
    "work": (model.Work, "work"),
    "work_model": (model.WorkModel, "work_model"),
    "stages": (model.Stage, "stages"),
    "run": (model.Run, "[[experiment.run]]"),
    "prediction": (model.Prediction, "[[experiment.prediction]]"),
}
"""The dataclass behind each key that holds a table or an array of tables, and how the file names it."""

COMMON_NAMES = {
    "time": "times_s",
    "times": "times_s",
    "seconds": "times_s",
    "gpus": "devices",
    "gpu": "devices",
    "cores": "devices",
    "procs": "devices",
    "processes": "devices",
    "batch": "global_batch",
    "batch_size": "global_batch",
    "threads": "threads_per_rank",
    "seq_len": "sequence_length",
    "memory": "memory_gib",
    "kind": "family",
    "comment": "note",
}
"""What people write for a key of ours that is spelt too differently to be guessed from its letters."""

_EXPECTED = {
    "int": "a whole number",
    "float": "a number",
    "string": "text in quotes",
    "bool": "true or false",
    "tuple": "a list in brackets",
    "dict": "a table in braces",
    "dataclass": "a table in braces",
    "date": "a date like 2026-11-30",
    "datetime": "a date and time like 2026-11-30T09:12:00Z",
}
_SHOWN = 40


class Misfit(Exception):
    """Values that are no study: `faults` are a path and a sentence each; `salvage` is what else there is."""

    def __init__(self, faults: list[tuple[Path, str]], salvage: model.Study | None) -> None:
        super().__init__("; ".join(sentence for _, sentence in faults))
        self.faults = faults
        self.salvage = salvage


def study_of(values: Mapping[str, Any]) -> model.Study:
    """The study that these plain values (as a TOML parser returns them) describe.

    Raises:
        Misfit: with everything that is wrong. Its `salvage` is the study without the faulty keys, or
            None where one of them cannot be left out.
    """
    from pydantic import ValidationError

    try:
        return _validated(values)
    except ValidationError as error:
        faults = _faults(error.errors(include_url=False, include_context=True), values)
    try:
        salvage = _validated(_without(values, [path for path, _ in faults]))
    except ValidationError:
        salvage = None
    raise Misfit(faults, salvage)


def json_schema() -> dict[str, Any]:
    """The JSON Schema (draft 2020-12) of a study file, for editors that check TOML as it is typed."""
    definitions = _adapter().json_schema()["$defs"]
    for table, _ in TABLES.values():
        properties = definitions[table.__name__]["properties"]
        for each in fields(table):
            properties[each.name] = _without_null(properties[each.name])
            least = each.metadata.get("least", 0)
            if least is not None:
                _set_minimum(properties[each.name], least)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        **definitions.pop("Study"),
        "title": f"rooflab study, format {model.FORMAT}",
        "$defs": definitions,
    }


def _without_null(schema: dict[str, Any]) -> dict[str, Any]:
    """TOML has no null: what may be None is a key that may be left out."""
    arms = [arm for arm in schema.get("anyOf", ()) if arm != {"type": "null"}]
    kept = {name: value for name, value in schema.items() if name != "anyOf" and value is not None}
    if len(arms) == 1:
        return {**kept, **arms[0]}
    return {**kept, "anyOf": arms} if arms else kept


def _set_minimum(schema: dict[str, Any], least: int) -> None:
    for each in (schema, *schema.get("anyOf", ()), schema.get("items"), schema.get("additionalProperties")):
        if isinstance(each, dict) and each.get("type") in ("integer", "number"):
            each["minimum"] = least


@functools.cache
def _adapter() -> TypeAdapter[model.Study | None]:
    from pydantic import ConfigDict, TypeAdapter

    # The union lets a configuration be given without touching the dataclasses: alone, they may only
    # bring their own. It reaches every dataclass inside.
    study_or_null: Any = model.Study | None
    return TypeAdapter(study_or_null, config=ConfigDict(extra="forbid", strict=True))


def _validated(values: Mapping[str, Any]) -> model.Study:
    # Strict validation of Python values wants tuples and instances; of JSON it takes lists and tables,
    # but still no "8" for 8.
    study = _adapter().validate_json(json.dumps(values, default=lambda moment: moment.isoformat()))
    assert study is not None  # null is no table
    return study


def _faults(errors: Iterable[Mapping[str, Any]], values: Mapping[str, Any]) -> list[tuple[Path, str]]:
    """One sentence for each place; what the arms of a union say of the same place is joined."""
    places: dict[Path, list[Mapping[str, Any]]] = {}
    for error in errors:
        place = _in_file(error["loc"], values, missing=error["type"].startswith("missing"))
        places.setdefault(place, []).append(error)
    kept = [place for place in places if not _explained_inside(place, places)]
    return [(place, _sentence(place, places[place], values)) for place in kept]


def _in_file(location: tuple[str | int, ...], values: Any, missing: bool) -> Path:
    """The validator's location without the names of union members, which are no keys of the file."""
    path: list[str | int] = []
    for step in location[:-1] if missing else location:
        inside = _inside(values, step)
        if inside is not None:
            path.append(step)
            values = inside
    return (*path, location[-1]) if missing else tuple(path)


def _inside(holder: Any, step: str | int) -> Any:
    """What stands at one step of a path, None where there is no such thing: TOML has no null."""
    fits = isinstance(step, int) if isinstance(holder, list) else isinstance(holder, dict) and step in holder
    return holder[step] if fits else None


def _explained_inside(place: Path, places: Iterable[Path]) -> bool:
    """A table that fits one arm of a union but for a key is not also called no number."""
    return any(len(other) > len(place) and other[: len(place)] == place for other in places)


def _sentence(path: Path, errors: list[Mapping[str, Any]], values: Any) -> str:
    error = errors[0]
    kind = error["type"]
    if kind in ("unexpected_keyword_argument", "extra_forbidden"):
        return _unknown_key(path)
    if kind in ("missing", "missing_argument"):
        return "is missing; it cannot be left out"
    value = values
    for step in path:
        value = value[step]
    read = f"read {_shown(value)}"
    if kind == "literal_error":
        allowed = [word.strip("'") for word in error["ctx"]["expected"].replace(" or ", ", ").split(", ")]
        return f"{read}, expected one of {', '.join(map(repr, allowed))}{_close(value, allowed)}"
    expected = dict.fromkeys(_expected(each) for each in errors)
    if "a number" in expected:
        expected.pop("a whole number", None)
    return f"{read}, expected {' or '.join(expected)}"


def _expected(error: Mapping[str, Any]) -> str:
    kind = error["type"].split("_")[0]
    return _EXPECTED.get(kind) or str(error["msg"]).removeprefix("Input should be ")


def _unknown_key(path: Path) -> str:
    name = str(path[-1])
    around = next((step for step in reversed(path[:-1]) if isinstance(step, str)), "")
    here = [each.name for each in fields(TABLES[around][0])]
    guess = COMMON_NAMES.get(name.lower(), "")
    close = f"; did you mean {guess!r}?" if guess in here else _close(name, here)
    if not close:
        homes = [title for table, title in TABLES.values() if name in {each.name for each in fields(table)}]
        close = (
            f"; it belongs in {' or '.join(homes)}" if homes else "; `rooflab schema study` lists the keys"
        )
    return f"unknown key {name!r}{close}"


def _close(read: Any, allowed: Iterable[str]) -> str:
    found = difflib.get_close_matches(str(read).lower(), list(allowed), n=1, cutoff=0.6)
    return f"; did you mean {found[0]!r}?" if found else ""


def _shown(value: Any) -> str:
    text = inline(value)
    return text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…"


def _without(values: Any, paths: list[Path]) -> Any:
    """A copy without the keys at or around these paths: the nearest one that a table holds."""
    pruned = copy.deepcopy(values)
    for path in paths:
        last = max(place for place, step in enumerate(path) if isinstance(step, str))
        holder = pruned
        for step in path[:last]:
            holder = _inside(holder, step)
        if holder is not None:  # an earlier path took the whole of it
            holder.pop(path[last], None)
    return pruned
