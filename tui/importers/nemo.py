"""Training logs of NeMo: its progress bar, and the lines of its newer logger.

Source of the layout: github.com/NVIDIA/NeMo (nemo/utils/exp_manager.py, nemo/lightning/pytorch/callbacks).
Bars are written over each other with carriage returns, print a step twice, and show a rolling mean."""

from __future__ import annotations

import re
from dataclasses import dataclass

from . import log_lines
from .imported import Imported, Note, Options, Problem, Source, Tally
from .log_runs import Job, training

NAME = "nemo"
ABOUT = "training log of NeMo"
ANYWHERE = True
EXAMPLE = "Training epoch 0, iteration 1/249 | global_batch_size: 8 | train_step_timing in s: 2.505 | ..."

_TIMING = b"train_step_timing in s"
_TIME = re.compile(rb"train_step_timing in s[:=] *([^\s,\]|]+)")
_BAR = re.compile(rb"\| *(\d{1,15})/\d+ \[")
_LINE = re.compile(rb"\bglobal_step: *(\d{1,15})\b|\biteration (\d{1,15})/\d+")
_BATCH = re.compile(rb"\bglobal_batch_size: *(\d{1,15})")
_CONSUMED = re.compile(rb"\bglobal_step=(\d{1,15})(?:\.0*)?, consumed_samples=(\d{1,15})(?:\.0*)?\b")
_PROCESSES = re.compile(rb"Starting with (\d{1,15}) processes")


def sniff(head: bytes, name: str) -> float:
    """Sure of its step timing."""
    return 0.95 if _TIMING in head else 0.0


def read(source: Source, options: Options) -> Imported:
    """The log as runs, one time a step; of a step that is printed again the last value holds."""
    reader = _Reader()
    for number, line in log_lines.lines(source):
        reader.line(number, line)
    notes = []
    if reader.again:
        notes.append(Note(0, f"{reader.again:,} lines print a step again; the last value of each was taken"))
    for job in reader.jobs:
        job.notes += ["the bar shows a mean over the last steps, not each step"] if job.bars else []
    tally = Tally(lines=reader.lines, blank=reader.blank, refused=len(reader.problems))
    return training(NAME, source, options, reader.jobs, tally, reader.problems, notes)


@dataclass
class _Nemo(Job):
    """A job, and how many of its lines are progress bars."""

    bars: int = 0


class _Reader:
    """Takes lines and gathers jobs."""

    def __init__(self) -> None:
        self.jobs: list[_Nemo] = []
        self.lines = self.blank = self.again = 0
        self.problems: list[Problem] = []
        self._open = _Nemo()

    def line(self, number: int, line: bytes) -> None:
        """The next line of the log."""
        self.lines = number
        if not line.strip():
            self.blank += 1
        elif _TIMING in line:
            self._step(number, line)
        elif b"Starting with" in line:
            found = _PROCESSES.search(line)
            if found and int(found[1]):
                if len(self._open.steps):
                    self._open = _Nemo()
                self._open.values["devices"] = int(found[1])
                self._open.steps.started = True
        elif b"saving model to" in line or b"Saving checkpoint" in line:
            self._open.steps.marks.setdefault(len(self._open.steps), "checkpoint")

    def _step(self, number: int, line: bytes) -> None:
        time, bar = _TIME.search(line), _BAR.search(line)
        step = bar or _LINE.search(line)
        seconds = log_lines.number(time[1]) if time else None
        if step is None or seconds is None:
            said = f'"{log_lines.text(line[:60])}..." has no step and time that can be read'
            self.problems.append(Problem(number, "", said))
            return
        iteration = int(bar[1]) if bar else int(step[1] or step[step.lastindex or 1]) + 1
        self._add(number, iteration, seconds, _batch(line))
        self._open.bars += bar is not None

    def _add(self, number: int, iteration: int, seconds: float, batch: int) -> None:
        steps = self._open.steps
        if len(steps) and iteration == steps.iterations[-1]:
            steps.times[-1] = seconds
            self.again += 1
            return
        if len(steps) and iteration < steps.iterations[-1]:
            self._open = _Nemo(values=dict(self._open.values))
            steps = self._open.steps
            steps.started = True
        if not self.jobs or self.jobs[-1] is not self._open:
            self.jobs.append(self._open)
            self._open.line = number
        steps.add(iteration, seconds, 0, batch)


def _batch(line: bytes) -> int:
    """The global batch of a line; from the consumed samples only where the numbers are whole."""
    found = _BATCH.search(line)
    if found:
        return int(found[1])
    found = _CONSUMED.search(line)
    if found is None:
        return 0
    steps, samples = int(found[1]) + 1, int(found[2])
    return samples // steps if samples % steps == 0 else 0
