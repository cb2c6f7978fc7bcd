"""The laws of stages: their values, their parameters from measurements, and when they are refused."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tui.model.laws import LAWS, Fit, Measured, Place, Unfit, bubble_share, exact, fit, late, log2
from tui.model.study import Stage

COUNTS = (8, 16, 32, 64)

VALUES = {
    "split": ({"a": 320}, {8: 40, 64: 5}),
    "fixed": ({"a": 3}, {8: 3, 64: 3}),
    "split+fixed": ({"a": 96, "b": 2}, {4: 26, 16: 8, 64: "7/2"}),
    "ring": ({"a": 4}, {1: 0, 2: 4, 8: 7}),
    "linear": ({"a": "1/2"}, {8: 4, 10: 5}),
    "tree": ({"a": 2}, {1: 0, 8: 6, 64: 12}),
    "per-doubling": ({"a": 1, "b": 1}, {8: 4, 32: 6, 64: 7}),
    "halo": ({"a": 12}, {1: 12, 8: 3, 64: "3/4"}),
    "alltoall": ({"a": 8}, {1: 0, 2: 4, 8: 7}),
}
"""For each law its parameters, and seconds by count reckoned by hand."""


@pytest.mark.parametrize("name", VALUES)
def test_values_by_hand(name):
    params, expected = VALUES[name]
    law = Fit("stage", name, False, {key: Fraction(value) for key, value in params.items()})
    for count, seconds in expected.items():
        got = law.at(Place(Fraction(count)))
        assert isinstance(got, Fraction)
        assert got == Fraction(seconds)


def test_halo_in_two_dimensions():
    law = fit(
        Stage("halo", "halo", params={"dimensions": 2.0}), measured(lambda n: 6 / math.isqrt(n), (4, 16))
    )
    assert law.at(Place(Fraction(64))) == Fraction(6, 8)
    assert law.by_construction is False


def measured(seconds, counts=COUNTS, **known):
    return [Measured(n, Place(Fraction(n)), Fraction(seconds(n)), **known) for n in counts]


@pytest.mark.parametrize("name", VALUES)
def test_data_that_follow_a_law_give_its_parameters_exactly(name):
    params = {key: Fraction(value) for key, value in VALUES[name][0].items()}
    true = Fit("stage", name, False, params)
    counts = (8, 64, 512) if name == "halo" else COUNTS
    got = fit(Stage("stage", name), measured(lambda n: true.at(Place(Fraction(n))), counts))
    assert got.params == params
    assert set(got.residuals.values()) == {0}
    assert not got.by_construction


@given(st.floats(1e-4, 0.3), st.floats(1e-3, 1e3), st.sampled_from([(4, 8, 16, 32), (8, 64, 512)]))
@settings(max_examples=40, deadline=None)
def test_a_tail_gives_its_chance_and_its_delay(q, delay, counts):
    points = [Measured(n, Place(Fraction(n)), delay * float(late(q, n))) for n in counts]
    try:
        got = fit(Stage("rank_tail", "tail"), points)
    except Unfit:
        assert (1 - q) ** min(counts) < 1e-3  # nearly always late at every count: nothing tells the chance
        return
    if (1 - q) ** min(counts) > 1e-3:
        assert got.params["q"] == pytest.approx(q, rel=1e-5)
        assert got.params["delay_s"] == pytest.approx(delay, rel=1e-5)


def test_a_tail_with_its_delay_given():
    points = measured(lambda n: late(Fraction(1, 100), n) / 2)
    got = fit(Stage("rank_tail", "tail", params={"delay_s": 0.5}), points)
    assert got.params["q"] == pytest.approx(0.01, rel=1e-9)
    got = fit(Stage("rank_tail", "tail", params={"q": 0.01}), points)
    assert got.params == {"q": Fraction(1, 100), "delay_s": Fraction(1, 2)}


def test_a_tail_that_grows_like_the_count_has_no_chance_of_its_own():
    with pytest.raises(Unfit, match="set q, its chance"):
        fit(Stage("rank_tail", "tail"), measured(lambda n: Fraction(n, 100)))


def test_least_squares_are_of_relative_residuals():
    # By hand: p = Σ(1/t)/Σ(1/t²) for a constant through 1 and 2, so (1 + 1/2)/(1 + 1/4).
    got = fit(Stage("x", "fixed"), measured({8: 1, 16: 2}.get, (8, 16)))
    assert got.params == {"a": Fraction(6, 5)}
    assert got.residuals == {8: Fraction(1, 5), 16: Fraction(-2, 5)}
    assert got.largest_residual == (16, Fraction(-2, 5))


@given(st.lists(st.integers(1, 50), min_size=4, max_size=4))
@settings(max_examples=40, deadline=None)
def test_no_other_parameters_miss_by_less(seconds):
    points = measured(dict(zip(COUNTS, seconds, strict=True)).get)
    best = fit(Stage("x", "split+fixed"), points)

    def miss(a, b):
        return sum(((a / each.devices + b - each.seconds) / each.seconds) ** 2 for each in points)

    a, b = best.params["a"], best.params["b"]
    least = miss(a, b)
    for step in (Fraction(1, 1000), Fraction(-1, 1000)):
        assert miss(a + step, b) > least
        assert miss(a, b + step) > least


def test_fits_by_construction_with_no_more_counts_than_parameters():
    assert fit(Stage("x", "split+fixed"), measured(lambda n: n, (8, 16))).by_construction
    assert not fit(Stage("x", "split+fixed"), measured(lambda n: n, (8, 16, 32))).by_construction
    assert fit(Stage("x", "split"), measured(lambda n: n, (8,))).by_construction
    assert not fit(Stage("x", "split", params={"a": 3.0}), measured(lambda n: n, (8,))).by_construction


def test_a_parameter_that_is_set_stays_and_the_other_follows():
    got = fit(Stage("x", "split+fixed", params={"b": 2.0}), measured(lambda n: Fraction(96, n) + 2))
    assert got.params == {"a": 96, "b": 2}
    assert got.given == {"b"}


def test_a_law_with_all_parameters_set_needs_no_measurement():
    got = fit(Stage("x", "split", params={"a": 96.0}), [])
    assert got.at(Place(Fraction(64))) == Fraction(3, 2)


def test_no_law_is_fixed_and_marked_as_assumed():
    got = fit(Stage("x"), measured(lambda n: 3))
    assert (got.law, got.assumed, got.params) == ("fixed", True, {"a": 3})


def test_zero_seconds_take_no_part_unless_there_are_only_such():
    got = fit(Stage("x", "tree"), measured({1: 0, 2: 3, 4: 6}.get, (1, 2, 4)))
    assert got.params == {"a": 3}
    assert got.residuals == {1: None, 2: 0, 4: 0}
    assert fit(Stage("x", "per-doubling"), measured(lambda n: 0)).params == {"a": 0, "b": 0}
    assert fit(Stage("x", "tail"), measured(lambda n: 0)).at(Place(Fraction(64))) == 0


@pytest.mark.parametrize(
    ("stage", "points", "sentence"),
    [
        (Stage("x", "split+fixed"), measured(lambda n: n, (8,)), "needs 2 counts, and it was measured at 8"),
        (Stage("x", "fixed"), [], "needs 1 count, and it was measured at no count"),
        (Stage("x", "split", params={"q": 0.1}), [], "the law split has no parameter 'q'; it has a"),
        (Stage("x", "tail", params={"q": 2.0}), [], "q is the chance that a rank is late, so not 2"),
        (Stage("x", "halo", params={"dimensions": 4.0}), measured(lambda n: n), "2 or 3 dimensions, not 4"),
        (
            Stage("x", "split+fixed", of="dp"),
            [Measured(n, Place(Fraction(4)), Fraction(n)) for n in (8, 16)],
            "the counts 8, 16 do not tell the parameters of x",
        ),
    ],
)
def test_what_cannot_be_fitted_is_said(stage, points, sentence):
    with pytest.raises(Unfit, match=sentence):
        fit(stage, points)


def test_a_law_never_rests_on_an_unexplained_efficiency_alone():
    baseline, doubtful = measured(lambda n: 8, (8,)), measured(lambda n: 3, (16,), questioned=True)
    with pytest.raises(Unfit, match="unexplained efficiency above one \\(at 16\\)"):
        fit(Stage("x", "split+fixed"), baseline + doubtful)
    more = measured(lambda n: 2, (32,))
    assert fit(Stage("x", "split+fixed"), baseline + doubtful + more).measured[1].questioned


def test_a_law_that_turns_negative_is_refused_there():
    falling = fit(Stage("x", "per-doubling"), measured({8: 3, 16: 2, 32: 1}.get, (8, 16, 32)))
    assert falling.at(Place(Fraction(64))) == 0
    with pytest.raises(Unfit, match=r"the law of x .* gives -1 s at 128"):
        falling.at(Place(Fraction(128)))


def test_bubbles_of_a_pipeline():
    assert bubble_share(Fraction(4), Fraction(8)) == Fraction(3, 8)
    assert bubble_share(Fraction(4), Fraction(8), Fraction(2)) == Fraction(3, 16)
    points = [Measured(n, Place(Fraction(n), Fraction(n, 10)), Fraction(n, 5)) for n in COUNTS]
    assert fit(Stage("bubble", "bubble"), points).params == {"a": 2}
    with pytest.raises(Unfit, match="bubbles need pp"):
        fit(Stage("bubble", "bubble"), measured(lambda n: n))


# github.com/bigscience-workshop/bigscience, experiments/gpt2.md: one pipeline stage on each node of 4 GPUs
# (tensor parallel), global batch 4 in micro-batches of 1, models of 18, 30, 65, 116 and 206 billion
# parameters; TFLOP/s per GPU as published.
BIGSCIENCE_PP = (4, 8, 16, 32, 64)
BIGSCIENCE_TFLOPS = (26.7, 19.0, 12.2, 7.0, 3.9)


def test_bubbles_predict_larger_models_of_a_published_family_with_a_known_miss():
    """The share m/(m + pp − 1) that is busy has the right shape and order, and is pessimistic: it leaves
    out that larger layers keep a device busier, and that communication hides in the bubbles.
    """
    busy = [1 / (1 + float(bubble_share(pp, 4))) for pp in BIGSCIENCE_PP]
    predicted = [share / busy[0] for share in busy]
    assert predicted == pytest.approx([1, 0.636364, 0.368421, 0.2, 0.104478], abs=1e-6)
    found = [tflops / BIGSCIENCE_TFLOPS[0] for tflops in BIGSCIENCE_TFLOPS]
    missed = [law / real - 1 for law, real in zip(predicted, found, strict=True)]
    assert missed == pytest.approx([0, -0.1057, -0.1937, -0.2371, -0.2847], abs=1e-3)


def test_chance_of_a_late_rank():
    assert late(Fraction(1, 100), 64) == 1 - Fraction(99, 100) ** 64
    shares = [round(float(late(0.01, ranks)) * 100, 1) for ranks in (8, 64, 256)]
    assert shares == [7.7, 47.4, 92.4]
    assert late(Fraction(1), 1) == 1
    assert late(Fraction(1, 2), 0) == 0
    with pytest.raises(ValueError, match=r"between 0 and 1; 1\.5 does not"):
        late(1.5, 3)
    with pytest.raises(ValueError, match="no -1 ranks"):
        late(0.5, -1)


def test_exact_numbers():
    assert exact(0.1) == Fraction(1, 10)
    assert log2(Fraction(1, 8)) == -3
    assert log2(Fraction(12)) == pytest.approx(math.log2(12))
    assert set(LAWS) == {
        "split", "fixed", "split+fixed", "ring", "linear", "tree", "per-doubling", "halo", "alltoall",
        "bubble", "tail",
    }  # fmt: skip
