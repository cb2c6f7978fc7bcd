"""The Limits tab's edit line: counts typed, loaded, committed, kept while they are typed, and pasted."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from textual import on
from textual.events import Paste
from textual.widget import Widget
from textual.widgets import Input

from tui.events import Event
from tui.files.drafts import Draft
from tui.model.edits import Edit, EditError
from tui.model.flags import counted
from tui.model.pasted import count_rows, looks_like_rows
from tui.model.quantity import format_number
from tui.model.run_text import read_value
from tui.model.stage_edits import line_texts, read_field
from tui.study_events import (
    LineDropped,
    LineLeft,
    PredictionLocked,
    RunsPasted,
    StagesCommitted,
    StudyEvent,
)
from tui.tabs.limits_page import LimitsPage
from tui.tabs.limits_stages import counts_of
from tui.tabs.runs_page import TYPE_ON
from tui.widgets.did import Did
from tui.widgets.runs_editor import LineInput, Question, RunsEditor


class LimitsLine(LimitsPage):
    """The tab with what is done in its edit line, and a question that may stand in its place."""

    def __init__(self) -> None:
        super().__init__()
        self._answer: Callable[[str], None] = self.say
        self._back_to: Widget = self._view
        """Where the focus goes when a question is done with."""

    def _do(self, event: Event) -> None:
        self.post_message(Did(event))

    def _to_view(self) -> None:
        self.screen.set_focus(self._view)
        self.say(self._standing())

    @property
    def _family(self) -> str:
        return self._experiment.family if self._experiment else "strong"

    # The edit line -------------------------------------------------------------------------------

    def _add(self) -> None:
        self._turn_to("stages")
        self._load_new()
        self._editor.focus_field()
        wanted = not self._editor.has_stages and not self.screen.has_class("-exercise")
        stages = " No stage yet: Esc, then n names one." if wanted else ""
        self.say(f"A new count: {TYPE_ON}{stages}")

    def _edit_count(self) -> None:
        limits, experiment = self._limits, self._experiment
        counts = counts_of(limits) if limits else []
        if not counts or experiment is None:
            self._add()
            return
        places = self._jobs(counts[self._view.cursor])
        if places:
            self._load_place(places[0])

    def _jobs(self, devices: int) -> list[int]:
        """The places of a count's runs, those that count first."""
        runs = self._experiment.run if self._experiment else ()
        places = [at for at, run in enumerate(runs) if run.devices == devices]
        return sorted(places, key=lambda at: bool(runs[at].withdrawn))

    def _load_place(self, place: int) -> None:
        experiment = self._experiment
        assert experiment is not None
        self._place = place
        self._editor.load(line_texts(experiment.run[place]), new=False)
        self._editor.focus_field(self._editor.focused_field.key if self._editor.focused_field else "devices")
        run = experiment.run[place]
        jobs = self._jobs(run.devices)
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
            self.say(
                "Nothing is typed yet: the count, Tab, the step's seconds, Tab, those of each stage, Enter."
            )
        elif self._place is not None and not self._editor.changed:
            self._load_new()
            self._to_view()
        else:
            self._do(StagesCommitted(self._family, self._current, self._place, texts))

    def settled(self, edit: Edit, event: StudyEvent) -> None:
        if isinstance(event, StagesCommitted):
            added = self._place is None
            self._load_new()
            self._go_to = int(read_value("devices", event.fields["devices"]))
            if added:
                self._editor.focus_field()
            else:
                self.screen.set_focus(self._view)
        if isinstance(event, PredictionLocked) and self._forecast_covered:
            edit = replace(edit, said="Locked. It is scored when its run is entered.")
        super().settled(edit, event)
        if self._go_to is not None and self._limits is not None and self._go_to in counts_of(self._limits):
            self._view.go_to(counts_of(self._limits).index(self._go_to))
            self._go_to = None

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
        if self._limits is None or self._experiment is None:
            return
        order = [place for devices in counts_of(self._limits) for place in self._jobs(devices)]
        at = order.index(self._place) + by if self._place in order else (0 if by > 0 else len(order) - 1)
        if 0 <= at < len(order):
            self._load_place(order[at])

    def _revert(self) -> None:
        """Give the line up; without a change in it, only leave it."""
        if self._editor.changed:
            self._do(LineDropped())
        self._load_new()
        self._to_view()

    @on(RunsEditor.Left)
    def _keep(self) -> None:
        if self._editor.has_news:
            self._do(self._line_left())

    def _line_left(self) -> LineLeft:
        place = "new" if self._place is None else str(self._place)
        return LineLeft(f"{self.id}|{place}|{self._current}", self._editor.texts)

    def uncommitted(self) -> list[Event]:
        return [self._line_left()] if self._editor.changed else []

    def offer(self, drafts: Sequence[Draft]) -> None:
        """Bring back the line that was being typed when a program ended."""
        for draft in drafts:
            tab, _, rest = draft.where.partition("|")
            place, _, name = rest.partition("|")
            if tab == self.id and draft.fields and not self._editor.changed:
                self.choose(name)
                # The fields of its stages stand only when the line has been fitted to them.
                self.call_later(self._bring_back, draft.fields, place)
                return

    def _bring_back(self, fields: Mapping[str, str], place: str) -> None:
        runs = self._experiment.run if self._experiment else ()
        known = place.isdigit() and int(place) < len(runs)
        self._turn_to("stages")
        self._place = int(place) if known else None
        self._editor.load(fields, new=not known, as_typed=True)
        self._editor.focus_field()
        typed = " ".join(fields.values())[:40]
        self.say(f"This line was typed and not committed: {typed}. Enter commits it, Esc drops it.")

    @on(Input.Changed)
    def _echo(self, event: Input.Changed) -> None:
        """Say how the text is read while it is typed."""
        field = event.input
        if not isinstance(field, LineInput) or not field.has_focus or field.key == "answer":
            return
        if not field.value.strip():
            self.say(TYPE_ON)
            return
        try:
            value = read_field(field.key, field.value)
        except EditError as error:
            self.say(error.sentence)
        else:
            values = value if isinstance(value, tuple) else (value,)
            unit = "" if field.key == "devices" else " s"
            read = " ".join(format_number(each, 6) for each in values[:3]) + (" ..." if values[3:] else "")
            self.say(f"Read as {read}{unit}. {TYPE_ON}")

    # Rows pasted ---------------------------------------------------------------------------------

    def on_paste(self, event: Paste) -> None:
        """Rows pasted while the page has the focus go in at once: undo takes them back."""
        if looks_like_rows(event.text):
            event.stop()
            self._do(RunsPasted(self._family, self._current, event.text))

    @on(LineInput.RowsPasted)
    def _ask_rows(self, event: LineInput.RowsPasted) -> None:
        rows = count_rows(event.text)
        paste = RunsPasted(self._family, self._current, event.text)
        self._ask(
            f"Add {rows} row{'s' if rows != 1 else ''}? Enter adds, Esc does not", lambda _: self._do(paste)
        )

    # Questions -----------------------------------------------------------------------------------

    def _ask(self, words: str, answer: Callable[[str], None], text: str = "") -> None:
        self._answer = answer
        focused = self.screen.focused
        self._back_to = self._view if focused is None or self._has_focus else focused
        self._editor.display = False
        self._question.ask(words, text)

    @on(Question.Answered)
    def _answered(self, event: Question.Answered) -> None:
        self._show()
        self._go_back()
        self._answer(event.text)

    @on(Question.Dropped)
    def _dropped(self) -> None:
        self._show()
        self._go_back()
        self.say(self._standing())

    def _go_back(self) -> None:
        self.screen.set_focus(self._back_to if self._back_to.is_attached else self._view)
