"""A file as the commands that tabulate take it: a study, or any table or log that can be imported."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from tui.command_line.studies import Refused, listed
from tui.files import atomic
from tui.files import study as files
from tui.files.errors import FileError
from tui.model.rows import Table
from tui.model.study import Experiment, Family, Run, Study

STDIN = Path("standard input")

_HEAD = 65536
"""Bytes that tell whether a file is meant as a study."""

Note = Callable[[str], None]
"""Where a sentence goes that stops nothing."""


@dataclass(frozen=True)
class Found:
    """What a file holds."""

    path: Path
    data: bytes
    study: Study
    bulk: Table | None = None
    """The only table, where it was made of a large file whose runs are never made one by one."""


def found_in(file: str, family: Family | None, baseline: int | None, note: Note, *, bulk: bool) -> Found:
    """Read a file, or standard input where its name is `-`.

    Args:
        family: what the runs of an imported file are read as.
        baseline: the count D0 of a table made in bulk.
        note: told what was seen in an imported file.
        bulk: whether the runs of a large file may stay unmade.

    Raises:
        Refused: with every fault of the file.
    """
    path = STDIN if file == "-" else Path(file)
    try:
        data = sys.stdin.buffer.read() if file == "-" else atomic.read(path).data
        made = _bulk(data, path, family, baseline) if bulk else None
        if made is not None:
            return made
        is_study = files.is_study(path, data[:_HEAD])
        study = _study(data, path) if is_study else _foreign(data, path, family, note)
    except FileError as error:
        raise Refused(str(error)) from error
    if not study.experiment:
        raise Refused("the study has no experiment: add an [[experiment]] with its runs")
    return Found(path, data, study)


def with_only(study: Study, name: str) -> Study:
    """The study with one experiment; those of the target family stay: a growing batch is judged by them."""
    kept = (one for one in study.experiment if one.name == name or one.family == "target")
    return replace(study, experiment=tuple(kept))


def tables_of(study: Study, family: Family | None, baseline: int | None, note: Note) -> Sequence[Table]:
    """The tables of a study, with a note for what is read otherwise than it says.

    Raises:
        Refused: when no table has such a baseline.
    """
    from tui.model.scaling import tables

    try:
        found = tables(study, family, baseline)
    except ValueError as error:
        if baseline is None:
            raise
        raise Refused(str(error)) from error
    for experiment in study.experiment:
        if family is not None and experiment.family not in (family, "target"):
            note(f"{experiment.name}: read as {family}; the study says {experiment.family}")
    return found


# ---------------------------------------------------------------------------------------- kinds of files


def _bulk(data: bytes, path: Path, family: Family | None, baseline: int | None) -> Found | None:
    """The table of a large and clean CSV file."""
    from tui.importers import bulk

    if len(data) < bulk.LEAST_BYTES or family in (None, "target"):
        return None
    gathered = bulk.samples_in(data)
    if gathered is None:
        return None
    from tui.model.scaling import tabulate

    experiment = Experiment(family, _stem(path))
    try:
        table = tabulate(gathered, experiment, baseline=baseline)
    except ValueError as error:
        raise Refused(str(error)) from error
    return Found(path, data, Study(experiment=(experiment,)), table)


def _study(data: bytes, path: Path) -> Study:
    try:
        return files.parse(data, path).study
    except files.NotAStudy as error:
        raise listed(error) from error


def _foreign(data: bytes, path: Path, family: Family | None, said: Note) -> Study:
    """The runs of a table or a log; the strict reader takes the tables that name their columns as we do."""
    from tui.importers import own_csv, registry
    from tui.importers.imported import Options, Source

    if own_csv.is_ours(data):
        return _csv(data, path, family, said)
    name = "-" if path is STDIN else str(path)
    try:
        found = registry.read(Source(path, data), Options(family=family))
    except registry.Empty:
        raise
    except registry.NotRecognised as error:
        say = f"`rooflab import {name} --as FORMAT -o STUDY` reads it as one that `rooflab formats` lists"
        raise Refused(f"{path} is of no format that is known here; {say}") from error
    if found.questions or not found.runs:
        asked = (
            f"  {question.sentence}: {question.choices[0].option}, …"
            if question.choices
            else f"  {question.sentence}"
            for question in found.questions
        )
        problems = (f"  {problem}" for problem in found.problems)
        advice = (
            f"{path}: something has to be answered first; `rooflab import {name}` says with which options"
        )
        raise Refused(advice if found.questions else f"{path}: no run was found", *asked, *problems)
    for note in (*found.notes, *found.problems):
        said(f"{path}: {note}")
    return Study(experiment=found.experiments())


def _stem(path: Path) -> str:
    return path.stem if path is not STDIN else str(path)


def _csv(data: bytes, path: Path, family: Family | None, said: Note) -> Study:
    from tui.importers import own_csv

    try:
        runs = own_csv.parse(data, path)
    except own_csv.NotATable as error:
        raise listed(error) from error
    if family is None:
        raise Refused(f"{path}: {_which_family(runs.run)}")
    for note in runs.notes:
        said(f"{path}: {note}")
    return Study(experiment=(Experiment(family, _stem(path), run=runs.run),))


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
