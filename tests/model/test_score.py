"""Locked predictions and their scores, beside what rules without stages would have said."""

from __future__ import annotations

import datetime as dt
from dataclasses import replace
from fractions import Fraction

import pytest

from tests.model.steps_builders import PIPELINE, pipeline, pipeline_run
from tui.model.path import NoPath
from tui.model.predict import forecast
from tui.model.score import alternatives, fingerprint, lock, locked, score
from tui.model.steps import steps_of
from tui.model.study import Experiment, Prediction, Run, WorkModel

NOW = dt.datetime(2026, 11, 30, 9, 12, 0, 123456, tzinfo=dt.timezone.utc)


def per_cent(share):
    return round(float(share) * 100, 2)


def test_the_pipeline_is_scored_beside_the_other_rules():
    before = steps_of(pipeline(8, 16, 32))
    stored = lock(before, forecast(before, 64), NOW)
    assert (stored.devices, stored.time_s, stored.limit) == (64, 18.5, "input")
    assert stored.made == NOW.replace(microsecond=0)
    assert score(before, stored) is None
    found = score(steps_of(pipeline(8, 16, 32, 64)), stored)
    assert found.measured == 19
    assert found.error == Fraction(-1, 38)
    assert per_cent(found.error) == -2.63
    assert found.limit_right is True
    assert {key: per_cent(share) for key, share in found.errors.items()} == {
        "ideal": -68.75,
        "same_gain": -46.0,
        "amdahl": -25.0,
    }
    assert [words for _, words, _ in found.alternatives.named] == [
        "the ideal line from 8",
        "the same gain again, as between 8 and 16",
        "Amdahl through 8 and 16",
    ]


def test_what_the_rules_say_at_64():
    found = alternatives(steps_of(pipeline(8, 16, 32)), 64)
    assert found.ideal == Fraction("5.9375")
    assert found.same_gain == Fraction("10.26")
    assert found.amdahl == Fraction("14.25")
    assert alternatives(steps_of(pipeline(8, 16, 32, 64)), 64) == found
    assert alternatives(steps_of(pipeline(8, 16, 32)), 16).through == (8, 32)


@pytest.mark.parametrize("far", [2**40, 2**40 + 1])
def test_a_rule_that_leads_beyond_all_numbers_says_nothing(far):
    runs = (Run(1, (1e-5,)), Run(2, (1e5,)))
    found = alternatives(steps_of(Experiment("strong", "slower", run=runs)), far)
    assert found.same_gain is None
    assert [key for key, _, _ in found.named] == ["ideal", "amdahl"]


def openmc(*counts):
    """Two runs at each count, as published for OpenMC (hidden: 201 and 198 s at 32)."""
    times = {1: (3629, 3623), 2: (1892, 1873), 4: (981, 977), 8: (532, 544), 16: (302, 306)}
    return steps_of(
        Experiment("strong", "x", run=tuple(Run(n, (float(t),)) for n in counts for t in times[n]))
    )


@pytest.mark.parametrize(
    ("through", "amdahl", "error"),
    [((1, 2), 248.0, 0.24), ((2, 8), 201.9, 0.01), ((16, 8), 187.0, -0.06)],
)
def test_amdahl_through_two_chosen_counts(through, amdahl, error):
    found = alternatives(openmc(1, 2, 4, 8, 16), 32, through)
    assert float(found.amdahl) == pytest.approx(amdahl, abs=0.05)
    assert float(found.amdahl) / 199.5 - 1 == pytest.approx(error, abs=0.005)
    assert found.through == tuple(sorted(through))


def test_the_same_gain_again():
    steps = openmc(1, 2, 4, 8, 16)
    assert float(alternatives(steps, 32, (1, 2)).same_gain) == pytest.approx(136.8, abs=0.05)
    # No whole number of steps from 8 by a factor of 4: a root, so no exact number.
    assert alternatives(steps, 16, (2, 8)).same_gain == pytest.approx(538 * (538 / 1882.5) ** 0.5)


def test_pawsey_through_the_first_pair():
    # github.com/PawseySC/supercomputing-user-training, testing-job-runs/scaling-data.
    times = {24: 2876.22, 48: 1488.54, 192: 454.77}
    steps = steps_of(Experiment("strong", "x", run=tuple(Run(n, (t,)) for n, t in times.items())))
    assert float(alternatives(steps, 3072).amdahl) == pytest.approx(122.5, abs=0.05)


def test_through_counts_that_cannot_be():
    steps = openmc(1, 2, 4)
    with pytest.raises(NoPath, match="two counts besides 32 are needed to go through, not 2 and 2"):
        alternatives(steps, 32, (2, 2))
    with pytest.raises(NoPath, match="not 2 and 4"):
        alternatives(steps, 4, (2, 4))
    with pytest.raises(NoPath, match="no completed run with 3 device"):
        alternatives(steps, 32, (1, 3))


def test_rules_for_growing_work():
    runs = tuple(Run(n, (t,)) for n, t in ((8, 12.0), (16, 12.6), (32, 13.5)))
    weak = Experiment("weak", "x", run=runs, work_model=WorkModel(per_device=32000.0))
    found = alternatives(steps_of(weak), 64)
    assert found.ideal == 12
    assert found.amdahl is None  # Amdahl's work is fixed
    assert found.same_gain == Fraction("12.6") * Fraction("1.05") ** 2
    models = Experiment("model-size", "x", run=runs)
    assert alternatives(steps_of(models), 64).named == ()


def test_one_count_has_only_an_ideal():
    found = alternatives(steps_of(pipeline(8)), 64)
    assert (found.ideal, found.same_gain, found.amdahl) == (Fraction("5.9375"), None, None)


def test_the_limit_is_judged_only_where_it_was_measured():
    guess = Prediction(64, NOW, 18.5, "input")
    seconds = {name: time for name, time in pipeline_run(64).stages_s.items() if name != "input"}
    bare = pipeline(run=(pipeline_run(8), pipeline_run(64, stages_s=seconds)))
    found = score(steps_of(bare), guess)
    assert (found.limit, found.limit_right) == (None, None)
    assert found.why_no_limit == "limit unknown: input not measured at 64"
    assert found.error == Fraction(-1, 38)
    wrong = score(steps_of(pipeline(8, 64)), replace(guess, limit="compute"))
    assert (wrong.limit, wrong.limit_right) == ("input", False)
    assert score(steps_of(pipeline(8, 64)), replace(guess, limit="")).limit_right is None


def test_what_was_measured_is_no_longer_predicted():
    steps = steps_of(pipeline(8, 16, 32, 64))
    with pytest.raises(NoPath, match="64 GPUs was measured already: a prediction is locked before its run"):
        lock(steps, forecast(steps, 64), NOW)


def test_the_last_prediction_for_a_count_is_the_one_that_counts():
    first, second = Prediction(64, NOW, 15.5, "compute"), Prediction(64, NOW, 18.5, "input")
    other = Prediction(128, NOW, 18.5, "input")
    found = locked(steps_of(pipeline(8, 16, 64)), (first, other, second))
    assert [each.superseded for each in found] == [True, False, False]
    assert found[0].score.error == Fraction(-7, 38)
    assert found[1].score is None
    assert found[1].why_no_score == "its run is awaited"


def test_a_run_that_cannot_be_compared_gives_no_score():
    runs = (pipeline_run(8, global_batch=64), pipeline_run(16, global_batch=64))
    blocked = pipeline(run=(*runs, pipeline_run(64, global_batch=32)))
    (found,) = locked(steps_of(blocked), (Prediction(64, NOW, 18.5),))
    assert found.score is None
    assert found.why_no_score.startswith("its run cannot be compared: batch-changed: ")


def test_the_fingerprint_is_of_the_inputs():
    steps = steps_of(pipeline(8, 16, 32))
    same = steps_of(
        pipeline(run=tuple(reversed(pipeline(8, 16, 32).run)), prediction=(Prediction(64, NOW, 1.0),))
    )
    assert fingerprint(steps) == fingerprint(same)
    assert fingerprint(steps) != fingerprint(steps_of(pipeline(8, 16)))
    other = (replace(PIPELINE[0], law="fixed"), *PIPELINE[1:])
    assert fingerprint(steps) != fingerprint(steps_of(pipeline(8, 16, 32, stages=other)))
    after = steps_of(pipeline(8, 16, 32, 64))
    assert lock(steps, forecast(steps, 64), NOW).inputs_sha256 == fingerprint(after.without(64))
