"""The words around the pages of the Limits tab: what it is for, what a key does, what a row means."""

from __future__ import annotations

from collections.abc import Mapping

from tui.files.report_numbers import error_of, shown
from tui.model.laws import exact
from tui.model.limits import Limits
from tui.model.predict import Forecast
from tui.model.run_text import printable_words
from tui.model.score import Score
from tui.model.study import Prediction
from tui.tabs.limits_pages import law_note
from tui.tabs.limits_stages import Look, count_note, counts_of

ABOUT = (
    "Where the time of a step went. A step is made of stages with exposed seconds at each count. A stage"
    " comes after others; the longest chain is the path, and its seconds are the step. What lies beside"
    " it has slack: the seconds by which it may grow before the step does. Stages without any such edge"
    " are one chain.\n\n"
    "v turns the pages: stages by count, the path of one count, the law of each stage, the losses"
    " between two counts, the prediction of another count, which parts were measured, and what a count"
    " costs. The limit is the largest stage on the path; where a stage was not measured it is unknown."
    " rest is the measured step less its path.\n\n"
    "On the page of stages Enter loads a count into the line at the bottom, Enter there commits, Esc or"
    " ctrl+r goes back. These are the runs of the Strong or Weak tab. A stage whose field is empty was"
    " not measured; write 0 where it took no time.\n\n"
    "A law says how a stage goes with the count D: split a/D, fixed a, ring, per-doubling and others; g"
    " chooses the next one. k locks a prediction with its date: it is never edited or taken back, a"
    " later one for the same count supersedes it, and it is scored when the run is entered."
)

STANDING: Mapping[str, str] = {
    "stages": "Enter edits this count, a adds one, n adds a stage; v: next page; F1: keys.",
    "path": "left, right: other counts; Enter changes this stage, n adds one, x removes it.",
    "laws": "g: the next law for this stage; Enter: its form; left, right: other counts.",
    "losses": "left, right: another larger count; l asks for both.",
    "predict": "p: another count (left half, right double); k locks this prediction.",
    "measured": "A stage of that name fills a row: n adds it, then its seconds at each count.",
    "cost": "left, right: other columns; v: next page.",
}
"""What the keys do on each page."""

EMPTY = (
    "Limits: where the time of a step went, and what limits next. No run here yet.",
    "",
    "n names a stage: compute, then communication, input, bubble, host ... with its law and what it comes"
    " after.",
    "a then types a count: the count, Tab, its step seconds, Tab, the seconds of each stage; Enter.",
    "It is the same run that the Strong or Weak tab shows; ctrl+o opens a study.",
)
"""What the tab says where there is no experiment yet."""

NOTED = ("stages", "laws")
"""Pages with a sentence for the row under the cursor."""


def note(page: str, limits: Limits, row: int, look: Look) -> str:
    """What is to be said of the row under the cursor."""
    if page == "stages":
        counts = counts_of(limits)
        return count_note(limits, counts[row], look) if counts else "No run yet: a types one."
    names = [stage.name for stage in limits.steps.stages]
    return law_note(limits, names[row], look) if names else ""


def assumed_words(made: Forecast) -> str:
    """Which stages have no chosen law, for the question before a prediction is locked; else nothing."""
    names = [printable_words(name) for name, law in made.fits.items() if law.assumed]
    return f" No law chosen, assumed fixed: {', '.join(names)}." if names else ""


def score_words(prediction: Prediction, score: Score) -> str:
    """A locked prediction whose run has just come."""
    said = f"{shown(exact(prediction.time_s))} s was locked for {prediction.devices}"
    came = f"measured {shown(score.measured)} s: off {error_of(score.error)}"
    return f"{said}, {came}; page predict has the rest."
