"""Output of nccl-tests: one collective at many message sizes, as the communication stage of a step.

Source of the layout: github.com/NVIDIA/nccl-tests, src/common.cu and doc/PERFORMANCE.md. Times are
microseconds (the document says milliseconds), averaged over the iterations; the bus bandwidth is derived.
A build without MPI starts every process as rank 0, each alone."""

from __future__ import annotations

import re
from dataclasses import dataclass

from tui.model.study import Run, Work

from . import log_lines
from .imported import Choice, Imported, Note, Options, Part, Problem, Question, Source, Tally, family_question
from .json_text import whole
from .log_runs import answers, count_question

NAME = "nccl-tests"
ABOUT = "nccl-tests output"
ANYWHERE = True
EXAMPLE = "1048576  262144  float  sum  -1  177.0  5.93  11.11  0  174.8  6.00  11.25  0"

_HEADING = re.compile(rb"#\s+size\s+count\s+type\b")
_RANK = re.compile(rb"#\s+Rank\s+(\d{1,15})\b.*\bPid\b")
_SETTINGS = re.compile(
    rb"# nThread (\d{1,15}) nGpus (\d{1,15}) .*?warmup iters: *(\d{1,15}) iters: *(\d{1,15})"
)
_TEST = re.compile(rb"Collective test starting: *(\w+)")
_ROW = re.compile(
    rb"^ *(\d{1,15}) +(\d{1,15}) +([a-z][\w]*)((?: +[\w.-]+){0,2}?)"
    rb" +([\d.]+) +([\d.]+) +([\d.]+) +(\S+) +([\d.]+) +([\d.]+) +([\d.]+) +(\S+) *$"
)
_SHOWN = 40


def sniff(head: bytes, name: str) -> float:
    """1 for its heading."""
    return 1.0 if _HEADING.search(head) and b"busbw" in head else 0.0


@dataclass(frozen=True)
class _Row:
    """One message size, times in seconds."""

    line: int
    size: int
    what: str
    out_of_place: float
    in_place: float
    bus: float
    wrong: bool


def read(source: Source, options: Options) -> Imported:
    """The chosen message size as a run whose time is the communication; which size is the step's is asked."""
    reader = _Reader()
    for number, line in log_lines.lines(source):
        reader.line(number, line)
    file = source.path.name
    problems = list(reader.problems)
    rows = reader.rows
    if reader.zeros > 1:
        said = f"rank 0 is listed {reader.zeros} times: built without MPI, each process measured alone"
        problems.append(Problem(0, "", f"{said}; build nccl-tests with MPI=1"))
        rows = []
    elif not rows:
        problems.append(Problem(0, "", "there is no row with a size and its times"))
    given = answers(options, ("size",))
    chosen, question = _chosen(file, rows, options)
    devices = given.devices or (max(reader.ranks) + 1 if reader.ranks else None)
    runs = [given.on(_run(row, devices or 1, reader.test)) for row in chosen]
    questions = [question] if question else []
    if runs and devices is None:
        questions.append(count_question(file))
    if runs and options.family is None:
        questions.append(family_question(file))
    left = len(reader.rows) - len(runs)
    part = Part("", tuple(runs), options.family, counts="GPU", time_means="main loop")
    return Imported(
        NAME,
        source.path,
        parts=(part,) if runs else (),
        notes=tuple(Note(0, sentence) for sentence in reader.notes(bool(rows), left)),
        problems=(*problems, *given.problems),
        questions=tuple(questions),
        tally=_tally(reader, runs),
    )


def _tally(reader: _Reader, runs: list[Run]) -> Tally:
    failed = sum(run.status != "completed" for run in runs)
    return Tally(
        lines=reader.lines,
        runs=len(runs) - failed,
        not_completed=failed,
        notes=len(reader.rows) - len(runs),
        refused=len(reader.problems),
        blank=reader.blank,
        other=reader.lines - len(reader.rows) - len(reader.problems) - reader.blank,
    )


class _Reader:
    """Takes lines and gathers rows."""

    def __init__(self) -> None:
        self.rows: list[_Row] = []
        self.ranks: set[int] = set()
        self.problems: list[Problem] = []
        self.lines = self.blank = self.zeros = 0
        self.test = ""
        self._settings: tuple[int, int] | None = None

    def line(self, number: int, line: bytes) -> None:
        """The next line of the output."""
        self.lines = number
        if not line.strip():
            self.blank += 1
        elif line.lstrip().startswith(b"#"):
            self._remark(line)
        elif _is_row(line):
            self._row(number, line)

    def _remark(self, line: bytes) -> None:
        rank, settings, test = _RANK.match(line.lstrip()), _SETTINGS.search(line), _TEST.search(line)
        if rank:
            self.ranks.add(int(rank[1]))
            self.zeros += int(rank[1]) == 0
        elif settings:
            self._settings = int(settings[3]), int(settings[4])
        elif test:
            self.test = log_lines.text(test[1]).removesuffix("_perf")

    def _row(self, number: int, line: bytes) -> None:
        found = _ROW.match(line)
        if found is None:
            said = f'"{log_lines.text(line[:60])}..." is no row of a size and two measurements'
            self.problems.append(Problem(number, "", said))
            return
        out, inside, bus = (log_lines.number(found[place]) for place in (5, 9, 7))
        if out is None or inside is None or bus is None:
            self.problems.append(Problem(number, "", f'"{log_lines.text(line[:60])}..." has no time'))
            return
        words = [word for word in (found[4] or b"").split() if word not in (b"none", b"-1")]
        what = " ".join(log_lines.text(word) for word in (found[3], *words))
        wrong = any(_wrong(found[place]) for place in (8, 12))
        self.rows.append(_Row(number, int(found[1]), what, out / 1e6, inside / 1e6, bus, wrong))

    def notes(self, any_rows: bool, left: int) -> list[str]:
        """What the person who reads the file has to know."""
        said = []
        if any_rows and self.ranks and len(self.ranks) != max(self.ranks) + 1:
            said.append(
                f"{len(self.ranks)} ranks are listed, the last is rank {max(self.ranks)}: some were left out"
            )
        if self._settings:
            warm, timed = self._settings
            said.append(f"each time is the mean over {timed} iterations after {warm} of warm-up")
            if not warm:
                said.append("there was no warm-up: the first messages of a communicator are much slower")
        if left:
            said.append(f"{left} other message sizes were left out")
        if any_rows:
            said.append(
                "the out-of-place time was taken; busbw is derived from it and depends on the collective"
            )
        return said


def _is_row(line: bytes) -> bool:
    """Whether a line begins as the rows do, with a size and a count; log lines stand between them."""
    words = line.split(None, 3)
    return len(words) > 2 and words[0].isdigit() and words[1].isdigit()


def _wrong(text: bytes) -> bool:
    """A count of wrong values; older releases print an error that is small where all is right."""
    try:
        return float(text) >= 1e-2
    except ValueError:
        return False


def _chosen(file: str, rows: list[_Row], options: Options) -> tuple[list[_Row], Question | None]:
    sizes = sorted({row.size for row in rows}, reverse=True)
    asked = {whole(one.column) for one in options.mapped("size")}
    if asked and any(row.size in asked for row in rows):
        return [row for row in rows if row.size in asked], None
    if len(sizes) <= 1:
        return rows, None
    choices = tuple(Choice(f"{size} bytes", f"--map size={size}") for size in sizes[:_SHOWN])
    sentence = f"{file} has {len(sizes)} message sizes: which one does a step send?"
    return [row for row in rows if row.size == sizes[0]], Question("sizes", sentence, choices)


def _run(row: _Row, devices: int, test: str) -> Run:
    good = not row.wrong
    return Run(
        devices,
        (row.out_of_place,) if good else (),
        "completed" if good else "failed",
        label=" ".join(word for word in (test, row.what, f"{row.size} bytes") if word),
        work=Work(float(row.size), "bytes") if row.size else None,
        stages_s={"communication": row.out_of_place} if good else {},
        note="" if good else "the results were wrong",
        extra={"in-place time (s)": row.in_place, "busbw (GB/s)": row.bus},
    )
