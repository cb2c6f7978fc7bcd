"""The fields of an edit line of runs: which a family has, in which order, how wide."""

from __future__ import annotations

from dataclasses import dataclass

from tui.model.study import Family


@dataclass(frozen=True)
class LineField:
    """One field of the edit line.

    Attributes:
        key: the run's own name for it; `other` for everything without a field of its own.
        label: heading above the field.
        width: cells it takes.
    """

    key: str
    label: str
    width: int


OTHER = "other"
"""The key of the field for everything without a field of its own."""

FIELDS = {
    field.key: field
    for field in (
        LineField("devices", "devices", 8),
        LineField("times_s", "times s", 17),
        LineField("status", "status", 10),
        LineField("work", "work W", 12),
        LineField("parameters", "params", 9),
        LineField("global_batch", "batch", 7),
        LineField("micro_batch", "micro", 6),
        LineField("accumulation", "accum", 6),
        LineField("sequence_length", "seq.len", 8),
        LineField("nodes", "nodes", 6),
        LineField("domain", "domain", 13),
        LineField("memory_gib", "mem GiB", 8),
        LineField("updates", "updates", 9),
        LineField("time_to_target_s", "to target s", 13),
        LineField("work_to_target", "W to target", 12),
        LineField("reached", "reached", 7),
        LineField("seed", "seed", 6),
        LineField("quality", "quality", 8),
        LineField("schedule", "schedule", 12),
        LineField("label", "label", 12),
        LineField("note", "note", 20),
        LineField("cause", "cause E>1", 20),
        LineField(OTHER, "other (dp=8 tp=2 ...)", 30),
    )
}
"""Every field by its key."""

_STEP = LineField("times_s", "s/update", 13)
"""What the times of a training run towards a target are."""

_MIDDLE = {
    "strong": (
        "global_batch",
        "micro_batch",
        "accumulation",
        "nodes",
        "domain",
        "memory_gib",
        "sequence_length",
        "work",
    ),
    "weak": (
        "work",
        "sequence_length",
        "global_batch",
        "micro_batch",
        "accumulation",
        "nodes",
        "domain",
        "memory_gib",
    ),
    "model-size": ("parameters", "work", "sequence_length", "global_batch", "nodes", "memory_gib"),
}

_TO_TARGET = (
    "devices",
    "global_batch",
    "updates",
    "times_s",
    "time_to_target_s",
    "reached",
    "seed",
    "work_to_target",
    "quality",
    "schedule",
    "label",
    "status",
    "note",
    OTHER,
)


def line_fields(family: Family) -> tuple[LineField, ...]:
    """The fields of a family's edit line in their order, those that are needed most first."""
    if family == "target":
        return tuple(_STEP if key == _STEP.key else FIELDS[key] for key in _TO_TARGET)
    last = ("note", OTHER) if family == "model-size" else ("note", "cause", OTHER)
    return tuple(FIELDS[key] for key in ("devices", "times_s", "status", *_MIDDLE[family], *last))
