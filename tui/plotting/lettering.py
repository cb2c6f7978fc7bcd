"""Marks and words upon a drawn sheet: shared cells joined, labels where there is room, the rest named."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tui.plotting.geometry import Geometry
from tui.plotting.marks import Group, put_marks
from tui.plotting.sheet import FREE, INKED, Sheet, near
from tui.plotting.spec import Curve, Level, Mark, PlotSpec
from tui.plotting.strokes import pieces

_ARROWS = {
    (0, 1): ("↑", "above the frame"),
    (0, -1): ("↓", "below the frame"),
    (1, 0): ("→", "right of the frame"),
    (-1, 0): ("←", "left of the frame"),
}
_REACH = 3
"""Rows a name may move away from the place it points from."""


def letter(sheet: Sheet, spec: PlotSpec, geometry: Geometry) -> tuple[str, ...]:
    """Put marks, names and labels on a sheet, the most important first; give back what found no room."""
    groups, unplaced = put_marks(sheet, spec.marks, geometry)
    if spec.y.unit and not sheet.place(spec.y.unit, "label", _at_the_top(sheet), INKED):
        unplaced.append(spec.y.unit)
    _name_outsiders(sheet, spec.marks, geometry, unplaced)
    for level in spec.levels:
        _label_level(sheet, level, geometry, unplaced)
    found = [(importance, mark, group) for group in groups for importance, mark in group.marks]
    for _, mark, group in sorted(found, key=lambda entry: -entry[0]):
        if mark.label and not _label_beside(sheet, mark.label, mark.style, group.row, group.start, group.end):
            unplaced.append(mark.label)
    for group in groups:
        _tell_apart(sheet, group, unplaced)
    for curve in spec.curves:
        _label_curve(sheet, curve, geometry, unplaced)
    for boundary in spec.boundaries:
        column = geometry.column(boundary.x)
        if boundary.label and column is not None:
            spots = [(row, at) for row in range(2) for at in (column + 2, column - 1 - len(boundary.label))]
            if not sheet.place(boundary.label, boundary.style, spots):
                unplaced.append(boundary.label)
    return tuple(unplaced)


def _at_the_top(sheet: Sheet) -> Iterator[tuple[int, int]]:
    """Beside the y axis, one blank away from it, in the first row where no mark stands."""
    return ((row, sheet.left + 1) for row in range(min(3, sheet.rows)))


def _label_beside(
    sheet: Sheet, text: str, style: str, row: int, start: int, end: int, over: Sequence[int] = (FREE, INKED)
) -> bool:
    """Right of a mark, left of it, above or below it; over a curve's ink only where nothing else is left."""
    middle = (start + end - len(text)) // 2
    inside = max(sheet.left, min(middle, sheet.right - len(text)))
    spots = [(row, end + 1), (row, start - 1 - len(text)), (row - 1, inside), (row + 1, inside)]
    return any(sheet.place(text, style, spots, what) for what in over)


def _tell_apart(sheet: Sheet, group: Group, unplaced: list[str]) -> None:
    """Say what the marks of one place stand at, where their heights differ and cannot be seen to."""
    values = {mark.glyph: mark.value for _, mark in group.marks if mark.value}
    if len(set(values.values())) < 2:
        return
    text = ", ".join(f"{glyph}: {value}" for glyph, value in values.items())
    if not _label_beside(sheet, text, "result", group.row, group.start, group.end):
        unplaced.append(text)


def _name_outsiders(sheet: Sheet, marks: tuple[Mark, ...], geometry: Geometry, unplaced: list[str]) -> None:
    for mark in reversed(marks):
        side = (geometry.x.side(mark.x), geometry.y.side(mark.y))
        if side == (0, 0):
            continue
        arrows, words = _ARROWS.get(side) or (
            _ARROWS[side[0], 0][0] + _ARROWS[0, side[1]][0],
            "outside the frame",
        )
        name = mark.name or mark.label or mark.glyph
        row, column = geometry.row(mark.y), geometry.column(mark.x)
        at_row = row if row is not None else 0 if side[1] > 0 else sheet.rows - 1
        texts = [f"{name} {arrows} {words}", f"{name} {arrows}"]
        if mark.elsewhere:
            texts.insert(0, f"{texts[0]}, {mark.elsewhere}")
        for text in texts:
            at = column - len(text) // 2 if column is not None else sheet.right if side[0] > 0 else sheet.left
            if _place_at_edge(sheet, text, at_row, at, sideways=column is None):
                break
        else:
            unplaced.append(f"{name} {arrows} {words}")


def _place_at_edge(sheet: Sheet, text: str, row: int, column: int, *, sideways: bool) -> bool:
    """Keep to the edge that the text names: along it on blank cells, then over ink, then anywhere near."""
    anywhere = list(near(row, column, len(text), sheet, _REACH))
    if not anywhere:
        return False
    first = anywhere[0][1]
    along = [(at_row, at) for at_row, at in anywhere if (at == first if sideways else at_row == row)]
    return any(
        sheet.place(text, "outside", spots, over)
        for spots, over in ((along, FREE), (along, INKED), (anywhere, FREE), (anywhere, INKED))
    )


def _label_level(sheet: Sheet, level: Level, geometry: Geometry, unplaced: list[str]) -> None:
    """On its level right of `label_from`, as far right as it goes; else just below or above the line."""
    row = geometry.row(level.y)
    if not level.label or row is None:
        return
    last = sheet.right - len(level.label)
    bend = None if level.label_from is None else geometry.column(level.label_from)
    first = sheet.left if bend is None else bend + 2
    starts = range(last, first - 1, -1)
    on_line = sheet.place(level.label, level.label_style, ((row, at) for at in starts), INKED)
    if on_line:
        return
    beside = [(near_row, at) for near_row in (row + 1, row - 1) for at in range(last, sheet.left - 1, -1)]
    if not any(sheet.place(level.label, level.label_style, beside, over) for over in (FREE, INKED)):
        unplaced.append(level.label)


def _label_curve(sheet: Sheet, curve: Curve, geometry: Geometry, unplaced: list[str]) -> None:
    visible = pieces(curve, geometry) if curve.label else []
    if not visible:
        return
    across, up = visible[-1][-1]
    row, column = geometry.cell_at(across, up)
    if not _label_beside(sheet, curve.label, curve.style, row, column, column + 1, over=(FREE,)):
        unplaced.append(curve.label)
