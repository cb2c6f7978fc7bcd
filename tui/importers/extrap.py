"""Measurements for Extra-P: its text, JSON, JSON Lines and Talpas files; one part a region and metric.

Source of the layouts: github.com/extra-p/extrap, docs/file-formats.md. The values at one point are repeats
of the whole program. Metrics that are no time are left out and named."""

from __future__ import annotations

from tui.model.numerals import printable, quoted
from tui.model.run_text import printable_words
from tui.model.study import Run

from .extrap_files import Measured, Measurements, json_file, line_file, text_file
from .imported import Choice, Imported, Note, Options, Part, Problem, Question, Source, Tally, family_question
from .json_text import Document, text_of
from .log_runs import Answers, answers
from .parameters import DeviceCount, device_count, rest

NAME = "extra-p"
ABOUT = "Extra-P text, JSON and JSON Lines"
EXAMPLE = "PARAMETER p / POINTS (4) (8) / REGION main / METRIC time / DATA 8.31 8.02"

_TIMES = ("time", "runtime", "walltime", "wall_time", "wall time", "duration", "elapsed", "elapsed_time")
_PER_SECOND = {"s": 1.0, "ms": 1e3, "us": 1e6, "ns": 1e9, "min": 1 / 60, "h": 1 / 3600}
_FEW = 6


def sniff(head: bytes, name: str) -> float:
    """Sure of its key words; a JSON file must have parameters and measurements."""
    lines = [
        line.strip() for line in head.splitlines() if line.strip() and not line.lstrip().startswith(b"#")
    ]
    if any(line.startswith(b"PARAMETER ") for line in lines[:50]) and b"POINTS" in head:
        return 0.95
    if lines and lines[0].startswith(b"{"):
        if b'"parameters"' in head and b'"measurements"' in head:
            return 0.9
        if b'"callpaths"' in head and b'"coordinates"' in head:
            return 0.9
        if b'"metric"' in lines[0] and b'"value"' in lines[0] and b'"param' in lines[0]:
            return 0.9
    return 0.0


def read(source: Source, options: Options) -> Imported:
    """The file as runs: each repeat a job, a part for each region and each other parameter."""
    document = Document()
    text = text_of(source, document)
    if document.problem:
        return Imported(NAME, source.path, problems=(document.problem,))
    found = _measurements(text)
    file = source.path.name
    if not found.measured and not found.problems:
        found.problems.append(Problem(0, "", "there is no measurement in it"))
    problems, notes = list(found.problems), [Note(0, sentence) for sentence in document.notes]
    kept, question = _times(file, found, options, notes)
    points = [one.parameters for one in kept]
    count = device_count(file, points, options)
    if count.note:
        notes.append(Note(0, count.note))
    given = answers(options, ("devices", "time"))
    parts = _parts(kept, count, options, given, problems)
    questions = [each for each in (question, count.question if parts else None) if each]
    if options.family is None and parts:
        questions.append(family_question(file))
    refused = found.refused | {problem.line for problem in problems if 0 < problem.line <= document.lines}
    tally = _tally(document.lines, found.lines - refused, refused, kept, options)
    return Imported(
        NAME,
        source.path,
        parts=parts,
        notes=tuple(notes),
        problems=(*problems, *given.problems),
        questions=tuple(questions),
        repeats=(options.repeats or "jobs") if any(len(one.values) > 1 for one in kept) else None,
        tally=tally,
    )


def _tally(lines: int, values: set[int], refused: set[int], kept: list[Measured], options: Options) -> Tally:
    """Lines with values gave runs, or went into the run of their point where repeats are steps."""
    first = {one.line for one in kept}
    runs = len(values & first) if options.repeats == "steps" else len(values)
    return Tally(
        lines=lines,
        runs=runs,
        steps=len(values) - runs,
        refused=len(refused),
        headings=lines - len(values) - len(refused),
    )


def _measurements(text: str) -> Measurements:
    start = text.lstrip()
    if not start.startswith("{"):
        return text_file(text)
    first = start.split("\n", 1)[0]
    by_line = first.rstrip().endswith("}") and '"metric"' in first and '"measurements"' not in first
    return line_file(text) if by_line else json_file(text)


def _times(
    file: str, found: Measurements, options: Options, notes: list[Note]
) -> tuple[list[Measured], Question | None]:
    """The measurements of times in seconds, and what to ask where no metric is known to be one."""
    metrics = list(dict.fromkeys(one.metric for one in found.measured))
    said = {one.column: one.unit or "s" for one in options.mapped("time")}
    chosen = [metric for metric in metrics if (metric in said if said else metric.lower() in _TIMES)]
    question = None
    if not chosen and metrics:
        shown = ", ".join(map(_named, metrics[:_FEW]))
        choices = tuple(
            Choice(f"{_named(metric)} is a time in {unit}", f"--map time={metric or '#1'}:{unit}")
            for metric in metrics[:_FEW]
            for unit in ("s", "ms")
        )
        sentence = f"{file} does not say that a metric of it is a time: it has {shown}"
        question, chosen = Question("time", sentence, choices), metrics[:1]
        if "#1" in said or "" in said:
            question = None
            said = {metrics[0]: said.get("#1", said.get("", "s"))}
    elif chosen and not said:
        notes.append(
            Note(0, f"{_named(chosen[0])} was taken in seconds, in which Extra-P's own readers give it")
        )
    others = [_named(metric) for metric in metrics if metric not in chosen]
    if others:
        notes.append(Note(0, f"metrics that are no time were left out: {', '.join(others[:_FEW])}"))
    scale = {metric: _PER_SECOND.get(said.get(metric, "s"), 1.0) for metric in chosen}
    kept = [
        Measured(
            one.region,
            one.metric,
            one.parameters,
            [value / scale[one.metric] for value in one.values],
            one.line,
        )
        for one in found.measured
        if one.metric in scale
    ]
    return kept, question


def _named(metric: str) -> str:
    return quoted(metric) if metric else "one without a name"


def _parts(
    kept: list[Measured], count: DeviceCount, options: Options, given: Answers, problems: list[Problem]
) -> tuple[Part, ...]:
    parts: dict[tuple[str, str, str], list[Run]] = {}
    for one in kept:
        devices = count.of(one.parameters)
        if devices is None or any(value < 0 for value in one.values):
            what = "its count is no whole number from 1 on" if devices is None else "a time is below 0"
            where = ", ".join(f"{printable(name)} {value:g}" for name, value in one.parameters.items())
            problems.append(Problem(one.line, "", f"the point {where}: {what}"))
            continue
        key = (one.region, one.metric, rest(one.parameters, count))
        times = [tuple(one.values)] if options.repeats == "steps" else [(value,) for value in one.values]
        parts.setdefault(key, []).extend(given.on(Run(devices, each)) for each in times)
    several = len({metric for _, metric, _ in parts}) > 1
    return tuple(
        Part(
            ", ".join(printable_words(word) for word in (region, metric if several else "", other) if word),
            tuple(runs),
            options.family,
            counts=count.counts,
        )
        for (region, metric, other), runs in parts.items()
    )
