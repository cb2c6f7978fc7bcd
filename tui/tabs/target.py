"""Tab 5: time, work and device-hours to a quality target."""

from __future__ import annotations

from tui.tabs.waiting import WaitingTab


class TargetTab(WaitingTab):
    """Tab 5: time, work and device-hours to a quality target."""

    def __init__(self) -> None:
        super().__init__("target")
