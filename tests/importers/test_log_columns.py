"""Lines of a log by columns: which are taken, and what their numbers are."""

from __future__ import annotations

from array import array

import pytest

from tui.importers.log_columns import Digits, Shape, Stretch, Words, stretches

SHAPE = Shape(
    3,
    (Words(0, 10, b"step "), Words(1, 0, b"| time:")),
    (Digits(0, 15, b"/ 99 |", kind="q"), Digits(1, 7, b" |", decimals=2)),
)


def lines(*texts: str) -> bytes:
    return "".join(f"{text}\n" for text in texts).encode()


def line(number: int | str, time: str) -> str:
    return f"[rank0]: step {number:>6}/ 99 | time: {time} | loss: 7.5 |"


def test_the_numbers_are_those_that_are_written() -> None:
    times = ["0.10", "774.13", "9.99", "1234567.91", "   3.30", ".25"]
    block = lines(*(line(place, time) for place, time in enumerate(times)))
    (found,) = stretches(block, SHAPE)
    assert found == Stretch(0, len(block), (array("q", range(6)), array("d", map(float, times))), 1)


@pytest.mark.parametrize(
    "other",
    [
        "something else",
        "",
        line(2, "3.1"),
        line(2, "3.125"),
        line(2, "3"),
        line(2, "123456789.25"),
        line(2, ""),
        line(2, "-3.12"),
        line(2, "3.1 2"),
        line(2, "n.an"),
        line("", "3.12"),
        line("2 2", "3.12"),
        line("-2", "3.12"),
        line(2, "3.12").replace("/ 99", "/ 98"),
        line(2, "3.12").replace("step", "Step"),
        line(2, "3.12").replace("time", "tame"),
        line(2, "3.12").replace(" |", "|"),
        line(2, "3.12") + "|",
        line(2, "3.12") + " more",
        line(2, "3.12")[:-1],
        "x" + line(2, "3.12"),
    ],
)
def test_any_other_line_is_left_out_and_parts_the_others(other: str) -> None:
    block = lines(line(1, "1.00"), other, line(3, "3.00"))
    before, after = stretches(block, SHAPE)
    assert block[before.stop : after.start] == lines(other)
    assert [each.columns[1].tolist() for each in (before, after)] == [[1.0], [3.0]]
    (alone,) = stretches(lines(other, line(3, "3.00")), SHAPE)
    assert alone.columns[0].tolist() == [3]


def test_a_first_number_that_does_not_rise_begins_another_stretch() -> None:
    block = lines(*(line(number, "1.00") for number in (1, 2, 2, 1, 5, 7, 10)))
    found = list(stretches(block, SHAPE))
    assert [each.columns[0].tolist() for each in found] == [[1, 2], [2], [1, 5, 7, 10]]
    assert (found[0].least, found[2].least) == (1, 2)


@pytest.mark.parametrize("block", [b"", b"\n", b"|", b"|||\n", b"x" * 40, lines(line(1, "1.00"))[:-1]])
def test_a_block_without_such_a_line(block: bytes) -> None:
    assert list(stretches(block, SHAPE)) == []
