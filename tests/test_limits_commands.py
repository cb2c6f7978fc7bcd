"""`rooflab losses`, `predict` and `target` as a person calls them: numbers, sentences and exit statuses."""

from __future__ import annotations

import argparse
import datetime as dt
import json
from pathlib import Path

import pytest

from tui import cli
from tui.command_line import predict as predict_command
from tui.files import study as files
from tui.files.examples import EXAMPLES

HEAD = """\
# my notes stay where they are
format = 1

[[experiment]]
family = "strong"
name   = "pipeline of four"   # and this one too
counts = "GPU"
stages = [
  { name = "compute", law = "split" },
  { name = "communication", law = "per-doubling", after = ["compute"] },
  { name = "bubble", law = "fixed", after = ["communication"] },
  { name = "input", law = "fixed" },
  { name = "host", law = "fixed", after = ["bubble", "input"] },
]
"""
RUN = """
  [[experiment.run]]
  devices = {devices}
  times_s = [{time}]
  stages_s = {{ compute = {compute}, communication = {communication}, bubble = 2.5, input = 17.5, host = 1 }}
"""
MEASURED = {8: (47.5, 40, 4), 16: (28.5, 20, 5), 32: (19.5, 10, 6), 64: (19.0, 5, 7)}


def written(devices):
    time, compute, communication = MEASURED[devices]
    return RUN.format(devices=devices, time=time, compute=compute, communication=communication)


@pytest.fixture
def study(tmp_path):
    """The pipeline of four at 8, 16 and 32."""
    path = tmp_path / "study.toml"
    path.write_text(HEAD + "".join(map(written, (8, 16, 32))))
    return path


@pytest.fixture
def rooflab(capsys):
    def call(*words):
        try:
            status = cli.main([str(word) for word in words])
        except SystemExit as ended:
            status = ended.code
        out, err = capsys.readouterr()
        return status, out, err

    return call


def fits(text):
    return all(len(line) <= 80 for line in text.splitlines())


def test_losses_as_json(rooflab, study):
    status, out, err = rooflab("losses", study, "--from", 8, "--to", 32, "--json")
    assert (status, err) == (0, "")
    free = 11.875 / 18.5
    assert json.loads(out) == {
        "from": 8,
        "to": 32,
        "ideal_s": 11.875,
        "lost_s": 7.625,
        "lines": [
            {"stage": "compute", "lost_s": 0, "share": 0, "efficiency_if_free": free},
            {"stage": "communication", "lost_s": 5, "share": 5 / 7.625, "efficiency_if_free": free},
            {"stage": "bubble", "lost_s": 1.875, "share": 1.875 / 7.625, "efficiency_if_free": free},
            {"stage": "host", "lost_s": 0.75, "share": 0.75 / 7.625, "efficiency_if_free": free},
            {"stage": "not measured", "lost_s": 0, "share": 0, "efficiency_if_free": None},
        ],
    }


def test_losses_as_text(rooflab, study):
    status, out, _ = rooflab("losses", study, "--from", 8, "--to", 32)
    assert status == 0
    assert out == (
        "pipeline of four: where the time went from 8 to 32 GPUs\n"
        "  ideal     11.875 s = T(8)·8/32\n"
        "  measured  19.5 s, E = 0.609 against 8 GPUs\n"
        "  lost      7.625 s\n"
        "  path      compute → communication → bubble → host at 32 GPUs\n"
        "\n"
        "  stage          lost s    share  E if free\n"
        "  compute             0    0.0 %      0.642\n"
        "  communication       5   65.6 %      0.642\n"
        "  bubble          1.875   24.6 %      0.642\n"
        "  host             0.75    9.8 %      0.642\n"
        "  not measured        0    0.0 %          –\n"
        "  all             7.625  100.0 %\n"
        "\n"
        "  - input is beside the path at 32, with 1 s of slack\n"
    )


def test_losses_with_slack_used_up_and_ranks_that_wait(rooflab, study):
    study.write_text(study.read_text() + written(64) + "  busy_s = [8, 8, 8, 16]\n  ranks = 4\n")
    status, out, _ = rooflab("losses", study, "--from", 32, "--to", 64)
    assert status == 0
    assert "  path changed    −0.5   −5.4 %" in out
    assert "  not measured     0.5    5.4 %" in out
    assert "at 64 no stage explains 0.5 s of the measured step" in out
    words = " ".join(out.split())
    assert (
        "at 64, 4 ranks: load balance 0.625 (max/mean 1.600) × communication efficiency 0.842 = parallel "
        "efficiency 0.526 (POP metrics, co-design.pop-coe.eu/metrics)"
    ) in words
    assert fits(out)
    ascii_only = rooflab("--ascii", "losses", study, "--from", 32, "--to", 64)[1]
    assert ascii_only.isascii()


LOCKED_AT = dt.datetime(2026, 11, 30, 9, 12, tzinfo=dt.timezone.utc)


def test_predict_lock_enter_the_run_score(rooflab, study, capsys):
    before = study.read_text()
    options = argparse.Namespace(
        study=str(study), experiment=None, devices="64", through=None, lock=True, json=True, ascii=False
    )
    assert predict_command.run(options, lambda: LOCKED_AT) == 0
    found = json.loads(capsys.readouterr().out)
    assert list(found) == [
        "devices", "time_s", "interval", "limit", "changes_at", "stages", "alternatives", "score"
    ]  # fmt: skip
    assert (found["devices"], found["time_s"], found["limit"]) == (64, 18.5, "input")
    assert found["interval"] is None
    assert found["changes_at"] == {"devices": 37, "from": "compute", "to": "input"}
    assert found["stages"][3] == {"name": "input", "time_s": 17.5, "slack_s": 0, "on_path": True}
    assert found["stages"][1] == {"name": "communication", "time_s": 7, "slack_s": 3, "on_path": False}
    assert found["alternatives"] == {"ideal_s": 5.9375, "same_gain_s": 10.26, "amdahl_s": 14.25}
    assert found["score"] is None

    after = study.read_text()
    assert after.startswith(before)
    stored = files.read(study)[0].study.experiment[0].prediction
    assert [(one.devices, one.time_s, one.limit, one.made) for one in stored] == [
        (64, 18.5, "input", LOCKED_AT)
    ]
    assert len(stored[0].inputs_sha256) == 64

    study.write_text(after + written(64))
    status, out, err = rooflab("predict", study, "--devices", 64, "--json")
    assert (status, err) == (0, "")
    score = json.loads(out)["score"]
    assert score == {
        "measured_s": 19.0,
        "error": pytest.approx(-0.0263, abs=5e-5),
        "limit_right": True,
        "alternatives": {"ideal": -0.6875, "same_gain": -0.46, "amdahl": -0.25},
    }
    assert json.loads(out)["time_s"] == 18.5
    words = " ".join(rooflab("predict", study, "--devices", 64)[1].split())
    assert (
        "2026-11-30: 18.5 s at 64 GPUs, limit input; measured 19 s: −2.6 %, the limit was right; instead "
        "−68.8 % the ideal line from 8, −46.0 % the same gain again, as between 8 and 16, −25.0 % Amdahl "
        "through 8 and 16"
    ) in words

    status, _, err = rooflab("predict", study, "--devices", 64, "--lock")
    assert status == 1
    assert "64 GPUs was measured already" in err
    assert study.read_text() == after + written(64)


def test_predict_says_what_each_device_achieves(rooflab, study):
    work = 'work = { amount = 1850, of = "samples" }\nflop_per_unit = 6.4e11\npeak_flops_per_device = 4e12\n'
    study.write_text(study.read_text().replace('counts = "GPU"\n', f'counts = "GPU"\n{work}'))
    lines = rooflab("predict", study, "--devices", 64, "--lock")[1].splitlines()
    assert lines[2] == "  rate     1 TFLOP/s per GPU, 25.0 % of peak"
    study.write_text(study.read_text() + written(64))
    words = " ".join(rooflab("predict", study, "--devices", 64)[1].split())
    assert "measured 19 s (973.7 GFLOP/s per GPU, 24.3 % of peak): −2.6 %, the limit was right" in words
    found = json.loads(rooflab("predict", study, "--devices", 64, "--json")[1])
    assert "rate" not in found
    assert "rate" not in found["score"]


def test_predict_as_text(rooflab, study):
    status, out, _ = rooflab("predict", study, "--devices", 64, "--through", 16, 32)
    assert status == 0
    assert fits(out)
    lines = out.splitlines()
    assert lines[:6] == [
        "pipeline of four: the step at 64 GPUs, predicted",
        "  time     18.5 s, no interval: one job with stages at some count",
        "  limit    input, on the path input → host",
        "  then     the limit passes from compute to input at 37 GPUs",
        "  instead  the ideal line from 8 says 5.9375 s",
        "  instead  the same gain again, as between 16 and 32 says 13.34 s",
    ]
    assert "  host     5.4 % of the step; 2.1 % at 8, 3.5 % at 16, 5.1 % at 32" in lines
    assert "  cost     1184 device-seconds, 3.116 × that of 8" in lines
    assert "  communication  per-doubling  a=1, b=1         7        3  0.0 %" in lines
    assert "  *input         fixed         a=17.5        17.5        0  0.0 %" in lines
    assert "  kernel          no   no   no" in lines
    assert "  input          yes  yes  yes" in lines


LONG = "a stage with a very long name, longer than a column"


def test_predict_with_memory_a_tail_and_repeats(rooflab, tmp_path):
    path = tmp_path / "study.toml"
    runs = "".join(
        f"""
[[experiment.run]]
devices = {devices}
times_s = [{96 / devices + job / 100}]
memory_gib = {10 + 100 / devices}
stages_s = {{ "{LONG}" = {96 / devices + job / 100} }}
"""
        for devices in (8, 16, 32)
        for job in range(2)
    )
    path.write_text(
        """format = 1
[[experiment]]
family = "strong"
name = "x"
memory_per_device_gib = 15
stages = [
  { name = "LONG", law = "split+fixed" },
  { name = "rank_tail", law = "tail", after = ["LONG"], params = { q = 0.01, delay_s = 0.5 } },
]
""".replace("LONG", LONG)
        + runs
    )
    status, out, _ = rooflab("predict", path, "--devices", 64)
    assert status == 0
    assert fits(out)
    words = " ".join(out.split())
    assert "over single jobs, at least 2 at each count: no percentage" in words
    assert "the chance that a rank is late is 47.4 % with 64" in words
    assert "11.5625 GiB on each by a/D + b, fits 15 GiB; the smallest count that fits is 20" in words
    spread = json.loads(rooflab("predict", path, "--devices", 64, "--json")[1])["interval"]
    assert (spread["kind"], spread["jobs"]) == ("range", 2)
    assert spread["low"] < spread["high"]


def blocked(text):
    return text.replace("devices = 16\n", "devices = 16\n  global_batch = 8\n").replace(
        "devices = 8\n", "devices = 8\n  global_batch = 16\n"
    )


def without_input(text):
    return text.replace("bubble = 2.5, input = 17.5", "bubble = 2.5", 1)


LOSSES, PREDICT = ("losses", "--from", "8", "--to", "16"), ("predict", "--devices", "64")


@pytest.mark.parametrize(
    ("command", "change", "status", "sentence"),
    [
        (LOSSES, blocked, 1, "pipeline of four: 16 GPUs: batch-changed: "),
        (LOSSES, without_input, 1, "no loss budget from 8 to 16: input not measured at 8"),
        (LOSSES, lambda text: text.replace("[28.5]", "[0]"), 1, "16 GPUs: its time is 0 s"),
        (PREDICT, lambda text: HEAD + written(8), 1, "only 8 was measured besides 64: one count says"),
        (PREDICT, lambda text: HEAD, 1, "only no count was measured besides 64"),
        (
            PREDICT,
            lambda text: text.replace('law = "split"', 'law = "split", after = ["host"]'),
            2,
            "these stages wait for each other; take one of these edges out",
        ),
        (
            PREDICT,
            lambda text: text.replace('law = "split"', 'law = "split", params = { z = 1 }'),
            1,
            "compute: the law split has no parameter 'z'; it has a",
        ),
        (PREDICT, lambda text: text.replace("strong", "target", 1), 2, "the study has no strong, weak, "),
        (PREDICT, lambda text: "format = 1\n", 2, "the study has no strong, weak, model-size experiment"),
        (PREDICT, lambda text: "", 2, "the file is empty"),
    ],
    ids=[
        "blocked", "stage missing", "zero time", "one count", "no run", "ring", "parameter", "family",
        "no experiment", "empty",
    ],
)  # fmt: skip
def test_what_the_data_do_not_allow(rooflab, study, command, change, status, sentence):
    study.write_text(change(study.read_text()))
    found, out, err = rooflab(command[0], study, *command[1:])
    assert (found, out) == (status, "")
    assert sentence in err
    assert err.startswith(f"rooflab {command[0]}: ")
    assert "Traceback" not in err


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("losses", "STUDY", "--from", "32", "--to", "8"), "from a smaller count to a larger one"),
        (
            ("losses", "STUDY", "--from", "eight", "--to", "16"),
            '--from: "eight" does not start with a number',
        ),
        (("losses", "STUDY", "--from", "8"), "the following arguments are required: --to"),
        (("predict", "STUDY", "--devices", "0"), "--devices: "),
        (
            ("predict", "STUDY", "--devices", "64", "--experiment", "pipeline"),
            "did you mean 'pipeline of four'?",
        ),
        (("predict", "STUDY", "--devices", "64", "--experiment", "q"), "there are 'pipeline of four'"),
        (("predict", "STUDY", "--devices", "64", "--through", "8", "9"), "no completed run with 9 GPUs"),
        (("predict", "no.toml", "--devices", "64"), "no.toml"),
        (("predict", "runs.csv", "--devices", "64"), "`rooflab table` reads CSV files"),
        (("target", "STUDY"), "the study has no target experiment"),
        (("target", "STUDY", "--experiment", "pipeline of four"), "is a strong experiment; one of target is"),
    ],
)
def test_what_was_asked_wrongly(rooflab, study, words, sentence):
    status, out, err = rooflab(*(study if word == "STUDY" else word for word in words))
    assert status in (1, 2)
    assert out == ""
    assert sentence in err
    assert len(err.splitlines()) == 1


def test_several_experiments_ask_which(rooflab, study):
    more = HEAD.partition("[[")[2].replace("pipeline of four", "another")
    study.write_text(study.read_text() + "\n[[" + more)
    status, _, err = rooflab("predict", study, "--devices", 64)
    assert status == 2
    assert "choose one with --experiment: 'pipeline of four', 'another'" in err
    assert rooflab("predict", study, "--devices", 64, "--experiment", "pipeline of four")[0] == 0


def test_a_study_changed_meanwhile_is_not_overwritten(rooflab, study, monkeypatch):
    def change_first(*args):
        study.write_text(study.read_text() + "# from elsewhere\n")
        return LOCKED_AT

    monkeypatch.setattr(predict_command, "_now", change_first)
    status, out, err = rooflab("predict", study, "--devices", 64, "--lock")
    assert (status, out) == (2, "")
    assert "not locked" in err
    assert "[[experiment.prediction]]" not in study.read_text()
    assert study.read_text().endswith("# from elsewhere\n")


TARGET = """\
format = 1
[[experiment]]
family = "target"
name = "loss 2.80"
counts = "GPU"
time_means = "one update"
run = [
  { devices = 8, global_batch = 256, updates = 40000, times_s = [1.0], reached = true },
  { devices = 32, global_batch = 1024, updates = 16000, times_s = [1.1], reached = true },
]
"""


def test_target_as_json(rooflab, tmp_path):
    path = tmp_path / "study.toml"
    path.write_text(TARGET)
    status, out, err = rooflab("target", path, "--json")
    assert (status, err) == (0, "")
    found = json.loads(out)
    assert found["baseline"] == {"label": "", "devices": 8, "summary": "median"}
    assert found["rows"][1] == {
        "label": "",
        "devices": 32,
        "seeds": 1,
        "reached": 1,
        "throughput": 16000 * 1024 / 17600,
        "inflation": 1.6,
        "time_to_target_s": 17600,
        "speedup_to_target": 25 / 11,
        "target_efficiency": 25 / 44,
        "system_efficiency": 10 / 11,
        "device_hours": pytest.approx(156.44, abs=0.005),
    }


def test_target_as_text(rooflab, tmp_path):
    path = tmp_path / "study.toml"
    path.write_text(
        TARGET
        + """
[[experiment]]
family = "weak"
name = "steps"
run = [
  { devices = 8, global_batch = 256, times_s = [1.0] },
  { devices = 32, global_batch = 1024, times_s = [1.1] },
]
"""
    )
    status, out, _ = rooflab("target", path)
    assert status == 0
    assert fits(out)
    lines = out.splitlines()
    assert [line.split() for line in lines[5:7]] == [
        ["8", "–", "1", "of", "1", "40000", "40000", "40000", "3906.25", "88.89"],
        ["32", "–", "1", "of", "1", "17600", "17600", "17600", "976.6", "156.4"],
    ]
    assert "  D   label  system E  ÷ inflation  = target E  speedup  weak E" in lines
    assert "  32  –         0.909        1.600       0.568    2.273   0.909" in lines


def test_target_of_the_example_study(rooflab, tmp_path):
    path = Path(tmp_path / "study.toml")
    path.write_text(EXAMPLES["target"])
    status, out, err = rooflab("target", path)
    assert status == 1
    assert "64 GPUs: 1 of 2 reached: no median time to the target" in err
    assert "1 of 2" in out
    row = json.loads(rooflab("target", path, "--json")[1])["rows"][1]
    assert (row["seeds"], row["reached"], row["time_to_target_s"], row["throughput"]) == (2, 1, None, None)
    status, out, _ = rooflab("target", path, "--summary", "olympic")
    assert status == 1
    assert "needs 3, not 2" in " ".join(out.split())
