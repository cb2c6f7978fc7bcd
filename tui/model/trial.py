"""The trial life cycle of the roofline lab, as a fold over events.

Reset -> I and B read -> prediction written -> Play locks all three -> animation -> verdict. `apply` is the
only way a lab changes, live and when a dropped session is brought back, so both give the same lab.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from enum import Enum
from fractions import Fraction

from tui.events import Event, InputsSet, Locked, PlayAsked, Played, Predicted, Reset
from tui.model.ideas import Evidence, Idea, matches, recognise
from tui.model.quantity import ReadError, Reading, read
from tui.model.roofline import LAB_CAP, Outcome, outcome

INTENSITY_UNIT = "FLOP/byte"
BANDWIDTH_UNIT = "GB/s"
RATE_UNIT = "GFLOP/s"

SMALLEST = Fraction(1, 10**12)
"""Smallest number the lab takes, and its inverse the largest: far beyond any machine, and safe to draw."""


class Phase(Enum):
    """Where in its life the current trial is."""

    SETTING = "setting"
    """Inputs and prediction may still change."""
    PLAYING = "playing"
    """Locked; the animation runs."""
    PLAYED = "played"
    """The verdict may be read; only Reset goes on."""


@dataclass(frozen=True)
class Trial:
    """One trial as it was locked, and what the roofline says of it."""

    number: int
    intensity: Fraction
    bandwidth: Fraction
    prediction: Fraction | None
    """GFLOP/s; None when Play was pressed twice without one."""
    outcome: Outcome
    idea: Idea | None
    """The wrong idea that explains the prediction, where one does."""

    @property
    def right(self) -> bool:
        """Whether the prediction lies within one percent of what was attained."""
        return self.prediction is not None and matches(self.prediction, self.outcome.attainable)


@dataclass(frozen=True)
class Lab:
    """Everything the lab tab shows: the current fields, and every trial since the start."""

    cap: Fraction = LAB_CAP
    intensity: Reading | None = None
    bandwidth: Reading | None = None
    prediction: Reading | None = None
    asked: bool = False
    """Play was pressed once without a prediction; the next Play records none."""
    phase: Phase = Phase.SETTING
    trials: tuple[Trial, ...] = ()
    """Oldest first; while playing and played the last one is the current trial."""

    @property
    def current(self) -> Trial | None:
        """The trial on the plot now, None before Play."""
        return self.trials[-1] if self.phase is not Phase.SETTING else None

    @property
    def earlier(self) -> tuple[Trial, ...]:
        """The trials before the current one."""
        return self.trials if self.phase is Phase.SETTING else self.trials[:-1]

    @property
    def next_number(self) -> int:
        """The number the next trial will have."""
        return len(self.trials) + 1


def read_intensity(text: str) -> Reading:
    """Arithmetic intensity in FLOP/byte.

    Raises:
        ReadError: when the text is no intensity above 0; its sentence names the field.
    """
    return _positive("Arithmetic intensity I", text, INTENSITY_UNIT, "8")


def read_bandwidth(text: str) -> Reading:
    """Memory bandwidth in decimal GB/s; raises `ReadError` like `read_intensity`."""
    return _positive("Bandwidth B", text, BANDWIDTH_UNIT, "50")


def read_prediction(text: str) -> Reading:
    """A predicted throughput in GFLOP/s; raises `ReadError` like `read_intensity`."""
    return _positive("Prediction", text, RATE_UNIT, "300")


def apply(lab: Lab, event: Event) -> Lab:
    """The lab after `event`; an event that cannot happen now changes nothing."""
    if isinstance(event, Reset):
        return Lab(cap=lab.cap, trials=lab.trials)
    if lab.phase is Phase.PLAYING and isinstance(event, Played):
        return replace(lab, phase=Phase.PLAYED)
    if lab.phase is not Phase.SETTING:
        return lab
    if isinstance(event, InputsSet):
        return replace(
            lab,
            intensity=_or_none(read_intensity, event.intensity),
            bandwidth=_or_none(read_bandwidth, event.bandwidth),
        )
    if isinstance(event, Predicted):
        return replace(lab, prediction=_or_none(read_prediction, event.text), asked=False)
    if isinstance(event, PlayAsked):
        return replace(lab, asked=True)
    if isinstance(event, Locked) and lab.intensity and lab.bandwidth:
        return replace(lab, phase=Phase.PLAYING, trials=(*lab.trials, _lock(lab)))
    return lab


def replay(events: Iterable[Event], cap: Fraction = LAB_CAP) -> Lab:
    """The lab that a stored session leads to; a trial cut off while it played counts as played."""
    lab = Lab(cap=cap)
    for event in events:
        lab = apply(lab, event)
    return apply(lab, Played())


def _lock(lab: Lab) -> Trial:
    assert lab.intensity is not None
    assert lab.bandwidth is not None
    intensity, bandwidth = lab.intensity.value, lab.bandwidth.value
    prediction = lab.prediction.value if lab.prediction else None
    last = lab.trials[-1].outcome.attainable if lab.trials else None
    evidence = Evidence(intensity, bandwidth, lab.cap, last)
    return Trial(
        number=lab.next_number,
        intensity=intensity,
        bandwidth=bandwidth,
        prediction=prediction,
        outcome=outcome(intensity, bandwidth, lab.cap),
        idea=recognise(prediction, evidence) if prediction is not None else None,
    )


def _or_none(reader: Callable[[str], Reading], text: str) -> Reading | None:
    try:
        return reader(text)
    except ReadError:
        return None


def _positive(field: str, text: str, unit: str, example: str) -> Reading:
    if not text.strip():
        raise ReadError("N01", f"{field} is empty: write a number, for example {example} {unit}.")
    try:
        reading = read(text, unit)
    except ReadError as error:
        raise ReadError(error.code, f"{field}: {error.sentence}", error.choices) from None
    if reading.value <= 0:
        sentence = f"{field}: read {text.strip()!r}; it must be above 0, for example {example} {unit}."
        raise ReadError("N10", sentence)
    if not SMALLEST <= reading.value <= 1 / SMALLEST:
        sentence = f"{field}: read {text.strip()!r}; the lab takes numbers from 1e-12 to 1e12 {unit}."
        raise ReadError("N10", sentence)
    return reading
