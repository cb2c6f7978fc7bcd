"""Megatron-LM logs: what counts as a step, and what is dropped, counted and said.

Lines have the layout of github.com/NVIDIA/Megatron-LM (megatron/training/training.py) and of the public
logs in github.com/bigscience-workshop/bigscience, experiments/gpt2-meg; the values are made up or theirs.
"""

from __future__ import annotations

from array import array
from pathlib import Path
from random import Random

import pytest

from tests.importers.logs import asked, mapped, notes, read
from tui.importers import log_lines, log_steps, megatron
from tui.importers.imported import Options, Source
from tui.importers.log_steps import Steps
from tui.importers.megatron_timers import across_ranks, one_rank

WORLD = (
    "using world size: 16, data-parallel-size: 2, tensor-model-parallel size: 4, "
    "pipeline-model-parallel size: 2 \n"
)
ARGUMENTS = """\
  log_interval .................................... 10
  micro_batch_size ................................ 1
  seq_length ...................................... 1024
  virtual_pipeline_model_parallel_size ............ None
"""


def line(number: int, ms: float | str, skipped: int = 0, batch: int = 4) -> str:
    return (
        f" iteration {number:8d}/    1000 | consumed samples: {number * batch:12d} | elapsed time per "
        f"iteration (ms): {ms} | learning rate: 1.000E-04 | global batch size: {batch:5d} | lm loss: 7.5 | "
        f"loss scale: 16384.0 | grad norm: 9.804 | number of skipped iterations: {skipped:3d} | "
        "number of nan iterations:   0 |\n"
    )


LOG = WORLD + ARGUMENTS + line(10, 2152.2) + line(20, 1380.0) + line(30, 1382.0)


def test_devices_and_layout_come_from_the_world_size_line() -> None:
    found = read(megatron, LOG, family="strong")
    (run,) = found.runs
    assert (run.devices, run.dp, run.tp, run.pp) == (16, 2, 4, 2)
    assert (run.global_batch, run.micro_batch, run.accumulation, run.sequence_length) == (4, 1, 2, 1024)
    assert run.vpp is None
    assert found.ready
    assert found.parts[0].time_means == "one update"


def test_the_first_interval_is_dropped_and_said() -> None:
    found = read(megatron, LOG)
    assert found.runs[0].times_s == (1.38, 1.382)
    assert "2 of 3 intervals count (iterations 1 to 30); left out: 1 stand at the start" in notes(found)
    assert "each time is the mean over 10 iterations" in notes(found)


def test_every_interval_with_skipped_iterations_is_dropped_and_counted() -> None:
    # The public logs: 10 of 10, 8 and 1 iterations skipped at full speed, nothing updated in the first.
    text = WORLD + line(10, 2152.2, 10) + line(20, 1354.9, 8) + line(30, 1376.1, 1) + line(40, 1379.8)
    found = read(megatron, text)
    (run,) = found.runs
    assert run.times_s == (1.3798,)
    assert run.skipped_updates == 0
    assert run.valid_updates == 21
    assert run.wall_s == pytest.approx(62.63)
    assert "3 contain skipped updates" in notes(found)
    assert "19 skipped updates in 3 intervals, the first one among them" in notes(found)
    assert "goodput: 2.982 s of wall time for each valid update, 1.38 s in the steady state" in notes(found)
    assert found.tally.notes == 3


def test_a_job_without_a_steady_update_is_kept_as_not_completed() -> None:
    found = read(megatron, WORLD + line(10, 2152.2, 10) + line(20, 1354.9, 8))
    assert found.runs[0].status == "failed"
    assert found.runs[0].times_s == ()
    assert found.tally.not_completed == 1
    assert "no interval of this job is a steady update" in str(found.problems[0])


def test_the_intervals_of_checkpoints_and_evaluations_are_left_out() -> None:
    text = (
        LOG + "saving checkpoint at iteration      30 to /scratch/x\n" + line(40, 1700.0) + line(50, 1381.0)
    )
    text += "-----\n validation loss at iteration 50 | lm loss value: 7.9E+00\n" + line(60, 1564.1)
    found = read(megatron, text)
    assert found.runs[0].times_s == (1.38, 1.382, 1.381)
    assert "1 contain a checkpoint, 1 contain an evaluation" in notes(found)


@pytest.mark.parametrize(
    "damaged", [line(40, 1381.0)[:-1] + line(50, 1381.5), line(40, 1381.0) + line(50, "9" * 30)]
)
def test_a_damaged_line_moves_no_checkpoint_to_another_interval(damaged: str) -> None:
    text = LOG + damaged + "saving checkpoint at iteration      50\n" + line(60, 1700.0) + line(70, 1383.0)
    assert read(megatron, text).runs[0].times_s == (1.38, 1.382, 1.381, 1.383)


def test_a_window_is_taken_as_asked_and_its_reason_kept() -> None:
    found = read(megatron, LOG, window=(1, 20), window_reason="before the storm")
    assert found.runs[0].times_s == (2.1522, 1.38)
    assert found.runs[0].note == "iterations 1 to 20 (before the storm)"
    assert "only iterations 1 to 20 count, as asked for: before the storm" in notes(found)


def test_an_excerpt_without_a_device_count_is_a_question() -> None:
    text = line(500, 774.3) + line(510, 775.1)
    found = read(megatron, text)
    assert asked(found) == ["count"]
    assert "--map devices=N" in found.questions[0].sentence
    assert found.runs[0].times_s == (0.7743, 0.7751)
    assert "no warm-up was left out" in notes(found)
    answered = read(megatron, text, mapping=mapped(devices="8", nodes="2"), family="strong")
    assert (answered.runs[0].devices, answered.runs[0].nodes) == (8, 2)
    assert answered.ready


def test_a_log_with_lines_taken_out_says_how_the_wall_time_was_filled() -> None:
    found = read(megatron, LOG + line(100, 1400.0) + line(110, 1382.0))
    assert "up to 70 iterations lie between two lines, not 10" in notes(found)
    assert found.runs[0].wall_s == pytest.approx(21.522 + 13.8 + 13.82 + 70 * 1.4 + 13.82)
    assert "lie between two lines" not in notes(read(megatron, LOG))


def test_an_answer_that_is_no_count_is_a_problem() -> None:
    found = read(megatron, LOG, mapping=mapped(devices="many", colour="3"))
    said = "\n".join(map(str, found.problems))
    assert '--map devices=many: devices: read "many"' in said or "devices=many" in said
    assert "--map colour=3 was not used" in said


def test_a_batch_that_grows_counts_only_where_it_is_the_usual_one() -> None:
    text = (
        WORLD
        + line(10, 9.0, batch=2)
        + line(20, 5.0, batch=2)
        + line(30, 8.0)
        + line(40, 8.2)
        + line(50, 8.1)
    )
    found = read(megatron, text)
    assert found.runs[0].global_batch == 4
    assert found.runs[0].times_s == (0.008, 0.0082, 0.0081)
    assert "1 have another global batch" in notes(found)


def test_several_jobs_in_one_log_are_several_runs() -> None:
    again = read(megatron, LOG + LOG)
    assert [run.times_s for run in again.runs] == [(1.38, 1.382)] * 2
    restarted = read(megatron, LOG + line(20, 2000.0) + line(30, 1381.0))
    assert [run.times_s for run in restarted.runs] == [(1.38, 1.382), (1.381,)]
    assert [run.devices for run in restarted.runs] == [16, 16]


def test_lines_that_a_terminal_wrapped_are_joined() -> None:
    whole = line(20, 1380.0)
    wrapped = "".join(whole[at : at + 80].rstrip("\n") + "\n" for at in range(0, len(whole), 80))
    assert wrapped.count("\n") > 3
    found = read(megatron, WORLD + line(10, 2152.2) + wrapped + line(30, 1382.0, 2))
    assert found.runs[0].times_s == (1.38,)


def test_a_line_that_was_cut_off_is_refused_with_its_number() -> None:
    found = read(megatron, LOG + line(40, "")[:100])
    assert str(found.problems[0]).startswith('line 9: "iteration       40/')
    assert found.tally.refused == 1


def test_older_releases_without_samples_batch_and_skips() -> None:
    old = "iteration {:8d}/ 320000 | elapsed time per iteration (ms): {} | learning rate 1.5E-04 |\n"
    found = read(megatron, old.format(100, 557.0) + old.format(200, 541.0))
    assert found.runs[0].times_s == (0.541,)
    assert found.runs[0].global_batch is None


TIMERS = (
    "time (ms) | forward-compute: 176.00 | forward-recv: 126.00 | backward-compute: 515.00 | backward-send: "
    "0.65 | backward-send-forward-recv: 4.75 | backward-params-all-reduce: 23.00 | "
    "backward-embedding-all-reduce: 418.00 | optimizer-clip-main-grad: 19.50 | optimizer: 115.00 | "
    "batch-generator: 2.50\n"
)


def test_timers_become_stages_and_pipeline_waiting_is_wait() -> None:
    found = read(megatron, LOG.replace(line(20, 1380.0), line(20, 1380.0) + TIMERS))
    stages = found.runs[0].stages_s
    assert stages == {
        "compute": pytest.approx(0.6885),
        "input": 0.0025,
        "communication": 0.023,
        "wait": pytest.approx(0.5494),
        "optimizer": 0.115,
    }
    assert sum(stages.values()) == pytest.approx(1.3784)  # of a step of 1.38 s: nothing is counted twice


def test_without_a_pipeline_the_embedding_all_reduce_is_communication() -> None:
    assert one_rank(TIMERS.encode(), 1)["communication"] == pytest.approx(0.441)
    assert "wait" in one_rank(TIMERS.encode(), 4)


def test_timers_of_a_dropped_interval_do_not_count() -> None:
    slow = TIMERS.replace("515.00", "900.00")
    found = read(megatron, LOG.replace(line(10, 2152.2), line(10, 2152.2) + slow))
    assert found.runs[0].stages_s == {}


def test_times_across_ranks_take_the_smallest_of_a_collective() -> None:
    block = (
        b"(min, max) time across ranks (ms):\n"
        b"    forward-compute ................................: (150.00, 176.00)\n"
        b"    backward-compute ...............................: (500.00, 515.00)\n"
        b"    all-grads-sync .................................: (23.00, 90.00)\n"
    )
    assert across_ranks(block, 1) == {"compute": pytest.approx(0.691), "communication": 0.023}


def test_memory_and_parameters_of_all_ranks() -> None:
    ranks = "".join(
        f" > number of parameters on (tensor, pipeline) model parallel rank ({t}, {p}): 1000\n"
        for t in range(4)
        for p in range(2)
    )
    memory = (
        "[Rank 0] (after 20 iterations) memory (MB) | allocated: 9.0 | max allocated: 9.5 | reserved: 10.0 | "
    )
    both = memory + "max reserved: 2048.0" + memory + "max reserved: 3072.0\n"
    found = read(megatron, WORLD + ranks + line(10, 9.0) + both + line(20, 8.0))
    assert found.runs[0].parameters == 8000
    assert found.runs[0].memory_gib == 3.0


def big_log(intervals: int) -> bytes:
    """A log of several blocks; every 700th interval has skipped iterations, every 500th a checkpoint."""
    parts = [WORLD]
    for number in range(1, intervals + 1):
        skips = 10 if number < 3 or number % 700 == 0 else 0
        parts.append(line(number * 10, 700.0 + number % 7, skips))
        if number % 500 == 0:
            parts.append(f"saving checkpoint at iteration {number * 10}\n")
    return "".join(parts).encode()


def test_large_logs_give_what_line_by_line_gives(monkeypatch: pytest.MonkeyPatch) -> None:
    text = big_log(9_000)
    assert len(text) > 2 * log_lines.BLOCK
    fast = read(megatron, text)
    monkeypatch.setattr(megatron, "_alike", lambda _: None)
    assert read(megatron, text) == fast
    skipped, after = {1, 2, *range(700, 9001, 700)}, {n + 1 for n in range(500, 9000, 500)}
    kept = [n for n in range(1, 9001) if n not in skipped | after]
    assert fast.runs[0].times_s == tuple(pytest.approx((700 + n % 7) / 1000) for n in kept)


def damaged(random: Random) -> bytes:
    """A log of several blocks in which bytes, line ends and whole lines are lost, doubled or changed."""
    step, ms = random.choice([1, 10]), random.choice([7.4, 997.0, 1380.0])
    parts = [WORLD]
    for number in range(1, random.randint(15, 40)):
        skipped, batch = int(random.random() < 0.1), 4 << (number // 20)
        parts.append(line(number * step, round(ms + random.random() * 9, 1), skipped, batch))
        other = ["saving checkpoint at iteration 4\n", TIMERS, "\n", "hello\n", line(3, 9.0), WORLD]
        parts += random.choices(other, k=int(random.random() < 0.15))
    text = "".join(parts)
    for _ in range(random.randint(0, 3)):
        start = random.randrange(len(text))
        stop = min(len(text), start + random.choice([1, 2, 30, 500]))
        among = [text[start:stop] * 2, "", "9", ".", " ", "|", "\n", "nan", "9" * 20, "\niteration 5/ 9 |"]
        text = text[:start] + random.choice(among) + text[stop:]
    return text.encode()


def test_damaged_logs_are_read_alike_by_columns_and_line_by_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(log_lines, "BLOCK", 1500)
    extend, by_columns, intervals = Steps.extend, [], 0

    def counted(steps: Steps, iterations: array[int], *columns: object) -> None:
        by_columns.append(len(iterations))
        extend(steps, iterations, *columns)

    monkeypatch.setattr(Steps, "extend", counted)
    for seed in range(150):
        text = damaged(Random(seed))
        fast = read(megatron, text)
        with monkeypatch.context() as patch:
            patch.setattr(megatron, "_alike", lambda _: None)
            assert read(megatron, text) == fast, seed
        intervals += sum(len(row.times_s) for row in fast.step_rows)
    assert 0.3 < sum(by_columns) / intervals < 0.9, "one of the two ways is hardly tried"


def test_an_absurd_time_deep_in_a_large_log_is_refused_with_its_line() -> None:
    text = big_log(9_000).replace(line(80_010, 700.0).encode(), line(80_010, "9" * 30).encode())
    found = read(megatron, text)
    assert str(found.problems[0]).startswith(f"line {1 + 8001 + 16}: ")
    assert found.tally.refused == 1
    assert max(found.runs[0].times_s) < 1


def test_more_times_than_a_study_takes_become_means_of_neighbours(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(log_steps, "MOST", 2)
    steps = Steps()
    steps.extend(array("q", range(10, 60, 10)), array("d", [9, 1, 2, 3, 4]), 10)
    chosen = log_steps.choose(steps, Options())
    assert chosen.times_s == (1.5, 3.5)
    assert any("each is the mean of 2 neighbours" in note for note in chosen.notes)


def test_a_reading_can_be_stopped_and_is_told_how_far_it_is() -> None:
    class Enough(Exception):
        pass

    seen = []

    def watch(done: int, total: int) -> None:
        seen.append(done)
        if done > log_lines.BLOCK:
            raise Enough

    text = big_log(9_000)
    with pytest.raises(Enough):
        megatron.read(Source(Path("a.log"), text, watch), Options())
    assert seen == [log_lines.BLOCK, 2 * log_lines.BLOCK]


def test_it_is_recognised_by_its_lines_and_by_what_comes_before_them() -> None:
    assert megatron.sniff(line(10, 9.0).encode(), "x.out") == 1.0
    assert megatron.sniff(WORLD.encode(), "x.out") == 0.9
    assert megatron.sniff(b"threads,time_s\n1,2\n", "x.out") == 0.0
