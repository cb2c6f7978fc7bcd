"""Slurm's accounting as runs, whichever way it was printed.

An allocation and its steps are the same time twice. Where a job has numbered steps (`srun`), each of them
is a start of a program and gives the run; otherwise the allocation does. Source:
slurm.schedmd.com/sacct.html."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from tui.model.study import Run, Status

from .imported import Choice, Imported, Note, Options, Part, Problem, Question, Source, Tally, family_question
from .json_text import whole
from .log_runs import Answers, answers

COUNTS = ("NTasks", "NNodes", "AllocCPUS", "gres/gpu")
"""What can be the device count."""

MOST_HOSTS = 4096

_MEANS = {"NTasks": "rank", "NNodes": "node", "AllocCPUS": "CPU", "gres/gpu": "GPU"}
_STATES: dict[str, Status] = {
    "COMPLETED": "completed",
    "OUT_OF_MEMORY": "out-of-memory",
    "TIMEOUT": "stopped",
    "CANCELLED": "stopped",
    "PREEMPTED": "stopped",
    "DEADLINE": "stopped",
    "REVOKED": "stopped",
    "FAILED": "failed",
    "NODE_FAIL": "failed",
    "BOOT_FAIL": "failed",
}
_RANGE = re.compile(r"(\d+)-(\d+)$")
_PART = re.compile(r"([^,\[]+)(?:\[([^\]]*)\])?([^,\[]*)(?:,|$)")


@dataclass(frozen=True)
class Entry:
    """One allocation or one of its steps.

    Attributes:
        job: id of the job.
        step: name of the step; empty for the allocation.
        elapsed_s: None where it was not printed or cannot be read.
        counts: what is known of `COUNTS`.
    """

    line: int
    job: str
    step: str = ""
    name: str = ""
    state: str = ""
    exit_code: str = ""
    elapsed_s: float | None = None
    counts: dict[str, int] = field(default_factory=dict)
    max_rss_gib: float | None = None
    hosts: tuple[str, ...] = ()
    date: dt.datetime | None = None
    extra: dict[str, str | int | float | bool] = field(default_factory=dict)


def imported(
    name: str,
    source: Source,
    options: Options,
    entries: Sequence[Entry],
    lines: int,
    problems: Iterable[Problem],
    notes: Iterable[Note] = (),
) -> Imported:
    """The entries as runs of one part."""
    file = source.path.name
    said, refused = list(notes), list(problems)
    chosen = _chosen(entries)
    column, question = _count(file, chosen, options)
    given = answers(options, ("devices",))
    fixed = next((whole(one.column) for one in options.mapped("devices") if whole(one.column)), None)
    taken = [_taken(entry, fixed or entry.counts.get(column), given, column) for entry in chosen]
    runs = [one for one in taken if isinstance(one, Run)]
    said += [one for one in taken if isinstance(one, Note)]
    refused += [one for one in taken if isinstance(one, Problem)]
    said += _notes(entries, chosen, column, question is not None, fixed)
    if any(entry.step for entry in chosen):
        # One time is that of a step here and of the whole allocation there: nobody would see it in a table.
        taken = [
            _as_allocation(one) if isinstance(one, Run) and not entry.step else one
            for entry, one in zip(chosen, taken, strict=True)
        ]
        runs = [one for one in taken if isinstance(one, Run)]
    questions = [question] if question and runs and fixed is None else []
    if options.family is None and runs:
        questions.append(family_question(file))
    part = Part("", tuple(runs), options.family, counts=_MEANS.get(column, "device"), time_means="whole job")
    return Imported(
        name,
        source.path,
        parts=(part,) if runs else (),
        notes=tuple(said),
        problems=(*refused, *given.problems),
        questions=tuple(questions),
        tally=_tally(lines, entries, zip(chosen, taken, strict=True), refused),
    )


def _taken(entry: Entry, devices: int | None, given: Answers, column: str) -> Run | Note | Problem:
    """The run of an entry, or why there is none."""
    status = _STATES.get(entry.state.split(" ")[0].upper().rstrip("+"))
    if status is None:
        return Note(entry.line, f"job {entry.job} is {entry.state or 'in no state'}: it has no time yet")
    if devices is None:
        return Problem(entry.line, column, f"job {entry.job} has no number in it")
    if entry.elapsed_s is None:
        return Problem(entry.line, "Elapsed", f"job {entry.job} has no time in it that can be read")
    return _run(entry, status, devices, entry.elapsed_s, given, column)


def _as_allocation(run: Run) -> Run:
    """The run of a job without a numbered step, which says that its time is no step's."""
    said = "the time of the allocation, start and end of the job included: it has no numbered step"
    return replace(run, note=f"{run.note}; {said}" if run.note else said)


def _tally(
    lines: int,
    entries: Iterable[Entry],
    taken: Iterable[tuple[Entry, Run | Note | Problem]],
    refused: Iterable[Problem],
) -> Tally:
    """How the lines were used; one of JSON may hold several jobs, and counts once."""
    timed, failed, waiting = set[int](), set[int](), set[int]()
    for entry, one in taken:
        if isinstance(one, Run):
            (timed if one.status == "completed" else failed).add(entry.line)
        elif isinstance(one, Note):
            waiting.add(entry.line)
    kinds = (timed, failed, {one.line for one in refused if one.line}, waiting, {one.line for one in entries})
    seen: set[int] = set()
    used = []
    for kind in kinds:
        used.append(len(kind - seen))
        seen |= kind
    return Tally(
        lines=lines,
        runs=used[0],
        not_completed=used[1],
        refused=used[2],
        notes=used[3],
        other=used[4],
        headings=lines - sum(used),
    )


def _chosen(entries: Sequence[Entry]) -> list[Entry]:
    """The entries that give runs, completed from the others of their job."""
    jobs: dict[str, list[Entry]] = {}
    for entry in entries:
        jobs.setdefault(entry.job, []).append(entry)
    chosen: list[Entry] = []
    for of_job in jobs.values():
        whole_job = next((entry for entry in of_job if not entry.step), None)
        numbered = [entry for entry in of_job if entry.step.isdecimal()]
        inside = [entry for entry in of_job if entry.step and entry.step != "extern"]
        if numbered:
            chosen += [_filled(entry, whole_job, [entry]) for entry in numbered]
        elif whole_job:  # a job that was requeued has several allocations
            chosen += [_filled(entry, None, inside) for entry in of_job if not entry.step]
        else:
            chosen.append(_filled(of_job[0], None, inside))
    return chosen


def _filled(entry: Entry, whole_job: Entry | None, measured: Sequence[Entry]) -> Entry:
    """What an entry leaves out is that of its allocation; memory is only known of steps."""
    memory = max((one.max_rss_gib for one in measured if one.max_rss_gib is not None), default=None)
    filled = replace(entry, max_rss_gib=entry.max_rss_gib if entry.max_rss_gib is not None else memory)
    if not entry.step and "NTasks" not in entry.counts:
        tasks = max((one.counts.get("NTasks", 0) for one in measured), default=0)
        filled = replace(filled, counts={**filled.counts, **({"NTasks": tasks} if tasks else {})})
    if whole_job is None:
        return filled
    extra = dict(filled.extra)
    if whole_job.elapsed_s is not None:
        extra["allocation elapsed (s)"] = whole_job.elapsed_s
    return replace(
        filled,
        counts={**whole_job.counts, **filled.counts},
        hosts=filled.hosts or whole_job.hosts,
        date=filled.date or whole_job.date,
        extra=extra,
    )


def _count(file: str, chosen: Sequence[Entry], options: Options) -> tuple[str, Question | None]:
    """The column of the device count: as said, the GPUs where all have them, the only one that is there."""
    for one in options.mapped("devices"):
        if one.column in COUNTS:
            return one.column, None
    full = [name for name in COUNTS if chosen and all(name in entry.counts for entry in chosen)]
    if "gres/gpu" in full:
        return "gres/gpu", None
    some = full or [name for name in COUNTS if any(name in entry.counts for entry in chosen)]
    if len(some) == 1:
        return some[0], None
    if not some:
        sentence = (
            f"{file} has no column with a count: print NTasks, NNodes or AllocTRES, or add --map devices=N"
        )
        return "NNodes", Question("count", sentence)
    sentence = f"{file} has several counts"
    if "AllocCPUS" in some:
        sentence += "; AllocCPUS counts hardware threads, two to a core where hyperthreads are on"
    choices = tuple(Choice(f"{_MEANS[name]}s, {name}", f"--map devices={name}") for name in some)
    return some[0], Question("count", sentence, choices)


def _run(entry: Entry, status: Status, devices: int, elapsed: float, given: Answers, column: str) -> Run:
    extra = dict(entry.extra)
    memory = entry.max_rss_gib
    if memory is not None and column == "gres/gpu":
        extra["MaxRSS of the host (GiB)"] = memory
    done = status == "completed"
    code = f"exit code {entry.exit_code}" if entry.exit_code not in ("", "0:0", "0") else ""
    return given.on(
        Run(
            devices,
            (elapsed,) if done else (),
            status,
            label=entry.name,
            nodes=entry.counts.get("NNodes"),
            ranks=entry.counts.get("NTasks"),
            hosts=entry.hosts,
            memory_gib=None if column == "gres/gpu" else memory,
            wall_s=None if done else elapsed,
            date=entry.date,
            note="" if done else " ".join(word for word in (entry.state, code) if word),
            extra={**extra, "job": f"{entry.job}.{entry.step}" if entry.step else entry.job},
        )
    )


def _notes(
    entries: Sequence[Entry], chosen: Sequence[Entry], column: str, asked: bool, fixed: int | None
) -> list[Note]:
    said = []
    if any(entry.step for entry in chosen):
        said.append("each numbered step is a run; its allocation is the same time once more and is not read")
        bare = [entry.job for entry in chosen if not entry.step]
        if bare:
            jobs = ", ".join(bare[:5]) + (f" and {len(bare) - 5} more" if len(bare) > 5 else "")
            said.append(
                f"no numbered step in {'job' if len(bare) == 1 else 'jobs'} {jobs}: the time of the "
                "allocation was read there, which is longer than a step; it is said with the run"
            )
    elif len(entries) > len(chosen):
        said.append("each allocation is a run; its batch and extern steps are the same time once more")
    if fixed is None and not asked and chosen:
        said.append(f"devices is {column}")
        if column == "AllocCPUS":
            said.append("AllocCPUS counts hardware threads: with hyperthreads on, two of them are one core")
    if any(entry.counts.get("AllocCPUS") for entry in chosen) and column != "AllocCPUS":
        said.append("CPUs are hardware threads where hyperthreads are on, and were not taken for devices")
    said.append("elapsed times have a resolution of 1 s and contain the start of the job")
    return [Note(0, sentence) for sentence in said]


def seconds(text: str) -> float | None:
    """`D-HH:MM:SS`, `HH:MM:SS`, `MM:SS` with or without a fraction; None where it is none of them."""
    match = re.fullmatch(r"(?:(\d{1,6})-)?(?:(\d{1,6}):)?(\d{1,6}):(\d{1,2}(?:\.\d{1,9})?)", text.strip())
    if match is None:
        return None
    days, hours, minutes, rest = match.groups()
    return int(days or 0) * 86400 + int(hours or 0) * 3600 + int(minutes) * 60 + float(rest)


def hosts(text: str) -> tuple[str, ...]:
    """The nodes of a list like `frontier[01515,01517-01519],login1`."""
    found: list[str] = []
    for start, inside, end in _PART.findall(text.strip()):
        for piece in inside.split(",") if inside else [""]:
            span = _RANGE.match(piece)
            if span and int(span[2]) - int(span[1]) < MOST_HOSTS:
                numbers = range(int(span[1]), int(span[2]) + 1)
                found += [f"{start}{number:0{len(span[1])}d}{end}" for number in numbers]
            else:
                found.append(f"{start}{piece}{end}")
        if len(found) > MOST_HOSTS:
            return ()
    return tuple(each.strip() for each in found if each.strip() and each.strip() != "None assigned")
