"""What must not matter to a table: the order of rows and steps, the unit of time. Nothing is clipped."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tui.model.rows import Table
from tui.model.scaling import table
from tui.model.study import Experiment, Run

counts = st.sampled_from([1, 2, 3, 4, 8, 16, 24, 32])
step_times = st.lists(st.integers(1, 10**6).map(lambda ticks: ticks / 1000), min_size=1, max_size=4)
drawn_runs = st.lists(
    st.builds(
        lambda devices, steps, batch, domain: Run(devices, tuple(steps), global_batch=batch, domain=domain),
        counts,
        step_times,
        st.sampled_from([None, 64, 128]),
        st.sampled_from(["", "rack"]),
    ),
    min_size=1,
    max_size=12,
)
families = st.sampled_from(["strong", "weak", "model-size"])


RATIOS = ("speedup", "efficiency", "per_doubling", "relative_cost", "karp_flatt", "scaled_speedup")


def assert_same_table(one: Table, other: Table, except_for: str = "") -> None:
    """The same rows with the same flags and, but for rounding, the same ratios."""
    assert len(one.rows) == len(other.rows)
    assert (one.baseline and one.baseline.row) == (other.baseline and other.baseline.row)
    for ours, theirs in zip(one.rows, other.rows, strict=True):
        assert ours.devices == theirs.devices
        assert [c for c in ours.codes if c != except_for] == [c for c in theirs.codes if c != except_for]
        pairs = [(getattr(ours, name), getattr(theirs, name)) for name in RATIOS]
        if ours.spread is not None and theirs.spread is not None:
            pairs += [(ours.spread.low, theirs.spread.low), (ours.spread.high, theirs.spread.high)]
        for mine, yours in pairs:
            assert mine == (yours if yours is None else pytest.approx(yours, rel=1e-9, abs=1e-12))


@settings(deadline=None, max_examples=60)
@given(drawn_runs, families, st.randoms(use_true_random=False))
def test_neither_row_order_nor_step_order_matters(runs: list[Run], family, random) -> None:
    written = Experiment(family, "drawn", run=tuple(runs))
    shuffled = [replace(each, times_s=tuple(random.sample(each.times_s, len(each.times_s)))) for each in runs]
    random.shuffle(shuffled)
    assert_same_table(table(written), table(replace(written, run=tuple(shuffled))))


@settings(deadline=None, max_examples=60)
@given(drawn_runs, families, st.sampled_from([60.0, 1e-3, 1e-9, 3600.0]))
def test_the_unit_of_time_does_not_matter(runs: list[Run], family, unit: float) -> None:
    """But for the resolution of the timer, which is read off the digits of the seconds."""
    written = Experiment(family, "drawn", run=tuple(runs))
    scaled = replace(
        written,
        run=tuple(replace(each, times_s=tuple(time * unit for time in each.times_s)) for each in runs),
    )
    assert_same_table(table(written), table(scaled), except_for="below-timer-resolution")


@settings(deadline=None, max_examples=60)
@given(drawn_runs)
def test_no_ratio_is_ever_clipped_or_given_to_a_blocked_row(runs: list[Run]) -> None:
    got = table(Experiment("strong", "drawn", run=tuple(runs)))
    for row in got.rows:
        assert (row.efficiency is None) == (not row.comparable)
        assert not (row.blocked and row.comparable)
        if row.efficiency is not None and got.baseline is not None:
            base = got.baseline
            assert row.efficiency == pytest.approx(
                base.time_s * base.devices / ((row.time_s or 0) * row.devices)
            )
