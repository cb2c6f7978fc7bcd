"""Predictions from the laws: the step, the limit, the slack, the change of the limit, and the spread."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from tests.model.steps_builders import PIPELINE, fractions, pipeline, pipeline_run, with_stages
from tui.model.carried import carried
from tui.model.cost import costs, memory_law, smallest_feasible
from tui.model.laws import Unfit
from tui.model.overhead import balance, balance_of, balances, overhead_share, speedup_limit
from tui.model.path import NoPath
from tui.model.predict import Change, forecast, path_time, slack
from tui.model.scaling import table
from tui.model.steps import Point, Steps, steps_of
from tui.model.study import Domain, Experiment, Machine, Run, Stage


def test_the_pipeline_at_64():
    steps = steps_of(pipeline(8, 16, 32))
    made = forecast(steps, 64)
    assert made.time == Fraction(37, 2)
    assert made.limit == "input"
    assert made.timing.path == ("input", "host")
    assert made.timing.seconds == fractions(
        {"compute": 5, "communication": 7, "bubble": "5/2", "input": "35/2", "host": 1}
    )
    assert made.timing.slack["compute"] == 3
    assert made.notes == ()
    assert path_time(steps, 64) == Fraction(37, 2)
    assert slack(steps, 32, "input") == 1
    assert slack(steps, 64, "communication") == 3
    with pytest.raises(NoPath, match="there is no stage 'gpu'"):
        slack(steps, 64, "gpu")


def test_the_limit_changes_hands_at_the_smallest_such_count():
    made = forecast(steps_of(pipeline(8, 16, 32)), 64)
    assert made.change == Change(37, "compute", "input")
    before, after = (forecast(made.steps, devices) for devices in (36, 37))
    assert (before.limit, after.limit) == ("compute", "input")


def test_a_limit_that_stays():
    runs = tuple(with_stages(n, 4, {"input": 4, "host": 1}) for n in (8, 16))
    made = forecast(steps_of(Experiment("strong", "x", run=runs)), 32)
    assert made.limit == "input"
    assert made.change is None


def test_runs_at_the_predicted_count_take_no_part():
    before, after = steps_of(pipeline(8, 16, 32)), steps_of(pipeline(8, 16, 32, 64))
    odd = replace(after, points=(*before.points, Point(64, Fraction(99), {"input": Fraction(90)})))
    assert forecast(after, 64).timing == forecast(before, 64).timing == forecast(odd, 64).timing


WHAT_IF = {
    "communication": ({"communication": 0}, "18.5"),
    "input": ({"input": "35/4"}, "15.5"),
    "both": ({"communication": 0, "input": "35/4"}, "9.75"),
    "without input": ({"input": 0}, "15.5"),
}


@pytest.mark.parametrize("changed", WHAT_IF)
def test_what_if_on_the_path(changed):
    made = forecast(steps_of(pipeline(8, 16, 32)), 64)
    other, expected = WHAT_IF[changed]
    timing = made.steps.graph.timing({**made.timing.seconds, **fractions(other)})
    assert timing.total == Fraction(expected)


@pytest.mark.parametrize(
    ("experiment", "sentence"),
    [
        (pipeline(8), "only 8 was measured besides 64: one count says nothing"),
        (pipeline(), "only no count was measured besides 64"),
        (
            Experiment("strong", "x", run=(Run(8, (4.0,)), Run(16, (2.0,)))),
            "no stage is measured",
        ),
    ],
    ids=["one count", "none", "no stage"],
)
def test_predictions_that_are_refused(experiment, sentence):
    with pytest.raises(NoPath, match=sentence):
        forecast(steps_of(experiment), 64)


def test_a_stage_that_was_measured_nowhere():
    stages = (*PIPELINE, Stage("kernel", "split", ("compute",)))
    with pytest.raises(Unfit, match="the law split of kernel needs 1 count, and it was measured at no count"):
        forecast(steps_of(pipeline(8, 16, 32, stages=stages)), 64)


def test_two_counts_say_why_there_is_no_line():
    notes = forecast(steps_of(pipeline(8, 16)), 64).notes
    assert notes[0].startswith("2 measured counts: no line is drawn, because every law with two parameters ")
    assert notes[1] == "fits by construction, no more counts than parameters: communication"
    assert len(notes) == 2


def test_a_law_with_a_time_below_zero_is_said():
    rising = tuple(with_stages(n, 4, {"input": time}) for n, time in ((8, 4), (16, 5), (32, 5.5)))
    stages = (Stage("input", "split+fixed"),)
    notes = forecast(steps_of(Experiment("strong", "x", stages=stages, run=rising)), 64).notes
    (said,) = [note for note in notes if "below 0" in note]
    assert said.startswith("the law of input (a/D + b) has a = -16, below 0")
    falling = tuple(replace(run, stages_s={"input": 40 / run.devices}) for run in rising)
    kept = forecast(steps_of(Experiment("strong", "x", stages=stages, run=falling)), 64).notes
    assert not any("below 0" in note for note in kept)


def test_a_stage_missing_at_one_count_is_said():
    seconds = {name: time for name, time in pipeline_run(16).stages_s.items() if name != "input"}
    runs = (pipeline_run(8), pipeline_run(16, stages_s=seconds), pipeline_run(32))
    notes = forecast(steps_of(pipeline(run=runs)), 64).notes
    assert notes == ("input was not measured at 16: its law rests on the other counts",)


def test_an_unexplained_gain_is_no_support_on_its_own():
    split = (Stage("compute", "split+fixed"),)
    runs = [with_stages(8, 10.0, {"compute": 10}), with_stages(16, 4.0, {"compute": 4})]
    with pytest.raises(Unfit, match="would rest on an unexplained efficiency above one \\(at 16\\)"):
        forecast(steps_of(Experiment("strong", "x", run=tuple(runs), stages=split)), 32)
    runs.append(with_stages(32, 3.0, {"compute": 3}))
    made = forecast(steps_of(Experiment("strong", "x", run=tuple(runs), stages=split)), 64)
    assert "the efficiency at 16, 32 is above one and unexplained" not in " ".join(made.notes)
    assert any(note.startswith("the efficiency at 16 is above one and unexplained") for note in made.notes)
    runs[1] = replace(runs[1], cause="the working set fits into the cache")
    explained = steps_of(Experiment("strong", "x", run=tuple(runs[:2]), stages=split))
    assert forecast(explained, 32).fits["compute"].by_construction


def test_what_no_stage_explains_is_said_as_numbers():
    runs = (
        with_stages(4, 10, {"compute": 8}),
        with_stages(8, 6, {"compute": 6.5}),
        with_stages(16, 4, {"compute": 4}),
    )
    (note,) = (
        note
        for note in forecast(steps_of(Experiment("strong", "x", run=runs)), 32).notes
        if note.startswith("the path is not")
    )
    assert note == (
        "the path is not the measured step (2 s less at 4, 0.5 s more at 8); the prediction is the path's"
    )


def test_networks_that_were_not_measured_are_named():
    machine = Machine(devices_per_node=8, domains=(Domain("node", 8), Domain("leaf", 32)))
    notes = forecast(steps_of(pipeline(8, 16, 32), machine), 64).notes
    assert notes == (
        "the counts lie in different networks (node, leaf): one law through them is a guess",
        "64 GPUs need the network 'beyond leaf', in which nothing was measured",
    )


def test_laws_over_their_own_variable_and_bubbles():
    """tp·pp = 8, dp = D/8, one global batch of 256 in micro-batches of 2: m = 128/dp."""

    def seconds(devices):
        dp = devices // 8
        compute = Fraction(64, devices)
        ring, bubble = Fraction(2 * (dp - 1), dp), compute * 3 / Fraction(128, dp)
        return {"compute": float(compute), "communication": float(ring), "bubble": float(bubble)}

    stages = (
        Stage("compute", "split"),
        Stage("communication", "ring", ("compute",), of="dp"),
        Stage("bubble", "bubble", ("communication",)),
    )
    runs = tuple(
        Run(
            devices,
            (sum(seconds(devices).values()),),
            dp=devices // 8,
            tp=2,
            pp=4,
            micro_batch=2,
            global_batch=256,
            stages_s=seconds(devices),
        )
        for devices in (8, 16, 32)
    )
    made = forecast(steps_of(Experiment("strong", "x", run=runs, stages=stages)), 64)
    assert made.fits["bubble"].params == {"a": 1}
    assert made.timing.seconds == {name: Fraction(time) for name, time in seconds(64).items()}
    assert "12 GPUs" not in " ".join(made.notes)
    odd = forecast(steps_of(Experiment("strong", "x", "GPU", run=runs, stages=stages)), 12)
    assert "12 GPUs are no multiple of tp·pp·cp, so no such run can be started" in odd.notes


def test_a_layout_that_is_not_known_is_asked_for():
    stages = (Stage("compute", "split", of="ep"),)
    runs = tuple(with_stages(n, 64 / n, {"compute": 64 / n}, ep=n // 4) for n in (8, 16, 32))
    with pytest.raises(Unfit, match="compute runs over ep, which is not known at 64 device"):
        forecast(steps_of(Experiment("strong", "x", run=runs, stages=stages)), 64)
    waiting = (*runs, Run(64, (), ep=16))
    made = forecast(steps_of(Experiment("strong", "x", run=waiting, stages=stages)), 64)
    assert made.time == 1
    bubbles = (Stage("compute", "split"), Stage("bubble", "bubble", ("compute",)))
    runs = tuple(with_stages(n, 64 / n, {"compute": 64 / n, "bubble": 1}) for n in (8, 16, 32))
    with pytest.raises(Unfit, match="bubble follows the law bubble, and pp is not known at 8"):
        forecast(steps_of(Experiment("strong", "x", run=runs, stages=bubbles)), 64)


# ------------------------------------------------------------------------------ overhead and stragglers

OVERHEAD = (Stage("compute", "split"), Stage("host", "fixed", ("compute",)))


def overhead(*counts):
    """96 s of work that is split, and 2 s on the host."""
    runs = tuple(with_stages(n, 96 / n + 2, {"compute": 96 / n, "host": 2}) for n in counts)
    return steps_of(Experiment("strong", "x", "GPU", run=runs, stages=OVERHEAD))


def test_a_fixed_overhead_grows_as_a_share():
    steps = overhead(4, 8, 16)
    assert overhead_share(steps, 64) == Fraction(4, 7)
    assert overhead_share(steps, 4) == Fraction(1, 13)
    assert path_time(steps, 64) == Fraction(7, 2)
    made = forecast(steps, 64)
    assert steps.point(4).time * 4 / (made.time * 64) == Fraction(13, 28)
    assert steps.point(4).time * 4 / (steps.point(16).time * 16) == Fraction(13, 16)
    assert speedup_limit(made, 4) == 13
    with pytest.raises(NoPath, match="no stage is called 'wait'"):
        overhead_share(steps, 64, "wait")


def test_a_small_case_measures_overhead():
    """2.03 million tokens/s on one device, 1.56 million on 8 of one node, in the words of one user
    (flaxchat issue 21): most of such a step is work on the host.
    """
    runs = (
        with_stages(1, 1.0, {"compute": 0.2, "host": 0.8}, nodes=1),
        with_stages(8, 2.03 / 1.56, {"compute": 0.025, "host": 1.27}, nodes=1),
    )
    small = Experiment("strong", "x", "GPU", run=runs, stages=OVERHEAD)
    rows = table(small).rows
    assert [row.place.name for row in rows] == ["one node", "one node"]
    assert all("overhead-bound" in row.codes for row in rows)
    assert rows[1].efficiency == pytest.approx(1.56 / 2.03 / 8)
    notes = forecast(steps_of(small), 64).notes
    assert any(note.startswith("overhead-bound: host takes 100% of the step at 64") for note in notes)
    assert any(
        note.startswith("overhead-bound: host takes 57% ") for note in forecast(overhead(4, 8, 16), 64).notes
    )
    assert not any("overhead-bound" in note for note in forecast(overhead(4, 8, 16), 32).notes)


def test_no_limit_of_the_speedup_where_a_law_grows():
    assert speedup_limit(forecast(steps_of(pipeline(8, 16, 32)), 64), 8) is None


def test_the_expected_step_with_stragglers_from_parameters_alone():
    stages = (
        Stage("compute", "fixed", params={"a": 1.0}),
        Stage("rank_tail", "tail", ("compute",), params={"q": 0.01, "delay_s": 0.5}),
    )
    steps = Steps(stages, ())
    assert path_time(steps, 64) == 1 + Fraction(1, 2) * (1 - Fraction(99, 100) ** 64)
    assert round(float(path_time(steps, 64)), 3) == 1.237


def test_balance_of_ranks_that_wait_for_the_largest_image():
    # github.com/CSAILVision/semantic-segmentation-pytorch issue 294: ranks wait for the biggest image.
    found = balance([Fraction(1)] * 3 + [Fraction(2)], Fraction(5, 2))
    assert found.largest_over_mean == Fraction(8, 5)
    assert found.load_balance == Fraction(5, 8)
    assert found.communication_efficiency == Fraction(4, 5)
    assert found.parallel_efficiency == Fraction(1, 2)
    assert found.load_balance * found.communication_efficiency == found.parallel_efficiency


def test_balance_of_runs():
    good = Run(4, (2.4, 2.5, 2.6), busy_s=(1.0, 1.0, 1.0, 2.0), ranks=4)
    assert balance_of(good) == balance([Fraction(1)] * 3 + [Fraction(2)], Fraction(5, 2))
    assert balance_of(Run(4, (2.5,))) is None
    assert balance_of(replace(good, withdrawn="other clock")) is None
    found = balances(
        Experiment(
            "strong",
            "x",
            run=(
                good,
                Run(8, (1.0,), busy_s=(2.0, 1.0)),
                Run(16, (1.0,), busy_s=(1.0,)),
                Run(32, (1.0,), busy_s=(0.0, 0.0)),
                Run(64, (1.0,), busy_s=(0.5, 0.5), ranks=4),
                Run(128, (1.0,)),
            ),
        )
    )
    assert found == {
        4: balance_of(good),
        8: "the busiest rank worked 2 s in a step of 1 s: busy_s and times_s must mean the same step",
        16: "balance needs the useful seconds of at least two ranks, not 1",
        32: "no rank was busy: its useful seconds are all 0",
        64: "busy_s has 2 values for 4 ranks: one for each is needed",
    }


# ------------------------------------------------------------------------------------- cost and memory


def memory(extra=0.0):
    """96, 50, 27.2 and 16 s at 4 to 32; 10 GiB and 100 GiB/D on each device of 40 GiB."""
    times = {1: (), 2: (), 4: (96.0,), 8: (50.0,), 16: (27.2,), 32: (16.0,)}
    runs = tuple(
        Run(n, t, "completed" if t else "out-of-memory", memory_gib=10 + extra + 100 / n)
        for n, t in times.items()
    )
    return Experiment("strong", "x", "GPU", run=runs, memory_per_device_gib=40.0)


def test_memory_decides_which_counts_are_feasible():
    rows = table(memory())
    assert [cost.fits for cost in costs(rows, 40.0)] == [False, False, True, True, True, True]
    assert [cost.memory_gib for cost in costs(rows, 40.0)] == [110, 60, 35, 22.5, 16.25, 13.125]
    law = memory_law(rows)
    assert law.params == {"a": 100, "b": 10}
    assert smallest_feasible(law.params["a"], law.params["b"], Fraction(40)) == 4
    longer = memory_law(table(memory(12.0)))
    assert smallest_feasible(longer.params["a"], longer.params["b"], Fraction(40)) == 6
    assert smallest_feasible(Fraction(100), Fraction(22), Fraction(40), (1, 2, 4, 8, 16)) == 8
    assert smallest_feasible(Fraction(100), Fraction(22), Fraction(40), (1, 2, 4)) is None
    assert smallest_feasible(Fraction(100), Fraction(40), Fraction(40)) is None
    assert smallest_feasible(Fraction(10), Fraction(10), Fraction(40)) == 1


def test_memory_moves_the_baseline_and_the_baseline_the_efficiency():
    assert table(memory()).rows[-1].efficiency == 0.75
    after = table(memory(12.0))
    assert after.baseline.devices == 8
    assert after.rows[-1].efficiency == 0.78125


def test_device_time_and_what_is_charged():
    found = {cost.devices: cost for cost in costs(table(memory()), 40.0)}
    assert (found[4].device_seconds, found[32].device_seconds) == (384, 512)
    assert found[32].relative_cost == pytest.approx(4 / 3)
    assert found[4].charged_device_seconds is None
    whole = Machine(devices_per_node=8, charged="node")
    charged = {cost.devices: cost.charged_device_seconds for cost in costs(table(memory(), whole), 40.0)}
    assert charged[4] == pytest.approx(768)
    timed = {devices: seconds for devices, seconds in charged.items() if seconds}
    assert min(timed, key=timed.get) == 8
    assert timed[8] == pytest.approx(400)


def test_memory_needs_two_counts():
    assert memory_law(table(Experiment("strong", "x", run=(Run(4, (1.0,), memory_gib=3.0),)))) is None


# ------------------------------------------------------------------------------------------- the spread


def jittered(jobs, *counts):
    """Jobs whose stages are all longer by 0, 1, 2 … per cent."""
    runs = []
    for devices in counts:
        for place in range(jobs):
            longer = 1 + place / 100
            run = pipeline_run(devices)
            stages = {name: time * longer for name, time in run.stages_s.items()}
            runs.append(replace(run, times_s=(run.times_s[0] * longer,), stages_s=stages))
    return forecast(steps_of(pipeline(run=tuple(runs))), 64)


def test_one_job_has_no_interval():
    spread = carried(forecast(steps_of(pipeline(8, 16, 32)), 64))
    assert (spread.kind, spread.jobs, spread.low) == ("none", 1, None)


def test_few_jobs_give_the_range_over_single_jobs():
    spread = carried(jittered(2, 8, 16, 32))
    assert (spread.kind, spread.jobs) == ("range", 2)
    # Input and host are fixed laws: at the ends all counts are 0 %, or all 1 % longer.
    assert spread.low == pytest.approx(18.5)
    assert spread.high == pytest.approx(18.5 * 1.01)


def test_five_jobs_give_an_interval_that_is_the_same_every_time():
    made = jittered(5, 8, 16, 32)
    spread = carried(made)
    assert (spread.kind, spread.jobs) == ("interval", 5)
    assert float(made.time) == pytest.approx(18.5 * 1.02)
    assert 18.5 < spread.low < float(made.time) < spread.high < 18.5 * 1.04
    assert carried(made) == spread


def test_jobs_keep_their_stages_together():
    """Two stages that make up for each other in every job leave hardly any spread in their sum; jobs of
    mixed stages would give 9.7 to 10.3 s.
    """
    runs = tuple(
        with_stages(devices, 10, {"a": 4 + place / 10, "b": 6 - place / 10})
        for devices in (8, 16)
        for place in range(4)
    )
    spread = carried(forecast(steps_of(Experiment("strong", "x", run=runs)), 32))
    assert spread.low == pytest.approx(10, abs=0.05)
    assert spread.high == pytest.approx(10, abs=0.05)
