"""The one message of the program: something happened."""

from __future__ import annotations

from textual.message import Message

from tui.events import Event


class Did(Message):
    """Carries an event from a widget up to the app, which folds it into the owner it concerns."""

    def __init__(self, event: Event) -> None:
        super().__init__()
        self.event = event
