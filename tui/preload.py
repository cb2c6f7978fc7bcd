"""What is loaded on a thread, because on the event loop it would hold up keys for 100 to 300 ms.

plotext comes after the first frame; studies and exercises, which take 6 MB, when one of their tabs is looked
at or was asked for at the start; and numpy, which only measured runs need and which takes 11 MB, with them.
"""

from __future__ import annotations

import asyncio
import sys
import threading
from collections.abc import Callable
from importlib import import_module

STUDIES = ("tui.study_owner",)
"""What opens and shows studies."""
EXERCISES = (*STUDIES, "tui.exercise_owner", "tui.tabs.exercises")
"""What lists and opens exercises, which have tables too."""


def after_first_frame(
    first: tuple[str, ...], opening: Callable[[], None], curves_ready: Callable[[str], None]
) -> None:
    """Load the curves and what was asked for on a thread of its own, on which both callbacks are called.

    Args:
        first: what is needed before anything else, to open what was asked for at the start.
        opening: called when that is loaded.
        curves_ready: called when curves can be drawn, with a sentence where plotext cannot be loaded.
    """

    def load() -> None:
        from tui.plotting import canvas

        for module in first:
            import_module(module)
        opening()
        try:
            canvas.load()
        except canvas.CanvasUnavailable as error:
            curves_ready(str(error))
        else:
            curves_ready("")
        import_module("tui.guide.recorder")  # the first event is stored with it

    _on_a_thread(load)


async def for_page(modules: tuple[str, ...]) -> None:
    """Load what a page is made of, and go on when that is done; the screen is drawn meanwhile."""
    if not all(module in sys.modules for module in modules):
        await asyncio.to_thread(lambda: [import_module(module) for module in modules])


def for_runs() -> None:
    """Load what judges measured runs."""
    _on_a_thread(lambda: import_module("numpy"))


def _on_a_thread(load: Callable[[], object]) -> None:
    threading.Thread(target=load, name="rooflab-imports", daemon=True).start()
