"""`rooflab lab handin`: one session out of the door, as a file, a line, a text block, or into a folder."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from tui.command_line.lab_run import ATTEMPTS, Console
from tui.command_line.say import CANNOT, OK, complain, say
from tui.files import atomic
from tui.files.errors import FileError
from tui.files.report import plain
from tui.guide import catalogue, pages
from tui.guide.catalogue import NotUsable
from tui.guide.delivery import deliver
from tui.guide.exercise import Exercise
from tui.guide.handin import MOST_BYTES, Handin, NotHandin, clean_alias, decode, encoded, make
from tui.guide.handin_line import NoRoom, line_of
from tui.guide.handin_mail import block
from tui.guide.regrade import Grade, NotReplayed, Scripts, regrade
from tui.guide.state import result
from tui.guide.store import Kept, kept_sessions, open_kept
from tui.settings import TRANSCRIPT, SettingsError, state_path

COMMAND = "lab handin"


def fill_handin(parser: argparse.ArgumentParser) -> None:
    """The arguments of `handin`."""
    parser.description = (
        "Hand in what you did: your answers, the script and its data, under any name you like."
    )
    parser.epilog = (
        "Reflections that a script calls private stay here. The last session that is finished is handed in,"
        " unless you name another one."
    )
    parser.add_argument(
        "session", metavar="SESSION", nargs="?", default="", help="an exercise, or a session's folder"
    )
    parser.add_argument(
        "--alias", metavar="NAME", default="", help="what you want to be called; no real name needed"
    )
    parser.add_argument(
        "--line", action="store_true", help="print one line of at most 76 characters for a chat"
    )
    parser.add_argument("--drop", metavar="DIR", type=Path, help="deliver the file into this folder")
    parser.add_argument(
        "-o", "--output", metavar="FILE", default="", help="write it here; - prints a text block for a mail"
    )


def handin(args: argparse.Namespace) -> int:
    """Hand in one session by every way that was asked for; the exit status."""
    kept = session_named(args.session)
    made = make(kept, _alias(args))
    data = encoded(made)
    if len(data) > MOST_BYTES:
        raise NotUsable(f"the session is larger than {MOST_BYTES >> 20} MiB and cannot be handed in")
    for notice in kept.notices:
        complain(plain(notice), command=COMMAND)
    grade = _graded(made, data)
    if args.line:
        say(_line(grade), ascii_only=args.ascii)
    if args.output == "-":
        _say_block(grade, data, args.ascii)
    if args.line or args.output == "-":
        return _drop(args, made, data) if args.drop else OK
    for text in (f"{kept.exercise.script.id}, handed in as {made.alias}", *_score(kept)):
        say(plain(text), ascii_only=args.ascii)
    say(f"\n    receipt   {made.receipt}\n")
    status = OK
    if args.output or not args.drop:
        status = _write(args, made, data)
    return (_drop(args, made, data) or status) if args.drop else status


def _score(kept: Kept) -> list[str]:
    return pages.score_lines(kept.session, result(kept.session))


def _graded(made: Handin, data: bytes) -> Grade:
    try:
        return regrade(decode(data), Scripts())
    except (NotHandin, NotReplayed) as error:
        raise NotUsable(f"this session cannot be handed in: {error}") from None


def _line(grade: Grade) -> str:
    try:
        return str(line_of(grade))
    except NoRoom as error:
        raise NotUsable(str(error)) from None


def _say_block(grade: Grade, data: bytes, ascii_only: bool) -> None:
    try:
        say(str(line_of(grade)), ascii_only=ascii_only)
    except NoRoom:
        say(f"{grade.script_id} {grade.receipt}")
    say(block(data))


def _write(args: argparse.Namespace, made: Handin, data: bytes) -> int:
    path = Path(args.output or ".")
    if path.is_dir():
        path /= made.file_name
    try:
        atomic.overwrite(path, data)
    except FileError as error:
        complain(f"not written: {error}.", command=COMMAND)
        return CANNOT
    say(f"Written to {plain(str(path))}", ascii_only=args.ascii)
    if not args.drop:
        say("Send that file, or use --drop DIR, --line for a chat, or -o - for a mail.")
    return OK


def _drop(args: argparse.Namespace, made: Handin, data: bytes) -> int:
    try:
        path = deliver(args.drop, made.file_name, data)
    except FileError as error:
        complain(f"NOT delivered: {plain(str(error))}.", command=COMMAND)
        return CANNOT
    said = f"delivered: {plain(str(path))} (read back and compared)"
    if args.line or args.output == "-":
        complain(said, command=COMMAND)  # standard output holds what is to be pasted
    else:
        say(said, ascii_only=args.ascii)
    return OK


# ------------------------------------------------------------------------------- which session, whose


def session_named(name: str) -> Kept:
    """The session that was named, else the last finished one of all, else the last one.

    Args:
        name: an exercise, a session's folder or its transcript; "" for any.

    Raises:
        NotUsable: when there is none.
    """
    path = Path(name)
    if name and (path.exists() or "/" in name):
        folder = path.parent if path.name == TRANSCRIPT else path
        try:
            return open_kept(folder, installed(_script_of(folder)))
        except (OSError, ValueError) as error:
            why = getattr(error, "strerror", None) or str(error)
            raise NotUsable(f"{name} is no session that can be handed in: {why}") from None
    ids = [name] if name else _with_sessions()
    kept = [each for script in ids for each in kept_sessions(script, installed(script))]
    if not kept:
        what = f"of {name!r} " if name else ""
        raise NotUsable(f"there is no session {what}to hand in; `rooflab lab list` shows the exercises")
    return max(kept, key=lambda each: (each.session.finished, _last_time(each)))


def _last_time(kept: Kept) -> str:
    line = kept.stored.records[-1] if kept.stored.records else kept.stored.head
    return str(line.get("t", ""))


def _script_of(folder: Path) -> str:
    """The script of a session that lies where sessions are kept: its folder's parent is called like it."""
    return folder.resolve().parent.name


def _with_sessions() -> list[str]:
    try:
        return sorted(path.name for path in (state_path() / "sessions").iterdir() if path.is_dir())
    except (OSError, SettingsError):
        return []


def installed(script: str) -> Exercise | None:
    """The exercise of an id as it is found now, None when there is none that can be used."""
    try:
        return catalogue.ready(catalogue.find(script))
    except NotUsable:
        return None


def _alias(args: argparse.Namespace) -> str:
    # In a locale without UTF-8 the bytes that were typed arrive as single surrogates.
    alias = clean_alias(args.alias.encode("utf-8", "surrogateescape").decode("utf-8", "replace"))
    if args.alias and not alias:
        raise NotUsable("--alias holds nothing that can be read")
    if alias or sys.stdin is None or not sys.stdin.isatty():
        if not alias:
            raise NotUsable("say what you want to be called: --alias NAME (no real name needed)")
        return alias
    console = Console(args.ascii)
    for _ in range(ATTEMPTS):
        answer = console.read("What do you want to be called (no real name needed)? ")
        if answer is None:
            break
        if alias := clean_alias(answer):
            return alias
    raise NotUsable("nothing was handed in: no name was given")
