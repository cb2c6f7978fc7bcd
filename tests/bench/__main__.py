"""`python -m tests.bench`: how fast and how large the program is, as ratios measured in one run.

Ours and its peer run in turn, as whole processes in pseudo-terminals of 80×23, after one run of each that is
not counted. A ratio is taken pair by pair, and the median is held against the goal; where a goal is for every
key, every run or every byte, the largest value is. This is no test: the exit status does not depend on it.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import sys
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path

from tests.bench.class_report import class_rows
from tests.bench.crowd import crowd_rows
from tests.bench.exercise import exercise_rows
from tests.bench.idle import idle_rows
from tests.bench.measure import Row, table
from tests.bench.play import play_rows, quit_rows
from tests.bench.programs import Missing, ours
from tests.bench.pty_meter import NeverCame
from tests.bench.start import memory_rows, start_rows
from tests.bench.tables import table_rows
from tests.bench.training_log import training_log_rows

SUBJECTS: dict[str, Callable[[argparse.Namespace], list[Row]]] = {
    "start": lambda args: start_rows(args.runs),
    "play": lambda args: play_rows(args.runs, args.venv),
    "idle": lambda args: idle_rows(min(args.runs, 3)),
    "quit": lambda args: quit_rows(args.runs),
    "memory": lambda args: memory_rows(min(args.runs, 5)),
    "crowd": lambda args: crowd_rows(args.programs),
    "tables": lambda args: table_rows(min(args.runs, 3)),
    "log": lambda args: training_log_rows(args.runs),
    "class": lambda args: class_rows(min(args.runs, 3)),
    "exercise": lambda args: exercise_rows(args.runs),
}


def main() -> int:
    """Measure what was asked for, print the table, write the JSON."""
    args = _parser().parse_args()
    try:
        ours()
    except Missing as error:
        print(f"bench: {error}", file=sys.stderr)
        return 2
    report: dict[str, object] = {"machine": _machine(), "runs": args.runs}
    rows: list[Row] = []
    load = {}
    for subject in args.only:
        print(f"measuring {subject} ...", file=sys.stderr)
        before = os.getloadavg()[0]
        try:
            rows += SUBJECTS[subject](args)
        except NeverCame as error:
            print(f"bench: {error}", file=sys.stderr)
            rows.append(Row(subject, "", None, not_measured=str(error).splitlines()[0]))
        load[subject] = [before, os.getloadavg()[0]]
    report["load"] = load
    report["rows"] = [row.as_json() for row in rows]
    args.json.write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")
    print(_sentence(load))
    print(table(rows))
    return 0


def _parser() -> argparse.ArgumentParser:
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    environment = cache / "rooflab-bench" / "textual-plotext"
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=(__doc__ or "").split("\n")[0])
    parser.add_argument(
        "--only",
        metavar="NAMES",
        type=_subjects,
        default=list(SUBJECTS),
        help=f"comma-separated, of {', '.join(SUBJECTS)}",
    )
    parser.add_argument("--runs", metavar="N", type=_positive, default=7, help="pairs of runs (default 7)")
    parser.add_argument("--programs", metavar="N", type=_positive, default=40, help="programs of the crowd")
    parser.add_argument(
        "--json", metavar="PATH", type=Path, default=Path("bench.json"), help="where to write"
    )
    parser.add_argument(
        "--venv",
        metavar="DIR",
        type=Path,
        default=environment,
        help="the environment of the textual-plotext peer, made when missing",
    )
    return parser


def _subjects(text: str) -> list[str]:
    names = [name.strip() for name in text.split(",")]
    for name in names:
        if name not in SUBJECTS:
            raise argparse.ArgumentTypeError(f"there is no {name!r}, only {', '.join(SUBJECTS)}")
    return names


def _positive(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is no whole number from 1 on")
    return int(text)


def _machine() -> dict[str, object]:
    return {
        "python": platform.python_version(),
        "system": platform.platform(),
        "cores": len(os.sched_getaffinity(0)),
        "packages": {name: version(name) for name in ("textual", "plotext", "numpy")},
    }


def _sentence(load: dict[str, list[float]]) -> str:
    machine = _machine()
    highest = max(value for pair in load.values() for value in pair)
    return (
        f"Python {machine['python']}, {machine['cores']} cores, load up to {highest:.1f}"
        " (one and more processes of others make times longer, and ratios wider)."
    )


if __name__ == "__main__":
    sys.exit(main())
