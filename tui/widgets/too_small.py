"""What stands in place of the instrument where the window is too small for it."""

from __future__ import annotations

from textual.widgets import Static

SMALLEST = (60, 20)
"""Columns and rows below which one sentence stands in place of the instrument."""


class TooSmall(Static):
    """The sentence; its screen shows it while it has the class `-too-small`."""

    def __init__(self) -> None:
        super().__init__("", markup=False, id="too-small")

    def fit(self, width: int, height: int) -> None:
        """Say how large the window is, where that is not enough."""
        columns, rows = SMALLEST
        small = width < columns or height < rows
        if not small and not self.screen.has_class("-too-small"):
            return
        self.screen.set_class(small, "-too-small")
        self.update(
            f"This window is {width}x{height}; rooflab needs {columns}x{rows}."
            " Make it larger (nothing is lost), or ctrl+q quits."
        )
