"""Bare numbers: what is read, what is asked back, what is written, and that both agree."""

from __future__ import annotations

import time
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tui.model.numerals import LIMIT, MAX_CHARACTERS
from tui.model.quantity import ReadError, format_exact, format_number, format_product, read_number

READ = {
    "400": "400",
    " 400 ": "400",
    "\t400\n": "400",
    "+4": "4",
    "-4": "-4",
    "- 4": "-4",
    "-0": "0",
    "0": "0",
    "007": "7",
    ".5": "0.5",
    "5.": "5",
    ",5": "0.5",
    "0,": "0",
    "0,8": "0.8",
    "0,952": "0.952",
    "00,952": "0.952",
    "012,345": "12.345",
    "1.600": "1.6",
    "1.555": "1.555",
    "19,5": "19.5",
    "1000,0": "1000",
    "1234,567": "1234.567",
    "16,0000": "16",
    "1.600,5": "1600.5",
    "1,600.5": "1600.5",
    "1,600.500": "1600.5",
    "1.600,500": "1600.5",
    "1,600.": "1600",
    "1,234,567.8": "1234567.8",
    "2,048,000": "2048000",
    "2.048.000": "2048000",
    "1 555": "1555",
    "1_555": "1555",
    "1'555": "1555",
    "12 345 678,9": "12345678.9",
    "1 600,500": "1600.5",
    "1e3": "1000",
    "1E3": "1000",
    "1e+3": "1000",
    "1,5e-3": "0.0015",
    "3.66e-8": "0.0000000366",
    "9.99e30": "9990000000000000000000000000000",
    "1e-31": "1/10000000000000000000000000000000",
    "4/5": "4/5",
    "4 / 5": "4/5",
    "-1/24": "-1/24",
    "1,5/2,5": "3/5",
    "1e3/2e3": "1/2",
    "1 000/4": "250",
    "\uff14\uff10\uff10": "400",  # full-width digits
    "\u0664\u0660\u0660": "400",  # Arabic-Indic digits
    "\u0967\u0968": "12",  # Devanagari digits
    "\u0661\u066b\u0665": "1.5",  # with the Arabic decimal sign
    "\u22124": "-4",  # minus sign
    "\u20134": "-4",  # en dash, from a word processor
    "\uff0d4": "-4",  # full-width minus
    "1\u202f555": "1555",  # narrow no-break space
    "1\u2009555": "1555",  # thin space
    "1\u00a0555": "1555",  # no-break space
    "1\u2019555": "1555",  # typographic apostrophe
    "4\u20440\u200b5": "4/5",  # fraction slash, zero-width space
    "\ufeff400": "400",  # byte-order mark
    "\u00bd": "1/2",
}


@pytest.mark.parametrize(("text", "value"), READ.items(), ids=ascii)
def test_read(text: str, value: str) -> None:
    assert read_number(text) == Fraction(value)


REFUSED = {
    "N01": ("", " ", "\t\n", "\u200b", "\u00a0"),
    "N02": ("abc", "--", "-", "+", ".", ",", "NA", "n/a", "e3", "~4", "$5", "--5", "+-5", "(5)", "5e", "5e-"),
    "N03": ("9" * 65, "9" * 10_000_000, "\ufdfa" * 10),
    "N04": (
        *("4 0 0", "1 60", "16 00", "1_0", "0 800", "0,123,456", "1.2.3", "1..5", "1,60.5", "1,600.5,3"),
        *(",600.5", "1 600_000", "1 234 5678", "1__000", "0.123 456", "1'", "40.2 40.5", "1,6000,000"),
        *("1 6_0", "1_6 0", "1'6_0", "1_6'0"),
    ),
    "N05": ("1e999999999", "1e31", "-1e31", "1e999", "1e-999", "1e0003", "1e-32", "9" * 32, "1/1e40", "1e40"),
    "N07": ("5-10", "10^3", "2**3", "8*50", "3+4", "4x10^2", "12:30", "1:02:03", "40\u00b12", "1e3e3", "3;4"),
    "N08": ("1/0", "0/0", "1/0.0", "1/2/3", "1/2/0", "1/2/3/4"),
    "N09": ("nan", "NaN", "-nan", "inf", "+inf", "Infinity", "\u221e", "- inf"),
    "N11": (
        *("0x190", "-0x190", "0b11", "0o17", "0X1F", "10\u00b2", "4\u207b\u00b9", "H\u2082"),
        *("1\u00bd", "1 \u00bd", "\u00bd5", "3/\u00bd"),
    ),
    "U07": ("400 GFLOP/s", "80 %", "5x", "400abc"),
}


@pytest.mark.parametrize(
    ("code", "text"),
    [(code, text) for code, texts in REFUSED.items() for text in texts],
    ids=lambda x: ascii(x)[:24],
)
def test_refused_in_one_sentence(code: str, text: str) -> None:
    began = time.perf_counter()
    with pytest.raises(ReadError) as caught:
        read_number(text)
    assert time.perf_counter() - began < 0.5  # milliseconds; the margin is for a busy machine
    error = caught.value
    assert error.code == code
    assert str(error) == error.sentence
    assert error.sentence.endswith((".", "?"))
    assert error.sentence.isprintable()
    assert len(error.sentence) < 160
    assert error.choices == ()


ASKED = {
    "1,600": ("1600", "1.600"),
    "16,000": ("16000", "16.000"),
    "999,999": ("999999", "999.999"),
    "-1,600": ("-1600", "-1.600"),
    "1,600e3": ("1600e3", "1.600e3"),
    "1,600/3": ("1600/3", "1.600/3"),
    "3/1,600": ("3/1600", "3/1.600"),
    "\uff11,600": ("1600", "1.600"),
}


@pytest.mark.parametrize(("text", "choices"), ASKED.items(), ids=ascii)
def test_asked_back(text: str, choices: tuple[str, str]) -> None:
    with pytest.raises(ReadError) as caught:
        read_number(text)
    assert caught.value.code == "N06"
    assert caught.value.choices == choices
    assert caught.value.sentence.endswith("?")
    grouped, decimal = (read_number(choice) for choice in choices)
    assert grouped in (1000 * decimal, decimal / 1000)


def test_a_sentence_shows_no_control_characters_and_cuts_long_texts() -> None:
    with pytest.raises(ReadError) as caught:
        read_number("\x1b[31m\udcff [red]" + "\x07" * 40)
    assert caught.value.sentence.isprintable()
    assert caught.value.sentence.startswith('"?[31m?')
    assert '..."' in caught.value.sentence


SHOWN = [
    (999.96, 4, "1000"),
    (999.95, 4, "1000"),
    (999.94, 4, "999.9"),
    (999.6, 3, "1000"),
    (-999.96, 4, "-1000"),
    (0.99996, 4, "1"),
    (0, 4, "0"),
    (-0.0, 4, "0"),
    (Fraction(0), 1, "0"),
    (400, 4, "400"),
    (Fraction(400), 1, "400"),
    (0.8, 4, "0.8"),
    (Fraction(1, 24), 4, "0.04167"),
    (Fraction(1, 24), 2, "0.042"),
    (Fraction(20, 21), 2, "0.95"),
    (Fraction(1, 8), 2, "0.13"),
    (Fraction(-1, 8), 2, "-0.13"),
    (133.039, 4, "133"),
    (7068.86, 4, "7069"),
    (12345.678, 4, "12346"),
    (415806.3, 4, "415806"),
    (123456789012345, 4, "123456789012345"),
    (989_000_000_000_000, 4, "989000000000000"),
    (10**15, 4, "1e15"),
    (1234567890123456, 4, "1.235e15"),
    (999999999999999.9, 4, "1e15"),
    (3.66e-8, 4, "3.66e-8"),
    (5.6e-12, 4, "5.6e-12"),
    (1e-11, 4, "1e-11"),
    (0.0001, 4, "0.0001"),
    (0.00009, 4, "9e-5"),
    (0.000099996, 4, "0.0001"),
    (-1e-9, 4, "-1e-9"),
    (1e300, 4, "1e300"),
    (5e-324, 4, "4.941e-324"),
]


@pytest.mark.parametrize(("value", "digits", "text"), SHOWN, ids=str)
def test_format_number(value: Fraction | float, digits: int, text: str) -> None:
    assert format_number(value, digits) == text


@pytest.mark.parametrize("value", [float("nan"), float("inf"), float("-inf")], ids=str)
def test_what_is_not_finite_has_no_text(value: float) -> None:
    with pytest.raises(ValueError, match="finite"):
        format_number(value)


def test_no_digits_are_no_number() -> None:
    with pytest.raises(ValueError, match="significant"):
        format_number(1, 0)


EXACT = {
    Fraction(0): "0",
    Fraction(400): "400",
    Fraction(4, 5): "0.8",
    Fraction(1, 24): "1/24",
    Fraction(-20, 21): "-20/21",
    Fraction("48.48"): "48.48",
    Fraction(10**15): "1e15",
    Fraction(1, 10**7): "1e-7",
    Fraction(123456789, 1000): "123456.789",
    Fraction(99, 100) ** 3: "0.970299",
    Fraction(1, 2**90): f"1/{2**90}",
}


@pytest.mark.parametrize(("value", "text"), EXACT.items(), ids=str)
def test_format_exact(value: Fraction, text: str) -> None:
    assert format_exact(value) == text
    if abs(value) * LIMIT >= 1 or value == 0:
        assert read_number(text) == value


def in_range(value: Fraction) -> bool:
    return value == 0 or 1 <= abs(value) * LIMIT < LIMIT**2


fractions = st.fractions(min_value=-(10**20), max_value=10**20, max_denominator=10**20).filter(in_range)
finite = st.floats(allow_nan=False, allow_infinity=False, min_value=-9e30, max_value=9e30).filter(
    lambda x: x == 0 or abs(x) > 1e-30
)


@given(fractions)
def test_exact_text_reads_back_to_the_same_value(value: Fraction) -> None:
    assert read_number(format_exact(value)) == value


@given(st.integers(-(10**12), 10**12), st.integers(-20, 12))
def test_decimals_stay_decimals(coefficient: int, power: int) -> None:
    value = coefficient * Fraction(10) ** power
    text = format_exact(value)
    assert "/" not in text
    assert read_number(text) == value


@given(fractions | finite, st.integers(1, 17))
def test_shown_text_reads_back_to_the_rounded_value(value: Fraction | float, digits: int) -> None:
    text = format_number(value, digits)
    read = read_number(text)
    assert format_number(read, digits) == text
    assert abs(read - Fraction(value)) <= abs(Fraction(value)) / (2 * Fraction(10) ** (digits - 1))
    assert len(text) <= MAX_CHARACTERS
    assert set(text) <= set("0123456789.-e")
    if value == 0:
        assert text == "0"


@given(finite)
def test_seventeen_digits_keep_a_float(value: float) -> None:
    assert float(read_number(format_number(value, 17))) == value


@given(st.integers(-(10**15) + 1, 10**15 - 1), st.integers(1, 6))
def test_whole_numbers_stay_whole(value: int, digits: int) -> None:
    assert format_number(value, digits) == str(value)


@given(st.integers(1, 10**12), st.integers(0, 9))
def test_decimal_comma_and_dot_agree(whole: int, decimals: int) -> None:
    assert read_number(f"{whole},{decimals}") == read_number(f"{whole}.{decimals}")


@given(st.integers(10**6, 10**18))
def test_every_grouping_reads_alike(value: int) -> None:
    for sign in ",. _'\u00a0\u202f\u2009":
        assert read_number(f"{value:,}".replace(",", sign)) == value


@given(st.text(max_size=80))
def test_any_text_is_read_or_refused_with_a_sentence(text: str) -> None:
    try:
        readable = in_range(read_number(text))
    except ReadError as error:
        readable = error.sentence.isprintable()
    assert readable


PRODUCTS = [
    (Fraction(1, 24), Fraction("48.48"), ("0.04167", "48.48", "2.02")),
    (8, 200, ("8", "200", "1600")),
    (Fraction(1, 3), 3, ("0.33333", "3", "1")),
    (0, Fraction("48.48"), ("0", "48.48", "0")),
]


@pytest.mark.parametrize(("a", "b", "texts"), PRODUCTS, ids=str)
def test_format_product(a: Fraction, b: Fraction, texts: tuple[str, str, str]) -> None:
    assert format_product(a, b) == texts


@given(fractions.filter(lambda x: abs(x) > Fraction(1, 10**9)), fractions, st.integers(2, 6))
def test_shown_factors_multiply_to_the_shown_product(a: Fraction, b: Fraction, digits: int) -> None:
    shown_a, shown_b, product = format_product(a, b, digits)
    assert format_number(Fraction(shown_a) * Fraction(shown_b), digits) == product
    assert product == format_number(a * b, digits)


def test_a_product_on_the_edge_of_rounding_shows_exact_factors() -> None:
    # 904.5/9 is 100.5, and no number of threes after 0.111 reaches it
    assert format_product(Fraction(1, 9), Fraction("904.5"), 2) == ("1/9", "904.5", "101")
