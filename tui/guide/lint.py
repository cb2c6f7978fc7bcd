"""Checks of a script before a workshop: everything that would be unfair, wrong or unreadable in it."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from tui.files.lines import Path as Place
from tui.guide.data import as_study
from tui.guide.exercise import Exercise
from tui.guide.findings import Finding, did_you_mean, placed
from tui.guide.lint_numbers import numeric_findings
from tui.guide.lint_steps import sequence_findings, step_findings
from tui.guide.lint_texts import text_findings
from tui.guide.reader import Loaded
from tui.guide.script import Numeric
from tui.model.quantity import ReadError, format_number, read
from tui.model.roofline import LAB_CAP
from tui.model.trial import RATE_UNIT


def exercise_of(loaded: Loaded) -> Exercise | None:
    """The exercise in a script that could be read, None when it has no head or no steps."""
    if loaded.script is None or not loaded.script.step:
        return None
    return Exercise(loaded.script, loaded.sets, loaded.files)


def lint(loaded: Loaded, neighbours: Collection[str] | None = None) -> tuple[Finding, ...]:
    """Everything to say about one script, in the order of its lines.

    Args:
        neighbours: ids of the scripts in its folder; None when nothing is known of them.
    """
    exercise = exercise_of(loaded)
    if exercise is None:
        return loaded.findings
    new = [*_head_findings(exercise, neighbours), *_data_findings(exercise), *_shared_findings(exercise)]
    spoiled: dict[int, list[str]] = {}
    for place, step in enumerate(exercise.steps):
        new += step_findings(exercise, place)
        culprit = exercise.moments[place].spoiled_by
        if culprit is not None and isinstance(step, Numeric):
            spoiled.setdefault(culprit, []).append(step.id)
        elif isinstance(step, Numeric):
            new += numeric_findings(exercise, place, step)
    new = [_folded(each, spoiled) for each in new]
    new += sequence_findings(exercise)
    new += text_findings(exercise)
    new.append(_totals(exercise))
    here = placed(new, loaded.text, loaded.values)
    return tuple(sorted((*loaded.findings, *here), key=lambda each: each.line))


def _folded(finding: Finding, spoiled: Mapping[int, Sequence[str]]) -> Finding:
    """A bad set step takes the steps after it with it: they are named in its line, not listed."""
    path = finding.path
    if finding.code == "E041" and len(path) > 1 and isinstance(path[1], int) and path[1] in spoiled:
        names = ", ".join(spoiled[path[1]])
        return replace(finding, message=f"{finding.message} Not checked because of it: {names}.")
    return finding


def _head_findings(exercise: Exercise, neighbours: Collection[str] | None) -> Iterator[Finding]:
    script = exercise.script
    if "cap" in script.params:
        try:
            cap = read(script.params["cap"], RATE_UNIT).value
        except ReadError as error:
            yield Finding("E025", f"cap: {error.sentence}", ("params", "cap"))
        else:
            if cap != LAB_CAP:
                says = (
                    f"{format_number(cap)} {RATE_UNIT}, the program has {format_number(LAB_CAP)} {RATE_UNIT}"
                )
                yield Finding("E025", f"cap is {says}", ("params", "cap"))
    for place, name in enumerate(script.requires):
        if neighbours is not None and name not in neighbours:
            sentence = f'requires "{name}", which is not in the folder{did_you_mean(name, neighbours)}'
            yield Finding("W093", sentence, ("requires", place))


def _data_findings(exercise: Exercise) -> Iterator[Finding]:
    """What the study format says of the settings of a table; without any there is nothing to ask it."""
    for place, raw in enumerate(exercise.script.data):
        data = exercise.sets.get(raw.id)
        if data is None or not data.settings:
            continue
        from tui.files.schema import Misfit

        try:
            as_study([data])
        except Misfit as misfit:
            for path, sentence in misfit.faults:
                name = next((step for step in reversed(path) if isinstance(step, str)), "")
                where: Place = ("data", place, name)
                yield Finding("E015", f'data "{raw.id}", {name}: {sentence}', where)


def _shared_findings(exercise: Exercise) -> Iterator[Finding]:
    for place, idea in enumerate(exercise.script.misconception):
        path: Place = ("misconception", place)
        if bool(idea.value) == bool(idea.when):
            yield Finding("E062", f'wrong idea "{idea.id}" needs exactly one of value and when', path)
        if not idea.feedback:
            yield Finding("E061", f'wrong idea "{idea.id}" has no feedback: say why it is wrong', path)


def _totals(exercise: Exercise) -> Finding:
    script = exercise.script
    concepts = len({step.concept for step in script.step if step.concept})
    counted = (
        f"{len(script.step)} steps, {script.points} points, {script.minutes} minutes, {concepts} concepts"
    )
    return Finding("I100", f"{counted}, graded hash {exercise.graded_hash[:12]}")


# ------------------------------------------------------------------------------------- several scripts


def cycles(scripts: Mapping[str, Sequence[str]]) -> Iterator[tuple[str, ...]]:
    """Chains of scripts that require each other, each once; `scripts` maps an id to what it requires."""
    seen: set[frozenset[str]] = set()
    for start in scripts:
        trail = [start]
        while (following := _next_in(scripts, trail[-1])) is not None and following not in trail:
            trail.append(following)
        if following is not None:
            ring = tuple(trail[trail.index(following) :])
            if frozenset(ring) not in seen:
                seen.add(frozenset(ring))
                yield (*ring, ring[0])


def _next_in(scripts: Mapping[str, Sequence[str]], name: str) -> str | None:
    """One required script that leads into a ring, if any does."""
    for each in scripts.get(name, ()):
        if each in scripts and _reaches(scripts, each, each):
            return each
    return None


def _reaches(scripts: Mapping[str, Sequence[str]], start: str, goal: str) -> bool:
    pending, seen = list(scripts.get(start, ())), set()
    while pending:
        name = pending.pop()
        if name == goal:
            return True
        if name not in seen:
            seen.add(name)
            pending += scripts.get(name, ())
    return False


def against(new: Exercise, old: Exercise) -> Finding | None:
    """What is to be said when a script is compared with the version that learners have."""
    same = new.script.id == old.script.id and new.script.revision <= old.script.revision
    if same and new.graded_hash != old.graded_hash:
        sentence = f"the graded part changed but revision is still {new.script.revision}: raise it"
        return Finding("E095", sentence, ("revision",))
    return None


def scripts_in(path: Path) -> list[Path]:
    """The script files a command-line argument means: itself, or those of a folder."""
    if not path.is_dir():
        return [path]
    return sorted(each for each in path.glob("*.toml") if each.name != INDEX)


INDEX = "index.toml"
"""The file with order and groups of the menu; it is no script."""
