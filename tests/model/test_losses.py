"""The loss budget: its lines add up, and what it refuses."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.model.steps_builders import fractions, pipeline, pipeline_run, with_stages
from tui.model.losses import NOT_MEASURED, PATH_CHANGED, loss, loss_budget
from tui.model.path import NoPath
from tui.model.steps import Point, Steps, steps_of
from tui.model.study import Experiment, Run, Stage, WorkModel


def lost(budget):
    return {line.stage: line.lost for line in budget.lines}


def test_the_pipeline_from_8_to_32():
    steps = steps_of(pipeline(8, 16, 32))
    budget = loss_budget(steps, 8, 32)
    assert budget.ideal == Fraction("11.875")
    assert budget.lost == Fraction("7.625")
    assert lost(budget) == fractions(
        {"compute": 0, "communication": 5, "bubble": "15/8", "host": "3/4", NOT_MEASURED: 0}
    )
    assert budget.efficiency == Fraction(95, 156)
    assert [line.share for line in budget.lines][:2] == [0, Fraction(40, 61)]
    # Without any one of these input is the longest branch: 17.5 + 1 s.
    free = {line.stage: line.efficiency_if_free for line in budget.lines}
    assert free["communication"] == Fraction("11.875") / Fraction("18.5")
    assert free["host"] == Fraction("11.875") / Fraction("18.5")
    assert free[NOT_MEASURED] is None
    assert loss(steps, 8, 32, "communication") == 5
    assert loss(steps, 8, 32, "input") == 0
    with pytest.raises(NoPath, match="there is no stage 'gpu'; the stages are compute, "):
        loss(steps, 8, 32, "gpu")


def test_slack_that_was_used_up_is_no_measured_time():
    steps = steps_of(pipeline(8, 32, 64))
    budget = loss_budget(steps, 32, 64)
    assert lost(budget) == fractions(
        {"input": "35/4", "host": "1/2", PATH_CHANGED: "-1/2", NOT_MEASURED: "1/2"}
    )
    assert budget.lost == Fraction("9.25")
    free = {line.stage: line.efficiency_if_free for line in budget.lines}
    assert free["host"] == Fraction("9.75") / 18  # what no stage explains stays
    assert budget.remainders == (0, Fraction(1, 2))
    assert loss(steps, 32, 64, PATH_CHANGED) == Fraction(-1, 2)
    assert loss(steps_of(pipeline(8, 32)), 8, 32, PATH_CHANGED) == 0


SECONDS = st.lists(st.integers(0, 30), min_size=4, max_size=4)


@given(SECONDS, SECONDS, st.integers(1, 99), st.integers(1, 99), st.sampled_from(["strong", "weak"]))
@settings(max_examples=60, deadline=None)
def test_lines_add_up_to_the_loss_exactly(first, second, before, after, family):
    stages = (Stage("a"), Stage("b", after=("a",)), Stage("c"), Stage("d", after=("b", "c")))
    points = tuple(
        Point(devices, Fraction(time, 7), dict(zip("abcd", map(Fraction, seconds), strict=True)))
        for devices, time, seconds in ((3, before, first), (7, after, second))
    )
    budget = loss_budget(Steps(stages, points, family), 3, 7)
    ideal = Fraction(before, 7) * (Fraction(3, 7) if family == "strong" else 1)
    assert sum(line.lost for line in budget.lines) == Fraction(after, 7) - ideal
    unexplained = budget.remainders[1] - budget.remainders[0] * ideal / Fraction(before, 7)
    assert budget.lines[-1] == type(budget.lines[-1])(
        NOT_MEASURED, unexplained, unexplained / budget.lost if budget.lost else None, None
    )


def test_stages_that_exceed_the_step_are_a_number_below_zero():
    runs = (with_stages(4, 10, {"compute": 8}), with_stages(8, 6, {"compute": 7}))
    budget = loss_budget(steps_of(Experiment("strong", "x", run=runs)), 4, 8)
    assert budget.remainders == (2, -1)
    assert lost(budget) == {"compute": 3, NOT_MEASURED: -2}
    assert budget.lines[0].efficiency_if_free is None  # without compute there is no time left at all


def test_weak_scaling_loses_against_the_same_time():
    runs = tuple(
        with_stages(devices, time, {"compute": 10, "communication": time - 10})
        for devices, time in ((8, 12.0), (64, 15.0))
    )
    weak = Experiment("weak", "x", run=runs, work_model=WorkModel(per_device=32000.0, of="tokens"))
    budget = loss_budget(steps_of(weak), 8, 64)
    assert (budget.ideal, budget.lost) == (12, 3)
    assert lost(budget) == {"compute": 0, "communication": 3, NOT_MEASURED: 0}
    assert budget.lines[1].share == 1
    assert budget.lines[1].efficiency_if_free == Fraction(12, 10)
    assert budget.efficiency == Fraction(4, 5)


@pytest.mark.parametrize(
    ("experiment", "counts", "sentence"),
    [
        (pipeline(8, 16), (16, 8), "from a smaller count to a larger one, not from 16 to 8"),
        (pipeline(8, 16), (8, 8), "not from 8 to 8"),
        (pipeline(8, 16), (8, 64), "no completed run with 64 GPUs; there are runs with 8, 16"),
        (
            pipeline(run=(pipeline_run(8, global_batch=64), pipeline_run(16, global_batch=32))),
            (8, 16),
            "16 GPUs: batch-changed: ",
        ),
        (
            pipeline(run=(pipeline_run(8), Run(16, (28.5,), stages_s={"compute": 20.0}))),
            (8, 16),
            "no loss budget from 8 to 16: communication, bubble, input, host not measured at 16",
        ),
        (pipeline(run=(pipeline_run(8), Run(16, (0.0,)))), (8, 16), "16 GPUs: its time is 0 s"),
        (Experiment("model-size", "x", run=pipeline(8, 16).run), (8, 16), "no ideal time to lose against"),
    ],
    ids=["descending", "same", "not measured", "blocked", "stage missing", "zero time", "model sizes"],
)
def test_budgets_that_are_refused(experiment, counts, sentence):
    with pytest.raises(NoPath, match=sentence):
        loss_budget(steps_of(experiment), *counts)
