"""What the first frame costs, held by what does not depend on the machine: modules, styles and layouts.

Milliseconds are measured by `python -m tests.bench`. Whoever makes one of these lists or numbers larger says
by that that no start can do without it.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from tests.terminal.lab import opened, play

PROBE = """
import os, sys
from collections import Counter
from textual.css.stylesheet import Stylesheet
from textual.drivers.linux_driver import LinuxDriver
from textual.screen import Screen
from tui.cli import main

counts = Counter()

def counted(owner, name):
    done = getattr(owner, name)
    def instead(self, *args, **options):
        counts[name] += 1
        return done(self, *args, **options)
    setattr(owner, name, instead)

counted(Stylesheet, "reparse")
counted(Stylesheet, "apply")
counted(Screen, "_refresh_layout")

written = LinuxDriver.write
def write(self, data):
    written(self, data)
    if "No trials yet" in data:
        modules = sorted(sys.modules)
        import json
        with open({told!r}, "w") as file:
            json.dump({{"counts": counts, "modules": modules}}, file)
        os._exit(0)
LinuxDriver.write = write
main([])
"""

NEEDED = {
    "tui": ("app", "cli", "commands", "events", "lab_owner", "preload", "settings"),
    "tui.command_line": ("crash", "say", "start"),
    "tui.files": ("writer",),
    "tui.guide": ("lab_session", "ownership"),
    "tui.model": ("ideas", "numerals", "quantity", "roofline", "trial", "units", "verdict"),
    "tui.plotting": (
        "canvas",
        "compose",
        "geometry",
        "lean",
        "lettering",
        "marks",
        "reveal",
        "roofline",
        "sheet",
        "spec",
        "strokes",
        "ticks",
    ),
    "tui.tabs": ("base", "roofline", "scene"),
    "tui.terminal": ("any_byte", "ascii_filter", "detect", "glyphs", "guard"),
    "tui.widgets": (
        "banner",
        "commanded",
        "did",
        "instrument_screen",
        "lines",
        "look",
        "plot_styles",
        "plot_view",
        "quantity_input",
        "tab_bar",
        "too_small",
        "trial_log",
        "typeahead",
    ),
}
"""The modules of this project without which there is no first frame, by package."""

OTHERS = {"argparse", "csv", "hashlib", "json", "numpy", "plotext", "pydantic", "secrets", "tomlkit"}
"""Modules that it does not, and that once were loaded or would cost much."""

LATER = {"numpy", "plotext._doc", "pydantic", "tui.exercise_owner", "tui.guide.store", "tui.study_owner"}
"""Modules that the lab alone never needs: each of them would take memory in every program of a workshop."""

TO_THE_END = """
import json, sys
from tui.cli import main
status = main([])
modules = sorted(sys.modules)
with open({told!r}, "w") as file:
    json.dump(modules, file)
sys.exit(status)
"""


@pytest.fixture
def told(start, tmp_path: Path) -> dict[str, dict[str, int] | list[str]]:
    """What was loaded and done until the first frame was handed to the terminal."""
    path = tmp_path / "told.json"
    session = start(command=(sys.executable, "-c", PROBE.format(told=str(path))))
    assert session.wait() == 0
    return json.loads(path.read_text())


def test_the_first_frame_needs_only_what_is_on_it(told) -> None:
    loaded = set(told["modules"])
    needed = {f"{package}.{name}" for package, names in NEEDED.items() for name in names}
    assert {name for name in loaded if name.partition(".")[0] == "tui"} == needed | NEEDED.keys()
    assert loaded & OTHERS == set()


def test_the_first_frame_is_styled_and_laid_out_once(told) -> None:
    counts = told["counts"]
    assert counts["_refresh_layout"] == 1
    assert "reparse" not in counts
    # Every widget when it is mounted and when its screen comes to the front, and the parts of the fields.
    assert counts["apply"] <= 120


def test_a_lab_that_is_only_played_loads_no_studies_and_no_exercises(start, tmp_path: Path) -> None:
    path = tmp_path / "told.json"
    session = start(command=(sys.executable, "-c", TO_THE_END.format(told=str(path))))
    play(opened(session), 1, 50, 400).send("ctrl+q")
    assert session.wait() == 0
    loaded = set(json.loads(path.read_text()))
    assert "plotext" in loaded
    assert loaded & LATER == set()
