"""`rooflab doctor`: what was found out about this terminal and this machine, and why; needs no terminal."""

from __future__ import annotations

import os
import platform
import sys
import tempfile
from importlib import import_module, metadata
from pathlib import Path

from tui import __version__
from tui.command_line.say import FINDINGS, OK, say
from tui.settings import SettingsError, state_path, thread_limits
from tui.terminal.detect import Terminal, here

SAMPLE = "1000┤╌╌╌▲ cap  ⣀⣀⡠⠤⠔⠒⠊⠉ curve  ⠂ ⠂ ⠂ ghost  ● point  └─┬ axis  ✓ ✗ I·B"
"""One line with the glyphs the plots are made of."""

ADVICE = """\
When the sample shows boxes, underscores or question marks, or the curve is broken:
  F9 in the lab changes the glyphs at once; `rooflab --ascii` starts with ASCII
  export ROOFLAB_ASCII=1       keeps it so
  tmux -u    screen -U         make tmux and GNU screen pass UTF-8 on
  export LANG=C.UTF-8          before they are started, does so too"""


def examine(*, ascii_asked: bool) -> int:
    """Print the report; 1 when something in it needs attention."""
    terminal = here(ascii_asked=ascii_asked)
    ascii_only = terminal.glyphs == "ascii"
    rows = [*_program_rows(), *_terminal_rows(terminal)]
    findings: list[str] = []
    for name, check in (("state", _state), ("plotext", _plotext), ("numpy", _numpy)):
        good, words = check()
        rows.append((name, words))
        if not good:
            findings.append(f"{name}: {words}")
    say("\n".join(f"{name:<10}{words}" for name, words in rows), ascii_only=ascii_only)
    say(f"\n{SAMPLE}\n\n{ADVICE}", ascii_only=ascii_only)
    if findings:
        say("\nNeeds attention:\n" + "\n".join(f"  {finding}" for finding in findings), ascii_only=ascii_only)
    return FINDINGS if findings else OK


def _program_rows() -> list[tuple[str, str]]:
    folder = Path(__file__).parents[1]
    return [
        ("rooflab", f"{__version__} in {folder}"),
        ("python", f"{platform.python_version()} ({sys.executable})"),
        ("textual", _version("textual")),
    ]


def _terminal_rows(terminal: Terminal) -> list[tuple[str, str]]:
    names = ("LC_ALL", "LC_CTYPE", "LANG")
    locale = ", ".join(f"{name}={os.environ[name]}" for name in names if name in os.environ)
    return [
        ("screen", f"cannot start here: {terminal.refusal}" if terminal.refusal else "can start here"),
        ("terminal", f"TERM={os.environ.get('TERM', '')}, {_size()}{_inside(terminal)}"),
        ("glyphs", f"{terminal.glyphs}: {terminal.glyphs_reason}"),
        ("colour", f"{terminal.colour}: {terminal.colour_reason}"),
        ("motion", f"{terminal.motion} (TEXTUAL_ANIMATIONS=none shows final frames only)"),
        ("locale", locale or "LC_ALL, LC_CTYPE and LANG are not set"),
    ]


def _size() -> str:
    try:
        columns, rows = os.get_terminal_size(2)
    except OSError:
        return "size unknown (standard error is no terminal)"
    return f"{columns}x{rows}"


def _inside(terminal: Terminal) -> str:
    names = {"tmux": "tmux", "screen": "GNU screen", None: ""}
    places = [names[terminal.multiplexer], "an SSH connection" if terminal.ssh else ""]
    inside = " and ".join(place for place in places if place)
    return f", inside {inside}" if inside else ""


def _state() -> tuple[bool, str]:
    try:
        folder = state_path()
    except SettingsError as error:
        return False, str(error)
    existing = next(path for path in (folder, *folder.parents) if path.exists())
    if not existing.is_dir() or not _can_make_a_folder(existing):
        return False, f"cannot write {folder}, because of {existing}: set XDG_STATE_HOME to another folder"
    return True, str(folder) if existing == folder else f"{folder} (made when there is something to store)"


def _can_make_a_folder(where: Path) -> bool:
    """Tried and taken away again: permission bits say nothing of /proc, of quotas, or to root."""
    try:
        os.rmdir(tempfile.mkdtemp(prefix=".rooflab-", dir=where))
    except OSError:
        return False
    return True


def _plotext() -> tuple[bool, str]:
    from tui.plotting import canvas

    try:
        canvas.load()
    except canvas.CanvasUnavailable as error:
        return False, str(error)
    return True, f"{_version('plotext')}, loads"


def _numpy() -> tuple[bool, str]:
    os.environ.update(thread_limits())
    try:
        import_module("numpy")
    except ImportError as error:
        return False, f"{_version('numpy')} cannot be loaded: {str(error).strip().splitlines()[0]}"
    return True, f"{_version('numpy')}, loads"


def _version(package: str) -> str:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return "not installed"
