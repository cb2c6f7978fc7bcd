"""`rooflab target`: what a quality target took in time, work and device time, seed by seed."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from fractions import Fraction
from typing import Any, get_args

from tui.command_line.say import FINDINGS, OK, complain, say
from tui.command_line.studies import Refused, chosen, facts, grid, opened, remarks, shown, tell
from tui.files import report
from tui.model.flags import ratio
from tui.model.study import Experiment, Study
from tui.model.target import SUMMARIES, Summary, TargetRow, TargetTable, target_table

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
    return _findings(tables)


def _asked(study: Study, name: str | None) -> Sequence[Experiment]:
    if name is not None:
        return [chosen(study.experiment, name, ("target",))]
    found = [experiment for experiment in study.experiment if experiment.family == "target"]
    return found or [chosen(study.experiment, None, ("target",))]


def _findings(tables: Sequence[TargetTable]) -> int:
    found = OK
    for table in tables:
        for row in table.rows:
            if row.time is None:
                found = FINDINGS
                words = f"{row.reached_in_words}: no {table.summary} time to the target"
                complain(
                    report.plain(f"{table.name}: {row.devices} {table.counts}: {words}"), command=COMMAND
                )
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
    head = [("summary", SUMMARIES[table.summary])]
    if table.base is None:
        head.append(("baseline", "none: no configuration has a time to the target"))
    else:
        label = f", {table.base.label}" if table.base.label else ""
        head.append(("baseline", f"D0 = {table.base.devices} {table.counts}{label}"))
    if table.withdrawn:
        head.append(("withdrawn", f"{table.withdrawn} in the file and not in the numbers"))
    lines = [f"{report.plain(table.name)}: time to a quality target", *facts(head)]
    if not table.rows:
        return "\n".join([*lines, "", "  No runs yet: there is nothing to compare."])
    needed = ("D", "label", "reached", "time s", "fastest s", "slowest s", "upd./M", "device-h")
    lines += ["", *grid(needed, [_needed(row) for row in table.rows], words=2)]
    against = ("D", "label", "system E", "÷ inflation", "= target E", "speedup", "weak E")
    if table.base is not None:
        lines += ["", *grid(against, [_against(row) for row in table.rows], words=2)]
    notes = [*_spreads(table), *table.notes, "a fast step is no promise to reach the target sooner"]
    return "\n".join([*lines, "", *remarks(notes)])


def _needed(row: TargetRow) -> tuple[str, ...]:
    fastest, slowest = row.time_range or (None, None)
    return (
        str(row.devices),
        row.label or "–",
        f"{row.reached} of {len(row.seeds)}",
        shown(row.time),
        shown(fastest),
        shown(slowest),
        shown(row.updates_per_million),
        shown(row.device_hours),
    )


def _against(row: TargetRow) -> tuple[str, ...]:
    ratios = (row.system_efficiency, row.inflation, row.target_efficiency, row.speedup, row.weak_efficiency)
    written = ("–" if value is None else ratio(float(value)) for value in ratios)
    return (str(row.devices), row.label or "–", *written)


def _spreads(table: TargetTable) -> list[str]:
    written = []
    for row in table.rows:
        if row.spread is not None and row.spread.low is not None and row.spread.high is not None:
            words = row.spread.words.replace("jobs", "seeds")
            bounds = f"{ratio(row.spread.low)} to {ratio(row.spread.high)}"
            written.append(f"{row.devices} {table.counts}: speedup {bounds} ({words})")
    return written
