"""The roofline against published machines, published attainable values and its own definition."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tui.model.roofline import Limit, attainable, knee_bandwidth, limit, outcome, ridge_intensity

# cap in GFLOP/s, bandwidth in GB/s, ridge in FLOP/byte as published or as the exact quotient to five digits.
MACHINES = [
    pytest.param(17.6, 15.0, 1.1733, id="Opteron X2 2214, two sockets, DP (CACM 52(4) p. 69, Fig. 1a)"),
    pytest.param(70.4, 15.0, 4.6933, id="Opteron X4, four times the X2 peak (CMU 15-418 notes)"),
    pytest.param(48.0, 15.0, 3.2, id="Skylake core 3 GHz, STREAM (DATA34100 lecture 10)"),
    pytest.param(740.729, 100.787, 7.3494, id="Xeon E5-2630 v4 measured (LIKWID wiki)"),
    pytest.param(1536.0, 120.64, 12.732, id="Xeon Gold 6148 socket, load (kerncraft machine file)"),
    pytest.param(1536.0, 87.69, 17.516, id="Xeon Gold 6148 socket, triad (kerncraft)"),
    pytest.param(1203.2, 143.46, 8.387, id="EPYC 7452, load (kerncraft Zen2_EPYC-7452.yml)"),
    pytest.param(3686.4, 460.8, 8.0, id="EPYC 9654 at base clock, 12 x DDR5-4800"),
    pytest.param(7800.0, 900.0, 8.6667, id="V100 FP64 (OLCF Summit guide)"),
    pytest.param(125000.0, 900.0, 138.89, id="V100 FP16 tensor (NVIDIA matmul guide prints 138.9)"),
    pytest.param(7068.86, 828.758, 8.5295, id="V100 measured FMA, HBM (nersc-roofline)"),
    pytest.param(3535.79, 828.758, 4.2664, id="V100 measured no FMA, HBM (nersc-roofline)"),
    pytest.param(7068.86, 2996.77, 2.3588, id="V100 measured FMA, L2 (nersc-roofline)"),
    pytest.param(7068.86, 14336.0, 0.4931, id="V100 measured FMA, L1 (nersc-roofline)"),
    pytest.param(9700.0, 1555.0, 6.2379, id="A100-40 SXM FP64"),
    pytest.param(19500.0, 1555.0, 12.540, id="A100-40 SXM FP64 tensor"),
    pytest.param(312000.0, 1555.0, 200.64, id="A100-40 SXM BF16 dense"),
    pytest.param(9700.0, 2039.0, 4.7572, id="A100-80 SXM FP64"),
    pytest.param(312000.0, 2039.0, 153.02, id="A100-80 SXM BF16 dense"),
    pytest.param(34000.0, 3350.0, 10.149, id="H100 SXM FP64"),
    pytest.param(67000.0, 3350.0, 20.0, id="H100 SXM FP64 tensor"),
    pytest.param(989400.0, 3350.0, 295.34, id="H100 SXM BF16 dense, not the sparse 590"),
    pytest.param(756500.0, 2000.0, 378.25, id="H100 PCIe BF16 dense"),
    pytest.param(23936.0, 1600.0, 14.960, id="MI250X one GCD FP64 vector (OLCF Frontier guide)"),
    pytest.param(47872.0, 1600.0, 29.920, id="MI250X one GCD FP64 matrix"),
    pytest.param(45300.0, 3200.0, 14.156, id="MI250 module FP64 vector (ROCm mi250.md)"),
    pytest.param(90500.0, 3200.0, 28.281, id="MI250 module FP64 matrix"),
    pytest.param(20279.322, 1388.7961, 14.602, id="MI200-class measured HBM (rocprofiler-compute)"),
    pytest.param(20279.322, 5017.1123, 4.0420, id="MI200-class measured L2"),
    pytest.param(20279.322, 9228.8867, 2.1974, id="MI200-class measured L1"),
    pytest.param(20279.322, 17717.547, 1.1446, id="MI200-class measured LDS"),
    pytest.param(81700.0, 5300.0, 15.415, id="MI300X FP64 vector (ROCm mi300.md)"),
    pytest.param(163400.0, 5300.0, 30.830, id="MI300X FP64 matrix"),
    pytest.param(1307400.0, 5300.0, 246.68, id="MI300X BF16 dense"),
    pytest.param(2614900.0, 5300.0, 493.38, id="MI300X FP8"),
    pytest.param(197000.0, 820.0, 240.24, id="TPU v5e BF16 (scaling-book roofline.md)"),
    pytest.param(394000.0, 810.0, 486.42, id="TPU v5e INT8"),
    pytest.param(7464.96, 448.06, 16.66, id="RTX 2070 FP32 theoretical (mixbench README)"),
    pytest.param(8414.49, 422.81, 19.90, id="RTX 2070 FP32 measured (mixbench README)"),
]


@pytest.mark.parametrize(("cap", "bandwidth", "ridge"), MACHINES)
def test_ridge_of_published_machines(cap: float, bandwidth: float, ridge: float) -> None:
    ours = ridge_intensity(bandwidth, cap)
    assert ours == pytest.approx(ridge, rel=1e-3)  # published ridges carry four to five digits
    assert ours * bandwidth == pytest.approx(cap, rel=1e-9)
    assert limit(ours, bandwidth, cap) is Limit.RIDGE
    assert limit(ours * 0.999, bandwidth, cap) is Limit.MEMORY
    assert limit(ours * 1.001, bandwidth, cap) is Limit.COMPUTE


# intensity, bandwidth, cap, attainable GFLOP/s, limit
PUBLISHED = [
    pytest.param(1 / 12, 15.0, 48.0, 1.25, "memory", id="DAXPY on a Skylake core (DATA34100)"),
    pytest.param(32.0, 15.0, 48.0, 48.0, "compute", id="GEMM on a Skylake core, slope 480 (DATA34100)"),
    pytest.param(3.2, 15.0, 48.0, 48.0, "ridge", id="exactly at the ridge of a Skylake core"),
    pytest.param(1.32, 100.787, 740.729, 133.039, "memory", id="LIKWID example kernel"),
    pytest.param(2.585, 828.758, 7068.86, 2142.34, "memory", id="V100 first point (nersc-roofline)"),
    pytest.param(4.739, 828.758, 7068.86, 3927.48, "memory", id="V100 second point (nersc-roofline)"),
    pytest.param(124.12, 900.0, 125000.0, 111708.0, "memory", id="GEMM 8192x128x8192 on V100 (NVIDIA guide)"),
    pytest.param(2730.67, 900.0, 125000.0, 125000.0, "compute", id="cubic GEMM 8192 on V100 (NVIDIA guide)"),
    pytest.param(0.075, 76.8, 1e6, 5.76, "memory", id="a=b*c+d*a at 76.8 GB/s (COMP52315)"),
    pytest.param(0.125, 900.0, 10000.0, 112.5, "memory", id="increment on 10 TF, 900 GB/s (Grokking GPU)"),
    pytest.param(1 / 6, 828.758, 7068.86, 138.126, "memory", id="CSR SpMV FP64 on a measured V100"),
    pytest.param(4.0, 1555.0, 9700.0, 6220.0, "memory", id="A100 I=4"),
    pytest.param(4.0, 1555.0, 19400.0, 6220.0, "memory", id="A100 I=4, a doubled cap changes nothing"),
    pytest.param(4.0, 3110.0, 9700.0, 9700.0, "compute", id="A100 I=4, bandwidth x2 hits the cap"),
    pytest.param(8.0, 1555.0, 9700.0, 9700.0, "compute", id="A100 I=8"),
    pytest.param(8.0, 1555.0, 19400.0, 12440.0, "memory", id="A100 I=8, cap x2 frees the slope"),
    pytest.param(8.0, 50.0, 1000.0, 400.0, "memory", id="lab trial 1"),
    pytest.param(8.0, 100.0, 1000.0, 800.0, "memory", id="lab trial 2"),
    pytest.param(8.0, 200.0, 1000.0, 1000.0, "compute", id="lab trial 3, not 1600"),
]


@pytest.mark.parametrize(("intensity", "bandwidth", "cap", "rate", "binds"), PUBLISHED)
def test_published_attainable_values(
    intensity: float, bandwidth: float, cap: float, rate: float, binds: str
) -> None:
    assert attainable(intensity, bandwidth, cap) == pytest.approx(rate, rel=2e-4)
    assert limit(intensity, bandwidth, cap).value == binds


def test_more_devices_raise_the_roof_and_leave_the_ridge() -> None:
    assert attainable(4.0, 4 * 1555.0, 4 * 9700.0) == 24880.0
    assert ridge_intensity(4 * 1555.0, 4 * 9700.0) == ridge_intensity(1555.0, 9700.0)


def test_third_lab_trial_exactly() -> None:
    third = outcome(Fraction(8), Fraction(200))
    assert (third.attainable, third.uncapped, third.above_cap) == (1000, 1600, 600)
    assert (third.knee_bandwidth, third.ridge_intensity, third.limit) == (125, 5, Limit.COMPUTE)


def test_a_tie_is_exact_on_fractions_and_tolerant_on_floats() -> None:
    just_below = Fraction(125) - Fraction(1, 10**12)
    assert limit(Fraction(8), just_below, Fraction(1000)) is Limit.MEMORY
    assert limit(Fraction(8), Fraction(125), Fraction(1000)) is Limit.RIDGE
    assert limit(8.0, float(just_below), 1000.0) is Limit.RIDGE
    assert limit(8.0, 125.0 * (1 - 1e-8), 1000.0) is Limit.MEMORY


@pytest.mark.parametrize("bad", [float("nan"), float("inf"), -1.0])
@pytest.mark.parametrize("place", [0, 1, 2])
def test_numbers_no_machine_has_are_refused_by_name(bad: float, place: int) -> None:
    arguments = [8.0, 50.0, 1000.0]
    arguments[place] = bad
    name = ("arithmetic intensity", "bandwidth", "compute cap")[place]
    with pytest.raises(ValueError, match=name):
        attainable(*arguments)


def test_no_knee_without_intensity_and_no_ridge_without_bandwidth() -> None:
    with pytest.raises(ValueError, match="intensity of 0"):
        knee_bandwidth(0.0, 1000.0)
    with pytest.raises(ValueError, match="bandwidth of 0"):
        ridge_intensity(0.0, 1000.0)
    with pytest.raises(ValueError, match="cap"):
        attainable(1.0, 1.0, 0.0)


positive = st.fractions(min_value=Fraction(1, 10**6), max_value=10**9)


@given(positive, positive, positive)
def test_the_bound_is_the_smaller_limit_and_bends_at_the_knee(
    intensity: Fraction, bandwidth: Fraction, cap: Fraction
) -> None:
    rate = attainable(intensity, bandwidth, cap)
    assert rate in (cap, intensity * bandwidth)
    assert rate <= cap
    assert rate <= intensity * bandwidth
    knee = knee_bandwidth(intensity, cap)
    assert attainable(intensity, knee, cap) == cap
    assert attainable(intensity, 2 * knee, cap) == cap
    assert attainable(intensity, knee / 2, cap) == cap / 2


@given(positive, positive, positive)
def test_floats_agree_with_fractions(intensity: Fraction, bandwidth: Fraction, cap: Fraction) -> None:
    exact = attainable(intensity, bandwidth, cap)
    assert math.isclose(attainable(float(intensity), float(bandwidth), float(cap)), exact, rel_tol=1e-12)
