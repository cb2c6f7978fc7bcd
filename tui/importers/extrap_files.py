"""The four forms of Extra-P's files as one list of measurements."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from tui.model.numerals import quoted

from .imported import Problem
from .json_text import fault, mapping, number

TOLD = 1000
"""Refused lines of a file that are told one by one."""

_POINT = re.compile(r"\(([^()]*)\)")
_TALPAS = re.compile(r';(?=\s*")')


@dataclass(frozen=True)
class Measured:
    """The repeats of one metric at one point."""

    region: str
    metric: str
    parameters: dict[str, float]
    values: list[float]
    line: int


@dataclass
class Measurements:
    """All measurements of a file, and what of it could not be read."""

    measured: list[Measured] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    lines: set[int] = field(default_factory=set)
    """Those with values that were read."""
    refused: set[int] = field(default_factory=set)
    """Those that are of no known form."""

    def refuse(self, line: int, words: str, expected: str) -> None:
        """A line of no known form; each of many is counted, and the first are told."""
        self.refused.add(line)
        if len(self.refused) <= TOLD:
            self.problems.append(Problem(line, "", f"read {quoted(words)}, expected {expected}"))
        elif len(self.refused) == TOLD + 1:
            self.problems.append(
                Problem(line, "", f"from here on more lines were refused than the {TOLD} above")
            )


# ------------------------------------------------------------------------------------------------- text


def text_file(text: str) -> Measurements:
    """PARAMETER, POINTS, REGION, METRIC and DATA lines; the n-th DATA line of a metric is the n-th point."""
    reader = _Text()
    for line, words in enumerate(text.split("\n"), 1):
        words = words.partition("#")[0].strip()
        if words:
            reader.line(line, words)
    reader.end_of_metric(0)
    return reader.found


class _Text:
    """Takes the lines of a text file."""

    def __init__(self) -> None:
        self.found = Measurements()
        self._names: list[str] = []
        self._points: list[dict[str, float]] = []
        self._region = self._metric = ""
        self._next = 0

    def line(self, line: int, words: str) -> None:
        key, _, rest = words.partition(" ")
        if key == "PARAMETER":
            self._names += rest.split()
        elif key == "POINTS":
            self._add_points(line, rest)
        elif key in ("REGION", "METRIC"):
            self.end_of_metric(line)
            if key == "REGION":
                self._region = rest.strip()
            else:
                self._metric = rest.strip()
        elif key == "DATA":
            self._data(line, rest)
        elif key != "EXPERIMENT":
            self.found.refuse(line, words, "PARAMETER, POINTS, REGION, METRIC or DATA")

    def _add_points(self, line: int, rest: str) -> None:
        groups = _POINT.findall(rest) or (rest.split() if len(self._names) == 1 else [])
        for group in groups:
            values = [number(word) for word in group.replace(",", " ").split()]
            if None in values or len(values) != len(self._names):
                said = f"read the point {quoted(group)}, expected {len(self._names)} numbers"
                self.found.problems.append(Problem(line, "", said))
                continue
            read = [value for value in values if value is not None]
            self._points.append(dict(zip(self._names, read, strict=True)))

    def _data(self, line: int, rest: str) -> None:
        place, self._next = self._next, self._next + 1
        values = [number(word) for word in rest.split()]
        if place >= len(self._points):
            said = f"there are {len(self._points)} points, and this is the data of one more"
            self.found.problems.append(Problem(line, "", said))
        elif None in values or not values:
            self.found.problems.append(Problem(line, "", f"read {quoted(rest)}, expected numbers"))
        else:
            read = [value for value in values if value is not None]
            self.found.measured.append(Measured(self._region, self._metric, self._points[place], read, line))
            self.found.lines.add(line)

    def end_of_metric(self, line: int) -> None:
        """Points that a metric has no data for are said; they are never shifted."""
        if self._next and self._next < len(self._points):
            name = quoted(self._region or self._metric)
            said = f"{name} has data for {self._next} of {len(self._points)} points"
            self.found.problems.append(Problem(line, "", said))
        self._next = 0


# ------------------------------------------------------------------------------------------------- JSON


def json_file(text: str) -> Measurements:
    """Either JSON form: ids and coordinates, or measurements by call path and metric."""
    found = Measurements()
    try:
        top = mapping(json.loads(text))
    except (ValueError, RecursionError) as error:
        found.problems.append(fault(error, text))
        return found
    lines = _value_lines(text)
    if isinstance(top.get("measurements"), dict):
        _nested(top, found, lines)
    else:
        _by_id(top, found, lines)
    return found


def _value_lines(text: str) -> Iterator[int]:
    """The line of each value in file order, then 0."""
    counted, line = 0, 1
    for match in re.finditer(r'"values?"\s*:', text):
        line += text.count("\n", counted, match.start())
        counted = match.start()
        yield line
    while True:
        yield 0


def _nested(top: dict[str, Any], found: Measurements, lines: Iterator[int]) -> None:
    names = [str(name) for name in top.get("parameters") or []]
    for region, metrics in mapping(top["measurements"]).items():
        for metric, points in mapping(metrics).items():
            for one in points if isinstance(points, list) else []:
                entry, line = mapping(one), next(lines)
                point = entry.get("point")
                coordinates = point if isinstance(point, list) else [point]
                _keep(found, str(region), str(metric), names, coordinates, entry.get("values"), line)
                found.lines.add(line)


def _by_id(top: dict[str, Any], found: Measurements, lines: Iterator[int]) -> None:
    names = {key: str(value) for key, value in _ids(top, "parameters", "name")}
    regions = {key: str(value) for key, value in _ids(top, "callpaths", "name")}
    metrics = {key: str(value) for key, value in _ids(top, "metrics", "name")}
    points = dict(_ids(top, "coordinates", "parameter_value_pairs"))
    gathered: dict[tuple[str, str, str], tuple[int, list[Any]]] = {}
    entries = top.get("measurements")
    for one in entries if isinstance(entries, list) else []:
        entry, line = mapping(one), next(lines)
        region, metric, point = (
            str(entry.get(f"{name}_id")) for name in ("callpath", "metric", "coordinate")
        )
        gathered.setdefault((region, metric, point), (line, []))[1].append(entry.get("value"))
        found.lines.add(line)
    for (region, metric, point), (line, values) in gathered.items():
        pairs = [mapping(pair) for pair in points.get(point) or []]
        columns = [names.get(str(pair.get("parameter_id")), "?") for pair in pairs]
        coordinates = [pair.get("parameter_value") for pair in pairs]
        _keep(found, regions.get(region, ""), metrics.get(metric, ""), columns, coordinates, values, line)


def _ids(top: dict[str, Any], key: str, field_name: str) -> Iterator[tuple[str, Any]]:
    entries = top.get(key)
    for one in entries if isinstance(entries, list) else []:
        entry = mapping(one)
        yield str(entry.get("id")), entry.get(field_name)


def _keep(
    found: Measurements,
    region: str,
    metric: str,
    names: Sequence[str],
    point: Sequence[Any],
    values: Any,
    line: int,
) -> None:
    coordinates = [number(one) for one in point]
    read = [number(one) for one in (values if isinstance(values, list) else [values])]
    if None in coordinates or len(coordinates) != len(names) or not coordinates:
        said = f"read the point {quoted(str(point))}, expected {len(names)} numbers"
        found.problems.append(Problem(line, "", said))
    elif None in read or not read:
        found.problems.append(Problem(line, "", f"read {quoted(str(values))}, expected numbers"))
    else:
        parameters = {name: one for name, one in zip(names, coordinates, strict=True) if one is not None}
        found.measured.append(
            Measured(region, metric, parameters, [one for one in read if one is not None], line)
        )


# ------------------------------------------------------------------------------------------- JSON Lines


def line_file(text: str) -> Measurements:
    """One value a line: `{"params": {"x": 4}, "metric": "time", "value": 1.5}`; Talpas writes semicolons."""
    found = Measurements()
    gathered: dict[tuple[Any, ...], Measured] = {}
    for line, words in enumerate(text.split("\n"), 1):
        if not words.strip():
            continue
        try:
            entry = mapping(json.loads(_TALPAS.sub(",", words)))
        except (ValueError, RecursionError):
            found.refuse(line, words, "one JSON object")
            continue
        parameters = mapping(entry.get("params", entry.get("parameters")))
        coordinates = {str(name): number(value) for name, value in parameters.items()}
        value = number(entry.get("value"))
        if value is None or None in coordinates.values() or not coordinates:
            found.refuse(line, words, "params, metric and a value")
            continue
        point = {name: one for name, one in coordinates.items() if one is not None}
        region, metric = str(entry.get("callpath", "")), str(entry.get("metric", ""))
        key = (region, metric, *sorted(point.items()))
        gathered.setdefault(key, Measured(region, metric, point, [], line)).values.append(value)
        found.lines.add(line)
    found.measured = list(gathered.values())
    return found
