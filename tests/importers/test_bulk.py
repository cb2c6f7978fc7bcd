"""Large clean CSV files: the same table as row by row, and nothing unclean is taken."""

from __future__ import annotations

import pytest

from tui.importers import bulk, own_csv
from tui.model.samples import samples
from tui.model.scaling import table, tabulate
from tui.model.study import Experiment

CLEAN = b"nodes,devices,time_s\n1,8,40.2\n2,16,20.5\n1,8,40.6\n1,8,4.01e1\n2,16,0\n4,16,21\n"


@pytest.fixture(params=[1, 16, 1 << 20])
def piece(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> int:
    """How many bytes are read at once: fewer than a line, than the file, and more."""
    monkeypatch.setattr(bulk, "_PIECE", request.param)
    return int(request.param)


@pytest.mark.usefixtures("piece")
@pytest.mark.parametrize("data", [CLEAN, CLEAN.replace(b"\n", b"\r\n"), b"\xef\xbb\xbf" + CLEAN, CLEAN[:-1]])
def test_the_table_is_that_of_the_runs(data: bytes) -> None:
    experiment = Experiment("strong", "x", run=own_csv.parse(data).run)
    gathered = bulk.samples_in(data)
    assert gathered is not None
    slow = samples(experiment)
    assert [(each.layout, each.jobs, each.steps, each.fastest, each.slowest) for each in gathered] == [
        (each.layout, tuple(sorted(each.jobs)), each.steps, each.fastest, each.slowest) for each in slow
    ]
    rows, others = tabulate(gathered, Experiment("strong", "x")).rows, table(experiment).rows
    assert [(row.time_s, row.efficiency, row.codes) for row in rows] == [
        (row.time_s, row.efficiency, row.codes) for row in others
    ]


@pytest.mark.usefixtures("piece")
@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"devices,time_s",
        b"devices,time_s\n",
        b"devices,time_s\n1,2\n\n2,1\n",
        b"devices,time_s\n1,2,\n",
        b"devices,time_s\n1\n2,3,4\n",
        b"devices,time_s\n1,2\n2,\n",
        b"devices,time_s\n1,2\n# 2,3\n",
        b"devices,time_s\n1,2\n2,3 ms\n",
        b"devices,time_s\n1,2\n2,nan\n",
        b"devices,time_s\n1,2\n2,-3\n",
        b"devices,time_s\n1,2\n2,1e-40\n",
        b"devices,time_s\n1,2\n1.5,3\n",
        b"devices,time_s\n1,2\n0,3\n",
        b'devices,time_s\n1,2\n"2",3\n',
        b"devices;time_s\n1;2\n",
        b"devices,time_s,time_s\n1,2,3\n",
        b"devices,devices,time_s\n1,2,3\n",
        b"nodes,time_s\n1,2\n",
        b"devices,time_s,note\n1,2,3\n",
        b"devices,time_s\n1,2\n2,0x10\n",
    ],
)
def test_what_is_not_clean_is_left_to_others(data: bytes) -> None:
    assert bulk.samples_in(data) is None
