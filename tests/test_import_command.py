"""`rooflab import` and `rooflab formats`: what is asked, what is written, what is never overwritten."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from tui import cli
from tui.files.study import parse
from tui.files.toml import loads

Answer = tuple[int, str, str]

PAWSEY = (
    "# Cores Runtime[s] Relative_Runtime Speedup Efficiency Relative_Cost\n"
    "24 2876.22 1 1 100 1\n48 1488.54 0.517533 1.93224 96.6121 1.03507\n"
    "3072 62.3691 0.0216844 46.1161 36.0282 2.7756\n"
)
"""LAMMPS with 802176 atoms: github.com/PawseySC/supercomputing-user-training, testing-job-runs."""


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
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(path: Path, text: str) -> str:
    path.write_text(text, encoding="utf-8")
    return path.name


def test_a_table_becomes_a_study_and_its_published_numbers(rooflab: Any, here: Path) -> None:
    name = write(here / "scaling-data", PAWSEY)
    status, out, err = rooflab("import", name, "-o", "s.toml")
    assert (status, err) == (0, "")
    assert "4 lines: 3 read as runs, 1 headings and rules" in out
    assert "Cores = devices; Runtime[s] = time in s" in out
    assert "those of strong" in out
    study = parse((here / "s.toml").read_bytes()).study
    (experiment,) = study.experiment
    assert (experiment.name, experiment.family, experiment.counts) == ("scaling-data", "strong", "core")
    status, out, _ = rooflab("table", "s.toml", "--format", "json")
    row = json.loads(out)["rows"][-1]
    assert status == 0
    assert row["speedup"] == pytest.approx(46.1161, rel=1e-5)
    assert row["efficiency"] == pytest.approx(0.360282, rel=1e-5)


def test_without_a_study_nothing_is_written(rooflab: Any, here: Path) -> None:
    status, out, _ = rooflab("import", write(here / "scaling-data", PAWSEY))
    assert status == 0
    assert "3 runs found; -o STUDY writes them" in out
    assert [path.name for path in here.iterdir()] == ["scaling-data"]


def test_what_is_open_is_an_error_that_names_the_option(rooflab: Any, here: Path) -> None:
    name = write(here / "t.csv", "threads,time\n1,44869891889\n2,24869891889\n")
    status, out, err = rooflab("import", name, "-o", "s.toml")
    assert (status, out) == (2, "")
    assert "t.csv:1: the unit of time is not written: what is 44869891889? Add --map time=time:ns" in err
    assert "--family strong" in err
    assert not (here / "s.toml").exists()
    answered = ("import", name, "-o", "s.toml", "--map", "time=time:ns", "--family", "strong")
    assert rooflab(*answered)[0] == 0
    assert parse((here / "s.toml").read_bytes()).study.experiment[0].run[0].times_s == (44.869891889,)


def test_refused_lines_are_listed_and_the_others_taken(rooflab: Any, here: Path) -> None:
    name = write(here / "strong.csv", "cores,time_s\n8,40.2\n16,-3\n32\n64,\x1b[2Jslow\n")
    status, _, err = rooflab("import", name, "-o", "s.toml")
    assert status == 1
    assert err.splitlines() == [
        'rooflab import: strong.csv:3: time_s: read "-3": no time is below 0; correct it or take the row out',
        "strong.csv:4: has 1 cell, the heading in line 1 names 2: a blank cell needs its separator too",
    ]
    runs = parse((here / "s.toml").read_bytes()).study.experiment[0].run
    assert [(run.devices, run.status) for run in runs] == [(8, "completed"), (64, "failed")]


def test_an_existing_study_keeps_its_comments_and_gets_the_runs(rooflab: Any, here: Path) -> None:
    before = '# mine\nformat = 1\n\n[[experiment]]\nfamily = "weak" # by hand\nname = "old"\n'
    before += 'counts = "node"\n'
    write(here / "s.toml", before)
    name = write(here / "strong.csv", "cores,time_s\n8,40.2\n16,20.4\n")
    assert rooflab("import", name, "-o", "s.toml")[0] == 0
    after = (here / "s.toml").read_text(encoding="utf-8")
    assert after.startswith(before)
    assert [one["name"] for one in loads(after)["experiment"]] == ["old", "strong"]
    write(here / "strong.csv", "cores,time_s\n8,40.2\n16,20.4\n32,11\n")
    status, out, _ = rooflab("import", name, "-o", "s.toml")
    assert (status, "1 run added; 2 were there already" in out) == (0, True)
    again = (here / "s.toml").read_bytes()
    status, out, _ = rooflab("import", name, "-o", "s.toml")
    assert (status, "has these runs already" in out) == (0, True)
    assert (here / "s.toml").read_bytes() == again
    status, _, err = rooflab("import", name, "-o", "s.toml", "--family", "weak")
    assert (status, "another family (strong, not weak)" in err) == (2, True)
    assert rooflab("import", name, "-o", "s.toml", "--family", "weak", "--experiment", "old")[0] == 2
    assert rooflab("import", name, "-o", "s.toml", "--family", "weak", "--experiment", "new")[0] == 0


def test_a_file_that_is_no_study_is_left_alone(rooflab: Any, here: Path) -> None:
    foreign = write(here / "notes.txt", "not a study at all\n")
    name = write(here / "strong.csv", "cores,time_s\n8,40.2\n")
    status, _, err = rooflab("import", name, "-o", foreign)
    assert status == 2
    assert "notes.txt is no study and was left as it is" in err
    assert (here / "notes.txt").read_text(encoding="utf-8") == "not a study at all\n"
    assert rooflab("import", name, "-o", "no/folder/s.toml")[0] == 2
    assert rooflab("import", name, "-o", name)[0] == 2
    assert (here / "strong.csv").read_text(encoding="utf-8") == "cores,time_s\n8,40.2\n"


def test_several_files_and_json(rooflab: Any, here: Path) -> None:
    one = write(here / "strong.csv", "cores,time_s\n8,40.2\n16,20.4\n")
    two = write(here / "weak.csv", "cores;time_s\n8;40,2\n16;41,0\n")
    status, out, _ = rooflab("import", one, two, "-o", "s.toml", "--json")
    answer = json.loads(out)
    assert status == 0
    assert [(each["name"], each["family"], each["added"]) for each in answer["experiments"]] == [
        ("strong", "strong", 2),
        ("weak", "weak", 2),
    ]
    assert answer["written"] == "s.toml"
    assert answer["files"][1]["columns"][1]["unit"] == "s"
    assert answer["files"][1]["lines"]["runs"] == 2


def test_files_of_one_count_each_are_hinted_to_go_into_one_experiment(rooflab: Any, here: Path) -> None:
    files = [write(here / f"run_{n}.csv", f"cores,time_s\n{n},{80 / n}\n") for n in (8, 16)]
    _, out, _ = rooflab("import", *files, "--family", "strong", "-o", "s.toml")
    assert "--experiment NAME puts them into one" in " ".join(out.split())
    _, out, _ = rooflab("import", *files, "--family", "strong", "-o", "t.toml", "--experiment", "all")
    assert "NAME" not in out


def test_one_bad_file_keeps_all_from_being_written(rooflab: Any, here: Path) -> None:
    one = write(here / "strong.csv", "cores,time_s\n8,40.2\n")
    two = write(here / "words.csv", "hello\nworld\n")
    status, _, err = rooflab("import", one, two, "-o", "s.toml")
    assert status == 2
    assert "words.csv: no run was found in it" in err
    assert not (here / "s.toml").exists()


def test_standard_input(rooflab: Any, here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"cores,time_s\n8,40.2\n")))
    assert rooflab("import", "-", "--family", "strong", "-o", "s.toml")[0] == 0
    assert parse((here / "s.toml").read_bytes()).study.experiment[0].name == "standard input"


LOG = "using world size: 4, data-parallel-size: 4\n" + "".join(
    f" iteration {n}/ 100 | elapsed time per iteration (ms): {500 + n} | global batch size: 8 |\n"
    for n in range(1, 11)
)


def test_a_window_of_steps_is_kept_with_its_reason(rooflab: Any, here: Path) -> None:
    words = ("import", write(here / "run.log", LOG), "--family", "strong", "-o", "s.toml", "--window", "4:6")
    status, out, err = rooflab(*words)
    assert (status, out) == (2, "")
    assert "a window needs its reason" in err
    assert "add --window-reason" in err
    assert rooflab(*words, "--window-reason", "after the ramp")[0] == 0
    (run,) = parse((here / "s.toml").read_bytes()).study.experiment[0].run
    assert run.times_s == (0.504, 0.505, 0.506)
    assert run.note == "iterations 4 to 6 (after the ramp)"
    table = write(here / "strong.csv", "cores,time_s\n8,40.2\n")
    status, _, err = rooflab("import", table, "--window", "4:6", "--window-reason", "x")
    assert (status, "strong.csv: --window is for logs of steps; this was read as table" in err) == (2, True)
    status, _, err = rooflab("import", table, "--window-reason", "x")
    assert (status, "add --window FROM:TO" in err) == (2, True)


def test_advice_about_standard_input_can_be_followed(
    rooflab: Any, here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def said(text: str, *words: str) -> str:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
        status, out, err = rooflab(*words)
        assert (status, out) == (2, "")
        return str(err)

    unclear = "threads,time\n1,44869891889\n"
    assert "standard input: something has to be answered first; `rooflab import -` says" in said(
        unclear, "table", "-"
    )
    asked = said(unclear, "import", "-")
    assert "standard input:1: the unit of time is not written" in asked
    assert "standard input: does not say what its runs are compared as. Add --family" in asked
    assert "`rooflab import - --as FORMAT -o STUDY`" in said("hello\n", "table", "-")
    assert "standard input can be read once" in said("", "import", "-", "-")
    assert "run.log does not say how many devices it ran on" in said(
        "", "table", write(here / "run.log", LOG.partition("\n")[2])
    )


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["no.csv"], "there is no file no.csv"),
        (["t.csv", "--as", "tabel"], "did you mean 'table'?"),
        (["t.csv", "--map", "devces=p"], "did you mean devices=?"),
        (
            ["t.csv", "--map", "time=elapsed:ms"],
            "import: --map time=elapsed: there is no such column; there are c",
        ),
        (["t.csv", "--family", "weird"], "invalid choice"),
    ],
)
def test_wrong_command_lines(rooflab: Any, here: Path, words: list[str], sentence: str) -> None:
    write(here / "t.csv", "cores,time_s\n8,40.2\n")
    status, out, err = rooflab("import", *words)
    assert (status, out) == (2, "")
    assert sentence in err


def test_the_formats_with_an_example_each(rooflab: Any) -> None:
    status, out, _ = rooflab("formats")
    assert status == 0
    assert "table" in out
    assert "cores,time_s" in out


def test_a_foreign_table_is_tabulated_where_nothing_is_open(rooflab: Any, here: Path) -> None:
    status, out, err = rooflab("table", write(here / "scaling-data", PAWSEY), "--format", "json")
    assert status == 0
    assert json.loads(out)["rows"][-1]["efficiency"] == pytest.approx(0.360282, rel=1e-5)
    assert "taken for strong scaling" in err
    status, out, err = rooflab("table", write(here / "t.csv", "threads,time\n1,2\n"), "--family", "strong")
    assert (status, out) == (2, "")
    assert "`rooflab import t.csv` says with which options" in err
    assert "--map time=time:s" in err


def test_a_large_clean_table_is_that_of_its_runs(
    rooflab: Any, here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from tui.importers import bulk

    name = write(here / "runs.csv", "devices,time_s\n8,40.2\n8,40.6\n16,20.5\n")
    words = ("table", name, "--family", "strong", "--format", "json")
    slow = rooflab(*words)
    monkeypatch.setattr(bulk, "LEAST_BYTES", 0)
    read = []
    found = bulk.samples_in
    monkeypatch.setattr(bulk, "samples_in", lambda data: read.append(1) or found(data))
    assert rooflab(*words) == slow
    assert read == [1]
    assert rooflab(*words, "--baseline", "3")[0] == 2
