"""Results of hyperfine, `--export-json`: parameter scans in seconds; each time is a start of the program.

Source of the layout: github.com/sharkdp/hyperfine, src/benchmark/benchmark_result.rs.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tui.model.run_text import printable_words
from tui.model.study import Run, Status

from .imported import Imported, Note, Options, Part, Problem, Source, Tally, family_question
from .json_text import Element, document, mapping, number
from .log_runs import Answers, answers
from .parameters import DeviceCount, device_count, numbers_in, rest

NAME = "hyperfine"
ABOUT = "hyperfine --export-json"
EXAMPLE = (
    '{"results": [{"command": "OMP_NUM_THREADS=2 ./a.out", "times": [4.12], "parameters": {"threads": "2"}}]}'
)


def sniff(head: bytes, name: str) -> float:
    """Sure of a list of results with commands and times."""
    return 0.95 if b'"results"' in head and b'"command"' in head and b'"mean"' in head else 0.0


def read(source: Source, options: Options) -> Imported:
    """Each time as a job; results that differ in more than the count are parts of their own."""
    found = document(source, "results")
    problems = [found.problem] if found.problem else []
    if not found.elements and not found.problem:
        problems.append(Problem(0, "results", "there is no result in it"))
    results = [one for one in found.elements if isinstance(one.value, dict)]
    points: list[Mapping[str, object]] = [mapping(one.value.get("parameters")) for one in results]
    if not any(points):
        points = numbers_in([_command(one) for one in results])
    count = device_count(source.path.name, points, options)
    given = answers(options, ("devices",))
    notes = [Note(0, sentence) for sentence in (*found.notes, count.note) if sentence]
    parts: dict[str, list[Run]] = {}
    taken: set[int] = set()
    lost: set[int] = set()
    for one, parameters in zip(results, points, strict=True):
        devices = count.of(parameters)
        runs, problem = _runs(one, devices, options, given)
        if problem:
            problems.append(problem)
        if runs:
            parts.setdefault(rest(parameters, count), []).extend(runs)
            notes += [Note(one.line, "has a summary without its times: the median was taken")] * (
                not _times(one.value)
            )
        (taken if runs else lost).add(one.line)
    return Imported(
        NAME,
        source.path,
        parts=tuple(_part(name, runs, options, count) for name, runs in parts.items()),
        notes=tuple(notes),
        problems=(*problems, *given.problems),
        questions=_questions(source, options, count, bool(parts)),
        repeats=(options.repeats or "jobs") if any(len(_times(one.value)) > 1 for one in results) else None,
        tally=Tally(
            lines=found.lines,
            runs=len(taken),
            refused=len(lost - taken),
            headings=found.lines - len(taken | lost),
        ),
    )


def _part(name: str, runs: list[Run], options: Options, count: DeviceCount) -> Part:
    return Part(name, tuple(runs), options.family, counts=count.counts, time_means="whole job")


def _questions(source: Source, options: Options, count: DeviceCount, any_runs: bool) -> tuple[Any, ...]:
    asked = [count.question] if count.question and any_runs else []
    if options.family is None and any_runs:
        asked.append(family_question(source.path.name))
    return tuple(asked)


def _command(one: Element) -> str:
    return printable_words(str(one.value.get("command", "")))


def _times(result: dict[str, Any]) -> list[Any]:
    times = result.get("times")
    return times if isinstance(times, list) else []


def _runs(
    one: Element, devices: int | None, options: Options, given: Answers
) -> tuple[list[Run], Problem | None]:
    """The runs of a result, or what is wrong with it."""
    result = one.value
    command = _command(one)
    if devices is None:
        return [], Problem(
            one.line, "parameters", f'"{command[:40]}": its device count is no whole number from 1 on'
        )
    read = _times(result) or [result.get("median", result.get("mean"))]
    times = [number(time) for time in read]
    if None in times or any(time is not None and time < 0 for time in times):
        return [], Problem(one.line, "times", f'"{command[:40]}": read {str(read)[:40]}, expected seconds')
    codes = result.get("exit_codes")
    codes = codes if isinstance(codes, list) and len(codes) == len(times) else [0] * len(times)
    jobs = [
        (time, "completed" if code == 0 else "failed", "" if code == 0 else f"exit status {code}")
        for time, code in zip(times, codes, strict=True)
        if time is not None
    ]
    if options.repeats == "steps":
        steps = tuple(time for time, status, _ in jobs if status == "completed")
        status: Status = "completed" if steps else "failed"
        return [given.on(Run(devices, steps, status, label=command))], None
    return [given.on(_run(devices, *job, command)) for job in jobs], None


def _run(devices: int, time: float, status: str, note: str, command: str) -> Run:
    if status == "completed":
        return Run(devices, (time,), label=command)
    return Run(devices, (), "failed", label=command, wall_s=time, note=note)
