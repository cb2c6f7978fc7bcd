"""Whatever the bytes are: no exception, every line accounted for, no run that a study could not hold.

The seeds are small logs of every format; they are cut, joined, doubled, and have bytes changed in them.
"""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.importers import test_internlm as internlm_cases
from tests.importers import test_megatron as megatron_cases
from tests.importers import test_other_training_logs as training_cases
from tests.importers import test_sacct as sacct_cases
from tests.importers import test_simulation_logs as simulation_cases
from tests.importers import test_tool_results as tool_cases
from tests.importers.logs import mapped
from tui.importers import (
    deepspeed,
    extrap,
    google_benchmark,
    gromacs,
    hyperfine,
    internlm,
    lammps,
    megatron,
    mlperf,
    nccl_tests,
    nemo,
    sacct,
    sacct_json,
    torchtitan,
)
from tui.importers.imported import Imported, Options, Source
from tui.model.study import Study, problems

SEEDS = {
    megatron: megatron_cases.LOG + megatron_cases.TIMERS + megatron_cases.line(40, 9.0),
    torchtitan: training_cases.MESH + training_cases.TRAINER + training_cases.titan(1, "4") * 2,
    deepspeed: training_cases.CONFIG + training_cases.speed(10, "64.0") + training_cases.speed(20, "3"),
    nemo: training_cases.newer(0, "7.1") + training_cases.bar(2, "3.5"),
    internlm: internlm_cases.LOG,
    hyperfine: tool_cases.scan(tool_cases.ONE, tool_cases.TWO),
    google_benchmark: tool_cases.bench(tool_cases.entry(1, 10), tool_cases.entry(8, 4)),
    extrap: tool_cases.TEXT,
    sacct: sacct_cases.table(sacct_cases.JOB, sacct_cases.BATCH, sacct_cases.STEP),
    sacct_json: (
        '{"jobs": [{"job_id": 1, "state": {"current": ["COMPLETED"]}, "time": {"elapsed": 3}, '
        '"allocation_nodes": 2, "steps": []}]}'
    ),
    mlperf: simulation_cases.training(),
    lammps: simulation_cases.loop(9.0, 4),
    gromacs: simulation_cases.mdrun(4, 1, 4, 169.3, 10.2),
    nccl_tests: simulation_cases.NCCL_HEAD + simulation_cases.SMALL + simulation_cases.LARGE,
}
READERS = list(SEEDS)
FORMS = (tool_cases.NESTED, tool_cases.BY_ID)
TEXTS = [*SEEDS.values(), *map(json.dumps, FORMS), tool_cases.LINE, tool_cases.TALPAS]
TOKENS = (
    b"nan",
    b"inf",
    b"1e400",
    b"9" * 400,
    b"-1",
    b"0",
    b"\0",
    b"\r",
    b"\n",
    b"|",
    b"\xff\xfe",
    b"\x1b[31m",
)
NUMBER = (b"0", b"1", b"8", b"null", b'"x"', b"[]", b"{}", b"true", b"1e-40")


def checked(reader: object, data: bytes, options: Options) -> Imported:
    """Read, and hold what comes back against what is promised of every reader."""
    assert 0 <= reader.sniff(data[:65536], "a.log") <= 1
    found: Imported = reader.read(Source(Path("a.log"), data), options)
    assert found.tally.adds_up, found.tally
    assert min(vars(found.tally).values()) >= 0, found.tally
    assert found.runs or found.problems or found.notes
    for place, part in enumerate(found.parts):
        study = Study(experiment=(part.experiment(f"e{place}", "strong"),))
        wrong = problems(study)
        assert not wrong, wrong
        assert all(run.times_s or run.status != "completed" or run.time_to_target_s for run in part.runs)
    for text in (*map(str, found.notes), *map(str, found.problems)):
        assert text.isprintable(), text
    return found


@st.composite
def mutated(draw: st.DrawFn) -> bytes:
    data = draw(st.sampled_from(TEXTS)).encode()
    for _ in range(draw(st.integers(0, 4))):
        at = draw(st.integers(0, len(data)))
        to = min(len(data), at + draw(st.integers(0, 40)))
        kind = draw(st.sampled_from(["token", "cut", "double", "other", "number"]))
        if kind == "token":
            data = data[:at] + draw(st.sampled_from(TOKENS)) + data[to:]
        elif kind == "cut":
            data = data[:at] + data[to:]
        elif kind == "double":
            data += data[at:]
        elif kind == "other":
            data += draw(st.sampled_from(TEXTS)).encode()[:300]
        else:
            digits = [place for place, byte in enumerate(data) if 48 <= byte <= 57]
            if digits:
                place = draw(st.sampled_from(digits))
                data = data[:place] + draw(st.sampled_from(NUMBER)) + data[place + 1 :]
    return data


OPTIONS = st.sampled_from(
    [
        Options(),
        Options(mapped(devices="8"), "weak", "steps"),
        Options(mapped(devices="x", time="divided"), "strong", "jobs", window=(1, 20)),
        Options(mapped(devices="NNodes", size="1024", nodes="zero")),
    ]
)


@settings(max_examples=150, deadline=None)
@given(st.sampled_from(READERS), mutated(), OPTIONS)
def test_mutated_files(reader: object, data: bytes, options: Options) -> None:
    assert checked(reader, data, options).tally.adds_up


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(READERS), st.binary(max_size=2000))
def test_any_bytes(reader: object, data: bytes) -> None:
    assert checked(reader, data, Options()).tally.adds_up


@pytest.mark.parametrize("reader", READERS, ids=lambda each: each.NAME)
def test_its_own_seed_is_recognised_and_gives_a_run(reader: object) -> None:
    seed = SEEDS[reader].encode()
    assert max(READERS, key=lambda each: each.sniff(seed, "a.log")) is reader
    assert checked(reader, seed, Options()).runs


@pytest.mark.parametrize("reader", READERS, ids=lambda each: each.NAME)
@pytest.mark.parametrize(
    "unit", [b"a", b" ", b"1 ", b"|", b'{"a":', b"[", b"-", b"1\r", b"step: 1 ", b"iteration 1/ 1 |"]
)
def test_bytes_that_repeat_take_no_square_of_their_length(reader: object, unit: bytes) -> None:
    data = unit * (300_000 // len(unit))
    start = time.process_time()
    reader.read(Source(Path("a.log"), data), Options())
    assert time.process_time() - start < 1
    assert checked(reader, data, Options()).tally.adds_up
