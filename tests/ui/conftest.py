"""Every screen test gets a state folder of its own, and the mark of its kind."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.guide.scripts import HEAD
from tests.ui.runs import EXERCISES

HERE = Path(__file__).parent


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Every test of this folder is a screen test; the hook sees those of the others too."""
    for item in items:
        if HERE in item.path.parents:
            item.add_marker(pytest.mark.screen)


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


@pytest.fixture
def script(tmp_path: Path) -> Callable[..., str]:
    """Write a script of these steps, and its path."""

    def write(steps: str, instrument: str = "none") -> str:
        path = tmp_path / "small.toml"
        path.write_text(f'{HEAD}instrument = "{instrument}"\n{steps}', encoding="utf-8")
        return str(path)

    return write
