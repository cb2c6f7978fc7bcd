"""What was understood of a file as plain values, for JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from .imported import Imported


def as_json(imported: Imported) -> dict[str, Any]:
    """Everything but the runs as plain values, and how many runs each part has."""
    plain: dict[str, Any] = {
        "format": imported.format,
        "file": str(imported.source),
        "parts": [
            {"name": part.name, "family": part.family, "counts": part.counts, "runs": len(part.runs)}
            for part in imported.parts
        ],
        "repeats": imported.repeats,
        "lines": asdict(imported.tally),
    }
    lists: Mapping[str, Sequence[Any]] = {
        "columns": imported.columns,
        "notes": imported.notes,
        "problems": imported.problems,
        "questions": imported.questions,
    }
    return plain | {name: [asdict(one) for one in values] for name, values in lists.items()}
