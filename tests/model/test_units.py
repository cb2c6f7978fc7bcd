"""The table of units: every symbol, every spelling people type, every factor."""

from __future__ import annotations

from fractions import Fraction

import pytest

from tui.model.quantity import UNIT_SYMBOLS, did_you_mean, find_unit, read

SPELLINGS = {
    "FLOP/s": "FLOPS flops flop/s Flop/s FLOPs FLOPs/s FLOPS/s flop/sec FLOP_per_second",
    "kFLOP/s": "KFLOPS kflop/s",
    "MFLOP/s": "MFLOPS Mflops Mflop/s MF/s",
    "GFLOP/s": "GFLOPS GFlops GFlop/s Gflop/s gflop/s gflops GFLOPs GFLOPs/s GF/s GFLOP_/_s GFLOP_per_second",
    "TFLOP/s": "TFLOPS TFlops tflops TFlop/s TF/s",
    "PFLOP/s": "PFLOPS Pflop/s pflops",
    "EFLOP/s": "EFLOPS eflop/s",
    "B/s": "byte/s bytes/s Bps B/sec bytes_per_second",
    "kB/s": "KB/s KB/S kByte/s",
    "MB/s": "MB/sec MByte/s Mbyte/s MBps",
    "GB/s": "GB/S GB/sec GBps gB/s GByte/s gbyte/s Gbytes/s GB_/_s GB_per_second GB_per_s",
    "TB/s": "TBps TByte/s tbyte/s TB/second",
    "PB/s": "PByte/s",
    "KiB/s": "kiB/s KiB/sec",
    "MiB/s": "MIB/S MiBps",
    "GiB/s": "GIB/S GiByte/s gibyte/s GiB/sec",
    "TiB/s": "TiBps",
    "FLOP/byte": "FLOPs/byte FLOPS/byte flop/byte Flop/Byte "
    "FLOP/B flop/B Flop/B FLOPs/B flop/bytes FLOP_per_byte",
    "s": "S sec secs Sec second seconds Seconds",
    "ms": "msec millisecond milliseconds Milliseconds mS",
    "us": "usec \u00b5s \u03bcs microseconds",
    "ns": "NS nsec nanoseconds",
    "min": "mins Min MIN minute Minutes",
    "h": "H hr hrs hour Hours",
    "d": "D day days",
    "device-s": "device-seconds GPU-s gpu_seconds device\u00b7s",
    "device-min": "GPU-min device_minutes",
    "device-h": "device-hours GPU-h GPU-hours gpu_hours GPUh gpu\u00b7h devices_h device*h",
    "device-d": "GPU-days device-day",
    "FLOP": "flop FLOPs",
    "GFLOP": "GFlop gflop GFLOPs",
    "TFLOP": "TFlop",
    "B": "byte bytes Bytes",
    "kB": "KB kbyte",
    "GB": "gB GByte Gbytes",
    "MiB": "MIB Mibyte",
    "GiB": "GIB GiByte gibytes",
    "TiB": "TIB",
    "%": "percent pct \uff05",
    "x": "X \u00d7 times",
    "seq": "seqs sequence sequences Sequences",
    "tokens": "token tok Tokens",
    "updates": "update",
    "samples": "sample Samples",
    "devices": "device gpu GPUs",
}


@pytest.mark.parametrize(
    ("symbol", "word"),
    [(symbol, word.replace("_", " ")) for symbol, words in SPELLINGS.items() for word in words.split()],
    ids=ascii,
)
def test_spelling(symbol: str, word: str) -> None:
    for text in (f"7 {word}", f"7{word}", f" 7  {word} "):
        assert read(text, symbol).value == 7


@pytest.mark.parametrize("symbol", UNIT_SYMBOLS)
def test_every_unit_reads_back_as_itself(symbol: str) -> None:
    unit = find_unit(symbol)
    assert unit is not None
    assert unit.symbol == symbol
    assert read("12.5", symbol).unit == symbol
    if symbol != "1":  # a plain ratio has no unit to write
        reading = read(f"12.5 {symbol}", symbol, require_unit=True, accept=(symbol,))
        assert reading.value == Fraction("12.5")
        assert read(reading.said.split(" read as ")[1], symbol).value == reading.value


FACTORS = [
    ("1 TFLOP/s", "FLOP/s", 10**12),
    ("1 EFLOP/s", "PFLOP/s", 1000),
    ("1 GB/s", "B/s", 10**9),
    ("1 GiB/s", "B/s", 2**30),
    ("1 TiB/s", "GiB/s", 1024),
    ("1 KiB", "B", 1024),
    ("1 PB", "TB", 1000),
    ("1 d", "s", 86400),
    ("1 h", "min", 60),
    ("1 s", "us", 10**6),
    ("1 us", "ns", 1000),
    ("1 device-d", "device-h", 24),
    ("1 PFLOP", "GFLOP", 10**6),
    ("1 x", "%", 100),
]


@pytest.mark.parametrize(("text", "unit", "value"), FACTORS, ids=str)
def test_factor(text: str, unit: str, value: int) -> None:
    assert read(text, unit).value == value


def test_names_near_a_unit() -> None:
    assert did_you_mean("GFLOPS") == "GFLOP/s"
    assert did_you_mean("GFLOP/sec.") == "GFLOP/s"
    assert did_you_mean("hour") == "h"
    assert did_you_mean("token") == "tokens"
    assert did_you_mean("qqq") is None
    assert find_unit("GFLOPS") is None
