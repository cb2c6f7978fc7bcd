"""Tabs 2 and 3: what a person does with measured runs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

from textual import on
from textual.events import Paste
from textual.widgets import Input

from tui.events import Event
from tui.files.drafts import Draft
from tui.model.edits import Edit, EditError, fold
from tui.model.experiment_text import DEFAULT_NAMES, form_fields, form_texts
from tui.model.flags import counted
from tui.model.pasted import count_rows, looks_like_rows
from tui.model.run_text import run_texts
from tui.model.study import Experiment, Family
from tui.study_events import (
    BaselineChosen,
    CauseWritten,
    ExperimentSet,
    LineDropped,
    LineLeft,
    LossesAsked,
    Redone,
    RunCommitted,
    RunsPasted,
    RunWithdrawn,
    StudyEvent,
    Undone,
)
from tui.tabs.experiment_screen import ExperimentForm, ExperimentPicker
from tui.tabs.runs_page import STILL_COVERED, TYPE_ON, RunsPage
from tui.tabs.runs_words import READ_AS, echo, experiment_lines, jobs_of, which_job
from tui.tabs.text_screen import TextScreen
from tui.widgets.columns import COVER
from tui.widgets.did import Did
from tui.widgets.efficiency_table import EfficiencyTable
from tui.widgets.runs_editor import LineInput, Question, RunsEditor

_FORM = "form"
"""In the place of a run: the form of the experiment was being filled in."""
_WITHDRAWS = "Enter withdraws it and keeps it in the file"


class RunsTab(RunsPage):
    """One tab of measured runs: strong, weak with model sizes in its picker, or runs towards a target."""

    SELF_TESTED: ClassVar[str] = "S, E and cost are covered: work them out, h uncovers."
    """What a self-test says."""
    JOB: ClassVar[str] = "job"
    """What one run of a row is called."""

    def __init__(self, family: Family) -> None:
        super().__init__(family)
        self._answer: Callable[[str], None] = self.say
        self._retreat: Callable[[], None] = self._to_table
        self._form_offered = False
        """Whether the form that is open was brought back from an earlier program."""

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

    def uncommitted(self) -> list[Event]:
        if self._editor.changed:
            return [self._line_left()]
        form = self.app.screen
        if isinstance(form, ExperimentForm) and form.changed:
            return [LineLeft(f"{self.id}|{self._family} {_FORM}|{self._name_for_events}", form.texts)]
        return []

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
            form_of = next((each for each in self._families if place == f"{each} {_FORM}"), None)
            if form_of is not None:
                self._new_family = None if name and self._current == name else form_of
                self._form_offered = True
                self.call_later(self._declare, draft.fields)
                return
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
        if isinstance(field, LineInput) and field.has_focus:
            said = echo(field.key, field.value)
            if said is not None:
                self.say(f"{said} {TYPE_ON}" if said.startswith(READ_AS) else said or TYPE_ON)

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
        words = f"Add {rows} row{'s' if rows != 1 else ''}?"
        self._ask(words, lambda text: self._do(paste), "Enter adds them", self._editor.focus_field)

    # Commands ------------------------------------------------------------------------------------

    def run_command(self, command_id: str) -> None:
        action = self._commands.get(command_id)
        if action is not None:
            action(self)

    def _ask(
        self,
        words: str,
        answer: Callable[[str], None],
        enter: str,
        retreat: Callable[[], None] | None = None,
        text: str = "",
    ) -> None:
        """Ask something in the place of the edit line; the message line says what the keys do."""
        self._answer, self._retreat = answer, retreat or self._to_table
        self._editor.display = False
        self._question.ask(words, text)
        self.say(f"{enter}; Esc or ctrl+r: nothing changes.")

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
        self._show_caption()

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
            words = f"Withdrawn, {at}: why?"
            enter = "Enter takes the reason, none: the run counts again"
            self._ask(words, lambda text: self._do(RunWithdrawn(name, tuple(places), text)), enter, text=gone)
        elif len(counting) == 1:
            self._ask(f"Withdraw {at}: why?", lambda text: self._withdrawn(name, counting, text), _WITHDRAWS)
        else:
            jobs = which_job(counting[:4], experiment) + (" ..." if len(counting) > 4 else "")
            words = f"Withdraw at {at} ({jobs}): number or all, and why?"
            self._ask(words, lambda text: self._withdraw_one(name, counting, text), _WITHDRAWS)

    def _withdraw_one(self, name: str, places: list[int], text: str) -> None:
        word, _, reason = text.partition(" ")
        if word.rstrip(":") == "all":
            self._withdrawn(name, places, reason)
        elif word.rstrip(":").isdecimal() and 1 <= int(word.rstrip(":")) <= len(places):
            self._withdrawn(name, [places[int(word.rstrip(":")) - 1]], reason)
        else:
            which = f"the {self.JOB}'s number, 1 to {len(places)}, or all"
            self.say(f"Nothing withdrawn: begin with {which}, then why.")

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
        if experiment.family == "model-size":
            self.say("Model sizes have no baseline: they are not compared with each other.")
            return
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
        at = counted(experiment.run[place].devices, experiment.counts)
        words = f"Why is E above one at {at}?"
        if (efficiency is None or efficiency <= 1) and not experiment.run[place].cause:
            # Asked all the same: what is typed next would else run as commands.
            shown = "no E" if efficiency is None else f"E = {efficiency:.3f}"
            shown = f"E = {COVER}" if "efficiency" in self._covered else shown
            words = f"{at}: {shown}; asked only above one. A cause all the same?"

        def write(text: str) -> None:
            self._do(CauseWritten(experiment.name, place, text))

        self._ask(words, write, "Enter writes the cause", text=experiment.run[place].cause)

    def _toggle_cover(self) -> None:
        self._self_test = not self._self_test
        self._show_exhibit(self._exhibit)
        if self._self_test:
            self.say(self.SELF_TESTED)
        else:
            self.say(STILL_COVERED if self._covered else self._standing())

    def _next_view(self) -> None:
        """The next view of the plot; with no room for both, the table comes in its turn."""
        views, shown = self._exhibit.views if self._exhibit else (), self._view_name
        if not views:
            self.say("There is nothing to plot here.")
            return
        last = shown == views[-1]
        if self._plot_fits_below:
            self._shown = views[(views.index(shown) + 1) % len(views)]
        elif not self._swapped:
            self._swapped, self._shown = True, views[0]
        else:
            self._swapped = not last
            self._shown = views[0] if last else views[views.index(shown) + 1]
        self._allot()

    def _all_flags(self) -> None:
        if self._exhibit is None:
            return
        row = self._table.row
        listed = self._exhibit.judgements(row, self._covered)
        said = listed or ["Nothing to be said of this row."]
        self.app.push_screen(TextScreen(self._exhibit.title(row), said))

    def _revert_command(self) -> None:
        if self._editor.focused_field is not None:
            self._revert()
        elif self._question.display:
            self._question.drop()

    def _losses(self) -> None:
        """The Limits tab shows where the time between D0 and this row was lost."""
        found = self._row_and_jobs()
        if found is not None:
            experiment, places = found
            self._do(LossesAsked(experiment.name, experiment.run[places[0]].devices))

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
            self._load_new()
            self.choose(self._study.experiment[places[at]].name)
            self._to_table()
        else:
            self._new_family = self._families[at - len(places)]
            self._declare()

    def _declare(self, typed: Mapping[str, str] | None = None) -> None:
        experiment, family = self._experiment, self._family
        shown = experiment or Experiment(family, "")
        texts = form_texts(shown, self._study.machine)
        if experiment is None:
            texts["name"] = DEFAULT_NAMES[family]
        title = f"What holds for all runs of this {family} experiment"
        form = ExperimentForm(title, form_fields(family), {**texts, **(typed or {})}, self._check_form)
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
        if self._form_offered:
            self._form_offered = False
            self._do(LineDropped())

    _commands: ClassVar[dict[str, Callable[[Any], object]]] = {
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
