"""What the Limits tab shows: one experiment's steps on pages that v turns."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import ClassVar

from rich.text import Text
from textual.app import ComposeResult

from tui.model.edits import Edit
from tui.model.flags import counted
from tui.model.limits import Asked, Limits, limits_of
from tui.model.run_text import printable_words
from tui.model.stage_edits import stage_names
from tui.model.study import Experiment, Family, Prediction, Run, Study
from tui.study_events import LossesAsked, StudyEvent
from tui.tabs.base import TabPage
from tui.tabs.limits_pages import cost_page, laws_page, losses_page, measured_page, predict_page
from tui.tabs.limits_stages import (
    COVERS,
    Look,
    counts_of,
    hides_forecast,
    path_counts,
    path_page,
    stages_page,
)
from tui.tabs.limits_words import ABOUT, EMPTY, NOTED, STANDING, note, score_words
from tui.tabs.runs_page import TYPE_ON
from tui.widgets.columns import cut
from tui.widgets.lines import Line, MessageLine
from tui.widgets.runs_editor import Question
from tui.widgets.stage_editor import StageEditor
from tui.widgets.stage_lines import PageLines, paragraphs
from tui.widgets.stage_view import StageView
from tui.workspace import Status

FAMILIES: tuple[Family, ...] = ("strong", "weak", "model-size")
"""The families whose steps have stages."""

PAGES: Mapping[str, Callable[[Limits, Look], PageLines]] = {
    "stages": stages_page,
    "path": path_page,
    "laws": laws_page,
    "losses": losses_page,
    "predict": predict_page,
    "measured": measured_page,
    "cost": cost_page,
}
"""The pages in their order."""

_MAKING = "Working out the limits of {} runs ..."
_AT_ONCE = 120
"""Numbers of runs and stages whose limits are worked out while a key waits for it: 20 ms."""


class LimitsPage(TabPage):
    """The Limits tab, as it is shown."""

    HELP_TEXT: ClassVar[str] = ABOUT
    DEFAULT_CSS = """
    LimitsPage #limits-head { height: 1; padding: 0 1; }
    LimitsPage #limits-pages { height: 1; padding: 0 1; }
    LimitsPage #limits-note { height: 2; padding: 0 1; }
    """

    def __init__(self) -> None:
        super().__init__(id="limits")
        self._head = Line("", markup=False, id="limits-head")
        self._strip = Line("", markup=False, id="limits-pages")
        self._message = MessageLine("")
        self._view = StageView()
        self._note = Line("", markup=False, id="limits-note")
        self._editor = StageEditor()
        self._question = Question()
        self._study = Study()
        self._current = ""
        self._limits: Limits | None = None
        self._drawn: dict[tuple[str, Look], PageLines] = {}
        """The pages that were looked at since, and how."""
        self._asked = Asked()
        self._page = "stages"
        self._shifts: Counter[str] = Counter()
        self._count: int | None = None
        """The count of the page of the path; the largest measured one where it is None."""
        self._covered: frozenset[str] = frozenset()
        self._place: int | None = None
        """The run in the edit line; None for a new one."""
        self._go_to: int | None = None
        """The count that the cursor goes to as soon as it has a row."""
        self._scored: set[Prediction] | None = None
        """The locked predictions whose scores are known; None before the first look."""
        self._generation = 0
        self._status = Status(saved=False)
        self._unsaved = ""
        """What was changed last, until it is on the disk."""
        self._news = ""
        """What the change that is being shown has scored."""
        self._covered_news = ""
        """The same while it is covered."""
        self._said = ""
        self._recent: tuple[str, ...] = ()

    def compose(self) -> ComposeResult:
        yield self._head
        yield self._strip
        yield self._message
        yield self._view
        yield self._note
        yield self._editor
        yield self._question

    def on_mount(self) -> None:
        self._question.display = False
        self.watch(self.app, "study", self.show_study)
        self.watch(self.app, "study_status", self._show_status)

    # What is shown -------------------------------------------------------------------------------

    def start_over(self) -> None:
        """Another study was opened: nothing of the one before stays."""
        self._current, self._place, self._unsaved, self._page = "", None, "", "stages"
        self._view.start_over()
        self._editor.load({}, new=True)
        self._look_at("")
        self.show_study(self._study)
        if self._said:
            self.say(self._standing())

    def show_recent(self, lines: Sequence[str]) -> None:
        self._recent = tuple(lines)
        if self._limits is None:
            self._show()

    def cover(self, words: frozenset[str]) -> None:
        """Cover what an exercise asks for until this is called with fewer words.

        Args:
            words: of `COVERS`; others concern other tabs.
        """
        self._covered = words & COVERS
        if self.is_mounted:
            self._show()
        if self._covered_news and not self._forecast_covered:
            self.say(self._covered_news)
            self._covered_news = ""

    def choose(self, table: str) -> None:
        """Bring the experiment of that name to the front."""
        if any(self._study.experiment[at].name == table for at in self._places):
            if table != self._current and self._said:
                self.say(self._standing())
            self._look_at(table)
            self.show_study(self._study)

    def _show_losses(self, event: LossesAsked) -> None:
        """Another tab asks for the losses between two counts."""
        self._look_at(event.experiment)
        self._asked = Asked(beside=event.devices)
        self._page = "losses"
        self.show_study(self._study)
        self.say(self._standing())

    def show_study(self, study: Study | None) -> None:
        """Show what a study holds now."""
        if study is None:
            return
        before = self._run_being_edited
        self._study, self._news = study, ""
        names = [study.experiment[place].name for place in self._places]
        if self._current not in names:
            self._look_at(names[0] if names else "")
        if self._place is not None and self._run_being_edited != before and not self._editor.changed:
            self._place = None
            self._editor.load({}, new=True)
        experiment = self._experiment
        self._editor.call_devices(experiment.counts if experiment else "devices")
        self.call_later(self._editor.fit, stage_names(experiment) if experiment else ())
        self._recompute()

    def _look_at(self, name: str) -> None:
        """Another experiment: its questions are its own."""
        self._current, self._limits, self._asked, self._count, self._scored = name, None, Asked(), None, None
        self._shifts.clear()

    @property
    def _places(self) -> list[int]:
        """The places of the experiments in the study whose steps have stages."""
        return [at for at, each in enumerate(self._study.experiment) if each.family in FAMILIES]

    @property
    def _experiment(self) -> Experiment | None:
        return next(
            (each for each in self._study.experiment if each.name == self._current and self._current), None
        )

    @property
    def _run_being_edited(self) -> Run | None:
        runs = self._experiment.run if self._experiment else ()
        return runs[self._place] if self._place is not None and self._place < len(runs) else None

    def _recompute(self) -> None:
        """Work everything out anew: at once, or on a thread where that would hold up the keys."""
        self._generation += 1
        experiment = self._experiment
        if experiment is None:
            self._limits = None
            self._show()
            return
        make = partial(limits_of, experiment, self._study.machine, self._asked)
        repeated = len({run.devices for run in experiment.run}) < len(experiment.run)
        numbers = len(experiment.run) * (1 + len(stage_names(experiment)))
        if numbers <= _AT_ONCE and not repeated and "numpy" in sys.modules:
            self._take(make(), {})
            return
        if self._limits is None:
            self.say(_MAKING.format(len(experiment.run)))
            self._show()
        work = partial(self._compute, self._generation, make, self._page, self._look)
        self.run_worker(work, thread=True, group="limits")

    def _compute(self, generation: int, make: Callable[[], Limits], page: str, look: Look) -> None:
        if generation == self._generation:
            limits = make()
            self.call_later(self._computed, generation, limits, {(page, look): PAGES[page](limits, look)})

    def _computed(self, generation: int, limits: Limits, drawn: dict[tuple[str, Look], PageLines]) -> None:
        if generation == self._generation:
            self._take(limits, drawn)

    def _take(self, limits: Limits, drawn: dict[tuple[str, Look], PageLines]) -> None:
        self._limits, self._drawn = limits, drawn
        if self._count not in path_counts(limits):
            self._count = None
        self._show()
        if self._said == _MAKING.format(len(limits.experiment.run)):
            self.say(self._standing())
        if self._go_to is not None and self._go_to in counts_of(limits):
            self._view.go_to(counts_of(limits).index(self._go_to))
            self._go_to = None
        self._tell_scores(limits)

    def _tell_scores(self, limits: Limits) -> None:
        """Say of a locked prediction whose run has just come how right it was."""
        known: set[Prediction] = set()
        news = []
        for each in limits.locked:
            if each.score is None or each.superseded:
                continue
            known.add(each.prediction)
            if self._scored is not None and each.prediction not in self._scored:
                news.append(score_words(each.prediction, each.score))
        self._scored = known
        if news and self._forecast_covered:
            self._covered_news = " ".join(news)
            news = ["A locked prediction has its score; it is covered."]
        if news and self._unsaved:
            self._unsaved += f" {' '.join(news)}"
            self._show_status(self._status)
        elif news:
            self._news = " ".join(news)
            self.say(self._news)

    # The page ------------------------------------------------------------------------------------

    @property
    def _width(self) -> int:
        return max(20, self.app.size.width)

    @property
    def _forecast_covered(self) -> bool:
        return self._limits is not None and hides_forecast(self._limits, self._look)

    @property
    def _look(self) -> Look:
        return Look(self._width, self._shifts[self._page], self._count, self._covered)

    def _show(self) -> None:
        """Draw the page in front."""
        self._show_heading()
        self._editor.display = self._page == "stages" and not self._question.display
        self._note.display = self._page in NOTED and self._limits is not None
        if self._limits is None:
            sentences = [*EMPTY] if self._experiment is None else []
            if self._recent and sentences:
                sentences += ["", "Lately, ctrl+o opens:", *(f"  {line}" for line in self._recent)]
            self._view.show(PageLines(tuple(paragraphs(sentences, self._width))), "")
            return
        key = self._page, self._look
        if key not in self._drawn:
            self._drawn[key] = PAGES[self._page](self._limits, self._look)
        self._view.show(self._drawn[key], self._page)
        self._show_note()

    def _show_heading(self) -> None:
        experiment, width = self._experiment, self._width - 2
        places = self._places
        if experiment is None:
            self._head.show("No experiment yet: the first stage or run makes one.")
        else:
            here = [self._study.experiment[place].name for place in places].index(experiment.name)
            name = printable_words(experiment.name) + (
                f" ({here + 1} of {len(places)}, e)" if places[1:] else ""
            )
            base = self._limits.rows.baseline if self._limits else None
            tail = f" · {experiment.family}" + (
                f" · D0 = {counted(base.devices, experiment.counts)}" if base else " · no D0"
            )
            self._head.show(cut(name, max(10, width - len(tail))) + tail)
        strip = Text(no_wrap=True)
        for page in PAGES:
            strip.append(
                f"[{page}] " if page == self._page else f"{page} ", "bold" if page == self._page else "dim"
            )
        strip.append(" v, V turn", "dim")
        self._strip.show(strip)

    def _show_note(self) -> None:
        limits = self._limits
        if limits is None or self._page not in NOTED:
            return
        said = note(self._page, limits, self._view.cursor, self._look)
        rows = Text(said).wrap(self.app.console, self._width - 2)
        height = max(1, min(len(rows), 3))
        self._note.show("\n".join(str(row).rstrip() for row in rows[:height]))
        if self._note.styles.height is None or self._note.styles.height.value != height:
            self._note.styles.height = height

    def _turn_to(self, page: str) -> None:
        self._page = page
        self._show()
        if self._has_focus or self.screen.focused is None:
            self.screen.set_focus(self._view)
        self.say(self._standing())

    @property
    def _has_focus(self) -> bool:
        """Whether the focus is in here; in an exercise it may be in the guide, which keeps it."""
        focused = self.screen.focused
        return focused is not None and self in focused.ancestors

    def on_resize(self) -> None:
        self._show()

    # Messages ------------------------------------------------------------------------------------

    def say(self, sentence: str) -> None:
        self._said = sentence
        self._message.say(sentence)

    def focus_first(self) -> None:
        # Not into the edit line: letters and digits act, so that 2 goes back to the tables.
        self.screen.set_focus(self._view)
        if not self._said:
            self.say(self._standing())

    def _standing(self) -> str:
        if self._editor.focused_field is not None:
            return TYPE_ON
        if self._experiment is None:
            return "Press n to name a stage, a to type a count; ctrl+o opens a study."
        return STANDING[self._page]

    def settled(self, edit: Edit, event: StudyEvent) -> None:
        """An event of this tab has changed the study, or another tab asks for the losses of a row."""
        if isinstance(event, LossesAsked):
            self._show_losses(event)
            return
        self._unsaved = f"{edit.said} {self._news}".rstrip()
        if edit.experiment and edit.experiment != self._current:
            self._look_at(edit.experiment)
            self.show_study(self._study)
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
