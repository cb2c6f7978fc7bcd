"""Every tick, level, knee and dot sits in the cell the one mapping names."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.plotting.scenes import CANVASES, CAP, THIRD, VIEWS, third_size
from tui.plotting import canvas
from tui.plotting.compose import LEVEL, draw
from tui.plotting.geometry import Geometry, cell_of, snap
from tui.plotting.roofline import after, before
from tui.plotting.spec import Axis
from tui.plotting.strokes import Stroke

sizes = st.tuples(st.integers(40, 200), st.integers(6, 60))


def is_braille(character: str) -> bool:
    return 0x2800 < ord(character) < 0x2900


def rounded(axis: Axis, value: float, cells: int) -> int:
    """The mapping written down again: floor(v + ½) of the value's place between the ends."""
    if axis.scale == "linear":
        share = (value - axis.low) / (axis.high - axis.low)
    else:
        share = math.log(value / axis.low) / math.log(axis.high / axis.low)
    return math.floor(share * (cells - 1) + 0.5 - 1e-6)


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("size", CANVASES, ids=str)
def test_ticks_sit_where_the_mapping_says(size, view):
    spec = after(THIRD, view)
    picture = draw(spec, *third_size(view, size), curves=False)
    left = picture.geometry.left
    for tick in spec.x.ticks:
        column = left + rounded(spec.x, tick.value, size[0])
        assert picture.rows[size[1]][column] == ("┬", "axis"), tick
    for tick in spec.y.ticks:
        row = size[1] - 1 - rounded(spec.y, tick.value, size[1])
        assert picture.rows[row][left - 1] == ("┤", "axis"), tick
    ticked = sum(row[left - 1][0] == "┤" for row in picture.rows)
    assert ticked == len({rounded(spec.y, tick.value, size[1]) for tick in spec.y.ticks})


@pytest.mark.parametrize("view", VIEWS)
@given(size=sizes)
def test_the_cap_is_in_its_row_and_nowhere_else(view, size):
    spec = before(THIRD, view)
    picture = draw(spec, *third_size(view, size), curves=False)
    row = size[1] - 1 - rounded(spec.y, CAP, size[1])
    assert [at for at, cells in enumerate(picture.rows) if (LEVEL, "cap") in cells] == [row]


@pytest.mark.parametrize(("view", "bend"), [("response", 125.0), ("roof", 5.0)])
@pytest.mark.parametrize("size", CANVASES, ids=str)
def test_the_bend_holds_ink_and_nothing_rises_above_the_cap_beyond_it(size, view, bend):
    spec = after(THIRD, view)
    picture = draw(spec, *third_size(view, size))
    column = picture.geometry.left + rounded(spec.x, bend, size[0])
    row = size[1] - 1 - rounded(spec.y, CAP, size[1])
    character, style = picture.rows[row][column]
    assert is_braille(character)
    assert style == "curve"
    above = [(at, x) for at in range(row) for x, cell in enumerate(picture.ink[at]) if cell[1] == "curve"]
    assert above == []
    flat = picture.ink[row][column:]
    assert all(is_braille(character) and style == "curve" for character, style in flat)


@given(
    size=st.tuples(st.integers(2, 200), st.integers(2, 60)),
    across=st.one_of(st.floats(0, 1), st.integers(0, 1600).map(lambda n: n / 1600)),
    up=st.one_of(st.floats(0, 1), st.integers(0, 480).map(lambda n: n / 480)),
)
def test_plotext_inks_the_cell_the_mapping_names(size, across, up):
    columns, rows = size
    x, y = across * (columns - 1), up * (rows - 1)
    drawn = canvas.ink([Stroke(((snap(x), snap(y)),), joined=False, tag=7)], columns, rows)
    assert list(drawn) == [(rows - 1 - cell_of(y), cell_of(x))]
    ((character, tag),) = drawn.values()
    assert is_braille(character)
    assert tag == 7


@given(st.floats(0, 1000))
def test_snapping_moves_little_and_keeps_off_every_edge(cells):
    assert abs(snap(cells) - cells) <= 1 / 128 + 1e-12
    assert (snap(cells) * 8) % 1 not in (0.0, 0.5)


@pytest.mark.parametrize("rows", range(6, 61))
def test_the_three_trials_have_three_rows_and_1600_is_the_top_edge(rows):
    spec = before(THIRD, "response")
    geometry = Geometry.of(spec.x, spec.y, 80, rows + 2)
    assert geometry.rows == rows
    assert len({geometry.row(rate) for rate in (400.0, 800.0, 1000.0)}) == 3
    assert geometry.row(1600.0) == 0
    assert geometry.row(0.0) == rows - 1


def test_a_frame_is_refused_when_it_has_no_inside():
    for low, high, scale in ((1.0, 1.0, "linear"), (0.0, 10.0, "log10"), (0.0, math.inf, "linear")):
        with pytest.raises(ValueError, match="axis"):
            Axis(low, high, scale)


def test_values_outside_have_no_cell():
    x, y = Axis(0.1, 1000.0, "log10"), Axis(0.0, 1600.0)
    geometry = Geometry.of(x, y, 80, 13)
    assert geometry.column(0.0) is None
    assert geometry.column(0.0999) is None
    assert geometry.column(1000.0) == 79
    assert geometry.row(1600.0000001) == 0
    assert geometry.row(1601.0) is None
    assert geometry.position(0.0, 1.0) is None
