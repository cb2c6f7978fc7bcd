"""`rooflab table`, `new` and `schema` as a person calls them: numbers, sentences and exit statuses."""

from __future__ import annotations

import csv
import io
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tui import cli
from tui.files.examples import EXAMPLES
from tui.model.study import Family

Answer = tuple[int, str, str]

CLAIMED = "devices, global_batch, time_s\n4,  2048, 40.0\n8,  1024, 21.0\n16, 512,  11.6\n"
FIXED = (
    "devices, global_batch, micro_batch, accumulation, time_s\n"
    "4,  2048, 16, 32, 40.0\n8,  2048, 16, 16, 22.4\n16, 2048, 16, 8,  13.2\n"
)
ABOVE_ONE = "devices,time_s\n1,120.0\n2,56.0\n4,31.0\n8,17.5\n"
PLACED = (
    "row,devices,domain,time_s\n"
    "a,4,one domain,64.0\nb,8,one domain,33.0\nc,8,two domains,41.0\nd,16,two domains,21.0\n"
)
SMALL_MATRICES = """\
[[experiment]]
family = "strong"
name = "small matrices"
counts = "GPU"
flop_per_unit = 1e12
work = { amount = 1280, of = "TFLOP" }
run = [ { devices = 4, times_s = [1.0] }, { devices = 32, times_s = [0.21052631578947367] } ]
"""
DECLARED = """\
[[experiment]]
family = "weak"
name = "declared"
counts = "GPU"
work_model = { per_device = 32000, of = "tokens", flop_per_unit = 6e9, flop_per_unit_position = 5e5 }
run = [
  { devices = 8, times_s = [12.0], sequence_length = 2000 },
  { devices = 16, times_s = [12.6], sequence_length = 2000 },
  { devices = 32, times_s = [13.5], sequence_length = 2000 },
  { devices = 64, times_s = [15.0], sequence_length = 2000 },
  { devices = 64, times_s = [21.0], sequence_length = 8000 },
]
"""

PAWSEY = """\
devices,time_s
24,2876.22
48,1488.54
96,794.762
192,454.81
384,220.925
768,121.548
1536,79.3502
3072,62.3691
"""
PAWSEY_PUBLISHED = {
    24: (1, 100, 1),
    48: (1.93224, 96.6121, 1.03507),
    96: (3.61897, 90.4743, 1.10529),
    192: (6.324, 79.05, 1.26502),
    384: (13.019, 81.3687, 1.22897),
    768: (23.6632, 73.9476, 1.35231),
    1536: (36.2472, 56.6362, 1.76566),
    3072: (46.1161, 36.0282, 2.7756),
}
"""Speedup, efficiency in percent and relative cost of LAMMPS with 802176 atoms, as published in
github.com/PawseySC/supercomputing-user-training, testing-job-runs/scaling-data."""

TARGET = EXAMPLES["target"]


@pytest.fixture
def rooflab(capsys: pytest.CaptureFixture[str]) -> Any:
    def call(*words: str) -> Answer:
        try:
            status = cli.main(words)
        except SystemExit as left:
            status = int(left.code or 0)
        said = capsys.readouterr()
        return status, said.out, said.err

    return call


@pytest.fixture
def file(tmp_path: Path) -> Any:
    def write(text: str, name: str = "runs.csv") -> str:
        (tmp_path / name).write_text(text, encoding="utf-8")
        return str(tmp_path / name)

    return write


def rows_of(answer: Answer) -> list[dict[str, Any]]:
    return list(json.loads(answer[1])["rows"])


# the numbers


def test_the_published_table_of_pawsey(rooflab: Any, file: Any) -> None:
    status, out, err = rooflab("table", file(PAWSEY), "--family", "strong", "--format", "json")
    assert (status, err) == (0, "")
    for row in json.loads(out)["rows"]:
        speedup, efficiency, cost = PAWSEY_PUBLISHED[row["devices"]]
        assert row["speedup"] == pytest.approx(speedup, rel=5e-6)
        assert 100 * row["efficiency"] == pytest.approx(efficiency, rel=5e-6)
        assert row["relative_cost"] == pytest.approx(cost, rel=5e-6)


def test_pawsey_as_text_has_the_rounded_numbers(rooflab: Any, file: Any) -> None:
    out = rooflab("table", file(PAWSEY), "--family", "strong")[1]
    last = next(line for line in out.splitlines() if line.split()[:1] == ["3072"]).split()
    assert {"62.37", "46.12", "128", "0.360", "2.776"} <= set(last)


def test_a_batch_that_shrank_has_no_efficiency(rooflab: Any, file: Any) -> None:
    answer = rooflab("table", file(CLAIMED), "--family", "strong", "--baseline", "4", "--format", "json")
    assert answer[0] == 1
    assert [row["efficiency"] for row in rows_of(answer)] == [1, None, None]
    assert [row["time_s"] for row in rows_of(answer)] == [40, 21, 11.6]
    assert all(row["flags"] == ["batch-changed"] for row in rows_of(answer)[1:])
    first, second = answer[2].splitlines()
    assert first.startswith(
        "rooflab table: runs: 8 devices: batch-changed: The global batch is 1024 here and 2048"
    )
    assert "46.4 s" in second


def test_the_same_batch_has_one(rooflab: Any, file: Any) -> None:
    answer = rooflab("table", file(FIXED), "--family", "strong", "--format", "json")
    assert answer[0] == 0
    assert rows_of(answer)[2]["efficiency"] == pytest.approx(0.758, abs=5e-4)
    assert "local-shape-changed" in rows_of(answer)[2]["flags"]


def test_above_one_is_flagged_and_the_baseline_is_part_of_the_result(rooflab: Any, file: Any) -> None:
    path = file(ABOVE_ONE)
    first = rows_of(rooflab("table", path, "--family", "strong", "--format", "json"))
    assert first[1]["efficiency"] == pytest.approx(15 / 14)
    assert "above-one-unexplained" in first[1]["flags"]
    assert first[3]["efficiency"] == pytest.approx(6 / 7)
    other = rows_of(rooflab("table", path, "--family", "strong", "--baseline", "2", "--format", "json"))
    assert other[3]["efficiency"] == pytest.approx(0.8)
    assert "1.071" in rooflab("table", path, "--family", "strong")[1]


def test_placements_are_marked(rooflab: Any, file: Any) -> None:
    path = file(PLACED)
    rows = rows_of(rooflab("table", path, "--family", "strong", "--format", "json"))
    assert [(row["layout"], row["efficiency"]) for row in rows if row["devices"] == 8] == [
        ("one domain", pytest.approx(32 / 33)),
        ("two domains", pytest.approx(32 / 41)),
    ]
    assert "domain-crossed" in rows[2]["flags"]
    status, out, err = rooflab("table", path, "--family", "strong")
    assert status == 0
    assert "two domains  41" in out
    assert err == f"rooflab table: {path}: columns without a meaning here, kept as they came: row\n"


def test_small_matrices_have_their_achieved_rate(rooflab: Any, file: Any) -> None:
    path = file(SMALL_MATRICES, "small.toml")
    row = rows_of(rooflab("table", path, "--format", "json"))[1]
    assert row["efficiency"] == pytest.approx(19 / 32)
    assert row["flops_per_device"] == pytest.approx(190e12)
    out = rooflab("table", path)[1]
    assert "TFLOP/s" in out
    assert "0.594" in out


def test_weak_scaling_by_tokens_and_by_arithmetic(rooflab: Any, file: Any) -> None:
    path = file(DECLARED, "weak.toml")
    rows = rows_of(rooflab("table", path, "--format", "json"))
    assert rows[2]["efficiency"] == pytest.approx(8 / 9)
    assert rows[3]["efficiency"] == pytest.approx(0.8)
    assert rows[4]["efficiency"] == pytest.approx(4 / 7)
    assert rows[4]["work"] == 2048000
    assert "arithmetic-changed" in rows[4]["flags"]
    (last,) = list(csv.DictReader(io.StringIO(rooflab("table", path, "--format", "csv")[1])))[4:]
    assert float(last["efficiency_by_arithmetic"]) == pytest.approx(40 / 49)
    out = rooflab("table", path)[1]
    assert "0.571" in out
    assert "0.816" in out


# what can be asked for


def test_standard_input_is_a_file_too(rooflab: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    for text in (
        ABOVE_ONE.encode(),
        SMALL_MATRICES.encode(),
        b"# remark\n\ntitle = 'x'\n" + SMALL_MATRICES.encode(),
    ):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text)))
        status, out, _ = rooflab("table", "-", "--family", "strong")
        assert status == 0
        assert "0.857" in out or "0.594" in out


def test_one_experiment_of_several(rooflab: Any, file: Any) -> None:
    path = file(SMALL_MATRICES + DECLARED, "both.toml")
    assert [one["name"] for one in json.loads(rooflab("table", path, "--format", "json")[1])] == [
        "small matrices",
        "declared",
    ]
    assert (
        json.loads(rooflab("table", path, "--experiment", "declared", "--format", "json")[1])["name"]
        == "declared"
    )
    assert rooflab("table", path, "--experiment", "declard") == (
        2,
        "",
        "rooflab table: there is no experiment 'declard'; did you mean 'declared'?\n",
    )
    assert "there are 'small matrices', 'declared'" in rooflab("table", path, "--experiment", "x")[2]


def test_another_family_is_said(rooflab: Any, file: Any) -> None:
    status, out, err = rooflab("table", file(SMALL_MATRICES, "s.toml"), "--family", "weak")
    assert status == 1
    assert "small matrices: weak scaling" in out
    assert err.splitlines()[0] == "rooflab table: small matrices: read as weak; the study says strong"
    assert "work-not-proportional" in err


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (
            ["--baseline", "3"],
            "no completed run with 3 GPUs to compare with; counts that can be a baseline: 4, 32",
        ),
        (["--baseline", "two"], '--baseline: "two" does not start with a number'),
        (["--baseline", "1.5"], '--baseline: read "1.5", expected a whole number'),
        (["--family", "stong"], "argument --family: invalid choice: 'stong'"),
        (["--format", "html"], "argument --format: invalid choice: 'html'"),
        (["--family", "target"], "time to a quality target has a table of its own"),
    ],
)
def test_what_cannot_be_done_is_said_in_one_line(
    rooflab: Any, file: Any, words: list[str], sentence: str
) -> None:
    status, out, err = rooflab("table", file(SMALL_MATRICES, "s.toml"), *words)
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert sentence in err


def test_target_experiments_are_sent_to_their_own_table(rooflab: Any, file: Any) -> None:
    alone = file(TARGET, "target.toml")
    sentence = "rooflab table: time to a quality target has a table of its own: `rooflab target` prints it\n"
    for words in ([], ["--family", "strong"]):
        assert rooflab("table", alone, *words) == (2, "", sentence)
    both = file(TARGET + SMALL_MATRICES, "both.toml")
    status, out, err = rooflab("table", both, "--format", "json")
    assert (status, json.loads(out)["name"]) == (0, "small matrices")
    assert err.startswith("rooflab table: validation loss 2.80: time to a quality target has a table")
    assert rooflab("table", both, "--experiment", "validation loss 2.80")[0] == 2


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("devices,time_s\n1,2\n2,1\n", "a CSV file does not tell its family: say whether this is strong"),
        ("devices,time_s,work\n1,2,8\n2,1,8\n", "for weak scaling work must be that of all devices together"),
        ("devices,time_s,work\n1,2,8\n2,2,16\n", "which alone does not make it weak scaling: say whether"),
        ("devices,time_s,parameters\n1,2,8\n2,2,16\n", "the models differ: add --family model-size"),
    ],
)
def test_the_family_of_a_csv_file_is_asked(rooflab: Any, file: Any, text: str, sentence: str) -> None:
    status, out, err = rooflab("table", file(text))
    assert (status, out) == (2, "")
    assert sentence in err


def test_a_count_of_another_name_is_found_by_the_reader_of_foreign_tables(rooflab: Any, file: Any) -> None:
    path = file("cores,time_s,status\n1,10,ok\n2,,crashed\n4,gave up,\n8,2,ok\n")
    status, out, _ = rooflab("table", path, "--family", "strong", "--format", "json")
    assert status == 1  # two rows did not complete
    rows = {row["devices"]: row["efficiency"] for row in json.loads(out)["rows"]}
    assert rows == {1: 1.0, 2: None, 4: None, 8: 0.625}


# files that cannot be read


def test_every_fault_of_a_study_is_listed(rooflab: Any, file: Any) -> None:
    path = file(
        '[[experiment]]\nfamily = "strng"\nname = "a"\nrun = [ { devices = 0, time_s = [1.0] } ]\n', "s.toml"
    )
    status, out, err = rooflab("table", path)
    assert (status, out) == (2, "")
    head, *faults = err.splitlines()
    assert head == f"rooflab table: {path}: {len(faults)} errors"
    assert any("line 2: experiment 1, family: read" in fault and "'strong'" in fault for fault in faults)
    assert any("'times_s'" in fault for fault in faults)


def test_every_fault_of_a_csv_file_is_listed(rooflab: Any, file: Any) -> None:
    path = file("devices,time_s\nx,1\n2,\x1b[31mslow\n")
    status, _, err = rooflab("table", path, "--family", "strong")
    assert status == 2
    assert err.startswith(f"rooflab table: {path}: 2 errors\n  line 2: devices: ")
    assert "\x1b" not in err


def test_files_that_are_not_there_or_no_files(rooflab: Any, file: Any, tmp_path: Path) -> None:
    assert rooflab("table", "no-such.toml")[::2] == (2, "rooflab table: there is no file no-such.toml\n")
    assert "it is a folder" in rooflab("table", str(tmp_path))[2]
    status, _, err = rooflab("table", file("format = 1\n", "s.toml"))
    assert (status, err) == (
        2,
        "rooflab table: the study has no experiment: add an [[experiment]] with its runs\n",
    )


def test_rows_that_only_wait_are_a_finding(rooflab: Any, file: Any) -> None:
    status, out, err = rooflab("table", file("devices,time_s\n4,\n"), "--family", "strong")
    assert status == 1
    assert "baseline  none" in out
    assert "not-completed: No time yet at 4" in err
    assert "no row can be the baseline" in err


def test_times_of_zero_are_a_finding(rooflab: Any, file: Any) -> None:
    status, _, err = rooflab("table", file("devices,time_s\n4,0\n8,0\n"), "--family", "strong")
    assert (status, err) == (
        1,
        "rooflab table: runs: no row can be the baseline, so there is no efficiency\n",
    )


def test_no_value_in_a_sentence_commands_the_terminal(rooflab: Any, file: Any) -> None:
    study = SMALL_MATRICES.replace('"strong"', '"a\\u009b2Jb"')
    status, _, err = rooflab("table", file(study, "s.toml"))
    assert status == 2
    assert "a2Jb" in err
    assert "\x9b" not in err


def test_names_never_command_the_terminal(rooflab: Any, file: Any) -> None:
    study = SMALL_MATRICES.replace("small matrices", "a\\u001b]0;x\\u0007b\\u009b2Jc")
    for to in ("text", "markdown", "csv", "json"):
        _, out, err = rooflab("table", file(study, "s.toml"), "--format", to, "--family", "weak")
        assert all(c.isprintable() for c in (out + err).replace("\n", ""))


@pytest.mark.parametrize("to", ["text", "markdown"])
def test_ascii_when_asked(rooflab: Any, file: Any, to: str) -> None:
    out = rooflab("--ascii", "table", file(ABOVE_ONE), "--family", "strong", "--format", to)[1]
    assert out.isascii()
    assert "x/dbl" in out


def test_ascii_where_standard_output_takes_no_more(file: Any) -> None:
    words = [sys.executable, "-m", "tui", "table", file(ABOVE_ONE), "--family", "strong"]
    done = subprocess.run(
        words, capture_output=True, env={**os.environ, "PYTHONIOENCODING": "ascii"}, check=True
    )
    assert done.stdout.isascii()
    assert b"x/dbl" in done.stdout


# new and schema


@pytest.mark.parametrize("family", EXAMPLES)
def test_new_writes_an_example_that_can_be_tabulated(rooflab: Any, tmp_path: Path, family: Family) -> None:
    path = tmp_path / "my study.toml"
    status, out, err = rooflab("new", str(path), "--family", family)
    assert (status, err) == (0, "")
    assert path.read_text(encoding="utf-8") == EXAMPLES[family]
    assert f"rooflab '{path}'" in out
    assert rooflab("table", str(path))[0] == (2 if family == "target" else 1 if family == "strong" else 0)


def test_new_never_overwrites(rooflab: Any, file: Any, tmp_path: Path) -> None:
    path = file("mine", "study.toml")
    status, out, err = rooflab("new", path, "--family", "weak")
    assert (status, out) == (2, "")
    assert err == f"rooflab new: {path} exists already and was left as it is: choose another name\n"
    assert Path(path).read_text(encoding="utf-8") == "mine"
    (tmp_path / "link").symlink_to("nowhere")
    assert rooflab("new", str(tmp_path / "link"), "--family", "weak")[0] == 2
    assert not (tmp_path / "nowhere").exists()


def test_new_says_what_it_needs(rooflab: Any, tmp_path: Path) -> None:
    assert "--family" in rooflab("new", str(tmp_path / "s.toml"))[2]
    missing = rooflab("new", str(tmp_path / "no" / "s.toml"), "--family", "weak")
    assert (missing[0], "there is no folder" in missing[2]) == (2, True)


def test_schema_of_a_study(rooflab: Any) -> None:
    status, out, _ = rooflab("schema", "study")
    assert status == 0
    assert json.loads(out)["title"] == "rooflab study, format 1"
    assert rooflab("schema", "csv")[0] == 2


# what is loaded

LOADED = """\
import contextlib, io, sys
from tui import cli
with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
    status = cli.main(sys.argv[1:])
print(status, *sorted({name.partition(".")[0] for name in sys.modules}))
"""


def loaded(*words: str) -> tuple[int, set[str]]:
    done = subprocess.run([sys.executable, "-c", LOADED, *words], capture_output=True, text=True, check=True)
    status, *names = done.stdout.split()
    return int(status), set(names)


def test_a_csv_table_loads_no_screen_and_no_validator(file: Any) -> None:
    for to in ("text", "markdown", "csv", "json"):
        status, names = loaded("table", file(ABOVE_ONE), "--family", "strong", "--format", to)
        assert status == 0
        assert not names & {"textual", "rich", "plotext", "pydantic", "tomlkit", "numpy"}


def test_a_study_loads_no_screen(file: Any) -> None:
    status, names = loaded("table", file(SMALL_MATRICES, "s.toml"))
    assert status == 0
    assert "pydantic" in names
    assert not names & {"textual", "rich", "plotext", "numpy"}
