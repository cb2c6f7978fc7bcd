"""What a plot shows, in data units: axes, curves, levels, boundaries, intervals and marks.

A `PlotSpec` knows nothing of cells, colours or plotext. Styles are names out of `STYLES`; the widget that
shows the picture maps them to colours. Each role also has a shape of its own, because colour may be missing:
digits are runs, `?` a prediction, `●` the moving point, solid braille a curve, single braille dots with
blank cells between them a dotted curve, `╌` a level, `┊` a boundary, `│` an interval.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal, NamedTuple

STYLES = {
    "": "nothing is drawn in this cell",
    "axis": "axis lines and tick marks",
    "label": "tick labels and units, known before anything is measured or played",
    "result": "tick labels that give a result",
    "curve": "the curve of the current trial",
    "ghost": "what the current trial would give without its cap",
    "dim": "curves and marks of earlier trials, and what is of no weight",
    "cap": "the level of a cap or of an ideal",
    "flag": "the words that say that a cap binds",
    "mark": "the mark of the current trial, or of a measured run",
    "prediction": "what was predicted",
    "point": "the point that moves while a trial is played",
    "outside": "the name of a mark that lies outside the frame",
    "bar": "an interval",
    "boundary": "a boundary between domains",
}
"""Every style name a cell may carry, with what it means."""

Scale = Literal["linear", "log10", "log2"]

EDGE = 1e-9
"""How far outside 0..1 a fraction still counts as the edge: rounding of I·B against 1.6·cap, not data."""


class Tick(NamedTuple):
    """One value of an axis and the text that stands at it."""

    value: float
    label: str
    style: str = "label"


@dataclass(frozen=True)
class Axis:
    """One axis of a frame.

    Attributes:
        low, high: the frame's ends, in data units; `low < high`, both finite, and above 0 on a log scale.
        ticks: the most important first; where two labels would touch, the later one is dropped.
        unit: written at the end of the axis.
        gutter: least number of cells kept for labels left of a y axis, so that two pictures line up.
    """

    low: float
    high: float
    scale: Scale = "linear"
    ticks: tuple[Tick, ...] = ()
    unit: str = ""
    gutter: int = 0

    def __post_init__(self) -> None:
        if not (math.isfinite(self.low) and math.isfinite(self.high) and self.low < self.high):
            raise ValueError(f"an axis needs two finite ends, low below high, not {self.low} and {self.high}")
        if self.scale != "linear" and self.low <= 0:
            raise ValueError(f"a {self.scale} axis starts above 0, not at {self.low}")

    def fraction(self, value: float) -> float:
        """Where a value lies: 0 at `low`, 1 at `high`, beyond them outside; −inf for 0 on a log scale."""
        if self.scale == "linear":
            return value / (self.high - self.low) - self.low / (self.high - self.low)
        if value <= 0:
            return -math.inf
        # Differences of logarithms: the quotient value/low overflows for the ends of the float range.
        low = math.log10(self.low)
        return (math.log10(value) - low) / (math.log10(self.high) - low)

    def side(self, value: float) -> int:
        """-1 for a value below the frame, 1 above it, 0 within."""
        fraction = self.fraction(value)
        return (fraction > 1 + EDGE) - (fraction < -EDGE)


@dataclass(frozen=True)
class Curve:
    """A polyline; what leaves the frame is cut exactly at its edge.

    Attributes:
        xs, ys: its vertices, of one length. On a log scale a segment with an end at 0 is not drawn.
        dotted: single dots with blank cells between them, instead of a solid line.
        label: written beside the last vertex inside the frame.
    """

    xs: tuple[float, ...]
    ys: tuple[float, ...]
    style: str = "curve"
    dotted: bool = False
    label: str = ""

    def __post_init__(self) -> None:
        if len(self.xs) != len(self.ys):
            raise ValueError(f"a curve needs as many y as x, not {len(self.ys)} for {len(self.xs)}")


class Level(NamedTuple):
    """A dashed line across the frame at one y; its label stands on it, right of `label_from`.

    `name` is what the line is called at its left end, in the line's own style.
    """

    y: float
    style: str = "cap"
    label: str = ""
    label_style: str = "flag"
    label_from: float | None = None
    name: str = ""


class Boundary(NamedTuple):
    """A dashed line up the frame at one x, its label at the top."""

    x: float
    label: str = ""
    style: str = "boundary"


class Bar(NamedTuple):
    """An interval of y at one x; an end outside the frame is left open."""

    x: float
    low: float
    high: float
    style: str = "bar"


class Mark(NamedTuple):
    """One point: a glyph in its cell.

    Attributes:
        glyph: one cell or a few, as a run's number.
        label: written beside it where there is room.
        name: how a mark outside the frame is named at the edge; the label or the glyph where it is empty.
        elsewhere: where a mark outside the frame can be seen, said behind its name.
        value: what it stands at, said where several marks share a place.
    """

    x: float
    y: float
    glyph: str
    style: str = "mark"
    label: str = ""
    name: str = ""
    elsewhere: str = ""
    value: str = ""


class PlotSpec(NamedTuple):
    """One plot. Later curves are drawn over earlier ones; later marks matter more than earlier ones."""

    x: Axis
    y: Axis
    curves: tuple[Curve, ...] = ()
    levels: tuple[Level, ...] = ()
    boundaries: tuple[Boundary, ...] = ()
    bars: tuple[Bar, ...] = ()
    marks: tuple[Mark, ...] = ()
