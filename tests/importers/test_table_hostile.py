"""Whatever bytes come, a table is answered for: no exception, every line counted, nothing lost in silence."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from tui.importers import roles, table
from tui.importers.imported import Imported, Options, Source
from tui.model.study import Study, problems

MARKS = [",", ";", "\t", "|", "\n", '"', "#", "%", " ", "=", "(", ")", "\r", "--", "│", "\0", "\x1b[31m", ":"]
WORDS = """\
cores|time|time (ms)|nodes|ranks|threads|rate|samples/s|N=10|speedup|efficiency|status|N/A|OOM|-1|0|1|2|4.5|
1e400|1e-40|nan|999999999999999999999999999999|1,234|1:02|1/0|2²|١|½|0x10|1e5|12.5 ms|96.7%
""".replace("\n", "").split("|")
CELLS = st.sampled_from(MARKS + WORDS) | st.text(max_size=3)
STATEMENTS = st.sampled_from(
    [
        "",
        "devices=#1",
        "time=#2:s",
        "rate=#2",
        "time=#2:ms,devices=#1",
        "size=#1",
        "work-per-device=#2",
        "group=#1",
    ]
)


def whole(found: Imported) -> None:
    """What holds for every reading."""
    assert found.tally.adds_up
    assert found.runs or found.questions or found.problems
    assert bool(found.tally.refused) <= bool(found.problems)
    assert bool(found.tally.waiting) <= bool(found.questions)
    for part in found.parts:
        assert problems(Study(experiment=(part.experiment("x", part.family or "strong"),))) == ()


def assert_read_whole(data: bytes, statement: str = "") -> None:
    try:
        found = table.read(Source(Path("x.csv"), data), roles.options([statement] if statement else []))
    except roles.BadMap:
        return
    whole(found)
    assert 0 <= table.sniff(data, "x.dat") <= 0.5


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(CELLS, max_size=60), STATEMENTS)
def test_any_text(pieces: list[str], statement: str) -> None:
    assert_read_whole("".join(pieces).encode(errors="surrogatepass"), statement)


@settings(max_examples=60, deadline=None)
@given(st.binary(max_size=200))
def test_any_bytes(data: bytes) -> None:
    assert_read_whole(data)


SAMPLE = (
    b"# measured on Monday\nType;MPI;OMP;Tempo (ms);Speedup;FOM;N\n"
    b"a;1;1;1.234,5;1,0;10;100\na;2;1;640,2;1,93;19;100\nb;2;2;--;;35;200\nb;4;2;OOM;;1;200\n"
)


@example([(121, 3, "1e-40")], "")  # a size that no study may hold is not the work of its row
@settings(max_examples=150, deadline=None)
@given(
    st.lists(
        st.tuples(st.integers(0, len(SAMPLE)), st.integers(0, 12), st.sampled_from(MARKS + WORDS)), max_size=6
    ),
    STATEMENTS,
)
def test_damaged_tables(cuts: list[tuple[int, int, str]], statement: str) -> None:
    data = SAMPLE
    for place, length, piece in cuts:
        data = data[:place] + piece.encode() + data[place + length :]
    assert_read_whole(data, statement)


@given(
    st.lists(
        st.tuples(st.integers(1, 10**6), st.floats(1e-6, 1e6, allow_nan=False)), min_size=1, max_size=20
    ),
    st.sampled_from([",", ";", "\t", " ", "|"]),
    st.sampled_from(["\n", "\r\n"]),
    st.sampled_from(["utf-8", "utf-8-sig", "utf-16"]),
    st.booleans(),
)
@settings(max_examples=80, deadline=None)
def test_what_is_written_is_read(
    rows: list[tuple[int, float]], separator: str, end: str, encoding: str, comma: bool
) -> None:
    decimal = comma and separator != ","
    lines = [f"cores{separator}time_s"]
    for count, time in rows:
        text = repr(round(time, 6))
        lines.append(f"{count}{separator}{text.replace('.', ',') if decimal else text}")
    found = table.read(Source(Path("x"), end.join([*lines, ""]).encode(encoding)), Options(family="strong"))
    if any(question.about == "number" for question in found.questions):
        return  # 1,234 alone
    assert [(run.devices, run.times_s) for run in found.runs] == [
        (count, (pytest.approx(round(time, 6), rel=1e-12),)) for count, time in rows
    ]
    assert found.problems == ()
