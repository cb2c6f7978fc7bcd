"""Expressions of scripts: exact, the instrument's own functions, and nothing that costs or breaks out."""

from __future__ import annotations

import contextlib
import time
from fractions import Fraction as F

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.guide.scripts import STRONG
from tui.guide.expression import ExpressionError, evaluate, holds, parse
from tui.guide.functions import FUNCTIONS, Scope
from tui.guide.reader import load

SCOPE = Scope(data=load(STRONG).sets, intensity=F(8), bandwidth=F(200))

VALUES = [
    ("attainable(I, B)", F(1000)),
    ("I * B", F(1600)),
    ("(cap + I * B) / 2", F(1300)),
    ("B / I", F(25)),
    ("I * B * 1.073741824", F(1600) * F(2**30, 10**9)),
    ("-2 ** 2", F(-4)),
    ("2 ** -3", F(1, 8)),
    ("0.1 + 0.2", F(3, 10)),
    ("1e3 / 3", F(1000, 3)),
    ("min(3, cap, 2)", F(2)),
    ("max(I, B) - abs(-5)", F(195)),
    ("speedup('claimed', 8)", F(40, 21)),
    ("efficiency('claimed', 8)", F(20, 21)),
    ("ideal('claimed', 16)", F(4)),
    ("efficiency('fixed', 16)", F(25, 33)),
    ("cell('claimed', 8, 'time_s') * 2", F(42)),
    ("cell('claimed', '8', 'global_batch')", F(1024)),
    ("device_time('fixed', 16)", F("211.2")),
    ("late(0.01, 64)", 1 - F(99, 100) ** 64),
]


@pytest.mark.parametrize(("text", "value"), VALUES, ids=[text for text, _ in VALUES])
def test_an_expression_is_worked_out_exactly(text: str, value: F) -> None:
    assert evaluate(parse(text), SCOPE) == value


REFUSED = [
    ("__import__('os').system('true')", "not allowed here"),
    ("().__class__", "not allowed here"),
    ("I.real", "not allowed here"),
    ("[1][0]", "not allowed here"),
    ("'a' * 9", "not allowed here"),
    ("lambda: 1", "not allowed here"),
    ("1 if I else 2", "not allowed here"),
    ("0x10", "not allowed here"),
    ("1_000", "not allowed here"),
    ("1j", "not allowed here"),
    ("True", "not allowed here"),
    ("I < 3", "when"),
    ("answer + 1", "when"),
    ("eficiency('fixed', 16)", 'did you mean "efficiency"'),
    ("Cap", 'did you mean "cap"'),
    ("speedup", "is a function"),
    ("speedup('fixed')", "takes 2 arguments"),
    ("speedup(data='fixed', row=8)", "not allowed here"),
    ("speedup('fxed', 8)", 'did you mean "fixed"'),
    ("speedup('fixed', 32)", "no row devices=32: there are 4, 8, 16"),
    ("cell('fixed', 8, 'times')", "no column"),
    ("cell(I, 8, 'time_s')", "written out"),
    ("1 / (I - 8)", "divides by zero"),
    ("attainable(-1, B)", "must be above 0"),
    ("late(2, 8)", "from 0 to 1"),
    ("", "not an expression"),
    ("1 +", "not an expression"),
    ("I B", "not an expression"),
    ("1" * 201, "longer than 200"),
    ("*".join(["(9**512)"] * 12), "too large"),
    ("+".join("1" * 90), "more than 120 parts"),
]


@pytest.mark.parametrize(("text", "words"), REFUSED, ids=[text[:30] for text, _ in REFUSED])
def test_what_is_not_listed_is_refused_in_a_sentence(text: str, words: str) -> None:
    with pytest.raises(ExpressionError, match=words.replace("(", r"\(")):
        evaluate(parse(text), SCOPE)


HOSTILE = [
    "9**9**9**9",
    "(1.1**512)**512",
    "2**512**2",
    "1e99**512",
    "*".join(["(9**512)"] * 20),
    "late(0.0000001234567, 512)",
    "(" * 190 + "1",
    "-" * 199 + "1",
    "1e999999999",
    "9" * 199,
    "(1/3)**512 + (1/7)**512 + (1/11)**512 + (1/13)**512 + (1/17)**512",
]


@pytest.mark.parametrize("text", HOSTILE, ids=[text[:24] for text in HOSTILE])
def test_a_hostile_expression_is_answered_within_50_ms(text: str) -> None:
    start = time.process_time()
    with contextlib.suppress(ExpressionError):
        evaluate(parse(text), SCOPE)
    assert time.process_time() - start < 0.05


def test_rules_compare_and_know_the_answer() -> None:
    over = parse("answer > cap or answer == 3", rule=True)
    assert holds(over, Scope(answer=F(1001)))
    assert holds(over, Scope(answer=F(3)))
    assert not holds(over, Scope(answer=F(1000)))
    with pytest.raises(ExpressionError, match="comparison"):
        parse("answer", rule=True)


@given(st.fractions(min_value=-999, max_value=999, max_denominator=10**4))
def test_decimals_keep_their_digits(value: F) -> None:
    number = f"{float(value):.6f}"
    assert evaluate(parse(number), SCOPE) == F(number)


def test_a_function_joins_by_one_entry(monkeypatch: pytest.MonkeyPatch) -> None:
    from tui.guide.functions import Function

    with pytest.raises(ExpressionError, match="unknown function"):
        parse("slack_of(3)")
    monkeypatch.setitem(FUNCTIONS, "slack_of", Function(("number",), lambda _, value: value + 1))
    parse.cache_clear()
    assert evaluate(parse("slack_of(3)"), SCOPE) == 4
    parse.cache_clear()
