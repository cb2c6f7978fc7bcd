"""The edit line: one field for each thing a run says, and a question that may stand in its place."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal, HorizontalScroll, Vertical
from textual.events import Paste
from textual.message import Message
from textual.widgets import Input

from tui.model.line_fields import LineField
from tui.model.pasted import looks_like_rows
from tui.widgets.lines import Line


class LineInput(Input):
    """A one-row field that takes any text; rows pasted into it are handed on instead of being cut."""

    BINDINGS: ClassVar = [
        Binding("ctrl+j", "submit", show=False),  # a line feed typed by a paste without brackets
        Binding("escape", "revert", show=False),
        Binding("up", "other_run(-1)", show=False),
        Binding("down", "other_run(1)", show=False),
    ]

    class RowsPasted(Message):
        """Several lines were pasted into the field."""

        def __init__(self, text: str) -> None:
            super().__init__()
            self.text = text

    class Asked(Message):
        """A key of the field that the whole line answers: `revert`, `previous` or `next`."""

        def __init__(self, what: str) -> None:
            super().__init__()
            self.what = what

    def __init__(self, key: str) -> None:
        super().__init__(compact=True, select_on_focus=False, classes=f"field-{key}")
        self.cursor_blink = False
        self.key = key

    def on_paste(self, event: Paste) -> None:
        if looks_like_rows(event.text):
            event.stop()
            event.prevent_default()
            self.post_message(self.RowsPasted(event.text))

    def action_revert(self) -> None:
        self.post_message(self.Asked("revert"))

    def action_other_run(self, by: int) -> None:
        self.post_message(self.Asked("next" if by > 0 else "previous"))


class RunsEditor(Horizontal):
    """The edit line of one family.

    Args:
        fields: its fields in order; those that find no room are reached by scrolling with Tab.
    """

    class Committed(Message):
        """Enter was pressed: the line is to be taken."""

    class Left(Message):
        """A field was left."""

    def __init__(self, fields: tuple[LineField, ...]) -> None:
        super().__init__(id="editor")
        self._inputs = {field.key: LineInput(field.key) for field in fields}
        self._labels = {field.key: Line(field.label, markup=False, classes="label") for field in fields}
        self._widths = {field.key: field.width for field in fields}
        self._boxes: dict[str, Vertical] = {}
        self._mode = Line("new\nrun", markup=False, id="mode")
        self._more = Line("", markup=False, id="more")
        self._before: dict[str, str] = {}
        self._covered: frozenset[str] = frozenset()
        self._new = True
        self._said: dict[str, str] = {}

    def compose(self) -> ComposeResult:
        yield self._mode
        with HorizontalScroll(id="fields", can_focus=False):
            for key, field in self._inputs.items():
                box = Vertical(self._labels[key], field, classes="box")
                box.styles.width = self._widths[key] + 1
                self._boxes[key] = box
                yield box
        yield self._more

    def on_mount(self) -> None:
        self.watch(self.query_one("#fields"), "scroll_x", self._mark_more)
        self.watch(self.query_one("#fields"), "virtual_size", self._mark_more)

    def on_resize(self) -> None:
        self._mark_more()

    def _mark_more(self) -> None:
        """Say at the right edge that there are more fields, which Tab reaches."""
        fields = self.query_one("#fields")
        self._more.show(">" if fields.scroll_x < fields.max_scroll_x else "")

    # What the tab asks for -----------------------------------------------------------------------

    def call_devices(self, word: str) -> None:
        """Name the count as the experiment does."""
        self._labels["devices"].show(word[: self._widths["devices"]])

    def show_only(self, keys: Sequence[str]) -> None:
        """Leave out the fields that the family shown now has no use for."""
        for key, box in self._boxes.items():
            box.display = key in keys

    def cover(self, keys: frozenset[str]) -> None:
        """Show what runs say in these fields as dots; what is typed for a new run stays readable."""
        self._covered = keys
        for key, field in self._inputs.items():
            field.password = key in keys and not self._new

    def load(self, texts: Mapping[str, str], *, new: bool, as_typed: bool = False) -> None:
        """Put texts into the fields; what `changed` compares with.

        Args:
            new: they are for a new run, not a change of one.
            as_typed: they were typed and not committed, so they count as changed.
        """
        for key, field in self._inputs.items():
            with field.prevent(Input.Changed):  # nobody typed it, so nothing is said of how it is read
                field.value = texts.get(key, "")
            field.cursor_position = len(field.value)
        self._new = new
        if new and self.is_mounted:
            self.query_one("#fields").scroll_to(x=0, animate=False)
        self.cover(self._covered)
        self._mode.show("new\nrun" if new else "edit\nrun")
        self._before = {} if as_typed else {key: text for key, text in texts.items() if text}
        self._said = dict(self.texts)

    @property
    def texts(self) -> dict[str, str]:
        """The texts of the fields that are not empty."""
        return {
            key: field.value
            for key, field in self._inputs.items()
            if field.value.strip() and self._boxes[key].display
        }

    @property
    def changed(self) -> bool:
        """Whether something was typed that is not committed."""
        return self.texts != self._before

    @property
    def has_news(self) -> bool:
        """Whether the line differs from what it was when this was last asked; then it is kept."""
        said, self._said = self._said, self.texts
        return self.changed and said != self._said

    def focus_field(self, key: str = "devices") -> None:
        """Put the focus into a field, at once."""
        self.screen.set_focus(self._inputs.get(key, self._inputs["devices"]))

    @property
    def focused_field(self) -> LineInput | None:
        """The field that has the focus."""
        focused = self.screen.focused
        return focused if isinstance(focused, LineInput) and focused in self._inputs.values() else None

    # Keys ----------------------------------------------------------------------------------------

    @on(Input.Submitted)
    def _commit(self, event: Input.Submitted) -> None:
        event.stop()
        self.post_message(self.Committed())

    @on(Input.Blurred)
    def _leave(self, event: Input.Blurred) -> None:
        event.stop()
        self.post_message(self.Left())


class Question(Horizontal):
    """One question with one field for the answer; empty where it only waits for a yes."""

    class Answered(Message):
        """Enter was pressed."""

        def __init__(self, text: str) -> None:
            super().__init__()
            self.text = text

    class Dropped(Message):
        """Esc was pressed: nothing is to be done."""

    def __init__(self) -> None:
        super().__init__(id="question")
        self._words = Line("", markup=False, id="question-words")
        self._input = LineInput("answer")

    def compose(self) -> ComposeResult:
        yield self._words
        yield self._input

    def ask(self, words: str, answer: str = "") -> None:
        """Show a question and put the focus into its field."""
        self._words.update(Text(words, style="bold"))
        self._input.value = answer
        self._input.cursor_position = len(answer)
        self.display = True
        self.screen.set_focus(self._input)

    @on(Input.Submitted)
    def _answer(self, event: Input.Submitted) -> None:
        event.stop()
        self.display = False
        self.post_message(self.Answered(event.value.strip()))

    @on(LineInput.Asked)
    def _drop(self, event: LineInput.Asked) -> None:
        event.stop()
        if event.what == "revert":
            self.drop()

    def drop(self) -> None:
        """Take the question back unanswered."""
        self.display = False
        self.post_message(self.Dropped())

    @on(Input.Blurred)
    def _leave(self, event: Input.Blurred) -> None:
        event.stop()
        if self.display:
            self.drop()  # a question that has lost the focus cannot be answered any more
