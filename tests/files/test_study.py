"""Study files: what is read, every error at once with its line, and what an edit leaves alone."""

from __future__ import annotations

import difflib
import json
import subprocess
import sys
import time
from dataclasses import fields, replace
from datetime import date, datetime, timezone
from pathlib import Path
from typing import Any

import pytest

from tui.files import errors, schema
from tui.files import study as files
from tui.files.edit import CannotEdit
from tui.files.examples import EXAMPLES
from tui.files.toml import inline, loads
from tui.model import study as model

STORED = sorted((Path(__file__).parent / "format1").glob("*.toml"))


def faults(text: str | bytes) -> list[str]:
    data = text.encode() if isinstance(text, str) else text
    with pytest.raises(files.NotAStudy) as caught:
        files.parse(data, Path("s.toml"))
    assert "\n" not in str(caught.value)
    return [str(fault) for fault in caught.value.faults]


# files of format 1


def test_stored_files_are_there() -> None:
    assert [path.name for path in STORED] == ["everything.toml", "other_styles.toml", "windows.toml"]


def test_every_key_of_format_1_is_read() -> None:
    document, _ = files.read(STORED[0])
    study = document.study
    strong, weak, target, _ = study.experiment
    first, second, withdrawn = strong.run
    assert study.machine.domains[1] == model.Domain("leaf switch", 128)
    assert strong.peak_flops_per_device == 989e12
    assert strong.stages[2] == model.Stage(
        "rank_tail", "tail", ("communication",), None, {"q": 0.01, "delay_s": 0.5}
    )
    assert (first.times_s, first.work, first.hosts) == ((40.2, 40.5, 40.1), 4194304, ("g001",))
    assert first.extra == {"Job ID": 4711, "queue": "gpu", "W/T": 104334.4, "exclusive": True}
    assert first.date == date(2026, 11, 28)
    assert second.date == datetime(2026, 11, 29, 8, tzinfo=timezone.utc)
    assert (withdrawn.status, withdrawn.withdrawn) == ("out-of-memory", "wrong container image")
    assert strong.prediction[0].made == datetime(2026, 11, 30, 9, 12, tzinfo=timezone.utc)
    assert weak.run[0].work == model.Work(256000, "tokens", 64, "all 4000", "AdamW")
    assert (target.run[0].reached, target.run[0].quality) == (True, 2.79)


def test_the_stored_file_uses_every_key_there_is() -> None:
    """So that a later version that drops or renames one is caught."""
    text = STORED[0].read_text()
    for table, _ in schema.TABLES.values():
        for each in fields(table):
            assert each.name in text, f"{table.__name__}.{each.name}"


def test_other_spellings_mean_the_same() -> None:
    study = files.read(STORED[1])[0].study
    inline_runs, tables = study.experiment
    assert (study.title, study.machine.name) == ("Two lines of\na title", "cluster")
    assert study.machine.domains == (model.Domain("node", 4),)
    assert inline_runs.run[1] == model.Run(16, (1.0, 1.1), extra={"a.b": "x"})
    assert tables.run[0].stages_s == {"compute": 3.5, "a stage": 0.25}
    assert tables.run[0].work == model.Work(4e6)


# edits of hand-written files


def touched(before: bytes, after: bytes) -> list[str]:
    """The lines that went (-) and came (+)."""
    diff = difflib.ndiff(before.decode().splitlines(True), after.decode().splitlines(True))
    return [line for line in diff if line[0] in "+-"]


def with_run(study: model.Study, place: int, spot: int, **values: Any) -> model.Study:
    """The study with fields of one run changed."""
    run = list(study.experiment[place].run)
    run[spot] = replace(run[spot], **values)
    return with_experiment(study, place, run=tuple(run))


def with_experiment(study: model.Study, place: int, **values: Any) -> model.Study:
    experiment = list(study.experiment)
    experiment[place] = replace(experiment[place], **values)
    return replace(study, experiment=tuple(experiment))


def edit(path: Path, new: model.Study) -> list[str]:
    """Make the edit, read it back, and list the touched lines."""
    document, _ = files.read(path)
    after = files.changed(document, new)
    assert files.parse(after.data).study == new
    return touched(document.data, after.data)


def study_in(path: Path) -> model.Study:
    return files.read(path)[0].study


def test_withdrawing_touches_one_line() -> None:
    new = with_run(study_in(STORED[0]), 0, 0, withdrawn="sick node g001")
    assert edit(STORED[0], new) == ['-   withdrawn = ""\n', '+   withdrawn = "sick node g001"\n']


def test_a_cause_goes_below_the_keys_before_it() -> None:
    new = with_run(study_in(STORED[0]), 1, 0, cause="fewer cache misses")
    assert edit(STORED[0], new) == ['+   cause = "fewer cache misses"\n']


def test_a_baseline_is_changed_and_taken_back() -> None:
    assert edit(STORED[0], with_experiment(study_in(STORED[0]), 0, baseline=16)) == [
        "- baseline = 8\n",
        "+ baseline = 16\n",
    ]
    assert edit(STORED[0], with_experiment(study_in(STORED[0]), 0, baseline=None)) == ["- baseline = 8\n"]


def test_another_time_in_a_run() -> None:
    new = with_run(study_in(STORED[0]), 0, 0, times_s=(40.2, 40.5, 40.1, 39.9))
    assert edit(STORED[0], new) == [
        "-   times_s = [40.2, 40.5, 40.1]\n",
        "+   times_s = [40.2, 40.5, 40.1, 39.9]\n",
    ]


@pytest.mark.parametrize("path", STORED, ids=lambda path: path.name)
def test_a_run_is_added_and_nothing_else_touched(path: Path) -> None:
    study = study_in(path)
    runs = (*study.experiment[-1].run, model.Run(64, (0.1, 1 / 3, 1e-7, 5e30), note='a "b" \\ \x7f ü\n#'))
    lines = edit(path, with_experiment(study, len(study.experiment) - 1, run=runs))
    assert [line for line in lines if line[0] == "-"] == []
    end = "\r\n" if path.name == "windows.toml" else "\n"
    assert all(line.endswith(end) for line in lines)


def test_a_run_is_added_to_runs_written_inline() -> None:
    study = study_in(STORED[1])
    new = with_experiment(study, 0, run=(*study.experiment[0].run, model.Run(32, (0.6,))))
    assert edit(STORED[1], new) == ["+   { devices = 32, times_s = [0.6] },\n"]


def test_a_prediction_is_locked() -> None:
    study = study_in(STORED[0])
    locked = model.Prediction(128, datetime(2026, 12, 1, 7, 30, tzinfo=timezone.utc), 11.25, "communication")
    new = with_experiment(study, 0, prediction=(*study.experiment[0].prediction, locked))
    assert edit(STORED[0], new) == [
        "+   [[experiment.prediction]]\n",
        "+   devices = 128\n",
        "+   made = 2026-12-01T07:30:00Z\n",
        "+   time_s = 11.25\n",
        '+   limit = "communication"\n',
        "+ \n",
    ]


@pytest.mark.parametrize("path", STORED, ids=lambda path: path.name)
def test_an_experiment_is_added_at_the_end(path: Path) -> None:
    study = study_in(path)
    more = model.Experiment(
        "weak", "added", work_model=model.WorkModel(1e6, "cells"), run=(model.Run(1, (2.0,)),)
    )
    new = replace(study, experiment=(*study.experiment, more))
    document, _ = files.read(path)
    after = files.changed(document, new).data
    assert after.startswith(document.data)
    assert files.parse(after).study == new


@pytest.mark.parametrize("family", EXAMPLES)
def test_examples_are_sound_and_say_that_they_are_made_up(family: model.Family) -> None:
    text = EXAMPLES[family]
    study = files.parse(text.encode()).study
    assert [each.family for each in study.experiment] == [family]
    assert len({run.devices for run in study.experiment[0].run}) >= 2
    assert "MADE UP" in text
    assert text.isascii()
    assert max(map(len, text.splitlines())) <= 110


def test_an_edit_that_cannot_be_made_is_refused_not_guessed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "edited", lambda text, old, new, blocks: text)
    document = files.parse(b'title = "x"\n')
    with pytest.raises(CannotEdit, match="save a copy"):
        files.changed(document, replace(document.study, title="y"))


def test_imported_numbers_that_are_none_do_not_stand_in_the_way() -> None:
    text = (
        b'[[experiment]]\nfamily = "strong"\nname = "x"\n'
        b"[[experiment.run]]\ndevices = 1\nextra = { a = nan, b = -inf }\n"
    )
    document = files.parse(text)
    after = files.changed(document, with_run(document.study, 0, 0, note="y"))
    assert touched(text, after.data) == ['+ note = "y"\n']
    assert files.fresh(after.study).data.count(b"nan") == 1


def test_half_a_character_is_refused_in_words() -> None:
    with pytest.raises(CannotEdit, match=r"half a character, '\\ud800'"):
        files.fresh(model.Study(title="x\ud800"))


def test_one_line_without_an_end_gets_a_plain_one() -> None:
    document = files.parse(b'title = "x"')
    assert files.changed(document, replace(document.study, machine=model.Machine("m"))).data == (
        b'title = "x"\n\n[machine]\nname = "m"\n'
    )


# what is wrong with a file


WRONG = """\
titel = "x"
[machine]
devices_per_node = "8"
domains = [ {name="a", devices=8}, {nmae="b", devices=0} ]
[[experiment]]
family = "strnog"
name = "a"
price = 5
stages = [ {name="c", law="splitt"} ]
[[experiment.run]]
devices = true
times_s = [1, "x",
  2026-01-01]
status = "complete"
work = "x"
GPUs = 8
date = 5
extra = {date = [1], b = 2}
[[experiment.run]]
work = {amount = 5, foo = 6}
[[experiment]]
name="b"
work = {of = "x"}
[[experiment.run]]
devices = 8.0
"""


def test_everything_wrong_is_said_at_once_with_its_line() -> None:
    assert faults(WRONG) == [
        "line 1: titel: unknown key 'titel'; did you mean 'title'?",
        'line 3: machine, devices_per_node: read "8", expected a whole number',
        "line 4: machine, domains 2, name: is missing; it cannot be left out",
        "line 4: machine, domains 2, nmae: unknown key 'nmae'; did you mean 'name'?",
        "line 6: experiment 1, family: read \"strnog\", expected one of 'strong', 'weak', 'model-size', "
        "'target'; did you mean 'strong'?",
        "line 8: experiment 1, price: unknown key 'price'; it belongs in [machine]",
        "line 9: experiment 1, stages 1, law: read \"splitt\", expected one of 'split', 'fixed', "
        "'split+fixed', 'ring', 'linear', 'tree', 'per-doubling', 'halo', 'alltoall', 'bubble', 'tail'; "
        "did you mean 'split'?",
        "line 11: experiment 1, run 1, devices: read true, expected a whole number",
        'line 12: experiment 1, run 1, times_s value 2: read "x", expected a number',
        "line 13: experiment 1, run 1, times_s value 3: read 2026-01-01, expected a number",
        "line 14: experiment 1, run 1, status: read \"complete\", expected one of 'completed', 'failed', "
        "'out-of-memory', 'stopped'; did you mean 'completed'?",
        'line 15: experiment 1, run 1, work: read "x", expected a number or a table in braces',
        "line 16: experiment 1, run 1, GPUs: unknown key 'GPUs'; did you mean 'devices'?",
        "line 17: experiment 1, run 1, date: read 5, expected a date and time like 2026-11-30T09:12:00Z "
        "or a date like 2026-11-30",
        "line 18: experiment 1, run 1, extra, date: read [1], expected text in quotes or a number "
        "or true or false",
        "line 19: experiment 1, run 2, devices: is missing; it cannot be left out",
        "line 20: experiment 1, run 2, work, foo: unknown key 'foo'; `rooflab schema study` lists the keys",
        "line 21: experiment 2, family: is missing; it cannot be left out",
        "line 23: experiment 2, work, amount: is missing; it cannot be left out",
        "line 25: experiment 2, run 1, devices: read 8.0, expected a whole number",
    ]


def test_values_that_cannot_be_meant_are_said_with_the_rest() -> None:
    text = (
        'colour = 1\n[[experiment]]\nfamily = "strong"\nname = "a"\nbaseline = 3\n\n[[experiment.run]]\n'
        "devices = 2\ntimes_s = [\n  1.0,\n  -2.0,\n  inf ]\n"
    )
    first, second, third, fourth = faults(text)
    assert first.startswith("line 1: colour: unknown key")
    assert second.startswith("line 5: experiment 1, baseline: no run has 3 devices")
    assert third.startswith("line 11: experiment 1, run 1, times_s value 2: times_s must be 0 or more")
    assert fourth.startswith("line 12: experiment 1, run 1, times_s value 3: times_s must be a finite number")


def test_the_exception_names_the_file_and_the_first_fault() -> None:
    with pytest.raises(files.NotAStudy, match=r"^s\.toml: line 1: titel: unknown key") as caught:
        files.parse(b"titel = 1\n", Path("s.toml"))
    assert isinstance(caught.value, errors.FileError)
    with pytest.raises(files.NotAStudy, match=r"^s\.toml: 2 errors, the first in line 1: "):
        files.parse(b"titel = 1\nfoo = 2\n", Path("s.toml"))


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "line 1: the file is empty; `rooflab new FILE"),
        (b"# only a remark\n\n", "line 1: the file is empty"),
        (b"\xff\xfef\x00", "line 1: column 1: this is UTF-16 text; save it as UTF-8"),
        (b"a = 1\nb = '\xe9'\n", "line 2: column 6: byte 6 is 0xe9, which is not UTF-8"),
        (b"# new\nformat = 2\nfoo = 1\n", "line 2: this is format 2, made by a newer rooflab"),
        (b'format = "1"\n', 'line 1: format: read "1", expected a whole number'),
        (b"format = 0\n", "line 1: format: format 0 is not known here"),
        (b"format = 1\ntitle = \n", "line 2: column 9: not valid TOML: invalid value; read 'title ='"),
        (b"\n\na = [1,\n2", "line 4: not valid TOML: unclosed array, at the end of the file"),
        (b"a = 1\na = 2\n", "line 2: column 6: not valid TOML: cannot overwrite a value; read 'a = 2'"),
        (b"a = " + b"[" * 5000, "line 1: arrays or tables are nested too deeply"),
        (b'title = "\x1b[31m"\n', "line 1: column 10: not valid TOML: illegal character '\\x1b'"),
        (b"experiment = 5\n", "line 1: experiment: read 5, expected a list in brackets"),
        (b"machine = []\n", "line 1: machine: read [], expected a table in braces"),
        (b"experiment = [1]\n", "line 1: experiment 1: read 1, expected a table in braces"),
    ],
)
def test_files_that_are_no_study_at_all(data: bytes, said: str) -> None:
    (fault,) = faults(data)
    assert fault.startswith(said)


def test_a_folder_and_a_missing_file_are_named(tmp_path: Path) -> None:
    with pytest.raises(errors.IsFolder, match="it is a folder"):
        files.read(tmp_path)
    with pytest.raises(errors.FileMissing, match="there is no file"):
        files.read(tmp_path / "gone.toml")


# schema


def allowed(value: Any, part: dict[str, Any], whole: dict[str, Any]) -> bool:
    """A JSON Schema check of as much of the standard as the study schema uses."""
    if "$ref" in part:
        part = {**whole["$defs"][part["$ref"].rsplit("/", 1)[1]]}
    if "anyOf" in part:
        return any(allowed(value, each, whole) for each in part["anyOf"])
    if "enum" in part and value not in part["enum"]:
        return False
    kind = part.get("type")
    if kind == "object":
        known, rest = part.get("properties", {}), part.get("additionalProperties", True)
        return (
            isinstance(value, dict)
            and all(name in value for name in part.get("required", ()))
            and all(
                allowed(each, known[name], whole)
                if name in known
                else rest is not False and allowed(each, rest if isinstance(rest, dict) else {}, whole)
                for name, each in value.items()
            )
        )
    if kind == "array":
        return isinstance(value, list) and all(allowed(each, part.get("items", {}), whole) for each in value)
    kinds: dict[str, Any] = {"string": str, "integer": int, "number": (int, float), "boolean": bool}
    if kind in kinds and (
        not isinstance(value, kinds[kind]) or (kind != "boolean" and isinstance(value, bool))
    ):
        return False
    return not ("minimum" in part and value < part["minimum"])


def plain(text: str) -> Any:
    return json.loads(json.dumps(loads(text), default=lambda moment: moment.isoformat()))


@pytest.mark.parametrize("text", [*EXAMPLES.values(), STORED[0].read_text(), STORED[1].read_text()])
def test_the_schema_takes_what_the_program_takes(text: str) -> None:
    whole = schema.json_schema()
    assert allowed(plain(text), whole, whole)


@pytest.mark.parametrize(
    "text",
    ["titel = 1", "format = '1'", "[machine]\ndevices_per_node = 0", "[[experiment]]\nname = 'x'"],
)
def test_the_schema_refuses_what_the_program_refuses(text: str) -> None:
    whole = schema.json_schema()
    assert not allowed(plain(text), whole, whole)
    assert faults(text)


def test_the_schema_is_named_and_knows_no_null() -> None:
    whole = schema.json_schema()
    assert whole["title"] == "rooflab study, format 1"
    assert "null" not in json.dumps(whole["$defs"]["Run"])


# numbers, speed, imports


@pytest.mark.parametrize("value", [0.1, 1 / 3, 1e16, 1e-7, 5e-324, 1.7976931348623157e308, 12.0, 2**53 + 1])
def test_numbers_read_back_exactly(value: float) -> None:
    assert loads(f"x = {inline(value)}") == {"x": value}


def test_what_toml_lacks_is_refused() -> None:
    with pytest.raises(TypeError, match="TOML has no NoneType"):
        inline([None])


def test_a_thousand_runs_open_and_change_in_a_few_parses() -> None:
    """Against the TOML parser alone in the same run, so that a slow machine does not matter."""
    run = "\n[[experiment.run]]\ndevices = {}\ntimes_s = [40.2, 40.5, 40.1]  # x\nglobal_batch = 1024\n"
    text = '[[experiment]]\nfamily = "strong"\nname = "x"\n' + "".join(run.format(n) for n in range(1, 1001))
    data = text.encode()

    def seconds(call: Any) -> float:
        start = time.perf_counter()
        call()
        return time.perf_counter() - start

    alone = min(seconds(lambda: loads(text)) for _ in range(2))
    document = files.parse(data)
    one = document.study.experiment[0]
    new = replace(document.study, experiment=(replace(one, run=(*one.run, model.Run(7))),))
    assert min(seconds(lambda: files.parse(data)) for _ in range(2)) < 10 * alone
    assert min(seconds(lambda: files.changed(document, new)) for _ in range(2)) < 12 * alone


def test_opening_loads_pydantic_only_when_it_reads() -> None:
    code = (
        "import sys, tui.files.study, tui.files.examples\n"
        "heavy = ('pydantic', 'numpy', 'tomlkit', 'textual', 'rich', 'plotext')\n"
        "print([name for name in heavy if name in sys.modules])\n"
        "tui.files.study.parse(b'format = 1')\n"
        "print([name for name in heavy if name in sys.modules])"
    )
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert out.split("\n")[:2] == ["[]", "['pydantic']"]
