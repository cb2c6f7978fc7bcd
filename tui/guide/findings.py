"""What is said about a script: codes, levels, and the line and step they belong to."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

from tui.files.lines import Layout, Path

Level = Literal["error", "warning", "info"]

_LEVELS: Mapping[str, Level] = {"E": "error", "W": "warning", "I": "info"}

CODES: Mapping[str, str] = {
    "E001": "the file is not UTF-8",
    "W001": "a byte-order mark was ignored",
    "E002": "not valid TOML",
    "E010": "unknown key",
    "E011": "a format or a program version this program cannot serve",
    "E012": "a required key is missing",
    "E013": "an id is not lower-case words joined by hyphens",
    "E014": "the file name differs from the id",
    "E015": "a value of the wrong kind, or out of its range",
    "E020": "the data file is missing or cannot be read",
    "E021": "data without a key column, without rows, or with neither file nor rows",
    "E022": "a cell cannot be used",
    "E023": "a path leaves the folder of the script",
    "E024": "a file is too large",
    "E025": "a parameter differs from the program's",
    "E026": "a column is no field of a run",
    "E030": "unknown kind of step",
    "E031": "a step has no id",
    "E032": "an id is used twice",
    "E033": "a key does not belong to this kind of step",
    "E034": "a key of the step stands inside one of its tables",
    "E035": "a step has no text",
    "E036": "a hint is empty",
    "E040": "unknown input",
    "E041": "an input cannot be read",
    "E042": "set without inputs",
    "E050": "answer or unit is missing",
    "E051": "an expression cannot be worked out",
    "W051": "the answer is a bare number",
    "E052": "the pinned number differs from the model's",
    "W053": "no number is pinned",
    "E054": "more than one tolerance",
    "W055": "the tolerance is wide",
    "E056": "a percentage of zero",
    "W056": "no tolerance is given",
    "E058": "unknown unit",
    "E060": "a wrong idea is not defined",
    "E061": "a wrong idea has no feedback",
    "E062": "a wrong idea needs exactly one of value and when",
    "E063": "a wrong idea's value is accepted as right",
    "E064": "a wrong idea's rule is true for the right answer",
    "W065": "two wrong ideas give the same value",
    "W066": "a feedback prints the answer",
    "E071": "Play's attainable rate differs from the instrument's",
    "E072": "Play's limit differs from the instrument's",
    "W073": "Play without a prediction",
    "W074": "a prediction that no Play follows",
    "W075": "a column that answers the step is not covered",
    "E080": "fewer than two choices",
    "E081": "no choice is correct",
    "E082": "several choices are correct where one is asked",
    "E083": "a choice has no feedback",
    "E084": "two choices read the same",
    "W085": "the correct choice is much longer than the others",
    "E086": "no line is flawed",
    "E090": "runs refers to data that is not attached",
    "W091": "points on an ungraded step",
    "W092": "a text is too wide",
    "W093": "a script that is not in the folder",
    "E093": "scripts require each other",
    "W094": "a colour carries meaning in a text",
    "E095": "the graded part changed and the revision did not",
    "I100": "totals",
}
"""Every code and what it means in short; its first letter is its level."""

FATAL_EXCEPT = frozenset(
    {"E014", "E035", "E036", "E052", "E061", "E063", "E064", "E071", "E072"}
    | {"E081", "E082", "E083", "E084", "E086", "E093", "E095"}
)
"""Errors that an author must mend but that do not keep a learner from doing the exercise."""


@dataclass(frozen=True)
class Finding:
    """One thing to say about a script."""

    code: str
    message: str
    path: Path = ()
    """Where in the file, as its parsed values are indexed."""
    line: int = 1
    step: int = 0
    """Number of the step, from 1; 0 for the script as a whole."""
    step_id: str = ""

    @property
    def level(self) -> Level:
        """How serious it is."""
        return _LEVELS[self.code[0]]

    @property
    def stops(self) -> bool:
        """Whether the exercise cannot be done with it."""
        return self.level == "error" and self.code not in FATAL_EXCEPT

    def __str__(self) -> str:
        where = f'step {self.step} "{self.step_id}": ' if self.step else ""
        return f"{where}{self.code} {self.message}"


def placed(findings: Iterable[Finding], text: str, values: Mapping[str, Any]) -> tuple[Finding, ...]:
    """The findings with their lines and steps, in the order of the file."""
    layout = Layout(text)
    found = (_with_step(replace(each, line=layout.line(each.path)), values) for each in findings)
    return tuple(sorted(found, key=lambda each: (each.line, each.level != "error")))


def _with_step(finding: Finding, values: Mapping[str, Any]) -> Finding:
    path = finding.path
    if len(path) < 2 or path[0] != "step" or not isinstance(path[1], int):
        return finding
    steps = values.get("step")
    own = steps[path[1]] if isinstance(steps, list) and path[1] < len(steps) else None
    name = own.get("id", "") if isinstance(own, dict) else ""
    return replace(finding, step=path[1] + 1, step_id=name if isinstance(name, str) else "")


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """` (did you mean "x"?)` for the nearest known word, nothing when none is near."""
    near = difflib.get_close_matches(str(word).lower(), {each.lower(): each for each in known}, n=1)
    spelled = {each.lower(): each for each in known}
    return f' (did you mean "{spelled[near[0]]}"?)' if near else ""
