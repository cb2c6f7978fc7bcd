"""`rooflab table`: the efficiency tables of a study or of a plain CSV file, in four formats."""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from typing import get_args

from tui.command_line import reading
from tui.command_line.say import say
from tui.command_line.studies import Refused, by_name, count_or_none, findings, note, tell
from tui.files import report
from tui.model.rows import Table
from tui.model.study import Family, Study
from tui.settings import thread_limits

COMMAND = "table"

NO_TARGET_TABLE = "time to a quality target has a table of its own: `rooflab target` prints it"


def fill(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    parser.epilog = (
        "A CSV file has a header with devices and time_s, and further columns named as the fields of a run "
        "(work, global_batch, nodes, domain, ...); several rows of one count are jobs. "
        "Other tables and logs are read where nothing has to be asked; `rooflab import` takes the answers. "
        "Exit status 1 when rows cannot be compared; the reasons are on standard error."
    )
    parser.add_argument("file", metavar="FILE", help="a study, or a CSV file; - reads standard input")
    parser.add_argument("--experiment", metavar="NAME", help="only this experiment of the study")
    parser.add_argument(
        "--family", choices=get_args(Family), help="read the runs as this family; a CSV file needs it"
    )
    parser.add_argument("--baseline", metavar="D0", help="the count to compare with")
    parser.add_argument("--format", choices=get_args(report.Format), default="text", help="default: text")


def run(args: argparse.Namespace) -> int:
    """Print the tables; the exit status."""
    os.environ.update(thread_limits())  # before numpy, which long lists of jobs need
    try:
        study, tables = _everything(args)
    except Refused as refused:
        return tell(refused, COMMAND)
    text = report.render(tables, args.format, report.setup(study))
    say(text, ascii_only=args.ascii and args.format in ("text", "markdown"))
    return findings(tables, COMMAND)


def _note(sentence: str) -> None:
    note(sentence, COMMAND)


def _everything(args: argparse.Namespace) -> tuple[Study, Sequence[Table]]:
    """What the file holds as a study, and its tables.

    Raises:
        Refused: with every fault of the file, or when there is no table of it.
    """
    baseline = count_or_none("--baseline", args.baseline)
    found = reading.found_in(args.file, args.family, baseline, _note, bulk=args.experiment is None)
    if found.bulk is not None:
        return found.study, (found.bulk,)
    study = _asked(found.study, args.experiment)
    if args.family == "target" or all(experiment.family == "target" for experiment in study.experiment):
        raise Refused(NO_TARGET_TABLE)
    return study, reading.tables_of(study, args.family, baseline, _note)


def _asked(study: Study, name: str | None) -> Study:
    """The study with the experiments that were asked for.

    Raises:
        Refused: when there are none.
    """
    if name is None:
        for experiment in study.experiment:
            if experiment.family == "target" and len(study.experiment) > 1:
                _note(f"{experiment.name}: {NO_TARGET_TABLE}")
        return study
    if by_name(study.experiment, name).family == "target":
        raise Refused(f"{name}: {NO_TARGET_TABLE}")
    return reading.with_only(study, name)
