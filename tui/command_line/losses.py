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
    remarks,
    tell,
)
from tui.files import report
from tui.files.report_limits import BUDGET_TITLES, balance_words, budget_facts, budget_notes, budget_rows
from tui.model.flags import counted
from tui.model.laws import Number
from tui.model.losses import Budget, loss_budget
from tui.model.overhead import balances
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
    notes = [*budget_notes(budget, steps), *steps.notes, *_balances(experiment, (first, second))]
    lines = [f"{name}: where the time went from {first} to {counted(second, of)}"]
    lines += [*facts(budget_facts(budget, steps)), "", *grid(BUDGET_TITLES, budget_rows(budget))]
    return "\n".join([*lines, "", *remarks(notes)] if notes else lines)


def _balances(experiment: Experiment, counts: tuple[int, int]) -> list[str]:
    found = balances(experiment)
    return [balance_words(devices, found[devices]) for devices in counts if devices in found]
