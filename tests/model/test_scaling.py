"""Strong, weak and model-size tables: rows, baseline, ratios, what is refused, what does not matter."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.model.study_builders import TOKENS, jobs, row_at, run, sentence, strong, weak
from tui.model.samples import samples
from tui.model.scaling import table
from tui.model.study import Experiment, Machine, Run, Work

# ------------------------------------------------------------------------- the exercises' own data sets

CLAIMED = strong(
    run(4, 40.0, global_batch=2048),
    run(8, 21.0, global_batch=1024),
    run(16, 11.6, global_batch=512),
    baseline=4,
)
FIXED = strong(
    run(4, 40.0, global_batch=2048, micro_batch=16, accumulation=32),
    run(8, 22.4, global_batch=2048, micro_batch=16, accumulation=16),
    run(16, 13.2, global_batch=2048, micro_batch=16, accumulation=8),
    baseline=4,
)
ABOVE_ONE = strong(run(1, 120.0), run(2, 56.0), run(4, 31.0), run(8, 17.5))
PLACED = strong(
    run(4, 64.0, domain="one domain"),
    run(8, 33.0, domain="one domain"),
    run(8, 41.0, domain="two domains"),
    run(16, 21.0, domain="two domains"),
)
SMALL_MATRICES = strong(run(4, 1.0), run(32, 4 / 19), work=Work(1, "update"), flop_per_unit=1280e12)
WEAK_TOKENS = weak(
    *(run(d, t, sequence_length=2000) for d, t in ((8, 12.0), (16, 12.6), (32, 13.5), (64, 15.0))),
    run(64, 21.0, sequence_length=8000),
    work_model=TOKENS,
)


def test_a_batch_that_shrank_has_no_strong_efficiency() -> None:
    got = table(CLAIMED)
    for row, time in zip(got.rows[1:], (21.0, 11.6), strict=True):
        assert row.time_s == time
        assert (row.speedup, row.efficiency, row.per_doubling, row.relative_cost, row.karp_flatt) == (
            None,
        ) * 5
        assert not row.comparable
        assert row.blocked
        assert row.codes[0] == "batch-changed"
    assert sentence(row_at(got, 8), "batch-changed") == (
        "The global batch is 1024 here and 2048 at 4 GPUs. 21 s cover only 1024; at this pace 2048 take "
        "42 s. "
        "Keep 2048, for example by accumulating, to compare."
    )


def test_the_batch_kept_gives_an_efficiency_and_notes_the_accumulation() -> None:
    row = row_at(FIXED, 16)
    assert row.efficiency == pytest.approx(0.758, abs=5e-4)
    assert "accumulation 32 → 8" in sentence(row, "local-shape-changed")
    assert row.comparable


def test_above_one_is_shown_flagged_and_depends_on_the_baseline() -> None:
    got = table(ABOVE_ONE)
    assert row_at(got, 2).efficiency == pytest.approx(15 / 14)
    assert "1.071" in sentence(row_at(got, 2), "above-one-unexplained")
    assert row_at(got, 8).efficiency == pytest.approx(0.857, abs=5e-4)
    assert row_at(table(ABOVE_ONE, baseline=2), 8).efficiency == pytest.approx(0.80)


def test_below_the_baseline_an_efficiency_above_one_needs_no_cause() -> None:
    row = row_at(table(ABOVE_ONE, baseline=4), 1)
    assert row.efficiency == pytest.approx(124 / 120)
    assert "above-one-unexplained" not in row.codes


def test_placement_makes_two_rows_of_one_count() -> None:
    got = table(PLACED)
    packed, spread = row_at(got, 8, 0), row_at(got, 8, 1)
    assert (packed.layout, spread.layout) == ("one domain", "two domains")
    assert packed.efficiency == pytest.approx(0.970, abs=5e-4)
    assert spread.efficiency == pytest.approx(0.780, abs=5e-4)
    assert "domain-crossed" not in packed.codes
    assert "domain-crossed" in spread.codes
    assert "domain-crossed" in row_at(got, 16).codes
    # The last doubling is told from the row in the same domain, and nothing is joined across.
    assert row_at(got, 16).per_doubling == pytest.approx(41 / 21)
    assert spread.per_doubling is None
    assert got.trends == ()


def test_small_matrices_show_in_the_achieved_rate() -> None:
    got = table(SMALL_MATRICES)
    assert row_at(got, 32).efficiency == pytest.approx(0.594, abs=5e-4)
    assert row_at(got, 4).flops_per_device == pytest.approx(320e12)
    assert row_at(got, 32).flops_per_device == pytest.approx(190e12)


def test_weak_rows_by_work_and_by_arithmetic() -> None:
    got = table(WEAK_TOKENS)
    assert row_at(got, 32).efficiency == pytest.approx(8 / 9)
    plain, longer = row_at(got, 64, 0), row_at(got, 64, 1)
    assert plain.efficiency == pytest.approx(0.80)
    assert plain.work == Work(2_048_000, "tokens")
    assert "arithmetic-changed" not in plain.codes
    assert longer.efficiency == pytest.approx(0.571, abs=5e-4)
    assert longer.efficiency_by_arithmetic == pytest.approx(0.816, abs=5e-4)
    assert longer.arithmetic_ratio == pytest.approx(10 / 7)
    told = sentence(longer, "arithmetic-changed")
    assert "1.429 times" in told
    assert "0.571 by tokens, 0.816 by arithmetic" in told
    # Rows of another sequence length are no step up from each other, and no line joins them.
    assert longer.per_doubling is None
    assert [[got.rows[place].time_s for place in line] for line in got.trends] == [[12.0, 12.6, 13.5, 15.0]]


def test_a_line_joins_one_sequence_length_and_the_best_layout_of_each_count() -> None:
    lengths = weak(
        *(run(d, t, sequence_length=2000) for d, t in ((8, 12.0), (16, 12.6), (32, 13.5))),
        run(32, 12.1, sequence_length=1000),
        work_model=TOKENS,
    )
    layouts = strong(
        run(8, 10.0, tp=1), run(16, 6.0, tp=1), run(16, 5.5, tp=2), run(16, 5.8, tp=4), run(32, 3.0, tp=1)
    )
    for experiment, times in ((lengths, [12.0, 12.6, 13.5]), (layouts, [10.0, 5.5, 3.0])):
        got = table(experiment)
        assert [[got.rows[place].time_s for place in line] for line in got.trends] == [times]


# --------------------------------------------------------------------------------------- jobs and steps


def test_steps_of_one_job_never_pose_as_repeats() -> None:
    row = row_at(
        strong(*jobs(1, 100.0, 101.0, 99.0, 100.0, 102.0), run(2, 50.0, 50.1, 49.9, 50.0, 50.2, 50.1)), 2
    )
    assert (row.jobs, row.steps) == (1, 6)
    assert row.efficiency_interval is None
    assert row.efficiency_range is None
    assert row.spread is not None
    assert row.spread.words == "one job: its steps say nothing about the next"
    assert "one job" in sentence(row, "one-job")
    assert not {"noisy", "outlier", "few-jobs"} & set(row.codes)


def test_time_is_the_median_of_medians_and_cost_the_mean() -> None:
    row = row_at(strong(run(8, 10.0, 11.0, 30.0), run(8, 12.0), run(8, 14.0, 16.0)), 8)
    assert row.time_s == 12.0
    assert (row.time_min_s, row.time_max_s, row.steps) == (10.0, 30.0, 6)
    assert row.time_mean_s == pytest.approx((17 + 12 + 15) / 3)
    assert row.device_seconds == pytest.approx(8 * (17 + 12 + 15) / 3)


def test_five_jobs_on_each_side_give_an_interval_of_the_efficiency() -> None:
    base = jobs(152, 1883.0, 1680.0, 1934.0, 1720.0, 1791.0)
    got = table(strong(*base, *jobs(298, 1770.0, 1603.0, 1557.0, 1459.0, 1506.0)))
    low, high = row_at(got, 298).efficiency_interval or (0, 0)
    assert low == pytest.approx(1.011864406779661 * 152 / 298, rel=1e-9)
    assert high == pytest.approx(1.2841965471447543 * 152 / 298, rel=1e-9)
    assert "5 jobs" in got.shared_noise
    assert row_at(got, 152).spread is None


def test_the_range_of_a_weak_efficiency_counts_the_work_too() -> None:
    row = row_at(weak(*jobs(1, 10.0, 10.2, work=100), *jobs(2, 10.5, 11.0, work=204)), 2)
    assert row.efficiency_range == (pytest.approx(1.02 * 10.0 / 11.0), pytest.approx(1.02 * 10.2 / 10.5))


def test_no_word_of_shared_noise_where_no_spread_is_shown() -> None:
    assert table(ABOVE_ONE).shared_noise == ""


def test_failed_and_withdrawn_jobs_stay_in_the_row_and_out_of_the_time() -> None:
    got = table(
        strong(
            run(1, 100.0),
            run(2, 50.0),
            run(2, 51.0, status="failed"),
            run(2, 90.0, withdrawn="sick node"),
        )
    )
    row = row_at(got, 2)
    assert (row.time_s, row.jobs, len(row.runs)) == (50.0, 1, 4 - 1)
    assert sentence(row, "withdrawn") == "1 run withdrawn and not in T: sick node."
    assert "not-completed" not in row.codes
    assert got.withdrawn == 1


def test_a_row_waits_for_its_time() -> None:
    row = row_at(strong(run(1, 100.0), run(2)), 2)
    assert (row.time_s, row.jobs, row.comparable) == (None, 0, False)
    assert "No time yet at 2 GPUs" in sentence(row, "not-completed")


def test_a_wall_time_stands_for_the_whole_job_only() -> None:
    whole = strong(Run(1, wall_s=100.0), Run(2, wall_s=60.0), time_means="whole job")
    assert row_at(whole, 2).efficiency == pytest.approx(100 / 120)
    assert row_at(replace(whole, time_means="one update"), 2).time_s is None


def test_runs_of_different_work_are_never_one_row() -> None:
    got = samples(
        strong(run(8, 10.0, global_batch=64), run(8, 20.0, global_batch=128), run(8, 10.2, global_batch=64))
    )
    assert [(sample.run.global_batch, len(sample.jobs)) for sample in got] == [(64, 2), (128, 1)]


def test_a_job_with_skipped_updates_does_not_spoil_the_row_of_the_others() -> None:
    got = table(strong(run(1, 100.0), run(2, 52.0), run(2, 31.0, skipped_updates=4), run(2, 54.0)))
    clean, skipped = row_at(got, 2, 0), row_at(got, 2, 1)
    assert (clean.time_s, clean.jobs, clean.comparable) == (53.0, 2, True)
    assert (skipped.time_s, skipped.comparable) == (31.0, False)


def test_the_gain_per_doubling_is_told_from_the_same_layout_where_there_is_one() -> None:
    got = table(strong(run(8, 10.0, tp=2), run(16, 4.0, tp=2), run(16, 6.0, tp=4), run(32, 3.0, tp=4)))
    assert row_at(got, 32).per_doubling == pytest.approx(2.0)
    other = table(strong(run(8, 10.0, tp=2), run(16, 5.0, tp=2), run(16, 6.0, tp=4), run(32, 3.0, tp=8)))
    assert row_at(other, 32).per_doubling == pytest.approx(5 / 3)


# --------------------------------------------------------------------------------------------- baseline


def test_a_row_without_its_work_is_no_weak_baseline() -> None:
    got = table(weak(run(1, 9.0), run(2, 9.0, work=200), run(4, 9.9, work=400)))
    assert got.baseline is not None
    assert got.baseline.devices == 2
    assert "W at 1 GPU is not written" in sentence(row_at(got, 1), "work-not-proportional")
    assert row_at(got, 4).efficiency == pytest.approx(1 / 1.1)


def test_the_baseline_skips_what_failed_and_says_so() -> None:
    got = table(
        strong(
            run(1, status="out-of-memory"),
            run(2, 70.0, memory_gib=90.0),
            run(4, 40.0),
            run(8, 21.0),
            memory_per_device_gib=80,
        )
    )
    assert got.baseline is not None
    assert (got.baseline.devices, got.baseline.time_s, got.baseline.kind) == (4, 40.0, "smallest feasible")
    assert got.baseline.chosen == "smallest completed feasible count; passed over: 1, 2"
    assert got.rows[got.baseline.row].devices == 4


@pytest.mark.parametrize(
    ("experiment", "asked", "devices", "kind", "chosen"),
    [
        (ABOVE_ONE, None, 1, "one device", "smallest completed feasible count"),
        (
            replace(ABOVE_ONE, baseline_kind="best serial"),
            None,
            1,
            "best serial",
            "smallest completed feasible count",
        ),
        (replace(ABOVE_ONE, baseline=4), None, 4, "chosen by hand", "written in the study"),
        (ABOVE_ONE, 2, 2, "chosen by hand", "asked for"),
        (CLAIMED, None, 4, "smallest feasible", "written in the study"),
    ],
)
def test_kind_of_baseline(
    experiment: Experiment, asked: int | None, devices: int, kind: str, chosen: str
) -> None:
    got = table(experiment, baseline=asked).baseline
    assert got is not None
    assert (got.devices, got.kind, got.chosen) == (devices, kind, chosen)


def test_a_written_baseline_without_a_completed_run_gives_way_in_words() -> None:
    got = table(strong(run(2, status="failed"), run(4, 40.0), run(8, 21.0), baseline=2)).baseline
    assert got is not None
    assert got.devices == 4
    assert "the study names 2, which has no completed feasible run" in got.chosen


def test_a_baseline_asked_for_must_exist() -> None:
    with pytest.raises(
        ValueError, match=r"no completed run with 3 GPUs to compare with; counts .*: 1, 2, 4, 8"
    ):
        table(ABOVE_ONE, baseline=3)


def test_of_several_rows_at_the_baseline_the_comparable_one_is_taken() -> None:
    small = [run(d, t, work=1e5) for d, t in ((1, 9.0), (2, 5.0))]
    large = [run(d, t, work=1e6) for d, t in ((1, 90.0), (2, 46.0), (4, 24.0))]
    got = table(strong(*small, *large))
    assert got.baseline is not None
    assert got.baseline.time_s == 90.0
    assert "of 2 rows there" in got.baseline.chosen
    assert [row.comparable for row in got.rows] == [False, True, False, True, True]


def test_of_two_layouts_at_the_baseline_the_fastest_is_taken() -> None:
    got = table(strong(run(8, 12.0, tp=8), run(8, 10.0, tp=4), run(16, 6.0, tp=4)))
    assert got.baseline is not None
    assert got.baseline.time_s == 10.0


def test_nothing_completed_is_a_table_without_a_baseline() -> None:
    got = table(strong(run(1, status="failed"), run(2)))
    assert got.baseline is None
    assert [row.codes for row in got.rows] == [("not-completed",), ("not-completed",)]
    assert table(strong()).rows == ()


@pytest.mark.parametrize("family", ["strong", "weak", "model-size"])
def test_a_time_that_reads_zero_makes_no_number(family: str) -> None:
    machine = Machine(charged="device", price=2.0)
    zero = replace(strong(run(8, 40.0), run(16, 0.0, 40.0), run(32, 0.0)), family=family)
    got = table(zero, machine)
    assert got.rows[0].charged_hours is not None
    for row in got.rows[1:]:
        assert (row.efficiency, row.speedup, row.relative_cost, row.device_seconds) == (None,) * 4
        assert (row.rate, row.flops_per_device, row.charged_hours, row.price) == (None,) * 4
        assert "below-timer-resolution" in row.codes
    assert table(strong(run(8, 0.0), run(16, 40.0))).baseline.devices == 16


def test_model_sizes_are_told_nothing_about_a_baseline_or_a_trend() -> None:
    sizes = replace(strong(run(8, 40.0), run(16, 50.0)), family="model-size")
    assert table(sizes).flags == ()
    assert "baseline-not-one" in table(strong(run(8, 40.0), run(16, 50.0))).codes
