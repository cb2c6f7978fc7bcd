"""`rooflab lab` as a program: through a pipe, in any locale, killed, on hostile disks, and for authors."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.files.hostile_disks import make_read_only, mounted
from tests.guide.scripts import HEAD, RIGHT_ROOFLINE, RIGHT_STRONG, ROOFLINE, SHIPPED, STRONG, compute
from tui.cli import main

BARE = {"PATH": os.environ["PATH"], "HOME": "/nonexistent"}


def rooflab(
    *words: str, typed: str = "", env: dict[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """One run of the program with what was typed on its standard input."""
    done = subprocess.run(
        [sys.executable, "-m", "tui", "lab", *words],
        input=typed.encode(),
        env={**BARE, "XDG_STATE_HOME": os.environ["XDG_STATE_HOME"], **(env or {})},
        cwd=SHIPPED.parent,
        capture_output=True,
        check=False,
    )
    out, err = (stream.decode("utf-8", errors="replace") for stream in (done.stdout, done.stderr))
    return subprocess.CompletedProcess(done.args, done.returncode, out, err)


def keys(lines: list[str]) -> str:
    return "\n".join(lines) + "\n"


LOCALES = [
    pytest.param({"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}, id="C without UTF-8"),
    pytest.param({"LC_ALL": "C.UTF-8"}, id="UTF-8"),
    pytest.param({"LC_ALL": "de_DE.UTF-8", "TERM": "dumb"}, id="German, dumb terminal"),
    pytest.param({"LANG": "", "PYTHONIOENCODING": "latin-1"}, id="latin-1"),
]


@pytest.mark.parametrize("env", LOCALES)
def test_an_exercise_goes_through_a_pipe_in_any_locale(env: dict[str, str]) -> None:
    done = rooflab("run", "strong-shrinking-batch", "--plain", typed=keys(RIGHT_STRONG), env=env)
    assert (done.returncode, done.stderr) == (0, "")
    assert "14 of 14 points (100 %): passed (60 % needed)." in done.stdout
    assert "\x1b" not in done.stdout


def test_the_next_start_goes_on_where_the_input_ended() -> None:
    first = rooflab("run", "roofline-three-trials", "--plain", typed=keys(RIGHT_ROOFLINE[:12]))
    assert first.returncode == 0
    assert "You stopped at step" in first.stdout
    second = rooflab("run", "roofline-three-trials", "--plain", typed=keys(RIGHT_ROOFLINE[12:]))
    assert "resumed, 9 of 18 steps done." in second.stdout
    assert "14 of 14 points" in second.stdout
    third = rooflab("run", "roofline-three-trials", "--plain")
    assert "resumed, 18 of 18 steps done." in third.stdout
    assert "--new starts again" in third.stdout
    listed = rooflab("list")
    assert "roofline-three-trials" in listed.stdout
    assert "; done)" in listed.stdout
    again = rooflab("run", "roofline-three-trials", "--plain", "--new")
    assert "Step 1 of 18" in again.stdout
    sessions = Path(os.environ["XDG_STATE_HOME"], "rooflab", "sessions", "roofline-three-trials")
    assert len(list(sessions.iterdir())) == 2


def test_killed_in_the_middle_it_goes_on_at_the_same_step() -> None:
    command = [sys.executable, "-m", "tui", "lab", "run", "strong-shrinking-batch", "--plain"]
    env = {**BARE, "XDG_STATE_HOME": os.environ["XDG_STATE_HOME"], "PYTHONUNBUFFERED": "1"}
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen(command, cwd=SHIPPED.parent, env=env, text=True, **pipes) as child:
        assert child.stdin is not None
        assert child.stdout is not None
        child.stdin.write("\n0.525\n1.905\n95.2 %\n")
        child.stdin.flush()
        next(line for line in child.stdout if "Step 4 of 12" in line)
        child.send_signal(signal.SIGKILL)
    after = rooflab("run", "strong-shrinking-batch", "--plain", typed="score\n")
    assert "resumed, 3 of 12 steps done." in after.stdout
    assert "Step 4 of 12" in after.stdout
    assert "1.5 of 14 points" in after.stdout


def test_a_read_only_home_is_said_and_another_place_is_offered(tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    other = tmp_path / "other"
    other.mkdir()
    with mounted(home):
        make_read_only(home)
        env = {"XDG_STATE_HOME": str(home)}
        typed = keys([*RIGHT_STRONG, "", str(tmp_path / "missing"), str(other)])
        done = rooflab("run", "strong-shrinking-batch", "--plain", typed=typed, env=env)
        assert done.stdout.count("NOT SAVED") == 1
        assert "14 of 14 points" in done.stdout
        assert "There is no folder" in done.stdout
        assert done.returncode == 0
        (session,) = other.iterdir()
        resumed = rooflab("run", "strong-shrinking-batch", "--plain", "--session", str(session), env=env)
        assert "resumed, 12 of 12 steps done." in resumed.stdout
        lost = rooflab("run", "strong-shrinking-batch", "--plain", typed="\n", env=env)
        assert lost.returncode == 2
        assert "events are not saved" in lost.stderr


def test_no_file_may_grow_and_it_starts_all_the_same() -> None:
    command = f"ulimit -f 0; exec {sys.executable} -m tui lab run strong-shrinking-batch --plain | cat"
    env = {**BARE, "XDG_STATE_HOME": os.environ["XDG_STATE_HOME"]}
    done = subprocess.run(
        ["sh", "-c", command],
        input=b"\n1.905\n",
        cwd=SHIPPED.parent,
        env=env,
        capture_output=True,
        check=False,
    )
    assert b"NOT SAVED" in done.stdout
    assert b"Step 3 of 12" in done.stdout


# ---------------------------------------------------------------------------- for authors, in this process


def lab(capsys: pytest.CaptureFixture[str], *words: object) -> tuple[int, str, str]:
    try:
        status = main(["lab", *map(str, words)])
    except SystemExit as end:
        status = int(end.code or 0)
    said = capsys.readouterr()
    return status, said.out, said.err


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with the two shipped scripts and their index."""
    inside = tmp_path / "lab_scripts"
    inside.mkdir()
    for path in (ROOFLINE, STRONG, SHIPPED / "index.toml"):
        shutil.copy(path, inside)
    return inside


def test_the_shipped_scripts_pass_every_check(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = lab(capsys, "lint", "--strict", SHIPPED)
    assert (status, out.splitlines()[-1]) == (0, "20 scripts: 0 errors, 0 warnings")
    status, out, _ = lab(capsys, "selftest", SHIPPED)
    assert status == 0
    assert out.count("; 0 problems") == 20


def test_lint_prints_file_line_step_and_code(capsys: pytest.CaptureFixture[str], folder: Path) -> None:
    path = folder / STRONG.name
    path.write_text(path.read_text().replace("efficiency('fixed', 16)\"", "eficiency('fixed', 16)\"", 1))
    status, out, _ = lab(capsys, "lint", folder)
    assert status == 1
    line = next(line for line in out.splitlines() if "E051" in line)
    assert line.startswith(f"{path}:")
    assert 'step 10 "true-efficiency": E051 answer: unknown function "eficiency" (did you mean' in line


def test_warnings_count_when_strict(capsys: pytest.CaptureFixture[str], folder: Path) -> None:
    path = folder / ROOFLINE.name
    path.write_text(path.read_text().replace("the marker stops", "the red marker stops", 1))
    assert lab(capsys, "lint", path)[0] == 0
    assert lab(capsys, "lint", "--strict", path)[0] == 1


def test_lint_in_json(capsys: pytest.CaptureFixture[str], folder: Path) -> None:
    path = folder / ROOFLINE.name
    path.write_text(path.read_text().replace('kind  = "reset"', 'kind  = "rest"', 1))
    status, out, _ = lab(capsys, "lint", "--json", folder)
    assert status == 1
    (found,) = [each for each in json.loads(out) if each["code"] == "E030"]
    assert found["file"] == str(path)
    assert found["step"] == 2
    assert found["id"] == "t1-reset"
    assert found["level"] == "error"


def test_lint_against_the_version_that_learners_have(
    capsys: pytest.CaptureFixture[str], folder: Path
) -> None:
    path = folder / ROOFLINE.name
    path.write_text(path.read_text().replace('"1%"', '"2%"', 1))
    status, out, _ = lab(capsys, "lint", folder, "--against", SHIPPED)
    assert status == 1
    assert out.count("E095") == 1
    path.write_text(path.read_text().replace("revision     = 1", "revision     = 2", 1))
    assert lab(capsys, "lint", folder, "--against", SHIPPED)[0] == 0


def test_lint_looks_at_the_folder_as_a_whole(capsys: pytest.CaptureFixture[str], folder: Path) -> None:
    for name, other in ((ROOFLINE.name, STRONG.stem), (STRONG.name, ROOFLINE.stem)):
        text = re.sub(r"(?m)^requires .*\n", "", (folder / name).read_text())
        (folder / name).write_text(f'requires = ["{other}"]\n{text}')
    (folder / "index.toml").write_text('[[group]]\ntitle = "t"\nscripts = ["roofline-three-trails"]\n')
    status, out, _ = lab(capsys, "lint", folder)
    assert status == 1
    assert out.count("E093") == 1
    assert "index.toml:1 W093" in out
    assert 'did you mean "roofline-three-trials"' in out


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["lint", "none.toml"], "there is no file or folder"),
        (["lint", "/proc/self/fd"], "no scripts in"),
        (["run", "roofline-tree-trials", "--plain"], 'did you mean "roofline-three-trials"'),
        (["run", "none.toml", "--plain"], "there is no script file"),
        (["run", "roofline-three-trials"], "add --plain"),
        (["run", "roofline-three-trials", "--plain", "--session", "none"], "cannot be resumed"),
        (["list", "--scripts", "none"], "there is no folder"),
        (["preview", "roofline-three-trials", "--size", "80"], "columns and rows"),
        (["lnt"], "invalid choice"),
    ],
)
def test_what_cannot_be_done_is_one_sentence(capsys, words: list[str], sentence: str) -> None:
    status, out, err = lab(capsys, *words)
    assert (status, out) == (2, "")
    assert sentence in err
    assert err.count("\n") == 1


def test_a_script_with_errors_is_not_started(capsys: pytest.CaptureFixture[str], folder: Path) -> None:
    path = folder / ROOFLINE.name
    path.write_text(path.read_text().replace("attainable(I, B)", "I.real", 1))
    status, _, err = lab(capsys, "run", path, "--plain")
    assert status == 2
    assert "E051" in err
    assert "lab lint" in err


def test_the_menu_keeps_the_order_of_the_index(capsys: pytest.CaptureFixture[str], folder: Path) -> None:
    (folder / "index.toml").write_text('[[group]]\ntitle = "First"\nscripts = ["strong-shrinking-batch"]\n')
    (folder / "broken.toml").write_text("format = 1\nid = ")
    status, out, _ = lab(capsys, "list", "--scripts", folder)
    assert status == 0
    assert out.index("First") < out.index("strong-shrinking-batch") < out.index("Further exercises")
    assert "broken" in out
    assert "cannot be started: line 2" in out


def test_scripts_are_searched_in_order(
    capsys: pytest.CaptureFixture[str], folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    text = ROOFLINE.read_text()
    (folder / ROOFLINE.name).write_text(
        text.replace("Three trials under one roof", "From the working folder")
    )
    assert "From the working folder" in lab(capsys, "list")[1]
    other = tmp_path / "other"
    other.mkdir()
    (other / ROOFLINE.name).write_text(text.replace("Three trials under one roof", "From the environment"))
    monkeypatch.setenv("ROOFLAB_SCRIPTS", str(other))
    assert "From the environment" in lab(capsys, "list")[1]
    assert "From the working folder" in lab(capsys, "list", "--scripts", folder)[1]
    monkeypatch.chdir("/")
    monkeypatch.delenv("ROOFLAB_SCRIPTS")
    assert "Three trials under one roof" in lab(capsys, "list")[1], "the program's own copy is always there"


def test_preview_marks_what_does_not_fit(capsys: pytest.CaptureFixture[str]) -> None:
    assert lab(capsys, "preview", "strong-shrinking-batch")[0] == 0
    status, _, err = lab(capsys, "preview", "strong-shrinking-batch", "--size", "60x8")
    assert status == 1
    assert "rows, 7 fit above the prompt" in err


def test_the_schema_knows_every_key_of_the_shipped_scripts(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["schema", "lab"]) == 0
    schema = json.loads(capsys.readouterr().out)
    steps = {each["title"]: each for each in schema["properties"]["step"]["items"]["oneOf"]}
    assert set(steps) >= {"read", "reset", "set", "predict", "play", "observe", "flaw", "compute", "runs"}
    from tui.files.toml import loads

    for file in (ROOFLINE, STRONG):
        values = loads(file.read_text(encoding="utf-8"))
        assert set(values) <= set(schema["properties"])
        assert set(schema["required"]) <= set(values)
        for step in values["step"]:
            own = {key for key in step if not key.startswith("x_")}
            assert own <= set(steps[step["kind"]]["properties"])
            assert set(steps[step["kind"]]["required"]) <= set(step)


def test_junk_bytes_and_endless_lines_are_survived() -> None:
    typed = "\n" + "\x00\x07" * 20 + "\n" + "9" * 300_000 + "\n1.905\n"
    done = rooflab("run", "strong-shrinking-batch", "--plain", typed=typed)
    assert done.returncode == 0
    assert "Step 3 of 12" in done.stdout


def test_text_from_a_script_does_nothing_to_the_terminal(tmp_path: Path) -> None:
    path = tmp_path / "small.toml"
    hostile = 'x_note = "\\u001b[31m"\n'
    path.write_text(HEAD + hostile + compute("cap", 'titel\\u001b = 3\ntol = "1%"'), encoding="utf-8")
    done = rooflab("lint", str(path))
    assert "\x1b" not in done.stdout + done.stderr
