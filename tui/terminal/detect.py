"""What the terminal can do, and why we think so; pure, so that every case is a row of a test table.

`detect` looks at an environment mapping, two tty facts, the encoding of the screen's stream and one
injected probe; `here` feeds it with this process. Nothing is sent to the terminal to find out: an
answer may never come over a slow line, and a wrong guess is undone by `--ascii` or F9.
"""

from __future__ import annotations

import codecs
import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal, TextIO

Glyphs = Literal["unicode", "ascii"]
Colour = Literal["none", "16", "256", "truecolor"]
Motion = Literal["full", "basic", "none"]

WORKS_WITHOUT = "`rooflab roofline -i 8 -b 200` and `rooflab doctor` work without one"
"""What a refusal points to: the commands that need no screen."""

COLOUR_SYSTEMS = ("auto", "standard", "256", "truecolor", "windows")
"""The values of TEXTUAL_COLOR_SYSTEM that Textual takes; any other one ends it before the start."""

_SCREENLESS = ("", "dumb", "unknown")
_PLAIN_FONTS = ("linux", "cons25", "ansi", "vt52", "vt100", "vt102", "vt220", "vt320", "vt420")


@dataclass(frozen=True)
class Terminal:
    """What was found out about the terminal, each choice with its reason."""

    glyphs: Glyphs
    glyphs_reason: str
    colour: Colour
    colour_reason: str
    motion: Motion
    multiplexer: Literal["tmux", "screen"] | None
    ssh: bool
    refusal: str | None
    """The one sentence for why the screen cannot start here; `None` when it can."""


def detect(
    environ: Mapping[str, str],
    *,
    stdin_tty: bool,
    stderr_tty: bool,
    encoding: str,
    ascii_asked: bool = False,
    tmux_utf8: Callable[[], bool | None] = lambda: None,
) -> Terminal:
    """Decide glyphs, colour and motion, and whether the screen can start at all.

    Args:
        environ: The environment variables.
        stdin_tty: Whether keys can be read: standard input is a terminal.
        stderr_tty: Whether a screen can be drawn: standard error is a terminal.
        encoding: Encoding of standard error, which the screen is drawn on.
        ascii_asked: Whether `--ascii` was given.
        tmux_utf8: Whether tmux sends UTF-8 to its client, `None` when unknown; asked inside tmux only.
    """
    glyphs, glyphs_reason = _glyphs(environ, encoding, ascii_asked, tmux_utf8)
    colour, colour_reason = _colour(environ)
    return Terminal(
        glyphs=glyphs,
        glyphs_reason=glyphs_reason,
        colour=colour,
        colour_reason=colour_reason,
        motion=_motion(environ),
        multiplexer="tmux" if environ.get("TMUX") else "screen" if environ.get("STY") else None,
        ssh=any(environ.get(name) for name in ("SSH_CONNECTION", "SSH_TTY", "SSH_CLIENT")),
        refusal=_refusal(environ, stdin_tty, stderr_tty),
    )


def here(*, ascii_asked: bool = False) -> Terminal:
    """What the terminal of this process can do."""
    return detect(
        os.environ,
        stdin_tty=_is_tty(sys.__stdin__),
        stderr_tty=_is_tty(sys.__stderr__),
        encoding=getattr(sys.__stderr__, "encoding", None) or "ascii",
        ascii_asked=ascii_asked,
        tmux_utf8=ask_tmux,
    )


def ask_tmux() -> bool | None:
    """Whether the tmux around us sends UTF-8 to its client; `None` when it does not say.

    No variable tells: the client was started by someone else, perhaps on another day.
    """
    question = ("tmux", "display-message", "-p", "#{client_utf8}")
    try:
        answer = subprocess.run(
            question, stdin=subprocess.DEVNULL, capture_output=True, timeout=1, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return {b"0": False, b"1": True}.get(answer.stdout.strip())


def _is_tty(stream: TextIO | None) -> bool:
    # A closed or missing stream (`<&-`) is no terminal either.
    try:
        return stream is not None and stream.isatty()
    except (ValueError, OSError):
        return False


def _refusal(environ: Mapping[str, str], stdin_tty: bool, stderr_tty: bool) -> str | None:
    if not stdin_tty:
        return f"the lab needs a terminal to read keys from, and standard input is none; {WORKS_WITHOUT}"
    if not stderr_tty:
        return f"the lab needs a terminal to draw on, and standard error is none; {WORKS_WITHOUT}"
    term = environ.get("TERM", "")
    if term in _SCREENLESS:
        said = f"TERM is {term!r}" if term else "TERM is not set"
        return (
            f"the lab needs a terminal with a screen, and {said} (try `TERM=xterm rooflab`); {WORKS_WITHOUT}"
        )
    return None


def _glyphs(
    environ: Mapping[str, str], encoding: str, ascii_asked: bool, tmux_utf8: Callable[[], bool | None]
) -> tuple[Glyphs, str]:
    if ascii_asked:
        return "ascii", "--ascii was given"
    if environ.get("ROOFLAB_ASCII", "") not in ("", "0"):
        return "ascii", f"ROOFLAB_ASCII is {environ['ROOFLAB_ASCII']}"
    if not _is_utf8(encoding):
        return "ascii", f"standard error is written as {encoding}, not as UTF-8"
    term = environ.get("TERM", "")
    if term.partition("-")[0] in _PLAIN_FONTS:
        return "ascii", f"TERM={term} names a terminal whose font has no plot glyphs"
    if environ.get("TMUX") and tmux_utf8() is False:
        return "ascii", "tmux does not send UTF-8 to this terminal (`tmux -u` makes it)"
    locale = _named_locale(environ)
    if environ.get("STY") and not _says_utf8(locale):
        return "ascii", f"GNU screen without a UTF-8 locale ({_spoken(locale)}); LANG=C.UTF-8 screen -U helps"
    if not environ.get("TMUX") and term.startswith(("screen", "tmux")) and not _says_utf8(locale):
        # A multiplexer on the near side of an SSH line: it cannot be asked, and screen cuts wrong bytes.
        return "ascii", f"TERM={term} names a multiplexer, and no locale names UTF-8 ({_spoken(locale)})"
    return "unicode", "standard error is written as UTF-8, and nothing on the way speaks against it"


def _named_locale(environ: Mapping[str, str]) -> str:
    """The locale the user named for characters: LC_ALL, else LC_CTYPE, else LANG, as POSIX orders them.

    Python itself sets LC_CTYPE=C.UTF-8 when it finds the C locale (PEP 538): that says nothing of the line.
    """
    if environ.get("LC_ALL"):
        return environ["LC_ALL"]
    lang = environ.get("LANG", "")
    ctype = environ.get("LC_CTYPE", "")
    coerced = ctype == "C.UTF-8" and lang in ("", "C", "POSIX")
    return lang if coerced or not ctype else ctype


def _spoken(locale: str) -> str:
    return f"it is {locale}" if locale else "none is set"


def _says_utf8(locale: str) -> bool:
    return "utf" in locale.lower()


def _is_utf8(encoding: str) -> bool:
    try:
        return codecs.lookup(encoding).name == "utf-8"
    except LookupError:
        return False


def _colour(environ: Mapping[str, str]) -> tuple[Colour, str]:
    if environ.get("NO_COLOR"):
        return "none", "NO_COLOR is set"
    forced = environ.get("TEXTUAL_COLOR_SYSTEM")
    systems: dict[str, Colour] = {"standard": "16", "256": "256", "truecolor": "truecolor", "windows": "16"}
    if forced in systems:
        return systems[forced], f"TEXTUAL_COLOR_SYSTEM is {forced}"
    colour, reason = _colour_of_term(environ)
    if forced is not None and forced != "auto":
        known = ", ".join(COLOUR_SYSTEMS)
        reason += f"; TEXTUAL_COLOR_SYSTEM={forced} is ignored, known are {known} (NO_COLOR=1 turns it off)"
    return colour, reason


def _colour_of_term(environ: Mapping[str, str]) -> tuple[Colour, str]:
    colorterm = environ.get("COLORTERM", "").strip().lower()
    if colorterm in ("truecolor", "24bit"):
        return "truecolor", f"COLORTERM is {colorterm}"
    term = environ.get("TERM", "").strip().lower()
    if term.rpartition("-")[2] in ("256color", "kitty"):
        return "256", f"TERM is {term}"
    return "16", f"TERM is {term or 'not set'}, and COLORTERM does not promise more"


def _motion(environ: Mapping[str, str]) -> Motion:
    asked = environ.get("TEXTUAL_ANIMATIONS", "").lower()
    if asked == "none":
        return "none"
    return "basic" if asked == "basic" else "full"
