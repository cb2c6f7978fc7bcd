"""Tab 6: the guided exercises, with how far each is done."""

from __future__ import annotations

from typing import ClassVar

from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.message import Message
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from tui.guide import catalogue
from tui.guide.attempt import Attempt
from tui.guide.catalogue import Group, NotUsable
from tui.guide.data import as_study
from tui.guide.progress import Progress, progress_of
from tui.guide.state import result
from tui.guide.store import Kept
from tui.guide.wanted import Wanted
from tui.guide.wrapping import clean, wrap
from tui.tabs.base import TabPage
from tui.tabs.choice_screen import ChoiceScreen
from tui.widgets.lines import Line, MessageLine

STANDING = "{} exercises: Enter starts or goes on, n starts again, s: sessions."
NARROW_BELOW = 76


class ExercisesTab(TabPage):
    """The list of exercises: start, resume, start again, read what was done."""

    DEFAULT_CSS = """
    ExercisesTab OptionList { height: 1fr; border: none; padding: 0; background: $background;
        scrollbar-size: 1 1; }
    ExercisesTab OptionList > .option-list--option-highlighted { text-style: bold; background: $background;
        color: $foreground; }
    ExercisesTab OptionList:focus > .option-list--option-highlighted { text-style: bold underline; }
    ExercisesTab OptionList > .option-list--option-disabled { text-style: bold; color: $foreground; }
    ExercisesTab #about { height: 5; padding: 0 1; }
    """
    HELP_TEXT: ClassVar[str] = (
        "Guided exercises. Each leads through a few steps beside the working instrument: you predict, lock"
        " the prediction, play, and are told what was right and why. Nothing is lost: every answer is on disk"
        " before it is judged, and the exercise goes on at the same step after a dropped line.\n\n"
        "Enter starts the exercise under the cursor or goes on with it, n starts it again and keeps the old"
        " session, s lists all sessions of it. In an exercise F2 is its menu, F6 a hint. What was on your"
        " own tabs is put aside meanwhile and comes back untouched when you leave.\n\n"
        "Without a screen: `rooflab lab run ID --plain`. Writing your own: `rooflab lab lint FILE`."
    )

    class Chosen(Message):
        """An exercise is to be opened."""

        def __init__(self, wanted: Wanted) -> None:
            super().__init__()
            self.wanted = wanted

    def __init__(self) -> None:
        super().__init__(id="exercises")
        self._message = MessageLine("Reading the exercises ...")
        self._list = OptionList(compact=True)
        self._about = Line("", markup=False, id="about")
        self._groups: tuple[Group, ...] = ()
        self._progress: dict[str, Progress] = {}
        self._at = ""

    def compose(self) -> ComposeResult:
        yield self._message
        yield self._list
        yield self._about

    def on_mount(self) -> None:
        self.watch(self.app, "attempt", self._follow)

    def _follow(self, attempt: Attempt | None) -> None:
        if attempt is None:
            self.run_worker(self._read, thread=True, group="exercises", exclusive=True)

    def _read(self) -> None:
        try:
            groups = catalogue.menu()
        except NotUsable as error:
            self.app.call_from_thread(self.say, str(error))
            return
        found = {each.id: progress_of(each) for group in groups for each in group.scripts}
        self.app.call_from_thread(self._show, groups, found)
        as_study(())  # loads what checks tables, so that one with tables opens sooner

    def _show(self, groups: tuple[Group, ...], found: dict[str, Progress]) -> None:
        self._groups, self._progress = groups, found
        self._draw()
        self.say(STANDING.format(len(found)) if found else "There are no exercises here.")

    def _draw(self) -> None:
        width = self.app.size.width
        at = self._at
        self._list.clear_options()
        number = 0
        for group in self._groups:
            if group.title:
                self._list.add_option(Option(Text(clean(group.title), no_wrap=True), disabled=True))
            for each in group.scripts:
                number += 1
                line = Text(_line(number, self._progress[each.id], width), no_wrap=True, overflow="ellipsis")
                self._list.add_option(Option(line, id=each.id))
        if self._progress:
            first = next(iter(self._progress))
            self._list.highlighted = self._list.get_option_index(at if at in self._progress else first)

    def on_resize(self) -> None:
        if self._progress:
            self._draw()

    @on(OptionList.OptionHighlighted)
    def _tell(self, event: OptionList.OptionHighlighted) -> None:
        self._at = event.option_id or self._at
        progress = self._progress.get(self._at)
        if progress is not None:
            lines = about(progress, max(20, self.app.size.width - 2))
            self._about.show("\n".join(lines))

    def say(self, sentence: str) -> None:
        self._message.say(sentence)

    def focus_first(self) -> None:
        self.screen.set_focus(self._list)

    # What the person does ------------------------------------------------------------------------

    @on(OptionList.OptionSelected)
    def _open(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        self._want()

    def run_command(self, command_id: str) -> None:
        progress = self._progress.get(self._at)
        if progress is None:
            return
        if command_id == "start-again":
            self._want(new=True)
        elif command_id == "sessions":
            self._list_sessions(progress)

    def _list_sessions(self, progress: Progress) -> None:
        if not progress.sessions:
            self.say("It was not started yet: Enter starts it.")
            return

        def go_on(at: int | None) -> None:
            if at is not None:
                self._want(kept=progress.sessions[at])

        lines = [session_line(each) for each in progress.sessions]
        title = f"Sessions of {clean(progress.listed.id)}, the newest first"
        self.app.push_screen(ChoiceScreen(title, lines), go_on)

    def _want(self, *, new: bool = False, kept: Kept | None = None) -> None:
        progress = self._progress.get(self._at)
        if progress is None:
            return
        if progress.listed.script is None or progress.listed.fault:
            self.say(f"It cannot be started: {progress.listed.fault or 'it cannot be read'}.")
            return
        if kept is not None and kept.elsewhere:
            self.say("That session is open in another terminal; Enter in the list starts one of your own.")
            return
        self.say(f"Opening {clean(progress.listed.script.title)} ...")
        folder = kept.folder if kept is not None else None
        self.post_message(self.Chosen(Wanted(progress.listed.path, new=new, session=folder)))


def _line(number: int, progress: Progress, width: int) -> str:
    script = progress.listed.script
    if script is None or progress.listed.fault:
        return f"{number:>3}  {clean(progress.listed.id)}: cannot be started"
    done = f"✓ {progress.words}" if progress.words == "done" else progress.words
    room = min(50, width - 4 - 5 - 8 - (10 if width >= NARROW_BELOW else 0) - 14)
    title = clean(script.title)
    title = title if len(title) <= room else title[: room - 3] + "..."
    level = f"{script.level:<9} " if width >= NARROW_BELOW else ""
    return f"{number:>3}  {title:<{room}} {script.minutes:>3} min  {level}{done}".rstrip()


def about(progress: Progress, width: int) -> list[str]:
    """What is said of the exercise under the cursor: its goal, what to do before, whose numbers it uses."""
    script = progress.listed.script
    if script is None or progress.listed.fault:
        return wrap(f"It cannot be started: {progress.listed.fault or 'it cannot be read'}", width)
    lines = wrap(script.goal, width)
    if script.requires:
        lines += wrap(f"Better after: {', '.join(script.requires)}.", width)
    if script.source:
        lines += wrap(f"Numbers: {script.source}.", width)
    if progress.sessions:
        kept = progress.sessions[0]
        more = f", {len(progress.sessions)} sessions (s)" if len(progress.sessions) > 1 else ""
        lines += wrap(f"Last: {session_line(kept)}{more}.", width)
    return lines


def session_line(kept: Kept) -> str:
    """A session in one line: when it began, how far it is, and whether it is open elsewhere."""
    score = result(kept.session)
    began = str(kept.stored.head.get("t", ""))[:16].replace("T", " ")
    done = "done" if score.done >= score.steps else f"{score.done} of {score.steps} steps"
    return f"{began} UTC, {done}{', open in another terminal' if kept.elsewhere else ''}"
