"""A whole exercise in line mode: for screen readers, dumb terminals, pipes and tests.

One line in, a few lines out; nothing is drawn, nothing moves, no key acts by itself. Commands are whole
words, so no letter of an answer can be one. Every event goes to `record` before it is answered.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from tui.events import Event, InputsSet, Played, Reset
from tui.guide import pages
from tui.guide.data import DataSet, column_heading
from tui.guide.entering import asked_columns, compare, split_row
from tui.guide.events import (
    Assisted,
    Chosen,
    Confidence,
    Discussed,
    Done,
    Goto,
    HintAsked,
    Left,
    LinesMarked,
    Next,
    Practised,
    Reflected,
    Revised,
    RunsEntered,
    Skipped,
    SolutionShown,
    Withdrawn,
)
from tui.guide.script import (
    Flaw,
    Numeric,
    Options,
    Pause,
    Play,
    Predict,
    Read,
    Reflect,
    ResetStep,
    Runs,
    SetInputs,
)
from tui.guide.session import apply, number_event
from tui.guide.state import Feedback, Session, Tone, can_assist, can_show, hint_wait, order, result
from tui.guide.wrapping import wrap

WIDTH = 76
HELP = """\
Commands, each a word on a line of its own (a colon before it is fine, and needed while you write a text):
  hint      the next hint
  show      the solution, after the last hint or three attempts
  do        do it for me: inputs and rows, after one failed check
  skip      leave out an optional step
  table     the tables again
  change X  change a locked prediction to X, where the step allows it
  withdraw  take a locked prediction back
  back      the step before; forward goes on again
  again     practise a finished step, without points
  step      the step again
  score     how far you are
  save DIR  write the session into another folder
  quit      stop here; everything is kept"""


class Leave(Exception):
    """The learner leaves, or there is nothing more to read."""


class PlainRunner:
    """Leads one session through its steps.

    Args:
        record: stores an event; called before what is said about it is written.
        read_line: the next line without its end, None when there is none any more.
        write: shows one line.
        now: seconds since the exercise was opened, for the pause between hints.
        save: writes the session into another folder and says where, or why not.
    """

    def __init__(
        self,
        session: Session,
        *,
        record: Callable[[Event], None],
        read_line: Callable[[str], str | None],
        write: Callable[[str], None],
        now: Callable[[], float],
        save: Callable[[Path], str],
    ) -> None:
        self.session = session
        self._record = record
        self._read_line = read_line
        self._write = write
        self._now = now
        self._save = save
        self._tables_shown: set[str] = set()
        self._rows: list[tuple[str, ...]] = []
        self._commands = self._command_table()

    def run(self) -> None:
        """Go through the exercise until the learner leaves or the input ends."""
        try:
            while True:
                while self.session.step is not None:
                    self._step()
                if not self.session.closed:
                    self._end()
                if self._ask("Enter leaves, `back` looks back") is not None:
                    break
        except Leave:
            pass
        self._do(Left())

    # -------------------------------------------------------------------------------------------- a step

    def _step(self) -> None:
        session, place = self.session, self.session.here
        self._write("")
        for data in pages.tables_of(session, session.exercise.steps[place]):
            if data.id not in self._tables_shown and not _prints_rows(session, data):
                self._tables_shown.add(data.id)
                self._lines([*pages.table(data, session), ""])
        self._lines(pages.page(session, place, WIDTH))
        if session.state.done:
            self._lines(pages.said(session.state.feedback, WIDTH))
        self._rows = list(_right_rows(session))
        while self.session.here == place and self.session.step is not None:
            self._turn(place)

    def _turn(self, place: int) -> None:
        """One line of input, and what follows from it."""
        was_done = self.session.state.done
        line = self._ask(pages.prompt(self.session))
        if line is None:
            return
        step = self.session.step
        if was_done and not self.session.practising:
            self._say_next(line)
        elif isinstance(step, Numeric):
            self._do(number_event(self.session, line))
        elif isinstance(step, Options):
            self._pick(step, line)
        elif isinstance(step, Runs):
            self._row(step, line)
        elif isinstance(step, SetInputs):
            self._inputs(step, line)
        elif isinstance(step, Reflect):
            self._do(Reflected(line))
        elif isinstance(step, ResetStep):
            self._do(Reset())
        elif isinstance(step, Play):
            self._do(Played())
        elif isinstance(step, (Pause, Read)):
            if isinstance(step, Pause) and step.discuss:
                self._do(Discussed())
            self._do(Next())
        if not was_done and self.session.here == place and self.session.state.done:
            if isinstance(step, Predict):
                self._after_commit(step)
            self._live_score()
            if self.session.here == place:
                self._do(Next())

    def _say_next(self, line: str) -> None:
        if line.strip():
            self._lines(wrap("This step is done: Enter goes on, `again` practises it.", WIDTH))
        else:
            self._do(Next())

    def _after_commit(self, step: Predict) -> None:
        if step.revise > len(self.session.state.revised):
            self._write("`change X` changes it to X before Play.")
        if step.confidence:
            self._confidence()

    def _confidence(self) -> None:
        for _ in range(3):
            line = self._ask("How sure are you: 1 a guess, 2 fairly, 3 certain (Enter passes)")
            if line is None or not line.strip():
                return
            if line.strip() in ("1", "2", "3"):
                self._do(Confidence(int(line)))
                return
            self._write("Write 1, 2 or 3, or nothing.")

    def _pick(self, step: Options, line: str) -> None:
        names = order(self.session, step)
        words = line.replace(",", " ").replace(";", " ").split()
        by_word = {str(number): name for number, name in enumerate(names, start=1)} | {n: n for n in names}
        unknown = [word for word in words if word.rstrip(".") not in by_word]
        if unknown or not words:
            self._write(f"Write numbers from 1 to {len(names)}. No try was used.")
            return
        ids = tuple(by_word[word.rstrip(".")] for word in words)
        self._do(LinesMarked(ids) if isinstance(step, Flaw) else Chosen(ids))

    def _row(self, step: Runs, line: str) -> None:
        data = self.session.exercise.sets.get(step.data)
        columns = asked_columns(step, data)
        row = split_row(line, columns)
        if row is None:
            names = ", ".join(map(column_heading, columns))
            self._lines(wrap(f"A row has {len(columns)} cells: {names}. No try was used.", WIDTH))
            return
        self._do(RunsEntered(columns, (*self._rows, row)))
        self._rows = list(_right_rows(self.session)) if data else [*self._rows, row]

    def _inputs(self, step: SetInputs, line: str) -> None:
        """Each input until it can be read; what is typed first is the first one."""
        answer: str | None = line
        for name in step.inputs:
            tone = Tone.UNREADABLE
            while tone is Tone.UNREADABLE:
                if answer is None:
                    answer = self._ask(pages.input_prompt(self.session, name))
                if self.session.step is not step:
                    return  # a command led away
                if answer is not None:
                    typed = dict(zip(("I", "B"), self.session.inputs, strict=True))
                    typed[name] = answer.strip() or typed[name]
                    tone = self._do(InputsSet(typed["I"], typed["B"])).tone
                    answer = None

    def _end(self) -> None:
        session = self.session
        self._write("")
        self._lines(wrap(session.exercise.script.closing, WIDTH))
        self._lines(pages.score_lines(session, result(session)))
        self._do(Done())

    # ---------------------------------------------------------------------------------------- input, output

    def _ask(self, prompt: str) -> str | None:
        """The next line that is no command; None after a command."""
        line = self._read_line(f"{prompt}: ")
        if line is None:
            raise Leave
        word, _, rest = line.strip().partition(" ")
        writing = isinstance(self.session.step, Reflect) and not self.session.state.done
        if word.startswith(":") or not writing:
            command = self._commands.get(word.removeprefix(":").lower())
            if command is not None and (not rest or word.lstrip(":") in ("change", "save")):
                command(rest.strip())
                return None
        return line

    def _do(self, event: Event) -> Feedback:
        self._record(event)
        self.session, feedback = apply(self.session, event)
        self._lines(pages.said(feedback, WIDTH))
        self._lines(list(offers(self.session, feedback)))
        return feedback

    def _lines(self, lines: list[str]) -> None:
        for line in lines:
            self._write(line)

    def _live_score(self) -> None:
        step = self.session.step
        if self.session.exercise.script.score.show == "live" and step is not None and step.GRADED:
            self._lines(pages.score_lines(self.session, result(self.session))[1:])

    # -------------------------------------------------------------------------------------------- commands

    def _command_table(self) -> Mapping[str, Callable[[str], None]]:
        return {
            "help": lambda _: self._lines(HELP.split("\n")),
            "hint": lambda _: self._hint(),
            "show": lambda _: self._then_on(SolutionShown()),
            "do": lambda _: self._then_on(Assisted()),
            "skip": lambda _: self._then_on(Skipped()),
            "table": lambda _: self._all_tables(),
            "tables": lambda _: self._all_tables(),
            "change": lambda text: self._then_on(Revised(text)),
            "withdraw": lambda _: self._then_on(Withdrawn()),
            "back": lambda _: self._move(-1),
            "forward": lambda _: self._move(1),
            "again": lambda _: self._then_on(Practised()),
            "step": lambda _: self._lines(pages.page(self.session, self.session.here, WIDTH)),
            "score": lambda _: self._lines(pages.score_lines(self.session, result(self.session))),
            "save": lambda text: self._lines(wrap(self._save(Path(text)), WIDTH)),
            "quit": lambda _: self._leave(),
        }

    def _hint(self) -> None:
        wait = hint_wait(self.session, self._now())
        if wait and self.session.step and self.session.state.hints < len(self.session.step.hints):
            self._write(f"The next hint opens in {wait:.0f} seconds; think about the last one.")
            return
        self._do(HintAsked(round(self._now(), 3)))
        if can_show(self.session):
            self._write("`show` shows the solution.")

    def _then_on(self, event: Event) -> None:
        """An event that may finish the step; then it goes on by itself."""
        place, was_done = self.session.here, self.session.state.done
        self._do(event)
        if self.session.here == place and self.session.state.done and not was_done:
            self._live_score()
            self._do(Next())

    def _move(self, by: int) -> None:
        place = self.session.here + by
        if 0 <= place <= min(self.session.first_open, len(self.session.states) - 1):
            self._do(Goto(self.session.exercise.steps[place].id))
        else:
            self._write("There is no step to go to.")

    def _all_tables(self) -> None:
        tables = list(pages.in_sight(self.session))
        for data in tables:
            self._lines(pages.table(data, self.session))
        if not tables:
            self._write("There are no tables to show.")

    def _leave(self) -> None:
        raise Leave


def offers(session: Session, feedback: Feedback) -> Iterator[str]:
    """What help is open after a feedback that did not finish the step."""
    if feedback.tone not in (Tone.WRONG, Tone.UNREADABLE):
        return
    if can_assist(session):
        yield "`do` does it for you."
    elif can_show(session):
        yield "`show` shows the solution."


def _prints_rows(session: Session, data: DataSet) -> bool:
    """Whether the step on show prints this table itself."""
    return isinstance(session.step, Runs) and session.step.data == data.id


def _right_rows(session: Session) -> Iterator[tuple[str, ...]]:
    """The rows of the table that were asked for; wrong ones are typed again."""
    step = session.step
    if not isinstance(step, Runs):
        return
    state, data = session.state, session.exercise.sets.get(step.data)
    for row in state.rows:
        if data is None or compare(data, state.columns, [row]).matched:
            yield row
