"""The colours of a plot, out of the terminal's own sixteen; they only help: every role has a shape too.

They are no component classes of a stylesheet: fourteen of those are styled like fourteen widgets, twice,
before the first frame.
"""

from __future__ import annotations

from rich.style import Style


def _style(colour: str = "default", *, bold: bool = False, dim: bool = False, reverse: bool = False) -> Style:
    # Attributes that are off are left unset, so that the text is not sent the codes that switch them off.
    return Style(color=colour, bgcolor="default", bold=bold or None, dim=dim or None, reverse=reverse or None)


PLOT_STYLES = {
    "": _style(),
    "axis": _style(dim=True),
    "label": _style(),
    "result": _style(bold=True),
    "curve": _style("cyan"),
    "ghost": _style("cyan", dim=True),
    "dim": _style(dim=True),
    "cap": _style("red"),
    "flag": _style("red", bold=True),
    "mark": _style(bold=True, reverse=True),
    "prediction": _style("magenta", bold=True),
    "point": _style("green", bold=True),
    "outside": _style("magenta"),
    "bar": _style("cyan"),
    "boundary": _style(dim=True),
}
"""For each name in `tui.plotting.spec.STYLES`."""
