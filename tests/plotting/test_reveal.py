"""The animation: a frame is a function of the progress, ends in `after`, and changes few cells."""

from __future__ import annotations

from functools import cache
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.plotting.scenes import CAP, THIRD, VIEWS, played
from tests.plotting.test_geometry import is_braille
from tui.plotting.compose import draw
from tui.plotting.reveal import POINT, Reveal, changed
from tui.plotting.roofline import after, before, motion


@cache
def pictures(scene, view, width, height):
    return tuple(draw(side(scene, view), width, height) for side in (before, after))


def reveal(scene, view, width=80, height=13) -> Reveal:
    return Reveal(*pictures(scene, view, width, height), motion(scene, view))


def point(picture) -> tuple[int, int] | None:
    cells = ((row, x) for row in range(picture.height) for x in range(picture.width))
    found = [(row, x) for row, x in cells if picture.rows[row][x] == POINT]
    assert len(found) <= 1
    return found[0] if found else None


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("bandwidth", [50.0, 200.0, 5000.0])
def test_the_last_frame_is_the_picture_after(view, bandwidth):
    shown = reveal(played(8.0, bandwidth, 1600.0), view)
    assert shown.frame(1.0) is shown.after
    assert shown.frame(7.0) is shown.after


@given(st.lists(st.floats(0, 1), max_size=6))
def test_a_frame_depends_on_its_progress_only(steps):
    shown, fresh = reveal(THIRD, "response"), reveal(THIRD, "response")
    for progress in steps:
        shown.frame(progress)
    assert shown.frame(0.4) == fresh.frame(0.4)


def test_in_the_response_view_the_point_runs_on_the_curve_at_the_reveal():
    shown = reveal(THIRD, "response")
    geometry = shown.after.geometry
    for step in range(100):
        progress = step / 100
        frame = shown.frame(progress)
        row, column = point(frame)
        # Where a position lies on a cell's edge, rounding decides; either side is right.
        beside = [200.0 * progress * (1 + tiny) for tiny in (-1e-9, 1e-9)]
        assert (row, column) in [geometry.cell(b, min(CAP, 8.0 * b)) for b in beside]
        curve = {x for cells in frame.rows for x, cell in enumerate(cells) if cell[1] in ("curve", "ghost")}
        assert all(x <= column for x in curve)


def test_in_the_roof_view_the_point_climbs_its_line_to_its_row():
    shown = reveal(THIRD, "roof")
    geometry = shown.after.geometry
    cells = [point(shown.frame(step / 200)) for step in range(200)]
    assert {column for _, column in cells} == {geometry.column(8.0)}
    rows = [row for row, _ in cells]
    assert rows == sorted(rows, reverse=True)
    assert rows[0] == geometry.rows - 1
    assert rows[-1] in (geometry.row(CAP), geometry.row(CAP) + 1)


@pytest.mark.parametrize("view", VIEWS)
def test_no_word_or_mark_of_the_result_shows_before_the_last_frame(view):
    shown = reveal(THIRD, view)
    told = {"mark", "flag", "result"}
    for step in range(100):
        assert not told & {style for row in shown.frame(step / 100).rows for _, style in row}
    assert told & {style for row in shown.frame(1.0).rows for _, style in row}


@pytest.mark.parametrize("view", VIEWS)
@given(progress=st.floats(0, 1, exclude_max=True))
def test_what_stood_there_before_play_stays_whole(view, progress):
    shown = reveal(THIRD, view)
    frame = shown.frame(progress)
    for row, start, end in shown.before.spans:
        for x in range(start, end):
            assert frame.rows[row][x] in (shown.before.rows[row][x], POINT)


@pytest.mark.parametrize("bandwidth", [1e-9, 300.0])
def test_a_point_outside_the_roof_frame_is_not_drawn(bandwidth):
    shown = reveal(played(1e6, bandwidth), "roof")
    assert all(point(shown.frame(step / 10)) is None for step in range(10))


@pytest.mark.parametrize("view", VIEWS)
def test_changed_covers_every_differing_cell_once_a_row(view):
    shown = reveal(THIRD, view)
    frames = [shown.before, *(shown.frame(step / 20) for step in range(21))]
    regions_of_play = 0
    for old, new in pairwise(frames):
        regions = changed(old, new)
        regions_of_play += len(regions)
        assert len({row for row, _, _ in regions}) == len(regions)
        patched = [list(row) for row in old.rows]
        for row, start, end in regions:
            assert old.rows[row][start] != new.rows[row][start]
            assert old.rows[row][end - 1] != new.rows[row][end - 1]
            patched[row][start:end] = new.rows[row][start:end]
        assert tuple(map(tuple, patched)) == new.rows
        assert changed(new, new) == []
    assert regions_of_play <= 50


def test_a_resize_while_playing_gives_the_same_progress_in_the_new_size():
    large, small = reveal(THIRD, "response", 200, 60), reveal(THIRD, "response", 50, 15)
    assert large.frame(0.5).width == 200
    assert point(small.frame(0.5)) == small.after.geometry.cell(100.0, 800.0)
    assert changed(large.frame(0.5), small.frame(0.5)) == [(row, 0, 50) for row in range(15)]


def test_pictures_that_do_not_line_up_are_refused():
    one, other = draw(before(THIRD, "roof"), 80, 13), draw(after(THIRD, "response"), 80, 13)
    with pytest.raises(ValueError, match="one size and one frame"):
        Reveal(one, other, motion(THIRD, "roof"))
    with pytest.raises(ValueError, match="one size and one frame"):
        Reveal(one, draw(after(THIRD, "roof"), 81, 13), motion(THIRD, "roof"))


def test_tiny_pictures_play_without_an_error():
    for width in (0, 1, 2, 3, 8):
        for height in (0, 1, 2, 3, 5):
            shown = reveal(THIRD, "response", width, height)
            assert shown.frame(0.5).height == height


def test_the_curve_is_whole_under_the_words_while_it_is_played():
    frame = reveal(THIRD, "response").frame(0.999)
    row = frame.geometry.row(CAP)
    column = point(frame)[1]
    knee = frame.geometry.column(125.0)
    assert all(is_braille(character) for character, _ in frame.rows[row][knee:column])
