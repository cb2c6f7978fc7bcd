"""Logs of InternLM and InternEvo. Layout: github.com/InternLM/InternEvo, internlm/train/pipeline.py; the
numbers of the first two updates are those of the log in the documentation of InternLM (doc/en/usage.md).
"""

from __future__ import annotations

from tests.importers.logs import asked, mapped, notes, read
from tui.importers import internlm
from tui.model.study import Work

NEW_RUN = (
    "2023-07-07 12:26:58,293 INFO train.py:378 in main -- ==New Run Jul07 on host:h,tp:{},pp={},dp={}==\n"
)
START = "".join(NEW_RUN.format(0, 0, data) for data in range(8))


def update(step: int, tgs: str, consumed: int | None, *, skipped: int = 0, comma: str = ",") -> str:
    words = [
        "tflops=189.8",
        f"step={step}",
        "loss=11.6",
        f"tgs (tokens/gpu/second)={tgs}",
        "tgs/tgs_all=1.0",
        "micro_num=4",
        *([f"num_consumed_tokens={consumed}"] if consumed else []),
        f"inf_nan_skip_batches={skipped}",
        "fwd_bwd_time=3.67",
    ]
    return f"2023-07-07 12:29:01,636 INFO train.py:323 in record -- {comma.join(words)}\n"


LOG = START + update(0, "1424.64", 131072) + update(1, "4274.45", 262144) + update(2, "4282.0", 393216)


def test_the_rate_of_each_device_becomes_seconds_of_an_update() -> None:
    """131072/(4274.45·8) = 3.833 s; the two dates of that log are 3.834 s apart."""
    found = read(internlm, LOG, family="strong")
    (run,) = found.runs
    assert found.questions == ()
    assert (run.devices, run.dp, run.tp, run.pp, run.accumulation) == (8, 8, 1, 1, 4)
    assert [round(time, 3) for time in run.times_s] == [3.833, 3.826]
    assert run.work == Work(131072.0, "tokens")
    assert run.stages_s == {"forward_backward": 3.67}
    assert run.valid_updates == 3
    assert "1 stand at the start (warm-up)" in notes(found)
    assert found.tally.other == 8


def test_newer_lines_have_blanks_between_their_numbers() -> None:
    text = START + "".join(update(step, "4096", 131072 * (step + 1), comma=" ") for step in range(3))
    assert read(internlm, text, family="strong").runs[0].times_s == (4.0, 4.0)


def test_without_the_ranks_the_devices_are_asked() -> None:
    found = read(internlm, update(9, "2104.89", 2621440))
    assert asked(found) == ["count"]
    answered = read(internlm, update(9, "2104.89", 2621440), mapping=mapped(devices="16"))
    assert round(answered.runs[0].times_s[0], 3) == 7.784  # 262144/(2104.89·16)
    some = read(internlm, NEW_RUN.format(0, 0, 0) + NEW_RUN.format(1, 1, 1) + update(0, "1", 8))
    assert asked(some) == ["count"]


def test_skipped_batches_count_from_the_start_of_training() -> None:
    lines = [update(0, "4096", 131072), update(1, "9000", 262144, skipped=1)]
    found = read(internlm, START + "".join(lines) + update(2, "4096", 393216, skipped=1))
    (run,) = found.runs
    assert run.times_s == (4.0,)
    assert "1 skipped updates in 1 intervals" in notes(found)


def test_an_update_of_another_size_does_not_count() -> None:
    ramp = [update(step, "4096", 131072 * (step + 1)) for step in range(4)]
    found = read(internlm, START + "".join(ramp) + update(4, "4096", 131072 * 4 + 65536))
    assert found.runs[0].times_s == (4.0, 4.0, 4.0)
    assert "1 have another global batch" in notes(found)


def test_without_consumed_tokens_a_time_is_that_of_a_million() -> None:
    found = read(internlm, update(5, "2000", None) + update(6, "2500", None), mapping=mapped(devices="4"))
    (run,) = found.runs
    assert run.times_s == (125.0, 100.0)
    assert run.work == Work(1e6, "tokens")
    assert found.parts[0].time_means == "main loop"


def test_ranks_that_repeat_a_step_and_starts_that_follow_each_other() -> None:
    twice = START + update(0, "10", 1024) * 2 + update(1, "16", 2048)
    found = read(internlm, twice + START + update(0, "32", 1024) + update(1, "32", 2048))
    assert [run.times_s for run in found.runs] == [(8.0,), (4.0,)]
    assert "1 lines repeat a step" in notes(found)


def test_a_job_that_goes_on_with_fewer_ranks_is_another_run() -> None:
    fewer = "".join(NEW_RUN.format(0, 0, data) for data in range(4))
    found = read(internlm, LOG + fewer + update(3, "8192", 524288) + update(4, "8192", 655360))
    assert [run.devices for run in found.runs] == [8, 4]
    assert found.runs[1].times_s == (4.0,)


def test_a_rate_that_is_none_is_refused_with_its_line() -> None:
    found = read(internlm, LOG + update(3, "nan", 524288))
    assert [problem.line for problem in found.problems] == [12]
    assert internlm.sniff(LOG.encode(), "a.log") > 0.5
    assert internlm.sniff(b"step=3 loss=1", "a.log") == 0
