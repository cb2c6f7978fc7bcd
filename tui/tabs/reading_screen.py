"""What stands on the screen while a file is read for longer than a moment; Esc stops it."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Static

from tui.model.run_text import printable_words

AFTER_S = 0.5
"""Seconds of reading after which it is shown."""
_BAR = 30


class ReadingScreen(ModalScreen[None]):
    """How far a file is read.

    Args:
        name: of the file.
        stop: called when the person wants it stopped.
    """

    DEFAULT_CSS = "ReadingScreen { align: center middle; }"
    BINDINGS: ClassVar = [Binding("escape,ctrl+r,q", "stop", show=False)]

    def __init__(self, name: str, stop: Callable[[], None]) -> None:
        super().__init__()
        self._name = printable_words(name)
        self._stop = stop
        self._line = Static("", markup=False, id="reading-line")

    def compose(self) -> ComposeResult:
        with Vertical(id="dialog"):
            yield Static(f"Reading {self._name} ...", markup=False)
            yield self._line
            yield Static("Esc or ctrl+r stops; nothing is changed then.", markup=False)

    def show(self, done: int, total: int) -> None:
        """Show how many bytes are read of how many; zeros while that is not known."""
        self._line.update(progress_line(done, total), layout=False)

    def action_stop(self) -> None:
        self._stop()


def progress_line(done: int, total: int) -> str:
    """A bar and the share: `####------  40 % of 120 MB`."""
    if total <= 0:
        return "opening it"
    share = min(1.0, done / total)
    filled = int(share * _BAR)
    size = f"{total / 1e6:.3g} MB" if total >= 1e6 else f"{max(1, total // 1000)} kB"
    return f"{'#' * filled}{'-' * (_BAR - filled)} {int(100 * share):3d} % of {size}"
