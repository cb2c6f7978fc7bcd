"""What is to be said of the row under the cursor, in as many rows as there is room for."""

from __future__ import annotations

from collections.abc import Sequence

from rich.text import Text

from tui.widgets.lines import Line


class Judgements(Line):
    """Sentences, the gravest first; where they do not fit, the last row says how to see them all."""

    def __init__(self) -> None:
        super().__init__("", markup=False, id="runs-flags")
        self._sentences: Sequence[str] = ()

    def show_all(self, sentences: Sequence[str]) -> None:
        """Show other sentences."""
        self._sentences = sentences
        self._fit()

    def on_resize(self) -> None:
        self._fit()

    def _fit(self) -> None:
        width, room = max(20, self.app.size.width - 2), max(1, self.size.height)
        rows = [
            str(row).rstrip() for each in self._sentences for row in Text(each).wrap(self.app.console, width)
        ]
        if len(rows) > room:
            more = f"  ... f: all {len(self._sentences)}"
            rows = [*rows[: room - 1], rows[room - 1][: width - len(more)] + more]
        self.show("\n".join(rows))
