"""`rooflab export`: a report of a study to hand on, as Markdown with the plots in it, or as CSV."""

from __future__ import annotations

import argparse
import os
from pathlib import Path
from typing import get_args

from tui import export
from tui.command_line import reading, target
from tui.command_line.reading import Found
from tui.command_line.say import CANNOT, say
from tui.command_line.studies import Refused, by_name, count_or_none, findings, note, tell
from tui.files.errors import AlreadyThere, FileError
from tui.files.report import plain
from tui.files.report_export import Scaling, Section, Target
from tui.model.rows import Table
from tui.model.study import Family, Study
from tui.settings import thread_limits

COMMAND = "export"


def fill(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    parser.epilog = (
        "The report says what was measured and on what, every judgement in words, the plots as text, and how "
        "to get the same report again. CSV has exact numbers; cells that a spreadsheet would take for "
        "formulas get an apostrophe. Tables and logs are read as by `rooflab table`. "
        "Exit status 1 when rows cannot be compared; the report is written all the same."
    )
    parser.add_argument(
        "file", metavar="STUDY", help="a study, or any file that can be imported; - reads standard input"
    )
    parser.add_argument(
        "--format", choices=get_args(export.Format), help="default: csv for FILE.csv, else markdown"
    )
    parser.add_argument(
        "-o", "--output", metavar="FILE", help="the file to write; without it the report is printed"
    )
    parser.add_argument("--force", action="store_true", help="replace FILE where it exists")
    parser.add_argument("--experiment", metavar="NAME", help="only this experiment of the study")
    parser.add_argument(
        "--family", choices=get_args(Family), help="read the runs as this family; a CSV file needs it"
    )
    parser.add_argument("--baseline", metavar="D0", help="the count to compare with")


def run(args: argparse.Namespace) -> int:
    """Write or print the report; the exit status."""
    os.environ.update(thread_limits())  # before numpy, which long lists of jobs need
    to: export.Format = args.format or _by_name(args.output)
    try:
        found, sections = _sections(args)
    except Refused as refused:
        return tell(refused, COMMAND)
    if to == "markdown":
        sections = tuple(map(export.drawn, sections))
    origin = export.origin_of(str(found.path), found.data, _arguments(args, to))
    text = export.rendered(found.study, sections, to, origin, ascii_only=args.ascii)
    if args.output is None:
        say(text)
    else:
        try:
            export.written(Path(args.output), text, replace_it=args.force, source=found.path)
        except AlreadyThere as error:
            advice = "" if args.force else ": --force replaces it, or choose another name"
            note(f"{error}{advice}", COMMAND)
            return CANNOT
        except FileError as error:
            note(str(error), COMMAND)
            return CANNOT
        say(f"Wrote {plain(args.output)}: {export.contents(sections, to)}.", ascii_only=args.ascii)
    return _findings(sections, to)


def _by_name(output: str | None) -> export.Format:
    return "csv" if output is not None and Path(output).suffix.lower() == ".csv" else "markdown"


def _sections(args: argparse.Namespace) -> tuple[Found, tuple[Section, ...]]:
    """What the file holds, experiment by experiment.

    Raises:
        Refused: with every fault of the file.
    """
    baseline = count_or_none("--baseline", args.baseline)
    found = reading.found_in(
        args.file, args.family, baseline, lambda said: note(said, COMMAND), bulk=args.experiment is None
    )
    if args.experiment is not None:
        by_name(found.study.experiment, args.experiment)
    return found, export.gathered(found.study, _tables(found, args.family, baseline), args.experiment)


def _tables(found: Found, family: Family | None, baseline: int | None) -> tuple[Table, ...]:
    if found.bulk is not None:
        return (found.bulk,)
    study: Study = found.study
    if all(experiment.family == "target" for experiment in study.experiment):
        return ()
    return tuple(reading.tables_of(study, family, baseline, lambda said: note(said, COMMAND)))


def _arguments(args: argparse.Namespace, to: export.Format) -> list[str]:
    """What makes the same report again, without --force."""
    words = [*(["--ascii"] if args.ascii else []), COMMAND, args.file, "--format", to]
    for name in ("experiment", "family", "baseline", "output"):
        value = getattr(args, name)
        if value is not None:
            words += [f"--{name}", value]
    return words


def _findings(sections: tuple[Section, ...], to: export.Format) -> int:
    """Say what stands against comparing rows, and what CSV leaves out; the exit status."""
    for name in export.not_in_csv(sections) if to == "csv" else ():
        note(f"{name}: a target table has other columns and is not in this CSV; add --experiment", COMMAND)
    found = findings([each.table for each in sections if isinstance(each, Scaling)], COMMAND)
    targets = [each.table for each in sections if isinstance(each, Target)]
    return max(found, target.findings(targets, COMMAND))
