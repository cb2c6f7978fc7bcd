"""Training logs of Megatron-LM: the lines its `training_log` prints, its arguments and its timers.

Source of the layout: github.com/NVIDIA/Megatron-LM, megatron/training/training.py and timers.py; older
releases leave out the consumed samples and the global batch. The time of an iteration is the mean over a log
interval, and the number of devices is only in the line "using world size", or among the arguments.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from . import log_columns, log_lines
from .imported import Imported, Options, Problem, Source, Tally
from .log_columns import Digits, Shape, Stretch, Words
from .log_runs import Job, moment, training
from .log_steps import Steps
from .megatron_timers import across_ranks, one_rank

NAME = "megatron"
ABOUT = "training log of Megatron-LM"
ANYWHERE = True
EXAMPLE = "iteration 20/ 1000 | elapsed time per iteration (ms): 820.7 | global batch size: 16 | ..."

_TIME_NAME = b"elapsed time per iteration (ms)"
_NEEDLE = _TIME_NAME + b":"
_TIME = re.compile(rb"elapsed time per iteration \(ms\): *([\d.]+)")
_COUNTED = re.compile(rb".*(iteration )( *\d{1,15})(/ *\d+ )")
_NUMBER = re.compile(rb"iteration +(\d{1,15})/ *\d+ ")
_SKIPPED = re.compile(rb"number of skipped iterations: *(\d{1,15})")
_BATCH = re.compile(rb"global batch size: *(\d{1,15}) \|")
_NONE_SKIPPED = b"number of skipped iterations:   0 |"
_DATED = re.compile(rb"\[(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)")
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


class _Reader:
    """Takes blocks of lines and gathers jobs.

    Of a large log, iteration lines that are alike are read by columns; each other line is looked at.
    """

    def __init__(self, large: bool) -> None:
        self.lines = 0
        self.problems: list[Problem] = []
        self._large = large
        self._job = _Megatron()
        self._jobs = [self._job]
        self._last = 0
        """Number of the last iteration line."""

    def finished(self) -> list[_Megatron]:
        """All jobs that logged a step, or show their start."""
        for job in self._jobs:
            _complete(job)
        return [job for job in self._jobs if len(job.steps) or job.steps.started]

    def feed(self, block: bytes) -> None:
        """The next whole lines of the file."""
        done = 0
        alike = _alike(block) if self._large else None
        if alike is not None:
            for stretch in log_columns.stretches(block, alike.shape):
                self._text(block[done : stretch.start])
                if not self._columns(stretch, alike):
                    self._text(block[stretch.start : stretch.stop])
                done = stretch.stop
        self._text(block[done:])

    def _text(self, text: bytes) -> None:
        """Whole lines, each of which is looked at."""
        if not text:
            return
        text, done = b"\n" + text.removesuffix(b"\n"), 0  # every line has one before it, and none behind
        for event in _EVENT.finditer(text):
            if done < event.start():
                self._intervals(text[done : event.start()])
            self._event(event)
            done = event.start()
        self._intervals(text[done:])

    def _intervals(self, text: bytes) -> None:
        """The iteration lines among some lines."""
        texts = text.split(b"\n")[1:]
        for place, line in enumerate(texts):
            found = _NUMBER.search(line)
            if found is None:
                continue
            whole, here = _unwrapped(texts, place), self.lines + place + 1
            if b"|" in whole:
                if int(found[1]) <= self._last:  # nothing shows a start: a log of several jobs
                    self._begin(here)
                self._last = int(found[1])
            if not self._interval(whole) and (_NEEDLE in whole or b"| consumed samples:" in whole):
                said = f'"{log_lines.text(line[:60])}..." has no time: the line is cut off'
                self.problems.append(Problem(here, "", said))
        self.lines += len(texts)

    def _begin(self, line: int, start: bytes = b"") -> None:
        """A job that begins in a line, which may show its start."""
        if len(self._job.steps) or self._job.steps.started:
            values = {} if start else dict(self._job.values)
            self._job = _Megatron(values=values)
            self._jobs.append(self._job)
        self._job.line = line
        self._job.steps.started = True
        self._job.values |= {
            _FIELDS[name.decode()]: int(size)
            for name, size in _SIZE.findall(start)
            if name.decode() in _FIELDS and int(size)
        }

    def _event(self, event: re.Match[bytes]) -> None:
        """What a line between the iterations says."""
        job, place = self._job, len(self._job.steps)
        if event["start"]:
            self._begin(self.lines + 1, event["start"])
            self._last = 0
        elif event["checkpoint"] or event["evaluation"]:
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

    def _columns(self, stretch: Stretch, alike: _Alike) -> bool:
        """Iteration lines that are alike; whether they go on with the job, and none begins one."""
        iterations, times = stretch.columns
        if not len(self._job.steps) or iterations[0] <= self._last:
            return False
        self._job.steps.extend(iterations, times, stretch.least, alike.skipped, alike.batch)
        self._last = iterations[-1]
        self.lines += len(iterations)
        return True

    def _interval(self, line: bytes) -> bool:
        """One iteration line; whether it has a time."""
        number, time = _NUMBER.search(line), _TIME.search(line)
        milliseconds = log_lines.number(time[1]) if time else None
        if number is None or milliseconds is None:
            return False
        skipped, batch = _SKIPPED.search(line), _BATCH.search(line)
        counts = int(skipped[1]) if skipped else 0, int(batch[1]) if batch else 0
        if not len(self._job.steps) and "date" not in self._job.values:
            dated = _DATED.search(line)
            when = moment(dated[1].decode()) if dated else None
            self._job.values |= {"date": when} if when else {}
        self._job.steps.add(int(number[1]), milliseconds, *counts)
        return True


@dataclass(frozen=True)
class _Alike:
    """What most iteration lines of a block have in common."""

    shape: Shape
    skipped: int
    batch: int


def _alike(block: bytes) -> _Alike | None:
    """What a first line without skipped iterations says, else any first one; None where there is none."""
    at = block.find(_NONE_SKIPPED) if _NONE_SKIPPED in block else block.find(_NEEDLE)
    line = block[block.rfind(b"\n", 0, max(at, 0)) + 1 : block.find(b"\n", at) + 1][: log_lines.LINE]
    head, *fields = line.split(b"|")
    counted = _COUNTED.fullmatch(head)
    skipped, batch = _SKIPPED.search(line), _BATCH.search(line)
    if counted is None or skipped is None or batch is None or _EVENT.match(b"\n" + line):
        return None
    words = [Words(0, 1 + counted.start(1), counted[1])]
    digits = [Digits(0, 1 + counted.start(2), counted[3] + b"|", kind="q")]
    for bar, part in enumerate(fields[:-1], 1):
        name, colon, value = part.partition(b":")
        if name.endswith(_TIME_NAME):
            before = b"|" + name + colon
            digits.append(Digits(bar, len(before), b" |", len(value.strip().partition(b".")[2])))
            words.append(Words(bar, 0, before))
        elif name.endswith((b"skipped iterations", b"global batch size")):
            words.append(Words(bar, 0, b"|" + part + b"|"))
    shape = Shape(len(fields), tuple(words), tuple(digits))
    return _Alike(shape, int(skipped[1]), int(batch[1])) if len(digits) == 2 else None


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
