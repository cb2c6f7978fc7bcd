"""An edit changes what differs and nothing else, in whatever way a person laid the file out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.files.studies import Scribe, neighbours, runs, studies
from tui.files import study as files
from tui.files.edit import edited, same
from tui.files.toml import loads
from tui.model import study as model


@st.composite
def written(draw: Callable[..., Any]) -> tuple[files.Document, list[str]]:
    """A study in a random layout, and the remarks in it."""
    study = draw(studies())
    scribe = Scribe(draw)
    text = scribe.document(files._encoded(study, {}))
    mark = draw(st.sampled_from(["", "\ufeff"]))
    text = text.replace("\n", draw(st.sampled_from(["\n", "\r\n"])))
    return files.Document(study, (mark + text).encode()), scribe.remarks


@settings(max_examples=20, deadline=None)
@given(st.data())
def test_every_change_of_every_layout_reads_back(data: st.DataObject) -> None:
    document, _ = data.draw(written())
    assert files.parse(document.data).study == document.study
    new = data.draw(neighbours(document.study))
    assert files.parse(files.changed(document, new).data).study == new


@settings(max_examples=12, deadline=None)
@given(st.data())
def test_remarks_outlive_every_change_that_removes_no_table(data: st.DataObject) -> None:
    document, remarks = data.draw(written())
    experiments = [
        replace(each, run=(*each.run, data.draw(runs)), baseline=None) for each in document.study.experiment
    ]
    new = model.Study(title="another", machine=document.study.machine, experiment=tuple(experiments))
    lines = files.changed(document, new).data.decode()
    before = document.data.decode()
    in_order = sorted(remarks, key=before.index)
    assert [remark for remark in in_order if remark not in lines] == []
    assert in_order == sorted(remarks, key=lines.index)


@settings(max_examples=12, deadline=None)
@given(st.data())
def test_no_change_changes_no_byte(data: st.DataObject) -> None:
    document, _ = data.draw(written())
    unchanged = files.changed(document, replace(document.study)).data
    assert unchanged.rstrip(b"\r\n") == document.data.rstrip(b"\r\n")


@settings(max_examples=12, deadline=None)
@given(studies())
def test_a_fresh_file_reads_back(study: model.Study) -> None:
    assert files.parse(files.fresh(study).data).study == study


BLOCKS = frozenset({"run", "machine"})


def assert_edited(before: str, change: Callable[[dict[str, Any]], None], after: str) -> None:
    """Edit `before` by `change` of its values and expect exactly `after`."""
    old, new = loads(before), loads(before)
    change(new)
    text = edited(before, old, new, BLOCKS)
    assert text == after
    assert same(loads(text), new)


def put(*path: Any, to: Any) -> Callable[[dict[str, Any]], None]:
    def change(values: Any) -> None:
        for step in path[:-1]:
            values = values[step]
        values[path[-1]] = to

    return change


def drop(*path: Any) -> Callable[[dict[str, Any]], None]:
    def change(values: Any) -> None:
        for step in path[:-1]:
            values = values[step]
        del values[path[-1]]

    return change


def add(*path: Any, element: Any) -> Callable[[dict[str, Any]], None]:
    def change(values: Any) -> None:
        for step in path:
            values = values[step]
        values.append(element)

    return change


CASES = {
    "a value where it stands": (
        "a = 1   # one\nb = 989e12\n",
        put("a", to=2),
        "a = 2   # one\nb = 989e12\n",
    ),
    "a new key below the one it follows": (
        "[machine]\n  # first\n  name = 'x'\n\n[other]\n",
        put("machine", "price", to=2.4),
        "[machine]\n  # first\n  name = 'x'\n  price = 2.4\n\n[other]\n",
    ),
    "a key goes, its remark stays": ("a = 1\nb = 2  # why\nc = 3\n", drop("b"), "a = 1\n# why\nc = 3\n"),
    "a key and its line go": ("a = 1\nb = [\n 1,\n]\nc = 3\n", drop("b"), "a = 1\nc = 3\n"),
    "true is not 1": ("a = 1\n", put("a", to=True), "a = true\n"),
    "no newline at the end": ("a = 1", put("b", to=2), "a = 1\nb = 2\n"),
    "an inline table": (
        "w = { amount = 4e6, of = 'x' } # w\n",
        put("w", "of", to="y"),
        'w = { amount = 4e6, of = "y" } # w\n',
    ),
    "a key more in an inline table": (
        "w = {amount = 4_000}\n",
        put("w", "of", to="y"),
        'w = {amount = 4_000, of = "y"}\n',
    ),
    "a dotted table": (
        "w.amount = 1 # a\nw . of = 'x'\nz = 1\n",
        put("w", "lengths", to=5),
        "w.amount = 1 # a\nw . of = 'x'\nw.lengths = 5\nz = 1\n",
    ),
    "a table that is only named in its parts": (
        "[m.d]\nx = 1\n",
        put("m", "name", to="y"),
        '[m]\nname = "y"\n\n[m.d]\nx = 1\n',
    ),
    "one more in a short array": (
        "t = [40.2, 40.5] # s\n",
        add("t", element=40.1),
        "t = [40.2, 40.5, 40.1] # s\n",
    ),
    "one more in a tall array": (
        "t = [\n  40.2, # cold\n  40.5, # warm\n]\n",
        add("t", element=40.1),
        "t = [\n  40.2, # cold\n  40.5, # warm\n  40.1,\n]\n",
    ),
    "one more in a tall array without a last comma": (
        "t = [\n  40.2, # cold\n  40.5 # warm\n]\n",
        add("t", element=40.1),
        "t = [\n  40.2, # cold\n  40.5, # warm\n  40.1,\n]\n",
    ),
    "one less in a tall array": (
        "t = [\n  40.2, # cold\n  40.5, # warm\n  40.1, # third\n]\n",
        drop("t", 1),
        "t = [\n  40.2, # cold\n  40.1, # third\n]\n",
    ),
    "the last one less": ("t = [1, 2, 3]\n", drop("t", 2), "t = [1, 2]\n"),
    "none left": ("t = [\n 1, # x\n]\n", drop("t", 0), "t = []\n"),
    "a run more, in the style of its neighbours": (
        "[[e]]\nn = 1\n\n  [[e.run]]\n  d = 1\n  # d = 2 crashed\n\n# about the next\n[[e]]\nn = 2\n",
        add("e", 0, "run", element={"d": 3}),
        "[[e]]\nn = 1\n\n  [[e.run]]\n  d = 1\n  # d = 2 crashed\n\n  [[e.run]]\n  d = 3\n"
        "\n# about the next\n[[e]]\nn = 2\n",
    ),
    "a run more where another table comes between": (
        "[[e]]\n[[e.run]]\nd = 1\n[[e.p]]\nx = 1\n[[e.run]]\nd = 2\n[[e.p]]\nx = 2\n",
        add("e", 0, "run", element={"d": 3}),
        "[[e]]\n[[e.run]]\nd = 1\n[[e.p]]\nx = 1\n[[e.run]]\nd = 2\n\n[[e.run]]\nd = 3\n[[e.p]]\nx = 2\n",
    ),
    "the first run": (
        "[[e]]\nn = 1\n[e.w]\na = 1\n[[e]]\nn = 2\n",
        put("e", 0, "run", to=[{"d": 3}]),
        "[[e]]\nn = 1\n[e.w]\na = 1\n\n  [[e.run]]\n  d = 3\n[[e]]\nn = 2\n",
    ),
    "a run less": (
        "[[run]]\nd = 1\n\n# two\n[[run]]\nd = 2\n[run.s]\nx = 1\n\n[[run]]\nd = 3\n",
        drop("run", 1),
        "[[run]]\nd = 1\n\n# two\n\n[[run]]\nd = 3\n",
    ),
    "the first machine": (
        "# head\ntitle = 'x'\n# about the title\n\n# about runs\n[[run]]\nd = 1\n",
        put("machine", to={"name": "y"}),
        "# head\ntitle = 'x'\n# about the title\n\n[machine]\nname = \"y\"\n\n# about runs\n[[run]]\nd = 1\n",
    ),
    "a table turns into a number": (
        "[r]\nd = 1\nw.a = 1\nw.b = 2\n",
        put("r", "w", to=5),
        "[r]\nd = 1\nw = 5\n",
    ),
    "a number turns into a table": ("r = 1\n", put("r", to={"a": 1}), "r = { a = 1 }\n"),
}


@pytest.mark.parametrize(("before", "change", "after"), CASES.values(), ids=CASES)
def test_edits(before: str, change: Callable[[dict[str, Any]], None], after: str) -> None:
    assert_edited(before, change, after)


def test_a_value_spelt_out_at_its_default_is_changed_in_place() -> None:
    """`old` leaves defaults out, the text may not."""
    assert (
        edited('note = "" # x\nd = 1\n', {"d": 1}, {"note": "y", "d": 1}, BLOCKS) == 'note = "y" # x\nd = 1\n'
    )
    assert (
        edited("run = []\nd = 1\n", {"d": 1}, {"d": 1, "run": [{"d": 2}]}, BLOCKS)
        == "d = 1\n\n[[run]]\nd = 2\n"
    )


def test_mixed_line_ends_stay_mixed() -> None:
    before = "a = 1 # x\r\nb = 2\nt = [\r\n  1,\r\n]\r\n"
    new = {"a": 3, "t": [1, 2]}
    after = edited(before, {"a": 1, "b": 2, "t": [1]}, new, BLOCKS)
    assert loads(after) == new
    assert after.startswith("a = 3 # x\r\nt = [\r\n  1,\r\n")
