"""Runs that were read from a file become part of a study: as an experiment of their own, or of one there."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from tui.model.run_text import EditError, printable_words
from tui.model.study import UNDECLARED, Experiment, Family, Run, Study


@dataclass(frozen=True)
class TakenIn:
    """A study with an experiment taken in.

    Attributes:
        name: of the experiment that has the runs now; its family stands beside it.
        runs: how many are new in it.
        known: how many were there already and were left out.
        place: of the first new run in the experiment.
    """

    study: Study
    name: str
    family: Family
    runs: int
    known: int
    place: int


def take_in(study: Study, new: Experiment) -> TakenIn:
    """Put the runs of `new` into the experiment of its name, or add it where the study has none of it.

    Runs that are there already, equal in everything, are not added twice. What the new experiment says of
    all its runs and the old one does not say goes to each run.

    Raises:
        EditError: when both say different things of all their runs.
    """
    names = [experiment.name for experiment in study.experiment]
    if new.name not in names:
        more = replace(study, experiment=(*study.experiment, new))
        return TakenIn(more, new.name, new.family, len(new.run), 0, 0)
    at = names.index(new.name)
    there = study.experiment[at]
    _refuse_others(there, new)
    own = {
        field: getattr(new, field)
        for field in ("work", "work_model", "time_means")
        if getattr(there, field) is None and getattr(new, field) is not None
    }
    runs = [_saying(run, own) for run in new.run]
    known = _Known(there.run)
    fresh = tuple(run for run in runs if run not in known)
    counts = new.counts if not there.run and there.counts == UNDECLARED else there.counts
    changed = replace(there, counts=counts, run=(*there.run, *fresh))
    experiments = (*study.experiment[:at], changed, *study.experiment[at + 1 :])
    left_out = len(runs) - len(fresh)
    changed_study = replace(study, experiment=experiments)
    return TakenIn(changed_study, new.name, new.family, len(fresh), left_out, len(there.run))


def free_name(study: Study, wanted: str) -> str:
    """A name for an experiment that the study does not have yet."""
    taken = {experiment.name for experiment in study.experiment}
    names = [wanted, *(f"{wanted} {number}" for number in range(2, len(taken) + 2))]
    return next(name for name in names if name not in taken)


def counts_with(there: Experiment, counts: str) -> str:
    """What an experiment counts once runs are added whose heading says `counts`, empty where it is open.

    Raises:
        EditError: when it counts something else; a column of nodes is never one of undeclared devices.
    """
    undeclared = there.counts == UNDECLARED
    if not counts or (undeclared and not there.run):
        return counts or there.counts
    if _unit(there.counts) != _unit(counts) and not (undeclared and counts != "node"):
        _refuse(there, "unit of the count", there.counts, counts)
    return there.counts


def _unit(counts: str) -> str:
    return counts.strip().lower().removesuffix("s")


def _refuse_others(there: Experiment, new: Experiment) -> None:
    pairs = [
        ("family", there.family, new.family),
        ("unit of the count", there.counts, new.counts if new.counts != UNDECLARED else there.counts),
        ("work", there.work, new.work),
        ("meaning of its times", there.time_means, new.time_means),
    ]
    if not there.run and there.counts == UNDECLARED:
        del pairs[1]  # nobody has said yet what it counts
    for what, mine, theirs in pairs:
        if mine != theirs and None not in (mine, theirs):
            _refuse(there, what, mine, theirs)


def _refuse(there: Experiment, what: str, mine: object, theirs: object) -> None:
    raise EditError(
        f"The study has an experiment {printable_words(there.name)!r} with another {what} "
        f"({_shown(mine)}, not {_shown(theirs)}): give these runs an experiment of their own."
    )


def _shown(value: object) -> str:
    return printable_words(str(value))[:80]


def _saying(run: Run, own: dict[str, Any]) -> Run:
    """The run with what its experiment said of it, where it says nothing itself."""
    lacking = {field: value for field, value in own.items() if getattr(run, field) is None}
    return replace(run, **lacking) if lacking else run


class _Known:
    """Runs by what tells most of them apart, so that thousands are compared with thousands quickly."""

    def __init__(self, runs: Iterable[Run]) -> None:
        self._runs: dict[tuple[object, ...], list[Run]] = {}
        for run in runs:
            self._runs.setdefault((run.devices, run.times_s), []).append(run)

    def __contains__(self, run: Run) -> bool:
        return run in self._runs.get((run.devices, run.times_s), ())
