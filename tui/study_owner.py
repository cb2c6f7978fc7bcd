"""The open study in the app: it folds the study's events, opens and saves files, and says what is wrong.

Waiting for a disk is done on a thread; what comes of it returns to the app's loop.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from datetime import datetime, timezone
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from tui import settings
from tui.files import recent
from tui.files.edit import CannotEdit
from tui.files.errors import FileError
from tui.files.study import NotAStudy
from tui.files.writer import Writer
from tui.model.edits import Edit, EditError, fold
from tui.model.run_text import printable_words
from tui.study_events import LineDropped, LineLeft, Redone, RunCommitted, StudyEvent, Undone
from tui.tabs.base import TabPage
from tui.tabs.limits import LimitsTab
from tui.tabs.open_screen import Chosen, NameScreen, OpenScreen, recent_line
from tui.tabs.runs import RunsTab
from tui.tabs.target import TargetTab
from tui.tabs.text_screen import TextScreen
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
        self._workspace = Workspace.scratch(writer, _now(), self._told)
        self._offered: set[str] = set()
        self._recent: tuple[recent.Recent, ...] | None = None
        self._greeting = ""
        """What the first tab says of a study that was just opened."""
        self._warned = ""
        """What the person was told they lose; the same key once more goes on."""
        self._take_over(self._workspace)

    # Events --------------------------------------------------------------------------------------

    def fold(self, event: StudyEvent) -> Edit | None:
        """Let an event happen; None where it changes no study.

        Raises:
            EditError: when it cannot be taken; nothing has changed then.
        """
        self._warned = ""
        workspace = self._workspace
        if isinstance(event, LineLeft):
            workspace.keep_draft(event.where, event.fields, _now())
            return None
        if isinstance(event, LineDropped):
            workspace.drop_draft()
            return None
        try:
            if isinstance(event, (Undone, Redone)):
                edit = self._go(back=isinstance(event, Undone))
            else:
                edit = fold(workspace.study, event)
                workspace.commit(edit.study, edit.label)
        except Refused as error:
            raise EditError(f"{error}") from None
        if isinstance(event, RunCommitted) and not workspace.status.trouble:
            workspace.drop_draft()
        self._show()
        return edit

    def _go(self, *, back: bool) -> Edit:
        workspace = self._workspace
        label = workspace.undo() if back else workspace.redo()
        if not label:
            raise EditError("Nothing to undo." if back else "Nothing to do again.")
        said = f"Undid: {label}. U does it again." if back else f"Did again: {label}."
        return Edit(workspace.study, label, said, "")

    def new_page(self, tab: str) -> TabPage:
        """The page of a tab that shows the study."""
        return _PAGES[tab]()

    def offer_to(self, tab: str) -> None:
        """Give a page what it may offer: the line of a program that ended, and the recent studies."""
        page = self._app.query_one(f"#pages > #{tab}", TabPage)
        if tab not in self._offered:
            self._offered.add(tab)
            if self._greeting:
                page.say(self._greeting)
                self._greeting = ""
            page.offer(self._workspace.left_behind)
        if self._recent is None:
            self._recent = ()
            self._app.run_worker(self._look_for_recent, thread=True, group="reader")
        else:
            page.show_recent(self._recent_lines())

    def _look_for_recent(self) -> None:
        with contextlib.suppress(settings.SettingsError):
            found = recent.listed(settings.state_path())
            self._app.when_running(self._show_recent, found)

    def _show_recent(self, found: tuple[recent.Recent, ...]) -> None:
        self._recent = found
        for page in self._pages():
            page.show_recent(self._recent_lines())

    def _pages(self) -> list[TabPage]:
        """The pages that show the study, as far as they were looked at."""
        return [page for page in self._app.query(TabPage) if page.id in _PAGES]

    def _recent_lines(self) -> list[str]:
        now = _now()
        return [recent_line(each, now) for each in (self._recent or ())[:_OFFERED]]

    # Files ---------------------------------------------------------------------------------------

    def open(self, path: Path) -> None:
        """Read a study on a thread and go on with it."""
        self._app.show_banner("opening", f"Opening {printable_words(str(path))} ...")
        self._wait_for(lambda: Workspace.open(path, self._writer, self._told), self._opened)

    def _opened(self, workspace: Workspace) -> None:
        title = printable_words(workspace.study.title)
        if workspace.path is not None and workspace.path.exists():
            self._greeting = f"Opened {title or 'the study'}: {printable_words(str(workspace.path))}"
        self._take_over(workspace)
        drafts = [draft.where.partition("|")[0] for draft in workspace.left_behind]
        families = [each.family for each in workspace.study.experiment if each.family != "target"]
        tabs = [*drafts, *("weak" if family == "model-size" else family for family in families), "strong"]
        self._app.go_to_tab(next(tab for tab in tabs if tab in ("strong", "weak")))

    def _take_over(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._offered.clear()
        self._show()
        for page in self._pages():
            page.start_over()
            self.offer_to(page.id or "")

    def ask_what_to_open(self) -> None:
        """Show the recent studies and a field for a name."""
        if self._loses("Opening another study"):
            return
        listed: tuple[recent.Recent, ...] = ()
        with contextlib.suppress(settings.SettingsError):
            listed = recent.listed(settings.state_path())
        self._app.push_screen(OpenScreen(listed, _now()), self._chosen)

    def _chosen(self, chosen: Chosen | None) -> None:
        if chosen is None:
            return
        if chosen.path is None:
            self._opened(Workspace.scratch(self._writer, _now(), self._told))
        else:
            self.open(chosen.path)

    def ask_for_a_name(self) -> None:
        """Ask for another file name, save there and go on there."""
        path = self._workspace.path
        suggestion = str(path.with_name(f"{path.stem}-copy.toml")) if path else "study.toml"
        self._app.push_screen(NameScreen(suggestion), self._named)

    def _named(self, answer: tuple[Path, bool] | None) -> None:
        if answer is not None:
            path, replace_it = answer
            said = f"Saved as {printable_words(str(path))}; the next runs go there too."
            self._wait_for(partial(self._workspace.save_as, path, replace_it), lambda _: self._refresh(said))

    def again(self) -> None:
        """Reload a file that was changed elsewhere, or try once more to write."""
        trouble = self._workspace.status.trouble
        if trouble == "cannot write":
            with contextlib.suppress(Refused):
                self._workspace.retry()
            self._show()
        else:
            said = "Read the file again. u brings back what was here."
            self._wait_for(self._workspace.reload, lambda _: self._refresh(said))

    def _refresh(self, said: str) -> None:
        self._show()
        self._app.page.say(said)

    # Waiting -------------------------------------------------------------------------------------

    def _wait_for(self, work: Callable[[], object], then: Callable[..., None]) -> None:
        """Do something slow on a thread, then go on with its result on the loop, or say what is wrong."""

        def run() -> None:
            try:
                result = work()
            except (FileError, CannotEdit) as error:
                self._app.when_running(self._failed, error)
            except Refused as error:
                self._app.when_running(self._app.page.say, str(error))
            else:
                self._app.when_running(self._done, then, result)

        self._app.run_worker(run, thread=True, group="reader")

    def _done(self, then: Callable[..., None], result: object) -> None:
        self._app.show_banner("opening", "")
        then(result)

    def _failed(self, error: Exception) -> None:
        self._app.show_banner("opening", "")
        if isinstance(error, NotAStudy):
            faults = [printable_words(str(fault)) for fault in error.faults]
            if error.path.suffix != ".toml":
                name = printable_words(str(error.path))
                faults.append(f"A table or a log? `rooflab import {name} -o study.toml` makes a study of it.")
            self._app.push_screen(TextScreen(f"{printable_words(str(error.path))} is no study yet", faults))
        else:
            self._app.page.say(printable_words(str(error)))

    # What the tabs and the banner see ------------------------------------------------------------

    def _told(self, status: Status) -> None:
        # Called on the writer's thread.
        self._app.when_running(self._show_status)

    def _show(self) -> None:
        self._app.study = self._workspace.study
        self._show_status()

    def _show_status(self) -> None:
        status = self._workspace.status
        self._app.study_status = status
        sentence = printable_words(status.sentence)
        trouble = f"{sentence.rstrip('.')}. {_HELP[status.trouble]}" if status.trouble else ""
        self._app.show_banner("study", trouble)
        kept = f"The line being typed is not kept: {printable_words(status.draft_trouble)}."
        self._app.show_banner("draft", kept if status.draft_trouble else "")

    def may_leave(self) -> bool:
        """Whether nothing would be lost; else that is said once, and the next time is a yes."""
        return not self._loses("Leaving")

    def _loses(self, what: str) -> bool:
        if not self._workspace.status.trouble or self._warned == what:
            return False
        self._warned = what
        words = f"{what} loses what is not saved: ^N saves it elsewhere; the same key again goes on."
        self._app.show_banner("study", words)
        return True

    def close(self) -> None:
        """Wait for what is being written, two seconds at most."""
        self._workspace.close(timeout=2.0)
