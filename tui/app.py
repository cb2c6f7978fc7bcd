"""The Textual app: wiring only. Events are folded into their owner here, and tabs watch the owner."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable
from contextlib import suppress
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, cast

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.events import Resize
from textual.reactive import reactive
from textual.widgets import Tabs

from tui import preload
from tui.events import LAB_EVENTS
from tui.files.writer import Writer
from tui.guide.lab_session import DONE, HANGUP
from tui.lab_owner import LabOwner
from tui.model.trial import Lab
from tui.tabs.base import Pages, TabPage
from tui.tabs.roofline import RooflineTab
from tui.terminal.detect import Terminal
from tui.terminal.guard import Guard
from tui.widgets.banner import Banner
from tui.widgets.did import Did
from tui.widgets.lines import KeyBar
from tui.widgets.look import Look
from tui.widgets.plot_view import PlotView
from tui.widgets.tab_bar import TabBar
from tui.widgets.too_small import TooSmall

if TYPE_CHECKING:
    from rich.console import RenderableType

    from tui.commands import Command
    from tui.exercise_owner import ExerciseOwner
    from tui.guide.attempt import Attempt
    from tui.guide.wanted import Wanted
    from tui.model.study import Study
    from tui.study_events import StudyEvent
    from tui.study_owner import StudyOwner
    from tui.tabs.exercises import ExercisesTab
    from tui.workspace import Status

STUDY_TABS = ("strong", "weak", "limits", "target")
"""Tabs that show the study; what they need is loaded after the first frame."""
FRAME_IS_OUT = 0.05
"""Seconds after which the first frame has gone to the terminal, by the thread that writes there."""


class RooflabApp(Look):
    """The instrument on the screen."""

    TITLE = "rooflab"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter,down", "into_page", show=False),
        Binding("escape", "to_guide", show=False),
    ]

    # None of these repaints the screen by itself: the tabs that watch them draw what has changed.
    lab: reactive[Lab] = reactive(Lab, init=False, repaint=False)
    """The roofline lab as it is now; only its owner sets it."""

    study: reactive[Study | None] = reactive(None, init=False, repaint=False)
    """The open study as it is now; only its owner sets it."""
    attempt: reactive[Attempt | None] = reactive(None, init=False, repaint=False)
    """The open exercise as it is now; only its owner sets it."""
    study_status: reactive[Status | None] = reactive(None, init=False, repaint=False)
    """How it and its file stand to each other."""

    def __init__(
        self,
        *,
        terminal: Terminal,
        file: Path | None = None,
        exercise: Wanted | None = None,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__(ascii_only=terminal.glyphs == "ascii")
        self._now = now
        self._writer = Writer()
        self._labs = LabOwner(self, self._writer)
        self._guard = Guard(self._line_lost)
        self._file = file
        self._exercise = exercise
        self._not_stored = False
        """Whether something of the lab or of an exercise could not be written."""

    @cached_property
    def _studies(self) -> StudyOwner:
        from tui.study_owner import StudyOwner

        return StudyOwner(self, self._writer)

    @cached_property
    def _exercises(self) -> ExerciseOwner:
        from tui.exercise_owner import ExerciseOwner

        self.load_late_styles()
        return ExerciseOwner(self, self._writer, self._studies, self._now)

    @property
    def _has_studies(self) -> bool:
        """Whether a study was opened or a tab of runs looked at; until then nothing of it is loaded."""
        return "_studies" in self.__dict__

    # Screen --------------------------------------------------------------------------------------

    def compose(self) -> ComposeResult:
        yield TabBar()
        yield Banner()
        with Pages(initial="roofline", id="pages"):
            yield RooflineTab(self._now)
        yield TooSmall()
        yield KeyBar()

    def on_mount(self) -> None:
        if not self.is_headless:
            self._guard.start()
        self.query_one(KeyBar).show_tab("roofline")
        # Back from ctrl+z the terminal shows nothing of ours any more.
        self.app_resume_signal.subscribe(self, lambda _: self.refresh(repaint=True, layout=True))
        brought_back = self._labs.resume()
        if self._file is None and self._exercise is None:
            self.page.focus_first()
        else:
            # What is typed while the file is being read is not meant for the lab's fields.
            self.screen.set_focus(None)
        if brought_back:
            self.page.say(brought_back)
        self.call_after_refresh(self._after_first_frame)

    @property
    def page(self) -> TabPage:
        """The tab page in front."""
        pages = self.query_one("#pages", Pages)
        return pages.get_child_by_id(pages.current or "roofline", TabPage)

    @on(Tabs.TabActivated)
    async def _show_page(self, event: Tabs.TabActivated) -> None:
        pages = self.query_one("#pages", Pages)
        tab = event.tab.id or "roofline"
        if tab == pages.current:
            return
        if not pages.query(f"#{tab}"):
            await preload.for_page(preload.STUDIES if tab in STUDY_TABS else preload.EXERCISES)
            await pages.add_content(self._new_page(tab))
        pages.current = tab
        if self.attempt is not None:
            self._exercises.tab_shown()
        elif not isinstance(self.focused, Tabs):
            self.page.focus_first()
        if tab in STUDY_TABS:
            self._studies.offer_to(tab)
        self.query_one(KeyBar).show_tab(tab)

    def _new_page(self, tab: str) -> TabPage:
        self.load_late_styles()
        if tab in STUDY_TABS:
            preload.for_runs()
            return self._studies.new_page(tab)
        from tui.tabs.exercises import ExercisesTab

        return ExercisesTab()

    def on_resize(self, event: Resize) -> None:
        self.query_one(TooSmall).fit(*event.size)

    # Events --------------------------------------------------------------------------------------

    @on(Did)
    def _fold(self, message: Did) -> None:
        if self.attempt is not None and self._exercises.takes(message.event):
            self._exercises.fold(message.event)
        elif isinstance(message.event, LAB_EVENTS):
            self._labs.fold(message.event)
        else:
            self._studies.take(cast("StudyEvent", message.event))
            if self.attempt is not None:
                self._exercises.table_changed()

    # Commands ------------------------------------------------------------------------------------

    def offers(self, command: Command) -> bool:
        if command.exercise and self.attempt is None:
            return False
        return not command.tabs or self.query_one("#pages", Pages).current in command.tabs

    def action_run_command(self, command_id: str) -> None:
        if self.attempt is not None and self._exercises.run_command(command_id):
            return
        if command_id.startswith("tab-"):
            self.go_to_tab(command_id.removeprefix("tab-"))
        elif command_id in self._own_commands:
            self._own_commands[command_id](self)
        else:
            self.page.run_command(command_id)

    def go_to_tab(self, tab: str) -> None:
        """Bring a tab to the front."""
        self.query_one("#tabs", Tabs).active = tab

    def action_into_page(self) -> None:
        """From the tab bar, or from the guide of an exercise, into the page."""
        if isinstance(self.focused, Tabs) or self.attempt is not None:
            self.page.focus_first()

    def action_to_guide(self) -> None:
        """From anywhere back to the guide of the exercise that is open."""
        if self.attempt is not None:
            self._exercises.to_guide()

    def _leave(self) -> None:
        if self.attempt is not None and not self._exercises.may_leave():
            return
        if not self._has_studies or self._studies.may_leave():
            self._keep_what_is_typed()
            self._stop(DONE)
            self.exit()

    def _help(self) -> None:
        from tui.tabs.help_screen import HelpScreen

        pages = self.query_one("#pages", Pages)
        about = self._exercises.HELP_TEXT if self.attempt is not None else ""
        self.push_screen(HelpScreen(pages.current or "", self.page.HELP_TEXT, about))

    _own_commands: ClassVar[dict[str, Callable[[RooflabApp], object]]] = {
        "quit": _leave,
        "help": _help,
        "glyphs": Look.swap_glyphs,
        "tabs": lambda self: self.query_one("#tabs", Tabs).focus(),
        "suspend": Look.action_suspend_process,
        "open": lambda self: self._studies.ask_what_to_open(),
        "save-as": lambda self: self._studies.ask_for_a_name(),
        "export": lambda self: self._studies.ask_what_to_export(),
        "again": lambda self: self._studies.again(),
    }

    # Storing and leaving -------------------------------------------------------------------------

    def _stop(self, reason: str) -> None:
        if self.attempt is not None and reason == DONE:
            self._exercises.end()  # one that is cut off is told of at the next start
        self._labs.end(reason)
        if self._has_studies:
            self._studies.close()
        self._writer.close(timeout=2.0)
        # Last, so that a line that drops in between still finds somebody who answers.
        self._guard.stop()

    def _line_lost(self, status: int) -> None:
        """The terminal went away or somebody ended the program: keep everything for the next start."""
        self._keep_what_is_typed()
        self._stop(HANGUP)
        self.exit(return_code=status)

    def _keep_what_is_typed(self) -> None:
        """Keep the fields as they are now: those one is in were never left."""
        # An exercise judges what is committed: half a number would be a wrong one.
        for event in self.page.uncommitted() if self.attempt is None else ():
            self._fold(Did(event))

    def _handle_exception(self, error: Exception) -> None:
        # Every fault in the app comes by here, and nowhere later are the fields still there.
        with suppress(Exception):
            self._keep_what_is_typed()
        super()._handle_exception(error)

    def panic(self, *renderables: RenderableType) -> None:
        # A fault of the thread that reads the terminal comes by here.
        with suppress(Exception):
            self._keep_what_is_typed()
        super().panic(*renderables)

    def store_after_fault(self) -> bool:
        """Wait for what is being written when the app has crashed; whether all that was entered is stored."""
        kept = not self._has_studies or self._studies.close()
        return self._writer.close(timeout=2.0) and kept and not self._not_stored

    def on_exercises_tab_chosen(self, message: ExercisesTab.Chosen) -> None:
        """An exercise of the list is wanted."""
        self._exercises.open(message.wanted)

    def on_guide_panel_ask_dropped(self) -> None:
        """What the exercise asked is not wanted."""
        self._exercises.drop_question()

    def show_banner(self, about: str, sentence: str) -> None:
        """Say something above the page for as long as it holds; an empty sentence takes it away."""
        if about in ("lab", "exercise"):
            self._not_stored = bool(sentence)
        self.query_one(Banner).say(about, sentence)

    def _after_first_frame(self) -> None:
        gc.freeze()
        gc.enable()
        if self._file is not None:
            self.show_banner("opening", f"Opening {self._file} ...")
        # The frame is handed over, but not yet on its way: a thread that imports would hold it up.
        self.set_timer(FRAME_IS_OUT, self._load_the_rest)

    def _load_the_rest(self) -> None:
        first = preload.EXERCISES if self._exercise else preload.STUDIES if self._file else ()
        opening, curves = (partial(self.when_running, each) for each in (self._open, self._curves_ready))
        preload.after_first_frame(first, opening, curves)

    def when_running(self, callback: Callable[..., object], *args: object) -> None:
        """Go on with something on the loop, from another thread; when the app has ended there is none."""
        if self.is_running:
            self.call_later(callback, *args)

    def _open(self) -> None:
        """Open what was asked for at the start."""
        if self._file is not None:
            self._studies.open(self._file)
        if self._exercise is not None:
            self._exercises.open(self._exercise)

    def _curves_ready(self, unavailable: str) -> None:
        for plot in self.query(PlotView):
            plot.curves_ready(unavailable)
        for page in self.query(TabPage):
            page.curves_ready(unavailable)
        self.run_worker(self._look_for_a_cut_off_exercise, thread=True)

    def _look_for_a_cut_off_exercise(self) -> None:
        from tui.guide.cut_off import cut_off_exercise

        name = cut_off_exercise()
        if name and self.attempt is None and self._exercise is None:
            said = f"The exercise {name} was cut off: Esc, then 6 and Enter go on with it."
            self.when_running(self.page.say, said)
