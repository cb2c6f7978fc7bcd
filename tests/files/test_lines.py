"""The scanner finds every value of a TOML text exactly where a parser read it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.files.studies import Scribe, studies
from tui.files import study as files
from tui.files.lines import Layout, Path
from tui.files.toml import loads


def everything(values: Any, path: Path = ()) -> Iterator[tuple[Path, Any]]:
    """Every value inside, with its path."""
    inside = (
        values.items() if isinstance(values, dict) else enumerate(values) if isinstance(values, list) else ()
    )
    for step, value in inside:
        yield (*path, step), value
        yield from everything(value, (*path, step))


@st.composite
def laid_out(draw: Callable[..., Any]) -> str:
    text = Scribe(draw).document(files._encoded(draw(studies()), {}))
    return text.replace("\n", "\r\n") if draw(st.booleans()) else text


@settings(max_examples=15, deadline=None)
@given(laid_out())
def test_every_value_is_found_where_it_stands(text: str) -> None:
    layout = Layout(text)
    for path, value in everything(loads(text)):
        spot = layout.find(path)
        assert spot is not None, path
        if spot.kind in ("entry", "inner", "item"):
            assert loads(f"it = {text[spot.value : spot.end]}") == {"it": value}
        assert layout.line(path) == text[: spot.start].count("\n") + 1


DOCUMENT = '''\
title = "one" # = [x]
"quoted key" = 1
[machine]
domains = [
  { name = "node", devices = 8 },   # smallest first
  # [[experiment]]
  { name = "leaf", devices = 32 },
]
note = """
[[experiment]]
x = 1"""
literal = \'\'\'
[[experiment]] \'\'\'

[[experiment]]
work.amount = 5
work."of" = "tokens"
when = 2026-11-30 09:12:00
  [[ experiment . run ]]
  devices = 1
  times_s = [1.0,
    2.0, 3.0]
  [experiment.run.stages_s]
  compute = 1
[[experiment]]
  [[experiment.run]]
  devices = 2
  [[experiment.run]]
  devices = 3
'''


@pytest.mark.parametrize(
    ("path", "line"),
    [
        (("title",), 1),
        (("quoted key",), 2),
        (("machine",), 3),
        (("machine", "domains", 0, "devices"), 5),
        (("machine", "domains", 1), 7),
        (("machine", "note"), 9),
        (("machine", "literal"), 12),
        (("experiment",), 15),
        (("experiment", 0), 15),
        (("experiment", 0, "work"), 16),
        (("experiment", 0, "work", "of"), 17),
        (("experiment", 0, "when"), 18),
        (("experiment", 0, "run", 0, "times_s", 0), 21),
        (("experiment", 0, "run", 0, "times_s", 2), 22),
        (("experiment", 0, "run", 0, "stages_s", "compute"), 24),
        (("experiment", 1, "run", 1, "devices"), 29),
    ],
    ids=str,
)
@pytest.mark.parametrize("end", ["\n", "\r\n"], ids=["LF", "CRLF"])
def test_lines_of_a_document(path: Path, line: int, end: str) -> None:
    assert Layout(DOCUMENT.replace("\n", end)).line(path) == line


@pytest.mark.parametrize(
    ("path", "line"),
    [
        (("experiment", 1, "run", 0, "times_s"), 26),
        (("experiment", 1, "family"), 25),
        (("experiment", 7), 15),
        (("machine", "domains", 9, "name"), 4),
        (("format",), 1),
        ((), 1),
    ],
    ids=str,
)
def test_what_is_missing_is_looked_for_in_what_is_around_it(path: Path, line: int) -> None:
    assert Layout(DOCUMENT).line(path) == line


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('a = """x"""""', '"""x"""""'),
        ("a = '''x''''", "'''x''''"),
        ('a = "\\"" # "', '"\\""'),
        ("a = ['#', \"]\"] # ]", "['#', \"]\"]"),
        ("a = [[1, [2]], { b = [3] }]", "[[1, [2]], { b = [3] }]"),
        ("a = 1979-05-27 07:32:00Z# x", "1979-05-27 07:32:00Z"),
        ("a = 1979-05-27 # x", "1979-05-27"),
        ("a=-inf", "-inf"),
        ("a = {}", "{}"),
        ("a = [\n]", "[\n]"),
    ],
)
def test_extent_of_a_value(text: str, value: str) -> None:
    loads(text)
    spot = Layout(text).find(("a",))
    assert spot is not None
    assert text[spot.value : spot.end] == value
