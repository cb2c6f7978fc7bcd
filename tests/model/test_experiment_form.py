"""The form of an experiment refuses its own hints as input."""

from __future__ import annotations

from typing import get_args

import pytest

from tui.model.experiment_text import form_fields, read_form
from tui.model.run_text import EditError
from tui.model.study import Experiment, Family, Machine


@pytest.mark.parametrize(
    "typed", ["4194304 tokens, the same at every count", "8 a b c d", "8 a, b", "8 a; b"]
)
def test_a_sentence_is_no_unit(typed: str) -> None:
    with pytest.raises(EditError, match=r"W, all devices: read .* as the unit, expected one to three words"):
        read_form({"name": "x", "work": typed}, Experiment("strong", "x"), Machine())


def test_three_words_are_one() -> None:
    read, _ = read_form({"name": "x", "work": "8 sparse mesh cells"}, Experiment("strong", "x"), Machine())
    assert read.work is not None
    assert (read.work.amount, read.work.of) == (8, "sparse mesh cells")


FREE = ("name", "lengths")
"""Fields that take any words."""


@pytest.mark.parametrize("family", get_args(Family))
def test_no_hint_can_be_typed_as_it_is_shown(family: Family) -> None:
    empty = Experiment(family, "x")
    for field in form_fields(family):
        if field.key in FREE:
            continue
        for text in (field.hint, f"({field.hint})"):
            with pytest.raises(EditError):
                read_form({"name": "x", field.key: text}, empty, Machine())
