"""What each event does to a study: the changed study and what undo will call it, or a sentence.

Pure functions; the one who holds the study folds events with `fold` and commits the result.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from tui.model import scaling
from tui.model.experiment_text import DEFAULT_NAMES, read_form
from tui.model.flags import counted
from tui.model.pasted import read_pasted
from tui.model.quantity import format_number
from tui.model.run_text import EditError, printable_words, read_run
from tui.model.study import Experiment, Family, Run, Study
from tui.study_events import (
    BaselineChosen,
    CauseWritten,
    ExperimentSet,
    RunCommitted,
    RunsPasted,
    RunWithdrawn,
    StudyEvent,
)

__all__ = ["Edit", "EditError", "fold"]

_SAID = 3
"""Rows of a paste that are left out and named one by one."""


@dataclass(frozen=True)
class Edit:
    """A changed study.

    Attributes:
        label: what undo calls it, "add 8 GPU".
        said: one sentence for the person.
        experiment: name of the experiment that it concerns.
        place: its run that was added or changed, the first of several.
    """

    study: Study
    label: str
    said: str
    experiment: str
    place: int | None = None


def fold(study: Study, event: StudyEvent) -> Edit:
    """The study after one event.

    Raises:
        EditError: with one sentence when the event cannot be taken; nothing has changed then.
        TypeError: for an event that changes no study.
    """
    if isinstance(event, RunCommitted):
        return _commit(study, event)
    if isinstance(event, RunsPasted):
        return _paste(study, event)
    if isinstance(event, RunWithdrawn):
        return _withdraw(study, event)
    if isinstance(event, BaselineChosen):
        return _choose_baseline(study, event)
    if isinstance(event, CauseWritten):
        return _write_cause(study, event)
    if isinstance(event, ExperimentSet):
        return _set_experiment(study, event)
    raise TypeError(f"{event.NAME} changes no study by itself")


def family_of(word: str) -> Family:
    """The family that an event names.

    Raises:
        EditError: when runs of it are not entered in these tables.
    """
    families: dict[str, Family] = {"strong": "strong", "weak": "weak", "model-size": "model-size"}
    if word not in families:
        raise EditError(f"Runs of the family {word!r} are not entered here.")
    return families[word]


# ----------------------------------------------------------------------------------------- experiments


def _find(study: Study, name: str) -> int:
    for place, experiment in enumerate(study.experiment):
        if experiment.name == name:
            return place
    raise EditError(f"There is no experiment {name!r} any more; choose one with e.")


def _placed(study: Study, family: str, name: str) -> tuple[Study, int]:
    """The study with a place for runs: the named experiment, or a new one where there is none."""
    if name:
        return study, _find(study, name)
    made = Experiment(family_of(family), _free_name(study, DEFAULT_NAMES[family_of(family)]))
    return replace(study, experiment=(*study.experiment, made)), len(study.experiment)


def _free_name(study: Study, wanted: str) -> str:
    taken = {experiment.name for experiment in study.experiment}
    names = [wanted, *(f"{wanted} {number}" for number in range(2, len(taken) + 2))]
    return next(name for name in names if name not in taken)


def _with(study: Study, at: int, experiment: Experiment) -> Study:
    before = study.experiment
    return replace(study, experiment=(*before[:at], experiment, *before[at + 1 :]))


def _set_experiment(study: Study, event: ExperimentSet) -> Edit:
    family = family_of(event.family)
    if event.experiment:
        at = _find(study, event.experiment)
        before = study.experiment[at]
    else:
        at, before = len(study.experiment), Experiment(family, "")
    after, machine = read_form(event.fields, before, study.machine)
    if any(each.name == after.name for place, each in enumerate(study.experiment) if place != at):
        raise EditError(f"name: another experiment is called {after.name!r}; give this one its own.", "name")
    changed = _with(replace(study, machine=machine), at, after)
    verb = "Changed" if event.experiment else "Added"
    return Edit(changed, f"{verb.lower()} {after.name}", f"{verb} the experiment {after.name}.", after.name)


# ------------------------------------------------------------------------------------------------- runs


def in_words(run: Run, counts: str) -> str:
    """A run in a few words: `8 GPU, 40.2 s`."""
    times = " ".join(format_number(time) for time in run.times_s[:4]) + (
        " ..." if len(run.times_s) > 4 else ""
    )
    what = f"{times} s" if times else run.status if run.status != "completed" else "no time yet"
    return f"{counted(run.devices, counts)}, {what}"


def _commit(study: Study, event: RunCommitted) -> Edit:
    study, at = _placed(study, event.family, event.experiment)
    experiment = study.experiment[at]
    if event.place is None:
        run = read_run(event.fields, None, experiment.family)
        runs, place, verb = (*experiment.run, run), len(experiment.run), "add"
    else:
        place, verb = event.place, "change"
        before = _run(experiment, place)
        run = read_run(event.fields, before, experiment.family)
        runs = (*experiment.run[:place], run, *experiment.run[place + 1 :])
    said = in_words(run, experiment.counts)
    changed = _checked(replace(experiment, run=runs))
    done = "Added" if verb == "add" else "Changed to"
    return Edit(_with(study, at, changed), f"{verb} {said}", f"{done} {said}.", experiment.name, place)


def _run(experiment: Experiment, place: int) -> Run:
    if not 0 <= place < len(experiment.run):
        raise EditError("That run is not there any more; choose a row again.")
    return experiment.run[place]


def _checked(experiment: Experiment) -> Experiment:
    baseline = experiment.baseline
    if baseline is not None and all(run.devices != baseline for run in experiment.run):
        raise EditError(
            f"devices: {baseline} is the baseline and no other run has it; choose another with b first.",
            "devices",
        )
    return experiment


def _paste(study: Study, event: RunsPasted) -> Edit:
    study, at = _placed(study, event.family, event.experiment)
    experiment = study.experiment[at]
    pasted = read_pasted(event.text)
    runs: list[Run] = []
    left_out: list[str] = []
    for number, texts, extra in pasted.rows:
        try:
            run = read_run(texts, None, experiment.family)
        except EditError as error:
            left_out.append(f"line {number}: {error.sentence}")
            continue
        runs.append(replace(run, extra=dict(extra)))
    if not runs:
        raise EditError(f"None of {len(pasted.rows)} rows could be read; {left_out[0]}")
    changed = replace(experiment, run=(*experiment.run, *runs))
    rows = "1 row" if len(runs) == 1 else f"{len(runs)} rows"
    kept = f" Kept as they are: {', '.join(pasted.kept)}." if pasted.kept else ""
    said = f"Added {rows}, read as {', '.join(pasted.columns)}.{kept}"
    return Edit(
        _with(study, at, changed),
        f"paste {rows}",
        said + _left_out(left_out),
        experiment.name,
        len(experiment.run),
    )


def _left_out(sentences: Sequence[str]) -> str:
    if not sentences:
        return ""
    more = f" and {len(sentences) - _SAID} more" if len(sentences) > _SAID else ""
    return f" Left out {len(sentences)}: {' '.join(sentences[:_SAID])}{more}"


def _withdraw(study: Study, event: RunWithdrawn) -> Edit:
    at = _find(study, event.experiment)
    experiment = study.experiment[at]
    reason = " ".join(printable_words(event.reason).split())
    runs = list(experiment.run)
    for place in event.places:
        runs[place] = replace(_run(experiment, place), withdrawn=reason)
    what = in_words(runs[event.places[0]], experiment.counts)
    if len(event.places) > 1:
        what = f"{len(event.places)} runs of {counted(runs[event.places[0]].devices, experiment.counts)}"
    verb, said = ("withdraw", "Withdrew") if reason else ("count again", "Counts again:")
    tail = f"; kept in the file: {reason}." if reason else "."
    study = _with(study, at, replace(experiment, run=tuple(runs)))
    return Edit(study, f"{verb} {what}", f"{said} {what}{tail}", experiment.name, event.places[0])


def _write_cause(study: Study, event: CauseWritten) -> Edit:
    at = _find(study, event.experiment)
    experiment = study.experiment[at]
    run = replace(_run(experiment, event.place), cause=" ".join(printable_words(event.cause).split()))
    runs = (*experiment.run[: event.place], run, *experiment.run[event.place + 1 :])
    study = _with(study, at, replace(experiment, run=runs))
    what = counted(run.devices, experiment.counts)
    if not run.cause:
        return Edit(
            study, f"no cause at {what}", f"Took the cause at {what} away.", experiment.name, event.place
        )
    return Edit(
        study, f"cause at {what}", f"Cause written at {what}: {run.cause}.", experiment.name, event.place
    )


def _choose_baseline(study: Study, event: BaselineChosen) -> Edit:
    at = _find(study, event.experiment)
    experiment = study.experiment[at]
    text = event.devices.strip()
    if not text:
        changed = replace(experiment, baseline=None, baseline_kind=None)
        said = "Baseline: the smallest completed feasible count again."
        return Edit(_with(study, at, changed), "default baseline", said, experiment.name)
    devices = read_run({"devices": text}).devices
    kind = experiment.baseline_kind if devices == 1 else None
    changed = replace(experiment, baseline=devices, baseline_kind=kind)
    try:
        scaling.table(changed, study.machine, baseline=devices)
    except ValueError as error:
        raise EditError(f"{error}.") from None
    said = f"Baseline D0 = {counted(devices, experiment.counts)}."
    return Edit(_with(study, at, changed), f"baseline {devices}", said, experiment.name)
