"""What is made of an environment: each row is one kind of terminal somebody sits at."""

from __future__ import annotations

import pytest

from tui.terminal.detect import Terminal, detect

UTF8 = {"TERM": "xterm-256color", "LANG": "en_US.UTF-8"}


def found(environ: dict[str, str], **facts: object) -> Terminal:
    """Detection on a terminal, unless a fact says otherwise."""
    known = {"stdin_tty": True, "stderr_tty": True, "encoding": "utf-8", **facts}
    return detect(environ, **known)


def never_asked() -> bool:
    raise AssertionError("tmux was asked outside tmux")


GLYPHS = {
    "a UTF-8 login": (UTF8, {}, "unicode", "UTF-8"),
    "--ascii": (UTF8, {"ascii_asked": True}, "ascii", "--ascii"),
    "ROOFLAB_ASCII=1": ({**UTF8, "ROOFLAB_ASCII": "1"}, {}, "ascii", "ROOFLAB_ASCII"),
    "ROOFLAB_ASCII=0": ({**UTF8, "ROOFLAB_ASCII": "0"}, {}, "unicode", ""),
    "ROOFLAB_ASCII empty": ({**UTF8, "ROOFLAB_ASCII": ""}, {}, "unicode", ""),
    "a Latin-1 locale": ({"TERM": "xterm", "LANG": "de_DE"}, {"encoding": "iso8859-1"}, "ascii", "iso8859-1"),
    "PYTHONUTF8=0": ({"TERM": "xterm", "LC_ALL": "C"}, {"encoding": "ascii"}, "ascii", "ascii"),
    "an encoding nobody knows": (UTF8, {"encoding": "klingon"}, "ascii", "klingon"),
    "UTF-8 spelt otherwise": (UTF8, {"encoding": "UTF8"}, "unicode", ""),
    "LC_ALL=C over a bare line": ({"TERM": "xterm", "LC_ALL": "C"}, {}, "unicode", ""),
    "the console": ({**UTF8, "TERM": "linux"}, {}, "ascii", "TERM=linux"),
    "a real vt100": ({**UTF8, "TERM": "vt100"}, {}, "ascii", "TERM=vt100"),
    "a vt220 of a terminal server": ({**UTF8, "TERM": "vt220-w"}, {}, "ascii", "TERM=vt220-w"),
    "tmux that sends UTF-8": ({**UTF8, "TMUX": "/tmp/t,1,0"}, {"tmux_utf8": lambda: True}, "unicode", ""),
    "tmux that does not": ({**UTF8, "TMUX": "/tmp/t,1,0"}, {"tmux_utf8": lambda: False}, "ascii", "tmux -u"),
    "tmux that does not say": ({**UTF8, "TMUX": "/tmp/t,1,0"}, {"tmux_utf8": lambda: None}, "unicode", ""),
    "tmux with LANG=C, sending UTF-8": (
        {"TERM": "screen", "LANG": "C", "TMUX": "/tmp/t,1,0"},
        {"tmux_utf8": lambda: True},
        "unicode",
        "",
    ),
    "screen, UTF-8 locale": ({**UTF8, "STY": "1.x"}, {}, "unicode", ""),
    "screen, LC_ALL=C over LANG": ({**UTF8, "STY": "1.x", "LC_ALL": "C"}, {}, "ascii", "screen -U"),
    "screen, LC_CTYPE over LANG": ({"STY": "1.x", "LC_CTYPE": "en_US.utf8", "LANG": "C"}, {}, "unicode", ""),
    "screen, LC_CTYPE set by Python": (
        {"TERM": "screen", "STY": "1.x", "LC_CTYPE": "C.UTF-8", "LANG": "C"},
        {},
        "ascii",
        "it is C",
    ),
    "screen, no locale": ({"TERM": "screen", "STY": "1.x"}, {}, "ascii", "none is set"),
    "screen on the near side of the line": ({"TERM": "screen.xterm-256color"}, {}, "ascii", "multiplexer"),
    "the same with a UTF-8 locale": ({**UTF8, "TERM": "screen"}, {}, "unicode", ""),
}


@pytest.mark.parametrize(("environ", "facts", "glyphs", "reason"), GLYPHS.values(), ids=GLYPHS)
def test_glyphs_and_their_reason(environ, facts, glyphs, reason):
    terminal = found(environ, **{"tmux_utf8": never_asked, **facts})
    assert terminal.glyphs == glyphs
    assert reason in terminal.glyphs_reason


COLOURS = {
    "xterm": ({"TERM": "xterm"}, "16", "TERM is xterm"),
    "256": ({"TERM": "screen-256color"}, "256", "256color"),
    "COLORTERM": ({"TERM": "xterm", "COLORTERM": "truecolor"}, "truecolor", "COLORTERM"),
    "NO_COLOR": ({"TERM": "xterm-256color", "NO_COLOR": "1"}, "none", "NO_COLOR"),
    "NO_COLOR over a forced system": (
        {"NO_COLOR": "1", "TEXTUAL_COLOR_SYSTEM": "truecolor"},
        "none",
        "NO_COLOR",
    ),
    "NO_COLOR empty means colour": ({"TERM": "xterm-256color", "NO_COLOR": ""}, "256", ""),
    "forced": ({"TERM": "xterm", "TEXTUAL_COLOR_SYSTEM": "256"}, "256", "TEXTUAL_COLOR_SYSTEM"),
    "auto": ({"TERM": "xterm-256color", "TEXTUAL_COLOR_SYSTEM": "auto"}, "256", "TERM is"),
    "nonsense": ({"TERM": "xterm", "TEXTUAL_COLOR_SYSTEM": "many"}, "16", "many is ignored"),
    "none": ({"TERM": "xterm", "TEXTUAL_COLOR_SYSTEM": "none"}, "16", "NO_COLOR=1"),
}


@pytest.mark.parametrize(("environ", "colour", "reason"), COLOURS.values(), ids=COLOURS)
def test_colour_and_its_reason(environ, colour, reason):
    terminal = found(environ)
    assert terminal.colour == colour
    assert reason in terminal.colour_reason


@pytest.mark.parametrize(
    ("environ", "facts", "said"),
    [
        (UTF8, {"stdin_tty": False}, "standard input"),
        (UTF8, {"stderr_tty": False}, "standard error"),
        ({"TERM": "dumb"}, {}, "'dumb'"),
        ({"TERM": "unknown"}, {}, "'unknown'"),
        ({"TERM": ""}, {}, "not set"),
        ({}, {}, "not set"),
    ],
)
def test_refusal_names_what_is_missing_and_what_works(environ, facts, said):
    refusal = found(environ, **facts).refusal
    assert said in refusal
    assert "`rooflab roofline -i 8 -b 200`" in refusal
    assert "`rooflab doctor`" in refusal
    assert "\n" not in refusal


@pytest.mark.parametrize("term", ["xterm", "linux", "vt100", "screen", "tmux-256color", "foot"])
def test_terminals_that_are_not_refused(term):
    assert found({"TERM": term}).refusal is None


@pytest.mark.parametrize(
    ("value", "motion"), [("", "full"), ("full", "full"), ("BASIC", "basic"), ("none", "none"), ("x", "full")]
)
def test_motion(value, motion):
    assert found({**UTF8, "TEXTUAL_ANIMATIONS": value}).motion == motion


def test_where_it_runs():
    bare = found(UTF8)
    assert (bare.multiplexer, bare.ssh) == (None, False)
    assert found({**UTF8, "SSH_CONNECTION": "10.0.0.1 5 10.0.0.2 22"}).ssh
    assert found({**UTF8, "TMUX": "x", "STY": "y"}, tmux_utf8=lambda: True).multiplexer == "tmux"
    assert found({**UTF8, "STY": "y"}).multiplexer == "screen"
