"""From what a log says of its jobs to what is handed back: runs, answers to questions, and the count of
lines."""

from __future__ import annotations

import datetime as dt
from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from itertools import compress
from typing import Any

from tui.model.run_text import READABLE, EditError, read_value
from tui.model.study import Run, TimeMeans

from .imported import (
    Imported,
    Note,
    Options,
    Part,
    Problem,
    Question,
    Source,
    Tally,
    family_question,
)
from .log_steps import Chosen, Steps, choose, drawn

_ALSO = {"threads": "threads_per_rank"}
_RUN_FIELDS = {each.name for each in fields(Run)}
_ANSWERS = {name for name in READABLE if name in _RUN_FIELDS and name not in ("times_s", "busy_s", "status")}


@dataclass
class StageTimes:
    """Seconds of stages, an entry for every interval that has timers.

    Attributes:
        places: of the intervals among the steps of the job.
        seconds: of each stage, 0 where an interval does not have it.
    """

    places: array[int] = field(default_factory=lambda: array("q"))
    seconds: dict[str, array[float]] = field(default_factory=dict)

    def add(self, place: int, stages: Mapping[str, float]) -> None:
        """The stages of one more interval."""
        known = len(self.places)
        self.places.append(place)
        for name in stages:
            self.seconds.setdefault(name, array("d", bytes(8 * known)))
        for name, column in self.seconds.items():
            column.append(stages.get(name, 0.0))

    def means(self, kept: bytearray) -> dict[str, float]:
        """The mean seconds of each stage over the intervals that are kept."""
        mask = [0 <= place < len(kept) and kept[place] for place in self.places]
        count = sum(map(bool, mask))
        sums = {name: sum(compress(column, mask)) for name, column in self.seconds.items()}
        return {name: value / count for name, value in sums.items() if value} if count else {}


@dataclass
class Job:
    """One job of a training log while it is read.

    Attributes:
        line: where it begins, from 1.
        values: fields of its run that the log states.
        steps: its intervals.
        stages: seconds of its stages, where the log has timers.
        notes: sentences about it.
    """

    line: int = 1
    values: dict[str, Any] = field(default_factory=dict)
    steps: Steps = field(default_factory=Steps)
    stages: StageTimes = field(default_factory=StageTimes)
    notes: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Answers:
    """What was said beside the file and holds for every run of it."""

    values: dict[str, Any]
    problems: tuple[Problem, ...] = ()

    @property
    def devices(self) -> int | None:
        """The count, where it was said."""
        return self.values.get("devices")

    def on(self, run: Run) -> Run:
        """The run with the answers in it; they go before what the file says."""
        return replace(run, **self.values) if self.values else run


def answers(options: Options, columns: Iterable[str] = ()) -> Answers:
    """The plain numbers that `--map` gave for all runs; columns and roles in `columns` are left to the
    reader.
    """
    values: dict[str, Any] = {}
    problems = []
    mine = set(columns)
    for one in options.mapping:
        role = _ALSO.get(one.role, one.role)
        if one.column in mine or role in mine:
            continue
        if role not in _ANSWERS:
            can = "devices, nodes, ranks, dp, tp, pp, global_batch and the like"
            said = f"--map {one.role}={one.column} was not used: a log takes {can}, as devices=16"
            problems.append(Problem(0, "", said))
            continue
        try:
            values[role] = read_value(role, f"{one.column} {one.unit}".strip())
        except EditError as error:
            problems.append(Problem(0, "", f"--map {one.role}={one.column}: {error.sentence}"))
    return Answers(values, tuple(problems))


def count_question(name: str, seen: str = "") -> Question:
    """What to ask where a log does not say how many devices it ran on."""
    sentence = f"{name} does not say how many devices it ran on{seen}: add --map devices=N"
    return Question("count", sentence)


def training(
    name: str,
    source: Source,
    options: Options,
    jobs: Sequence[Job],
    tally: Tally,
    problems: Iterable[Problem] = (),
    notes: Iterable[Note] = (),
    means: TimeMeans = "one update",
) -> Imported:
    """The jobs of a training log as runs of one part.

    Args:
        tally: lines, refused and blank; the other counts are made here.
        means: what one time is the time of.
    """
    given = answers(options)
    read = [(job, choose(job.steps, options)) for job in jobs]
    runs = [given.on(_run(job, chosen, options, given.devices)) for job, chosen in read]
    said = [Note(job.line, text) for job, chosen in read for text in (*job.notes, *chosen.notes)]
    timeless = [job for job, run in zip(jobs, runs, strict=True) if not run.times_s]
    no_time = "no interval of this job is a steady update; it has no time"
    refused = [*problems, *given.problems, *(Problem(job.line, "", no_time) for job in timeless)]
    if not runs:
        refused.append(Problem(0, "", f"there is no step in it that the {name} reader knows"))
    kept = sum(sum(chosen.kept) for _, chosen in read)
    left = sum(len(job.steps) for job in jobs) - kept - sum(len(job.steps) > 0 for job in timeless)
    part = Part("", tuple(runs), options.family, counts="GPU", time_means=means)
    return Imported(
        name,
        source.path,
        parts=(part,) if runs else (),
        notes=(*notes, *said),
        problems=tuple(refused),
        questions=tuple(_questions(source.path.name, jobs, options, given)),
        repeats="steps" if any(len(run.times_s) > 1 for run in runs) else None,
        step_rows=tuple(drawn(job.line, job.steps, chosen) for job, chosen in read if len(job.steps)),
        tally=_counted(tally, len(runs) - len(timeless), len(timeless), kept, left),
    )


def _questions(file: str, jobs: Sequence[Job], options: Options, given: Answers) -> Iterator[Question]:
    if given.devices is None and any("devices" not in job.values for job in jobs):
        yield count_question(file)
    if options.family is None and jobs:
        yield family_question(file)


def _counted(tally: Tally, timed: int, failed: int, kept: int, left: int) -> Tally:
    """The count of lines, of which `kept` have a time that counts and `left` one that does not."""
    used = kept + failed + left + tally.refused + tally.blank + tally.headings
    counts = {"runs": timed, "steps": kept - timed, "not_completed": failed, "notes": left}
    return replace(tally, **counts, other=tally.lines - used)


def _run(job: Job, chosen: Chosen, options: Options, devices: int | None) -> Run:
    """The run of a job; provisional on one device where nobody said how many."""
    values = {"devices": devices or 1, **job.values}
    if chosen.batch:
        values["global_batch"] = chosen.batch
    note = ""
    if options.window is not None:
        why = f" ({options.window_reason})" if options.window_reason else ""
        note = f"iterations {options.window[0]} to {options.window[1]}{why}"
    return Run(
        **values,
        times_s=chosen.times_s,
        status="completed" if chosen.times_s else "failed",
        stages_s=job.stages.means(chosen.kept),
        skipped_updates=0 if chosen.times_s else chosen.skipped_updates,
        wall_s=chosen.wall_s,
        valid_updates=chosen.valid_updates,
        note=note,
    )


def moment(text: str) -> dt.datetime | None:
    """A date and a time of day as logs write them; None where it is none."""
    try:
        return dt.datetime.fromisoformat(text.strip().replace(",", ".")[:19])
    except ValueError:
        return None
