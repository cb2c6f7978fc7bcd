"""Text of a page as lines of styled spans: paragraphs, facts, and tables whose first columns stay."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from rich.cells import cell_len

from tui.files.report_text import wrapped
from tui.model.run_text import printable_words
from tui.widgets.columns import cut
from tui.widgets.efficiency_table import GAP, Line

MORE = " >"
"""Behind the headings of a table that goes on to the right."""


@dataclass(frozen=True)
class PageLines:
    """What one page shows.

    Attributes:
        head: the line that stays when the others scroll.
        lines: the others.
        rows: places of the lines that the cursor can stand on.
        more: whether right would show more of it.
    """

    lines: tuple[Line, ...]
    head: Line = ()
    rows: tuple[int, ...] = ()
    more: bool = False

    def then(self, lines: Sequence[Line]) -> PageLines:
        """The same with more lines below, after an empty one."""
        return PageLines((*self.lines, (), *lines), self.head, self.rows, self.more) if lines else self


def sentence(text: str) -> str:
    """A sentence of the model with its capital and its full stop."""
    stop = "" if text.endswith((".", "?", "!")) else "."
    return f"{text[:1].upper()}{text[1:]}{stop}"


def paragraphs(sentences: Sequence[str], width: int, style: str = "") -> list[Line]:
    """Sentences, each from a line of its own on; an empty one is an empty line."""
    return [
        ((line, style),)
        for each in sentences
        for line in (wrapped(printable_words(each), " ", max(10, width - 1)) or [""])
    ]


def remarks(sentences: Sequence[str], width: int) -> list[Line]:
    """Sentences as a list."""
    return [((line, ""),) for each in sentences for line in wrapped(printable_words(each), " - ", width - 1)]


def facts(named: Sequence[tuple[str, str]], width: int) -> list[Line]:
    """Names and, beside them, what is to be said of each."""
    longest = max((cell_len(name) for name, _ in named), default=0)
    lines: list[Line] = []
    for name, said in named:
        gap = " " * (longest - cell_len(name))
        first, *others = wrapped(printable_words(said), " " * (longest + 3), width - 1) or [""]
        lines.append(((f" {name}{gap}  ", "head"), (first.lstrip(), "")))
        lines += [((other, ""),) for other in others]
    return lines


@dataclass(frozen=True)
class Grid:
    """A small table.

    Attributes:
        titles: above its columns.
        rows: as many cells each.
        words: so many columns from the left are words, set left; the others are numbers.
        pinned: so many columns from the left stay when the others are scrolled.
        styles: of each row, as far as it has one of its own.
        tail: whether the last column holds words too.
    """

    titles: Sequence[str]
    rows: Sequence[Sequence[str]]
    words: int = 1
    pinned: int = 1
    styles: Sequence[str] = field(default=())
    tail: bool = False

    def page(self, width: int, shift: int = 0, *, cursor: bool = False, widest: int = 24) -> PageLines:
        """Its lines in so many cells; with `cursor` the rows can be chosen."""
        cells = [[cut(printable_words(cell), widest) for cell in row] for row in (self.titles, *self.rows)]
        widths = [max(cell_len(row[at]) for row in cells) for at in range(len(self.titles))]
        shown = self._visible(widths, width, shift)
        more = shown[-1] < len(widths) - 1
        texts = [self._aligned(row, widths, shown) for row in cells]
        styles = [*self.styles, *[""] * (len(self.rows) - len(self.styles))]
        lines = tuple(((text, style),) for text, style in zip(texts[1:], styles, strict=True))
        places = tuple(range(len(lines))) if cursor else ()
        return PageLines(lines, ((texts[0] + (MORE if more else ""), "head"),), places, more)

    def lines(self, width: int, shift: int = 0) -> list[Line]:
        """Its lines with the titles among them, to stand below something else."""
        page = self.page(width, shift)
        return [page.head, *page.lines]

    def _visible(self, widths: Sequence[int], width: int, shift: int) -> list[int]:
        """The columns that fit whole, the pinned ones always among them, and one more at least."""
        shown = list(range(min(self.pinned, len(widths))))
        room = width - 1 - len(MORE) - sum(widths[at] + len(GAP) for at in shown)
        rest = range(self.pinned, len(widths))
        for at in rest[min(shift, max(0, len(rest) - 1)) :]:
            if widths[at] > room and len(shown) > self.pinned:
                break
            shown.append(at)
            room -= widths[at] + len(GAP)
        return shown

    def _aligned(self, row: Sequence[str], widths: Sequence[int], shown: Sequence[int]) -> str:
        parts = []
        for at in shown:
            padding = " " * max(0, widths[at] - cell_len(row[at]))
            left = at < self.words or (self.tail and at == len(widths) - 1)
            parts.append(row[at] + padding if left else padding + row[at])
        return " " + GAP.join(parts).rstrip()
