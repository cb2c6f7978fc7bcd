"""Measurements over named parameters: which of the parameters is the device count, and what the others
part."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from tui.model.numerals import printable, quoted

from .imported import Choice, Options, Question
from .json_text import whole

_COUNTS = {
    "device": ("devices", "device", "d", "workers", "nworkers"),
    "GPU": ("gpus", "gpu", "ngpus", "ngpu", "num_gpus", "n_gpus"),
    "node": ("nodes", "node", "nnodes", "num_nodes", "n_nodes"),
    "rank": (
        "ranks",
        "rank",
        "nranks",
        "p",
        "np",
        "nprocs",
        "nproc",
        "procs",
        "proc",
        "processes",
        "tasks",
        "ntasks",
    ),
    "thread": ("threads", "thread", "nthreads", "num_threads", "omp_num_threads", "n_threads"),
    "core": ("cores", "core", "ncores", "cpus", "ncpus", "num_cores"),
}
_WORDS = {word: counts for counts, words in _COUNTS.items() for word in words}


@dataclass(frozen=True)
class DeviceCount:
    """Where the device count of each measurement comes from.

    Attributes:
        name: the parameter; None where a number holds for all, or nothing is known.
        same: that number.
        counts: what it counts.
        note: what was taken, in a sentence.
        question: where several could be meant.
    """

    name: str | None = None
    same: int | None = None
    counts: str = "device"
    note: str = ""
    question: Question | None = None

    def of(self, parameters: Mapping[str, object]) -> int | None:
        """The count of one measurement; None where its parameter is none."""
        return self.same if self.name is None else whole(parameters.get(self.name))


def device_count(file: str, points: Sequence[Mapping[str, object]], options: Options) -> DeviceCount:
    """Which parameter is the count: the one that was said, else the only one with the name of a count."""
    names = list(dict.fromkeys(name for point in points for name in point))
    for one in options.mapped("devices"):
        if one.column in names:
            counts = _WORDS.get(one.column.lower(), "device")
            return DeviceCount(one.column, counts=counts)
        same = whole(one.column)
        if same is not None:
            return DeviceCount(same=same)
        known = ", ".join(map(printable, names)) or "none"
        sentence = f"{file} has no parameter {quoted(one.column)}; its parameters are {known}"
        return DeviceCount(same=1, question=Question("count", sentence, _choices(names, points)))
    likely = [name for name in names if name.lower() in _WORDS and _is_count(name, points)]
    if len(likely) == 1:
        counts = _WORDS[likely[0].lower()]
        return DeviceCount(likely[0], counts=counts, note=f"devices is the parameter {printable(likely[0])}")
    return _open(file, names, likely, points)


def _open(
    file: str, names: Sequence[str], likely: Sequence[str], points: Sequence[Mapping[str, object]]
) -> DeviceCount:
    choices = _choices(likely or names, points)
    sentence = f"{file} does not say which of its parameters is the device count"
    if not choices:
        sentence = f"{file} does not say how many devices it ran on: add --map devices=N"
    first = next((name for name in likely or names if _is_count(name, points)), None)
    question = Question("count", sentence, choices)
    return DeviceCount(first, same=None if first else 1, question=question)


def _choices(names: Iterable[str], points: Sequence[Mapping[str, object]]) -> tuple[Choice, ...]:
    return tuple(
        Choice(f"the parameter {printable(name)}", f"--map devices={name}")
        for name in names
        if _is_count(name, points)
    )


def _is_count(name: str, points: Sequence[Mapping[str, object]]) -> bool:
    return all(whole(point[name]) is not None for point in points if name in point)


_NUMBER = re.compile(r"(?<![\w.])\d{1,15}(?![\w.])|(?<=[A-Za-z])\d{1,15}(?![\w.])")
_BEFORE = re.compile(r"([A-Za-z_][\w-]*)[=\s]*$")


def numbers_in(commands: Sequence[str]) -> list[Mapping[str, object]]:
    """The whole numbers that vary between commands which are the same otherwise, as parameters by the word
    before each: `OMP_NUM_THREADS=2 ./a.out` has OMP_NUM_THREADS 2. Nothing where the commands are not alike.
    """
    nothing: list[Mapping[str, object]] = [{} for _ in commands]
    if len({_NUMBER.sub("#", command) for command in commands}) != 1:
        return nothing
    found = [_NUMBER.findall(command) for command in commands]
    starts = [match.start() for match in _NUMBER.finditer(commands[0])]
    names: dict[int, str] = {}
    for place, start in enumerate(starts):
        if len({numbers[place] for numbers in found}) > 1:
            word = _BEFORE.search(commands[0][:start])
            name = word[1].replace("-", "_") if word else f"number {place + 1}"
            names[place] = name if name not in names.values() else f"{name} {place + 1}"
    return [{name: numbers[place] for place, name in names.items()} for numbers in found]


def rest(parameters: Mapping[str, object], count: DeviceCount) -> str:
    """The other parameters in words; measurements that differ in them are no family."""
    return ", ".join(
        f"{printable(name)} {_shown(value)}" for name, value in parameters.items() if name != count.name
    )


def _shown(value: object) -> str:
    return f"{value:.15g}" if isinstance(value, float) else printable(str(value))
