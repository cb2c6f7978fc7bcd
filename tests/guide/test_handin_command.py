"""Handing in: delivered or not delivered, by forty at once, and what the command asks and says."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from datetime import timedelta
from pathlib import Path

import pytest

from tests.files.hostile_disks import mounted
from tests.guide.handins import START, done_with, kept_in
from tests.guide.scripts import RIGHT_STRONG, ROOFLINE, SHIPPED, STRONG
from tui.cli import main
from tui.files.errors import FileError
from tui.guide.catalogue import ready
from tui.guide.delivery import deliver
from tui.guide.events import Answered
from tui.guide.handin import decode
from tui.guide.handin_line import find_lines
from tui.guide.handin_mail import find_blocks
from tui.guide.receipt import receipt_in_name
from tui.guide.regrade import Scripts, regrade

# ------------------------------------------------------------------------------------------------- delivery


def test_delivered_means_that_it_can_be_read_there(tmp_path: Path) -> None:
    old = os.umask(0o077)
    try:
        path = deliver(tmp_path, "a.lab.json", b"data")
        assert deliver(tmp_path, "a.lab.json", b"data") == path
    finally:
        os.umask(old)
    assert path.read_bytes() == b"data"
    assert path.stat().st_mode & 0o777 == 0o644
    with pytest.raises(FileError, match="was not overwritten"):
        deliver(tmp_path, "a.lab.json", b"other")
    with pytest.raises(FileError, match="no folder"):
        deliver(tmp_path / "none", "a.lab.json", b"data")
    assert [each.name for each in tmp_path.iterdir()] == ["a.lab.json"]


def test_a_file_that_reads_back_otherwise_is_not_delivered(monkeypatch, tmp_path: Path) -> None:
    """https://github.com/jupyter/nbgrader/issues/919"""
    from tui.files import atomic

    def torn(path: Path) -> atomic.Contents:
        data = path.read_bytes()[:-1]
        return atomic.Contents(data, atomic.Fingerprint.of(data))

    monkeypatch.setattr("tui.guide.delivery.atomic.read", torn)
    with pytest.raises(FileError, match="reads back otherwise"):
        deliver(tmp_path, "a.lab.json", b"data")


def command(*words: str, state: Path, **env: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "tui", "lab", *words],
        cwd=SHIPPED.parent,
        env={**os.environ, "XDG_STATE_HOME": str(state), **env},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def learner_at_home(home: Path, number: int) -> None:
    exercise = ready(STRONG)
    wrong = {"naive-speedup": [Answered("0.525")]} if number % 2 else {}
    folder = home / "rooflab" / "sessions" / exercise.script.id / "20261130T091200Z-0000"
    kept_in(folder, exercise, done_with(exercise, wrong), START + timedelta(minutes=number))


CROWD = """
import os, sys
import tui.command_line.lab
from tui.cli import main
drop, homes = sys.argv[1], sys.argv[2:]
children = []
for number, home in enumerate(homes):
    child = os.fork()
    if not child:
        os.environ["XDG_STATE_HOME"] = home
        sys.stdout = open(f"{home}/said", "w")
        status = main(["lab", "handin", "--alias", f"l{number}", "--drop", drop])
        sys.stdout.close()
        os._exit(status)
    children.append(child)
print(*(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children))
"""
"""Forty processes that have loaded the program already, so that they write at the same time."""


def test_forty_hand_in_to_one_folder_at_once(capsys, tmp_path: Path) -> None:
    """https://github.com/jupyter/nbgrader/issues/919"""
    drop = tmp_path / "drop"
    drop.mkdir()
    homes = [tmp_path / f"home{number}" for number in range(40)]
    for number, home in enumerate(homes):
        learner_at_home(home, number)
    done = subprocess.run(
        [sys.executable, "-c", CROWD, str(drop), *map(str, homes)],
        cwd=SHIPPED.parent,
        capture_output=True,
        text=True,
        check=True,
    )
    assert (done.stdout.split(), done.stderr) == (["0"] * 40, "")
    assert len(list(drop.iterdir())) == 40
    for home in homes:
        said = (home / "said").read_text(encoding="utf-8")
        shown = re.search(r"receipt   (\S+)", said)
        delivered = re.search(r"delivered: (\S+) \(read back and compared\)", said)
        assert shown
        assert delivered
        handin = decode(Path(delivered[1]).read_bytes())
        assert handin.faults == ()
        assert handin.receipt == shown[1] == receipt_in_name(delivered[1])
    assert main(["lab", "class", str(drop)]) == 0
    assert "40 learners: 40 with a file, 40 of them finished" in capsys.readouterr().out


def test_a_full_disk_is_not_delivered(monkeypatch, capsys, tmp_path: Path) -> None:
    learner_at_home(tmp_path / "home", 1)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "home"))
    drop = tmp_path / "drop"
    drop.mkdir()
    with mounted(drop, "8k"):
        assert main(["lab", "handin", "--alias", "ada", "--drop", str(drop)]) == 2
        assert list(drop.iterdir()) == []
    said = capsys.readouterr()
    assert "NOT delivered: cannot save" in said.err
    assert "no space" in said.err
    assert "delivered:" not in said.out


# ------------------------------------------------------------------------------------------------ the command


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    state = tmp_path / "home"
    learner_at_home(state, 1)
    monkeypatch.setenv("XDG_STATE_HOME", str(state))
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    return state


def test_the_file_is_written_here_unless_somewhere_else_is_named(capsys, home: Path, tmp_path: Path) -> None:
    assert main(["lab", "handin", "--alias", "ada"]) == 0
    (path,) = Path().iterdir()
    assert f"Written to {path}" in capsys.readouterr().out
    assert decode(path.read_bytes()).alias == "ada"
    assert main(["lab", "handin", "--alias", "ada", "-o", "mine.json"]) == 0
    assert Path("mine.json").read_bytes() == path.read_bytes()
    assert main(["lab", "handin", "--alias", "ada", "-o", str(tmp_path / "none" / "x.json")]) == 2
    assert "not written: cannot save" in capsys.readouterr().err


def test_a_line_and_a_block_are_all_there_is_on_standard_output(capsys, home: Path) -> None:
    assert main(["lab", "handin", "--alias", "ada", "--line"]) == 0
    line = capsys.readouterr().out
    assert line.count("\n") == 1
    assert len(list(find_lines(line))) == 1
    assert main(["lab", "handin", "--alias", "ada", "-o", "-"]) == 0
    mail = capsys.readouterr().out
    assert mail.startswith(line)
    (data,) = find_blocks(mail)
    assert isinstance(data, bytes)
    assert decode(data).faults == ()
    assert list(Path().iterdir()) == []


def test_an_unfinished_session_counts_less_than_a_finished_one(capsys, home: Path) -> None:
    exercise = ready(ROOFLINE)
    folder = home / "rooflab" / "sessions" / exercise.script.id / "20261201T091200Z-0000"
    kept_in(folder, exercise, done_with(exercise, {}, until="t2-set"), START + timedelta(days=1))
    assert main(["lab", "handin", "--alias", "ada", "--line"]) == 0
    assert "RL1 strong-shrinking-batch/1" in capsys.readouterr().out
    for name in (exercise.script.id, str(folder), str(folder / "transcript.jsonl")):
        assert main(["lab", "handin", name, "--alias", "ada", "--line"]) == 0
        assert "RL1 roofline-three-trials/1 ada 1100000" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["handin"], "--alias NAME"),
        (["handin", "--alias", "\x1b"], "nothing that can be read"),
        (["handin", "weak-x", "--alias", "a"], "no session of 'weak-x' to hand in"),
        (["handin", "./none", "--alias", "a"], "no session that can be handed in"),
        (["handin", ".", "--alias", "a"], "no session that can be handed in"),
        (["grade", "none"], "there is no file none"),
        (["class", "none"], "there is no file or folder 'none'"),
    ],
)
def test_what_cannot_be_done_is_one_sentence(capsys, home: Path, words: list[str], sentence: str) -> None:
    assert main(["lab", *words]) == 2
    said = capsys.readouterr()
    assert sentence in said.err
    assert (said.out, said.err.count("\n")) == ("", 1)


@pytest.mark.parametrize("utf8", ["0", "1"])
def test_a_name_is_not_lost_in_any_locale(home: Path, tmp_path: Path, utf8: str) -> None:
    env = {"LC_ALL": "C", "PYTHONUTF8": utf8, "PYTHONCOERCECLOCALE": "0"}
    with command("handin", "--alias", "Zoë –", "--drop", str(tmp_path), state=home, **env) as one:
        out, err = one.communicate()
    assert "(read back and compared)" in out, err
    (path,) = tmp_path.glob("*.lab.json")
    assert decode(path.read_bytes()).alias == "Zoë –"


def test_the_alias_is_asked_on_a_terminal(home: Path) -> None:
    import pty

    controller, terminal = pty.openpty()
    with subprocess.Popen(
        [sys.executable, "-m", "tui", "lab", "handin", "--drop", "."],
        env={**os.environ, "PYTHONPATH": str(SHIPPED.parent)},
        stdin=terminal,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as child:
        os.write(controller, "\nZoë\n".encode())
        out, _ = child.communicate(timeout=60)
    os.close(controller)
    os.close(terminal)
    assert out.decode().count("What do you want to be called (no real name needed)? ") == 2
    (path,) = Path().iterdir()
    assert decode(path.read_bytes()).alias == "Zoë"


# --------------------------------------------------------------------- what is handed in is what was seen


def test_half_then_quit_then_the_rest_is_graded_as_it_was_shown(tmp_path: Path) -> None:
    """https://github.com/rundel/learnrhash/issues/6"""
    keys = ["", "0.525", *RIGHT_STRONG[1:]]
    shown = ""
    for part in (keys[:6], keys[6:]):
        done = subprocess.run(
            [sys.executable, "-m", "tui", "lab", "run", "strong-shrinking-batch", "--plain"],
            input="\n".join(part) + "\n",
            cwd=SHIPPED.parent,
            capture_output=True,
            text=True,
            check=True,
        )
        shown = done.stdout
    with command(
        "handin", "--alias", "ada", "--drop", str(tmp_path), state=Path(os.environ["XDG_STATE_HOME"])
    ) as one:
        assert "13.5 of 14 points (96 %): passed" in one.communicate()[0]
    assert "13.5 of 14 points (96 %): passed" in shown
    (path,) = tmp_path.glob("*.lab.json")
    graded = regrade(decode(path.read_bytes()), Scripts())
    assert (graded.result.earned, graded.complete) == (13.5, True)
