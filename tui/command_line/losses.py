"""`rooflab losses`: where the time between two counts went, stage by stage."""

from __future__ import annotations

import argparse
import json
from typing import Any

from tui.command_line.say import FINDINGS, OK, say
from tui.command_line.studies import (
    Refused,
    chosen,
    count,
    facts,
    grid,
    opened,
    percent,
    remarks,
    shown,
    tell,
)
from tui.files import report
from tui.model.flags import ratio
from tui.model.laws import Number
from tui.model.losses import Budget, loss_budget
from tui.model.overhead import POP_SOURCE, Balance, balances
from tui.model.path import NoPath
from tui.model.steps import Steps, steps_of
from tui.model.study import Experiment

COMMAND = "losses"


def fill(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    parser.epilog = (
        "The ideal is T(D1)·D1/D2 for the same work, T(D1) for work that grows with the devices; the lines "
        "add up to what was lost against it. Exit status 1 when the data allow no budget."
    )
    parser.add_argument("study", metavar="STUDY", help="a study whose runs have stages_s")
    parser.add_argument("--from", dest="first", metavar="D1", required=True, help="the smaller count")
    parser.add_argument("--to", dest="second", metavar="D2", required=True, help="the larger count")
    parser.add_argument("--experiment", metavar="NAME", help="needed where the study has several")
    parser.add_argument("--json", action="store_true", help="print one JSON object; times in seconds")


def run(args: argparse.Namespace) -> int:
    """Print the budget; the exit status."""
    try:
        first, second = count("--from", args.first), count("--to", args.second)
        study = opened(args.study).document.study
        experiment = chosen(study.experiment, args.experiment, ("strong", "weak", "model-size"))
        try:
            steps = steps_of(experiment, study.machine)
            budget = loss_budget(steps, first, second)
        except NoPath as error:
            raise Refused(f"{experiment.name}: {error}", status=FINDINGS) from error
    except Refused as refused:
        return tell(refused, COMMAND)
    if args.json:
        say(json.dumps(as_object(budget), indent=2))
    else:
        say(as_text(budget, steps, experiment), ascii_only=args.ascii)
    return OK


def as_object(budget: Budget) -> dict[str, Any]:
    """The budget as plain values."""
    return {
        "from": budget.first,
        "to": budget.second,
        "ideal_s": float(budget.ideal),
        "lost_s": float(budget.lost),
        "lines": [
            {
                "stage": line.stage,
                "lost_s": float(line.lost),
                "share": _plain(line.share),
                "efficiency_if_free": _plain(line.efficiency_if_free),
            }
            for line in budget.lines
        ],
    }


def _plain(value: Number | None) -> float | None:
    return None if value is None else float(value)


def as_text(budget: Budget, steps: Steps, experiment: Experiment) -> str:
    """The budget for a person, at most 80 columns wide."""
    first, second, of = budget.first, budget.second, experiment.counts
    name = report.plain(experiment.name)
    rule = f"T({first})·{first}/{second}" if steps.family == "strong" else f"T({first})"
    head = [
        ("ideal", f"{shown(budget.ideal)} s = {rule}"),
        ("measured", f"{shown(budget.time)} s, E = {ratio(float(budget.efficiency))} against {first} {of}"),
        ("lost", f"{shown(budget.lost)} s"),
        ("path", f"{' → '.join(budget.path)} at {second} {of}"),
    ]
    rows = [
        (
            line.stage,
            shown(line.lost),
            percent(line.share),
            "–" if line.efficiency_if_free is None else ratio(float(line.efficiency_if_free)),
        )
        for line in budget.lines
    ]
    total = ("all", shown(budget.lost), percent(sum((line.share or 0 for line in budget.lines), 0)), "")
    notes = [*_notes(budget, steps), *steps.notes, *_balances(experiment, (first, second))]
    lines = [f"{name}: where the time went from {first} to {second} {of}", *facts(head), ""]
    lines += grid(("stage", "lost s", "share", "E if free"), [*rows, total])
    return "\n".join([*lines, "", *remarks(notes)] if notes else lines)


def _notes(budget: Budget, steps: Steps) -> list[str]:
    notes = []
    slack = steps.measured(budget.second).slack
    for name, spare in slack.items():
        if name not in budget.path:
            notes.append(f"{name} is beside the path at {budget.second}, with {shown(spare)} s of slack")
    for devices, rest in zip((budget.first, budget.second), budget.remainders, strict=True):
        if rest > 0:
            notes.append(f"at {devices} no stage explains {shown(rest)} s of the measured step")
        elif rest < 0:
            notes.append(f"at {devices} the stages exceed the measured step by {shown(-rest)} s")
    return notes


def _balances(experiment: Experiment, counts: tuple[int, int]) -> list[str]:
    found = balances(experiment)
    written = []
    for devices in counts:
        here = found.get(devices)
        if isinstance(here, Balance):
            load, communication, both, most = (
                ratio(float(value))
                for value in (
                    here.load_balance,
                    here.communication_efficiency,
                    here.parallel_efficiency,
                    here.largest_over_mean,
                )
            )
            written.append(
                f"at {devices}, {here.ranks} ranks: load balance {load} (max/mean {most}) × communication "
                f"efficiency {communication} = parallel efficiency {both} ({POP_SOURCE})"
            )
        elif here is not None:
            written.append(f"at {devices}: {here}")
    return written
