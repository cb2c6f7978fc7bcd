"""What the lab says in words: the next step, the verdict on a trial, and the trial log.

Text only; the tab decides where it stands. Numbers are rounded for reading.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from tui.model.quantity import format_number
from tui.model.roofline import Limit
from tui.model.trial import Lab, Phase, Trial

SCOPE = "Only a hypothetical bandwidth changed: one device, same work per rank."
"""The lab is no scaling experiment, and says so (device count and work per rank never change)."""

SCOPE_SHORT = "Only B changed, hypothetically: one device, same work."
"""The same for screens of 60 columns."""

FIRST_STEP = "Type the arithmetic intensity I, for example 8, and press Enter."

SEND_REFUSED = "Not sent: the trials ran on devices {devices}; nothing was scaled."

LOG_HEADER = ("#", "I", "B", "I·B", "cap", "attainable", "limit", "predicted")
"""Column names of the trial log; I in FLOP/byte, B in GB/s, the rates in GFLOP/s."""


@dataclass(frozen=True)
class LogRow:
    """One line of the trial log, ready to print."""

    cells: tuple[str, ...]
    right: bool | None
    """None when no prediction was made."""


def next_step(lab: Lab) -> str:
    """The one thing to do now."""
    if lab.phase is Phase.PLAYING:
        return "Playing: Enter or F5 skips to the end."
    if lab.phase is Phase.PLAYED:
        return f"Played: F7 Reset starts trial {lab.next_number}."
    if lab.intensity is None:
        if not lab.trials:
            return FIRST_STEP
        before = _shown(lab.trials[-1].intensity)
        return f"Trial {lab.next_number}: type I ({before} again changes only B) and press Enter."
    if lab.bandwidth is None:
        return "Now the bandwidth B in GB/s, then Enter."
    if lab.prediction is None:
        if lab.asked:
            return "No prediction yet: write one, or F5 again plays without."
        return "Predict the attainable GFLOP/s, within 1 %; Enter then plays."
    return "Ready: Enter or F5 plays."


def verdict(trial: Trial) -> tuple[str, str]:
    """Two lines: which limit binds, with the trial's numbers; what the prediction missed, and the knee."""
    knee = f"The knee is at B = {_shown(trial.outcome.knee_bandwidth)} GB/s."
    return _limit_sentence(trial), f"{_prediction_sentence(trial)} {knee}"


def outcome_sentence(trial: Trial) -> str:
    """The plot in one sentence, for people who cannot see it."""
    rate = _shown(trial.outcome.attainable)
    return f"Trial {trial.number}: {rate} GFLOP/s, {_BINDS[trial.outcome.limit]}."


def log_row(trial: Trial) -> LogRow:
    """The trial as a line of the log."""
    outcome = trial.outcome
    word = outcome.limit.value.upper() if outcome.limit is Limit.COMPUTE else outcome.limit.value
    numbers = (trial.intensity, trial.bandwidth, outcome.uncapped, outcome.cap, outcome.attainable)
    cells = (str(trial.number), *map(_shown, numbers), word, _predicted_cell(trial))
    return LogRow(cells, None if trial.prediction is None else trial.right)


def send_refusal(lab: Lab) -> str:
    """Why the trials of the lab are no rows of a strong-scaling table."""
    if not lab.trials:
        return "Not sent: there are no trials, and the lab never scales devices; measured runs go into tab 2."
    return SEND_REFUSED.format(devices=", ".join("1" for _ in lab.trials))


_BINDS = {
    Limit.MEMORY: "limited by memory",
    Limit.RIDGE: "at the ridge",
    Limit.COMPUTE: "at the COMPUTE CAP",
}


def _predicted_cell(trial: Trial) -> str:
    if trial.prediction is None:
        return "none"
    if trial.right:
        return f"{_shown(trial.prediction)} ✓ right"
    gap, side = _gap(trial)
    # The words come between mark and number: "1050 ✗ 50" reads like a product where ✗ is drawn as a letter.
    return f"{_shown(trial.prediction)} ✗ {trial.idea.title if trial.idea else f'{side} by {gap}'}"


def _gap(trial: Trial) -> tuple[str, str]:
    """How far a prediction missed, and to which side."""
    assert trial.prediction is not None
    gap = trial.prediction - trial.outcome.attainable
    return _shown(abs(gap)), f"too {'high' if gap > 0 else 'low'}"


def _limit_sentence(trial: Trial) -> str:
    outcome = trial.outcome
    fed, cap = _apart(outcome.uncapped, outcome.cap)
    if outcome.limit is Limit.COMPUTE:
        return f"COMPUTE CAP: I·B = {fed} is {_shown(outcome.above_cap)} GFLOP/s above the cap."
    if outcome.limit is Limit.RIDGE:
        return f"Both limits bind at once: I·B = {fed} GFLOP/s is exactly the cap."
    return f"Memory limits: I·B = {fed} GFLOP/s is below the cap of {cap}."


def _prediction_sentence(trial: Trial) -> str:
    if trial.prediction is None:
        return "You made no prediction."
    if trial.right:
        return "Your prediction was right."
    if trial.idea:
        return trial.idea.miss
    return f"Your {_shown(trial.prediction)} was {' '.join(_gap(trial))}."


def _shown(value: Fraction) -> str:
    """A number for reading, in at most nine characters: 1600, 0.008, 1e12."""
    text = format_number(value)
    if len(text) <= 9:
        return text
    mantissa, _, exponent = f"{float(value):.2e}".partition("e")
    mantissa = mantissa.rstrip("0").rstrip(".")
    return f"{mantissa}e{int(exponent)}"


def _apart(value: Fraction, other: Fraction) -> tuple[str, str]:
    """Two numbers with as many digits as tell them apart: 999.9999 is not printed as the 1000 it is below."""
    shown = _shown(value), _shown(other)
    for digits in range(5, 13):
        if shown[0] != shown[1] or value == other:
            break
        shown = format_number(value, digits), format_number(other, digits)
    return shown
