"""Tab 4: where the time of a step went, and what limits next."""

from __future__ import annotations

from tui.tabs.waiting import WaitingTab


class LimitsTab(WaitingTab):
    """Tab 4: where the time of a step went, and what limits next."""

    def __init__(self) -> None:
        super().__init__("limits")
