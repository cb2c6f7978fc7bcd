"""`rooflab lab`: guided exercises without a screen: list them, do one, check those you write."""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from tui.command_line.lab_agenda import agenda
from tui.command_line.lab_class import count_class, fill_class
from tui.command_line.lab_grade import fill_grade, grade
from tui.command_line.lab_handin import fill_handin, handin
from tui.command_line.say import CANNOT, FINDINGS, OK, complain, say
from tui.guide import catalogue
from tui.guide.catalogue import NotUsable
from tui.guide.exercise import Exercise
from tui.guide.findings import Finding, placed
from tui.guide.lint import INDEX, against, cycles, exercise_of, lint, scripts_in
from tui.guide.reader import Loaded, load
from tui.guide.wanted import Wanted
from tui.guide.wrapping import clean

COMMAND = "lab"


def fill(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    parser.epilog = "`rooflab lab WHAT --help` says more about each."
    what = parser.add_subparsers(dest="what", metavar="WHAT", required=True, parser_class=type(parser))
    _add(what, "list", "show the exercises and how far you are", _list, _scripts_option)
    _add(what, "run", "do an exercise, beside the instrument or in plain text", _run, _fill_run)
    _add(what, "lint", "check scripts before a workshop", _lint, _fill_lint)
    _add(
        what,
        "selftest",
        "answer scripts in every way: right, at the edges, with wrong ideas, with junk",
        _selftest,
        _paths,
    )
    _add(what, "preview", "print every step at a size and mark what does not fit", _preview, _fill_preview)
    _add(what, "handin", "hand in what you did: a file, a line, a text block", handin, fill_handin)
    _add(what, "grade", "grade one hand-in again from its raw answers", grade, fill_grade)
    _add(what, "class", "count what a class handed in: steps, wrong ideas, learners", count_class, fill_class)
    _add(
        what,
        "agenda",
        "print the plan of a workshop of 90 minutes and of half a day",
        agenda,
        _scripts_option,
    )


def run(args: argparse.Namespace) -> int:
    """Do what was asked; the exit status."""
    deed: Callable[[argparse.Namespace], int] = args.deed
    try:
        return deed(args)
    except NotUsable as error:
        complain(_line(str(error)), command=COMMAND)
        return CANNOT


def _add(
    what: Any, name: str, words: str, deed: Any, fill_it: Callable[[argparse.ArgumentParser], None]
) -> None:
    sentence = f"{words[:1].upper()}{words[1:]}."
    parser = what.add_parser(name, help=words, description=sentence, allow_abbrev=False)
    parser.set_defaults(deed=deed)
    fill_it(parser)


def _scripts_option(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--scripts", metavar="DIR", default="", help="look for scripts here first")


def _paths(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("paths", metavar="PATH", nargs="+", type=Path, help="a script, or a folder of them")


def _line(text: str) -> str:
    """A text on one line, without what would command a terminal."""
    return " ".join(clean(text).split())


# ------------------------------------------------------------------------------------------------- list


def _list(args: argparse.Namespace) -> int:
    groups = catalogue.menu(args.scripts)
    for group in groups:
        if group.title:
            say(f"\n{_line(group.title)}", ascii_only=args.ascii)
        for each in group.scripts:
            say(_entry(each), ascii_only=args.ascii)
    if not groups:
        say("There are no exercises.")
        return OK
    say("\n`rooflab lab run ID` starts one, or goes on where you left it; --plain does it line by line.")
    return OK


def _entry(each: catalogue.Listed) -> str:
    if each.script is None or each.fault:
        return f"  {_line(each.id):<26}  cannot be started: {_line(each.fault or 'it cannot be read')}"
    script = each.script
    better = f"; better after {', '.join(script.requires)}" if script.requires else ""
    facts = f"{script.level}, {script.minutes} min{better}{_progress(each)}"
    return f"  {each.id:<26}  {_line(script.title)} ({facts})\n  {'':<26}  {_line(script.goal)}"


def _progress(each: catalogue.Listed) -> str:
    from tui.guide.progress import progress_of

    words = progress_of(each).words
    if not words:
        return ""
    return f"; {words}" if words.startswith("done") else f"; {words} done"


# -------------------------------------------------------------------------------------------------- run


def _fill_run(parser: argparse.ArgumentParser) -> None:
    parser.epilog = (
        "Everything you commit is on disk before it is answered; the next start goes on at the same step."
    )
    _scripts_option(parser)
    parser.add_argument("script", metavar="ID|FILE", help="an exercise, or a script file")
    parser.add_argument("--plain", action="store_true", help="line by line: for pipes and screen readers")
    parser.add_argument("--new", action="store_true", help="start again; the old session is kept")
    parser.add_argument("--session", metavar="DIR", type=Path, help="go on with this stored session")


def _run(args: argparse.Namespace) -> int:
    path = catalogue.find(args.script, args.scripts)
    if not args.plain:
        from tui.command_line.start import start

        wanted = Wanted(path, new=args.new, session=args.session)
        return start(exercise=wanted, ascii_asked=args.ascii, mouse=args.mouse)
    from tui.command_line.lab_run import run_plain

    return run_plain(catalogue.ready(path), new=args.new, session=args.session, ascii_only=args.ascii)


# ------------------------------------------------------------------------------------------------- lint


def _fill_lint(parser: argparse.ArgumentParser) -> None:
    parser.epilog = "Exit status 1 for errors, with --strict for warnings too; 2 when a path is wrong."
    _paths(parser)
    parser.add_argument("--strict", action="store_true", help="warnings count as errors")
    parser.add_argument("--json", action="store_true", help="print a list of objects")
    parser.add_argument("--against", metavar="OLD", type=Path, help="the version that learners have")


def _lint(args: argparse.Namespace) -> int:
    _insist(args.paths)
    found: list[tuple[Path, Finding]] = []
    loaded: dict[Path, Loaded] = {}
    for path in _scripts(args.paths):
        loaded[path] = load(path)
        neighbours = {each.stem for each in scripts_in(path.parent)}
        found += [(path, each) for each in lint(loaded[path], neighbours)]
        if args.against is not None:
            found += _against(path, loaded[path], args.against)
    found += _of_folders(args.paths, loaded)
    levels = [each.level for _, each in found]
    if args.json:
        say(json.dumps([_as_json(path, each) for path, each in found], indent=2))
    else:
        for path, each in found:
            say(_line(f"{path}:{each.line} {each}"), ascii_only=args.ascii)
        counts = f"{levels.count('error')} errors, {levels.count('warning')} warnings"
        say(f"{len(loaded)} scripts: {counts}")
    bad = {"error", "warning"} if args.strict else {"error"}
    return FINDINGS if bad & set(levels) else OK


def _insist(paths: Sequence[Path]) -> None:
    for path in paths:
        if not path.exists():
            raise NotUsable(f"there is no file or folder {str(path)!r}")
        if path.is_dir() and not scripts_in(path):
            raise NotUsable(f"there are no scripts in {str(path)!r}")


def _scripts(paths: Sequence[Path]) -> list[Path]:
    return list(dict.fromkeys(script for path in paths for script in scripts_in(path)))


def _against(path: Path, new: Loaded, old: Path) -> Iterator[tuple[Path, Finding]]:
    old = old / path.name if old.is_dir() else old
    if not old.is_file():
        return
    exercise, before = exercise_of(new), exercise_of(load(old))
    finding = against(exercise, before) if exercise and before else None
    if finding:
        yield path, placed([finding], new.text, new.values)[0]


def _of_folders(paths: Sequence[Path], loaded: dict[Path, Loaded]) -> Iterator[tuple[Path, Finding]]:
    for folder in (path for path in paths if path.is_dir()):
        for code, sentence in catalogue.index_faults(folder):
            yield folder / INDEX, Finding(code, sentence)
        scripts = {p.stem: one.script for p, one in loaded.items() if p.parent == folder and one.script}
        for ring in cycles({name: script.requires for name, script in scripts.items()}):
            yield (
                folder / f"{ring[0]}.toml",
                Finding("E093", f"they require each other: {' -> '.join(ring)}"),
            )


def _as_json(path: Path, finding: Finding) -> dict[str, Any]:
    return {
        "file": str(path),
        "line": finding.line,
        "code": finding.code,
        "level": finding.level,
        "step": finding.step or None,
        "id": finding.step_id or None,
        "message": finding.message,
    }


# ------------------------------------------------------------------------------------ selftest, preview


def _selftest(args: argparse.Namespace) -> int:
    from tui.guide.selftest import selftest

    _insist(args.paths)
    status = OK
    for path in _scripts(args.paths):
        report = selftest(catalogue.ready(path))
        say(f"{path}: {report}")
        for problem in report.problems:
            say(_line(f'{path} step {problem.place + 1} "{problem.step_id}": {problem.sentence}'))
            status = FINDINGS
    return status


def _fill_preview(parser: argparse.ArgumentParser) -> None:
    _scripts_option(parser)
    parser.add_argument("script", metavar="ID|FILE", help="an exercise, or a script file")
    parser.add_argument("--size", default="80x23", metavar="80x23", help="columns and rows (default: 80x23)")


def _preview(args: argparse.Namespace) -> int:
    from tui.guide.preview import preview

    size = re.fullmatch(r"(\d{2,3})x(\d{1,3})", args.size)
    if size is None or int(size[1]) < 20 or int(size[2]) < 5:
        raise NotUsable(f"--size {args.size!r}: write columns and rows like 80x23, from 20x5 on")
    exercise: Exercise = catalogue.ready(catalogue.find(args.script, args.scripts))
    pages = preview(exercise, int(size[1]), int(size[2]))
    say("\n".join(pages.lines), ascii_only=args.ascii)
    for each in pages.overflows:
        complain(f"does not fit: {_line(each)}", command=COMMAND)
    return FINDINGS if pages.overflows else OK
