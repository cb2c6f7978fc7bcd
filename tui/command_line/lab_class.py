"""`rooflab lab class`: what a whole class did, from files, folders and pasted mail."""

from __future__ import annotations

import argparse
import sys
from functools import cache
from pathlib import Path

from tui.command_line.lab_handin import installed
from tui.command_line.say import CANNOT, FINDINGS, OK, complain, say
from tui.files import atomic
from tui.files.errors import FileError
from tui.guide.catalogue import NotUsable
from tui.guide.class_output import as_csv, as_json, as_markdown, as_text
from tui.guide.class_reading import MOST_PASTED, Reader
from tui.guide.class_report import report

COMMAND = "lab class"
_FORMS = {"csv": as_csv, "md": as_markdown, "json": as_json}


def fill_class(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    parser.epilog = (
        "Everything is graded again from the raw answers. Exit status 1 when something could not be counted."
    )
    parser.add_argument(
        "paths", metavar="PATH", nargs="+", help="hand-ins, folders of them, saved mail; - reads pasted text"
    )
    for name, words in (
        ("csv", "one row for each learner"),
        ("md", "Markdown"),
        ("json", "everything as JSON"),
    ):
        parser.add_argument(
            f"--{name}", metavar="F", default="", help=f"write {words} here (- prints it instead)"
        )


def count_class(args: argparse.Namespace) -> int:
    """Read, count and report; the exit status."""
    for path in args.paths:
        if path != "-" and not Path(path).exists():
            raise NotUsable(f"there is no file or folder {path!r}")
    reader = Reader()
    for path in args.paths:
        if path == "-":
            reader.pasted(_standard_input())
        else:
            reader.paths([Path(path)])
    counted = report(reader.found, cache(installed))
    status = FINDINGS if counted.damaged else OK
    printed = False
    for name, form in _FORMS.items():
        target = getattr(args, name)
        if target == "-":
            printed = True
            say(form(counted).rstrip("\n"))
        elif target and not _written(Path(target), form(counted)):
            status = CANNOT
    if not printed:
        say(as_text(counted), ascii_only=args.ascii)
    return status


def _standard_input() -> bytes:
    data = sys.stdin.buffer.read(MOST_PASTED + 1) if sys.stdin is not None else b""
    if len(data) > MOST_PASTED:
        raise NotUsable(f"the pasted text is larger than {MOST_PASTED >> 20} MiB: save it into several files")
    return data


def _written(path: Path, text: str) -> bool:
    try:
        atomic.overwrite(path, text.encode("utf-8"))
    except FileError as error:
        complain(f"not written: {error}.", command=COMMAND)
        return False
    return True
