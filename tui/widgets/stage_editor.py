"""The edit line of the Limits tab: the count, its step time, and a field for the seconds of each stage."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len
from textual.containers import Vertical
from textual.widgets import Input

from tui.model.line_fields import LineField
from tui.model.run_text import printable_words
from tui.model.stage_edits import SECONDS
from tui.widgets.columns import cut
from tui.widgets.lines import Line
from tui.widgets.runs_editor import LineInput, RunsEditor

_FIRST = (LineField("devices", "devices", 8), LineField("times_s", "step s", 10))
_WIDEST = 13


class StageEditor(RunsEditor):
    """An edit line whose fields follow the stages of the experiment."""

    def __init__(self) -> None:
        super().__init__(_FIRST)
        self._names: tuple[str, ...] = ()

    @property
    def has_stages(self) -> bool:
        """Whether the line has a field for any stage."""
        return bool(self._names)

    async def fit(self, names: Sequence[str]) -> None:
        """Give the line a field for each of these stages; what was typed stays, in a renamed one too."""
        if tuple(names) == self._names:
            return
        typed, focused = self._typed_for(names), self.focused_field
        before, self._names = self._names, tuple(names)
        for name in before:
            key = SECONDS + name
            await self._boxes.pop(key).remove()
            del self._inputs[key], self._labels[key], self._widths[key]
        for place, name in enumerate(names):
            await self.query_one("#fields").mount(self._new_box(place, name))
        for key, text in typed.items():
            with self._inputs[key].prevent(Input.Changed):
                self._inputs[key].value = text
        if focused is not None:
            self.focus_field(focused.key)

    def _new_box(self, place: int, name: str) -> Vertical:
        key, title = SECONDS + name, cut(printable_words(name), _WIDEST)
        field = LineInput(f"stage{place}")
        field.key = key
        self._inputs[key] = field
        self._labels[key] = Line(title, markup=False, classes="label")
        self._widths[key] = max(7, cell_len(title))
        box = Vertical(self._labels[key], field, classes="box")
        box.styles.width = self._widths[key] + 1
        self._boxes[key] = box
        return box

    def _typed_for(self, names: Sequence[str]) -> dict[str, str]:
        texts = {key: field.value for key, field in self._inputs.items() if key.startswith(SECONDS)}
        pairs = list(zip(self._names, names, strict=False))
        changed = [(old, new) for old, new in pairs if old != new]
        if len(self._names) == len(names) and len(changed) == 1:
            ((old, new),) = changed
            texts[SECONDS + new] = texts.pop(SECONDS + old)
            if SECONDS + old in self._before:
                self._before[SECONDS + new] = self._before.pop(SECONDS + old)
        return {SECONDS + name: texts.get(SECONDS + name, "") for name in names}
