"""`rooflab formats`: the formats that can be imported, with an example line each."""

from __future__ import annotations

import argparse

from tui.command_line.say import OK, say
from tui.files.report import plain
from tui.importers.registry import formats


def fill(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command: none."""
    parser.epilog = "`rooflab import FILE` tells them apart by itself; --as NAME says which one a file is."


def run(args: argparse.Namespace) -> int:
    """Print the formats; the exit status."""
    width = max(len(each.NAME) for each in formats())
    lines = []
    for each in formats():
        lines += [
            f"{each.NAME:<{width}}  {each.ABOUT}",
            f"{'':<{width}}  {plain(each.EXAMPLE.splitlines()[0])}",
        ]
    say("\n".join(lines), ascii_only=args.ascii)
    return OK
