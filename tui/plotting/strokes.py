"""Curves as strokes on the canvas: cut at the frame, dotted where they are dotted, snapped."""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

from tui.plotting.geometry import Geometry, Point, snap
from tui.plotting.spec import Curve

DOT_EVERY = 2.0
"""Cells between two dots of a dotted curve, along its longer direction: a blank cell lies between them."""


class Stroke(NamedTuple):
    """Snapped positions on the canvas, x to the right and y up; joined by a line, or single dots."""

    points: tuple[Point, ...]
    joined: bool
    tag: int


def strokes(curves: tuple[Curve, ...], geometry: Geometry) -> list[Stroke]:
    """Every visible piece of every curve, in the order of the curves; `tag` is the curve's index."""
    found = []
    for tag, curve in enumerate(curves):
        for piece in pieces(curve, geometry):
            points = _dots(piece) if curve.dotted else piece
            snapped = tuple((snap(x), snap(y)) for x, y in points)
            if snapped:
                found.append(Stroke(snapped, not curve.dotted, tag))
    return found


def pieces(curve: Curve, geometry: Geometry) -> list[list[Point]]:
    """The polylines that are left of a curve inside the frame, in cells."""
    places = [geometry.position(x, y) for x, y in zip(curve.xs, curve.ys, strict=True)]
    found: list[list[Point]] = []
    for start, end in pairwise(places):
        kept = _clip(start, end, geometry.columns - 1, geometry.rows - 1) if start and end else None
        if kept is None:
            continue
        if found and found[-1][-1] == kept[0]:
            found[-1].append(kept[1])
        else:
            found.append(list(kept))
    return found


def _clip(start: Point, end: Point, right: float, top: float) -> tuple[Point, Point] | None:
    """The part of a segment within 0..right × 0..top (Liang and Barsky, ACM TOG 3(1), 1984)."""
    (x0, y0), (x1, y1) = start, end
    enter, leave = 0.0, 1.0
    for step, room_behind, room_ahead in ((x1 - x0, x0, right - x0), (y1 - y0, y0, top - y0)):
        if step == 0:
            if room_behind < 0 or room_ahead < 0:
                return None
            continue
        first, last = sorted((-room_behind / step, room_ahead / step))
        enter, leave = max(enter, first), min(leave, last)
    if enter > leave:
        return None

    def at(share: float) -> Point:
        if share in (0.0, 1.0):
            return end if share else start
        # Rounding must not push a cut end out of the frame again.
        return min(max(x0 + (x1 - x0) * share, 0.0), right), min(max(y0 + (y1 - y0) * share, 0.0), top)

    return at(enter), at(leave)


def _dots(piece: list[Point]) -> list[Point]:
    """Points along a polyline, the first one step from its start, clear of what it branches from."""
    dots = []
    due = DOT_EVERY
    for (x0, y0), (x1, y1) in pairwise(piece):
        length = max(abs(x1 - x0), abs(y1 - y0))
        while due <= length:
            dots.append((x0 + (x1 - x0) * due / length, y0 + (y1 - y0) * due / length))
            due += DOT_EVERY
        due -= length
    return dots
