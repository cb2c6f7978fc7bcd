"""What a class did: for each exercise its steps, its wrong ideas, who was sure and wrong, every learner."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import median

from tui.guide.class_reading import HandedIn, NotCounted
from tui.guide.exercise import Exercise
from tui.guide.handin_line import Line, NoRoom, line_of
from tui.guide.regrade import Grade, Outcome
from tui.guide.script import Numeric, Options, Step
from tui.model.ideas import ROOFLINE_IDEAS
from tui.model.scaling_ideas import ROW_IDEAS, TOLD_IDEAS

SURE = 3
"""The confidence that means "certain"."""

_CATALOGUE = {
    **{idea.id: idea.title for idea in ROOFLINE_IDEAS},
    **{idea.id: idea.title for idea in ROW_IDEAS},
    **{idea.id: idea.title for idea in TOLD_IDEAS},
}


@dataclass(frozen=True)
class Learner:
    """One learner at one exercise."""

    alias: str
    receipt: str
    source: str
    outcomes: tuple[Outcome, ...]
    """One for each graded step."""
    grade: Grade | None
    """None for somebody who sent only the line."""


@dataclass(frozen=True)
class StepCount:
    """What a class did at one graded step; tries, hints and unreadable answers are known from files only."""

    number: int
    """Position in the script, from 1."""
    id: str
    title: str
    reached: int
    first_right: int
    right: int
    median_tries: float | None
    """Readable, new answers of those who gave any."""
    hints: int
    unreadable: int


@dataclass(frozen=True)
class IdeaCount:
    """One wrong idea."""

    id: str
    title: str
    learners: int
    steps: tuple[str, ...]
    """Ids of the steps where it was shown."""


@dataclass(frozen=True)
class SureAndWrong:
    """A prediction that somebody was certain of, and that was missed."""

    alias: str
    step: str
    answer: str
    ideas: tuple[str, ...]


@dataclass(frozen=True)
class Group:
    """One exercise in one version of what decides marks."""

    exercise: Exercise
    as_installed: bool | None
    """Whether the installed script decides marks alike; None when none is installed."""
    learners: tuple[Learner, ...]
    steps: tuple[StepCount, ...]
    ideas: tuple[IdeaCount, ...]
    """The most common first."""
    sure_and_wrong: tuple[SureAndWrong, ...]
    left_aside: tuple[Learner, ...]
    """Further hand-ins of the same aliases."""

    @property
    def files(self) -> tuple[Learner, ...]:
        """Those who handed in more than a line."""
        return tuple(each for each in self.learners if each.grade is not None)

    @property
    def only_lines(self) -> tuple[Learner, ...]:
        """Those who sent only the line."""
        return tuple(each for each in self.learners if each.grade is None)


@dataclass(frozen=True)
class Report:
    """The whole class."""

    groups: tuple[Group, ...]
    damaged: tuple[NotCounted, ...]


Installed = Callable[[str], Exercise | None]
"""The installed exercise of an id, None when there is none that can be used."""


def report(found: HandedIn, installed: Installed) -> Report:
    """What was handed in, by exercise; several hand-ins of one alias count once, the newest complete one."""
    damaged = list(found.damaged)
    kept, aside = _by_alias([(source, grade) for source, grade in found.grades])
    exercises = {_key(grade.exercise): grade.exercise for _, grade in kept}
    learners: dict[tuple[str, str], list[Learner]] = {key: [] for key in exercises}
    for source, grade in kept:
        learners[_key(grade.exercise)].append(_learner(source, grade))
    for source, line in _without_file(found, damaged):
        exercise = _exercise_of(line, kept, installed)
        if exercise is None:
            count = len(line.outcomes)
            reason = f"no file and no installed script tells what the {count} results in the line mean"
            damaged.append(NotCounted(source, reason, line.alias, line.receipt))
            continue
        exercises.setdefault(_key(exercise), exercise)
        one = Learner(line.alias, line.receipt, source, line.outcomes, None)
        learners.setdefault(_key(exercise), []).append(one)
    others: dict[tuple[str, str], list[Learner]] = {}
    for source, grade in aside:
        others.setdefault(_key(grade.exercise), []).append(_learner(source, grade))
    groups = [
        _group(exercises[key], learners[key], others.get(key, ()), installed) for key in sorted(exercises)
    ]
    return Report(tuple(groups), tuple(damaged))


def _key(exercise: Exercise) -> tuple[str, str]:
    return exercise.script.id, exercise.graded_hash


def _learner(source: str, grade: Grade) -> Learner:
    outcomes = tuple(step.outcome for step in grade.steps)
    return Learner(grade.alias, grade.receipt, source, outcomes, grade)


# ------------------------------------------------------------------------------ several from one learner


def folded(alias: str) -> str:
    """An alias such that "Zoë", " zoë" and both ways to encode the ë are one learner."""
    return " ".join(unicodedata.normalize("NFKC", alias).casefold().split())


Graded = tuple[str, Grade]


def _by_alias(grades: Iterable[Graded]) -> tuple[list[Graded], list[Graded]]:
    """The hand-in that counts of each learner and exercise, and the others; copies are no others."""
    of: dict[tuple[str, str], dict[str, Graded]] = {}
    for source, grade in grades:
        same = of.setdefault((grade.script_id, folded(grade.alias)), {})
        same.setdefault(grade.receipt, (source, grade))
    kept, aside = [], []
    for same in of.values():
        ordered = sorted(same.values(), key=lambda each: (each[1].complete, each[1].ended), reverse=True)
        kept.append(ordered[0])
        aside += ordered[1:]
    return kept, aside


def _without_file(found: HandedIn, damaged: list[NotCounted]) -> list[tuple[str, Line]]:
    """The lines of learners whose file was not sent; of several the one that got furthest, then the last."""
    by_receipt = {grade.receipt: grade for _, grade in found.grades}
    with_file = set()
    for _, grade in found.grades:
        try:
            with_file.add((grade.script_id, folded(line_of(grade).alias)))
        except NoRoom:
            continue  # such a learner has no line either
    best: dict[tuple[str, str], tuple[str, Line]] = {}
    for source, line in found.lines:
        own = by_receipt.get(line.receipt)
        if own is not None:
            if tuple(step.outcome for step in own.steps) != line.outcomes:
                reason = "the results in the line are not those of the file with the same receipt"
                damaged.append(NotCounted(source, reason, line.alias, line.receipt))
            continue
        key = (line.script_id, folded(line.alias))
        if key not in with_file and (key not in best or _far(line) >= _far(best[key][1])):
            best[key] = (source, line)
    return list(best.values())


def _far(line: Line) -> int:
    return sum(each.reached for each in line.outcomes)


def _exercise_of(line: Line, grades: Sequence[Graded], installed: Installed) -> Exercise | None:
    """The exercise whose steps a line counts: of a file of the same revision, else the installed one."""
    candidates: list[Exercise | None] = [installed(line.script_id), *(each.exercise for _, each in grades)]
    for exercise in candidates:
        if exercise is None or exercise.script.id != line.script_id:
            continue
        graded = sum(step.GRADED for step in exercise.steps)
        if exercise.script.revision == line.revision and graded == len(line.outcomes):
            return exercise
    return None


# --------------------------------------------------------------------------------------------- counting


def _group(
    exercise: Exercise, learners: Sequence[Learner], aside: Iterable[Learner], installed: Installed
) -> Group:
    ordered = tuple(sorted(learners, key=lambda each: (folded(each.alias), each.receipt)))
    own = installed(exercise.script.id)
    return Group(
        exercise=exercise,
        as_installed=None if own is None else own.graded_hash == exercise.graded_hash,
        learners=ordered,
        steps=_steps(exercise, ordered),
        ideas=_ideas(exercise, ordered),
        sure_and_wrong=_sure(exercise, ordered),
        left_aside=tuple(aside),
    )


def graded_steps(exercise: Exercise) -> list[tuple[int, Step]]:
    """The graded steps with their number in the script, from 1."""
    return [(number, step) for number, step in enumerate(exercise.steps, start=1) if step.GRADED]


def _steps(exercise: Exercise, learners: Sequence[Learner]) -> tuple[StepCount, ...]:
    counts = []
    for place, (number, step) in enumerate(graded_steps(exercise)):
        outcomes = [learner.outcomes[place] for learner in learners]
        known = [learner.grade.steps[place] for learner in learners if learner.grade is not None]
        answers = [each.answers for each in known if each.answers]
        counts.append(
            StepCount(
                number=number,
                id=step.id,
                title=step.title,
                reached=sum(each.reached for each in outcomes),
                first_right=outcomes.count(Outcome.FIRST),
                right=sum(each.right for each in outcomes),
                median_tries=float(median(answers)) if answers else None,
                hints=sum(each.hints for each in known),
                unreadable=sum(each.unreadable for each in known),
            )
        )
    return tuple(counts)


def _ideas(exercise: Exercise, learners: Sequence[Learner]) -> tuple[IdeaCount, ...]:
    who: dict[str, set[int]] = {}
    where: dict[str, dict[str, None]] = {}
    names = [step.id for _, step in graded_steps(exercise)]
    for number, learner in enumerate(learners):
        for name, step in zip(names, learner.grade.steps if learner.grade else (), strict=False):
            for idea in step.ideas:
                who.setdefault(idea, set()).add(number)
                where.setdefault(idea, {})[name] = None
    titles = idea_titles(exercise)
    counts = [
        IdeaCount(idea, titles.get(idea, ""), len(them), tuple(n for n in names if n in where[idea]))
        for idea, them in who.items()
    ]
    return tuple(sorted(counts, key=lambda each: (-each.learners, each.id)))


def idea_titles(exercise: Exercise) -> Mapping[str, str]:
    """What each wrong idea is called: by the script, by the catalogue, or by the choice that tells it."""
    titles: dict[str, str] = {}
    for step in exercise.steps:
        if isinstance(step, Options):
            for option in step.options:
                if option.misconception:
                    titles.setdefault(option.misconception, f'"{option.text}"')
    titles |= _CATALOGUE
    own = [*exercise.script.misconception]
    own += [each for step in exercise.steps if isinstance(step, Numeric) for each in step.misconception]
    return titles | {each.id: each.title for each in own if each.title}


def _sure(exercise: Exercise, learners: Sequence[Learner]) -> tuple[SureAndWrong, ...]:
    found = []
    for place, (_, step) in enumerate(graded_steps(exercise)):
        for learner in learners:
            one = learner.grade.steps[place] if learner.grade else None
            if one is not None and one.outcome is Outcome.MISSED and one.confidence == SURE:
                found.append(SureAndWrong(learner.alias, step.id, one.answer, one.ideas))
    return tuple(found)
