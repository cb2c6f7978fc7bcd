"""`rooflab new`: a commented example study to replace with one's own numbers."""

from __future__ import annotations

import argparse
import os
import shlex
from pathlib import Path
from typing import get_args

from tui.command_line.say import CANNOT, OK, complain, say
from tui.files import atomic
from tui.files.errors import ChangedElsewhere, FileError
from tui.files.examples import EXAMPLES
from tui.files.report import plain
from tui.model.study import Family

COMMAND = "new"


def fill(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    parser.epilog = "A file that exists is never overwritten."
    parser.add_argument("file", metavar="STUDY", help="the file to write, as study.toml")
    parser.add_argument("--family", required=True, choices=get_args(Family), help="what the example shows")


def run(args: argparse.Namespace) -> int:
    """Write the example and say what to do next; the exit status."""
    path = Path(args.file)
    try:
        if os.path.lexists(path):
            raise FileError(path, f"{path} exists already and was left as it is: choose another name")
        atomic.write(path, EXAMPLES[args.family].encode(), None)
    except ChangedElsewhere:
        # Somebody made it between the look and the write.
        complain(plain(f"{path} exists already and was left as it is: choose another name"), command=COMMAND)
        return CANNOT
    except FileError as error:
        complain(plain(str(error)), command=COMMAND)
        return CANNOT
    say(_next(path, args.family), ascii_only=args.ascii)
    return OK


def _next(path: Path, family: Family) -> str:
    name = plain(shlex.quote(str(path)))
    lines = [
        f"Wrote {name}, an example of the family {family} with made-up numbers.",
        "Next: put your own numbers in with any editor; its remarks say what every key means.",
    ]
    if family != "target":
        lines.append(f"Then:  rooflab table {name}    prints its efficiency table")
    lines.append(f"{'Then' if family == 'target' else 'Or'}:    rooflab {name}    opens it")
    return "\n".join(lines)
