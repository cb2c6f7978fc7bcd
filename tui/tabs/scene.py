"""What the lab's plot shows, taken from the lab's state and from what is being typed."""

from __future__ import annotations

from tui.model.ideas import matches
from tui.model.quantity import Reading, format_number
from tui.model.trial import Lab, Trial
from tui.plotting.roofline import PlottedTrial, Scene

Draft = tuple[Reading | None, Reading | None, Reading | None]
"""I, B and the prediction as the fields read now."""


def lab_scene(lab: Lab, draft: Draft) -> Scene:
    """The scene of the current trial; before Play the fields decide, after it the locked trial."""
    current = lab.current
    if current is None:
        intensity, bandwidth, prediction = (None if reading is None else reading.value for reading in draft)
    else:
        intensity, bandwidth, prediction = current.intensity, current.bandwidth, current.prediction
    label = None
    if prediction is not None:
        label = format_number(prediction)
        if current and matches(prediction, current.outcome.uncapped) and not current.right:
            label += " = I·B"
    return Scene(
        cap=float(lab.cap),
        intensity=None if intensity is None else float(intensity),
        bandwidth=None if bandwidth is None else float(bandwidth),
        prediction=None if prediction is None else float(prediction),
        prediction_label=label,
        earlier=tuple(map(_plotted, lab.earlier)),
        current=_plotted(current) if current else None,
    )


def _plotted(trial: Trial) -> PlottedTrial:
    return PlottedTrial(
        number=trial.number,
        intensity=float(trial.intensity),
        bandwidth=float(trial.bandwidth),
        attainable=float(trial.outcome.attainable),
    )
