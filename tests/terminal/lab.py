"""The lab as a person at the keys knows it: where to type, what to wait for."""

from __future__ import annotations

import re

from tests.terminal.harness import Session

TRIALS = ((50, 400), (100, 800), (200, 1600))
"""Bandwidth and prediction of the lesson's three trials at I = 8; the last prediction forgets the cap."""


def opened(session: Session) -> Session:
    """Wait until the lab stands and asks for I."""
    return session.wait_for("1 Roofline").wait_for(asks_for_intensity).wait_for(whole)


def whole(session: Session) -> bool:
    """Whether the first picture has arrived to its last row."""
    return "1000" in session.text and "^q quit" in session.text


def asks_for_intensity(session: Session) -> bool:
    """Whether the message line tells to type I."""
    return bool(re.search(r"\btype\b.* I\b.*\bEnter\b", session.screen[2], re.IGNORECASE))


def play(session: Session, number: int, bandwidth: int, prediction: int) -> Session:
    """Type one trial, play it, and wait for its verdict."""
    for value, unit in ((8, "FLOP/byte"), (bandwidth, "GB/s"), (prediction, "GFLOP/s")):
        session.send(str(value)).wait_for(f"{value} read as {value} {unit}. Enter")
        session.send("enter").wait_for(lambda s: ". Enter " not in s.screen[2])
    return session.wait_for(lambda s: trial(s, number)).wait_for("Played:")


def trial(session: Session, number: int) -> list[str]:
    """The words of one line of the trial log, without the signs for right and wrong; empty when missing."""
    row = re.compile(rf"^ {number}  8 ")
    words = next((line.split() for line in session.screen if row.match(line)), [])
    return words[1:7]


def play_the_lesson(session: Session) -> None:
    """The three trials, each begun with Reset."""
    for number, (bandwidth, prediction) in enumerate(TRIALS, start=1):
        if number > 1:
            session.send("f7").wait_for(asks_for_intensity)
        play(session, number, bandwidth, prediction)


def assert_the_lesson_is_read(session: Session) -> None:
    """The log, the flag and the sentence that names 1600."""
    session.wait_for("COMPUTE CAP 1000").wait_for("1600 is 600 GFLOP/s above the cap")
    assert trial(session, 1) == ["8", "50", "400", "1000", "400", "memory"]
    assert trial(session, 2) == ["8", "100", "800", "1000", "800", "memory"]
    assert trial(session, 3) == ["8", "200", "1600", "1000", "1000", "COMPUTE"]
