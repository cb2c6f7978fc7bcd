"""Receipts, hand-ins by line and by mail: written short, found again however they were quoted."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.guide.handins import START, Class, grade_of, kept_in
from tests.guide.scripts import ROOFLINE, STRONG, small
from tui.events import Predicted
from tui.guide.catalogue import ready
from tui.guide.events import Answered, Opened
from tui.guide.handin import MOST_BYTES, encoded, make
from tui.guide.handin_line import LONGEST, NoRoom, find_lines, line_of
from tui.guide.handin_mail import block, find_blocks
from tui.guide.receipt import as_meant, receipt, receipt_in_name
from tui.guide.regrade import Outcome


@pytest.fixture
def room(tmp_path: Path) -> Class:
    return Class(tmp_path / "drop", ready(STRONG))


# ------------------------------------------------------------------------------------------------ receipt


@pytest.mark.parametrize(
    ("bits", "text"),
    [
        ("0" * 10, "0000-0000"),
        ("f" * 10, "ZZZZ-ZZZZ"),
        ("0000000001", "0000-0001"),
        ("00443214c7", "0123-4567"),  # 00000 00001 00010 00011 00100 00101 00110 00111
        ("8000000000", "G000-0000"),
    ],
)
def test_a_receipt_is_forty_bits_in_crockfords_base_32(bits: str, text: str) -> None:
    assert receipt(bits + "5" * 54) == text


def test_a_receipt_is_read_as_it_was_meant() -> None:
    assert as_meant("oil8-k7qd") == "0118-K7QD"
    assert receipt_in_name("copy of zoe-strong-shrinking-batch-k7qd-2m9f.lab (1).json") == "K7QD-2M9F"
    assert receipt_in_name("roof-line.toml") == ""


# ------------------------------------------------------------------------------------------ lines and mail


def test_a_line_says_who_what_and_how(room: Class) -> None:
    wrong = {"naive-speedup": [Answered("0.525"), Answered("3")]}
    handin = room.learner("Zoë B", wrong, until="same-sequences")
    line = line_of(grade_of(handin))
    assert str(line) == f"RL1 strong-shrinking-batch/1 Zoë_B 2111800000 {handin.receipt}"
    (found,) = find_lines(f"hello\n> > {line}\nbye")
    assert found == line


def test_every_outcome_has_its_digit(tmp_path: Path) -> None:
    room = Class(tmp_path / "drop", ready(ROOFLINE))
    wrong = {"t1-predict": [Predicted("1000")], "knee": [Answered("8000"), Answered("abc")]}
    steps = grade_of(room.learner("ada", wrong, until="scope")).steps
    assert [each.outcome for each in steps] == [
        *(Outcome.MISSED, Outcome.FIRST, Outcome.FIRST, Outcome.FIRST, Outcome.FIRST, Outcome.LATER),
        Outcome.REACHED,
    ]
    assert (steps[5].answers, steps[5].unreadable, steps[5].ideas) == (2, 1, ("roofline.ridge-product",))
    assert steps[0].ideas == ("roofline.always-cap",)


def test_lines_broken_by_a_mail_program_are_found(room: Class) -> None:
    line = line_of(grade_of(room.learner("x" * 40)))
    assert len(str(line)) == LONGEST
    broken = "> " + str(line).replace(" ", "\n> > ")
    assert list(find_lines(f"Ada wrote:\r\n{broken}\r\n-- \r\n")) == [line]
    assert list(find_lines("XRL1 a/1 b 1 K7QD-2M9F and RL1 a/0 b 1 K7QD-2M9F, RL1 -a/1 b 1 K7QD-2M9F")) == []


def test_too_many_steps_for_a_line_are_said(tmp_path: Path) -> None:
    steps = "".join(
        f'[[step]]\nid = "q{n}"\nkind = "compute"\ntext = "?"\nanswer = "cap"\nunit = "GFLOP/s"\ntol = "1%"\n'
        for n in range(60)
    )
    kept = kept_in(tmp_path / "s", small(steps), [("", Opened())], START)
    with pytest.raises(NoRoom, match="60 graded steps do not fit"):
        line_of(grade_of(make(kept, "ada")))


def test_a_text_block_survives_quoting(room: Class) -> None:
    data = encoded(room.learner("Zoë"))
    text = block(data)
    assert max(map(len, text.splitlines())) <= 64
    assert "=" not in text
    quoted = "\r\n".join(f"> >  {line}  " for line in text.splitlines())
    assert list(find_blocks(f"Hi,\n{quoted}\nbye")) == [data]
    cut, changed, whole = find_blocks(f"{text[:300]}\n{text[:900]}X{text[901:]}\n{text}")
    assert str(cut) == "the text block is cut off"
    assert str(changed) == "the text block was changed on its way"
    assert whole == data
    assert [str(each) for each in find_blocks(text[:-5])] == ["the text block is cut off"]


def test_a_block_does_not_unpack_to_any_size() -> None:
    (bomb,) = find_blocks(block(b"{" + b" " * (2 * MOST_BYTES)))
    assert str(bomb) == "the text block unpacks to more than 16 MiB"
