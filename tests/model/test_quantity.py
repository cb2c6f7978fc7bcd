"""Numbers with units: the reading table, every unit and its spellings, questions, repeats, hygiene."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Sequence
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tui.model.quantity import (
    UNIT_SYMBOLS,
    ReadError,
    Reading,
    find_unit,
    format_exact,
    format_number,
    read,
    read_many,
    read_number,
)


def error_of(text: str, unit: str, *, require_unit: bool = False, accept: Sequence[str] = ()) -> ReadError:
    with pytest.raises(ReadError) as caught:
        read(text, unit, require_unit=require_unit, accept=accept)
    return caught.value


READ = [
    ("400", "GFLOP/s", "400", "400 read as 400 GFLOP/s"),
    (" 400 ", "GFLOP/s", "400", "400 read as 400 GFLOP/s"),
    ("\uff14\uff10\uff10", "GFLOP/s", "400", "\uff14\uff10\uff10 read as 400 GFLOP/s"),
    ("400 GFLOP/s", "GFLOP/s", "400", "400 GFLOP/s read as 400 GFLOP/s"),
    ("400GFLOP/s", "GFLOP/s", "400", "400GFLOP/s read as 400 GFLOP/s"),
    ("400 gflops", "GFLOP/s", "400", "400 gflops read as 400 GFLOP/s"),
    ("0.4 TFLOP/s", "GFLOP/s", "400", "0.4 TFLOP/s read as 400 GFLOP/s"),
    ("1.600,5", "GFLOP/s", "1600.5", "1.600,5 read as 1600.5 GFLOP/s"),
    ("1,600.5", "GFLOP/s", "1600.5", "1,600.5 read as 1600.5 GFLOP/s"),
    ("1.600", "GFLOP/s", "1.6", "1.600 read as 1.6 GFLOP/s"),
    ("0,8", "1", "0.8", "0,8 read as 0.8"),
    ("80%", "1", "0.8", "80% read as 0.8"),
    ("80 %", "1", "0.8", "80 % read as 0.8"),
    ("95,2 %", "1", "0.952", "95,2 % read as 0.952"),
    ("4/5", "1", "0.8", "4/5 read as 0.8"),
    ("80", "1", "80", "80 read as 80"),
    ("3.03 x", "1", "3.03", "3.03 x read as 3.03"),
    ("0.8", "%", "0.8", "0.8 read as 0.8 %"),
    ("1.5x", "%", "150", "1.5x read as 150 %"),
    ("200", "GB/s", "200", "200 read as 200 GB/s"),
    ("3.35 TB/s", "GB/s", "3350", "3.35 TB/s read as 3350 GB/s"),
    ("1555 GB/s", "GB/s", "1555", "1555 GB/s read as 1555 GB/s"),
    ("1 GiB/s", "GB/s", "1.073741824", "1 GiB/s read as 1.073741824 GB/s"),
    ("1448 GiB/s", "GB/s", "1554.778161152", "1448 GiB/s read as 1554.778161152 GB/s"),
    ("1 GiB", "GB", "1.073741824", "1 GiB read as 1.073741824 GB"),
    ("40 GB", "GiB", "9765625/262144", "40 GB read as about 37.2529 GiB"),
    ("1/24", "FLOP/byte", "1/24", "1/24 read as about 0.0416667 FLOP/byte"),
    ("90 min", "h", "1.5", "90 min read as 1.5 h"),
    ("250 ms", "s", "0.25", "250 ms read as 0.25 s"),
    ("4 \u00b5s", "s", "0.000004", "4 \u00b5s read as 4e-6 s"),
    ("4 \u03bcs", "s", "0.000004", "4 \u03bcs read as 4e-6 s"),
    ("384 device-s", "device-h", "384/3600", "384 device-s read as about 0.106667 device-h"),
    ("1280 TFLOP", "PFLOP", "1.28", "1280 TFLOP read as 1.28 PFLOP"),
    ("2,048,000", "tokens", "2048000", "2,048,000 read as 2048000 tokens"),
    ("-5 GB/s", "GB/s", "-5", "-5 GB/s read as -5 GB/s"),
    ("0", "GB/s", "0", "0 read as 0 GB/s"),
]


@pytest.mark.parametrize(("text", "unit", "value", "said"), READ, ids=lambda x: ascii(x)[:20])
def test_read(text: str, unit: str, value: str, said: str) -> None:
    reading = read(text, unit)
    assert reading.value == Fraction(value)
    assert (reading.unit, reading.text) == (unit, text)
    assert reading.said == said


REFUSED = [
    ("400 GFLOP", "GFLOP/s", "U03", ("400 GFLOP/s",), 'needs "/s"'),
    ("50 GB", "GB/s", "U03", ("50 GB/s",), 'needs "/s"'),
    ("40 GiB", "GB/s", "U03", ("40 GiB/s",), 'needs "/s"'),
    ("400 Gb/s", "GFLOP/s", "U02", (), "counts bits"),
    ("900 Gb/s", "GB/s", "U02", ("900 GB/s", "112.5 GB/s"), "900 GB/s if you mean bytes"),
    ("50 gb/s", "GB/s", "U02", ("50 GB/s", "6.25 GB/s"), "6.25 GB/s if you mean bits"),
    ("50 Gbit/s", "GB/s", "U02", ("50 GB/s", "6.25 GB/s"), "bits"),
    ("50 GBIT/S", "GB/s", "U02", ("50 GB/s", "6.25 GB/s"), "bits"),
    ("50 Gbps", "GB/s", "U02", ("50 GB/s", "6.25 GB/s"), "bits"),
    ("50 GBPS", "GB/s", "U02", ("50 GB/s", "6.25 GB/s"), "bits"),
    ("50 mb/s", "GB/s", "U02", ("50 MB/s", "6.25 MB/s"), "bits"),
    ("50 gib/s", "GB/s", "U02", ("50 GiB/s", "6.25 GiB/s"), "bits"),
    ("8 Gb", "GB", "U02", ("8 GB", "1 GB"), "bits"),
    ("8 flop/b", "FLOP/byte", "U02", ("8 FLOP/byte", "64 FLOP/byte"), "bits"),
    ("2 flop/bit", "FLOP/byte", "U02", ("2 FLOP/byte", "16 FLOP/byte"), "bits"),
    ("400 GB/s", "GFLOP/s", "U06", (), "is a bandwidth: a compute rate is asked for here"),
    ("8 GFLOP/s", "FLOP/byte", "U06", (), "an arithmetic intensity is asked for here"),
    ("8 FLOP/byte", "GB/s", "U06", (), "is an arithmetic intensity"),
    ("3 s", "device-h", "U06", (), "a device time is asked for here"),
    ("7 gflops", "GFLOP", "U06", (), "an amount of work is asked for here"),
    ("7 s", "1", "U06", (), "a ratio is asked for here, like 0.37 or 37 %"),
    ("8 devices", "tokens", "U06", (), "is a number of devices: a number of tokens"),
    ("400abc", "GFLOP/s", "U01", (), '"abc"'),
    ("400 GFLOP/s extra", "GFLOP/s", "U01", (), "did you mean GFLOP/s?"),
    ("5 minuts", "s", "U01", (), "did you mean min?"),
    ("5 secnds", "s", "U01", (), "did you mean s?"),
    ("5 node-h", "device-h", "U01", (), "a device time is asked for here"),
    ("5 m", "s", "U08", ("5 ms", "5 min"), "5 ms or 5 min"),
    ("5 MS", "s", "U08", ("5 ms",), "milli"),
    ("400 mflop/s", "GFLOP/s", "U08", ("400 MFLOP/s",), "400 MFLOP/s"),
    ("50 mB/s", "GB/s", "U08", ("50 MB/s",), "50 MB/s"),
    ("40 G", "GiB", "U08", ("40 GB", "40 GiB"), "40 GB or 40 GiB"),
    ("40 Gi", "GiB", "U08", ("40 GiB",), "40 GiB"),
    ("32k", "tokens", "U08", ("32000", "32768"), "32000 or 32768"),
    ("2 M", "samples", "U08", ("2000000", "2097152"), "2000000 or 2097152"),
    ("1,600", "GFLOP/s", "N06", ("1600", "1.600"), "do you mean 1600 or 1.600?"),
    ("1,600 TFLOP/s", "GFLOP/s", "N06", ("1600 TFLOP/s", "1.600 TFLOP/s"), "1600 or 1.600"),
    ("4 0 0", "GFLOP/s", "N04", (), "1234.5"),
    ("", "GFLOP/s", "N01", (), "Nothing was typed"),
    ("abc", "GFLOP/s", "N02", (), "number"),
    ("GFLOP/s", "GFLOP/s", "N02", (), "number"),
    ("nan", "GFLOP/s", "N09", (), "finite"),
    ("0x190", "GFLOP/s", "N11", (), "decimal"),
    ("1e999999999", "GFLOP/s", "N05", (), "1e31"),
    ("1/0 GB/s", "GB/s", "N08", (), "zero"),
    ("12:30", "min", "N07", (), "clock"),
    ("40.2 s 40.5 s", "s", "N07", (), "one number"),
    ("9e30 PFLOP/s", "FLOP/s", "N05", (), "too large"),
    ("1e-31 ns", "h", "N05", (), "close to zero"),
]


@pytest.mark.parametrize(("text", "unit", "code", "choices", "part"), REFUSED, ids=lambda x: ascii(x)[:20])
def test_refused(text: str, unit: str, code: str, choices: tuple[str, ...], part: str) -> None:
    began = time.perf_counter()
    error = error_of(text, unit)
    assert time.perf_counter() - began < 0.5  # milliseconds; the margin is for a busy machine
    assert (error.code, error.choices) == (code, choices)
    assert part in error.sentence
    assert error.sentence.isascii()
    assert len(error.sentence) < 160
    for choice in choices:
        assert read(choice, unit).unit == unit


@pytest.mark.parametrize("text", ["NA", "inf", "400abc", "400 GFLOP/s extra", "--", "x" * 10**6, "9" * 10**6])
def test_junk_costs_no_time(text: str) -> None:
    began = time.perf_counter()
    error_of(text, "GFLOP/s")
    assert time.perf_counter() - began < 0.5


@pytest.mark.parametrize("percent", [True, False])
@pytest.mark.parametrize("text", ["0.8", "1.99", "80 %", "3.03 x", "-3", "0,952"])
def test_a_share_below_two_or_with_its_unit_is_never_asked_back(text: str, percent: bool) -> None:
    assert read(text, "1", percent=percent).value == read(text, "1").value


@pytest.mark.parametrize(("text", "ratio"), [("80", 80), ("2", 2), ("95,2", Fraction("95.2")), ("160/2", 80)])
def test_percent_or_plain_ratio(text: str, ratio: Fraction) -> None:
    assert read(text, "1").value == ratio
    with pytest.raises(ReadError) as caught:
        read(text, "1", percent=True)
    assert caught.value.code == "U05"
    share, plain = (read(choice, "1", percent=True).value for choice in caught.value.choices)
    assert (share, plain) == (Fraction(ratio) / 100, ratio)


def test_percent_asks_nothing_where_the_unit_is_percent() -> None:
    assert read("80", "%", percent=True).value == 80


def test_accept_narrows_the_units_and_keeps_the_target() -> None:
    accept = ("TFLOP/s", "MFLOP/s")
    assert read("0.4 TFLOP/s", "GFLOP/s", accept=accept).value == 400
    assert read("400 GFLOP/s", "GFLOP/s", accept=accept).value == 400
    assert read("400", "GFLOP/s", accept=accept).value == 400
    error = error_of("4e-4 PFLOP/s", "GFLOP/s", accept=accept)
    assert error.code == "U07"
    assert "use GFLOP/s, TFLOP/s or MFLOP/s" in error.sentence
    assert error_of("400 GB/s", "GFLOP/s", accept=accept).code == "U06"


def test_require_unit() -> None:
    error = error_of("400", "GFLOP/s", require_unit=True)
    assert error.code == "U04"
    assert "12.5 GFLOP/s" in error.sentence
    assert read("400 GFLOP/s", "GFLOP/s", require_unit=True).value == 400
    assert read("0.8", "1", require_unit=True).value == Fraction("0.8")


@pytest.mark.parametrize(
    ("unit", "accept", "message"),
    [("GFLOPS", (), "'GFLOP/s'"), ("Gb/s", (), "no unit"), ("GFLOP/s", ("GB/s",), "bandwidth")],
    ids=str,
)
def test_an_unknown_target_is_no_read_error(unit: str, accept: tuple[str, ...], message: str) -> None:
    with pytest.raises(ValueError, match=message) as caught:
        read("1", unit, accept=accept)
    assert not isinstance(caught.value, ReadError)


REPEATS = [
    ("40.2 40.5 40.1", ["40.2", "40.5", "40.1"]),
    ("40.2", ["40.2"]),
    (" 40,2;40,5 ;  40,1; ", ["40.2", "40.5", "40.1"]),
    ("40,2, 40,5, 40,1", ["40.2", "40.5", "40.1"]),
    ("40.2\n40.5\t40.1", ["40.2", "40.5", "40.1"]),
    ("40.2\u00a040.5\u200940.1", ["40.2", "40.5", "40.1"]),
    ("1 600", ["1", "600"]),
    ("40.2 s 40.5 s", ["40.2", "40.5"]),
    ("40.2s; 40.5s", ["40.2", "40.5"]),
    ("40.2 s 40500 ms", ["40.2", "40.5"]),
    ("402 405 401 ms", ["0.402", "0.405", "0.401"]),
    ("402; 405; 401ms", ["0.402", "0.405", "0.401"]),
    ("40.2 s 40.5", ["40.2", "40.5"]),
    ("-1 \u22122", ["-1", "-2"]),
]


@pytest.mark.parametrize(("text", "values"), REPEATS, ids=lambda x: ascii(x)[:24])
def test_read_many(text: str, values: list[str]) -> None:
    readings = read_many(text, "s")
    assert [format_exact(reading.value) for reading in readings] == values
    assert {reading.unit for reading in readings} == {"s"}


REPEATS_REFUSED = [
    ("", "N01", "Nothing was typed", ()),
    (" ; ;", "N01", "Nothing was typed", ()),
    ("1,600", "N06", '"1,600"', ("1600", "1.600")),
    ("40.2 1,600 40.1", "N06", 'Value 2: "1,600"', ("40.2 1600 40.1", "40.2 1.600 40.1")),
    ("40.2 nan 40.1", "N09", 'Value 2: "nan"', ()),
    ("40.2 40..5 40.1", "N04", 'Value 2: "40..5"', ()),
    ("40.2,40.5,40.1", "N04", '"40.2,40.5,40.1"', ()),
    ("40.2 - 40.1", "N02", 'Value 2: "-"', ()),
    ("s 40.2", "N02", 'Value 1: "s"', ()),
    ("40.2 ms 40.5", "U09", 'none at "40.5"', ()),
    ("40.2 40.5 ms 40.1", "U09", 'none at "40.2"', ()),
    ("40.2 GB 40.1 s", "U06", 'Value 1: "40.2 GB"', ()),
    ("40 50 m", "U08", 'Value 1: "40 m"', ("40 ms 50 m", "40 min 50 m")),
    ("4 " * 10_000, "N03", "import", ()),
]


@pytest.mark.parametrize(("text", "code", "part", "choices"), REPEATS_REFUSED, ids=lambda x: ascii(x)[:24])
def test_read_many_refuses(text: str, code: str, part: str, choices: tuple[str, ...]) -> None:
    began = time.perf_counter()
    with pytest.raises(ReadError) as caught:
        read_many(text, "s")
    assert time.perf_counter() - began < 0.5
    assert (caught.value.code, caught.value.choices) == (code, choices)
    assert part in caught.value.sentence


values = st.fractions(min_value=-(10**9), max_value=10**9, max_denominator=10**9).filter(
    lambda x: x == 0 or abs(x) > Fraction(1, 10**6)
)


@given(values, st.sampled_from([s for s in UNIT_SYMBOLS if s != "1"]), st.sampled_from(["", " "]))
def test_written_with_its_unit_reads_back(value: Fraction, symbol: str, gap: str) -> None:
    assert read(f"{format_exact(value)}{gap}{symbol}", symbol).value == value
    shown = format_number(value)
    assert read(f"{shown}{gap}{symbol}", symbol).value == read_number(shown)


@given(st.lists(values, min_size=1, max_size=20), st.sampled_from([" ", ";", "; ", ", "]))
def test_written_repeats_read_back(repeats: list[Fraction], gap: str) -> None:
    text = gap.join(format_exact(value) for value in repeats)
    assert [reading.value for reading in read_many(text, "s")] == repeats


@given(values, st.data())
def test_unit_conversion_there_and_back(value: Fraction, data: st.DataObject) -> None:
    units = [find_unit(symbol) for symbol in UNIT_SYMBOLS if symbol != "1"]
    one = data.draw(st.sampled_from(units))
    other = data.draw(st.sampled_from([unit for unit in units if unit and one and unit.kind == one.kind]))
    assert one is not None
    assert other is not None
    there = value * one.factor / other.factor
    if there == 0 or Fraction(1, 10**25) < abs(there):
        assert read(f"{format_exact(value)} {one.symbol}", other.symbol).value == there


def attempt(text: str, symbol: str) -> Reading | ReadError:
    try:
        return read(text, symbol, percent=True)
    except ReadError as error:
        return error


@given(st.text(max_size=70), st.sampled_from(UNIT_SYMBOLS))
def test_any_text_is_read_or_refused_with_a_sentence(text: str, symbol: str) -> None:
    result = attempt(text, symbol)
    assert (result.sentence if isinstance(result, ReadError) else result.said).isprintable()


@given(st.text(max_size=200))
def test_any_list_is_read_or_refused_with_a_sentence(text: str) -> None:
    try:
        said = [reading.said for reading in read_many(text, "s")]
    except ReadError as error:
        said = [error.sentence]
    assert said
    assert all(sentence.isprintable() for sentence in said)


NUMBER_THEN_JUNK = st.builds(
    "{}{}{}".format,
    st.sampled_from(["4", "1,600", "0,8", "-1/24", "1e3", "1 600"]),
    st.sampled_from(["", " "]),
    st.text(alphabet="GgMmKkbBiIsSpP/flopFLOP%x \u00b7-.eh", max_size=12),
)


@given(NUMBER_THEN_JUNK, st.sampled_from(UNIT_SYMBOLS))
def test_a_choice_is_readable_or_asks_the_next_question(text: str, symbol: str) -> None:
    result = attempt(text, symbol)
    for choice in result.choices if isinstance(result, ReadError) else ():
        again = attempt(choice, symbol)
        if isinstance(again, ReadError):  # the number is settled first, then the unit
            assert isinstance(result, ReadError)
            assert (result.code[0], again.code[0]) == ("N", "U")


PROBE = """
import locale
try:
    locale.setlocale(locale.LC_ALL, "")
except locale.Error:
    pass
from tui.model.quantity import ReadError, format_number, read
for text in ("0,8", "1,000", "1.000", "1 000", "1000,0", "19,5", "95,2 %", "1.555"):
    try:
        print(read(text, "1").said)
    except ReadError as error:
        print(error)
print(format_number(1234.5), format_number(0.8))
"""


@pytest.mark.parametrize("name", ["C", "C.UTF-8", "en_US.UTF-8", "de_DE.UTF-8"])
def test_the_locale_changes_nothing(name: str) -> None:
    environment = {**os.environ, "LC_ALL": name, "LANG": name}
    printed = subprocess.run(
        [sys.executable, "-c", PROBE], env=environment, capture_output=True, text=True, check=True
    ).stdout.splitlines()
    assert printed == [
        "0,8 read as 0.8",
        '"1,000" has two readings: do you mean 1000 or 1.000?',
        "1.000 read as 1",
        "1 000 read as 1000",
        "1000,0 read as 1000",
        "19,5 read as 19.5",
        "95,2 % read as 0.952",
        "1.555 read as 1.555",
        "1235 0.8",
    ]


def test_importing_it_loads_nothing_heavy() -> None:
    code = "import sys, tui.model.quantity; print(*sys.modules)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = set(run.stdout.split())
    assert "tui.model.quantity" in loaded
    assert not loaded & {"numpy", "textual", "rich", "plotext", "pydantic", "tomlkit", "difflib", "argparse"}
