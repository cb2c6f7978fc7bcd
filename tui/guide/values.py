"""What the keys of a script may hold: each kind reads a plain TOML value and knows its JSON Schema.

Numbers keep the digits the author typed: TOML floats arrive as `Decimal`, and a value that decides marks
becomes an exact `Fraction` or stays text until an expression is worked out.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from typing import Any, Protocol

from tui.model.quantity import ReadError, read_number

SLUG = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
IDEA = re.compile(r"[a-z0-9]+([.-][A-Za-z0-9]+)*")
LONGEST_ID = 48


class WrongValue(ValueError):
    """A value of the wrong kind; the text says what was read and what is expected."""

    def __init__(self, sentence: str, code: str = "E015") -> None:
        super().__init__(sentence)
        self.code = code


class Kind(Protocol):
    """One kind of value."""

    def read(self, value: Any) -> Any:
        """The value as the model holds it; raises `WrongValue`."""

    def schema(self) -> dict[str, Any]:
        """Its JSON Schema."""


def entry(kind: Kind | Tables, **options: Any) -> Any:
    """A dataclass field that is a key of a script; required unless it has a default."""
    return field(metadata={"kind": kind}, **options)


def shown(value: Any) -> str:
    """A value for a message, cut."""
    text = value if isinstance(value, str) else str(value)
    text = " ".join("".join(c if c.isprintable() else " " for c in text[:80]).split())
    return f'"{text[:37]}..."' if len(text) > 40 else f'"{text}"'


@dataclass(frozen=True)
class Text:
    """Text in quotes; several lines are fine unless `longest` limits it to a line."""

    longest: int = 0

    def read(self, value: Any) -> str:
        """The text, stripped."""
        if not isinstance(value, str):
            raise WrongValue(f"{shown(value)} is no text: put it in quotes")
        text = value.strip() if "\n" not in value else value.strip("\n").rstrip()
        if self.longest and (len(text) > self.longest or "\n" in text):
            raise WrongValue(f"{len(text)} characters: at most {self.longest} on one line")
        return text

    def schema(self) -> dict[str, Any]:
        """A string."""
        return {"type": "string", **({"maxLength": self.longest} if self.longest else {})}


@dataclass(frozen=True)
class Id:
    """A permanent name: lower-case words joined by hyphens; for wrong ideas also by dots."""

    pattern: re.Pattern[str] = SLUG

    def read(self, value: Any) -> str:
        """The id."""
        if not isinstance(value, str) or not self.pattern.fullmatch(value) or len(value) > LONGEST_ID:
            example = '"strong.time-only"' if self.pattern is IDEA else '"first-table"'
            raise WrongValue(f"the id {shown(value)} is not like {example}, up to {LONGEST_ID}", "E013")
        return value

    def schema(self) -> dict[str, Any]:
        """A string with a pattern."""
        return {"type": "string", "pattern": f"^{self.pattern.pattern}$", "maxLength": LONGEST_ID}


@dataclass(frozen=True)
class Whole:
    """A whole number within bounds."""

    least: int = 0
    most: int = 10**6

    def read(self, value: Any) -> int:
        """The number."""
        if isinstance(value, bool) or not isinstance(value, int):
            raise WrongValue(f"{shown(value)} is no whole number, written without quotes")
        if not self.least <= value <= self.most:
            raise WrongValue(f"{shown(value)} is not between {self.least} and {self.most}")
        return value

    def schema(self) -> dict[str, Any]:
        """An integer."""
        return {"type": "integer", "minimum": self.least, "maximum": self.most}


@dataclass(frozen=True)
class YesNo:
    """true or false."""

    def read(self, value: Any) -> bool:
        """The truth value."""
        if not isinstance(value, bool):
            raise WrongValue(f"{shown(value)} is neither true nor false, written without quotes")
        return value

    def schema(self) -> dict[str, Any]:
        """A boolean."""
        return {"type": "boolean"}


@dataclass(frozen=True)
class Word:
    """One of a few words."""

    words: tuple[str, ...]

    def read(self, value: Any) -> str:
        """The word."""
        if value not in self.words:
            raise WrongValue(f"{shown(value)} is none of {', '.join(self.words)}")
        return str(value)

    def schema(self) -> dict[str, Any]:
        """An enumeration."""
        return {"enum": list(self.words)}


@dataclass(frozen=True)
class Share:
    """A part of a whole, as "60%" or as a number from 0 to 1."""

    def read(self, value: Any) -> Fraction:
        """The exact share."""
        text = number_text(value).strip()
        try:
            share = read_number(text.removesuffix("%")) / (100 if text.endswith("%") else 1)
        except ReadError:
            raise WrongValue(f'{shown(value)} is no share: write it like "60%" or 0.6') from None
        if not 0 <= share <= 1:
            raise WrongValue(f"{shown(value)} is not between 0 and 100%")
        return share

    def schema(self) -> dict[str, Any]:
        """A number or a percentage."""
        return {"type": ["string", "number"]}


@dataclass(frozen=True)
class Sum:
    """An expression or a number; it stays text, with the digits it was typed with."""

    def read(self, value: Any) -> str:
        """The text of the expression."""
        text = number_text(value).strip()
        if not text:
            raise WrongValue("it is empty")
        return text

    def schema(self) -> dict[str, Any]:
        """A string or a number."""
        return {"type": ["string", "number"]}


@dataclass(frozen=True)
class Many:
    """A list of one kind."""

    of: Kind
    least: int = 0

    def read(self, value: Any) -> tuple[Any, ...]:
        """The elements."""
        if not isinstance(value, list):
            raise WrongValue(f"{shown(value)} is no list: put it in square brackets")
        if len(value) < self.least:
            raise WrongValue("the list is empty")
        return tuple(self.of.read(each) for each in value)

    def schema(self) -> dict[str, Any]:
        """An array."""
        return {"type": "array", "items": self.of.schema(), "minItems": self.least}


@dataclass(frozen=True)
class Table:
    """A small table in braces, its keys among `names`, in their order."""

    kinds: Mapping[str, Kind]
    unknown: str = "E010"
    """Code of a key that is none of them."""

    def read(self, value: Any) -> dict[str, Any]:
        """The table with its values read."""
        from tui.guide.findings import did_you_mean

        if not isinstance(value, dict):
            raise WrongValue(f"{shown(value)} is no table: write it like {{ a = 1 }}")
        for name in value:
            if name not in self.kinds:
                what = "input" if self.unknown == "E040" else "key"
                raise WrongValue(
                    f"unknown {what} {shown(name)}{did_you_mean(name, self.kinds)}", self.unknown
                )
        return {name: kind.read(value[name]) for name, kind in self.kinds.items() if name in value}

    def schema(self) -> dict[str, Any]:
        """An object."""
        properties = {name: kind.schema() for name, kind in self.kinds.items()}
        return {"type": "object", "properties": properties, "additionalProperties": False}


@dataclass(frozen=True)
class Tables:
    """An array of tables that become dataclasses. It is no `Kind`: the reader builds them, one level down,
    with a finding for every key of every table.
    """

    of: type

    def schema(self) -> dict[str, Any]:
        """An array that refers to the class's definition."""
        return {"type": "array", "items": {"$ref": f"#/$defs/{self.of.__name__}"}}


def number_text(value: Any) -> str:
    """The text of a value that may be written with or without quotes.

    Raises:
        WrongValue: when it is neither text nor a finite number of a sane size.
    """
    if isinstance(value, str):
        return value
    if isinstance(value, bool) or not isinstance(value, (int, Decimal)):
        raise WrongValue(f"{shown(value)} is neither text nor a number")
    if isinstance(value, Decimal):
        # A huge exponent would make an exact number of as many digits.
        if not value.is_finite() or not -40 < value.adjusted() < 40:
            raise WrongValue(f"{shown(value)} is out of range")
        return format(value, "f")
    return str(value)
