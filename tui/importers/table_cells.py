"""Cells of foreign tables: numbers by the file's own decimal sign, times with units, clocks, missing values.

What a comma means is settled once for a file, from all its cells: `40,2` and `1.234,56` can only have a
decimal comma, `1,234,567` and `1,234.5` only a grouping one. Where nothing but cells like `1,234` is there
both readings are possible, and it is asked.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from tui.model.numerals import ReadError, quoted, read_number
from tui.model.study import Status
from tui.model.units import spelled

from .roles import COUNTS, TIME_UNITS
from .table_grid import MISSING
from .table_words import KIND

Decimal = Literal["comma", "point"]

_PLAIN = re.compile(r"[-+]?(?:\d{1,18}(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d{1,2})?")
_PLAIN_COMMA = re.compile(r"[-+]?\d{1,18},\d*")
_COMMA_ONLY = re.compile(
    r"[-+]?(?:\d{1,3}(?:[.' ]\d{3})+,\d+|(?:\d*,\d{1,2}|\d*,\d{4,}|0+,\d+|\d{4,},\d+))(?:[eE][-+]?\d+)?"
)
_GROUPED_ONLY = re.compile(r"[-+]?(?:[1-9]\d{0,2}(?:,\d{3}){2,}(?:\.\d*)?|[1-9]\d{0,2}(?:,\d{3})+\.\d*)")
_POINT_ONLY = re.compile(r"[-+]?(?:\d*\.(?:\d{1,2}|\d{4,})|0*\.\d+|\d{4,}\.\d+)(?:[eE][-+]?\d+)?")
_THOUSANDS = re.compile(r"[-+]?[1-9]\d{0,2}(?:\.\d{3})+")
_EITHER = re.compile(r"[-+]?[1-9]\d{0,2},\d{3}")
_DAYS = re.compile(r"(?:(\d+)-)?(\d+):(\d{1,2}):(\d{1,2}(?:\.\d*)?)")
_SHORT_CLOCK = re.compile(r"(\d+):([0-5]?\d(?:\.\d+)?)")
_PRODUCT = re.compile(r"\d{1,9}(?:\s*[x×*]\s*\d{1,9}){1,3}")
_SPREAD = re.compile(r"\s*([\d.,]+)\s*(?:±|\+/-|\+-)\s*[\d.,]+\s*([A-Za-zµμ]*)\s*")
_COUNTED = re.compile(r"(\d+)[ -]*([A-Za-z]+)")
_WITH_UNIT = re.compile(r"(.*?[\d.,])\s*([A-Za-zµμ]+)")
_MIN_SEC = re.compile(r"(?:(\d+)\s*h)?\s*(?:(\d+)\s*m(?:in)?)\s*(\d+(?:\.\d+)?)\s*s", re.IGNORECASE)
_OUT_OF_MEMORY = re.compile(r"\boom\b|out.of.mem|memor|bad_alloc|speicher", re.IGNORECASE)
_FAILED = re.compile(
    r"fail\w*|error|crash\w*|oom|out.of.memory|killed|time.?out|cancel\w*|abort\w*", re.IGNORECASE
)
_STOPPED = re.compile(
    r"time.?out|timed|gave up|too long|killed|cancel|abort|stop|desisti|demor|abgebr|preempt|node_fail|"
    r"interrupt|^tle$|^to$|^dnf$",
    re.IGNORECASE,
)


class Unreadable(ValueError):
    """A cell that is no number and no missing one; `words` when it says something in words instead."""

    def __init__(self, sentence: str, words: str = "") -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.words = words


@dataclass(frozen=True)
class Commas:
    """What the commas of a file mean, and why; None where there is nothing that says it."""

    decimal: Decimal | None
    why: str = ""
    open: str = ""
    """A cell with two readings, where it is open."""


def commas(cells: Iterable[tuple[int, str]], asked: Decimal | None) -> Commas:
    """Settle the decimal sign from the cells of a file, given with their lines."""
    either: list[tuple[int, str]] = []
    seen: dict[Decimal, tuple[int, str]] = {}
    points = False
    for line, cell in cells:
        bare = cell.strip(" %\u00a0")
        if "," not in cell:
            points = points or bool(_POINT_ONLY.fullmatch(bare))
            continue
        if _EITHER.fullmatch(bare):
            either.append((line, cell))
        elif _GROUPED_ONLY.fullmatch(bare):
            seen.setdefault("point", (line, cell))
        elif _COMMA_ONLY.match(bare):
            seen.setdefault("comma", (line, cell))
    if asked:
        return Commas(asked, "as --map says")
    if points and "comma" in seen:
        return Commas(None)  # both signs are decimal ones: each cell by itself
    if len(seen) == 1:
        (decimal, (line, cell)), *_ = seen.items()
        meaning = (
            "the decimal sign, points stand between thousands" if decimal == "comma" else "between thousands"
        )
        return Commas(
            decimal, f"commas are {meaning}: {quoted(cell)} in line {line} can be read in no other way"
        )
    if either and not seen:
        return Commas(None, open=f"{quoted(either[0][1])} in line {either[0][0]}")
    return Commas(None)


def missing(cell: str) -> bool:
    """Whether a cell says nothing."""
    return cell.strip().lower() in MISSING


def number(cell: str, decimal: Decimal | None) -> float:
    """The number of a cell without a unit; a percent sign is taken off, and the number stays per cent.

    Raises:
        Unreadable: when it is none.
    """
    bare = cell.strip()
    if _PLAIN.fullmatch(bare) and not (decimal == "comma" and _THOUSANDS.fullmatch(bare)):
        return float(bare)
    if decimal == "comma" and _PLAIN_COMMA.fullmatch(bare):
        return float(bare.replace(",", "."))
    bare = bare.removesuffix("%").strip()
    pointed = _pointed(bare, decimal)
    try:
        return float(read_number(pointed))
    except ReadError as error:
        sentence = error.sentence.replace(quoted(pointed), quoted(bare), 1)
        raise Unreadable(sentence, "" if re.search(r"\d", bare) else bare) from None


def _pointed(cell: str, decimal: Decimal | None) -> str:
    """The cell with a decimal point and without grouping, as the file's own sign has it."""
    if decimal == "comma" and "," in cell:
        return cell.replace(".", "").replace(",", ".")
    if decimal == "comma" and _THOUSANDS.fullmatch(cell):
        return cell.replace(".", "")
    if decimal == "point" and "," in cell:
        return cell.replace(",", "")
    return cell


def without_count_word(cell: str) -> str:
    """A count without what it counts: "4 GPUs" is 4; the k of "4k" stays, whatever it means."""
    found = _COUNTED.fullmatch(cell)
    return found[1] if found and KIND.get(found[2].lower()) in COUNTS else cell


def is_product(cell: str) -> bool:
    """Whether a cell is a count as it is made up: 4x8."""
    return bool(_PRODUCT.fullmatch(cell.strip()))


def whole(cell: str, decimal: Decimal | None) -> int:
    """A count of 1 or more; "4x8" is 32.

    Raises:
        Unreadable: when the cell is none.
    """
    bare = without_count_word(cell.strip())
    value: float
    if is_product(bare):
        value = math.prod(map(int, re.findall(r"\d+", bare)))
    elif bare.isascii() and bare.isdecimal() and len(bare) < 16:
        value = int(bare)
    else:
        value = number(bare, decimal)
    if value != int(value):
        raise Unreadable(f"read {quoted(cell)}, expected a whole number")
    if value < 1:
        raise Unreadable(f"read {quoted(cell)}, expected a count of 1 or more")
    if value > 10**12:
        raise Unreadable(f"read {quoted(cell)}, which is too large for a count")
    return int(value)


def seconds(cell: str, unit: str, decimal: Decimal | None) -> float:
    """Seconds of a time cell: a number in the unit of its column, a number with its own unit, or a clock.

    Raises:
        Unreadable: when it is none of them, or below 0.
    """
    bare = cell.strip()
    value = _clock(bare, unit) if ":" in bare or not bare[-1:].isdecimal() else None
    if value is None:
        own = None if bare[-1:].isdecimal() else _WITH_UNIT.fullmatch(bare)
        factor = TIME_UNITS.get(unit, 1.0)
        if own and not re.fullmatch(r"[\d.,]+[eE][-+]?\d+", bare):
            units = [one for one in spelled(own[2].replace("secs", "s")) if one.kind == "time"]
            if not units:
                raise Unreadable(f"read {quoted(cell)}, expected a time like 12.5, 12.5 ms or 1:02:03", bare)
            bare, factor = own[1], float(units[0].factor)
        value = number(bare, decimal)
        if factor > 1:
            value = float(Fraction(repr(value)) * int(factor))  # 0.34 min are 20.4 s
        elif factor < 1:
            value /= round(1 / factor)
    if value < 0:
        raise Unreadable(f"read {quoted(cell)}: no time is below 0; correct it or take the row out")
    return value


def without_spread(cell: str) -> str:
    """A time without the spread behind it: "10.2 ± 0.3 s" is 10.2 s."""
    found = _SPREAD.fullmatch(cell)
    return f"{found[1]} {found[2]}".strip() if found else cell


def has_unit(cell: str) -> bool:
    """Whether a time cell says its unit by itself, as a clock or with a word."""
    bare = cell.strip()
    if _DAYS.fullmatch(bare) or _MIN_SEC.fullmatch(bare) or ("." in bare and _SHORT_CLOCK.fullmatch(bare)):
        return True
    own = re.fullmatch(r".*?[\d.,]\s*([A-Za-zµμ]+)", bare)
    return own is not None and any(unit.kind == "time" for unit in spelled(own[1]))


def is_short_clock(cell: str) -> bool:
    """Whether a cell is `1:02`: minutes and seconds, or hours and minutes."""
    return bool(re.fullmatch(r"\d+:[0-5]\d", cell.strip()))


def _clock(cell: str, unit: str) -> float | None:
    found = _DAYS.fullmatch(cell)
    if found:
        return 86400.0 * int(found[1] or 0) + 3600 * int(found[2]) + 60 * int(found[3]) + float(found[4])
    found = _MIN_SEC.fullmatch(cell)
    if found:
        return 3600.0 * int(found[1] or 0) + 60 * int(found[2]) + float(found[3])
    found = _SHORT_CLOCK.fullmatch(cell)
    if found:
        first, second = int(found[1]), float(found[2])
        return 3600.0 * first + 60 * second if unit == "h:min" else 60.0 * first + second
    return None


def ended(words: str) -> Status:
    """How a job ended whose time cell holds these words."""
    if _OUT_OF_MEMORY.search(words):
        return "out-of-memory"
    return "stopped" if _STOPPED.search(words) else "failed"


def numeric_share(cells: Sequence[str]) -> float:
    """Share of the cells that are filled which begin like a number; a job that failed has none to fill in."""
    filled = [cell for cell in cells if not (missing(cell) or _FAILED.fullmatch(cell.strip()))]
    if not filled:
        return 0.0
    return sum(bool(re.match(r"[-+]?[.,]?\d", cell.strip())) for cell in filled) / len(filled)
