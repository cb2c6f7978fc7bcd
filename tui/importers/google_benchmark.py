"""Results of Google Benchmark, JSON or as printed: one part a benchmark, threads as devices.

Source of the layout: github.com/google/benchmark, src/json_reporter.cc. Until release 1.9.0 the reported
real time was divided by the threads (pull request 1836); here it is the wall time of one iteration of
every thread, so the work grows with the threads. Aggregates stand beside the runs they summarise and are
not read. The CPU time, which the tool shows too and compares by default, is no wall time (issue 170)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from tui.model.run_text import printable_words
from tui.model.study import Run

from .imported import Choice, Imported, Note, Options, Part, Problem, Question, Source, Tally, family_question
from .json_text import Document, Element, document, mapping, number, text_of, whole
from .log_runs import Answers, answers

NAME = "google-benchmark"
ABOUT = "Google Benchmark, JSON or as printed"
EXAMPLE = (
    '{"context": {...}, "benchmarks": [{"name": "BM_Sort/threads:8", "real_time": 4014, "time_unit": "ns"}]}'
)

DIVIDED, WHOLE = "divided", "whole"
"""Answers to the question what old times are: `--map time=divided`."""

FIRST_WHOLE = (1, 9)
"""The release from which times are no longer divided by the threads."""

_PER_SECOND = {"ns": 1e9, "us": 1e6, "ms": 1e3, "s": 1.0}
_ROW = re.compile(r"(\S+) +([\d.e+]+) (ns|us|ms|s) +[\d.e+]+ (?:ns|us|ms|s) +\d+(?: .*)?$")
_ROW_BYTES = re.compile(rb"^\S+ +[\d.e+]+ (?:ns|us|ms|s) +[\d.e+]+ (?:ns|us|ms|s) +\d+", re.MULTILINE)
_THREADS = re.compile(r"/threads:(\d+)")
_SUMMARY = re.compile(r"_(mean|median|stddev|cv|min|max|BigO|RMS)$")


def sniff(head: bytes, name: str) -> float:
    """Sure of a list of benchmarks with their times; the console output has rows of two times."""
    if b'"benchmarks"' not in head:
        return 0.8 if _ROW_BYTES.search(head) else 0.0
    return 0.95 if b'"real_time"' in head or b'"run_type"' in head else 0.0


@dataclass(frozen=True)
class _Entry:
    """One repetition of a benchmark."""

    line: int
    family: str
    threads: int
    seconds: float | None
    error: str
    extra: dict[str, str | int | float | bool]


def read(source: Source, options: Options) -> Imported:
    """Each benchmark at each thread count: its repetitions are steps of one start of the program."""
    found = document(source, "benchmarks") if source.head().lstrip().startswith(b"{") else _console(source)
    problems = [found.problem] if found.problem else []
    notes = [Note(0, sentence) for sentence in found.notes]
    entries: list[_Entry] = []
    summaries = refused = 0
    for one in found.elements:
        if _is_summary(one.value):
            summaries += 1
            continue
        entry = _entry(one)
        if isinstance(entry, Problem):
            refused += 1
            problems.append(entry)
        else:
            entries.append(entry)
    if not found.elements and not found.problem:
        problems.append(Problem(0, "benchmarks", "there is no benchmark in it"))
    if summaries:
        notes.append(Note(0, f"{summaries} aggregates beside the runs were left out"))
    divided, said, question = _divided(found.top, entries, options)
    notes += [Note(0, sentence) for sentence in said]
    given = answers(options, ("time",))
    parts = _parts(entries, options, divided, given)
    questions = [question] if question else []
    if options.family is None and parts:
        questions.append(family_question(source.path.name, _WORK))
    lines = {entry.line for entry in entries}
    first = {run_lines[0] for run_lines in _grouped_lines(entries).values()}
    return Imported(
        NAME,
        source.path,
        parts=parts,
        notes=tuple(notes),
        problems=(*problems, *given.problems),
        questions=tuple(questions),
        repeats=(options.repeats or "steps") if len(lines) > len(first) else None,
        tally=_tally(found.lines, len(first), len(lines - first), summaries, refused),
    )


_WORK = (
    "each thread runs its own iterations, so the work grows with the threads unless the benchmark parts it"
)


def _console(source: Source) -> Document:
    """The rows that the tool prints where it was not asked for JSON, as its JSON would have them."""
    found = Document()
    text = text_of(source, found)
    for line, words in enumerate(text.split("\n"), 1):
        row = _ROW.match(words)
        if row:
            kind = "aggregate" if _SUMMARY.search(row[1]) else "iteration"
            entry = {"name": row[1], "real_time": row[2], "time_unit": row[3], "run_type": kind}
            found.elements.append(Element(entry, line, line))
    return found


def _tally(lines: int, runs: int, steps: int, notes: int, refused: int) -> Tally:
    """Elements by the line they begin on; several on one line count once."""
    used = min(lines, runs + steps + notes + refused)
    steps = max(0, min(steps, used - runs))
    notes = max(0, min(notes, used - runs - steps))
    refused = max(0, used - runs - steps - notes)
    return Tally(
        lines=lines, runs=min(runs, lines), steps=steps, notes=notes, refused=refused, other=lines - used
    )


def _is_summary(value: Any) -> bool:
    entry = mapping(value)
    if "run_type" in entry:
        return bool(entry["run_type"] == "aggregate")
    return (_SUMMARY.search(str(entry.get("name", ""))) is not None and "aggregate_name" in entry) or (
        "iterations" not in entry and ("big_o" in entry or "rms" in entry)
    )


def _entry(one: Element) -> _Entry | Problem:
    entry = mapping(one.value)
    name = printable_words(str(entry.get("run_name") or entry.get("name") or ""))
    if not name:
        return Problem(one.line, "name", "an entry of the benchmarks has no name")
    spelled = _THREADS.search(name)
    threads = whole(entry.get("threads", spelled[1] if spelled else 1))
    if threads is None:
        return Problem(
            one.line, "threads", f'"{name}": read {entry.get("threads")!r}, expected a whole number'
        )
    family = _THREADS.sub("", name)
    if entry.get("error_occurred"):
        said = printable_words(str(entry.get("error_message", ""))) or "the benchmark reported an error"
        return _Entry(one.line, family, threads, None, said, {})
    unit = _PER_SECOND.get(str(entry.get("time_unit", "ns")))
    time = number(entry.get("real_time"))
    if time is None or time < 0 or unit is None:
        return Problem(one.line, "real_time", f'"{name}" has no real time that can be read')
    rates = {
        key: value
        for key in ("items_per_second", "bytes_per_second")
        if (value := number(entry.get(key))) is not None
    }
    return _Entry(one.line, family, threads, time / unit, "", dict(rates))


def _divided(
    top: dict[str, Any], entries: list[_Entry], options: Options
) -> tuple[bool, list[str], Question | None]:
    """Whether times were divided by the threads, what to say of it, and what to ask."""
    if all(entry.threads == 1 for entry in entries):
        return False, [], None
    for one in options.mapped("time"):
        if one.column in (DIVIDED, WHOLE):
            return one.column == DIVIDED, [_SAID[one.column == DIVIDED]], None
    written = str(mapping(top.get("context")).get("library_version", ""))
    version = re.match(r"v?(\d+)\.(\d+)", written)
    if version:
        divided = (int(version[1]), int(version[2])) < FIRST_WHOLE
        return divided, [f"release {printable_words(version[0])}: {_SAID[divided]}"], None
    sentence = (
        "the file does not say which release of the library wrote it, and until 1.9.0 real times were "
        "divided by the threads (google/benchmark pull request 1836)"
    )
    choices = (
        Choice("written before 1.9.0: divided by the threads", f"--map time={DIVIDED}"),
        Choice("written by 1.9.0 or later: wall times", f"--map time={WHOLE}"),
    )
    return True, [], Question("time", sentence, choices, column="real_time")


_SAID = {
    True: "real times were divided by the threads; they were multiplied by them to be wall times again",
    False: "real times are wall times",
}


def _grouped_lines(entries: list[_Entry]) -> dict[tuple[str, int], list[int]]:
    grouped: dict[tuple[str, int], list[int]] = {}
    for entry in entries:
        grouped.setdefault((entry.family, entry.threads), []).append(entry.line)
    return grouped


def _parts(entries: list[_Entry], options: Options, divided: bool, given: Answers) -> tuple[Part, ...]:
    grouped: dict[str, dict[int, list[_Entry]]] = {}
    for entry in entries:
        grouped.setdefault(entry.family, {}).setdefault(entry.threads, []).append(entry)
    parts = []
    for family, counts in grouped.items():
        runs: list[Run] = []
        for threads, repeats in counts.items():
            runs += _runs(family, threads, repeats, divided, options)
        on = tuple(map(given.on, runs))
        parts.append(Part(family, on, options.family, counts="thread"))
    return tuple(parts)


def _runs(family: str, threads: int, repeats: list[_Entry], divided: bool, options: Options) -> list[Run]:
    times = tuple(
        entry.seconds * (threads if divided else 1) for entry in repeats if entry.seconds is not None
    )
    failed = [Run(threads, (), "failed", label=family, note=entry.error) for entry in repeats if entry.error]
    extra = next((entry.extra for entry in repeats if entry.extra), {})
    if options.repeats == "jobs":
        return [Run(threads, (time,), label=family, extra=extra) for time in times] + failed
    return ([Run(threads, times, label=family, extra=extra)] if times else []) + failed
