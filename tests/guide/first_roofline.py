"""What the exercises on the roofline and on weak scaling must say, worked out by hand."""

from __future__ import annotations

from fractions import Fraction as F

from tests.guide.first_exercises import GIB, Expected

OVER_CAP = F(1200)
"""A prediction above the cap of 1000 that no idea explains better."""

ROOFLINE_THREE_TRIALS = Expected(
    points=14,
    answers={
        "t1-predict": ["400"],
        "t1-observe": ["1"],
        "t2-predict": ["800"],
        "t3-predict": ["1000"],
        "t3-explain": ["1"],
        "knee": ["125"],
        "scope": ["1"],
    },
    exact={"t1-predict": F(400), "t2-predict": F(800), "t3-predict": F(1000), "knee": F(125)},
    ideas={
        "t1-predict": {
            "roofline.always-cap": F(1000),
            "roofline.gib": 400 * GIB,
            "roofline.bits": F(3200),
            "roofline.divide": F("6.25"),
            "roofline.over-cap": OVER_CAP,
        },
        "t2-predict": {
            "roofline.always-cap": F(1000),
            "roofline.gib": 800 * GIB,
            "roofline.bits": F(6400),
            "roofline.divide": F("12.5"),
            "roofline.over-cap": OVER_CAP,
            "roofline.stale": F(400),
        },
        "t3-predict": {
            "roofline.divide": F(25),
            "roofline.no-cap": F(1600),
            "roofline.average": F(1300),
            "roofline.stale": F(800),
            "roofline.over-cap-other": OVER_CAP,
        },
        "knee": {"roofline.ridge-product": F(8000), "roofline.ridge-last-input": F(200)},
    },
    facts=(F(8 * 200),),
    numbers=(1, 2, 3, 9, 10, 30),  # the trials, F2, and the powers 10^9 and 2^30
)

ROOFLINE_IS_NOT_SCALING = Expected(
    points=11,
    answers={
        "a-predict": ["800"],
        "b-predict": ["1000"],
        "b-observe": ["3"],
        "factor": ["2.5"],
        "their-number": ["62.5 %"],
        "wrong-name": ["4"],
        "needed": ["1 2 3"],
    },
    exact={"a-predict": F(800), "b-predict": F(1000), "factor": F("2.5"), "their-number": F("0.625")},
    ideas={
        "a-predict": {
            "roofline.always-cap": F(1000),
            "roofline.average": F(900),
            "roofline.gib": 800 * GIB,
            "roofline.bits": F(6400),
            "roofline.divide": F(50),
            "roofline.old-intensity": F(1600),
        },
        "b-predict": {
            "roofline.stale": F(800),
            "roofline.gib": 1000 * GIB,
            "roofline.bits": F(8000),
            "roofline.divide": F("2.5"),
            "roofline.old-intensity": F(400),
        },
        "factor": {
            "roofline.bandwidth-factor": F(4),
            "roofline.second-trial": F(2),
            "scaling.inverse": F("0.4"),
            "scaling.difference": F(600),
        },
        "their-number": {"roofline.stops-at-factor": F("2.5"), "scaling.upside-down": F("1.6")},
    },
    facts=(F(8 * 50),),
    numbers=(1, 8, 50, 100, 200),  # devices, and I and B of the three trials of the report
)

WEAK_DECLARE_THE_WORK = Expected(
    points=16,
    answers={
        "ideal-64": ["12"],
        "tokens-8": ["256000"],
        "tokens-64": ["2,048,000"],
        "enter": ["8, 2000, 12.0", "16, 2000, 12.6", "32, 2000, 13.5", "64, 2000, 15.0"],
        "efficiency-64": ["0.80"],
        "efficiency-32": ["89 %"],
        "extra-time": ["2"],
        "flop-short": ["7"],
        "flop-long": ["10 GFLOP"],
        "ratio": ["1.43"],
        "naive": ["0.57"],
        "corrected": ["0.82"],
        "worse": ["2"],
        "report": ["2"],
    },
    exact={
        "ideal-64": F(12),
        "tokens-8": F(256_000),
        "tokens-64": F(2_048_000),
        "efficiency-64": F(4, 5),
        "efficiency-32": F(8, 9),
        "flop-short": F(7),
        "flop-long": F(10),
        "ratio": F(10, 7),
        "naive": F(12, 21),
        "corrected": F(40, 49),
    },
    ideas={
        "ideal-64": {
            "weak.ideal-shrinks": F("1.5"),
            "weak.time-grows": F(96),
            "weak.measured-as-ideal": F(15),
        },
        "tokens-8": {"weak.local-work": F(32_000), "weak.one-sequence": F(16_000)},
        "tokens-64": {
            "weak.local-work": F(32_000),
            "weak.fixed-work": F(256_000),
            "weak.one-sequence": F(128_000),
        },
        "efficiency-64": {
            "weak.upside-down": F("1.25"),
            "weak.strong-formula": F("0.1"),
            "weak.scaled-speedup": F("6.4"),
        },
        "efficiency-32": {"weak.upside-down": F(9, 8), "weak.strong-formula": F(2, 9)},
        "flop-short": {"weak.no-position-term": F(6), "weak.mega-as-giga": F(1006)},
        "flop-long": {"weak.same-tokens-same-work": F(7), "weak.all-grows": F(28)},
        "ratio": {
            "weak.same-tokens-same-work": F(1),
            "weak.length-ratio": F(4),
            "scaling.upside-down": F(7, 10),
        },
        "naive": {
            "weak.upside-down": F(21, 12),
            "weak.other-baseline": F(15, 21),
            "weak.strong-formula": F(12, 21) / 8,
        },
        "corrected": {"weak.correction-inverted": F(2, 5), "weak.same-tokens-same-work": F(4, 7)},
    },
    facts=(F(15 - 12), F("0.5") * 2000, F("0.0005") * 2000, F("0.0005") * 8000, 12 * F(10, 7)),
    wrong_row={"enter": "8, 2000, 120"},
    numbers=(6, F("0.5"), 16, 4),  # the declared GFLOP and MFLOP of a token, and sequences on each device
)

WEAK_IS_NOT_QUALITY = Expected(
    points=14,
    answers={
        "step-efficiency": ["0.91"],
        "enter-8": ["8, 256, 40000, 40000"],
        "predict-target": ["15000"],
        "speedup-to-target": ["2.27"],
        "efficiency-to-target": ["0.57"],
        "total-32": ["16384000"],
        "inflation": ["1.6"],
        "updates-per-million": ["977"],
        "device-hours": ["156.4"],
        "differs": ["1 2 3 4"],
        "claim": ["2"],
        "family": ["4"],
    },
    exact={
        "step-efficiency": F(10, 11),
        "predict-target": F(17_600),
        "speedup-to-target": F(25, 11),
        "efficiency-to-target": F(25, 44),
        "total-32": F(16_384_000),
        "inflation": F("1.6"),
        "updates-per-million": F(1_000_000, 1024),
        "device-hours": F(32 * 17_600, 3600),
    },
    ideas={
        "step-efficiency": {"weak.upside-down": F("1.1"), "weak.strong-formula": F(10, 44)},
        "predict-target": {
            "weak.faster-to-quality": F(10_000),
            "weak.quarter-updates": F(11_000),
            "weak.same-updates": F(44_000),
        },
        "speedup-to-target": {
            "weak.throughput-as-target": F(40, 11),
            "weak.updates-ratio": F("2.5"),
            "scaling.inverse": F(11, 25),
        },
        "efficiency-to-target": {"weak.faster-to-quality": F(10, 11), "scaling.speedup-only": F(25, 11)},
        "total-32": {"weak.old-batch": F(4_096_000), "weak.same-updates": F(40_960_000)},
        "inflation": {"weak.updates-ratio": F("0.4"), "scaling.inverse": F("0.625")},
        "updates-per-million": {"weak.old-batch": F(1_000_000, 256), "weak.all-updates": F(16_000)},
        "device-hours": {
            "cost.wall-hours": F(17_600, 3600),
            "cost.faster-is-cheaper": F(8 * 17_600, 3600),
        },
    },
    facts=(
        *(F(40_000 * 256), F("16.384"), F("10.24"), F(8 * 40_000, 3600), F(32 * 17_600, 8 * 40_000)),
        *(4 * F(10, 11), F(1024, 32), F(32, 8), F(round(1_000_000 / 1024)), F(round(1_000_000 / 256))),
    ),
    wrong_row={"enter-8": "8, 1024, 40000, 40000"},
    numbers=(1, 2, 64, F("2.3"), 3600, 1_000_000),  # billions of parameters, the odd row, an hour, a million
)

ROOFLINE = {
    "roofline-three-trials": ROOFLINE_THREE_TRIALS,
    "roofline-is-not-scaling": ROOFLINE_IS_NOT_SCALING,
}
"""By id, in the order of the menu."""

WEAK = {
    "weak-declare-the-work": WEAK_DECLARE_THE_WORK,
    "weak-is-not-quality": WEAK_IS_NOT_QUALITY,
}
"""By id, in the order of the menu."""
