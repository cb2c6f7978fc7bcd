"""What can happen, as frozen dataclasses: the only thing that ever changes a lab, a study or a session.

Widgets post events, owners fold them, transcripts store them. An event carries what was committed as
the person typed it; keystrokes are never events. `NAME` is the event's word in a transcript, and the
dataclass fields are the rest of its line.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar


@dataclass(frozen=True)
class Event:
    """Something that happened; subclasses add what was committed."""

    NAME: ClassVar[str] = ""


@dataclass(frozen=True)
class Reset(Event):
    """Fields, prediction and current marks were emptied for the next trial."""

    NAME: ClassVar[str] = "reset"


@dataclass(frozen=True)
class InputsSet(Event):
    """One or both inputs of the lab were committed; raw text, empty where nothing was typed yet."""

    NAME: ClassVar[str] = "inputs"
    intensity: str
    bandwidth: str


@dataclass(frozen=True)
class Predicted(Event):
    """A prediction was committed; raw text, empty when it was taken away again."""

    NAME: ClassVar[str] = "commit"
    text: str


@dataclass(frozen=True)
class PlayAsked(Event):
    """Play was pressed without a prediction; the lab asks once before it records "none"."""

    NAME: ClassVar[str] = "ask"


@dataclass(frozen=True)
class Locked(Event):
    """Play was pressed: inputs and prediction are fixed and the animation starts."""

    NAME: ClassVar[str] = "lock"


@dataclass(frozen=True)
class Played(Event):
    """The animation ended or was skipped; the verdict may be read."""

    NAME: ClassVar[str] = "play"


LAB_EVENTS: tuple[type[Event], ...] = (Reset, InputsSet, Predicted, PlayAsked, Locked, Played)
"""Every event that a lab session folds."""
