"""From the bytes of a script file to a `Script`, with every fault of its form at once.

Strict: an unknown key is an error, because a misspelt tolerance would silently change who is right. A
step that cannot be built is replaced by something to read, so that the checks go on and numbers stay.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, dataclass, field, fields
from decimal import Decimal
from pathlib import Path
from typing import Any, TypeVar

from tui import __version__
from tui.files.lines import Path as Place
from tui.files.toml import NotToml, decode, loads
from tui.guide import tables
from tui.guide.data import DataSet
from tui.guide.findings import Finding, did_you_mean, placed
from tui.guide.script import (
    CLASS_OF,
    FORMAT,
    OF_EXPERIMENT,
    OF_MACHINE,
    Data,
    Misconception,
    Read,
    Score,
    Script,
    Step,
    keys_of,
)
from tui.guide.values import SLUG, Tables, WrongValue, shown

Built = TypeVar("Built")

MOST_TABLES = 500
"""Steps, tables or ideas of one script; choices, lines or ideas of one step."""
MOST_FINDINGS = 200
"""A file with more faults than this is no script that somebody is writing."""

BOM = b"\xef\xbb\xbf"
_STEP_KEYS = {key for kind in CLASS_OF.values() for key in keys_of(kind)}
_OPTION_KEYS = {
    "choice": "[[step.choice]]",
    "line": "[[step.line]]",
    "misconception": "[[step.misconception]]",
}


@dataclass(frozen=True)
class Loaded:
    """A script file as far as it could be read."""

    name: str
    """The file's name, for messages."""
    script: Script | None
    sets: Mapping[str, DataSet]
    findings: tuple[Finding, ...]
    text: str = field(default="", repr=False)
    values: Mapping[str, Any] = field(default_factory=dict, repr=False)
    files: Mapping[str, bytes] = field(default_factory=dict, repr=False)
    """The script and its data as they were read, by their path inside the folder."""


def load(path: Path) -> Loaded:
    """Read a script file and the data it names."""
    try:
        data = tables.read_file(path, str(path))
    except tables.Refused as error:
        return Loaded(path.name, None, {}, (Finding(error.code, str(error)),))
    return parse(data, path.parent, path.name)


def parse(data: bytes, folder: Path, name: str) -> Loaded:
    """Read the bytes of a script whose data files are in `folder`."""
    found: list[Finding] = []
    if data.startswith(BOM):
        found.append(Finding("W001", "a byte-order mark was ignored"))
    try:
        text = decode(data)
        values = loads(text.replace("\r\n", "\n"), parse_float=_decimal)
    except NotToml as error:
        code = "E002" if "TOML" in str(error) or "nested" in str(error) else "E001"
        where = f", column {error.column}" if error.column else ""
        finding = Finding(code, f"{error}{where}{_toml_hint(str(error))}", line=error.line)
        return Loaded(name, None, {}, (*found, finding))
    reader = _Reader(values, folder)
    script = reader.script()
    if script is not None and name != f"{script.id}.toml":
        reader.say("E014", f'the file is called {shown(name)}, its id asks for "{script.id}.toml"', ("id",))
    findings = placed([*found, *reader.found], text, values)
    return Loaded(name, script, reader.sets, findings, text, values, {name: data, **reader.files})


def _decimal(text: str) -> Decimal:
    return Decimal(text)


def _toml_hint(message: str) -> str:
    if "overwrite" in message or "twice" in message or "namespace" in message:
        return "; the same key or table is given twice"
    return '; text values need quotes, like title = "Three trials"' if "value" in message else ""


class _Reader:
    """Builds the dataclasses from plain values and notes what is wrong with them."""

    def __init__(self, values: Mapping[str, Any], folder: Path) -> None:
        self._values = values
        self._folder = folder
        self.found: list[Finding] = []
        self.sets: dict[str, DataSet] = {}
        self.files: dict[str, bytes] = {}

    def say(self, code: str, message: str, path: Place = ()) -> None:
        """Note one fault."""
        self.found.append(Finding(code, message, path))

    def script(self) -> Script | None:
        """The script, None when its head cannot be built."""
        if not self._readable_format():
            return None
        head = self._head()
        score = self._table("score", Score)
        data = self._tables("data", Data, self._data)
        ideas = self._tables("misconception", Misconception, self._misconception)
        steps = self._tables("step", Step, self._step)
        if not steps:
            self.say("E012", "there is no step: an exercise has at least one [[step]]")
        self._unique("step", [step.id for step in steps])
        self._unique("data", [each.id for each in data])
        self._unique("misconception", [each.id for each in ideas])
        if head is None:
            return None
        return Script(**head, score=score or Score(), data=data, misconception=ideas, step=steps)

    def _readable_format(self) -> bool:
        version = self._values.get("format")
        if version is None:
            self.say("E012", f"required key missing: format = {FORMAT}")
        elif not isinstance(version, int) or isinstance(version, bool) or version < 1:
            self.say("E011", f"format = {shown(version)}: this program reads {FORMAT}", ("format",))
        elif version > FORMAT:
            self.say("E011", f"format = {version}; this program reads {FORMAT}: update it", ("format",))
        else:
            return self._new_enough()
        return False

    def _new_enough(self) -> bool:
        wanted = self._values.get("min_app")
        if isinstance(wanted, str) and _version(wanted) > _version(__version__):
            sentence = f"needs rooflab {wanted} or newer, this is {__version__}: update it"
            self.say("E011", sentence, ("min_app",))
            return False
        return True

    def _head(self) -> dict[str, Any] | None:
        kept = {name: value for name, value in self._values.items() if name not in _ARRAYS}
        return self._arguments(Script, kept, (), skip=_ARRAYS)

    def _table(self, name: str, kind: type[Built]) -> Built | None:
        values = self._values.get(name, {})
        if not isinstance(values, dict):
            self.say("E015", f"write it as a table: [{name}]", (name,))
            return None
        arguments = self._arguments(kind, values, (name,))
        return None if arguments is None else kind(**arguments)

    def _tables(self, name: str, kind: type[Built], build: Any) -> tuple[Built, ...]:
        tables = self._values.get(name, [])
        if not isinstance(tables, list) or not all(isinstance(each, dict) for each in tables):
            self.say("E015", f"write each one under a header of its own: [[{name}]]", (name,))
            return ()
        if len(tables) > MOST_TABLES:
            self.say("E024", f"{len(tables)} times [[{name}]]: at most {MOST_TABLES} are read", (name,))
            return ()
        built = (build(each, (name, place)) for place, each in enumerate(tables))
        return tuple(each for each in built if each is not None)

    def _unique(self, name: str, ids: list[str]) -> None:
        for place, each in enumerate(ids):
            if each in ids[:place]:
                first = ids.index(each) + 1
                self.say("E032", f'id "{each}" is already used by {name} {first}', (name, place, "id"))

    # ------------------------------------------------------------------------------------------- steps

    def _step(self, values: Mapping[str, Any], path: Place) -> Step:
        number = int(path[1]) + 1
        name = values.get("id")
        if name is None:
            self.say("E031", "the step has no id: give it a permanent name", path)
        kind = CLASS_OF.get(str(values.get("kind")))
        stand_in = Read(
            id=name if isinstance(name, str) and SLUG.fullmatch(name) else f"step-{number}", kind="read"
        )
        if kind is None:
            if "kind" not in values:
                self.say("E012", "required key missing: kind", path)
            else:
                word = values["kind"]
                sentence = f"unknown kind {shown(word)}{did_you_mean(str(word), CLASS_OF)}"
                self.say("E030", sentence, (*path, "kind"))
            return stand_in
        arguments = self._arguments(kind, values, path, required_elsewhere=("id",))
        return stand_in if arguments is None else kind(**arguments)

    def _misconception(self, values: Mapping[str, Any], path: Place) -> Misconception | None:
        arguments = self._arguments(Misconception, values, path)
        return None if arguments is None else Misconception(**arguments)

    # ------------------------------------------------------------------------------------------- data

    def _data(self, values: Mapping[str, Any], path: Place) -> Data | None:
        own = {name: value for name, value in values.items() if name in keys_of(Data)}
        settings = {n: v for n, v in values.items() if n not in own and n in OF_EXPERIMENT | OF_MACHINE}
        for name in values:
            if name not in own and name not in settings and not name.startswith("x_"):
                near = did_you_mean(name, {*keys_of(Data), *OF_EXPERIMENT, *OF_MACHINE})
                self.say("E010", f"unknown key {shown(name)}{near}", (*path, name))
        arguments = self._arguments(Data, own, path)
        if arguments is None:
            return None
        raw = Data(**arguments, settings=settings)
        text = self._csv(raw, path)
        if text is not None:
            data, complaints = tables.read(raw, text)
            place = (*path, "file" if raw.file else "rows")
            for each in complaints:
                self.say(each.code, f'data "{raw.id}": {each.sentence}', place)
            if data is not None:
                self.sets[raw.id] = data
        return raw

    def _csv(self, raw: Data, path: Place) -> str | None:
        if bool(raw.file) == bool(raw.rows):
            self.say("E021", f'data "{raw.id}" needs exactly one of file and rows', path)
            return None
        if raw.rows:
            return raw.rows
        try:
            data = tables.fetch(self._folder, raw.file)
        except tables.Refused as error:
            self.say(error.code, f'data "{raw.id}": {error}', (*path, "file"))
            return None
        self.files[raw.file] = data
        try:
            return decode(data)
        except NotToml as error:
            self.say("E022", f'data "{raw.id}", row {error.line}: {error}', (*path, "file"))
            return None

    # ------------------------------------------------------------------------------------- any dataclass

    def _arguments(
        self,
        kind: type,
        values: Mapping[str, Any],
        path: Place,
        skip: frozenset[str] = frozenset(),
        required_elsewhere: tuple[str, ...] = (),
    ) -> dict[str, Any] | None:
        """What to call the dataclass with; None when something it cannot do without is missing or wrong."""
        known = {key: value for key, value in keys_of(kind).items() if key not in skip}
        required = {each.name for each in fields(kind) if _is_required(each)}
        arguments: dict[str, Any] = {}
        complete = True
        for name, value in values.items():
            if name not in known:
                self._unknown(kind, name, path)
                continue
            key, reads = known[name]
            try:
                arguments[key] = self._value(reads, value, (*path, name))
            except WrongValue as error:
                self.say(error.code, f"{name}: {error}", (*path, name))
                complete = complete and key not in required
        for name, (key, _) in known.items():
            if key in required and name not in values:
                complete = False
                if name not in required_elsewhere:
                    self.say("E012", f"required key missing: {name}", path)
        return arguments if complete else None

    def _value(self, reads: Any, value: Any, path: Place) -> Any:
        if not isinstance(reads, Tables):
            return reads.read(value)
        if not isinstance(value, list) or not all(isinstance(each, dict) for each in value):
            raise WrongValue(f"write each one under a header of its own: {_OPTION_KEYS[str(path[-1])]}")
        if len(value) > MOST_TABLES:
            raise WrongValue(f"{len(value)} of them: at most {MOST_TABLES} are read", "E024")
        built = []
        for place, each in enumerate(value):
            arguments = self._arguments(reads.of, each, (*path, place))
            if arguments is not None:
                built.append(reads.of(**arguments))
        ids = [each.id for each in built]
        for place, name in enumerate(ids):
            if name in ids[:place]:
                self.say("E032", f'id "{name}" is used twice in this step', (*path, place, "id"))
        return tuple(built)

    def _unknown(self, kind: type, name: str, path: Place) -> None:
        place = (*path, name)
        if name.startswith("x_") or len(self.found) >= MOST_FINDINGS:
            return
        if issubclass(kind, Step):
            homes = [word for word, each in CLASS_OF.items() if name in keys_of(each)]
            if homes:
                own = str(self._values["step"][path[1]].get("kind"))
                sentence = f'key "{name}" does not belong to kind "{own}" (it belongs to: {", ".join(homes)})'
                self.say("E033", sentence, place)
                return
        elif len(path) == 4 and path[0] == "step" and name in _STEP_KEYS:
            header, number = _OPTION_KEYS[str(path[2])], int(path[3]) + 1
            sentence = (
                f'key "{name}" in {path[2]} #{number}: in TOML everything after {header} belongs to it; '
                "move the key above it"
            )
            self.say("E034", sentence, place)
            return
        self.say("E010", f"unknown key {shown(name)}{did_you_mean(name, keys_of(kind))}", place)


_ARRAYS = frozenset({"score", "data", "misconception", "step"})


def _is_required(each: Any) -> bool:
    return each.default is MISSING and each.default_factory is MISSING


def _version(text: str) -> tuple[int, ...]:
    return tuple(int(part) for part in text.split(".") if part.isdigit())
