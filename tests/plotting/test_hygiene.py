"""Nothing but drawing curves loads plotext; numpy is not needed at all."""

from __future__ import annotations

import subprocess
import sys

import pytest

CODE = """
import sys
from tui.plotting import canvas, compose, reveal, roofline, spec
scene = roofline.Scene(1000.0, 8.0, 50.0, 400.0)
compose.draw(roofline.before(scene, "response"), 80, 13, curves=False)
{more}
print(" ".join(name for name in ("plotext", "textual", "rich", "numpy") if name in sys.modules))
"""


@pytest.mark.parametrize(("more", "expected"), [("", ""), ("canvas.load()", "plotext")])
def test_plotext_is_loaded_only_when_asked_for(more, expected):
    command = [sys.executable, "-c", CODE.format(more=more)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == expected
