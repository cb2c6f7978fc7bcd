"""The catalogue's ideas, recognised from the numbers of published exercises and never from the right one."""

from __future__ import annotations

from fractions import Fraction as F

import pytest

from tests.guide.scripts import HEAD, ROOFLINE, answer, at, codes, compute, loaded, small
from tui.guide.catalogue import ready
from tui.guide.state import Tone, begin
from tui.guide.wrong_ideas import CATALOGUE
from tui.model.ideas import ROOFLINE_IDEAS
from tui.model.scaling_ideas import ROW_IDEAS, TOLD_IDEAS

# Times in seconds on D devices; values worked out by hand.
FIRST_TABLE = "4, 96.0\n8, 50.0\n16, 27.2\n32, 16.0"
ABOVE_ONE = "1, 120.0\n2, 56.0\n4, 31.0\n8, 17.5"
PIPELINE = "8, 47.5\n16, 28.5\n32, 19.5\n64, 19.0"
WEAK = "8, 12.0\n16, 12.6\n32, 13.5\n64, 15.0"

CASES = [
    (FIRST_TABLE, "strong", "efficiency('t', 16)", "0.22", "scaling.divides-by-D"),
    (FIRST_TABLE, "strong", "speedup('t', 16)", "0.28", "scaling.inverse"),
    (FIRST_TABLE, "strong", "efficiency('t', 32)", "1.33", "scaling.upside-down"),
    (FIRST_TABLE, "strong", "speedup('t', 16)", "4", "scaling.device-ratio"),
    (FIRST_TABLE, "strong", "efficiency('t', 32)", "6", "scaling.speedup-only"),
    (ABOVE_ONE, "strong", "cell('t', 8, 'time_s')", "12.2", "scaling.superlinear-forever"),
    (ABOVE_ONE, "strong", "cell('t', 8, 'time_s')", "15", "scaling.ideal"),
    (PIPELINE, "strong", "cell('t', 64, 'time_s')", "10.26", "scaling.same-gain-again"),
    (PIPELINE, "strong", "cell('t', 64, 'time_s')", "14.25", "scaling.two-point-amdahl"),
    (PIPELINE, "strong", "cell('t', 64, 'time_s')", "5.94", "scaling.ideal"),
    (WEAK, "weak", "weak_efficiency('t', 64)", "0.1", "weak.strong-formula"),
    (WEAK, "weak", "weak_efficiency('t', 64)", "1.25", "weak.upside-down"),
    (FIRST_TABLE, "strong", "device_time('t', 32) / device_time('t', 4)", "0.167", "cost.faster-is-cheaper"),
]


@pytest.mark.parametrize(("rows", "family", "key", "text", "idea"), CASES, ids=[c[4] for c in CASES])
def test_an_idea_is_named_from_its_number(rows: str, family: str, key: str, text: str, idea: str) -> None:
    data = f'[[data]]\nid = "t"\nfamily = "{family}"\nrows = """\ndevices, time_s\n{rows}\n"""\n'
    step = compute(key, f'tol = "1%"\nuse = ["{idea}"]').replace("decimals = 2", "")
    if idea == "cost.faster-is-cheaper":  # two rows are named, so the script says the value
        script = loaded(data + step, HEAD)
        assert "E060" in codes(script)
        return
    session, feedback = answer(begin(small(data + step)), text)
    assert feedback.tone is Tone.WRONG
    assert feedback.idea == idea
    assert session.state.ideas == (idea,)


ROOFLINE_TAGS = [
    ("t1-predict", "1000", "roofline.always-cap"),
    ("t1-predict", "429.5", "roofline.gib"),
    ("t1-predict", "3200", "roofline.bits"),
    ("t1-predict", "6.25", "roofline.divide"),
    ("t2-predict", "400", "roofline.stale"),
    ("t2-predict", "859", "roofline.gib"),
    ("t3-predict", "1600", "roofline.no-cap"),
    ("t3-predict", "1300", "roofline.average"),
    ("t3-predict", "800", "roofline.stale"),
    ("t3-predict", "25", "roofline.divide"),
    ("t3-predict", "1200", "roofline.over-cap-other"),
]


@pytest.mark.parametrize(("step", "text", "idea"), ROOFLINE_TAGS)
def test_the_roofline_exercise_names_its_ideas_after_play(step: str, text: str, idea: str) -> None:
    from tests.guide.scripts import play
    from tui.events import Played

    session, _ = answer(at(ready(ROOFLINE), step), text)
    place = session.here
    session, feedback = play(session, [Played()])
    assert feedback.idea == idea
    assert session.states[place].share == F(1, 2), "committing is half the points"


def test_a_script_uses_the_catalogue_by_id() -> None:
    head = '[[step]]\nid = "s"\nkind = "set"\ntext = "Set"\ninputs = { I = "8", B = "200" }\n'
    used = compute(
        "attainable(I, B)", 'tol = "1%"\nuse = ["roofline.no-cap", "roofline.thousand"]', "GFLOP/s"
    )
    exercise = small(head + used)
    from dataclasses import replace

    session = begin(exercise)
    session = replace(session.changed(0, done=True), here=1)
    session, feedback = answer(session, "1600")
    assert feedback.idea == "roofline.no-cap"
    session, feedback = answer(session, "1000000")
    assert feedback.idea == "roofline.thousand"
    assert "1000 GFLOP/s" not in " ".join(feedback.lines[1:])


def test_an_idea_that_only_a_choice_shows_needs_a_value_of_its_own() -> None:
    assert "E060" in codes(loaded(compute("cap", 'use = ["tail.adds-up"]', "GFLOP/s")))


def test_every_idea_has_an_id_of_its_own_and_words() -> None:
    everything = (*ROW_IDEAS, *TOLD_IDEAS)
    ids = [idea.id for idea in (*everything, *ROOFLINE_IDEAS)]
    assert len(CATALOGUE) == len(set(ids)) == len(ids)
    for idea in everything:
        assert len(idea.title) <= 28, idea.id
        assert idea.feedback.endswith("."), idea.id
        assert len(idea.feedback) <= 130, idea.id
