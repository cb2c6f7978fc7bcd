"""Every flag: an experiment in which a row has it, with its sentence, and a near one in which it must not."""

from __future__ import annotations

import pytest

from tests.model.flag_cases import BLOCKS, NODES_OF_8, Shown, second
from tests.model.flag_cases_beside import NOTES, WARNS
from tests.model.study_builders import TOKENS, run, strong, weak
from tui.model import flag_notes, flag_rules, flag_warnings
from tui.model.flags import SEVERITY, Flag, amount, ratio, seconds
from tui.model.rows import Table
from tui.model.scaling import table
from tui.model.study import Experiment, Machine, WorkModel

ROWS = (*BLOCKS, *WARNS, *NOTES)


def last(of: Experiment, machine: Machine) -> tuple[Flag, ...]:
    return table(of, machine).rows[-1].flags


@pytest.mark.parametrize("case", ROWS, ids=lambda case: f"{case.code} {case.name}".strip())
def test_a_row_has_the_flag_with_its_own_numbers(case: Shown) -> None:
    sentences = [flag.sentence for flag in last(case.here, case.machine) if flag.code == case.code]
    assert len(sentences) == 1
    assert case.words in sentences[0]


@pytest.mark.parametrize("case", ROWS, ids=lambda case: f"{case.code} {case.name}".strip())
def test_a_near_row_has_it_not(case: Shown) -> None:
    assert case.code not in [flag.code for flag in last(case.not_here, case.machine)]


@pytest.mark.parametrize("case", BLOCKS, ids=lambda case: f"{case.code} {case.name}".strip())
def test_a_blocked_row_keeps_its_time_and_has_no_ratio(case: Shown) -> None:
    row = table(case.here, case.machine).rows[-1]
    assert row.blocked
    assert not row.comparable
    assert (row.speedup, row.efficiency, row.scaled_speedup, row.relative_cost, row.spread) == (None,) * 5
    assert row.time_s is not None or case.code == "not-completed"


@pytest.mark.parametrize("case", [*WARNS, *NOTES], ids=lambda case: f"{case.code} {case.name}".strip())
def test_what_warns_or_notes_blocks_nothing(case: Shown) -> None:
    row = table(case.here, case.machine).rows[-1]
    assert not row.blocked
    assert row.comparable or row.time_min_s == 0


TABLE_FLAGS = (
    (
        "two-counts-only",
        second(run(2, 51.0), run(4, status="failed")),
        "Only 1 and 2 GPUs",
        second(run(2, 51.0), run(4, 26.0)),
    ),
    ("baseline-not-one", strong(run(4, 9.0), run(8, 5.0)), "The baseline has 4 GPUs", second(run(4, 26.0))),
    (
        "devices-constant",
        weak(run(4, 1.0, work=1), run(4, 8.0, work=8)),
        "All rows have 4 GPUs",
        weak(run(4, 1.0, work=1)),
    ),
)


@pytest.mark.parametrize(
    ("code", "here", "words", "not_here"), TABLE_FLAGS, ids=[flag[0] for flag in TABLE_FLAGS]
)
def test_flags_of_a_table(code: str, here: Experiment, words: str, not_here: Experiment) -> None:
    def found(of: Table) -> list[str]:
        return [flag.sentence for flag in of.flags if flag.code == code]

    (sentence,) = found(table(here))
    assert words in sentence
    assert found(table(not_here)) == []


def test_every_code_is_raised_by_a_rule_and_shown_here() -> None:
    rules = {rule.code for rules in (flag_rules, flag_warnings, flag_notes) for rule in rules.RULES}
    of_tables = {flag[0] for flag in TABLE_FLAGS}
    assert rules | of_tables == set(SEVERITY)
    assert {case.code for case in ROWS} | of_tables == set(SEVERITY)


def test_each_kind_of_rule_has_its_severity() -> None:
    for module, severity in ((flag_rules, "blocks"), (flag_warnings, "warns"), (flag_notes, "notes")):
        assert {SEVERITY[rule.code] for rule in module.RULES} == {severity}


def test_flags_are_listed_by_weight() -> None:
    row = table(
        second(run(2, 30.0, withdrawn="x"), run(2, 30.0, skipped_updates=1, nodes=2)), NODES_OF_8
    ).rows[-1]
    places = [list(SEVERITY).index(code) for code in row.codes]
    assert places == sorted(places)
    assert row.flags[0].severity == "blocks"


def test_the_baseline_is_never_judged_against_itself() -> None:
    base = table(strong(run(1, 100.0, global_batch=8, tp=1, cause="x"), run(2, 51.0, global_batch=8))).rows[0]
    assert base.efficiency == 1
    assert base.codes == ()


def test_no_sentence_has_a_number_nobody_can_read() -> None:
    for case in ROWS:
        for flag in last(case.here, case.machine):
            assert flag.sentence.endswith(".")
            for junk in ("e+", "None", "nan", "  ", "0000000001"):
                assert junk not in flag.sentence


@pytest.mark.parametrize(
    ("text", "read"),
    [
        (seconds(454.81), "454.8 s"),
        (seconds(0.0819789), "0.08198 s"),
        (ratio(15 / 14), "1.071"),
        (amount(2048000.0, "tokens"), "2048000 tokens"),
        (amount(0.5), "0.5"),
        (amount(1e8), "100000000"),
    ],
)
def test_numbers_in_sentences(text: str, read: str) -> None:
    assert text == read


def test_a_model_of_the_work_without_lengths_says_nothing_of_arithmetic() -> None:
    unknown = weak(run(8, 12.0), run(64, 15.0), work_model=TOKENS)
    assert table(unknown).rows[-1].arithmetic_ratio is None
    known = weak(run(8, 12.0), run(64, 15.0), work_model=WorkModel(32000, "tokens", 6e9))
    assert table(known).rows[-1].arithmetic_ratio == pytest.approx(1)
