"""`rooflab lab agenda`: what to do when in a workshop, with the exercises that are here."""

from __future__ import annotations

import argparse

from tui.command_line.say import OK, say
from tui.files.report import plain
from tui.files.report_text import wrapped
from tui.guide import catalogue
from tui.guide.agenda import Plan, long_plan, short_plan, workshop_parts


def agenda(args: argparse.Namespace) -> int:
    """Print both plans; the exit status."""
    listed = [each for group in catalogue.menu(args.scripts) for each in group.scripts]
    scripts = {each.id: each.script for each in listed if each.script is not None and not each.fault}
    if not scripts:
        say("There are no exercises to plan with.")
        return OK
    parts = workshop_parts(catalogue.folders(args.scripts))
    for plan in (short_plan(parts, scripts), long_plan(scripts)):
        _say_plan(plan, args.ascii)
    say("Alone: `rooflab lab list` shows the exercises in a good order.")
    return OK


def _say_plan(plan: Plan, ascii_only: bool) -> None:
    lines = [f"{plan.title} ({plan.minutes} minutes)"]
    for entry in plan.entries:
        first = f"  {entry.at // 60}:{entry.at % 60:02d}  {entry.minutes:>3} min  "
        lines += wrapped(plain(entry.words), first)
    if plan.later:
        lines += wrapped(f"for later: {', '.join(plan.later)}", "  ")
    if plan.missing:
        lines += wrapped(f"not installed, so left out: {plain(', '.join(plan.missing))}", "  ")
    say("\n".join([*lines, ""]), ascii_only=ascii_only)
