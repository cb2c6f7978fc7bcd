"""The JSON Schema of a script, for editors that check TOML as it is typed."""

from __future__ import annotations

from dataclasses import MISSING, Field, fields
from typing import Any

from tui.guide.script import (
    CLASS_OF,
    FORMAT,
    OF_EXPERIMENT,
    OF_MACHINE,
    Choice,
    Data,
    Line,
    Misconception,
    Score,
    Script,
    keys_of,
)

_PRIVATE = {"^x_": True}


def json_schema() -> dict[str, Any]:
    """The JSON Schema (draft 2020-12) of a script file, made from the same fields that read one."""
    head = _object(Script)
    head["properties"] |= {
        "format": {"const": FORMAT},
        "score": {"$ref": "#/$defs/Score"},
        "step": {"type": "array", "minItems": 1, "items": {"oneOf": list(map(_step, CLASS_OF))}},
    }
    head["required"] = [*head["required"], "step"]
    data = _object(Data)
    of_study = {name: True for name in sorted(OF_EXPERIMENT | OF_MACHINE)}
    data["properties"] = {**of_study, **data["properties"]}
    definitions = {each.__name__: _object(each) for each in (Score, Misconception, Choice, Line)}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"rooflab exercise, format {FORMAT}",
        **head,
        "$defs": {**definitions, "Data": data},
    }


def _step(kind: str) -> dict[str, Any]:
    schema = _object(CLASS_OF[kind])
    schema["title"] = kind
    schema["properties"]["kind"] = {"const": kind}
    return schema


def _object(kind: type) -> dict[str, Any]:
    keys = keys_of(kind)
    required = {each.name for each in fields(kind) if _needed(each)}
    return {
        "type": "object",
        "properties": {name: reads.schema() for name, (_, reads) in keys.items()},
        "required": [name for name, (field, _) in keys.items() if field in required],
        "patternProperties": _PRIVATE,
        "additionalProperties": False,
    }


def _needed(each: Field[Any]) -> bool:
    return each.default is MISSING and each.default_factory is MISSING
