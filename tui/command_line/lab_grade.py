"""`rooflab lab grade`: one hand-in graded again with the script that it carries."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

from tui.command_line.lab_handin import installed, session_named
from tui.command_line.say import FINDINGS, OK, say
from tui.files import atomic
from tui.files.errors import FileError
from tui.files.report_text import cells, wrapped
from tui.guide.catalogue import NotUsable
from tui.guide.class_report import graded_steps
from tui.guide.handin import Handin, NotHandin, decode, encoded, make
from tui.guide.handin_mail import find_blocks
from tui.guide.regrade import Grade, NotReplayed, Scripts, regrade
from tui.guide.state import points_text
from tui.settings import TRANSCRIPT

_OWN_NAME = "your session"


def fill_grade(parser: argparse.ArgumentParser) -> None:
    """The arguments of `grade`."""
    parser.epilog = (
        "The script and the data that the hand-in carries are used; a score that it claims is not."
        " Exit status 1 when the chain of hashes is broken, 2 when it cannot be read."
    )
    parser.add_argument(
        "file", metavar="FILE", type=Path, help="a hand-in, a mail with one, or a session's folder"
    )


def grade(args: argparse.Namespace) -> int:
    """Grade one hand-in again and say how; the exit status."""
    handin = _read(args.file)
    try:
        graded = regrade(handin, Scripts())
    except NotReplayed as error:
        raise NotUsable(f"{args.file}: {error}") from None
    for line in _grade_lines(graded):
        say(line, ascii_only=args.ascii)
    return FINDINGS if graded.faults else OK


def _read(path: Path) -> Handin:
    if path.is_dir() or path.name == TRANSCRIPT:
        return decode(encoded(make(session_named(str(path)), _OWN_NAME)))
    try:
        data = atomic.read(path).data
    except FileError as error:
        raise NotUsable(str(error)) from None
    try:
        if data.lstrip().startswith(b"{") or not data.strip():
            return decode(data)
        found = list(find_blocks(data.decode("utf-8", errors="replace")))
        if len(found) != 1:
            raise NotHandin(f"{len(found)} hand-ins are in it; `rooflab lab class` reads several")
        if isinstance(found[0], NotHandin):
            raise found[0]
        return decode(found[0])
    except NotHandin as error:
        raise NotUsable(f"{path}: {error}") from None


def _grade_lines(graded: Grade) -> Iterator[str]:
    yield f"{graded.script_id}, revision {graded.revision}, by {graded.alias}"
    when = f"from {graded.started or 'an unknown time'} to {graded.ended or 'another'}"
    yield f"receipt {graded.receipt}, {when}"
    if not graded.faults:
        yield "The chain of hashes holds."
    for fault in graded.faults:
        yield from wrapped(f"NOT as it was written: {fault}.")
    yield from wrapped(_againstinstalled(graded))
    yield ""
    yield from _step_lines(graded)
    yield ""
    score = graded.result
    done = f"{score.done} of {score.steps} steps done"
    if score.possible:
        verdict = "passed" if score.passed else "not passed"
        points = f"{points_text(score.earned)} of {score.possible} points ({graded.percent} %)"
        yield f"{done}, {points}: {verdict}."
    else:
        yield f"{done}; nothing is graded."
    if graded.claimed and graded.claimed != points_text(score.earned):
        yield f"The file claims {graded.claimed} points; that was not used."


def _againstinstalled(graded: Grade) -> str:
    if graded.started_otherwise:
        return "The script it carries decides marks otherwise than the one the session was started with."
    own = installed(graded.script_id)
    if own is None:
        return f"{graded.script_id} is not installed here; the script it carries was used."
    if own.graded_hash == graded.exercise.graded_hash:
        return "It decides marks as the installed script does."
    return (
        f"It decides marks otherwise than the installed script (revision {own.script.revision});"
        " the script it carries was used."
    )


def _step_lines(graded: Grade) -> Iterator[str]:
    header = ("step", "", "points", "answers", "hints", "unreadable", "wrong ideas")
    table = [header]
    for (number, step), one in zip(graded_steps(graded.exercise), graded.steps, strict=True):
        points = f"{points_text(one.earned)}/{step.points}"
        numbers = (str(one.answers), str(one.hints), str(one.unreadable))
        table.append((f"{number} {step.id}", one.outcome.words, points, *numbers, " ".join(one.ideas)))
    widths = [max(map(cells, column)) for column in zip(*table, strict=True)]
    for row in table:
        padded = [
            cell.ljust(width) if place < 2 else cell.rjust(width)
            for place, (cell, width) in enumerate(zip(row[:-1], widths[:-1], strict=True))
        ]
        yield "  ".join(["", *padded, row[-1]]).rstrip()
