"""Locked predictions and their scores in words."""

from __future__ import annotations

from tui.model.flags import counted
from tui.model.laws import exact
from tui.model.score import Locked

from .report_numbers import error_of, shown


def locked_words(each: Locked, of: str) -> str:
    """One locked prediction: what it said, and how right it was where its run came. `of` is the count."""
    prediction, score = each.prediction, each.score
    limit = f", limit {prediction.limit}" if prediction.limit else ""
    where = counted(prediction.devices, of)
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
    return f"{words}; measured {shown(score.measured)} s: {error_of(score.error)}, {verdict}{instead}"
