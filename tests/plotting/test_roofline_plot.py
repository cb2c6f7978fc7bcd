"""The lab's two views: fixed frames, nothing told before Play, every role its own shape."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.plotting import goldens
from tests.plotting.scenes import CANVASES, CAP, THIRD, TRIALS, VIEWS, picture_size, played
from tests.plotting.test_geometry import is_braille
from tui.plotting.compose import draw
from tui.plotting.roofline import PlottedTrial, Scene, after, before, motion
from tui.plotting.spec import Axis

FIRST = Scene(CAP, 8.0, 50.0, 400.0, "400", (), TRIALS[0])
SECOND = Scene(CAP, 8.0, 100.0, 800.0, None, TRIALS[:1], TRIALS[1])


def role(picture, x: float, y: float) -> tuple[str, str]:
    row, column = picture.geometry.cell(x, y)
    return picture.rows[row][column]


@pytest.mark.parametrize(
    ("scene", "view", "size", "golden"),
    [
        (FIRST, "response", (80, 13), goldens.FIRST_80),
        (SECOND, "response", (80, 13), goldens.SECOND_80),
        (THIRD, "response", (80, 13), goldens.THIRD_80),
        (FIRST, "response", (60, 10), goldens.FIRST_60),
        (SECOND, "response", (60, 10), goldens.SECOND_60),
        (THIRD, "response", (60, 10), goldens.THIRD_60),
        (THIRD, "roof", (80, 13), goldens.ROOF_80),
    ],
    ids=["first-80", "second-80", "third-80", "first-60", "second-60", "third-60", "roof-80"],
)
def test_the_trials_of_the_lesson(scene, view, size, golden):
    assert draw(after(scene, view), *size).text() == golden


@pytest.mark.parametrize("size", [(40, 6), (41, 7), (55, 8), (75, 11), (150, 40), (200, 60)], ids=str)
def test_every_role_has_its_own_shape_in_the_response_view(size):
    spec = after(THIRD, "response")
    picture = draw(spec, *picture_size(spec, size))
    assert role(picture, 50, 400) == ("1", "dim")
    assert role(picture, 100, 800) == ("2", "dim")
    assert role(picture, 200, 1000) == ("3", "mark")
    assert role(picture, 200, 1600) == ("?", "prediction")
    assert role(picture, 0, 1000) == ("╌", "cap")
    shapes = {style: {c for row in picture.ink for c, s in row if s == style} for style in ("curve", "ghost")}
    assert all((ord(character) - 0x2800).bit_count() == 1 for character in shapes["ghost"])
    assert max((ord(character) - 0x2800).bit_count() for character in shapes["curve"]) == 2
    solid = {x for row in picture.ink for x, (_, style) in enumerate(row) if style == "curve"}
    assert solid == set(range(picture.geometry.left, picture.width))
    assert "COMPUTE CAP 1000" in picture.text()
    assert "you: 1600 = I·B" in picture.text()
    assert picture.unplaced == ()


def test_results_are_labelled_after_play_and_only_then():
    labels = [tick.label for tick in after(THIRD, "response").y.ticks]
    assert labels == ["1000", "0", "1600", "1000", "800", "400"]
    assert [tick.label for tick in before(THIRD, "response").y.ticks] == ["1000", "0", "1600"]


@pytest.mark.parametrize("view", VIEWS)
@given(
    intensity=st.floats(0.01, 1e4),
    bandwidth=st.floats(0.01, 1e5),
    prediction=st.one_of(st.none(), st.floats(0, 1e6)),
)
def test_before_play_the_plot_does_not_depend_on_what_comes_out(view, intensity, bandwidth, prediction):
    """Only the prediction mark knows B, or in the roof view I: without it both plots are the frame's."""
    scene = Scene(CAP, intensity, bandwidth, prediction, "x = I·B")
    spec = before(scene, view)
    frame = before(Scene(CAP, intensity), view)
    assert (spec.x, spec.y, spec.curves, spec.levels) == (frame.x, frame.y, frame.curves, frame.levels)
    assert [mark.glyph for mark in spec.marks] == ([] if prediction is None else ["?"])
    assert not any("I·B" in mark.label for mark in spec.marks)
    assert not any(level.label for level in spec.levels)


@pytest.mark.parametrize(
    ("intensity", "bandwidth", "flag"),
    [(8.0, 50.0, False), (8.0, 125.0, False), (8.0, 125.1, True), (8.0, 200.0, True), (0.1, 1e5, True)],
)
@pytest.mark.parametrize("view", VIEWS)
def test_the_flag_is_raised_where_the_cap_binds(view, intensity, bandwidth, flag):
    text = draw(after(played(intensity, bandwidth), view), 80, 13).text()
    assert ("COMPUTE CAP 1000" in text) is flag


def test_the_ghost_ends_at_this_bandwidth_with_its_value():
    assert "I·B 1200" in draw(after(played(8.0, 150.0), "response"), 80, 13).text()


def test_a_ghost_that_leaves_the_frame_is_named_without_a_value():
    text = draw(after(played(8.0, 5000.0), "response"), 80, 13).text()
    assert "I·B" in text
    assert "40000" not in text
    assert "trial 1: B 5000 → right of the frame" in text


@pytest.mark.parametrize(
    ("intensity", "bandwidth", "view", "said"),
    [
        (8.0, 5000.0, "response", "trial 1: B 5000 → right of the frame, v: see the roof"),
        (5000.0, 0.1, "roof", "trial 1: I 5000 → right of the frame, v: see the response"),
        (0.5, 0.2, "roof", "trial 1: 0.1 ↓ below the frame, v: see the response"),
    ],
)
def test_a_trial_outside_one_view_is_shown_the_way_to_the_other(intensity, bandwidth, view, said):
    assert said in draw(after(played(intensity, bandwidth), view), 80, 13).text()


@pytest.mark.parametrize("view", VIEWS)
def test_no_way_is_shown_to_a_view_that_has_no_place_either(view):
    text = draw(after(played(1e5, 1.0), view), 80, 13).text()
    assert "right of the frame" in text
    assert "v: see" not in text
    other = Scene(CAP, 2.0, 50.0, earlier=(PlottedTrial(1, 5000.0, 0.1, 500.0),))
    assert "v: see" not in draw(before(other, "roof"), 80, 13).text()


def test_trials_that_share_a_place_on_the_roof_have_their_rates_beside_them():
    small = draw(after(THIRD, "roof"), 60, 8)
    assert "1,2,3" in small.text()
    assert "1: 400, 2: 800, 3: 1000" in small.text()
    assert "1: 400" not in draw(after(THIRD, "roof"), 80, 13).text()
    again = Scene(CAP, 8.0, 100.0, earlier=TRIALS[1:2], current=PlottedTrial(3, 8.0, 100.0, 800.0))
    equal = draw(after(again, "roof"), 60, 8).text()
    assert "2,3" in equal
    assert "2: 800" not in equal


def test_rates_with_no_room_are_reported():
    narrow = draw(after(THIRD, "roof"), 26, 6)
    assert "1: 400, 2: 800, 3: 1000" in narrow.unplaced


def test_an_i_times_b_in_the_prediction_is_not_said_twice():
    assert draw(after(THIRD, "response"), 80, 13).text().count("I·B") == 1


def test_trials_of_another_intensity_stay_out_of_the_response_view():
    scene = Scene(CAP, 8.0, 200.0, earlier=(PlottedTrial(1, 4.0, 50.0, 200.0), TRIALS[1]))
    assert [mark.glyph for mark in before(scene, "response").marks] == ["2"]
    assert [mark.glyph for mark in before(scene, "roof").marks] == ["1", "2"]


def test_without_an_intensity_the_frame_has_a_cap_and_no_bandwidths():
    picture = draw(before(Scene(CAP), "response"), 80, 13)
    assert "┬" not in picture.text()
    assert picture.text().count("╌") == 62
    assert picture.text().split()[-1] == "GB/s"


def test_the_roof_frame_is_the_same_for_every_intensity():
    frames = {before(Scene(CAP, i, 50.0), "roof").x for i in (0.1, 8.0, 1000.0, 1e12)}
    assert frames == {before(Scene(CAP), "roof").x}
    spec = after(played(0.1, 500.0), "roof")
    assert (spec.x.low, spec.x.high, spec.y.low, spec.y.high) == (0.1, 1000.0, 10.0, 10000.0)
    columns = {i: draw(after(played(i, 500.0), "roof"), 80, 13).geometry.column(i) for i in (0.1, 1000.0)}
    assert columns == {0.1: 6, 1000.0: 79}


@pytest.mark.parametrize("cap", [1e-6, 5.6e-12, 0.05, 999.0, 1000.0, 5000.0, 9999.0, 1e9, 989e12])
def test_the_roof_frame_is_whole_decades_with_room_above_any_cap(cap):
    _, y = before(Scene(cap), "roof").x, before(Scene(cap), "roof").y
    low, high = math.log10(y.low), math.log10(y.high)
    assert (low, high) == (pytest.approx(round(low)), pytest.approx(round(high)))
    assert 0.5 - 1e-9 <= high - math.log10(cap) <= 1.5 + 1e-9
    draw(before(Scene(cap), "roof"), 80, 13)
    draw(before(Scene(cap, 8.0), "response"), 80, 13)


@pytest.mark.parametrize("size", CANVASES, ids=str)
def test_the_roof_reaches_the_right_edge_at_the_cap(size):
    for ridge in (0.2, 5.0, 400.0):
        spec = after(played(1.0, CAP / ridge), "roof")
        picture = draw(spec, *picture_size(spec, size))
        row = picture.geometry.row(CAP)
        assert is_braille(picture.ink[row][-1][0]), ridge


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize(
    ("intensity", "bandwidth"),
    [(3.66e-8, 50.0), (1e12, 50.0), (1e-300, 1e-300), (1e300, 1e3), (5e-324, 1.0), (8.0, 1e-9), (8.0, 1e300)],
)
def test_extreme_trials_are_drawn_or_named_at_the_edge(view, intensity, bandwidth):
    scene = played(intensity, bandwidth, 1e5)
    spec = after(scene, view)
    picture = draw(spec, 80, 13)
    for mark in spec.marks:
        cell = picture.geometry.cell(mark.x, mark.y)
        if cell is None:
            assert f"{mark.name or mark.label} " in picture.text()
        else:
            assert picture.rows[cell[0]][cell[1]][0] in "?1"
    assert "frame" in picture.text()
    draw(before(scene, view), 80, 13)
    motion(scene, view)


@given(st.floats(1e-12, 1e12), st.floats(1e-12, 1e12), st.floats(0, 1e12), st.sampled_from(VIEWS))
def test_any_trial_can_be_drawn(intensity, bandwidth, prediction, view):
    picture = draw(after(played(intensity, bandwidth, prediction), view), 60, 10, curves=False)
    assert (picture.width, picture.height) == (60, 10)


@pytest.mark.parametrize("field", ["cap", "intensity", "bandwidth"])
@pytest.mark.parametrize("value", [0.0, -1.0, math.inf, math.nan])
def test_a_scene_refuses_what_cannot_be_plotted(field, value):
    with pytest.raises(ValueError, match=f"{field}.*{value}"):
        Scene(**{"cap": CAP, "intensity": 8.0, "bandwidth": 50.0, field: value})


def test_a_scene_refuses_a_prediction_that_is_no_number():
    with pytest.raises(ValueError, match="prediction"):
        Scene(CAP, 8.0, 50.0, math.nan)
    with pytest.raises(ValueError, match="no current trial"):
        after(Scene(CAP, 8.0, 50.0), "roof")


@pytest.mark.parametrize("view", VIEWS)
def test_pressing_play_changes_nothing_before_the_first_frame(view):
    scene = Scene(CAP, 2.0, 50.0, 100.0, earlier=TRIALS)
    assert before(scene, view) == before(replace(scene, current=PlottedTrial(4, 2.0, 50.0, 100.0)), view)


def test_earlier_roofs_are_dotted_slopes_each_once():
    again = PlottedTrial(4, 2.0, 50.0, 100.0)
    scene = Scene(CAP, 8.0, 200.0, earlier=(*TRIALS[:2], again), current=TRIALS[2])
    spec = after(scene, "roof")
    assert [(curve.style, curve.dotted) for curve in spec.curves] == [("dim", True)] * 2 + [("curve", False)]
    assert [curve.xs[-1] for curve in spec.curves] == [20.0, 10.0, 1000.0]
    assert all(isinstance(axis, Axis) for axis in (spec.x, spec.y))


@given(
    st.floats(1e-12, 1e12),
    st.floats(1e-12, 1e12),
    st.floats(1e-12, 1e12),
    st.sampled_from(["response", "roof"]),
)
def test_play_never_moves_the_frame(intensity, bandwidth, prediction, view):
    trial = PlottedTrial(1, intensity, bandwidth, min(CAP, intensity * bandwidth))
    scene = Scene(CAP, intensity, bandwidth, prediction, current=trial)
    pictures = [draw(make(scene, view), 80, 13, curves=False) for make in (before, after)]
    assert pictures[0].geometry.lines_up_with(pictures[1].geometry)


@pytest.mark.parametrize("width", [60, 80, 110, 120])
def test_no_x_label_stands_under_the_tick_of_another(width):
    *_, axis, labels = draw(before(Scene(CAP), "roof"), width, 11).text().splitlines()
    ticks = [column for column, glyph in enumerate(axis) if glyph == "┬"]
    for label in labels.split()[:-1]:
        start = f"{labels} ".index(f" {label} ") + 1
        under = [at for at in ticks if start - 1 <= at <= start + len(label)]
        own = ticks[["0.1", "1", "10", "100", "1000"].index(label)]
        # The last label makes room for the unit; then it stands under no tick, never under another one's.
        assert under in ([own], []), label
        assert under or label == "1000"


def test_the_label_of_the_ghost_hides_no_curve():
    trial = PlottedTrial(1, 8.0, 126.0, 1000.0)
    scene = Scene(CAP, 8.0, 126.0, 900.0, "900", current=trial)
    bare = draw(after(Scene(CAP, 8.0, 126.0, None, "= I·B", current=trial), "response"), 80, 13)
    labelled = draw(after(scene, "response"), 80, 13)
    inked = sum(is_braille(character) for row in bare.rows for character, _ in row)
    assert sum(is_braille(character) for row in labelled.rows for character, _ in row) >= inked - 1
