"""A strong, weak or model-size table as a page of runs shows it."""

from __future__ import annotations

from collections.abc import Set
from typing import ClassVar

from tui.model import scaling
from tui.model.flags import Flag, counted, seconds
from tui.model.rows import Row, Table
from tui.model.run_text import printable_words
from tui.model.study import Experiment, Study
from tui.plotting.efficiency import VIEWS, RunsView, in_words, plot
from tui.plotting.spec import PlotSpec
from tui.tabs.exhibit import Exhibit
from tui.widgets import scaling_columns
from tui.widgets.columns import COVER, GLYPHS
from tui.widgets.scaling_columns import scaling_view

DEFAULT_CHOICE = "smallest completed feasible count"


class ScalingExhibit(Exhibit):
    """A scaling table.

    Args:
        experiment: whose table it is.
        study: the machine it ran on, and the times to a target that stand beside a growing batch.
    """

    COVERS: ClassVar[frozenset[str]] = scaling_columns.COVERS
    SELF_TEST: ClassVar[frozenset[str]] = scaling_columns.SELF_TEST

    def __init__(self, experiment: Experiment, study: Study) -> None:
        targets = [each for each in study.experiment if each.family == "target"]
        self.table: Table = scaling.table(experiment, study.machine, targets=targets)
        self.view = scaling_view(self.table)
        self.views = () if self.table.family == "model-size" else VIEWS
        self._means = time_meaning(experiment)

    def heading(self, covered: Set[str]) -> tuple[str, ...]:
        """W, what T means, D0."""
        work = f"W = {COVER}" if "work" in covered else printable_words(self.table.work)
        parts = [work, self._means]
        if self.table.family != "model-size":
            parts.append(_baseline(self.table))
        if self.table.withdrawn:
            parts.append(f"{self.table.withdrawn} withdrawn, kept in the file")
        return tuple(parts)

    def judgements(self, row: Row | None, covered: Set[str]) -> list[str]:
        """One line for each flag of the row; the table's own stand with its baseline.

        While anything is covered, so is every sentence, because it is made of the row's numbers; while the
        flags are, there is no line at all.
        """
        table = self.table
        if "flags" in covered:
            return [f"Judgements: {COVER}"]
        if covered:
            return [f"{GLYPHS[flag.severity]} {COVER} [{flag.code}]" for flag in row.flags] if row else []
        flags: list[Flag] = list(row.flags) if row else []
        listed = [_sentence(flag) for flag in flags]
        if row is None or _is_baseline(row, table):
            listed += [_sentence(flag) for flag in table.flags if flag not in flags]
        else:
            listed += [_sentence(flag) for flag in table.flags if flag.code == "two-counts-only"]
        if table.shared_noise and row is not None and row.spread is not None:
            listed.append(f"{GLYPHS['notes']} {table.shared_noise}")
        return listed

    def title(self, row: Row) -> str:
        """Its count."""
        return counted(row.devices, self.table.counts)

    def plot(self, view: str, covered: Set[str]) -> PlotSpec | None:
        """E, T or device-seconds over the count."""
        return plot(self.table, _view(view), covered)

    def caption(self, view: str, covered: Set[str]) -> str:
        """What is drawn and what its signs mean."""
        return in_words(self.table, _view(view), covered)


def time_meaning(experiment: Experiment) -> str:
    """What one T is, for the heading."""
    return f"T = {experiment.time_means}" if experiment.time_means else "T undefined (w)"


def _view(name: str) -> RunsView:
    return next(view for view in VIEWS if view == name)


def _baseline(table: Table) -> str:
    base = table.baseline
    if base is None:
        return "no D0: no completed feasible run"
    chosen = base.chosen
    if chosen.startswith(DEFAULT_CHOICE):
        chosen = "by default" + chosen.removeprefix(DEFAULT_CHOICE)
    return f"D0 = {counted(base.devices, table.counts)}, {seconds(base.time_s)} ({base.kind}, {chosen})"


def _is_baseline(row: Row, table: Table) -> bool:
    return table.baseline is not None and table.rows[table.baseline.row] is row


def _sentence(flag: Flag) -> str:
    return f"{GLYPHS[flag.severity]} {printable_words(flag.sentence)} [{flag.code}]"
