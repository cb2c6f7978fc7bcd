"""`rooflab import`: tables and logs to the runs of a study, with a report of every line."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, get_args

from tui.command_line.say import CANNOT, FINDINGS, OK, complain, say
from tui.files import atomic
from tui.files import study as files
from tui.files.edit import CannotEdit
from tui.files.errors import FileError
from tui.files.report import plain
from tui.files.report_text import wrapped
from tui.importers import answers, registry, roles
from tui.importers.imported import Imported, Options, Question, Source
from tui.importers.plain import as_json
from tui.model.run_text import EditError
from tui.model.study import Family, Study, problems
from tui.model.taking_in import TakenIn, take_in
from tui.settings import thread_limits

COMMAND = "import"
STDIN = Path("standard input")


class _Refused(Exception):
    """Nothing is written; each line is a sentence that says why."""

    def __init__(self, *lines: str) -> None:
        super().__init__(lines[0])
        self.lines = lines


def fill(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    parser.epilog = (
        "Without -o only what was understood is printed. A column is named as in the file, or as #3. "
        f"ROLE is one of {', '.join(roles.ROLES)}, or a field of a run; "
        "times take :ns :us :ms :s :min :h :d. "
        "Exit status 1 when lines were refused; "
        "2 when something has to be answered first: nothing is written."
    )
    parser.add_argument("files", metavar="FILE", nargs="+", help="a table or a log; - reads standard input")
    parser.add_argument("-o", "--output", metavar="STUDY", help="the study to write or to add to")
    parser.add_argument("--as", dest="format", metavar="FORMAT", help="a name from `rooflab formats`")
    parser.add_argument(
        "--map",
        metavar="ROLE=COLUMN:UNIT",
        action="append",
        default=[],
        help="what columns are, as time=elapsed:ms",
    )
    parser.add_argument("--family", choices=get_args(Family), help="what the runs are compared as")
    parser.add_argument(
        "--experiment", metavar="NAME", help="the experiment of the study that the runs go into"
    )
    parser.add_argument(
        "--window",
        metavar="FROM:TO",
        help="of a log of steps: the first and the last iteration that count, checkpoints among them too",
    )
    parser.add_argument("--window-reason", metavar="WORDS", help="why just these; it is kept with the runs")
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(args: argparse.Namespace) -> int:
    """Read the files, write the study; the exit status."""
    os.environ.update(thread_limits())  # before numpy, which large logs need
    try:
        if args.files.count("-") > 1:
            raise _Refused("standard input can be read once: name - only once")
        options = roles.options(args.map, _with_window(Options(family=args.family), args))
        found = [_read(name, options, args.format) for name in args.files]
        _refuse_open(found)
        added = _write(Path(args.output), found, args.experiment) if args.output else []
    except roles.BadMap as error:
        return _tell(plain(str(error)))
    except (FileError, CannotEdit) as error:
        return _tell(plain(str(error)))
    except _Refused as error:
        return _tell("\n".join(error.lines))
    if args.json:
        say(json.dumps(_as_json(found, added, args.output), ensure_ascii=False, indent=2))
    else:
        say("\n".join(_report(found, added, args.output)), ascii_only=args.ascii)
    refused = [f"{plain(str(each.source))}:{_place(problem)}" for each in found for problem in each.problems]
    if refused:
        complain("\n".join(refused), command=COMMAND)
    return FINDINGS if refused else OK


def _tell(text: str) -> int:
    complain(text, command=COMMAND)
    return CANNOT


# ----------------------------------------------------------------------------------------------- reading


def _with_window(options: Options, args: argparse.Namespace) -> Options:
    """The options with the window of steps that was asked for, and why."""
    if args.window is None:
        if args.window_reason:
            raise _Refused("--window-reason says why of a window: add --window FROM:TO, as 100:400")
        return options
    try:
        return answers.with_window(options, f"{args.window.replace(' ', '')} {args.window_reason or ''}")
    except ValueError as error:
        hint = "" if args.window_reason else "; add --window-reason 'after the warm-up'"
        raise _Refused(f"--window: {plain(str(error))}{hint}") from error


def _read(name: str, options: Options, as_format: str | None) -> Imported:
    data = sys.stdin.buffer.read() if name == "-" else None
    found = registry.read(Source(STDIN if name == "-" else Path(name), data), options, as_format)
    if options.window is not None and not found.step_rows:
        raise _Refused(f"{name}: --window is for logs of steps; this was read as {found.format}")
    return found


def _refuse_open(found: Sequence[Imported]) -> None:
    """Refuse files that leave something open, or have no runs; all of them at once."""
    lines = []
    for each in found:
        name = plain(str(each.source))
        lines += [_asked(name, question) for question in each.questions]
        if not each.runs and not each.questions:
            lines += [f"{name}:{_place(problem)}" for problem in each.problems]
            lines.append(f"{name}: no run was found in it")
    if lines:
        raise _Refused(*lines)


def _asked(name: str, question: Question) -> str:
    where = f"{name}:{question.line}" if question.line else name
    answers = "; ".join(f"{plain(choice.option)} ({plain(choice.words)})" for choice in question.choices)
    sentence = plain(question.sentence).removeprefix(f"{name} ")
    return (
        f"{where}: {sentence}{'' if sentence.endswith('?') else '.'} Add {answers}"
        if answers
        else f"{where}: {sentence}"
    )


def _place(problem: Any) -> str:
    where = f"{problem.line}: " if problem.line else " "
    return f"{where}{plain(problem.column) + ': ' if problem.column else ''}{plain(problem.sentence)}"


# ----------------------------------------------------------------------------------------------- writing


def _write(path: Path, found: Sequence[Imported], name: str | None) -> list[TakenIn]:
    """Put the runs into the study at a path, which is made where there is none."""
    try:
        document, fingerprint = files.read(path) if path.exists() else (None, None)
    except files.NotAStudy as error:
        raise _Refused(
            f"{plain(str(path))} is no study and was left as it is: {plain(str(error.faults[0]))}"
        ) from error
    study = document.study if document else Study(title=path.stem)
    added = []
    for each in found:
        for experiment in each.experiments(name or ""):
            try:
                one = take_in(study, experiment)
            except EditError as error:
                sentence = plain(error.sentence.rstrip("."))
                raise _Refused(f"{plain(str(path))}: {sentence}, with --experiment") from error
            added.append(one)
            study = one.study
    wrong = problems(study)
    if wrong:
        raise _Refused(*(f"{plain(str(path))}: {plain(problem.sentence)}" for problem in wrong))
    if any(one.runs for one in added):
        data = (files.changed(document, study) if document else files.fresh(study)).data
        atomic.write(path, data, fingerprint)
    return added


# ---------------------------------------------------------------------------------------------- reporting


def _report(found: Sequence[Imported], added: Sequence[TakenIn], output: str | None) -> list[str]:
    lines = []
    for each in found:
        lines.append(f"{plain(str(each.source))}: read as {each.format}")
        lines += wrapped(str(each.tally), "  ")
        taken = [
            f"{plain(one.name)} = {one.role}{f' in {one.unit}' if one.unit else ''}"
            for one in each.columns
            if one.role
        ]
        kept = [plain(one.name) for one in each.columns if not one.role]
        lines += wrapped(f"columns: {'; '.join(taken)}", "  ") if taken else []
        lines += wrapped(f"kept as they came: {', '.join(kept)}", "  ") if kept else []
        lines += [line for note in each.notes for line in wrapped(plain(str(note)), "  - ")]
    for one in added:
        known = f"; {one.known} were there already" if one.known else ""
        lines.append(
            f"{plain(one.name)}: {one.family}, {one.runs} run{'' if one.runs == 1 else 's'} added{known}"
        )
    lines += _one_by_one(found, added)
    if output and any(one.runs for one in added):
        lines.append(f"Wrote {plain(output)}. Then: rooflab table {plain(output)}")
    elif output:
        lines.append(f"{plain(output)} has these runs already and was left as it is.")
    else:
        runs = sum(len(each.runs) for each in found)
        lines.append(f"{runs} run{'' if runs == 1 else 's'} found; -o STUDY writes them into a study.")
    return lines


def _one_by_one(found: Sequence[Imported], added: Sequence[TakenIn]) -> list[str]:
    """A hint where every file has another count and became an experiment of its own: that is no table."""
    counts = [{run.devices for run in each.runs} for each in found]
    alone = len(counts) > 1 and all(len(each) == 1 for each in counts)
    if not alone or len(set[int]().union(*counts)) != len(counts) or len({one.name for one in added}) == 1:
        return []
    said = (
        "Every file has one count, and each becomes an experiment of its own, with nothing to compare: "
        "--experiment NAME puts them into one."
    )
    return wrapped(said, "")


def _as_json(found: Sequence[Imported], added: Sequence[TakenIn], output: str | None) -> dict[str, Any]:
    written = output if any(one.runs for one in added) else None
    return {
        "files": [as_json(each) for each in found],
        "experiments": [
            {"name": one.name, "family": one.family, "added": one.runs, "known": one.known} for one in added
        ],
        "written": written,
    }
