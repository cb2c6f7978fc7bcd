"""F2 in an exercise: the help that is open at this step, moving about, free play, leaving; and the end."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from tui.exercise_files import delivered
from tui.files.errors import FileError
from tui.files.writer import Writer
from tui.guide import pages
from tui.guide.events import Assisted, Done, Goto, Practised, Skipped, SolutionShown, Withdrawn
from tui.guide.script import Predict
from tui.guide.state import Session, can_assist, can_show, earned, points_text, result
from tui.guide.trials import locked
from tui.guide.wanted import Wanted
from tui.guide.wrapping import clean, wrap
from tui.tabs.choice_screen import ChoiceScreen, LineScreen
from tui.tabs.handin_screen import Delivered, HandinScreen
from tui.tabs.text_screen import TextScreen

if TYPE_CHECKING:
    from tui.app import RooflabApp
    from tui.exercise_owner import ExerciseOwner

WIDTH = 76
Deed = Callable[[], object]


class ExerciseMenu:
    """Asks what to do in the open exercise, and has its owner do it.

    Args:
        app: where the questions are shown.
        owner: of the open exercise.
        writer: the thread that waits for the disk.
    """

    def __init__(self, app: RooflabApp, owner: ExerciseOwner, writer: Writer) -> None:
        self._app = app
        self._owner = owner
        self._writer = writer

    def ask(self) -> None:
        """Show what can be done at this step."""
        session = self._owner.session
        self._choose(clean(session.exercise.script.title), list(self._choices(session)))

    def _choose(self, title: str, choices: list[tuple[str, Deed]], words: list[str] | None = None) -> None:
        def do(at: int | None) -> None:
            if at is not None:
                choices[at][1]()

        self._app.push_screen(ChoiceScreen(title, [each for each, _ in choices], words=words or []), do)

    def _choices(self, session: Session) -> Iterator[tuple[str, Deed]]:
        fold = self._owner.fold
        step = session.step
        yield "Back to the step", lambda: None  # first, so that no Enter too many gives anything away
        if can_show(session):
            yield "Show the solution of this step; it earns nothing then", lambda: fold(SolutionShown())
        if can_assist(session):
            yield "Do it for me", lambda: fold(Assisted())
        if _may_revise(session):
            yield "Change the locked prediction once; both are kept", self._owner.revise
        if locked(session):
            yield "Take the locked prediction back, to change the inputs", lambda: fold(Withdrawn())
        if step is not None and step.optional and not session.state.done:
            yield "Leave this step out", lambda: fold(Skipped())
        if step is not None and step.GRADED and session.state.done and not isinstance(step, Predict):
            yield "Practise this step again, without points", lambda: fold(Practised())
        yield "Steps: look at one again, or go on", self._steps
        if session.exercise.script.instrument != "none":
            words = "Free play: try things, nothing is graded"
            if session.free:
                words = "End free play and bring everything back"
            yield words, self._owner.toggle_free_play
        if list(pages.met(session)):
            yield "Show the tables as text", self._tables
            yield "Bring the exercise's tables back as they were", self._owner.restore_tables
        yield "About this exercise", self._about
        yield "Hand in what is done so far", self._hand_in
        if self._owner.store.unsaved:
            yield "Write the session into another folder", self._save_elsewhere
        yield "Start again; this session is kept", self._start_again
        yield "Leave the exercise; it goes on here next time", self._owner.leave_for_list

    def _steps(self) -> None:
        session = self._owner.session
        reached = range(min(session.first_open + 1, len(session.states)))
        lines = []
        for place in reached:
            state = session.states[place]
            mark = "✓" if state.done else " "
            lines.append(f"{mark} {pages.heading(session, place)}")

        def go(at: int | None) -> None:
            if at is not None:
                self._owner.fold(Goto(session.exercise.steps[at].id))

        screen = ChoiceScreen("Steps reached so far", lines, at=min(session.here, len(lines) - 1))
        self._app.push_screen(screen, go)

    def _tables(self) -> None:
        session = self._owner.session
        text = ["\n".join(pages.table(data, session)) for data in pages.met(session)]
        self._app.push_screen(TextScreen("The exercise's tables", text))

    def _about(self) -> None:
        script = self._owner.session.exercise.script
        facts = [
            script.goal,
            script.preamble.strip(),
            f"Numbers: {script.source}." if script.source else "",
            f"By {', '.join(script.authors) or 'unknown'}. Licence: {script.licence or 'not stated'}.",
            f"About {script.minutes} minutes, level {script.level}, revision {script.revision}.",
            f"Stored in {self._owner.store.folder}",
        ]
        said = [" ".join(clean(part).split()) for each in facts for part in each.split("\n\n") if part]
        self._app.push_screen(TextScreen(clean(script.title), said))

    def _start_again(self) -> None:
        if self._owner.path is not None:
            self._owner.open(Wanted(self._owner.path, new=True))

    def _save_elsewhere(self) -> None:
        """Ask for a folder, and write the session there."""

        def take(text: str) -> None:
            folder = Path(text.strip()).expanduser()
            if not text.strip() or not folder.is_dir():
                raise ValueError("There is no such folder: type one that exists.")
            try:
                self._owner.say(f"Saved in {self._owner.store.save_into(folder)}; it goes on there.")
            except (OSError, FileError) as error:
                raise ValueError(f"Not saved: {error}.") from None

        self._app.push_screen(LineScreen("Write this session into which folder?", "", take))

    # Handing in ----------------------------------------------------------------------------------

    def _hand_in(self) -> None:
        """Ask for a name, and write the hand-in."""
        self._app.push_screen(HandinScreen(self._deliver), self._handed_in)

    def _handed_in(self, _: None) -> None:
        if self._owner.session.step is None:
            self.finish()

    def _deliver(self, alias: str, folder: Path, told: Callable[[Delivered | str], None]) -> None:
        store, exercise = self._owner.store, self._owner.session.exercise
        found: list[Delivered] = []

        def write() -> None:
            found.append(delivered(store.folder, exercise, alias, folder))

        def done(error: Exception | None) -> None:
            self._app.when_running(told, found[0] if error is None else f"Not handed in: {error}.")

        # Behind everything that is still to be stored, on the thread that stores it.
        self._writer.submit(write, done)

    # The end -------------------------------------------------------------------------------------

    def finish(self) -> None:
        """Show the score and what to do with it."""
        self._owner.fold(Done())
        session = self._owner.session
        script = session.exercise.script
        words = [*wrap(script.closing, WIDTH), "", *pages.score_lines(session, result(session)), ""]
        words += list(_per_step(session))
        choices: list[tuple[str, Deed]] = [("Hand it in and get a receipt", self._hand_in)]
        if list(pages.in_sight(session)):
            choices.append(("Keep the exercise's tables as a study of mine", self._owner.keep_tables))
        choices += [
            ("Read the steps again", lambda: self._owner.fold(Goto(script.step[0].id))),
            ("Start again; this session is kept", self._start_again),
            ("Leave: back to the list", self._owner.leave_for_list),
        ]
        self._choose(f"The end of: {clean(script.title)}", choices, words)


def _may_revise(session: Session) -> bool:
    places = locked(session)
    if not places:
        return False
    step, state = session.exercise.steps[places[-1]], session.states[places[-1]]
    return isinstance(step, Predict) and len(state.revised) < step.revise


def _per_step(session: Session) -> Iterator[str]:
    """Points of each graded step, where the script shows them."""
    if session.exercise.script.score.show == "never":
        return
    for place, (step, state) in enumerate(zip(session.exercise.steps, session.states, strict=True)):
        if step.GRADED and step.points:
            how = "shown" if state.shown else "done for you" if state.assisted else ""
            hints = f"{state.hints} hint{'s' if state.hints > 1 else ''}" if state.hints else ""
            missed = isinstance(step, Predict) and state.judged and not state.first_right
            half = "for committing it" if missed else ""
            notes = ", ".join(filter(None, [how, half, hints]))
            points = f"{points_text(earned(session, place))} of {step.points}"
            yield f"{points:>10}  {clean(step.title or step.id)}{f' ({notes})' if notes else ''}"
