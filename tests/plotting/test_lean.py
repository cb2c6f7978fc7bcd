"""plotext is loaded without its manual, and whole where it cannot do without."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

LOAD = """
import sys
sys.path[:0] = {first!r}
from tui.plotting import lean
plotext = lean.load()
assert lean.load() is plotext
names = set(sys.modules).intersection([*lean.STAND_INS, *lean.OPTIONAL])
assert all(getattr(sys.modules[name], "__file__", None) for name in names), names
print({tell})
"""


def loaded(tell: str, *first: Path) -> str:
    """The value of an expression after a load in a process of its own, which leaves no stand-in behind."""
    code = LOAD.format(first=[str(folder) for folder in first], tell=tell)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return done.stdout.strip()


def test_the_manual_and_the_tests_are_not_loaded() -> None:
    heavy = "*sorted(n for n in sys.modules if n.startswith(('plotext._doc', 'unittest', 'PIL')))"
    assert loaded(f"bool(plotext.figure.clear()), {heavy}") == "True"


@pytest.mark.parametrize(
    ("body", "word"),
    [
        ("word = 'nothing taken'", "nothing taken"),
        ("from plotext._doc.doc import docs\nword = docs", "None"),
        ("from plotext._doc.doc import docs, more\nword = docs + more", "whole indeed"),
        ("from plotext._doc.doc import docs\nword = docs.upper()", "WHOLE"),
    ],
    ids=["has no manual", "takes it as it is", "takes more of it", "uses it"],
)
def test_a_plotext_that_needs_its_manual_is_loaded_whole(tmp_path: Path, body: str, word: str) -> None:
    (tmp_path / "plotext" / "_doc").mkdir(parents=True)
    (tmp_path / "plotext" / "_doc" / "doc.py").write_text("docs, more = 'whole', ' indeed'\n")
    (tmp_path / "plotext" / "__init__.py").write_text(body + "\n")
    assert loaded("plotext.word", tmp_path) == word
