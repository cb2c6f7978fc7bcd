"""One Play of the lesson's third trial: bytes and processor time, against textual-plotext; and leaving it."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from tests.bench.measure import Row, alternate
from tests.bench.programs import PLAYED, Kind, Missing, ours, plotext, started, type_trial

SLOW_LINE = 8000
"""Bytes a second of the slow line."""
INTO_PLAY = 1.0
"""Seconds of Play before it is left."""


class Played(NamedTuple):
    """What one Play cost, from the Enter that starts it to the last byte of its verdict."""

    bytes: float
    rate: float
    cpu: float


def play_rows(runs: int, peer_folder: Path) -> list[Row]:
    """Bytes, bytes a second and processor time of one Play."""
    names = ("bytes of one Play", "processor time of one Play")
    try:
        peer_kind = plotext(peer_folder)
    except Missing as error:
        lab, peer, why = [_play(ours()) for _ in range(runs + 1)][1:], [], str(error)
    else:
        lab, peer = alternate(runs, lambda: _play(ours()), lambda: _play(peer_kind))
        why = ""
    rate = Row("bytes a second of one Play", "B/s", 3000, tuple(play.rate for play in lab))
    if why:
        return [Row(names[0], "B", 0.08, not_measured=why), rate, Row(names[1], "ms", 0.4, not_measured=why)]
    return [
        Row(names[0], "B", 0.08, tuple(play.bytes for play in lab), tuple(play.bytes for play in peer)),
        rate,
        Row(names[1], "ms", 0.4, tuple(1000 * play.cpu for play in lab), tuple(1000 * p.cpu for p in peer)),
    ]


def quit_rows(runs: int) -> list[Row]:
    """Seconds from ctrl+q in the middle of Play to the last byte, over a slow line."""
    times = [_quit() for _ in range(runs)]
    return [Row(f"quit while playing over {SLOW_LINE / 1000:g} kB/s", "s", 1.0, tuple(times), every=True)]


def _play(kind: Kind) -> Played:
    with started(kind) as program:
        program.wait_for(*kind.first_frame)
        program.settle()
        type_trial(program)
        position, cpu = len(program.written), program.cpu()
        pressed = program.send("\r")
        program.wait_for(PLAYED, since=position)
        program.settle()
        cpu = program.cpu() - cpu
        count = len(program.written) - position
        seconds = program.last_write - pressed
        program.quit()
        return Played(count, count / seconds, cpu)


def _quit() -> float:
    kind = ours()
    with started(kind, SLOW_LINE) as program:
        program.wait_for(*kind.first_frame)
        program.settle()
        type_trial(program)
        position = len(program.written)
        program.send("\r")
        program.wait_for("Playing", since=position)
        program.read_for(INTO_PLAY)
        assert PLAYED.encode() not in program.written[position:], "the Play was over before it was left"
        return program.quit()
