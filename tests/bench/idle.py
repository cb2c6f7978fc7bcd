"""What a program costs while nobody touches it."""

from __future__ import annotations

from tests.bench.measure import Row
from tests.bench.programs import PLAYED, ours, started, type_trial

SECONDS = 10.0


def idle_rows(runs: int) -> list[Row]:
    """Bytes and share of a core at the start and after a played trial."""
    rows = []
    for when, play in (("at the start", False), ("after a trial", True)):
        samples = [_idle(play=play) for _ in range(runs)]
        written, share = zip(*samples, strict=True)
        rows += [
            Row(f"bytes in idle {SECONDS:g} s {when}", "B", 0, written, every=True),
            Row(f"core used in idle {SECONDS:g} s {when}", "%", 0.5, share, every=True),
        ]
    return rows


def _idle(*, play: bool) -> tuple[float, float]:
    kind = ours()
    with started(kind) as program:
        program.wait_for(*kind.first_frame)
        program.settle(quiet=2.0)
        if play:
            type_trial(program)
            program.send("\r")
            program.wait_for(PLAYED)
            program.settle(quiet=2.0)
        position, cpu = len(program.written), program.cpu()
        program.read_for(SECONDS)
        share = 100 * (program.cpu() - cpu) / SECONDS
        written = len(program.written) - position
        program.quit()
        return written, share
