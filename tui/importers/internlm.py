"""Training logs of InternLM and InternEvo: the line each update prints.

Source of the layout: github.com/InternLM/InternEvo, internlm/train/pipeline.py. `tgs` is tokens per second
of each device in this one update, steps count from 0, consumed tokens and skipped batches from the start of
training. Every rank says at the start which place in the groups it has; older releases part the numbers by
commas, newer ones by blanks."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from math import prod

from tui.model.study import TimeMeans, Work

from . import log_lines
from .imported import Imported, Note, Options, Problem, Source, Tally
from .log_runs import Job, answers, moment, training

NAME = "internlm"
ABOUT = "training log of InternLM, InternEvo"
ANYWHERE = True
EXAMPLE = "step=9,loss=7.5,tgs (tokens/gpu/second)=2104.89,...,micro_num=4,num_consumed_tokens=2621440,..."

NOMINAL = 1e6
"""Tokens that one time stands for where the log does not say how many an update has."""

_RATE = b"tgs (tokens/gpu/second)="
_STEP = re.compile(rb"\bstep=(\d{1,15})\b")
_TGS = re.compile(rb"tgs \(tokens/gpu/second\)=([\d.]+)")
_CONSUMED = re.compile(rb"\bnum_consumed_tokens=(\d{1,15})\b")
_SKIPPED = re.compile(rb"\binf_nan_skip_batches=(\d{1,15})\b")
_MICRO = re.compile(rb"\bmicro_num=(\d{1,9})\b")
_PASSES = re.compile(rb"\bfwd_bwd_time=([\d.]+)")
_PLACE = re.compile(rb"New Run .{0,200}?tp[:=](\d{1,6}), ?pp[:=](\d{1,6}), ?dp[:=](\d{1,6})")
_DATED = re.compile(rb"^(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)")


def sniff(head: bytes, name: str) -> float:
    """Sure of the rate of each device beside the number of a step."""
    return 0.95 if _RATE in head and _STEP.search(head) else 0.0


def read(source: Source, options: Options) -> Imported:
    """The log as runs: the rate of each line as the seconds of one update, or of a million tokens."""
    reader = _Reader()
    for number, line in log_lines.lines(source):
        reader.line(number, line)
    nominal = [_into_times(job, options) for job in reader.jobs]
    notes = []
    if reader.repeated:
        said = f"{reader.repeated:,} lines repeat a step that another rank printed, and were left out"
        notes.append(Note(0, said))
    tally = Tally(lines=reader.lines, blank=reader.blank, refused=len(reader.problems))
    means: TimeMeans = "main loop" if any(nominal) else "one update"
    return training(NAME, source, options, reader.jobs, tally, reader.problems, notes, means)


@dataclass
class _Intern(Job):
    """A job while its times are still rates."""

    tokens: list[int] = field(default_factory=list)
    """Of each update; 0 where the log does not say."""
    consumed: int = 0
    skipped: int = 0


class _Reader:
    """Takes lines and gathers jobs."""

    def __init__(self) -> None:
        self.jobs: list[_Intern] = []
        self.lines = self.blank = self.repeated = 0
        self.problems: list[Problem] = []
        self._open = _Intern()
        self._places: set[tuple[int, ...]] = set()

    def line(self, number: int, line: bytes) -> None:
        """The next line of the log."""
        self.lines = number
        if not line.strip():
            self.blank += 1
        elif _RATE in line:
            self._step(number, line)
        elif b"New Run" in line:
            found = _PLACE.search(line)
            if found:
                self._place(tuple(map(int, found.groups())))

    def _place(self, place: tuple[int, ...]) -> None:
        """What one rank says of its place; a place that was said already is another start."""
        if len(self._open.steps) or place in self._places:
            self._open, self._places = _Intern(), set()
        self._places.add(place)
        sizes = [1 + max(each) for each in zip(*self._places, strict=True)]
        self._open.steps.started = True
        if len(self._places) == prod(sizes):
            self._open.values |= {"devices": prod(sizes), "dp": sizes[2], "tp": sizes[0], "pp": sizes[1]}
        else:
            self._open.values.clear()

    def _step(self, number: int, line: bytes) -> None:
        step, rate = _STEP.search(line), _TGS.search(line)
        tokens_each = log_lines.number(rate[1]) if rate else None
        if step is None or tokens_each is None:
            said = f'"{log_lines.text(line[:60])}..." has no step and rate that can be read'
            self.problems.append(Problem(number, "", said))
            return
        job, iteration = self._open, int(step[1]) + 1
        last = job.steps.iterations[-1] if len(job.steps) else 0
        if iteration == last:
            self.repeated += 1
            return
        if iteration < last:
            job = self._open = _Intern(values=dict(job.values))
            job.steps.started, last = True, 0
        if not self.jobs or self.jobs[-1] is not job:
            self.jobs.append(job)
            job.line = number
            _begin(job, line)
        job.tokens.append(_tokens(job, line, iteration, last))
        job.steps.add(iteration, tokens_each, _skipped(job, line))
        passes = _PASSES.search(line)
        seconds = log_lines.number(passes[1]) if passes else None
        if seconds:
            job.stages.add(len(job.steps) - 1, {"forward_backward": seconds})


def _begin(job: _Intern, line: bytes) -> None:
    """What the first line of a job says of all of it."""
    dated, micro = _DATED.match(line), _MICRO.search(line)
    when = moment(dated[1].decode()) if dated else None
    job.values |= {"date": when} if when else {}
    job.values |= {"accumulation": int(micro[1])} if micro and int(micro[1]) else {}


def _tokens(job: _Intern, line: bytes, iteration: int, last: int) -> int:
    """The tokens of an update, from those that were consumed until then; 0 where that does not say it."""
    found = _CONSUMED.search(line)
    consumed, before = int(found[1]) if found else 0, job.consumed
    job.consumed = consumed
    if last and iteration - last == 1 and consumed > before > 0:
        return consumed - before
    return consumed // iteration if consumed % iteration == 0 else 0


def _skipped(job: _Intern, line: bytes) -> int:
    """Batches skipped since the last line."""
    found = _SKIPPED.search(line)
    total = int(found[1]) if found else job.skipped
    more = max(0, total - job.skipped)
    job.skipped = total
    return more


def _into_times(job: _Intern, options: Options) -> bool:
    """Turn tokens per second of each device into seconds; whether a time is that of a nominal amount."""
    devices = int({**job.values, **answers(options).values}.get("devices", 1))
    usual = Counter(job.tokens).most_common(1)[0][0]
    amount = float(usual or NOMINAL)
    job.values["work"] = Work(amount, "tokens")
    if usual:
        job.notes.append(f"{usual:,} tokens an update; tgs is the rate of each device")
        for place, tokens in enumerate(job.tokens):
            if tokens != usual:
                job.steps.marks.setdefault(place, "other batch")
    else:
        job.steps.updates = False
        job.notes.append(
            "the log does not say how many tokens an update has: each time is that of a million over all "
            "devices (tgs is of each)"
        )
    for place, rate in enumerate(job.steps.times):
        job.steps.times[place] = amount / (rate * devices) if rate else 0.0
    if job.stages.places:
        job.notes.append(
            "fwd_bwd_time is the stage forward_backward: in a pipeline it contains the waiting for neighbours"
        )
    return not usual
