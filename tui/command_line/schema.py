"""`rooflab schema`: the JSON Schema of a file format, for editors that check a file as it is typed."""

from __future__ import annotations

import argparse
import json

from tui.command_line.say import OK, say


def fill(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    parser.epilog = "Editors that check TOML by a schema complete keys with it and mark mistakes."
    parser.add_argument("what", choices=("study", "lab"), help="the format")


def run(args: argparse.Namespace) -> int:
    """Print the schema; the exit status."""
    if args.what == "study":
        from tui.files.schema import json_schema
    else:
        from tui.guide.schema import json_schema
    say(json.dumps(json_schema(), indent=2))
    return OK
