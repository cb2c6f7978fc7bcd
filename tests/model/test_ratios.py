"""Ratios of two measurements: exact on fractions, the same numbers on floats."""

from __future__ import annotations

from fractions import Fraction as F

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tui.model import ratios
from tui.model.ratios import Measurement


def fraction(devices: int, time: str, work: str = "1") -> Measurement[F]:
    return Measurement(devices, F(time), F(work))


BASE, HERE = fraction(4, "96"), fraction(16, "27.2")


@pytest.mark.parametrize(
    ("got", "exact"),
    [
        pytest.param(ratios.speedup(BASE, HERE), F(60, 17), id="speedup"),
        pytest.param(ratios.ideal(BASE, HERE), F(4), id="ideal"),
        pytest.param(ratios.efficiency(BASE, HERE), F(15, 17), id="efficiency"),
        pytest.param(ratios.device_seconds(HERE), F("435.2"), id="device seconds"),
        pytest.param(ratios.relative_cost(BASE, HERE), F(17, 15), id="relative cost"),
        pytest.param(ratios.karp_flatt(BASE, HERE), F(2, 45), id="Karp-Flatt"),
        pytest.param(ratios.karp_flatt(BASE, BASE), None, id="Karp-Flatt at D0"),
        pytest.param(ratios.karp_flatt(HERE, BASE), None, id="Karp-Flatt below D0"),
        pytest.param(
            ratios.weak_efficiency(fraction(8, "12", "256000"), fraction(64, "15", "2048000")),
            F(4, 5),
            id="weak",
        ),
        pytest.param(
            ratios.scaled_speedup(fraction(8, "12", "8"), fraction(64, "15", "64")),
            F(32, 5),
            id="scaled speedup",
        ),
    ],
)
def test_exact_on_fractions(got: F | None, exact: F | None) -> None:
    assert got == exact
    assert type(got) is type(exact)


def test_whole_numbers_stay_whole_on_floats() -> None:
    # (12/5)/(3/1) is 0.7999999999999999: a quotient of quotients rounds twice.
    assert ratios.efficiency(Measurement(1, 12.0, 1.0), Measurement(3, 5.0, 1.0)) == 0.8


def test_karp_flatt_is_the_formula_of_the_paper() -> None:
    speedup, p = 2.758357825128582, 4
    expected = (1 / speedup - 1 / p) / (1 - 1 / p)
    got = ratios.karp_flatt(Measurement(1, 30.033, 1.0), Measurement(4, 10.888, 1.0))
    assert got == pytest.approx(expected, rel=1e-12)


def test_karp_flatt_is_negative_above_one() -> None:
    got = ratios.karp_flatt(Measurement(1, 120.0, 1.0), Measurement(2, 56.0, 1.0))
    assert got is not None
    assert got < 0


@pytest.mark.parametrize(
    ("devices", "time", "gain"), [(8, 50.0, 2.0), (16, 25.0, 2.0), (16, 100 / 3, 3**0.5)]
)
def test_gain_per_doubling(devices: int, time: float, gain: float) -> None:
    assert ratios.per_doubling(Measurement(4, 100.0, 1.0), Measurement(devices, time, 1.0)) == pytest.approx(
        gain
    )


def test_gain_needs_a_step_up() -> None:
    with pytest.raises(ValueError, match="4 devices are no step up from 4"):
        ratios.per_doubling(Measurement(4, 1.0, 1.0), Measurement(4, 1.0, 1.0))


@pytest.mark.parametrize(
    ("devices", "time", "work", "about"),
    [
        (0, 1.0, 1.0, "one device"),
        (1, 0.0, 1.0, "time of 0"),
        (1, float("nan"), 1.0, "nan"),
        (1, 1.0, -1.0, "work"),
    ],
)
def test_what_is_no_measurement(devices: int, time: float, work: float, about: str) -> None:
    with pytest.raises(ValueError, match=about):
        Measurement(devices, time, work)


counts = st.integers(1, 4096)
amounts = st.fractions(F(1, 1000), F(100000))


@settings(deadline=None)
@given(counts, amounts, amounts, counts, amounts, amounts)
def test_identities(d0: int, t0: F, w0: F, d: int, t: F, w: F) -> None:
    base, here = Measurement(d0, t0, w0), Measurement(d, t, w)
    same = Measurement(d, t, w0)
    assert ratios.efficiency(base, here) * ratios.ideal(base, here) == ratios.speedup(base, here)
    assert ratios.weak_efficiency(base, here) * ratios.ideal(base, here) == ratios.scaled_speedup(base, here)
    assert ratios.weak_efficiency(base, same) == ratios.efficiency(base, here)
    assert ratios.relative_cost(base, here) * ratios.weak_efficiency(base, here) == 1


@settings(deadline=None)
@given(st.floats(1e-3, 1e6), st.floats(1e-3, 1e6), counts, counts)
def test_floats_give_what_fractions_give(t0: float, t: float, d0: int, d: int) -> None:
    exact = ratios.efficiency(Measurement(d0, F(t0), F(1)), Measurement(d, F(t), F(1)))
    got = ratios.efficiency(Measurement(d0, t0, 1.0), Measurement(d, t, 1.0))
    assert got == pytest.approx(float(exact), rel=1e-12)
