"""The one module that uses plotext, as a canvas: strokes in, braille out.

plotext keeps one global figure and is not safe across threads: `ink` belongs to the event loop's thread and
clears the figure before each use. `load` only imports, so a worker may call it after the first frame.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from tui.plotting import lean

if TYPE_CHECKING:
    from tui.plotting.strokes import Stroke

_plotext: Any = None


class CanvasUnavailable(Exception):
    """plotext cannot draw on this machine; the text is one sentence for the screen."""


def loaded() -> bool:
    """Whether plotext is imported, so that `ink` costs no import."""
    return _plotext is not None


def load() -> None:
    """Import plotext, once; 0.1 to 0.2 s.

    Raises:
        CanvasUnavailable: when it is missing or its compiled part does not load.
    """
    global _plotext
    if loaded():
        return
    try:
        plotext: Any = lean.load()
    except (ImportError, OSError, AttributeError) as error:
        cause = " ".join(str(error).split()).partition(". ")[0].rstrip(".")
        raise CanvasUnavailable(
            f"The curves cannot be drawn, the tables say the same in numbers: {cause}."
        ) from error
    plotext.terminal.limit(False, False)
    _plotext = plotext


def ink(strokes: Sequence[Stroke], columns: int, rows: int) -> dict[tuple[int, int], tuple[str, int]]:
    """Draw strokes on a canvas of `columns` × `rows` cells.

    Returns:
        (row from the top, column) -> (braille character, tag of the last stroke in that cell).

    Raises:
        CanvasUnavailable: as for `load`, which it calls.
    """
    load()
    if not strokes or columns < 1 or rows < 1:
        return {}
    figure = _plotext.figure
    figure.clear()
    figure.plot_size(columns, rows)
    figure.axes(False)
    figure.canvas("default")
    for name, cells in (("x", columns), ("y", rows)):
        figure.ruler(name).ticks([])
        figure.ruler(name).lim(0, cells - 1)
    for stroke in strokes:
        xs, ys = zip(*stroke.points, strict=True)
        marker = _plotext.marker("braille", pixel=_plotext.pixel(foreground=_colour(stroke.tag)))
        figure.draw(figure.signal(xs, ys, marker=marker).lines(stroke.joined))
    matrix = figure.build()
    lines = matrix.string(colorless=True).split("\n")
    return {
        (row, column): (character, _tag(matrix.get(row, column).foreground()))
        for row, line in enumerate(lines)
        for column, character in enumerate(line)
        if character != " "
    }


def _colour(tag: int) -> tuple[int, int, int]:
    """A colour that stands for a tag; nobody sees it."""
    return 1, *divmod(tag, 256)


def _tag(colour: tuple[int, int, int]) -> int:
    return colour[1] * 256 + colour[2]
