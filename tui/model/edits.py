"""What each event does to a study: the changed study and what undo will call it, or a sentence.

Pure functions; the one who holds the study folds events with `fold` and commits the result.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import PurePath
from typing import get_args

from tui.model import scaling, stage_edits
from tui.model.experiment_text import DEFAULT_NAMES, read_form
from tui.model.flags import counted
from tui.model.pasted import Pasted, read_pasted
from tui.model.quantity import format_number
from tui.model.run_text import EditError, printable_words, read_run
from tui.model.samples import samples
from tui.model.seeds import seed_of
from tui.model.study import Experiment, Family, Run, Study
from tui.model.taking_in import counts_with, free_name, take_in
from tui.model.target import target_table
from tui.study_events import (
    BaselineChosen,
    CauseWritten,
    ExperimentSet,
    PredictionLocked,
    RunCommitted,
    RunsImported,
    RunsPasted,
    RunWithdrawn,
    StageRemoved,
    StagesCommitted,
    StageSet,
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
    if isinstance(event, (RunCommitted, StagesCommitted)):
        return _commit(study, event)
    if isinstance(event, RunsPasted):
        return _paste(study, event)
    if isinstance(event, RunsImported):
        return _import(study, event)
    if isinstance(event, RunWithdrawn):
        return _withdraw(study, event)
    if isinstance(event, BaselineChosen):
        return _choose_baseline(study, event)
    if isinstance(event, CauseWritten):
        return _write_cause(study, event)
    if isinstance(event, ExperimentSet):
        return _set_experiment(study, event)
    if isinstance(event, (StageSet, StageRemoved, PredictionLocked)):
        return _of_stages(study, event)
    raise TypeError(f"{event.NAME} changes no study by itself")


def family_of(word: str) -> Family:
    """The family that an event names.

    Raises:
        EditError: when runs of it are not entered in these tables.
    """
    families: dict[str, Family] = {family: family for family in get_args(Family)}
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
    made = Experiment(family_of(family), free_name(study, DEFAULT_NAMES[family_of(family)]))
    return replace(study, experiment=(*study.experiment, made)), len(study.experiment)


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


def _in_words(run: Run, experiment: Experiment) -> str:
    """A run in a few words: `8 GPU, 40.2 s`, of a training what it says of its target."""
    where = counted(run.devices, experiment.counts)
    if experiment.family == "target":
        seed = seed_of(run, experiment)
        said = "no time to the target yet" if seed is None else "target not reached"
        if seed is not None and seed.time is not None:
            # As it was entered: the time that follows from updates may be what an exercise asks for.
            written = run.time_to_target_s
            said = f"{format_number(written)} s to the target" if written else f"{run.updates} updates"
        return ", ".join([where, *([] if run.seed is None else [f"seed {run.seed}"]), said])
    times = " ".join(format_number(time) for time in run.times_s[:4]) + (
        " ..." if len(run.times_s) > 4 else ""
    )
    what = f"{times} s" if times else run.status if run.status != "completed" else "no time yet"
    return f"{where}, {what}"


def _does_not_count(run: Run, experiment: Experiment) -> str:
    """What becomes of a time that was typed beside a status, or a result, that it does not go with."""
    if experiment.family == "target":
        kept = run.time_to_target_s is not None and run.reached is False
        return " It did not reach the target: the seconds are kept with it and are no time." if kept else ""
    if run.times_s and run.status != "completed":
        return f" It is marked {run.status}: the seconds are kept with it and do not count as T."
    return " It reads 0: the clock did not see it, so no ratio is made of it." if 0 in run.times_s else ""


def _commit(study: Study, event: RunCommitted | StagesCommitted) -> Edit:
    study, at = _placed(study, event.family, event.experiment)
    experiment = study.experiment[at]
    if event.place is None:
        run = _read(event, None, experiment.family)
        runs, place, verb = (*experiment.run, run), len(experiment.run), "add"
    else:
        place, verb = event.place, "change"
        before = _run(experiment, place)
        run = _read(event, before, experiment.family)
        runs = (*experiment.run[:place], run, *experiment.run[place + 1 :])
    what = _in_words(run, experiment)
    changed = _checked(replace(experiment, run=runs))
    said = f"{'Added' if verb == 'add' else 'Changed to'} {what}.{_does_not_count(run, experiment)}"
    return Edit(_with(study, at, changed), f"{verb} {what}", said, experiment.name, place)


def _read(event: RunCommitted | StagesCommitted, before: Run | None, family: Family) -> Run:
    if isinstance(event, StagesCommitted):
        return stage_edits.read_line(event.fields, before)
    return read_run(event.fields, before, family)


def _of_stages(study: Study, event: StageSet | StageRemoved | PredictionLocked) -> Edit:
    if isinstance(event, StageSet):
        study, at = _placed(study, event.family, event.experiment)
        changed = stage_edits.set_stage(study.experiment[at], event)
    else:
        at = _find(study, event.experiment)
        if isinstance(event, StageRemoved):
            changed = stage_edits.remove_stage(study.experiment[at], event)
        else:
            changed = stage_edits.lock_prediction(study.experiment[at], study.machine, event)
    return Edit(_with(study, at, changed.experiment), changed.label, changed.said, changed.experiment.name)


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
    pasted = read_pasted(event.text, experiment.family)
    counts = counts_with(experiment, pasted.counts)
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
    changed = replace(experiment, counts=counts, run=(*experiment.run, *runs))
    rows = "1 row" if len(runs) == 1 else f"{len(runs)} rows"
    kept = f" Kept as they are: {', '.join(pasted.kept)}." if pasted.kept else ""
    read = _read_as(pasted)
    return Edit(
        _with(study, at, changed),
        f"paste {rows}, read as {read}",
        f"Added {rows}, read as {read}.{kept}{_left_out(left_out)}",
        experiment.name,
        len(experiment.run),
    )


def _read_as(pasted: Pasted) -> str:
    """How the columns of a paste were read; with headings each of them: `nodes = devices`."""
    if not pasted.headings:
        return ", ".join(pasted.columns)
    return ", ".join(name if name == meaning else f"{name} = {meaning}" for name, meaning in pasted.headings)


def _import(study: Study, event: RunsImported) -> Edit:
    if event.into:
        _find(study, event.into)
    if not study.experiment and not study.title:
        study = replace(study, title=PurePath(event.file).stem)
    added = known = 0
    first: tuple[str, int] | None = None
    for experiment in event.experiments:
        new = replace(experiment, name=event.into or free_name(study, experiment.name))
        taken = take_in(study, new)
        study, added, known = taken.study, added + taken.runs, known + taken.known
        first = first or (taken.name, taken.place)
    name = printable_words(PurePath(event.file).name)
    if not added or first is None:
        raise EditError(f"Nothing was added: all runs of {name} are in that experiment already.")
    runs = "1 run" if added == 1 else f"{added} runs"
    where = f"to {first[0]}" if len(event.experiments) == 1 else f"as {len(event.experiments)} experiments"
    were = f" {known} were there already." if known else ""
    return Edit(study, f"import {runs}", f"Added {runs} of {name} {where}.{were} u takes them back.", *first)


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
    what = _in_words(runs[event.places[0]], experiment)
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
    row = _jobs_beside(experiment, event.place)
    runs = tuple(
        replace(each, cause=run.cause) if place in row else each for place, each in enumerate(experiment.run)
    )
    study = _with(study, at, replace(experiment, run=runs))
    what = counted(run.devices, experiment.counts)
    if not run.cause:
        return Edit(
            study, f"no cause at {what}", f"Took the cause at {what} away.", experiment.name, event.place
        )
    return Edit(
        study, f"cause at {what}", f"Cause written at {what}: {run.cause}.", experiment.name, event.place
    )


def _jobs_beside(experiment: Experiment, place: int) -> set[int]:
    """The places of all jobs of the row that a run belongs to: a cause explains the row as it is now."""
    run = experiment.run[place]
    row = next(sample for sample in samples(experiment) if any(each is run for each in sample.runs))
    beside = {id(each) for each in (*row.counted, run)}
    return {at for at, each in enumerate(experiment.run) if id(each) in beside}


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
    if experiment.family == "target":
        _check_target_baseline(changed, devices)
    else:
        try:
            scaling.table(changed, study.machine, baseline=devices)
        except ValueError as error:
            raise EditError(f"{error}.") from None
    said = f"Baseline D0 = {counted(devices, experiment.counts)}."
    return Edit(_with(study, at, changed), f"baseline {devices}", said, experiment.name)


def _check_target_baseline(experiment: Experiment, devices: int) -> None:
    """A baseline of runs towards a target needs a time: half of its seeds must have reached it."""
    base = target_table(experiment).base
    if base is None or base.devices != devices:
        where = counted(devices, experiment.counts)
        raise EditError(f"{experiment.name}: {where} have no time to the target to compare with.")
