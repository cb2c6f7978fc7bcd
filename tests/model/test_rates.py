"""What each device achieves in a predicted and in a measured step."""

from __future__ import annotations

from fractions import Fraction

import pytest

from tests.model.study_builders import TOKENS, run, strong, weak
from tui.model.rates import Rate, measured_rate, predicted_rate
from tui.model.scaling import table
from tui.model.study import Experiment, Run, Work, WorkModel

TOKENS_4096 = Work(4096, "tokens")


def sized(devices: int, parameters: float, *times_s: float) -> Run:
    """An update of 4 sequences of 1024 tokens; 6 FLOP a token and parameter."""
    return run(
        devices,
        *times_s,
        work_model=WorkModel(of="tokens", flop_per_unit=6 * parameters),
        parameters=parameters,
    )


# Models of 18.8, 30.4 and 66.2 billion parameters; times and parameters from the logs in
# github.com/bigscience-workshop/bigscience, experiments/gpt2-meg.
GPT = (sized(16, 18775080960, 1.3805), sized(32, 30361755648, 1.6185), sized(64, 66220204032, 2.74005))


def gpt(*runs: Run, peak: float | None = None) -> Experiment:
    return Experiment(
        "model-size", "gpt", counts="GPU", work=TOKENS_4096, peak_flops_per_device=peak, run=runs
    )


@pytest.mark.parametrize(("devices", "tera"), [(16, 20.89), (32, 14.41), (64, 9.28)])
def test_the_rate_of_a_measured_step(devices: int, tera: float) -> None:
    rows = table(gpt(*GPT, peak=125e12))
    time = next(row.time_s for row in rows.rows if row.devices == devices)
    rate = measured_rate(rows, devices, Fraction(str(time)))
    assert rate is not None
    assert rate.flops / 1e12 == pytest.approx(tera, abs=0.005)
    assert rate.peak_share == pytest.approx(rate.flops / 125e12)
    assert measured_rate(rows, devices, 1.5) is None
    assert measured_rate(rows, 8, 1.5) is None


def test_a_run_states_its_work_before_it_is_measured() -> None:
    waiting = gpt(*GPT[:2], sized(64, 66220204032))
    rate = predicted_rate(table(waiting), waiting, 64, Fraction("2.949"))
    assert rate == Rate(4096 * 6 * 66220204032 / 64 / 2.949, None)
    assert rate.flops == pytest.approx(8.623e12, rel=1e-4)
    measured = gpt(*GPT)
    assert predicted_rate(table(measured), measured, 64, Fraction("2.949")) == rate


def test_a_model_of_another_size_is_not_known_before_its_run() -> None:
    two = gpt(*GPT[:2])
    assert predicted_rate(table(two), two, 64, 2.949) is None


def test_in_strong_scaling_the_whole_work_stays_and_in_weak_that_of_each_device() -> None:
    fixed = strong(
        run(8, 40.0), run(16, 21.0), work=Work(1000, "tokens"), flop_per_unit=4e9, peak_flops_per_device=1e10
    )
    assert predicted_rate(table(fixed), fixed, 64, 8) == Rate(1000 * 4e9 / 64 / 8, 1000 * 4e9 / 64 / 8 / 1e10)
    grown = weak(run(8, 40.0, sequence_length=2000), run(16, 41.0, sequence_length=2000), work_model=TOKENS)
    assert predicted_rate(table(grown), grown, 64, 50) == Rate(32000 * 7e9 / 50, None)


def test_a_run_that_did_other_work_says_nothing_of_the_work_at_its_count() -> None:
    shrunk = strong(
        run(8, 40.0),
        run(16, 21.0),
        run(64, 4.0, work=500.0),
        work=Work(1000, "tokens"),
        flop_per_unit=4e9,
    )
    assert predicted_rate(table(shrunk), shrunk, 64, 8) == Rate(1000 * 4e9 / 64 / 8, None)


@pytest.mark.parametrize(
    "unknown",
    [
        strong(run(8, 40.0), run(16, 21.0)),
        strong(run(8, 40.0), run(16, 21.0), work=Work(1000, "tokens")),
        strong(run(8, 40.0), run(16, 21.0), flop_per_unit=4e9),
        strong(),
        weak(run(8, 40.0), run(16, 41.0), work_model=TOKENS),
    ],
)
def test_without_work_or_arithmetic_there_is_no_rate(unknown: Experiment) -> None:
    assert predicted_rate(table(unknown), unknown, 64, 8) is None
    assert measured_rate(table(unknown), 8, 40.0) is None


def test_a_step_of_no_time_has_no_rate() -> None:
    fixed = strong(run(8, 40.0), work=Work(1000, "tokens"), flop_per_unit=4e9)
    assert predicted_rate(table(fixed), fixed, 64, 0) is None
