"""The self-test of scripts finds what is unfair in them; one that cannot fail would be worthless."""

from __future__ import annotations

import pytest

from tests.guide.scripts import ROOFLINE, STRONG, compute, small
from tui.guide.catalogue import ready
from tui.guide.preview import preview
from tui.guide.selftest import selftest


@pytest.mark.parametrize("file", [ROOFLINE, STRONG], ids=lambda file: file.stem)
def test_the_shipped_scripts_accept_their_own_answers(file) -> None:
    report = selftest(ready(file))
    assert report.problems == ()
    tried = dict(report.tried)
    assert tried["edge"] == 4 * sum(key is not None for key in ready(file).keys)
    assert tried["junk"] == 7 * sum(key is not None for key in ready(file).keys)
    assert tried["model"] > 20
    assert tried["idea"] > 20


IDEA = '[[step.misconception]]\nid = "m.{0}"\n{1}\nfeedback = "{2}"\n'
A, B = (IDEA.format(name, 'value = "3"', "No.") for name in "ab")
NARROW = IDEA.format("x", 'value = "3.03"', "No.")
TELLS = IDEA.format("a", 'value = "3"', "It is 0.952, not 3.")
NEVER = IDEA.format("a", 'when = "answer > 9 and answer < 8"', "No.")
UNFAIR = [
    pytest.param('tol = "0.5%"', "10/21", "", '"0.48" should be right', id="rounded to two places"),
    pytest.param('tol = "exact"\nexpect = "0.33"', "1/3", "", '"0.33" should be right', id="its own pin"),
    pytest.param(
        'decimals = 2\naccept = ["%", "1"]', "20/21", NARROW, "3.03 x", id="units too narrow for ideas"
    ),
    pytest.param("decimals = 2", "20/21", A + B, 'the wrong idea "m.b"', id="one idea hides another"),
    pytest.param("decimals = 2", "20/21", TELLS, "the answer stands in", id="feedback that prints the key"),
    pytest.param("decimals = 2", "20/21", NEVER, "no tried value", id="a rule that nothing fulfils"),
]


@pytest.mark.parametrize(("more", "key", "ideas", "words"), UNFAIR)
def test_an_unfair_step_is_a_problem(more: str, key: str, ideas: str, words: str) -> None:
    problems = selftest(small(compute(key, f"{more}\n{ideas}"))).problems
    assert any(words in each.sentence for each in problems), problems


def test_what_does_not_fit_is_marked() -> None:
    wide = f'[[step]]\nid = "w"\nkind = "read"\ntext = """\n  {"x" * 70}\n"""\n'
    tall = '[[step]]\nid = "t"\nkind = "read"\ntext = """\n' + "a line\n\n" * 20 + '"""\n'
    pages = preview(small(wide + tall), 60, 20)
    assert len(pages.overflows) == 2
    assert 'step 1 "w": 72 columns, 60 fit' in pages.overflows[0]
    assert any(line.startswith("»  xxx") for line in pages.lines)


@pytest.mark.parametrize("size", [(80, 23), (60, 20)])
@pytest.mark.parametrize("file", [ROOFLINE, STRONG], ids=lambda file: file.stem)
def test_the_shipped_scripts_fit(file, size: tuple[int, int]) -> None:
    assert preview(ready(file), *size).overflows == ()
