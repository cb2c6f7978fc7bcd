"""What the exercises on limits and on cost must say, worked out by hand."""

from __future__ import annotations

from fractions import Fraction as F

from tests.guide.first_exercises import Expected

LATE_64, LATE_256 = 1 - F(99, 100) ** 64, 1 - F(99, 100) ** 256

OVERHEAD_AND_STRAGGLERS = Expected(
    points=15,
    answers={
        "enter-64": ["64, 3.5, 1.5, 2.0"],
        "share-4": ["7.7 %"],
        "share-64": ["57 %"],
        "efficiency-16": ["0.8125"],
        "efficiency-64": ["0.464"],
        "limit": ["13"],
        "late-64": ["47.4 %"],
        "late-256": ["92.4 %"],
        "expected": ["1.237"],
        "two-ways": ["2 3"],
    },
    exact={
        "share-4": F(1, 13),
        "share-64": F(4, 7),
        "efficiency-16": F(13, 16),
        "efficiency-64": F(13, 28),
        "limit": F(13),
        "late-64": LATE_64,
        "late-256": LATE_256,
        "expected": 1 + LATE_64 / 2,
    },
    ideas={
        "share-4": {"overhead.share-of-compute": F(2, 24), "overhead.share-left": F(24, 26)},
        "share-64": {
            "overhead.constant-share": F(2, 26),
            "overhead.share-of-compute": F(2) / F("1.5"),
            "overhead.split-too": F("0.125") / F("3.5"),
        },
        "efficiency-16": {
            "scaling.divides-by-D": F(26, 8) / 16,
            "scaling.speedup-only": F(26, 8),
            "scaling.upside-down": F(16, 13),
        },
        "efficiency-64": {
            "scaling.divides-by-D": F(26) / F("3.5") / 64,
            "scaling.speedup-only": F(26) / F("3.5"),
            "scaling.upside-down": F(28, 13),
        },
        "limit": {
            "overhead.limit-is-largest-run": F(26) / F("3.5"),
            "overhead.limit-of-compute": F(12),
            "overhead.no-limit": F(16),
        },
        "late-64": {"tail.adds-up": F("0.64"), "tail.nobody": 1 - LATE_64, "tail.one-rank": F("0.01")},
        "late-256": {"tail.adds-up": F("2.56"), "tail.four-times": 4 * LATE_64},
        "expected": {"tail.adds-up": F("1.32"), "tail.one-rank": F("1.005"), "tail.always": F("1.5")},
    },
    # 1 of 100 %, the chance of being in time, of nobody late among 256, and of somebody among 8.
    facts=(F(1), F("0.99"), 1 - LATE_256, 1 - F(99, 100) ** 8),
    wrong_row={"enter-64": "64, 3.5, 2.0, 1.5"},
    numbers=(96, 0, 256),
)

FIND_THE_NEXT_LIMIT = Expected(
    points=21,
    answers={
        "enter-32": ["32, 19.5, 10, 6, 2.5, 17.5, 1"],
        "measured": ["2 5"],
        "efficiency-16": ["0.83"],
        "efficiency-32": ["0.61"],
        "lost": ["7.625"],
        "lost-communication": ["5 s"],
        "slack-32": ["1.0"],
        "predict-64": ["18.5 s"],
        "why": ["3"],
        "free-communication": ["18.5"],
        "half-input": ["15.5"],
        "both": ["9.75"],
        "efficiency-64": ["0.3125"],
        "cost": ["1.95"],
        "next": ["4"],
    },
    exact={
        "efficiency-16": F(5, 6),
        "efficiency-32": F(95, 156),
        "lost": F("7.625"),
        "lost-communication": F(5),
        "slack-32": F(1),
        "predict-64": F("18.5"),
        "free-communication": F("18.5"),
        "half-input": F("15.5"),
        "both": F("9.75"),
        "efficiency-64": F("0.3125"),
        "cost": F(64 * 19) / (32 * F("19.5")),
    },
    ideas={
        "efficiency-16": {
            "scaling.divides-by-D": F("47.5") / F("28.5") / 16,
            "scaling.speedup-only": F("47.5") / F("28.5"),
            "scaling.upside-down": F(6, 5),
        },
        "efficiency-32": {
            "scaling.divides-by-D": F("47.5") / F("19.5") / 32,
            "scaling.speedup-only": F("47.5") / F("19.5"),
            "scaling.upside-down": F(156, 95),
        },
        "lost": {"path.saved-not-lost": F(28), "path.ideal-not-lost": F("11.875")},
        "lost-communication": {"path.loss-as-growth": F(2), "path.loss-is-stage": F(6)},
        "slack-32": {"path.slack-with-host": F(2), "path.slack-against-compute": F("7.5")},
        "predict-64": {
            "scaling.ideal": F("5.9375"),
            "scaling.same-gain-again": F("28.5") * (F("28.5") / F("47.5")) ** 2,
            "scaling.two-point-amdahl": F("14.25"),
            "path.chain-only": F("15.5"),
            "path.adds-parallel": F(33),
            "path.forgets-host": F("17.5"),
        },
        "free-communication": {
            "path.saves-off-path": F("11.5"),
            "path.saves-off-step": F(12),
            "path.chain-only": F("8.5"),
            "path.chain-alone": F("7.5"),
            "path.forgets-host": F("17.5"),
        },
        "half-input": {
            "path.input-only": F("9.75"),
            "path.no-gain": F("18.5"),
            "path.forgets-host": F("14.5"),
        },
        "both": {
            "path.chain-only": F("8.5"),
            "path.adds-parallel": F("17.25"),
            "path.forgets-host": F("8.75"),
        },
        "efficiency-64": {
            "scaling.divides-by-D": F("2.5") / 64,
            "scaling.speedup-only": F("2.5"),
            "scaling.upside-down": F("3.2"),
        },
        "cost": {"cost.faster-is-cheaper": F(19) / F("19.5"), "cost.devices-only": F(2)},
    },
    facts=(
        # What bubbles and the host lost, the chain at 32 and 64 devices, half the input, its slack at 8.
        *(F("2.5") - F("2.5") / 4, 1 - F(1, 4), F("18.5"), F("14.5"), F("8.75"), F("46.5") - F("17.5")),
        # What was gained by the last doubling, what free communication brings then, device times.
        *(F("19.5") / 19, F("15.5") - F("9.75"), F(1216), F(624), F(64 * 19) / (8 * F("47.5"))),
        # How far each rule was off.
        *(abs(F(rule) / 19 - 1) for rule in ("18.5", "15.5", "14.25", "10.26", "5.9375")),
        F(3, 100),
    ),
    wrong_row={"enter-32": "32, 19.5, 10, 6, 17.5, 2.5, 1"},
    numbers=(0, 3, 128, 10),
)

COST_AND_MEMORY = Expected(
    points=14,
    answers={
        "smallest": ["4"],
        "longer": ["8"],
        "enter": ["4, 96.0", "8, 50.0", "16, 27.2", "32, 16.0"],
        "efficiency-new": ["0.781"],
        "why-better": ["2"],
        "device-time": ["512"],
        "cost-ratio": ["1.33"],
        "charged": ["768"],
        "cheapest": ["8"],
        "say-it": ["3"],
        "report": ["1 3 4"],
    },
    exact={
        "smallest": F(4),
        "longer": F(8),
        "efficiency-new": F(50, 16) / 4,
        "device-time": F(512),
        "cost-ratio": F(512, 384),
        "charged": F(768),
        "cheapest": F(8),
    },
    ideas={
        "smallest": {
            "memory.not-a-count": F(100, 30),
            "memory.rounds-down": F(3),
            "memory.forgets-fixed": F("2.5"),
            "memory.one-short": F(2),
        },
        "longer": {
            "memory.old-count": F(4),
            "memory.not-a-count": F(100, 18),
            "memory.whole-not-listed": F(6),
        },
        "efficiency-new": {
            "scaling.divides-by-D": F(50, 16) / 32,
            "scaling.speedup-only": F("3.125"),
            "scaling.upside-down": F("1.28"),
            "scaling.other-baseline": F("0.75"),
        },
        "device-time": {"cost.wall-time": F(16), "cost.per-device": F("0.5")},
        "cost-ratio": {
            "cost.faster-is-cheaper": F(16, 96),
            "cost.upside-down": F("0.75"),
            "cost.devices-only": F(8),
        },
        "charged": {"cost.used-not-charged": F(384), "cost.wall-time": F(96)},
        "cheapest": {
            "cost.used-not-charged": F(4),
            "cost.faster-is-cheaper": F(32),
            "cost.middle": F(16),
        },
    },
    facts=(
        # GiB on a device: on 4, on 3 and on 2; with longer sequences on 8 and on 4; their shared part on 4.
        *(F(10 + 25), 10 + F(100, 3), F(10 + 50), 22 + F(100, 8), F(22 + 25), F(25)),
        # What is billed at 8 and at 16; 33 % more.
        *(F(8 * 50), F(16 * 272, 10), F(1, 3)),
    ),
    wrong_row={"enter": "4, 50.0"},
    # The job's memory: not shared, shared, the device, with longer sequences, what is left, another machine.
    numbers=(10, 100, 40, 12, 22, 30, 18, 24, 1, 0),
)

HOW_MANY_DEVICES = Expected(
    points=10,
    answers={
        "days-8": ["11.57"],
        "days-16": ["6.30"],
        "hours-32": ["2844.4"],
        "floor-16": ["88.2 %"],
        "choose": ["16"],
        "deadline-moves": ["8"],
        "whole-nodes": ["4266.7"],
        "which-limit": ["1"],
    },
    exact={
        "days-8": F(20000 * 50, 86400),
        "days-16": F(20000 * 272, 864000),
        "hours-32": F(20000 * 32 * 16, 3600),
        "floor-16": F(15, 17),
        "choose": F(16),
        "deadline-moves": F(8),
        "whole-nodes": F(20000 * 8 * 96, 3600),
    },
    ideas={
        "days-8": {
            "plan.hours-as-days": F(1_000_000, 3600),
            "plan.divides-again": F(1_000_000, 86400) / 8,
            "plan.multiplies": F(1_000_000, 86400) * 8,
        },
        "days-16": {
            "plan.halves": F(500_000, 86400),
            "plan.hours-as-days": F(544_000, 3600),
        },
        "hours-32": {"cost.wall-time": F(320_000, 3600), "plan.same-cost": F(20000 * 384, 3600)},
        "floor-16": {
            "scaling.divides-by-D": F(960, 272) / 16,
            "scaling.speedup-only": F(60, 17),
            "scaling.upside-down": F(17, 15),
        },
        "choose": {"plan.cheapest": F(4), "plan.fastest": F(32), "plan.deadline-missed": F(8)},
        "deadline-moves": {"plan.keeps-choice": F(16), "plan.cheapest": F(4)},
        "whole-nodes": {
            "cost.used-not-charged": F(20000 * 4 * 96, 3600),
            "cost.wall-time": F(20000 * 96, 3600),
        },
    },
    facts=(
        # Seconds of the training on 8 and 16; days on 4 and 32; device-hours on 8, 16 and 4; E on 32.
        *(F(1_000_000), F(544_000), F(20000 * 96, 86400), F(20000 * 16, 86400)),
        *(F(20000 * 8 * 50, 3600), F(20000 * 16 * 272, 36000), F(20000 * 4 * 96, 3600), F("0.75")),
        F("0.8"),
    ),
    numbers=(20000, 7, 12, 2500, 3000, 86400, 3600, 24),
)

LIMITS = {
    "overhead-and-stragglers": OVERHEAD_AND_STRAGGLERS,
    "find-the-next-limit": FIND_THE_NEXT_LIMIT,
    "cost-and-memory": COST_AND_MEMORY,
    "how-many-devices": HOW_MANY_DEVICES,
}
