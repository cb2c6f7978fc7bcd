"""MLPerf training logs: time and samples to the quality target, from the `:::MLLOG` lines.

Source of the layout: github.com/mlcommons/logging, mlperf_logging/mllog; of the rules:
github.com/mlcommons/ training_policies. The clock runs from run_start to run_stop, so the initialisation
is outside; lines may begin with a rank, and every rank prints some events."""

from __future__ import annotations

import datetime as dt
import json
from dataclasses import dataclass, field
from typing import Any

from tui.model.run_text import printable_words
from tui.model.study import Run

from . import log_lines
from .imported import Choice, Imported, Note, Options, Part, Problem, Question, Source, Tally
from .json_text import mapping, number, whole
from .log_runs import Answers, answers

NAME = "mlperf"
ABOUT = "MLPerf training log"
ANYWHERE = True
EXAMPLE = (
    ':::MLLOG {"time_ms": 1621399928015, "event_type": "INTERVAL_START", "key": "run_start", "value": null}'
)

_MARK = b":::MLLOG"
_LAST = ("train_samples", "eval_accuracy", "eval_error", "eval_loss")
_NEW = ("init_start", "cache_clear", "submission_benchmark")


def sniff(head: bytes, name: str) -> float:
    """1 for its mark."""
    return 1.0 if _MARK in head else 0.0


@dataclass
class _Attempt:
    """One training run while its events are gathered."""

    line: int
    values: dict[str, Any] = field(default_factory=dict)
    started: int = 0
    """Processes that logged the begin of their initialisation."""
    begin_ms: float | None = None
    end_ms: float | None = None
    status: str = ""


def read(source: Source, options: Options) -> Imported:
    """Each run to the target as a run of a target family."""
    attempts, problems, lines = _attempts(source)
    given = answers(options)
    runs: list[Run] = []
    notes: list[Note] = []
    question: Question | None = None
    reached = 0
    finished = [attempt for attempt in attempts if attempt.begin_ms is not None]
    for attempt in finished:
        devices, said, asked = _devices(source.path.name, attempt, given)
        question = question or asked
        run, more = _run(attempt, devices, given)
        reached += bool(run.reached)
        runs.append(run)
        notes += [Note(attempt.line, sentence) for sentence in (*said, *more)]
    if not finished:
        problems.append(Problem(0, "", "there is no run_start among its events: nothing was timed"))
    family = options.family or "target"
    refused = len({problem.line for problem in problems if problem.line})
    return Imported(
        NAME,
        source.path,
        parts=(Part("", tuple(runs), family, counts="GPU"),) if runs else (),
        notes=tuple(notes),
        problems=(*problems, *given.problems),
        questions=(question,) if question else (),
        tally=Tally(
            lines=lines,
            runs=reached,
            not_completed=len(runs) - reached,
            refused=refused,
            other=lines - len(runs) - refused,
        ),
    )


def _attempts(source: Source) -> tuple[list[_Attempt], list[Problem], int]:
    """The training runs of a log, the lines that cannot be read, and how many lines there are."""
    attempts: list[_Attempt] = []
    problems: list[Problem] = []
    number = 0
    for number, words in log_lines.lines(source, log_lines.LONGEST):
        at = words.find(_MARK)
        if at < 0:
            continue
        try:
            event = mapping(json.loads(words[at + len(_MARK) :]))
        except (ValueError, RecursionError):
            said = f'"{log_lines.text(words[at : at + 60])}..." is cut off: no JSON'
            problems.append(Problem(number, "", said))
            continue
        _event(attempts, number, event)
    return attempts, problems, number


def _event(attempts: list[_Attempt], line: int, event: dict[str, Any]) -> None:
    key = str(event.get("key"))
    over = bool(attempts) and attempts[-1].end_ms is not None
    again = key == "run_start" and bool(attempts) and attempts[-1].begin_ms is not None and over
    if not attempts or again or (over and key in _NEW):
        attempts.append(_Attempt(line))
    attempt, time = attempts[-1], number(event.get("time_ms"))
    if key == "run_start":
        attempt.begin_ms = time if attempt.begin_ms is None else attempt.begin_ms
        attempt.line = line
    elif key == "run_stop":
        attempt.end_ms = time
        attempt.status = str(mapping(event.get("metadata")).get("status", ""))
    elif key == "init_start":
        attempt.started += 1
    elif key in _LAST:
        attempt.values[key] = event.get("value")
    else:
        attempt.values.setdefault(key, event.get("value"))


def _devices(file: str, attempt: _Attempt, given: Answers) -> tuple[int, list[str], Question | None]:
    """The count from two places that agree, and what to say or to ask."""
    if given.devices is not None:
        return given.devices, [], None
    batch = whole(attempt.values.get("global_batch_size"))
    local = (whole(attempt.values.get("d_batch_size")) or 0) * (_accumulation(attempt) or 1)
    replicas = batch // local if batch and local and batch % local == 0 else None
    if replicas and attempt.started == replicas:
        said = (
            f"{replicas} devices: so many processes logged init_start, and global batch {batch} is so many "
            f"times {local}"
        )
        return replicas, [said], None
    seen = [
        Choice(f"{value}: {why}", f"--map devices={value}")
        for value, why in (
            (attempt.started, "processes that logged init_start"),
            (replicas, "data-parallel replicas"),
        )
        if value
    ]
    sentence = f"{file} does not say how many devices it ran on: add --map devices=N"
    return (attempt.started or replicas or 1), [], Question("count", sentence, tuple(seen))


def _accumulation(attempt: _Attempt) -> int | None:
    return whole(attempt.values.get("gradient_accumulation_steps"))


def _run(attempt: _Attempt, devices: int, given: Answers) -> tuple[Run, list[str]]:
    values = attempt.values
    begin, end = attempt.begin_ms, attempt.end_ms
    seconds = (end - begin) / 1000 if begin is not None and end is not None and end >= begin else None
    success = attempt.status == "success" and seconds is not None
    batch, samples = whole(values.get("global_batch_size")), number(values.get("train_samples"))
    notes = [
        f"{attempt.status or 'no'} status at run_stop" if end is not None else "the log ends before run_stop",
        "the initialisation is outside the clock",
    ]
    if samples is not None and samples <= 0:
        samples = None
    if samples is None:
        notes.append("there is no event train_samples, so the work to the target is not known")
    updates = int(samples / batch) if success and samples and batch and samples % batch == 0 else None
    quality = next((number(values[key]) for key in _LAST[1:] if key in values), None)
    run = Run(
        devices,
        status="completed" if success else "stopped" if end is None else "failed",
        label=printable_words(str(values.get("submission_benchmark") or "")),
        global_batch=batch,
        micro_batch=whole(values.get("d_batch_size")),
        accumulation=_accumulation(attempt),
        date=dt.datetime.fromtimestamp(begin / 1000, dt.timezone.utc) if begin and 0 < begin < 1e14 else None,
        seed=_seed(values.get("seed")),
        updates=updates,
        work_to_target=samples if success else None,
        time_to_target_s=seconds if success else None,
        wall_s=None if success else seconds,
        reached=success,
        quality=quality,
        extra={"platform": printable_words(str(values["submission_platform"]))}
        if values.get("submission_platform")
        else {},
    )
    return given.on(run), notes


def _seed(value: Any) -> int | None:
    found = number(value)
    return int(found) if found is not None and found == int(found) else None
