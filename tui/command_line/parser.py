"""The parser of command lines, in a module of its own: the plain start of the lab has nothing to parse."""

from __future__ import annotations

import argparse
import sys
from typing import NoReturn

from tui.command_line.say import CANNOT, complain


class Parser(argparse.ArgumentParser):
    """A parser that answers a wrong command line with one sentence."""

    def error(self, message: str) -> NoReturn:
        complain(f"{message[:1].lower()}{message[1:]} (see `{self.prog} --help`)", command=self.prog[8:])
        sys.exit(CANNOT)
