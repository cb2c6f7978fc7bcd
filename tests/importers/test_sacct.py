"""Slurm accounting: one run a job, whichever way it was printed (slurm.schedmd.com/sacct.html); values
made up."""

from __future__ import annotations

import datetime as dt
import json

import pytest

from tests.importers.logs import asked, mapped, notes, read
from tui.importers import sacct, sacct_json
from tui.importers.sacct_rows import hosts, seconds

HEAD = "JobID|JobName|State|ExitCode|Elapsed|NNodes|NTasks|AllocCPUS|MaxRSS|NodeList|AllocTRES\n"
GPU = "billing=2,cpu=32,gres/gpu=8,mem=6G,node=2"


def table(*rows: str, head: str = HEAD) -> str:
    return head + "".join(f"{row}\n" for row in rows)


JOB = "7|lj|COMPLETED|0:0|1-00:01:10|2||32||c[01-02]|" + GPU
BATCH = "7.batch|batch|COMPLETED|0:0|1-00:01:10|1|1|16|2097152K|c01|cpu=16"
EXTERN = "7.extern|extern|COMPLETED|0:0|1-00:01:10|2|2|32|900G|c[01-02]|"
STEP = "7.0|lmp|COMPLETED|0:0|00:01:02.5|2|16|32|1024M|c[01-02]|cpu=32"


def test_an_allocation_and_its_steps_are_one_run() -> None:
    found = read(sacct, table(JOB, BATCH, EXTERN))
    (run,) = found.runs
    assert run.times_s == (86470.0,)
    assert (run.devices, found.parts[0].counts) == (8, "GPU")
    assert run.hosts == ("c01", "c02")
    assert run.extra["MaxRSS of the host (GiB)"] == 2.0  # of the batch step; extern is Slurm's own
    assert found.parts[0].time_means == "whole job"
    assert "the same time once more" in notes(found)


def test_a_numbered_step_is_the_run_and_its_allocation_is_not() -> None:
    found = read(sacct, table(JOB, BATCH, STEP))
    (run,) = found.runs
    assert run.times_s == (62.5,)
    assert (run.label, run.ranks, run.nodes, run.devices) == ("lmp", 16, 2, 8)
    assert run.extra["allocation elapsed (s)"] == 86470.0
    assert "each numbered step is a run" in notes(found)


def test_an_allocation_beside_steps_of_other_jobs_says_that_it_is_one() -> None:
    found = read(sacct, table(JOB, STEP, JOB.replace("7|lj", "9|lj")))
    step, whole = found.runs
    assert (step.times_s, step.note) == ((62.5,), "")
    assert (whole.times_s, whole.note[:26]) == ((86470.0,), "the time of the allocation")
    assert "no numbered step in job 9: the time of the allocation was read there" in notes(found)
    assert "no numbered step" not in notes(read(sacct, table(JOB, STEP)))
    assert read(sacct, table(JOB)).runs[0].note == ""


def test_several_counts_are_asked_and_hyperthreads_are_said() -> None:
    plain = JOB.replace(",gres/gpu=8", ""), STEP
    found = read(sacct, table(*plain))
    (question,) = [one for one in found.questions if one.about == "count"]
    assert "AllocCPUS counts hardware threads" in question.sentence
    options = [choice.option for choice in question.choices]
    assert options == ["--map devices=NTasks", "--map devices=NNodes", "--map devices=AllocCPUS"]
    answered = read(sacct, table(*plain), mapping=mapped(devices="NNodes"), family="strong")
    assert answered.ready
    assert (answered.runs[0].devices, answered.parts[0].counts) == (2, "node")
    assert answered.runs[0].memory_gib == 1.0


@pytest.mark.parametrize(
    ("state", "status"),
    [
        ("FAILED", "failed"),
        ("CANCELLED by 1000", "stopped"),
        ("CANCELLED+", "stopped"),
        ("TIMEOUT", "stopped"),
        ("OUT_OF_MEMORY", "out-of-memory"),
        ("NODE_FAIL", "failed"),
    ],
)
def test_a_job_that_did_not_complete_has_no_time(state: str, status: str) -> None:
    found = read(sacct, table(JOB.replace("COMPLETED", state)))
    assert (found.runs[0].status, found.runs[0].times_s, found.runs[0].wall_s) == (status, (), 86470.0)
    assert found.tally.not_completed == 1


def test_a_job_that_runs_still_is_a_note() -> None:
    found = read(sacct, table(JOB.replace("COMPLETED", "RUNNING")))
    assert found.runs == ()
    assert "job 7 is RUNNING" in notes(found)


def test_p_ends_each_line_with_a_bar_and_bad_lines_are_refused() -> None:
    text = (
        "".join(f"{line}|\n" for line in table(JOB).splitlines())
        + "8|x\n"
        + JOB.replace("1-00:01:10", "soon")
        + "\n"
    )
    found = read(sacct, text)
    assert found.runs[0].times_s == (86470.0,)
    said = "\n".join(map(str, found.problems))
    assert 'line 3: read "8|x", expected 11 cells' in said
    assert "line 4: Elapsed: job 7 has no time in it" in said


def test_columns_without_a_meaning_are_kept() -> None:
    text = "JobID|State|Elapsed|NNodes|Partition\n1|COMPLETED|00:26|4|gpu=x\n"
    found = read(sacct, text)
    assert (found.runs[0].devices, found.runs[0].times_s) == (4, (26.0,))
    assert found.runs[0].extra["Partition"] == "gpu=x"
    assert "devices is NNodes" in notes(found)


def test_elapsed_times_and_node_lists() -> None:
    assert seconds("2-03:04:05") == 183845
    assert seconds("03:04") == 184
    assert seconds("01:02:03.250") == 3723.25
    assert seconds("UNLIMITED") is None
    assert hosts("frontier[01515,01517-01519],login1") == (
        "frontier01515",
        "frontier01517",
        "frontier01518",
        "frontier01519",
        "login1",
    )
    assert hosts("n[1-999999999]") == ("n1-999999999",)
    assert hosts("None assigned") == ()


def wrapped(value: int, new: bool) -> object:
    return {"set": True, "infinite": False, "number": value} if new else value


@pytest.mark.parametrize("new", [True, False], ids=["23.02 and later", "older"])
def test_json_of_both_layouts(new: bool) -> None:
    state = {"current": ["COMPLETED"] if new else "COMPLETED", "reason": "None"}
    memory = [{"type": "mem", "name": "", "count": 2**30}]
    step = {
        "step": {"id": "7.0" if new else {"job_id": 7, "step_id": 0}, "name": "lmp"},
        "state": ["COMPLETED"] if new else "COMPLETED",
        "time": {"elapsed": 62},
        "tasks": {"count": 16},
        "nodes": {"count": 2},
        "tres": {"requested": {"max": memory}, "allocated": []},
        "exit_code": {"return_code": wrapped(0, new)},
    }
    job = {
        "job_id": 7,
        "name": "lj",
        "state": state,
        "nodes": "c[01-02]",
        "allocation_nodes": wrapped(2, new),
        "time": {
            "elapsed": 70,
            "start": wrapped(1621399896, new),
            "total": {"seconds": 5, "microseconds": 2500000},
        },
        "tres": {
            "allocated": [
                {"type": "gres", "name": "gpu", "count": 8},
                {"type": "cpu", "name": "", "count": 32},
            ]
        },
        "steps": [step],
    }
    found = read(sacct_json, json.dumps({"meta": {}, "jobs": [job]}, indent=1))
    (run,) = found.runs
    assert (run.times_s, run.devices, run.ranks, run.nodes, run.label) == ((62.0,), 8, 16, 2, "lmp")
    assert run.extra["MaxRSS of the host (GiB)"] == 1.0
    assert run.date == dt.datetime(2021, 5, 19, 4, 51, 36, tzinfo=dt.timezone.utc)
    (alone,) = read(sacct_json, json.dumps({"jobs": [{**job, "steps": []}]})).runs
    assert alone.times_s == (70.0,)
    assert alone.extra["CPU time (s)"] == 7.5  # microseconds go beyond a million


def test_numbers_that_are_not_set_are_none() -> None:
    job = {
        "job_id": 1,
        "state": "COMPLETED",
        "time": {"elapsed": {"set": False, "infinite": False, "number": 0}},
    }
    found = read(sacct_json, json.dumps({"jobs": [job, {"x": 1}]}))
    assert found.runs == ()
    assert len(found.problems) == 2


def test_each_is_recognised() -> None:
    assert sacct.sniff(HEAD.encode(), "") == 0.95
    assert sacct_json.sniff(b'{"jobs": [{"job_id": 1, "time": {"elapsed": 3}}]}', "") == 0.95
    assert asked(read(sacct, table(JOB))) == []
    assert sacct.sniff(b"a|b\n", "") == 0.0
