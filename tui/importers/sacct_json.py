"""Slurm's `sacct --json`: jobs with their steps; the layout changes with the data parser's version.

Source of the layout: slurm.schedmd.com/rest_api.html. From 23.02 on numbers may be objects `{"set",
"infinite", "number"}`, and the state a list. Microseconds of CPU time may exceed a million."""

from __future__ import annotations

import datetime as dt
from typing import Any

from tui.model.run_text import printable_words

from .imported import Imported, Note, Options, Problem, Source
from .json_text import Element, document, mapping, number
from .sacct_rows import Entry, hosts, imported

NAME = "sacct-json"
ABOUT = "Slurm accounting, sacct --json"
EXAMPLE = (
    '{"jobs": [{"job_id": 1, "state": {"current": ["COMPLETED"]}, "time": {"elapsed": 33}, "steps": []}]}'
)


def sniff(head: bytes, name: str) -> float:
    """Sure of a list of jobs with elapsed times."""
    return 0.95 if b'"jobs"' in head and b'"elapsed"' in head and b'"job_id"' in head else 0.0


def read(source: Source, options: Options) -> Imported:
    """The jobs as runs."""
    found = document(source, "jobs")
    problems = [found.problem] if found.problem else []
    if not found.elements and not found.problem:
        problems.append(Problem(0, "jobs", "there is no job in it"))
    entries: list[Entry] = []
    for one in found.elements:
        if isinstance(one.value, dict) and one.value.get("job_id") is not None:
            entries += _entries(one)
        else:
            problems.append(Problem(one.line, "", "an entry of the jobs has no job_id"))
    notes = [Note(0, sentence) for sentence in found.notes]
    return imported(NAME, source, options, entries, found.lines, problems, notes)


def _entries(one: Element) -> list[Entry]:
    """An allocation and its steps, all on the line that the job begins on."""
    job = one.value
    name = str(job["job_id"])
    time = mapping(job.get("time"))
    start = _number(time.get("start"))
    allocated = _resources(mapping(job.get("tres")).get("allocated"))
    nodes = _number(job.get("allocation_nodes"))
    cpu = _cpu_seconds(mapping(time.get("total")))
    whole_job = Entry(
        one.line,
        name,
        name=printable_words(str(job.get("name", ""))),
        state=_state(job.get("state")),
        exit_code=_code(job.get("exit_code")),
        elapsed_s=_number(time.get("elapsed")),
        counts={**allocated, **({"NNodes": int(nodes)} if nodes and nodes >= 1 else {})},
        hosts=hosts(printable_words(str(job.get("nodes") or ""))),
        date=dt.datetime.fromtimestamp(start, dt.timezone.utc) if start and 0 < start < 1e11 else None,
        extra={"CPU time (s)": cpu} if cpu else {},
    )
    steps = job.get("steps")
    return [whole_job, *(_step(one.line, name, each) for each in (steps if isinstance(steps, list) else []))]


def _step(line: int, job: str, value: Any) -> Entry:
    step = mapping(value)
    about = mapping(step.get("step"))
    which = mapping(about.get("id")).get("step_id", about.get("id"))
    which = str(which).rpartition(".")[2] if which is not None else "?"
    tasks = _number(mapping(step.get("tasks")).get("count"))
    nodes = _number(mapping(step.get("nodes")).get("count"))
    counts = _resources(mapping(step.get("tres")).get("allocated"))
    counts |= {
        name: int(count) for name, count in (("NTasks", tasks), ("NNodes", nodes)) if count and count >= 1
    }
    most = mapping(mapping(mapping(step.get("tres")).get("requested"))).get("max")
    memory = [
        _number(each.get("count"))
        for each in map(mapping, most if isinstance(most, list) else [])
        if each.get("type") == "mem"
    ]
    used = max((each for each in memory if each), default=None)
    return Entry(
        line,
        job,
        {"4294967291": "batch", "4294967292": "extern", "TBD": "?"}.get(which, which),
        name=printable_words(str(about.get("name", ""))),
        state=_state(step.get("state")),
        exit_code=_code(step.get("exit_code")),
        elapsed_s=_number(mapping(step.get("time")).get("elapsed")),
        counts=counts,
        max_rss_gib=used / 2**30 if used else None,
    )


def _number(value: Any) -> float | None:
    """A number, also in its wrapping; None where it is not set or infinite."""
    if isinstance(value, dict):
        if not value.get("set", True) or value.get("infinite"):
            return None
        value = value.get("number")
    found = number(value)
    return found if found is not None and found >= 0 else None


def _state(value: Any) -> str:
    """COMPLETED, from `{"current": ["COMPLETED"]}`, `{"current": "COMPLETED"}`, a list, or the word."""
    current = mapping(value).get("current", value) if isinstance(value, dict) else value
    if isinstance(current, list):
        current = current[0] if current else ""
    return printable_words(str(current or ""))


def _code(value: Any) -> str:
    code = _number(mapping(value).get("return_code"))
    return "" if code is None else f"{code:.0f}"


def _cpu_seconds(total: dict[str, Any]) -> float | None:
    seconds, more = _number(total.get("seconds")), _number(total.get("microseconds"))
    return None if seconds is None else seconds + (more or 0.0) / 1e6


def _resources(value: Any) -> dict[str, int]:
    found: dict[str, int] = {}
    for each in map(mapping, value if isinstance(value, list) else []):
        key = str(each.get("type")) + (f"/{each['name']}" if each.get("name") else "")
        name = {"cpu": "AllocCPUS", "node": "NNodes", "gres/gpu": "gres/gpu"}.get(key)
        count = _number(each.get("count"))
        if name and count and count >= 1:
            found[name] = int(count)
    return found
