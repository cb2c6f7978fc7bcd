"""The tables of an exercise as the tabs show them, and what a learner entered there as rows.

A table that is to be entered starts with what is given: runs that did not complete, rows with blanks. What
was entered stands in the session, so that a resumed exercise finds its tables as they were.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from decimal import Decimal
from fractions import Fraction
from typing import Any

from tui.guide.data import EXTRA, LABEL, STAGE, TIME, TIMES, DataSet, as_study, exact, is_number, row_key
from tui.guide.entering import BadCell, read_cell
from tui.guide.expression import parse
from tui.guide.functions import count_of
from tui.guide.grading import read_answer
from tui.guide.script import Predict, Runs
from tui.guide.state import Session, StepState, revealed
from tui.model.quantity import format_exact
from tui.model.study import Prediction, Run, Study
from tui.settings import stamped

OWN = "own runs"
"""Name of the experiment that holds a learner's own measurements."""

_FAMILY = {"limits": "strong"}
_TAB = {"model-size": "weak"}


def tab_of(step: Runs) -> str:
    """The tab whose table a step watches."""
    return _TAB.get(step.table, step.table)


def study_of(session: Session) -> Study:
    """The exercise's tables as they stand: what is hidden, or still to be entered, is absent."""
    seen = revealed(session)
    shown = []
    for name, data in session.exercise.sets.items():
        step, state = _entered_by(session, name)
        if step is session.step and session.practising:
            state = StepState()  # entered once more, from the start
        rows = data.visible(seen.get(name, frozenset()))
        if step is None or state.done:
            table = replace(data, rows=tuple(data.rows[n] for n in rows), blanks=frozenset())
        else:
            table = _being_entered(data, rows, state)
        if table.rows or step is not None:
            shown.append(replace(table, hidden=frozenset()))
    tables = [*shown, *_own(session)]
    if not tables:
        return Study()  # without loading what reads one
    study = as_study(tables)
    locked = _locked(session)
    if not locked:
        return study
    return replace(
        study,
        experiment=tuple(
            replace(each, prediction=locked.get(each.name, each.prediction)) for each in study.experiment
        ),
    )


def _locked(session: Session) -> dict[str, tuple[Prediction, ...]]:
    """The learner's predictions of a step's longest path, by table: the Limits tab scores them as it does
    those that are locked there. A session that is stored nowhere has no date to lock one under.
    """
    found: dict[str, tuple[Prediction, ...]] = {}
    made = _started(session)
    for step, key, state in zip(session.exercise.steps, session.exercise.keys, session.states, strict=True):
        if made is None or key is None or not isinstance(step, Predict) or not (state.done and state.text):
            continue
        for name, written in parse(step.answer).calls if step.answer else ():
            if name == "path_time":
                data, value = session.exercise.sets[written[0]], read_answer(step, key, state.text).value
                each = Prediction(count_of(data, written[1]), made, float(value))
                found[data.id] = (*found.get(data.id, ()), each)
    return found


def _started(session: Session) -> datetime | None:
    """When the session was begun, by the name of its folder."""
    try:
        return stamped(session.seed.partition("-")[0])
    except ValueError:
        return None


def entered_rows(session: Session, study: Study) -> tuple[tuple[str, ...], tuple[tuple[str, ...], ...]]:
    """The columns and rows of the step on show that a learner entered: what was given does not count."""
    step = session.step
    assert isinstance(step, Runs)
    data = session.exercise.sets.get(step.data)
    name = data.id if data is not None else OWN
    columns = data.columns if data is not None else step.columns or ("devices", TIME)
    family = _FAMILY.get(step.table, step.table)
    found = next(
        (
            each
            for each in study.experiment
            if each.name == name or (data is None and each.family == family)
        ),
        None,
    )
    before = study_of(session.changed(session.here, rows=(), done=False))
    given = [run for each in before.experiment if each.name == name for run in each.run]
    rows = []
    for run in found.run if found is not None else ():
        if run in given:
            given.remove(run)
        elif not run.withdrawn:
            rows.append(tuple(_text(run, column) for column in columns))
    return columns, tuple(rows)


def _entered_by(session: Session, data: str) -> tuple[Runs | None, StepState]:
    """The step at which a table is entered, and how far that is."""
    for step, state in zip(session.exercise.steps, session.states, strict=True):
        if isinstance(step, Runs) and step.data == data:
            return step, state
    return None, StepState()


def _being_entered(data: DataSet, visible: Sequence[int], state: StepState) -> DataSet:
    entered = list(_readable(data.columns, state.columns, state.rows))
    asked = set(data.asked())
    if not data.blanks:
        rows = [data.rows[place] for place in visible if place not in asked]
        return replace(data, rows=(*rows, *entered), blanks=frozenset())
    key = data.columns.index(data.key)
    by_key = {row_key(row[key]): row for row in entered}
    rows, blanks = [], set()
    for at, place in enumerate(visible):
        filled = by_key.get(data.keys[place]) if place in asked else None
        rows.append(filled or data.rows[place])
        blanks |= set() if filled else {(at, column) for n, column in data.blanks if n == place}
    return replace(data, rows=tuple(rows), blanks=frozenset(blanks))


def _own(session: Session) -> Iterator[DataSet]:
    for step, state in zip(session.exercise.steps, session.states, strict=True):
        if isinstance(step, Runs) and not step.data and state.rows:
            rows = tuple(_readable(state.columns, state.columns, state.rows))
            yield DataSet(OWN, _FAMILY.get(step.table, step.table), "devices", state.columns, rows)
            return


def _readable(
    wanted: Sequence[str], columns: Sequence[str], rows: Sequence[Sequence[str]]
) -> Iterator[tuple[str, ...]]:
    """Entered rows in the table's own columns; one without a count cannot stand in a table."""
    for row in rows:
        cells = dict(zip(columns, row, strict=False))
        try:
            read = tuple(read_cell(column, cells.get(column, "")) for column in wanted)
        except BadCell:
            continue
        count = dict(zip(wanted, read, strict=True)).get("devices", "")
        if is_number(count) and exact(count) >= 1:
            yield read


def _text(run: Run, column: str) -> str:
    if column in (TIME, TIMES):
        return " ".join(map(_number, run.times_s))
    if column == LABEL:
        return run.label
    for prefix, values in ((STAGE, run.stages_s), (EXTRA, run.extra)):
        if column.startswith(prefix):
            return _number(values.get(column.removeprefix(prefix)))
    return _number(getattr(run, column))


def _number(value: Any) -> str:
    """A value as a person would type it; a float by its shortest decimal, which is what was typed."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return format_exact(Fraction(Decimal(repr(value))))
    return "" if value is None else str(value)
