"""What a page of runs shows of one experiment, whatever family it is of."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Set
from typing import Any, ClassVar

from tui.plotting.spec import PlotSpec
from tui.widgets.columns import TableView


class Exhibit(ABC):
    """The rows of an experiment as cells, and what is said around them.

    Attributes:
        view: its rows; each has the `runs` that it is made of.
    """

    COVERS: ClassVar[frozenset[str]]
    """The words that cover something in it."""
    SELF_TEST: ClassVar[frozenset[str]]
    """Those that a self-test covers."""

    view: TableView
    views: tuple[str, ...] = ()
    """The views of its plot, empty where it has none."""

    @abstractmethod
    def heading(self, covered: Set[str]) -> tuple[str, ...]:
        """What stands above the table, behind the name, in parts that are kept whole."""

    @abstractmethod
    def judgements(self, row: Any, covered: Set[str]) -> list[str]:
        """What is to be said of a row, the gravest first, a line each."""

    @abstractmethod
    def title(self, row: Any) -> str:
        """A row in a few words."""

    def plot(self, view: str, covered: Set[str]) -> PlotSpec | None:
        """One view of the plot; None where there is nothing to draw."""
        return None

    def caption(self, view: str, covered: Set[str]) -> str:
        """What that view shows."""
        return ""
