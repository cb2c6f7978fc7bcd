"""The row of tabs: their numbers and names, shorter where the screen is narrow."""

from __future__ import annotations

from textual.events import Resize
from textual.widgets import Tab, Tabs

from tui.commands import TABS

NARROW_BELOW = 70


class TabBar(Tabs):
    """One tab for each page of the instrument."""

    def __init__(self) -> None:
        tabs = (Tab(f"{number} {label}", id=tab) for number, (tab, label, _) in enumerate(TABS, start=1))
        super().__init__(*tabs, id="tabs")
        self._narrow = False

    def on_resize(self, event: Resize) -> None:
        """Take the labels that fit."""
        narrow = event.size.width < NARROW_BELOW
        if narrow == self._narrow:
            return
        self._narrow = narrow
        for number, (tab, label, short) in enumerate(TABS, start=1):
            self.query_one(f"#{tab}", Tab).label = f"{number} {short if narrow else label}"
