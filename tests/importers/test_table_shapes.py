"""More shapes of tables: several in one file, headings of two lines, counts that are made up, and tables that
are refused in words.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.importers.test_table import asked, pairs, read, said
from tui.importers import table
from tui.importers.imported import Options, Source

# several tables, headings


def test_the_same_heading_under_another_title_begins_another_table() -> None:
    found = read("Strong\ncores,t_s\n8,40\n16,20\n\nWeak\ncores,t_s\n8,40\n16,41\n", family=None)
    assert [(part.name, part.family, len(part.runs)) for part in found.parts] == [
        ("Strong", "strong", 2),
        ("Weak", "weak", 2),
    ]
    assert found.tally.headings == 4


@pytest.mark.parametrize("units", [",ms", "-,[ms]", "#,ms", "n/a,(ms)"])
def test_a_line_of_units_below_the_heading(units: str) -> None:
    found = read(f"cores;time\n{units.replace(',', ';')}\n8;40200\n")
    if units.startswith("#"):  # a line that begins so is a remark
        assert asked(found) == ["time unit"]
    else:
        assert pairs(found) == [(8, (40.2,))]
        assert (found.tally.headings, found.tally.notes) == (2, 0)


def test_quoted_cells_may_go_over_lines() -> None:
    found = read('"cores","time\n(s)",note\n8,40.2,"a\n\nb"\n16,20.4,c\n"\n')
    assert pairs(found) == [(8, (40.2,)), (16, (20.4,))]
    assert [run.note for run in found.runs] == ["a b", "c"]
    inch = read('disk,cores,time_s\n5",8,40.2\n5",16,20.4\n')
    assert pairs(inch) == [(8, (40.2,)), (16, (20.4,))]


def test_counts_in_brackets_head_a_wide_table() -> None:
    assert pairs(read("n,T(1),T(2),T(4)\n100,10,6,4\n", "time=T:s")) == [(1, (10,)), (2, (6,)), (4, (4,))]


@pytest.mark.parametrize(
    ("head", "counts"),
    [
        ("cœurs;durée (s)", "core"),
        ("Prozessorkerne;Rechenzeit [s]", "core"),
        ("Anzahl Knoten;Gesamtlaufzeit (s)", "node"),
        ("aceleradores;Tiempo de ejecución (s)", "device"),
        ("nós;Tempo de execução (s)", "node"),
        ("ranghi;tempo (s)", "rank"),
    ],
)
def test_more_words_in_six_languages(head: str, counts: str) -> None:
    found = read(f"{head}\n8;40,2\n16;20,4\n")
    assert pairs(found) == [(8, (40.2,)), (16, (20.4,))]
    assert found.parts[0].counts == counts


# counts


@pytest.mark.parametrize(
    ("text", "devices"),
    [
        ("gpus,time_s\n1 GPU,9\n4 GPUs,3\n", [1, 4]),
        ("gpus,time_s\n2x4,9\n4 x 8,3\n", [8, 32]),
        ("layout,time_s\n2x4,9\n4×8,3\n", [8, 32]),
    ],
)
def test_counts_that_say_what_they_count_or_how_they_are_made_up(text: str, devices: list[int]) -> None:
    assert [count for count, _ in pairs(read(text))] == devices


def test_a_thousand_that_is_written_k_is_never_one() -> None:
    found = read("cores,time_s\n1k,9\n2k,3\n", "devices=cores")
    assert not found.runs
    assert [problem.line for problem in found.problems] == [2, 3]


def test_a_shape_is_only_offered_as_a_count() -> None:
    found = read("shape,time_s\n64x64,9\n128x64,3\n")
    assert asked(found) == ["count"]
    assert found.questions[0].choices[0].option == "--map devices=shape"


def test_a_number_that_nobody_counts_to_is_not_offered() -> None:
    """xeptore/grayscaler-benchmarks, speedup.csv: one time in nanoseconds a model."""
    found = read("model,best\nCUDA,2734824610\npthread,26125498122\n")
    assert [choice.option for choice in found.questions[0].choices] == ["--map devices=1"]


# numbers


def test_a_spread_behind_a_time_is_kept_beside_it() -> None:
    found = read("cores,time\n8,40.2 ± 0.3 s\n16,20.4 +/- 0.1 s\n")
    assert pairs(found) == [(8, (40.2,)), (16, (20.4,))]
    assert found.runs[0].extra == {"time": "40.2 ± 0.3 s"}


def test_a_wrong_number_is_shown_as_it_was_typed() -> None:
    found = read("cores;t_s\n1;1.234,56\n4;1,2,3\n")
    assert '"1,2,3"' in str(found.problems[0])


@pytest.mark.parametrize(
    ("name", "unit"),
    [
        ("samples/s/GPU", "samples"),
        ("tokens per second per GPU", "tokens"),
        ("steps/s", "steps"),
        ("Rendimiento (GFLOPS)", "Rendimiento (GFLOPS)·s"),
    ],
)
def test_what_a_rate_is_of(name: str, unit: str) -> None:
    (part,) = read(f"gpus,{name}\n1,100\n4,390\n").parts
    assert part.work is not None
    assert part.work.of == unit


def test_rates_of_other_sizes_at_one_count_are_no_repeats() -> None:
    """lanl/benchmarks, doc/sphinx/03_vibe/gpu.csv: 0 where it did not run."""
    text = "Mesh Base Size,  Actual\n32, 2.88e+07\n64, 2.19e+07\n192, 0\n"
    found = read(text, "devices=1", "rate=Actual")
    assert [part.name for part in found.parts] == [f"Mesh Base Size {size}" for size in (32, 64, 192)]
    assert [run.status for run in found.runs] == ["completed", "completed", "failed"]
    repeats = read("gpus,size,samples/s\n1,64,9\n1,64,8\n4,64,30\n")
    assert len(repeats.parts) == 1


def test_other_numbers_of_steps_are_other_work() -> None:
    """The shape of nicoolivaresg/lab3_sistope, matlab/times.csv, with a heading."""
    rows = "128,2000,1.04,0.53\n128,4000,2.04,1.06\n256,2000,4.27,2.21\n256,4000,8.22,4.26\n"
    found = read("size,steps,1,2\n" + rows, "time=values:s")
    assert {part.name for part in found.parts} == {
        f"steps {steps}, size {size}" for steps in (2000, 4000) for size in (128, 256)
    }
    assert all([run.devices for run in part.runs] == [1, 2] for part in found.parts)


def test_work_is_never_below_zero() -> None:
    assert all(run.work is None for run in read("n,cores,time_s\n-100,1,9\n-200,2,9\n", family="weak").runs)
    found = read("cores,n,time_s\n1,-5,9\n2,5,9\n", "work-per-device=n", family="weak")
    assert [str(problem) for problem in found.problems] == ['line 2: n: read "-5": no work is below 0']
    assert [run.work for run in found.runs] == [10.0]


def test_one_question_about_a_column_of_all_experiments() -> None:
    """The shape of extra-p/extrap, tests/data/mpi_data.csv."""
    rows = ("a,32,1600,9\n", "a,64,1998,9\n", "b,32,1598,9\n", "b,64,2000,9\n")
    found = read("mpi,Ranks,N,median (us)\n" + "".join(rows), family="weak")
    assert asked(found) == ["work"]
    assert pairs(read("mpi,Ranks,N,median (us)\na,32,1600,9\na,64,1998,9\n", "ignore=N", family="weak"))


# tables that say too little


@pytest.mark.parametrize(
    ("text", "name", "sentence"),
    [
        ("1,\n2,\n4,\n", "raw.csv", "every row has one number, and a run needs a count and a time; every"),
        ("1\n2\n4\n", "raw.csv", "every row has one number, and a run needs a count and a time"),
        ("1,2,1.0,0.9,0.8\n2,2,1.0,0.8,0.7\n", "efficiency.csv", "by the name of the file these are ratios"),
        ("1,2,1.0,1.9,2.8\n2,2,1.0,1.8,2.7\n", "speedup.csv", "by the name of the file these are ratios"),
        ("Time taken for epoch 1 is 63.0 sec\n" * 3, "out.txt", "sentences with numbers in them"),
        ("a," * 1000 + "time_s\n" + "1," * 1000 + "2\n", "x.csv", "has 1,001 columns, and up to 1,000 are"),
    ],
)
def test_tables_that_are_refused_in_words(text: str, name: str, sentence: str) -> None:
    found = read(text, name=name)
    assert not found.runs
    assert not found.questions
    assert sentence in str(found.problems[0])
    assert found.tally.refused == len([line for line in text.split("\n") if line]) - found.tally.headings


def test_counts_and_no_time_are_no_run_whatever_is_answered() -> None:
    """tjk12/COP5522-SSH-Files, strong_scaling_raw.csv and weak_scaling_raw.csv."""
    assert "is the time missing?" in str(read("1,\n2,\n4,\n", "devices=#1").problems[0])
    found = read("1,10000,\n2,20000,\n")
    assert asked(found) == ["count", "time"]
    assert "every row ends in a blank cell: is the time missing?" in found.questions[1].sentence
    answered = read("1,10000,\n2,20000,\n", "devices=#1", "work=#2")
    assert "is the time missing?" in str(answered.problems[0])


def test_a_matrix_without_a_heading_is_asked_for_one() -> None:
    found = read("128,2000,1.04,0.53,0.37\n256,2000,4.2,2.2,1.5\n")
    assert asked(found) == ["count"]
    assert "put a line above it that names its columns" in found.questions[0].sentence
    assert "size,1,2,4" in found.questions[0].sentence
    assert "heading" not in said(found)


def test_a_beginning_of_blank_lines_takes_no_power_of_their_number() -> None:
    assert table.sniff(b"\n# x\n" * 20_000 + b"=", "x.txt") == 0


def test_bytes_that_are_no_text_are_no_table() -> None:
    noise = bytes(range(256)) * 40
    assert table.sniff(noise, "x.csv") == 0
    assert table.sniff("cores;t\n8;1\n".encode("utf-16"), "x.csv") > 0
    assert table.sniff(b"cores,t\n8,1\n\x1a", "x.csv") > 0


def test_a_table_of_zero_bytes_has_nothing_in_it() -> None:
    found = table.read(Source(Path("x.csv"), b"\0" * 100), Options(family="strong"))
    assert not found.runs
    assert "there are no rows" in str(found.problems[0])
