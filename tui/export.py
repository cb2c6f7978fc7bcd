"""A study as a report to hand on: gathered from the model, drawn by the plots, written into a file.

In steps, so that the app can take each where it belongs: `gathered` and `written` are slow and touch no
screen, `drawn` uses the one canvas there is and stays on the thread that owns it.
"""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Literal

from tui import __version__
from tui.files import atomic, report_data
from tui.files.errors import AlreadyThere, ChangedElsewhere
from tui.files.report_export import Origin, Plot, Scaling, Section, Target, as_markdown
from tui.files.report_predictions import locked_words
from tui.model.flags import counted
from tui.model.limits import Asked, Limits, limits_of
from tui.model.rows import Table
from tui.model.score import locked
from tui.model.steps import steps_of
from tui.model.study import Experiment, Study
from tui.model.target import target_table
from tui.plotting import efficiency
from tui.plotting.canvas import CanvasUnavailable
from tui.plotting.compose import draw
from tui.terminal.glyphs import to_ascii

Format = Literal["markdown", "csv"]

SUFFIXES: dict[Format, str] = {"markdown": ".md", "csv": ".csv"}
"""How a report's file is called."""

PLOT_SIZE = (76, 15)
"""Columns and rows of a plot: it fits 80 columns, also quoted in a mail."""


def gathered(study: Study, tables: Sequence[Table], only: str | None = None) -> tuple[Section, ...]:
    """Everything a report says of a study but its plots, in the order of the file.

    Args:
        tables: one for each experiment that is not of the target family, in the same order.
        only: the name of the one experiment that is reported.
    """
    remaining = iter(tables)
    sections: list[Section] = []
    for experiment in study.experiment:
        table = None if experiment.family == "target" else next(remaining)
        if only not in (None, experiment.name):
            continue
        sections.append(
            Target(experiment, target_table(experiment, beside=study))
            if table is None
            else Scaling(
                experiment,
                table,
                predictions=_predictions(experiment, table, study),
                limits=_limits(experiment, table, study),
            )
        )
    return tuple(sections)


def _predictions(experiment: Experiment, table: Table, study: Study) -> tuple[str, ...]:
    """Every locked prediction with its score."""
    if not experiment.prediction:
        return ()
    steps = steps_of(replace(experiment, family=table.family), study.machine)
    return tuple(locked_words(each, table) for each in locked(steps, experiment.prediction))


def _limits(experiment: Experiment, table: Table, study: Study) -> Limits | None:
    """The stages as the table reads the experiment; nothing where there are none."""
    if not experiment.stages and not any(run.stages_s for run in experiment.run):
        return None
    base = table.baseline.devices if table.baseline else experiment.baseline
    return limits_of(replace(experiment, family=table.family, baseline=base), study.machine, Asked())


def drawn(section: Section) -> Section:
    """The section with its plots, or with the sentence that says why there is none."""
    if not isinstance(section, Scaling):
        return section
    try:
        return replace(section, plots=tuple(_plots(section.table)))
    except CanvasUnavailable as unavailable:
        return replace(section, no_plots=str(unavailable))


def _plots(table: Table) -> Iterator[Plot]:
    for view in efficiency.VIEWS:
        spec = efficiency.plot(table, view)
        if spec is not None:
            picture = draw(spec, *PLOT_SIZE)
            no_room = f" (no room for: {', '.join(picture.unplaced)})" if picture.unplaced else ""
            yield Plot(efficiency.in_words(table, view) + no_room, _clean(picture.text()))


def _clean(text: str) -> str:
    """Names from a file may stand in a picture, and what commands a terminal in a name."""
    return "".join(c if c.isprintable() or c == "\n" else " " for c in text)


def rendered(
    study: Study, sections: Sequence[Section], to: Format, origin: Origin, *, ascii_only: bool = False
) -> str:
    """The report as text, without a line end. CSV holds numbers alone, and one kind of table: the target
    tables only where there is no other.
    """
    if to == "markdown":
        text = as_markdown(study, sections, origin)
        return to_ascii(text) if ascii_only else text
    scaling = [section.table for section in sections if isinstance(section, Scaling)]
    targets = [section.table for section in sections if isinstance(section, Target)]
    return report_data.as_csv(scaling) if scaling else report_data.target_csv(targets)


def contents(sections: Sequence[Section], to: Format) -> str:
    """What a report holds, in a few words."""
    left_out = len(not_in_csv(sections)) if to == "csv" else 0
    said = counted(len(sections) - left_out, "table")
    plots = sum(len(section.plots) for section in sections if isinstance(section, Scaling))
    return f"{said} and {counted(plots, 'plot')}" if plots else said


def not_in_csv(sections: Sequence[Section]) -> tuple[str, ...]:
    """The names of the experiments that a CSV of these sections leaves out."""
    targets = tuple(each.experiment.name for each in sections if isinstance(each, Target))
    return targets if len(targets) < len(sections) else ()


def origin_of(file: str, data: bytes | None, arguments: Sequence[str]) -> Origin:
    """What to say of where a report comes from.

    Args:
        file: the study's file as it was named.
        data: what is in it; None where no file holds what is reported.
        arguments: of the command line that makes the same report.
    """
    words = shlex.join(["rooflab", *arguments])
    sha256 = atomic.Fingerprint.of(data).sha256 if data is not None else ""
    return Origin(f"rooflab {__version__}", _clean(file), sha256, _clean(words))


def written(path: Path, text: str, *, replace_it: bool, source: Path | None) -> None:
    """Write a report into its file, all of it or nothing.

    Args:
        replace_it: whether a file of this name may be replaced.
        source: the file that is reported, which is never replaced.

    Raises:
        AlreadyThere: when there is such a file and it may not be replaced.
        FileError: when it cannot be written.
    """
    data = f"{text}\n".encode()
    if source is not None and os.path.realpath(path) == os.path.realpath(source):
        raise AlreadyThere(path, f"{path} is the file that is reported: choose another name")
    if replace_it:
        atomic.overwrite(path, data)
        return
    there = AlreadyThere(path, f"{path} exists already and was left as it is")
    if os.path.lexists(path):
        raise there
    try:
        atomic.write(path, data, None)
    except ChangedElsewhere:  # somebody made it between the look and the write
        raise there from None
