"""Logs of LAMMPS: the loop time of each run command, and its breakdown.

Source of the layout: docs.lammps.org/Run_output.html. "procs" are MPI tasks times OpenMP threads; hours/ns
run the other way than ns/day; the total wall time has a resolution of 1 s and contains the setup, so the
loop time is taken."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from tui.model.quantity import format_number
from tui.model.study import Run, Work

from . import log_lines
from .imported import Choice, Imported, Note, Options, Part, Problem, Question, Source, Tally, family_question
from .log_runs import answers

NAME = "lammps"
ABOUT = "LAMMPS log"
ANYWHERE = True
EXAMPLE = "Loop time of 9.39107 on 4 procs for 100 steps with 32000 atoms"

_LOOP = re.compile(
    rb"Loop time of ([\d.eE+-]+) on (\d{1,15}) procs for (\d{1,15}) steps with (\d{1,15}) atoms"
)
_RATE = re.compile(rb"Performance:.*?([\d.]+) timesteps/s")
_CPU = re.compile(rb"CPU use with (\d{1,15}) MPI tasks x (no|\d+) OpenMP threads")
_MEMORY = re.compile(
    rb"(?:Memory usage per processor = |memory allocation \(min/avg/max\) = [^|]*\|[^|]*\| *)([\d.]+) Mbytes"
)
_SECTION = re.compile(rb"(\w+) +\|([^|]*)\| *([\d.eE+-]+) *\|([^|]*)\|([^|]*)\| *[\d.]+\s*$")
_WALL = re.compile(rb"Total wall time: *(\d{1,15}):(\d\d):(\d\d)")
_GPU = re.compile(rb"GPU\(s\) per node|GPU package|Device \d+:.*(?:NVIDIA|AMD|Intel)", re.IGNORECASE)
_NAMES = {"comm": "communication"}


def sniff(head: bytes, name: str) -> float:
    """1 for a loop time, less sure of its first line."""
    if _LOOP.search(head):
        return 1.0
    return 0.9 if re.match(rb"\s*LAMMPS \(", head) else 0.0


@dataclass
class _Loop:
    """One run command."""

    line: int
    seconds: float
    procs: int
    steps: int
    atoms: int
    values: dict[str, Any] = field(default_factory=dict)
    stages: dict[str, float] = field(default_factory=dict)
    rate: float | None = None


def read(source: Source, options: Options) -> Imported:
    """Each loop as a run over its work, atoms times steps; equal loops one after the other are steps of a
    job.
    """
    reader = _Reader()
    for number, line in log_lines.lines(source):
        reader.line(number, line)
    given = answers(options)
    jobs: list[list[_Loop]] = []
    for loop in reader.loops:
        alike = jobs and _work(jobs[-1][-1]) == _work(loop) and options.repeats != "jobs"
        jobs[-1].append(loop) if alike else jobs.append([loop])
    runs = [given.on(_run(job, reader.total)) for job in jobs]
    notes = [note for job in jobs for note in _notes(job)]
    if reader.empty:
        notes.append(Note(0, f"{reader.empty} loops of 0 steps were left out"))
    problems = list(reader.problems)
    if not runs:
        problems.append(Problem(0, "", 'there is no line "Loop time of ...": no run came to its end'))
    questions = []
    if reader.gpu and given.devices is None and runs:
        questions.append(_gpu_question(source.path.name, jobs))
    if options.family is None and runs:
        questions.append(family_question(source.path.name))
    part = Part("", tuple(runs), options.family, counts="process", time_means="main loop")
    return Imported(
        NAME,
        source.path,
        parts=(part,) if runs else (),
        notes=tuple(notes),
        problems=(*problems, *given.problems),
        questions=tuple(questions),
        repeats="steps" if len(reader.loops) > len(runs) else None,
        tally=_tally(reader, len(runs)),
    )


def _tally(reader: _Reader, runs: int) -> Tally:
    loops, refused = len(reader.loops), len(reader.problems)
    return Tally(
        lines=reader.lines,
        runs=runs,
        steps=loops - runs,
        notes=reader.empty,
        refused=refused,
        blank=reader.blank,
        other=reader.lines - loops - reader.empty - refused - reader.blank,
    )


class _Reader:
    """Takes lines and gathers loops; what follows a loop is its own."""

    def __init__(self) -> None:
        self.loops: list[_Loop] = []
        self.problems: list[Problem] = []
        self.lines = self.blank = self.empty = 0
        self.total: int | None = None
        self.gpu = False
        self._memory: float | None = None
        self._open: _Loop | None = None

    def line(self, number: int, line: bytes) -> None:
        """The next line of the log."""
        self.lines = number
        if not line.strip():
            self.blank += 1
        elif b"Loop time of" in line:
            self._loop(number, line)
        elif b"Mbytes" in line:
            found = _MEMORY.search(line)
            self._memory = log_lines.number(found[1]) if found else self._memory
        elif b"Total wall time" in line:
            found = _WALL.search(line)
            self.total = int(found[1]) * 3600 + int(found[2]) * 60 + int(found[3]) if found else None
        elif self._open is not None:
            self._detail(self._open, line)
        if b"GPU" in line or b"Device " in line:
            self.gpu = self.gpu or _GPU.search(line) is not None

    def _loop(self, number: int, line: bytes) -> None:
        found = _LOOP.search(line)
        seconds = log_lines.number(found[1]) if found else None
        if found is None or seconds is None or not int(found[2]):
            said = f'"{log_lines.text(line[:60])}" is no loop time that can be read'
            self.problems.append(Problem(number, "", said))
            return
        if not int(found[3]):
            self.empty += 1
            self._open = None
            return
        self._open = _Loop(number, seconds, int(found[2]), int(found[3]), int(found[4]))
        if self._memory is not None:
            self._open.values["memory_gib"] = self._memory / 1024
        self.loops.append(self._open)

    def _detail(self, loop: _Loop, line: bytes) -> None:
        if b"|" in line:
            found = _SECTION.match(line)
            average = log_lines.number(found[3]) if found else None
            if found and average is not None:
                name = found[1].decode("ascii", "replace").lower()
                loop.stages[_NAMES.get(name, name)] = average
        elif b"timesteps/s" in line:
            found = _RATE.search(line)
            loop.rate = log_lines.number(found[1]) if found else None
        elif b"CPU use with" in line:
            found = _CPU.search(line)
            if found:
                threads = 1 if found[2] == b"no" else int(found[2])
                loop.values |= {"ranks": int(found[1]) or None, "threads_per_rank": threads or None}


def _work(loop: _Loop) -> tuple[int, int, int]:
    return loop.procs, loop.steps, loop.atoms


def _run(job: list[_Loop], total: int | None) -> Run:
    last = job[-1]
    values = dict(last.values)
    extra: dict[str, str | int | float | bool] = {"timesteps": last.steps, "atoms": last.atoms}
    if total is not None:
        extra["total wall time (s)"] = total
    if values.get("threads_per_rank", 1) != 1 and "memory_gib" in values:
        extra["memory per MPI task (GiB)"] = values.pop("memory_gib")
    return Run(
        last.procs,
        tuple(loop.seconds for loop in job),
        work=Work(float(last.steps) * last.atoms, "atom-steps") if last.atoms else None,
        stages_s=last.stages,
        extra=extra,
        **values,
    )


def _notes(job: list[_Loop]) -> list[Note]:
    said = []
    for loop in job:
        own = loop.steps / loop.seconds if loop.seconds else None
        if own and loop.rate and abs(loop.rate / own - 1) > 0.01:
            printed = (
                f"prints {format_number(loop.rate)} timesteps/s, its loop time gives {format_number(own)}"
            )
            said.append(Note(loop.line, printed))
    first = job[0]
    threads = first.values.get("threads_per_rank", 1)
    if threads and threads > 1:
        said.append(
            Note(first.line, f"procs are MPI tasks times OpenMP threads: {first.values['ranks']} x {threads}")
        )
    if any("communication" in loop.stages for loop in job):
        said.append(
            Note(first.line, "stages are averages over ranks; Comm contains the waiting for slower ranks")
        )
    return said


def _gpu_question(file: str, jobs: list[list[_Loop]]) -> Question:
    counts = sorted({job[0].procs for job in jobs})
    choices = tuple(
        Choice(f"{count}, as many as processes", f"--map devices={count}") for count in counts[:1]
    )
    return Question(
        "count", f"{file} ran on GPUs and says only how many processes: add --map devices=N", choices
    )
