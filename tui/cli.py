"""The command line: one small function per command, and nothing heavy loaded before it is needed.

Exit status: 0 done; 1 findings in the data; 2 usage, or the program cannot start here; 70 a fault of the
program (the traceback is in a file); 128 + n ended by signal n.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple

from tui import __version__
from tui.command_line.say import CANNOT, CRASHED, OK, OutputLost, complain, flush, say

if TYPE_CHECKING:
    from argparse import Namespace

    from tui.command_line.parser import Parser

EXAMPLES = """\
examples:
  rooflab                              open the lab: I, B, a prediction, Play
  rooflab --ascii                      the same where plot glyphs look wrong
  rooflab roofline -i 8 -b 200         the numbers of one trial
  rooflab roofline -i 8 -b '0.2 TB/s' --json
  rooflab table runs.csv --family strong
                                       the efficiency table of measured runs
  rooflab new study.toml --family weak a commented study file to fill in
  rooflab doctor                       what was found out about this terminal, and why
"""


class Command(NamedTuple):
    """A command: its words in the overview, how its parser is filled, and what it does."""

    help: str
    fill: Callable[[Parser], None]
    run: Callable[[Namespace], int]


def main(argv: Sequence[str] | None = None) -> int:
    """Run the program; the exit status."""
    try:
        status = _run(sys.argv[1:] if argv is None else argv)
        flush()
    except KeyboardInterrupt:
        return 128 + signal.SIGINT
    except BrokenPipeError:
        _let_go_of_output()
        return 128 + signal.SIGPIPE
    except OutputLost as error:
        _let_go_of_output()
        complain(str(error))
        return CANNOT
    except Exception as error:
        return _crashed(error)
    return status


def _run(argv: Sequence[str]) -> int:
    if not argv:
        return _lab()  # nothing to parse, so that argparse is not loaded
    place = next((n for n, word in enumerate(argv) if not word.startswith("-")), None)
    if place is None or "--" in argv[:place]:
        return _lab(**vars(_lab_parser().parse_args(argv)))
    name = argv[place]
    if name not in COMMANDS:
        _refuse_misspelt(name)
        return _lab(**vars(_lab_parser().parse_args(argv)))
    from tui.command_line.parser import Parser

    before = _lab_parser().parse_args(argv[:place])
    command = COMMANDS[name]
    parser = Parser(prog=f"rooflab {name}", description=f"{command.help}.", allow_abbrev=False)
    command.fill(parser)
    return command.run(parser.parse_args(_with_negative_values(argv[place + 1 :]), before))


def _with_negative_values(argv: Sequence[str]) -> list[str]:
    """Join `-b -5GB/s` to `-b-5GB/s`: argparse would take the value for an option and never show it."""
    joined: list[str] = []
    for word in argv:
        is_value = word[:1] == "-" and word[1:2] in set("0123456789.")
        if is_value and joined and joined[-1].startswith("-") and "=" not in joined[-1]:
            joined[-1] += f"={word}" if joined[-1].startswith("--") else word
        else:
            joined.append(word)
    return joined


def _lab_parser() -> Parser:
    from argparse import RawDescriptionHelpFormatter

    from tui.command_line.parser import Parser

    commands = "\n".join(f"  {name:<12}{command.help}" for name, command in COMMANDS.items())
    parser = Parser(
        prog="rooflab",
        usage="rooflab [--ascii] [--mouse] [FILE]\n       rooflab COMMAND [options]",
        description="A roofline and scaling lab instrument for the terminal.",
        epilog=f"commands (`rooflab COMMAND --help` says more):\n{commands}\n\n{EXAMPLES}",
        formatter_class=RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("file", metavar="FILE", nargs="?", help="a study, a table or a log to open")
    parser.add_argument("--ascii", action="store_true", help="draw with ASCII only (or set ROOFLAB_ASCII=1)")
    parser.add_argument(
        "--mouse", action="store_true", help="let the mouse work (selecting text then needs Shift)"
    )
    parser.add_argument("--version", action="version", version=f"rooflab {__version__}")
    return parser


def _lab(*, file: str | None = None, ascii: bool = False, mouse: bool = False) -> int:
    if file is not None and not os.path.exists(file):
        complain(f"there is no command and no file {file!r}.")
        return CANNOT
    from tui.command_line.start import start

    return start(file=file, ascii_asked=ascii, mouse=mouse)


def _refuse_misspelt(name: str) -> None:
    """End with a question when `name` is no file but nearly a command."""
    import difflib

    near = difflib.get_close_matches(name, COMMANDS, n=1)
    if near and not os.path.exists(name):
        complain(f"there is no command and no file {name!r}; did you mean `rooflab {near[0]}`?")
        sys.exit(CANNOT)


def _fill_roofline(parser: Parser) -> None:
    parser.epilog = "The compute cap is fixed at 1000 GFLOP/s, so that only the bandwidth is varied."
    parser.add_argument(
        "-i",
        "--intensity",
        required=True,
        metavar="I",
        help="arithmetic intensity, in FLOP/byte without a unit",
    )
    parser.add_argument(
        "-b", "--bandwidth", required=True, metavar="B", help="memory bandwidth, in GB/s without a unit"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object; rates in GFLOP/s")


def _roofline(args: Namespace) -> int:
    from tui.command_line import roofline

    try:
        intensity = roofline.read_option("-i/--intensity", args.intensity, "FLOP/byte")
        bandwidth = roofline.read_option("-b/--bandwidth", args.bandwidth, "GB/s")
    except roofline.BadValue as error:
        complain(str(error), command="roofline")
        return CANNOT
    if args.json:
        say(roofline.as_json(intensity, bandwidth))
    else:
        say(roofline.as_text(intensity, bandwidth), ascii_only=args.ascii)
    return OK


def _fill_doctor(parser: Parser) -> None:
    parser.epilog = "Exit status 1 when something was found that needs attention."


def _doctor(args: Namespace) -> int:
    from tui.command_line import doctor

    return doctor.examine(ascii_asked=args.ascii)


def _module_of(name: str, words: str) -> Command:
    """A command whose arguments and deed are `fill` and `run` of its own module, loaded when it is used."""
    module = f"tui.command_line.{name}"
    return Command(
        words,
        lambda parser: import_module(module).fill(parser),
        lambda args: int(import_module(module).run(args)),
    )


COMMANDS = {
    "roofline": Command("Print the roofline numbers of one trial", _fill_roofline, _roofline),
    "table": _module_of("table", "Print the efficiency tables of a study or a CSV file"),
    "export": _module_of("export", "Write a report of a study: Markdown with its plots, or CSV"),
    "losses": _module_of("losses", "Print where the time between two counts went"),
    "predict": _module_of("predict", "Predict the step at a count from its stages, and score it"),
    "target": _module_of("target", "Print what a quality target took in time, work and device time"),
    "import": _module_of("import_runs", "Read tables and logs into the runs of a study"),
    "formats": _module_of("formats", "List the formats that can be imported"),
    "new": _module_of("new", "Write a commented example study"),
    "lab": _module_of("lab", "Do guided exercises, and check those you write"),
    "schema": _module_of("schema", "Print the JSON Schema of a file format"),
    "doctor": Command("Print what was found out about this terminal, and why", _fill_doctor, _doctor),
}


def _crashed(error: Exception) -> int:
    from tui.command_line import crash

    complain(crash.report(error))
    return CRASHED


def _let_go_of_output() -> None:
    # Python flushes standard output once more at its end and would complain a second time.
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
