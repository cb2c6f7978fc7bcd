"""Rows that are entered: which of the asked rows stand in the table, and what is wrong with the others."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from tui.guide.answers import WRONG, share_of
from tui.guide.data import (
    STATUSES,
    TIME,
    DataSet,
    column_heading,
    exact,
    holds_numbers,
    holds_whole_numbers,
    is_number,
    row_key,
)
from tui.guide.script import Runs
from tui.guide.state import Feedback, Session, Tone
from tui.model.quantity import ReadError, format_exact, read, read_number

_UNITS = {TIME: "s", "wall_s": "s", "time_to_target_s": "s", "memory_gib": "GiB"}


class BadCell(ValueError):
    """A cell that cannot be used; the text names its column."""


def read_cell(column: str, text: str) -> str:
    """A cell in the form in which rows are compared: 22,4 and "22.4 s" are 22.4.

    Raises:
        BadCell: when it cannot be read.
    """
    text = text.strip()
    if column == "status":
        if text and text not in STATUSES:
            raise BadCell(f"status: {text[:30]!r} is none of {', '.join(STATUSES)}")
        return "" if text == "completed" else text
    if not holds_numbers(column) or not text:
        return text
    unit = _UNITS.get(column) or ("s" if column.startswith("stages_s.") else "")
    try:
        value = read(text, unit).value if unit else read_number(text)
    except ReadError as error:
        raise BadCell(f"{column_heading(column)}: {error.sentence}") from None
    if value < 0 or (holds_whole_numbers(column) and value.denominator != 1):
        raise BadCell(f"{column_heading(column)}: {text[:30]} is not possible there")
    return format_exact(value)


def asked_columns(step: Runs, data: DataSet | None) -> tuple[str, ...]:
    """The columns that a row of this step has."""
    if data is not None:
        # Where every asked row completed, its status goes without saying.
        said = all(data.text(place, "status") in ("", "completed") for place in data.asked())
        return tuple(each for each in data.columns if each != "status" or not said)
    return step.columns or ("devices", TIME)


def asked_rows(data: DataSet) -> dict[str, tuple[str, ...]]:
    """The rows that are to be in the table, by their key, each cell in the form that is compared."""
    rows: dict[str, tuple[str, ...]] = {}
    seen: dict[str, int] = {}
    for place in data.asked():
        key = data.keys[place]
        seen[key] = seen.get(key, 0) + 1
        name = key if seen[key] == 1 else f"{key} #{seen[key]}"  # several jobs with one key
        rows[name] = tuple(read_cell(each, data.text(place, each)) for each in data.columns)
    return rows


@dataclass(frozen=True)
class WrongRow:
    """A row that was not asked for as it stands."""

    meant: str
    """Key of the asked row it has the key of, "" when there is none."""
    cells: tuple[str, ...]
    sentence: str


@dataclass(frozen=True)
class Compared:
    """The table against what was asked."""

    matched: frozenset[str]
    """Keys of the asked rows that are there."""
    wrong: tuple[WrongRow, ...]


def compare(data: DataSet, columns: Sequence[str], rows: Sequence[Sequence[str]]) -> Compared:
    """Which asked rows are in a table, in any order; numbers are equal after reading.

    Raises:
        BadCell: when a cell cannot be read.
    """
    asked = asked_rows(data)
    left = dict(asked)
    matched: set[str] = set()
    unmatched = []
    for row in rows:
        cells = _in_columns(data.columns, dict(zip(columns, row, strict=False)))
        name = next((key for key, wanted in left.items() if wanted == cells), None)
        if name is None:
            unmatched.append(cells)
        else:
            matched.add(name)
            del left[name]
    wrong = tuple(_difference(data, cells, left) for cells in unmatched)
    return Compared(frozenset(matched), wrong)


def _in_columns(columns: Sequence[str], row: Mapping[str, str]) -> tuple[str, ...]:
    return tuple(read_cell(column, row.get(column, "")) for column in columns)


def _difference(data: DataSet, cells: tuple[str, ...], left: Mapping[str, tuple[str, ...]]) -> WrongRow:
    """Which asked row was meant, and which column differs; blanks are never given away."""
    key = row_key(cells[data.columns.index(data.key)])
    meant = next((name for name in left if name.split(" #")[0] == key), None)
    if meant is None:
        if key in (data.keys[place] for place in data.asked()):
            return WrongRow("", cells, f"Row {data.key} {key}: the right one is there; this one is too many.")
        return WrongRow("", cells, f"No row with {data.key} {key or 'blank'} is still missing.")
    columns = (n for n, (own, wanted) in enumerate(zip(cells, left[meant], strict=True)) if own != wanted)
    names = ", ".join(column_heading(data.columns[n]) for n in columns)
    return WrongRow(meant, cells, f"Row {data.key} {key}: look at {names}.")


def entered(
    session: Session, step: Runs, columns: tuple[str, ...], rows: tuple[tuple[str, ...], ...]
) -> tuple[Session, Feedback]:
    """The session after the table changed; right rows stay right whatever else is entered."""
    data = session.exercise.sets.get(step.data)
    if data is None:
        return _own_rows(session, step, columns, rows)
    try:
        found = compare(data, columns, rows)
    except BadCell as error:
        return _unreadable(session, str(error))
    if session.practising:
        return session, _said(data, found, len(asked_rows(data)))
    state = session.state
    # A wrong row that stays in the table while others are entered is one wrong answer, not several.
    new = {", ".join(each.cells): each for each in found.wrong if ", ".join(each.cells) not in state.wrong}
    tries = dict(state.row_tries)
    for each in new.values():
        if each.meant:
            tries[each.meant] = tries.get(each.meant, 0) + 1
    asked = asked_rows(data)
    shares = [share_of(session, step, tries.get(name, 0), state.hints) for name in found.matched]
    done = len(found.matched) == len(asked)
    said = _said(data, found, len(asked))
    session = session.changed(
        session.here,
        columns=columns,
        rows=rows,
        row_tries=tuple(tries.items()),
        tries=sum(tries.values()),
        wrong=(*state.wrong, *new),
        checks=state.checks + bool(new),
        share=sum(shares, Fraction(0)) / len(asked) if asked else Fraction(1),
        done=done,
        first_right=done and not tries,
        feedback=said,
    )
    return session, said


def _said(data: DataSet, found: Compared, asked: int) -> Feedback:
    if len(found.matched) == asked:
        all_of_them = f"all {asked} rows are" if asked != 1 else "the row is"
        return Feedback(Tone.RIGHT, (f"✓ right: {all_of_them} in the table.",))
    count = f"{len(found.matched)} of {asked} rows are in the table."
    count = count if asked != 1 else "The row is not in the table yet."
    if found.wrong:
        first, *others = (each.sentence for each in found.wrong)
        lines = (f"{WRONG}: {first}", *others, count)
        return Feedback(Tone.WRONG, lines)
    return Feedback(Tone.NOTE, (count,))


def _own_rows(
    session: Session, step: Runs, columns: tuple[str, ...], rows: tuple[tuple[str, ...], ...]
) -> tuple[Session, Feedback]:
    """Own measurements: so many rows with a count and a time above 0."""
    good = 0
    for row in rows:
        try:
            cells = {column: read_cell(column, text) for column, text in zip(columns, row, strict=False)}
        except BadCell as error:
            return _unreadable(session, str(error))
        numbers = [cells.get("devices", ""), cells.get(TIME, "")]
        good += all(is_number(each) and exact(each) > 0 for each in numbers)
    done = good >= step.min_rows
    said = Feedback(Tone.RIGHT if done else Tone.NOTE, (f"{good} of {step.min_rows} rows are in the table.",))
    if session.practising:
        return session, said
    share = Fraction(min(good, step.min_rows), step.min_rows) if step.min_rows else Fraction(1)
    session = session.changed(session.here, columns=columns, rows=rows, share=share, done=done, feedback=said)
    return session, said


def _unreadable(session: Session, sentence: str) -> tuple[Session, Feedback]:
    said = Feedback(Tone.UNREADABLE, (f"{sentence} No try was used.",), code="N02")
    if session.practising:
        return session, said
    return session.changed(session.here, unreadable=session.state.unreadable + 1), said


def filled_in(session: Session, step: Runs) -> tuple[Session, Feedback]:
    """The session after the program filled in the rows: those that were right keep their points."""
    data = session.exercise.sets[step.data]
    rows = tuple(data.rows[place] for place in data.asked())
    said = Feedback(Tone.NOTE, ("The rows are filled in.",))
    changed = session.changed(
        session.here, columns=data.columns, rows=rows, done=True, assisted=True, feedback=said
    )
    return changed, said


def split_row(line: str, columns: Sequence[str]) -> tuple[str, ...] | None:
    """A row typed on one line: cells between tabs, semicolons, commas or blanks; None when they do not fit.

    Commas with a blank behind them split before bare ones do, so that "8, 1024, 21,0" has a decimal comma.
    """
    for pattern in (r"[;\t]", r",\s+", r",", r"\s+"):
        cells = [cell.strip() for cell in re.split(pattern, line.strip())]
        if len(cells) == len(columns):
            return tuple(cells)
    return None
