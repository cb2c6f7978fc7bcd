"""Marks, labels and names: joined, placed where there is room, never cut and never on a mark."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.plotting.scenes import THIRD, VIEWS
from tui.plotting.compose import draw
from tui.plotting.roofline import after
from tui.plotting.spec import STYLES, Axis, Bar, Boundary, Curve, Level, Mark, PlotSpec, Tick
from tui.plotting.ticks import round_ticks, short

TEN = Axis(0.0, 10.0)


def plot(*marks: Mark, width: int = 52, height: int = 13, **more: tuple[object, ...]):
    return draw(PlotSpec(TEN, TEN, marks=marks, **more), width, height, curves=False)


def lines(picture) -> list[str]:
    return picture.text().split("\n")


def test_marks_of_one_cell_are_joined():
    assert "2,3" in plot(Mark(5, 5, "2"), Mark(5.01, 5.01, "3")).text()


def test_numbers_side_by_side_are_joined_and_others_are_not():
    assert "1,2" in plot(Mark(5.0, 5, "1"), Mark(5.2, 5, "2")).text()
    assert "1 2" in plot(Mark(5.0, 5, "1"), Mark(5.4, 5, "2")).text()
    assert "oo" in plot(Mark(5.0, 5, "o"), Mark(5.2, 5, "o"), Mark(5.2, 5, "o")).text()


def test_joined_marks_at_the_right_edge_stay_inside():
    assert lines(plot(Mark(10, 10, "11"), Mark(10, 10, "12")))[0].endswith("11,12")


def test_more_marks_than_fit_are_elided_with_the_important_ones_kept_and_all_named():
    picture = plot(*(Mark(5, 5, str(number)) for number in range(1, 14)))
    assert "+,11,12,13"[:2] in picture.text()
    assert ",12,13" in picture.text()
    assert picture.unplaced == ("1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13 share one place",)


@pytest.mark.parametrize(
    ("x", "y", "name"),
    [
        (5, 40, "you: 40 ↑ above the frame"),
        (5, -4, "you: 40 ↓ below the frame"),
        (50, 5, "you: 40 → right of the frame"),
        (-5, 5, "you: 40 ← left of the frame"),
        (50, 40, "you: 40 →↑ outside the frame"),
        (1e300, 5, "you: 40 → right of the frame"),
    ],
)
def test_a_mark_outside_is_named_at_its_edge_and_not_drawn(x, y, name):
    picture = plot(Mark(x, y, "?", label="you: 40"))
    (row,) = (at for at, line in enumerate(lines(picture)) if name in line)
    assert "?" not in picture.text()
    if y > 10:
        assert row == 0
    if y < 0:
        assert row == picture.geometry.rows - 1
    if x > 10:
        assert lines(picture)[row].endswith(name)
    if x < 0:
        assert lines(picture)[row].startswith("│" + name)


def test_two_outsiders_of_one_edge_are_both_named():
    text = plot(Mark(50, 5, "1", name="trial 1"), Mark(60, 5, "2", name="trial 2")).text()
    assert "trial 1 → right of the frame" in text
    assert "trial 2 → right of the frame" in text


def test_a_name_with_no_room_is_shortened_at_a_word_and_then_reported():
    assert "you: 40 ↑" in plot(Mark(5, 40, "?", label="you: 40"), width=14).text()
    narrow = plot(Mark(5, 40, "?", label="you: 40"), width=6)
    assert "you" not in narrow.text()
    assert narrow.unplaced == ("you: 40 ↑ above the frame",)


@pytest.mark.parametrize(("x", "shown"), [(2, "? you: 40"), (10, "you: 40 ?")])
def test_a_label_stands_on_the_side_that_has_room(x, shown):
    assert shown in plot(Mark(x, 5, "?", label="you: 40")).text()


@given(
    st.lists(st.tuples(st.floats(0, 10), st.floats(0, 10), st.booleans()), max_size=12),
    st.integers(3, 90),
    st.integers(3, 30),
)
def test_labels_never_cover_a_mark_or_each_other(places, width, height):
    marks = [
        Mark(x, y, chr(ord("A") + n), label=f"label {n}" if labelled else "")
        for n, (x, y, labelled) in enumerate(places)
    ]
    picture = plot(*marks, width=width, height=height, levels=(Level(5.0, label="CAP"),))
    taken = [(row, x) for row, start, end in picture.spans for x in range(start, end)]
    assert len(taken) == len(set(taken))
    for mark in marks:
        cell = picture.geometry.cell(mark.x, mark.y)
        character = picture.rows[cell[0]][cell[1]][0]
        shared = [text for text in picture.unplaced if "share" in text and mark.glyph in text]
        assert character in "ABCDEFGHIJKL,+" or shared
        if mark.label:
            whole = any(mark.label in line for line in lines(picture))
            assert whole or mark.label in picture.unplaced


def test_overlapping_tick_labels_go_from_the_less_important():
    ticks = (Tick(0, "zero"), Tick(10, "ten"), Tick(5, "five"), Tick(5.2, "less"))
    axis = Axis(0.0, 10.0, ticks=ticks, unit="m")
    bottom = lines(draw(PlotSpec(axis, TEN), 40, 8, curves=False))[-1]
    assert bottom.split() == ["zero", "five", "ten", "m"]
    upright = Axis(0.0, 10.0, ticks=(Tick(5, "five"), Tick(4.9, "less")))
    text = draw(PlotSpec(TEN, upright), 40, 8, curves=False).text()
    assert "five┤" in text
    assert "less" not in text


def test_intervals_boundaries_and_levels_for_points_that_are_not_joined():
    counts = Axis(4.0, 128.0, "log2", tuple(Tick(2.0**n, str(2**n)) for n in range(2, 8)), "GPU")
    share = Axis(0.0, 1.2, ticks=(Tick(0.0, "0"), Tick(1.0, "1")), unit="E")
    spec = PlotSpec(
        counts,
        share,
        levels=(Level(1.0, label="ideal"),),
        boundaries=(Boundary(11.3, "leaf switch"),),
        bars=(Bar(16, 0.5, 0.9), Bar(64, -1.0, 0.6), Bar(100, 2.0, 3.0)),
        marks=(Mark(8, 1.0, "o"), Mark(16, 0.7, "o"), Mark(64, 0.4, "o")),
    )
    picture = draw(spec, 64, 15)
    geometry = picture.geometry

    def at(x: float, y: float) -> str:
        return picture.rows[geometry.row(y)][geometry.column(x)][0]

    assert (at(16, 0.9), at(16, 0.7), at(16, 0.5)) == ("┬", "o", "┴")
    assert (at(64, 0.6), at(64, 0.0)) == ("┬", "│")
    assert (at(8, 1.0), at(11.3, 0.3), at(40, 1.0)) == ("o", "┊", "╌")
    assert at(11.3, 1.2) == "┊"
    assert "┊ leaf switch" in picture.text()
    assert all(cell[1] != "bar" for row in picture.rows for cell in row[geometry.column(100) - 1 :])


def test_no_word_covers_the_bend_of_a_curve():
    bent = Curve((0.0, 5.0, 10.0), (5.0, 5.0, 5.0))
    cap = Level(5.0, label="as long as most of the line is")
    picture = draw(PlotSpec(TEN, TEN, curves=(bent,), levels=(cap,)), 40, 1)
    assert picture.unplaced == (cap.label,)
    assert cap.label in draw(PlotSpec(TEN, TEN, levels=(cap,)), 40, 1).text()


def test_dots_along_a_level_leave_its_line_as_it_is():
    dotted = Curve((0.0, 10.0), (5.0, 5.0), "dim", dotted=True)
    assert "╌" * 39 in draw(PlotSpec(TEN, TEN, curves=(dotted,), levels=(Level(5.0),)), 40, 12).text()


def test_a_curve_label_stands_at_its_visible_end():
    curve = Curve((0.0, 20.0), (0.0, 20.0), "ghost", dotted=True, label="I·B")
    assert lines(draw(PlotSpec(TEN, TEN, curves=(curve,)), 40, 12))[1].endswith("I·B")


@pytest.mark.parametrize("view", VIEWS)
def test_nothing_raises_from_one_cell_up(view):
    spec = after(THIRD, view)
    for width in (0, 1, 2, 3, 5, 9, 14, 15, 30):
        for height in (0, 1, 2, 3, 4, 5, 8):
            picture = draw(spec, width, height)
            assert len(picture.rows) == height
            assert all(len(row) == width for row in picture.rows)


@pytest.mark.parametrize("view", VIEWS)
def test_runs_are_the_row_and_every_style_is_listed(view):
    picture = draw(after(THIRD, view), 80, 13)
    for at, row in enumerate(picture.rows):
        runs = picture.runs(at)
        assert [(character, style) for text, style in runs for character in text] == list(row)
        assert all(left[1] != right[1] for left, right in pairwise(runs))
    assert {style for row in picture.rows for _, style in row} <= set(STYLES)


@pytest.mark.parametrize(
    ("value", "width", "text"),
    [
        (999.96, 9, "999.96"),
        (999.96, 4, "1000"),
        (1000.0, 9, "1000"),
        (1e6, 9, "1e6"),
        (3.66e-8, 9, "3.66e-8"),
        (0.1 + 0.2, 9, "0.3"),
        (1 / 3, 4, "0.33"),
        (333.3333, 4, "333"),
        (0.0, 9, "0"),
        (-2.5, 9, "-2.5"),
        (123456.7, 9, "123457"),
        (1e300, 9, "1e300"),
        (99999.99999, 9, "100000"),
    ],
)
def test_short_numbers(value, width, text):
    assert short(value, width) == text


@pytest.mark.parametrize("high", [200.0, 160.0, 533.3, 1600.0, 1.6e-9, 4.37e10, 1.0, 7.0, 1e-300, 1e300])
def test_round_ticks_are_few_start_at_zero_and_keep_inside(high):
    values = sorted(tick.value for tick in round_ticks(high))
    assert 3 <= len(values) <= 7
    assert values[0] == 0
    assert values[-1] <= high * (1 + 1e-9)
    assert values[1] * 1.0 == pytest.approx(values[2] - values[1])
    assert short(values[1]).strip("0.").rstrip("0.")[0] in "125"
