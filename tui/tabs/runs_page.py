"""What a tab of measured runs shows: heading, message, table, plot, judgements and the edit line."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from functools import partial
from typing import ClassVar

from rich.text import Text
from textual.app import ComposeResult
from textual.containers import Vertical

from tui.model import scaling
from tui.model.edits import Edit
from tui.model.run_text import line_fields
from tui.model.study import Experiment, Family, Machine, Run, Study
from tui.plotting.efficiency import RunsView, in_words, plot
from tui.study_events import StudyEvent
from tui.tabs.base import TabPage
from tui.tabs.runs_words import EMPTY, heading, judgements, row_of, wrapped
from tui.widgets.columns import TableView
from tui.widgets.efficiency_table import EfficiencyTable
from tui.widgets.lines import Line, MessageLine
from tui.widgets.runs_editor import Question, RunsEditor
from tui.widgets.spec_view import SpecView
from tui.workspace import Status

AT_ONCE = 60
"""Runs whose table is made while a key waits for it; larger ones are made on a thread."""
PLOT_ROWS = 8
"""Rows, its caption included, below which the plot is not worth showing beside the table."""
MAKING = "Making the table of {} runs ..."
TYPE_ON = "Tab: next field, Enter: commit, Esc: leave."


class RunsPage(TabPage):
    """One tab of measured runs, as it is shown.

    Args:
        family: `strong`, or `weak` with the model sizes in its picker.
    """

    HELP_TEXT: ClassVar[str] = (
        "Measured runs. Each run is one job: a count D of devices and the seconds T of one unit of work W."
        " Runs of one count and layout form a row; T is the median over jobs. Efficiency"
        " E = T0·D0 / (T·D) (weak: of the work done per device and second) is given only where the work is"
        " the same; a row that cannot be compared keeps its time and says why.\n\n"
        "Enter on a row puts its run into the edit line at the bottom, Enter there commits, Esc or ctrl+r"
        " goes back. In the line, up and down go to the run before or after. Several numbers in the times"
        " field are steps of one job; another job is another run. The last field takes anything else a run"
        " may say: dp=8 tp=2 hosts=n1,n2 stages_s.input=0.2.\n\n"
        "The table's columns stand in the order of their worth; left and right scroll to the others. The"
        " flags column names the gravest judgement, the lines under the table say it with the row's numbers,"
        " f shows all of them. ┊ before a count: it lies beyond a network boundary that the baseline does not"
        " cross. Every committed run is on disk when the message line says saved; u takes it back."
    )

    def __init__(self, family: Family) -> None:
        super().__init__(id=family, classes="runs-tab")
        self._families: tuple[Family, ...] = ("weak", "model-size") if family == "weak" else (family,)
        fields = list(line_fields(family))
        for each in self._families[1:]:
            fields[3:3] = [field for field in line_fields(each) if field not in fields]
        self._head = Line("", markup=False, id="runs-head")
        self._message = MessageLine("")
        self._table = EfficiencyTable()
        self._caption = Line("", markup=False, id="runs-caption")
        self._plot = SpecView()
        self._flags = Line("", markup=False, id="runs-flags")
        self._editor = RunsEditor(tuple(fields))
        self._question = Question()
        self._study = Study()
        self._current = ""
        self._new_family: Family | None = None
        """Set while the next run is to open an experiment of a family that has none."""
        self._view: TableView | None = None
        self._shown: RunsView = "efficiency"
        self._swapped = False
        """Whether the plot stands where the table was, on a screen with no room for both."""
        self._plot_fits_below = False
        self._covered = False
        self._place: int | None = None
        """The run in the edit line; None for a new one."""
        self._go_to: int | None = None
        self._generation = 0
        self._status = Status(saved=False)
        self._unsaved = ""
        """What was changed last, until it is on the disk."""
        self._said = ""
        self._recent: tuple[str, ...] = ()

    def compose(self) -> ComposeResult:
        yield self._head
        yield self._message
        with Vertical(id="runs-body"):
            yield self._table
            yield self._caption
            yield self._plot
        yield self._flags
        yield self._editor
        yield self._question

    def on_mount(self) -> None:
        self._question.display = False
        self.watch(self.app, "study", self.show_study)
        self.watch(self.app, "study_status", self._show_status)

    # What is shown -------------------------------------------------------------------------------

    def start_over(self) -> None:
        """Another study was opened: nothing of the one before stays."""
        self._current, self._new_family, self._place, self._view = "", None, None, None
        self._unsaved, self._covered, self._swapped = "", False, False
        self._editor.load({}, new=True)
        self.show_study(self._study)

    def show_recent(self, lines: Sequence[str]) -> None:
        """Name the latest studies while there is nothing here yet."""
        self._recent = tuple(lines)
        if self._view is None:
            self._show_table()

    def curves_ready(self, unavailable: str) -> None:
        self._plot.curves_ready(unavailable)

    def show_study(self, study: Study | None) -> None:
        """Show what a study holds now."""
        if study is None:
            return
        before = self._run_being_edited
        self._study = study
        names = [study.experiment[place].name for place in self._places]
        if self._current not in names and self._new_family is None:
            self._current = names[0] if names else ""
        if self._place is not None and self._run_being_edited != before and not self._editor.changed:
            self._place = None
            self._editor.load({}, new=True)
        self._fit_editor()
        self._recompute()

    @property
    def _run_being_edited(self) -> Run | None:
        experiment = self._experiment
        runs = experiment.run if experiment else ()
        return runs[self._place] if self._place is not None and self._place < len(runs) else None

    @property
    def _places(self) -> list[int]:
        """The places of this tab's experiments in the study."""
        return [at for at, each in enumerate(self._study.experiment) if each.family in self._families]

    @property
    def _experiment(self) -> Experiment | None:
        if self._new_family is not None:
            return None
        return next(
            (each for each in self._study.experiment if each.name == self._current and self._current), None
        )

    @property
    def _family(self) -> Family:
        return self._experiment.family if self._experiment else self._new_family or self._families[0]

    def _fit_editor(self) -> None:
        self._editor.show_only([field.key for field in line_fields(self._family)])
        self._editor.call_devices(self._experiment.counts if self._experiment else "devices")

    def _recompute(self) -> None:
        """Make the table anew: at once, or on a thread where that would hold up the keys."""
        self._generation += 1
        experiment = self._experiment
        if experiment is None or not experiment.run:
            self._show_view(None)
            return
        targets = [each for each in self._study.experiment if each.family == "target"]
        make = partial(_made, experiment, self._study.machine, targets)
        if len(experiment.run) <= AT_ONCE and "numpy" in sys.modules:
            self._show_view(make())
            return
        if self._view is None:
            self.say(MAKING.format(len(experiment.run)))
        self.run_worker(partial(self._compute, self._generation, make), thread=True, group="table")

    def _compute(self, generation: int, make: Callable[[], TableView]) -> None:
        if generation == self._generation:
            self.call_later(self._computed, generation, make())

    def _computed(self, generation: int, view: TableView) -> None:
        if generation == self._generation:
            self._show_view(view)
            if self._said == MAKING.format(len(self._experiment.run) if self._experiment else 0):
                self.say(self._standing())

    def _show_view(self, view: TableView | None) -> None:
        self._view = view
        self._show_table()
        if self._go_to is not None and view is not None and self._experiment is not None:
            self._table.go_to(row_of(view.table, self._experiment, self._go_to))
            self._go_to = None
        self._show_heading()
        self._show_flags()
        self._allot()

    def _show_table(self) -> None:
        sentences = EMPTY[self._family]
        if self._recent:
            sentences += ("", "Lately, ctrl+o opens:", *(f"  {line}" for line in self._recent))
        self._table.show(self._view, sentences, covered=self._covered)

    def _show_heading(self) -> None:
        places = self._places
        names = [self._study.experiment[place].name for place in places]
        here = names.index(self._current) if self._current in names else 0
        parts = heading(self._view.table if self._view else None, self._experiment, here, len(places))
        lines = wrapped(parts, max(20, self.app.size.width - 2))
        self._head.show("\n".join(lines))
        if self._head.styles.height is None or self._head.styles.height.value != len(lines):
            self._head.styles.height = len(lines)

    def _show_flags(self) -> None:
        self._flags.display = self._view is not None
        if self._view is None:
            return
        if self._covered:
            self._flags.show("Judgements are covered too: h uncovers.")
            return
        listed = judgements(self._table.row, self._view.table)
        width, room = max(20, self.app.size.width - 2), max(1, self._flags.size.height or 3)
        rows = [str(row).rstrip() for each in listed for row in Text(each).wrap(self.app.console, width)]
        if len(rows) > room:
            more = f"  ... f: all {len(listed)}"
            rows = [*rows[: room - 1], rows[room - 1][: width - len(more)] + more]
        self._flags.show("\n".join(rows))

    def _allot(self) -> None:
        """Share the rows between table and plot; where both do not fit, v changes between them."""
        room = self.query_one("#runs-body").size.height
        if not room:
            return
        table = self._view.table if self._view else None
        spec = plot(table, self._shown, covered=self._covered) if table else None
        needed = 1 + (len(table.rows) if table else 0)
        both = room - needed >= PLOT_ROWS and spec is not None
        self._plot_fits_below = both
        alone = self._swapped and not both and spec is not None
        self._table.display = not alone
        self._caption.display = self._plot.display = both or alone
        self._table.styles.height = needed if both else room
        if not alone and self.screen.focused is None:
            self.screen.set_focus(self._table)  # hiding it took its focus away
        if table is not None and (both or alone):
            self._caption.show(f"{in_words(table, self._shown)}. v: next view")
            self._plot.show(spec)

    def on_resize(self) -> None:
        self._show_heading()
        self.call_after_refresh(self._resized)

    def _resized(self) -> None:
        self._show_flags()
        self._allot()

    # Messages ------------------------------------------------------------------------------------

    def say(self, sentence: str) -> None:
        self._said = sentence
        self._message.say(sentence)

    def focus_first(self) -> None:
        # Not into the edit line: letters and digits act, so that 3 goes on to the next tab.
        self.screen.set_focus(self._table)
        if not self._said:
            self.say(self._standing())

    def _standing(self) -> str:
        if self._editor.focused_field is not None:
            return TYPE_ON
        if self._view is None:
            return "Press a to type a run; ctrl+o opens a study; F1: all keys."
        return "Enter edits this row, a adds a run, w declares W, F1: all keys."

    def settled(self, edit: Edit, event: StudyEvent) -> None:
        """An event of this tab has changed the study."""
        self._unsaved = edit.said
        self._new_family = None
        if edit.experiment and edit.experiment != self._current:
            self._current = edit.experiment
            self.show_study(self._study)
        if edit.place is not None and self._experiment is not None:
            self._go_to = edit.place
            if self._view is not None:
                self._table.go_to(row_of(self._view.table, self._experiment, edit.place))
        self._show_status(self._status)

    def _show_status(self, status: Status | None) -> None:
        """Say of the last change that it is on the disk, as soon as it is."""
        self._status = status or self._status
        if not self._unsaved or status is None:
            return
        if status.saved and not status.saving:
            self.say(f"{self._unsaved} Saved.")
            self._unsaved = ""
        elif status.trouble:
            self.say(f"{self._unsaved} Not saved yet: see the line on top.")
        else:
            self.say(f"{self._unsaved} Saving ...")


def _made(experiment: Experiment, machine: Machine, targets: Sequence[Experiment]) -> TableView:
    return TableView.of(scaling.table(experiment, machine, targets=targets))
