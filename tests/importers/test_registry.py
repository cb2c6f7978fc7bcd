"""Formats are found, told apart, and refused with a sentence."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tui.files.errors import FileError
from tui.importers import registry
from tui.importers.imported import HEAD, Options, Source, Tally
from tui.importers.plain import as_json


def test_every_format_reads_and_recognises_its_own_example() -> None:
    for each in registry.formats():
        assert each.NAME.lower() == each.NAME
        assert each.ABOUT
        assert each.EXAMPLE
        assert 0 <= each.sniff(each.EXAMPLE.encode(), "x") <= 1
    assert "table" in {each.NAME for each in registry.formats()}


def test_the_surest_format_reads() -> None:
    source = Source(Path("runs.csv"), b"cores,time_s\n8,40.2\n")
    assert registry.recognised(source).NAME == "table"
    assert registry.read(source, Options(family="strong")).runs[0].devices == 8
    assert registry.read(source, Options(family="strong"), "table").format == "table"


@pytest.mark.parametrize(
    ("data", "name", "sentence"),
    [
        (b"x", "tabel", "there is no format 'tabel'; did you mean 'table'?"),
        (b"\n \n", None, "runs is empty"),
        (b"\x7fELF\x02\x01\x01\0\0", None, "of no format that is known here"),
    ],
)
def test_what_cannot_be_read(data: bytes, name: str | None, sentence: str) -> None:
    with pytest.raises(registry.NotRecognised) as caught:
        registry.read(Source(Path("runs"), data), Options(), name)
    assert sentence in str(caught.value)


def test_a_file_that_can_be_nothing_else_loads_no_format_further_on() -> None:
    code = f"""
import sys
from pathlib import Path
from tui.importers import megatron, registry
from tui.importers.imported import Source
source = Source(Path("a.log"), {b"iteration 10/ 20 | elapsed time per iteration (ms): 7.0 |"!r})
assert registry.recognised(source) is megatron
print("tui.importers.hyperfine" in sys.modules, "tui.importers.table" in sys.modules)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["True", "False"]


def test_a_log_is_recognised_behind_any_amount_of_other_output() -> None:
    line = (
        b" iteration %8d/ 100 | elapsed time per iteration (ms): 820.7 | global batch size:    16 | "
        b"lm loss: 1.0E+01 | number of skipped iterations:   0 |\n"
    )
    lines = b"".join(line % number for number in range(10, 60, 10))
    other = b"Requirement already satisfied: some-package 1.%d\n"
    before = b"".join(other % number for number in range(HEAD // 32))
    assert len(before) > HEAD
    source = Source(Path("job.out"), before + lines + before)
    assert registry.recognised(source).NAME == "megatron"
    assert len(registry.read(source).runs[0].times_s) == 4
    assert registry.recognised(Source(Path("job.out"), before + before)).NAME != "megatron"
    assert registry.recognised(Source(Path("r.csv"), b"cores,t\n" + b"1,2\n" * HEAD)).NAME == "table"


def test_a_file_is_empty_only_to_its_end() -> None:
    data = b"\n" * (HEAD + 10)
    with pytest.raises(registry.NotRecognised, match="is empty"):
        registry.recognised(Source(Path("a"), data[:HEAD]))
    with pytest.raises(registry.NotRecognised, match="of no format"):
        registry.recognised(Source(Path("a"), data))


def test_files_that_are_not_there(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="there is no file"):
        registry.read(Source(tmp_path / "no.csv"))
    with pytest.raises(FileError, match="folder"):
        registry.read(Source(tmp_path))


def test_a_source_is_a_file_or_its_bytes(tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    path.write_bytes(b"a" * (HEAD + 1))
    for source in (Source(path), Source(path, path.read_bytes())):
        assert (source.size, len(source.head()), len(source.read())) == (HEAD + 1, HEAD, HEAD + 1)
        with source.open() as stream:
            assert stream.read(1) == b"a"
        source.progressed(1, 2)


def test_the_tally_says_whether_it_adds_up() -> None:
    assert Tally(3, runs=1, headings=1, blank=1).adds_up
    assert not Tally(3, runs=1).adds_up
    assert str(Tally(1, runs=1)) == "1 line: 1 read as runs"


def test_a_reading_as_plain_values() -> None:
    found = registry.read(Source(Path("r.csv"), b"cores,t\n8,40.2\nx,1\n4,80\n"), Options(family="strong"))
    plain = as_json(found)
    assert plain["questions"][0]["about"] == "time unit"
    assert plain["columns"][0]["role"] == "devices"
    assert plain["problems"][0]["line"] == 3
    assert plain["lines"]["refused"] == 1
