"""The fixed table of units, and the spellings people type for them.

A unit has a kind, and a factor to the base of its kind: FLOP/s, B/s, FLOP/byte, seconds, device-seconds,
FLOP, bytes, the plain ratio. k, M, G, T, P, E are powers of 1000; Ki, Mi, Gi, Ti are powers of 1024 (the
SI and IEC 80000-13 prefixes). FLOP is an amount of work and FLOP/s a rate; "FLOPS" is read as the rate.

Case is ignored except where it carries meaning: b is a bit and B a byte, m is milli and M is mega.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True)
class Unit:
    """One unit of the table: a value in it times `factor` is the value in the base unit of its `kind`."""

    symbol: str
    kind: str
    """rate, bandwidth, intensity, time, device-time, work, data, ratio, or count:<what is counted>."""
    factor: Fraction

    @property
    def kind_name(self) -> str:
        """The kind in words with its article, for a sentence: "an amount of work"."""
        return _KIND_NAMES.get(self.kind) or f"a number of {self.symbol}"


_KIND_NAMES = {
    "rate": "a compute rate",
    "bandwidth": "a bandwidth",
    "intensity": "an arithmetic intensity",
    "time": "a time",
    "device-time": "a device time",
    "work": "an amount of work",
    "data": "an amount of data",
    "ratio": "a ratio",
    "count:seq": "a number of sequences",
}

_DECIMAL = {"": 1, "k": 10**3, "M": 10**6, "G": 10**9, "T": 10**12, "P": 10**15}
_WORK = {**_DECIMAL, "E": 10**18}
_BYTES = {**_DECIMAL, "Ki": 2**10, "Mi": 2**20, "Gi": 2**30, "Ti": 2**40}
_FLOP_WORDS = ("flop", "flops")
_BYTE_WORDS = ("b", "byte", "bytes")
_SECOND_WORDS = ("s", "sec", "second")

_TIMES: dict[str, tuple[Fraction, tuple[str, ...]]] = {
    "s": (Fraction(1), ("sec", "secs", "second", "seconds")),
    "ms": (Fraction(1, 10**3), ("msec", "millisecond", "milliseconds", "Millisecond", "Milliseconds")),
    "us": (
        Fraction(1, 10**6),
        ("\u03bcs", "usec", "microsecond", "microseconds", "Microsecond", "Microseconds"),
    ),
    "ns": (Fraction(1, 10**9), ("nsec", "nanosecond", "nanoseconds")),
    "min": (Fraction(60), ("mins", "minute", "minutes", "Min", "Mins", "Minute", "Minutes")),
    "h": (Fraction(3600), ("hr", "hrs", "hour", "hours")),
    "d": (Fraction(86400), ("day", "days")),
}
_DEVICE_TIMES = ("s", "min", "h", "d")
_DEVICE_WORDS = ("device", "devices", "gpu", "gpus")
_RATIOS = {
    "1": (Fraction(1), ()),
    "%": (Fraction(1, 100), ("percent", "pct")),
    "x": (Fraction(1), ("\u00d7", "times")),
}
_COUNTS = {
    "seq": ("seqs", "sequence", "sequences"),
    "tokens": ("token", "tok", "toks"),
    "updates": ("update",),
    "samples": ("sample",),
    "devices": ("device", "gpu", "gpus"),
}


def _table() -> Iterator[tuple[Unit, tuple[str, ...]]]:
    """Every unit with the spellings that mean it besides its symbol."""
    for prefix, power in _WORK.items():
        per_second = tuple(f"{prefix}{flop}/{s}" for flop in _FLOP_WORDS for s in _SECOND_WORDS)
        short = (f"{prefix}f/s",) if prefix else ()
        yield Unit(f"{prefix}FLOP/s", "rate", Fraction(power)), (*per_second, f"{prefix}flops", *short)
    for prefix, power in _BYTES.items():
        per_second = tuple(f"{prefix}{byte}/{s}" for byte in _BYTE_WORDS for s in _SECOND_WORDS)
        yield Unit(f"{prefix}B/s", "bandwidth", Fraction(power)), (*per_second, f"{prefix}bps")
    intensity = tuple(f"{flop}/{byte}" for flop in _FLOP_WORDS for byte in _BYTE_WORDS)
    yield Unit("FLOP/byte", "intensity", Fraction(1)), intensity
    for symbol, (seconds, spellings) in _TIMES.items():
        yield Unit(symbol, "time", seconds), spellings
    for symbol in _DEVICE_TIMES:
        seconds, spellings = _TIMES[symbol]
        joined = (f"{device}-{time}" for device in _DEVICE_WORDS for time in (symbol, *spellings))
        glued = ("gpuh",) if symbol == "h" else ()
        yield Unit(f"device-{symbol}", "device-time", seconds), (*joined, *glued)
    for prefix, power in _WORK.items():
        yield Unit(f"{prefix}FLOP", "work", Fraction(power)), ()
    for prefix, power in _BYTES.items():
        yield Unit(f"{prefix}B", "data", Fraction(power)), (f"{prefix}byte", f"{prefix}bytes")
    for symbol, (factor, words) in _RATIOS.items():
        yield Unit(symbol, "ratio", factor), words
    for symbol, words in _COUNTS.items():
        yield Unit(symbol, f"count:{symbol}", Fraction(1)), words


def _key(word: str) -> str:
    """What two spellings of one unit have in common: all but the case of a leading m or M is folded."""
    folded = word.casefold()
    return word[0] + folded[1:] if word[:1] in ("m", "M") else folded


_UNITS: dict[str, Unit] = {}
_SPELLINGS: dict[str, Unit] = {}
for _unit, _words in _table():
    _UNITS[_unit.symbol] = _unit
    for _word in (_unit.symbol, *_words):
        _SPELLINGS[_key(_word)] = _unit

UNIT_SYMBOLS: tuple[str, ...] = tuple(_UNITS)
"""The symbol of every unit, in the order of the table."""


def find_unit(symbol: str) -> Unit | None:
    """The unit with exactly this symbol; other spellings are for what people type, not for scripts."""
    return _UNITS.get(symbol)


def spelled(word: str) -> tuple[Unit, ...]:
    """Units a typed word may stand for, the likelier first; empty when it is none, or counts bits.

    "GFLOPs" with a small s may be the rate or the plural of the amount of work, so it gives both.
    """
    if counts_bits(word):
        return ()
    word = _joined(word)
    unit = _SPELLINGS.get(_key(word))
    if unit is None:
        return ()
    if word.endswith("FLOPs"):
        return unit, _UNITS[unit.symbol.removesuffix("/s")]
    return (unit,)


def other_case(word: str) -> Unit | None:
    """The unit this word means when its leading m is written M, or the other way round."""
    word = _joined(word)
    swapped = word[:1].swapcase() + word[1:]
    return _SPELLINGS.get(_key(swapped)) if word[:1] in ("m", "M") else None


_BITS = re.compile(
    r"(?P<over>(?:.*/)?)(?P<prefix>(?:[kmgtpe]i?)?)(?P<bit>b|bits?)(?P<per>(?:/.*|ps)?)", re.IGNORECASE
)


def counts_bits(word: str) -> bool:
    """Whether the word says bits (Gbit/s), may say bits (gb/s), or hides it in capitals (MBPS)."""
    match = _BITS.fullmatch(_joined(word))
    return match is not None and (match["bit"] != "B" or match["per"] == "PS")


def as_bytes(word: str) -> Unit | None:
    """The unit of the same word with bytes for its bits: GB/s for Gbit/s; None when there is none."""
    match = _BITS.fullmatch(_joined(word))
    if match is None:
        return None
    prefix = match["prefix"].replace("m", "M")
    return _SPELLINGS.get(_key(f"{match['over']}{prefix}B{match['per']}"))


def starting_with(letter: str, kind: str) -> tuple[Unit, ...]:
    """Units of one kind whose symbol begins with this letter in either case: what "40 G" may have meant."""
    units = (unit for unit in _UNITS.values() if unit.kind == kind)
    return tuple(unit for unit in units if unit.symbol.casefold().startswith(letter.casefold()))


def did_you_mean(word: str, kind: str | None = None) -> str | None:
    """Symbol of the unit whose spelling is nearest to `word`, those of `kind` first; None if none is near."""
    from difflib import get_close_matches  # only a failed reading pays for it

    known = spelled(word)
    if known:
        return known[0].symbol
    key = _joined(word).casefold()
    of_kind = {s.casefold(): unit for s, unit in _SPELLINGS.items() if unit.kind == kind}
    everything = {s.casefold(): unit for s, unit in _SPELLINGS.items()}
    for spellings in (of_kind, everything):
        near = get_close_matches(key, spellings, n=1, cutoff=0.7)
        if near:
            return spellings[near[0]].symbol
    return None


def _joined(word: str) -> str:
    """The word with "per" as a slash, and blanks, middle dots and stars between its parts as one hyphen."""
    word = re.sub(r"\s*/\s*|\s+per\s+", "/", word.strip(), flags=re.IGNORECASE)
    return re.sub(r"[\s\u00b7\u22c5*-]+", "-", word)
