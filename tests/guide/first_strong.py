"""What the exercises on strong scaling must say, worked out by hand."""

from __future__ import annotations

from fractions import Fraction as F

from tests.guide.first_exercises import Expected

STRONG_FIX_THE_WORK = Expected(
    points=9,
    answers={
        "accumulation-16": ["8"],
        "accumulation-64": ["2"],
        "micro-batch-256": ["4"],
        "fill": ["16, 8, 8, 1024", "64, 8, 2, 1024", "256, 4, 1, 1024"],
        "plans": ["4"],
        "record": ["1 2"],
        "why-record": ["1 2"],
        "questions": ["2"],
    },
    exact={"accumulation-16": F(8), "accumulation-64": F(2), "micro-batch-256": F(4)},
    ideas={
        "accumulation-16": {
            "strong.local-batch": F(64),
            "strong.keeps-accumulation": F(32),
            "strong.forgets-devices": F(128),
        },
        "accumulation-64": {
            "strong.local-batch": F(16),
            "strong.keeps-accumulation": F(32),
            "strong.forgets-devices": F(128),
            "strong.last-count": F(8),
        },
        "micro-batch-256": {"strong.half-a-step": F("0.5"), "strong.keeps-micro-batch": F(8)},
    },
    facts=(F(16 * 8 * 32), F(64 * 8 * 32), F(256 * 8)),
    wrong_row={"fill": "16, 8, 32, 1024"},
)

STRONG_FIRST_TABLE = Expected(
    points=10,
    answers={
        "baseline": ["2"],
        "enter": ["4, 96.0", "8, 50.0", "16, 27.2", "32, 16.0"],
        "ideal-32": ["8"],
        "speedup-16": ["3.53"],
        "efficiency-16": ["0.88"],
        "efficiency-32": ["75 %"],
        "predict-64": ["0.6"],
        "efficiency-64": ["0.58"],
        "meaning": ["2"],
    },
    exact={
        "ideal-32": F(8),
        "speedup-16": F(60, 17),
        "efficiency-16": F(15, 17),
        "efficiency-32": F(3, 4),
        "efficiency-64": F(15, 26),
    },
    ideas={
        "ideal-32": {
            "scaling.ideal-is-D": F(32),
            "scaling.device-difference": F(28),
            "scaling.speedup-only": F(6),
        },
        "speedup-16": {
            "scaling.inverse": F(17, 60),
            "scaling.device-ratio": F(4),
            "scaling.difference": F("68.8"),
        },
        "efficiency-16": {
            "scaling.divides-by-D": F(60, 17) / 16,
            "scaling.upside-down": F(17, 15),
            "scaling.speedup-only": F(60, 17),
            "scaling.inverse": F(17, 60),
        },
        "efficiency-32": {
            "scaling.divides-by-D": F(6, 32),
            "scaling.upside-down": F(4, 3),
            "scaling.speedup-only": F(6),
            "scaling.device-ratio": F(8),
            "scaling.inverse": F(1, 6),
        },
        "predict-64": {"scaling.stays": F(3, 4), "scaling.same-drop": F(3, 4) - (F(15, 17) - F(3, 4))},
        "efficiency-64": {
            "scaling.divides-by-D": F(960, 104) / 64,
            "scaling.upside-down": F(26, 15),
            "scaling.speedup-only": F(960, 104),
        },
    },
    facts=(
        *(F(96, 50) / 2, F(1) - F(96, 50) / 2, F(96, 50) / 2 - F(15, 17)),
        *(F(15, 17) - F(3, 4), F(3, 4) - F(15, 26), 1 - F(15, 26), F(960, 104)),
    ),
    wrong_row={"enter": "4, 9.6"},
)

STRONG_SHRINKING_BATCH = Expected(
    points=14,
    answers={
        "naive-speedup": ["1.90"],
        "naive-efficiency": ["0,952"],
        "verdict": ["3"],
        "find-it": ["2"],
        "same-sequences": ["42 s"],
        "honest-ratio": ["0.48"],
        "two-halves": ["1"],
        "enter": ["4, 2048, 16, 32, 40.0", "8, 2048, 16, 16, 22.4", "16, 2048, 16, 8, 13.2"],
        "true-efficiency": ["76 %"],
        "record": ["1"],
    },
    exact={
        "naive-speedup": F(40, 21),
        "naive-efficiency": F(20, 21),
        "same-sequences": F(42),
        "honest-ratio": F(10, 21),
        "true-efficiency": F(25, 33),
    },
    ideas={
        "naive-speedup": {
            "scaling.inverse": F(21, 40),
            "scaling.difference": F(19),
            "scaling.device-ratio": F(2),
        },
        "naive-efficiency": {"scaling.divides-by-D": F(40, 21) / 8, "scaling.upside-down": F(21, 20)},
        "same-sequences": {"strong.not-normalised": F(21), "strong.normalised-wrong-way": F("10.5")},
        "honest-ratio": {"strong.forgot-ideal": F(20, 21)},
        "true-efficiency": {
            "scaling.divides-by-D": F(400, 132) / 16,
            "scaling.speedup-only": F(400, 132),
            "strong.wrong-table": F(400, 116) / 4,
        },
    },
    wrong_row={"enter": "4, 1024, 16, 32, 40.0"},
    numbers=(1, 4096),  # the sequence length of the record
)

STRONG_ABOVE_ONE = Expected(
    points=8,
    answers={
        "efficiency-2": ["107 %"],
        "mistake": ["2"],
        "cause": ["1 2 3"],
        "predict-8": ["16"],
        "efficiency-8": ["0.86"],
        "efficiency-8-from-2": ["0.8"],
        "which": ["1"],
    },
    exact={"efficiency-2": F(15, 14), "efficiency-8": F(6, 7), "efficiency-8-from-2": F(4, 5)},
    ideas={
        "efficiency-2": {
            "scaling.upside-down": F(14, 15),
            "scaling.speedup-only": F(15, 7),
            "scaling.inverse": F(7, 15),
            "scaling.capped-at-one": F(1),
        },
        "predict-8": {
            "scaling.superlinear-forever": F(2744, 225),
            "scaling.ideal": F(15),
            "scaling.halves-again": F("15.5"),
        },
        "efficiency-8": {"scaling.upside-down": F(7, 6), "scaling.speedup-only": F(48, 7)},
        "efficiency-8-from-2": {
            "scaling.divides-by-D": F(2, 5),
            "strong.old-baseline": F(6, 7),
            "scaling.speedup-only": F(16, 5),
            "strong.half-the-baseline": F(12, 7),
        },
    },
    facts=(1 - F(2744, 225) / F("17.5"),),
)

STRONG_PLACEMENT = Expected(
    points=9,
    answers={
        "packed-8": ["0.97"],
        "spread-8": ["78 %"],
        "spread-over-packed": ["1.24"],
        "missing": ["2"],
        "last-mixed": ["0.786"],
        "last-spread": ["0.976"],
        "fair": ["1"],
    },
    exact={
        "packed-8": F(32, 33),
        "spread-8": F(32, 41),
        "spread-over-packed": F(41, 33),
        "last-mixed": F(33, 42),
        "last-spread": F(41, 42),
    },
    ideas={
        "packed-8": {
            "strong.other-placement": F(32, 41),
            "scaling.divides-by-D": F(64, 33) / 8,
            "scaling.upside-down": F(33, 32),
            "scaling.speedup-only": F(64, 33),
        },
        "spread-8": {
            "strong.other-placement": F(32, 33),
            "scaling.divides-by-D": F(64, 41) / 8,
            "scaling.upside-down": F(41, 32),
            "scaling.speedup-only": F(64, 41),
        },
        "spread-over-packed": {"scaling.inverse": F(33, 41), "scaling.difference": F(8)},
        "last-mixed": {
            "strong.from-D0": F(16, 21),
            "scaling.speedup-only": F(33, 21),
            "scaling.upside-down": F(42, 33),
        },
        "last-spread": {
            "strong.from-D0": F(16, 21),
            "strong.other-placement": F(33, 42),
            "scaling.speedup-only": F(41, 21),
            "scaling.upside-down": F(42, 41),
        },
    },
    facts=(F(640, 210) / 4,),
    numbers=(1, 2),  # the efficiency of a baseline; the ideal of a doubling
)

STRONG_SMALL_MATRICES = Expected(
    points=7,
    answers={
        "predict-32": ["0.125"],
        "speedup-32": ["4.75"],
        "efficiency-32": ["0.59"],
        "changed": ["2"],
        "which-record": ["1 2"],
    },
    exact={"predict-32": F(1, 8), "speedup-32": F(19, 4), "efficiency-32": F(19, 32)},
    ideas={
        "predict-32": {
            "scaling.divides-by-D": F(1, 32),
            "weak.ideal-stays": F(1),
            "strong.multiplies-time": F(8),
        },
        "speedup-32": {"scaling.device-ratio": F(8), "scaling.inverse": F(4, 19)},
        "efficiency-32": {
            "scaling.upside-down": F(32, 19),
            "scaling.speedup-only": F(19, 4),
            "scaling.divides-by-D": F(19, 128),
        },
    },
    facts=(F(4 * 320), F(32 * 40), F(32 - 4)),
)

STRONG = {
    "strong-fix-the-work": STRONG_FIX_THE_WORK,
    "strong-first-table": STRONG_FIRST_TABLE,
    "strong-shrinking-batch": STRONG_SHRINKING_BATCH,
    "strong-above-one": STRONG_ABOVE_ONE,
    "strong-placement": STRONG_PLACEMENT,
    "strong-small-matrices": STRONG_SMALL_MATRICES,
}
"""By id, in the order of the menu."""
