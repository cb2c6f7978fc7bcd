"""The roofline lab's two views of one trial, each as two plots: before Play and after it.

response: GFLOP/s over the bandwidth B at this intensity, linear. roof: GFLOP/s over the intensity I, both
logarithmic. Frames follow from the cap (and, in the response view, from I), never from a result; nothing
before Play shows what this trial attains.
"""

from __future__ import annotations

import math
import sys
from dataclasses import dataclass
from typing import Literal, NamedTuple

from tui.model.roofline import Limit, attainable, knee_bandwidth, limit, ridge_intensity
from tui.model.trial import BANDWIDTH_UNIT, INTENSITY_UNIT, RATE_UNIT
from tui.plotting.reveal import Motion
from tui.plotting.spec import Axis, Curve, Level, Mark, PlotSpec, Tick
from tui.plotting.ticks import decade_ticks, round_ticks, short

View = Literal["response", "roof"]

CAP_NAME = "compute cap"
_CURVE_FREE = 0.4
"""Share of the frame from the left in which a curve that bends behind it does not reach the cap's row."""

HEADROOM = 1.6
"""The response frame ends at this multiple of cap and knee: I·B of the lesson's third trial is its corner."""

_ROOF_INTENSITIES = (-1, 3)
_ROOF_DECADES = 3
_LARGEST = sys.float_info.max / 16


class PlottedTrial(NamedTuple):
    """One played trial: I in FLOP/byte, B in GB/s, attainable in GFLOP/s."""

    number: int
    intensity: float
    bandwidth: float
    attainable: float


@dataclass(frozen=True)
class Scene:
    """What the lab's plot is drawn from.

    Attributes:
        cap: compute cap, GFLOP/s.
        intensity, bandwidth: the fields of the current trial; None while empty.
        prediction: GFLOP/s; None when none was written.
        prediction_label: what stands beside it after Play in place of the bare number, "1600 = I·B".
        earlier: the trials played before.
        current: the trial being played or just played; None until Play.
    """

    cap: float
    intensity: float | None = None
    bandwidth: float | None = None
    prediction: float | None = None
    prediction_label: str | None = None
    earlier: tuple[PlottedTrial, ...] = ()
    current: PlottedTrial | None = None

    def __post_init__(self) -> None:
        for name in ("cap", "intensity", "bandwidth"):
            value = getattr(self, name)
            if value is not None and not (math.isfinite(value) and value > 0):
                raise ValueError(f"the plot needs a finite {name} above 0, not {value}")
        if self.prediction is not None and not math.isfinite(self.prediction):
            raise ValueError(f"the plot needs a finite prediction, not {self.prediction}")


def before(scene: Scene, view: View) -> PlotSpec:
    """The plot until Play: frame, cap, earlier trials and the prediction, nothing of this trial's result."""
    x, y = _axes(scene, view)
    marks = [*_earlier_marks(scene, view, x, y), *_prediction_mark(scene, view, x, y, None)]
    curves = _earlier_curves(scene, view, None)
    return PlotSpec(x, y, curves=curves, levels=(Level(scene.cap, name=CAP_NAME),), marks=tuple(marks))


def after(scene: Scene, view: View) -> PlotSpec:
    """The plot after Play: the curve, its bend, the mark of this trial, and the flag where the cap binds.

    Raises:
        ValueError: when the scene has no current trial.
    """
    trial = _played(scene)
    x, y = _axes(scene, view)
    if view == "response":
        y = _with_results(y, scene, trial)
        curves = _response_curves(scene, trial, x)
        bend = knee_bandwidth(trial.intensity, scene.cap)
    else:
        curves = (*_earlier_curves(scene, view, trial), _roof(trial.bandwidth, scene.cap, x, "curve"))
        bend = ridge_intensity(trial.bandwidth, scene.cap)
    capped = limit(trial.intensity, trial.bandwidth, scene.cap) is Limit.COMPUTE
    flag = f"▲ COMPUTE CAP {short(scene.cap)}" if capped else ""
    # Where the curve runs along the cap from the left on, it would cut the line's name in pieces.
    name = CAP_NAME if x.fraction(bend) > _CURVE_FREE else ""
    cap = Level(scene.cap, label=flag, label_from=bend, name=name)
    marks = [
        *_earlier_marks(scene, view, x, y),
        *_prediction_mark(scene, view, x, y, scene.prediction_label),
        _trial_mark(trial, scene, view, x, y, "mark"),
    ]
    return PlotSpec(x, y, curves=curves, levels=(cap,), marks=tuple(marks))


def motion(scene: Scene, view: View) -> Motion:
    """How Play goes from one plot to the other: up to where the reveal runs, and the way of the point.

    Raises:
        ValueError: when the scene has no current trial.
    """
    trial = _played(scene)
    x, y = _axes(scene, view)
    if view == "response":
        end = min(trial.bandwidth, x.high)
        knee = knee_bandwidth(trial.intensity, scene.cap)
        bends = [knee] if 0 < knee < end else []
        way = [(at / end, at, attainable(trial.intensity, at, scene.cap)) for at in (0.0, *bends, end)]
        return Motion((0.0, end), tuple(way))
    inside = not x.side(trial.intensity) and not y.side(trial.attainable)
    climb = ((0.0, trial.intensity, y.low), (1.0, trial.intensity, trial.attainable)) if inside else ()
    return Motion((x.low, x.high), climb)


def _played(scene: Scene) -> PlottedTrial:
    if scene.current is None:
        raise ValueError("there is nothing to show after Play: the scene has no current trial")
    return scene.current


def _axes(scene: Scene, view: View) -> tuple[Axis, Axis]:
    return _response_axes(scene) if view == "response" else _roof_axes(scene.cap)


def _response_axes(scene: Scene) -> tuple[Axis, Axis]:
    top = HEADROOM * scene.cap
    frame = (Tick(scene.cap, short(scene.cap)), Tick(0.0, "0"), Tick(top, short(top)))
    y = Axis(0.0, top, ticks=frame, unit=RATE_UNIT, gutter=max(len(tick.label) for tick in frame))
    if scene.intensity is None:
        return Axis(0.0, 1.0, unit=BANDWIDTH_UNIT), y
    knee = knee_bandwidth(scene.intensity, scene.cap)
    end = min(max(HEADROOM * knee, sys.float_info.min), _LARGEST)
    return Axis(0.0, end, ticks=round_ticks(end), unit=BANDWIDTH_UNIT), y


def _roof_axes(cap: float) -> tuple[Axis, Axis]:
    # Half a decade of headroom at least, so that a prediction above the cap has somewhere to stand.
    last = math.ceil(math.log10(cap) + 0.5)
    y = Axis(
        10.0 ** (last - _ROOF_DECADES),
        10.0**last,
        "log10",
        decade_ticks(last - _ROOF_DECADES, last),
        RATE_UNIT,
    )
    low, high = _ROOF_INTENSITIES
    return Axis(10.0**low, 10.0**high, "log10", decade_ticks(low, high), INTENSITY_UNIT), y


def _with_results(y: Axis, scene: Scene, trial: PlottedTrial) -> Axis:
    """The y axis with the results of the trials in this plot, this one's before the earlier ones'."""
    shown = [trial, *reversed(_same_intensity(scene))]
    results = (Tick(t.attainable, short(t.attainable, y.gutter), "result") for t in shown)
    # A label too long for the gutter would move the frame in the middle of a Play.
    fitting = tuple(tick for tick in results if len(tick.label) <= y.gutter)
    return Axis(y.low, y.high, y.scale, y.ticks + fitting, y.unit, y.gutter)


def _same_intensity(scene: Scene) -> list[PlottedTrial]:
    return [trial for trial in scene.earlier if trial.intensity == scene.intensity]


def _response_curves(scene: Scene, trial: PlottedTrial, x: Axis) -> tuple[Curve, ...]:
    """The response from 0 to B, bending at the knee, over the uncapped I·B from the knee to B."""
    knee = knee_bandwidth(trial.intensity, scene.cap)
    if limit(trial.intensity, trial.bandwidth, scene.cap) is not Limit.COMPUTE:
        return (Curve((0.0, trial.bandwidth), (0.0, trial.attainable)),)
    response = Curve((0.0, knee, trial.bandwidth), (0.0, scene.cap, scene.cap))
    uncapped = trial.intensity * trial.bandwidth
    label = f"I·B {short(uncapped)}" if not x.side(trial.bandwidth) else "I·B"
    if "I·B" in (scene.prediction_label or ""):
        label = ""
    ghost = Curve((knee, trial.bandwidth), (scene.cap, uncapped), "ghost", dotted=True, label=label)
    return ghost, response


def _roof(bandwidth: float, cap: float, x: Axis, style: str) -> Curve:
    """The whole roof of one bandwidth across the frame."""
    ridge = ridge_intensity(bandwidth, cap)
    bends = [ridge] if x.low < ridge < x.high else []
    xs = (x.low, *bends, x.high)
    return Curve(xs, tuple(attainable(at, bandwidth, cap) for at in xs), style)


def _earlier_curves(scene: Scene, view: View, drawn: PlottedTrial | None) -> tuple[Curve, ...]:
    """The slopes of earlier roofs, each bandwidth once and not the one drawn; the rest is the cap's line."""
    if view == "response":
        return ()
    x, _ = _roof_axes(scene.cap)
    slopes = []
    for bandwidth in dict.fromkeys(trial.bandwidth for trial in scene.earlier):
        end = min(ridge_intensity(bandwidth, scene.cap), x.high)
        if end > x.low and (drawn is None or bandwidth != drawn.bandwidth):
            ys = attainable(x.low, bandwidth, scene.cap), attainable(end, bandwidth, scene.cap)
            slopes.append(Curve((x.low, end), ys, "dim", dotted=True))
    return tuple(slopes)


def _earlier_marks(scene: Scene, view: View, x: Axis, y: Axis) -> list[Mark]:
    shown = _same_intensity(scene) if view == "response" else scene.earlier
    return [_trial_mark(trial, scene, view, x, y, "dim") for trial in shown]


def _trial_mark(trial: PlottedTrial, scene: Scene, view: View, x: Axis, y: Axis, style: str) -> Mark:
    at, symbol = (trial.bandwidth, "B") if view == "response" else (trial.intensity, "I")
    outside = x.side(at) or y.side(trial.attainable)
    return Mark(
        at,
        trial.attainable,
        str(trial.number),
        style,
        name=f"trial {trial.number}: {f'{symbol} {short(at)}' if x.side(at) else short(trial.attainable)}",
        elsewhere=_elsewhere(trial, scene, view) if outside else "",
        # Over the bandwidth the axis has the results; in the roof view its ticks are whole decades.
        value=short(trial.attainable) if view == "roof" else "",
    )


def _elsewhere(trial: PlottedTrial, scene: Scene, view: View) -> str:
    """How to see a trial that lies outside this view, where the other view has a place for it."""
    other: View = "roof" if view == "response" else "response"
    if other == "response" and trial.intensity != scene.intensity:
        return ""
    x, y = _axes(scene, other)
    at = trial.intensity if other == "roof" else trial.bandwidth
    return "" if x.side(at) or y.side(trial.attainable) else f"v: see the {other}"


def _prediction_mark(scene: Scene, view: View, x: Axis, y: Axis, label: str | None) -> list[Mark]:
    """The prediction at this trial's B or I, as soon as both it and that place are known."""
    at = scene.bandwidth if view == "response" else scene.intensity
    placed = at is not None and (view == "roof" or scene.intensity is not None)
    if scene.prediction is None or at is None or not placed:
        return []
    text = f"you: {label or short(scene.prediction)}"
    return [Mark(at, scene.prediction, "?", "prediction", label=text)]
