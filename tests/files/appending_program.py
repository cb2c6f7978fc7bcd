"""A program that adds lines to a file another program is adding to: read, add, save, and again when refused.

Run as ``python -m tests.files.appending_program FILE NAME COUNT``.
"""

from __future__ import annotations

import sys
from pathlib import Path

from tui.files import atomic
from tui.files.errors import ChangedElsewhere


def main(path: Path, name: str, count: int) -> None:
    """Add `count` lines that bear `name`; prints how often a save was refused."""
    refused = 0
    for number in range(count):
        while True:
            before = atomic.read(path)
            try:
                atomic.write(path, before.data + f"{name} {number}\n".encode(), before.fingerprint)
                break
            except ChangedElsewhere:
                refused += 1
    print(refused)


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]))
