"""Locked predictions and their scores in words."""

from __future__ import annotations

from tui.model.flags import counted
from tui.model.laws import exact
from tui.model.quantity import prefixed
from tui.model.rates import Rate, measured_rate
from tui.model.rows import Table
from tui.model.score import Locked

from .report_numbers import error_of, percent, shown


def rate_words(rate: Rate, of: str) -> str:
    """What each device achieves, and of its peak where that is known. `of` is what the counts count."""
    share = "" if rate.peak_share is None else f", {percent(rate.peak_share)} of peak"
    return f"{prefixed(rate.flops, 'FLOP/s')} per {of}{share}"


def locked_words(each: Locked, rows: Table) -> str:
    """One locked prediction: what it said, and how right it was where its run came.

    Args:
        rows: the table of the experiment.
    """
    prediction, score = each.prediction, each.score
    limit = f", limit {prediction.limit}" if prediction.limit else ""
    where = counted(prediction.devices, rows.counts)
    words = f"{prediction.made:%Y-%m-%d}: {shown(exact(prediction.time_s))} s at {where}{limit}"
    if each.superseded:
        return f"{words}; superseded"
    if score is None:
        return f"{words}; {each.why_no_score}"
    if score.limit_right is None:
        verdict = score.why_no_limit or "no limit was stated"
    else:
        verdict = "the limit was right" if score.limit_right else f"the limit was {score.limit}"
    others = ", ".join(f"{error_of(score.errors[key])} {name}" for key, name, _ in score.alternatives.named)
    instead = f"; instead {others}" if others else ""
    rate = measured_rate(rows, prediction.devices, score.measured)
    measured = f"{shown(score.measured)} s" + (f" ({rate_words(rate, rows.counts)})" if rate else "")
    return f"{words}; measured {measured}: {error_of(score.error)}, {verdict}{instead}"
