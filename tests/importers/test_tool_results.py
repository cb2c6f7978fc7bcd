"""hyperfine, Google Benchmark and Extra-P: parameters that are counts, repeats, units and releases.

Layouts: github.com/sharkdp/hyperfine, github.com/google/benchmark (the values with threads are those of
its issue 429 and pull request 1836), github.com/extra-p/extrap (docs/file-formats.md)."""

from __future__ import annotations

import json

import pytest

from tests.importers.logs import asked, mapped, notes, read
from tui.importers import extrap, google_benchmark, hyperfine, json_text
from tui.model.study import Run


def scan(*results: dict[str, object]) -> str:
    full = [{"command": "./a.out", "mean": 1, "stddev": None, **result} for result in results]
    return json.dumps({"results": full}, indent=1)


ONE = {"times": [8.11, 8.02], "exit_codes": [0, 0], "parameters": {"threads": "1"}}
TWO = {"times": [4.12], "exit_codes": [0], "parameters": {"threads": "2"}}


def test_each_time_of_hyperfine_is_a_job() -> None:
    found = read(hyperfine, scan(ONE, TWO))
    assert [(run.devices, run.times_s) for run in found.runs] == [(1, (8.11,)), (1, (8.02,)), (2, (4.12,))]
    assert (found.repeats, found.parts[0].counts, found.parts[0].time_means) == (
        "jobs",
        "thread",
        "whole job",
    )
    assert asked(found) == []
    steps = read(hyperfine, scan(ONE, TWO), repeats="steps")
    assert [run.times_s for run in steps.runs] == [(8.11, 8.02), (4.12,)]


def test_parameters_that_could_all_be_the_count_are_asked() -> None:
    values = {"times": [1.0], "parameters": {"x": "2", "size": "100", "kind": "fast"}}
    found = read(hyperfine, scan(values))
    (question,) = [one for one in found.questions if one.about == "count"]
    assert [choice.option for choice in question.choices] == ["--map devices=x", "--map devices=size"]
    answered = read(hyperfine, scan(values), mapping=mapped(devices="x"), family="strong")
    assert answered.ready
    assert answered.runs[0].devices == 2
    assert answered.parts[0].name == "size 100, kind fast"


def test_the_number_that_varies_in_a_command_is_the_count_where_its_word_says_so() -> None:
    rows = [{"command": f"OMP_NUM_THREADS={n} ./a.out 512", "times": [8 / n]} for n in (1, 2, 4, 8)]
    found = read(hyperfine, scan(*rows), family="strong")
    assert found.ready
    assert [(run.devices, run.times_s) for run in found.runs] == [(1, (8,)), (2, (4,)), (4, (2,)), (8, (1,))]
    assert (len(found.parts), found.parts[0].counts) == (1, "thread")
    assert "devices is the parameter OMP_NUM_THREADS" in notes(found)
    later = [{"command": f"./a.out 512 --threads {n}", "times": [8 / n]} for n in (1, 2)]
    assert [run.devices for run in read(hyperfine, scan(*later)).runs] == [1, 2]
    both = [{"command": f"run -n {n} --size {100 * n}", "times": [1.0]} for n in (1, 2)]
    (question,) = [one for one in read(hyperfine, scan(*both)).questions if one.about == "count"]
    assert [choice.option for choice in question.choices] == ["--map devices=n", "--map devices=size"]
    other = [{"command": command, "times": [1.0]} for command in ("./a 1", "./b 2")]
    (question,) = [one for one in read(hyperfine, scan(*other)).questions if one.about == "count"]
    assert question.choices == ()


def test_other_parameters_part_the_runs_into_experiments() -> None:
    rows = [{"times": [1.0], "parameters": {"threads": t, "size": s}} for s in ("1", "9") for t in ("1", "2")]
    found = read(hyperfine, scan(*rows))
    assert [(part.name, len(part.runs)) for part in found.parts] == [("size 1", 2), ("size 9", 2)]


def test_a_command_that_failed_did_not_complete() -> None:
    found = read(hyperfine, scan({**ONE, "exit_codes": [0, 137]}))
    assert [(run.status, run.times_s) for run in found.runs] == [("completed", (8.11,)), ("failed", ())]
    assert found.runs[1].note == "exit status 137"
    assert found.runs[1].wall_s == 8.02


def test_results_without_times_or_with_words_in_them() -> None:
    found = read(hyperfine, scan({"median": 3.0, "parameters": {"threads": 4}}, {**TWO, "times": ["soon"]}))
    assert found.runs == (Run(4, (3.0,), label="./a.out"),)
    assert "expected seconds" in str(found.problems[0])
    assert found.problems[0].line > 2


def test_a_cut_off_file_keeps_what_was_read_and_says_where_it_ends() -> None:
    text = scan(ONE, TWO)
    found = read(hyperfine, text[: text.rindex("4.12")])
    assert [run.devices for run in found.runs] == [1, 1]
    assert "no JSON" in str(found.problems[0])


@pytest.mark.parametrize(
    "text", ['{"results": ' + "[" * 100_000, '{"results": [NaN]}', '{"results"', "[]", "\0"]
)
def test_hostile_json_is_a_problem_and_no_exception(text: str) -> None:
    for reader in (hyperfine, google_benchmark, extrap):
        found = read(reader, text)
        assert not found.runs


def test_a_list_without_end_is_read_in_part(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(json_text, "MOST_ELEMENTS", 2)
    found = read(hyperfine, scan(ONE, ONE, TWO, TWO))
    assert {run.devices for run in found.runs} == {1}
    assert "more than 2 entries, too many for single runs" in str(found.problems[0])


# ------------------------------------------------------------------------------------- Google Benchmark


def bench(*entries: dict[str, object], version: str | None = None) -> str:
    context = {"num_cpus": 8} | ({"library_version": version} if version else {})
    return json.dumps({"context": context, "benchmarks": entries}, indent=1)


def entry(threads: int, time: float, **more: object) -> dict[str, object]:
    name = f"BM_Pi/real_time/threads:{threads}"
    return {
        "name": name,
        "run_type": "iteration",
        "threads": threads,
        "real_time": time,
        "time_unit": "ns",
        **more,
    }


def test_old_releases_divided_by_the_threads_and_it_is_undone_and_said() -> None:
    found = read(google_benchmark, bench(entry(1, 11205), entry(8, 4014), version="v1.8.5"))
    assert [(run.devices, run.times_s) for run in found.runs] == [(1, (1.1205e-05,)), (8, (3.2112e-05,))]
    assert "release v1.8: real times were divided by the threads; they were multiplied" in notes(found)
    assert [part.name for part in found.parts] == ["BM_Pi/real_time"]


def test_new_releases_print_wall_times() -> None:
    found = read(google_benchmark, bench(entry(1, 1000110269), entry(8, 1000117407), version="v1.9.1"))
    assert [run.times_s for run in found.runs] == [(1.000110269,), (1.000117407,)]
    assert asked(found) == []


def test_an_unknown_release_is_asked_for_only_where_it_matters() -> None:
    assert asked(read(google_benchmark, bench(entry(1, 10)))) == []
    found = read(google_benchmark, bench(entry(1, 10), entry(2, 10)))
    assert asked(found) == ["time"]
    for answer, time in (("divided", 2e-8), ("whole", 1e-8)):
        answered = read(google_benchmark, bench(entry(1, 10), entry(2, 10)), mapping=mapped(time=answer))
        assert asked(answered) == []
        assert answered.runs[1].times_s == (time,)


def test_repetitions_are_steps_and_aggregates_are_left_out() -> None:
    repeats = [
        entry(1, time, run_name="BM_Pi", repetition_index=place) for place, time in enumerate((10, 12))
    ]
    mean = entry(1, 11, run_type="aggregate", aggregate_name="mean")
    old_mean = {"name": "BM_Fit_BigO", "real_coefficient": 6.4, "big_o": "N", "time_unit": "ns"}
    found = read(google_benchmark, bench(*repeats, mean, old_mean))
    assert [run.times_s for run in found.runs] == [(1e-8, 1.2e-8)]
    assert "2 aggregates beside the runs were left out" in notes(found)
    assert found.repeats == "steps"
    assert (found.tally.runs, found.tally.steps, found.tally.notes) == (1, 1, 2)


def test_errors_units_and_entries_without_times() -> None:
    broken = {"name": "BM_Bad", "run_type": "iteration", "error_occurred": True, "error_message": "no GPU"}
    found = read(google_benchmark, bench(broken, entry(1, 2, time_unit="ms"), {"name": "BM_None"}))
    assert [(run.status, run.times_s, run.note) for run in found.runs] == [
        ("failed", (), "no GPU"),
        ("completed", (0.002,), ""),
    ]
    assert "BM_None" in str(found.problems[0])


def test_what_it_prints_is_read_too() -> None:
    text = "BM_Pi/threads:1    12406 ns   11982 ns   58755\nBM_Pi/threads:2     9306 ns   11808 ns   58672\n"
    found = read(google_benchmark, text, mapping=mapped(time="divided"), family="weak")
    assert [(run.devices, run.times_s) for run in found.runs] == [(1, (1.2406e-05,)), (2, (1.8612e-05,))]


# ----------------------------------------------------------------------------------------------- Extra-P

TEXT = """\
# made up
PARAMETER p
POINTS (4) (8)
REGION main
METRIC time
DATA 8.31 8.02
DATA 22.74 22.66
METRIC visits
DATA 1 1
DATA 2 2
"""


def test_repeats_of_extra_p_are_jobs_and_other_metrics_are_named() -> None:
    found = read(extrap, TEXT)
    assert [(run.devices, run.times_s) for run in found.runs] == [
        (4, (8.31,)),
        (4, (8.02,)),
        (8, (22.74,)),
        (8, (22.66,)),
    ]
    assert (found.parts[0].name, found.parts[0].counts) == ("main", "rank")
    assert 'metrics that are no time were left out: "visits"' in notes(found)
    assert "was taken in seconds" in notes(found)
    assert read(extrap, TEXT, repeats="steps").runs == (Run(4, (8.31, 8.02)), Run(8, (22.74, 22.66)))


def test_a_unit_can_be_said() -> None:
    from tui.importers.imported import Mapped

    found = read(extrap, TEXT, mapping=(Mapped("time", "time", "ms"),))
    assert found.runs[0].times_s == (0.00831,)


NESTED = {"parameters": ["x"], "measurements": {"sweep": {"time": [{"point": [4], "values": [3.5, 3.5]}]}}}
BY_ID = {
    "parameters": [{"id": 1, "name": "x"}],
    "metrics": [{"id": 1, "name": "time"}],
    "callpaths": [{"id": 1, "name": "sweep"}],
    "coordinates": [{"id": 1, "parameter_value_pairs": [{"parameter_id": 1, "parameter_value": 4}]}],
    "measurements": [
        {"id": number, "callpath_id": 1, "coordinate_id": 1, "metric_id": 1, "value": 3.5}
        for number in (1, 2)
    ],
}
LINE = '{"params": {"x": 4}, "metric": "time", "callpath": "sweep", "value": 3.5}\n'
TALPAS = '{"parameters":{"x":4};"metric":"time";"callpath":"sweep";"value":3.5}\n'


@pytest.mark.parametrize("text", [json.dumps(NESTED), json.dumps(BY_ID), LINE * 2, TALPAS * 2])
def test_every_form_says_the_same_and_x_is_asked(text: str) -> None:
    assert extrap.sniff(text.encode(), "a.json") == 0.9
    found = read(extrap, text)
    assert asked(found) == ["count"]
    assert found.questions[0].choices[0].option == "--map devices=x"
    answered = read(extrap, text, mapping=mapped(devices="x"), family="strong")
    assert answered.ready
    assert answered.parts[0].name == "sweep"
    assert [(run.devices, run.times_s) for run in answered.runs] == [(4, (3.5,)), (4, (3.5,))]


def test_a_metric_that_is_not_known_as_a_time_is_asked() -> None:
    text = TEXT.replace("METRIC time", "METRIC metr")
    found = read(extrap, text)
    assert asked(found) == ["time"]
    assert "--map time=metr:s" in [choice.option for choice in found.questions[0].choices]


def test_a_second_parameter_parts_the_points() -> None:
    text = "PARAMETER p\nPARAMETER y\nPOINTS ( 4 1 ) ( 4 2 )\nREGION r\nMETRIC time\nDATA 1\nDATA 2\n"
    assert [part.name for part in read(extrap, text).parts] == ["r, y 1", "r, y 2"]


def test_points_are_never_shifted() -> None:
    text = TEXT.replace("DATA 8.31 8.02", "DATA 8.31 oops") + "DATA 9 9\n"
    found = read(extrap, text)
    assert [run.devices for run in found.runs] == [8, 8]
    said = "\n".join(map(str, found.problems))
    assert 'line 6: read "8.31 oops"' in said
    assert "line 11: there are 2 points, and this is the data of one more" in said


def test_missing_data_and_counts_that_are_none() -> None:
    text = TEXT.replace("POINTS (4) (8)", "POINTS (4.5) (8) (16)")
    found = read(extrap, text, mapping=mapped(devices="p"))
    said = "\n".join(map(str, found.problems))
    assert "data for 2 of 3 points" in said
    assert "p 4.5: its count is no whole number" in said
