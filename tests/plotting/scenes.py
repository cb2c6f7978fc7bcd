"""The lesson's three trials at I = 8 FLOP/byte, and the sizes the plots are tried at."""

from __future__ import annotations

from tui.plotting.geometry import Geometry
from tui.plotting.roofline import PlottedTrial, Scene, View, before
from tui.plotting.spec import PlotSpec

CAP = 1000.0
TRIALS = (
    PlottedTrial(1, 8.0, 50.0, 400.0),
    PlottedTrial(2, 8.0, 100.0, 800.0),
    PlottedTrial(3, 8.0, 200.0, 1000.0),
)
THIRD = Scene(CAP, 8.0, 200.0, 1600.0, "1600 = I·B", TRIALS[:2], TRIALS[2])
VIEWS: tuple[View, ...] = ("response", "roof")

CANVASES = [(40, 6), (41, 7), (55, 8), (75, 11), (80, 24), (99, 13), (113, 27), (150, 40), (200, 60)]


def played(intensity: float, bandwidth: float, prediction: float | None = None) -> Scene:
    """A scene whose only trial is this one, played."""
    trial = PlottedTrial(1, intensity, bandwidth, min(CAP, intensity * bandwidth))
    return Scene(CAP, intensity, bandwidth, prediction, current=trial)


def picture_size(spec: PlotSpec, canvas: tuple[int, int]) -> tuple[int, int]:
    """The picture that has a canvas of this size."""
    left = Geometry.of(spec.x, spec.y, 300, 100).left
    return canvas[0] + left, canvas[1] + 2


def third_size(view: View, canvas: tuple[int, int]) -> tuple[int, int]:
    return picture_size(before(THIRD, view), canvas)
