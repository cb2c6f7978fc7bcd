"""For every flag that warns or notes: rows that have it, and near ones that must not."""

from __future__ import annotations

from tests.model.flag_cases import FIVE, LADDER, NODES_OF_8, Shown, pair, second
from tests.model.study_builders import TOKENS, jobs, run, strong, weak
from tui.model.study import Stage, Work

WARNS = (
    Shown(
        "above-one-unexplained",
        second(run(2, 40.0)),
        "Efficiency 1.250 is above one and unexplained",
        second(run(2, 50.0)),
    ),
    Shown(
        "above-one-unexplained",
        strong(*jobs(1, *FIVE), *jobs(2, 40.0, 40.2, 39.8, 40.1, 39.9)),
        "Efficiency 1.250",
        strong(*jobs(1, *FIVE), *jobs(2, 49.5, 51.0, 49.0, 49.8, 50.5)),
        name="five jobs",
    ),
    Shown(
        "above-one-unexplained",
        second(run(2, 40.0)),
        "write the cause",
        second(run(2, 40.0, cause="cache")),
        name="a cause was written",
    ),
    Shown(
        "gain-above-ideal",
        second(run(2, 60.0), run(4, 28.0)),
        "× 2.143 per doubling from 2 to 4 GPUs",
        second(run(2, 60.0), run(4, 30.0)),
    ),
    Shown(
        "gain-above-ideal",
        strong(*jobs(1, *FIVE), *jobs(2, 40.0, 40.2, 39.8, 40.1, 39.9)),
        "× 2.500",
        strong(*jobs(1, *FIVE), *jobs(2, 49.5, 51.0, 49.0, 49.8, 50.5)),
        name="five jobs",
    ),
    Shown(
        "gain-above-ideal",
        strong(*jobs(1, 100.0, 110.0), *jobs(2, 49.0, 49.5)),
        "× 2.132",
        strong(*jobs(1, 90.0, 110.0), *jobs(2, 48.0, 49.0)),
        name="two jobs",
    ),
    Shown(
        "gain-above-ideal",
        weak(run(1, 10.0, work=100), run(2, 9.9, work=200)),
        "× 2.020",
        weak(run(1, 10.0, work=100), run(2, 10.1, work=200)),
        name="weak",
    ),
    Shown(
        "domain-crossed",
        second(run(9, 12.0)),
        "switch here, node at the baseline",
        second(run(8, 13.0)),
        LADDER,
    ),
    Shown(
        "domain-crossed",
        strong(run(4, 64.0, domain="one"), run(8, 41.0, domain="two")),
        "two here, one at the",
        strong(run(4, 64.0, domain="two"), run(8, 33.0, domain="two")),
        name="named",
    ),
    Shown(
        "domain-crossed",
        second(run(2, 60.0, nodes=2)),
        "several nodes here",
        second(run(2, 60.0, nodes=1)),
        machine=NODES_OF_8,
        name="nodes",
    ),
    pair(
        "local-shape-changed",
        {"local_shape": "64×32×64"},
        "local-shape 64×64×64 → 64×32×64",
        {"local_shape": "64×64×64"},
    ),
    pair(
        "local-shape-changed", {"micro_batch": 2, "dp": 2}, "micro-batch 4 → 2", {"micro_batch": 4, "dp": 1}
    ),
    Shown(
        "local-batch-mismatch",
        second(run(2, 51.0, dp=2, micro_batch=4, accumulation=8, global_batch=128)),
        "2 replicas · micro-batch 4 · accumulation 8 = 64, but the global batch says 128",
        second(run(2, 51.0, dp=2, micro_batch=4, accumulation=8, global_batch=64)),
    ),
    Shown(
        "arithmetic-changed",
        weak(run(8, 12.0, sequence_length=2000), run(64, 21.0, sequence_length=8000), work_model=TOKENS),
        "1.429 times the baseline's arithmetic. Efficiency 0.571 by tokens, 0.816 by arithmetic",
        weak(run(8, 12.0, sequence_length=2000), run(64, 15.0, sequence_length=2100), work_model=TOKENS),
    ),
    pair(
        "sequences-changed",
        {"sequence_length": 8192},
        "Sequences are 8192 long here and 4096",
        {"sequence_length": 4096},
    ),
    Shown(
        "sequences-changed",
        weak(run(8, 12.0, sequence_length=2000), run(64, 21.0, sequence_length=8000)),
        "declare a work model",
        weak(run(8, 12.0, sequence_length=2000), run(64, 21.0, sequence_length=8000), work_model=TOKENS),
        name="weak, the arithmetic unknown",
    ),
    Shown(
        "sequences-changed",
        strong(
            run(1, 100.0, work=Work(64, "sequences", lengths="all 4096")),
            run(2, 51.0, work=Work(64, "sequences", lengths="packed")),
        ),
        "packed here, all 4096 at the baseline",
        strong(run(1, 100.0), run(2, 51.0), work=Work(64, "sequences", lengths="packed")),
        name="in words",
    ),
    pair(
        "iterations-changed",
        {"extra": {"iterations": 46}},
        "46 iterations here and 15",
        {"extra": {"iterations": 15}},
    ),
    Shown(
        "noisy",
        second(*jobs(2, 50.0, 56.0)),
        "range of 2 jobs is 11 % of their median (50 s to 56 s)",
        second(*jobs(2, 50.0, 55.0)),
    ),
    Shown(
        "noisy",
        second(*jobs(2, 40.0, 44.0, 50.0, 56.0, 60.0)),
        "middle half of 5 jobs is 24 %",
        second(*jobs(2, 40.0, 49.0, 50.0, 51.0, 60.0)),
        name="five jobs",
    ),
    Shown(
        "outlier",
        second(*jobs(2, 50.0, 50.1, 49.9, 50.2, 70.0)),
        "70 s lies far from the median 50.1 s of 5 jobs",
        second(*jobs(2, 50.0, 50.1, 49.9, 50.2, 50.3)),
    ),
    Shown(
        "outlier",
        second(*jobs(2, 50.0, 50.1, 49.9, 50.2, 70.0)),
        "modified z",
        second(*jobs(2, 50.1, 49.9, 50.2, 70.0)),
        name="from five jobs on",
    ),
    Shown(
        "below-timer-resolution",
        strong(run(1, 100.0), run(4, 25.0), run(32, 4.0)),
        "4 s with times read to 1 s: one step of the clock is 25 %",
        strong(run(1, 100.0), run(4, 50.0), run(8, 40.0)),
        name="round seconds",
    ),
    Shown(
        "below-timer-resolution",
        strong(run(1, 0.02), run(2, 0.009), run(4, 0.0)),
        "The time is 0 s",
        strong(run(1, 0.02), run(2, 0.01), run(4, 0.0112)),
    ),
    Shown(
        "below-timer-resolution",
        strong(run(1, 0.02), run(2, 0.009)),
        "0.009 s with times read to 0.001 s: one step of the clock is 11 %",
        strong(run(1, 0.021), run(2, 0.010)),
        name="coarse",
    ),
    Shown(
        "derived-clash",
        second(run(2, 50.0, extra={"Efficiency (%)": "89 %"})),
        "Efficiency (%) 89 % was imported; its own times give 1.000",
        second(run(2, 50.0, extra={"Efficiency (%)": "99.6", "speedup": 2, "ideal speedup": 4})),
    ),
    Shown(
        "derived-clash",
        second(run(2, 50.0, extra={"speedup": "1.90x"})),
        "speedup 1.90x was imported",
        second(run(2, 50.0, extra={"speedup": "2.0x", "parallel_efficiency": 100.4, "energy_efficiency": 3})),
        name="speedup",
    ),
    Shown(
        "sparse-peak",
        second(
            run(2, 50.0),
            work=Work(1, "update"),
            flop_per_unit=4e16,
            peak_flops_per_device=1979e12,
            peak_source="H100, sparse BF16",
        ),
        "20.2 % of peak is of 'H100, sparse BF16'",
        second(
            run(2, 50.0),
            work=Work(1, "update"),
            flop_per_unit=4e16,
            peak_flops_per_device=989e12,
            peak_source="H100, dense BF16",
        ),
    ),
    Shown(
        "sparse-peak",
        second(
            run(2, 50.0, extra={"mfu": "40.4%"}),
            work=Work(1, "update"),
            flop_per_unit=4e16,
            peak_flops_per_device=1979e12,
        ),
        "mfu 40.4% was imported, 20.2 % of peak computed",
        second(
            run(2, 50.0, extra={"mfu": "40.4%"}),
            work=Work(1, "update"),
            flop_per_unit=4e16,
            peak_flops_per_device=989e12,
        ),
        name="imported share",
    ),
    Shown(
        "sparse-peak",
        second(run(2, 50.0), work=Work(1, "update"), flop_per_unit=4e16, peak_flops_per_device=3e14),
        "133.3 % of peak cannot be",
        second(run(2, 50.0), work=Work(1, "update"), flop_per_unit=4e16, peak_flops_per_device=4e14),
        name="above 1",
    ),
    Shown(
        "over-memory",
        second(run(2, 51.0, memory_gib=80.5), memory_per_device_gib=80),
        "80.5 GiB on one device is above its 80 GiB",
        second(run(2, 51.0, memory_gib=80.0), memory_per_device_gib=80),
    ),
    Shown(
        "idle-devices",
        second(run(12, 10.0)),
        "4 of the 16 devices of 2 nodes stood idle, and they are charged",
        second(run(16, 8.0)),
        NODES_OF_8,
    ),
    Shown(
        "overhead-bound",
        second(
            run(2, 51.0, stages_s={"compute": 20.0, "host": 12.0, "setup": 9.0}),
            stages=(Stage("setup", "fixed"),),
        ),
        "host and setup take 21 s, more than any other stage (20 s)",
        second(run(2, 51.0, stages_s={"compute": 20.0, "host": 12.0, "setup": 9.0})),
    ),
)

NOTES = (
    Shown(
        "one-job",
        second(run(2, 51.0, 52.0)),
        "one job: its steps say nothing about the next",
        strong(*jobs(1, 100.0, 101.0), *jobs(2, 51.0, 52.0)),
    ),
    Shown(
        "one-job",
        second(*jobs(2, 51.0, 52.0)),
        "No interval at the baseline: one job",
        second(),
        name="baseline",
    ),
    Shown(
        "few-jobs",
        strong(*jobs(1, 100.0, 101.0), *jobs(2, 51.0, 52.0, 53.0)),
        "2 jobs: the efficiency ranges from 0.943 to 0.990",
        strong(*jobs(1, *FIVE), *jobs(2, *FIVE)),
    ),
    Shown(
        "above-one-within-spread",
        strong(*jobs(1, *FIVE), *jobs(2, 49.5, 51.0, 49.0, 49.8, 50.5)),
        "Efficiency 1.004 is above one within its spread: 95 % interval",
        strong(*jobs(1, *FIVE), *jobs(2, 40.0, 40.2, 39.8, 40.1, 39.9)),
    ),
    Shown(
        "above-one-explained",
        second(run(2, 40.0, cause="fits the cache")),
        "Cause written: fits the cache",
        second(run(2, 50.0, cause="fits the cache")),
    ),
    Shown(
        "batch-grows",
        weak(run(8, 1.0, global_batch=256), run(32, 1.1, global_batch=1024)),
        "grows from 256 to 1024",
        weak(run(8, 1.0, work=8, global_batch=256), run(32, 1.1, work=32, global_batch=256)),
    ),
    Shown(
        "layout-differs",
        strong(run(8, 9.0, nodes=1, tp=2, ranks=8), run(16, 5.0, nodes=4, tp=4, ranks=32)),
        "tp 2 → 4, GPU per node 8 → 4, ranks per GPU 1 → 2",
        strong(run(8, 9.0, nodes=1, tp=2, ranks=8), run(16, 5.0, nodes=2, tp=2, ranks=16)),
    ),
    Shown(
        "work-differs-slightly",
        weak(run(1, 9.0, work=1000), run(2, 9.0, work=1976)),
        "988 here and 1000 at the baseline (-1.2 %)",
        weak(run(1, 9.0, work=1000), run(2, 9.0, work=1980)),
        name="less",
    ),
    Shown(
        "work-differs-slightly",
        weak(run(1, 9.0, work=100), run(2, 9.0, work=206)),
        "103 here and 100",
        weak(run(1, 9.0, work=100), run(2, 9.0, work=202)),
    ),
    Shown(
        "withdrawn",
        second(run(2, 51.0), run(2, 80.0, withdrawn="sick node")),
        "1 run withdrawn and not in T",
        second(run(2, 51.0), run(2, 80.0)),
    ),
)
