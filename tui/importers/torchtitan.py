"""Training logs of torchtitan.

Source of the layout: github.com/pytorch/torchtitan, torchtitan/components/metrics.py. `tps` is tokens per
second of each device, averaged since the last line, with commas between thousands; the mesh is logged once
at the start; ranks may print the same step."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from math import prod

from tui.model.spread import median
from tui.model.study import Work

from . import log_lines
from .imported import Imported, Note, Options, Problem, Source, Tally
from .log_runs import Job, answers, training
from .log_steps import MOST, Reason, Steps

NAME = "torchtitan"
ABOUT = "training log of torchtitan"
ANYWHERE = True
EXAMPLE = "step: 20  loss: 11.83506  memory: 48.87GiB(51.44%)  tps: 4,376  tflops: 253.41  mfu: 25.62%"

NOMINAL = 1e6
"""Tokens that one time stands for where the log does not say how many an update has."""

MOST_DEVICES = 10**6
"""Sizes of a mesh from here on are none."""

_STEP = re.compile(
    rb"(?<!validate )step: *(\d{1,15}) .{0,400}?memory: *([\d.]+)GiB\([\d.]+%\) +(?:tps|wps): *([\d,]+)"
    rb"(?: +tflops: *([\d.,]+))?(?: +mfu: *([\d.]+)%)?"
)
_RANK = re.compile(rb"\[(?:rank)?(\d{1,15})\]:")
_MESH = re.compile(rb"Building device mesh with parallelism: *([^\n]*)")
_OLD_MESH = re.compile(rb"Building \d+-D device mesh with [\[(]([^\])]*)[\])], \[([\d, ]+)\]")
_TRAINER = re.compile(
    rb"local batch size (\d{1,15}), global batch size (\d{1,15})"
    rb"(?:, gradient accumulation steps? (\d{1,15}))?"
    rb".{0,80}?sequence length (\d{1,15})"
)
_DEGREES = ("pp", "cp", "tp")


def sniff(head: bytes, name: str) -> float:
    """1 for its step lines, nearly as sure for the line of its mesh."""
    if b"ps:" not in head and b"titan" not in head:
        return 0.0
    text = log_lines.cleaned(head)
    if _STEP.search(text):
        return 1.0
    return 0.9 if _MESH.search(text) and b"titan" in text else 0.0


def read(source: Source, options: Options) -> Imported:
    """The log as runs: the rate of each line as the seconds of one update, or of a million tokens."""
    reader = _Reader()
    for number, line in log_lines.lines(source):
        reader.line(number, line)
    jobs = reader.jobs
    nominal = _into_times(jobs, options)
    notes = []
    if reader.repeated:
        said = f"{reader.repeated:,} lines repeat a step that another rank printed, and were left out"
        notes.append(Note(0, said))
    tally = Tally(lines=reader.lines, blank=reader.blank, refused=len(reader.problems))
    return training(
        NAME, source, options, jobs, tally, reader.problems, notes, "main loop" if nominal else "one update"
    )


@dataclass
class _Titan(Job):
    """A job while its times are still rates."""

    steps: Steps = field(default_factory=lambda: Steps(means=True))
    rank: bytes = b""
    shares: list[float] = field(default_factory=list)
    """Of the peak, in percent."""


class _Reader:
    """Takes lines and gathers jobs."""

    def __init__(self) -> None:
        self.jobs: list[_Titan] = []
        self.lines = self.blank = self.repeated = 0
        self.problems: list[Problem] = []
        self._open = _Titan()

    def line(self, number: int, line: bytes) -> None:
        """The next line of the log."""
        self.lines = number
        if not line.strip():
            self.blank += 1
        elif b"ps:" in line and b"step:" in line:
            found = _STEP.search(line)
            if found:
                self._step(number, line, found)
            elif b"validate" in line:
                self._mark("evaluation")
        elif b"mesh with" in line:
            self._mesh(number, line)
        elif b"batch size" in line:
            self._batch(line)
        elif b"Saving" in line and b"checkpoint" in line:
            self._mark("checkpoint")

    def _mark(self, what: Reason) -> None:
        self._open.steps.marks.setdefault(len(self._open.steps), what)

    def _step(self, number: int, line: bytes, found: re.Match[bytes]) -> None:
        who = _RANK.search(line[: found.start()])
        rank = who[1] if who else b""
        job = self._open
        iteration = int(found[1])
        if len(job.steps) and rank != job.rank:
            self.repeated += 1
            return
        if len(job.steps) and iteration <= job.steps.iterations[-1]:
            job = self._begin(number, dict(job.values))
        if not self.jobs or self.jobs[-1] is not job:
            self.jobs.append(job)
            job.line = number
        job.rank = rank
        rate = log_lines.number(found[3].replace(b",", b"")) or 0.0
        job.steps.add(iteration, rate)
        memory = job.values.get("memory_gib", 0.0)
        job.values["memory_gib"] = max(memory, log_lines.number(found[2]) or 0.0)
        if found[5] and len(job.shares) < MOST:
            job.shares.append(log_lines.number(found[5]) or 0.0)

    def _begin(self, number: int, values: dict[str, object]) -> _Titan:
        self._open = _Titan(line=number, values=values)
        self._open.steps.started = True
        return self._open

    def _mesh(self, number: int, line: bytes) -> None:
        degrees = _degrees(line)
        if not degrees:
            return
        if len(self._open.steps):
            self._begin(number, {})
        self._open.steps.started = True
        values = self._open.values
        values["devices"] = prod(size for name, size in degrees.items() if name != "ep")
        values["dp"] = prod(size for name, size in degrees.items() if name.startswith("dp"))
        values |= {name: degrees[name] for name in _DEGREES if degrees.get(name, 1) > 1}
        if degrees.get("ep", 1) > 1:
            values["ep"] = degrees["ep"]

    def _batch(self, line: bytes) -> None:
        found = _TRAINER.search(line)
        if found:
            local, whole, accumulation, length = found.groups()
            values = {"micro_batch": int(local), "global_batch": int(whole), "sequence_length": int(length)}
            values |= {"accumulation": int(accumulation)} if accumulation else {}
            self._open.values |= {name: value for name, value in values.items() if value}
            self._open.steps.started = True


def _degrees(line: bytes) -> dict[str, int]:
    """The sizes of a mesh by the names of its axes."""
    found = _MESH.search(line)
    if found:
        pairs = re.findall(rb"(\w+)=(\d{1,15})", found[1])
        return {name.decode(): int(size) for name, size in pairs if 0 < int(size) < MOST_DEVICES}
    found = _OLD_MESH.search(line)
    if not found:
        return {}
    names = re.findall(rb"\w+", found[1])
    sizes = [int(size) for size in re.findall(rb"\d+", found[2])]
    good = all(0 < size < MOST_DEVICES for size in sizes)
    return dict(zip((name.decode() for name in names), sizes, strict=False)) if good else {}


def _into_times(jobs: list[_Titan], options: Options) -> bool:
    """Turn tokens per second of each device into seconds; whether a time is that of a nominal amount."""
    given = answers(options).values
    nominal = False
    for job in jobs:
        values = {**job.values, **given}
        devices = int(values.get("devices", 1))
        tokens = float(values.get("global_batch", 0) * values.get("sequence_length", 0))
        if tokens:
            job.notes.append(
                f"{tokens:,.0f} tokens an update over {devices} devices; tps is the rate of each device"
            )
        else:
            tokens, nominal = NOMINAL, True
            job.steps.updates = False
            job.values["work"] = Work(NOMINAL, "tokens")
            job.notes.append(
                "the log does not say how many tokens an update has: each time is that of a million over "
                "all devices (tps is of each); --map global_batch=N and sequence_length=N make it updates"
            )
        for place, rate in enumerate(job.steps.times):
            job.steps.times[place] = tokens / (rate * devices) if rate else 0.0
        if job.shares:
            job.values["extra"] = {"mfu (%)": f"{median(job.shares):.4g}"}
    return nominal
