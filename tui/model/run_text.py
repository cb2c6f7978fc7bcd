"""A run as texts in fields, and texts in fields as a run: what an edit line and a pasted table share.

Every text is read by the one reader of numbers. What was not changed is not read again, so that a value
which came from a file in another form stays as it was.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields, replace
from fractions import Fraction
from typing import Any, get_args

from tui.model.line_fields import FIELDS, OTHER, line_fields
from tui.model.numerals import ReadError, quoted
from tui.model.quantity import read, read_many, read_number
from tui.model.study import Family, Run, Status, TimeMeans, Work
from tui.model.units import did_you_mean, spelled

Value = Any
"""What a run holds in one of its fields."""


class EditError(ValueError):
    """A text that cannot be taken; `sentence` names the field, what was read and what to do.

    Attributes:
        field: key of the field to go back to; empty where it is none in particular.
    """

    def __init__(self, sentence: str, field: str = "") -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.field = field


# ------------------------------------------------------------------------------------------ one value


def plain(value: Fraction | float) -> str:
    """A number that reads back as itself, without the `.0` of a whole float."""
    number = float(value)
    return str(int(number)) if number.is_integer() and abs(number) < 1e15 else repr(number)


def _in_words(key: str) -> str:
    """A field's name in a sentence: `global batch`."""
    return key.removesuffix("_s").removesuffix("_gib").replace("_", " ")


def _refused(key: str, text: str, wanted: str) -> EditError:
    return EditError(f"{_in_words(key)}: read {quoted(text)}, expected {wanted}.", key)


def _count(key: str, text: str, least: int = 1) -> int:
    value = _read(key, lambda: read_number(text))
    if value.denominator != 1 or value < least:
        raise _refused(key, text, f"a whole number, {least} or more, like 16")
    return int(value)


def _amount(key: str, text: str, unit: str = "") -> float:
    value: Fraction = _read(key, lambda: read(text, unit).value if unit else read_number(text))
    if value < 0:
        raise _refused(key, text, "0 or more; leave it empty if unknown")
    return float(value)


def _times(key: str, text: str) -> tuple[float, ...]:
    for word in _words_after_a_number(text):
        kinds = [unit.kind for unit in spelled(word)]
        if "time" not in kinds and (kinds or not did_you_mean(word, "time")):
            wanted = "write seconds, with blanks between the steps of a job: 40.2 40.5"
            raise EditError(f"{_in_words(key)}: {quoted(word)} is no time; {wanted}.", key)
    try:
        readings = read_many(text, "s")
    except ReadError as error:
        if re.search(r"[0-9]\.[0-9]+,[0-9]", text):
            wanted = f"write blanks between the steps of a job: {printable_words(text).replace(',', ' ')}"
            raise EditError(f"{_in_words(key)}: {quoted(text)} holds commas; {wanted}.", key) from None
        raise EditError(f"{_in_words(key)}: {error.sentence}", key) from None
    for reading in readings:
        if reading.value < 0:
            raise _refused(key, reading.text, "0 or more: no time is below 0")
    return tuple(float(reading.value) for reading in readings)


def _words_after_a_number(text: str) -> Iterator[str]:
    """The words behind the first one that begin with a letter: units, and what is no time at all."""
    first, *rest = re.split(r"[\s;,]+", text.strip())
    for word in rest if re.match(r"[-+.]?[0-9]", first) else ():
        begun = len(word) == 1 and word not in "xX×"  # the prefix of a unit, which is asked back
        if re.match(r"[^\W\d_]|×", word) and not begun and word.lower() not in ("nan", "inf", "infinity"):
            yield word


def _read(key: str, reader: Callable[[], Any]) -> Any:
    try:
        return reader()
    except ReadError as error:
        raise EditError(f"{_in_words(key)}: {error.sentence}", key) from None


def one_of(key: str, text: str, allowed: tuple[str, ...], also: Mapping[str, str] | None = None) -> str:
    """The word of a closed list that a text stands for: whole, its beginning, or a customary name.

    Raises:
        EditError: when it is none of them, or the beginning of two.
    """
    word = text.strip().lower()
    if also and word in also:
        return also[word]
    found = [each for each in allowed if each.startswith(word)]
    if word in allowed:
        return word
    if len(found) == 1:
        return found[0]
    raise _refused(key, text, f"one of {', '.join(allowed)}")


def _signed(key: str, text: str) -> int | float:
    value: Fraction = _read(key, lambda: read_number(text))
    if key == "quality":
        return float(value)
    if value.denominator != 1:
        raise _refused(key, text, "a whole number, like 3")
    return int(value)


def _yes_or_no(key: str, text: str) -> bool:
    word = " ".join(text.lower().split())
    if word in ("true", "yes", "y", "reached", "success"):
        return True
    if word in ("false", "no", "n", "not reached", "aborted"):
        return False
    raise _refused(key, text, "yes or no, or true or false")


_STATUS_WORDS = {"oom": "out-of-memory", "ok": "completed", "done": "completed", "timeout": "stopped"}
_COUNTS: dict[str, int] = {each.name: 1 for each in fields(Run) if each.metadata.get("least") == 1} | {
    "skipped_updates": 0,
    "valid_updates": 0,
    "updates": 0,
}
_AMOUNTS = {
    "memory_gib": "GiB",
    "parameters": "",
    "active_parameters": "",
    "wall_s": "s",
    "time_to_target_s": "s",
}
_WORKS = ("work", "work_to_target")
_ANY_SIGN = ("seed", "quality")
_WORDS = ("label", "note", "cause", "domain", "local_shape", "routing", "schedule")

READABLE = (
    *_COUNTS,
    *_AMOUNTS,
    *_WORKS,
    *_ANY_SIGN,
    *_WORDS,
    "times_s",
    "status",
    "time_means",
    "hosts",
    "busy_s",
    "reached",
)
"""Every field of a run that a text can set; besides these `stages_s.NAME`."""


def read_value(key: str, text: str) -> Value:
    """The value that a text gives to one field of a run.

    Raises:
        EditError: when it gives none.
    """
    if key in _COUNTS:
        return _count(key, text, _COUNTS[key])
    if key in _AMOUNTS:
        return _amount(key, text, _AMOUNTS[key])
    if key.startswith("stages_s."):
        return _amount(key, text, "s")
    if key in ("times_s", "busy_s"):
        return _times(key, text)
    if key in _WORKS:
        return _amount(key, _without_word(text))
    if key in _ANY_SIGN:
        return _signed(key, text)
    if key == "reached":
        return _yes_or_no(key, text)
    if key == "status":
        return one_of(key, text, get_args(Status), _STATUS_WORDS)
    if key == "time_means":
        return one_of(key, text, get_args(TimeMeans))
    if key == "hosts":
        return tuple(part for part in re.split(r"[,\s]+", text.strip()) if part)
    return " ".join(printable_words(text).split())


def printable_words(text: str) -> str:
    """A text without control characters, tabs and line ends as blanks."""
    return "".join(
        " " if mark in "\t\r\n" else mark for mark in text if mark.isprintable() or mark in "\t\r\n"
    )


def _without_word(text: str) -> str:
    """W may be typed with its unit's word, "256000 tokens": one unit holds for all runs."""
    return re.sub(r"(?<=[0-9])\s+[^\W\d_]+\s*$", "", text)


def written(run: Run, key: str) -> str:
    """The text of one field, empty where the run says nothing."""
    if key == OTHER:
        return _other(run)
    value = getattr(run, key)
    if key == "status":
        return "" if value == "completed" else str(value)
    if value is None or value == "" or value == ():
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Work):
        return f"{plain(value.amount)} {value.of}".strip()
    if isinstance(value, tuple):
        return (", " if key == "hosts" else " ").join(
            each if isinstance(each, str) else plain(each) for each in value
        )
    return plain(value) if isinstance(value, (int, float)) else str(value)


def _other(run: Run) -> str:
    """What has no field of its own, as `key=value` words."""
    known = (key for key in READABLE if key not in FIELDS)
    parts = [f"{key}={written(run, key)}" for key in known if written(run, key)]
    parts += [f"stages_s.{name}={plain(value)}" for name, value in run.stages_s.items()]
    return " ".join(parts)


# ----------------------------------------------------------------------------------------- a whole run


def run_texts(run: Run, family: Family) -> dict[str, str]:
    """The texts of a run's fields on the edit line, empty ones too.

    What the family has no field for stands in `other`.
    """
    shown = [field.key for field in line_fields(family)]
    texts = {key: written(run, key) for key in shown}
    missing = [key for key in FIELDS if key not in shown and written(run, key)]
    texts[OTHER] = " ".join([*(f"{key}={written(run, key)}" for key in missing), texts[OTHER]]).strip()
    return texts


def read_run(texts: Mapping[str, str], before: Run | None = None, family: Family = "strong") -> Run:
    """The run that the texts describe; a field that is absent or empty says nothing.

    Args:
        before: the run that is being changed; fields whose text stayed the same keep its value, and what
            has no text (imported columns, dates) stays.

    Raises:
        EditError: for the first text that cannot be taken, or when there is no device count.
    """
    old = run_texts(before, family) if before else {}
    texts = {key: text.strip() for key, text in texts.items() if text.strip()}
    if "devices" not in texts:
        raise EditError("devices: nothing was typed; write the count, like 16.", "devices")
    run = before or Run(1)
    values: dict[str, Value] = {}
    defaults = Run(1)
    for key in old:
        if key != OTHER and key not in texts:
            values[key] = getattr(defaults, key)
    for key, text in texts.items():
        if key != OTHER and text != old.get(key):
            values[key] = read_value(key, text)
    if texts.get(OTHER, "") != old.get(OTHER, ""):
        values |= _read_other(texts.get(OTHER, ""), run, set(old) | set(texts))
    return replace(run, **values)


def _read_other(text: str, run: Run, own: set[str]) -> dict[str, Value]:
    """The values that the `other` field sets, everything else it could have set back at its default."""
    defaults = Run(1)
    values: dict[str, Value] = {key: getattr(defaults, key) for key in READABLE if key not in own}
    stages: dict[str, float] = {}
    for key, part in _pairs(text):
        if key.startswith("stages_s."):
            stages[key.removeprefix("stages_s.")] = read_value(key, part)
        elif key in own:
            raise EditError(f"other: {key} has a field of its own; write it there.", OTHER)
        elif key in READABLE:
            values[key] = read_value(key, part)
        else:
            raise EditError(f"other: unknown name {quoted(key)}; {_near(key)}.", OTHER)
    return {**values, "stages_s": stages}


def _pairs(text: str) -> Iterator[tuple[str, str]]:
    names = list(re.finditer(r"([A-Za-z_][\w.]*)\s*=", text))
    if (not names and text.strip()) or (names and text[: names[0].start()].strip(" ;,")):
        raise EditError(f"other: read {quoted(text)}, expected name=value, like dp=8 tp=2.", OTHER)
    for name, following in zip(names, [*names[1:], None], strict=True):
        part = text[name.end() : following.start() if following else len(text)].strip(" ;,")
        if not part:
            raise EditError(f"other: {name[1]} has no value; write it like {name[1]}=8.", OTHER)
        yield name[1], part


def _near(key: str) -> str:
    close = difflib.get_close_matches(key.lower(), READABLE, n=1, cutoff=0.6)
    return f"did you mean {close[0]}?" if close else "names are dp, tp, pp, cp, ep, ranks, hosts and the like"
