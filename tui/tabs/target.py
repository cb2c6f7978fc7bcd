"""Tab 5: time, work and device-hours to a quality target."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, ClassVar

from tui.model.study import Experiment
from tui.model.target import LEAST, SUMMARIES, Summary
from tui.tabs.exhibit import Exhibit
from tui.tabs.runs import RunsTab
from tui.tabs.target_exhibit import TargetExhibit


class TargetTab(RunsTab):
    """Tab 5: runs towards a quality target, a row for each configuration and its seeds."""

    HELP_TEXT: ClassVar[str] = (
        "How long until the same quality is reached? Each run is one training with one seed: a count D of"
        " devices, the global batch, and either the seconds to the target or the updates that were needed and"
        " the seconds of one. Runs of one count, batch, schedule and label form a row.\n\n"
        "system E is what the steps do: work per device and second, against the baseline D0. infl. is the"
        " work to the target against the baseline's: a larger batch often needs more of it. target E is the"
        " speedup to the target over D/D0, and exactly system E ÷ infl. weak E is what the weak table of the"
        " study (tab 3) has for the same pair: a fast step is no promise to reach the target sooner.\n\n"
        "A seed that did not reach the target (no under reached) ranks as infinite: it is never dropped and"
        " never a time. m changes the summary over the seeds: median, mean, or the olympic mean of MLPerf,"
        " which drops the fastest and the slowest. W/T is the summary of the work over the summary of the"
        " time. upd./M: updates for a million units of work. device-h: devices times hours to the target."
        "\n\n"
        "Enter on a row puts its first run into the edit line, up and down there go to the next; Enter"
        " commits, Esc or ctrl+r goes back. Every committed run is on disk when the message line says saved;"
        " u takes it back."
    )
    EXHIBIT: ClassVar[type[Exhibit]] = TargetExhibit
    SELF_TESTED: ClassVar[str] = "All that follows from the runs is covered: work it out, h uncovers."
    STANDING: ClassVar[str] = "Enter edits, a adds, m: another summary, F1: all keys."
    JOB: ClassVar[str] = "run"

    def __init__(self) -> None:
        super().__init__("target")
        self._summary: Summary = "median"

    def start_over(self) -> None:
        self._summary = "median"
        super().start_over()

    def _maker(self, experiment: Experiment) -> Callable[[], Exhibit]:
        return partial(TargetExhibit, experiment, self._study, self._summary)

    def _next_summary(self) -> None:
        names = list(SUMMARIES)
        self._summary = names[(names.index(self._summary) + 1) % len(names)]
        self.show_study(self._study)
        least = LEAST[self._summary]
        needs = f"; it needs {least} seeds" if least > 1 else ""
        self.say(f"Now the {SUMMARIES[self._summary]}{needs}. m: the next.")

    _commands: ClassVar[dict[str, Callable[[Any], object]]] = {
        **{
            name: action
            for name, action in RunsTab._commands.items()
            if name not in ("cause", "losses", "view")
        },
        "summary": _next_summary,
    }
