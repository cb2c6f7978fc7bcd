"""torchtitan, DeepSpeed and NeMo: rates become times before anything is summarised, and nothing is
guessed.

Layouts: github.com/pytorch/torchtitan (components/metrics.py), github.com/deepspeedai/DeepSpeed
(utils/timer.py), github.com/NVIDIA/NeMo (utils/exp_manager.py); the values are made up."""

from __future__ import annotations

import pytest

from tests.importers.logs import asked, mapped, notes, read
from tui.importers import deepspeed, nemo, torchtitan
from tui.model.study import Work

TITAN = "[rank0]:[titan] 2025-05-28 21:11:37,626 - root - INFO - "
MESH = TITAN + "Building device mesh with parallelism: pp=1, dp_replicate=1, dp_shard=8, cp=1, tp=2, ep=1\n"
TRAINER = (
    TITAN
    + "Trainer is initialized with local batch size 2, global batch size 16, gradient accumulation steps 1, "
    "sequence length 4096, total steps 1000 (warmup 200).\n"
)


def titan(step: int, tps: str, mfu: str = "25.62%", rank: int = 0) -> str:
    return (
        f"[rank{rank}]:[titan] 2025-05-28 21:13:37,816 - root - INFO - \x1b[31mstep: {step:2d}  "
        f"\x1b[32mloss: 11.83506  \x1b[38;2;180;60;0mgrad_norm:  9.6669  "
        f"\x1b[36mmemory: 48.87GiB(51.44%)  \x1b[34mtps: {tps}  "
        f"\x1b[35mtflops: 253.41  \x1b[36mmfu: {mfu}\x1b[39m\n"
    )


def test_tokens_per_second_of_each_device_become_seconds_of_an_update() -> None:
    found = read(torchtitan, MESH + TRAINER + titan(1, "512") + titan(10, "4,096") + titan(20, "2,048"))
    (run,) = found.runs
    assert (run.devices, run.dp, run.tp, run.ep) == (16, 8, 2, None)
    # 16 sequences of 4096 tokens over 16 devices: 4096 tokens on each.
    assert run.times_s == (1.0, 2.0)
    assert (run.global_batch, run.micro_batch, run.sequence_length) == (16, 2, 4096)
    assert run.memory_gib == 48.87
    assert run.extra == {"mfu (%)": "25.62"}
    assert found.parts[0].time_means == "one update"
    assert "1 stand at the start (warm-up)" in notes(found)


def test_the_mean_of_rates_is_never_taken() -> None:
    run = read(torchtitan, MESH + TRAINER + titan(1, "1") + titan(10, "4,096") + titan(20, "1,024")).runs[0]
    assert sum(run.times_s) / 2 == 2.5  # the mean rate would have said 1.6


def test_without_the_batch_a_time_is_that_of_a_million_tokens_and_devices_are_asked() -> None:
    found = read(torchtitan, titan(20, "4,000", "N/A"))
    assert asked(found) == ["count"]
    answered = read(torchtitan, titan(20, "4,000", "N/A"), mapping=mapped(devices="10"))
    assert answered.runs[0].times_s == (25.0,)
    assert answered.runs[0].work == Work(1e6, "tokens")
    assert answered.runs[0].wall_s is None
    assert answered.runs[0].extra == {}
    said = {"devices": "10", "global_batch": "8", "sequence_length": "1000"}
    updates = read(torchtitan, titan(20, "4,000"), mapping=mapped(**said))
    assert updates.runs[0].times_s == (0.2,)
    assert updates.runs[0].work is None


def test_a_step_that_several_ranks_print_counts_once() -> None:
    both = "".join(titan(step, "4,096", rank=rank) for step in (1, 10, 20) for rank in (0, 1))
    found = read(torchtitan, MESH + TRAINER + both)
    assert found.runs[0].times_s == (1.0, 1.0)
    assert "3 lines repeat a step that another rank printed" in notes(found)


def test_the_older_mesh_and_the_validation_lines() -> None:
    mesh = TITAN + "Building 2-D device mesh with ['dp', 'tp'], [2, 4]\n"
    validated = titan(10, "9,999").replace("step: 10", "validate step: 10")
    found = read(
        torchtitan, mesh + TRAINER + titan(1, "1") + titan(10, "8,192") + validated + titan(20, "4,096")
    )
    assert (found.runs[0].devices, found.runs[0].dp, found.runs[0].tp) == (8, 2, 4)
    assert found.runs[0].times_s == (1.0,)
    assert "1 contain an evaluation" in notes(found)


def test_a_rate_of_zero_has_no_time() -> None:
    found = read(torchtitan, MESH + TRAINER + titan(1, "1") + titan(10, "0") + titan(20, "4,096"))
    assert found.runs[0].times_s == (1.0,)
    assert "1 have a time or rate of 0" in notes(found)


# ---------------------------------------------------------------------------------------------- DeepSpeed


def speed(step: int, now: str, skipped: int = 0) -> str:
    head = "[2023-08-02 00:41:17,936] [INFO] "
    return (
        f"{head}[logging.py:96:log_dist] [Rank 0] step={step}, skipped={skipped}, lr=[0.0001], mom=[]\n"
        f"{head}[timer.py:215:stop] epoch=0/micro_step={step}/global_step={step}, "
        f"RunningAvgSamplesPerSec=1.5, CurrSamplesPerSec={now}, MemAllocated=0.07GB, MaxMemAllocated=1.36GB\n"
    )


CONFIG = """\
[2023-08-02 00:41:00,000] [INFO] [launch.py:162:main] dist_world_size=8
[2023-08-02 00:41:01,000] [INFO] [config.py:1001:print]   gradient_accumulation_steps .. 2
[2023-08-02 00:41:01,000] [INFO] [config.py:1001:print]   train_batch_size ............. 64
[2023-08-02 00:41:01,000] [INFO] [config.py:1001:print]   world_size ................... 4
"""


def test_samples_per_second_become_seconds_of_an_update() -> None:
    found = read(deepspeed, CONFIG + speed(10, "64.0") + speed(20, "128.0") + speed(30, "32.0"))
    (run,) = found.runs
    assert run.times_s == (0.5, 2.0)  # the running average of 1.5 was not used
    assert (run.devices, run.dp, run.global_batch, run.accumulation) == (8, 4, 64, 2)
    assert run.memory_gib == 1.36
    assert "pull request 2603" in notes(found)


def test_skipped_steps_are_counted_from_the_start_of_training() -> None:
    log = (
        CONFIG + speed(10, "64.0", 10) + speed(20, "64.0", 17) + speed(30, "32.0", 17) + speed(40, "32.0", 17)
    )
    found = read(deepspeed, log)
    assert found.runs[0].times_s == (2.0, 2.0)
    assert "17 skipped updates in 2 intervals" in notes(found)
    assert found.runs[0].valid_updates == 23


def test_the_data_parallel_size_is_offered_and_not_taken_for_the_devices() -> None:
    found = read(deepspeed, CONFIG.replace("dist_world_size=8", "") + speed(10, "64.0") + speed(20, "64.0"))
    (question,) = [one for one in found.questions if one.about == "count"]
    assert [choice.option for choice in question.choices] == ["--map devices=4"]


def test_the_old_form_has_only_a_running_average_and_says_so() -> None:
    old = "[INFO] [timer.py:189:stop] 0/{}, SamplesPerSec={}, MemAllocated=0.26GB, MaxMemAllocated=9.02GB\n"
    found = read(deepspeed, old.format(40, 100.0) + old.format(50, 80.0))
    assert found.runs[0].times_s == (10.0, 12.5)
    assert found.runs[0].work == Work(1000.0, "samples")
    assert "running average: the warm-up is in every value" in notes(found)
    assert "micro-steps" in notes(found)


def test_a_rate_that_is_none_is_refused_with_its_line() -> None:
    found = read(deepspeed, CONFIG + speed(10, "64.0") + speed(20, "nan") + speed(30, "64.0"))
    assert str(found.problems[0]).startswith("line 8: ")
    assert found.tally.refused == 1


# ---------------------------------------------------------------------------------------------------- NeMo


def newer(step: int, seconds: str) -> str:
    return (
        f"Training epoch 0, iteration {step}/249 | lr: 1e-06 | global_batch_size: 8 | "
        f"global_step: {step} | reduced_train_loss: 1.315 | train_step_timing in s: {seconds}\n"
    )


def bar(step: int, seconds: str) -> str:
    done = f"Epoch 0: :  10%|#         | {step}/100 [10:48<00:00, reduced_train_loss=0.0172, "
    counted = f"global_step={step - 1}.00, consumed_samples={256 * step}.0, "
    return f"\r{done}{counted}train_step_timing in s={seconds}]"


def test_the_first_step_of_a_job_is_warm_up() -> None:
    start = "All distributed processes registered. Starting with 16 processes\n"
    found = read(nemo, start + newer(0, "7.126") + newer(1, "2.505") + newer(2, "2.495"))
    assert (found.runs[0].devices, found.runs[0].global_batch) == (16, 8)
    assert found.runs[0].times_s == (2.505, 2.495)
    assert asked(found) == []


def test_bars_written_over_each_other_are_lines_and_the_last_of_a_step_holds() -> None:
    found = read(nemo, bar(1, "9.0") + bar(2, "3.5") + bar(2, "3.1") + bar(3, "3.0") + "\n")
    assert found.runs[0].times_s == (3.1, 3.0)
    assert found.runs[0].global_batch == 256
    assert "1 lines print a step again" in notes(found)
    assert "a mean over the last steps" in notes(found)
    assert asked(found) == ["count"]


def test_a_rounded_sample_count_gives_no_batch() -> None:
    found = read(
        nemo,
        "| 9000/301500 [1:42:42, global_step=9e+3, consumed_samples=6.3e+5, train_step_timing in s=0.615]",
    )
    assert found.runs[0].global_batch is None


@pytest.mark.parametrize("value", ["nan", "inf", "-1", "soon"])
def test_a_timing_that_is_none_is_refused(value: str) -> None:
    found = read(nemo, newer(0, "7.1") + newer(1, value) + newer(2, "2.5"))
    assert found.runs[0].times_s == (2.5,)
    assert len(found.problems) == 1


def test_each_is_recognised() -> None:
    assert torchtitan.sniff(titan(1, "4,096").encode(), "") == 1.0
    assert deepspeed.sniff(speed(1, "4").encode(), "") == 0.95
    assert nemo.sniff(newer(0, "1").encode(), "") == 0.95
    for reader in (torchtitan, deepspeed, nemo):
        assert reader.sniff(b"devices,time_s\n1,2\n", "") == 0.0
