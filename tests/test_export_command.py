"""`rooflab export` as a person calls it: what the report says, what CSV holds, and that no file is lost."""

from __future__ import annotations

import csv
import hashlib
import io
import re
import shlex
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings

from tests.files.studies import studies
from tui import __version__, cli, export
from tui.files.examples import EXAMPLES
from tui.model.scaling import tables
from tui.model.study import Study
from tui.plotting import canvas

GOLDEN = Path(__file__).parent / "files" / "reports"
STUDY = "export_study.toml"

ABOVE_ONE = """\
[[experiment]]
family = "strong"
name = "=1+1"
run = [
  { devices = 1, times_s = [10.0], label = "\\t=SUM(A1:A9)" },
  { devices = 2, times_s = [4.0], label = "\\r@cmd" },
  { devices = 4, times_s = [2.5], label = "-2.5" },
]
"""
TOKENS = """\
[[experiment]]
family = "weak"
name = "tokens"
counts = "GPU"
work_model = { per_device = 32000, of = "tokens", flop_per_unit = 6e9, flop_per_unit_position = 5e5 }
run = [
  { devices = 8, times_s = [12.0], sequence_length = 2000 },
  { devices = 64, times_s = [21.0], sequence_length = 8000 },
]
"""


@pytest.fixture
def rooflab(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Call the program in an empty folder that holds the study of the golden report."""
    monkeypatch.chdir(tmp_path)
    Path(STUDY).write_bytes((GOLDEN / STUDY).read_bytes())

    def call(*words: str) -> tuple[int, str, str]:
        try:
            status = cli.main(words)
        except SystemExit as left:
            status = int(left.code or 0)
        said = capsys.readouterr()
        return status, said.out, said.err

    return call


def rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


# the report


def test_the_whole_report(rooflab: Any) -> None:
    status, out, err = rooflab("export", STUDY)
    expected = (GOLDEN / "export.md").read_text(encoding="utf-8")
    sha256 = hashlib.sha256((GOLDEN / STUDY).read_bytes()).hexdigest()
    assert out == expected.replace("VERSION", __version__).replace("SHA256", sha256)
    assert status == 1
    assert "128 GPUs: not-completed: The run at 128 GPUs ran out of memory" in err


def test_stages_are_reported_with_their_laws_and_losses_where_there_are_any(rooflab: Any) -> None:
    steps = "".join(
        f"{{ devices = {n}, times_s = [{t}], stages_s = {{ input = {t} }} }}, "
        for n, t in ((8, 4.0), (16, 5.0), (32, 5.5))
    )
    head = '[[experiment]]\nfamily = "strong"\nname = "x"\n'
    Path("rising.toml").write_text(
        f'{head}run = [ {steps} ]\nstages = [ {{ name = "input", law = "split+fixed" }} ]\n'
    )
    _, out, _ = rooflab("export", "rising.toml")
    assert "| input | 4 | 5 | 5.5 |" in out
    assert "| input | split+fixed: a/D + b | a=−16, b=6" in out
    assert "### Where the time went between 8 and 32 devices" in out
    assert "has a = -16, below 0" in out
    Path("one.toml").write_text(
        f"{head}run = [ {{ devices = 8, times_s = [4.0], stages_s = {{ input = 4 }} }} ]\n"
    )
    assert "No loss budget: only 8 is measured" in rooflab("export", "one.toml")[1]
    Path("bare.toml").write_text(f"{head}run = [ {{ devices = 8, times_s = [4.0] }} ]\n")
    assert "Stages" not in rooflab("export", "bare.toml")[1]


def test_the_command_in_the_report_makes_it_again(rooflab: Any) -> None:
    words = ("--ascii", "export", STUDY, "--experiment", "loss 2.80", "--format", "markdown")
    _, first, _ = rooflab(*words)
    name, *again = shlex.split(re.findall(r"```text\n(rooflab .*)\n```", first)[0])
    assert name == "rooflab"
    assert rooflab(*again)[1] == first
    assert first.isascii()


def test_without_plotext_one_sentence_stands_for_the_plots(
    rooflab: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def load() -> None:
        raise canvas.CanvasUnavailable("The curves cannot be drawn: no library.")

    monkeypatch.setattr(canvas, "load", load)
    _, out, _ = rooflab("export", STUDY)
    assert "### Plots\n\nThe curves cannot be drawn: no library.\n\n### Locked" in out
    assert "┤" not in out


def test_a_report_with_no_runs_yet_says_so(rooflab: Any) -> None:
    Path("empty.toml").write_text('[[experiment]]\nfamily = "weak"\nname = "later"\n')
    status, out, err = rooflab("export", "empty.toml")
    assert (status, err) == (0, "")
    assert "No runs yet: there is nothing to compare." in out
    assert "D is the number of devices: none yet" in out
    assert "### Plots" not in out


def test_a_prediction_without_stages_is_listed_without_a_score(rooflab: Any) -> None:
    study = Path(STUDY).read_text().partition('\n[[experiment]]\nfamily = "target"')[0]
    Path("bare.toml").write_text(re.sub(r"(?s)stages = \[.*?\n\]\n|  stages_s = .*?\n", "", study))
    _, out, _ = rooflab("export", "bare.toml")
    line = next(line for line in out.splitlines() if line.startswith("- 2026-11-30"))
    scored = "18.5 s at 64 GPUs, limit input; measured 19 s (144.9 TFLOP/s per GPU, 14.6 % of peak): −2.6 %"
    assert scored in line
    assert "no stage is measured" in line


def test_only_one_experiment(rooflab: Any) -> None:
    _, out, err = rooflab("export", STUDY, "--experiment", "loss 2.80")
    assert re.findall(r"^## (.*)$", out, re.MULTILINE) == [
        "loss 2.80: time to a quality target",
        "How to reproduce this report",
    ]
    assert err == ""
    status, _, err = rooflab("export", STUDY, "--experiment", "loss 2.8")
    assert (status, err) == (
        2,
        "rooflab export: there is no experiment 'loss 2.8'; did you mean 'loss 2.80'?\n",
    )


# CSV


def test_csv_has_exact_numbers_and_what_json_leaves_out(rooflab: Any) -> None:
    Path("weak.toml").write_text(TOKENS)
    _, out, _ = rooflab("export", "weak.toml", "--format", "csv")
    here = rows(out)[1]
    flop = [32000 * (6e9 + 5e5 * length) for length in (2000, 8000)]
    assert float(here["efficiency"]) == 12 / 21
    assert float(here["arithmetic_ratio"]) == flop[1] / flop[0]
    assert float(here["efficiency_by_arithmetic"]) == pytest.approx(flop[1] / 21 / (flop[0] / 12), rel=1e-15)


def test_no_cell_of_csv_is_a_formula_and_numbers_are_not_touched(rooflab: Any) -> None:
    Path("above.toml").write_text(ABOVE_ONE)
    _, out, _ = rooflab("export", "above.toml", "--format", "csv")
    found = rows(out)
    assert {row["name"] for row in found} == {"'=1+1"}
    assert [row["label"] for row in found] == ["'=SUM(A1:A9)", "'@cmd", "-2.5"]
    assert found[1]["karp_flatt"].startswith("-0.")
    assert float(found[1]["karp_flatt"]) == pytest.approx((1 / 2.5 - 1 / 2) / (1 - 1 / 2))


def test_csv_of_a_target_experiment_stands_alone(rooflab: Any) -> None:
    _, out, err = rooflab("export", STUDY, "--format", "csv")
    assert {row["family"] for row in rows(out)} == {"strong"}
    assert "loss 2.80: a target table has other columns and is not in this CSV" in err
    status, out, err = rooflab("export", STUDY, "--format", "csv", "--experiment", "loss 2.80")
    assert (status, err) == (0, "")
    assert [(row["devices"], row["time_to_target_s"], row["inflation"]) for row in rows(out)] == [
        ("8", "800.0", "1.0"),
        ("64", "200.0", "1.25"),
    ]
    assert float(rows(out)[1]["device_hours"]) == 64 * 200 / 3600


# files


def test_it_is_written_into_a_file_of_the_kind_that_its_name_says(rooflab: Any) -> None:
    status, out, _ = rooflab("export", STUDY, "-o", "rows.csv")
    assert (status, out) == (1, "Wrote rows.csv: 1 table.\n")
    assert rows(Path("rows.csv").read_text())[0]["devices"] == "8"
    _, out, _ = rooflab("export", STUDY, "-o", "report.txt")
    assert out == "Wrote report.txt: 2 tables and 3 plots.\n"
    assert Path("report.txt").read_text().startswith("# 7B")
    assert sorted(file.name for file in Path().iterdir()) == sorted(["rows.csv", "report.txt", STUDY])


def test_a_file_that_exists_is_replaced_only_when_told_to(rooflab: Any) -> None:
    Path("mine.md").write_text("my notes")
    status, out, err = rooflab("export", STUDY, "-o", "mine.md")
    assert (status, out) == (2, "")
    assert err == (
        "rooflab export: mine.md exists already and was left as it is: --force replaces it, or choose another"
        " name\n"
    )
    assert Path("mine.md").read_text() == "my notes"
    assert rooflab("export", STUDY, "-o", "mine.md", "--force")[0] == 1
    assert Path("mine.md").read_text().startswith("# 7B")


def test_the_study_itself_is_never_replaced(rooflab: Any) -> None:
    Path("link.md").symlink_to(STUDY)
    for name in (STUDY, "link.md"):
        status, _, err = rooflab("export", STUDY, "-o", name, "--force")
        assert (status, err) == (
            2,
            f"rooflab export: {name} is the file that is reported: choose another name\n",
        )
    assert Path(STUDY).read_bytes() == (GOLDEN / STUDY).read_bytes()


def test_a_folder_that_is_not_there_is_one_sentence(rooflab: Any) -> None:
    status, _, err = rooflab("export", STUDY, "-o", "no/such/report.md")
    assert (status, err) == (
        2,
        "rooflab export: cannot save no/such/report.md: there is no folder no/such\n",
    )


# what can be reported


def test_tables_that_can_be_imported(rooflab: Any) -> None:
    Path("runs.csv").write_text("devices,time_s\n1,8\n2,4.4\n4,2.5\n")
    status, _, err = rooflab("export", "runs.csv")
    assert status == 2
    assert "--family strong" in err
    status, out, _ = rooflab("export", "runs.csv", "--family", "strong", "--baseline", "2")
    assert status == 0
    assert "D0 = 2 devices" in out
    assert "rooflab export runs.csv --format markdown --family strong --baseline 2" in out


def test_standard_input(rooflab: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    data = EXAMPLES["weak"].encode()
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(data)))
    _, out, _ = rooflab("export", "-")
    assert "- **study**: standard input" in out
    assert hashlib.sha256(data).hexdigest() in out


@pytest.mark.parametrize("family", sorted(EXAMPLES))
def test_the_example_of_every_family(rooflab: Any, family: str) -> None:
    Path("example.toml").write_text(EXAMPLES[family])
    status, out, _ = rooflab("export", "example.toml")
    assert status in (0, 1)
    assert "## How to reproduce this report" in out
    assert all(c.isprintable() for c in out.replace("\n", ""))


@settings(max_examples=25, deadline=None)
@given(studies())
def test_any_study_can_be_reported(study: Study) -> None:
    sections = tuple(map(export.drawn, export.gathered(study, tables(study))))
    origin = export.origin_of("a\x1bname.toml", b"", ["export", "a\x1bname.toml"])
    for to in ("markdown", "csv"):
        text = export.rendered(study, sections, to, origin)
        assert all(c.isprintable() for c in text.replace("\n", ""))
        assert text.encode()
