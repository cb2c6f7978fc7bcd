"""A scaling table as plots: what is joined, what is not, where the boundaries stand, and what is covered."""

from __future__ import annotations

import math
from collections.abc import Set
from dataclasses import replace
from itertools import pairwise

import pytest

from tui.model import scaling
from tui.model.rows import Table
from tui.model.study import Domain, Experiment, Machine, Run
from tui.plotting import canvas
from tui.plotting.compose import draw
from tui.plotting.efficiency import VIEWS, in_words, plot
from tui.plotting.spec import PlotSpec

GEOMETRIES = [(40, 8), (78, 8), (120, 20)]


def table_of(*runs: Run, machine: Machine | None = None, family: str = "strong") -> Table:
    """The table of an experiment with these runs, in GPUs."""
    experiment = Experiment("strong", "x", counts="GPU", run=runs)
    if family == "weak":
        experiment = replace(experiment, family="weak")
    return scaling.table(experiment, machine or Machine())


def spec_of(table: Table, view: str = "efficiency", covered: Set[str] = frozenset()) -> PlotSpec:
    """A view of which there is something to see."""
    spec = plot(table, next(each for each in VIEWS if each == view), covered)
    assert spec is not None
    return spec


def measured(spec: PlotSpec) -> list[tuple[tuple[float, ...], tuple[float, ...]]]:
    """The curves through measured points."""
    return [(curve.xs, curve.ys) for curve in spec.curves if curve.style == "curve"]


FOUR = (Run(4, (96.0,)), Run(8, (50.0,)), Run(16, (27.2,)), Run(32, (16.0,)))


def test_points_of_one_domain_are_joined_and_stand_at_their_efficiency() -> None:
    spec = spec_of(table_of(*FOUR))
    ((xs, ys),) = measured(spec)
    assert xs == (4, 8, 16, 32)
    assert ys == pytest.approx((1.0, 0.96, 15 / 17, 0.75))
    assert [(mark.x, mark.y) for mark in spec.marks] == list(zip(xs, ys, strict=True))
    assert [level.y for level in spec.levels] == [1.0]


def test_two_counts_are_never_joined() -> None:
    table = table_of(*FOUR[:2])
    assert measured(spec_of(table)) == []
    assert len(spec_of(table).marks) == 2
    assert "not joined" in in_words(table, "efficiency")


def test_nothing_is_joined_across_a_boundary_that_stands_between_the_counts() -> None:
    machine = Machine(devices_per_node=8, domains=(Domain("node", 8), Domain("leaf", 128)))
    counts = (2, 4, 8, 16, 32, 64)
    spec = spec_of(table_of(*(Run(count, (100.0 / count,)) for count in counts), machine=machine))
    assert sorted(xs for xs, _ in measured(spec)) == [(2, 4, 8), (16, 32, 64)]
    (boundary,) = spec.boundaries
    assert 8 < boundary.x < 16
    assert "node" in boundary.label
    assert {mark.glyph for mark in spec.marks if mark.x <= 8} == {"o"}
    assert {mark.glyph for mark in spec.marks if mark.x >= 16} == {"x"}


def test_the_same_count_in_two_domains_is_two_marks_and_no_line() -> None:
    runs = [
        (4, "one domain", 64.0),
        (8, "one domain", 33.0),
        (8, "two domains", 41.0),
        (16, "two domains", 21.0),
    ]
    table = table_of(*(Run(count, (time,), domain=domain) for count, domain, time in runs))
    spec = spec_of(table)
    assert measured(spec) == []
    at_eight = {mark.glyph: mark.y for mark in spec.marks if mark.x == 8}
    assert at_eight == pytest.approx({"o": 32 / 33, "x": 32 / 41})
    assert "x another network" in in_words(table, "efficiency")


def test_a_row_that_cannot_be_compared_has_a_time_and_no_efficiency_in_the_plot() -> None:
    table = table_of(
        Run(4, (40.0,), global_batch=2048),
        Run(8, (21.0,), global_batch=1024),
        Run(16, (12.0,), global_batch=2048),
    )
    assert [mark.x for mark in spec_of(table).marks] == [4, 16]
    glyphs = {mark.x: mark.glyph for mark in spec_of(table, "time").marks}
    assert glyphs == {4: "o", 8: "-", 16: "o"}
    assert "- not comparable" in in_words(table, "time")


def test_the_spread_from_job_to_job_is_a_bar() -> None:
    jobs = [Run(4, (time,)) for time in (40.0, 42.0)] + [Run(8, (time,)) for time in (21.0, 22.0)]
    spec = spec_of(table_of(*jobs))
    (bar,) = spec.bars
    assert (bar.x, bar.low, bar.high) == pytest.approx((8, 40 / 44, 42 / 42))


def test_the_ideal_time_halves_in_strong_and_stays_in_weak_scaling() -> None:
    strong = spec_of(table_of(*FOUR), "time")
    (ghost,) = (curve for curve in strong.curves if curve.style == "ghost")
    for x, y in zip(ghost.xs, ghost.ys, strict=True):
        assert y == pytest.approx(4 * 96.0 / x)
    weak = spec_of(table_of(*FOUR, family="weak"), "time")
    (ghost,) = (curve for curve in weak.curves if curve.style == "ghost")
    assert set(ghost.ys) == {96.0}


def test_the_cost_view_shows_device_seconds_over_a_constant_ideal() -> None:
    spec = spec_of(table_of(*FOUR), "cost")
    assert [mark.y for mark in spec.marks] == pytest.approx([384.0, 400.0, 435.2, 512.0])
    (ghost,) = (curve for curve in spec.curves if curve.style == "ghost")
    assert set(ghost.ys) == {384.0}


@pytest.mark.parametrize("asked", [{"efficiency", "speedup", "per-doubling", "cost"}, {"speedup", "cost"}])
def test_covered_views_tell_nothing_that_is_asked_for(asked: set[str]) -> None:
    table = table_of(*FOUR)
    for view in VIEWS:
        spec = spec_of(table, view, asked)
        if view == "time":
            assert len(spec.marks) == 4
            continue
        assert (spec.marks, spec.bars, measured(spec)) == ((), (), [])
    better = table_of(Run(4, (96.0,)), Run(8, (20.0,)), Run(16, (10.0,)))
    assert spec_of(better, covered=asked).y == spec_of(table, covered=asked).y


def test_a_covered_ideal_is_no_line_either() -> None:
    table = table_of(*FOUR)
    for view in ("time", "cost"):
        assert any(curve.style == "ghost" for curve in spec_of(table, view).curves)
        covered = spec_of(table, view, {"ideal"})
        assert not any(curve.style == "ghost" for curve in covered.curves)
        assert len(covered.marks) == 4


def test_there_is_no_plot_without_a_baseline() -> None:
    assert plot(table_of(Run(8)), "efficiency") is None
    assert plot(table_of(Run(8, status="failed")), "time") is None


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize(("width", "height"), GEOMETRIES)
def test_every_count_has_its_tick_in_its_column_and_its_mark_above_it(
    view: str, width: int, height: int
) -> None:
    canvas.load()
    picture = draw(spec_of(table_of(*FOUR), view), width, height)
    rows = picture.text().split("\n")
    geometry = picture.geometry
    for run in FOUR:
        column = geometry.column(run.devices)
        assert column is not None
        assert rows[geometry.rows][column] == "┬"
        above = [row[column : column + 1] for row in rows[: geometry.rows]]
        assert "o" in above
    # Doublings are equally far apart.
    columns = [geometry.column(run.devices) or 0 for run in FOUR]
    steps = [right - left for left, right in pairwise(columns)]
    assert max(steps) - min(steps) <= 1


def test_efficiencies_above_one_are_inside_the_frame() -> None:
    spec = spec_of(table_of(Run(1, (120.0,)), Run(2, (40.0,)), Run(4, (31.0,))))
    assert spec.y.high > 1.5
    assert all(not spec.y.side(mark.y) for mark in spec.marks)
    assert not math.isinf(spec.y.high)
