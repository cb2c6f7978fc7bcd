"""One of several, chosen from a list; and one line that is typed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Vertical, VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Input, Static

from tui.model.run_text import printable_words
from tui.widgets.listing import Listing, moved

MOVES = [Binding(key, f"move('{key}')", show=False) for key in ("up", "down", "pageup", "pagedown")]
"""Keys that every list understands."""
ENDS = [Binding(key, f"move('{key}')", show=False) for key in ("home", "end")]


class ChoiceScreen(ModalScreen[int | None]):
    """A question and its answers; a digit, or up, down and Enter choose.

    Args:
        question: what is asked, plain text.
        answers: one line each.
        at: the one that is chosen at first.
        words: plain text above the answers, one line each; PgUp and PgDn scroll it.
    """

    DEFAULT_CSS = """
    ChoiceScreen { align: center middle; }
    ChoiceScreen #choice-words { height: auto; }
    """
    BINDINGS: ClassVar = [
        Binding("escape,q,ctrl+r,f2", "dismiss", show=False),
        Binding("enter", "choose", show=False),
        *MOVES,
        *ENDS,
        *(Binding(str(digit), f"pick({digit})", show=False) for digit in range(1, 10)),
    ]

    def __init__(
        self, question: str, answers: Sequence[str], at: int = 0, words: Sequence[str] = ()
    ) -> None:
        super().__init__()
        self._words = words
        self._question = printable_words(question)
        self._answers = [
            f"{place if place < 10 else ' '} {printable_words(each)}" for place, each in enumerate(answers, 1)
        ]
        self._at = at
        self._listing = Listing()

    def compose(self) -> ComposeResult:
        with Vertical(id="dialog"):
            yield Static(self._question, markup=False)
            if self._words:
                with VerticalScroll(id="choice-words", can_focus=False):
                    yield Static("\n".join(self._words), markup=False)
            yield self._listing
            yield Static("A digit, or up, down and Enter. Esc or ctrl+r: nothing changes.", markup=False)

    def on_mount(self) -> None:
        self._fit()

    def on_resize(self) -> None:
        self._fit()

    def _fit(self) -> None:
        width = max(20, min(100, self.app.size.width) - 4)
        room = self.app.size.height - (1 + len(self._question) // width) - 4
        answers = min(len(self._answers), max(3, room if not self._words else room - 4))
        self._listing.styles.height = answers
        for words in self.query("#choice-words"):
            words.styles.max_height = max(2, room - answers)
        self._listing.show(self._answers, self._at)

    def action_move(self, key: str) -> None:
        if self._words and key in ("pageup", "pagedown"):
            words = self.query_one("#choice-words", VerticalScroll)
            by = max(1, words.size.height - 1)
            words.scroll_relative(y=-by if key == "pageup" else by, animate=False)
            return
        self._at = moved(self._at, key, self._listing.page, len(self._answers))
        self._listing.show(self._answers, self._at)

    def action_choose(self) -> None:
        self.dismiss(self._at)

    def action_pick(self, digit: int) -> None:
        if digit <= len(self._answers):
            self.dismiss(digit - 1)


class LineScreen(ModalScreen[str | None]):
    """One line to type; it stays until it is taken or given up.

    Args:
        question: what to type, plain text.
        text: what stands in the line at first.
        take: raises a `ValueError` with one sentence where the line cannot be taken.
    """

    DEFAULT_CSS = "LineScreen { align: center middle; }"
    BINDINGS: ClassVar = [Binding("escape,ctrl+r", "dismiss", show=False)]

    def __init__(self, question: str, text: str, take: Callable[[str], object]) -> None:
        super().__init__()
        self._question = printable_words(question)
        self._text = text
        self._take = take

    def compose(self) -> ComposeResult:
        with Vertical(id="dialog"):
            yield Static(self._question, markup=False)
            field = Input(self._text, compact=True, select_on_focus=False, id="path")
            field.cursor_blink = False
            yield field
            yield Static("", markup=False, id="dialog-message")
            yield Static("Enter takes it. Esc or ctrl+r: nothing changes.", markup=False)

    def on_mount(self) -> None:
        self.set_focus(self.query_one("#path"))

    @on(Input.Submitted)
    def _submit(self, event: Input.Submitted) -> None:
        try:
            self._take(event.value)
        except ValueError as error:
            self.query_one("#dialog-message", Static).update(printable_words(str(error)))
        else:
            self.dismiss(event.value)
