"""What a tab of measured runs shows: heading, message, table, plot, judgements and the edit line."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from functools import partial
from typing import ClassVar

from textual.app import ComposeResult
from textual.containers import Vertical

from tui.model.edits import Edit
from tui.model.line_fields import line_fields
from tui.model.study import Experiment, Family, Run, Study
from tui.study_events import StudyEvent
from tui.tabs.base import TabPage
from tui.tabs.exhibit import Exhibit
from tui.tabs.runs_words import EMPTY, heading, row_of, wrapped
from tui.tabs.scaling_exhibit import ScalingExhibit
from tui.widgets.efficiency_table import EfficiencyTable
from tui.widgets.judgements import Judgements
from tui.widgets.lines import Line, MessageLine
from tui.widgets.runs_editor import Question, RunsEditor
from tui.widgets.spec_view import SpecView
from tui.workspace import Status

AT_ONCE = 60
"""Runs whose table is made while a key waits for it; larger ones are made on a thread."""
PLOT_ROWS = 8
"""Rows, its caption included, below which the plot is not worth showing beside the table."""
FLAG_ROWS, TALL_FLAG_ROWS, TALL = 3, 6, 30
"""Rows of the judgements under a plot, the more of them on a screen of so many rows."""
GUIDED_HEAD_ROWS, GUIDED_FLAG_ROWS = 2, 1
"""Rows of heading and judgements in an exercise, whose guide needs the others."""
_MESSAGE_AND_EDITOR = 3
MAKING = "Making the table of {} runs ..."
STILL_COVERED = "What is still covered is what the exercise asks for."
_FIELDS_COVERED = {"work": "work", "memory": "memory_gib"}
"""The field of the edit line that each word covers, of those that have one."""
TYPE_ON = "Tab: next field, Enter: commit, Esc: leave."


class RunsPage(TabPage):
    """One tab of measured runs, as it is shown.

    Args:
        family: `strong`, `target`, or `weak` with the model sizes in its picker.
    """

    EXHIBIT: ClassVar[type[Exhibit]] = ScalingExhibit
    """What it shows of an experiment."""
    STANDING: ClassVar[str] = "Enter edits, a adds, w: what W and T are, F1: all keys."
    """What to do next while there are runs."""

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
        " cross. Every committed run is on disk when the message line says saved; u takes it back.\n\n"
        "T, S and E are of the median over the jobs, which one slow job does not move. device-s, cost,"
        " charged h and price are of the mean, because a slow job was paid for too. cost: device-seconds for"
        " the same work against the baseline's. jobs x steps: 3 x 1-5 are three jobs with 1 to 5 steps each."
        " A time that reads 0 gives no ratio. A run that is marked failed or stopped keeps its time in the"
        " file and in its edit line, and T does without it."
    )

    def __init__(self, family: Family) -> None:
        super().__init__(id=family, classes="runs-tab")
        self._families: tuple[Family, ...] = ("weak", "model-size") if family == "weak" else (family,)
        fields = list(line_fields(family))
        for each in self._families[1:]:
            fields[3:3] = [field for field in line_fields(each) if field not in fields]
        self._head = Line("", markup=False, id="runs-head")
        self._message = MessageLine("")
        self._head_lines: list[str] = []
        self._table = EfficiencyTable()
        self._caption = Line("", markup=False, id="runs-caption")
        self._plot = SpecView()
        self._flags = Judgements()
        self._editor = RunsEditor(tuple(fields))
        self._question = Question()
        self._study = Study()
        self._current = ""
        self._new_family: Family | None = None
        """Set while the next run is to open an experiment of a family that has none."""
        self._exhibit: Exhibit | None = None
        self._shown = ""
        """The view of the plot, empty for its first."""
        self._swapped = False
        """Whether the plot stands where the table was, on a screen with no room for both."""
        self._plot_fits_below = False
        self._self_test = False
        self._exercise_covers: frozenset[str] = frozenset()
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
        self._current, self._new_family, self._place, self._exhibit = "", None, None, None
        self._unsaved, self._self_test, self._swapped = "", False, False
        self._editor.load({}, new=True)
        self.show_study(self._study)

    def show_recent(self, lines: Sequence[str]) -> None:
        """Name the latest studies while there is nothing here yet."""
        self._recent = tuple(lines)
        if self._exhibit is None:
            self._show_table()

    def cover(self, words: frozenset[str]) -> None:
        """Cover what an exercise asks for until this is called with fewer words.

        Args:
            words: of the `COVERS` of what the page shows; others concern other tabs.
        """
        self._exercise_covers = words & self.EXHIBIT.COVERS
        self._editor.cover(frozenset(key for word, key in _FIELDS_COVERED.items() if word in words))
        if self.is_mounted:
            self._show_exhibit(self._exhibit)

    def choose(self, table: str) -> None:
        """Bring the experiment of that name to the front, where this tab shows it."""
        known = [self._study.experiment[place].name for place in self._places]
        if not self.is_mounted:
            self._current = table  # looked up when the study is shown
        elif table in known:
            self._current, self._new_family, self._exhibit = table, None, None
            self.show_study(self._study)

    @property
    def _guided(self) -> bool:
        """Whether an exercise is open."""
        return self.screen.has_class("-exercise")

    @property
    def _covered(self) -> frozenset[str]:
        """What is covered now; a self-test adds to an exercise and never uncovers what that covers."""
        return self._exercise_covers | (self.EXHIBIT.SELF_TEST if self._self_test else frozenset())

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
            self._show_exhibit(None)
            return
        make = self._maker(experiment)
        if len(experiment.run) <= AT_ONCE and "numpy" in sys.modules:
            self._show_exhibit(make())
            return
        if self._exhibit is None:
            self.say(MAKING.format(len(experiment.run)))
        self.run_worker(partial(self._compute, self._generation, make), thread=True, group="table")

    def _maker(self, experiment: Experiment) -> Callable[[], Exhibit]:
        """What makes the table of an experiment, on any thread."""
        return partial(ScalingExhibit, experiment, self._study)

    def _compute(self, generation: int, make: Callable[[], Exhibit]) -> None:
        if generation == self._generation:
            self.call_later(self._computed, generation, make())

    def _computed(self, generation: int, exhibit: Exhibit) -> None:
        if generation == self._generation:
            self._show_exhibit(exhibit)
            if self._said == MAKING.format(len(self._experiment.run) if self._experiment else 0):
                self.say(self._standing())

    def _show_exhibit(self, exhibit: Exhibit | None) -> None:
        self._exhibit = exhibit
        self._show_table()
        self._go_where_asked()
        self._show_heading()
        self._allot()
        self._show_flags()

    def _go_where_asked(self) -> None:
        """Put the cursor on the run that was changed, as soon as the table has it."""
        if self._go_to is None or self._exhibit is None or self._experiment is None:
            return
        row = row_of(self._exhibit.view, self._experiment, self._go_to)
        if row is not None:
            self._table.go_to(row)
            self._go_to = None

    def _show_table(self) -> None:
        sentences = EMPTY[self._family]
        if self._recent:
            # Above all else: whoever comes back after a restart looks for the table that was here.
            lately = "Your last table: ctrl+o, then Enter."
            sentences = (sentences[0], "", lately, *(f"  {line}" for line in self._recent), *sentences[1:])
        self._table.show(self._exhibit.view if self._exhibit else None, sentences, self._covered)

    def _show_heading(self) -> None:
        places = self._places
        names = [self._study.experiment[place].name for place in places]
        here = names.index(self._current) if self._current in names else 0
        parts = heading(self._exhibit, self._experiment, here, len(places), self._covered)
        self._head_lines = wrapped(parts, max(20, self.app.size.width - 2))
        if self._guided:
            del self._head_lines[GUIDED_HEAD_ROWS:]
        self._head.show("\n".join(self._head_lines))
        _set_height(self._head, len(self._head_lines))

    def _show_flags(self) -> None:
        self._flags.display = self._exhibit is not None
        if self._exhibit is not None:
            self._flags.show_all(self._exhibit.judgements(self._table.row, self._covered))

    def _allot(self) -> None:
        """Share the rows between table, plot and judgements; where table and plot do not both fit, v
        changes between them, and a plot that there is not leaves its rows to the judgements.
        """
        exhibit = self._exhibit
        room = self.size.height - _MESSAGE_AND_EDITOR - len(self._head_lines)
        body = self.query_one("#runs-body")
        if room <= 0 or exhibit is None:
            self._caption.display = self._plot.display = False
            self._table.styles.height = body.styles.height = "1fr"
            return
        spec = exhibit.plot(self._view_name, self._covered) if exhibit.views else None
        needed = 1 + len(exhibit.view.rows)
        flags = TALL_FLAG_ROWS if self.app.size.height >= TALL else FLAG_ROWS
        flags = GUIDED_FLAG_ROWS if self._guided else flags
        both = room - flags - needed >= PLOT_ROWS and spec is not None
        alone = self._swapped and not both and spec is not None
        if both or alone:
            body.styles.height = "1fr"
            _set_height(self._flags, flags)
        else:
            # The table alone takes what it needs of the room, and all judgements may stand in the rest.
            body.styles.height = max(2, min(needed, room - min(flags, FLAG_ROWS)))
            self._flags.styles.height = "1fr"
        self._plot_fits_below = both
        # Behind a plot that stands alone the table has no row, but keeps the focus and its keys.
        self._table.styles.height = 0 if alone else needed if both else "1fr"
        self._caption.display = self._plot.display = both or alone
        if both or alone:
            self._show_caption()
            self._plot.show(spec)

    def _show_caption(self) -> None:
        """Say what is drawn; where the table is not to be seen, also on which row its keys act."""
        if self._exhibit is None or not self._exhibit.views:
            return
        caption, row = self._exhibit.caption(self._view_name, self._covered), self._table.row
        if self._swapped and not self._plot_fits_below and row is not None:
            caption = f"Row {self._exhibit.title(row)} (up, down) · {caption}"
        self._caption.show(f"{caption}. v: next view")

    @property
    def _view_name(self) -> str:
        """The view of the plot that is shown."""
        views = self._exhibit.views if self._exhibit else ()
        return self._shown if self._shown in views else next(iter(views), "")

    def on_resize(self) -> None:
        self._show_heading()
        self.call_after_refresh(self._resized)

    def _resized(self) -> None:
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
        if self._exhibit is None:
            return "Press a to type a run; ctrl+o opens a study; F1: all keys."
        return self.STANDING

    def settled(self, edit: Edit, event: StudyEvent) -> None:
        """An event of this tab has changed the study."""
        self._unsaved = edit.said
        self._new_family = None
        if edit.experiment and edit.experiment != self._current:
            self._current = edit.experiment
            self.show_study(self._study)
        if edit.place is not None and self._experiment is not None:
            self._go_to = edit.place
            self._go_where_asked()
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
        elif status.saving:
            self.say(f"{self._unsaved} Saving ...")
        else:  # a study that is only in memory
            self.say(self._unsaved)


def _set_height(line: Line, rows: int) -> None:
    """Give a line of text its rows; a layout costs too much to do one for nothing."""
    if line.styles.height is None or line.styles.height.cells != rows:
        line.styles.height = rows
