"""The spread of times and of ratios: exact against enumeration, against published samples, and by hand."""

from __future__ import annotations

import itertools
import math
import statistics
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tui.model import spread
from tui.model.spread import RatioSpread, of_ratio, of_ratios

# fmt: off
INTERVALS = {
    # github.com/barbaperezf/k-means_Paralelo resultados/tiempos.csv
    "kmeans-2d-100k-1vs8": (
        (
            0.173794, 0.178792, 0.227842, 0.0690411, 0.0713702, 0.170078, 0.152252, 0.23154, 0.0555687,
            0.0635535
        ),
        (
            0.366183, 0.122308, 0.0355286, 0.0537556, 0.0585248, 0.0673609, 0.108573, 0.0942015, 0.0195966,
            0.0366804
        ),
        (0.7452710413316136, 4.3937634267892385),
    ),
    # github.com/barbaperezf/k-means_Paralelo resultados/tiempos.csv
    "kmeans-2d-100k-1vs16": (
        (
            0.173794, 0.178792, 0.227842, 0.0690411, 0.0713702, 0.170078, 0.152252, 0.23154, 0.0555687,
            0.0635535
        ),
        (
            0.161135, 0.140844, 0.16196, 0.202455, 0.172318, 0.121166, 0.0649781, 0.0623905, 0.132031,
            0.079507
        ),
        (0.4417908045621256, 2.0504232331744374),
    ),
    # github.com/barbaperezf/k-means_Paralelo resultados/tiempos.csv
    "kmeans-2d-100k-1vs32": (
        (
            0.173794, 0.178792, 0.227842, 0.0690411, 0.0713702, 0.170078, 0.152252, 0.23154, 0.0555687,
            0.0635535
        ),
        (
            0.0901531, 0.0683578, 0.0605244, 0.278692, 0.280257, 0.13124, 0.0865737, 0.0530143, 0.0553477,
            0.207599
        ),
        (0.47939342829152165, 2.810073292754658),
    ),
    # github.com/barbaperezf/k-means_Paralelo resultados/tiempos.csv
    "kmeans-2d-1000000-1vs8": (
        (
            1.86581, 1.23451, 6.6552, 5.63657, 3.09708, 2.84327, 1.31461, 2.71704, 2.19885, 1.2529
        ),
        (
            0.380521, 0.119185, 0.344759, 0.490212, 0.737605, 1.91724, 0.414099, 1.59754, 0.340787, 1.00576
        ),
        (1.788902496034967, 8.615221067470321),
    ),
    # github.com/mlcommons/training_results_v1.0, NVIDIA/results/dgxa100*_ngc21.05_pytorch/bert
    "mlperf-bert-8vs64": (
        (
            23.8981, 17.743, 21.5433, 22.9763, 22.6377, 21.6154, 22.4408, 19.8199, 18.9106, 23.5966
        ),
        (
            3.3209, 3.2587, 3.4438, 3.3005, 3.3487, 3.3291, 3.5203, 3.3125, 3.4148, 3.515
        ),
        (5.852707112167609, 6.910165413533834),
    ),
    # github.com/hpc-uk/archer-benchmarks HadGEM3 baseline csv
    "hadgem3-152vs298": (
        (1883.0, 1680.0, 1934.0, 1720.0, 1791.0),
        (1770.0, 1603.0, 1557.0, 1459.0, 1506.0),
        (1.011864406779661, 1.2841965471447543),
    ),
}
# fmt: on
"""Two samples of run times, and the 95 % interval of the ratio of their medians, computed once from the
full product of the two exact distributions.
"""


@pytest.mark.parametrize("name", INTERVALS)
def test_interval_of_published_samples(name: str) -> None:
    baseline, scaled, (low, high) = INTERVALS[name]
    got = of_ratio(baseline, scaled)
    assert got.kind == "interval"
    assert got.low == pytest.approx(low, rel=1e-9)
    assert got.high == pytest.approx(high, rel=1e-9)


@pytest.mark.parametrize("n", range(1, 7))
def test_weights_are_those_of_all_resamples(n: int) -> None:
    counted: Counter[tuple[int, int]] = Counter()
    for draw in itertools.product(range(n), repeat=n):
        ordered = sorted(draw)
        counted[ordered[(n - 1) // 2], ordered[n // 2]] += 1
    first, second, weights = spread.median_weights(n)
    got = {(int(i), int(j)): float(w) for i, j, w in zip(first, second, weights, strict=True)}
    assert got == pytest.approx({pair: count / n**n for pair, count in counted.items()}, rel=1e-10)


@pytest.mark.parametrize("n", [8, 30, 31, 200, 201, 5000])
def test_weights_of_many_add_up_and_are_symmetric(n: int) -> None:
    first, second, weights = spread.median_weights(n)
    assert weights.sum() == pytest.approx(1, abs=1e-11)
    mean_place = float(((first + second) / 2) @ weights)
    assert mean_place == pytest.approx((n - 1) / 2, rel=1e-9)


def by_full_product(above: list[float], below: list[float], share: float) -> float:
    """The percentile from every pair of values that the two medians can take."""

    def values(times: list[float]) -> tuple[np.ndarray, np.ndarray]:
        first, second, weights = spread.median_weights(len(times))
        ordered = np.sort(times)
        return (ordered[first] + ordered[second]) / 2, weights

    (a, a_weights), (b, b_weights) = values(above), values(below)
    ratios, weights = (a[:, None] / b).ravel(), (a_weights[:, None] * b_weights).ravel()
    order = np.argsort(ratios)
    return float(ratios[order][np.searchsorted(np.cumsum(weights[order]), share)])


times = st.floats(0.01, 1000).map(lambda value: round(value, 3) or 0.01)
samples = st.lists(times, min_size=5, max_size=9)


@settings(deadline=None, max_examples=60)
@given(samples, samples)
def test_interval_is_the_percentile_of_the_full_product(above: list[float], below: list[float]) -> None:
    got = of_ratio(above, below)
    assert got.low == pytest.approx(by_full_product(above, below, 0.025), rel=1e-9)
    assert got.high == pytest.approx(by_full_product(above, below, 0.975), rel=1e-9)


@settings(deadline=None, max_examples=60)
@given(samples, samples, st.floats(0.05, 20))
def test_exceeds_says_what_the_lower_end_says(above: list[float], below: list[float], value: float) -> None:
    low = of_ratio(above, below).low
    assert low is not None
    if abs(low / value - 1) > 1e-9:
        assert spread.exceeds(above, below, value) == (low > value)


@settings(deadline=None, max_examples=60)
@given(samples, samples, st.sampled_from([1000.0, 1 / 60, 0.125]), st.randoms())
def test_neither_unit_nor_order_of_jobs_matters(
    above: list[float], below: list[float], unit: float, rng
) -> None:
    got = of_ratio(above, below)
    shuffled = rng.sample(above, len(above)), rng.sample(below, len(below))
    again = of_ratio(*([time * unit for time in side] for side in shuffled))
    assert (again.low, again.high) == pytest.approx((got.low, got.high), rel=1e-9)


def test_many_rows_at_once_are_the_rows_one_by_one() -> None:
    baseline = [10.0, 10.4, 9.7, 10.1, 11.0, 9.9]
    rows = [
        [5.0, 5.2, 5.1, 4.9, 5.3],
        [2.5],
        [2.6, 2.7],
        [1.3, 1.2, 1.4, 1.25, 1.26],
        [1.0] * 6,
        [3.0, 3.1, 3.2],
    ]
    assert of_ratios(baseline, rows) == [of_ratio(baseline, row) for row in rows]
    assert [each.kind for each in of_ratios(baseline, rows)] == [
        "interval", "none", "range", "interval", "interval", "range",
    ]  # fmt: skip


def test_interval_of_forty_jobs_is_still_exact() -> None:
    above, below = waves(40)
    got = of_ratio(above, below)
    assert got.low == pytest.approx(by_full_product(above, below, 0.025), rel=1e-12)
    assert got.high == pytest.approx(by_full_product(above, below, 0.975), rel=1e-12)


@pytest.mark.parametrize("n", [101, 102, 301, 302])
def test_many_jobs_move_the_ends_by_a_thousandth_of_the_width(
    n: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    above, below = waves(n)
    grouped = of_ratio(above, below)
    monkeypatch.setattr(spread, "EXACT_JOBS", n)
    exact = of_ratio(above, below)
    assert exact.low is not None
    assert exact.high is not None
    slack = (exact.high - exact.low) / 1000
    assert (grouped.low, grouped.high) == pytest.approx((exact.low, exact.high), abs=slack)


def waves(n: int) -> tuple[list[float], list[float]]:
    """Two samples of n times without ties."""
    above = [100 + 10 * math.sin(1.7 * job) + job / n for job in range(n)]
    return above, [50 + 9 * math.cos(2.3 * job) for job in range(n)]


def test_jobs_by_the_hundred_thousand() -> None:
    above = [10 + (job * 7919 % 100_003) / 100_003 for job in range(100_000)]
    below = [5 + (job * 104_729 % 100_003) / 100_003 for job in range(100_001)]
    got = of_ratio(above, below)
    assert got.low is not None
    assert got.high is not None
    # The median of n values spread evenly over 1 has a standard deviation of 1/(2·sqrt(n)).
    error = 1.96 * (10.5 / 5.5) * math.hypot(1 / 10.5, 1 / 5.5) / (2 * math.sqrt(100_000))
    assert (got.low, got.high) == pytest.approx((10.5 / 5.5 - error, 10.5 / 5.5 + error), abs=error / 20)


def test_times_of_a_coarse_clock_that_tie_many_times() -> None:
    above = [round(10 + job % 7 / 10, 1) for job in range(2000)]
    below = [round(5 + job % 3 / 10, 1) for job in range(999)]
    got = of_ratio(above, below)
    assert (got.low, got.high) == pytest.approx((10.3 / 5.1, 10.3 / 5.1), rel=0.02)


def test_more_rows_than_are_held_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [[5 + (row * job % 11) / 10 for job in range(6)] for row in range(20)]
    at_once = of_ratios(rows[3], rows)
    monkeypatch.setattr(spread, "BLOCK", 70)
    assert of_ratios(rows[3], rows) == at_once


def test_few_jobs_give_the_range_of_the_ratios() -> None:
    got = of_ratio([40.0, 44.0], [20.0, 22.0, 25.0])
    assert got == RatioSpread("range", 2, 40 / 25, 44 / 20)
    assert got.words == "range of the ratios, 2 jobs: no percentage"


def test_one_job_gives_words() -> None:
    got = of_ratio([40.0] * 10, [20.0])
    assert (got.kind, got.low, got.high) == ("none", None, None)
    assert got.words == "one job: its steps say nothing about the next"
    assert not got.reaches(2.0)


def test_a_time_of_zero_gives_words() -> None:
    got = of_ratio([1.0, 2.0], [0.0, 1.0])
    assert got.kind == "none"
    assert got.words == "no interval: a time of 0 has no ratio"


def test_exceeds_at_the_value_itself_and_from_five_jobs_on() -> None:
    assert not spread.exceeds([2.0] * 5, [1.0] * 5, 2.0)
    assert spread.exceeds([2.0] * 5, [1.0] * 5, 1.999)
    # The range ends at the worst pair of jobs, 1.125; the medians are that far apart in no 2.5 %.
    above, below = [2.0, 2.0, 2.0, 2.0, 1.5], [1.0, 1.0, 1.0, 1.0, 4 / 3]
    assert spread.exceeds(above, below, 1.3)
    assert not spread.exceeds(above[1:], below[1:], 1.3)
    assert spread.exceeds([2.0], [1.0, 1.1], 1.9)


def test_scaled_by_an_exact_factor() -> None:
    assert RatioSpread("range", 2, 1.0, 3.0).scaled(0.5) == RatioSpread("range", 2, 0.5, 1.5)
    assert RatioSpread("none", 1).scaled(0.5) == RatioSpread("none", 1)


def test_equal_jobs_have_a_point_for_an_interval() -> None:
    got = of_ratio([2.0] * 5, [1.0] * 8)
    assert (got.kind, got.low, got.high) == ("interval", 2.0, 2.0)


@settings(deadline=None, max_examples=60)
@given(st.lists(times, min_size=1, max_size=20))
def test_median_is_the_middle(values: list[float]) -> None:
    assert spread.median(values) == statistics.median(values)


def test_range_and_middle_half() -> None:
    assert spread.relative_range([9.0, 10.0, 12.0]) == pytest.approx(0.3)
    assert spread.relative_iqr([8.0, 9.0, 10.0, 11.0, 12.0]) == pytest.approx(0.2)
    assert spread.relative_range([0.0, 0.0]) == 0


def test_modified_z_finds_the_one_that_a_standard_deviation_hides() -> None:
    scores = spread.modified_z([10.0, 10.1, 9.9, 10.2, 30.0])
    assert scores[-1] == pytest.approx(0.6745 * 19.9 / 0.1, rel=1e-12)
    assert max(abs(score) for score in scores[:-1]) < 3.5


def test_modified_z_with_more_than_half_equal() -> None:
    scores = spread.modified_z([10.0, 10.0, 10.0, 10.0, 30.0])
    assert scores == pytest.approx([0, 0, 0, 0, 0.7979 * 20 / 4], rel=1e-12)
    assert spread.modified_z([7.0, 7.0, 7.0]) == [0, 0, 0]
