"""The trial life cycle: what each event does, what it must not do, and the words that go with it."""

from __future__ import annotations

import re
from fractions import Fraction as F

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tui.events import Event, InputsSet, Locked, PlayAsked, Played, Predicted, Reset
from tui.model.quantity import ReadError
from tui.model.roofline import Limit
from tui.model.trial import Lab, Phase, apply, read_bandwidth, read_intensity, read_prediction, replay
from tui.model.verdict import LOG_HEADER, log_row, next_step, outcome_sentence, send_refusal, verdict
from tui.terminal.glyphs import to_ascii

ONE = (InputsSet("8", "50"), Predicted("400"), Locked(), Played())
TWO = (Reset(), InputsSet("8", "100 GB/s"), Predicted("0.8 TFLOP/s"), Locked(), Played())
THREE = (Reset(), InputsSet("8", "200"), Predicted("1600"), Locked(), Played())


def fold(*events: Event) -> Lab:
    lab = Lab()
    for event in events:
        lab = apply(lab, event)
    return lab


def test_the_three_trials_of_the_lesson() -> None:
    lab = fold(*ONE, *TWO, *THREE)
    assert [trial.outcome.attainable for trial in lab.trials] == [400, 800, 1000]
    assert [trial.outcome.limit for trial in lab.trials] == [Limit.MEMORY, Limit.MEMORY, Limit.COMPUTE]
    assert [trial.right for trial in lab.trials] == [True, True, False]
    assert [trial.prediction for trial in lab.trials] == [400, 800, 1600]


def test_the_log_reads_as_the_trials_were() -> None:
    rows = [log_row(trial).cells for trial in fold(*ONE, *TWO, *THREE).trials]
    assert rows == [
        ("1", "8", "50", "400", "1000", "400", "memory", "400 ✓ right"),
        ("2", "8", "100", "800", "1000", "800", "memory", "800 ✓ right"),
        ("3", "8", "200", "1600", "1000", "1000", "COMPUTE", "1600 ✗ I·B without the cap"),
    ]
    assert all(len(row) == len(LOG_HEADER) for row in rows)


@pytest.mark.parametrize(
    ("prediction", "cell"), [("650", "650 ✗ too high by 250"), ("150", "150 ✗ too low by 250")]
)
def test_a_miss_in_the_log_reads_as_words_in_ascii_too(prediction: str, cell: str) -> None:
    lab = fold(InputsSet("8", "50"), Predicted(prediction), Locked(), Played())
    assert log_row(lab.trials[0]).cells[-1] == cell
    assert re.search(r"\d [x+*-] \d", to_ascii(cell)) is None


KNEE = " The knee is at B = 125 GB/s."
BELOW = "Memory limits: I·B = 400 GFLOP/s is below the cap of 1000."
ABOVE = "COMPUTE CAP: I·B = 1600 is 600 GFLOP/s above the cap."
RIDGE = "Both limits bind at once: I·B = 1000 GFLOP/s is exactly the cap."
VERDICTS = [
    pytest.param("50", "400", BELOW, "Your prediction was right.", id="memory, right"),
    pytest.param("200", "1600", ABOVE, "You forgot the cap.", id="no cap"),
    pytest.param("50", "1000", BELOW, "You answered the cap, but the smaller limit wins.", id="the cap"),
    pytest.param("125", "1000", RIDGE, "Your prediction was right.", id="the ridge"),
    pytest.param("200", "1300", ABOVE, "You averaged the two limits; the lower one binds.", id="average"),
    pytest.param("50", "429.5", BELOW, "You read GB as GiB; here 1 GB is 10^9 bytes.", id="GiB"),
    pytest.param("50", "3200", BELOW, "You multiplied by 8; B is already in bytes.", id="bits"),
    pytest.param("50", "6.25", BELOW, "You divided B by I; the two inputs multiply.", id="divided"),
    pytest.param("50", "400000", BELOW, "You are off by ×1000; G in gives G out.", id="a thousand"),
    pytest.param("50", "650", BELOW, "Your 650 was 250 too high.", id="a miss without a name"),
    pytest.param("50", "", BELOW, "You made no prediction.", id="no prediction"),
]


@pytest.mark.parametrize(("bandwidth", "prediction", "limit", "miss"), VERDICTS)
def test_the_verdict_names_the_limit_and_the_miss(
    bandwidth: str, prediction: str, limit: str, miss: str
) -> None:
    lab = fold(InputsSet("8", bandwidth), Predicted(prediction), Locked(), Played())
    assert verdict(lab.trials[0]) == (limit, miss + KNEE)
    # One line of an 80-column screen is kept for each.
    assert all(len(line) <= 78 for line in verdict(lab.trials[0]))


def test_numbers_that_differ_are_not_printed_alike() -> None:
    lab = fold(InputsSet("8", "124.99999"), Predicted("1000"), Locked(), Played())
    assert verdict(lab.trials[0])[0] == "Memory limits: I·B = 999.9999 GFLOP/s is below the cap of 1000."


@pytest.mark.parametrize("value", ["1e12", "1e-12", "123456789012", "0.00012345678"])
def test_no_cell_of_the_log_is_wider_than_its_column(value: str) -> None:
    lab = fold(InputsSet(value, value), Predicted(value), Locked(), Played())
    assert all(len(cell) <= 9 for cell in log_row(lab.trials[0]).cells[:-1])


def test_the_last_trials_value_is_recognised_from_the_log() -> None:
    lab = fold(*ONE, Reset(), InputsSet("8", "100"), Predicted("400"), Locked(), Played())
    assert verdict(lab.trials[1])[1].startswith("You gave the last trial's value.")


def test_the_outcome_is_said_in_one_sentence() -> None:
    assert outcome_sentence(fold(*THREE).trials[0]) == "Trial 1: 1000 GFLOP/s, at the COMPUTE CAP."


def test_play_locks_inputs_and_prediction() -> None:
    playing = fold(InputsSet("8", "50"), Predicted("400"), Locked())
    assert playing.phase is Phase.PLAYING
    for late in (InputsSet("8", "200"), Predicted("1600"), Locked(), PlayAsked()):
        assert apply(playing, late) == playing
    played = apply(playing, Played())
    for late in (InputsSet("8", "200"), Predicted("1600"), Locked(), Played()):
        assert apply(played, late) == played


def test_nothing_locks_without_both_inputs() -> None:
    for half in (InputsSet("8", ""), InputsSet("", "50"), InputsSet("eight", "50"), InputsSet("0", "50")):
        assert fold(half, Predicted("400"), Locked()).trials == ()


def test_play_without_a_prediction_asks_once_then_records_none() -> None:
    asked = fold(InputsSet("8", "50"), PlayAsked())
    assert asked.asked
    assert "No prediction yet" in next_step(asked)
    lab = apply(apply(asked, Locked()), Played())
    assert lab.trials[0].prediction is None
    assert log_row(lab.trials[0]).cells[-1] == "none"
    assert not lab.trials[0].right


def test_a_late_prediction_takes_the_question_back() -> None:
    assert not fold(InputsSet("8", "50"), PlayAsked(), Predicted("400")).asked


def test_reset_empties_the_fields_and_keeps_the_trials() -> None:
    lab = fold(*ONE, Reset())
    assert (lab.intensity, lab.bandwidth, lab.prediction, lab.phase) == (None, None, None, Phase.SETTING)
    assert len(lab.trials) == 1
    assert lab.earlier == lab.trials
    assert lab.current is None


def test_next_step_leads_from_the_first_key_to_the_next_trial() -> None:
    steps = [Lab(), *(fold(*ONE[: count + 1]) for count in range(4)), fold(*ONE, Reset())]
    assert [next_step(lab) for lab in steps] == [
        "Type the arithmetic intensity I, for example 8, and press Enter.",
        "Predict the attainable GFLOP/s, within 1 %; Enter then plays.",
        "Ready: Enter or F5 plays.",
        "Playing: Enter or F5 skips to the end.",
        "Played: F7 Reset starts trial 2.",
        "Trial 2: type I (8 again changes only B) and press Enter.",
    ]
    assert next_step(fold(InputsSet("8", ""))) == "Now the bandwidth B in GB/s, then Enter."


def test_sending_to_the_strong_table_is_refused_in_a_sentence() -> None:
    assert "devices 1, 1, 1; nothing was scaled" in send_refusal(fold(*ONE, *TWO, *THREE))
    assert "no trials" in send_refusal(Lab())


@pytest.mark.parametrize(
    ("reader", "name"),
    [
        (read_intensity, "Arithmetic intensity I"),
        (read_bandwidth, "Bandwidth B"),
        (read_prediction, "Prediction"),
    ],
)
@pytest.mark.parametrize("text", ["0", "-8", "abc", "1,600", "400 Gb/s", ""])
def test_what_is_no_quantity_is_refused_with_the_fields_name(reader, name: str, text: str) -> None:
    with pytest.raises(ReadError) as refusal:
        reader(text)
    assert refusal.value.sentence.startswith(name)


def test_a_trial_cut_off_while_it_played_comes_back_played() -> None:
    lab = replay([*ONE[:3]])
    assert lab.phase is Phase.PLAYED
    assert lab.trials[0].outcome.attainable == 400


texts = st.sampled_from(["", "8", "50", "200 GB/s", "abc", "0", "1,600", "4/5"])
events = st.one_of(
    st.builds(InputsSet, texts, texts),
    st.builds(Predicted, texts),
    *(st.just(kind()) for kind in (Reset, PlayAsked, Locked, Played)),
)


@given(st.lists(events, max_size=30))
def test_trials_are_only_ever_added_and_are_always_right_about_the_roof(history: list[Event]) -> None:
    lab = Lab()
    for event in history:
        after = apply(lab, event)
        assert after.trials[: len(lab.trials)] == lab.trials
        lab = after
    for number, trial in enumerate(lab.trials, start=1):
        assert trial.number == number
        assert trial.outcome.attainable == min(F(1000), trial.intensity * trial.bandwidth)
