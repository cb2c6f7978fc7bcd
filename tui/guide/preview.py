"""Every step as a learner sees it, at a given size, with what does not fit marked."""

from __future__ import annotations

from dataclasses import dataclass

from tui.guide import pages
from tui.guide.exercise import Exercise
from tui.guide.state import begin
from tui.guide.wrapping import wrap

MARK = "»"
"""Stands before what is too wide."""


@dataclass(frozen=True)
class Preview:
    """All pages of an exercise."""

    lines: tuple[str, ...]
    overflows: tuple[str, ...]
    """One sentence for each page that does not fit."""


def preview(exercise: Exercise, width: int, height: int) -> Preview:
    """The pages of an exercise at a size in columns and rows; one row is the prompt's."""
    session, script = begin(exercise), exercise.script
    sheets = [("preamble", wrap(script.preamble, width))]
    for place, step in enumerate(script.step):
        sheets.append((f'step {place + 1} "{step.id}"', pages.page(session, place, width)))
    sheets.append(("closing", wrap(script.closing, width)))
    lines: list[str] = []
    overflows = []
    for name, sheet in sheets:
        if not sheet:
            continue
        wide = [line for line in sheet if len(line) > width]
        if wide:
            overflows.append(f"{name}: {max(map(len, wide))} columns, {width} fit")
        if len(sheet) > height - 1:
            overflows.append(f"{name}: {len(sheet)} rows, {height - 1} fit above the prompt")
        lines += [f"{'-' * 8} {name}", *((MARK + line if line in wide else line) for line in sheet), ""]
    return Preview(tuple(lines), tuple(overflows))
