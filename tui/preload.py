"""What is loaded on a thread after the first frame, because on the event loop it would hold up keys.

plotext and numpy take 120 to 210 ms there; what a study needs comes first where one is to be opened.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from importlib import import_module


def start(opening: Callable[[], None] | None, curves_ready: Callable[[str], None]) -> None:
    """Load on a thread of its own, on which both callbacks are called.

    Args:
        opening: called when a study can be opened; None where none is to be.
        curves_ready: called at the end, with a sentence where plotext cannot be loaded.
    """

    def load() -> None:
        from tui.plotting import canvas

        if opening is not None:
            import_module("tui.study_owner")
            opening()
        try:
            canvas.load()
        except canvas.CanvasUnavailable as error:
            sentence = str(error)
        else:
            sentence = ""
        import_module("tui.study_owner")
        import_module("numpy")
        curves_ready(sentence)

    threading.Thread(target=load, name="rooflab-imports", daemon=True).start()
