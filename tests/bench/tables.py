"""Reading a clean CSV file of a million runs and tabulating it, against pandas."""

from __future__ import annotations

import random
import subprocess
import sys
import tempfile
import time
from importlib.util import find_spec
from pathlib import Path

from tests.bench.measure import Row, alternate
from tests.bench.programs import PEERS, environment, ours

RUNS = 1_000_000
GOAL = 5.0


def table_rows(runs: int) -> list[Row]:
    """Seconds of the whole process, imports included, from the file to the printed table."""
    what = f"read and tabulate a clean CSV of {RUNS:,} runs"
    if find_spec("pandas") is None:
        return [Row(what, "s", GOAL, not_measured="pandas is not installed here: install the extra bench")]
    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder) / "runs.csv")
        Path(path).write_text(_runs(), encoding="ascii")
        table = (*ours().command, "table", path, "--family", "strong")
        median = (sys.executable, str(PEERS / "pandas_table.py"), path)
        mine, peers = alternate(runs, lambda: _seconds(table, folder), lambda: _seconds(median, folder))
    return [Row(what, "s", GOAL, tuple(mine), tuple(peers))]


def _runs() -> str:
    """Times of eight counts with two percent of noise, the same in every run of the bench."""
    noise = random.Random(1)
    counts = [2 ** (place % 8) for place in range(RUNS)]
    rows = (f"{count},{(100 / count + 0.1) * noise.gauss(1, 0.02):.6g}\n" for count in counts)
    return "devices,time_s\n" + "".join(rows)


def _seconds(command: tuple[str, ...], state: str) -> float:
    begin = time.perf_counter()
    done = subprocess.run(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment(state)
    )
    if done.returncode not in (0, 1):
        raise RuntimeError(f"{command[0]} ended with status {done.returncode}")
    return time.perf_counter() - begin
