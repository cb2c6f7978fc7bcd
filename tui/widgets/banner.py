"""The line above the page for what holds until it is mended, as a file that cannot be written."""

from __future__ import annotations

from textual.widgets import Static


class Banner(Static):
    """One sentence for each thing that is the matter; no row at all while there is none."""

    def __init__(self) -> None:
        super().__init__("", markup=False, id="trouble")
        self._sentences: dict[str, str] = {}

    def say(self, about: str, sentence: str) -> None:
        """Say what is the matter with something; an empty sentence takes it away."""
        if self._sentences.get(about, "") == sentence:
            return
        self._sentences[about] = sentence
        self.update("\n".join(filter(None, self._sentences.values())))
        self.display = any(self._sentences.values())
