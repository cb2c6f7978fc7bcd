"""Tab 4: what a person does with the stages of a step, its laws, its losses and its predictions."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timezone
from typing import ClassVar

from textual import on

from tui.files.report_numbers import shown
from tui.model.edits import EditError, fold
from tui.model.flags import counted
from tui.model.numerals import quoted
from tui.model.path import NoPath
from tui.model.predict import Forecast
from tui.model.run_text import read_value
from tui.model.score import alternatives
from tui.model.stage_edits import STAGE_FIELDS, stage_texts, with_next_law
from tui.study_events import (
    PredictionLocked,
    Redone,
    StageRemoved,
    StageSet,
    Undone,
)
from tui.tabs.experiment_screen import ExperimentForm, ExperimentPicker
from tui.tabs.limits_line import LimitsLine
from tui.tabs.limits_page import PAGES
from tui.tabs.limits_stages import hides_forecast, path_counts, shown_count
from tui.tabs.limits_words import assumed_words
from tui.tabs.runs_words import experiment_lines
from tui.widgets.stage_lines import sentence
from tui.widgets.stage_view import StageView

_STAGE_PAGES = ("path", "laws")
"""Pages whose rows are stages."""
_LARGEST = 1 << 40
"""Where doubling the predicted count ends."""


def _now() -> datetime:
    return datetime.now(timezone.utc)


class LimitsTab(LimitsLine):
    """Tab 4: where the time of a step went, and what limits next.

    Args:
        now: gives the date of a locked prediction, an aware time.
    """

    def __init__(self, now: Callable[[], datetime] = _now) -> None:
        super().__init__()
        self._now = now

    # Commands ------------------------------------------------------------------------------------

    def run_command(self, command_id: str) -> None:
        action = self._commands.get(command_id)
        if action is not None:
            action(self)

    @on(StageView.Chosen)
    def _choose(self) -> None:
        if self._page == "stages":
            self._edit_count()
        elif self._page in _STAGE_PAGES:
            self._change_stage()

    @on(StageView.Highlighted)
    def _other_row(self) -> None:
        self._show_note()

    @on(StageView.Sideways)
    def _sideways(self, event: StageView.Sideways) -> None:
        """Left and right: another count where the page is about one, else other columns."""
        limits = self._limits
        if limits is None:
            return
        if self._page == "path":
            self._count = _next_in(path_counts(limits), shown_count(limits, self._count), event.by)
            self._show()
        elif self._page == "losses":
            self._step_pair(event.by)
        elif self._page == "predict" and limits.predicted is not None:
            doubled = limits.predicted * 2 if event.by > 0 else max(1, limits.predicted // 2)
            self._predict(min(doubled, _LARGEST))
        else:
            self._shift(event.by)

    def _shift(self, by: int) -> None:
        shift = max(0, self._shifts[self._page] + by)
        if by < 0 or self._view.more:
            self._shifts[self._page] = shift
            self._show()

    def _step_pair(self, by: int) -> None:
        limits = self._limits
        if limits is None or limits.pair is None:
            return
        first, second = limits.pair
        later = [point.devices for point in limits.steps.points if point.devices > first]
        found = _next_in(later, second, by)
        if found is not None:
            self._asked = replace(self._asked, pair=(first, found))
            self._recompute()

    def _turn(self, by: int) -> None:
        pages = list(PAGES)
        self._turn_to(pages[(pages.index(self._page) + by) % len(pages)])

    def _revert_command(self) -> None:
        if self._editor.focused_field is not None:
            self._revert()
        elif self._question.display:
            self._question.drop()

    def _pick(self) -> None:
        places = self._places
        if not places:
            self.say("There is no experiment yet: n names its first stage, and that makes one.")
            return
        names = [self._study.experiment[place].name for place in places]
        at = names.index(self._current) if self._current in names else 0
        self.app.push_screen(ExperimentPicker(experiment_lines(self._study, places, ()), at), self._picked)

    def _picked(self, at: int | None) -> None:
        if at is not None and at < len(self._places):
            self._look_at(self._study.experiment[self._places[at]].name)
            self._load_new()
            self.show_study(self._study)
            self._to_view()

    # Stages --------------------------------------------------------------------------------------

    def _stage_here(self) -> str:
        """The stage under the cursor; empty, with a sentence, where there is none."""
        names = [stage.name for stage in self._limits.steps.stages] if self._limits else []
        if not names:
            self.say("There is no stage yet: n names the first.")
            return ""
        if self._page not in _STAGE_PAGES:
            self._turn_to("laws")
            self.say("Choose the stage here with up and down, then press that key again.")
            return ""
        return names[self._view.cursor]

    def _new_stage(self) -> None:
        self._open_form("")

    def _change_stage(self) -> None:
        name = self._stage_here()
        if name:
            self._open_form(name)

    def _open_form(self, name: str) -> None:
        experiment = self._experiment
        texts = stage_texts(experiment, name) if experiment else {}

        def event(fields: Mapping[str, str]) -> StageSet:
            return StageSet(self._family, self._current, name, fields)

        def check(fields: Mapping[str, str]) -> None:
            fold(self._study, event(fields))

        def taken(fields: Mapping[str, str] | None) -> None:
            if fields is not None:
                self._do(event(fields))

        title = f"The stage {name}" if name else "A new stage of the step"
        self.app.push_screen(ExperimentForm(title, STAGE_FIELDS, texts, check), taken)

    def _next_law(self) -> None:
        name, experiment = self._stage_here(), self._experiment
        if name and experiment is not None:
            texts = with_next_law(stage_texts(experiment, name))
            self._do(StageSet(self._family, self._current, name, texts))

    def _remove_stage(self) -> None:
        name = self._stage_here()
        if name:
            removed = StageRemoved(self._current, name)
            words = f"Remove {name} and its seconds at every count? Enter removes, Esc does not"
            self._ask(words, lambda _: self._do(removed))

    # Losses and predictions ----------------------------------------------------------------------

    def _losses(self) -> None:
        self._turn_to("losses")
        pair = self._limits.pair if self._limits else None
        if pair is not None:
            self._ask("Losses from which count to which?", self._losses_between, f"{pair[0]} {pair[1]}")

    def _losses_between(self, text: str) -> None:
        counts = [int(each) for each in re.findall(r"[0-9]{1,12}", text)]
        if len(counts) != 2:
            self.say(f"Losses: read {quoted(text)}, expected two counts, like 8 32.")
            return
        self._asked = replace(self._asked, pair=(counts[0], counts[1]))
        self._recompute()
        self.say(self._standing())

    def _ask_count(self) -> None:
        limits = self._limits
        if limits is None or limits.predicted is None:
            self.say("Nothing is measured yet: a types a count and its stages.")
            return
        now = str(limits.predicted)
        pair = " ".join(map(str, limits.instead.through or ()))
        rules = f" ({now} {pair}: the rules through those)" if pair else ""
        self._turn_to("predict")
        self._ask(f"Predict which count?{rules}", self._predict_text, now)

    def _predict_text(self, text: str) -> None:
        """A count, perhaps with two more that the rules without stages go through."""
        counts = re.findall(r"[0-9]{1,12}", text)
        pair = (int(counts[1]), int(counts[2])) if len(counts) == 3 else None
        try:
            devices = int(counts[0]) if pair else int(read_value("devices", text))
            if self._limits is not None:
                alternatives(self._limits.steps, devices, pair)
        except EditError as error:
            self.say(error.sentence)
        except NoPath as error:
            self.say(sentence(str(error)))
        else:
            self._asked = replace(self._asked, through=pair)
            self._predict(devices)
            self.say(self._standing())

    def _predict(self, devices: int) -> None:
        self._asked = replace(self._asked, devices=devices)
        self._recompute()

    def _lock(self) -> None:
        limits = self._limits
        if limits is None or isinstance(limits.forecast, str):
            why = (
                limits.forecast if limits and isinstance(limits.forecast, str) else "no count is measured yet"
            )
            self.say(f"Nothing to lock. {sentence(why)}")
            return
        made = limits.forecast
        self._turn_to("predict")
        what = "this prediction" if hides_forecast(limits, self._look) else f"{shown(made.time)} s"
        words = f"Lock {what} at {counted(made.devices, limits.steps.of)} for good?{assumed_words(made)}"
        words += " Enter: yes, Esc: no"
        self._ask(words, lambda _: self._locked(made))

    def _locked(self, made: Forecast) -> None:
        moment = self._now().isoformat(timespec="seconds")
        self._do(PredictionLocked(self._current, str(made.devices), moment))

    _commands: ClassVar[dict[str, Callable[[LimitsTab], object]]] = {
        "add": LimitsLine._add,
        "view": lambda self: self._turn(1),
        "view-back": lambda self: self._turn(-1),
        "experiments": _pick,
        "losses": _losses,
        "stage": _new_stage,
        "drop-stage": _remove_stage,
        "law": _next_law,
        "predict": _ask_count,
        "lock": _lock,
        "revert": _revert_command,
        "undo": lambda self: self._do(Undone()),
        "redo": lambda self: self._do(Redone()),
    }


def _next_in(counts: Sequence[int], here: int | None, by: int) -> int | None:
    """The count before or after one, the nearest where it is not among them."""
    if not counts:
        return here
    at = counts.index(here) if here in counts else len(counts) - 1
    return counts[max(0, min(at + by, len(counts) - 1))]
