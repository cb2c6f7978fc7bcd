"""Steps with stages that several tests need."""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from tui.model.study import Experiment, Run, Stage

PIPELINE = (
    Stage("compute", "split"),
    Stage("communication", "per-doubling", ("compute",)),
    Stage("bubble", "fixed", ("communication",)),
    Stage("input", "fixed"),
    Stage("host", "fixed", ("bubble", "input")),
)
"""Input is read beside compute, communication and bubbles; host work comes after both."""

PIPELINE_TIMES = {8: 47.5, 16: 28.5, 32: 19.5, 64: 19.0}


def pipeline_run(devices: int, **known: Any) -> Run:
    """One run of the pipeline of four: 320/D compute, 1 + log2 D communication, the rest fixed."""
    stages = {
        "compute": 320 / devices,
        "communication": 1 + math.log2(devices),
        "bubble": 2.5,
        "input": 17.5,
        "host": 1.0,
    }
    known.setdefault("stages_s", stages)
    return Run(devices, (PIPELINE_TIMES[devices],), **known)


def pipeline(*counts: int, stages: tuple[Stage, ...] = PIPELINE, **known: Any) -> Experiment:
    """The pipeline measured at these counts."""
    runs = known.pop("run", tuple(pipeline_run(devices) for devices in counts))
    return Experiment("strong", "pipeline", "GPU", run=runs, stages=stages, **known)


def with_stages(devices: int, time: float, stages: Mapping[str, float], **known: Any) -> Run:
    """One run with the seconds of its stages."""
    return Run(devices, (time,), stages_s=dict(stages), **known)


def fractions(values: Mapping[str, Any]) -> dict[str, Fraction]:
    """Exact values, from whole numbers or texts."""
    return {name: Fraction(value) for name, value in values.items()}
