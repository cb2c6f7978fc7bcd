"""The installed program on a real terminal: how it starts, what it sends, how it ends."""

from __future__ import annotations

import os
import re
import signal
import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.terminal.harness import PROGRAM, Session, environment
from tests.terminal.lab import asks_for_intensity, opened, play, trial

pytestmark = pytest.mark.terminal

MOUSE = re.compile(rb"\x1b\[\?(1000|1002|1003|1006|1015|1016)h")
ATTRIBUTES = re.compile(rb"\x1b\[([0-9;]*)m")


def colours(raw: bytes) -> set[int]:
    """The numbers of all colours that were set; 39 and 49 are the terminal's own."""
    numbers = {int(n or 0) for found in ATTRIBUTES.findall(raw) for n in found.split(b";")}
    return {n for n in numbers if 30 <= n <= 38 or 40 <= n <= 48 or 90 <= n <= 107}


# Starting ----------------------------------------------------------------------------------------


def test_without_keys_it_refuses(start):
    with open(os.devnull) as nothing:
        session = start(streams={0: nothing.fileno()})
    assert session.wait() == 2
    assert session.text.strip().startswith("rooflab: the lab needs a terminal")
    assert b"\x1b" not in session.raw


def test_without_a_screen_it_refuses(start, tmp_path):
    with open(tmp_path / "errors", "w+") as errors:
        session = start(streams={2: errors.fileno()})
        assert session.wait() == 2
        errors.seek(0)
        said = errors.read()
    assert "standard error" in said
    assert said.count("\n") == 1
    assert session.raw == b""


def test_without_any_terminal_it_refuses(tmp_path):
    done = subprocess.run(
        [PROGRAM],
        env=environment(tmp_path),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=60,
        start_new_session=True,
        check=False,
    )
    assert done.returncode == 2
    assert done.stdout == ""
    assert "`rooflab roofline -i 8 -b 200`" in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize("term", ["dumb", "", None])
def test_without_a_known_screen_it_refuses(start, term):
    session = start(TERM=term)
    assert session.wait() == 2
    assert "`rooflab doctor`" in " ".join(session.text.split())
    assert b"\x1b" not in session.raw


@pytest.mark.parametrize(
    "changes",
    [
        {"TERM": "linux"},
        {"TERM": "vt100"},
        {"TERM": "screen"},
        {"LC_ALL": "xx_YY.UTF-8"},
        {"LC_ALL": "C"},
        {"LANG": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
        {"TEXTUAL_COLOR_SYSTEM": "none"},
        {"TEXTUAL_COLOR_SYSTEM": ""},
        {"TEXTUAL_COLOR_SYSTEM": "nonsense"},
        {"TEXTUAL_THEME": "nonsense"},
        {"COLUMNS": "20", "LINES": "5"},
    ],
    ids=lambda changes: ",".join(f"{name}={value}" for name, value in changes.items()),
)
def test_it_starts_and_plays_in_odd_environments(start, changes):
    session = opened(start(TEXTUAL_ANIMATIONS="none", **changes))
    play(session, 1, 50, 400)
    assert trial(session, 1) == ["8", "50", "400", "1000", "400", "memory"]
    assert "\\u" not in session.text
    session.send("ctrl+q")
    assert session.wait() == 0


# What is sent ------------------------------------------------------------------------------------


def test_mouse_only_on_request(start):
    quiet = opened(start())
    assert not MOUSE.search(quiet.raw)
    asked = opened(start("--mouse"))
    assert MOUSE.search(asked.raw)
    for session in (quiet, asked):
        session.send("ctrl+q")
        assert session.wait() == 0
    on = {mode for mode in MOUSE.findall(asked.raw)}
    off = set(re.findall(rb"\x1b\[\?(\d+)l", asked.raw))
    assert on - {b"1016"} <= off


def test_idle_sends_nothing_and_does_nothing(start):
    session = opened(start(TEXTUAL_ANIMATIONS="none"))
    play(session, 1, 50, 400)  # now everything is loaded
    session.send("f7").wait_for(asks_for_intensity).settle(1)
    before = session.cpu_seconds()
    assert session.read(3) == b""
    assert session.cpu_seconds() - before < 0.15


def test_no_color_sends_no_colour(start):
    session = opened(start(NO_COLOR="1", COLORTERM="truecolor", TEXTUAL_ANIMATIONS="none"))
    play(session, 1, 200, 1600)
    session.send("f1").settle().send("escape").settle().send("ctrl+p").settle()
    assert colours(session.raw) == set()


def test_no_color_set_but_empty_means_colour(start):
    session = opened(start(NO_COLOR="", TEXTUAL_ANIMATIONS="none"))
    play(session, 1, 200, 1600)
    assert colours(session.raw)


@pytest.mark.parametrize("term", ["xterm", "vt100"])
def test_sixteen_colours_are_enough(start, term):
    session = opened(start(TERM=term, TEXTUAL_ANIMATIONS="none"))
    play(session, 1, 200, 1600)
    assert not colours(session.raw) & {38, 48}


@pytest.mark.parametrize("how", ["--ascii", "ROOFLAB_ASCII", "PYTHONIOENCODING"])
def test_ascii_sends_no_byte_above_127(start, how):
    switches = {"ROOFLAB_ASCII": "1", "PYTHONIOENCODING": "latin-1"}
    changes = {how: switches[how]} if how in switches else {}
    session = opened(start(*([how] if how == "--ascii" else []), TEXTUAL_ANIMATIONS="none", **changes))
    play(session, 1, 200, 1600)
    session.send("ctrl+p").wait_for(lambda s: "GFLOP/s" not in s.screen[3]).send("play").settle().send(
        "escape"
    )
    session.settle().send("f1").settle().send("escape").settle()
    for tab in "23456":
        session.send(tab).settle(0.1)
    session.send("ctrl+q")
    assert session.wait() == 0
    assert session.raw.isascii()


def test_f9_changes_the_glyphs_at_once(start):
    session = opened(start())
    assert "┤" in session.text
    session.send("f9").wait_for(lambda s: s.text.isascii()).settle()
    assert "1000+= compute cap ===" in session.text
    assert session.text.isascii()
    session.send("f9").wait_for("1000┤╌ compute cap")


# Sizes -------------------------------------------------------------------------------------------


def test_a_resize_storm_loses_nothing(start):
    session = opened(start(TEXTUAL_ANIMATIONS="none"))
    play(session, 1, 50, 400)
    session.send("f7").wait_for(asks_for_intensity).send("8").wait_for("8 read as")
    for step in range(60):
        session.resize(1 + step * 37 % 200, 1 + step * 23 % 70)
        session.read(0.01)
    session.resize(80, 23).wait_for(lambda s: "8 read as" in s.screen[2] and s.screen[1].startswith(" I 8 "))
    session.wait_for("^q quit").settle()
    assert trial(session, 1) == ["8", "50", "400", "1000", "400", "memory"]


def test_too_small_is_said_in_a_sentence(start):
    session = opened(start()).resize(40, 10)
    session.wait_for("60x20")
    session.resize(60, 20).wait_for(lambda s: s.screen[0].startswith(" 1 Roof  2 Strong"))
    assert "60x20" not in session.settle().text


# Ending ------------------------------------------------------------------------------------------


def restored(session: Session) -> bool:
    """The alternate screen was left at the very end, and no mode stays on."""
    end = session.raw[session.raw.rindex(b"\x1b[?1049l") :]
    return len(end) < 40 and b"h" not in end.replace(b"\x1b[?25h", b"")


def test_quit(start):
    session = opened(start()).send("ctrl+q")
    assert session.wait() == 0
    assert restored(session)


@pytest.mark.parametrize("number", [signal.SIGHUP, signal.SIGTERM])
def test_a_signal_keeps_the_trials(start, number):
    session = opened(start(TEXTUAL_ANIMATIONS="none"))
    play(session, 1, 50, 400).signal(number)
    assert session.wait() == 128 + number
    assert restored(session)
    again = start().wait_for("Brought back 1 trial").wait_for(lambda s: trial(s, 1))
    assert trial(again, 1) == ["8", "50", "400", "1000", "400", "memory"]


@pytest.mark.parametrize("ignored", [False, True], ids=["told", "not told"])
def test_a_vanished_terminal_keeps_the_trials(start, ignored):
    session = opened(start(ignore_hangup=ignored, TEXTUAL_ANIMATIONS="none"))
    play(session, 1, 50, 400)
    before = session.cpu_seconds()
    began = time.monotonic()
    session.vanish()
    assert session.wait() == 129
    assert time.monotonic() - began < 3
    assert session.usage.ru_utime + session.usage.ru_stime - before < 1.5
    again = start().wait_for("Brought back 1 trial").wait_for(lambda s: trial(s, 1))
    assert trial(again, 1) == ["8", "50", "400", "1000", "400", "memory"]


def test_a_terminal_that_vanishes_during_play(start):
    session = opened(start(ignore_hangup=True))
    session.send("8", "enter", "200", "enter", "1600").wait_for("1600 read as").send("enter")
    session.wait_for(lambda s: "●" in s.text)
    began = time.monotonic()
    session.vanish()
    assert session.wait() == 129
    assert time.monotonic() - began < 3


def test_suspend_and_continue(start):
    session = opened(start()).send("ctrl+z")
    session.wait_for(lambda s: b"\x1b[?1049l" in s.raw)
    status = Path(f"/proc/{session.process.pid}/status")
    session.wait_for(lambda s: "State:\tT" in status.read_text())
    shown = len(session.raw)
    session.signal(signal.SIGCONT).wait_for(lambda s: b"1 Roofline" in s.raw[shown:])
    session.send("ctrl+q")
    assert session.wait() == 0


# Crashes -----------------------------------------------------------------------------------------

CRASHING = """
import sys
import tui.{module} as module
def crash(*args, **kwargs):
    raise ValueError("boom [/] \\x1b[31m")
module.{name} = crash
from tui.cli import main
sys.exit(main([]))
"""


def crashing(start, module: str, name: str, **changes: str) -> Session:
    """The program with a fault in one place."""
    return start(command=(sys.executable, "-c", CRASHING.format(module=module, name=name)), **changes)


def crash_files(folder: Path) -> list[Path]:
    return sorted(folder.rglob("crash-*.txt"))


@pytest.mark.parametrize(
    ("module", "name", "keys"),
    [
        ("tabs.roofline", "RooflineTab.run_command", ["f7"]),
        ("tabs.roofline", "RooflineTab.compose", []),
        ("app", "RooflabApp.__init__", []),
        ("terminal.guard", "Guard.start", []),
    ],
)
def test_a_crash_is_one_sentence_and_a_file(start, tmp_path, module, name, keys):
    session = crashing(start, module, name)
    if keys:
        opened(session).send(*keys)
    assert session.wait() == 70
    (file,) = crash_files(tmp_path / "state")
    after = session.raw.rpartition(b"\x1b[?1004l")[2].decode()
    assert after.strip().count("\n") == 0
    assert "ValueError: boom [/] ?[31m" in after
    assert str(file) in after
    text = file.read_text()
    assert "Traceback (most recent call last)" in text
    assert "in crash" in text
    assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700


def test_a_crash_is_told_where_nothing_can_be_stored(start, tmp_path):
    (tmp_path / "file").touch()
    missing = str(tmp_path / "file" / "state")
    elsewhere = tmp_path / "tmp"
    elsewhere.mkdir()
    session = crashing(start, "app", "RooflabApp.__init__", XDG_STATE_HOME=missing, TMPDIR=str(elsewhere))
    assert session.wait() == 70
    (file,) = elsewhere.glob("rooflab-crash-*.txt")
    assert "in crash" in file.read_text()
    assert file.name in "".join(session.text.split())
