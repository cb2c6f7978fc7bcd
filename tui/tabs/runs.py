"""Tabs 2 and 3: what a person does with measured runs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

from textual import on
from textual.events import Paste

from tui.events import Event
from tui.files.drafts import Draft
from tui.model.edits import fold
from tui.model.experiment_text import DEFAULT_NAMES, form_fields, form_texts
from tui.model.flags import counted
from tui.model.pasted import count_rows, looks_like_rows
from tui.model.study import Experiment, Family
from tui.study_events import (
    BaselineChosen,
    CauseWritten,
    ExperimentSet,
    LineDropped,
    LineLeft,
    LossesAsked,
    Redone,
    RunsPasted,
    RunWithdrawn,
    Undone,
)
from tui.tabs.experiment_screen import ExperimentForm, ExperimentPicker
from tui.tabs.runs_line import RunsLine
from tui.tabs.runs_page import STILL_COVERED, TYPE_ON
from tui.tabs.runs_words import experiment_lines, jobs_of, which_job
from tui.tabs.text_screen import TextScreen
from tui.widgets.columns import COVER
from tui.widgets.efficiency_table import EfficiencyTable
from tui.widgets.runs_editor import LineInput, Question

_FORM = "form"
"""In the place of a run: the form of the experiment was being filled in."""
_WITHDRAWS = "Enter withdraws it and keeps it in the file"


class RunsTab(RunsLine):
    """One tab of measured runs: strong, weak with model sizes in its picker, or runs towards a target."""

    SELF_TESTED: ClassVar[str] = "S, E and cost are covered: work them out, h uncovers."
    """What a self-test says."""

    def __init__(self, family: Family) -> None:
        super().__init__(family)
        self._answer: Callable[[str], None] = self.say
        self._retreat: Callable[[], None] = self._to_table
        self._form_offered = False
        """Whether the form that is open was brought back from an earlier program."""

    # Lines that were left --------------------------------------------------------------------------

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
