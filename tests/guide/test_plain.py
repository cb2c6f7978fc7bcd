"""Whole exercises line by line: right, with every wrong idea once, with junk, and with every command."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction as F
from pathlib import Path

import pytest

from tests.guide.scripts import RIGHT_ROOFLINE, RIGHT_STRONG, ROOFLINE, STRONG, at, compute, small, typed
from tui.events import Event
from tui.guide.catalogue import ready
from tui.guide.exercise import Exercise
from tui.guide.plain import PlainRunner
from tui.guide.selftest import JUNK
from tui.guide.session import replay
from tui.guide.state import Session, begin, result


class Sitting:
    """One learner in front of one exercise: what was said, and what was recorded."""

    def __init__(self, start: Exercise | Session, lines: Iterable[str], clock: Iterable[float] = ()) -> None:
        session = start if isinstance(start, Session) else begin(start)
        self._times = iter(clock)
        self._lines = iter(lines)
        self.said: list[str] = []
        self.events: list[Event] = []
        self.saved: list[Path] = []
        runner = PlainRunner(
            session,
            record=self.events.append,
            read_line=self._read,
            write=self.said.append,
            now=lambda: next(self._times, 0.0),
            save=self._save,
        )
        runner.run()
        self.session = runner.session
        assert replay(session, self.events) == self.session, "what was recorded leads to the same session"

    def _read(self, prompt: str) -> str | None:
        self.said.append(prompt)
        return next(self._lines, None)

    def _save(self, folder: Path) -> str:
        self.saved.append(folder)
        return "Saved."

    @property
    def text(self) -> str:
        """Everything that was said."""
        return "\n".join(self.said)


@pytest.mark.parametrize(
    ("file", "keys", "points"), [(ROOFLINE, RIGHT_ROOFLINE, 14), (STRONG, RIGHT_STRONG, 14)]
)
def test_an_exercise_is_done_right_from_start_to_finish(file: Path, keys: list[str], points: int) -> None:
    sitting = Sitting(ready(file), keys)
    score = result(sitting.session)
    assert (score.earned, score.possible, score.done) == (points, points, score.steps)
    assert sitting.session.closed
    assert f"{points} of {points} points (100 %): passed (60 % needed)." in sitting.text


WRONG_ROOFLINE = [
    *typed(". . 8 60 8 50 1000 . . 2 3 1", ". 8 100 400 . .", ". 8 200 1600 . .", "2 3 4 1"),
    *typed("8000 200 125", "2 3 1 words"),
]


def test_every_wrong_idea_of_the_roofline_exercise_once() -> None:
    sitting = Sitting(ready(ROOFLINE), WRONG_ROOFLINE)
    # Three predictions committed and missed: half of 2, 2 and 3. Then 1, 2, 2 and 2 points at the third
    # or a later try: a quarter each.
    assert result(sitting.session).earned == F(7, 2) + F(1 + 2 + 2 + 2, 4)
    tags = [idea for state in sitting.session.states for idea in state.ideas]
    assert tags == [
        "roofline.always-cap",
        "roofline.stale",
        "roofline.no-cap",
        "roofline.bandwidth-decay",
        "roofline.is-device-scaling",
        "roofline.ridge-product",
        "roofline.ridge-last-input",
        "roofline.is-device-scaling",
    ]
    assert "37.5 %" not in sitting.text
    assert "5.25 of 14 points (38 %): not passed" in sitting.text


WRONG_STRONG = [
    *typed(
        ". 0.525 19 2 1.905", "0.238 1.05 0.952", "1 2 4 3", "1 3 4 2", "21 10.5 42", "0.952 0.476", "2 3 1"
    ),
    *("4, 1024, 16, 32, 40.0", "4, 2048, 16, 32, 40.0", "8, 2048, 16, 16, 22.4", "16, 2048, 16, 8, 13.2"),
    *typed("0.189 3.03 0.862 0.758", "2 3 1 words"),
]


def test_every_wrong_idea_of_the_strong_exercise_once() -> None:
    sitting = Sitting(ready(STRONG), WRONG_STRONG)
    quarters = 1 + 1 + 2 + 1 + 2 + 1 + 2 + 1  # third or later try
    expected = F(quarters, 4) + F(2, 2) + (F(1, 2) + 2) / 3
    assert result(sitting.session).earned == expected
    tags = [idea for state in sitting.session.states for idea in state.ideas]
    assert tags == [
        "scaling.inverse",
        "scaling.difference",
        "scaling.device-ratio",
        "scaling.divides-by-D",
        "scaling.upside-down",
        "strong.time-only",
        "strong.model-is-work",
        "strong.anything-else-is-weak",
        "strong.not-normalised",
        "strong.normalised-wrong-way",
        "strong.forgot-ideal",
        "scaling.divides-by-D",
        "scaling.speedup-only",
        "strong.wrong-table",
        "strong.equal-W-is-enough",
    ]


@pytest.mark.parametrize(("file", "keys"), [(ROOFLINE, RIGHT_ROOFLINE), (STRONG, RIGHT_STRONG)])
def test_junk_before_every_answer_costs_nothing(file: Path, keys: list[str]) -> None:
    junk = [text for text in JUNK if text] + ["400 Gb/s", "1,600", "1 2 3 4 5 6", "x" * 5000, "5 of 6"]
    # An empty line is an answer to "Enter goes on", and to a reflection everything is.
    plan = [each for line in keys for each in ([*junk, line] if line[:1].isdigit() else [line])]
    sitting = Sitting(ready(file), plan)
    score = result(sitting.session)
    assert (score.done, score.earned) == (score.steps, score.possible)
    assert [state.tries for state in sitting.session.states] == [0] * score.steps


def test_commands_are_words_and_never_letters() -> None:
    sitting = Sitting(ready(STRONG), ["", "h", "s", "hints", "1.905"])
    assert sitting.session.states[1].done
    assert sitting.session.states[1].unreadable == 3


def test_help_hints_and_the_solution() -> None:
    sitting = Sitting(
        at(ready(STRONG), "naive-speedup"),
        ["help", "show", "hint", "hint", ":hint", "show", "score", "quit"],
        clock=[0, 0, 3, 11, 11],
    )
    text = sitting.text
    assert "withdraw" in text
    assert "The solution opens after the last hint" in text
    assert "Hint: Old time divided by new time." in text
    assert "The next hint opens in 7 seconds" in text
    assert "Hint: 40.0 / 21.0" in text
    assert "The answer is 1.905." in text
    assert sitting.session.states[1].shown
    assert "Step 3 of 12" in text
    assert sitting.events[-1].NAME == "leave"


def test_do_it_for_me_after_one_failed_check() -> None:
    sitting = Sitting(at(ready(ROOFLINE), "t1-set"), ["do", "8", "60", "do"])
    assert "Try it once yourself first." in sitting.text
    assert "`do` does it for you." in sitting.text
    assert sitting.session.states[2].assisted
    assert "Step 4 of 18" in sitting.text


def test_only_the_wrong_input_is_typed_again() -> None:
    sitting = Sitting(at(ready(ROOFLINE), "t1-set"), ["8", "60", "", "50"])
    assert "I (Enter keeps 8): " in sitting.said
    assert sitting.session.states[2].done


def test_a_prediction_can_be_changed_where_the_step_allows_it() -> None:
    sitting = Sitting(at(ready(ROOFLINE), "t3-predict"), ["1600", "2", "change 1000", "change 900", ""])
    assert "`change X` changes it to X before Play." in sitting.text
    state = sitting.session.states[12]
    assert (state.revised, state.text, state.share, state.confidence) == (("1600",), "1000", 1, 2)


def test_going_back_loses_nothing() -> None:
    sitting = Sitting(at(ready(STRONG), "verdict"), ["back", "back", "0.5", "again", "2", "forward", "", "3"])
    assert "This step is done: Enter goes on, `again` practises it." in sitting.text
    assert "Practising: nothing is scored." in sitting.text
    assert "2 is the ideal (8/4)." in sitting.text
    assert sitting.session.states[3].done
    assert [state.tries for state in sitting.session.states[:4]] == [0, 0, 0, 0]


def test_a_text_may_be_a_command_word() -> None:
    sitting = Sitting(at(ready(STRONG), "reflect"), ["quit"])
    assert sitting.session.states[-1].text == "quit"
    sitting = Sitting(at(ready(STRONG), "reflect"), [":quit"])
    assert not sitting.session.states[-1].done


def test_a_finished_exercise_can_be_read_again() -> None:
    sitting = Sitting(ready(STRONG), [*RIGHT_STRONG, "back", "again", "2", "", ""])
    assert sitting.session.closed
    assert sitting.text.count("12 of 12 steps done.") == 1
    assert sitting.text.count("For your next plot") == 2


def test_save_asks_for_a_folder() -> None:
    sitting = Sitting(ready(STRONG), ["save /tmp/some where"])
    assert sitting.saved == [Path("/tmp/some where")]


def test_points_are_shown_live_only_where_the_script_says_so() -> None:
    live = 'format = 1\nid = "small"\nrevision = 1\ntitle = "t"\ngoal = "g"\n[score]\nshow = "{}"\n'
    shown = {
        word: Sitting(small(compute("cap", 'tol = "1%"', "GFLOP/s"), live.format(word)), ["1000"]).text
        for word in ("live", "end", "never")
    }
    assert [shown[word].count("4 of 4 points") for word in ("live", "end", "never")] == [2, 1, 0]


def test_scripts_cannot_command_the_terminal() -> None:
    hostile = (
        '[[data]]\nid = "t"\nfamily = "strong"\nsource = "\\u001b[2J"\nrows = """\nrow, devices, time_s\n'
        '\\u001b]0;x\\u0007, 4, 1\n"""\n'
        '[[step]]\nid = "r"\nkind = "read"\ntitle = "[red]\\u001b[31mx"\n'
        'text = "t [bold]\\u0007 [/] \\u202e \\u009b31m"\n'
    )
    text = Sitting(small(hostile), [""]).text
    assert "[bold]" in text
    assert not [c for c in text if c != "\n" and not c.isprintable()]


def test_the_input_may_end_anywhere() -> None:
    exercise = ready(ROOFLINE)
    for end in range(len(RIGHT_ROOFLINE)):
        sitting = Sitting(exercise, RIGHT_ROOFLINE[:end])
        assert sitting.events[-1].NAME == "leave"
        assert not sitting.session.closed
