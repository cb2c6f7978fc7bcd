"""From a PlotSpec to a picture: axes, levels, ink, marks and labels in cells.

Nothing is written over a mark, no word is cut, and what found no room is listed in `Picture.unplaced`.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import NamedTuple

from tui.plotting import canvas
from tui.plotting.geometry import Geometry
from tui.plotting.lettering import letter
from tui.plotting.sheet import INKED, TAKEN, Cell, Sheet, Span
from tui.plotting.spec import Curve, PlotSpec, Tick
from tui.plotting.strokes import strokes

Rows = tuple[tuple[Cell, ...], ...]

LEVEL, BOUNDARY, INTERVAL = "╌", "┊", "│"


class Picture(NamedTuple):
    """A finished plot.

    Attributes:
        rows: `height` rows of `width` cells, each one character and a style name.
        ink: the same before marks and words were put on it.
        spans: where those stand.
        unplaced: texts for which there was no room, for the sentence beside the plot.
    """

    geometry: Geometry
    rows: Rows
    ink: Rows
    spans: tuple[Span, ...] = ()
    unplaced: tuple[str, ...] = ()

    @property
    def width(self) -> int:
        """Columns, the axis and its labels included."""
        return self.geometry.width

    @property
    def height(self) -> int:
        """Rows, the axis and its labels included."""
        return self.geometry.height

    def runs(self, row: int, start: int = 0, end: int | None = None) -> list[tuple[str, str]]:
        """One row, or some columns of it, as (text, style name) runs, for widgets that draw line by line."""
        return [
            ("".join(character for character, _ in cells), style)
            for style, cells in groupby(self.rows[row][start:end], key=lambda cell: cell[1])
        ]

    def text(self) -> str:
        """The characters alone, rows without trailing blanks."""
        return "\n".join("".join(character for character, _ in row).rstrip() for row in self.rows)


def draw(spec: PlotSpec, width: int, height: int, *, curves: bool = True) -> Picture:
    """Compose a plot in `width` × `height` cells; from 1 × 1 up, small ones losing labels first.

    With `curves=False` plotext is not touched, and everything but the curves is there.

    Raises:
        CanvasUnavailable: when curves are wanted and plotext does not load.
    """
    geometry = Geometry.of(spec.x, spec.y, width, height)
    sheet = Sheet(geometry.width, geometry.height, geometry.left, geometry.rows)
    if geometry.columns < 1 or geometry.rows < 1:
        return Picture(geometry, sheet.rows_so_far(), sheet.rows_so_far())
    _draw_axes(sheet, geometry)
    _draw_lines(sheet, spec, geometry)
    if curves:
        _draw_curves(sheet, spec.curves, geometry)
    _keep_bends(sheet, spec.curves, geometry)
    _draw_bars(sheet, spec, geometry)
    ink = sheet.rows_so_far()
    unplaced = letter(sheet, spec, geometry)
    return Picture(geometry, sheet.rows_so_far(), ink, tuple(sheet.spans), unplaced)


def _draw_axes(sheet: Sheet, geometry: Geometry) -> None:
    axis, bottom = geometry.left - 1, geometry.rows
    if geometry.left:
        for row in range(geometry.rows):
            sheet.put(row, axis, "│", "axis")
        for tick, row in _first_per_row(geometry):
            sheet.put(row, axis, "┤", "axis")
            for offset, character in enumerate(tick.label.rjust(axis) if len(tick.label) <= axis else ""):
                if character != " ":
                    sheet.put(row, offset, character, tick.style)
    if geometry.axis_rows:
        if geometry.left:
            sheet.put(bottom, axis, "└", "axis")
        for column in range(geometry.left, geometry.width):
            sheet.put(bottom, column, "─", "axis")
        for tick in geometry.x.ticks:
            tick_column = geometry.column(tick.value)
            if tick_column is not None:
                sheet.put(bottom, tick_column, "┬", "axis")
    if geometry.axis_rows == 2:
        for start, text in _x_labels(geometry):
            for offset, character in enumerate(text):
                sheet.put(bottom + 1, start + offset, character, "label")


def _first_per_row(geometry: Geometry) -> Iterator[tuple[Tick, int]]:
    """The y ticks inside the frame with their rows; a row's most important one only."""
    seen = set()
    for tick in geometry.y.ticks:
        row = geometry.row(tick.value)
        if row is not None and row not in seen:
            seen.add(row)
            yield tick, row


def _x_labels(geometry: Geometry) -> list[tuple[int, str]]:
    """The x labels that do not touch, each centred on its tick, the unit behind the last one.

    The last label moves left to make room for the unit; where it would then stand under another tick, the
    unit takes its place.
    """
    ticks = [(geometry.column(tick.value), tick) for tick in geometry.x.ticks]
    inside = [(column, tick.label) for column, tick in ticks if column is not None]
    unit = geometry.x.unit
    if unit and inside:
        end = max(inside)
        inside.remove(end)
        start = min(_start_on(*end), geometry.width - len(f"{end[1]} {unit}"))
        misplaced = any(start - 1 <= column <= start + len(end[1]) for column, _ in inside)
        last = (geometry.width - len(unit), unit) if misplaced else (start, f"{end[1]} {unit}")
        wanted = [last, *((_start_on(*entry), entry[1]) for entry in inside)]
    else:
        wanted = [*((_start_on(*entry), entry[1]) for entry in inside), (geometry.width - len(unit), unit)]
    placed: list[tuple[int, str]] = []
    for start, text in wanted:
        start = max(0, min(start, geometry.width - len(text)))
        clear = all(start + len(text) < other or other + len(label) < start for other, label in placed)
        if clear and len(text) <= geometry.width:
            placed.append((start, text))
    return placed


def _start_on(column: int, label: str) -> int:
    """Where a label starts that is centred on a column."""
    return column - (len(label) - 1) // 2


def _draw_lines(sheet: Sheet, spec: PlotSpec, geometry: Geometry) -> None:
    for level in spec.levels:
        row = geometry.row(level.y)
        if row is not None:
            name = f"{LEVEL} {level.name} " if level.name and geometry.columns > len(level.name) + 3 else ""
            for offset, character in enumerate(name.ljust(geometry.columns, LEVEL)):
                sheet.put(row, geometry.left + offset, character, level.style)
    for boundary in spec.boundaries:
        column_at = geometry.column(boundary.x)
        if column_at is not None:
            for row_at in range(geometry.rows):
                sheet.put(row_at, column_at, BOUNDARY, boundary.style)


def _draw_curves(sheet: Sheet, curves: tuple[Curve, ...], geometry: Geometry) -> None:
    """Solid curves over dotted ones, drawn apart: plotext would merge their dots within a cell."""
    found = strokes(curves, geometry)
    for joined in (False, True):
        layer = [stroke for stroke in found if stroke.joined is joined]
        for (row, column), (character, tag) in canvas.ink(layer, geometry.columns, geometry.rows).items():
            at = geometry.left + column
            # Dots upon a dashed line would only blur it.
            if joined or sheet.blank(row, at):
                sheet.put(row, at, character, curves[tag].style, INKED)


def _keep_bends(sheet: Sheet, curves: tuple[Curve, ...], geometry: Geometry) -> None:
    """A knee is what the eye looks for: no word may cover the bend of a solid curve."""
    for curve in curves:
        if not curve.dotted:
            for x, y in zip(curve.xs[1:-1], curve.ys[1:-1], strict=True):
                bend = geometry.cell(x, y)
                if bend:
                    sheet.take(*bend)


def _draw_bars(sheet: Sheet, spec: PlotSpec, geometry: Geometry) -> None:
    for bar in spec.bars:
        column, low, high = geometry.column(bar.x), geometry.row(bar.low), geometry.row(bar.high)
        beyond = geometry.y.side(bar.low) > 0 or geometry.y.side(bar.high) < 0
        if column is None or beyond:
            continue
        top, bottom = (0 if high is None else high), (geometry.rows - 1 if low is None else low)
        for row in range(top, bottom + 1):
            sheet.put(row, column, INTERVAL, bar.style, TAKEN)
        if top < bottom:
            if high is not None:
                sheet.put(top, column, "┬", bar.style, TAKEN)
            if low is not None:
                sheet.put(bottom, column, "┴", bar.style, TAKEN)
