"""Reading a clean CSV file of a million runs and tabulating it, against pandas."""

from __future__ import annotations

import json
import random
import subprocess
import sys
import tempfile
import time
from importlib.util import find_spec
from math import isclose
from pathlib import Path

from tests.bench.measure import Row, alternate
from tests.bench.programs import PEERS, environment, ours

RUNS = 1_000_000
GOAL = 5.0


class WrongTable(Exception):
    """What was measured did not do its work."""


def table_rows(runs: int) -> list[Row]:
    """Seconds of the whole process, imports included, from the file to the printed table."""
    what = f"read and tabulate a clean CSV of {RUNS:,} runs"
    if find_spec("pandas") is None:
        return [Row(what, "s", GOAL, not_measured="pandas is not installed here: install the extra bench")]
    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder) / "runs.csv")
        Path(path).write_text(_runs(), encoding="ascii")
        table = (*ours().command, "table", path, "--family", "strong", "--format", "json")
        median = (sys.executable, str(PEERS / "pandas_table.py"), path)
        mine, peers = alternate(runs, lambda: _timed(table, folder), lambda: _timed(median, folder))
    for (_, tabulated), (_, medians) in zip(mine, peers, strict=True):
        check(tabulated, medians)
    return [Row(what, "s", GOAL, tuple(each for each, _ in mine), tuple(each for each, _ in peers))]


def check(tabulated: str, medians: str) -> None:
    """Refuse a table that does not have the count and the time of every median that pandas printed.

    Raises:
        WrongTable: when it does not, or is no table at all.
    """
    expected = {int(count): time for count, time in json.loads(medians).items()}
    try:
        found = {row["devices"]: row["time_s"] for row in json.loads(tabulated)["rows"]}
    except (ValueError, TypeError, KeyError) as error:
        raise WrongTable(f"no table was printed, but {tabulated[:80]!r}") from error
    same = found.keys() == expected.keys() and all(
        isclose(found[count], expected[count], rel_tol=1e-12) for count in found
    )
    if not same:
        raise WrongTable(f"the times of the counts are {found}, not {expected}")


def _runs() -> str:
    """Times of eight counts with two percent of noise, the same in every run of the bench."""
    noise = random.Random(1)
    counts = [2 ** (place % 8) for place in range(RUNS)]
    rows = (f"{count},{(100 / count + 0.1) * noise.gauss(1, 0.02):.6g}\n" for count in counts)
    return "devices,time_s\n" + "".join(rows)


def _timed(command: tuple[str, ...], state: str) -> tuple[float, str]:
    """Seconds of a whole process, and what it printed."""
    begin = time.perf_counter()
    done = subprocess.run(
        command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=environment(state)
    )
    return time.perf_counter() - begin, done.stdout
