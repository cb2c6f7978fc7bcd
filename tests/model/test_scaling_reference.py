"""The tables against published ones: all that follows from their times, and what is wrong in print."""

from __future__ import annotations

import pytest

from tests.model.reference_cases import (
    GROMACS_NS_PER_DAY,
    MODEL_SIZE,
    SAME_JOB_FOUR_DAYS,
    WEAK,
    WORK_GROWS_SQUARED,
    Reference,
)
from tests.model.reference_strong import STRONG
from tests.model.study_builders import jobs, row_at, sentence, strong
from tui.model.rows import Table
from tui.model.scaling import table
from tui.model.study import Run

CASES = {case.id: case for case in (*STRONG, *WEAK, *MODEL_SIZE)}

WRONG_IN_PRINT = {
    "cs267-hw4-N100000": {5: "speedup 3.748111375 was imported; its own times give 3.514."},
    "romberg-weak-WRONG-formula": {
        2: "efficiency 0.4338048667531794 was imported; its own times give 0.868. "
        "It is T(D0)·D0/(T·D), the formula of strong scaling: here the work grew already."
    },
}
"""Publications whose numbers do not follow from their own times, and what their `derived-clash` says."""


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_numbers_that_follow_from_published_times(case: Reference) -> None:
    got = table(case.experiment)
    for column, expected in case.expected.items():
        values = [getattr(row, column) for row in got.rows]
        for value, should in zip(values, expected, strict=True):
            assert value == (should if should is None else pytest.approx(should, rel=1e-6, abs=1e-9)), column


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_published_numbers_clash_only_where_they_are_wrong(case: Reference) -> None:
    got = table(case.experiment)
    clashing = {row.devices for row in got.rows if "derived-clash" in row.codes}
    if case.id == "romberg-weak-WRONG-formula":
        assert clashing == set(case.devices[1:])
    elif case.id == "cs267-hw4-N100000":
        assert clashing == {5}
    else:
        assert clashing == set()


@pytest.mark.parametrize(("name", "said"), WRONG_IN_PRINT.items())
def test_what_is_wrong_in_print_is_said(name: str, said: dict[int, str]) -> None:
    got = table(CASES[name].experiment)
    for devices, words in said.items():
        assert sentence(row_at(got, devices), "derived-clash") == words


def test_pawsey_as_published() -> None:
    case = CASES["pawsey-lammps-water-800k"]
    got = table(case.experiment)
    for row, speedup, percent, cost in zip(got.rows, *case.published.values(), strict=True):
        assert row.speedup == pytest.approx(speedup, rel=5e-6)
        assert row.efficiency == pytest.approx((percent or 0) / 100, rel=5e-6)
        assert row.relative_cost == pytest.approx(cost, rel=5e-6)
    assert got.baseline is not None
    assert (got.baseline.devices, got.baseline.kind) == (24, "smallest feasible")
    assert "D0 = 24" in sentence(got, "baseline-not-one")
    # The rise from 192 to 384 is more than twice the speed for twice the processes.
    assert [row.devices for row in got.rows if "gain-above-ideal" in row.codes] == [384]


def test_superlinear_romberg_stays_unexplained() -> None:
    got = table(CASES["romberg-strong-L16"].experiment)
    flagged = [row.devices for row in got.rows if "above-one-unexplained" in row.codes]
    assert flagged == [2, 4, 8, 16]
    assert sentence(row_at(got, 2), "above-one-unexplained").startswith("Efficiency 1.189 is above one")


def test_another_algorithm_at_the_baseline_is_seen_by_its_efficiency() -> None:
    got = table(CASES["distributed-mlp-table"].experiment)
    row = row_at(got, 2)
    assert row.karp_flatt is not None
    assert row.karp_flatt < 0
    assert "2.337" in sentence(row, "above-one-unexplained")


def test_iterations_that_grow_with_the_cores_are_told() -> None:
    got = table(CASES["lanl-umt-strong-iterations-grow"].experiment)
    assert "46 iterations here and 15 at the baseline" in sentence(row_at(got, 112), "iterations-changed")
    assert "iterations-changed" not in row_at(got, 1).codes


def test_the_second_machine_is_another_domain() -> None:
    got = table(CASES["pytorch-ddp-bert-node-boundary"].experiment)
    assert "several nodes here, one node at the baseline" in sentence(row_at(got, 16), "domain-crossed")
    assert "domain-crossed" not in row_at(got, 8).codes
    assert row_at(got, 16).per_doubling is None
    assert [got.rows[place].devices for place in got.trends[0]] == [1, 2, 4, 8]


def test_two_counts_are_no_trend() -> None:
    got = table(CASES["torchtitan-llama3-8b-FSDP"].experiment)
    assert "two-counts-only" in got.codes
    assert got.trends == ()


def test_model_sizes_have_no_efficiency() -> None:
    for case in MODEL_SIZE:
        got = table(case.experiment)
        assert {row.efficiency for row in got.rows} == {None}
        assert {row.speedup for row in got.rows} == {None}
        assert got.trends == ()


def test_work_that_grows_with_the_square_is_refused_with_both_numbers() -> None:
    case = WORK_GROWS_SQUARED
    got = table(case.experiment)
    assert [row.comparable for row in got.rows] == [True, False, False, False, False]
    for row, naive, normalised in zip(
        got.rows[1:], *(case.expected[key][1:] for key in case.expected), strict=True
    ):
        assert row.efficiency is None
        told = sentence(row, "work-not-proportional")
        assert f"{row.devices * 10**8}" in told
        assert f"{normalised:.3f} of the baseline's" in told
        assert f"{naive:.3f}" not in told


def gromacs() -> Table:
    """A rate is turned into a time, so that the middle of two jobs is the middle of their times; the source
    takes the middle of the rates, which differs in the fourth digit.
    """
    runs = [
        run
        for nodes, rates in GROMACS_NS_PER_DAY.items()
        for run in jobs(nodes, *(1 / rate for rate in rates), ranks=24 * nodes)
    ]
    return table(strong(*runs, counts="node"))


def test_gromacs_rates() -> None:
    got = gromacs()
    middle = {
        nodes: sum(1 / rate for rate in rates) / len(rates) for nodes, rates in GROMACS_NS_PER_DAY.items()
    }
    by_rates = (
        1.0,
        1.00771456123433,
        0.920443587,
        0.844382835,
        0.615115718,
        0.539326181,
        0.436874699,
        0.219341399,
    )
    for row, published in zip(got.rows, by_rates, strict=True):
        assert row.efficiency == pytest.approx(middle[1] / (row.devices * middle[row.devices]), rel=1e-6)
        assert row.efficiency == pytest.approx(published, rel=0.04)


def test_gromacs_jobs_two_months_apart() -> None:
    row = row_at(gromacs(), 128)
    assert row.jobs == 2
    assert row.efficiency_interval is None
    low, high = row.efficiency_range or (0, 0)
    assert low == pytest.approx(23.759 / 1.049 / 128, rel=1e-9)
    assert high == pytest.approx(34.47 / 1.025 / 128, rel=1e-9)
    assert "noisy" in row.codes
    assert "2 jobs" in sentence(row, "few-jobs")


def test_the_same_job_on_four_days() -> None:
    row = row_at(strong(*jobs(64, *SAME_JOB_FOUR_DAYS)), 64)
    assert (row.time_s, row.time_mean_s, row.time_min_s, row.time_max_s) == (173.0, 174.0, 125.0, 225.0)
    assert "range of 4 jobs is 58 % of their median" in sentence(row, "noisy")


@pytest.mark.parametrize("column", ["speedup", "efficiency"])
def test_a_published_number_rounded_to_two_digits_does_not_clash(column: str) -> None:
    case = CASES["hpcproject-threads"]
    assert all("derived-clash" not in row.codes for row in table(case.experiment).rows)
    off = Run(
        112, (63.97,), extra={column: (case.published[column][-1] or 0) + 0.02 * 100 ** (column == "speedup")}
    )
    assert "derived-clash" in row_at(strong(Run(1, (982.23,)), off), 112).codes
