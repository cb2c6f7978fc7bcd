"""The arithmetic of the bench; no process is started."""

import json

import pytest

from tests.bench.measure import Row, alternate, table


def test_ratios_are_taken_pair_by_pair_and_judged_by_their_median() -> None:
    row = Row("start", "ms", 1.15, ours=(10.0, 30.0, 11.0), peer=(10.0, 10.0, 10.0))
    assert row.figures == (1.0, 3.0, 1.1)
    assert row.met


def test_a_goal_for_every_key_is_judged_by_the_slowest() -> None:
    values = (10.0, 20.0, 61.0)
    assert Row("keys", "ms", 60, values, every=True).met is False
    assert Row("keys", "ms", 60, values).met is True


def test_a_row_without_a_goal_or_without_values_is_neither_met_nor_missed() -> None:
    assert Row("cost", "ms", None, (1.0,)).met is None
    assert Row("bytes", "B", 0.08, not_measured="pip is missing").met is None


def test_runs_of_different_length_are_refused() -> None:
    with pytest.raises(ValueError, match="zip"):
        _ = Row("start", "ms", 1.15, (1.0, 2.0), (1.0,)).figures


def test_both_run_in_turn_and_the_first_pair_is_not_counted() -> None:
    order: list[str] = []

    def run(name: str) -> int:
        order.append(name)
        return len(order)

    ours, peer = alternate(2, lambda: run("A"), lambda: run("B"))
    assert "".join(order) == "ABABAB"
    assert (ours, peer) == ([3, 5], [4, 6])


def test_the_table_says_what_was_missed_and_what_was_not_measured() -> None:
    rows = [
        Row("start", "ms", 1.15, (300.0,), (200.0,)),
        Row("bytes", "B", 0.08, not_measured="no network"),
    ]
    lines = table(rows).splitlines()
    assert "1.5x" in lines[1]
    assert lines[1].endswith("MISSED")
    assert "not measured" in lines[2]
    assert "no network" in lines[2]


def test_json_holds_every_sample_and_the_summary() -> None:
    row = Row("start", "ms", 1.15, (10.0, 12.0), (10.0, 10.0)).as_json()
    assert json.loads(json.dumps(row))["ratios"] == [1.0, 1.2]
    assert row["figure"] == {"median": 1.1, "min": 1.0, "max": 1.2}
