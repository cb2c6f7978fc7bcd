"""Tables as people have them. Shapes and traps are those of public files, whose repositories the comments
name; the values are typed in, or made up where no file is named.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tui.importers import roles, table
from tui.importers.imported import Imported, Options, Source, Stopped
from tui.model.scaling import table as tabulated
from tui.model.study import Family


def read(text: str | bytes, *maps: str, name: str = "runs.csv", family: Family | None = "strong") -> Imported:
    """A table read with these statements."""
    data = text.encode() if isinstance(text, str) else text
    found = table.read(Source(Path(name), data), roles.options(list(maps), Options(family=family)))
    assert found.tally.adds_up, found.tally
    return found


def pairs(found: Imported) -> list[tuple[int, tuple[float, ...]]]:
    """Count and times of every run; nothing may be open."""
    assert found.questions == ()
    return [(run.devices, run.times_s) for run in found.runs]


def asked(found: Imported) -> list[str]:
    """What the questions are about."""
    return [question.about for question in found.questions]


def said(found: Imported) -> str:
    """All notes."""
    return "\n".join(map(str, found.notes))


TWO = [(8, (40.2,)), (16, (20.4,))]


@pytest.mark.parametrize(
    "text",
    [
        "cores,time_s\n8,40.2\n16,20.4\n",
        "cores, time_s\n8, 40.2\n16, 20.4",
        "cores,time_s,\n8,40.2,\n16,20.4,\n",
        "cores,time_s\r\n8,40.2\r\n16,20.4\r\n",
        "\ufeffcores,time_s\r\n8,40.2\r\n16,20.4\r\n",
        "cores\ttime_s\n8\t40.2\n16\t20.4\n",
        "cores;time_s\n8;40.2\n16;20.4\n",
        "cores;time_s;\n8;40,2;\n16;20,4;\n",
        "cores;time_s\n8;40,2\n16;20,4\n",
        "cores time_s\n8 40.2\n16 20.4\n",
        "cores   time_s\n    8     40,2\n   16     20,4\n",
        "# cores time_s\n8 40.2\n16 20.4\n",
        '"cores","time_s"\n"8","40.2"\n"16","20.4"\n',
        "| cores | time_s |\n|------:|:------:|\n| 8 | 40.2 |\n| 16 | 20.4 |\n",
        "+-------+------+\n| cores |time_s|\n+=======+======+\n| 8 | 40.2 |\n| 16 | 20.4 |\n+---+---+\n",
        "┌───────┬──────┐\n│ cores │time_s│\n├───────┼──────┤\n│ 8     │ 40.2 │\n│ 16 │ 20.4 │\n└───┴──┘\n",
        "result:\ncores | time_s\n------+-------\n    8 |   40.2\n   16 |   20.4\n",
        "cores,time_s\n\n8,40.2\n\n\n16,20.4\n\n",
        "cores,time_s\n8,40.2\ncores,time_s\n16,20.4\n",
        "cores,time (ms)\n8,40200\n16,20400\n",
        "cores,t_us\n8,40200000\n16,20400000\n",
        "cores,Laufzeit [min]\n8,0.67\n16,0.34\n",
        "cores,elapsed\n8,40.2 s\n16,20400ms\n",
        "cores,elapsed\n8,0:40.2\n16,00:00:20.4\n",
        "Número de núcleos;Tiempo (s)\n8;40,2\n16;20,4\n",
        "núcleos;tempo de execução (s)\n8;40,2\n16;20,4\n",
        "Anzahl Kerne;Laufzeit (s)\n8;40,2\n16;20,4\n",
        "numero di processori;tempo di esecuzione (s)\n8;40,2\n16;20,4\n",
        "nombre de cœurs;x;temps d'exécution (s)\n8;;40,2\n16;;20,4\n".replace("œ", "oe"),
    ],
)
def test_the_same_table_in_every_dress(text: str) -> None:
    assert pairs(read(text)) == TWO


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "latin-1"])
def test_encodings(encoding: str) -> None:
    found = read("núcleos;time_s;Größe\n8;40,2;x\n16;20,4;x\n".encode(encoding))
    assert pairs(found) == TWO
    assert [column.name for column in found.columns] == ["núcleos", "time_s", "Größe"]


# units, clocks, numbers


@pytest.mark.parametrize(
    ("cell", "seconds"),
    [
        ("1-02:03:04", 93784),
        ("12:30:00", 45000),
        ("1:02.5", 62.5),
        ("1m2.5s", 62.5),
        ("2 h", 7200),
        ("900ns", 9e-7),
        ("6 µs", 6e-6),
        (".203738 s", 0.203738),
        ("02.463 s", 2.463),
        ("4.486e+10 ns", 44.86),
    ],
)
def test_times_with_a_unit_of_their_own(cell: str, seconds: float) -> None:
    ((_, times),) = pairs(read(f"threads,elapsed\n4,{cell}\n"))
    assert times == pytest.approx((seconds,), rel=1e-12)


def test_the_unit_of_a_time_is_asked_and_the_answer_taken() -> None:
    # xeptore/grayscaler-benchmarks, benchmark-openmp.csv: nanoseconds, and nothing says so.
    text = "threads,time\n1,44869891889\n2,44847953266\n"
    found = read(text)
    assert asked(found) == ["time unit"]
    assert found.questions[0].choices[0].option == "--map time=time:ns"
    assert not found.ready
    assert pairs(read(text, "time=time:ns")) == [(1, (44.869891889,)), (2, (44.847953266,))]


def test_a_clock_of_two_parts_is_asked() -> None:
    found = read("threads,elapsed\n1,1:02\n2,0:45\n")
    assert asked(found) == ["time unit"]
    assert [choice.option[-5:] for choice in found.questions[0].choices] == ["min:s", "h:min"]
    assert pairs(read("threads,elapsed\n1,1:02\n", "time=elapsed:h:min")) == [(1, (3720.0,))]


def test_a_comma_with_two_readings_is_asked_unless_the_file_settles_it() -> None:
    open_ = read('devices,time_s\n4,"1,600"\n8,800\n')
    assert asked(open_) == ["number"]
    assert "line 2" in open_.questions[0].sentence
    assert pairs(read('devices,time_s\n4,"1,600"\n8,800\n', "decimal=point"))[0] == (4, (1600.0,))
    assert pairs(read('devices,time_s\n4,"1,600"\n8,800\n', "decimal=comma"))[0] == (4, (1.6,))
    settled = read("devices;time_s\n4;1,600\n8;0,8\n")
    assert pairs(settled) == [(4, (1.6,)), (8, (0.8,))]
    assert '"0,8" in line 3' in said(settled)
    grouped = read('devices,time_s\n4,"1,600"\n8,"1,234.5"\n')
    assert pairs(grouped) == [(4, (1600.0,)), (8, (1234.5,))]


def test_points_between_thousands_where_the_comma_is_the_decimal_sign() -> None:
    # pandas issues 59299 and 12933: `1.234,56`.
    assert pairs(read("4;1.234,56\n8;1.000\n", "devices=#1", "time=#2:s")) == [
        (4, (1234.56,)),
        (8, (1000.0,)),
    ]


def test_both_signs_in_one_file_are_read_cell_by_cell() -> None:
    found = read("cores;time_s;share\n8;1.5;0,5\n16;1.234;2,5\n")
    assert pairs(found) == [(8, (1.5,)), (16, (1.234,))]


def test_a_decimal_comma_is_no_separator() -> None:
    assert pairs(read("8 40,2\n16 20,4\n", "devices=#1", "time=#2:s")) == TWO


# rows that are no measurements


def test_missing_words_zeros_and_negatives() -> None:
    # Words in a time cell: arturo32/ray-tracer, tempos.csv ("took too long, gave up").
    text = "threads;tempo (s)\n1;0\n2;-3\n4;\n8;--\n16;N/A\n32;demorou demais desisti\n64;OOM\n128;crashed\n"
    found = read(text)
    assert [(run.devices, run.times_s, run.status) for run in found.runs] == [
        (1, (0.0,), "completed"),
        (4, (), "completed"),
        (8, (), "completed"),
        (16, (), "completed"),
        (32, (), "stopped"),
        (64, (), "out-of-memory"),
        (128, (), "failed"),
    ]
    assert found.runs[4].note == "tempo (s): demorou demais desisti"
    assert [str(problem) for problem in found.problems] == [
        'line 3: tempo (s): read "-3": no time is below 0; correct it or take the row out'
    ]
    assert (found.tally.runs, found.tally.not_completed, found.tally.refused) == (1, 6, 1)


def test_a_file_whose_measurements_all_failed() -> None:
    # tjk12/COP5522-SSH-Files, strong_scaling.csv: every value is empty.
    found = read("threads,time_us,speedup,efficiency\n1,,,\n2,,,\n", name="strong_scaling.csv", family=None)
    assert [(run.devices, run.times_s) for run in found.runs] == [(1, ()), (2, ())]
    assert found.parts[0].family == "strong"
    assert found.tally.not_completed == 2


def test_every_problem_of_a_file_at_once() -> None:
    found = read("cores,time_s,nodes\n8,1\nx,2,1\n0,3,1\n4,-1,1\n2,5,1.5\n1,9,1\n")
    assert [(problem.line, problem.column) for problem in found.problems] == [
        (2, ""),
        (3, "cores"),
        (4, "cores"),
        (5, "time_s"),
        (6, "nodes"),
    ]
    assert pairs(found) == [(1, (9.0,))]
    assert found.tally.refused == 5


def test_remarks_and_rows_that_were_commented_out() -> None:
    # felker/athenak-scaling, weak scaling of large blocks: remarks and further repeats behind `#`.
    text = (
        "Num MPI ranks,Num nodes,cpu time used,zone-cycles/cpu_second\n"
        "1,1,2.927359e+02,9.788851e+07\n4,1,2.957522e+02,3.875607e+08\n8,2,2.958962e+02,7.747443e+08\n"
        "\n# extra samples (some jitter)\n# 64,16,2.964720e+02,6.185915e+09\n"
        "# after export FI_OFI_...\n"
    )
    found = read(text, "time=cpu time used:s", family=None, name="weak.csv")
    assert pairs(found) == [(1, (292.7359,)), (4, (295.7522,)), (8, (295.8962,))]
    assert [note.line for note in found.notes if "remark" in note.sentence] == [6, 7, 8]
    assert "line 7: commented out" in said(found)
    assert (found.tally.notes, found.tally.blank) == (3, 1)
    assert found.parts[0].counts == "rank"
    assert found.runs[2].nodes == 2


def test_a_remark_behind_a_row_is_the_note_of_its_run() -> None:
    found = read("procs,time_s # best of three\n1,10 # cold cache\n2,5\n")
    assert [run.note for run in found.runs] == ["cold cache", ""]
    assert "best of three" in said(found)


# counts


@pytest.mark.parametrize(
    ("header", "row", "devices", "counts", "layout"),
    [
        ("ranks,threads", "4,8", 32, "core", (None, 4, 8)),
        ("n_procs,n_threads", "2,3", 6, "core", (None, 2, 3)),
        ("nodes,ranks", "2,8", 8, "rank", (2, 8, None)),
        ("nodes,ranks,threads", "2,8,4", 32, "core", (2, 8, 4)),
        ("nodes,ranks per node", "2,4", 8, "core", (2, 8, None)),
        ("nodes,ppn,OMP_NUM_THREADS", "2,4,8", 64, "core", (2, 8, 8)),
        ("nodes,GPUs per node", "2,4", 8, "GPU", (2, None, None)),
        ("Nodes", "3", 3, "node", (3, None, None)),
        ("No. Cores", "112", 112, "core", (None, None, None)),
        ("Total_Cores", "16", 16, "core", (None, None, None)),
        ("Number of Tasks", "20", 20, "rank", (None, 20, None)),
        ("hilos", "4", 4, "thread", (None, None, 4)),
        ("GPUs,CPUs", "4,64", 4, "GPU", (None, None, None)),
        ("Type,MPI,OMP,Total", "Hybrid,4,2,8", 8, "core", (None, 4, 2)),
    ],
)
def test_what_the_count_is(
    header: str, row: str, devices: int, counts: str, layout: tuple[int | None, ...]
) -> None:
    found = read(f"{header},time_s\n{row},1.5\n")
    (run,) = found.runs
    assert found.questions == ()
    assert (run.devices, found.parts[0].counts) == (devices, counts)
    assert (run.nodes, run.ranks, run.threads_per_rank) == layout


def test_ranks_that_stay_while_the_nodes_grow_are_asked() -> None:
    found = read("nodes,ranks,time_s\n1,4,10\n2,4,5\n")
    assert asked(found) == ["count"]
    assert pairs(read("nodes,ranks,time_s\n1,4,10\n2,4,5\n", "ranks-per-node=ranks")) == [
        (4, (10.0,)),
        (8, (5.0,)),
    ]
    assert pairs(read("nodes,ranks,time_s\n1,4,10\n2,4,5\n", "ranks=ranks")) == [(4, (10.0,)), (4, (5.0,))]


def test_a_total_that_is_not_the_product_is_kept() -> None:
    found = read("MPI,OMP,Total,time_s\n4,2,16,1.5\n1,2,4,5\n")
    assert [(run.devices, run.extra["Total"]) for run in found.runs] == [(8, "16"), (2, "4")]


def test_the_count_in_a_word() -> None:
    # bakshishantanu's benchmarks.txt: sequential, mpi_2, mpi_4 as rows.
    assert pairs(read("mode,time_s\nsequential,10\nmpi_2,6\nmpi_4,3\n")) == [
        (1, (10.0,)),
        (2, (6.0,)),
        (4, (3.0,)),
    ]
    assert asked(read("mode,time_s\nsequential,10\nopenmp,6\n")) == ["count"]


def test_one_count_for_all_rows() -> None:
    # lanl/benchmarks, vibe on one GPU: mesh sizes, and 0 where it did not run.
    text = "Mesh Base Size,  Actual\n32, 2.88e+07\n160, 1.03e+07\n192, 0\n"
    assert asked(read(text)) == ["count", "time"]
    found = read(text, "devices=1,rate=Actual")
    assert found.questions == ()
    assert [run.status for run in found.runs] == ["completed", "completed", "failed"]


def test_different_layouts_of_one_count_stay_apart() -> None:
    # Ibrahimaa19, benchmark_fixed.csv: 8 = 8x1 = 1x8 = 4x2.
    text = "Type,MPI,OMP,Total,FOM\nMPI,8,1,8,212.86\nMPI,1,1,1,6.01\nOpenMP,1,8,8,7.78\nHybrid,4,2,8,61.51\n"
    found = read(text)
    rows = tabulated(found.parts[0].experiment("karman", "strong")).rows
    assert [row.devices for row in rows] == [1, 8, 8, 8]
    assert [run.label for run in found.runs] == ["MPI", "MPI", "OpenMP", "Hybrid"]


# rates


def test_a_rate_that_grows_is_of_all_together() -> None:
    # felker/athenak-scaling, strong scaling of small blocks: a rate and no time.
    header = '"Num MPI ranks","Num nodes","zone-cycles/cpu_second"\n'
    text = header + "1,1,6.430207e+07\n4,1,1.878018e+08\n8,2,3.648794e+08\n"
    found = read(text)
    assert found.questions == ()
    assert "rate of all together: it grows 5.67-fold" in said(found)
    rows = tabulated(found.parts[0].experiment("x", "strong")).rows
    assert rows[2].efficiency == pytest.approx(3.648794e8 / 6.430207e7 / 8)
    assert rows[2].time_s == pytest.approx(1 / 3.648794e8)


def test_a_rate_of_which_both_may_be_meant_is_asked() -> None:
    text = "GPUs,throughput\n1,100\n2,95\n4,90\n"
    assert asked(read(text)) == ["rate"]
    each = read(text, "rate-per-device=throughput")
    assert [row.efficiency for row in tabulated(each.parts[0].experiment("x", "strong")).rows] == [
        1.0,
        pytest.approx(0.95),
        pytest.approx(0.90),
    ]
    together = read(text, "rate=throughput")
    assert tabulated(together.parts[0].experiment("x", "strong")).rows[2].efficiency == pytest.approx(0.225)


@pytest.mark.parametrize("name", ["tokens/s/GPU", "samples/sec per GPU", "p1-per-node-FOM"])
def test_a_rate_named_as_that_of_each(name: str) -> None:
    found = read(f"GPUs,{name}\n1,100\n2,95\n")
    assert found.questions == ()
    assert tabulated(found.parts[0].experiment("x", "strong")).rows[1].efficiency == pytest.approx(0.95)


def test_of_two_rates_the_one_times_the_count_is_the_total() -> None:
    # lanl/benchmarks, branson on 32 to 96 nodes: `Photons/s` stands twice in the heading.
    text = (
        "Iteration,Photons,Nodes,Photons/s,Photons/s\n"
        "1,2720,32,9.20E+07,2.87E+06\n1,5440,64,1.89E+08,2.95E+06\n"
    )
    found = read(text, family="weak")
    assert found.questions == ()
    assert [column.name for column in found.columns][-1] == "Photons/s (2)"
    row = tabulated(found.parts[0].experiment("x", "weak")).rows[1]
    assert row.efficiency == pytest.approx(1.89e8 / 64 / (9.20e7 / 32))


def test_a_number_beside_an_ideal_is_a_rate() -> None:
    # lanl/benchmarks, UMT (ideal proportional) and SPARTA (ideal constant, percent cells).
    total = read(
        "Cores,Actual,Ideal\n1,3.3341e+07,3.33E+07\n8,1.73263e+08,2.67E+08\n112,6.2133e+08,3.73E+09\n"
    )
    assert total.questions == ()
    assert tabulated(total.parts[0].experiment("x", "strong")).rows[2].efficiency == pytest.approx(
        6.2133e8 / 3.3341e7 / 112
    )
    each = read(
        "No. Nodes,Actual,Ideal,Parallel Efficiency\n1,2652.11,2652.11,100.0%\n2,2643.31,2652.11,99.7%\n"
        "2048,2097.73,2652.11,79.1%\n",
        family="weak",
    )
    row = tabulated(each.parts[0].experiment("x", "weak")).rows[2]
    assert row.efficiency == pytest.approx(0.791, abs=5e-4)
    assert "derived-clash" not in row.codes


def test_work_per_day_and_rates_of_a_batch() -> None:
    assert pairs(read("GPUs,ns/day\n1,10\n2,18\n")) == [(1, (8640.0,)), (2, (4800.0,))]
    batch = read("GPUs,global_batch,samples/s\n1,1024,100\n2,1024,190\n")
    assert pairs(batch)[0] == (1, (10.24,))
    assert batch.parts[0].time_means == "one update"


def test_a_rate_beside_a_time_is_only_checked() -> None:
    # Ibrahimaa19, strong_scaling.csv: the figure of merit grows 75-fold on 12 ranks, the time shrinks 5-fold.
    found = read("MPI,FOM,Time(s)\n1,5.67,02.463\n2,22.13,01.278\n12,429.46,00.486\n\n")
    assert pairs(found) == [(1, (2.463,)), (2, (1.278,)), (12, (0.486,))]
    assert "FOM × Time(s) goes from 14 at 1 to 209 at 12" in said(found)
    assert found.runs[0].extra == {"FOM": "5.67"}
    # Diechi09's weak file: the throughput is per node there, in the strong file it is the total.
    weak = read("nodes,time_s,throughput_mcells_s\n1,0.48,437.0\n2,0.50,419.0\n8,0.56,374.0\n", family="weak")
    assert "throughput_mcells_s is the rate of each device, not of all" in said(weak)


# several times, sizes, groups


def test_parts_of_the_time_are_stages() -> None:
    # BraeTroutman/pdgemv, scaling.csv.
    text = (
        "p,pr,pc,rows,cols,total,allgather,comp,reducescatter,redistribute\n"
        "1,1,1,17600,17600,3.45319,0.000127508,3.45292,6.0371e-05,7.5958e-05\n"
        "2,2,1,17600,17600,1.74343,0.000164826,1.74319,4.978e-05,2.6263e-05\n"
    )
    assert asked(read(text)) == ["time unit"]
    found = read(text, "time=total:s")
    assert found.runs[1].times_s == (1.74343,)
    assert found.runs[1].stages_s["comp"] == 1.74319
    assert list(found.runs[1].stages_s) == ["allgather", "comp", "reducescatter", "redistribute"]
    assert found.runs[1].extra["pr"] == "2"


def test_two_times_are_asked() -> None:
    # charisliao/cs267-hw4, serial_parallel.csv, and tux550's: no count either.
    found = read("Matrix Size,Serial Time (seconds),MPI Time (seconds)\n10000,0.00410583,0.0018873\n")
    assert asked(found) == ["count", "time"]
    assert found.tally.waiting + found.tally.runs == 1


def test_sizes_keep_rows_apart() -> None:
    # barbaperezf/k-means_Paralelo, resultados_tiempos.csv: points, threads and repeats.
    text = (
        "dims,puntos,hilos,rep,tiempo_s\r\n2,100000,1,1,0.173794\r\n2,100000,1,2,0.178792\r\n"
        "2,100000,8,1,0.366183\r\n2,100000,8,2,0.0554\r\n2,200000,1,1,0.28\r\n2,200000,8,1,0.16\r\n"
    )
    found = read(text)
    assert [(part.name, len(part.runs)) for part in found.parts] == [
        ("puntos 100000", 4),
        ("puntos 200000", 2),
    ]
    assert found.repeats == "jobs"
    assert tabulated(found.parts[0].experiment("x", "strong")).rows[0].jobs == 2


def test_repeats_with_zeros() -> None:
    # ClaudiaLSO, resultados.csv: whole milliseconds, many of them 0.
    text = "Algoritmo,Tamanho,Modo,Threads,TempoMS\n" + "".join(
        f"{sort},{size},{mode},{threads},{time}\n"
        for sort in ("BubbleSort", "QuickSort")
        for size in (1000, 5000)
        for mode, threads, time in (
            ("Serial", 1, 5),
            ("Serial", 1, 0),
            ("Paralelo", 2, 0),
            ("Paralelo", 2, 10),
        )
    )
    found = read(text)
    assert [part.name for part in found.parts] == [
        "BubbleSort, Tamanho 1000",
        "BubbleSort, Tamanho 5000",
        "QuickSort, Tamanho 1000",
        "QuickSort, Tamanho 5000",
    ]
    rows = tabulated(found.parts[0].experiment("x", "strong")).rows
    assert [row.jobs for row in rows] == [2, 2]
    assert "below-timer-resolution" in rows[1].codes


def test_steps_of_a_job_and_a_damaged_heading() -> None:
    # KunkelAlexander, data_figure_14: several schemes, a row a step, the heading begins with "ime".
    text = "ime,Step,ElapsedTime,Scheme,Rank\n" + "".join(
        f"0.1,{step},{time},{scheme},{rank}\n"
        for scheme, time in (("Hybrid", 12600.0), ("Linear", 8000.0))
        for rank in (1, 4)
        for step in (1, 2, 3)
    )
    found = read(text, "time=ElapsedTime:s")
    assert [part.name for part in found.parts] == ["Hybrid", "Linear"]
    assert pairs(found)[0] == (1, (12600.0, 12600.0, 12600.0))
    assert (found.repeats, found.tally.runs, found.tally.steps) == ("steps", 4, 8)
    assert len(read(text, "time=ElapsedTime:s", "repeats=jobs").runs) == 12


def test_a_column_for_each_repeat() -> None:
    text = "cores,run 1 (s),run 2 (s),run 3 (s)\n1,10,11,10.5\n2,5,5.1,5.2\n"
    jobs = [(1, (10.0,)), (1, (11.0,)), (1, (10.5,)), (2, (5.0,)), (2, (5.1,)), (2, (5.2,))]
    assert pairs(read(text)) == pairs(read(text, "repeats=jobs")) == jobs
    assert "of one count are taken for jobs" in said(read(text))
    assert pairs(read(text, "repeats=steps")) == [(1, (10.0, 11.0, 10.5)), (2, (5.0, 5.1, 5.2))]
    steps = read(text.replace("run", "step"))
    assert pairs(steps) == pairs(read(text, "repeats=steps"))
    assert "taken for its steps" in said(steps)
    assert pairs(read("devices,time_s\n1,10 10.5 9.8\n")) == [(1, (10.0, 10.5, 9.8))]


def test_a_unit_is_a_heading_by_itself() -> None:
    assert pairs(read("cores,hours\n4,2.5\n8,1.25\n")) == [(4, (9000.0,)), (8, (4500.0,))]
    assert pairs(read("cores,minutes\n4,25\n8,13\n")) == [(4, (1500.0,)), (8, (780.0,))]


def test_one_fault_of_a_line_is_one_problem() -> None:
    found = read("cores,4,8,16,32\nx1,40,20,10,5\n2,1,2,3,4\n", "devices=cores", "time=values:s")
    assert [problem.line for problem in found.problems] == [2]


def test_a_table_on_its_side_is_turned() -> None:
    assert pairs(read("cores,4,8,16\ntime_s,40,20,10\n")) == [(4, (40.0,)), (8, (20.0,)), (16, (10.0,))]
    found = read("cores;4;8;16\ntime_s;40;20;x\nspeedup;1;2;4\n")
    assert pairs(found)[:2] == [(4, (40.0,)), (8, (20.0,))]
    assert found.runs[0].extra == {"speedup": "1"}
    assert "each column is taken for a row" in said(found)


def test_several_tables_are_named_over_their_columns_and_rates_are_said_to_be_the_source_of_t() -> None:
    found = read("cores,time_s\n8,40.2\n16,20.4\n\ncores,samples/s\n8,40\n16,75\n")
    assert [column.table for column in found.columns] == ["table 1", "table 1", "table 2", "table 2"]
    assert "T is computed from the rate" in said(found)
    one = read("cores,time_s\n8,40.2\n16,20.4\n")
    assert (one.columns[0].table, "computed from the rate" in said(one)) == ("", False)


def test_a_job_that_failed_says_nothing_of_the_others_in_its_row() -> None:
    text = "cores,run1,run2,run3\n4,30,31,32\n8,15.1,FAIL,15.3\n"
    (question,) = read(text).questions
    found = read(text, question.choices[0].option.removeprefix("--map "))
    assert [(run.times_s, run.status, run.note) for run in found.runs if run.devices == 8] == [
        ((15.1,), "completed", ""),
        ((), "failed", "run2: FAIL"),
        ((15.3,), "completed", ""),
    ]


def test_a_column_for_each_size() -> None:
    # charisliao/cs267-hw4, strong.csv.
    text = (
        "Number of Tasks,MPI Time (seconds) N=100000, MPI Time (seconds) N=1000000\n"
        "1,0.0358203,0.29769\n2,0.0210587,0.18166\n"
    )
    found = read(text)
    assert [(part.name, part.work.amount if part.work else 0) for part in found.parts] == [
        ("N 100000", 100000),
        ("N 1000000", 1000000),
    ]
    assert pairs(found) == [(1, (0.0358203,)), (2, (0.0210587,)), (1, (0.29769,)), (2, (0.18166,))]
    assert found.tally.runs == 2


def test_a_column_for_each_count() -> None:
    # lanl/benchmarks, branson photon range: empty cells; what the numbers are is not written.
    text = "Photons,32,64,96\n200,1.25e+08,2.42e+08,2.41e+08\n8000,,2.54e+08,3.77e+08\n"
    assert asked(read(text)) == ["time"]
    found = read(text, "rate=values")
    assert [part.name for part in found.parts] == ["Photons 200", "Photons 8000"]
    assert [(run.devices, bool(run.times_s)) for run in found.parts[1].runs] == [
        (32, False),
        (64, True),
        (96, True),
    ]
    keys = read("n,m,1,2,4\n128,2000,10,5,3\n128,4000,20,10,6\n", "time=values:s")
    assert [(part.name, len(part.runs)) for part in keys.parts] == [("m 2000", 3), ("m 4000", 3)]
    sizes = read("threads,1000,2000\n1,10,20\n2,5,10\n", "time=values:s")
    assert [(part.name, len(part.runs)) for part in sizes.parts] == [("size 1000", 2), ("size 2000", 2)]
    threads = read("size,1 thread,2 threads\n1000,10,5\n", "time=values:s")
    assert (pairs(threads), threads.parts[0].counts) == ([(1, (10.0,)), (2, (5.0,))], "thread")


def test_unnamed_numbers_that_cross_all_counts_are_no_repeats() -> None:
    found = read("alpha,cores,time_s\n0.5,1,10\n0.7,1,20\n0.5,2,5\n0.7,2,10\n")
    assert [part.name for part in found.parts] == ["alpha 0.5", "alpha 0.7"]
    numbered = read("k,cores,time_s\n1,1,10\n2,1,20\n1,2,5\n2,2,10\n")
    assert len(numbered.parts) == 1
    assert "k numbers the rows of each count" in said(numbered)


def test_tables_without_a_heading_are_asked() -> None:
    # nicoolivaresg/lab3_sistope, matlab_times.csv, and tjk12's raw files.
    found = read("128,2000,1.042560,0.537960\n128,4000,2.047560,1.068480\n")
    assert asked(found) == ["count", "time"]
    assert "has no heading" in found.questions[0].sentence
    assert found.tally.waiting == 2
    raw = read("1,10000,\n2,20000,\n", "devices=#1", "time=#2:ms")
    assert pairs(raw) == [(1, (10.0,)), (2, (20.0,))]


def test_the_results_of_jube() -> None:
    # FZJ-JSC/JUBE writes "result:" above a Markdown table, and names values after their patterns.
    text = (
        "result:\n| jube_wp_id | nodes | tasks_pat | time_pat[s] |\n"
        "|-----------:|------:|----------:|------------:|\n"
        "|          0 |     1 |         4 |        10.2 |\n|          1 |     2 |         8 |         5.4 |\n"
    )
    found = read(text, name="result.dat")
    assert pairs(found) == [(4, (10.2,)), (8, (5.4,))]
    assert found.parts[0].name == "result"
    assert found.runs[0].extra == {"jube_wp_id": "0"}


def test_statistics_without_a_unit_are_asked() -> None:
    # extra-p/extrap, tests/data/mpi_data.csv: barriers, in microseconds.
    text = "mpi,Ranks,N,mean,sd,median\nIntelMPI,32,1600,13.26,19.4,11.2\nIntelMPI,64,1998,16.5,41.9,14.3\n"
    assert asked(read(text)) == ["time"]
    assert pairs(read(text, "time=median:us"))[0] == (32, (11.2e-6,))


def test_no_more_questions_than_can_be_answered() -> None:
    text = "".join(f"table {place}\nx{place},y\n1,2\n2,3\n\n" for place in range(40))
    assert len(read(text).questions) == table.MOST_QUESTIONS


def test_several_tables_in_one_file() -> None:
    text = "Small\nprocs,time (s)\n1,10\n2,5\n\nLarge\nprocs,time (s),note\n1,20,a\n2,10,b\n"
    found = read(text)
    assert [(part.name, len(part.runs)) for part in found.parts] == [("Small", 2), ("Large", 2)]
    assert found.tally.headings == 4


def test_a_comma_inside_a_heading() -> None:
    # charisliao/cs267-hw4, weak.csv: the heading has one comma more than the rows.
    text = "Number of Tasks,MPI Time (seconds) N=10,000 * Number of Tasks\n1,0.00377952\n2,0.00456728\n\n"
    found = read(text, family=None, name="cs267.csv")
    assert pairs(found) == [(1, (0.00377952,)), (2, (0.00456728,))]
    assert found.parts[0].family == "weak"
    ratios = read("Tasks (p),Speedup = T(n, 1) / T(n, p) N=100000\n1,1\n2,1.700973944\n")
    assert "ratios of times that are not in the file" in str(ratios.problems[0])


# family


def test_the_family_is_asked_unless_something_says_it() -> None:
    text = "Cores,Time(s)\n1,10\n2,6\n"
    assert asked(read(text, family=None)) == ["family"]
    assert {choice.option for choice in read(text, family=None).questions[0].choices} >= {
        "--family strong",
        "--family weak",
    }
    assert read(text, family=None, name="results_strong_scaling_L16.csv").parts[0].family == "strong"
    assert read(text, family=None, name="weak_and_strong.csv").parts[0].family is None
    column = read("experiment,ranks,time_s\nweak,1,10\nweak,2,11\n", family=None)
    assert (column.questions, column.parts[0].family) == ((), "weak")


def test_ratios_that_only_one_formula_gives_say_the_family() -> None:
    # PawseySC, scaling-data: blanks, the heading behind a `#`, efficiencies in percent.
    text = (
        "# Cores Runtime[s] Relative_Runtime Speedup Efficiency Relative_Cost\n"
        "24 2876.22 1 1 100 1\n48 1488.54 0.517533 1.93224 96.6121 1.03507\n"
        "96 794.762 0.276322 3.61897 90.4743 1.10529\n"
    )
    found = read(text, family=None, name="scaling-data")
    assert pairs(found) == [(24, (2876.22,)), (48, (1488.54,)), (96, (794.762,))]
    assert "those of strong scaling" in said(found)
    assert all(
        "derived-clash" not in row.codes for row in tabulated(found.parts[0].experiment("x", "strong")).rows
    )
    weak = read("Nodes,Time(s),Efficiency\n1,10,1.0\n2,11,0.909\n4,12.5,0.8\n", family=None)
    assert weak.parts[0].family == "weak"


@pytest.mark.parametrize(
    "name", ["Efficiency", "eficiencia", "Eficiência", "Effizienz", "efficienza", "efficacité"]
)
def test_a_derived_column_is_checked_against_its_own_times(name: str) -> None:
    # lewisndambiri/romberg-hpc4ds, results_weak_scaling.csv: a strong formula in a weak table.
    found = read(
        f"Cores,Time(s),{name}\r\n1,9.985238,1.0\r\n2,11.508905,0.4338048667531794\r\n", family="weak"
    )
    row = tabulated(found.parts[0].experiment("x", "weak")).rows[1]
    assert row.efficiency == pytest.approx(0.868, abs=5e-4)
    assert "derived-clash" in row.codes


def test_work_that_grows_with_the_count_is_the_work() -> None:
    # erikalena/hpc_assignment2, weak scaling.
    text = (
        "n_procs,n_threads,time_taken,mpi_time,problem_size\n1,1,0.44,0.00,1000000\n1,2,0.50,0.00,2000000\n"
    )
    found = read(text, "time=time_taken:s", family="weak")
    assert [run.work for run in found.runs] == [1e6, 2e6]
    assert found.runs[1].stages_s == {"mpi": 0.0}
    other = read("cores,time_s,matrix size\n1,1,1000\n4,1,2000\n", family="weak")
    assert asked(other) == ["work"]


def test_a_weak_study_on_a_fixed_count_is_one_table() -> None:
    # DifferentiableUniverseInitiative/jaxDecomp issue 83: sizes grow on 4 GPUs.
    found = read("GPUs,work,time_s\n4,1,1\n4,8,9\n4,64,80\n", family="weak")
    assert len(found.parts) == 1
    rows = tabulated(found.parts[0].experiment("x", "weak")).rows
    assert all("devices-constant" in row.codes for row in rows)


def test_work_that_stays_is_asked_in_a_weak_table() -> None:
    # lululxvi/deepxde PR 1282: numbers per rank taken for the total; oneapi-src/distributed-ranges PR 494.
    text = "ranks,work,time_s\n1,100,1\n2,100,1.1\n4,100,1.2\n"
    found = read(text, family="weak")
    assert asked(found) == ["work"]
    each = read(text, "work-per-device=work", family="weak")
    assert [run.work for run in each.runs] == [100, 200, 400]
    total = read(text, "work=work", family="weak")
    rows = tabulated(total.parts[0].experiment("x", "weak")).rows
    assert "work-not-proportional" in rows[2].codes
    named = read("ranks,points per rank,time_s\n1,100,1\n4,100,1.2\n", family="weak")
    assert ([run.work for run in named.runs], named.questions) == ([100, 400], ())
    assert asked(read("ranks,points,time_s\n1,100,1\n4,100,1.2\n", family="weak")) == ["work"]
    assert asked(read("ranks,points,time_s\n1,100,1\n4,100,1.2\n", family="strong")) == []


def test_order_baselines_and_repeats() -> None:
    # facebookresearch/spdl PR 1527 (4, 2, 8, no 1), Hatchet (96, 24, 48, 48), karpathy/autoresearch PR 469.
    mixed = tabulated(read("GPUs,time_s\n4,3\n2,5\n8,2\n").parts[0].experiment("x", "strong"))
    assert mixed.baseline is not None
    assert (mixed.baseline.devices, mixed.baseline.kind) == (2, "smallest feasible")
    hatchet = tabulated(read("procs,time_s\n96,1\n24,4\n48,2\n48,2.2\n").parts[0].experiment("x", "strong"))
    assert [(row.devices, row.jobs) for row in hatchet.rows] == [(24, 1), (48, 2), (96, 1)]
    crashed = tabulated(read("GPUs,time_s\n1,FAILED\n2,5\n4,3\n").parts[0].experiment("x", "strong"))
    assert crashed.baseline is not None
    assert "passed over: 1" in crashed.baseline.chosen


def test_hyperthreads_and_local_batches_stay_what_they_are() -> None:
    # archer-benchmarks, GROMACS: 24 ranks x 2 threads and 48 x 1 are two layouts; bert-multi-gpu issue 31.
    layouts = read("ranks,threads,time_s\n24,2,1.199\n48,1,2.090\n")
    assert len(tabulated(layouts.parts[0].experiment("x", "strong")).rows) == 2
    batches = read("GPUs,local_batch_size,time_s\n1,8,1\n4,8,1\n")
    rows = tabulated(batches.parts[0].experiment("x", "strong")).rows
    assert "batch-changed" in rows[1].codes or "work-changed" in rows[1].codes


# hostile files


def test_what_would_command_a_terminal_is_inert() -> None:
    found = read("na\x1b[31mme,cores,time_s\n[bold]\x1b]0;x\x07,1,\x1b[31m2\x1b[0m\n=cmd(),2,\x001\n")
    assert pairs(found) == [(1, (2.0,)), (2, (1.0,))]
    assert [run.label for run in found.runs] == ["[bold]", "=cmd()"]
    assert "\x1b" not in repr(found)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\n\n",
        b"hello\nworld\n",
        b"\xff\xfe",
        b"\0" * 100,
        b"1," * 700_000,
        b"-" * 700_000 + b"x",
        b'"' * 1001,
    ],
    ids=["empty", "blank", "words", "bom", "zeros", "one line", "dashes", "quotes"],
)
def test_files_that_are_no_tables(data: bytes) -> None:
    found = read(data)
    assert found.runs == ()
    assert found.problems


def test_lines_of_separators_are_blank() -> None:
    assert read("cores,time_s\n,,\n8,1\n,\n").tally.blank == 2


def test_numbers_that_no_study_can_hold_are_refused() -> None:
    found = read("cores,time_s,comp (s)\n8,1,1e-40\n16,1e35,1\n32,2,1\n")
    assert [problem.line for problem in found.problems] == [2, 3]
    assert pairs(found) == [(32, (2.0,))]
    ratio = read("cores,time_s,speedup\n8,1,1e-999999\n16,2,1e999999\n", family=None)
    assert [run.extra["speedup"] for run in ratio.runs] == ["1e-999999", "1e999999"]


def test_too_many_rows_are_refused_in_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table, "MOST_LINES", 4)
    found = read("cores;time_s\n" + "1;2\n" * 4)
    assert "has 5 lines" in str(found.problems[0])
    assert found.tally.refused == 5


def test_a_reading_can_be_watched_and_stopped() -> None:
    told = []

    def watch(done: int, total: int) -> None:
        told.append((done, total))
        if len(told) > 2:
            raise Stopped

    data = ("cores;time_s\n" + "1;2\n" * 10_000).encode()
    with pytest.raises(Stopped):
        table.read(Source(Path("x.csv"), data, watch), Options(family="strong"))
    assert told[0][1] == len(data)
    assert told[0][0] < told[2][0] < len(data)


@pytest.mark.parametrize(
    ("statement", "sentence"),
    [
        ("devces=x", "did you mean devices=?"),
        ("devices", "expected ROLE=COLUMN"),
        ("decimal=semicolon", "decimal=comma or decimal=point"),
        ("repeats=3", "repeats=jobs or repeats=steps"),
        ("time=elapsed:s", "there is no such column; there are cores, t"),
    ],
)
def test_statements_that_cannot_be_followed(statement: str, sentence: str) -> None:
    with pytest.raises(roles.BadMap, match=sentence.replace("?", r"\?")):
        read("cores,t\n1,2\n", statement)


def test_statements_about_columns_with_commas_and_colons() -> None:
    found = roles.options(["devices=p,time=T(n, p):ms,rate=a:b,time=x:min:s"])
    assert [(one.role, one.column, one.unit) for one in found.mapping] == [
        ("devices", "p", ""),
        ("time", "T(n, p)", "ms"),
        ("rate", "a:b", ""),
        ("time", "x", "min:s"),
    ]
