"""The cells of tables of runs, without a screen: what stands in them and which words cover them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.model.study_builders import jobs, run, strong, weak
from tui.model import scaling
from tui.model.study import Experiment, Machine, Run, Work
from tui.model.target import target_table
from tui.widgets.columns import COVER, TableView
from tui.widgets.scaling_columns import COVERS, scaling_view
from tui.widgets.target_columns import target_view


def cells(view: TableView, place: int = -1, covered: frozenset[str] = frozenset()) -> dict[str, str]:
    """The cells of a row by their headings, the last row's unless another is asked for."""
    texts = view.cells(view.rows[place], covered)
    return {column.heading: text for column, text in zip(view.columns, texts, strict=True)}


def view_of(experiment: Experiment) -> TableView:
    return scaling_view(scaling.table(experiment, Machine(charged="device", price=2.0)))


def test_jobs_and_the_steps_of_each() -> None:
    assert cells(view_of(strong(run(1, 9.0), *jobs(2, 5.0, 5.1))))["jobs x steps"] == "2 x 1"
    mixed = strong(run(1, 9.0), run(2, 5.0), run(2, 5.0, 5.1, 5.2), run(2, 5.1), run(2, 4.0, status="failed"))
    assert cells(view_of(mixed))["jobs x steps"] == "3 of 4 x 1-3"
    whole = strong(run(1, 9.0), run(2, wall_s=5.0), run(2, 5.0, 5.2), time_means="whole job")
    assert cells(view_of(whole))["jobs x steps"] == "2 x 1-2"


def test_small_serial_shares_and_large_rates_can_be_read() -> None:
    shown = cells(
        view_of(strong(run(1, 100.0), run(2, 50.025), flop_per_unit=2.5e16, work=Work(1.0, "steps")))
    )
    assert shown["Karp-Flatt"] == "0.0005"
    assert shown["FLOP/s/dev"] == "249.9 TFLOP/s"


def test_a_clock_that_read_zero_is_shown_as_such_and_gives_no_efficiency() -> None:
    shown = cells(view_of(strong(run(1, 9.0), run(2, 4.0), run(2, 0.0))))
    assert (shown["T s"], shown["E"], shown.get("S", "")) == ("reads 0", "none", "")


def test_model_sizes_have_no_baseline_among_their_flags() -> None:
    sizes = replace(strong(*(run(8, 40.5, parameters=size) for size in (1e9, 2e9))), family="model-size")
    assert all("D0" not in cells(view_of(sizes), place)["flags"] for place in (0, 1))
    assert cells(view_of(strong(run(1, 9.25), run(2, 5.25))), 0)["flags"] == "D0"


FULL = strong(
    *jobs(1, 9.25, 9.5, work=1e6, memory_gib=40.0),
    *jobs(2, 5.25, 5.5, work=1e6, memory_gib=41.0),
    memory_per_device_gib=80.0,
    flop_per_unit=1e6,
    peak_flops_per_device=1e12,
)
COVERED = {
    "ideal": {"ideal"},
    "speedup": {"S"},
    "efficiency": {"E", "E from-to", "Karp-Flatt"},
    "per-doubling": {"gain x2"},
    "cost": {"cost", "device-s", "charged h", "price"},
    "work": {"W"},
    "rate": {"W/T", "W/T/D", "FLOP/s/dev", "of peak"},
    "memory": {"mem GiB", "of memory"},
    "flags": {"flags"},
    "target": set(),
}


@pytest.mark.parametrize("word", sorted(COVERS))
def test_each_word_covers_exactly_its_columns(word: str) -> None:
    view = view_of(FULL)
    plain, covered = cells(view), cells(view, covered=frozenset((word,)))
    assert {name for name, text in covered.items() if text == COVER} == COVERED[word]
    assert all(covered[name] == text for name, text in plain.items() if name not in COVERED[word])


def test_the_columns_of_weak_scaling_are_covered_alike() -> None:
    view = view_of(weak(run(8, 1.0, work=8), run(16, 1.1, work=16)))
    covered = cells(view, covered=frozenset(("speedup", "work")))
    assert {name for name, text in covered.items() if text == COVER} == {"scaled S", "W", "W/D"}


def to_target(*runs: Run) -> TableView:
    return target_view(target_table(Experiment("target", "x", run=runs)))


def test_configurations_of_one_count_are_told_apart_beside_it() -> None:
    runs = [Run(8, time_to_target_s=100.0, schedule=name) for name in ("cosine", "linear")]
    headings = [column.heading for column in to_target(*runs).columns]
    assert headings[:4] == ["flags", "D", "schedule", "to target s"]
    headings = [column.heading for column in to_target(runs[0], replace(runs[1], devices=16)).columns]
    assert headings[:3] == ["flags", "D", "to target s"]


def test_a_time_that_was_written_is_given_and_one_that_was_worked_out_is_covered() -> None:
    covered = frozenset(("target",))
    written = to_target(*(Run(d, time_to_target_s=900.0 / d, work_to_target=10.0) for d in (8, 16)))
    assert cells(written, covered=covered)["to target s"] == "56.25"
    assert cells(written, covered=covered)["speedup"] == COVER
    stepped = to_target(*(Run(d, (1.5,), updates=30, global_batch=4) for d in (8, 16)))
    assert cells(stepped, covered=covered)["to target s"] == COVER
    assert cells(stepped, covered=covered)["W to target"] == COVER
    assert cells(stepped, covered=covered)["updates"] == "30"


def test_a_configuration_without_a_run_that_counts_can_still_be_reached() -> None:
    view = to_target(Run(8, time_to_target_s=9.0), Run(16, time_to_target_s=5.0, withdrawn="bug"))
    assert cells(view)["flags"] == "withdrawn"
    assert cells(view)["to target s"] == ""
