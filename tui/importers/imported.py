"""What a reader of a foreign file hands back: runs, and everything a person has to see before taking them in.

A reader never guesses. What the file says is read; where only one reading makes sense of the whole file it
is taken and said in a note; what stays open is a `Question`, and its choices are the options that answer it.
Lines are counted from 1 everywhere, and 0 stands for the file as a whole.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import BinaryIO, Literal

from tui.files import atomic
from tui.files.errors import FileError
from tui.model.study import Experiment, Family, Run, Stage, TimeMeans, Work, WorkModel

HEAD = 256 * 1024
"""Bytes of a file's beginning that a format is recognised by."""

LARGEST_WHOLE = 256 * 1024 * 1024
"""Bytes of the largest file that is read as a whole; a log is read in blocks and may be larger."""

LOOKED_THROUGH = 64 * 1024 * 1024
"""Bytes that are looked through for the lines of a log where the head has none."""

_BLOCK = 16 * 1024 * 1024

Repeats = Literal["jobs", "steps"]
"""Whether several times of one count are starts of the program, or units inside one start."""


class Stopped(Exception):
    """Somebody stopped the reading; raised by a `watch` and passed on by the readers."""


@dataclass(frozen=True)
class Source:
    """A file to read, or the bytes of one.

    Attributes:
        path: the file; only its name matters where `data` is given.
        data: the bytes, where they are there already (a paste, standard input).
        watch: called now and then with the bytes read so far and their total; it may raise `Stopped`.
    """

    path: Path
    data: bytes | None = None
    watch: Callable[[int, int], None] | None = None

    @property
    def size(self) -> int:
        """Bytes in all."""
        return self.path.stat().st_size if self.data is None else len(self.data)

    def head(self) -> bytes:
        """The first `HEAD` bytes.

        Raises:
            FileError, OSError: when the file cannot be read.
        """
        if self.data is not None:
            return self.data[:HEAD]
        with self.open() as stream:
            return stream.read(HEAD)

    def pieces(self) -> Iterator[bytes]:
        """What follows the head, up to `LOOKED_THROUGH`, in pieces of as many bytes, and the end of the file.

        Raises:
            FileError, OSError: when the file cannot be read.
        """
        with self.open() as stream:
            for start in (*range(HEAD, min(self.size, LOOKED_THROUGH), HEAD), max(HEAD, self.size - HEAD)):
                stream.seek(start)
                yield stream.read(HEAD)

    def open(self) -> BinaryIO:
        """The bytes as a stream, for readers that keep only a part of a large file. Errors as `head`."""
        return io.BytesIO(self.data) if self.data is not None else atomic.stream(self.path)

    def read(self) -> bytes:
        """All bytes at once.

        Raises:
            FileError: when the file cannot be read, or is too large to be held in memory.
        """
        if self.data is not None:
            return self.data
        with self.open() as stream:
            size = self.size
            if size > LARGEST_WHOLE:
                raise FileError(
                    self.path,
                    f"{self.path} has {size / 1e9:.1f} GB; tables and results are read up to "
                    f"{LARGEST_WHOLE // 2**20} MiB: cut it into parts, or keep only the columns of interest",
                )
            parts = []
            while part := stream.read(_BLOCK):
                parts.append(part)
                self.progressed(sum(map(len, parts)), 4 * size)
            return b"".join(parts)

    def progressed(self, done: int, total: int) -> None:
        """Tell whoever watches how far the reading is.

        Raises:
            Stopped: when they want it stopped.
        """
        if self.watch is not None:
            self.watch(done, total)


@dataclass(frozen=True)
class Mapped:
    """One statement of what a column is: `devices=COL`, `time=COL:ms`, or a number for all rows.

    Attributes:
        role: what the column is taken for; a role of `tui.importers.roles`.
        column: its name as the file has it, `#3` for the third one, or a plain number that all rows share.
        unit: of its numbers, or another qualifier of the role; empty where it has none.
    """

    role: str
    column: str
    unit: str = ""


@dataclass(frozen=True)
class Options:
    """What was said about a file beside the file.

    Attributes:
        mapping: what columns are.
        family: what the runs are compared as.
        repeats: what several times of one count are.
        decimal: the decimal sign of its numbers.
        window: first and last step that count, for logs of steps; both ends belong to it.
        window_reason: why just these.
    """

    mapping: tuple[Mapped, ...] = ()
    family: Family | None = None
    repeats: Repeats | None = None
    decimal: Literal["comma", "point"] | None = None
    window: tuple[int, int] | None = None
    window_reason: str = ""

    def mapped(self, role: str) -> tuple[Mapped, ...]:
        """The statements about one role."""
        return tuple(one for one in self.mapping if one.role == role)


@dataclass(frozen=True)
class Column:
    """One column of a file, and what it was taken for.

    Attributes:
        place: from 1.
        name: as it was read.
        role: what it was taken for; empty where it is kept as it came.
        unit: of its numbers; empty where they have none.
        why: in words, for the preview.
        table: the name of its table, where the file has several.
    """

    place: int
    name: str
    role: str = ""
    unit: str = ""
    why: str = ""
    table: str = ""


@dataclass(frozen=True)
class Note:
    """Something to know about the reading, or a remark of the file that was kept."""

    line: int
    sentence: str

    def __str__(self) -> str:
        return f"line {self.line}: {self.sentence}" if self.line else self.sentence


@dataclass(frozen=True)
class Problem:
    """A row or a cell that was refused: where, what was read, why, and what to do."""

    line: int
    column: str
    """The name of the column; empty for a line as a whole."""
    sentence: str

    def __str__(self) -> str:
        where = f"line {self.line}: " if self.line else ""
        return f"{where}{self.column + ': ' if self.column else ''}{self.sentence}"


@dataclass(frozen=True)
class Choice:
    """One answer to a question: in words, and as options of the command line (`--map time=t:ms`)."""

    words: str
    option: str


@dataclass(frozen=True)
class Question:
    """Something that has two readings; nothing may be taken in before it is answered."""

    about: str
    """A stable word: family, time unit, number, count, work, rate, repeats, time, columns, sizes."""
    sentence: str
    choices: tuple[Choice, ...] = ()
    line: int = 0
    column: str = ""


@dataclass(frozen=True)
class Tally:
    """How each line of the file was used; the parts add up to `lines`."""

    lines: int = 0
    runs: int = 0
    """Lines that gave a run, or several."""
    steps: int = 0
    """Lines whose times went into the run of another line."""
    not_completed: int = 0
    """Lines that gave a run which did not complete."""
    notes: int = 0
    refused: int = 0
    waiting: int = 0
    """Lines that cannot be read before a question is answered."""
    headings: int = 0
    """Headings, rules between rows, and other lines that only shape the file."""
    blank: int = 0
    other: int = 0
    """Lines that are no measurements: what a log says beside them."""

    @property
    def adds_up(self) -> bool:
        """Whether every line is accounted for."""
        parts: int = sum(value for name, value in asdict(self).items() if name != "lines")
        return parts == self.lines

    def __str__(self) -> str:
        names = {"runs": "read as runs", "steps": "merged as steps", "not_completed": "not completed"}
        names |= {
            "notes": "kept as notes",
            "refused": "refused",
            "waiting": "waiting for an answer",
            "headings": "headings and rules",
        }
        names |= {"blank": "blank", "other": "without measurements"}
        counts = asdict(self)
        parts = [f"{counts[key]:,} {words}" for key, words in names.items() if counts[key]]
        return f"{self.lines:,} line{'' if self.lines == 1 else 's'}: {', '.join(parts) or 'nothing'}"


@dataclass(frozen=True)
class Part:
    """Runs of a file that belong together and become one experiment.

    Attributes:
        name: of the experiment, without the name of the file; empty where the file has one part.
        runs: in file order.
        family: what they are compared as, where the file or an option says it; None is a question.
        counts: what the device count counts.
    """

    name: str
    runs: tuple[Run, ...]
    family: Family | None = None
    counts: str = "device"
    time_means: TimeMeans | None = None
    work: Work | None = None
    work_model: WorkModel | None = None
    stages: tuple[Stage, ...] = ()
    memory_per_device_gib: float | None = None
    flop_per_unit: float | None = None
    peak_flops_per_device: float | None = None

    def experiment(self, name: str, family: Family) -> Experiment:
        """The part as an experiment of a study."""
        return Experiment(
            family,
            name,
            counts=self.counts,
            time_means=self.time_means,
            work=self.work,
            work_model=self.work_model,
            stages=self.stages,
            memory_per_device_gib=self.memory_per_device_gib,
            flop_per_unit=self.flop_per_unit,
            peak_flops_per_device=self.peak_flops_per_device,
            run=self.runs,
        )


@dataclass(frozen=True)
class StepRow:
    """The step times of one job of a log in their order, for a preview to draw.

    Attributes:
        line: where the job begins.
        first: number of its first iteration, `last` of its last one.
        times_s: seconds of an update; each is the mean of `each` intervals of the log.
        marks: why an interval among these does not count; empty where all count.
    """

    line: int
    first: int
    last: int
    times_s: tuple[float, ...]
    marks: tuple[str, ...]
    each: int = 1


@dataclass(frozen=True)
class Imported:
    """A file as it was understood.

    While there are questions the runs are provisional: read as if the first choice of each were right, for
    a preview to show, and not to be taken in.

    Attributes:
        format: name of the format it was read as.
        source: the file.
        parts: the runs; each part becomes an experiment.
        notes: what to know, and remarks of the file.
        problems: everything that was refused.
        questions: what has to be answered first.
        columns: what each column was taken for.
        repeats: what several times of one count were taken for; None where there are none.
        first_rows: cells of the first rows as they stand in the file.
        step_rows: of each job, where the file is a log of steps; a window of them can be chosen then.
        tally: how each line was used.
    """

    format: str
    source: Path
    parts: tuple[Part, ...] = ()
    notes: tuple[Note, ...] = ()
    problems: tuple[Problem, ...] = ()
    questions: tuple[Question, ...] = ()
    columns: tuple[Column, ...] = ()
    repeats: Repeats | None = None
    first_rows: tuple[tuple[str, ...], ...] = ()
    step_rows: tuple[StepRow, ...] = ()
    tally: Tally = field(default_factory=Tally)

    @property
    def runs(self) -> tuple[Run, ...]:
        """All runs in file order of their parts."""
        return tuple(run for part in self.parts for run in part.runs)

    def experiments(self, name: str = "") -> tuple[Experiment, ...]:
        """The parts as experiments called after the file, or `name`.

        A part whose family is still open, which nobody may take in, counts as strong.
        """
        names = (", ".join(filter(None, (name or self.source.stem, part.name))) for part in self.parts)
        return tuple(
            part.experiment(called, part.family or "strong")
            for called, part in zip(names, self.parts, strict=True)
        )

    @property
    def ready(self) -> bool:
        """Whether there are runs, and nothing is left to ask."""
        return bool(self.runs) and not self.questions


def family_question(name: str, why: str = "") -> Question:
    """What to ask where nothing says what the runs are compared as."""
    sentence = f"{name} does not say what its runs are compared as{': ' + why if why else ''}"
    words: Sequence[tuple[str, Family]] = (
        ("strong scaling: the whole work stays the same", "strong"),
        ("weak scaling: the work of each device stays the same", "weak"),
        ("model size: the models differ", "model-size"),
        ("time to a quality target", "target"),
    )
    choices = tuple(Choice(text, f"--family {family}") for text, family in words)
    return Question("family", sentence, choices)
