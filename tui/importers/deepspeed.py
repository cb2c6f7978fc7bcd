"""Training logs of DeepSpeed: the lines of its throughput timer.

Source of the layout: github.com/deepspeedai/DeepSpeed, deepspeed/utils/timer.py and runtime/engine.py.
Rates are samples per second over all devices. The running average contains the warm-up, so the current
rate is taken where there is one; `skipped` counts from the start of training."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from tui.model.study import TimeMeans, Work

from . import log_lines
from .imported import Choice, Imported, Options, Problem, Source, Tally
from .log_runs import Job, answers, training

NAME = "deepspeed"
ABOUT = "training log of DeepSpeed"
ANYWHERE = True
EXAMPLE = (
    "epoch=0/micro_step=10/global_step=10, RunningAvgSamplesPerSec=220.69, CurrSamplesPerSec=222.88, ..."
)

NOMINAL = 1000.0
"""Samples that one time stands for where the log does not say how many an update has."""

_RATE = re.compile(
    rb"(?:global_step=(?P<step>\d{1,15})|\b\d+/(?P<micro>\d{1,15})), "
    rb"(?:RunningAvgSamplesPerSec=(?P<average>[^,\s]+), CurrSamplesPerSec=(?P<now>[^,\s]+)"
    rb"|SamplesPerSec=(?P<only>[^,\s]+))"
    rb"(?:.{0,80}?MaxMemAllocated=(?P<memory>[\d.]+)GB)?"
)
_SKIPPED = re.compile(rb"\bstep=(\d{1,15}), skipped=(\d{1,15})\b")
_CONFIG = re.compile(
    rb"\b(train_batch_size|train_micro_batch_size_per_gpu|gradient_accumulation_steps|world_size)"
    rb" \.{2,} (\d{1,15})"
)
_LAUNCHED = re.compile(rb"\bdist_world_size=(\d{1,15})")
_FIELDS = {
    b"train_batch_size": "global_batch",
    b"train_micro_batch_size_per_gpu": "micro_batch",
    b"gradient_accumulation_steps": "accumulation",
    b"world_size": "dp",
}


def sniff(head: bytes, name: str) -> float:
    """Sure of the lines of its timer."""
    return 0.95 if b"SamplesPerSec=" in head and _RATE.search(head) else 0.0


def read(source: Source, options: Options) -> Imported:
    """The log as runs: the rate of each line as the seconds of one update, or of a thousand samples."""
    reader = _Reader()
    for number, line in log_lines.lines(source):
        reader.line(number, line)
    nominal = _into_times(reader.jobs, options)
    tally = Tally(lines=reader.lines, blank=reader.blank, refused=len(reader.problems))
    means: TimeMeans = "main loop" if nominal else "one update"
    found = training(NAME, source, options, reader.jobs, tally, reader.problems, (), means)
    return _with_choice(found, reader.jobs)


@dataclass
class _Speed(Job):
    """A job while its times are still rates."""

    skipped: int = 0
    """Updates skipped since the start of training, as the log counted last."""
    averages: int = 0
    """Lines that have only a running average."""
    micro: int = 0
    """Lines that count micro-steps."""


class _Reader:
    """Takes lines and gathers jobs."""

    def __init__(self) -> None:
        self.jobs: list[_Speed] = []
        self.lines = self.blank = 0
        self.problems: list[Problem] = []
        self._open = _Speed()

    def line(self, number: int, line: bytes) -> None:
        """The next line of the log."""
        self.lines = number
        if not line.strip():
            self.blank += 1
        elif b"SamplesPerSec=" in line:
            found = _RATE.search(line)
            if found:
                self._rate(number, found)
            else:
                self._refuse(number, line)
        elif b"skipped=" in line:
            found = _SKIPPED.search(line)
            if found:
                self._pending = int(found[1]), int(found[2])
        elif b" .." in line:
            for name, value in _CONFIG.findall(line):
                self._config(_FIELDS[name], int(value))
        elif b"dist_world_size=" in line:
            found = _LAUNCHED.search(line)
            if found:
                self._config("devices", int(found[1]))
        elif b"Saving" in line and b"checkpoint" in line:
            self._open.steps.marks.setdefault(len(self._open.steps), "checkpoint")

    _pending = (0, 0)

    def _config(self, name: str, value: int) -> None:
        if len(self._open.steps) and (name == "devices" or self._open.values.get(name) != value):
            self._open = _Speed()
        if value > 0:
            self._open.values[name] = value
        self._open.steps.started = True

    def _rate(self, number: int, found: re.Match[bytes]) -> None:
        job, step = self._open, int(found["step"] or found["micro"])
        rate = log_lines.number(found["now"] or found["only"])
        if rate is None:
            self._refuse(number, found[0])
            return
        if len(job.steps) and step <= job.steps.iterations[-1]:
            job = self._open = _Speed(values=dict(job.values))
            job.steps.started = True
        if not self.jobs or self.jobs[-1] is not job:
            self.jobs.append(job)
            job.line = number
        at, total = self._pending
        skipped = max(0, total - job.skipped) if at == step else 0
        job.skipped += skipped
        job.averages += found["only"] is not None
        job.micro += found["micro"] is not None
        job.steps.add(step, rate, skipped)
        if found["memory"]:
            job.values["memory_gib"] = max(
                job.values.get("memory_gib", 0.0), log_lines.number(found["memory"]) or 0.0
            )

    def _refuse(self, number: int, line: bytes) -> None:
        said = f'"{log_lines.text(line[:60])}..." has no rate that can be read'
        self.problems.append(Problem(number, "", said))


def _into_times(jobs: list[_Speed], options: Options) -> bool:
    """Turn samples per second into seconds; whether a time is that of a nominal amount."""
    given = answers(options).values
    nominal = False
    for job in jobs:
        samples = float({**job.values, **given}.get("global_batch", 0))
        if not samples:
            samples, nominal = NOMINAL, True
            job.steps.updates = False
            job.values["work"] = Work(NOMINAL, "samples")
            job.notes.append(
                "the log does not say how many samples an update has: each time is that of a thousand; "
                "--map global_batch=N makes it updates"
            )
        for place, rate in enumerate(job.steps.times):
            job.steps.times[place] = samples / rate if rate else 0.0
        if job.averages:
            job.notes.append("SamplesPerSec is a running average: the warm-up is in every value")
        else:
            job.notes.append("CurrSamplesPerSec was taken: the running average contains the warm-up")
        if job.micro:
            job.notes.append("this release numbers micro-steps, not updates")
        if job.values.get("accumulation", 1) > 1:
            job.notes.append(
                "releases before 0.8.0 counted one micro-batch for an update (DeepSpeed pull request 2603): "
                "with accumulation their rate is too small"
            )
    return nominal


def _with_choice(found: Imported, jobs: list[_Speed]) -> Imported:
    """The question for the devices with the answer that the data-parallel size suggests."""
    sizes = {job.values.get("dp") for job in jobs}
    size = next(iter(sizes)) if len(sizes) == 1 else None
    if not size:
        return found
    choice = Choice(f"{size}: no model or pipeline parallelism", f"--map devices={size}")
    questions = tuple(
        replace(one, choices=(choice,), sentence=f"{one.sentence} (its data-parallel size is {size})")
        if one.about == "count"
        else one
        for one in found.questions
    )
    return replace(found, questions=questions)
