"""Training logs of Megatron-LM: the lines its `training_log` prints, its arguments and its timers.

Source of the layout: github.com/NVIDIA/Megatron-LM, megatron/training/training.py and timers.py; older
releases leave out the consumed samples and the global batch. The time of an iteration is the mean over a log
interval, and the number of devices is only in the line "using world size", or among the arguments.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Container
from dataclasses import dataclass, field

from . import log_lines
from .imported import Imported, Options, Problem, Source, Tally
from .log_runs import Job, moment, training
from .log_steps import Steps
from .megatron_timers import across_ranks, one_rank

NAME = "megatron"
ABOUT = "training log of Megatron-LM"
ANYWHERE = True
EXAMPLE = "iteration 20/ 1000 | elapsed time per iteration (ms): 820.7 | global batch size: 16 | ..."

_NEEDLE = b"elapsed time per iteration (ms):"
_TIME = re.compile(rb"elapsed time per iteration \(ms\): *([\d.]+)")
_TIMES = re.compile(rb"\(ms\): ([\d.]+) \|")  # a short beginning is found fastest
_NUMBER = re.compile(rb"iteration +(\d{1,15})/ *\d+ ")
_SKIPPED = re.compile(rb"number of skipped iterations: *(\d{1,15})")
_BATCH = re.compile(rb"global batch size: *(\d{1,15}) \|")
_NONE_SKIPPED = b"number of skipped iterations:   0 |"  # what ends in a rare byte is counted faster
_DATED = re.compile(rb"\[(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)")
_OPENINGS = {
    b"\n [": re.compile(rb"\n(?! \[|\Z)"),
    b"\n iteration ": re.compile(rb"\n(?! iteration |\Z)"),
}
"""How iteration lines begin, and what finds every other line."""
_NUMBERED = re.compile(rb"\n[^\n]*?(?:(?P<start>using world size:)|iteration +(?P<number>\d{1,15})/ *\d+ \|)")
_WRAPPED_OVER = 6
"""Most lines that one line of a log is spread over by a terminal it was copied from."""

_EVENT = re.compile(
    rb"\n(?! \[\d| iteration)(?:\[\w+\]: *|\d+: *)* *(?:"
    rb"(?P<start>using world size: *\d+[^\n]*)"
    rb"|(?P<argument>(?:world_size|\w+_parallel_size|micro_batch_size|seq_length|log_interval) \.{2,} \d+)"
    rb"|(?P<checkpoint>saving checkpoint at iteration)"
    rb"|(?P<evaluation>validation loss at iteration)"
    rb"|(?P<memory>\[Rank \d+\] \(after \d+ iterations\) memory \(MB\)[^\n]*)"
    rb"|(?P<parameters>> number of parameters on \(tensor, pipeline\) model parallel rank[^\n]*)"
    rb"|(?P<timers>time \(ms\) \|[^\n]*)"
    rb"|(?P<across>\((?:min, )?max\) time across ranks \(ms\):(?:\n +[\w./-]+ *\.+: \([^)\n]*\))+)"
    rb")"
)
_SIZE = re.compile(rb"(world|[a-z]+(?:-model)?-parallel)[ -]size: *(\d{1,15})")
_RESERVED = re.compile(rb"max reserved: *([\d.]+)")
_PARAMETERS = re.compile(rb"rank \((\d{1,15}), (\d{1,15})\): *(\d{1,15})")
_FIELDS = {
    "world": "devices",
    "data-parallel": "dp",
    "tensor-model-parallel": "tp",
    "pipeline-model-parallel": "pp",
    "context-parallel": "cp",
    "world_size": "devices",
    "data_parallel_size": "dp",
    "tensor_model_parallel_size": "tp",
    "pipeline_model_parallel_size": "pp",
    "context_parallel_size": "cp",
    "virtual_pipeline_model_parallel_size": "vpp",
    "micro_batch_size": "micro_batch",
    "seq_length": "sequence_length",
}


def sniff(head: bytes, name: str) -> float:
    """1 for its iteration lines, nearly as sure for what comes before them."""
    if _NEEDLE in head and _NUMBER.search(head):
        return 1.0
    return 0.9 if b"using world size:" in head and b"tensor-model-parallel" in head else 0.0


def read(source: Source, options: Options) -> Imported:
    """Every job of the log as a run: one time an interval, stages from the timers."""
    reader = _Reader(source.size > log_lines.BLOCK)
    for block in log_lines.blocks(source):
        reader.feed(block)
    jobs = reader.finished()
    tally = Tally(lines=reader.lines, refused=len(reader.problems))
    return training(NAME, source, options, jobs, tally, reader.problems)


@dataclass
class _Megatron(Job):
    """A job with what only Megatron says of it."""

    parameters: dict[tuple[int, int], int] = field(default_factory=dict)
    """Of each tensor and pipeline rank."""
    reserved_mb: float = 0.0
    steps: Steps = field(default_factory=lambda: Steps(per_second=1000, means=True))


@dataclass(frozen=True)
class _Progression:
    """Iterations at equal distances: the first, how many, and the distance."""

    first: int
    count: int
    each: int

    @property
    def numbers(self) -> range:
        return range(self.first, self.first + self.count * self.each, self.each)


class _Reader:
    """Takes blocks of lines and gathers jobs.

    A piece whose lines are all alike is read by counting and one regular expression; in any other each
    line is looked at.
    """

    def __init__(self, large: bool) -> None:
        self.lines = 0
        self.problems: list[Problem] = []
        self._large = large
        self._job = _Megatron()
        self._jobs = [self._job]

    def finished(self) -> list[_Megatron]:
        """All jobs that logged a step, or show their start."""
        for job in self._jobs:
            _complete(job)
        return [job for job in self._jobs if len(job.steps) or job.steps.started]

    def feed(self, block: bytes) -> None:
        """The next whole lines of the file."""
        before = self.lines
        block = b"\n" + block  # every line now has one before it
        run = self._progression(block, 0, len(block))
        # Counting single bytes is slow; where all lines that begin as iteration lines do are such, the lines
        # are those and the ones that begin otherwise.
        opening = next((each for each in _OPENINGS if run and block.count(each) == run.count), None)
        if run and opening and block.endswith(b"\n"):
            others = [_EVENT.match(block, found.start()) for found in _OPENINGS[opening].finditer(block)]
            events = [event for event in others if event]
            self.lines += run.count + len(others)
        else:
            events = list(_EVENT.finditer(block))
            self.lines += log_lines.count(block) - 1
            run = run if run and block.count(_NEEDLE) == run.count else None
        starts = {event.start(): event for event in events if event["start"]}
        cuts = {*starts, *(() if run and not starts else self._restarts(block, starts))}
        if run and not cuts:
            self._note_events(block, 0, events)
            self._intervals(block, 0, len(block), before, run)
            return
        edges = sorted({0, *cuts})
        for begin, end in zip(edges, [*edges[1:], len(block)], strict=True):
            line = before + block.count(b"\n", 0, begin + 1)
            if begin in cuts:
                self._begin(line, starts.get(begin))
            self._note_events(block, begin, [event for event in events if begin <= event.start() < end])
            self._intervals(block, begin, end, line - 1, self._progression(block, begin, end))

    def _restarts(self, block: bytes, starts: Container[int]) -> list[int]:
        """Where the iterations begin again although nothing shows a start: a log of several jobs."""
        found, last = [], self._last()
        for line in _NUMBERED.finditer(block):
            if line["start"]:
                last = 0
                continue
            if int(line["number"]) <= last and line.start() not in starts:
                found.append(line.start())
            last = int(line["number"])
        return found

    def _last(self) -> int:
        return self._job.steps.iterations[-1] if len(self._job.steps) else 0

    def _begin(self, line: int, start: re.Match[bytes] | None) -> None:
        if len(self._job.steps) or self._job.steps.started:
            values = {} if start else dict(self._job.values)
            self._job = _Megatron(values=values)
            self._jobs.append(self._job)
        self._job.line = line
        self._job.steps.started = True
        if start:
            self._job.values |= {
                _FIELDS[name.decode()]: int(size)
                for name, size in _SIZE.findall(start["start"])
                if name.decode() in _FIELDS and int(size)
            }

    def _note_events(self, block: bytes, begin: int, events: list[re.Match[bytes]]) -> None:
        """What the lines between the iterations say, each at the interval that it belongs to."""
        job, place, done = self._job, len(self._job.steps), begin
        for event in events:
            place += block.count(_NEEDLE, done, event.start())
            done = event.start()
            if event["checkpoint"] or event["evaluation"]:
                job.steps.marks.setdefault(place, "checkpoint" if event["checkpoint"] else "evaluation")
            elif event["timers"] or event["across"]:
                pipeline = job.values.get("pp")
                parts = (
                    one_rank(event["timers"], pipeline)
                    if event["timers"]
                    else across_ranks(event["across"], pipeline)
                )
                if parts and place:
                    job.stages.add(place - 1, parts)
            elif event["memory"]:
                found = map(log_lines.number, _RESERVED.findall(event["memory"]))
                job.reserved_mb = max(job.reserved_mb, *(one for one in found if one is not None), 0.0)
            elif event["parameters"]:
                for tensor, pipe, size in _PARAMETERS.findall(event["parameters"]):
                    job.parameters[int(tensor), int(pipe)] = int(size)
            elif event["argument"]:
                name, _, value = event["argument"].partition(b" ")
                _argument(job, name.decode(), int(value.rpartition(b" ")[2]))

    def _intervals(self, block: bytes, begin: int, end: int, line: int, run: _Progression | None) -> None:
        """The iteration lines of a piece; `line` is the number of the line before it."""
        if run and self._columns(block, begin, end, run):
            return
        texts = block[begin:end].split(b"\n")
        for place, text in enumerate(texts):
            if _NUMBER.search(text):
                whole = _unwrapped(texts, place)
                if not self._interval(whole) and (_NEEDLE in whole or b"| consumed samples:" in whole):
                    said = f'"{log_lines.text(text[:60])}..." has no time: the line is cut off'
                    self.problems.append(Problem(line + place, "", said))

    def _columns(self, block: bytes, begin: int, end: int, run: _Progression) -> bool:
        """The iteration lines of a piece, a column at a time; whether each column was there in every line."""
        times = _TIMES.findall(block, begin, end)
        if block.count(_NONE_SKIPPED, begin, end) == run.count:
            skipped = array("q", bytes(8 * run.count))
        else:
            skipped = array("q", map(int, _SKIPPED.findall(block, begin, end)))
        token = _BATCH.search(block, begin, end)
        if token is None or block.count(token[0], begin, end) == run.count:
            batches = array("q", [int(token[1]) if token else 0]) * run.count
        else:
            batches = array("q", map(int, _BATCH.findall(block, begin, end)))
        if not len(times) == len(skipped) == len(batches) == run.count:
            return False
        try:
            milliseconds = array("d", map(float, times))
        except ValueError:
            return False
        if max(milliseconds) > log_lines.LARGEST:
            return False
        self._job.steps.extend(run.numbers, milliseconds, skipped, batches)
        return True

    def _progression(self, block: bytes, begin: int, end: int) -> _Progression | None:
        """The iterations of a piece as its first and last line have them, where they go on as those before;
        None for small files, whose lines may be wrapped.
        """
        steps = self._job.steps
        at = block.rfind(_NEEDLE, begin, end) if self._large and len(steps) > 1 else -1
        if at < 0:
            return None
        found = _NUMBER.search(block, begin, end), _NUMBER.search(block, block.rfind(b"\n", 0, at), at)
        if found[0] is None or found[1] is None:
            return None
        first, last = int(found[0][1]), int(found[1][1])
        each = steps.iterations[-1] - steps.iterations[-2]
        goes_on = each > 0 and first == steps.iterations[-1] + each and last >= first
        if not goes_on or (last - first) % each:
            return None
        return _Progression(first, (last - first) // each + 1, each)

    def _interval(self, line: bytes) -> bool:
        """One iteration line; whether it has a time."""
        number, time = _NUMBER.search(line), _TIME.search(line)
        milliseconds = log_lines.number(time[1]) if time else None
        if number is None or milliseconds is None:
            return False
        skipped, batch = _SKIPPED.search(line), _BATCH.search(line)
        if not len(self._job.steps) and "date" not in self._job.values:
            dated = _DATED.search(line)
            when = moment(dated[1].decode()) if dated else None
            self._job.values |= {"date": when} if when else {}
        counts = int(skipped[1]) if skipped else 0, int(batch[1]) if batch else 0
        self._job.steps.add(int(number[1]), milliseconds, *counts)
        return True


def _unwrapped(texts: list[bytes], place: int) -> bytes:
    """An iteration line, with what follows it where a terminal had wrapped it."""
    whole = texts[place]
    for text in texts[place + 1 : place + _WRAPPED_OVER]:
        ended = b"nan iterations:" in whole or (b"loss scale" in whole and whole.rstrip().endswith(b"|"))
        if ended or not text.strip() or _NUMBER.search(text) or text.startswith((b"time (ms)", b"(min")):
            break
        if b"|" not in text and b":" not in text:
            break
        whole += (
            text if whole.endswith(b" ") or text.startswith(b" ") or _cut_inside(whole, text) else b" " + text
        )
    return whole


def _cut_inside(before: bytes, after: bytes) -> bool:
    """Whether a line end stands inside a word or a number."""
    return before[-1:].isdigit() and after[:1].isdigit()


def _argument(job: _Megatron, name: str, value: int) -> None:
    if name == "log_interval":
        job.steps.interval = value
    elif name in _FIELDS and value:
        job.values.setdefault(_FIELDS[name], value)


def _complete(job: _Megatron) -> None:
    """What follows from the lines of a job taken together."""
    values = job.values
    if job.reserved_mb:
        values["memory_gib"] = job.reserved_mb / 1024
    shares = len(job.parameters)
    if shares and shares == (values.get("tp") or 1) * (values.get("pp") or 1):
        values["parameters"] = float(sum(job.parameters.values()))
        if (values.get("pp") or 1) > 1:
            job.notes.append("parameters are those of all ranks: the embedding stands in two pipeline stages")
    batch = max(job.steps.batches, default=0)
    local = (values.get("dp") or 0) * (values.get("micro_batch") or 0)
    if batch and local and batch % local == 0 and len(set(job.steps.batches)) == 1:
        values["accumulation"] = batch // local
    if job.stages.places:
        job.notes.append(
            "stages are means of the timers; sends, receives and, in a pipeline, the all-reduce of the "
            "embeddings are waiting, not communication"
        )
