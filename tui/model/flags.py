"""Judgements: what stands against comparing a row, what to be careful with, what to know.

A flag is a code, a severity that the code alone decides, and one sentence built from the row's own
numbers. The rules that raise flags are in `flag_rules` (what blocks), `flag_warnings` and `flag_notes`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from tui.model.quantity import format_number

Severity = Literal["blocks", "warns", "notes"]

SEVERITY: dict[str, Severity] = {
    "work-changed": "blocks",
    "batch-changed": "blocks",
    "updates-skipped": "blocks",
    "not-completed": "blocks",
    "work-not-proportional": "blocks",
    "devices-constant": "blocks",
    "other-work-model": "blocks",
    "other-model": "blocks",
    "time-means-differs": "blocks",
    "layout-product": "blocks",
    "above-one-unexplained": "warns",
    "gain-above-ideal": "warns",
    "domain-crossed": "warns",
    "local-shape-changed": "warns",
    "local-batch-mismatch": "warns",
    "arithmetic-changed": "warns",
    "sequences-changed": "warns",
    "iterations-changed": "warns",
    "noisy": "warns",
    "outlier": "warns",
    "below-timer-resolution": "warns",
    "derived-clash": "warns",
    "sparse-peak": "warns",
    "over-memory": "warns",
    "idle-devices": "warns",
    "overhead-bound": "warns",
    "jobs-not-completed": "notes",
    "one-job": "notes",
    "few-jobs": "notes",
    "above-one-within-spread": "notes",
    "above-one-explained": "notes",
    "two-counts-only": "notes",
    "cost-of-mean": "notes",
    "batch-grows": "notes",
    "batch-unknown": "notes",
    "baseline-not-one": "notes",
    "layout-differs": "notes",
    "work-differs-slightly": "notes",
    "withdrawn": "notes",
}
"""Every code there is, in the order in which flags are listed."""

ORDER = {code: place for place, code in enumerate(SEVERITY)}


@dataclass(frozen=True)
class Flag:
    """One judgement of one row, or of a whole table."""

    code: str
    sentence: str

    @property
    def severity(self) -> Severity:
        """`blocks` the comparison, `warns` about it, or `notes` something beside it."""
        return SEVERITY[self.code]


def counted(number: int, counts: str) -> str:
    """A count with its unit for a sentence: `1 node`, `8 GPUs`."""
    plural = number != 1 and counts[-1:].isalpha() and not counts.lower().endswith("s")
    return f"{number} {counts}s" if plural else f"{number} {counts}"


def seconds(value: float) -> str:
    """A time for a sentence: four significant digits."""
    return f"{format_number(value)} s"


def ratio(value: float) -> str:
    """An efficiency or another ratio for a sentence: three decimals."""
    return f"{value:.3f}"


def amount(value: float, of: str = "") -> str:
    """W for a sentence, in full: an exact global work is part of what is reported."""
    number = str(int(value)) if float(value).is_integer() and abs(value) < 1e15 else format_number(value, 6)
    return f"{number} {of}".rstrip()
