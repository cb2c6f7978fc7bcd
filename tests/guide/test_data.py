"""Tables of exercises: read strictly, exact, blanks and hidden rows kept apart."""

from __future__ import annotations

import os
from fractions import Fraction as F
from pathlib import Path

import pytest

from tests.guide.scripts import HEAD, codes, compute, loaded
from tui.guide.data import DataError, DataSet, as_study
from tui.guide.reader import Loaded, parse


def table(rows: str, more: str = "", family: str = "strong") -> Loaded:
    return loaded(
        f'[[data]]\nid = "t"\nfamily = "{family}"\n{more}\nrows = """\n{rows}\n"""\n' + compute("1")
    )


def data(rows: str, more: str = "", family: str = "strong") -> DataSet:
    script = table(rows, more, family)
    assert [str(each) for each in script.findings] == []
    return script.sets["t"]


STRONG = "devices, time_s\n4, 96.0\n8, 50.0\n16, 27.2\n32, 16.0"


def test_ratios_use_the_smallest_completed_count() -> None:
    rows = data("devices, time_s, status\n1, , out-of-memory\n4, 96.0,\n16, 27.2, completed")
    assert rows.base().devices == 4
    assert rows.measured("16").time == F("27.2")
    assert rows.asked() == (1, 2)


def test_a_chosen_baseline_is_used() -> None:
    assert data(STRONG, "baseline = 8").base().time == 50


def test_rows_of_one_count_are_jobs_and_steps_of_one_job_are_not() -> None:
    rows = data("devices, times_s\n8, 1.0 9.0 2.0\n8, 4.0\n16, 3.0 3.5")
    assert rows.measured("8").time == 3  # median of the jobs' medians 2 and 4
    assert rows.measured("16").time == F("3.25")
    with pytest.raises(DataError, match="2 rows"):
        rows.cell("8", "times_s")


def test_labels_name_rows_of_one_count() -> None:
    rows = data(
        "row, devices, domain, time_s\na, 4, one, 64.0\nb, 8, one, 33.0\nc, 8, two, 41.0",
        'key = "row"',
    )
    assert rows.base().devices == 4
    assert F(rows.base().time * 4, rows.measured("c").time * 8) == F(32, 41)


def test_weak_work_is_written_modelled_or_one_unit_a_device() -> None:
    assert data("devices, time_s, work\n8, 12, 256000\n16, 12, 512000", family="weak").base().work == 256000
    modelled = data(STRONG, 'work_model = { per_device = 32000, of = "tokens" }', "weak")
    assert modelled.measured("16").work == 512000
    assert data(STRONG, family="weak").measured("16").work == 16


def test_hidden_rows_are_seen_only_when_revealed() -> None:
    rows = data(STRONG, "hidden_rows = [32]")
    assert rows.visible() == (0, 1, 2)
    assert rows.visible(frozenset({"32"})) == (0, 1, 2, 3)
    assert rows.asked() == (0, 1, 2)


def test_blanks_know_what_belongs_into_them() -> None:
    rows = data("devices, micro_batch, accumulation, global_batch\n4,8,32,1024\n16,8,?,1024\n256,?,1,1024")
    assert rows.text(1, "accumulation") == "8"
    assert rows.text(2, "micro_batch") == "4"
    assert rows.shown(1, "accumulation") == "?"
    assert rows.asked() == (1, 2)
    assert data("devices, time_s\n4, 2\n8, ?1.25").text(1, "time_s") == "1.25"


def test_the_table_is_a_study_without_what_is_hidden_or_blank() -> None:
    rows = data("devices, time_s, stages_s.compute\n4, 2, 1.5\n8, ?1, 0.5\n16, 1, 0.25", "hidden_rows = [16]")
    (experiment,) = as_study([rows]).experiment
    assert [run.devices for run in experiment.run] == [4, 8]
    assert experiment.run[0].times_s == (2.0,)
    assert experiment.run[1].times_s == ()
    assert experiment.run[0].stages_s == {"compute": 1.5}


def test_columns_without_a_meaning_are_kept_and_can_be_read() -> None:
    rows = data("devices, time_s, extra.bandwidth, extra.site\n1, 8, 13.91, north\n7, 2, 71.56, south")
    assert rows.cell("7", "extra.bandwidth") == F("71.56")
    (experiment,) = as_study([rows]).experiment
    assert experiment.run[0].extra == {"bandwidth": 13.91, "site": "north"}


FAULTS = [
    pytest.param("devices, time_s\n4, 2.0 s", "E022", "row 1, column time_s", id="unit in a cell"),
    pytest.param("devices, time_s\n4, 1\n8, two", "E022", "row 2, column time_s", id="word in a cell"),
    pytest.param("devices, time_s\n4.5, 1", "E022", "not a whole number", id="half a device"),
    pytest.param("devices, time_s\n4, -1", "E022", "below 0", id="negative time"),
    pytest.param("devices, time_s\n4, 1, 7", "E022", "3 cells, the header 2", id="a cell too many"),
    pytest.param("devices, time_s, status\n4, 1, done", "E022", "none of completed", id="unknown status"),
    pytest.param("devices, tim_s\n4, 1", "E026", 'did you mean "time_s"', id="unknown column"),
    pytest.param("devices, time_s, time_s\n4, 1, 1", "E022", "two columns", id="column twice"),
    pytest.param("gpus, time_s\n4, 1", "E026", "gpus", id="no devices"),
    pytest.param("devices, time_s", "E021", "no rows", id="header only"),
    pytest.param("devices, time_s\n4, ?", "E022", "like ?8", id="blank nobody knows"),
    pytest.param("devices, time_s\n4, nan", "E022", "not a number", id="nan"),
    pytest.param("devices, time_s\n4, 1e999", "E022", "not a number", id="huge exponent"),
]


@pytest.mark.parametrize(("rows", "code", "words"), FAULTS)
def test_a_fault_names_its_row_and_column(rows: str, code: str, words: str) -> None:
    found = table(rows).findings
    assert code in [each.code for each in found]
    assert any(words in each.message for each in found)


def test_a_setting_that_no_study_knows_is_said() -> None:
    assert "E010" in codes(table(STRONG, "device_per_node = 8"))
    assert "E015" in codes(table(STRONG, 'charged = "hour"'))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    inside = tmp_path / "scripts"
    (inside / "data").mkdir(parents=True)
    (inside / "data" / "runs.csv").write_text(STRONG, encoding="utf-8")
    (tmp_path / "secret.csv").write_text(STRONG, encoding="utf-8")
    (inside / "link.csv").symlink_to(tmp_path / "secret.csv")
    (inside / "big.csv").write_bytes(b"devices, time_s\n" + b"4, 1\n" * 300_000)
    (inside / "long.csv").write_bytes(b"devices, time_s\n" + b"4, 1\n" * 5001)
    os.mkfifo(inside / "pipe.csv")
    return inside


FILES = [
    ("data/runs.csv", None),
    ("data/none.csv", "E020"),
    ("../secret.csv", "E023"),
    ("data/../../secret.csv", "E023"),
    ("link.csv", "E023"),
    ("/etc/passwd", "E023"),
    ("data", "E020"),
    ("pipe.csv", "E020"),
    ("big.csv", "E024"),
    ("long.csv", "E024"),
]


@pytest.mark.parametrize(("name", "code"), FILES, ids=[name for name, _ in FILES])
def test_only_files_inside_the_folder_are_read(folder: Path, name: str, code: str | None) -> None:
    text = HEAD + f'[[data]]\nid = "t"\nfamily = "strong"\nfile = "{name}"\n' + compute("speedup('t', 8)")
    script = parse(text.encode(), folder, "small.toml")
    assert [each.code for each in script.findings] == ([code] if code else [])
    assert ("data/runs.csv" in script.files) is (code is None)
