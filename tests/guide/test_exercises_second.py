"""What holds for exercises 11 to 20 alone: published numbers, their tables, and the model of the limits."""

from __future__ import annotations

import re
from fractions import Fraction as F
from itertools import combinations

import pytest

from tests.guide.playing import (
    NUMBER,
    exercise,
    known_numbers,
    lines,
    names,
    says,
    texts,
)
from tests.guide.scripts import SHIPPED
from tests.guide.second_limits import LIMITS
from tests.guide.second_practice import OPENMC_1_2, PRACTICE, SAMPLES_8, SAMPLES_64, SECONDS_8, SECONDS_64
from tests.guide.test_plain import Sitting
from tui.guide.catalogue import menu
from tui.guide.data import as_study
from tui.guide.exercise import Exercise
from tui.model.predict import forecast
from tui.model.score import alternatives
from tui.model.steps import steps_of

SECOND_TEN = {**LIMITS, **PRACTICE}
"""What each must be, by its id, in the order of the menu."""

each = pytest.mark.parametrize("name", SECOND_TEN)

SOURCES = {
    "one-job-is-one-sample": "bigscience-workshop/bigscience",
    "read-the-training-line": "github.com/pytorch/torchtitan",
    "pick-two-points": "github.com/radiasoft/sirepo/issues/6220",
    "throughput-is-not-target": "github.com/mlcommons/training_results_v1.0",
    "bandwidth-stops-the-cores": "kerncraft",
}
"""Where the published numbers of an exercise were published; all others are synthetic."""


@each
def test_it_ends_with_one_sentence_to_remember_and_says_where_its_numbers_come_from(name: str) -> None:
    script = exercise(name).script
    assert re.fullmatch(r"Remember: [^.]*\.", script.closing.replace("\n", " ").split("  ")[0].strip())
    published = SOURCES.get(name, "synthetic")
    assert published in script.source
    for data in script.data:
        assert data.source, data.id
        assert (data.source == "synthetic") is (published == "synthetic")


def test_what_comes_before_is_an_exercise_of_this_course() -> None:
    order = [script.id for group in menu(str(SHIPPED)) for script in group.scripts]
    for name in SECOND_TEN:
        required = exercise(name).script.requires
        assert required, name
        assert all(order.index(each) < order.index(name) for each in required), name


# ---------------------------------------------------------------------------------------- as a learner does


@each
def test_no_line_of_the_plain_screen_is_cut_at_80_columns(name: str) -> None:
    sitting = Sitting(exercise(name), ["tables", *lines(exercise(name), SECOND_TEN[name], None), "tables"])
    assert [line for text in sitting.said for line in text.split("\n") if len(line) > 80] == []


@each
def test_its_tables_can_stand_in_the_tabs(name: str) -> None:
    sets = exercise(name).sets
    study = as_study(sets.values())
    assert [len(each.run) for each in study.experiment] == [len(data.visible()) for data in sets.values()]


def test_the_table_does_not_read_the_line_for_the_learner() -> None:
    found, expected = exercise("read-the-training-line"), PRACTICE["read-the-training-line"]
    sitting = Sitting(found, ["", "table", *list(lines(found, expected, None))[1:], "tables"])
    before = "\n".join(sitting.said[: sitting.said.index("Number of the choice: ")])
    assert "Table log" not in sitting.text
    assert "Table two-counts" in sitting.text
    assert "4376" not in before[: before.index("✓ right")]
    assert "no tables" not in sitting.text


def test_stages_are_shown_by_their_own_name_and_many_revealed_rows_as_a_table() -> None:
    found, expected = exercise("find-the-next-limit"), LIMITS["find-the-next-limit"]
    said = Sitting(found, lines(found, expected, None)).text
    assert "devices  time_s  compute  communication  bubble  input  host" in said
    assert "Revealed: devices 64, time_s 19.0, compute 5, communication 7," in said
    found, expected = exercise("throughput-is-not-target"), PRACTICE["throughput-is-not-target"]
    said = Sitting(found, lines(found, expected, None)).text
    after = said[said.index("Revealed: 10 rows.") :].split("\n")[1:12]
    assert after[0].split() == ["devices", "global_batch", "time_to_target_s", "work_to_target"]
    assert [line.split()[0] for line in after[1:]] == ["64"] * 10
    assert len({len(line) for line in after}) == 1


# ------------------------------------------------------------------------------------ numbers in the texts


@each
def test_every_number_in_the_texts_is_known_or_worked_out(name: str) -> None:
    found, expected = exercise(name), SECOND_TEN[name]
    known = known_numbers(found, expected)
    unknown = []
    for place, text in texts(found):
        for match in NUMBER.finditer(text):
            number = match[0].replace(",", "")
            share = re.match(r" ?%", text[match.end() :])
            fits = any(says(number, value * 100) if share else names(number, value) for value in known)
            if not fits:
                unknown.append(f"{place}: {number}{' %' if share else ''} in {text.strip()[:60]!r}")
    assert unknown == []


# ------------------------------------------------------------------------- against the model of the limits


def test_the_five_rules_of_the_pipeline_are_those_of_the_model() -> None:
    data = exercise("find-the-next-limit").sets["pipeline"]
    steps = steps_of(as_study([data]).experiment[0])
    rules = dict(alternatives_in_words(exercise("find-the-next-limit"), "why"))
    through = alternatives(steps, 64, (8, 16))
    assert forecast(steps, 64).time == F(rules["the path: longest branch"][0])
    assert through.amdahl == F(rules["a + b/D through 8 and 16"][0])
    assert through.same_gain == F(rules["the same gain again"][0])
    assert says(rules["the ideal line from 8"][0], F(through.ideal))
    # a + b/D + c·log2 D through three counts: the difference of second differences is 2·a·(1/64 - ...).
    curve = F(320, 64) + F("4.5") + 6
    assert curve == F(rules["a + b/D + c·log2 D, all three"][0])
    assert [F(320, n) + F("4.5") + k for n, k in ((8, 3), (16, 4), (32, 5))] == [
        F("47.5"),
        F("28.5"),
        F("19.5"),
    ]
    for words, (time, error) in rules.items():
        exact = F(95, 16) if words.startswith("the ideal") else F(time)
        assert says(error.lstrip("-"), abs(exact / 19 - 1) * 100), words
        assert (exact < 19) is error.startswith("-"), words


def test_the_pairs_of_openmc_are_those_of_the_model() -> None:
    steps = steps_of(as_study([exercise("pick-two-points").sets["openmc"]]).experiment[0])
    rules = alternatives_in_words(exercise("pick-two-points"), "which-pair")
    assert len(rules) == 4
    for words, (time, error) in rules:
        pair = tuple(map(int, re.findall(r"\d+", words)))
        found = alternatives(steps, 32, (pair[0], pair[1]))
        exact = found.same_gain if "gain" in words else found.amdahl
        assert exact is not None
        assert says(time, F(exact)), words
        assert says(error.lstrip("+-"), abs(F(exact) / F("199.5") - 1) * 100), words
        assert (exact < F("199.5")) is error.startswith("-"), words
    assert alternatives(steps, 32, (1, 2)).amdahl == OPENMC_1_2
    assert round(OPENMC_1_2 - 187) == 61


def test_the_21_pairs_of_lammps_are_those_of_the_model() -> None:
    steps = steps_of(as_study([exercise("pick-two-points").sets["lammps"]]).experiment[0])
    counts = [point.devices for point in steps.points]
    found = [alternatives(steps, 3072, pair).amdahl for pair in combinations(counts, 2)]
    assert len(found) == 21
    assert (round(min(found)), round(max(found))) == (16, 136)


def alternatives_in_words(found: Exercise, step_id: str) -> list[tuple[str, tuple[str, str]]]:
    """The rules that a step lists: what each is called, its seconds, and its error in percent."""
    place = found.script.place(step_id)
    assert place is not None
    rows = re.findall(
        r"^  (\S.*?)  +([\d.]+) s +([+-]\d+(?:\.\d+)?) %$", found.steps[place].text, re.MULTILINE
    )
    return [(words, (time, error)) for words, time, error in rows]


def test_the_means_of_the_trainings_are_mlperfs() -> None:
    data = exercise("throughput-is-not-target").sets["bert"]
    for devices, seconds, samples in ((8, SECONDS_8, SAMPLES_8), (64, SECONDS_64, SAMPLES_64)):
        rows = [row for row in data.rows if row[0] == str(devices)]
        assert len(rows) == 10
        for column, mean in (("time_to_target_s", seconds), ("work_to_target", samples)):
            kept = sorted(F(row[data.columns.index(column)]) for row in rows)[1:-1]
            assert sum(kept) / 8 == mean
    most, fewest = (
        choose(int(row[-1]) for row in data.rows if row[0] == count)
        for choose, count in ((max, "8"), (min, "64"))
    )
    assert most < fewest, "even the fewest samples on 64 GPUs are more than the most on 8"
