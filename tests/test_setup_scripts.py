"""bin/environment.sh: which Python is taken, and what is said when none will do."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


def shell(line: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run a line after the script was sourced."""
    return subprocess.run(
        ["/bin/sh", "-euc", f". {ROOT}/bin/environment.sh; {line}"],
        env=variables,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture
def commands(tmp_path: Path) -> Path:
    """A folder of commands for PATH."""
    folder = tmp_path / "commands"
    folder.mkdir()
    return folder


def command(folder: Path, name: str, body: str) -> None:
    """A script that stands for a Python."""
    file = folder / name
    file.write_text(f"#!/bin/sh\n{body}\n")
    file.chmod(0o755)


def test_a_command_that_only_prints_an_error_is_passed_over(commands):
    command(commands, "python3", 'echo "pyenv: python3: command not found" >&2; exit 127')
    command(commands, "python3.14", "exit 1")  # too old by its own account
    command(commands, "python3.12", f'exec {sys.executable} "$@"')
    done = shell("find_python", PATH=str(commands))
    assert (done.returncode, done.stdout, done.stderr) == (0, "python3.12\n", "")


def test_no_python_is_one_sentence_that_says_what_to_do(commands):
    done = shell("find_python", PATH=str(commands))
    assert done.returncode == 1
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1
    for advice in ("apt install", "dnf install", "module load", "ROOFLAB_PYTHON"):
        assert advice in done.stderr


def test_the_chosen_python_is_taken_or_refused(commands):
    command(commands, "mine", f'exec {sys.executable} "$@"')
    command(commands, "old", "exit 1")
    assert shell("find_python", PATH="", ROOFLAB_PYTHON=f"{commands}/mine").stdout == f"{commands}/mine\n"
    done = shell("find_python", PATH=os.environ["PATH"], ROOFLAB_PYTHON=f"{commands}/old")
    assert done.returncode == 1
    assert f"ROOFLAB_PYTHON is {commands}/old" in done.stderr


def test_a_python_without_pip_is_told(commands, tmp_path):
    # Makes an environment without pip, and has no pip itself: Debian without python3-venv and python3-pip.
    command(
        commands,
        "python3",
        f'case "$*" in *"-m pip"*) exit 1;; *"-m venv --without-pip"*) exec {sys.executable} "$@";;\n'
        f'*"-m venv"*) exit 1;; *) exec {sys.executable} "$@";; esac',
    )
    folder = tmp_path / "venv"
    done = shell(f"cd {ROOT}; make_environment {folder} .", PATH=f"{commands}:{os.environ['PATH']}")
    assert done.returncode == 1
    assert "has no pip" in done.stderr.splitlines()[-1]
    assert not folder.exists()


def test_an_environment_that_fits_is_not_made_again(tmp_path):
    folder = tmp_path / "venv"
    (folder / "bin").mkdir(parents=True)
    (folder / "bin" / "python").symlink_to(sys.executable)
    command(folder / "bin", "python-works", "exit 0")
    stamp = f'cd {ROOT}; printf "%s\\n" "$(cksum <pyproject.toml) . $(pwd) " >{folder}/rooflab-stamp'
    (folder / "bin" / "python").unlink()
    (folder / "bin" / "python-works").rename(folder / "bin" / "python")
    done = shell(f"{stamp}; make_environment {folder} .; echo ready", PATH=os.environ["PATH"])
    assert (done.stdout, done.stderr) == ("ready\n", "")
