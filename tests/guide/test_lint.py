"""Broken scripts: each gives the code that is meant for it, on the line where it is broken."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.guide.scripts import HEAD, ROOFLINE, SHIPPED, STRONG, codes, compute, loaded
from tui.guide.exercise import Exercise
from tui.guide.findings import CODES, Finding
from tui.guide.lint import against, cycles, exercise_of, lint
from tui.guide.reader import Loaded, load, parse

Edit = Callable[[str], str]


def put(old: str, new: str) -> Edit:
    """The text with its first `old` replaced; an edit that changes nothing is a fault of the test."""

    def edit(text: str) -> str:
        assert old in text
        return text.replace(old, new, 1)

    return edit


def drop(pattern: str) -> Edit:
    """The text without the first line that matches."""

    def edit(text: str) -> str:
        found = re.search(rf"^.*{pattern}.*\n", text, re.MULTILINE)
        assert found
        return text[: found.start()] + text[found.end() :]

    return edit


def step(text: str) -> Edit:
    """The text with one more step at its end."""
    return lambda whole: f"{whole}\n[[step]]\n{text}\n"


NUMBER = 'id = "more"\nkind = "compute"\ntext = "How much?"\nexpect = "1000"\nunit = "GFLOP/s"\ntol = "1%"\n'
CHOICE = '[[step.choice]]\nid = "{0}"\ntext = "{1}"\nfeedback = "so"\n{2}\n'
QUESTION = 'id = "more"\nkind = "observe"\ntext = "Q"\n'
A, B = CHOICE.format("a", "first", "correct = true"), CHOICE.format("b", "second", "")

R, S = ROOFLINE, STRONG
MUTATIONS = [
    # file, edit, code, words of the message
    (R, put('title        = "Three', 'titel        = "Three'), "E010", 'did you mean "title"'),
    (R, put("minutes      = 15", "minuts       = 15"), "E010", 'did you mean "minutes"'),
    (R, put("format       = 1", "format       = 2"), "E011", "update it"),
    (R, put("format       = 1", "format       = 0"), "E011", "reads 1"),
    (R, put("minutes ", 'min_app = "99.0"\nminutes '), "E011", "needs rooflab 99.0"),
    (R, drop("^goal"), "E012", "goal"),
    (R, drop("^format"), "E012", "format = 1"),
    (R, put('id           = "roofline-three-trials"', 'id = "Roofline 3"'), "E013", "Roofline 3"),
    (R, put('id           = "roofline-three-trials"', 'id = "three"'), "E014", "three.toml"),
    (R, put("minutes      = 15", 'minutes      = "15"'), "E015", "no whole number"),
    (R, put('level        = "intro"', 'level        = "easy"'), "E015", "intro, core, stretch"),
    (R, put('tol        = "1%"', 'tol        = "about 1"'), "E015", "exact"),
    (R, put('expect     = "400"', 'expect     = "four"'), "E015", "expect"),
    (S, put("4,  2048, 40.0", "4,  2048, 40.0 s"), "E022", "row 1, column time_s"),
    (S, put("devices, global_batch, time_s", "devices, global_bach, time_s"), "E026", "global_batch"),
    (S, put('rows     = """\ndevices, global_batch, time_s', 'rows     = """\ntime_s'), "E021", "devices"),
    (S, put('family   = "strong"', 'family   = "strong"\nfile = "data/none.csv"'), "E021", "exactly one"),
    (R, put('cap = "1000 GFLOP/s"', 'cap = "2 TFLOP/s"'), "E025", "1000 GFLOP/s"),
    (R, put('kind  = "reset"', 'kind  = "rest"'), "E030", 'did you mean "reset"'),
    (R, drop('^id    = "t1-reset"'), "E031", "permanent name"),
    (R, put('"t2-reset"', '"t1-reset"'), "E032", "already used by step 2"),
    (S, put('id       = "batch"', 'id       = "time"'), "E032", "twice"),
    (R, put('kind    = "observe"', 'kind    = "observe"\ntol = "1%"'), "E033", "predict, compute"),
    (R, put("  correct  = true\n", "  correct  = true\n  points = 3\n"), "E034", "move the key above"),
    (R, drop("^text       = .What rate"), "E035", "no text"),
    (R, put('"Solve 8 × B = 1000."', '""'), "E036", "hint 2"),
    (R, put("{ I = ", "{ J = "), "E040", "unknown input"),
    (R, put('B = "50 GB/s"', 'B = "50 Gb/s"'), "E041", "Not checked because of it: t1-predict"),
    (R, put('inputs = { I = "8 FLOP/byte", B = "50 GB/s" }', "inputs = {}"), "E042", "inputs = {"),
    (R, drop('^unit       = "GFLOP/s"'), "E050", "unit"),
    (R, drop("^answer     = "), "E050", "answer"),
    (S, put("\"efficiency('claimed'", "\"eficiency('claimed'"), "E051", 'did you mean "efficiency"'),
    (S, put('"efficiency(\'fixed\', 16)"', '"efficiency(\'fixed\', 32)"'), "E051", "no row devices=32"),
    (R, put('"attainable(I, B)"', '"I.real"'), "E051", "Attribute"),
    (R, put('expect   = "1000"', 'expect   = "1600"'), "E052", "(I=8, B=200)"),
    (R, put('answer     = "attainable(I, B)"', 'answer     = "400"'), "W051", "bare number"),
    (R, drop('^expect     = "400"'), "W053", "the model says 400"),
    (S, put("decimals = 2", 'decimals = 2\ntol = "1%"'), "E054", "tol and decimals"),
    (R, put('tol        = "1%"', 'tol        = "15%"'), "W055", "10 %"),
    (S, put('answer   = "cell(\'claimed\',8,', 'answer   = "0 * cell(\'claimed\',8,'), "E056", "distance"),
    (S, drop('^tol      = "0.5%"'), "W056", "0.5 % applies"),
    (R, put('unit       = "GFLOP/s"', 'unit       = "GFLOPs"'), "E058", 'did you mean "GFLOP/s"'),
    (R, put('"TFLOP/s", "MFLOP/s"', '"GB/s", "MFLOP/s"'), "E058", "a bandwidth"),
    (R, put('["roofline.divide"]', '["roofline.devide"]'), "E060", "roofline.divide"),
    (R, drop("^feedback = .It looks as if"), "E061", "roofline.gib"),
    (R, put('"I * B * 8"', '"I * B * 8"\nwhen = "answer > 3"'), "E062", "exactly one"),
    (R, put('["roofline.divide"]', '["roofline.always-cap"]'), "E063", "marked right"),
    (R, put('when     = "answer > cap"', 'when     = "answer > 3"'), "E064", "over-cap"),
    (R, put('value    = "200"', 'value    = "cap * I"'), "W065", "both give 8000"),
    (R, put("already past the knee:", "already past the knee of 125:"), "W066", "prints the answer"),
    (R, put('attainable = "800"', 'attainable = "1600"'), "E071", "the instrument says 800"),
    (R, put('limit = "compute"', 'limit = "memory"'), "E072", '"compute"'),
    (R, step('id = "again"\nkind = "play"'), "W073", "commit first"),
    (R, step(NUMBER.replace("compute", "predict") + 'answer = "cap"'), "W074", "is a compute"),
    (S, put('cover    = ["speedup", "efficiency"]', 'cover    = ["speedup"]'), "W075", '"efficiency"'),
    (R, step(QUESTION + A), "E080", "fewer than two"),
    (R, step(QUESTION + B + B.replace("b", "c", 2)), "E081", "no choice"),
    (R, put("  id       = \"flat\"\n", "  id       = \"flat\"\n  correct = true\n"), "E082", "2 choices"),
    (R, drop("^  feedback = .No GPU"), "E083", "more-gpus"),
    (R, put("more GPUs share the work", "the compute cap binds now"), "E084", "reads like"),
    (R, step(QUESTION + A.replace("first", "w" * 40) + B), "W085", "40"),
    (S, drop("^  flaw     = true"), "E086", "flaw = true"),
    (S, put('data     = "fixed"', 'data     = "fxed"'), "E090", 'did you mean "fixed"'),
    (R, put('kind  = "reset"', 'kind  = "reset"\npoints = 2'), "W091", "never earned"),
    (R, put('text     = "the slanted line (memory)"', f'text = "{"x" * 61}"'), "W092", "61 characters"),
    (S, put("devices:        4", "devices:" + " " * 70 + "4"), "W092", "columns"),
    (R, put("minutes ", 'requires = ["roofline-tree-trials"]\nminutes '), "W093", "not in the folder"),
    (R, put("Watch where the marker", "Watch where the red marker"), "W094", '"red"'),
    (R, put("minutes      = 15", "minutes      = 15\nminutes = 20"), "E002", "given twice"),
    (R, put('level        = "intro"', "level        = intro"), "E002", "need quotes"),
    (R, put("[params]", "[params"), "E002", "not valid TOML"),
]  # fmt: skip


def mutated(file: Path, edit: Edit) -> Loaded:
    return parse(edit(file.read_text(encoding="utf-8")).encode(), file.parent, file.name)


@pytest.mark.parametrize(
    ("file", "edit", "code", "words"), MUTATIONS, ids=[f"{n}-{each[2]}" for n, each in enumerate(MUTATIONS)]
)
def test_a_broken_script_gives_its_code(file: Path, edit: Edit, code: str, words: str) -> None:
    found = [each for each in lint(mutated(file, edit), {file.stem}) if each.code == code]
    assert found, [str(each) for each in lint(mutated(file, edit))]
    assert any(words in each.message for each in found), [each.message for each in found]


def test_every_code_can_occur() -> None:
    elsewhere = {"E001", "W001", "E020", "E023", "E024", "E093", "E095", "I100"}
    assert {code for _, _, code, _ in MUTATIONS} | elsewhere == set(CODES)


@pytest.mark.parametrize("file", [ROOFLINE, STRONG], ids=lambda file: file.stem)
def test_the_shipped_scripts_are_clean(file: Path) -> None:
    assert codes(load(file)) == []


CLEAN = HEAD + compute("cap", 'tol = "1%"\nexpect = "1000"', "GFLOP/s")


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (
            b"\xef\xbb\xbf" + HEAD.encode() + compute("cap", 'tol="1%"\nexpect="1000"', "GFLOP/s").encode(),
            ["W001"],
        ),
        ((HEAD + compute("cap", 'tol="1%"\nexpect="1000"', "GFLOP/s")).replace("\n", "\r\n").encode(), []),
        (HEAD.encode() + b"# \xff", ["E001"]),
        ("format = 1".encode("utf-16"), ["E001"]),
        (b"", ["E012"]),
    ],
    ids=["byte-order mark", "CRLF", "latin-1", "utf-16", "empty"],
)
def test_bytes_and_line_ends(data: bytes, expected: list[str]) -> None:
    assert codes(parse(data, SHIPPED, "small.toml")) == expected


def found(loaded_script: Loaded, code: str) -> Finding:
    return next(each for each in lint(loaded_script) if each.code == code)


def test_a_finding_names_its_line_and_its_step() -> None:
    text = ROOFLINE.read_text(encoding="utf-8")
    broken = mutated(ROOFLINE, put('expect   = "1000"', 'expect   = "1600"'))
    finding = found(broken, "E052")
    line = next(n for n, each in enumerate(text.splitlines(), 1) if 'expect   = "1000"' in each)
    assert (finding.line, finding.step, finding.step_id) == (line, 13, "t3-predict")
    assert str(finding).startswith('step 13 "t3-predict": E052 you expect 1600, the model says 1000 GFLOP/s')


def test_a_bad_set_step_is_one_line_not_many() -> None:
    broken = mutated(ROOFLINE, put('B = "50 GB/s"', 'B = "50 Gb/s"'))
    assert codes(broken) == ["E041"]


def test_data_that_is_not_attached_is_said_once_for_each_use() -> None:
    script = loaded(compute("speedup('claimed', 8)"))
    assert "E051" in codes(script)


def test_runs_need_rows_or_a_number_of_own_rows() -> None:
    runs = '[[step]]\nid = "r"\nkind = "runs"\ntext = "Enter"\ntable = "strong"\n'
    assert "E012" in codes(loaded(runs))
    assert "E026" in codes(loaded(runs + 'min_rows = 2\ncolumns = ["devices", "tyme"]\n'))
    assert codes(loaded(runs + "min_rows = 2\n")) == []


def test_private_keys_are_ignored_everywhere() -> None:
    text = compute("cap", 'tol = "1%"\nexpect = "1000"\nx_covers = ["S26"]', "GFLOP/s")
    assert codes(loaded(text, HEAD + 'x_note = "mine"\n')) == []


def test_rings_of_requirements_are_found_once() -> None:
    scripts = {"a": ("b",), "b": ("c",), "c": ("a",), "d": ("a", "e"), "e": ()}
    assert list(cycles(scripts)) == [("a", "b", "c", "a")]
    assert list(cycles({"a": ("b",), "b": ("c",), "c": ()})) == []


def edited(file: Path, edit: Edit) -> Exercise:
    exercise = exercise_of(mutated(file, edit))
    assert exercise is not None
    return exercise


def same(text: str) -> str:
    return text


TEXT_EDITS = [
    put("I * B * 8", "I * B * 9"),
    put("What rate will", "Which rate will"),
    put("Solve 8 × B", "Now solve 8 × B"),
    put("It looks as if", "It seems as if"),
    put('title = "What you have"', 'title = "The parts"'),
    put("minutes      = 15", "minutes      = 20"),
]
GRADED_EDITS = [
    put('tol        = "1%"', 'tol        = "2%"'),
    put("points  = 1", "points  = 2"),
    put("schedule = [1, 0.5, 0.25]", "schedule = [1, 0.5]"),
    put('B = "100 GB/s"', 'B = "101 GB/s"'),
]


@pytest.mark.parametrize("edit", TEXT_EDITS)
def test_a_new_wording_grades_alike(edit: Edit) -> None:
    assert edited(ROOFLINE, edit).graded_hash == edited(ROOFLINE, same).graded_hash
    assert against(edited(ROOFLINE, edit), edited(ROOFLINE, same)) is None


@pytest.mark.parametrize("edit", GRADED_EDITS)
def test_a_change_of_marks_needs_a_new_revision(edit: Edit) -> None:
    old = edited(ROOFLINE, same)
    finding = against(edited(ROOFLINE, edit), old)
    assert finding is not None
    assert finding.code == "E095"
    raised = edited(ROOFLINE, lambda text: edit(put("revision     = 1", "revision     = 2")(text)))
    assert against(raised, old) is None


def test_the_graded_hash_of_a_script_never_changes_by_itself() -> None:
    """Sessions of an older version are compared by it: only a change of the marks may change it."""
    exercise = exercise_of(loaded(compute("cap", 'tol = "1%"', "GFLOP/s")))
    assert exercise is not None
    assert exercise.graded_hash == "4f830c12600cb73c1dc26d385d1fd8479d650993473d620ffb957764bc557519"


def test_a_cell_is_graded_too() -> None:
    assert edited(STRONG, put("16, 2048, 16, 8,  13.2", "16, 2048, 16, 8,  13.3")).graded_hash != (
        edited(STRONG, same).graded_hash
    )


def test_a_file_full_of_faults_is_answered_soon() -> None:
    import time

    start = time.process_time()
    many = "".join(f"key{n} = {n}\n" for n in range(60_000))
    assert codes(loaded(many + compute("1")))[:3] == ["E010"] * 3
    steps = "".join(f'[[step]]\nid = "s{n}"\nkind = "read"\ntext = "t"\n' for n in range(8000))
    assert "E024" in codes(loaded(steps))
    assert time.process_time() - start < 5
