"""The command line as a shell sees it: output, the one sentence on standard error, exit status."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tui import __version__
from tui.cli import main
from tui.command_line.start import prepare


def rooflab(*args: str, **options: object) -> subprocess.CompletedProcess[str]:
    """The program in a process of its own, without a terminal."""
    env = {**os.environ, "LANG": "C.UTF-8", **options.pop("env", {})}
    known = {
        "stdin": subprocess.DEVNULL,
        "capture_output": True,
        "text": True,
        "encoding": "utf-8",
        **options,
    }
    return subprocess.run([sys.executable, "-m", "tui", *args], env=env, check=False, timeout=60, **known)


def run(capsys: pytest.CaptureFixture[str], *args: str) -> tuple[int, str, str]:
    """The program in this process: status, output, errors."""
    try:
        status = main(args)
    except SystemExit as end:
        status = int(end.code or 0)
    out, err = capsys.readouterr()
    return status, out, err


# roofline ----------------------------------------------------------------------------------------


def test_json_is_exactly_the_documented_object(capsys):
    status, out, err = run(capsys, "roofline", "-i", "8", "-b", "200", "--json")
    assert (status, err) == (0, "")
    assert out == (
        '{"intensity":8,"bandwidth":200,"cap":1000,"attainable":1000,"uncapped":1600,'
        '"limit":"compute","knee_bandwidth":125,"ridge_intensity":5}\n'
    )


@pytest.mark.parametrize(
    ("intensity", "bandwidth", "attainable", "limit"),
    [
        ("8", "50", 400, "memory"),
        ("8", "100", 800, "memory"),
        ("8", "125", 1000, "ridge"),
        ("8 FLOP/byte", "0.2 TB/s", 1000, "compute"),
        ("1/24", "48.48", 2.02, "memory"),
        ("0,5", "50 GiB/s", 26.8435456, "memory"),
    ],
)
def test_json_values(capsys, intensity, bandwidth, attainable, limit):
    status, out, _ = run(capsys, "roofline", f"--intensity={intensity}", "--bandwidth", bandwidth, "--json")
    said = json.loads(out)
    assert status == 0
    assert said["attainable"] == attainable
    assert said["limit"] == limit


def test_numbers_are_not_rounded_and_whole_ones_stay_whole(capsys):
    _, out, _ = run(capsys, "roofline", "-i", "3", "-b", "7", "--json")
    said = json.loads(out)
    assert said["knee_bandwidth"] == 1000 / 3
    assert '"uncapped":21,' in out


def test_text_names_every_number_with_its_unit(capsys):
    status, out, _ = run(capsys, "roofline", "-i", "8", "-b", "200")
    assert status == 0
    rows = {line.split()[0]: " ".join(line.split()[1:]) for line in out.splitlines()}
    assert rows["I"] == "8 FLOP/byte"
    assert rows["B"] == "200 GB/s"
    assert rows["I·B"].startswith("1600 GFLOP/s")
    assert rows["cap"].startswith("1000 GFLOP/s")
    assert rows["attainable"].startswith("1000 GFLOP/s")
    assert rows["limit"] == "compute I·B is 600 GFLOP/s above the cap"
    assert rows["knee"].startswith("125 GB/s")
    assert rows["ridge"].startswith("5 FLOP/byte")


def test_the_shown_product_is_the_product_of_the_shown_numbers(capsys):
    _, out, _ = run(capsys, "roofline", "-i", "1/24", "-b", "48.48")
    rows = {line.split()[0]: float(line.split()[1]) for line in out.splitlines()[:3]}
    assert rows["I"] * rows["B"] == pytest.approx(rows["I·B"], rel=1e-6)


@pytest.mark.parametrize(
    ("args", "option", "said"),
    [
        (["-i", "0", "-b", "200"], "-i/--intensity", "0 FLOP/byte was read"),
        (["-i", "8", "-b", "-3"], "-b/--bandwidth", "-3 GB/s was read"),
        (["-i", "8", "-b", "-3GB/s"], "-b/--bandwidth", "-3 GB/s was read"),
        (["-i", "8", "--bandwidth", "-.2TB/s"], "-b/--bandwidth", "-200 GB/s was read"),
        (["-i", "8", "-b", "1,600"], "-b/--bandwidth", "1600 or 1.600"),
        (["-i", "8", "-b", "50 Gb/s"], "-b/--bandwidth", "bits"),
        (["-i", "8", "-b", "400 GFLOP/s"], "-b/--bandwidth", "400 GFLOP/s"),
        (["-i", "nan", "-b", "1"], "-i/--intensity", "nan"),
        (["-i", "8", "-b", ""], "-b/--bandwidth", "Nothing was typed"),
        (["-i", "8"], "-b/--bandwidth", "required"),
        (["-i"], "-i/--intensity", "expected one argument"),
        (["-i", "8", "-b", "2", "--jsn"], "--jsn", "unrecognized"),
    ],
)
def test_a_bad_value_is_one_sentence_that_names_the_option(capsys, args, option, said):
    status, out, err = run(capsys, "roofline", *args)
    assert (status, out) == (2, "")
    assert err.startswith("rooflab roofline: ")
    assert err.count("\n") == 1
    assert option in err
    assert said in err


# The rest of the command line --------------------------------------------------------------------


def test_version(capsys):
    assert run(capsys, "--version") == (0, f"rooflab {__version__}\n", "")


def test_help_has_examples_that_work(capsys):
    status, out, _ = run(capsys, "--help")
    assert status == 0
    assert "rooflab roofline -i 8 -b 200 " in out
    assert run(capsys, "roofline", "-i", "8", "-b", "0.2 TB/s", "--json")[0] == 0
    assert run(capsys, "roofline", "--help")[0] == 0


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["rooflin"], "did you mean `rooflab roofline`?"),
        (["rooflin", "-i", "8", "-b", "200"], "did you mean `rooflab roofline`?"),
        (["docter"], "did you mean `rooflab doctor`?"),
        (["nowhere.toml"], "there is no command and no file 'nowhere.toml'"),
        (["--", "doctor"], "there is no command and no file 'doctor'"),
        (["--asci"], "--asci"),
        (["a", "b"], "b"),
    ],
)
def test_what_cannot_be_done_is_said_in_a_sentence(capsys, tmp_path, monkeypatch, args, said):
    monkeypatch.chdir(tmp_path)
    status, out, err = run(capsys, *args)
    assert (status, out) == (2, "")
    assert err.startswith("rooflab: ")
    assert err.count("\n") == 1
    assert said in err


def test_an_option_before_the_command_is_heard(capsys):
    _, out, _ = run(capsys, "--ascii", "roofline", "-i", "8", "-b", "200")
    assert "I*B" in out
    assert out.isascii()


def test_output_in_ascii_where_the_stream_carries_no_more():
    done = rooflab("roofline", "-i", "8", "-b", "200", env={"PYTHONIOENCODING": "ascii"})
    assert done.returncode == 0
    assert "I*B" in done.stdout


def test_a_reader_that_has_seen_enough_is_no_error():
    end, start = os.pipe()
    os.close(end)
    done = rooflab(
        "roofline", "-i", "8", "-b", "200", capture_output=False, stdout=start, stderr=subprocess.PIPE
    )
    os.close(start)
    assert done.stderr == ""
    assert done.returncode == 128 + signal.SIGPIPE


def test_a_full_disk_is_told():
    with open("/dev/full", "w") as full:
        done = rooflab(
            "roofline", "-i", "8", "-b", "200", capture_output=False, stdout=full, stderr=subprocess.PIPE
        )
    assert done.returncode == 2
    assert done.stderr == "rooflab: the output could not be written: No space left on device.\n"


def test_a_closed_output_is_no_crash():
    done = rooflab("roofline", "-i", "8", "-b", "200", preexec_fn=lambda: os.close(1))
    assert (done.returncode, done.stderr) == (0, "")


def test_ctrl_c_is_130(capsys, monkeypatch):
    def interrupted(*args: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("tui.command_line.roofline.as_text", interrupted)
    assert run(capsys, "roofline", "-i", "8", "-b", "200") == (130, "", "")


def test_a_fault_in_a_command_is_70_with_its_traceback_in_a_file(capsys, monkeypatch, tmp_path):
    def faulty(*args: object) -> None:
        raise ZeroDivisionError("one\ntwo")

    monkeypatch.setattr("tui.command_line.roofline.as_text", faulty)
    status, out, err = run(capsys, "roofline", "-i", "8", "-b", "200")
    assert (status, out) == (70, "")
    assert err.count("\n") == 1
    (file,) = (tmp_path / "state" / "rooflab").glob("crash-*.txt")
    assert str(file) in err
    assert "ZeroDivisionError: one" in file.read_text()


# doctor ------------------------------------------------------------------------------------------


def test_doctor_needs_no_terminal_and_says_what_to_do():
    done = rooflab("doctor")
    assert done.returncode == 0
    for name in ("rooflab", "python", "terminal", "glyphs", "colour", "motion", "locale", "state", "numpy"):
        assert f"\n{name} " in f"\n{done.stdout}", name
    for advice in ("--ascii", "F9", "ROOFLAB_ASCII=1", "tmux -u", "screen -U"):
        assert advice in done.stdout
    assert "⡠" in done.stdout


def test_doctor_shows_the_glyphs_in_use():
    done = rooflab("doctor", env={"ROOFLAB_ASCII": "1"})
    assert "ascii: ROOFLAB_ASCII is 1" in done.stdout
    assert done.stdout.isascii()


def test_doctor_finds_a_state_folder_that_cannot_be_made(tmp_path):
    (tmp_path / "file").touch()
    done = rooflab("doctor", env={"XDG_STATE_HOME": str(tmp_path / "file" / "state")})
    assert done.returncode == 1
    assert "Needs attention" in done.stdout
    assert str(tmp_path / "file") in done.stdout.rpartition("Needs attention")[2]


def test_doctor_makes_no_folder(tmp_path):
    rooflab("doctor", env={"XDG_STATE_HOME": str(tmp_path / "state")})
    assert not (tmp_path / "state").exists()


# What the app is started with --------------------------------------------------------------------


@pytest.mark.parametrize("value", ["none", "", "TrueColor", "8bit"])
def test_a_colour_system_textual_does_not_know_is_taken_out(value):
    environ = {"TEXTUAL_COLOR_SYSTEM": value}
    prepare(environ)
    assert "TEXTUAL_COLOR_SYSTEM" not in environ


def test_what_the_user_chose_is_kept():
    chosen = {"TEXTUAL_COLOR_SYSTEM": "256", "NO_COLOR": "1", "OMP_NUM_THREADS": "3"}
    environ = dict(chosen)
    prepare(environ)
    assert chosen.items() <= environ.items()
    assert environ["OPENBLAS_NUM_THREADS"] == "1"


def test_no_color_without_a_value_means_colour():
    environ = {"NO_COLOR": "", "COLUMNS": "20", "LINES": "5"}
    prepare(environ)
    assert not {"NO_COLOR", "COLUMNS", "LINES"} & set(environ)


def test_python_m_tui_is_the_same_program():
    assert rooflab("--version").stdout == f"rooflab {__version__}\n"
    assert Path(sys.executable).with_name("rooflab").exists()
