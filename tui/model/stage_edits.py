"""What the events of the Limits tab do to one experiment: the seconds of its stages, the stages, locks.

Pure functions over an experiment; `tui.model.edits` finds it in the study and puts the changed one back.
"""

from __future__ import annotations

import datetime as dt
import difflib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, get_args

from tui.model.experiment_text import FormField
from tui.model.flags import counted
from tui.model.laws import LAWS, Unfit
from tui.model.numerals import ReadError, format_number, quoted
from tui.model.path import Graph, NoPath
from tui.model.predict import forecast
from tui.model.quantity import read_number
from tui.model.run_text import EditError, Value, one_of, plain, printable_words, read_value, written
from tui.model.score import lock
from tui.model.steps import GRID, steps_of
from tui.model.study import Experiment, LawName, Machine, Prediction, Run, Stage, Variable
from tui.study_events import PredictionLocked, StageRemoved, StageSet

SECONDS = "stages_s."
"""Begins the key of a field that holds the seconds of one stage."""
LOCK = "lock "
"""Begins the label of a lock, by which it is known that undo goes no further."""
LOCK_STAYS = (
    "A locked prediction is never taken back, so undo ends here: lock another for the same count, and that "
    "one counts."
)

NAME = FormField("name", "stage", "one word: compute, communication, input")
LAW = FormField("law", "law", f"{', '.join(list(LAWS)[:4])} ...; g chooses")
AFTER = FormField("after", "comes after", "compute, input; empty: from the start")
OF = FormField("of", "law runs over", "devices, dp, nodes ...; empty: devices")
PARAMS = FormField("params", "parameters", "q=0.01 delay_s=0.5; empty: from the times")
STAGE_FIELDS = (NAME, LAW, AFTER, OF, PARAMS)
"""The form of one stage."""

_WORD = re.compile(r"[^\W\d][\w.]*")
"""What a stage may be called, so that `stages_s.NAME=1` can be typed on the other tabs."""


@dataclass(frozen=True)
class Changed:
    """A changed experiment, what undo will call the change, and a sentence for the person."""

    experiment: Experiment
    label: str
    said: str


# ---------------------------------------------------------------------------- the seconds of one count


def stage_names(experiment: Experiment) -> tuple[str, ...]:
    """The declared stages, then those that runs measured besides."""
    return tuple(stage.name for stage in _known(experiment))


def line_texts(run: Run) -> dict[str, str]:
    """The texts of a run on the line of the Limits tab, empty ones too."""
    texts = {key: written(run, key) for key in ("devices", "times_s")}
    return texts | {f"{SECONDS}{name}": plain(value) for name, value in run.stages_s.items()}


def read_line(texts: Mapping[str, str], before: Run | None = None) -> Run:
    """The run that the line describes; a stage whose field is empty was not measured.

    Args:
        before: the run that is being changed: what the line has no field for stays as it is.

    Raises:
        EditError: for the first text that cannot be taken, or when there is no device count.
    """
    texts = {key: text.strip() for key, text in texts.items() if text.strip()}
    if "devices" not in texts:
        raise EditError("devices: nothing was typed; write the count, like 16.", "devices")
    read = {key: read_field(key, text) for key, text in texts.items()}
    known = [SECONDS + name for name in before.stages_s] if before else []
    stages = {
        key.removeprefix(SECONDS): read[key]
        for key in dict.fromkeys([*known, *read])
        if key.startswith(SECONDS) and key in read
    }
    return replace(
        before or Run(1), devices=read["devices"], times_s=read.get("times_s", ()), stages_s=stages
    )


def read_field(key: str, text: str) -> Value:
    """The value that a text gives to one field of the line; what is wrong names the stage, not its key.

    Raises:
        EditError: when it gives none.
    """
    try:
        return read_value(key, text)
    except EditError as error:
        if not key.startswith(SECONDS):
            raise
        words = error.sentence.partition(": ")[2]
        raise EditError(f"{key.removeprefix(SECONDS)}: {words}", key) from None


# -------------------------------------------------------------------------------------------- the stages


def _known(experiment: Experiment) -> tuple[Stage, ...]:
    declared = {stage.name for stage in experiment.stages}
    measured = dict.fromkeys(
        name for run in experiment.run if not run.withdrawn for name in run.stages_s if name not in declared
    )
    return (*experiment.stages, *map(Stage, measured))


def _with_edges(experiment: Experiment) -> tuple[tuple[Stage, ...], bool]:
    """The stages of the path with what each comes after, and whether they are a chain by default."""
    if any(stage.after for stage in experiment.stages):
        return experiment.stages, False
    known = _known(experiment)
    names = [stage.name for stage in known]
    return tuple(
        replace(stage, after=tuple(names[max(place - 1, 0) : place])) for place, stage in enumerate(known)
    ), True


def stage_texts(experiment: Experiment, name: str = "") -> dict[str, str]:
    """The texts of a stage's form; for a new one, where `name` is empty, it comes after the last."""
    stages, _ = _with_edges(experiment)
    stage = _found(stages, name) or Stage(name, after=tuple(each.name for each in stages[-1:] if not name))
    return {
        "name": stage.name,
        "law": stage.law or "",
        "after": ", ".join(stage.after),
        "of": stage.of or "",
        "params": " ".join(f"{key}={plain(value)}" for key, value in stage.params.items()),
    }


def with_next_law(texts: Mapping[str, str], by: int = 1) -> dict[str, str]:
    """The texts of a stage's form with another law; values that the other law does not know are left out."""
    names = list(LAWS)
    at = names.index(_law(texts["law"]) or "fixed")
    law = names[(at + by) % len(names)]
    known = (*LAWS[law].params, *LAWS[law].shape)
    kept = [pair for pair in texts["params"].split() if pair.partition("=")[0] in known]
    return {**texts, "law": law, "params": " ".join(kept)}


def _found(stages: Sequence[Stage], name: str) -> Stage | None:
    return next((stage for stage in stages if stage.name == name and name), None)


def set_stage(experiment: Experiment, event: StageSet) -> Changed:
    """Declare a stage, or change one: its name, its law, and what it comes after.

    Raises:
        EditError: for the first text that cannot be taken.
    """
    stages, chain = _with_edges(experiment)
    if event.stage and event.stage not in stage_names(experiment):
        raise EditError(f"There is no stage {event.stage!r} any more; choose one again.")
    texts = {key: printable_words(text).strip() for key, text in event.fields.items()}
    name = _name(texts.get("name", ""), event.stage, experiment)
    before = _found(stages, event.stage)
    names = [name if each is before else each.name for each in stages] + ([] if before else [name])
    law = _law(texts.get("law", ""))
    stage = Stage(
        name,
        law,
        _after(texts.get("after", ""), name, names),
        _variable(texts.get("of", "")),
        _params(texts.get("params", ""), law or "fixed"),
    )
    renamed = tuple(
        stage if each is before else replace(each, after=_renamed(each.after, event.stage, name))
        for each in stages
    )
    after = renamed if before else (*renamed, stage)
    changed = replace(experiment, stages=_written_edges(after, chain))
    if event.stage and name != event.stage:
        changed = replace(changed, run=tuple(_run_renamed(run, event.stage, name) for run in experiment.run))
    verb = "Changed" if event.stage else "Added"
    said = f"{verb} the stage {name}: {_in_words(stage, changed)}.{_near_grid(name, event.stage)}"
    return Changed(changed, f"{verb.lower()} the stage {name}", said)


def _written_edges(stages: tuple[Stage, ...], chain: bool) -> tuple[Stage, ...]:
    """The stages as they are stored: without edges where they are a chain and were one by default.

    Raises:
        EditError: for a ring, and where no stage comes after another, which would be read as a chain.
    """
    try:
        Graph(stages)
    except NoPath as error:
        raise EditError(f"comes after: {error}.", "after") from None
    names = [stage.name for stage in stages]
    if chain and all(stage.after == tuple(names[max(at - 1, 0) : at]) for at, stage in enumerate(stages)):
        return tuple(replace(stage, after=()) for stage in stages)
    if len(stages) > 1 and not any(stage.after for stage in stages):
        raise EditError(
            "comes after: nothing was typed, and stages without any edge are taken as one chain; declare "
            "first the stage that waits for both, then let this one stand beside.",
            "after",
        )
    return stages


def _in_words(stage: Stage, experiment: Experiment) -> str:
    law = f"law {stage.law}" if stage.law else "no law, so assumed to be fixed"
    if not any(each.after for each in experiment.stages):
        order = " → ".join(each.name for each in experiment.stages)
        return f"{law}; one chain, {order}" if len(experiment.stages) > 1 else law
    return f"{law}, {'after ' + ', '.join(stage.after) if stage.after else 'from the start'}"


def _near_grid(name: str, before: str) -> str:
    close = difflib.get_close_matches(name.lower(), GRID, n=1, cutoff=0.75)
    if not close or name in GRID or name == before:
        return ""
    return f" The page of what was measured asks for {close[0]!r}: Enter here renames it."


def _name(text: str, before: str, experiment: Experiment) -> str:
    if not text:
        raise EditError("stage: nothing was typed; write its name, like compute.", "name")
    if text == before:
        return text
    if not _WORD.fullmatch(text):
        word = "_".join(re.findall(r"[\w.]+", text)).lstrip("0123456789.") or "compute"
        raise EditError(f"stage: read {quoted(text)}, expected one word, like {word}.", "name")
    if text in stage_names(experiment):
        raise EditError(f"stage: there is a stage {text!r} already; choose it with Enter.", "name")
    for prediction in experiment.prediction:
        if before and prediction.limit == before:
            raise EditError(
                f"stage: a prediction locked for {prediction.devices} calls {before} the limit and is never "
                "edited, so the stage keeps its name.",
                "name",
            )
    return text


def _law(text: str) -> LawName | None:
    found: Any = one_of("law", text, get_args(LawName)) if text else None
    return found  # type: ignore[no-any-return]


def _variable(text: str) -> Variable | None:
    found: Any = one_of("of", text, get_args(Variable)) if text else None
    return found  # type: ignore[no-any-return]


def _after(text: str, name: str, names: Sequence[str]) -> tuple[str, ...]:
    others = [each for each in names if each != name]
    parts = [part.strip() for part in (text.split(",") if "," in text else [text])]
    words = [word for part in parts for word in ([part] if part in names else part.split())]
    for word in words:
        if word == name:
            raise EditError(f"comes after: {name} cannot wait for itself.", "after")
        if word not in others:
            close = difflib.get_close_matches(word, others, n=1)
            there = f"there are {', '.join(others)}." if others else "there are no others yet."
            hint = f"did you mean {close[0]}?" if close else there
            raise EditError(f"comes after: there is no stage {quoted(word)}; {hint}", "after")
    return tuple(dict.fromkeys(words))


def _params(text: str, law: LawName) -> dict[str, float]:
    known = (*LAWS[law].params, *LAWS[law].shape)
    found: dict[str, float] = {}
    for pair in re.sub(r"\s*=\s*", "=", text.replace(",", " ")).split():
        key, sign, value = pair.partition("=")
        if not sign or key not in known:
            wanted = " ".join(f"{each}=1" for each in known)
            raise EditError(f"parameters: read {quoted(pair)}; the law {law} has {wanted}.", "params")
        try:
            found[key] = float(read_number(value))
        except ReadError as error:
            raise EditError(f"parameters: {key}: {error.sentence}", "params") from None
    if not 0 <= found.get("q", 0) <= 1:
        raise EditError("parameters: q is the chance that a rank is late, between 0 and 1.", "params")
    return found


def _renamed(names: tuple[str, ...], before: str, name: str) -> tuple[str, ...]:
    return tuple(name if each == before else each for each in names)


def _run_renamed(run: Run, before: str, name: str) -> Run:
    if before not in run.stages_s:
        return run
    seconds = {name if key == before else key: value for key, value in run.stages_s.items()}
    return replace(run, stages_s=seconds)


def remove_stage(experiment: Experiment, event: StageRemoved) -> Changed:
    """Take a stage out with its seconds; what came after it comes after what it came after.

    Raises:
        EditError: when there is no such stage.
    """
    if event.stage not in stage_names(experiment):
        raise EditError(f"There is no stage {event.stage!r} any more; choose one again.")
    gone = _found(experiment.stages, event.stage) or Stage(event.stage)
    stages = tuple(
        replace(each, after=tuple(dict.fromkeys(_without(each.after, gone))))
        for each in experiment.stages
        if each is not gone
    )
    runs = tuple(
        replace(run, stages_s={key: value for key, value in run.stages_s.items() if key != gone.name})
        if gone.name in run.stages_s
        else run
        for run in experiment.run
    )
    changed = replace(experiment, stages=stages, run=runs)
    counts = sorted({run.devices for run in experiment.run if gone.name in run.stages_s})
    also = f" and its seconds at {', '.join(map(str, counts))}" if counts else ""
    lost = any(each.after for each in experiment.stages) and not any(each.after for each in stages)
    chain = " Now nothing comes after another, so the rest is one chain." if lost and len(stages) > 1 else ""
    said = f"Removed the stage {gone.name}{also}.{chain} u brings it back."
    return Changed(changed, f"remove the stage {gone.name}", said)


def _without(after: tuple[str, ...], gone: Stage) -> Sequence[str]:
    return [word for each in after for word in (gone.after if each == gone.name else (each,))]


# ---------------------------------------------------------------------------------------------- the lock


def lock_prediction(experiment: Experiment, machine: Machine, event: PredictionLocked) -> Changed:
    """Store what the laws say of a count, with its date, before the run arrives.

    Raises:
        EditError: when nothing is predicted there, or the same is locked already.
    """
    devices = int(read_value("devices", event.devices))
    try:
        steps = steps_of(experiment, machine)
        made = lock(steps, forecast(steps, devices), dt.datetime.fromisoformat(event.made))
    except (NoPath, Unfit) as error:
        raise EditError(f"Not locked: {error}.") from None
    earlier = [each for each in experiment.prediction if each.devices == devices][-1:]
    what = f"{format_number(made.time_s)} s at {counted(devices, experiment.counts)}"
    if any(_same(each, made) for each in earlier):
        raise EditError(f"{what} is locked already, from the same measurements.")
    changed = replace(experiment, prediction=(*experiment.prediction, made))
    superseded = " The one before for this count is superseded, and stays." if earlier else ""
    said = f"Locked {what}, limit {made.limit}.{superseded} It is scored when its run is entered."
    return Changed(changed, f"{LOCK}{what}", said)


def _same(one: Prediction, other: Prediction) -> bool:
    return replace(one, made=other.made) == other
