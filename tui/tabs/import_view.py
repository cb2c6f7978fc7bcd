"""What a preview of a table or a log shows, as lines of text: what can be changed, and what was found."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rich.cells import cell_len, set_cell_size

from tui.files.report_text import wrapped
from tui.importers.answers import plain
from tui.importers.imported import Column, Imported, Options, Part, Question
from tui.importers.roles import ROLES
from tui.model.line_fields import line_fields
from tui.model.quantity import format_number
from tui.model.run_text import printable_words, run_texts
from tui.model.spread import median
from tui.model.study import Run
from tui.tabs.step_row import LEGEND, step_lines
from tui.widgets.listing import cut

LABEL = 14
"""Cells of the names before the values."""
_ROWS, _PARTS, _JOBS = 6, 4, 3
_SENTENCES = 200
"""Notes, and problems, that are listed; the others are counted."""
_WIDEST_CELL = 22
_BEFORE = 9
"""Characters that stay before the first one in which long texts differ."""
_FAMILIES = {
    "strong": "strong scaling: the whole work stays the same",
    "weak": "weak scaling: the work of each device stays the same",
    "model-size": "model sizes: the models differ",
    "target": "time to a quality target",
}


@dataclass(frozen=True)
class Item:
    """A line that Enter acts on.

    Attributes:
        key: what it changes: `take`, `format`, `family`, `into`, `repeats`, `decimal`, `all`, `window`,
            `question` or `column`; `table` only stands above its columns.
        place: which question or column, from 0.
        detail: the whole of it in a sentence.
        asks: whether it has to be answered first.
    """

    key: str
    label: str
    value: str
    detail: str = ""
    place: int = 0
    asks: bool = False


@dataclass(frozen=True)
class Into:
    """Where the runs go: an experiment of the open study, or new ones in it or in a new study."""

    words: str
    experiment: str = ""
    new_study: bool = False


def items(imported: Imported, options: Options, format_about: str, into: Into) -> list[Item]:
    """What can be changed, first of all what has to be answered."""
    found = [_take(imported, into)]
    for place, question in enumerate(imported.questions):
        sentence = clean(plain(question.sentence))
        where = f"line {question.line}: " if question.line else ""
        short = sentence.removeprefix(f"{clean(imported.source.name)} ")
        detail = f"{where}{sentence}{'' if sentence.endswith('?') else '.'} Enter answers it."
        found.append(Item("question", f"? {question.about}", short, detail, place, asks=True))
    found.append(
        Item("format", "read as", f"{imported.format}: {format_about}", "Enter: read it as another format.")
    )
    found.append(_family(imported))
    found.append(Item("into", "goes into", into.words, "Enter: put the runs somewhere else."))
    if imported.repeats:
        other = "steps" if imported.repeats == "jobs" else "jobs"
        words = f"several times of one count are {imported.repeats}"
        found.append(
            Item("repeats", "repeats", words, f"Jobs are starts of the program. Enter: they are {other}.")
        )
    if options.decimal:
        sign = "the decimal sign" if options.decimal == "comma" else "between thousands"
        found.append(Item("decimal", "comma", f"the comma stands {sign}", "Enter: the other way round."))
    found.append(_of_all(options))
    if imported.step_rows:
        found.append(_window(options))
    samples = _samples(imported)
    table = ""
    for place, column in enumerate(imported.columns):
        if column.table != table:
            table = column.table
            found.append(Item("table", clean(table), "its columns:", f"{clean(table)}: its columns follow."))
        found.append(_column(column, place, samples[place] if samples else ""))
    return found


def _take(imported: Imported, into: Into) -> Item:
    runs = len(imported.runs)
    what = "1 run" if runs == 1 else f"{runs:,} runs"
    if imported.questions:
        first = "1 question" if len(imported.questions) == 1 else f"{len(imported.questions)} questions"
        return Item("take", "Take in", f"{first} first; Enter goes there", "Nothing is taken in before.")
    if not runs:
        return Item("take", "Take in", "no run was found", "Read it as another format, or say what it holds.")
    undo = "One step: u takes all of it back."
    return Item("take", "Take in", f"{what}: Enter adds them to {into.words}", undo)


def _family(imported: Imported) -> Item:
    families = list(dict.fromkeys(part.family for part in imported.parts))
    words = "not known yet" if None in families or not families else ""
    words = words or "; ".join(_FAMILIES[family] for family in families if family)
    return Item("family", "compared as", words, "Enter: strong, weak, model sizes or a target.")


def _of_all(options: Options) -> Item:
    said = [f"{one.role}={one.column}" for one in options.mapping if one.column.isdecimal()]
    words = clean(" ".join(said)) or "nothing more is said of all runs"
    return Item("all", "all runs", words, "Enter: say what the file does not, as devices=16 dp=4.")


def _window(options: Options) -> Item:
    if options.window is None:
        words = "all steady steps; start-up, checkpoints and skipped updates are left out"
    else:
        words = f"iterations {options.window[0]} to {options.window[1]}: {clean(options.window_reason)}"
    return Item("window", "steps", words, "Enter: choose a window of iterations; its reason is kept.")


def role_words(column: Column) -> str:
    """What a column was taken for: `time in ms`."""
    if not column.role:
        return "kept as it came"
    return f"{column.role} in {column.unit}" if column.unit else column.role


def _column(column: Column, place: int, sample: str) -> Item:
    meaning = ROLES.get(column.role, "")
    why = f" ({clean(plain(column.why))})" if column.why and column.role else ""
    detail = f"Column {column.place}, {clean(column.name)}: {role_words(column)}"
    detail += f", {meaning}{why}." if meaning else f"{why}."
    words = f"{role_words(column):<16} {sample}".rstrip()
    return Item("column", clean(column.name) or f"#{column.place}", words, detail, place)


def _samples(imported: Imported) -> list[str]:
    """The first cells of each column, where the rows of the file have these columns."""
    rows = imported.first_rows
    if not rows or any(len(row) != len(imported.columns) for row in rows):
        return []
    return ["  ".join(clean(row[place]) for row in rows[:4]) for place in range(len(imported.columns))]


def clean(text: str) -> str:
    """A text from a file in one line, without what would command a terminal."""
    return " ".join(printable_words(text).split())


def item_line(item: Item, width: int) -> str:
    """A line of the list: the name, the value."""
    return cut(f"{set_cell_size(cut(item.label, LABEL), LABEL)} {item.value}", width)


# --------------------------------------------------------------------------------------- what was found


def found_lines(imported: Imported, width: int) -> list[str]:
    """The steps, the first runs as they would be entered, what is wrong and what else is to be known."""
    lines: list[str] = []
    for row in imported.step_rows[:_JOBS]:
        lines += ["", *step_lines(row, width)]
    if imported.step_rows:
        more = len(imported.step_rows) - _JOBS
        lines += [f"and {more} more jobs"] if more > 0 else []
        lines += [*wrapped(LEGEND, "", width), *wrapped(goodput(imported.runs), "", width)]
    for part in imported.parts[:_PARTS]:
        lines += ["", *_first_runs(part, width)]
    if len(imported.parts) > _PARTS:
        lines.append(f"and {len(imported.parts) - _PARTS} more experiments")
    for title, sentences in (
        ("Problems", [str(one) for one in imported.problems]),
        ("Notes", [str(one) for one in imported.notes]),
    ):
        lines += ["", f"{title}: {len(sentences) or 'none'}"]
        for sentence in sentences[:_SENTENCES]:
            lines += wrapped(plain(clean(sentence)), "- ", width)
        if len(sentences) > _SENTENCES:
            lines.append(f"and {len(sentences) - _SENTENCES:,} more")
    return lines[1:]


def _first_runs(part: Part, width: int) -> Iterator[str]:
    name = f" of {clean(part.name)}" if part.name else ""
    runs = part.runs[:_ROWS]
    many = "1 run" if len(part.runs) == 1 else f"{len(part.runs):,} runs"
    yield from wrapped(f"{many}{name}, as they would be entered (count: {clean(part.counts)}):", "", width)
    family = part.family or "strong"
    texts = [
        {key: _rounded(key, clean(text)) for key, text in run_texts(run, family).items()} for run in runs
    ]
    fields = [field for field in line_fields(family) if any(row.get(field.key) for row in texts)]
    columns = [_cells([row.get(field.key, "") for row in texts], field.key) for field in fields]
    table = [[field.label for field in fields], *map(list, zip(*columns, strict=True))]
    widths = [max(cell_len(row[place]) for row in table) for place in range(len(fields))]
    for row in table:
        yield cut("  " + "  ".join(map(set_cell_size, row, widths)).rstrip(), width)
    if len(part.runs) > _ROWS:
        yield f"  and {len(part.runs) - _ROWS:,} more"


def _rounded(key: str, text: str) -> str:
    """A field's text; measured numbers are rounded here, and only here."""
    if key not in ("times_s", "memory_gib"):
        return text
    return " ".join(format_number(float(part)) for part in text.split())


def _cells(texts: Sequence[str], key: str) -> list[str]:
    """A field's texts below each other. Words that are too long lose the beginning that they share, so that
    what tells them apart is not what is cut off.
    """
    if key == "times_s":
        return list(map(_times, texts))
    long = {text for text in texts if cell_len(text) > _WIDEST_CELL}
    same = _shared(min(long), max(long)) - _BEFORE if len(long) > 1 else 0
    return [cut(f"…{text[same:]}" if same > 1 and text in long else text, _WIDEST_CELL) for text in texts]


def _shared(one: str, other: str) -> int:
    """How many characters two texts begin with alike."""
    return next((place for place, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), len(one))


def _times(text: str) -> str:
    """The times of a run; of many the first ones and how many there are."""
    if cell_len(text) <= _WIDEST_CELL:
        return text
    parts = text.split()
    count = f"({len(parts)})" if len(parts) > 2 else ""
    return cut(text, _WIDEST_CELL - len(count) - bool(count)) + (f" {count}" if count else "")


def goodput(runs: Sequence[Run]) -> str:
    """The steady time of an update beside the wall time of each valid one; nothing without both."""
    said = []
    for run in runs[:_JOBS]:
        if run.times_s and run.wall_s and run.valid_updates:
            steady, wall = median(run.times_s), run.wall_s / run.valid_updates
            wall_words = f"{format_number(wall)} s of wall time for each valid update (goodput)"
            said.append(f"{format_number(steady)} s for an update in the steady state, {wall_words}")
    return "; ".join(said)


def choices_of(question: Question) -> list[str]:
    """The answers of a question in words, and one more where a number can be typed instead."""
    words = [clean(choice.words) for choice in question.choices]
    return [*words, "another number ..."] if question.about == "count" else words
