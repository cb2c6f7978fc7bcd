"""The form in which tests say what an exercise must be: answers, keys, wrong ideas and derived numbers.

Nothing of it is read from a script. The values are worked out with fractions from the tables of the
exercises; a script whose tables or keys change must disagree with them.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction as F


@dataclass(frozen=True)
class Expected:
    """One exercise as it must be."""

    points: int
    answers: dict[str, list[str]]
    """What a learner types at each graded step to be right."""
    exact: dict[str, F]
    """The key of each step that has one."""
    ideas: dict[str, dict[str, F]]
    """The answer of each wrong idea, in the order in which they are tried."""
    facts: tuple[F, ...] = ()
    """Numbers of the texts that are no cell of a table, no key and no idea."""
    wrong_row: dict[str, str] = field(default_factory=dict)
    """A row with one wrong cell, for each step where rows are entered."""
    numbers: tuple[int | F, ...] = ()
    """Numbers of the texts that name or declare something and follow from nothing."""


GIB = F(2**30, 10**9)
"""GiB in GB."""
