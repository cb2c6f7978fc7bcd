"""`rooflab lab run --plain`: one exercise on standard input and output, stored as it goes."""

from __future__ import annotations

import sys
from pathlib import Path

from tui.command_line.say import CANNOT, OK, complain, flush, say
from tui.events import Event
from tui.files.errors import FileError
from tui.guide import pages
from tui.guide.catalogue import NotUsable
from tui.guide.events import Left
from tui.guide.exercise import Exercise
from tui.guide.plain import WIDTH, PlainRunner
from tui.guide.state import result
from tui.guide.store import ExerciseStore, Kept, kept_sessions, open_kept
from tui.guide.wrapping import clean, wrap
from tui.terminal.glyphs import to_ascii, writable

LONGEST_LINE = 1 << 16
"""What is longer than this is cut: no answer is, and a stream without line ends would fill the memory."""
ATTEMPTS = 3


class Console:
    """Lines in and out. Input is read as bytes, so that no locale changes what a number says."""

    def __init__(self, ascii_only: bool) -> None:
        self._ascii_only = ascii_only
        self._interactive = sys.stdin is not None and sys.stdin.isatty()

    def write(self, line: str) -> None:
        """One line."""
        say(line, ascii_only=self._ascii_only)

    def read(self, prompt: str) -> str | None:
        """The next line; None at the end of the input."""
        if self._interactive:
            text = to_ascii(prompt) if self._ascii_only else prompt
            sys.stdout.write(writable(text, sys.stdout.encoding or "ascii"))
        else:
            self.write(prompt.rstrip())
        flush()
        raw = sys.stdin.buffer.readline(LONGEST_LINE) if sys.stdin is not None else b""
        while len(raw) == LONGEST_LINE and not raw.endswith(b"\n"):
            if not (more := sys.stdin.buffer.readline(LONGEST_LINE)) or more.endswith(b"\n"):
                break
        return raw.decode("utf-8", errors="replace").rstrip("\r\n") if raw else None


def run_plain(exercise: Exercise, *, new: bool, session: Path | None, ascii_only: bool) -> int:
    """Do an exercise to its end, or as far as the input goes; the exit status."""
    console = Console(ascii_only)

    def trouble(sentence: str) -> None:
        for line in wrap(f"*** {sentence or 'Saved again: everything is on disk.'}", WIDTH):
            console.write(line)

    store = ExerciseStore(trouble)
    kept = None if new else _kept(console, exercise, session)
    if kept is not None and store.resume(kept):
        start = kept.session
        _greet(console, kept)
    else:
        start = store.start(exercise)
        _introduce(console, exercise)
    runner = PlainRunner(
        start,
        record=lambda event: _record(store, runner, event),
        read_line=console.read,
        write=console.write,
        now=lambda: store.elapsed,
        save=lambda folder: _save(store, folder),
    )
    try:
        runner.run()
    except KeyboardInterrupt:
        _record(store, runner, Left())
        console.write(f"\nStored in {store.folder}")
        raise
    if not runner.session.finished:
        place = f"step {runner.session.here + 1} of {len(runner.session.states)}"
        again = f"`rooflab lab run {exercise.script.id} --plain`"
        console.write(f"You stopped at {place}. {again} goes on there.")
    return _leave(console, store)


def _record(store: ExerciseStore, runner: PlainRunner, event: Event) -> None:
    step = runner.session.step
    store.record(event, step.id if step is not None else "")


def _kept(console: Console, exercise: Exercise, folder: Path | None) -> Kept | None:
    """The session to go on with: the one named, else the newest unfinished one, else the newest."""
    if folder is not None:
        try:
            return open_kept(folder, exercise)
        except (OSError, ValueError) as error:
            raise NotUsable(f"{folder} cannot be resumed: {error}") from None
    stored = kept_sessions(exercise.script.id, exercise)
    free = [kept for kept in stored if not kept.in_use]
    if len(free) < len(stored):
        console.write("This exercise is open in another terminal too; each terminal keeps its own session.")
    unfinished = [kept for kept in free if not kept.session.finished]
    return next(iter([*unfinished, *free]), None)


def _introduce(console: Console, exercise: Exercise) -> None:
    script = exercise.script
    lines = [clean(script.title), "", *wrap(script.goal, WIDTH), ""]
    lines += [*wrap(script.preamble, WIDTH), ""]
    lines += ["Type `help` for the commands, `quit` to stop; nothing is lost."]
    for line in lines:
        console.write(line)


def _greet(console: Console, kept: Kept) -> None:
    script = kept.exercise.script
    score = result(kept.session)
    console.write(f"{clean(script.title)}: resumed, {score.done} of {score.steps} steps done.")
    for notice in kept.notices:
        for line in wrap(notice, WIDTH):
            console.write(line)
    if kept.session.finished:
        for line in pages.score_lines(kept.session, score)[1:]:
            console.write(line)
        console.write("It is finished: --new starts again, and this session is kept.")


def _save(store: ExerciseStore, folder: Path) -> str:
    if not str(folder).strip() or not folder.is_dir():
        return f"There is no folder {str(folder)!r}. Nothing was written."
    try:
        return f"Saved in {store.save_into(folder)}; it goes on there."
    except (OSError, FileError) as error:
        return f"Not saved: {error}."


def _leave(console: Console, store: ExerciseStore) -> int:
    """Offer another place for what could not be stored; the exit status."""
    for _ in range(ATTEMPTS):
        if not store.unsaved:
            console.write(f"Stored in {store.folder}")
            return OK
        answer = console.read("Nothing could be saved. Write the session into which folder (Enter: none)? ")
        if answer is None or not answer.strip():
            break
        console.write(_save(store, Path(answer.strip()).expanduser()))
    if not store.unsaved:
        return OK
    complain(f"{store.unsaved} events are not saved.", command="lab")
    return CANNOT
