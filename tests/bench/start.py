"""Start to the first frame and the first plot, keys from then on, and peak memory."""

from __future__ import annotations

import time

from tests.bench.measure import Row, alternate
from tests.bench.programs import PLAYED, Kind, bare, ours, started, type_trial
from tests.bench.pty_meter import Program, watch

GAP = 0.1
"""Seconds from key to key of a quick typist."""
TYPED = "12345678901"
"""Long enough to type through the imports that go on after the first frame."""


def has_plot(lines: list[str]) -> bool:
    """Whether our axes and the cap line stand on a screen."""
    return any("1000┤╌ compute cap" in line for line in lines) and any("└────" in line for line in lines)


def start_rows(runs: int) -> list[Row]:
    """Seconds from the start of the process; the plot is held against the same first frame of the peer."""
    frames, peers = alternate(runs, lambda: _start(ours(), plot=True), lambda: _start(bare(), plot=False))
    first = Row("start to first frame", "ms", 1.15, _column(frames, 0), _column(peers, 0))
    plot = Row("start to first plot", "ms", 1.15, _column(frames, 1), _column(peers, 1))
    cost = Row("processor time until the first frame", "ms", None, _column(frames, 2), _column(peers, 2))
    typed = [_type_from_first_frame() for _ in range(runs + 1)][1:]
    keys = Row("keys from the first frame on, slowest of a run", "ms", 60, tuple(typed), every=True)
    return [first, plot, cost, keys]


def memory_rows(runs: int) -> list[Row]:
    """Peak memory of the lab with a trial played, and of the peer with its fields filled."""
    lab, peer = alternate(runs, lambda: _peak(ours(), play=True), lambda: _peak(bare(), play=False))
    return [Row("peak memory of the lab", "MiB", 1.3, tuple(lab), tuple(peer))]


def _column(samples: list[tuple[float, ...]], number: int) -> tuple[float, ...]:
    return tuple(1000 * sample[number] for sample in samples)


def _start(kind: Kind, *, plot: bool) -> tuple[float, float, float]:
    with started(kind) as program:
        program.wait_for(*kind.first_frame)
        cpu = program.cpu()
        program.settle()
        first = program.when(kind.drawn)
        complete = program.when(has_plot) if plot else first
        program.quit()
        return first - program.started, complete - program.started, cpu


def _type_from_first_frame() -> float:
    kind = ours()
    with started(kind) as program:
        program.wait_for(*kind.first_frame)
        typed = []
        for key in TYPED:
            typed.append(program.send(key))
            _read_until(program, typed[-1] + GAP)
        program.settle()
        echoed = [
            program.when(lambda lines, text=TYPED[:count]: f"I {text}" in lines[1])
            for count in range(1, len(TYPED) + 1)
        ]
        program.quit()
    return 1000 * max(shown - pressed for pressed, shown in zip(typed, echoed, strict=True))


def _read_until(program: Program, moment: float) -> None:
    watch([program], lambda: time.monotonic() >= moment, GAP)


def _peak(kind: Kind, *, play: bool) -> float:
    with started(kind) as program:
        program.wait_for(*kind.first_frame)
        program.settle()
        type_trial(program)
        if play:
            program.send("\r")
            program.wait_for(PLAYED)
            program.settle()
        peak = program.peak_memory()
        program.quit()
        return peak
