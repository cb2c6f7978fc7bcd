"""What the name of an imported column says that its numbers are."""

from __future__ import annotations

import pytest

from tui.model.imported import derived, iterations
from tui.model.study import Run


@pytest.mark.parametrize(
    "column",
    [
        "efficiency",
        "Eficiencia",
        "eficiência",
        "Effizienz [%]",
        "efficacité",
        "efficienza",
        "rendimiento",
        "rendimento",
        "Rendement",
        "Wirkungsgrad",
    ],
)
def test_an_efficiency_in_six_languages(column: str) -> None:
    (found,) = derived(Run(8, extra={column: "86"}))
    assert found.meaning == "efficiency"
    assert 0.86 in found.readings


@pytest.mark.parametrize(
    "column",
    ["Speed-up", "aceleración", "aceleração", "Beschleunigung", "accélération", "accelerazione", "ganancia"],
)
def test_a_speedup_in_six_languages(column: str) -> None:
    (found,) = derived(Run(8, extra={column: "5.2"}))
    assert (found.meaning, found.readings) == ("speedup", (5.2,))


@pytest.mark.parametrize(
    "column",
    [
        "ideal speedup",
        "speedup teórico",
        "theoretische Beschleunigung",
        "Rendimiento (GFLOPS)",
        "accelerators",
        "tiempo por iteración",
        "Speicher-Effizienz",
        "cores",
    ],
)
def test_names_that_only_look_like_one(column: str) -> None:
    assert not list(derived(Run(8, extra={column: "5"})))


@pytest.mark.parametrize("column", ["iterations", "Iterationen", "iteraciones", "iterações", "iterazioni"])
def test_iterations(column: str) -> None:
    assert iterations(Run(8, extra={column: "120"})) == 120
