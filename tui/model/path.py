"""The dependency path of a step: its stages, which of them wait for which, and the longest way through.

Work that overlaps is not added: the step takes as long as the longest chain of stages that wait for
each other, and every stage beside that chain has slack, the seconds it may grow by before it is felt.
Stage seconds are exposed seconds; where the stages of a count do not add up to its measured step, the
difference is a number of its own and never spread over them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from graphlib import TopologicalSorter

from tui.model.laws import Number
from tui.model.study import Experiment, Stage, Study, problems


class NoPath(ValueError):
    """The path cannot be told from what was measured; the text is one sentence."""


@dataclass(frozen=True)
class Timing:
    """The longest path through stages of known seconds."""

    seconds: Mapping[str, Number]
    path: tuple[str, ...]
    """The stages of the longest path, in the order they run."""
    total: Number
    slack: Mapping[str, Number]
    """Seconds by which each stage may grow before the path does; 0 on it."""

    @property
    def limit(self) -> str:
        """The largest stage on the path, which is what shortening pays for first."""
        return max(self.path, key=lambda name: self.seconds[name], default="")


class Graph:
    """Stages and the edges between them.

    Raises:
        NoPath: when stages wait for each other in a ring, or for one that does not exist.
    """

    def __init__(self, stages: Sequence[Stage]) -> None:
        wrong = problems(Study(experiment=(Experiment("strong", "", stages=tuple(stages)),)))
        if wrong:
            raise NoPath(wrong[0].sentence)
        self.is_chain = not any(stage.after for stage in stages)
        """Whether no stage says what it comes after, so that they run in file order."""
        names = [stage.name for stage in stages]
        if self.is_chain:
            after = {name: tuple(names[max(place - 1, 0) : place]) for place, name in enumerate(names)}
        else:
            after = {stage.name: tuple(dict.fromkeys(stage.after)) for stage in stages}
        self.after: Mapping[str, tuple[str, ...]] = after
        self.order = tuple(TopologicalSorter(after).static_order())

    def timing(self, seconds: Mapping[str, Number]) -> Timing:
        """The longest path where each stage takes these seconds; of equal ones the first in file order."""
        start: dict[str, Number] = {}
        before: dict[str, str] = {}
        for name in self.order:
            start[name] = Fraction(0)
            for earlier in self.after[name]:
                end = start[earlier] + seconds[earlier]
                if end > start[name] or name not in before:
                    start[name], before[name] = end, earlier
        behind: dict[str, Number] = dict.fromkeys(self.order, Fraction(0))
        for name in reversed(self.order):
            for earlier in self.after[name]:
                behind[earlier] = max(behind[earlier], seconds[name] + behind[name])
        last = max(self.after, key=lambda name: start[name] + seconds[name], default=None)
        path: list[str] = []
        while last is not None:
            path.insert(0, last)
            last = before.get(last)
        total = start[path[-1]] + seconds[path[-1]] if path else Fraction(0)
        none = Fraction(0)  # rounding must neither lend a stage of the path slack nor owe another some
        slack: dict[str, Number] = {
            name: none if name in path else max(total - start[name] - seconds[name] - behind[name], none)
            for name in self.after
        }
        return Timing({name: seconds[name] for name in self.after}, tuple(path), total, slack)
