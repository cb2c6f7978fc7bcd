"""ctrl+s in the app: ask what report is wanted, and write it.

Tables are computed and files written on a thread; the plots are drawn on the loop, which owns the one
canvas, with room for a key between two experiments.
"""

from __future__ import annotations

import asyncio
import contextlib
from pathlib import Path
from typing import TYPE_CHECKING

from tui import export, settings
from tui.files import study as files
from tui.files.errors import FileError
from tui.files.report_export import Section
from tui.model.run_text import printable_words
from tui.model.scaling import tables
from tui.model.study import Study
from tui.plotting import canvas
from tui.tabs.export_screen import ExportScreen, Wanted

if TYPE_CHECKING:
    from tui.app import RooflabApp
    from tui.workspace import Workspace

NOTHING = "Nothing to report yet: tabs 2 and 3 take runs, ^O opens a study."


def ask(app: RooflabApp, workspace: Workspace) -> None:
    """Ask for the kind and the name of a report of the open study, and write it."""
    if not any(experiment.run for experiment in workspace.study.experiment):
        app.page.say(NOTHING)
        return

    def write(screen: ExportScreen, wanted: Wanted) -> None:
        app.run_worker(_write(app, workspace, screen, wanted), group="export")

    app.push_screen(ExportScreen(_stem(workspace.path), write))


def _stem(path: Path | None) -> str:
    """Beside the study; studies that were never given a name lie where nobody looks for a report."""
    with contextlib.suppress(settings.SettingsError):
        if path is None or path.is_relative_to(settings.state_path()):
            return "report"
        return str(path.with_suffix(""))
    return "report"


async def _write(app: RooflabApp, workspace: Workspace, screen: ExportScreen, wanted: Wanted) -> None:
    study = workspace.study
    try:
        sections = await asyncio.to_thread(_gathered, study)
        if wanted.kind.to == "markdown":
            sections = tuple([await _drawn(section) for section in sections])
        await asyncio.to_thread(_written, workspace, study, sections, wanted)
    except FileError as error:
        if screen.is_attached:
            screen.failed(f"{error}")
        else:
            app.page.say(printable_words(f"{error}"))
        return
    if screen.is_current:
        screen.dismiss()
    app.page.say(printable_words(_said(sections, wanted)))


def _gathered(study: Study) -> tuple[Section, ...]:
    with contextlib.suppress(canvas.CanvasUnavailable):
        canvas.load()  # here, because on the loop its import would hold up the keys
    return export.gathered(study, tables(study))


async def _drawn(section: Section) -> Section:
    await asyncio.sleep(0)
    return export.drawn(section)


def _written(workspace: Workspace, study: Study, sections: tuple[Section, ...], wanted: Wanted) -> None:
    """Raises FileError."""
    workspace.close()  # what is on its way to the disk is part of what the report was made of
    path, kind = workspace.path, wanted.kind
    data = None if path is None else _bytes_of(path, study)
    arguments = [*(["--ascii"] if kind.ascii_only else []), "export", str(path)]
    arguments += ["--format", kind.to, "--output", str(wanted.path)]
    origin = export.origin_of(str(path), data, arguments)
    text = export.rendered(study, sections, kind.to, origin, ascii_only=kind.ascii_only)
    export.written(wanted.path, text, replace_it=wanted.replace_it, source=path)


def _bytes_of(path: Path, study: Study) -> bytes | None:
    """The bytes of a file that holds exactly this study; none where it holds another or cannot be read."""
    try:
        found, _ = files.read(path)
    except FileError:
        return None
    return found.data if found.study == study else None


def _said(sections: tuple[Section, ...], wanted: Wanted) -> str:
    left_out = export.not_in_csv(sections) if wanted.kind.to == "csv" else ()
    said = f"Wrote {wanted.path}: {export.contents(sections, wanted.kind.to)}."
    return f"{said} Not in it: {', '.join(left_out)} (target)." if left_out else said
