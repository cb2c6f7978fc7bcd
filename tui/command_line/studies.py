"""What the commands that read a study share: opening it, finding the experiment, writing small tables."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from tui.command_line.say import CANNOT, FINDINGS, OK, complain
from tui.files import atomic, report
from tui.files import study as files
from tui.files.errors import FileError
from tui.files.report_text import WIDTH, cells, cut, wrapped
from tui.model.flags import counted
from tui.model.rows import Table
from tui.model.run_text import EditError, read_value
from tui.model.study import Experiment, Family

_LEAST_WORDS = 6
_GAP = "  "


class Refused(Exception):
    """There is nothing to print; each line is a sentence that says why and what to do."""

    def __init__(self, *lines: str, status: int = CANNOT) -> None:
        super().__init__(lines[0])
        self.lines = lines
        self.status = status


class HasFaults(Protocol):
    """An error that lists what is wrong with a file."""

    path: Path

    @property
    def faults(self) -> Sequence[object]:
        """One for each place."""


@dataclass(frozen=True)
class Opened:
    """A study file as it was read."""

    path: Path
    document: files.Document
    fingerprint: atomic.Fingerprint


def opened(name: str) -> Opened:
    """The study in a file.

    Raises:
        Refused: with every fault of the file.
    """
    path = Path(name)
    if path.suffix.lower() in (".csv", ".tsv"):
        raise Refused(f"{path}: stages and predictions are kept in a study; `rooflab table` reads CSV files")
    try:
        document, fingerprint = files.read(path)
    except files.NotAStudy as error:
        raise listed(error) from error
    except FileError as error:
        raise Refused(str(error)) from error
    return Opened(path, document, fingerprint)


def listed(error: HasFaults) -> Refused:
    """Every fault of a file, each on a line of its own."""
    first, *others = error.faults
    if not others:
        return Refused(f"{error.path}: {first}")
    return Refused(f"{error.path}: {len(error.faults)} errors", *(f"  {fault}" for fault in error.faults))


def chosen(experiments: Sequence[Experiment], name: str | None, families: Sequence[Family]) -> Experiment:
    """The experiment of that name, or the only one of these families.

    Raises:
        Refused: when there is none, or several and no name.
    """
    fitting = [experiment for experiment in experiments if experiment.family in families]
    listed = ", ".join(repr(experiment.name) for experiment in fitting)
    if name is not None:
        found = by_name(experiments, name)
        if found.family not in families:
            raise Refused(f"{name!r} is a {found.family} experiment; one of {', '.join(families)} is needed")
        return found
    if not fitting:
        raise Refused(
            f"the study has no {', '.join(families)} experiment: add an [[experiment]] with its runs"
        )
    if len(fitting) > 1:
        raise Refused(f"the study has several experiments; choose one with --experiment: {listed}")
    return fitting[0]


def by_name(experiments: Sequence[Experiment], name: str) -> Experiment:
    """The experiment of that name.

    Raises:
        Refused: when there is none.
    """
    names = [experiment.name for experiment in experiments]
    if name not in names:
        near = difflib.get_close_matches(name, names, n=1)
        hint = f"did you mean {near[0]!r}?" if near else f"there are {', '.join(map(repr, names)) or 'none'}"
        raise Refused(f"there is no experiment {name!r}; {hint}")
    return experiments[names.index(name)]


def count_or_none(option: str, text: str | None) -> int | None:
    """A device count from the command line where one was given. Errors as `count`."""
    return None if text is None else count(option, text)


def count(option: str, text: str) -> int:
    """A device count from the command line.

    Raises:
        Refused: when it is none.
    """
    try:
        return int(read_value("devices", text))
    except EditError as error:
        raise Refused(f"{option}: {error.sentence.partition(': ')[2]}") from error


def tell(refused: Refused, command: str) -> int:
    """Say why there is nothing to print; the exit status."""
    note("\n".join(refused.lines), command)
    return refused.status


def note(text: str, command: str) -> None:
    """Say something beside the output, without what would command the terminal; indents stay."""
    lines = (" " * (len(line) - len(line.lstrip(" "))) + report.plain(line) for line in text.split("\n"))
    complain("\n".join(lines), command=command)


def findings(tables: Sequence[Table], command: str) -> int:
    """Say why rows of the tables are blocked, and the exit status that this gives."""
    found = OK
    for table in tables:
        for row, flag in report.blocked(table):
            found = FINDINGS
            note(f"{table.name}: {counted(row.devices, table.counts)}: {flag.code}: {flag.sentence}", command)
        if table.rows and table.baseline is None:
            found = FINDINGS
            note(f"{table.name}: no row can be the baseline, so there is no efficiency", command)
    return found


# ---------------------------------------------------------------------------------------------- writing


def grid(titles: Sequence[str], rows: Sequence[Sequence[str]], words: int = 1) -> list[str]:
    """Lines of a small table; the first `words` columns are text and stand left, the others right.

    Where it would be wider than a screen the longest texts are cut.
    """
    lines = [list(titles), *([report.plain(cell) for cell in row] for row in rows)]
    widths = [max(cells(line[place]) for line in lines) for place in range(len(titles))]
    while sum(widths) + len(_GAP) * len(widths) > WIDTH and max(widths[:words]) > _LEAST_WORDS:
        widths[widths.index(max(widths[:words]))] -= 1
    written = []
    for line in lines:
        padded = []
        for place, (cell, width) in enumerate(zip(line, widths, strict=True)):
            text = cut(cell, width) if place < words else cell
            blanks = " " * (width - cells(text))
            padded.append(text + blanks if place < words else blanks + text)
        written.append((_GAP + _GAP.join(padded)).rstrip())
    return written


def facts(named: Sequence[tuple[str, str]]) -> list[str]:
    """Lines of names and words, wrapped below the words."""
    width = max((len(name) for name, _ in named), default=0)
    return [line for name, words in named for line in wrapped(report.plain(words), f"  {name:<{width}}  ")]


def remarks(sentences: Sequence[str]) -> list[str]:
    """Notes as a list, one sentence each."""
    return [line for sentence in sentences for line in wrapped(report.plain(sentence), "  - ")]
