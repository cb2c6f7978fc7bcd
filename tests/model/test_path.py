"""The longest path and its slack, and what is made of the runs of a study."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.model.steps_builders import fractions, pipeline, pipeline_run, with_stages
from tui.model.path import Graph, NoPath
from tui.model.steps import GRID, Point, Steps, steps_of
from tui.model.study import Domain, Experiment, Machine, Run, Stage

PUBLISHED = {
    8: ("93/2", "95/2", "29"),
    16: ("55/2", "57/2", "10"),
    32: ("37/2", "39/2", "1"),
}
"""The pipeline of four by hand: chain, step, slack of input."""


@pytest.mark.parametrize("devices", PUBLISHED)
def test_the_pipeline_by_hand(devices):
    steps = steps_of(pipeline(8, 16, 32))
    timing = steps.measured(devices)
    chain, step, slack = map(Fraction, PUBLISHED[devices])
    assert timing.path == ("compute", "communication", "bubble", "host")
    assert timing.total == step == chain + 1
    assert timing.slack == {**dict.fromkeys(timing.seconds, 0), "input": slack}
    assert timing.limit == "compute"
    assert steps.remainder(devices) == 0


def test_another_branch_takes_over():
    timing = steps_of(pipeline(8, 64)).measured(64)
    assert timing.path == ("input", "host")
    assert timing.limit == "input"
    assert timing.total == Fraction(37, 2)
    assert timing.slack == fractions({"compute": 3, "communication": 3, "bubble": 3, "input": 0, "host": 0})
    assert steps_of(pipeline(8, 64)).remainder(64) == Fraction(1, 2)


@st.composite
def graphs(draw):
    """Stages in any order of the file, each after some that come before it in a hidden order."""
    names = [f"s{place}" for place in range(draw(st.integers(1, 6)))]
    stages = [
        Stage(name, after=tuple(draw(st.sets(st.sampled_from(names[:place]))) if place else ()))
        for place, name in enumerate(names)
    ]
    seconds = {name: Fraction(draw(st.integers(0, 20))) for name in names}
    return draw(st.permutations(stages)), seconds


def every_path(graph):
    def from_(name):
        later = [other for other, after in graph.after.items() if name in after]
        return [[name, *rest] for other in later for rest in from_(other)] or [[name]]

    return [path for name, after in graph.after.items() if not after for path in from_(name)]


@given(graphs())
@settings(max_examples=60, deadline=None)
def test_longest_path_and_slack_against_all_paths(drawn):
    stages, seconds = drawn
    graph = Graph(stages)
    timing = graph.timing(seconds)
    lengths = {tuple(path): sum(seconds[name] for name in path) for path in every_path(graph)}
    assert timing.total == max(lengths.values()) == sum(seconds[name] for name in timing.path)
    for name in seconds:
        through = max(length for path, length in lengths.items() if name in path)
        assert timing.slack[name] == timing.total - through
        grown = graph.timing({**seconds, name: seconds[name] + timing.slack[name]})
        assert grown.total == timing.total
        assert graph.timing({**seconds, name: seconds[name] + timing.slack[name] + 1}).total > timing.total


def test_stages_without_edges_are_a_chain_and_that_is_said():
    stages = (Stage("load", "fixed"), Stage("compute", "split"))
    runs = (with_stages(4, 10, {"compute": 8, "load": 1}), with_stages(8, 6, {"compute": 4, "load": 1}))
    steps = steps_of(Experiment("strong", "x", run=runs, stages=stages))
    assert steps.measured(4).path == ("load", "compute")
    assert steps.measured(4).total == 9
    assert steps.remainder(4) == 1
    assert steps.notes == ("no stage says what it comes after: they are taken as one chain, load → compute",)


def test_stages_that_nobody_declared():
    runs = (with_stages(4, 10, {"compute": 8, "other": 1}), with_stages(8, 6, {"compute": 4, "other": 1}))
    bare = steps_of(Experiment("strong", "x", run=runs))
    assert [stage.name for stage in bare.stages] == ["compute", "other"]
    assert "no law is written for compute, other: assumed to be fixed" in bare.notes
    edged = (Stage("compute", "split"), Stage("tail", "fixed", ("compute",)))
    steps = steps_of(Experiment("strong", "x", run=runs, stages=edged))
    assert "measured, but no part of the path because it is not in `stages`: other" in steps.notes


@pytest.mark.parametrize(
    ("stages", "sentence"),
    [
        ((Stage("a", after=("b",)), Stage("b", after=("a",))), "these stages wait for each other"),
        ((Stage("a", after=("c",)), Stage("b")), "there is no stage 'c' to come after"),
        ((Stage("a"), Stage("a")), "two stages are called 'a'"),
    ],
)
def test_edges_that_cannot_be_meant(stages, sentence):
    with pytest.raises(NoPath, match=sentence):
        Graph(stages)


def test_a_stage_that_was_not_measured_leaves_the_limit_unknown():
    seconds = {name: time for name, time in pipeline_run(64).stages_s.items() if name != "input"}
    steps = steps_of(pipeline(run=(pipeline_run(8), pipeline_run(64, stages_s=seconds))))
    with pytest.raises(NoPath, match=r"^limit unknown: input not measured at 64$"):
        steps.measured(64)
    assert steps.missing(64) == ("input",)
    grid = steps.grid()
    assert tuple(grid) == GRID
    assert grid["input"] == {8: True, 64: False}
    assert grid["kernel"] == {8: False, 64: False}


def test_no_stage_at_all():
    steps = steps_of(Experiment("strong", "x", run=(Run(4, (10.0,)), Run(8, (6.0,)))))
    with pytest.raises(NoPath, match="no stage is measured: enter the seconds"):
        steps.measured(4)


def test_rows_that_cannot_be_compared_are_left_out_and_named():
    runs = (
        pipeline_run(8, global_batch=64),
        pipeline_run(16, global_batch=32),
        Run(32, (0.0,), global_batch=64),
        Run(64, (), "out-of-memory", global_batch=64),
    )
    steps = steps_of(pipeline(run=runs))
    assert [point.devices for point in steps.points] == [8]
    assert steps.left_out[16].startswith("batch-changed: ")
    assert steps.left_out[32] == "its time is 0 s, below what the timer shows, so it has no ratio"
    assert steps.left_out[64].startswith("not-completed: ")
    with pytest.raises(NoPath, match=r"^16 GPUs: batch-changed: "):
        steps.point(16)
    with pytest.raises(NoPath, match=r"^no completed run with 128 GPUs; there are runs with 8$"):
        steps.point(128)


def test_jobs_of_one_count_are_summarised_by_their_medians():
    runs = [
        with_stages(8, time, {"compute": compute})
        for time, compute in ((10.0, 7.0), (12.0, 9.0), (11.0, 8.0))
    ]
    (point,) = steps_of(Experiment("strong", "x", run=tuple(runs))).points
    assert (point.time, point.seconds) == (11, {"compute": 8})
    assert [job["compute"] for job in point.jobs] == [7, 9, 8]


def test_of_several_rows_the_one_with_most_stages_stands_for_the_count():
    runs = (pipeline_run(8), Run(16, (20.0,), nodes=1), pipeline_run(16, nodes=2))
    steps = steps_of(pipeline(run=runs))
    assert steps.point(16).time == Fraction(57, 2)
    assert (
        "16 GPUs: 2 rows; the one with most stages, then the fastest, is taken (nodes 2)"
        in steps.notes
    )


def test_target_experiments_have_no_path():
    with pytest.raises(NoPath, match="has no path of stages"):
        steps_of(Experiment("target", "x"))


def test_layouts_go_on_as_they_were_measured():
    runs = tuple(
        Run(devices, (64 / devices,), dp=devices // 8, tp=2, pp=4, micro_batch=2, global_batch=256)
        for devices in (8, 16, 32)
    )
    machine = Machine(devices_per_node=8, domains=(Domain("node", 8), Domain("leaf", 64)))
    steps = steps_of(Experiment("strong", "x", run=runs), machine)
    assert steps.counts_at(64) == fractions(
        {"devices": 64, "nodes": 8, "dp": 8, "tp": 2, "pp": 4, "micro_batches": 16}
    )
    assert steps.network(64) == "leaf"
    assert steps.network(65) == "beyond leaf"
    planned = (*runs, Run(64, (), dp=4, tp=2, pp=8, accumulation=3))
    there = steps_of(Experiment("strong", "x", run=planned), machine).counts_at(64)
    assert (there["pp"], there["micro_batches"]) == (8, 3)


def test_steps_are_exact_on_fractions():
    point = Point(3, Fraction(7, 3), fractions({"a": "1/3", "b": "2/3"}))
    steps = Steps((Stage("a"), Stage("b")), (point,))
    assert steps.measured(3).total == 1
    assert steps.remainder(3) == Fraction(4, 3)
    assert steps.counts_at(3) == {"devices": 3}
