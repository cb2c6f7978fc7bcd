"""What may load what: the model knows no screen, and `--help` loads nothing heavy.

Each question is asked in a process of its own, because this one has long loaded everything.
"""

from __future__ import annotations

import subprocess
import sys

import pytest

SCREEN = {"textual", "rich", "plotext"}
HEAVY = SCREEN | {"numpy", "pydantic", "tomlkit"}

WALK = """
import importlib, pkgutil, sys
package = importlib.import_module({package!r})
count = 0
for found in pkgutil.walk_packages(package.__path__, package.__name__ + "."):
    importlib.import_module(found.name)
    count += 1
print(count, *sorted(set(sys.modules) & {names!r}))
"""

RUN = """
import sys
from tui.cli import main
try:
    main({args!r})
except SystemExit:
    pass
print("\\n.", *sorted(set(sys.modules) & {names!r}))
"""


def last_line(code: str) -> list[str]:
    """The words of the last line that the code prints."""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return done.stdout.splitlines()[-1].split()


@pytest.mark.parametrize("package", ["tui.model", "tui.files", "tui.importers", "tui.guide"])
def test_packages_that_know_no_screen(package):
    count, *loaded = last_line(WALK.format(package=package, names=SCREEN))
    assert loaded == []
    if package == "tui.model":
        assert int(count) > 3


@pytest.mark.parametrize(
    "module", ["tui.events", "tui.settings", "tui.terminal.detect", "tui.terminal.glyphs"]
)
def test_modules_that_know_no_screen(module):
    code = f"import sys, {module}; print('.', *sorted(set(sys.modules) & {HEAVY!r}))"
    assert last_line(code) == ["."]


@pytest.mark.parametrize(
    "args",
    [
        ["--help"],
        ["--version"],
        ["roofline", "--help"],
        ["roofline", "-i", "8", "-b", "200", "--json"],
        ["no.toml"],
    ],
    ids=" ".join,
)
def test_quick_commands_load_nothing_heavy(args):
    assert last_line(RUN.format(args=args, names=HEAVY)) == ["."]


def test_nothing_heavy_before_the_first_frame():
    late = {"numpy", "plotext", "pydantic"}
    code = f"import sys, tui.app; print('.', *sorted(set(sys.modules) & {late!r}))"
    assert last_line(code) == ["."]
