"""Reports: the four formats as they have to look, what fits in 80 columns, and what no name can break."""

from __future__ import annotations

import csv
import io
import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.model.study_builders import TOKENS, jobs, run, strong, weak
from tui.files import report, report_data, report_export, report_text
from tui.files import study as files
from tui.files.report_columns import columns
from tui.model.rows import Table
from tui.model.scaling import table, tables
from tui.model.study import Domain, Experiment, Family, Machine, Run, Study, Work

GOLDEN = Path(__file__).parent / "reports"
NO_MACHINE = Machine()
ENDINGS: dict[report.Format, str] = {"text": "txt", "markdown": "md", "csv": "csv", "json": "json"}


def golden_study() -> Study:
    return files.parse((GOLDEN / "study.toml").read_bytes()).study


def text_of(experiment: Experiment, machine: Machine = NO_MACHINE) -> str:
    return report.render([table(experiment, machine)], "text")


def grid(text: str) -> list[list[str]]:
    """The rows of the one table in a text report, cells split at two blanks or more."""
    lines = text.split("\n\n")[1].splitlines()
    return [re.split(r" {2,}", line.strip()) for line in lines if re.match(r" +\d", line)]


@pytest.mark.parametrize("to", ENDINGS)
def test_golden_report(to: report.Format) -> None:
    study = golden_study()
    expected = (GOLDEN / f"report.{ENDINGS[to]}").read_text(encoding="utf-8")
    assert report.render(tables(study), to, report.setup(study)) + "\n" == expected


# text


def test_absent_columns_are_not_printed_and_left_out_ones_are_named() -> None:
    text = text_of(strong(run(1, 8.0), run(2, 4.0)))
    assert "W/T" not in text
    assert "TFLOP/s" not in text
    assert "Left out" not in text.replace(
        "Left out to fit 80 columns (--format csv has them all): karp flatt.", ""
    )


def test_columns_that_the_user_declared_are_kept_before_others() -> None:
    """Achieved FLOP/s per device: 1280 TFLOP in 1 s on 4 devices and in 4/19 s on 32."""
    small = strong(
        run(4, 1.0), run(32, 4 / 19), work=Work(1280, "TFLOP"), flop_per_unit=1e12, time_means="one update"
    )
    first, second = grid(text_of(small))
    assert "TFLOP/s" in text_of(small)
    assert "320" in first
    assert {"0.594", "190", "4.75"} <= set(second)


def test_rows_of_one_count_are_told_apart() -> None:
    text = text_of(
        strong(run(4, 8.0, global_batch=64), run(8, 5.0, global_batch=64), run(8, 3.0, global_batch=32))
    )
    assert re.search(r"^ +8 +batch 64 ", text, re.MULTILINE)
    assert re.search(r"^ +8 +batch 32 ", text, re.MULTILINE)
    assert "which" not in text_of(strong(run(4, 8.0, global_batch=64), run(8, 5.0, global_batch=32)))


def test_long_names_are_cut_in_text_and_whole_in_markdown() -> None:
    label = "compiled with the newest compiler of them all"
    made = table(strong(run(1, 8.0, label=label), run(2, 4.0)))
    assert grid(report.render([made], "text"))[0][1] == "compiled with the new…"
    assert f"| {label} |" in report.render([made], "markdown")


def test_decimal_points_stand_below_each_other_where_that_takes_little_room() -> None:
    near = text_of(strong(run(1, 120.0), run(2, 56.25)))
    assert "  120    " in near
    far = text_of(strong(run(1, 123456789012345.0), run(2, 0.0001234)))
    assert "  123456789012345  " in far
    assert re.search(r"2 {8}0\.0001234  ", far)


def test_rows_of_one_count_with_another_work_model_are_told_apart() -> None:
    other = replace(TOKENS, flop_per_unit=8e9)
    made = weak(run(8, 12.0), run(16, 12.6), run(16, 13.0, work_model=other), work_model=TOKENS)
    assert "work model 32000 toke…" in text_of(made)
    head = "| 16 | work model 32000 tokens 8000000000 500000 |"
    assert head in report.render([table(made)], "markdown")


def test_labels_of_a_row_stand_once() -> None:
    made = table(strong(run(1, 8.0, label="a"), run(1, 8.1), run(1, 8.2, label="b"), run(1, 8.3, label="a")))
    assert read_csv([made])[0]["label"] == "a, b"


def test_equal_sentences_have_one_number() -> None:
    keys = report.keyed(table(strong(run(1, 8.0), run(2, 4.4), run(4, 2.4), run(8, 1.5))))
    assert [flag.code for flag in keys.flags] == ["one-job"]
    assert keys.cells == ("D0", "1", "1", "1")


def test_a_row_with_many_flags_goes_on_below_itself() -> None:
    many = strong(
        run(1, 9.0, micro_batch=1, threads_per_rank=1, sequence_length=10),
        *(
            run(2, time, micro_batch=2, threads_per_rank=2, sequence_length=20, memory_gib=90.0)
            for time in (3.0, 9.0)
        ),
        memory_per_device_gib=80,
    )
    text = text_of(many, Machine(devices_per_node=8))
    assert len(report.keyed(table(many, Machine(devices_per_node=8))).cells[1].split()) > 6
    assert max(map(len, text.splitlines())) <= 80


def test_weak_table_prints_the_whole_work_and_both_efficiencies() -> None:
    text = text_of(
        weak(
            run(8, 12.0, sequence_length=2000),
            run(64, 15.0, sequence_length=2000),
            run(64, 21.0, sequence_length=8000),
            work_model=TOKENS,
        )
    )
    assert grid(text)[2][:7] == ["64", "sequence 8000", "2048000", "21", "0.571", "0.816", "1.429"]
    assert "32000 tokens per GPU" in text


def test_an_interval_and_its_shared_noise_are_shown() -> None:
    text = text_of(strong(*jobs(1, 10, 10.1, 10.2, 9.9, 10), *jobs(2, 5.2, 5.1, 5.3, 5.2, 5.0)))
    assert "E 95 %" in text
    assert "All rows share the noise of the baseline's 5 jobs" in text


def test_an_experiment_without_runs_says_so() -> None:
    assert report.NO_RUNS in text_of(strong())
    assert report.NO_RUNS in report.render([table(strong())], "markdown")


def test_several_tables_stand_apart() -> None:
    both = tables(Study(experiment=(strong(run(1, 2.0)), replace(weak(run(1, 2.0)), name="other"))))
    text = report.render(both, "text", "cluster A")
    assert text.startswith("cluster A\n\nstrong: strong scaling")
    assert "\n\nother: weak scaling" in text


def test_price_and_billing_are_part_of_the_setup() -> None:
    machine = Machine("cluster A", "H100", 8, (), "node", 2.4, "EUR")
    assert report.setup(Study(title="t", machine=machine)) == (
        "t; cluster A, H100, 8 devices per node, 2.4 EUR per device-hour, whole nodes are charged"
    )


labels = st.text(st.sampled_from("ab |漢字\x1b\x9b\u202e\n\te\u0301<*_`$"), max_size=40)
amounts = st.just(0.0) | st.floats(1e-30, 1e30) | st.sampled_from([0.001234, 123456789012345.0])
runs = st.builds(
    Run,
    devices=st.sampled_from([1, 2, 3, 2**40]),
    times_s=st.lists(amounts, max_size=3).map(tuple),
    label=labels,
    work=st.none() | amounts | st.builds(Work, amounts, labels),
    global_batch=st.none() | st.integers(1, 2**40),
    parameters=st.none() | amounts,
    domain=labels,
    memory_gib=st.none() | amounts,
    stages_s=st.dictionaries(labels, amounts, max_size=2),
    cause=labels,
)


@settings(max_examples=60, deadline=None)
@given(st.lists(runs, max_size=6), labels, st.sampled_from(["strong", "weak", "model-size"]))
def test_text_fits_80_columns_whatever_the_study_holds(made: list[Run], name: str, family: Family) -> None:
    one = Experiment(
        family, name, counts=name, run=tuple(made), flop_per_unit=1e9, peak_flops_per_device=1e15
    )
    text = text_of(one, Machine(name, name, 8, (Domain(name, 2),), "node", 1e9, name))
    assert all(report_text.cells(line) <= 80 for line in text.splitlines())
    assert all(c.isprintable() for c in text.replace("\n", ""))


# markdown


@settings(max_examples=40, deadline=None)
@given(labels)
def test_no_name_breaks_a_markdown_table(name: str) -> None:
    rows = strong(run(1, 2.0, label=name), run(2, 1.0, label="b", stages_s={name: 1.0}))
    text = report.render([table(replace(rows, name=name))], "markdown")
    lines = [line for line in text.splitlines() if line.startswith("| ")]
    assert len(lines) == 4
    assert len({len(re.findall(r"(?<!\\)\|", line)) for line in lines}) == 1


def test_markdown_has_every_column_of_the_table() -> None:
    made = tables(golden_study())[0]
    head = report.render([made], "markdown").split("\n| ")[1]
    assert head.count(" | ") + 1 == len(columns(made, report.keyed(made).cells))


# the whole report


@settings(max_examples=40, deadline=None)
@given(st.lists(runs, min_size=1, max_size=4), labels)
def test_no_study_breaks_a_whole_report(made: list[Run], name: str) -> None:
    one = Experiment(
        "strong", name, counts=name, run=tuple(made), peak_flops_per_device=1e15, peak_source=name
    )
    study = Study(title=name, machine=Machine(name, name, 8, (Domain(name, 2),)), experiment=(one,))
    origin = report_export.Origin("rooflab", name, "abc", "rooflab export")
    plots = (report_export.Plot(name, "a ``` in\na plot"),)
    section = report_export.Scaling(one, table(one, study.machine), plots, predictions=(name,))
    text = report_export.as_markdown(study, [section], origin)
    assert all(c.isprintable() for c in text.replace("\n", ""))
    for block in re.findall(r"(?:^\| .*\n)+", text, re.MULTILINE):
        assert len({len(re.findall(r"(?<!\\)\|", line)) for line in block.splitlines()}) == 1
    assert "\n````text\na ``` in\na plot\n````\n" in text


def test_every_run_is_accounted_for_in_a_report() -> None:
    one = strong(
        run(1, 8.0, 8.2),
        run(1, 8.1),
        run(1, 99.0, withdrawn="a shared node"),
        Run(2),
        Run(2, status="failed", note="disk full"),
    )
    text = report_export.as_markdown(
        Study(experiment=(one,)),
        [report_export.Scaling(one, table(one))],
        report_export.Origin("rooflab", "", "", ""),
    )
    said = "5 runs, 2 completed jobs with 3 times in all, 2 without a completed time, 1 withdrawn"
    assert f"- **runs**: {said}" in text
    left_out = text.partition("not in the numbers\n\n")[2].partition("\n\n")[0].splitlines()
    assert [line.partition(", ")[2] for line in left_out] == [
        "99 s: withdrawn: a shared node",
        "no time: failed; disk full",
    ]
    assert "it is in no file as it is reported here: save it first" in text


# json and csv


def test_json_is_a_list_for_several_experiments() -> None:
    both = tables(Study(experiment=(strong(run(1, 2.0)), replace(weak(run(1, 2.0)), name="other"))))
    assert [one["name"] for one in json.loads(report.render(both, "json"))] == ["strong", "other"]


def test_json_has_the_promised_keys_in_order_and_full_precision() -> None:
    made = json.loads(report.render([table(strong(run(3, 0.1), run(7, 0.07)))], "json"))
    assert list(made) == ["family", "name", "work", "baseline", "rows", "flags"]
    assert list(made["baseline"]) == ["devices", "kind", "chosen", "time_s"]
    assert list(made["rows"][1]) == list(report_data.ROW_KEYS)
    assert made["rows"][1]["efficiency"] == 0.1 * 3 / (0.07 * 7)
    assert made["rows"][0]["rate"] is None


def test_a_table_without_baseline_has_none() -> None:
    assert json.loads(report.render([table(strong(Run(4)))], "json"))["baseline"] is None
    assert "baseline  none" in text_of(strong(Run(4)))


def test_no_infinity_leaves_as_a_number() -> None:
    made = [table(strong(run(10, 1e308), run(20, 1e308)))]
    assert json.loads(report.render(made, "json"))["rows"][0]["device_seconds"] is None
    assert "inf" not in report.render(made, "csv")
    assert "inf" not in report.render(made, "text")


def read_csv(made: list[Table]) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(report.render(made, "csv"))))


def test_csv_reads_back_to_the_same_numbers() -> None:
    made = table(strong(run(3, 0.123), run(7, 0.071)))
    rows = read_csv([made])
    assert [float(row["efficiency"]) for row in rows] == [row.efficiency for row in made.rows]
    assert rows[1]["flags"] == "one-job"
    assert rows[0]["karp_flatt"] == ""


@pytest.mark.parametrize(
    ("name", "cell"),
    [
        ("=1+1", "'=1+1"),
        ("@cmd", "'@cmd"),
        ("-x", "'-x"),
        ("+1", "+1"),
        ("-4.5e3", "-4.5e3"),
        ('a,"b', 'a,"b'),
    ],
)
def test_no_csv_cell_is_a_formula(name: str, cell: str) -> None:
    assert read_csv([table(replace(strong(run(1, 2.0)), name=name))])[0]["name"] == cell


def test_negative_numbers_in_csv_stay_numbers() -> None:
    assert float(read_csv([table(strong(run(1, 10.0), run(2, 4.0)))])[1]["karp_flatt"]) < 0


def test_csv_without_rows_has_its_header() -> None:
    assert report.render([table(strong())], "csv") == ",".join(report_data.CSV_COLUMNS)


def test_csv_has_what_text_can_leave_out() -> None:
    """Every column of text is one of CSV, or is made of some that are."""
    made_of: dict[str, Any] = {
        "which": "layout",
        "time_range": "time_min_s",
        "efficiency_interval": "efficiency_interval_low",
    }
    made_of["efficiency_range"] = "efficiency_range_low"
    everything = [
        *(
            table(one)
            for one in files.read(Path(__file__).parent / "format1" / "everything.toml")[0].study.experiment
            if one.family != "target"
        ),
        *tables(golden_study()),
    ]
    keys = {column.key for made in everything for column in columns(made, report.keyed(made).cells)}
    assert {made_of.get(key, key) for key in keys} <= set(report_data.CSV_COLUMNS)
