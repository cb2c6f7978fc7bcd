"""What a person says of a file, one thing after the other, and what the readers make of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.importers.logs import read
from tui.importers import answers, log_steps, megatron, registry
from tui.importers.imported import Choice, Column, Mapped, Options, Source
from tui.model.study import Run

COLUMNS = (Column(1, "cores"), Column(2, "wall time"), Column(3, "x"), Column(4, "x"), Column(5, "64"))


def test_an_answer_stands_over_what_was_said_of_the_same_column() -> None:
    options = answers.answered(Options(), Choice("", "--map 'time=wall time:ms'"))
    options = answers.answered(options, Choice("", "--family weak"))
    assert options == Options((Mapped("time", "wall time", "ms"),), family="weak")
    options = answers.answered(options, Choice("", "--map 'time=wall time:ns'"))
    assert options.mapping == (Mapped("time", "wall time", "ns"),)
    assert answers.mapped(options, "decimal=comma").decimal == "comma"


def test_a_number_of_all_runs_takes_the_place_of_the_one_before() -> None:
    options = answers.mapped(answers.mapped(Options(), "devices=8"), "dp=4")
    assert answers.mapped(options, "devices=16").mapping == (Mapped("dp", "4"), Mapped("devices", "16"))


@pytest.mark.parametrize(("place", "name"), [(1, "wall time"), (2, "#3"), (3, "#4"), (4, "#5")])
def test_a_column_is_named_so_that_no_other_is_meant(place: int, name: str) -> None:
    options = answers.with_column(Options(), COLUMNS, place, "time", "ms")
    assert options.mapping == (Mapped("time", name, "ms"),)
    assert answers.with_column(options, COLUMNS, place, "ignore").mapping == (Mapped("ignore", name),)
    assert answers.without_column(options, COLUMNS[place]).mapping == ()


def test_a_window_needs_its_bounds_in_order_and_a_reason() -> None:
    options = answers.with_window(Options(), " 100:400   after the  warm-up ")
    assert (options.window, options.window_reason) == ((100, 400), "after the warm-up")
    assert answers.with_window(options, " ") == Options()
    for text, sentence in {
        "100:400": "needs its reason",
        "400:100 x": "first iteration is after its last",
        "100 x": "expected the first and the last iteration",
        "1e3:2e3 x": "expected the first and the last iteration",
    }.items():
        with pytest.raises(ValueError, match=sentence):
            answers.with_window(Options(), text)


@pytest.mark.parametrize(
    ("sentence", "plain"),
    [
        ("x.out does not say how many: add --map devices=N", "x.out does not say how many"),
        ("print NTasks, NNodes or AllocTRES, or add --map devices=N", "print NTasks, NNodes or AllocTRES"),
        ("taken for weak scaling: its title (--family says otherwise)", "taken for weak scaling: its title"),
        ("the unit (of time) is not written", "the unit (of time) is not written"),
    ],
)
def test_options_of_the_command_line_are_left_out_on_the_screen(sentence: str, plain: str) -> None:
    assert answers.plain(sentence) == plain


def test_the_step_row_of_a_log_says_what_counts_and_joins_neighbours() -> None:
    text = "".join(
        f" iteration {n}/ 5000 | elapsed time per iteration (ms): {2000.0 if n == 1 else 500.0} |"
        f" global batch size: 8 | number of skipped iterations: {int(n == 700)} |\n"
        for n in range(1, 1001)
    )
    (row,) = read(megatron, text, family="strong").step_rows
    assert (row.first, row.last, row.each, len(row.times_s)) == (1, 1000, 5, 200)
    assert row.times_s[0] == pytest.approx((2.0 + 4 * 0.5) / 5)
    assert row.times_s[1] == 0.5
    assert {place: mark for place, mark in enumerate(row.marks) if mark} == {0: "warm-up", 139: "skipped"}
    assert len(row.times_s) <= log_steps._DRAWN
    (windowed,) = read(megatron, text, window=(501, 1000)).step_rows
    assert [mark for mark in windowed.marks[:100]] == ["window"] * 100
    assert windowed.marks[100] == ""


def test_parts_become_experiments_called_after_the_file() -> None:
    found = registry.read(Source(Path("runs.csv"), b"algo,cores,time_s\na,1,9\na,2,5\nb,1,8\nb,2,4\n"))
    names = [each.name for each in found.experiments()]
    assert names == [f"runs, {part.name}" for part in found.parts]
    assert [each.name for each in found.experiments("mine")] == [f"mine, {part.name}" for part in found.parts]
    assert found.experiments()[0].run[0] == Run(1, (9.0,), label=found.runs[0].label)
