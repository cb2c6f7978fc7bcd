"""Files in the app: a study, a table or a log is chosen, read on a thread, opened or taken in, and named."""

from __future__ import annotations

import contextlib
from datetime import datetime, timezone
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from tui import settings
from tui.file_reader import FileReader
from tui.files import recent
from tui.files.folder import listed
from tui.files.study import is_study
from tui.files.writer import Writer
from tui.importers.imported import Imported, Options, Source
from tui.model.edits import EditError, fold
from tui.model.run_text import printable_words
from tui.model.study import Study
from tui.reading import Watch
from tui.study_events import RunsImported
from tui.tabs.choice_screen import ChoiceScreen
from tui.tabs.open_screen import NameScreen, OpenScreen
from tui.workspace import Refused, Workspace

if TYPE_CHECKING:
    from tui.app import RooflabApp
    from tui.study_owner import StudyOwner
    from tui.tabs.import_screen import ImportScreen

_TAB_OF = {"model-size": "weak"}
"""Tabs of families that have none of their own name."""


class FileOwner:
    """Opens files for the owner of the study.

    Args:
        app: whose screens are used.
        writer: the thread that saves.
        studies: the owner; its workspace is what is saved and replaced.
    """

    def __init__(self, app: RooflabApp, writer: Writer, studies: StudyOwner) -> None:
        self._app = app
        self._writer = writer
        self._studies = studies
        self._reader = FileReader(app)
        self._picker: OpenScreen | None = None
        self._folder = Path.cwd

    # Choosing ------------------------------------------------------------------------------------

    def ask_what_to_open(self, folder: Path | None = None) -> None:
        """Show the recent studies and a folder."""
        known: tuple[recent.Recent, ...] = ()
        with contextlib.suppress(settings.SettingsError):
            known = recent.listed(settings.state_path())
        start = folder or self._start()
        now = datetime.now(timezone.utc)
        self._picker = OpenScreen(start, known, now, self._look, self._chosen, self._given_up)
        self._app.push_screen(self._picker)

    def _start(self) -> Path:
        try:
            return self._folder().absolute()
        except OSError:  # the folder that the program was started in is gone
            return Path("/")

    def _look(self, folder: Path) -> None:
        def show(found: object) -> None:
            if self._picker is not None:
                self._folder = lambda: folder
                self._picker.show(found)  # type: ignore[arg-type]  # what `listed` returns

        self._reader.read(str(folder), partial(listed, folder), show, self._say)

    def _chosen(self, path: Path | None) -> None:
        if path is not None:
            self.open(path)
        elif self._may_go("Opening a new study"):
            self._close_picker()
            self._studies.take_over(self._studies.scratch())
            self._app.go_to_tab("strong")

    def _given_up(self) -> None:
        self._picker = None
        self.stop()

    def _close_picker(self) -> None:
        if self._picker is not None:
            picker, self._picker = self._picker, None
            picker.dismiss()

    def _may_go(self, what: str) -> bool:
        """Whether another study may take the place of this one; else it is said what that would lose."""
        lost = self._studies.loses(what)
        self._say(lost)
        return not lost

    # Opening -------------------------------------------------------------------------------------

    def open(self, path: Path) -> None:
        """Read a file and go on with it: with a study at once, with anything else after a look at it."""
        if self._picker is None:
            if path.is_dir():
                self._app.show_banner("opening", "")
                self.ask_what_to_open(path.absolute())
                return
            self._app.show_banner("opening", f"Opening {printable_words(str(path))} ...")
        self._reader.read(path.name, partial(self._understood, path), partial(self._opened, path), self._say)

    def _ask_format(self, path: Path) -> None:
        """No format fits: let one be chosen."""
        from tui.importers import registry

        def chosen(place: int | None) -> None:
            if place is None:
                return
            name = registry.formats()[place].NAME

            def work(watch: Watch) -> object:
                return registry.read(Source(path, watch=watch), Options(), name)

            self._reader.read(path.name, work, partial(self._opened, path), self._say)

        question = f"{path.name} is of no format that is known here. Read it as:"
        likely = [each.NAME for each in registry.formats()].index("table")
        self._app.push_screen(ChoiceScreen(question, registry.format_lines(), likely), chosen)

    def _understood(self, path: Path, watch: Watch) -> Workspace | Imported | None:
        """On the thread: a study, or what the file is taken for; None where that cannot be told."""
        if is_study(path, Source(path).head()):
            return Workspace.open(path, self._writer, self._studies.told)
        from tui.importers import registry

        try:
            return registry.read(Source(path, watch=watch))
        except registry.Empty:
            raise
        except registry.NotRecognised:
            return None

    def _opened(self, path: Path, found: object) -> None:
        if found is None:
            self._ask_format(path)
        elif isinstance(found, Imported):
            self._preview(Source(path), found)
        elif isinstance(found, Workspace) and self._may_go("Opening another study"):
            self._close_picker()
            self._show_study(found)

    def _show_study(self, workspace: Workspace) -> None:
        title = printable_words(workspace.study.title)
        self._studies.take_over(
            workspace, f"Opened {title or 'the study'}: {printable_words(str(workspace.path))}"
        )
        drafts = [draft.where.partition("|")[0] for draft in workspace.line.left_behind]
        families = sorted((each.family for each in workspace.study.experiment), key=lambda it: it == "target")
        tabs = [*drafts, *(_TAB_OF.get(family, family) for family in families), "strong"]
        self._app.go_to_tab(next(tab for tab in tabs if tab in ("strong", "weak", "limits", "target")))

    # Taking in -----------------------------------------------------------------------------------

    def _preview(self, source: Source, found: Imported) -> None:
        from tui.tabs.import_screen import ImportScreen

        study = self._studies.workspace.study
        screen = ImportScreen(found, study, partial(self._again_as, source), partial(self._take, source))
        self._app.push_screen(screen)

    def _again_as(self, source: Source, screen: ImportScreen, options: Options, as_format: str) -> None:
        """Read the file once more with what was said about it."""
        from tui.importers import registry

        def work(watch: Watch) -> object:
            return registry.read(Source(source.path, source.data, watch), options, as_format)

        def show(found: object) -> None:
            screen.show(found, options)  # type: ignore[arg-type]  # what `read` returns

        self._reader.read(source.path.name, work, show, screen.say)

    def _take(self, source: Source, screen: ImportScreen, event: RunsImported, new_study: bool) -> None:
        """Take the runs in; the preview stays where that cannot be done."""
        try:
            if new_study:
                fold(Study(), event)  # before the open study is put away for it
                lost = self._studies.loses("A new study")
                if lost:
                    screen.say(lost)
                    return
                self._studies.take_over(self._studies.scratch())
            edit = self._studies.fold(event)
        except EditError as error:
            screen.say(error.sentence)
            return
        screen.dismiss()
        self._close_picker()
        family = event.experiments[0].family
        assert edit is not None  # an import changes the study, or cannot be taken
        self._studies.settled_on(_TAB_OF.get(family, family), edit, event)

    # Naming and reloading ------------------------------------------------------------------------

    def ask_for_a_name(self) -> None:
        """Ask for another file name, save there and go on there."""
        path = self._studies.workspace.path
        suggestion = str(path.with_name(f"{path.stem}-copy.toml")) if path else "study.toml"
        screen = NameScreen(suggestion, lambda path, replace_it: self._save(screen, path, replace_it))
        self._app.push_screen(screen)

    def _save(self, screen: NameScreen, path: Path, replace_it: bool) -> None:
        workspace = self._studies.workspace

        def saved(_: object) -> None:
            if screen.is_current:
                screen.dismiss()
            self._refresh(f"Saved as {printable_words(str(path))}; the next runs go there too.")

        def say(sentence: str) -> None:
            (screen if screen.is_current else self._app.page).say(sentence)

        self._reader.do(lambda watch: workspace.save_as(path, replace_it), saved, say)

    def again(self) -> None:
        """Reload a file that was changed elsewhere, or try once more to write."""
        workspace = self._studies.workspace
        if workspace.status.trouble == "cannot write":
            with contextlib.suppress(Refused):
                workspace.retry()
            self._studies.show()
            return
        said = "Read the file again. u brings back what was here."
        self._reader.do(lambda watch: workspace.reload(), lambda _: self._refresh(said), self._app.page.say)

    def _refresh(self, said: str) -> None:
        self._studies.show()
        self._app.page.say(said)

    def stop(self) -> None:
        """Stop what is being read; nothing comes of it."""
        self._reader.stop()

    def _say(self, sentence: str) -> None:
        """Say something in the picker, else in the tab in front."""
        if self._picker is not None:
            self._picker.say(sentence)
        elif sentence:
            self._app.page.say(sentence)
