"""Numbers: every spelling that is right, what is asked back, ends of tolerances, and the kind of a miss."""

from __future__ import annotations

import time
from fractions import Fraction as F

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.guide.scripts import STRONG, answer, at, compute, small
from tui.guide.catalogue import ready
from tui.guide.grading import Tolerance, asked_for
from tui.guide.selftest import JUNK
from tui.guide.state import Session, Tone, begin
from tui.model.quantity import format_exact


def asked(key: str, more: str = 'tol = "exact"', unit: str = "1") -> Session:
    return begin(small(compute(key, more, unit)))


RATE = ("400", 'tol = "1%"', "GFLOP/s")
SHARE = ("0.8", "decimals = 2\npercent = true", "1")

TYPED = [
    *(
        (text, RATE, Tone.RIGHT)
        for text in ("400", " 400 ", "４００", "400 GFLOP/s", "400GFLOP/s", "400 gflops")
    ),
    *((text, RATE, Tone.RIGHT) for text in ("0.4 TFLOP/s", "396", "404", "4e2", "800/2", "400,0", "400.000")),
    *((text, RATE, Tone.WRONG) for text in ("395.999", "404.0001", "40", "1.600,5", "1,600.5")),
    *((text, RATE, Tone.UNREADABLE) for text in ("400 GFLOP", "400 Gb/s", "400 GB/s", "1,600", *JUNK)),
    *((text, RATE, Tone.UNREADABLE) for text in ("inf", "NA", "400abc", "400 GFLOP/s extra", "1-2")),
    *((text, SHARE, Tone.RIGHT) for text in ("0.8", "0,8", "80%", "80 %", "4/5", ".8", "0.804", "80.4 %")),
    *((text, SHARE, Tone.UNREADABLE) for text in ("80", "2", "8 GB/s")),
    *((text, SHARE, Tone.WRONG) for text in ("1.25", "0.7", "0.8051", "80 x")),
]


@pytest.mark.parametrize(("text", "step", "tone"), TYPED, ids=[f"{t!r:.24}-{s[2]}" for t, s, _ in TYPED])
def test_what_is_typed_is_right_wrong_or_costs_nothing(text: str, step, tone: Tone) -> None:
    session, feedback = answer(asked(*step), text)
    assert feedback.tone is tone
    assert session.state.tries == (tone is Tone.WRONG)
    assert session.state.unreadable == (tone is Tone.UNREADABLE)
    assert session.state.done == (tone is Tone.RIGHT)


CODES = [("400 GFLOP", "U03"), ("400 Gb/s", "U02"), ("400 GB/s", "U06"), ("1,600", "N06"), ("", "N01")]


@pytest.mark.parametrize(("text", "code"), CODES)
def test_what_is_asked_back_says_why(text: str, code: str) -> None:
    session, feedback = answer(asked(*RATE), text)
    assert feedback.code == code
    assert "No try was used." in feedback.lines[0]
    assert session.state.units == (code == "U06")


def test_a_bare_share_above_two_is_a_question_only_where_a_share_is_asked() -> None:
    _, feedback = answer(asked(*SHARE), "80")
    assert feedback.code == "U05"
    assert feedback.choices == ("80 %", "80 x")
    _, feedback = answer(asked("0.8", "decimals = 2"), "80")
    assert feedback.tone is Tone.WRONG


def test_a_known_wrong_idea_goes_before_the_question() -> None:
    session, feedback = answer(at(ready(STRONG), "true-efficiency"), "3.03")
    assert feedback.idea == "scaling.speedup-only"
    assert session.state.tries == 1


BOUNDARIES = [
    *(("45.8", 'tol = "0.2"', text, True) for text in ("46", "46.0", "45.6")),
    ("45.8", 'tol = "0.2"', "46.0000001", False),
    *(("20/21", "decimals = 2", text, True) for text in ("0.95", "0.952", "0.957380952")),
    *(("20/21", "decimals = 2", text, False) for text in ("0.9574", "0.9473")),
    *(("1234.5", "sigfigs = 3", text, True) for text in ("1230", "1234", "1239.5")),
    ("1234.5", "sigfigs = 3", "1239.6", False),
    ("0.001999", "sigfigs = 2", "0.002", True),
    ("0.001999", "sigfigs = 2", "0.0021", False),
    ("-3", 'tol = "1%"', "-3.03", True),
    ("-3", 'tol = "1%"', "3", False),
    ("0", 'tol = "0.1"', "0.1", True),
    ("0", "sigfigs = 3", "0", True),
    ("1/3", 'tol = "exact"', "1/3", True),
    ("1/3", 'tol = "exact"', "0.333333333333", False),
]


@pytest.mark.parametrize(("key", "tolerance", "text", "right"), BOUNDARIES)
def test_tolerances_include_their_ends_exactly(key: str, tolerance: str, text: str, right: bool) -> None:
    _, feedback = answer(asked(key, tolerance), text)
    assert (feedback.tone is Tone.RIGHT) is right


@given(st.fractions(min_value=F(1, 1000), max_value=10**6), st.integers(1, 6))
def test_a_correctly_rounded_answer_is_always_in_reach(value: F, digits: int) -> None:
    reach = Tolerance("decimals", F(digits)).reach(value)
    rounded = F(int(value * 10**digits + F(1, 2)), 10**digits)
    assert abs(rounded - value) <= reach
    assert Tolerance("sigfigs", F(digits)).reach(value) == Tolerance("sigfigs", F(digits)).reach(-value)


MISSES = [
    ("-400", "sign"),
    ("400000", "1000"),
    ("0.4", "1000"),
    ("409.6", "1024"),
    ("390.625", "1024"),
    ("410", "digits"),
    ("650", "✗ not yet: 650"),
]


@pytest.mark.parametrize(("text", "words"), MISSES)
def test_a_miss_says_its_kind_and_never_the_key(text: str, words: str) -> None:
    _, feedback = answer(asked(*RATE), text)
    assert words in feedback.lines[-1]
    assert "400" not in " ".join(feedback.lines[1:])


def test_rounding_to_too_few_digits_is_called_close() -> None:
    _, feedback = answer(asked("20/21", "decimals = 2"), "1.0")
    assert "Close" in feedback.lines[1]


PROMPTS = [
    ('tol = "1%"', "GFLOP/s", "in GFLOP/s, within 1 %"),
    ("decimals = 2", "1", "as a ratio or in %, to 2 decimals"),
    ('tol = "exact"', "1", "as a plain number, exactly"),
    ('tol = "0.2"', "s", "in s, within 0.2 s"),
    ("sigfigs = 1", "GB/s", "in GB/s, to 1 significant digit"),
    ('tol = "exact"\nrequire_unit = true', "seq", "in seq (write the unit), exactly"),
    ("", "s", "in s, within 0.5 %"),
]


@pytest.mark.parametrize(("more", "unit", "words"), PROMPTS)
def test_the_prompt_says_what_is_graded(more: str, unit: str, words: str) -> None:
    assert asked_for(asked("3", more, unit).step) == words


def test_a_unit_is_asked_for_where_the_step_says_so() -> None:
    session = asked("400", 'tol = "1%"\nrequire_unit = true', "GFLOP/s")
    session, feedback = answer(session, "400")
    assert feedback.code == "U04"
    _, feedback = answer(session, "400 GFLOP/s")
    assert feedback.tone is Tone.RIGHT


def test_accepted_units_are_narrowed() -> None:
    session = asked("42", 'tol = "exact"\naccept = ["min"]', "s")
    session, feedback = answer(session, "42000 ms")
    assert feedback.code == "U07"
    _, feedback = answer(session, "0.7 min")
    assert feedback.tone is Tone.RIGHT


@pytest.mark.parametrize(
    "text", ["9" * 64, "1e999999999", "1/" + "9" * 60, "１" * 64, "(" * 64, "1e30/1e-30"]
)
def test_hostile_numbers_are_answered_within_50_ms(text: str) -> None:
    session = asked("20/21", "decimals = 2")
    start = time.process_time()
    answer(session, text)
    assert time.process_time() - start < 0.05


@given(st.fractions(min_value=F(1, 10**6), max_value=10**9, max_denominator=10**6))
def test_a_key_is_accepted_as_it_is_written(value: F) -> None:
    text = format_exact(value)
    _, feedback = answer(begin(small(compute(text.replace("e", "E"), 'tol = "exact"'))), text)
    assert feedback.tone is Tone.RIGHT
