"""The preview of a table or a log: what it was understood as, what is still open, and what would be entered.

Nothing is taken in before Enter on the first line. Every change reads the file once more.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding
from textual.screen import ModalScreen
from textual.widgets import Static

from tui.importers import answers, roles
from tui.importers.imported import Imported, Options, Question
from tui.importers.registry import format_lines, formats
from tui.model.flags import counted
from tui.model.run_text import printable_words
from tui.model.study import Study
from tui.study_events import RunsImported
from tui.tabs.choice_screen import ENDS, MOVES, ChoiceScreen, LineScreen
from tui.tabs.import_view import Into, Item, choices_of, clean, found_lines, item_line, items
from tui.widgets.listing import Listing, moved

Reread = Callable[["ImportScreen", Options, str], None]
Take = Callable[["ImportScreen", RunsImported, bool], None]

MOST_RUNS = 20_000
"""Runs that are taken in at once; a study with more is slow to open and to save."""
_AS_TAKEN = "as the reader takes it"
_TIMED = ("time", "stage")
_FAMILIES = ("strong", "weak", "model-size", "target")


class ImportScreen(ModalScreen[None]):
    """What a file was understood as.

    Args:
        imported: the file.
        study: the one that is open.
        reread: reads the file once more with other options; `show` or `say` is called with what comes of it.
        take: takes the runs in; whether into a new study.
    """

    DEFAULT_CSS = """
    ImportScreen Static { height: auto; padding: 0 1; }
    ImportScreen #import-title { text-style: bold; }
    ImportScreen #import-message { text-style: bold; }
    ImportScreen #import-detail { height: 2; text-style: dim; }
    ImportScreen Listing { padding: 0 1; }
    """
    BINDINGS: ClassVar = [
        Binding("escape,ctrl+r,q", "dismiss", show=False),
        Binding("enter", "act", show=False),
        *MOVES,
        *ENDS,
    ]

    def __init__(self, imported: Imported, study: Study, reread: Reread, take: Take) -> None:
        super().__init__()
        self._imported = imported
        self._options = Options()
        self._study = study
        self._reread = reread
        self._take = take
        self._into = self._places()[0]
        self._items: list[Item] = []
        self._rows: list[str] = []
        self._at = 0
        self._title = Static("", markup=False, id="import-title")
        self._message = Static("", markup=False, id="import-message")
        self._detail = Static("", markup=False, id="import-detail")
        self._listing = Listing()

    def compose(self) -> ComposeResult:
        yield self._title
        yield self._message
        yield self._listing
        yield self._detail
        yield Static("Up, down: choose. Enter: change it, or take in. Esc, ^R: leave.", markup=False)

    def on_mount(self) -> None:
        self.say("")
        self._build()
        self._go_to_next()

    def on_resize(self) -> None:
        self._build()

    # What the owner tells it ---------------------------------------------------------------------

    def show(self, imported: Imported, options: Options) -> None:
        """Show the file as it is understood now."""
        answered = len(imported.questions) < len(self._imported.questions)
        self._imported, self._options = imported, options
        if self._into not in self._places():
            self._into = self._places()[0]
        self.say("")
        self._build()
        if answered:
            self._go_to_next()

    def say(self, sentence: str) -> None:
        """Show one sentence; what is shown of the file stays."""
        self._message.update(printable_words(answers.plain(sentence)))
        self._message.display = bool(sentence)

    # The list ------------------------------------------------------------------------------------

    def _build(self) -> None:
        imported = self._imported
        width = max(20, self.app.size.width - 5)
        about = next((each.ABOUT for each in formats() if imported.format == each.NAME), "")
        self._items = items(imported, self._options, about, self._into)
        lines = [item_line(item, width) for item in self._items]
        self._rows = [*lines, "", *found_lines(imported, width)]
        tally = f": {imported.tally}" if imported.tally.lines else ""
        problems = len(imported.problems)
        below = f". {counted(problems, 'problem')}, more below: End goes there" if problems else ""
        self._title.update(f"{clean(imported.source.name)}{tally}{below}")
        self._redraw()

    def _redraw(self) -> None:
        self._at = min(self._at, len(self._rows) - 1)
        bold = frozenset(place for place, item in enumerate(self._items) if item.asks)
        self._listing.show(self._rows, self._at, bold)
        item = self._item
        self._detail.update(item.detail if item else "Enter on the first line takes the runs in.")

    @property
    def _item(self) -> Item | None:
        return self._items[self._at] if self._at < len(self._items) else None

    def _go_to_next(self) -> None:
        """The first question, else the line that takes the runs in."""
        self._at = next((place for place, item in enumerate(self._items) if item.asks), 0)
        self._redraw()

    def action_move(self, key: str) -> None:
        self._at = moved(self._at, key, self._listing.page, len(self._rows))
        self._redraw()

    # Changes -------------------------------------------------------------------------------------

    def action_act(self) -> None:
        """Do what the chosen line is for."""
        item = self._item
        if item is not None and item.key in self._actions:
            self._actions[item.key](self, item)

    def _read_with(self, options: Options) -> None:
        self._reread(self, options, self._imported.format)

    def _take_in(self, item: Item) -> None:
        if self._imported.questions:
            self._go_to_next()
        elif not self._imported.runs:
            self.say("There is no run to take in: see the problems below, or read it as another format.")
        elif len(self._imported.runs) > MOST_RUNS:
            self.say(
                f"{len(self._imported.runs):,} runs are more than a study holds well ({MOST_RUNS:,}): take "
                "the median of each count, or let `rooflab table` make the table of the file itself."
            )
        else:
            event = RunsImported(
                str(self._imported.source), self._into.experiment, self._imported.experiments()
            )
            self._take(self, event, self._into.new_study)

    def _choose(self, question: str, choices: list[str], then: Callable[[int], None], at: int = 0) -> None:
        def chosen(place: int | None) -> None:
            if place is not None:
                then(place)

        self.app.push_screen(ChoiceScreen(question, choices, at), chosen)

    def _type(self, question: str, text: str, read: Callable[[str], Options]) -> None:
        """Ask for a line that says something about the file."""

        def typed(line: str | None) -> None:
            if line is not None:
                self._read_with(read(line))

        self.app.push_screen(LineScreen(question, text, read), typed)

    def _answer(self, item: Item) -> None:
        question = self._imported.questions[item.place]
        words = choices_of(question)
        if question.about == "count" and not question.choices:
            self._ask_count(question)
        elif not words:
            self.say(f"{question.sentence}: say it in the line of all runs, or in the file.")
        else:

            def then(place: int) -> None:
                if place < len(question.choices):
                    self._read_with(answers.answered(self._options, question.choices[place]))
                else:
                    self._ask_count(question)

            self._choose(item.detail, words, then)

    def _ask_count(self, question: Question) -> None:
        sentence = clean(answers.plain(question.sentence))
        self._type(f"{sentence}. How many?", "", lambda text: self._said_of_all(f"devices={text.strip()}"))

    def _said_of_all(self, text: str) -> Options:
        """The options with numbers of all runs, as `devices=16 dp=4`; an empty text takes all back.

        Raises:
            ValueError: with one sentence when they cannot be read.
        """
        options = self._options
        if not text.strip():
            kept = tuple(one for one in options.mapping if not one.column.isdecimal())
            return replace(options, mapping=kept)
        for statement in text.split():
            if not statement.partition("=")[2].isdecimal():
                raise ValueError(f"read {statement[:40]!r}, expected a name and a number, as devices=16")
            try:
                options = answers.mapped(options, statement)
            except roles.BadMap as error:
                raise ValueError(answers.plain(str(error))) from error
        return options

    def _of_all(self, item: Item) -> None:
        said = (f"{one.role}={one.column}" for one in self._options.mapping if one.column.isdecimal())
        question = "What holds for all runs, as devices=16 global_batch=512; empty: nothing more."
        self._type(question, " ".join(said), self._said_of_all)

    def _change_format(self, item: Item) -> None:
        names = [each.NAME for each in formats()]

        def then(place: int) -> None:
            self._reread(self, Options(family=self._options.family), names[place])

        lines = format_lines()
        at = names.index(self._imported.format) if self._imported.format in names else 0
        self._choose("Read the file as:", lines, then, at)

    def _change_family(self, item: Item) -> None:
        from tui.importers.imported import family_question

        choices = family_question("").choices
        families = [part.family for part in self._imported.parts]
        at = _FAMILIES.index(families[0]) if families and families[0] else 0
        self._choose(
            "What are the runs compared as?",
            [choice.words for choice in choices],
            lambda place: self._read_with(answers.answered(self._options, choices[place])),
            at,
        )

    def _change_repeats(self, item: Item) -> None:
        other = "steps" if self._imported.repeats == "jobs" else "jobs"
        self._read_with(answers.mapped(self._options, f"repeats={other}"))

    def _change_decimal(self, item: Item) -> None:
        other = "point" if self._options.decimal == "comma" else "comma"
        self._read_with(answers.mapped(self._options, f"decimal={other}"))

    def _change_window(self, item: Item) -> None:
        chosen = self._options.window
        text = f"{chosen[0]}:{chosen[1]} {self._options.window_reason}" if chosen else ""
        question = "First and last iteration that count, then why: 100:400 after the warm-up. Empty: all."
        self._type(question, text, lambda line: answers.with_window(self._options, line))

    # Columns -------------------------------------------------------------------------------------

    def _change_column(self, item: Item) -> None:
        column = self._imported.columns[item.place]
        names = list(roles.names_of_columns())
        lines = [f"{_AS_TAKEN}", *(f"{name}: {words}" for name, words in roles.names_of_columns().items())]

        def then(place: int) -> None:
            if place == 0:
                self._read_with(answers.without_column(self._options, column))
            elif names[place - 1] in _TIMED:
                self._change_unit(item.place, names[place - 1])
            else:
                self._map(item.place, names[place - 1])

        at = 1 + names.index(column.role) if column.role in names else 0
        self._choose(f"What is {clean(column.name)}?", lines, then, at)

    def _change_unit(self, place: int, role: str) -> None:
        units = [*roles.TIME_UNITS, *roles.CLOCKS]
        column = self._imported.columns[place]
        at = 1 + units.index(column.unit) if column.unit in units else 0
        lines = ["as the heading or the cells say", *units]
        self._choose(
            f"In what unit is {clean(column.name)}?",
            lines,
            lambda chosen: self._map(place, role, units[chosen - 1] if chosen else ""),
            at,
        )

    def _map(self, place: int, role: str, unit: str = "") -> None:
        self._read_with(answers.with_column(self._options, self._imported.columns, place, role, unit))

    # Where the runs go ---------------------------------------------------------------------------

    def _places(self) -> list[Into]:
        """Where the runs may go, what is done mostly first."""
        families = {part.family for part in self._imported.parts}
        many = len(self._imported.parts) > 1
        new = f"{len(self._imported.parts)} new experiments" if many else "a new experiment"
        if not self._study.experiment:
            return [Into(new)]
        fitting = [each for each in self._study.experiment if {each.family} == families and not many]
        there = [Into(f"the experiment {clean(each.name)}", each.name) for each in fitting]
        return [Into(f"{new} of this study"), *there, Into("a new study", new_study=True)]

    def _change_into(self, item: Item) -> None:
        places = self._places()

        def then(place: int) -> None:
            self._into = places[place]
            self._build()

        self._choose("Where do the runs go?", [each.words for each in places], then, places.index(self._into))

    _actions: ClassVar[dict[str, Callable[[ImportScreen, Item], None]]] = {
        "take": _take_in,
        "question": _answer,
        "format": _change_format,
        "family": _change_family,
        "into": _change_into,
        "repeats": _change_repeats,
        "decimal": _change_decimal,
        "all": _of_all,
        "window": _change_window,
        "column": _change_column,
    }
