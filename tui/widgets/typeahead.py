"""Keys take effect in the order they were typed, however late they arrive.

Over a slow line several keys come in one packet. Textual hands each to the widget that has the focus at that
moment, and lets an Enter climb up to the binding that answers it only later: `8 Enter 5 0` typed ahead then
puts 850 into the first field. Here a key waits until the one before it has done all it does.
"""

from __future__ import annotations

from collections import deque

from textual.app import App
from textual.events import Event, Key
from textual.message import Message
from textual.message_pump import MessagePump
from textual.timer import Timer

ROUNDS = 3
"""How often the follower climbs behind a key: the key itself, what its action posts, what that causes."""

LOOK_AGAIN = 0.1
"""Seconds between looks whether a follower was lost, because its widget was removed on the way."""

PATIENCE = 10.0
"""Seconds after which it counts as lost in any case; on a loaded machine one key may take some."""


class Passed(Message):
    """Climbs from the focused widget to the app behind a key; queues are first in, first out."""

    def __init__(self, key: int, rounds: int) -> None:
        super().__init__()
        self.key = key
        self.rounds = rounds


class KeysInOrder(App[None]):
    """An app that lets one key at a time through."""

    def __init__(self, *, ansi_color: bool) -> None:
        super().__init__(ansi_color=ansi_color)
        self._typed_ahead: deque[Key] = deque()
        self._under_way = False
        self._key = 0
        """The number of the key under way; a follower of an earlier one that turns up late means nothing."""
        self._carrier: MessagePump = self
        """Where the follower started its climb."""
        self._looks = 0
        self._watch: Timer | None = None

    async def on_event(self, event: Event) -> None:
        if not isinstance(event, Key) or event.is_forwarded:
            await super().on_event(event)
        elif self._under_way:
            self._typed_ahead.append(event)
            self._watch_follower()
        else:
            self._under_way = True
            self._key += 1
            await super().on_event(event)
            self._follow(ROUNDS)

    async def on_passed(self, message: Passed) -> None:
        """The key before has got this far; the next one comes after the last round."""
        if message.key != self._key:
            return
        if message.rounds > 1:
            self._follow(message.rounds - 1)
        else:
            await self._let_through()

    def _follow(self, rounds: int) -> None:
        self._carrier = self.focused or self.screen
        if not self._carrier.post_message(Passed(self._key, rounds)):
            self.post_message(Passed(self._key, 1))

    def _watch_follower(self) -> None:
        if self._watch is None:
            self._looks = 0
            self._watch = self.set_interval(LOOK_AGAIN, self._look)

    async def _look(self) -> None:
        self._looks += 1
        if not self._carrier.is_attached or self._looks * LOOK_AGAIN > PATIENCE:
            await self._let_through()

    async def _let_through(self) -> None:
        self._under_way = False
        if self._watch is not None:
            self._watch.stop()
            self._watch = None
        if self._typed_ahead:
            await self.on_event(self._typed_ahead.popleft())
            if self._typed_ahead:
                self._watch_follower()
