"""Logs of GROMACS mdrun: wall time of the steps, layout, and the cycle and time accounting.

Source of the layout: manual.gromacs.org, user guide "Getting good performance from mdrun". Core t is the
sum over cores and never a time; hour/ns has few digits. With separate PME ranks the rows marked * run
beside the others."""

from __future__ import annotations

import datetime as dt
import re
from dataclasses import dataclass, field

from tui.model.quantity import format_number
from tui.model.study import Run, Work

from . import log_lines
from .imported import Choice, Imported, Note, Options, Part, Problem, Question, Source, Tally, family_question
from .log_runs import answers

NAME = "gromacs"
ABOUT = "GROMACS mdrun log"
ANYWHERE = True
EXAMPLE = "Time: 65022.325 169.329 38400.0 / Performance: 10.206 2.352"

_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_OPENED = re.compile(rb"Log file opened on \w+ (\w{3}) +(\d{1,15}) (\d{1,15}):(\d{1,15}):(\d{1,15}) (\d{4})")
_FIELDS = (
    ("ranks", re.compile(rb"Using (\d{1,15}) MPI (?:process|thread|rank)")),
    ("threads", re.compile(rb"Using (\d{1,15}) OpenMP thread")),
    ("steps", re.compile(rb"^\s*nsteps\s*= (\d{1,15})")),
    ("atoms", re.compile(rb"There are: (\d{1,15}) Atoms")),
    ("reset", re.compile(rb"step (\d{1,15}): resetting all time and cycle counters")),
    ("tuned", re.compile(rb"step +(\d{1,15}): timed with pme grid")),
    ("balanced", re.compile(rb"step (\d{1,15}) Turning on dynamic load balancing")),
)
_HARDWARE = re.compile(
    rb"Running on (\d{1,15}) nodes? with total (\d{1,15}) cores, \d+ logical (?:cores|processing units)(.*)"
)
_SHORT = 8
"""Bytes under which a line says nothing that is looked for."""

_STEP_PS = re.compile(rb"^\s*dt\s*= ([\d.eE+-]+)")
_TIME = re.compile(rb"^\s*Time: +([\d.]+) +([\d.]+)")
_RATE = re.compile(rb"^Performance: +([\d.]+)")
_ROW = re.compile(rb"^ ([A-Z][^\d*]*?)( \*)? +(?:\d+ +\d+ +)?(?:\d+ +)?([\d.]+) +[\d.]+ +[\d.]+ *$")


def sniff(head: bytes, name: str) -> float:
    """1 for its banner or its first line."""
    return 1.0 if b":-) GROMACS" in head or (b"Log file opened on" in head and b"GROMACS" in head) else 0.0


@dataclass
class _Simulation:
    """One start of mdrun."""

    line: int = 1
    counts: dict[str, int] = field(default_factory=dict)
    nodes: int | None = None
    cores: int | None = None
    gpus: bool = False
    step_ps: float | None = None
    wall_s: float | None = None
    ns_per_day: float | None = None
    stages: dict[str, float] = field(default_factory=dict)
    mixed: bool = False
    """Whether a stage is waiting and communication in one."""
    date: dt.datetime | None = None


def read(source: Source, options: Options) -> Imported:
    """Each start of mdrun as a run over its work, atoms times steps."""
    reader = _Reader()
    for number, line in log_lines.lines(source):
        reader.line(number, line)
    given = answers(options)
    runs, notes, problems = [], [], []
    failed = 0
    for one in reader.simulations:
        devices = given.devices or _cores(one)
        if devices is None:
            problems.append(Problem(one.line, "", "does not say on how many ranks or cores it ran"))
            continue
        runs.append(given.on(_run(one, devices)))
        failed += one.wall_s is None
        notes += [Note(one.line, sentence) for sentence in _notes(one)]
    if not reader.simulations:
        problems.append(Problem(0, "", "there is no start of mdrun in it"))
    questions = []
    if runs and given.devices is None and any(one.gpus for one in reader.simulations):
        questions.append(_gpu_question(source.path.name, runs[0].devices))
    if options.family is None and runs:
        questions.append(family_question(source.path.name))
    part = Part("", tuple(runs), options.family, counts="core", time_means="main loop")
    return Imported(
        NAME,
        source.path,
        parts=(part,) if runs else (),
        notes=tuple(notes),
        problems=(*problems, *given.problems),
        questions=tuple(questions),
        tally=Tally(
            lines=reader.lines,
            runs=len(runs) - failed,
            not_completed=failed,
            refused=len([problem for problem in problems if problem.line]),
            blank=reader.blank,
            other=reader.lines - len(reader.simulations) - reader.blank,
        ),
    )


class _Reader:
    """Takes lines and gathers simulations."""

    def __init__(self) -> None:
        self.simulations: list[_Simulation] = []
        self.lines = self.blank = 0
        self._accounting = False

    def line(self, number: int, line: bytes) -> None:
        """The next line of the log."""
        self.lines = number
        if not line.strip():
            self.blank += 1
            return
        if b"Log file opened on" in line or not self.simulations:
            self._begin(number, line)
        one = self.simulations[-1]
        if b"R E A L" in line:
            self._accounting = True
        elif self._accounting:
            self._account(one, line)
        else:
            self._detail(one, line)

    def _begin(self, number: int, line: bytes) -> None:
        self.simulations.append(_Simulation(number))
        self._accounting = False
        found = _OPENED.search(line)
        month = found[1].decode("ascii", "replace") if found else ""
        if found and month in _MONTHS:
            day, hour, minute, second, year = map(int, found.groups()[1:])
            try:
                self.simulations[-1].date = dt.datetime(
                    year, _MONTHS.index(month) + 1, day, hour, minute, second
                )
            except ValueError:
                self.simulations[-1].date = None

    def _detail(self, one: _Simulation, line: bytes) -> None:
        if len(line) < _SHORT:
            return
        for name, pattern in _FIELDS:
            found = pattern.search(line)
            if found and (int(found[1]) or name == "reset"):
                one.counts[name] = int(found[1])
                return
        hardware, step = _HARDWARE.search(line), _STEP_PS.search(line)
        if hardware:
            one.nodes, one.cores = int(hardware[1]) or None, int(hardware[2]) or None
            one.gpus = re.search(rb"[1-9]\d* (?:compatible )?GPU", hardware[3]) is not None
        elif step:
            one.step_ps = log_lines.number(step[1])

    def _account(self, one: _Simulation, line: bytes) -> None:
        time, rate, row = _TIME.search(line), _RATE.search(line), _ROW.match(line)
        if time:
            one.wall_s = log_lines.number(time[2])
        elif rate:
            one.ns_per_day = log_lines.number(rate[1])
            self._accounting = False
        elif line.startswith(b" Breakdown of"):
            one.counts["broken down"] = 1
        elif row and not row[2] and "broken down" not in one.counts and not row[1].startswith(b"Total"):
            name = row[1].decode("ascii", "replace")
            stage = _stage(name)
            one.mixed = one.mixed or (stage == "wait" and "Comm" in name)
            one.stages[stage] = one.stages.get(stage, 0.0) + (log_lines.number(row[3]) or 0.0)


def _stage(name: str) -> str:
    """The stage of a row; waiting is never communication."""
    if name.startswith("Wait"):
        return "wait"
    if "comm" in name.lower() or name.startswith("Send"):
        return "communication"
    return name.lower().rstrip(". ")


def _cores(one: _Simulation) -> int | None:
    """The cores that worked: threads in all, but never more than there are."""
    ranks = one.counts.get("ranks")
    threads = (ranks or 1) * one.counts.get("threads", 1)
    if ranks is None and "threads" not in one.counts:
        return one.cores
    return min(threads, one.cores) if one.cores else threads


def _steps(one: _Simulation) -> int:
    """The steps that the wall time is of."""
    return max(0, one.counts.get("steps", 0) - one.counts.get("reset", 0))


def _run(one: _Simulation, devices: int) -> Run:
    work = float(_steps(one)) * one.counts.get("atoms", 0)
    done = one.wall_s is not None
    extra: dict[str, str | int | float | bool] = {"timesteps": _steps(one)} if _steps(one) else {}
    if one.ns_per_day is not None:
        extra["ns/day"] = one.ns_per_day
    return Run(
        devices,
        (one.wall_s,) if one.wall_s is not None else (),
        "completed" if done else "failed",
        work=Work(work, "atom-steps") if work else None,
        nodes=one.nodes,
        ranks=one.counts.get("ranks"),
        threads_per_rank=one.counts.get("threads"),
        stages_s={name: seconds for name, seconds in one.stages.items() if seconds},
        date=one.date,
        note="" if done else "the log ends without a wall time",
        extra=extra,
    )


def _notes(one: _Simulation) -> list[str]:
    counts, said = one.counts, []
    threads = counts.get("ranks", 1) * counts.get("threads", 1)
    if one.cores and threads > one.cores:
        each = format_number(threads / one.cores)
        said.append(f"{threads} threads on {one.cores} cores, {each} to a core: devices are the cores")
    if "reset" in counts:
        said.append(f"the counters were reset at step {counts['reset']}: the time is of the steps after it")
    elif "tuned" in counts:
        said.append(f"PME was tuned until step {counts['tuned']}: these steps are in the time")
    if "balanced" in counts and "reset" not in counts:
        said.append(f"load balancing went on at step {counts['balanced']}: the steps before it are untypical")
    if one.ns_per_day and one.wall_s and one.step_ps and _steps(one):
        own = _steps(one) * one.step_ps / 1000 / one.wall_s * 86400
        if abs(own / one.ns_per_day - 1) > 0.01:
            printed = f"prints {format_number(one.ns_per_day)} ns/day, its steps and wall time give"
            said.append(f"{printed} {format_number(own)}")
    if one.mixed:
        said.append(
            "rows that wait and communicate in one are waiting; rows with * run beside and are left out"
        )
    return said


def _gpu_question(file: str, cores: int) -> Question:
    choice = Choice(f"{cores} cores, the GPUs not counted", f"--map devices={cores}")
    return Question(
        "count", f"{file} ran on GPUs and does not say on how many: add --map devices=N", (choice,)
    )
