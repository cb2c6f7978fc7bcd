"""Text to exact number and number to text, without units; `quantity` adds those.

Decimal dot or decimal comma, digits in groups of three, an exponent, one fraction a/b. Where a text has
two readings the error asks; nothing is guessed from the locale. What is written here is read back here.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from fractions import Fraction

MAX_CHARACTERS = 64
"""Longest text of one number with its unit."""

LIMIT = Fraction(10**31)
"""Magnitudes from here on, and below 1/LIMIT except 0, are refused as slips of the keyboard."""

WHOLE_DIGITS = 15
"""Integer digits that are always printed in full; larger numbers get an exponent."""


class ReadError(ValueError):
    """A text that could not be read, or that could be read in two ways.

    `code` is stable (the table stands in `quantity`), `sentence` says what was read and what to do, `choices`
    are complete texts to type instead, where there are some; each can be read.
    """

    def __init__(self, code: str, sentence: str, choices: tuple[str, ...] = ()) -> None:
        super().__init__(sentence)
        self.code = code
        self.sentence = sentence
        self.choices = choices


def read_number(text: str) -> Fraction:
    """The exact value of a bare number.

    Raises:
        ReadError: when it is not one number; U07 when a unit follows it.
    """
    parts = split(text)
    if parts.rest:
        raise failure("U07", text, f"has {quoted(parts.rest)} after its number: write the number alone")
    return parts.value


# ---------------------------------------------------------------------------------------------- reading

_SPOKEN = str.maketrans(
    {
        **dict.fromkeys("\u2010\u2011\u2012\u2013\u2212", "-"),
        **dict.fromkeys("\u2044\u2215", "/"),
        **dict.fromkeys("\u2018\u2019\u02bc\u066c", "'"),
        "\u066b": ".",
    }
)
_NUMERAL = r"[0-9.,][0-9.,'_]*(?: [0-9][0-9.,'_]*)*"
_EXPONENT = r"(?:[eE]([+-]?[0-9]+))?"
_NUMBER = re.compile(rf"([+-]?) ?({_NUMERAL}){_EXPONENT}(?: ?/ ?({_NUMERAL}){_EXPONENT})?")
_NOT_FINITE = re.compile(r"[+-]? ?(nan|inf|infinity|\u221e)", re.IGNORECASE)
_OTHER_BASE = re.compile(r"[+-]?0(x[0-9a-f]|b[01]|o[0-7])", re.IGNORECASE)
_NO_NUMBER = "does not start with a number: write a number, like 12.5 or 1.25e9"
_TWO_READINGS = re.compile(r"[1-9][0-9]{0,2},[0-9]{3}")


@dataclass(frozen=True)
class Parts:
    """A text taken apart: its number, the number as it was typed, and what follows it ("" for nothing)."""

    value: Fraction
    number: str
    rest: str


def split(text: str) -> Parts:
    """Take the number off the front of a text.

    Raises:
        ReadError: when there is none, or more than one, or it cannot be read or is out of range.
    """
    too_long = f"is longer than {MAX_CHARACTERS} characters: write it shorter, like 1.25e9"
    if len(text.strip()) > MAX_CHARACTERS:
        raise failure("N03", text, too_long)
    plain = normalised(text)
    if len(plain) > MAX_CHARACTERS:  # one compatibility character may stand for many
        raise failure("N03", text, too_long)
    if not plain:
        raise ReadError("N01", "Nothing was typed: write a number.")
    if is_not_finite(plain):
        raise failure("N09", text, "is not a finite number: write what was measured, or leave it out")
    if _OTHER_BASE.match(plain):
        raise failure("N11", text, "is not a decimal number: write it with the digits 0 to 9, like 1.25e9")
    match = _NUMBER.match(plain)
    if match is None:
        raise failure("N02", text, _NO_NUMBER)
    rest = plain[match.end() :].strip()
    _refuse_more(text, rest)
    return Parts(_value(text, plain, match), match[0].strip(), rest)


def normalised(text: str) -> str:
    """The text in plain characters: compatibility forms, digits of any script, dashes and blanks made ASCII.

    Raises:
        ReadError: for raised and lowered digits and for mixed fractions, which would change their value.
    """
    decompositions = [unicodedata.decomposition(c) for c in text if c > "\x7f"]
    if any(d.startswith(("<super>", "<sub>")) for d in decompositions):
        advice = "1e2 for ten to the power of two, /s for per second"
        raise failure("N11", text, f"has raised or lowered characters: write them in line ({advice})")
    if any(d.startswith("<fraction>") for d in decompositions) and sum(c.isnumeric() for c in text) > 1:
        raise failure("N11", text, "mixes a number and a fraction sign: write it as a decimal, like 1.5")
    plain = unicodedata.normalize("NFKC", text).translate(_SPOKEN)
    kept = (c for c in plain if unicodedata.category(c) != "Cf")
    return " ".join("".join(str(unicodedata.decimal(c, c)) for c in kept).split())


def is_not_finite(plain: str) -> bool:
    """Whether a normalised text says nan or infinity."""
    return _NOT_FINITE.fullmatch(plain) is not None


def _refuse_more(text: str, rest: str) -> None:
    """No unit has a digit in it, so a digit after the number is a second number, a range or a clock."""
    if re.fullmatch(r"[eE][+-]?", rest):
        raise failure("N02", text, "has an unfinished exponent: write it like 1.25e9")
    if re.match(r"/ ?[0-9.,]", rest):
        raise failure("N08", text, "has more than one fraction stroke: write one, like 3/4, or a decimal")
    if re.match(r": ?[0-9]", rest):
        raise failure("N07", text, "is written like a clock: write one number and its unit, like 1.5 min")
    if re.search(r"[0-9]", rest):
        raise failure("N07", text, "is not one number: calculations, ranges and lists are not read here")


def _value(text: str, plain: str, match: re.Match[str]) -> Fraction:
    sign, _, exponent, below, exponent_below = match.groups()
    value = _part(text, plain, match, 2, exponent)
    if below is not None:
        divisor = _part(text, plain, match, 4, exponent_below)
        if divisor == 0:
            raise failure("N08", text, "divides by zero: write a fraction like 3/4")
        value /= divisor
    check_range(text, value)
    return -value if sign == "-" else value


def check_range(text: str, value: Fraction) -> None:
    """Refuse magnitudes that no quantity here has.

    Raises:
        ReadError: N05.
    """
    if abs(value) >= LIMIT:
        raise failure("N05", text, "is too large: values below 1e31 are read")
    if value and abs(value) * LIMIT < 1:
        raise failure("N05", text, "is too close to zero: 0 and values from 1e-31 on are read")


def _part(text: str, plain: str, match: re.Match[str], group: int, exponent: str | None) -> Fraction:
    """Value of one numeral, the whole number or one side of a fraction, with its exponent."""
    numeral = match[group]
    if _TWO_READINGS.fullmatch(numeral):
        start, end = match.span(group)
        grouped, decimal = numeral.replace(",", ""), numeral.replace(",", ".")
        choices = tuple(plain[:start] + one + plain[end:] for one in (grouped, decimal))
        raise failure("N06", text, f"has two readings: do you mean {grouped} or {decimal}?", choices)
    digits = _digits(numeral)
    if digits is None:
        if not any(c.isdigit() for c in numeral):
            raise failure("N02", text, _NO_NUMBER)
        raise failure("N04", text, "has its digits grouped in no way that can be read: write it like 1234.5")
    whole, decimals = digits
    if exponent is not None and len(exponent.lstrip("+-")) > 3:
        raise failure("N05", text, "has an exponent of more than three digits: values below 1e31 are read")
    value = Fraction(int(whole + decimals), 10 ** len(decimals))
    return value * Fraction(10) ** int(exponent) if exponent else value


def _digits(numeral: str) -> tuple[str, str] | None:
    """Digits before and after the decimal sign, or None when the separators do not fit together."""
    commas, dots = numeral.count(","), numeral.count(".")
    point = ""
    if commas and dots:
        point = "," if numeral.rfind(",") > numeral.rfind(".") else "."
    elif commas == 1 or dots == 1:
        point = "," if commas else "."
    whole, decimals = numeral, ""
    if point:
        whole, _, decimals = numeral.rpartition(point)
    groupings = {c for c in whole if not c.isdigit()}
    if len(groupings) > 1 or not all(c.isdigit() for c in decimals):
        return None
    if groupings:
        first, *others = whole.split(groupings.pop())
        if not 1 <= len(first) <= 3 or first[0] == "0" or any(len(group) != 3 for group in others):
            return None
        whole = first + "".join(others)
    return (whole, decimals) if whole or decimals else None


def failure(code: str, text: str, what: str, choices: tuple[str, ...] = ()) -> ReadError:
    """The error whose sentence is the text as it was typed, then `what` is wrong with it."""
    return ReadError(code, f"{quoted(text)} {what}{'' if what.endswith('?') else '.'}", choices)


def quoted(text: str) -> str:
    """The text for a sentence: stripped, cut, in quotes, without characters that would disturb a terminal."""
    shown = printable(text)
    return f'"{shown[:29]}..."' if len(shown) > 32 else f'"{shown}"'


def printable(text: str) -> str:
    """The beginning of a text, blanks joined, a question mark for every character that cannot be shown."""
    start = " ".join(text.strip()[: 2 * MAX_CHARACTERS].split())
    return "".join(c if c.isprintable() else "?" for c in start)


# ---------------------------------------------------------------------------------------------- writing


def format_number(value: Fraction | float | int, digits: int = 4) -> str:
    """A number for the screen: `digits` significant digits, rounded half away from zero, zeros trimmed.

    Digits before the decimal sign are never rounded away up to `WHOLE_DIGITS` of them (12345.6 gives
    12346); beyond that, and below 0.0001, there is an exponent (3.66e-8). Never a sign on zero, never
    separators.

    Raises:
        ValueError: when the value is not finite, or `digits` is below 1.
    """
    if digits < 1:
        raise ValueError(f"at least one significant digit is needed, not {digits}")
    exact = _exact(value)
    if exact == 0:
        return "0"
    magnitude = _magnitude(exact)
    if magnitude < WHOLE_DIGITS:
        digits = max(digits, magnitude + 1)
    power = magnitude - digits + 1
    scaled = abs(exact) / Fraction(10) ** power
    coefficient = (2 * scaled.numerator + scaled.denominator) // (2 * scaled.denominator)
    return _decimal_text(exact < 0, coefficient, power)


def format_exact(value: Fraction | float | int) -> str:
    """A number as text that reads back to exactly the same value: a decimal where it ends, else a/b.

    A decimal too long to be read (more than `MAX_CHARACTERS`) gives way to a/b where that is shorter.
    Values from `LIMIT` on, and texts that are still longer, are written but are not read back.

    Raises:
        ValueError: when the value is not finite.
    """
    exact = _exact(value)
    fraction = f"{exact.numerator}/{exact.denominator}"
    rest, twos, fives = exact.denominator, 0, 0
    while rest % 2 == 0:
        rest, twos = rest // 2, twos + 1
    while rest % 5 == 0:
        rest, fives = rest // 5, fives + 1
    if rest != 1:
        return fraction
    places = max(twos, fives)
    text = _decimal_text(exact < 0, abs(exact.numerator) * 10**places // exact.denominator, -places)
    return fraction if len(text) > MAX_CHARACTERS and len(fraction) < len(text) else text


def format_product(
    a: Fraction | float | int, b: Fraction | float | int, digits: int = 4
) -> tuple[str, str, str]:
    """Texts of a, b and a·b such that whoever multiplies the two shown numbers gets the shown product.

    The product has `digits` significant digits; a and b have as many more as that needs.

    Raises:
        ValueError: as for `format_number`.
    """
    product = format_number(_exact(a) * _exact(b), digits)
    for more in range(digits, digits + 12):
        shown_a, shown_b = format_number(a, more), format_number(b, more)
        if format_number(Fraction(shown_a) * Fraction(shown_b), digits) == product:
            return shown_a, shown_b, product
    return format_exact(a), format_exact(b), product


def _exact(value: Fraction | float | int) -> Fraction:
    try:
        return Fraction(value)
    except (OverflowError, ValueError):
        raise ValueError(f"a finite number is needed, not {value}") from None


def _magnitude(value: Fraction) -> int:
    """Power of ten of the leading digit: floor(log10(|value|)), exactly; the value is not 0."""
    above, below = abs(value.numerator), value.denominator
    guess = int((above.bit_length() - below.bit_length()) * 0.30103)
    while Fraction(10) ** guess > Fraction(above, below):
        guess -= 1
    while Fraction(10) ** (guess + 1) <= Fraction(above, below):
        guess += 1
    return guess


def _decimal_text(negative: bool, coefficient: int, power: int) -> str:
    """coefficient · 10^power in the plain form, or with an exponent where that would be a row of zeros."""
    digits = str(coefficient)
    trimmed = digits.rstrip("0") or "0"
    power += len(digits) - len(trimmed)
    magnitude = power + len(trimmed) - 1
    if coefficient == 0:
        text = "0"
    elif not -4 <= magnitude < WHOLE_DIGITS:
        text = f"{trimmed[0]}.{trimmed[1:]}".rstrip(".") + f"e{magnitude}"
    elif power >= 0:
        text = trimmed + "0" * power
    elif magnitude >= 0:
        text = f"{trimmed[: magnitude + 1]}.{trimmed[magnitude + 1 :]}"
    else:
        text = "0." + "0" * (-magnitude - 1) + trimmed
    return f"-{text}" if negative else text
