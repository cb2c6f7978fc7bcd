"""LAMMPS, GROMACS, MLPerf and nccl-tests: times of the right thing, over the right count, with the work
they did.

Layouts and the numbers of the first cases: github.com/lammps/lammps (bench/log.6Oct16.rhodo.*),
github.com/hpc-uk/ archer-benchmarks (apps/GROMACS/1400k-atoms), github.com/mlcommons/training_results_v1.0
(NVIDIA, bert), github.com/NVIDIA/nccl-tests."""

from __future__ import annotations

import json

import pytest

from tests.importers.logs import asked, mapped, notes, read
from tui.importers import gromacs, lammps, mlperf, nccl_tests
from tui.model.study import Work


def loop(
    seconds: float, procs: int, steps: int = 100, atoms: int = 32000, tasks: str = "4 MPI tasks x no"
) -> str:
    return f"""\
Memory usage per processor = 37.3604 Mbytes
Loop time of {seconds} on {procs} procs for {steps} steps with {atoms} atoms

Performance: 1.840 ns/day, 13.043 hours/ns, {steps / seconds:.3f} timesteps/s
99.8% CPU use with {tasks} OpenMP threads

MPI task timing breakdown:
Section |  min time  |  avg time  |  max time  |%varavg| %total
---------------------------------------------------------------
Pair    | 6.2189     | 6.3266     | 6.6072     |   6.5 | 67.37
Comm    | 0.08292    | 0.084935   | 0.087077   |   0.5 |  0.90
Other   |            | 0.01526    |            |       |  0.16

Total wall time: 0:00:09
"""


def test_lammps_takes_the_loop_time_and_its_work() -> None:
    found = read(lammps, "LAMMPS (6 Oct 2016)\n" + loop(9.39107, 4))
    (run,) = found.runs
    assert (run.devices, run.times_s, run.ranks, run.threads_per_rank) == (4, (9.39107,), 4, 1)
    assert run.work == Work(3_200_000.0, "atom-steps")
    assert run.stages_s == {"pair": 6.3266, "communication": 0.084935, "other": 0.01526}
    assert run.extra["total wall time (s)"] == 9  # of 1 s resolution and with the setup: no time of the run
    assert found.parts[0].time_means == "main loop"
    assert run.memory_gib == pytest.approx(37.3604 / 1024)


def test_procs_of_lammps_are_tasks_times_threads() -> None:
    found = read(lammps, loop(9.0, 8, tasks="4 MPI tasks x 2"))
    assert (found.runs[0].devices, found.runs[0].ranks, found.runs[0].threads_per_rank) == (8, 4, 2)
    assert "procs are MPI tasks times OpenMP threads: 4 x 2" in notes(found)
    assert found.runs[0].memory_gib is None


def test_equal_loops_are_steps_of_a_job_and_other_work_is_another_run() -> None:
    text = loop(9.0, 4) + loop(9.1, 4) + loop(40.0, 4, 400)
    found = read(lammps, text + "Loop time of 1e-06 on 4 procs for 0 steps with 32000 atoms\n")
    assert [run.times_s for run in found.runs] == [(9.0, 9.1), (40.0,)]
    assert "1 loops of 0 steps were left out" in notes(found)
    assert len(read(lammps, text, repeats="jobs").runs) == 3


def test_a_printed_rate_that_clashes_with_its_own_time_is_said() -> None:
    text = loop(9.0, 4).replace("11.111 timesteps/s", "22.0 timesteps/s")
    assert "prints 22 timesteps/s, its loop time gives 11.11" in notes(read(lammps, text))


def test_gpus_of_lammps_are_asked() -> None:
    assert asked(read(lammps, "  will use up to 4 GPU(s) per node\n" + loop(9.0, 4))) == ["count"]


def test_a_lammps_log_without_a_loop_is_refused_in_words() -> None:
    found = read(lammps, "LAMMPS (6 Oct 2016)\nERROR: Lost atoms\n")
    assert "no run came to its end" in str(found.problems[0])


# ------------------------------------------------------------------------------------------------ GROMACS


def mdrun(
    ranks: int, threads: int, cores: int, wall: float, rate: float, more: str = "", gpu: str = ""
) -> str:
    return f"""\
Log file opened on Fri Oct  5 13:18:40 2018
                      :-) GROMACS - mdrun_mpi, 2018.2 (-:
Running on 16 nodes with total {cores} cores, {2 * cores} logical cores{gpu}
   dt                             = 0.002
   nsteps                         = 10000
Using {ranks} MPI processes
Using {threads} OpenMP thread per MPI process
There are: 1403180 Atoms
{more}
     R E A L   C Y C L E   A N D   T I M E   A C C O U N T I N G

 Computing:          Num   Num      Call    Wall time         Giga-Cycles
                     Ranks Threads  Count      (s)         total sum    %
-----------------------------------------------------------------------------
 Domain decomp.       336    1        100      11.410      10351.587   5.9
 Send X to PME        336    1      10001       3.115       2825.556   1.6
 Comm. coord.         336    1       9900       5.018       4552.808   2.6
 Force                336    1      10001     103.960      94314.592  53.7
 Wait + Comm. F       336    1      10001      22.688      20583.387  11.7
 PME mesh *            48    1      10001     118.537      15362.648   8.8
 PME wait for PP *                             50.792       6582.776   3.7
 Rest                                           0.231        209.306   0.1
-----------------------------------------------------------------------------
 Total                                        169.329     175563.692 100.0
-----------------------------------------------------------------------------
 Breakdown of PME mesh computation
-----------------------------------------------------------------------------
 PME spread            48    1      10001      24.953       3233.947   1.8
-----------------------------------------------------------------------------

               Core t (s)   Wall t (s)        (%)
       Time:    65022.325      {wall}    38400.0
                 (ns/day)    (hour/ns)
Performance:       {rate}        2.352
"""


def test_gromacs_takes_the_wall_time_and_not_the_sum_over_cores() -> None:
    (run,) = read(gromacs, mdrun(384, 1, 384, 169.329, 10.206)).runs
    assert (run.devices, run.nodes, run.ranks, run.threads_per_rank) == (384, 16, 384, 1)
    assert run.times_s == (169.329,)
    assert run.work == Work(14_031_800_000.0, "atom-steps")
    assert run.stages_s == {
        "domain decomp": 11.41,
        "communication": pytest.approx(8.133),
        "force": 103.96,
        "wait": 22.688,
        "rest": 0.231,
    }


def test_hyperthreads_are_kept_apart_from_cores() -> None:
    text = mdrun(384, 1, 384, 169.329, 10.206) + mdrun(384, 2, 384, 180.0, 9.6)
    found = read(gromacs, text)
    assert [(run.devices, run.threads_per_rank) for run in found.runs] == [(384, 1), (384, 2)]
    assert "768 threads on 384 cores, 2 to a core: devices are the cores" in notes(found)


def test_tuning_resetting_and_balancing_are_said() -> None:
    tuned = "step  700: timed with pme grid 160 280 208, coulomb cutoff 1.200: 3099.3 M-cycles"
    balanced = "step 300 Turning on dynamic load balancing, because the performance loss is 21.1 %."
    said = notes(read(gromacs, mdrun(4, 1, 4, 169.329, 10.206, f"{tuned}\n{balanced}")))
    assert "PME was tuned until step 700" in said
    assert "load balancing went on at step 300" in said
    reset = read(gromacs, mdrun(4, 1, 4, 84.6645, 10.206, "step 5000: resetting all time and cycle counters"))
    assert reset.runs[0].work == Work(7_015_900_000.0, "atom-steps")
    assert "prints" not in notes(reset)


def test_a_rate_that_clashes_is_said_and_a_crash_did_not_complete() -> None:
    assert "prints 12 ns/day, its steps and wall time give 10.2" in notes(
        read(gromacs, mdrun(4, 1, 4, 169.329, 12))
    )
    cut = mdrun(4, 1, 4, 169.329, 10.206).split("     R E A L")[0]
    found = read(gromacs, cut)
    assert (found.runs[0].status, found.tally.not_completed) == ("failed", 1)


def test_gpus_of_gromacs_are_asked() -> None:
    assert asked(read(gromacs, mdrun(4, 1, 4, 169.329, 10.206, gpu=", 4 compatible GPUs"))) == ["count"]


# ------------------------------------------------------------------------------------------------- MLPerf


def event(key: str, ms: int = 0, value: object = None, rank: str = "0: ", **metadata: object) -> str:
    plain = {"namespace": "", "time_ms": 1621399900000 + ms, "event_type": "POINT_IN_TIME", "key": key}
    return f"{rank}:::MLLOG {json.dumps({**plain, 'value': value, 'metadata': metadata})}\n"


def training(status: str = "success", ranks: int = 8, stop: bool = True) -> str:
    text = event("cache_clear", rank="")
    text += "".join(event("init_start", rank=f"{rank}: ") for rank in range(ranks))
    text += event("submission_benchmark", value="bert") + event("seed", value=251)
    text += event("global_batch_size", value=448) + event("d_batch_size", value=56)
    text += (
        event("gradient_accumulation_steps", value=1)
        + event("init_stop", 28_000)
        + event("run_start", 28_015)
    )
    text += event("eval_accuracy", 99_788, 0.37) + event("eval_accuracy", 1_461_840, 0.7203)
    text += event("train_samples", 1_461_898, 3000256)
    return text + (event("run_stop", 1_461_899, status=status) if stop else "")


def test_the_clock_of_mlperf_runs_from_run_start_to_run_stop() -> None:
    found = read(
        mlperf,
        training(),
    )
    (run,) = found.runs
    assert (run.time_to_target_s, run.work_to_target, run.updates) == (1433.884, 3000256.0, 6697)
    assert (run.devices, run.global_batch, run.micro_batch, run.seed, run.reached) == (8, 448, 56, 251, True)
    assert run.quality == 0.7203
    assert found.parts[0].family == "target"
    assert found.ready
    assert "8 devices: so many processes logged init_start" in notes(found)


def test_an_aborted_run_did_not_reach_the_target_and_has_no_time() -> None:
    for text, status in ((training("aborted"), "failed"), (training(stop=False), "stopped")):
        (run,) = read(mlperf, text).runs
        assert (run.reached, run.time_to_target_s, run.work_to_target, run.status) == (
            False,
            None,
            None,
            status,
        )


def test_counts_that_disagree_are_asked() -> None:
    found = read(mlperf, training(ranks=2))
    assert [choice.option for choice in found.questions[0].choices] == ["--map devices=2", "--map devices=8"]
    assert read(mlperf, training(ranks=2), mapping=mapped(devices="8")).ready


def test_several_runs_of_one_file_and_lines_that_are_cut() -> None:
    found = read(mlperf, training() + training("aborted") + ':::MLLOG {"key": "run_st')
    assert [run.reached for run in found.runs] == [True, False]
    assert found.tally.not_completed == 1
    assert "no JSON" in str(found.problems[0])


# -------------------------------------------------------------------------------------------- nccl-tests

NCCL_HEAD = """\
# nThread 1 nGpus 1 minBytes 8 maxBytes 2147483648 step: 2(factor) warmup iters: 5 iters: 20 agg iters: 1
# Using devices
#   Rank  0 Pid 2916721 on      a0000 device  0 [0x27] NVIDIA A100-SXM4-40GB
#   Rank  1 Pid 2916722 on      a0000 device  1 [0x2a] NVIDIA A100-SXM4-40GB
[a0000:0:2916721 - context.c:589] INFO job (ID: 2838387367436317) resource request quota
#       size         count      type   redop     time   algbw   busbw  error     time   algbw   busbw  error
"""
SMALL = (
    "  1024           256     float     sum    34.96    0.03    0.05  4e-07    35.66    0.03    0.05  4e-07\n"
)
LARGE = (
    "  2147483648   536870912   float   sum  38180   56.25  105.46  5e-07    38163   56.27  105.51  5e-07\n"
)
ROOT = "  1048576  262144  float  sum  -1  177.0  5.93  11.11  0  174.8  6.00  11.25  N/A\n"


def test_the_times_of_nccl_tests_are_microseconds_of_the_communication_stage() -> None:
    found = read(nccl_tests, NCCL_HEAD + SMALL + LARGE)
    assert asked(found) == ["sizes"]
    assert found.runs[0].work == Work(2147483648.0, "bytes")
    answered = read(nccl_tests, NCCL_HEAD + SMALL + LARGE, mapping=mapped(size="1024"), family="strong")
    assert answered.ready
    (run,) = answered.runs
    assert (run.devices, run.times_s) == (2, (pytest.approx(34.96e-6),))
    assert run.stages_s == {"communication": run.times_s[0]}
    assert run.extra == {"in-place time (s)": pytest.approx(35.66e-6), "busbw (GB/s)": 0.05}
    assert "20 iterations after 5 of warm-up" in notes(answered)


def test_newer_columns_wrong_results_and_no_warm_up() -> None:
    wrong = ROOT.replace("11.11  0", "11.11  3")
    found = read(nccl_tests, NCCL_HEAD.replace("warmup iters: 5", "warmup iters: 0") + wrong)
    assert (found.runs[0].status, found.runs[0].stages_s, found.runs[0].label) == (
        "failed",
        {},
        "float sum 1048576 bytes",
    )
    assert "there was no warm-up" in notes(found)


def test_a_build_without_mpi_measured_each_process_alone() -> None:
    found = read(nccl_tests, NCCL_HEAD.replace("Rank  1", "Rank  0") + LARGE)
    assert found.runs == ()
    assert "rank 0 is listed 2 times: built without MPI" in str(found.problems[0])


def test_ranks_left_out_of_the_list_and_no_list_at_all() -> None:
    assert "2 ranks are listed, the last is rank 15" in notes(
        read(nccl_tests, NCCL_HEAD.replace("Rank  1", "Rank 15") + LARGE)
    )
    bare = "\n".join(line for line in NCCL_HEAD.splitlines() if "Rank" not in line) + "\n"
    assert asked(read(nccl_tests, bare + LARGE)) == ["count"]


def test_a_row_that_was_cut_is_refused() -> None:
    found = read(nccl_tests, NCCL_HEAD + LARGE + SMALL[:50] + "\n")
    assert len(found.runs) == 1
    assert "line 8" in str(found.problems[0])
