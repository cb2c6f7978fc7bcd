"""A program that commits runs as fast as it can and reports each on standard output once it is called saved.

Run as ``python -m tests.committing_program FILE COUNT``; it is meant to be killed.
"""

from __future__ import annotations

import sys
import threading
from dataclasses import replace
from pathlib import Path

from tui.files.writer import Writer
from tui.model.study import Experiment, Run, Study
from tui.workspace import Status, Workspace


def main(path: Path, count: int) -> None:
    """Commit runs with 1, 2, … devices, each after the one before was reported."""
    on_disk = threading.Event()

    def tell(status: Status) -> None:
        if status.saved:
            on_disk.set()

    workspace = Workspace.open(path, Writer(), tell, {"XDG_STATE_HOME": str(path.parent / "state")})
    for number in range(1, count + 1):
        on_disk.clear()
        workspace.commit(with_run(workspace.study, number), f"add run {number}")
        on_disk.wait()
        print(number, flush=True)


def with_run(study: Study, devices: int) -> Study:
    """The study with one more run in its only experiment."""
    (one,) = study.experiment or (Experiment("strong", "x"),)
    return replace(study, experiment=(replace(one, run=(*one.run, Run(devices, (1.0,)))),))


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
