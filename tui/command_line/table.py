"""`rooflab table`: the efficiency tables of a study or of a plain CSV file, in four formats."""

from __future__ import annotations

import argparse
import difflib
import os
import re
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Protocol, get_args

from tui.command_line.say import CANNOT, FINDINGS, OK, complain, say
from tui.files import atomic, report
from tui.files.errors import FileError
from tui.model.rows import Table
from tui.model.run_text import EditError, read_value
from tui.model.study import Experiment, Family, Run, Study
from tui.settings import thread_limits

COMMAND = "table"
STDIN = Path("standard input")

NO_TARGET_TABLE = (
    "time to a quality target has a table of its own: `rooflab target` prints it"
)
_TOML = re.compile(r"\s*(\[|[\w.\"'-]+\s*=)")


class CannotTabulate(Exception):
    """There is no table to print; each line of `lines` is a sentence that says why and what to do."""

    def __init__(self, *lines: str) -> None:
        super().__init__(lines[0])
        self.lines = lines


class HasFaults(Protocol):
    """An error that lists what is wrong with a file."""

    path: Path

    @property
    def faults(self) -> Sequence[object]:
        """One for each place."""


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
    except CannotTabulate as error:
        complain("\n".join(map(_shown, error.lines)), command=COMMAND)
        return CANNOT
    text = report.render(tables, args.format, report.setup(study))
    say(text, ascii_only=args.ascii and args.format in ("text", "markdown"))
    return _findings(tables)


def _shown(line: str) -> str:
    """A line without what would command the terminal; what it is indented by stays."""
    blanks = len(line) - len(line.lstrip(" "))
    return " " * blanks + report.plain(line)


def _note(sentence: str) -> None:
    complain(_shown(sentence), command=COMMAND)


def _findings(tables: Sequence[Table]) -> int:
    """Say why rows are blocked, and the exit status that this gives."""
    found = OK
    for table in tables:
        for row, flag in report.blocked(table):
            found = FINDINGS
            _note(f"{table.name}: {row.devices} {table.counts}: {flag.code}: {flag.sentence}")
        if table.rows and table.baseline is None:
            found = FINDINGS
            _note(f"{table.name}: no row can be the baseline, so there is no efficiency")
    return found


# ---------------------------------------------------------------------------------------------- reading


def _everything(args: argparse.Namespace) -> tuple[Study, Sequence[Table]]:
    """What the file holds as a study, and its tables.

    Raises:
        CannotTabulate: with every fault of the file, or when there is no table of it.
    """
    path = STDIN if args.file == "-" else Path(args.file)
    try:
        data = sys.stdin.buffer.read() if args.file == "-" else atomic.read(path).data
        bulk = _bulk(data, path, args)
        if bulk is not None:
            return bulk
        study = _study(data, path) if _is_study(path, data) else _foreign(data, path, args.family)
    except FileError as error:
        raise CannotTabulate(str(error)) from error
    study = _asked(study, args.experiment)
    return study, _tables(study, args.family, args.baseline)


def _bulk(data: bytes, path: Path, args: argparse.Namespace) -> tuple[Study, Sequence[Table]] | None:
    """The table of a large and clean CSV file, whose runs are never made one by one."""
    from tui.importers import bulk

    if len(data) < bulk.LEAST_BYTES or args.family in (None, "target") or args.experiment is not None:
        return None
    gathered = bulk.samples_in(data)
    if gathered is None:
        return None
    from tui.model.scaling import tabulate

    experiment = Experiment(args.family, _named(path))
    try:
        table = tabulate(gathered, experiment, baseline=_count(args.baseline))
    except ValueError as error:
        raise CannotTabulate(str(error)) from error
    return Study(experiment=(experiment,)), (table,)


def _is_study(path: Path, data: bytes) -> bool:
    """By the name of the file, else by what its first line looks like."""
    if path.suffix.lower() in (".toml", ".csv", ".tsv"):
        return path.suffix.lower() == ".toml"
    text = data.decode("utf-8-sig", errors="replace")
    lines = (line for line in text.splitlines() if line.strip() and not line.lstrip().startswith("#"))
    return _TOML.match(next(lines, "")) is not None


def _study(data: bytes, path: Path) -> Study:
    from tui.files import study as files

    try:
        return files.parse(data, path).study
    except files.NotAStudy as error:
        raise _listed(error) from error


def _foreign(data: bytes, path: Path, family: Family | None) -> Study:
    """The runs of a table or a log; the strict reader takes the tables that name their columns as we do."""
    from tui.importers import own_csv, registry
    from tui.importers.imported import Options, Source

    if own_csv.is_ours(data):
        return _csv(data, path, family)
    found = registry.read(Source(path, data), Options(family=family))
    if found.questions or not found.runs:
        asked = (f"  {question.sentence}: {question.choices[0].option}, …" for question in found.questions)
        problems = (f"  {problem}" for problem in found.problems)
        advice = (
            f"{path}: something has to be answered first; `rooflab import {path}` says with which options"
        )
        raise CannotTabulate(advice if found.questions else f"{path}: no run was found", *asked, *problems)
    for note in (*found.notes, *found.problems):
        _note(f"{path}: {note}")
    names = (", ".join(word for word in (_named(path), part.name) if word) for part in found.parts)
    parts = zip(names, found.parts, strict=True)
    return Study(experiment=tuple(part.experiment(name, part.family or "strong") for name, part in parts))


def _named(path: Path) -> str:
    return path.stem if path is not STDIN else str(path)


def _csv(data: bytes, path: Path, family: Family | None) -> Study:
    from tui.importers import own_csv

    try:
        runs = own_csv.parse(data, path)
    except own_csv.NotATable as error:
        raise _listed(error) from error
    if family is None:
        raise CannotTabulate(f"{path}: {_which_family(runs.run)}")
    for note in runs.notes:
        _note(f"{path}: {note}")
    return Study(experiment=(Experiment(family, _named(path), run=runs.run),))


def _listed(error: HasFaults) -> CannotTabulate:
    first, *others = error.faults
    if not others:
        return CannotTabulate(f"{error.path}: {first}")
    return CannotTabulate(
        f"{error.path}: {len(error.faults)} errors", *(f"  {fault}" for fault in error.faults)
    )


def _which_family(runs: Sequence[Run]) -> str:
    """What to ask when a CSV file came without a family: its numbers alone never decide it."""
    ask = "say whether this is strong scaling (--family strong) or weak scaling (--family weak)"
    known = {(run.devices, run.work) for run in runs if isinstance(run.work, float)}
    if len({run.parameters for run in runs}) > 1:
        return f"the models differ: add --family model-size if they are compared as such; else {ask}"
    if not known:
        return f"a CSV file does not tell its family: {ask}, where W grows with the devices"
    if len({work for _, work in known}) == 1:
        return (
            f"work is the same in all rows: {ask}; for weak scaling work must be that of all devices together"
        )
    return f"work differs between the rows, which alone does not make it weak scaling: {ask}"


# ------------------------------------------------------------------------------------------- what is asked


def _asked(study: Study, name: str | None) -> Study:
    """The study with the experiments that were asked for.

    Raises:
        CannotTabulate: when there are none.
    """
    if not study.experiment:
        raise CannotTabulate("the study has no experiment: add an [[experiment]] with its runs")
    if name is None:
        for experiment in study.experiment:
            if experiment.family == "target" and len(study.experiment) > 1:
                _note(f"{experiment.name}: {NO_TARGET_TABLE}")
        return study
    by_name = {experiment.name: experiment for experiment in study.experiment}
    names = list(by_name)
    if by_name.get(name) is not None and by_name[name].family == "target":
        raise CannotTabulate(f"{name}: {NO_TARGET_TABLE}")
    if name not in names:
        near = difflib.get_close_matches(name, names, n=1)
        hint = f"did you mean {near[0]!r}?" if near else f"there are {', '.join(map(repr, names))}"
        raise CannotTabulate(f"there is no experiment {name!r}; {hint}")
    # Experiments of the target family stay: a growing batch is judged by them.
    kept = (one for one in study.experiment if one.name == name or one.family == "target")
    return replace(study, experiment=tuple(kept))


def _tables(study: Study, family: Family | None, baseline: str | None) -> Sequence[Table]:
    """The tables, with a note on standard error for what is read otherwise or not at all.

    Raises:
        CannotTabulate: when there are none, or no table has such a baseline.
    """
    from tui.model.scaling import tables

    if family == "target" or all(experiment.family == "target" for experiment in study.experiment):
        raise CannotTabulate(NO_TARGET_TABLE)
    count = _count(baseline)
    try:
        found = tables(study, family, count)
    except ValueError as error:
        if count is None:
            raise
        raise CannotTabulate(str(error)) from error
    for experiment in study.experiment:
        if family is not None and experiment.family not in (family, "target"):
            _note(f"{experiment.name}: read as {family}; the study says {experiment.family}")
    return found


def _count(text: str | None) -> int | None:
    if text is None:
        return None
    try:
        return int(read_value("devices", text))
    except EditError as error:
        raise CannotTabulate(f"--baseline: {error.sentence.partition(': ')[2]}") from error
