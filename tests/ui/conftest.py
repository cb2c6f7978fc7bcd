"""Every screen test gets a state folder of its own."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.ui.runs import EXERCISES


@pytest.fixture(autouse=True)
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the app under test keeps its state."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    return tmp_path / "rooflab"


@pytest.fixture
def exercises(tmp_path: Path) -> Path:
    """A study of small tables made up for teaching."""
    path = tmp_path / "exercises.toml"
    path.write_text(EXERCISES, encoding="utf-8")
    return path
