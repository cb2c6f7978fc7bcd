"""What is loaded on a thread, because on the event loop it would hold up keys for 100 to 300 ms.

plotext comes after the first frame; numpy, which only measured runs need and which takes 11 MB, when their
tabs are looked at.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from importlib import import_module


def after_first_frame(opening: Callable[[], None] | None, curves_ready: Callable[[str], None]) -> None:
    """Load the curves, and what opens studies, on a thread of its own, on which both callbacks are called.

    Args:
        opening: called when a study can be opened; None where none is to be.
        curves_ready: called when curves can be drawn, with a sentence where plotext cannot be loaded.
    """

    def load() -> None:
        from tui.plotting import canvas

        if opening is not None:
            import_module("tui.study_owner")
            opening()
        try:
            canvas.load()
        except canvas.CanvasUnavailable as error:
            curves_ready(str(error))
        else:
            curves_ready("")
        import_module("tui.study_owner")

    _on_a_thread(load)


def for_runs() -> None:
    """Load what judges measured runs."""
    _on_a_thread(lambda: import_module("numpy"))


def _on_a_thread(load: Callable[[], object]) -> None:
    threading.Thread(target=load, name="rooflab-imports", daemon=True).start()
