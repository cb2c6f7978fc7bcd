"""`rooflab target`: what a quality target took in time, work and device time, seed by seed."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from fractions import Fraction
from typing import Any, get_args

from tui.command_line.say import FINDINGS, OK, say
from tui.command_line.studies import Refused, chosen, facts, grid, note, opened, remarks, tell
from tui.files import report
from tui.files.report_target import target_facts, target_grids, target_remarks
from tui.model.flags import counted
from tui.model.study import Experiment, Study
from tui.model.target import Summary, TargetTable, target_table

COMMAND = "target"


def fill(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    parser.epilog = (
        "A seed that did not reach the target ranks as infinite and is never dropped. "
        "Exit status 1 when a configuration has no time to the target."
    )
    parser.add_argument("study", metavar="STUDY", help="a study with a target experiment")
    parser.add_argument("--experiment", metavar="NAME", help="only this experiment of the study")
    parser.add_argument(
        "--summary", choices=get_args(Summary), default="median", help="over the seeds; default: median"
    )
    parser.add_argument("--json", action="store_true", help="print JSON; times in seconds")


def run(args: argparse.Namespace) -> int:
    """Print the tables; the exit status."""
    try:
        study = opened(args.study).document.study
        tables = [target_table(one, args.summary, study) for one in _asked(study, args.experiment)]
    except Refused as refused:
        return tell(refused, COMMAND)
    if args.json:
        objects = [as_object(table) for table in tables]
        say(json.dumps(objects[0] if len(objects) == 1 else objects, indent=2))
    else:
        say("\n\n".join(map(as_text, tables)), ascii_only=args.ascii)
    return findings(tables)


def _asked(study: Study, name: str | None) -> Sequence[Experiment]:
    if name is not None:
        return [chosen(study.experiment, name, ("target",))]
    found = [experiment for experiment in study.experiment if experiment.family == "target"]
    return found or [chosen(study.experiment, None, ("target",))]


def findings(tables: Sequence[TargetTable], command: str = COMMAND) -> int:
    """Say which configurations have no time to the target, and the exit status that this gives."""
    found = OK
    for table in tables:
        for row in table.rows:
            if row.time is None:
                found = FINDINGS
                words = f"{row.reached_in_words}: no {table.summary} time to the target"
                note(f"{table.name}: {counted(row.devices, table.counts)}: {words}", command)
    return found


def as_object(table: TargetTable) -> dict[str, Any]:
    """A table as plain values; what cannot be known is null."""
    base = table.base
    return {
        "baseline": None
        if base is None
        else {"label": base.label, "devices": base.devices, "summary": table.summary},
        "rows": [
            {
                "label": row.label,
                "devices": row.devices,
                "seeds": len(row.seeds),
                "reached": row.reached,
                "throughput": _plain(row.throughput),
                "inflation": _plain(row.inflation),
                "time_to_target_s": _plain(row.time),
                "speedup_to_target": _plain(row.speedup),
                "target_efficiency": _plain(row.target_efficiency),
                "system_efficiency": _plain(row.system_efficiency),
                "device_hours": _plain(row.device_hours),
            }
            for row in table.rows
        ],
    }


def _plain(value: Fraction | None) -> float | None:
    return None if value is None else float(value)


def as_text(table: TargetTable) -> str:
    """A table for a person, at most 80 columns wide."""
    lines = [f"{report.plain(table.name)}: time to a quality target", *facts(target_facts(table))]
    if not table.rows:
        return "\n".join([*lines, "", f"  {report.NO_RUNS}"])
    for each in target_grids(table):
        lines += ["", *grid(each.titles, each.rows, each.words)]
    return "\n".join([*lines, "", *remarks(target_remarks(table))])
