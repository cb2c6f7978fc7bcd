"""What holds for the first ten exercises alone: where their numbers come from, each number in its step."""

from __future__ import annotations

import re

import pytest

from tests.guide.first_roofline import ROOFLINE, WEAK
from tests.guide.first_strong import STRONG
from tests.guide.playing import NUMBER, exercise, known_numbers, names, says, texts

FIRST_TEN = {**ROOFLINE, **STRONG, **WEAK}
"""What each must be, by its id, in the order of the menu."""

each = pytest.mark.parametrize("name", FIRST_TEN)


@each
def test_it_ends_with_one_sentence_to_remember_and_says_where_its_numbers_come_from(name: str) -> None:
    script = exercise(name).script
    first, _, _ = script.closing.replace("\n", " ").partition("  ")
    assert re.fullmatch(r"Remember: [^.]*\.", first), first
    assert script.source.startswith("synthetic")
    assert all(data.source == "synthetic" for data in script.data)


@each
def test_every_number_in_the_texts_is_known_or_worked_out(name: str) -> None:
    found, expected = exercise(name), FIRST_TEN[name]
    unknown = []
    for place, text in texts(found):
        known = known_numbers(found, expected, place.partition("/")[0])
        for match in NUMBER.finditer(text):
            number = match[0].replace(",", "")
            share = re.match(r" ?%", text[match.end() :])
            if share:
                fine = any(says(number, value * 100) for value in known)
            else:
                fine = any(names(number, value) for value in known)
            if not fine:
                unknown.append(f"{place}: {number}{' %' if share else ''} in {text.strip()[:60]!r}")
    assert unknown == []
