"""plotext as a canvas: tags, dots, the same picture every time, and what happens when it does not load."""

from __future__ import annotations

import resource
import sys
import time
from itertools import pairwise
from pathlib import Path

import pytest

from tests.plotting.scenes import THIRD, VIEWS, played
from tests.plotting.test_geometry import is_braille
from tui.plotting import canvas
from tui.plotting.compose import draw
from tui.plotting.geometry import Geometry
from tui.plotting.roofline import after
from tui.plotting.spec import Axis, Curve, PlotSpec
from tui.plotting.strokes import pieces, strokes

UNIT = Axis(0.0, 1.0)


def test_cells_carry_the_tag_of_their_stroke():
    geometry = Geometry.of(UNIT, UNIT, 61, 12)
    curves = tuple(Curve((0.0, 1.0), (level, level)) for level in (0.0, 0.5, 1.0))
    drawn = canvas.ink(strokes(curves, geometry), geometry.columns, geometry.rows)
    tags = {row: {tag for (at, _), (_, tag) in drawn.items() if at == row} for row, _ in drawn}
    assert tags == {9: {0}, 4: {1}, 0: {2}} or tags == {9: {0}, 5: {1}, 0: {2}}


@pytest.mark.parametrize("rise", [0.05, 0.3, 1.0], ids=["shallow", "middling", "steep"])
def test_a_dotted_curve_is_single_dots_with_blank_cells_between(rise):
    spec = PlotSpec(UNIT, UNIT, curves=(Curve((0.0, 1.0), (0.0, rise), dotted=True),))
    picture = draw(spec, 61, 12)
    dots = [
        (row, x, cell[0])
        for row, cells in enumerate(picture.rows)
        for x, cell in enumerate(cells)
        if is_braille(cell[0])
    ]
    assert len(dots) >= 25
    assert all((ord(character) - 0x2800).bit_count() == 1 for _, _, character in dots)
    columns = sorted(x for _, x, _ in dots)
    assert all(right - left >= 2 for left, right in pairwise(columns))


def test_a_solid_curve_has_no_gap():
    picture = draw(PlotSpec(UNIT, UNIT, curves=(Curve((0.0, 1.0), (0.0, 1.0)),)), 61, 12)
    inked = {x for cells in picture.rows for x, cell in enumerate(cells) if is_braille(cell[0])}
    assert inked == set(range(picture.geometry.left, 61))


def test_curves_are_cut_at_the_frame_and_leave_the_rest():
    geometry = Geometry.of(UNIT, UNIT, 41, 22)
    curve = Curve((-1e9, 0.5, 2.0, 2.0, 1e9), (0.5, 0.5, 2.0, -7.0, 0.5))
    (first,), (last_x, last_y) = pieces(curve, geometry), pieces(curve, geometry)[0][-1]
    assert first[0] == (0.0, pytest.approx(9.5))
    assert (last_x, last_y) == (pytest.approx(39.0), pytest.approx(19.0))
    assert pieces(Curve((2.0, 3.0), (0.5, 0.5)), geometry) == []


def test_a_point_at_zero_on_a_log_axis_ends_a_curve_without_an_error():
    log = Axis(0.1, 1000.0, "log10")
    geometry = Geometry.of(log, log, 41, 22)
    assert len(pieces(Curve((0.0, 1.0, 10.0), (0.0, 1.0, 10.0)), geometry)) == 1


@pytest.mark.parametrize("view", VIEWS)
def test_drawing_again_gives_the_same_picture_whatever_was_drawn_between(view):
    spec = after(THIRD, view)
    first = {size: draw(spec, *size) for size in ((80, 13), (200, 60), (50, 15))}
    for size in ((50, 15), (80, 13), (200, 60), (80, 13)):
        assert draw(spec, *size) == first[size]


def _resident_pages() -> int:
    statm = Path("/proc/self/statm")
    return int(statm.read_text().split()[1]) if statm.exists() else 0


def test_two_thousand_redraws_keep_time_and_memory_flat():
    spec = after(played(8.0, 50.0), "response")
    for _ in range(50):
        draw(spec, 45, 8)
    pages, spent = _resident_pages(), []
    for _ in range(2000):
        start = time.thread_time()
        draw(spec, 45, 8)
        spent.append(time.thread_time() - start)
    # The quick tenth of each: other work on the machine slows some, data that piled up would slow all.
    first, last = sorted(spent[:200])[20], sorted(spent[-200:])[20]
    assert last < 3 * first
    assert (_resident_pages() - pages) * resource.getpagesize() < 8 * 2**20


@pytest.fixture
def not_loaded(monkeypatch):
    monkeypatch.setattr(canvas, "_plotext", None)


def _broken_plotext(monkeypatch, folder, body):
    (folder / "plotext").mkdir()
    (folder / "plotext" / "__init__.py").write_text(body)
    monkeypatch.delitem(sys.modules, "plotext", raising=False)
    monkeypatch.syspath_prepend(str(folder))


@pytest.mark.parametrize(
    "body",
    [
        'raise ImportError("plotext cannot draw: its C++ part was not built.\\nInstall another version.")',
        'raise OSError("plotext cannot draw: its C++ part was not built")',
        'raise AttributeError("plotext cannot draw: its C++ part was not built")',
    ],
    ids=["import", "os", "symbol"],
)
def test_a_compiled_part_that_does_not_load_is_told_in_one_sentence(not_loaded, monkeypatch, tmp_path, body):
    _broken_plotext(monkeypatch, tmp_path, body)
    with pytest.raises(canvas.CanvasUnavailable) as caught:
        draw(after(THIRD, "response"), 80, 13)
    text = str(caught.value)
    assert text.endswith("its C++ part was not built.")
    assert "\n" not in text
    assert not canvas.loaded()


def test_without_curves_nothing_is_loaded_and_all_else_is_there(not_loaded):
    picture = draw(after(THIRD, "response"), 80, 13, curves=False)
    assert not canvas.loaded()
    assert "COMPUTE CAP 1000" in picture.text()
    assert not any(is_braille(character) for row in picture.rows for character, _ in row)
    canvas.load()
    assert canvas.loaded()
