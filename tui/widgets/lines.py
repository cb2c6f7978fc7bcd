"""Lines of text that change often: they never lay the screen out anew unless they need another row.

A layout costs tens of milliseconds on a loaded login node and sends rows that did not change.
"""

from __future__ import annotations

from rich.cells import cell_len
from rich.text import Text
from textual.widgets import Input, Static

from tui.commands import COMMANDS, shown_key


class Line(Static):
    """A Static of a fixed size."""

    def show(self, content: str | Text) -> None:
        """Show other content in the same room; the same content is not drawn again."""
        if content != self.content:
            self.update(content, layout=False)


class FittingLine(Line):
    """A sentence of one row, or a shorter one where the screen is too narrow for it."""

    def __init__(self, sentence: str, shorter: str, *, id: str) -> None:
        super().__init__("", markup=False, id=id)
        self._sentence = sentence
        self._shorter = shorter

    def render(self) -> str:
        return self._sentence if cell_len(self._sentence) <= self.content_size.width else self._shorter


class MessageLine(Line):
    """The one message line; a long sentence takes more rows for as long as it stands, never a cut."""

    def __init__(self, sentence: str, id: str = "message") -> None:
        super().__init__(sentence, markup=False, id=id)
        self._sentence = sentence

    def say(self, sentence: str) -> None:
        """Show one sentence."""
        self._sentence = sentence
        self.show(sentence)
        self._fit()

    def on_resize(self) -> None:
        self._fit()

    def _fit(self) -> None:
        width = max(1, self.content_size.width or self.app.size.width - 2)
        rows = len(Text(self._sentence).wrap(self.app.console, width)) or 1
        if self.styles.height is None or self.styles.height.value != rows:
            self.styles.height = rows


_FIRST = ("quit", "help")


class KeyBar(Line):
    """The last row: the keys of the tab in front, as many as fit whole."""

    def __init__(self) -> None:
        super().__init__("", markup=False, id="keys")
        self._tab = ""

    def on_mount(self) -> None:
        self.watch(self.screen, "focused", self._redraw, init=False)
        self.watch(self.screen, "behind", self._redraw, init=False)
        self.watch(self.app, "attempt", self._redraw, init=False)

    def show_tab(self, tab: str) -> None:
        """Show the footer commands that work on this tab."""
        self._tab = tab
        self._redraw()

    def on_resize(self) -> None:
        self._redraw()

    def _redraw(self) -> None:
        text, room = Text(no_wrap=True), self.content_size.width
        typing = isinstance(self.screen.focused, Input)
        guided = getattr(self.app, "attempt", None) is not None
        behind = getattr(self.screen, "behind", False)
        # In an exercise its own keys come first, behind quit and help.
        late = [guided and each.id not in _FIRST and not each.exercise for each in COMMANDS]
        for _, command in sorted(zip(late, COMMANDS, strict=True), key=lambda each: each[0]):
            if not command.footer or (command.exercise and not guided):
                continue
            if behind and command.id != "quit":
                continue  # a dialog takes all keys but that one
            if command.tabs and self._tab not in command.tabs:
                continue
            if typing and len(command.keys[0]) == 1:
                continue  # a letter is typed into the field that has the focus
            entry = Text.assemble((shown_key(command.keys[0]), "bold"), f" {command.label}  ")
            if cell_len(text.plain) + cell_len(entry.plain.rstrip()) <= room:
                text.append_text(entry)
        self.show(text)
