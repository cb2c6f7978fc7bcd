"""What the exercises on published and everyday reports must say, worked out by hand."""

from __future__ import annotations

from fractions import Fraction as F

from tests.guide.first_exercises import Expected

GIB = F(2**30, 10**9)

ONE_JOB_IS_ONE_SAMPLE = Expected(
    points=9,
    answers={
        "first-day": ["0.977"],
        "second-day": ["1.644"],
        "median": ["173"],
        "median-efficiency": ["1.311"],
        "above-one": ["3"],
        "spread": ["1.8"],
        "steady-steps": ["2"],
        "publish": ["4"],
    },
    exact={
        "first-day": F(129, 132),
        "second-day": F(217, 132),
        "median": F(173),
        "median-efficiency": F(173, 132),
        "spread": F("1.8"),
    },
    ideas={
        "first-day": {
            "scaling.divides-by-D": F(129, 66) / 128,
            "scaling.speedup-only": F(129, 66),
            "scaling.upside-down": F(132, 129),
        },
        "second-day": {
            "scaling.speedup-only": F(217, 66),
            "scaling.divides-by-D": F(217, 66) / 128,
            "repeats.caps-at-one": F(1),
        },
        "median": {"repeats.unordered": F(171), "repeats.mean": F(174)},
        "median-efficiency": {"scaling.speedup-only": F(173, 66), "repeats.first-day": F(129, 132)},
        "spread": {"repeats.upside-down": F(125, 225), "repeats.wrong-pair": F(217, 129)},
    },
    # The efficiencies from the other two days, and the made-up spread of the steps, 0.3 %.
    facts=(F(125, 132), F(225, 132), F(3, 1000)),
    numbers=(4, 25, 26, 27, 28),
)

FASTER_BUT_LESS_EFFICIENT = Expected(
    points=8,
    answers={
        "efficiency-before": ["0.781"],
        "efficiency-after": ["0.682"],
        "faster-8": ["1.67"],
        "faster-64": ["1.45"],
        "device-time": ["704"],
        "regression": ["2"],
        "why": ["2"],
    },
    exact={
        "efficiency-before": F(100, 16) / 8,
        "efficiency-after": F(60, 11) / 8,
        "faster-8": F(100, 60),
        "faster-64": F(16, 11),
        "device-time": F(704),
    },
    ideas={
        "efficiency-before": {
            "scaling.divides-by-D": F(100, 16) / 64,
            "scaling.speedup-only": F("6.25"),
            "scaling.upside-down": F("1.28"),
        },
        "efficiency-after": {
            "scaling.divides-by-D": F(60, 11) / 64,
            "scaling.speedup-only": F(60, 11),
            "scaling.upside-down": F(88, 60),
            "compare.mixed-baseline": F(100, 11) / 8,
        },
        "faster-8": {"scaling.inverse": F("0.6")},
        "faster-64": {
            "compare.efficiencies": F(60, 11) / F(100, 16),
            "scaling.inverse": F(11, 16),
        },
        "device-time": {"compare.old-program": F(1024), "cost.wall-time": F(11)},
    },
    numbers=(1,),
)

READ_THE_TRAINING_LINE = Expected(
    points=9,
    answers={
        "tokens": ["4376"],
        "flop-per-token": ["57.9"],
        "peak": ["989"],
        "half-mfu": ["2"],
        "grown": ["15.56"],
        "efficiency": ["0.973"],
        "missing": ["2"],
    },
    exact={
        "tokens": F(4376),
        "flop-per-token": F(253410, 4376),
        "peak": F("253.41") / F("0.2562"),
        "grown": F(717440, 46096),
        "efficiency": F(5605, 5762),
    },
    ideas={
        "tokens": {
            "log.whole-job": F(560128),
            "log.divides-again": F(4376, 128),
            "log.comma": F("4.376"),
        },
        "flop-per-token": {
            "log.comma": F(253410) / F("4.376"),
            "log.whole-job": F(253410, 560128),
            "log.upside-down": F(4376, 253410),
        },
        "peak": {
            "log.share-of-share": F("253.41") * F("0.2562"),
            "log.percent-as-number": F("253.41") / F("25.62"),
        },
        "grown": {"weak.per-device-only": F(5605, 5762), "weak.ideal-as-measured": F(16)},
        "efficiency": {
            "weak.strong-formula": F(5605, 5762) / 16,
            "weak.upside-down": F(5762, 5605),
        },
    },
    # The rate in GFLOP/s, the share as a ratio, the peak as it is stated and with sparsity, totals.
    facts=(F(253410), F("0.2562"), F(989), F("253.41") / 1979, F(717440), F(46096)),
    # The step, a factor, sequences of a device and of all, the model's name and size, the sparse peak.
    numbers=(20, 1000, 2, 16, 256, 3, 100, 1979),
)

OPENMC_1_2 = F("1882.5") - F("1743.5") * F(15, 16)
"""a + b/D through 3626 s on 1 and 1882.5 s on 2 nodes, at 32."""
OPENMC_GAIN = F("1882.5") * (F("1882.5") / 3626) ** 4
LAMMPS_24_48 = F("1488.54") - (F("2876.22") - F("1488.54")) * F(63, 64)

PICK_TWO_POINTS = Expected(
    points=11,
    answers={
        "pair-1-2": ["248.0"],
        "pair-8-16": ["187"],
        "predict-32": ["200"],
        "efficiency-32": ["0.568"],
        "error-1-2": ["24.3 %"],
        "which-pair": ["3"],
        "predict-3072": ["62"],
        "all-pairs": ["2"],
        "instead": ["3"],
    },
    exact={
        "pair-1-2": OPENMC_1_2,
        "pair-8-16": F(187),
        "predict-32": F("199.5"),
        "efficiency-32": F(3626) / F("199.5") / 32,
        "error-1-2": OPENMC_1_2 / F("199.5") - 1,
        "predict-3072": F("62.3691"),
    },
    ideas={
        "pair-1-2": {
            "scaling.same-gain-again": OPENMC_GAIN,
            "scaling.ideal": F(3626, 32),
            "extrapolate.one-step": F("1010.75"),
        },
        "pair-8-16": {
            "extrapolate.straight-line": F(70),
            "scaling.same-gain-again": F(304 * 304, 538),
            "extrapolate.ideal-doubling": F(152),
        },
        "predict-32": {
            "scaling.two-point-amdahl": OPENMC_1_2,
            "scaling.same-gain-again": OPENMC_GAIN,
            "scaling.ideal": F(3626, 32),
            "extrapolate.last-pair": F(187),
            "extrapolate.too-fast": F(160),
            "extrapolate.too-slow": F(300),
        },
        "efficiency-32": {
            "scaling.speedup-only": F(3626) / F("199.5"),
            "scaling.upside-down": F("199.5") * 32 / 3626,
        },
        "error-1-2": {
            "extrapolate.ratio": OPENMC_1_2 / F("199.5"),
            "extrapolate.of-predicted": 1 - F("199.5") / OPENMC_1_2,
        },
        "predict-3072": {
            "scaling.two-point-amdahl": LAMMPS_24_48,
            "scaling.same-gain-again": F("1488.54") * (F("1488.54") / F("2876.22")) ** 6,
            "scaling.ideal": F("2876.22") / 128,
            "extrapolate.last-pair": F("79.3502") - (F("121.548") - F("79.3502")) / 2,
            "extrapolate.ideal-doubling": F("79.3502") / 2,
            "extrapolate.too-fast": F(50),
            "extrapolate.too-slow": F(75),
        },
    },
    facts=(
        # The middle of two jobs at each count.
        *(F(3626), F("1882.5"), F(979), F(538), F(304), F("199.5")),
        # What each doubling saves on the curve through 1 and 2, and all of them to 32.
        *(F("1743.5") / 2**n for n in range(5)),
        *(F("1743.5") * F(15, 16), F(234), F(117), F("48.5")),
        # Through 2 and 8: b = (1882.5 - 538)/(1/2 - 1/8), and how far off each way was, as a share.
        F("1882.5") - F("1344.5") * F(8, 3) * F(15, 32),
        (F("1882.5") - F("1344.5") * F(8, 3) * F(15, 32)) / F("199.5") - 1,
        *(abs(time / F("199.5") - 1) for time in (OPENMC_1_2, F(187), OPENMC_GAIN)),
        *(abs(time / F("62.3691") - 1) for time in (LAMMPS_24_48, F("2876.22") / 128)),
    ),
    # 21 pairs of 7 counts; 16 to 136 s and 61 s are checked by their own tests.
    numbers=(1, 4, 7, 21, 16, 136, 61),
)

SECONDS_8, SECONDS_64 = F("1301.5545"), F("202.38975")
SAMPLES_8, SAMPLES_64 = F(2775192), F(3217536)
"""Olympic means of the ten published trainings."""
INFLATION, TO_TARGET = SAMPLES_64 / SAMPLES_8, SECONDS_8 / SECONDS_64 / 8

THROUGHPUT_IS_NOT_TARGET = Expected(
    points=9,
    answers={
        "throughput": ["93.2 %"],
        "predict-time": ["202"],
        "inflation": ["1.159"],
        "to-target": ["0.804"],
        "device-hours": ["3.60"],
        "why-more": ["2"],
        "promise": ["2"],
        "report": ["3"],
    },
    exact={
        "throughput": TO_TARGET * INFLATION,
        "predict-time": SECONDS_64,
        "inflation": INFLATION,
        "to-target": TO_TARGET,
        "device-hours": 64 * SECONDS_64 / 3600,
    },
    ideas={
        "throughput": {
            "scaling.speedup-only": TO_TARGET * INFLATION * 8,
            "scaling.divides-by-D": TO_TARGET * INFLATION / 8,
            "scaling.upside-down": 1 / (TO_TARGET * INFLATION),
        },
        "predict-time": {
            "weak.faster-to-quality": SECONDS_64 / INFLATION,
            "scaling.ideal": SECONDS_8 / 8,
            "target.expects-less": F(190),
            "target.expects-more": F(250),
        },
        "inflation": {"target.inverse": 1 / INFLATION, "target.batch-ratio": F(3072, 448)},
        "to-target": {
            "weak.faster-to-quality": TO_TARGET * INFLATION,
            "target.multiplies-inflation": TO_TARGET * INFLATION**2,
            "scaling.speedup-only": SECONDS_8 / SECONDS_64,
        },
        "device-hours": {"cost.wall-time": SECONDS_64 / 3600, "target.same-cost": 8 * SECONDS_8 / 3600},
    },
    facts=(
        *(SECONDS_8, SECONDS_64, SAMPLES_8, SAMPLES_64, SAMPLES_8 / 10**6, SAMPLES_64 / 10**6),
        # Samples per second, rounded as the text gives them, then device-hours against those on 8.
        *(F(round(SAMPLES_8 / SECONDS_8)), F(round(SAMPLES_64 / SECONDS_64)), F(15898, 2132)),
        8 * SECONDS_64 / SECONDS_8,
        INFLATION - 1,
        F("0.72"),  # the target: the share of hidden words that are guessed right
    ),
    numbers=(1, 3600),
)

BANDWIDTH_STOPS_THE_CORES = Expected(
    points=10,
    answers={
        "one-predict": ["0.869"],
        "all-predict": ["5.37"],
        "efficiency-7": ["73.5 %"],
        "efficiency-20": ["0.309"],
        "why": ["3"],
        "what-helps": ["2"],
        "kind-of-scaling": ["2"],
    },
    exact={
        "one-predict": F("13.91") / 16,
        "all-predict": F("85.88") / 16,
        "efficiency-7": F("71.56") / F("13.91") / 7,
        "efficiency-20": F("85.88") / F("13.91") / 20,
    },
    ideas={
        "one-predict": {
            "roofline.always-cap": F(1000),
            "roofline.gib": F("13.91") / 16 * GIB,
            "roofline.bits": F("13.91") / 2,
            "roofline.divide": F("13.91") * 16,
            "roofline.divide-inverse": 1 / (F("13.91") * 16),
        },
        "all-predict": {
            "roofline.always-cap": F(1000),
            "roofline.stale": F("13.91") / 16,
            "roofline.gib": F("85.88") / 16 * GIB,
            "roofline.divide": F("85.88") * 16,
            "roofline.cores-multiply": F("13.91") / 16 * 20,
            "roofline.bandwidth-per-core": F("85.88") / 16 * 20,
        },
        "efficiency-7": {
            "scaling.speedup-only": F("71.56") / F("13.91"),
            "scaling.upside-down": F("13.91") * 7 / F("71.56"),
        },
        "efficiency-20": {
            "scaling.speedup-only": F("85.88") / F("13.91"),
            "scaling.wrong-row": F("87.69") / F("13.91") / 14,
        },
    },
    # 20 times one core's bandwidth; the efficiency with 14; about 5 GFLOP/s; the roof as 86; half the bytes.
    facts=(F("278.2"), F("87.69") / F("13.91") / 14, F(5), F(86), F("0.125"), F("85.88") / F("13.91") / 20),
    # Operations, numbers, bytes of a number and of an element, half of them, cores of another processor.
    numbers=(2, 4, 8, 32, 16, 40, 1, 6148),
)

PRACTICE = {
    "one-job-is-one-sample": ONE_JOB_IS_ONE_SAMPLE,
    "faster-but-less-efficient": FASTER_BUT_LESS_EFFICIENT,
    "read-the-training-line": READ_THE_TRAINING_LINE,
    "pick-two-points": PICK_TWO_POINTS,
    "throughput-is-not-target": THROUGHPUT_IS_NOT_TARGET,
    "bandwidth-stops-the-cores": BANDWIDTH_STOPS_THE_CORES,
}
