"""The exercise in the app: it folds what happens into it, stores it, and gives the instrument back."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from textual.await_remove import AwaitRemove
from textual.widgets import Tabs

from tui.events import LAB_EVENTS, Event, Played, Predicted, Reset
from tui.exercise_files import Opening, look_up
from tui.exercise_keys import ExerciseKeys
from tui.exercise_menu import ExerciseMenu
from tui.files.writer import Writer
from tui.guide import pages
from tui.guide.attempt import Attempt, advance, moment, resumed
from tui.guide.catalogue import NotUsable
from tui.guide.events import (
    EXERCISE_EVENTS,
    INSTRUMENT_EVENTS,
    FreeOff,
    FreeOn,
    Left,
    Next,
    RunsEntered,
    from_record,
)
from tui.guide.panel_page import asks_confidence
from tui.guide.script import Numeric, Predict, ResetStep, Runs, SetInputs
from tui.guide.session import number_event
from tui.guide.state import Feedback, Session, Tone, covered
from tui.guide.store import ExerciseStore
from tui.guide.wanted import Wanted
from tui.guide.workbench import entered_rows, study_of, tab_of
from tui.model.trial import Lab, Phase
from tui.tabs.roofline import RooflineTab
from tui.widgets.guide_panel import GuidePanel

if TYPE_CHECKING:
    from tui.app import RooflabApp
    from tui.study_owner import StudyOwner

_GOES_ON = (ResetStep, SetInputs, Predict)
"""Steps after which the next one comes by itself: what they end with is not worth a key."""

_DERIVED = {"efficiency": ("cost", "per-doubling"), "speedup": ("per-doubling",)}
"""Columns that give a covered one away: the relative cost is the inverse of the efficiency."""


class ExerciseOwner:
    """Holds the open exercise; the app's `attempt` is what the panel and the tabs see of it.

    Args:
        app: where it is set.
        writer: the thread that waits for the disk.
        studies: whose workspace is put aside meanwhile.
        now: the clock that the pause between hints follows, seconds.
    """

    def __init__(
        self, app: RooflabApp, writer: Writer, studies: StudyOwner, now: Callable[[], float]
    ) -> None:
        self._app = app
        self._writer = writer
        self._studies = studies
        self._now = now
        self._store: ExerciseStore | None = None
        self._lab_aside = Lab()
        self._fields_aside: tuple[str, ...] = ()
        self.path: Path | None = None
        """The script of the open exercise."""
        self._bringing = ""
        """The tab that the exercise itself brings to the front."""
        self._opening = False
        self._warned = False
        """What is lost was said; the same once more goes on."""
        self._menu = ExerciseMenu(app, self, writer)
        self._keys = ExerciseKeys(app, self)

    # Opening and leaving -------------------------------------------------------------------------

    def open(self, wanted: Wanted) -> None:
        """Read an exercise and start it, or go on with it."""
        if self._opening:
            return
        if self._is_open(wanted):
            self._come_back()
            return
        if not self.may_leave():
            return
        self._opening = True
        found: list[Opening] = []

        def read() -> None:
            found.append(look_up(wanted))

        def done(error: Exception | None) -> None:
            if error is None:
                self._app.when_running(self._begin, wanted.path, found[0])
            else:
                self._app.when_running(self._not_opened, error)

        # On the thread that stores: what was done in an exercise that was just left is there then.
        self._writer.submit(read, done)

    def _is_open(self, wanted: Wanted) -> bool:
        """Whether that is what is open already."""
        if self._app.attempt is None or self.path is None or wanted.new:
            return False
        if wanted.path.resolve() != self.path.resolve():
            return False
        return wanted.session is None or wanted.session.resolve() == self.store.folder.resolve()

    def _not_opened(self, error: Exception) -> None:
        self._opening = False
        if not isinstance(error, NotUsable):
            raise error
        if self._app.focused is None:
            self._app.page.focus_first()
        self._app.page.say(str(error))

    def _opened(self) -> None:
        self._opening = False

    async def _begin(self, path: Path, opening: Opening) -> None:
        with self._app.batch_update():  # one picture instead of one for each thing that changes
            await self._show_opened(path, opening)
        # Behind what was pressed meanwhile: a second Enter opens nothing.
        self._app.call_later(self._opened)

    async def _show_opened(self, path: Path, opening: Opening) -> None:
        await self.leave()
        self.path = path
        self._store = ExerciseStore(
            self._trouble, self._writer, elsewhere="F2 writes it elsewhere.", monotonic=self._now
        )
        attempt = self._resume(opening) or self._start(opening)
        tab = self._app.query_one(RooflineTab)
        self._lab_aside, self._fields_aside = self._app.lab, tab.texts
        self._app.lab = Lab()
        self._studies.put_aside(study_of(attempt.session))
        panel = GuidePanel()
        await self._app.screen.mount(panel, after="#pages")
        tab.guide(True)
        self._app.screen.add_class("-exercise")
        self._set(attempt)
        self._come_back()

    def _come_back(self) -> None:
        """Show the open exercise with its instrument, wherever the person was."""
        attempt = self._attempt
        if attempt.session.exercise.script.instrument == "none":
            self._panel.enlarge(True)
        self._to_instrument(attempt)
        if attempt.session.step is None:
            self._menu.finish()
        else:
            self._focus()

    def _start(self, opening: Opening) -> Attempt:
        assert self._store is not None
        exercise = opening.exercise
        script = exercise.script
        lines = [script.goal, script.preamble.strip()]
        if opening.others:
            lines.insert(0, "It is open in another terminal too; each keeps a session of its own.")
        return Attempt(self._store.start(exercise), intro=tuple(filter(None, lines)))

    def _resume(self, opening: Opening) -> Attempt | None:
        """The session that was kept; None where there is none, or another terminal was faster."""
        kept = opening.kept
        if kept is None or self._store is None or not self._store.resume(kept):
            return None
        events = filter(None, map(from_record, kept.stored.records))
        attempt = resumed(kept.exercise, kept.folder.name, events)
        done = sum(state.done for state in attempt.session.states)
        said = f"Resumed: {done} of {len(attempt.session.states)} steps done."
        if attempt.session.finished:
            said += " It is finished; F3 and F4 read it, F2 starts it again."
        return replace(attempt, intro=(said, *kept.notices))

    def leave(self) -> AwaitRemove:
        """Put the exercise away and bring back what was on the tabs before; awaited, the panel is gone."""
        if self._app.attempt is None:
            return self._app.query(GuidePanel).remove()
        self._app.screen.set_focus(None)  # else it goes to whatever stands next, the tab bar
        removed = self._app.query(GuidePanel).remove()
        self.end()
        self._app.attempt = None
        self._app.screen.remove_class("-exercise", "-guide-full")
        tab = self._app.query_one(RooflineTab)
        tab.guide(False)
        self._app.lab = self._lab_aside
        tab.fill_texts(self._fields_aside)
        self._studies.bring_back()
        for page in self._studies.pages:
            page.cover(frozenset())
        return removed

    def leave_for_list(self) -> None:
        """Put the exercise away and go back to the list."""
        if not self.may_leave():
            return
        self.leave()
        self._app.go_to_tab("exercises")
        self._app.page.focus_first()

    def may_leave(self) -> bool:
        """Whether nothing would be lost; else that is said once, and the next time is a yes."""
        if self._app.attempt is None or self._warned or not (self.store.in_trouble and self.store.unsaved):
            return True
        self._warned = True
        self._trouble("Leaving loses what is not saved: F2 writes it elsewhere; the same again goes on.")
        return False

    def end(self) -> None:
        """Store that the exercise was left; it can be resumed."""
        if self._store is not None and self._app.attempt is not None:
            self._store.record(Left())

    @property
    def store(self) -> ExerciseStore:
        """Where the open exercise is stored."""
        assert self._store is not None
        return self._store

    @property
    def session(self) -> Session:
        """The session of the open exercise."""
        return self._attempt.session

    @property
    def _attempt(self) -> Attempt:
        attempt = self._app.attempt
        assert attempt is not None
        return attempt

    def _set(self, attempt: Attempt) -> None:
        """Show the exercise as it is now on everything that shows a part of it."""
        self._app.attempt = attempt
        self._app.lab = attempt.lab
        self._app.query_one(RooflineTab).allow(
            inputs=attempt.inputs_open, prediction=attempt.prediction_open and attempt.on_roofline
        )
        covers = covered(attempt.session) if not attempt.session.free else {}
        words = frozenset[str]().union(*covers.values())
        words = words.union(*(_DERIVED.get(word, ()) for word in words))
        for page in self._studies.pages:
            page.cover(words)

    # Events --------------------------------------------------------------------------------------

    HELP_TEXT: ClassVar[str] = ExerciseKeys.HELP_TEXT

    def takes(self, event: object) -> bool:
        """Whether an event is the exercise's, not the study's."""
        return isinstance(event, (*LAB_EVENTS, *EXERCISE_EVENTS))

    def fold(self, event: Event) -> None:
        """Let an event happen in the exercise, and store it."""
        self._warned = False
        attempt = self._attempt
        step = attempt.session.step
        if isinstance(event, Predicted) and isinstance(step, Numeric) and not attempt.session.free:
            event = number_event(attempt.session, event.text)
        if isinstance(event, Played) and attempt.on_roofline and attempt.lab.phase is not Phase.PLAYING:
            return  # an animation that began before the exercise was opened
        begins = bool(attempt.intro) and isinstance(event, Next)
        if isinstance(event, (*INSTRUMENT_EVENTS, *EXERCISE_EVENTS)) and not begins:
            self.store.record(event, step.id if step is not None else "")
        after = advance(attempt, event)
        after = self._gone_on(attempt, after)
        anew = self._tables_differ(attempt, after, event)
        if anew:
            self._studies.put_aside(study_of(after.session))
        self._set(after)
        if anew:
            self._choose_table()
        if after.session.here != attempt.session.here:
            self._to_instrument(after)
        if moment(after) != moment(attempt) or isinstance(event, Reset):
            self._focus()
        if after.session.step is None and isinstance(event, Next):
            self._menu.finish()

    def _tables_differ(self, before: Attempt, after: Attempt, event: Event) -> bool:
        """Whether the tabs must show other tables than those that stand there."""
        tables = study_of(after.session)
        if isinstance(event, RunsEntered):
            # Wrong rows may stand beside the right ones as long as rows are entered, and no longer.
            done = after.session.state.done and not before.session.state.done
            return done and tables != self._app.study
        return tables != study_of(before.session) or isinstance(event, FreeOff)

    def _gone_on(self, before: Attempt, after: Attempt) -> Attempt:
        """The next step, where nothing is left to read or to say on this one."""
        session = after.session
        if session.here != before.session.here or session.step is None or session.practising:
            return after
        newly_done = session.state.done and not before.session.state.done
        answered = asks_confidence(before) and not asks_confidence(after)
        if not isinstance(session.step, _GOES_ON) or not (newly_done or answered) or asks_confidence(after):
            return after
        self.store.record(Next(), session.step.id)
        return replace(advance(after, Next()), said=after.said)

    def table_changed(self) -> None:
        """The tables were edited: a step that watches them looks at what is there now."""
        session = self._attempt.session
        step = session.step
        if not isinstance(step, Runs) or session.free or self._app.study is None:
            return
        if session.state.done and not session.practising:
            return
        columns, rows = entered_rows(session, self._app.study)
        if session.practising or rows != session.state.rows:
            self.fold(RunsEntered(columns, rows))

    def _go_to(self, tab: str) -> None:
        """Bring a tab to the front for the step on show; the focus then goes where the step goes on."""
        self._bringing = tab
        self._app.go_to_tab(tab)

    def _to_instrument(self, attempt: Attempt) -> None:
        """Bring the tab to the front on which this step is done."""
        step = attempt.session.step
        instrument = attempt.session.exercise.script.instrument
        tab = tab_of(step) if isinstance(step, Runs) else instrument
        if tab != "none":
            self._go_to(tab)
        self._choose_table()

    def _focus(self) -> None:
        """Put the focus where the learner goes on; at once, so that keys typed ahead find their field."""
        if not self._panel.place_focus():
            self._app.page.focus_first()

    def to_guide(self) -> None:
        """Put the focus into the guide."""
        self._panel.take_focus()

    def _choose_table(self) -> None:
        """Bring the table to the front that the step on show is about."""
        session = self._attempt.session
        step = session.step
        names = [data.id for data in pages.tables_of(session, step)] if step is not None else []
        if isinstance(step, Runs) and step.data:
            names.insert(0, step.data)
        for page in self._studies.pages:
            for name in reversed(names):
                page.choose(name)

    def tab_shown(self) -> None:
        """A tab came to the front, perhaps for the first time: it shows what the exercise lets it show."""
        self._set(self._attempt)
        self._choose_table()
        if isinstance(self._app.focused, Tabs):
            return
        if self._bringing == self._app.page.id:
            self._focus()
        else:
            self._app.page.focus_first()  # whoever goes to a tab by a key goes on there
        self._bringing = ""

    # What keys and menu ask for -------------------------------------------------------------------

    @property
    def _panel(self) -> GuidePanel:
        return self._app.query_one(GuidePanel)

    @property
    def on_roofline(self) -> bool:
        """Whether the lab is the exercise's instrument."""
        return self._attempt.on_roofline

    def run_command(self, command_id: str) -> bool:
        """Do what a key means in an exercise; False where it is the page's own."""
        return self._keys.run(command_id)

    def ask_what_to_do(self) -> None:
        """Open the exercise's menu."""
        self._menu.ask()

    def enlarge_panel(self) -> None:
        """Give the guide the whole screen, or take it back."""
        self._panel.enlarge(not self._panel.full)

    def toggle_free_play(self) -> None:
        """Begin or end free play."""
        self.fold(FreeOff() if self._attempt.session.free else FreeOn())
        if self._attempt.session.free:
            self._to_instrument(self._attempt)

    def restore_tables(self) -> None:
        """Bring back the exercise's own tables as they were, with what was entered."""
        self._studies.put_aside(study_of(self._attempt.session))
        self._choose_table()
        self._panel.say("The tables are as the exercise left them.")

    def drop_question(self) -> None:
        """What was asked is not wanted."""
        if self._attempt.said.tone is Tone.ASK:
            self._set(replace(self._attempt, said=Feedback(lines=("Your prediction stays as it is.",))))

    def say(self, sentence: str) -> None:
        """Show one sentence in the guide's message line."""
        self._panel.say(sentence)

    def revise(self) -> None:
        """Let the locked prediction be changed once."""
        self._panel.revise()

    # The end -------------------------------------------------------------------------------------

    def keep_tables(self) -> None:
        """Make the exercise's tables a study of the learner's own, and leave."""
        if not self.may_leave():
            return
        self.leave()
        self._studies.keep_as_study()
        self._app.go_to_tab("strong")
        self._app.page.focus_first()

    # Trouble -------------------------------------------------------------------------------------

    def _trouble(self, sentence: str) -> None:
        # On any thread, mostly the writer's.
        self._app.when_running(self._app.show_banner, "exercise", sentence)
