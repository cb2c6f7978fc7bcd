"""Exercises need no screen: what draws, and what is slow to load, stays out of them."""

from __future__ import annotations

import subprocess
import sys

LOADS = """
import pkgutil, sys
from importlib import import_module
import tui.guide, tui.command_line.lab, tui.command_line.lab_run
for module in pkgutil.iter_modules(tui.guide.__path__):
    import_module(f"tui.guide.{module.name}")
print(*sorted({"textual", "rich", "plotext", "numpy", "pydantic", "tomlkit"} & set(sys.modules)))
"""


def test_the_guide_loads_nothing_that_draws_and_nothing_heavy() -> None:
    done = subprocess.run([sys.executable, "-c", LOADS], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""
