"""What an exercise covers on the Limits and Target tabs: each word by itself, and no key before its step."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from tests.guide.playing import exercise, lines
from tests.guide.test_exercises import COURSE
from tests.guide.test_plain import Sitting
from tests.model.steps_builders import pipeline, with_stages
from tests.ui.test_exercises_walk import given
from tui.guide.lint_numbers import prints_answer
from tui.guide.script import Numeric
from tui.guide.session import apply
from tui.guide.state import Session, begin, covered
from tui.guide.workbench import study_of
from tui.model.limits import Asked, Limits, limits_of
from tui.model.study import Experiment, Machine, Stage, Study, Work
from tui.model.target import SUMMARIES
from tui.tabs.limits_page import PAGES
from tui.tabs.limits_stages import COVERS, Look, counts_of, path_counts
from tui.tabs.limits_words import note
from tui.tabs.target_exhibit import TargetExhibit
from tui.widgets.columns import COVER
from tui.widgets.stage_lines import PageLines

WIDE = 300
"""Columns at which no line is broken."""

ON_TABS = (
    "weak-is-not-quality",
    "overhead-and-stragglers",
    "find-the-next-limit",
    "cost-and-memory",
    "pick-two-points",
    "throughput-is-not-target",
)
"""The exercises whose instrument is one of the two tabs."""


def as_text(page: PageLines) -> str:
    """A page as one text."""
    return "\n".join("".join(part for part, _ in line) for line in (page.head, *page.lines))


def pages(limits: Limits, *words: str) -> dict[str, str]:
    """Every page with these words covered; that of the path at each count."""
    found = {}
    for name, make in PAGES.items():
        counts = [None, *path_counts(limits)] if name == "path" else [None]
        looks = [Look(WIDE, count=count, covered=frozenset(words)) for count in counts]
        found[name] = "\n".join(as_text(make(limits, look)) for look in looks)
    return found


# ------------------------------------------------------------------------------------- word by word


SHOWN = {
    "path": [("stages", "19.5     0  compute"), ("path", "19.5 s along the path"), ("predict", "18.5 s, no")],
    "slack": [("path", "17.5      1")],
    "loss": [("losses", "7.625 s"), ("losses", "65.6 %")],
    "ideal": [("losses", "11.875 s"), ("predict", "the ideal line from 8 says 5.9375 s")],
    "efficiency": [("losses", "E = 0.609"), ("losses", "0.642")],
    "cost": [("cost", "624"), ("predict", "1184 device-seconds")],
    "memory": [("cost", "yes"), ("cost", "memory goes as a/D + b"), ("predict", "fits 40 GiB")],
    "measured": [("measured", "yes"), ("measured", "measured nowhere: kernel shapes")],
    "late": [("cost", "27.5 %"), ("cost", "1 - (1 - q)^D")],
}
"""What a word covers, page by page. The steps are those of the pipeline of four at 8, 16 and 32."""


def everything() -> Limits:
    """The pipeline at 8, 16 and 32, with memory, and a stage that waits for late ranks at no cost."""
    example = pipeline(8, 16, 32)
    tail = Stage("rank_tail", "tail", (), None, {"q": 0.01, "delay_s": 0.0})
    runs = []
    for run in example.run:
        seconds = {**run.stages_s, "rank_tail": 0.0}
        runs.append(with_stages(run.devices, run.times_s[0], seconds, memory_gib=100 / run.devices + 10))
    stages = (*example.stages, tail)
    made = Experiment("strong", "p", "GPU", run=tuple(runs), stages=stages, memory_per_device_gib=40.0)
    return limits_of(made, Machine(), Asked())


@pytest.mark.parametrize("word", SHOWN)
def test_a_word_covers_what_it_names_and_nothing_of_it_is_left(word: str) -> None:
    assert frozenset({*SHOWN, "speedup"}) == COVERS
    limits = everything()
    clear, hidden = pages(limits), pages(limits, word)
    for page, shown in SHOWN[word]:
        assert shown in clear[page], page
        assert shown not in hidden[page], page
        assert COVER in hidden[page]


def overhead() -> Limits:
    """96 s that are shared and 2 s on the host, measured at 4 and 16, predicted at 64."""
    runs = tuple(with_stages(d, 96 / d + 2, {"compute": 96 / d, "host": 2}) for d in (4, 16))
    stages = (Stage("compute", "split"), Stage("host", "fixed", ("compute",)))
    return limits_of(Experiment("strong", "o", run=runs, stages=stages), Machine(), Asked(devices=64))


def test_the_most_that_devices_can_give_is_a_speedup() -> None:
    limit = "no count is more than 13 × as fast as 4"
    assert limit in pages(overhead())["predict"]
    assert limit not in pages(overhead(), "speedup")["predict"]


def test_of_a_covered_prediction_nothing_is_told_not_even_what_has_to_be_known_of_it() -> None:
    limits = overhead()
    clear, hidden = pages(limits), pages(limits, "path")
    assert "overhead-bound: host takes 57% of the step at 64" in clear["predict"]
    assert "57" not in hidden["predict"]
    assert "64 devices" in hidden["predict"]
    predicted = hidden["path"].split("at 64", 1)[1]
    assert "1.5" not in predicted, "its seconds are no measured ones, so they are covered with the path"


def test_the_rate_of_a_prediction_is_shown_and_covered_with_it() -> None:
    experiment = overhead().experiment
    work = replace(
        experiment,
        run=(*experiment.run, with_stages(64, 4.0, {"compute": 2, "host": 2})),
        work=Work(2240),
        flop_per_unit=1e12,
        peak_flops_per_device=4e13,
    )
    limits = limits_of(work, Machine(), Asked(devices=64))
    rate = "10 TFLOP/s per device, 25.0 % of peak; measured 8.75 TFLOP/s per device, 21.9 % of peak"
    assert rate in pages(limits)["predict"]
    hidden = pages(limits, "path")["predict"]
    assert "TFLOP/s" not in hidden
    assert "peak" not in hidden


def test_lost_seconds_that_may_be_seen_are_named_although_the_path_is_covered() -> None:
    page = pages(everything(), "path")["losses"]
    assert "communication       5" in page
    assert "communication" not in pages(everything(), "path", "loss")["losses"]


def test_without_stages_the_rules_that_need_none_are_still_said_and_covered() -> None:
    # Through 1 and 2: b = 1743.5·2, a = 1882.5 - 1743.5, at 32: 139 + 3487/32; the ideal is 3626/32.
    runs = tuple(with_stages(d, t, {}) for d, t in ((1, 3626.0), (2, 1882.5), (8, 538.0), (16, 304.0)))
    bare = Experiment("strong", "openmc", "node", run=runs)
    shown = pages(limits_of(bare, Machine(), Asked()))["predict"]
    said = ("32 nodes", "No stage is measured", "from 1 says 113.3 s", "Amdahl through 1 and 2 says 248 s")
    assert [words for words in said if words not in shown] == []
    other = pages(limits_of(bare, Machine(), Asked(devices=32, through=(8, 16))))["predict"]
    assert "Amdahl through 8 and 16 says 187 s" in other
    hidden = pages(limits_of(bare, Machine(), Asked()), "path")["predict"]
    assert "says" not in hidden
    # A pair that has the predicted count itself says nothing of it: the first two stand in.
    odd = limits_of(bare, Machine(), Asked(devices=16, through=(8, 16)))
    assert odd.instead.through == (1, 2)


# ------------------------------------------------------------------------ no key before it is asked


CHANCE = {"both"}
"""Steps whose key stands on a page for another reason: 9.75 s is also half of the 19.5 s at 32."""


def moments(name: str) -> Iterator[Session]:
    """The exercise at each of its numeric steps, before it is answered."""
    found = exercise(name)
    session = begin(found, "20261201T094544Z-2fd1")
    seen = set()
    for event in Sitting(found, list(lines(found, COURSE[name], None))).events:
        step = session.step
        if isinstance(step, Numeric) and not session.state.done and step.id not in seen:
            seen.add(step.id)
            yield session
        session, _ = apply(session, event)


def told(study: Study, words: frozenset[str]) -> Iterator[str]:
    """Every line that the two tabs can be made to show."""
    for each in study.experiment:
        if not each.run:
            continue
        if each.family == "target":
            for summary in SUMMARIES:
                exhibit = TargetExhibit(each, study, summary)
                covers = words & TargetExhibit.COVERS
                yield from exhibit.heading(covers)
                for row in exhibit.view.rows:
                    yield from (*exhibit.view.cells(row, covers), *exhibit.judgements(row, covers))
            continue
        counts = sorted({run.devices for run in each.run})
        asked = [Asked(devices=count) for count in {*counts, *(2 * count for count in counts)}]
        asked += [Asked(pair=(first, second)) for first in counts for second in counts if first < second]
        for question in asked:
            limits = limits_of(each, study.machine, question)
            covers = words & COVERS
            for text in pages(limits, *covers).values():
                yield from text.split("\n")
            look = Look(WIDE, covered=covers)
            yield from (note("stages", limits, at, look) for at in range(len(counts_of(limits))))
            yield from (note("laws", limits, at, look) for at in range(len(limits.steps.stages)))


@pytest.mark.parametrize("name", ON_TABS)
def test_no_page_of_the_tabs_tells_a_key_before_its_step_is_done(name: str) -> None:
    asked = 0
    for session in moments(name):
        step, key = session.step, session.exercise.keys[session.here]
        assert step is not None
        assert key is not None
        if key.right is None or step.id in CHANCE or prints_answer(given(session), key.right):
            continue
        asked += 1
        words = frozenset[str]().union(*covered(session).values())
        words |= {"cost"} if "efficiency" in words else frozenset()
        found = {line for line in told(study_of(session), words) if prints_answer(line, key.right)}
        assert not found, (step.id, found)
    assert asked > 1


@pytest.mark.parametrize("name", ON_TABS)
def test_in_the_end_the_tabs_confirm_what_was_worked_out(name: str) -> None:
    found = exercise(name)
    typed = list(lines(found, COURSE[name], None))
    session = Sitting(found, typed[:-1]).session  # all but the last words in the learner's own
    words = frozenset[str]().union(*covered(session).values())
    assert not words & {"path", "slack", "loss", "target", "late", "measured", "memory", "efficiency"}
