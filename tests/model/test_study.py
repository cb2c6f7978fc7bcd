"""The study format as dataclasses, and what `problems` finds in a study that has the right types."""

from __future__ import annotations

import copy
import datetime as dt
import json
import pickle
import subprocess
import sys
from dataclasses import replace
from typing import Any

import pytest
from pydantic import ConfigDict, TypeAdapter, ValidationError, with_config

from tui.model.study import (
    Domain,
    Experiment,
    Machine,
    Prediction,
    Problem,
    Run,
    Stage,
    Study,
    Work,
    problems,
)

WRITTEN: dict[str, Any] = {
    "format": 1,
    "title": "7B pre-training on cluster A",
    "machine": {
        "name": "cluster A",
        "device": "H100 SXM",
        "devices_per_node": 8,
        "domains": [{"name": "NVLink node", "devices": 8}, {"name": "leaf switch", "devices": 128}],
        "charged": "node",
        "price": 2.4,
        "currency": "EUR",
    },
    "experiment": [
        {
            "family": "strong",
            "name": "step time, batch 1024",
            "counts": "GPU",
            "time_means": "one update",
            "baseline": 8,
            "baseline_kind": "smallest feasible",
            "memory_per_device_gib": 80,
            "flop_per_unit": 4.2e10,
            "peak_flops_per_device": 989e12,
            "peak_source": "dense BF16",
            "work": {"amount": 4194304, "of": "tokens", "sequences": 1024, "lengths": "all 4096"},
            "stages": [
                {"name": "compute", "law": "split"},
                {"name": "communication", "law": "tail", "after": ["compute"], "params": {"q": 0.01}},
            ],
            "run": [
                {
                    "devices": 8,
                    "times_s": [40.2, 40.5, 40],
                    "global_batch": 1024,
                    "dp": 8,
                    "stages_s": {"compute": 36.0},
                    "date": dt.date(2026, 11, 29),
                    "extra": {"queue": "long", "retries": 2},
                },
                {"devices": 16, "status": "out-of-memory", "work": {"amount": 3, "of": "samples"}},
            ],
            "prediction": [{"devices": 64, "made": dt.datetime(2026, 11, 30, 9, 12), "time_s": 18.5}],
        },
        {"family": "target", "name": "to loss 2.0", "run": [{"devices": 8, "seed": -1, "quality": -0.5}]},
    ],
}


def test_a_file_is_read_by_these_dataclasses_alone() -> None:
    study = TypeAdapter(Study).validate_python(WRITTEN)
    first, second = study.experiments
    assert study.machine.domains[1] == Domain("leaf switch", 128)
    assert first.runs[0].times_s == (40.2, 40.5, 40.0)
    assert first.runs[0].date == dt.date(2026, 11, 29)
    assert first.runs[1].work == Work(3, "samples")
    assert first.stages[1].after == ("compute",)
    assert first.predictions[0].time_s == 18.5
    assert second.runs[0].quality == -0.5
    assert problems(study) == ()


def test_keys_that_do_not_exist_are_refused_at_every_depth() -> None:
    # On a copy of the class, so that the real one stays as every other test sees it.
    strict = with_config(ConfigDict(extra="forbid"))(type("Strict", (Study,), {"__annotations__": {}}))
    broken = json.loads(json.dumps(WRITTEN, default=str))
    broken["experiment"][0]["run"][0]["time_s"] = 3
    broken["experiment"][0]["work"]["unit"] = "tokens"
    with pytest.raises(ValidationError) as raised:
        TypeAdapter(strict).validate_python(broken)
    assert {error["loc"] for error in raised.value.errors()} == {
        ("experiment", 0, "run", 0, "time_s"),
        ("experiment", 0, "work", "unit"),
    }


def test_the_model_needs_nothing_but_the_standard_library() -> None:
    script = (
        "import sys; import tui.model.scaling; "
        "print(sorted({'pydantic', 'numpy', 'textual', 'rich', 'plotext'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def with_runs(*runs: Run, **known: Any) -> Study:
    return Study(experiment=(Experiment("strong", "only", run=runs, **known),))


RUN = ("experiment", 0, "run", 0)


@pytest.mark.parametrize(
    ("study", "path", "about"),
    [
        (Study(format=2), ("format",), "format 2 is not known"),
        (with_runs(Run(0)), (*RUN, "devices"), "devices must be 1 or more, not 0"),
        (with_runs(Run(4, (1.0, -2.0))), (*RUN, "times_s", 1), "times_s must be 0 or more, not -2.0"),
        (with_runs(Run(4, (float("nan"),))), (*RUN, "times_s", 0), "finite number, not nan"),
        (with_runs(Run(4, stages_s={"input": -1.0})), (*RUN, "stages_s", "input"), "0 or more, not -1.0"),
        (with_runs(Run(4, accumulation=0)), (*RUN, "accumulation"), "1 or more, not 0"),
        (with_runs(Run(4, work=Work(float("inf")))), (*RUN, "work", "amount"), "finite number, not inf"),
        (
            with_runs(Run(4), baseline=8),
            ("experiment", 0, "baseline"),
            "no run has 8 devices; there are runs with 4",
        ),
        (
            with_runs(Run(4), baseline=4, baseline_kind="one device"),
            ("experiment", 0, "baseline_kind"),
            "the baseline has 4 devices",
        ),
        (
            with_runs(stages=(Stage("compute"), Stage("send", after=("compile",)))),
            ("experiment", 0, "stages", 1, "after", 0),
            "there is no stage 'compile'",
        ),
        (
            with_runs(stages=(Stage("a", after=("b",)), Stage("b", after=("c",)), Stage("c", after=("b",)))),
            ("experiment", 0, "stages", 1, "after"),
            "'b' after 'c' after 'b'",
        ),
        (
            with_runs(stages=(Stage("a"), Stage("a"))),
            ("experiment", 0, "stages", 1, "name"),
            "two stages are called 'a'",
        ),
        (
            Study(machine=Machine(domains=(Domain("switch", 64), Domain("node", 8)))),
            ("machine", "domains", 1, "devices"),
            "from the smallest to the largest",
        ),
        (
            Study(machine=Machine(domains=(Domain("node", 8), Domain("board", 8)))),
            ("machine", "domains", 1, "devices"),
            "'board' reaches 8 devices, 'node' before it already 8",
        ),
        (
            Study(machine=Machine(domains=(Domain("node", 8), Domain("node", 64)))),
            ("machine", "domains", 1, "name"),
            "two domains are called 'node'",
        ),
        (
            with_runs(prediction=(Prediction(64, dt.datetime(2026, 1, 1), -3.0),)),
            ("experiment", 0, "prediction", 0, "time_s"),
            "0 or more, not -3.0",
        ),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_cannot_be_meant(study: Study, path: tuple[str | int, ...], about: str) -> None:
    (problem,) = problems(study)
    assert problem.path == path
    assert about in problem.sentence


@pytest.mark.parametrize(
    "run",
    [
        Run(4, (0.0,)),
        Run(4),
        Run(4, skipped_updates=0),
        Run(4, seed=-3, quality=-1.5),
        Run(4, extra={"offset": -2.0, "broken": float("nan")}),
    ],
    ids=["a time of 0", "no time yet", "no update skipped", "signs that may be", "imported columns"],
)
def test_what_is_unlikely_but_no_problem(run: Run) -> None:
    assert problems(with_runs(run)) == ()


def test_experiments_of_one_name_are_told_which() -> None:
    one = Experiment("strong", "step")
    study = Study(experiment=(one, replace(one, name="other"), one))
    sentence = "experiment 1 is called 'step' too; give each its own name"
    assert problems(study) == (Problem(("experiment", 2, "name"), sentence),)


def test_stages_may_join_and_part_again() -> None:
    stages = (Stage("a"), Stage("b", after=("a",)), Stage("c", after=("a",)), Stage("d", after=("b", "c")))
    assert problems(with_runs(stages=stages)) == ()


def test_many_stages_that_join_and_part_are_looked_through_once() -> None:
    """Sixty times two ways past each other are 2^60 paths."""
    stages = [Stage("start")]
    for level in range(60):
        before = stages[-1].name
        left, right = f"left {level}", f"right {level}"
        stages += [
            Stage(left, after=(before,)),
            Stage(right, after=(before,)),
            Stage(f"join {level}", after=(left, right)),
        ]
    assert problems(with_runs(stages=tuple(reversed(stages)))) == ()


def test_a_run_has_no_dictionary_of_its_own_and_is_still_a_value() -> None:
    run = Run(8, (40.2,), stages_s={"compute": 30.0})
    assert not hasattr(run, "__dict__")
    assert pickle.loads(pickle.dumps(run)) == copy.deepcopy(run) == replace(run) == run
