"""The edit line of the tabs of runs: a row goes into it, Enter commits it, and what is typed is kept."""

from __future__ import annotations

from typing import ClassVar

from textual import on
from textual.widgets import Input

from tui.events import Event
from tui.model.edits import Edit, EditError
from tui.model.flags import counted
from tui.model.run_text import run_texts
from tui.study_events import LineDropped, LineLeft, RunCommitted, StudyEvent
from tui.tabs.runs_page import TYPE_ON, RunsPage
from tui.tabs.runs_words import READ_AS, echo, jobs_of
from tui.widgets.did import Did
from tui.widgets.efficiency_table import EfficiencyTable
from tui.widgets.runs_editor import LineInput, RunsEditor


class RunsLine(RunsPage):
    """A page of runs whose rows can be edited."""

    JOB: ClassVar[str] = "job"
    """What one run of a row is called."""

    def _do(self, event: Event) -> None:
        self.post_message(Did(event))

    def _to_table(self) -> None:
        self.screen.set_focus(self._table)
        self.say(self._standing())

    @on(EfficiencyTable.Chosen)
    def _edit_row(self) -> None:
        row, experiment = self._table.row, self._experiment
        if row is not None and experiment is not None:
            self._load_place(jobs_of(row, experiment)[0])

    def _load_place(self, place: int) -> None:
        experiment = self._experiment
        assert experiment is not None
        self._place = place
        self._editor.load(run_texts(experiment.run[place], experiment.family), new=False)
        self._editor.focus_field(self._editor.focused_field.key if self._editor.focused_field else "devices")
        run = experiment.run[place]
        jobs = [at for at, each in enumerate(experiment.run) if each.devices == run.devices]
        which = f", {self.JOB} {jobs.index(place) + 1} of {len(jobs)}" if len(jobs) > 1 else ""
        gone = f" Withdrawn: {run.withdrawn}." if run.withdrawn else ""
        self.say(f"Editing {counted(run.devices, experiment.counts)}{which}.{gone} {TYPE_ON}")

    def _load_new(self) -> None:
        self._place = None
        self._editor.load({}, new=True)

    @on(RunsEditor.Committed)
    def _commit(self) -> None:
        texts = self._editor.texts
        if not texts:
            self.say("Nothing is typed yet: the count, Tab, the seconds, Enter.")
        elif self._place is None and [*texts] == ["devices"] and self._on_the_count():
            self._editor.focus_field("times_s")
            self.say("Now the seconds; Enter once more commits the count without them.")
        elif self._place is not None and not self._editor.changed:
            self._load_new()
            self._to_table()
        else:
            self._do(RunCommitted(self._family, self._name_for_events, self._place, texts))

    def _on_the_count(self) -> bool:
        """Whether Enter was pressed behind the count: people go on with it, as in the lab's fields."""
        field = self._editor.focused_field
        return self.id != "target" and field is not None and field.key == "devices"

    @property
    def _name_for_events(self) -> str:
        return self._experiment.name if self._experiment else ""

    def settled(self, edit: Edit, event: StudyEvent) -> None:
        if isinstance(event, RunCommitted):
            added = self._place is None
            self._load_new()
            if added:
                self._editor.focus_field()
            else:
                self.screen.set_focus(self._table)
        super().settled(edit, event)

    def refused(self, error: EditError) -> None:
        self.say(error.sentence)
        if error.field and self._editor.focused_field is not None:
            self._editor.focus_field(error.field)

    @on(LineInput.Asked)
    def _line_key(self, event: LineInput.Asked) -> None:
        if event.what == "revert":
            self._revert()
        elif self._editor.changed:
            self.say("Enter commits this line first, or Esc gives it up.")
        else:
            self._load_neighbour(1 if event.what == "next" else -1)

    def _load_neighbour(self, by: int) -> None:
        experiment = self._experiment
        if self._exhibit is None or experiment is None:
            return
        order = [place for row in self._exhibit.view.rows for place in jobs_of(row, experiment)]
        at = order.index(self._place) + by if self._place in order else (0 if by > 0 else len(order) - 1)
        if 0 <= at < len(order):
            self._load_place(order[at])

    def _revert(self) -> None:
        """Give the line up; without a change in it, only leave it."""
        if self._editor.changed:
            self._do(LineDropped())
        self._load_new()
        self._to_table()

    @on(RunsEditor.Left)
    def _keep(self) -> None:
        if self._editor.has_news:
            self._do(self._line_left())

    def _line_left(self) -> LineLeft:
        place = "new" if self._place is None else str(self._place)
        return LineLeft(f"{self.id}|{place}|{self._name_for_events}", self._editor.texts)

    @on(Input.Changed)
    def _echo(self, event: Input.Changed) -> None:
        """Say how the text is read while it is typed."""
        field = event.input
        if isinstance(field, LineInput) and field.has_focus:
            said = echo(field.key, field.value)
            if said is not None:
                self.say(f"{said} {TYPE_ON}" if said.startswith(READ_AS) else said or TYPE_ON)
