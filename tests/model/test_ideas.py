"""Each wrong idea is recognised from the number it gives, and never from a right answer."""

from __future__ import annotations

from fractions import Fraction as F

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tui.model.ideas import ROOFLINE_IDEAS, Evidence, matches, recognise

FIRST = Evidence(F(8), F(50), F(1000))
SECOND = Evidence(F(8), F(100), F(1000), last=F(400))
THIRD = Evidence(F(8), F(200), F(1000), last=F(800))

NAMED = [
    pytest.param(THIRD, F(1600), "roofline.no-cap", id="1600 in trial 3"),
    pytest.param(FIRST, F(1000), "roofline.always-cap", id="1000 in trial 1"),
    pytest.param(SECOND, F(1000), "roofline.always-cap", id="1000 in trial 2"),
    pytest.param(THIRD, F(1300), "roofline.average", id="mean of 1000 and 1600"),
    pytest.param(FIRST, F("429.4967296"), "roofline.gib", id="400 GB read as GiB"),
    pytest.param(FIRST, F("372.529"), "roofline.gib-down", id="400 divided by 1.0737"),
    pytest.param(FIRST, F(3200), "roofline.bits", id="times 8"),
    pytest.param(FIRST, F(50), "roofline.answers-b", id="B itself, which I·B / 8 happens to be too"),
    pytest.param(Evidence(F(4), F(50), F(1000)), F(25), "roofline.bits-down", id="divided by 8"),
    pytest.param(THIRD, F(1450), "roofline.over-cap", id="above the cap, and no value explains it"),
    pytest.param(THIRD, F(1500), "roofline.over-cap", id="near 1600 / 1.0737, and yet no GiB"),
    pytest.param(SECOND, F("12.5"), "roofline.divide", id="100 / 8 is B / I, not I·B / 8"),
    pytest.param(FIRST, F("6.25"), "roofline.divide", id="50 / 8"),
    pytest.param(FIRST, F("0.16"), "roofline.divide-inverse", id="8 / 50"),
    pytest.param(FIRST, F(400000), "roofline.thousand", id="MFLOP/s typed as GFLOP/s"),
    pytest.param(FIRST, F("0.4"), "roofline.thousand-down", id="TFLOP/s typed as GFLOP/s"),
    pytest.param(SECOND, F(400), "roofline.stale", id="trial 1's value in trial 2"),
    pytest.param(THIRD, F(800), "roofline.stale", id="trial 2's value in trial 3"),
]


@pytest.mark.parametrize(("evidence", "answer", "idea"), NAMED)
def test_the_miss_is_named(evidence: Evidence, answer: F, idea: str) -> None:
    found = recognise(answer, evidence)
    assert found is not None
    assert found.id == idea


@pytest.mark.parametrize(("evidence", "answer"), [(FIRST, F(650)), (SECOND, F(777)), (THIRD, F(950))])
def test_a_miss_without_a_known_idea_stays_unnamed(evidence: Evidence, answer: F) -> None:
    assert recognise(answer, evidence) is None


@pytest.mark.parametrize("edge", [F(396), F(404), F(400)])
def test_right_within_one_percent_bounds_included(edge: F) -> None:
    assert matches(edge, F(400))
    assert recognise(edge, FIRST) is None


@pytest.mark.parametrize("outside", [F("395.999"), F("404.001")])
def test_just_outside_one_percent_is_not_right(outside: F) -> None:
    assert not matches(outside, F(400))


positive = st.fractions(min_value=F(1, 1000), max_value=10**6)


@given(positive, positive, positive)
def test_a_right_answer_never_shows_an_idea(intensity: F, bandwidth: F, last: F) -> None:
    evidence = Evidence(intensity, bandwidth, F(1000), last)
    assert recognise(evidence.attained, evidence) is None


def test_every_idea_fits_its_column_and_its_line() -> None:
    assert len({idea.id for idea in ROOFLINE_IDEAS}) == len(ROOFLINE_IDEAS)
    for idea in ROOFLINE_IDEAS:
        assert len(idea.title) <= 24, idea.id
        assert len(idea.miss) <= 49, idea.id
        assert idea.feedback(THIRD).endswith("."), idea.id
