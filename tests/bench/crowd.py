"""A workshop on one machine: many programs at once, and how long each waits for the answer to a key."""

from __future__ import annotations

import time
from contextlib import ExitStack
from dataclasses import dataclass, field

from tests.bench.measure import Row
from tests.bench.programs import PLAYED, TRIAL, ours, started
from tests.bench.pty_meter import PATIENCE, NeverCame, Program, watch

AT_ONCE = 4
"""How many are starting at the same time."""
PLAY_WITHIN, KEYS_WITHIN = 0.8, 0.8
"""Seconds in which all press Play, and then all press another key; a Play lasts 2 s."""
GOAL = 200


@dataclass
class Asked:
    """A key pressed in one program, and the texts of which one answers it."""

    program: Program
    keys: str
    answers: tuple[bytes, ...]
    position: int = 0
    pressed: float = 0.0
    answered: float = field(default=0.0, init=False)

    def press(self) -> None:
        self.position = len(self.program.written)
        self.pressed = self.program.send(self.keys)

    def check(self) -> bool:
        """Note the answer if it has come; whether it has."""
        if self.pressed and not self.answered:
            since = self.program.written[self.position :]
            if any(answer in since for answer in self.answers):
                self.answered = self.program.last_write
        return bool(self.answered)


def crowd_rows(count: int) -> list[Row]:
    """Milliseconds to the answer of each key: all idle, all starting a Play, all playing."""
    with ExitStack() as stack:
        programs = _start(count, stack)
        idle = [Asked(program, "8", (b"8 read as",)) for program in programs]
        for one in idle:
            one.press()
            _collect(programs, [one])
        for program in programs:
            program.send("".join(TRIAL[1:]))
        _settle(programs)
        play = [Asked(program, "\r", (b"Playing", b"Played")) for program in programs]
        # Only the roof view has this tick.
        view = [Asked(program, "v", (b"10000",)) for program in programs]
        _press_evenly(programs, play, PLAY_WITHIN, [*play, *view])
        _press_evenly(programs, view, KEYS_WITHIN, [*play, *view])
        _collect(programs, [*play, *view])
        _settle(programs)
        assert all(PLAYED.encode() in program.written for program in programs)
        for program in programs:
            program.quit()
    return [
        Row(f"{count} programs, all idle: answer to a key", "ms", GOAL, _waits(idle), every=True),
        Row(f"{count} programs, all pressing Play: its answer", "ms", GOAL, _waits(play), every=True),
        Row(f"{count} programs, all playing: answer to a key", "ms", GOAL, _waits(view), every=True),
    ]


def _start(count: int, stack: ExitStack) -> list[Program]:
    kind = ours()
    programs: list[Program] = []
    for _ in range(count):
        programs.append(stack.enter_context(started(kind)))
        if len(programs) % AT_ONCE == 0 or len(programs) == count:
            for program in programs[-AT_ONCE:]:
                program.wait_for(*kind.first_frame)
    _settle(programs)
    return programs


def _settle(programs: list[Program], quiet: float = 3.0) -> None:
    start = time.monotonic()
    watch(
        programs,
        lambda: time.monotonic() - max(start, *(program.last_write for program in programs)) >= quiet,
        PATIENCE,
    )


def _press_evenly(programs: list[Program], asked: list[Asked], within: float, noted: list[Asked]) -> None:
    """Press one key after the other, reading meanwhile and noting which have been answered."""
    start = time.monotonic()
    for number, one in enumerate(asked):
        due = start + within * number / len(asked)
        while (now := time.monotonic()) < due:
            watch(programs, lambda: _all_answered(noted), due - now)
        one.press()


def _collect(programs: list[Program], asked: list[Asked]) -> None:
    if not watch(programs, lambda: _all_answered(asked), PATIENCE):
        missing = sum(not one.answered for one in asked)
        raise NeverCame(f"{missing} of {len(asked)} programs did not answer {asked[0].keys!r}")


def _all_answered(asked: list[Asked]) -> bool:
    """Note the answers that have come; whether all have."""
    return all([one.check() for one in asked])


def _waits(asked: list[Asked]) -> tuple[float, ...]:
    return tuple(1000 * (one.answered - one.pressed) for one in asked)
