"""What a person says about a file, one thing after the other, as the options that it is read with again."""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence
from dataclasses import replace
from typing import cast

from tui.model.study import Family

from . import roles
from .imported import Choice, Column, Mapped, Options

_OPTION_IN_WORDS = re.compile(
    r" ?\([^()]*--(?:map|family|as)\b[^()]*\)|[:;,] *(?:or )?(?:add|say so with) --.*$"
)


def answered(options: Options, choice: Choice) -> Options:
    """The options with a choice taken; it stands over what was said of the same column before.

    Raises:
        BadMap: when the choice is no option.
    """
    words = shlex.split(choice.option)
    for option, value in zip(words[::2], words[1::2], strict=True):
        if option == "--family":
            options = replace(options, family=cast(Family, value))
        else:
            options = mapped(options, value)
    return options


def mapped(options: Options, statement: str) -> Options:
    """The options with one more `--map` statement, which stands over those of the same column.

    Raises:
        BadMap: when it cannot be understood.
    """
    new = roles.options([statement], replace(options, mapping=()))
    of_all = tuple(one.role for one in new.mapping if one.column.isdecimal())
    columns = {one.column for one in new.mapping}
    before = (
        one
        for one in options.mapping
        if one.column not in columns and not (one.role in of_all and one.column.isdecimal())
    )
    return replace(new, mapping=(*before, *new.mapping))


def with_column(
    options: Options, columns: Sequence[Column], place: int, role: str, unit: str = ""
) -> Options:
    """The options with one of the columns taken for a role; for nothing where that is `ignore`.

    A column is named as the file has it where no other is called so, because its place may be another in
    another table of the file.
    """
    column = columns[place]
    alike = [one for one in columns if one.name == column.name]
    plain = column.name.strip() and not column.name.isdecimal() and not column.name.startswith("#")
    name = column.name if len(alike) == 1 and plain else f"#{column.place}"
    spellings = {column.name, f"#{column.place}"}
    before = (one for one in options.mapping if one.column not in spellings)
    return replace(options, mapping=(*before, Mapped(role, name, unit)))


def without_column(options: Options, column: Column) -> Options:
    """The options with a column read as the reader itself takes it."""
    spellings = {column.name, f"#{column.place}"}
    return replace(options, mapping=tuple(one for one in options.mapping if one.column not in spellings))


def window(text: str) -> tuple[int, int]:
    """The first and the last iteration that count, as `FROM:TO` says it.

    Raises:
        ValueError: with one sentence when it does not.
    """
    found = re.fullmatch(r"\s*(\d{1,15})\s*[:–-]\s*(\d{1,15})\s*", text)
    if not found:
        raise ValueError(f"read {text.strip()[:40]!r}, expected the first and the last iteration, as 100:400")
    first, last = int(found[1]), int(found[2])
    if first > last:
        raise ValueError(f"read {text.strip()!r}, whose first iteration is after its last: {last}:{first}?")
    return first, last


def with_window(options: Options, text: str) -> Options:
    """The options with a window of iterations and why it is just this one, `100:400 after the warm-up`; an
    empty text takes it away.

    Raises:
        ValueError: with one sentence when the text is none.
    """
    if not text.strip():
        return replace(options, window=None, window_reason="")
    bounds, _, reason = text.strip().partition(" ")
    found = window(bounds)
    if not reason.strip():
        raise ValueError("a window needs its reason, which is kept with the run: 100:400 after the warm-up")
    return replace(options, window=found, window_reason=" ".join(reason.split()))


def plain(sentence: str) -> str:
    """A reader's sentence without the options of the command line that it names."""
    return _OPTION_IN_WORDS.sub("", sentence)
