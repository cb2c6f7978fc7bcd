"""`rooflab predict`: the step at a count from its stages, locked before the run and scored after it."""

from __future__ import annotations

import argparse
import datetime as dt
import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from tui.command_line import predict_text
from tui.command_line.say import CANNOT, FINDINGS, OK, say
from tui.command_line.studies import Opened, Refused, chosen, count, opened, tell
from tui.files import atomic
from tui.files import study as files
from tui.files.edit import CannotEdit
from tui.files.errors import FileError
from tui.model.carried import carried
from tui.model.laws import Number, Unfit
from tui.model.path import NoPath
from tui.model.predict import Forecast, forecast
from tui.model.score import Alternatives, Locked, Score, alternatives, lock, locked
from tui.model.spread import RatioSpread
from tui.model.steps import Steps, steps_of
from tui.model.study import Experiment, Prediction, Study

COMMAND = "predict"


def fill(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    parser.epilog = (
        "Runs at the predicted count itself take no part. --lock stores the prediction in the study; it is "
        "scored when a run with that count is entered. Exit status 1 when the data allow no prediction."
    )
    parser.add_argument("study", metavar="STUDY", help="a study whose runs have stages_s")
    parser.add_argument("--experiment", metavar="NAME", help="needed where the study has several")
    parser.add_argument("--devices", metavar="D", required=True, help="the count to predict")
    parser.add_argument(
        "--through",
        metavar=("D1", "D2"),
        nargs=2,
        help="the two counts for Amdahl's line and the same gain again; default: the first two",
    )
    parser.add_argument(
        "--lock", action="store_true", help="store the prediction in the study, with its date"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object; times in seconds")


@dataclass(frozen=True)
class Answer:
    """Everything there is to say about one count."""

    experiment: Experiment
    study: Study
    steps: Steps
    made: Forecast
    spread: RatioSpread
    alternatives: Alternatives
    locked: tuple[Locked, ...]
    """Every locked prediction of the experiment."""

    @property
    def score(self) -> Score | None:
        """That of the last prediction locked for this count; `None` while none was, or its run is awaited."""
        for each in self.locked:
            if each.prediction.devices == self.made.devices and not each.superseded:
                return each.score
        return None


def run(args: argparse.Namespace, now: Callable[[], dt.datetime] | None = None) -> int:
    """Print the prediction and lock it where asked; the exit status."""
    try:
        devices = count("--devices", args.devices)
        through = None
        if args.through:
            first, second = (count("--through", text) for text in args.through)
            through = (first, second)
        file = opened(args.study)
        answer = _answer(file.document.study, args.experiment, devices, through)
        if args.lock:
            made = (now or _now)()
            answer = _locked(file, answer, made, through)
    except Refused as refused:
        return tell(refused, COMMAND)
    if args.json:
        say(json.dumps(as_object(answer), indent=2))
    else:
        say(predict_text.as_text(answer), ascii_only=args.ascii)
    return OK


def _now() -> dt.datetime:
    return dt.datetime.now(dt.timezone.utc)


def _answer(study: Study, name: str | None, devices: int, through: tuple[int, int] | None) -> Answer:
    experiment = chosen(study.experiment, name, ("strong", "weak", "model-size"))
    try:
        steps = steps_of(experiment, study.machine)
        made = forecast(steps, devices)
        others = alternatives(steps, devices, through)
        stored = locked(steps, experiment.prediction, through)
    except (NoPath, Unfit) as error:
        raise Refused(f"{experiment.name}: {error}", status=FINDINGS) from error
    return Answer(experiment, study, steps, made, carried(made), others, stored)


def _locked(file: Opened, answer: Answer, now: dt.datetime, through: tuple[int, int] | None) -> Answer:
    """Append the prediction to the study file; what a person wrote there stays."""
    try:
        prediction = lock(answer.steps, answer.made, now)
    except NoPath as error:
        raise Refused(f"{answer.experiment.name}: {error}", status=FINDINGS) from error
    experiment = _with(answer.experiment, prediction)
    study = replace(
        answer.study,
        experiment=tuple(experiment if one is answer.experiment else one for one in answer.study.experiment),
    )
    try:
        document = files.changed(file.document, study)
        atomic.write(file.path, document.data, file.fingerprint)
    except CannotEdit as error:
        raise Refused(f"{file.path}: not locked: {error}", status=CANNOT) from error
    except FileError as error:
        raise Refused(f"not locked: {error}", status=CANNOT) from error
    stored = locked(answer.steps, experiment.prediction, through)
    return replace(answer, experiment=experiment, study=study, locked=stored)


def _with(experiment: Experiment, prediction: Prediction) -> Experiment:
    return replace(experiment, prediction=(*experiment.prediction, prediction))


def as_object(answer: Answer) -> dict[str, Any]:
    """The prediction as plain values; what cannot be known is null."""
    made, spread, change = answer.made, answer.spread, answer.made.change
    bounds = {"kind": spread.kind, "low": spread.low, "high": spread.high, "jobs": spread.jobs}
    timing = made.timing
    return {
        "devices": made.devices,
        "time_s": float(made.time),
        "interval": None if spread.low is None else bounds,
        "limit": made.limit,
        "changes_at": None
        if change is None
        else {"devices": change.devices, "from": change.before, "to": change.after},
        "stages": [
            {
                "name": name,
                "time_s": float(timing.seconds[name]),
                "slack_s": float(timing.slack[name]),
                "on_path": name in timing.path,
            }
            for name in timing.seconds
        ],
        "alternatives": {
            "ideal_s": _plain(answer.alternatives.ideal),
            "same_gain_s": _plain(answer.alternatives.same_gain),
            "amdahl_s": _plain(answer.alternatives.amdahl),
        },
        "score": None if answer.score is None else _score(answer.score),
    }


def _score(score: Score) -> dict[str, Any]:
    errors = score.errors
    return {
        "measured_s": float(score.measured),
        "error": float(score.error),
        "limit_right": score.limit_right,
        "alternatives": {key: _plain(errors.get(key)) for key in ("ideal", "same_gain", "amdahl")},
    }


def _plain(value: Number | None) -> float | None:
    return None if value is None else float(value)
