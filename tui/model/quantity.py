"""Numbers with units, read and written in one place: fields, table cells, command-line values, scripts.

Values are exact `Fraction`s. A number without a unit is in the target unit; a unit of the same kind is
converted; everything else is refused or asked back, with a `ReadError` whose code is one of these:

N01 nothing typed                               U01 unknown unit
N02 not a number                                U02 bits, or perhaps bits, where bytes count
N03 longer than 64 characters                   U03 an amount where something per second is asked
N04 separators that fit no grouping             U04 no unit where one is required
N05 out of range (1e-31 to 1e31, and 0)         U05 percent or plain ratio?
N06 two readings: 1,600 is 1600 or 1.600?       U06 a unit of another kind
N07 a calculation, a range, a list, a clock     U07 a unit that is not accepted here
N08 nested fraction, or division by zero        U08 a prefix that says two things: m or M, "40 G"
N09 nan or infinity                             U09 repeats of which some have a unit and some have not
N10 readable, but not allowed in this field (raised by the fields themselves: a bandwidth of 0)
N11 hexadecimal, raised digits, mixed fraction
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from tui.model.numerals import (
    ReadError,
    check_range,
    failure,
    format_exact,
    format_number,
    format_product,
    is_not_finite,
    normalised,
    printable,
    quoted,
    read_number,
    split,
)
from tui.model.units import (
    UNIT_SYMBOLS,
    Unit,
    as_bytes,
    counts_bits,
    did_you_mean,
    find_unit,
    other_case,
    spelled,
    starting_with,
)

__all__ = [
    "UNIT_SYMBOLS",
    "ReadError",
    "Reading",
    "Unit",
    "did_you_mean",
    "find_unit",
    "format_exact",
    "format_number",
    "format_product",
    "read",
    "read_many",
    "read_number",
]

_LONGEST_LIST = 10_000
_PER_SECOND_OF = {"rate": "work", "bandwidth": "data"}
_PLAIN_PREFIXES = {"k": (10**3, 2**10), "m": (10**6, 2**20), "g": (10**9, 2**30)}


@dataclass(frozen=True)
class Reading:
    """What one text was read as."""

    value: Fraction
    """In `unit`."""
    unit: str
    text: str
    """As it was typed."""
    said: str
    """The sentence that tells the reader: "0.4 TFLOP/s read as 400 GFLOP/s"."""


def read(
    text: str, unit: str, *, accept: Sequence[str] = (), require_unit: bool = False, percent: bool = False
) -> Reading:
    """Read one number with or without a unit.

    `unit` is the symbol of the unit the value is wanted in. `accept` narrows the units that may be typed
    beside it (default: every unit of its kind). `require_unit` refuses a bare number, except for a plain
    ratio, which has no unit to write. `percent` is for shares: a bare number from 2 on is asked back, 80 %
    or the plain ratio 80?

    Raises:
        ReadError: when the text is unreadable or has two readings.
        ValueError: when `unit` or one of `accept` is no unit, or is of another kind (not a `ReadError`).
    """
    target = _unit(unit)
    accepted = _accepted(target, accept)
    parts = split(text)
    value = parts.value
    if parts.rest:
        typed = _typed_unit(text, parts.number, value, parts.rest, target)
        if accepted and typed not in accepted:
            known = _listed([one.symbol for one in accepted])
            raise failure("U07", text, f"is in {typed.symbol}, which is not accepted here: use {known}")
        value = value * typed.factor / target.factor
        check_range(text, value)
    elif require_unit and target.symbol != "1":
        raise failure("U04", text, f"has no unit: write it with one, like {_example(target)}")
    elif percent and target.kind == "ratio" and target.symbol != "%" and value >= 2:
        choices = f"{parts.number} %", f"{parts.number} x"
        what = f"has two readings: do you mean {choices[0]} or the plain ratio {choices[1]}?"
        raise failure("U05", text, what, choices)
    return Reading(value, target.symbol, text, f"{printable(text)} read as {_said(value, target)}")


def read_many(text: str, unit: str) -> tuple[Reading, ...]:
    """Read repeats, "40.2 40.5 40.1": the text is split at blanks and semicolons before anything else.

    So blanks never group digits here. A unit belongs to the number before it; where only the last number has
    one, it is the unit of all ("40.2 40.5 40.1 ms"). The `text` of each reading is its item with that unit.

    Raises:
        ReadError: naming the item; `choices` are complete texts for the whole field. U09 when some items
            have a unit and others have none, so that it cannot be told what the others are in.
        ValueError: when `unit` is no unit (not a `ReadError`).
    """
    target = _unit(unit)
    if len(text) > _LONGEST_LIST:
        what = f"is longer than {_LONGEST_LIST} characters: import the values from a file instead"
        raise failure("N03", text, what)
    items = _items(text)
    if not items:
        raise ReadError("N01", f"Nothing was typed: write one value or several, like {_example(target)}.")
    items = _with_units(text, items, target)
    readings = []
    for place, item in enumerate(items):
        try:
            readings.append(read(item, unit))
        except ReadError as error:
            if len(items) == 1:
                raise
            choices = tuple(" ".join([*items[:place], one, *items[place + 1 :]]) for one in error.choices)
            raise ReadError(error.code, f"Value {place + 1}: {error.sentence}", choices) from None
    return tuple(readings)


def _unit(symbol: str) -> Unit:
    unit = find_unit(symbol)
    if unit is None:
        near = did_you_mean(symbol)
        hint = f"did you mean {near!r}?" if near else f"the units are {', '.join(UNIT_SYMBOLS)}"
        raise ValueError(f"no unit {symbol!r}: {hint}")
    return unit


def _accepted(target: Unit, accept: Sequence[str]) -> tuple[Unit, ...]:
    """Units that may be typed, the target always among them; empty for every unit of its kind."""
    units = tuple(_unit(symbol) for symbol in accept)
    for unit in units:
        if unit.kind != target.kind:
            kind = f"it is {unit.kind_name}"
            raise ValueError(f"{unit.symbol!r} cannot be accepted for {target.symbol!r}: {kind}")
    return units if not units or target in units else (target, *units)


def _typed_unit(text: str, number: str, value: Fraction, word: str, target: Unit) -> Unit:
    """The unit of the target's kind that `word` spells."""
    if counts_bits(word):
        raise _bits(text, number, value, word, target)
    units = spelled(word)
    for unit in units:
        if unit.kind == target.kind:
            return unit
    if units:
        raise _other_kind(text, number, units[0], target)
    raise _two_prefixes(text, number, value, word, target) or _unknown(text, word, target)


def _bits(text: str, number: str, value: Fraction, word: str, target: Unit) -> ReadError:
    unit = as_bytes(word)
    if unit is None or unit.kind != target.kind:
        what = f"counts bits, and this program counts bytes: {_wanted(target)}"
        return failure("U02", text, what)
    in_bytes = value * 8 if unit.kind == "intensity" else value / 8
    choices = f"{number} {unit.symbol}", f"{format_exact(in_bytes)} {unit.symbol}"
    what = f"seems to count bits: write {choices[0]} if you mean bytes, {choices[1]} if you mean bits"
    return failure("U02", text, what, choices)


def _other_kind(text: str, number: str, typed: Unit, target: Unit) -> ReadError:
    if typed.kind == _PER_SECOND_OF.get(target.kind):
        choice = f"{number} {typed.symbol}/s"
        what = f'is {typed.kind_name}, and {target.kind_name} needs "/s": write {choice} if you mean that'
        return failure("U03", text, what, (choice,))
    return failure("U06", text, f"is {typed.kind_name}: {_wanted(target)}")


def _two_prefixes(text: str, number: str, value: Fraction, word: str, target: Unit) -> ReadError | None:
    """Errors for a prefix that is written alone, or in the case of another prefix."""
    meant = other_case(word)
    if meant is not None and meant.kind == target.kind:
        choice = f"{number} {meant.symbol}"
        what = f"mixes up m (milli) and M (mega): write {choice} if you mean that"
        return failure("U08", text, what, (choice,))
    if not re.fullmatch(r"[a-zA-Z]i?", word):
        return None
    choices = tuple(f"{number} {unit.symbol}" for unit in starting_with(word, target.kind))
    powers = _PLAIN_PREFIXES.get(word.casefold())
    if not choices and powers and target.factor == 1:
        choices = tuple(format_exact(value * power) for power in powers)
    if not choices:
        return None
    return failure("U08", text, f"leaves its unit open: do you mean {_listed(choices)}?", choices)


def _unknown(text: str, word: str, target: Unit) -> ReadError:
    near = did_you_mean(word, target.kind)
    what = f"has the unknown unit {quoted(word)}: "
    return failure("U01", text, what + (f"did you mean {near}?" if near else _wanted(target)))


def _wanted(target: Unit) -> str:
    """What is asked for in words, for a sentence that refuses something else."""
    return f"{target.kind_name} is asked for here, like {_example(target)}"


def _example(target: Unit) -> str:
    """A made-up value, so that no sentence ever contains the answer of an exercise."""
    if target.symbol == "1":
        return "0.37 or 37 %"
    return f"12 {target.symbol}" if target.kind.startswith("count:") else f"12.5 {target.symbol}"


def _said(value: Fraction, target: Unit) -> str:
    exact = format_exact(value)
    number = exact if "/" not in exact and len(exact) <= 18 else f"about {format_number(value, 6)}"
    return number if target.symbol == "1" else f"{number} {target.symbol}"


def _listed(words: Sequence[str]) -> str:
    return " or ".join([", ".join(words[:-1]), words[-1]]) if len(words) > 1 else words[0]


def _items(text: str) -> list[str]:
    """The values of a list, each with the words of its unit; a comma before a blank is part of neither."""
    items: list[str] = []
    for token in re.split(r"[ ;]+", normalised(text)):
        word = token.rstrip(",")
        if not word:
            continue
        is_unit = re.match(r"[^\W\d_]|[%/\u00d7]", word) is not None and not is_not_finite(word)
        if is_unit and items:
            items[-1] += f" {word}"
        else:
            items.append(word)
    return items


def _with_units(text: str, items: list[str], target: Unit) -> list[str]:
    """The items with the unit of the last one, where it is the only one that has any."""
    words = [_unit_word(item) for item in items]
    if all(words) or not any(words):
        return items
    if not any(words[:-1]):
        return [*(f"{item} {words[-1]}" for item in items[:-1]), items[-1]]
    if any(word and spelled(word) != (target,) for word in words):
        bare = items[words.index("")]
        advice = "write the unit at every value, or once at the end"
        raise failure("U09", text, f"has units at some values and none at {quoted(bare)}: {advice}")
    return items


def _unit_word(item: str) -> str:
    """What follows the number of an item, "" also for an item that cannot be read."""
    try:
        return split(item).rest
    except ReadError:
        return ""


_PREFIXES = ((1e15, "P"), (1e12, "T"), (1e9, "G"), (1e6, "M"))


def prefix_of(largest: float) -> tuple[float, str]:
    """The scale that fits a large number, and its prefix: 1e12 and T; 1 and nothing below a million."""
    return next(((size, name) for size, name in _PREFIXES if largest >= size), (1, ""))


def prefixed(value: float, unit: str) -> str:
    """A large number with the prefix that fits it: 989 TFLOP/s."""
    scale, prefix = prefix_of(value)
    return f"{format_number(value / scale)} {prefix}{unit}"
