"""What W is, what a family refuses, and what the machine says of a row: places, charge, memory."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.model.study_builders import TOKENS, row_at, run, sentence, strong, weak
from tui.model.scaling import table, tables
from tui.model.study import Domain, Experiment, Machine, Run, Study, Work, WorkModel

# ------------------------------------------------------------------------------------ families and work


def test_weak_work_that_did_not_grow_is_refused_with_the_strong_number() -> None:
    got = table(weak(run(1, 10.0, work=1e6), run(2, 5.2, work=1e6), run(4, 2.8, work=1e6)))
    told = sentence(row_at(got, 4), "work-not-proportional")
    assert row_at(got, 4).efficiency is None
    assert "4/1 times the 1000000 at 1 GPU is 4000000" in told
    assert "strong scaling with an efficiency of 0.893" in told


def test_weak_work_within_five_percent_counts_the_work_done() -> None:
    got = table(weak(run(1, 10.0, work=100), run(2, 10.0, work=206), run(4, 10.0, work=401)))
    assert row_at(got, 2).efficiency == pytest.approx(1.03)
    assert "+3.0 %" in sentence(row_at(got, 2), "work-differs-slightly")
    assert row_at(got, 4).efficiency == pytest.approx(1.0025)
    assert "work-differs-slightly" not in row_at(got, 4).codes


def test_weak_on_a_fixed_count_is_refused() -> None:
    got = table(weak(run(4, 1.0, work=1), run(4, 7.8, work=8), run(4, 63.0, work=64)))
    assert all(row.efficiency is None and "devices-constant" in row.codes for row in got.rows)
    assert "All rows have 4 GPU" in sentence(got, "devices-constant")
    assert got.baseline is not None
    assert got.baseline.devices == 4


@pytest.mark.parametrize(
    ("experiment", "words", "work"),
    [
        (weak(run(8, 1.0), run(16, 1.1)), "W = D assumed: no work is written", Work(16)),
        (
            weak(run(8, 1.0, global_batch=64), run(16, 1.1, global_batch=128)),
            "W = global batch, in sequences",
            Work(128, "sequences"),
        ),
        (
            weak(*(run(d, 1.0, micro_batch=2, sequence_length=4096) for d in (8, 16))),
            "W = global batch, in tokens",
            Work(32 * 4096, "tokens"),
        ),
        (weak(run(8, 1.0), run(16, 1.1), work_model=TOKENS), "32000 tokens per GPU", Work(512000, "tokens")),
        (
            weak(run(8, 1.0, work=256000), run(16, 1.1, work=512000), work_model=WorkModel(of="tokens")),
            "W as written with every row",
            Work(512000, "tokens"),
        ),
        (
            strong(run(16, 1.0), work=Work(4194304, "tokens", 1024, "all 4096", "AdamW, one valid update")),
            "W = 4194304 tokens (1024 sequences; all 4096; AdamW, one valid update)",
            Work(4194304, "tokens", 1024, "all 4096", "AdamW, one valid update"),
        ),
        (strong(run(16, 1.0)), "W is not written: taken to be the same in all rows", None),
        (
            strong(run(16, 1.0, micro_batch=2, accumulation=4, tp=2, pp=2)),
            "W = one global batch of 32 sequences",
            Work(32, "sequences"),
        ),
        (
            strong(run(16, 1.0, global_batch=512)),
            "W = one global batch of 512 sequences",
            Work(512, "sequences"),
        ),
    ],
)
def test_the_work_is_always_stated(experiment: Experiment, words: str, work: Work | None) -> None:
    got = table(experiment)
    assert got.work == words
    assert row_at(got, 16).work == work


def test_a_work_that_was_declared_for_all_is_not_said_to_stand_with_the_rows() -> None:
    tokens = Work(4194304, "tokens")
    sizes = Experiment("model-size", "sizes", run=(run(16, 1.0), run(16, 2.0)), work=tokens)
    assert table(sizes).work == "W = 4194304 tokens"
    assert table(replace(sizes, family="weak")).work == "W = 4194304 tokens"
    some = replace(sizes, run=(run(16, 1.0), run(16, 2.0, work=99)))
    assert table(some).work == "W as written with its row, else W = 4194304 tokens"
    assert table(replace(some, work=None)).work == "W as written with its row, not with all"
    assert table(weak()).work == "W = D assumed: no work is written"
    assert table(Experiment("model-size", "sizes", run=(run(16, 1.0),))).work == "W is not written"


def test_strong_ratios_weigh_no_work_because_it_is_the_same() -> None:
    row = row_at(strong(run(1, 100.0, work=5.0), run(2, 50.0)), 2)
    assert (row.efficiency, row.relative_cost, row.per_doubling) == (1.0, 1.0, 2.0)


def test_one_experiment_read_as_another_family() -> None:
    runs = (run(1, 9.985238), run(2, 11.508905))
    assert row_at(table(strong(*runs)), 2).efficiency == pytest.approx(0.4338, abs=1e-4)
    assert row_at(table(strong(*runs), family="weak"), 2).efficiency == pytest.approx(0.8676, abs=1e-4)


def test_time_to_target_has_another_table() -> None:
    target = Experiment("target", "to loss 2.0")
    with pytest.raises(ValueError, match="table of its own"):
        table(target)
    others = strong(run(1, 9.0)), target, weak(run(1, 9.0))
    assert [each.name for each in tables(Study(experiment=others))] == ["strong", "weak"]


def test_model_sizes_have_their_achieved_rate_and_no_efficiency() -> None:
    got = table(
        Experiment(
            "model-size",
            "models",
            peak_flops_per_device=312e12,
            run=tuple(
                run(d, 10.0, work=1e6, parameters=p, work_model=WorkModel(flop_per_unit=6 * p))
                for d, p in ((32, 1.7e9), (64, 3.6e9))
            ),
        )
    )
    row = row_at(got, 64)
    assert row.flops_per_device == pytest.approx(1e6 * 6 * 3.6e9 / 64 / 10)
    assert row.peak_share == pytest.approx(1e6 * 6 * 3.6e9 / 64 / 10 / 312e12)
    assert row.efficiency_by_arithmetic == pytest.approx(3.6 / 1.7 / 2)
    assert (row.efficiency, row.speedup, row.per_doubling, row.spread) == (None,) * 4
    assert "other-model" not in row.codes


def test_a_rate_is_never_that_of_work_that_was_not_done() -> None:
    of = Work(2048, "sequences", 2048)
    got = table(strong(run(4, 40.0, global_batch=2048), run(8, 21.0, global_batch=1024), work=of))
    assert row_at(got, 4).rate == pytest.approx(51.2)
    assert row_at(got, 8).rate is None
    skipped = table(weak(run(4, 40.0), run(8, 21.0, skipped_updates=3), work_model=TOKENS))
    assert row_at(skipped, 8).rate is None


# ------------------------------------------------------------------------------------ machine and charge

CLUSTER = Machine(
    devices_per_node=8,
    domains=(Domain("NVLink node", 8), Domain("leaf switch", 128)),
    charged="node",
    price=2.0,
)


def test_the_ladder_places_the_rows() -> None:
    got = table(strong(*(run(d, 512 / d) for d in (2, 4, 8, 16, 64, 128, 256))), CLUSTER)
    assert [row.place.name for row in got.rows] == ["NVLink node"] * 3 + ["leaf switch"] * 3 + [
        "beyond leaf switch"
    ]
    assert [row.devices for row in got.rows if "domain-crossed" in row.codes] == [16, 64, 128, 256]
    assert [row.devices for row in got.rows if row.per_doubling is None] == [2, 16, 256]
    assert [[got.rows[place].devices for place in line] for line in got.trends] == [[2, 4, 8], [16, 64, 128]]
    assert [(each.name, each.devices) for each in got.boundaries] == [
        ("NVLink node", 8),
        ("leaf switch", 128),
    ]


def test_a_job_spread_over_more_nodes_reaches_further() -> None:
    got = table(strong(run(4, 10.0), run(8, 6.0, nodes=1), run(8, 7.0, nodes=2)), CLUSTER)
    assert [row.place.name for row in got.rows] == ["NVLink node", "NVLink node", "leaf switch"]


def test_counts_of_nodes_reach_as_far_as_their_devices() -> None:
    got = table(strong(*(run(d, 64 / d) for d in (1, 2, 16, 32)), counts="node"), CLUSTER)
    assert [row.place.name for row in got.rows] == ["NVLink node", *["leaf switch"] * 2, "beyond leaf switch"]
    assert [each.devices for each in got.boundaries] == [1, 16]


@pytest.mark.parametrize(
    ("machine", "counts", "hours"),
    [
        (CLUSTER, "GPU", 16 * 36 / 3600),
        (replace(CLUSTER, charged="device"), "GPU", 12 * 36 / 3600),
        (CLUSTER, "node", 12 * 8 * 36 / 3600),
        (replace(CLUSTER, devices_per_node=None), "GPU", None),
        (Machine(), "GPU", None),
    ],
)
def test_what_is_charged(machine: Machine, counts: str, hours: float | None) -> None:
    row = row_at(table(strong(run(12, 36.0), counts=counts), machine), 12)
    assert row.charged_hours == (None if hours is None else pytest.approx(hours))
    assert row.price == (None if hours is None else pytest.approx(2 * hours))


def test_memory_and_the_largest_stage() -> None:
    row = row_at(
        strong(
            run(8, 10.0, memory_gib=60.0, stages_s={"compute": 7.0, "communication": 2.0}),
            run(8, 10.0, memory_gib=61.0, stages_s={"compute": 1.0, "communication": 4.0}),
            memory_per_device_gib=80,
        ),
        8,
    )
    assert row.memory_share == pytest.approx(61 / 80)
    assert row.largest_stage == "compute"


def test_a_growing_batch_tells_the_speedup_to_the_target_of_the_same_pair() -> None:
    batches = weak(run(8, 1.0, global_batch=256), run(32, 1.1, global_batch=1024))
    target = Experiment(
        "target",
        "to loss 2.0",
        run=(Run(8, time_to_target_s=40000.0), Run(32, time_to_target_s=17600.0)),
    )
    (got,) = tables(Study(experiment=(batches, target)))
    said = sentence(row_at(got, 32), "batch-grows")
    assert "Speedup to the target (to loss 2.0): 2.273, 0.568 per device; the global batch" in said
    assert "Speedup to" not in sentence(row_at(batches, 32), "batch-grows")
    lost = replace(target, run=(*target.run[:1], Run(32, reached=False, time_to_target_s=9000.0)))
    (got,) = tables(Study(experiment=(batches, lost)))
    assert "it did not reach the target" in sentence(row_at(got, 32), "batch-grows")
    # The time of updates counts as well; another batch at the same count is another pair.
    stepped = replace(
        target,
        run=(
            Run(8, (1.0,), updates=40000, global_batch=256),
            Run(32, (1.1,), updates=8000, global_batch=2048),
            Run(32, (1.1,), updates=16000, global_batch=1024),
        ),
    )
    (got,) = tables(Study(experiment=(batches, stepped)))
    assert ": 2.273, 0.568 per device;" in sentence(row_at(got, 32), "batch-grows")
    (got,) = tables(Study(experiment=(batches, replace(stepped, run=stepped.run[:2]))))
    assert "Speedup to" not in sentence(row_at(got, 32), "batch-grows")
