"""For every flag that blocks a comparison: rows that have it, and near ones that must not."""

from __future__ import annotations

from dataclasses import dataclass, replace

from tests.model.study_builders import TOKENS, run, strong, weak
from tui.model.study import Domain, Experiment, Machine, Run, Work

NO_MACHINE = Machine()
NODES_OF_8 = Machine(devices_per_node=8, charged="node")
LADDER = Machine(domains=(Domain("node", 8), Domain("switch", 64)))
ONE = run(1, 100.0)
FIVE = (100.0, 101.0, 99.0, 100.5, 99.5)


@dataclass(frozen=True)
class Shown:
    """A code, the last row of an experiment that has it, words of its sentence, and one that has it not."""

    code: str
    here: Experiment
    words: str
    not_here: Experiment
    machine: Machine = NO_MACHINE
    name: str = ""


def second(*more: Run, **known: object) -> Experiment:
    """A strong pair: one device in 100 s, and what is asked."""
    return strong(ONE, *more, **known)


def pair(
    code: str, changed: dict[str, object], words: str, unchanged: dict[str, object], **known: object
) -> Shown:
    """Two strong rows, the baseline as in `unchanged`; the second differs from it in `changed`."""
    base = run(1, 100.0, **unchanged)
    return Shown(
        code,
        strong(base, run(2, 51.0, **{**unchanged, **changed}), **known),
        words,
        strong(base, run(2, 51.0, **unchanged), **known),
    )


BLOCKS = (
    pair(
        "work-changed",
        {"work": 2e6},
        "W is 2000000 cells here and 1000000 cells at 1 GPU",
        {"work": 1e6},
        work=Work(1e6, "cells"),
    ),
    Shown(
        "work-changed",
        strong(run(1, 100.0, work=Work(5, "updates")), run(2, 51.0, work=Work(5, "epochs"))),
        "W is 5 epochs here and 5 updates",
        second(run(2, 51.0)),
        name="another unit",
    ),
    pair(
        "batch-changed",
        {"global_batch": 128},
        "128 here and 64 at 1 GPU. 51 s cover 128",
        {"global_batch": 64},
    ),
    Shown(
        "batch-changed",
        strong(run(1, 100.0, micro_batch=8), run(4, 30.0, micro_batch=8)),
        "The global batch is 32 here and 8 at 1 GPU",
        strong(run(1, 100.0, micro_batch=8, accumulation=4), run(4, 30.0, micro_batch=8, accumulation=1)),
        name="read off the local batch",
    ),
    Shown(
        "batch-changed",
        strong(
            run(4, 9.0, micro_batch=8, accumulation=32, global_batch=1024),
            run(16, 3.0, micro_batch=8, accumulation=32, global_batch=1024),
        ),
        "The global batch is 4096 here and 1024 at 4 GPUs",
        strong(
            run(4, 9.0, micro_batch=8, accumulation=32, global_batch=1024),
            run(16, 3.0, micro_batch=8, accumulation=8, global_batch=1024),
        ),
        name="the accumulation was kept",
    ),
    Shown(
        "updates-skipped",
        second(run(2, 30.0, skipped_updates=3, wall_s=300.0, valid_updates=7)),
        "contains 3 skipped updates. Each valid update took 42.86 s",
        second(run(2, 30.0, skipped_updates=0)),
    ),
    Shown(
        "not-completed",
        second(run(2, 7.0, status="out-of-memory")),
        "2 GPUs ran out of memory",
        second(run(2, 51.0)),
    ),
    Shown(
        "not-completed",
        second(run(2, 7.0, 8.5, status="failed")),
        "7 s, 8.5 s of it stay in the file and do not count.",
        second(run(2, 51.0), run(2, 7.0, status="failed")),
        name="with a time",
    ),
    Shown(
        "not-completed", second(run(2)), "No time yet at 2 GPUs", second(run(2, 51.0), run(2)), name="awaited"
    ),
    Shown(
        "work-not-proportional",
        weak(run(1, 9.0, work=100), run(2, 9.0, work=211)),
        "times the 100 at 1 GPU is 200",
        weak(run(1, 9.0, work=100), run(2, 9.0, work=210)),
    ),
    Shown(
        "work-not-proportional",
        weak(run(1, 9.0, work=100), run(2, 9.0)),
        "W at 2 GPUs is not written",
        weak(run(1, 9.0, work=100), run(2, 9.0, work=200)),
        name="missing",
    ),
    Shown(
        "devices-constant",
        weak(run(4, 1.0, work=1), run(4, 8.0, work=8)),
        "All rows have 4 GPUs",
        weak(run(4, 1.0, work=1), run(8, 1.0, work=2)),
    ),
    Shown(
        "other-work-model",
        weak(run(1, 9.0, work=Work(100, "cells")), run(2, 9.0, work=Work(200, "atoms"))),
        "counted in atoms here and in cells",
        weak(run(1, 9.0, work=Work(100, "cells")), run(2, 9.0, work=200)),
    ),
    Shown(
        "other-work-model",
        weak(run(1, 9.0), run(2, 9.0, work_model=replace(TOKENS, flop_per_unit=7e9)), work_model=TOKENS),
        "flop_per_unit = 7000000000 here and 6000000000",
        weak(run(1, 9.0), run(2, 9.0), work_model=TOKENS),
        name="another model of the work",
    ),
    pair(
        "other-model",
        {"parameters": 13e9},
        "Parameters: 13000000000 here and 7000000000",
        {"parameters": 7e9},
    ),
    pair("other-model", {"routing": "top-1"}, "Routing: top-1 here and top-2", {"routing": "top-2"}),
    pair(
        "time-means-differs",
        {"time_means": "whole job"},
        "whole job here and one update at the baseline",
        {"time_means": "one update"},
    ),
    Shown(
        "layout-product",
        second(run(16, 8.0, dp=4, tp=2)),
        "dp 4 · tp 2 = 8, but the run has 16 devices",
        second(run(16, 8.0, dp=4, tp=2, pp=2, vpp=3)),
    ),
    Shown(
        "layout-product",
        second(run(12, 8.0, tp=8)),
        "tp 8 = 8, but the run has 12",
        second(run(16, 8.0, tp=8)),
        name="without dp",
    ),
    Shown(
        "layout-product",
        second(run(16, 8.0, dp=8, ep=4)),
        "dp 8 = 8, but the run has 16",
        second(run(16, 8.0, dp=8, ep=2), run(16, 8.0, dp=16, ep=8)),
        name="experts",
    ),
    Shown(
        "layout-product",
        second(run(2, 8.0, dp=8), counts="node"),
        "but the run has 16 devices",
        second(run(2, 8.0, dp=16), counts="node"),
        machine=NODES_OF_8,
        name="counted in nodes",
    ),
)
