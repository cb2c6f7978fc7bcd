"""The loss budget between two counts: which stages took what the second count lost against the ideal.

The ideal at D2 is T(D1)·D1/D2 for the same work, and T(D1) where the work grows with the devices. Each
stage of the longest path at D2 lost what its seconds are above its own share of that; what no stage
explains is a line of its own, so the lines always add up to T(D2) − ideal.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from tui.model.laws import Number
from tui.model.path import NoPath, Timing
from tui.model.steps import Steps

NOT_MEASURED = "not measured"
"""The line for the measured step less its stages, at D2 above its share of that at D1."""

PATH_CHANGED = "path changed"
"""The line for the seconds by which the path of D2 was shorter than the longest one at D1: the slack that
its stages used up before they were felt.
"""


@dataclass(frozen=True)
class Line:
    """One part of the loss."""

    stage: str
    lost: Number
    """Seconds; below 0 where the stage shrank by more than its share."""
    share: Number | None
    """Of the whole loss; `None` where nothing was lost."""
    efficiency_if_free: Number | None
    """E against D1 if the stage took no time at D2 and the path were another; `None` for what is no stage,
    and where nothing but the stage was measured.
    """


@dataclass(frozen=True)
class Budget:
    """Where the time went between two counts."""

    first: int
    second: int
    ideal: Number
    """Seconds at the second count if nothing were lost."""
    time: Number
    """Measured seconds there."""
    lines: tuple[Line, ...]
    remainders: tuple[Number, Number]
    """The measured step less its longest path, at both counts."""
    path: tuple[str, ...]
    """The longest path at the second count."""

    @property
    def lost(self) -> Number:
        """T(D2) − ideal; the lines add up to it."""
        return self.time - self.ideal

    @property
    def efficiency(self) -> Number:
        """E of the second count against the first."""
        return self.ideal / self.time


def loss_budget(steps: Steps, first: int, second: int) -> Budget:
    """The budget of `second` against `first`, both measured.

    Raises:
        NoPath: when a count was not measured or is blocked, a stage was not measured at one of them, the
            counts do not ascend, or the family has no ideal time.
    """
    if steps.family not in ("strong", "weak"):
        raise NoPath(
            "models of different size have no ideal time to lose against; compare counts of one model"
        )
    if second <= first:
        raise NoPath(f"losses are counted from a smaller count to a larger one, not from {first} to {second}")
    for devices in (first, second):
        if len(steps.missing(devices)) > 0:
            missing = ", ".join(steps.missing(devices))
            raise NoPath(
                f"no loss budget from {first} to {second}: {missing} not measured at {devices}; "
                "enter its seconds, 0 where it took none"
            )
    before, after = steps.measured(first), steps.measured(second)
    ratio = Fraction(first, second) if steps.family == "strong" else Fraction(1)
    ideal, time = steps.point(first).time * ratio, steps.point(second).time
    remainders = steps.remainder(first), steps.remainder(second)
    lost = time - ideal
    parts: dict[str, Number] = {
        name: after.seconds[name] - before.seconds[name] * ratio for name in after.path
    }
    used_up = sum((before.seconds[name] for name in after.path), Fraction(0)) - before.total
    if used_up:
        parts[PATH_CHANGED] = used_up * ratio
    parts[NOT_MEASURED] = lost - sum(parts.values(), Fraction(0))
    lines = tuple(
        Line(name, part, part / lost if lost else None, _if_free(steps, after, name, ideal, remainders[1]))
        for name, part in parts.items()
    )
    return Budget(first, second, ideal, time, lines, remainders, after.path)


def _if_free(steps: Steps, here: Timing, stage: str, ideal: Number, remainder: Number) -> Number | None:
    if stage not in here.seconds:
        return None
    time = steps.graph.timing({**here.seconds, stage: Fraction(0)}).total + remainder
    return ideal / time if time > 0 else None


def loss(steps: Steps, first: int, second: int, stage: str) -> Number:
    """The seconds that one stage, or what no stage explains, lost; 0 for a stage beside the path.

    Raises:
        NoPath: as `loss_budget`, and for a stage that does not exist.
    """
    for line in loss_budget(steps, first, second).lines:
        if line.stage == stage:
            return line.lost
    if stage not in (*steps.graph.after, PATH_CHANGED):
        raise NoPath(f"there is no stage {stage!r}; the stages are {', '.join(steps.graph.after)}")
    return Fraction(0)
