"""Rows that are entered: matched in any order, scored one by one, and blanks that stay secret."""

from __future__ import annotations

from fractions import Fraction as F

from tests.guide.scripts import STRONG, at, play, small
from tui.guide.catalogue import ready
from tui.guide.events import Assisted, RunsEntered
from tui.guide.session import apply
from tui.guide.state import Tone, begin, can_assist

COLUMNS = ("devices", "global_batch", "micro_batch", "accumulation", "time_s")
ROWS = (
    ("4", "2048", "16", "32", "40.0"),
    ("8", "2048", "16", "16", "22.4"),
    ("16", "2048", "16", "8", "13.2"),
)


def test_rows_match_in_any_order_and_spelling() -> None:
    session = at(ready(STRONG), "enter")
    rows = (("16.0", "2 048", "16", "8", "13200 ms"), ("8", "2048", "16", "16", "22,4 s"), ROWS[0])
    session, feedback = apply(session, RunsEntered(COLUMNS, rows))
    assert feedback.tone is Tone.RIGHT
    assert session.state.share == 1


def test_each_row_is_scored_by_its_own_tries() -> None:
    session = at(ready(STRONG), "enter")
    wrong = ("8", "1024", "16", "16", "22.4")
    session, feedback = apply(session, RunsEntered(COLUMNS, (ROWS[0], wrong)))
    assert feedback.lines[0] == "✗ not yet: Row devices 8: look at global_batch."
    session, _ = apply(session, RunsEntered(COLUMNS, (ROWS[0], wrong, ROWS[2])))
    assert session.state.tries == 1, "the same wrong row, still in the table, is one wrong answer"
    session, _ = apply(session, RunsEntered(COLUMNS, ROWS))
    assert session.state.done
    assert session.state.share == (1 + F(1, 2) + 1) / 3


def test_a_row_that_cannot_be_read_costs_nothing() -> None:
    session = at(ready(STRONG), "enter")
    for cell in ("abc", "22.4 GB/s", "1,600", "-1"):
        after, feedback = apply(session, RunsEntered(COLUMNS, (("8", "2048", "16", "16", cell),)))
        assert feedback.tone is Tone.UNREADABLE
        assert (after.state.tries, after.state.checks) == (0, 0)
        assert can_assist(after)


def test_filled_in_rows_earn_what_was_right_before() -> None:
    session = at(ready(STRONG), "enter")
    session, _ = play(session, [RunsEntered(COLUMNS, (ROWS[0], ("8", "1", "1", "1", "1"))), Assisted()])
    assert session.state.done
    assert session.state.share == F(1, 3)


def test_own_rows_are_counted_when_they_have_a_count_and_a_time() -> None:
    exercise = small(
        '[[step]]\nid = "r"\nkind = "runs"\ntext = "Yours"\ntable = "strong"\nmin_rows = 2\npoints = 2\n'
    )
    session, _ = apply(begin(exercise), RunsEntered(("devices", "time_s"), (("8", "3.5"), ("16", "0"))))
    assert not session.state.done
    assert session.state.share == F(1, 2)
    session, _ = apply(session, RunsEntered(("devices", "time_s"), (("8", "3.5"), ("16", "2"))))
    assert session.finished


BLANKS = """
[[data]]
id = "plan"
family = "strong"
rows = \"\"\"
devices, micro_batch, accumulation, global_batch
4, 8, 32, 1024
16, 8, ?, 1024
64, 8, ?, 1024
\"\"\"
[[step]]
id = "fill"
kind = "runs"
text = "Fill in."
table = "strong"
data = "plan"
points = 2
"""


def test_blanks_are_filled_and_never_given_away() -> None:
    columns = ("devices", "micro_batch", "accumulation", "global_batch")
    session = begin(small(BLANKS))
    session, feedback = apply(session, RunsEntered(columns, (("16", "8", "32", "1024"),)))
    assert feedback.tone is Tone.WRONG
    assert "accumulation" in feedback.lines[0]
    assert " 8" not in feedback.lines[0].replace("Row devices 16", "")
    right = (("16", "8", "8", "1024"), ("64", "8", "2", "1024"))
    session, feedback = apply(session, RunsEntered(columns, right))
    assert session.state.share == (F(1, 2) + 1) / 2
