"""A training log of a million lines: our reader held against grep and awk that make the same sums."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

from tests.bench.measure import Row, alternate
from tests.bench.programs import environment

LINES = 1_000_000
GOAL, MEMORY_GOAL = 1.0, 0.5
BETWEEN_CHECKPOINTS, BETWEEN_SKIPS = 100, 50_000
"""Iteration lines to a checkpoint, and to an interval with skipped iterations."""

OURS = """
import sys
from pathlib import Path
from tui.importers import registry
from tui.importers.imported import Source
(run,) = registry.read(Source(Path(sys.argv[1]))).runs
print(f"{sum(run.times_s) / len(run.times_s):.4f}")
"""

PEER = r"""
grep -E 'elapsed time per iteration|^saving checkpoint' "$1" | awk -F'|' '
/^saving/ { other = 1; next }
{
    split($3, time, ": "); split($5, batch, ":"); wall += time[2]; of = batch[2] + 0
    for (i = NF; i > 5; i--) if ($i ~ /skipped/) { split($i, skips, ":"); break }
    if (skips[2] + 0) skipped += skips[2]
    else if (!other && NR > 1) { count[of]++; sum[of] += time[2] }
    other = 0
}
END { for (of in count) printf "%.4f\n", sum[of] / count[of] / 1000 }'
"""
"""The mean of each global batch over the intervals that count, the wall time and the skipped iterations."""


class Read(NamedTuple):
    """What one reading took: seconds, seconds of processor time, and bytes of memory at its peak."""

    seconds: float
    cpu: float
    peak: float
    printed: str


def training_log_rows(runs: int) -> list[Row]:
    """Seconds to read the log, processor time, and our peak memory against the size of the file.

    The peer is two programs at once: alone on two cores it waits for half of its processor time only.
    """
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "train.log"
        _write(log)
        ours, peer = alternate(
            runs,
            lambda: _read([sys.executable, "-c", OURS, str(log)], folder),
            lambda: _read(["sh", "-c", PEER, "sh", str(log)], folder),
        )
        size = log.stat().st_size
    assert {round(float(each.printed), 3) for each in (*ours, *peer)} == {round(float(ours[0].printed), 3)}
    what = f"read a training log of {LINES:,} lines ({size / 1e6:.0f} MB)"
    return [
        Row(what, "s", GOAL, tuple(each.seconds for each in ours), tuple(each.seconds for each in peer)),
        Row(
            "its processor time",
            "s",
            GOAL,
            tuple(each.cpu for each in ours),
            tuple(each.cpu for each in peer),
        ),
        Row("its peak memory / size of the file", "", MEMORY_GOAL, tuple(each.peak / size for each in ours)),
    ]


def _write(log: Path) -> None:
    """A log of Megatron-LM's layout, about 1 % of its lines those of checkpoints."""
    with log.open("w", encoding="ascii") as stream:
        stream.write(
            "using world size: 64, data-parallel size: 4, tensor-model-parallel size: 4, "
            "pipeline-model-parallel size: 4\n"
        )
        for number in range(1, LINES + 1 - LINES // BETWEEN_CHECKPOINTS):
            skips = 10 if number < 3 or number % BETWEEN_SKIPS == 0 else 0
            stream.write(
                f" [2025-04-13 23:41:12] iteration {number * 10:8d}/10000000 | consumed samples: "
                f"{number * 160:12d} | elapsed time per iteration (ms): {774 + number % 97 / 10:.1f} | "
                "learning rate: 9.892558E-05 | global batch size:    16 | lm loss: 7.51478E+00 | loss scale: "
                f"4096.0 | grad norm: 1.082 | num zeros: 298.0 | number of skipped iterations: {skips:3d} | "
                "number of nan iterations:   0 |\n"
            )
            if number % BETWEEN_CHECKPOINTS == 0:
                stream.write(f"saving checkpoint at iteration {number * 10}\n")


def _read(command: list[str], state: str) -> Read:
    """Run a whole process, and those that it starts."""
    start = time.monotonic()
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment(state)) as process:
        assert process.stdout is not None
        printed = process.stdout.read()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0, command[:2]
    cpu = usage.ru_utime + usage.ru_stime
    return Read(time.monotonic() - start, cpu, usage.ru_maxrss * 1024, printed.strip())
