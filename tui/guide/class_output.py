"""A class report as text, Markdown, CSV or JSON; names and answers are data in all of them."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from typing import Any

from tui.files.report import plain
from tui.files.report_markdown import escaped
from tui.files.report_text import cells, cut, wrapped
from tui.guide.class_report import Group, IdeaCount, Learner, Report, StepCount, graded_steps
from tui.guide.state import points_text
from tui.model.quantity import format_number

ONLY_LINE = "only the line"
_NAME = 23
_FORMULA = ("=", "+", "-", "@")

Cells = Sequence[str]


# --------------------------------------------------------------------------------- what all say alike


def title(group: Group) -> str:
    """An exercise, its revision, and whether the installed one grades alike."""
    script = group.exercise.script
    alike = {
        True: "",
        False: ", graded otherwise than the installed one",
        None: ", not installed here",
    }[group.as_installed]
    return plain(f"{script.id}, revision {script.revision}{alike}: {script.title}")


def summary(group: Group) -> str:
    """How many learners there are, how many are done, and who sent only the line."""
    finished = sum(each.grade.complete for each in group.files if each.grade is not None)
    count = len(group.learners)
    words = f"{count} learner{'' if count == 1 else 's'}: {len(group.files)} with a file, {finished} of them"
    words += f" finished; {len(group.only_lines)} sent only the line"
    if group.only_lines:
        names = ", ".join(each.alias for each in group.only_lines)
        words += f" ({names}): tries, hints, unreadable answers and wrong ideas are not known of them"
    return f"{words}."


STEP_HEADER = ("step", "reached", "first right", "right", "tries", "hints", "unreadable")


STEPS_SAY = "tries: the median of those who answered; hints, unreadable: how often in all"


def step_row(count: StepCount) -> tuple[str, ...]:
    """The cells of one step below `STEP_HEADER`."""
    tries = "" if count.median_tries is None else format_number(count.median_tries)
    numbers = (count.reached, count.first_right, count.right)
    return (f"{count.number} {count.id}", *map(str, numbers), tries, str(count.hints), str(count.unreadable))


LEARNER_HEADER = ("alias", "done", "points", "of", "%", "passed", "receipt", "handed in")


def learner_row(learner: Learner) -> tuple[str, ...]:
    """The cells of one learner below `LEARNER_HEADER`."""
    if learner.grade is None:
        right = sum(each.right for each in learner.outcomes)
        what = f"{right} of {len(learner.outcomes)} right"
        return (learner.alias, "", "", "", "", "", learner.receipt, f"{ONLY_LINE}: {what}")
    result = learner.grade.result
    return (
        learner.alias,
        f"{result.done}/{result.steps}",
        points_text(result.earned),
        str(result.possible),
        str(learner.grade.percent),
        "yes" if result.passed else "no",
        learner.receipt,
        learner.source,
    )


def _idea(idea: IdeaCount) -> str:
    words = f" ({plain(idea.title)})" if idea.title else ""
    return f"{idea.id}{words}, at {', '.join(idea.steps)}"


def _sure(group: Group) -> Iterator[str]:
    for each in group.sure_and_wrong:
        ideas = f" ({', '.join(each.ideas)})" if each.ideas else ""
        yield f"{each.alias} at {each.step}: {each.answer}{ideas}"


def _aside(group: Group) -> Iterator[str]:
    for each in group.left_aside:
        yield f"{each.alias}: {each.source}, receipt {each.receipt}"


def _damaged(report: Report) -> Iterator[str]:
    for each in report.damaged:
        alias = f" (alias {each.alias})" if each.alias else ""
        yield f"{each.source}{alias}: {each.reason}"


def counts(report: Report) -> str:
    """The last line: how much was counted."""
    handed_in = sum(len(group.learners) for group in report.groups)
    exercises = len(report.groups)
    return (
        f"{handed_in} hand-in{'' if handed_in == 1 else 's'} in {exercises} exercise"
        f"{'' if exercises == 1 else 's'} counted, {len(report.damaged)} not counted."
    )


# ------------------------------------------------------------------------------------------------ text


def as_text(report: Report) -> str:
    """For a terminal, most lines within 80 columns."""
    lines: list[str] = []
    for group in report.groups:
        lines += [*wrapped(title(group)), *wrapped(summary(group), "  "), ""]
        lines += _aligned(STEP_HEADER, map(step_row, group.steps), left=(0,))
        lines.append(f"  {STEPS_SAY}")
        marks = [f"{each.learners:>3}  " for each in group.ideas]
        lines += _listed("Wrong ideas, by the number of learners", map(_idea, group.ideas), marks)
        lines += _listed("Sure and wrong", _sure(group))
        lines.append("")
        lines += _aligned(LEARNER_HEADER, map(learner_row, group.learners), left=(0, len(LEARNER_HEADER) - 1))
        lines += _listed("Further hand-ins of the same alias, not counted", _aside(group))
        lines.append("")
    if report.damaged:
        lines += [*_listed("Not counted", _damaged(report))[1:], ""]
    return "\n".join([*lines, counts(report)])


def _listed(heading: str, entries: Iterable[str], marks: Iterable[str] = ()) -> list[str]:
    """Entries below a heading, each after its mark; nothing when there are none."""
    marked = list(zip(marks, entries, strict=True)) if marks else [("", entry) for entry in entries]
    lines = [line for mark, entry in marked for line in wrapped(plain(entry), f"  {mark}")]
    return ["", f"{heading}:", *lines] if lines else []


def _aligned(header: Cells, rows: Iterable[Cells], left: Sequence[int]) -> list[str]:
    """Rows below their header, columns at the places `left` aligned at the left, the others at the right."""
    table = [list(header), *([cut(plain(row[0]), _NAME), *map(plain, row[1:])] for row in rows)]
    widths = [max(map(cells, column)) for column in zip(*table, strict=True)]
    lines = []
    for row in table:
        written = []
        for place, (cell, width) in enumerate(zip(row, widths, strict=True)):
            blanks = " " * (width - cells(cell))
            written.append(cell + blanks if place in left else blanks + cell)
        lines.append(f"  {'  '.join(written)}".rstrip())
    return lines


# -------------------------------------------------------------------------------------------- Markdown


def as_markdown(report: Report) -> str:
    """Pipe tables under one heading for each exercise."""
    blocks: list[str] = []
    for group in report.groups:
        blocks += [f"## {escaped(title(group))}", escaped(summary(group))]
        blocks += [_pipes(STEP_HEADER, map(step_row, group.steps)), escaped(STEPS_SAY)]
        ideas = [(str(each.learners), _idea(each)) for each in group.ideas]
        if ideas:
            blocks += ["### Wrong ideas", _pipes(("learners", "idea"), ideas)]
        blocks += _bullets("### Sure and wrong", _sure(group))
        blocks += ["### Learners", _pipes(LEARNER_HEADER, map(learner_row, group.learners))]
        blocks += _bullets("### Further hand-ins of the same alias, not counted", _aside(group))
    blocks += _bullets("## Not counted", _damaged(report))
    return "\n\n".join([*blocks, escaped(counts(report))]) + "\n"


def _bullets(heading: str, entries: Iterable[str]) -> list[str]:
    lines = [f"- {escaped(entry)}" for entry in entries]
    return [heading, "\n".join(lines)] if lines else []


def _pipes(header: Cells, rows: Iterable[Cells]) -> str:
    table = [header, [":--", *("--:" for _ in header[1:])], *(list(map(escaped, row)) for row in rows)]
    return "\n".join(f"| {' | '.join(row)} |" for row in table)


# ------------------------------------------------------------------------------------------ CSV, JSON


def as_csv(report: Report) -> str:
    """One row for each learner and exercise, with a column for each graded step.

    Cells that a spreadsheet would take for a formula get an apostrophe in front.
    """
    several = len(report.groups) > 1
    named = [
        [_column(group, step.id, several) for _, step in graded_steps(group.exercise)]
        for group in report.groups
    ]
    columns = list(dict.fromkeys(name for names in named for name in names))
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["exercise", "revision", *LEARNER_HEADER, "last answer", "wrong ideas", *columns])
    for group, names in zip(report.groups, named, strict=True):
        script = group.exercise.script
        for learner in group.learners:
            how = dict(zip(names, (each.words for each in learner.outcomes), strict=True))
            ended = learner.grade.ended if learner.grade else ""
            row = [
                script.id,
                str(script.revision),
                *learner_row(learner),
                ended,
                " ".join(_ideas_of(learner)),
            ]
            writer.writerow(map(_inert, [*row, *(how.get(name, "") for name in columns)]))
    return out.getvalue()


def _column(group: Group, step_id: str, several: bool) -> str:
    return f"{group.exercise.script.id}: {step_id}" if several else step_id


def _ideas_of(learner: Learner) -> list[str]:
    steps = learner.grade.steps if learner.grade else ()
    return list(dict.fromkeys(idea for step in steps for idea in step.ideas))


def _inert(cell: str) -> str:
    text = plain(cell)
    return f"'{text}" if text.startswith(_FORMULA) else text


def as_json(report: Report) -> str:
    """Everything, with every learner's outcome at every step."""
    values = {
        "exercises": [_group_values(group) for group in report.groups],
        "not_counted": [
            {"source": each.source, "alias": each.alias, "receipt": each.receipt, "reason": each.reason}
            for each in report.damaged
        ],
    }
    return json.dumps(values, indent=1) + "\n"


def _group_values(group: Group) -> dict[str, Any]:
    script = group.exercise.script
    ids = [step.id for _, step in graded_steps(group.exercise)]
    return {
        "script": script.id,
        "revision": script.revision,
        "graded_hash": group.exercise.graded_hash,
        "as_installed": group.as_installed,
        "title": plain(script.title),
        "steps": [asdict(each) for each in group.steps],
        "wrong_ideas": [asdict(each) for each in group.ideas],
        "sure_and_wrong": [asdict(each) for each in group.sure_and_wrong],
        "learners": [_learner_values(each, ids) for each in group.learners],
        "further": [_learner_values(each, ids) for each in group.left_aside],
    }


def _learner_values(learner: Learner, ids: Sequence[str]) -> dict[str, Any]:
    grade = learner.grade
    values: dict[str, Any] = {
        "alias": learner.alias,
        "receipt": learner.receipt,
        "source": learner.source,
        "only_line": grade is None,
        "outcomes": dict(zip(ids, (each.words for each in learner.outcomes), strict=True)),
        "wrong_ideas": _ideas_of(learner),
    }
    if grade is None:
        return values
    result = grade.result
    return values | {
        "done": result.done,
        "steps": result.steps,
        "points": float(result.earned),
        "possible": result.possible,
        "passed": result.passed,
        "started": grade.started,
        "ended": grade.ended,
    }
