"""Tabs 2 and 3: what a person does with measured runs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import ClassVar

from textual import on
from textual.events import Paste
from textual.widgets import Input

from tui.events import Event
from tui.files.drafts import Draft
from tui.model.edits import Edit, EditError, fold
from tui.model.experiment_text import DEFAULT_NAMES, form_fields, form_texts
from tui.model.flags import counted
from tui.model.pasted import count_rows, looks_like_rows
from tui.model.quantity import format_number
from tui.model.run_text import Value, read_value, run_texts
from tui.model.study import Experiment, Family
from tui.plotting.efficiency import VIEWS
from tui.study_events import (
    BaselineChosen,
    CauseWritten,
    ExperimentSet,
    LineDropped,
    LineLeft,
    Redone,
    RunCommitted,
    RunsPasted,
    RunWithdrawn,
    StudyEvent,
    Undone,
)
from tui.tabs.experiment_screen import ExperimentForm, ExperimentPicker
from tui.tabs.runs_page import TYPE_ON, RunsPage
from tui.tabs.runs_words import experiment_lines, jobs_of, judgements, which_job
from tui.tabs.text_screen import TextScreen
from tui.widgets.did import Did
from tui.widgets.efficiency_table import EfficiencyTable
from tui.widgets.runs_editor import LineInput, Question, RunsEditor

_ECHOED = ("devices", "times_s", "memory_gib", "work", "parameters", "global_batch", "sequence_length")
"""Fields whose reading is said while they are typed."""


class RunsTab(RunsPage):
    """One tab of measured runs: strong, or weak with model sizes in its picker."""

    def __init__(self, family: Family) -> None:
        super().__init__(family)
        self._answer: Callable[[str], None] = self.say
        self._retreat: Callable[[], None] = self._to_table

    def _do(self, event: Event) -> None:
        self.post_message(Did(event))

    def _to_table(self) -> None:
        self.screen.set_focus(self._table)
        self.say(self._standing())

    # The edit line -------------------------------------------------------------------------------

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
        which = f", job {jobs.index(place) + 1} of {len(jobs)}" if len(jobs) > 1 else ""
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
        elif self._place is not None and not self._editor.changed:
            self._load_new()
            self._to_table()
        else:
            self._do(RunCommitted(self._family, self._name_for_events, self._place, texts))

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
        if self._view is None or experiment is None:
            return
        order = [place for row in self._view.table.rows for place in jobs_of(row, experiment)]
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
            place = "new" if self._place is None else str(self._place)
            where = f"{self.id}|{place}|{self._name_for_events}"
            self._do(LineLeft(where, self._editor.texts))

    def offer(self, drafts: Sequence[Draft]) -> None:
        """Bring back the line that was being typed when a program ended."""
        for draft in drafts:
            tab, _, rest = draft.where.partition("|")
            place, _, name = rest.partition("|")
            if tab != self.id or not draft.fields or self._editor.changed:
                continue
            if any(self._study.experiment[at].name == name for at in self._places):
                self._current = name
                self.show_study(self._study)
            experiment = self._experiment
            known = place.isdigit() and experiment is not None and int(place) < len(experiment.run)
            self._place = int(place) if known else None
            self._editor.load(draft.fields, new=not known, as_typed=True)
            self._editor.focus_field()
            typed = " ".join(draft.fields.values())[:40]
            self.say(f"This line was typed and not committed: {typed}. Enter commits it, Esc drops it.")
            return

    @on(Input.Changed)
    def _echo(self, event: Input.Changed) -> None:
        """Say how the text is read while it is typed."""
        field = event.input
        if not isinstance(field, LineInput) or not field.has_focus or field.key not in _ECHOED:
            return
        if not field.value.strip():
            self.say(TYPE_ON)
            return
        try:
            value = read_value(field.key, field.value)
        except EditError as error:
            self.say(error.sentence)
        else:
            self.say(f"{_read_as(field.key, value)} {TYPE_ON}")

    # Rows pasted ---------------------------------------------------------------------------------

    def on_paste(self, event: Paste) -> None:
        """Rows pasted while the table has the focus go in at once: undo takes them back."""
        if looks_like_rows(event.text) or (event.text.strip() and self.screen.focused is self._table):
            event.stop()
            self._do(RunsPasted(self._family, self._name_for_events, event.text))

    @on(LineInput.RowsPasted)
    def _ask_rows(self, event: LineInput.RowsPasted) -> None:
        rows = count_rows(event.text)
        paste = RunsPasted(self._family, self._name_for_events, event.text)
        words = f"Add {rows} row{'s' if rows != 1 else ''}? Enter adds, Esc does not"
        self._ask(words, lambda text: self._do(paste), self._editor.focus_field)

    # Commands ------------------------------------------------------------------------------------

    def run_command(self, command_id: str) -> None:
        action = self._commands.get(command_id)
        if action is not None:
            action(self)

    def _ask(
        self,
        words: str,
        answer: Callable[[str], None],
        retreat: Callable[[], None] | None = None,
        text: str = "",
    ) -> None:
        self._answer, self._retreat = answer, retreat or self._to_table
        self._editor.display = False
        self._question.ask(words, text)

    @on(Question.Answered)
    def _answered(self, event: Question.Answered) -> None:
        self._editor.display = True
        self.screen.set_focus(self._table)
        self._answer(event.text)

    @on(Question.Dropped)
    def _dropped(self) -> None:
        self._editor.display = True
        self._retreat()

    @on(EfficiencyTable.Highlighted)
    def _other_row(self) -> None:
        self._show_flags()

    def _add(self) -> None:
        self._load_new()
        self._editor.focus_field()
        self.say(f"A new run: {TYPE_ON}")

    def _row_and_jobs(self) -> tuple[Experiment, list[int]] | None:
        row, experiment = self._table.row, self._experiment
        if row is None or experiment is None:
            self.say("There is no run yet: a adds one.")
            return None
        return experiment, jobs_of(row, experiment)

    def _withdraw(self) -> None:
        found = self._row_and_jobs()
        if found is None:
            return
        experiment, places = found
        name, at = experiment.name, counted(experiment.run[places[0]].devices, experiment.counts)
        counting = [place for place in places if not experiment.run[place].withdrawn]
        if not counting:
            gone = experiment.run[places[0]].withdrawn
            words = f"Withdrawn, {at}: why? Empty: it counts again"
            self._ask(words, lambda text: self._do(RunWithdrawn(name, tuple(places), text)), text=gone)
        elif len(counting) == 1:
            self._ask(f"Withdraw {at}: why?", lambda text: self._withdrawn(name, counting, text))
        else:
            jobs = which_job(counting[:4], experiment) + (" ..." if len(counting) > 4 else "")
            words = f"Withdraw at {at} ({jobs}): number or all, and why?"
            self._ask(words, lambda text: self._withdraw_one(name, counting, text))

    def _withdraw_one(self, name: str, places: list[int], text: str) -> None:
        word, _, reason = text.partition(" ")
        if word.rstrip(":") == "all":
            self._withdrawn(name, places, reason)
        elif word.rstrip(":").isdecimal() and 1 <= int(word.rstrip(":")) <= len(places):
            self._withdrawn(name, [places[int(word.rstrip(":")) - 1]], reason)
        else:
            self.say(f"Nothing withdrawn: begin with the job's number, 1 to {len(places)}, or all, then why.")

    def _withdrawn(self, name: str, places: list[int], reason: str) -> None:
        if reason.strip():
            self._do(RunWithdrawn(name, tuple(places), reason))
        else:
            self.say("Nothing withdrawn: a run is only withdrawn for a reason. d asks again.")

    def _baseline(self) -> None:
        found = self._row_and_jobs()
        if found is None:
            return
        experiment, places = found
        devices = experiment.run[places[0]].devices
        again = experiment.baseline == devices
        self._do(BaselineChosen(experiment.name, "" if again else str(devices)))

    def _cause(self) -> None:
        found = self._row_and_jobs()
        if found is None:
            return
        experiment, places = found
        place = next((at for at in places if experiment.run[at].cause), places[0])
        efficiency = self._table.row.efficiency if self._table.row else None
        if (efficiency is None or efficiency <= 1) and not experiment.run[place].cause:
            shown = "no efficiency" if efficiency is None else f"E = {efficiency:.3f}"
            self.say(f"This row has {shown}; a cause is asked for only where it is above one.")
            return
        words = f"Why is E above one at {counted(experiment.run[place].devices, experiment.counts)}?"

        def write(text: str) -> None:
            self._do(CauseWritten(experiment.name, place, text))

        self._ask(words, write, text=experiment.run[place].cause)

    def _toggle_cover(self) -> None:
        self._covered = not self._covered
        self._show_view(self._view)
        covered = "S, E and cost are covered: work them out, h uncovers."
        self.say(covered if self._covered else self._standing())

    def _next_view(self) -> None:
        """The next view of the plot; with no room for both, the table comes in its turn."""
        last = self._shown == VIEWS[-1]
        if self._plot_fits_below:
            self._shown = VIEWS[(VIEWS.index(self._shown) + 1) % len(VIEWS)]
        elif not self._swapped:
            self._swapped, self._shown = True, VIEWS[0]
        else:
            self._swapped = not last
            self._shown = VIEWS[0] if last else VIEWS[VIEWS.index(self._shown) + 1]
        self._allot()

    def _all_flags(self) -> None:
        if self._view is None:
            return
        if self._covered:
            self.say("Judgements are covered too: h uncovers them.")
            return
        listed = judgements(self._table.row, self._view.table)
        row = self._table.row
        title = f"{row.devices} {self._view.table.counts}" if row else self._view.table.name
        self.app.push_screen(TextScreen(title, listed or ["Nothing to be said of this row."]))

    def _revert_command(self) -> None:
        if self._editor.focused_field is not None:
            self._revert()
        elif self._question.display:
            self._question.drop()

    def _losses(self) -> None:
        self.say("The loss budget needs the stages of each run; it comes with the Limits tab.")

    def _pick(self) -> None:
        places = self._places
        lines = experiment_lines(self._study, places, self._families)
        names = [self._study.experiment[place].name for place in places]
        at = names.index(self._current) if self._current in names else 0
        self.app.push_screen(ExperimentPicker(lines, at), self._picked)

    def _picked(self, at: int | None) -> None:
        places = self._places
        if at is None:
            return
        if at < len(places):
            self._current, self._new_family = self._study.experiment[places[at]].name, None
            self._load_new()
            self._view = None
            self.show_study(self._study)
            self._to_table()
        else:
            self._new_family = self._families[at - len(places)]
            self._declare()

    def _declare(self) -> None:
        experiment, family = self._experiment, self._family
        shown = experiment or Experiment(family, "")
        texts = form_texts(shown, self._study.machine)
        if experiment is None:
            texts["name"] = DEFAULT_NAMES[family]
        title = f"What holds for all runs of this {family} experiment"
        form = ExperimentForm(title, form_fields(family), texts, self._check_form)
        self.app.push_screen(form, self._declared)

    def _event_of(self, texts: Mapping[str, str]) -> ExperimentSet:
        return ExperimentSet(self._family, self._name_for_events, texts)

    def _check_form(self, texts: Mapping[str, str]) -> None:
        fold(self._study, self._event_of(texts))

    def _declared(self, texts: Mapping[str, str] | None) -> None:
        if texts is not None:
            self._do(self._event_of(texts))
        elif self._new_family is not None:
            self._new_family = None
            self.show_study(self._study)

    _commands: ClassVar[dict[str, Callable[[RunsTab], object]]] = {
        "add": _add,
        "withdraw": _withdraw,
        "baseline": _baseline,
        "cause": _cause,
        "cover": _toggle_cover,
        "view": _next_view,
        "flags": _all_flags,
        "losses": _losses,
        "experiments": _pick,
        "declare": _declare,
        "revert": _revert_command,
        "undo": lambda self: self._do(Undone()),
        "redo": lambda self: self._do(Redone()),
    }


def _read_as(key: str, value: Value) -> str:
    """How a text was read: `40.2 40.5 s: 2 steps of one job.`"""
    if key == "times_s":
        shown = " ".join(format_number(time, 6) for time in value[:3]) + (" ..." if len(value) > 3 else "")
        return f"Read as {shown} s" + (f": {len(value)} steps of one job." if len(value) > 1 else ".")
    unit = " GiB" if key == "memory_gib" else ""
    return f"Read as {format_number(value, 9)}{unit}."
