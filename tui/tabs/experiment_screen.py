"""e and w: which experiment is shown, and what holds for all of its runs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import ClassVar

from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Input, Label, Static

from tui.model.experiment_text import FormField
from tui.model.run_text import EditError, printable_words
from tui.widgets.lines import Line


class ExperimentPicker(ModalScreen[int | None]):
    """A list of experiments and, last, a new one; digits or up and down and Enter choose.

    Args:
        lines: one for each experiment, then one for each family of which there may be a new one.
        at: the one that is shown now.
    """

    BINDINGS: ClassVar = [
        Binding("escape,q,e,ctrl+r", "dismiss", show=False),
        Binding("up", "move(-1)", show=False),
        Binding("down", "move(1)", show=False),
        Binding("enter", "choose", show=False),
        *(Binding(str(digit), f"pick({digit})", show=False) for digit in range(1, 10)),
    ]

    def __init__(self, lines: list[str], at: int) -> None:
        super().__init__()
        self._lines = lines
        self._at = at

    def compose(self) -> ComposeResult:
        with VerticalScroll(id="dialog"):
            yield Static("Experiments: a digit, or up, down and Enter. Esc or q closes.\n", markup=False)
            yield Static("", id="choices")

    def on_mount(self) -> None:
        self._redraw()

    def _redraw(self) -> None:
        text = Text(no_wrap=True, overflow="ellipsis")
        for place, line in enumerate(self._lines):
            number = f"{place + 1}" if place < 9 else " "
            text.append(f"{number} {printable_words(line)}\n", style="reverse" if place == self._at else "")
        self.query_one("#choices", Static).update(text)

    def action_move(self, by: int) -> None:
        self._at = max(0, min(self._at + by, len(self._lines) - 1))
        self._redraw()

    def action_choose(self) -> None:
        self.dismiss(self._at)

    def action_pick(self, digit: int) -> None:
        if digit <= len(self._lines):
            self.dismiss(digit - 1)


class ExperimentForm(ModalScreen[Mapping[str, str] | None]):
    """The form of one experiment; Enter takes all of it, Tab goes on, Esc gives it up.

    An empty field shows its hint, and the last line that of the field one is in: behind a field it would
    leave no room for what is typed.

    Args:
        title: what is declared.
        fields: the fields in order.
        texts: what stands in them at first.
        check: raises an `EditError` where the texts cannot be taken.
    """

    BINDINGS: ClassVar = [
        Binding("escape,ctrl+r", "dismiss", show=False),
        Binding("up", "app.focus_previous", show=False),
        Binding("down", "app.focus_next", show=False),
    ]

    def __init__(
        self,
        title: str,
        fields: tuple[FormField, ...],
        texts: Mapping[str, str],
        check: Callable[[Mapping[str, str]], None],
    ) -> None:
        super().__init__()
        self._title = title
        self._fields = fields
        self._inputs = {
            field.key: Input(texts.get(field.key, ""), f"({field.hint})", compact=True, select_on_focus=False)
            for field in fields
        }
        self._check = check
        self._before = self.texts

    def compose(self) -> ComposeResult:
        with Vertical(id="dialog"):
            yield Static(Text(self._title, style="bold"))
            yield Static("Tab or down: next. Enter takes all of it. Esc or ctrl+r: nothing.", markup=False)
            yield Static("", markup=False, id="dialog-message")
            with VerticalScroll(id="form", can_focus=False):
                for field in self._fields:
                    with Horizontal(classes="form-row"):
                        yield Label(field.label, markup=False, classes="form-label")
                        yield self._inputs[field.key]
            yield Line("", markup=False, id="form-hint")

    def on_mount(self) -> None:
        for field in self._inputs.values():
            field.cursor_blink = False
        self.set_focus(next(iter(self._inputs.values())))

    def on_descendant_focus(self) -> None:
        for field in self._fields:
            if self.focused is self._inputs[field.key]:
                self.query_one("#form-hint", Line).show(f"{field.label}: {field.hint}")

    @property
    def texts(self) -> dict[str, str]:
        """What stands in the fields."""
        return {key: field.value for key, field in self._inputs.items()}

    @property
    def changed(self) -> bool:
        """Whether something was typed."""
        return self.texts != self._before

    @on(Input.Submitted)
    def _take(self) -> None:
        texts = self.texts
        try:
            self._check(texts)
        except EditError as error:
            self.query_one("#dialog-message", Static).update(error.sentence)
            if error.field in self._inputs:
                self.set_focus(self._inputs[error.field])
            return
        self.dismiss(texts)
