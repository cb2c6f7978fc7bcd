"""Time, work and device time to a quality target."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tui.model import ratios
from tui.model.ratios import Measurement
from tui.model.seeds import Seed, seed_of
from tui.model.study import Experiment, Run, Study, WorkModel
from tui.model.target import (
    inflation,
    summarise,
    target_table,
    time_to_target,
    work_to_target,
)


def target(*runs, **known):
    return Experiment("target", "loss 2.80", "GPU", run=runs, **known)


SMALL = Run(8, (1.0,), global_batch=256, updates=40000)
LARGE = Run(32, (1.1,), global_batch=1024, updates=16000)


def test_a_fast_step_is_not_the_target():
    """40,000 updates of 256 sequences in 1.00 s on 8 devices, 16,000 of 1024 in 1.10 s on 32."""
    first, second = target_table(target(SMALL, LARGE, time_means="one update")).rows
    assert first.time == 40000
    assert second.time == 17600
    assert second.system_efficiency == Fraction(10, 11)
    assert second.speedup == Fraction(25, 11)
    assert second.target_efficiency == Fraction(25, 44)
    assert (first.work, second.work) == (10_240_000, 16_384_000)
    assert second.inflation == Fraction(8, 5)
    assert second.system_efficiency / second.inflation == second.target_efficiency
    assert first.updates_per_million == Fraction("3906.25")
    assert round(second.updates_per_million) == 977
    assert first.device_hours == Fraction(800, 9)
    assert second.device_hours / first.device_hours == Fraction(176, 100)


# github.com/mlcommons/training_results_v1.0, NVIDIA/results/dgxa100{,_n8}_ngc21.05_pytorch/bert: minutes to
# the target, and samples until then, of ten runs each on 8 and 64 devices.
MINUTES = {
    8: (23.8981, 17.743, 21.5433, 22.9763, 22.6377, 21.6154, 22.4408, 19.8199, 18.9106, 23.5966),
    64: (3.3209, 3.2587, 3.4438, 3.3005, 3.3487, 3.3291, 3.5203, 3.3125, 3.4148, 3.515),
}
SAMPLES = {
    8: (3000256, 2250304, 2850176, 3000256, 2850176, 2700096, 2850176, 2550016, 2400384, 3000256),
    64: (3151872, 3151872, 3326976, 3151872, 3151872, 3151872, 3326976, 3151872, 3326976, 3326976),
}
BERT = target(
    *(
        Run(devices, time_to_target_s=minutes * 60, work_to_target=float(samples), reached=True)
        for devices in (8, 64)
        for minutes, samples in zip(MINUTES[devices], SAMPLES[devices], strict=True)
    )
)


def test_mlperf_bert():
    rows = target_table(BERT, "olympic").rows
    large = rows[1]
    assert round(float(large.system_efficiency), 3) == 0.932
    assert round(float(large.inflation), 3) == 1.159
    assert round(float(large.target_efficiency), 3) == 0.804
    assert large.system_efficiency / large.inflation == large.target_efficiency
    assert float(large.speedup) == pytest.approx(6.430930914238492)
    assert [round(float(row.device_hours), 2) for row in rows] == [2.89, 3.6]
    assert [row.reached_in_words for row in rows] == ["10 of 10 reached"] * 2
    assert [row.spread for row in rows] == [None, None]
    medians = target_table(BERT).rows
    assert float(medians[1].inflation) == pytest.approx(3151872 / 2850176)
    spread = medians[1].spread
    assert (spread.kind, spread.low, spread.high) == (
        "interval",
        pytest.approx(5.852707112167609, rel=1e-6),
        pytest.approx(6.910165413533834, rel=1e-6),
    )


@pytest.mark.parametrize(
    ("values", "how", "expected"),
    [
        ([3, 1, 2], "median", 2),
        ([3, 1, 2, 6], "median", "5/2"),
        ([1, 2, 6], "mean", 3),
        ([9, 1, 2, 6], "olympic", 4),
        ([None, 1, 2], "median", 2),
        ([None, None, 1, 2, 3], "median", 3),
        ([None, None, 1, 2], "median", None),
        ([None, 1, 2], "mean", None),
        ([None, 1, 2, 4], "olympic", 3),
        ([None, None, 1, 2], "olympic", None),
        ([1, 2], "olympic", None),
        ([], "median", None),
        ([None], "median", None),
    ],
)
def test_summaries_rank_what_was_not_reached_as_infinite(values, how, expected):
    numbers = [None if value is None else Fraction(value) for value in values]
    assert summarise(numbers, how) == (None if expected is None else Fraction(expected))


NUMBERS = st.fractions(min_value=Fraction(1, 100), max_value=100)


@given(
    st.lists(st.tuples(NUMBERS, NUMBERS), min_size=3, max_size=6),
    st.sampled_from(["median", "mean", "olympic"]),
)
@settings(max_examples=60, deadline=None)
def test_system_efficiency_over_inflation_is_target_efficiency(seeds, how):
    base = Measurement(8, Fraction(7, 3), Fraction(11, 5))
    found = [Seed(time, work) for time, work in seeds]
    here = Measurement(32, time_to_target(found, how), work_to_target(found, how))
    assert ratios.weak_efficiency(base, here) / inflation(base, here) == ratios.efficiency(base, here)


def reached(*times, devices=8, **known):
    return tuple(
        Run(
            devices,
            time_to_target_s=time,
            reached=time is not None,
            work_to_target=10.0 if time else None,
            **known,
        )
        for time in times
    )


def test_seeds_that_did_not_reach_it_are_never_dropped():
    rows = target_table(target(*reached(100.0), *reached(40.0, None, 30.0, None, 50.0, devices=16))).rows
    assert rows[1].reached_in_words == "3 of 5 reached"
    assert rows[1].time == 50
    assert rows[1].time_range == (30, 50)
    assert rows[1].spread is None
    table = target_table(target(*reached(100.0), *reached(40.0, None, None, devices=16)))
    lost = table.rows[1]
    assert (lost.reached_in_words, lost.time, lost.speedup, lost.throughput) == (
        "1 of 3 reached",
        None,
        None,
        None,
    )
    assert lost.device_hours is None
    assert (
        "16 GPUs: 1 of 3 reached; a seed that did not ranks as infinite, so it has no median time"
        in table.notes
    )


def test_a_time_beside_a_seed_that_did_not_reach_it_is_no_time():
    assert seed_of(Run(8, time_to_target_s=100.0, reached=False), target()) == Seed(None, None, reached=False)
    assert seed_of(Run(8, status="failed"), target()) == Seed(None, None, reached=False)
    assert seed_of(Run(8), target()) is None
    assert seed_of(Run(8, time_to_target_s=0.0, reached=True), target()) is None
    assert seed_of(Run(8, time_to_target_s=100.0), target()).time == 100


def test_steps_are_a_time_only_where_one_time_is_one_update():
    assert seed_of(SMALL, target(time_means="one update")).time == 40000
    assert seed_of(SMALL, target(time_means="whole job")) is None
    notes = target_table(target(SMALL, LARGE)).notes
    assert any("are taken as those of one update (time_means is not written)" in note for note in notes)


def test_what_is_said_beside_the_rows():
    table = target_table(
        target(*reached(100.0, global_batch=256), Run(16, global_batch=512), *reached(50.0, devices=32)),
        "olympic",
    )
    joined = "\n".join(table.notes)
    assert "8 GPUs: the olympic mean drops the fastest and the slowest seed and needs 3, not 1" in joined
    assert "16 GPUs: 1 run has no time to the target above 0 yet" in joined
    assert "one seed says nothing about the next" in joined
    assert "the global batch differs (256, 512): another optimization trajectory" in joined
    assert table.base is None


def test_work_that_nobody_wrote_gives_no_inflation():
    table = target_table(target(*reached(100.0), Run(16, time_to_target_s=60.0)))
    row = table.rows[1]
    assert row.speedup == Fraction(5, 3)
    assert (row.inflation, row.system_efficiency, row.throughput) == (None, None, None)
    assert "16 GPUs: the work to the target is not written, so no throughput and no inflation" in table.notes


def test_baseline_as_written_else_the_smallest_with_a_time():
    runs = (*reached(None, devices=4), *reached(100.0), *reached(60.0, devices=16))
    assert target_table(target(*runs)).base.devices == 8
    table = target_table(target(*runs, baseline=16))
    assert table.base.devices == 16
    assert table.rows[1].target_efficiency == Fraction(6, 5)


def test_configurations_at_one_count_stay_apart():
    runs = (*reached(100.0, 110.0, schedule="cosine"), *reached(90.0, schedule="linear", label="b"))
    table = target_table(target(*runs, Run(8, time_to_target_s=1.0, withdrawn="wrong data")))
    assert [(row.schedule, row.time) for row in table.rows] == [("cosine", 105), ("linear", 90)]
    assert table.withdrawn == 1


def test_the_weak_efficiency_of_the_same_pair():
    weak = Experiment(
        "weak",
        "steps",
        run=(Run(8, (1.0,), global_batch=256), Run(32, (1.1,), global_batch=1024)),
        work_model=WorkModel(per_device=32.0, of="sequences"),
    )
    goal = target(SMALL, LARGE, time_means="one update")
    row = target_table(goal, beside=Study(experiment=(weak, goal))).rows[1]
    assert row.weak_efficiency == pytest.approx(10 / 11)
    assert target_table(goal).rows[1].weak_efficiency is None
    other = target(SMALL, Run(32, (1.1,), global_batch=2048, updates=16000))
    assert target_table(other, beside=Study(experiment=(weak, other))).rows[1].weak_efficiency is None
    far = target(Run(4, (1.0,), global_batch=256, updates=40000), LARGE)
    assert target_table(far, beside=Study(experiment=(weak, far))).rows[1].weak_efficiency is None


def test_other_families_have_no_target():
    with pytest.raises(ValueError, match="a strong experiment has no quality target"):
        target_table(Experiment("strong", "x"))
