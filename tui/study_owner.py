"""The open study in the app: it folds the study's events, and says what is wrong with its file."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from datetime import datetime, timezone
from pathlib import Path
from typing import TYPE_CHECKING

from tui import settings
from tui.file_owner import FileOwner
from tui.files import recent
from tui.files.writer import Writer
from tui.model.edits import Edit, EditError, fold
from tui.model.run_text import printable_words
from tui.model.stage_edits import LOCK, LOCK_STAYS
from tui.model.study import Study
from tui.study_events import (
    LineDropped,
    LineLeft,
    LossesAsked,
    Redone,
    RunCommitted,
    RunsImported,
    StagesCommitted,
    StudyEvent,
    Undone,
)
from tui.tabs.base import TabPage
from tui.tabs.limits import LimitsTab
from tui.tabs.open_screen import recent_line, shown_path
from tui.tabs.runs import RunsTab
from tui.tabs.target import TargetTab
from tui.workspace import Refused, Status, Workspace

if TYPE_CHECKING:
    from tui.app import RooflabApp

_HELP = {
    "changed elsewhere": "^L reloads it, ^N saves yours as a copy.",
    "cannot write": "^L tries again, ^N saves elsewhere.",
}
_PAGES: dict[str, Callable[[], TabPage]] = {
    "strong": lambda: RunsTab("strong"),
    "weak": lambda: RunsTab("weak"),
    "limits": LimitsTab,
    "target": TargetTab,
}
"""The tabs that show the study."""
_OFFERED = 3
"""Recent studies named in an empty table."""
_IN_EXERCISE = "An exercise is open; leave it first."


def _now() -> datetime:
    return datetime.now(timezone.utc)


class StudyOwner:
    """Holds the `Workspace`; the app's `study` and `study_status` are what the tabs see of it.

    Args:
        app: where they are set, and whose banner says what is wrong.
        writer: the thread that waits for the disk.
    """

    def __init__(self, app: RooflabApp, writer: Writer) -> None:
        self._app = app
        self._writer = writer
        self._workspace = self.scratch()
        self._aside: Workspace | None = None
        """The user's own while an exercise has the tabs."""
        self._exercise: Study | None = None
        """What the last exercise left, to be kept as a study."""
        self._files = FileOwner(app, writer, self)
        self._offered: set[str] = set()
        self._recent: tuple[recent.Recent, ...] | None = None
        self._greeting = ""
        """What the first tab says of a study that was just opened."""
        self._news: dict[str, tuple[Edit, StudyEvent]] = {}
        """What changed the study from elsewhere, for tabs that were never looked at."""
        self._warned = ""
        """What the person was told they lose; the same key once more goes on."""
        self.take_over(self._workspace)

    @property
    def workspace(self) -> Workspace:
        """The one on the tabs."""
        return self._workspace

    def scratch(self) -> Workspace:
        """A new study, empty."""
        return Workspace.scratch(self._writer, _now(), self.told)

    # Events --------------------------------------------------------------------------------------

    def take(self, event: StudyEvent) -> None:
        """Let an event happen, and tell the page in front what came of it."""
        try:
            edit = self.fold(event)
        except EditError as error:
            self._app.page.refused(error)
        else:
            if edit is not None:
                self._app.page.settled(edit, event)

    def fold(self, event: StudyEvent) -> Edit | None:
        """Let an event happen; None where it changes no study.

        Raises:
            EditError: when it cannot be taken; nothing has changed then.
        """
        self._warned = ""
        workspace = self._workspace
        if isinstance(event, LineLeft):
            workspace.line.keep(event.where, event.fields, _now())
            return None
        if isinstance(event, LineDropped):
            workspace.line.drop()
            return None
        if isinstance(event, LossesAsked):
            self.settled_on("limits", Edit(workspace.study, "", "", event.experiment), event)
            return None
        if isinstance(event, RunsImported) and self.exercise_open:
            raise EditError(_IN_EXERCISE)
        try:
            if isinstance(event, (Undone, Redone)):
                edit = self._go(back=isinstance(event, Undone))
            else:
                edit = fold(workspace.study, event)
                workspace.commit(edit.study, edit.label)
        except Refused as error:
            raise EditError(f"{error}") from None
        if isinstance(event, (RunCommitted, StagesCommitted)):
            workspace.line.commit()
        self.show()
        return edit

    def _go(self, *, back: bool) -> Edit:
        workspace = self._workspace
        if back and workspace.undo_label.startswith(LOCK):
            raise EditError(LOCK_STAYS)
        label = workspace.undo() if back else workspace.redo()
        if not label:
            raise EditError("Nothing to undo." if back else "Nothing to do again.")
        said = f"Undid: {label}. U does it again." if back else f"Did again: {label}."
        return Edit(workspace.study, label, said, "")

    # Pages ---------------------------------------------------------------------------------------

    def new_page(self, tab: str) -> TabPage:
        """The page of a tab that shows the study."""
        return _PAGES[tab]()

    def offer_to(self, tab: str) -> None:
        """Give a page what it may offer: a line that was not committed, and the recent studies."""
        page = self._app.query_one(f"#pages > #{tab}", TabPage)
        if tab not in self._offered:
            self._offered.add(tab)
            if self._greeting:
                page.say(self._greeting)
                self._greeting = ""
            if tab in self._news:
                page.settled(*self._news.pop(tab))
            typed = self._workspace.line.typed
            page.offer((*((typed,) if typed else ()), *self._workspace.line.left_behind))
        if self._recent is None:
            self._recent = ()
            self._app.run_worker(self._look_for_recent, thread=True, group="recent")
        else:
            page.show_recent(self._recent_lines())

    def _look_for_recent(self) -> None:
        with contextlib.suppress(settings.SettingsError):
            found = recent.listed(settings.state_path())
            self._app.when_running(self._show_recent, found)

    def _show_recent(self, found: tuple[recent.Recent, ...]) -> None:
        self._recent = found
        for page in self.pages:
            page.show_recent(self._recent_lines())

    @property
    def pages(self) -> list[TabPage]:
        """The pages that show the study, as far as they were looked at."""
        return [page for page in self._app.query(TabPage) if page.id in _PAGES]

    def _recent_lines(self) -> list[str]:
        if self.exercise_open:
            return []
        now = _now()
        return [recent_line(each, now) for each in (self._recent or ())[:_OFFERED]]

    def take_over(self, workspace: Workspace, greeting: str = "") -> None:
        """Put another study on the tabs; the next of them that is looked at says the greeting."""
        self._workspace = workspace
        self._greeting = greeting
        self._offered.clear()
        self._news.clear()
        self.show()
        for page in self.pages:
            page.start_over()
            self.offer_to(page.id or "")

    def settled_on(self, tab: str, edit: Edit, event: StudyEvent) -> None:
        """Bring the tab to the front that a change from elsewhere concerns, and let it say what happened."""
        page = next((page for page in self.pages if page.id == tab), None)
        if page is None:
            self._news[tab] = edit, event
        else:
            page.settled(edit, event)
        self._app.go_to_tab(tab)

    # Exercises -----------------------------------------------------------------------------------

    @property
    def exercise_open(self) -> bool:
        """Whether the tabs show the study of an exercise, and the user's own is put aside."""
        return self._aside is not None

    def put_aside(self, study: Study) -> None:
        """Show another study, which is only in memory; the user's stays as it is until `bring_back`."""
        self._files.stop()
        if self._aside is None:
            self._aside = self._workspace
        self.take_over(Workspace.in_memory(study, self._writer, self.told))

    def bring_back(self) -> None:
        """Show the user's own study again, with the line that was being typed in it."""
        own, self._aside = self._aside, None
        if own is not None:
            self._exercise = self._workspace.study
            self.take_over(own)

    def keep_as_study(self) -> None:
        """Make what the exercise left a study of the user's, saved as new ones are, and go on with it.

        Where the user's own study has something that is not saved, the tabs stay with that one.
        """
        self.bring_back()
        if self._exercise is None:
            return
        study, kept = self._exercise, self.scratch()
        self._exercise = None
        try:
            kept.commit(study, "keep the exercise's runs")
        except Refused as error:
            self._app.page.say(f"The exercise's study could not be kept: {error}.")
        else:
            if not self._workspace.status.trouble:
                self.take_over(kept)

    def _refused(self) -> bool:
        """Whether files have to wait for the end of an exercise; then that was said."""
        if self.exercise_open:
            self._app.page.say(_IN_EXERCISE)
        return self.exercise_open

    # Files ---------------------------------------------------------------------------------------

    def open(self, path: Path) -> None:
        """Open a study, or show what a table or a log was understood as."""
        if not self._refused():
            self._files.open(path)

    def ask_what_to_open(self) -> None:
        """Let a file or one of the recent studies be chosen."""
        if not self._refused():
            self._files.ask_what_to_open()

    def ask_for_a_name(self) -> None:
        """Ask for another file name, save there and go on there."""
        if not self._refused():
            self._files.ask_for_a_name()

    def ask_what_to_export(self) -> None:
        """Ask for the kind and the name of a report, and write it."""
        from tui.export_owner import ask

        if not self._refused():
            ask(self._app, self._workspace)

    def again(self) -> None:
        """Reload a file that was changed elsewhere, or try once more to write."""
        if not self._refused():
            self._files.again()

    # What the tabs and the banner see ------------------------------------------------------------

    def told(self, status: Status) -> None:
        """A workspace has news; called on the writer's thread."""
        self._app.when_running(self._show_status)

    def show(self) -> None:
        """Show the study as it is now."""
        self._app.study = self._workspace.study
        self._show_status()

    def _show_status(self) -> None:
        status = self._workspace.status
        self._app.study_status = status
        sentence = printable_words(status.sentence).rstrip(".")
        kept = f" Yours is kept in {shown_path(status.kept)}." if status.kept else ""
        trouble = f"{sentence}.{kept} {_HELP[status.trouble]}" if status.trouble else ""
        self._app.show_banner("study", trouble)
        lost = f"The line being typed is not kept: {printable_words(status.draft_trouble)}."
        self._app.show_banner("draft", lost if status.draft_trouble else "")

    def may_leave(self) -> bool:
        """Whether nothing would be lost; else that is said once, and the next time is a yes."""
        lost = self.loses("Leaving")
        if lost:
            self._app.show_banner("study", lost)
        return not lost

    def loses(self, what: str) -> str:
        """What to say of that once because something would be lost by it; the same again goes on."""
        own = self._aside or self._workspace
        if not own.status.trouble or self._warned == what:
            return ""
        self._warned = what
        if own.status.kept is not None:
            where = shown_path(own.status.kept)
            return f"{what} leaves the last changes in {where}, which ^o opens; the same key again goes on."
        return f"{what} loses what is not saved: ^N saves it elsewhere; the same key again goes on."

    def close(self) -> bool:
        """Stop reading, and wait for what is being written, two seconds at most; whether nothing is lost."""
        self._files.stop()
        ours = [each for each in (self._workspace, self._aside) if each is not None]
        return all([each.close(timeout=2.0) or each.status.is_safe for each in ours])
