"""Slurm's `sacct -P` (or `-p`): one job or step a line, columns between `|`.

Source of the layout: slurm.schedmd.com/sacct.html.
"""

from __future__ import annotations

import re

from tui.model.numerals import quoted
from tui.model.run_text import printable_words

from .imported import Imported, Note, Options, Problem, Source
from .json_text import Document, text_of, whole
from .log_runs import moment
from .sacct_rows import Entry, hosts, imported, seconds

NAME = "sacct"
ABOUT = "Slurm accounting, sacct -P"
EXAMPLE = "JobID|JobName|State|Elapsed|NNodes|NTasks|MaxRSS|AllocTRES"

_KNOWN = {
    "JobID",
    "JobName",
    "State",
    "Elapsed",
    "ExitCode",
    "Start",
    "MaxRSS",
    "NodeList",
    "AllocTRES",
    "NTasks",
}
_WHOLE = {
    "NTasks": "NTasks",
    "NNodes": "NNodes",
    "AllocNodes": "NNodes",
    "AllocCPUS": "AllocCPUS",
    "NCPUS": "AllocCPUS",
}
_KIB = {"": 1 / 1024, "K": 1, "M": 1024, "G": 1024**2, "T": 1024**3}
_MEMORY = re.compile(r"(\d{1,15}(?:\.\d{1,9})?)([KMGT]?)c?n?")
_USED = _KNOWN | {*_WHOLE, "ReqTRES", "End", "JobIDRaw", "ElapsedRaw"}


def sniff(head: bytes, name: str) -> float:
    """Sure of a heading with JobID and Elapsed between bars."""
    first = head.lstrip(b"\xef\xbb\xbf \r\n").split(b"\n", 1)[0].strip().split(b"|")
    return 0.95 if b"Elapsed" in first and any(word.startswith(b"JobID") for word in first) else 0.0


def read(source: Source, options: Options) -> Imported:
    """The jobs as runs."""
    document = Document()
    text = text_of(source, document)
    if document.problem:
        return Imported(NAME, source.path, problems=(document.problem,))
    names: list[str] = []
    entries: list[Entry] = []
    problems: list[Problem] = []
    for line, words in enumerate(text.split("\n")[: document.lines], 1):
        cells = [cell.strip() for cell in words.split("|")]
        if cells[-1] == "" and (not names or len(cells) == len(names) + 1):
            cells.pop()  # -p ends each line with a bar
        if "Elapsed" in cells and any(cell.startswith("JobID") for cell in cells):
            names = cells
        elif names and len(cells) == len(names):
            entries.append(_entry(line, dict(zip(names, cells, strict=True))))
        elif names and words.strip():
            said = f"read {quoted(words)}, expected {len(names)} cells as in the heading"
            problems.append(Problem(line, "", said))
    if not names:
        problems.append(Problem(0, "", "there is no heading with JobID and Elapsed: print it with sacct -P"))
    notes = [Note(0, sentence) for sentence in document.notes]
    return imported(NAME, source, options, entries, document.lines, problems, notes)


def _entry(line: int, cells: dict[str, str]) -> Entry:
    job, _, step = (cells.get("JobID") or cells.get("JobIDRaw") or "").partition(".")
    counts = {}
    for column, name in _WHOLE.items():
        value = whole(cells.get(column))
        if value:
            counts[name] = value
    counts |= _resources(cells.get("AllocTRES", ""), counts)
    elapsed = seconds(cells.get("Elapsed", ""))
    raw = whole(cells.get("ElapsedRaw"), 0)
    return Entry(
        line,
        printable_words(job),
        printable_words(step),
        name=printable_words(cells.get("JobName", "")),
        state=printable_words(cells.get("State", "")),
        exit_code=printable_words(cells.get("ExitCode", "")),
        elapsed_s=float(raw) if elapsed is None and raw is not None else elapsed,
        counts=counts,
        max_rss_gib=_gib(cells.get("MaxRSS", "")),
        hosts=hosts(printable_words(cells.get("NodeList", ""))),
        date=moment(cells.get("Start", "")),
        extra={name: printable_words(cell) for name, cell in cells.items() if cell and name not in _USED},
    )


def _resources(text: str, known: dict[str, int]) -> dict[str, int]:
    """The counts in `billing=2,cpu=2,gres/gpu=1,mem=6G,node=1` that no column gives."""
    pairs = dict(part.partition("=")[::2] for part in text.split(","))
    names = {"cpu": "AllocCPUS", "node": "NNodes", "gres/gpu": "gres/gpu"}
    found = {name: whole(pairs.get(key)) for key, name in names.items()}
    return {name: value for name, value in found.items() if value and name not in known}


def _gib(text: str) -> float | None:
    match = _MEMORY.fullmatch(text)
    return float(match[1]) * _KIB[match[2]] / 1024**2 if match and text else None
