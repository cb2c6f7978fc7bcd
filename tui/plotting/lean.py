"""Imports plotext without what no curve needs: its manual, its own tests, packages for pictures and videos.

`import plotext` composes a manual of all its functions (three fifths of the time it takes, and 3 MB), loads
unittest for a function that tests it (1.5 MB), and loads what it finds of Pillow, ffpyplayer and yt-dlp. Here
empty modules stand in for the first two while it is imported, and the others count as not installed, which
plotext is prepared for. A plotext that knows none of these names is imported as it is, and one that needs
more of them than is there is imported a second time, whole.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from types import ModuleType

STAND_INS = {"plotext._doc.doc": "docs", "plotext._tests.run": "test"}
"""Modules that are not loaded, and the one name that plotext takes from each; it will be None there."""

OPTIONAL = ("PIL", "ffpyplayer", "yt_dlp")
"""Packages that plotext uses where they are installed."""


def load() -> ModuleType:
    """plotext, imported now if it was not; whatever goes wrong in there is raised as by `import plotext`."""
    before = set(sys.modules)
    if "plotext" in before:
        return import_module("plotext")
    try:
        with _left_out():
            return import_module("plotext")
    except Exception:
        for name in set(sys.modules) - before:
            if name.startswith("plotext"):
                del sys.modules[name]
        return import_module("plotext")


@contextmanager
def _left_out() -> Iterator[None]:
    """Let the names above be there, empty, or be missing, where nobody has loaded the real ones."""
    entries: dict[str, ModuleType | None] = dict.fromkeys(OPTIONAL)  # to import a None is an ImportError
    for name, taken in STAND_INS.items():
        empty = entries[name] = ModuleType(name)
        setattr(empty, taken, None)
    modules: dict[str, ModuleType | None] = sys.modules  # type: ignore[assignment]
    added = entries.keys() - modules.keys()
    modules.update((name, entries[name]) for name in added)
    try:
        yield
    finally:
        for name in added:
            modules.pop(name, None)
