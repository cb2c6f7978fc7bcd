"""What the preview of a file lists, and the question before a lock; without an app around them."""

from __future__ import annotations

import json
from pathlib import Path

from tui.importers import hyperfine, table
from tui.importers.imported import Imported, Options, Source
from tui.model.predict import forecast
from tui.model.steps import steps_of
from tui.model.study import Experiment, Run, Stage
from tui.tabs.import_view import Into, found_lines, items
from tui.tabs.limits_words import assumed_words
from tui.widgets.stage_lines import sentence


def keys(imported: Imported) -> list[tuple[str, str]]:
    """What each line acts on, with its name."""
    return [(item.key, item.label) for item in items(imported, Options(), "", Into("a new experiment"))]


def read(text: str) -> Imported:
    return table.read(Source(Path("runs.csv"), text.encode()), Options(family="strong"))


def test_columns_stand_below_the_name_of_their_table_where_there_are_several() -> None:
    one = "cores,time_s\n8,40.2\n16,20.4\n"
    assert "table" not in dict(keys(read(one)))
    listed = keys(read(f"{one}\ncores,hours\n8,1.5\n16,0.8\n"))[-6:]
    assert listed == [
        ("table", "table 1"),
        ("column", "cores"),
        ("column", "time_s"),
        ("table", "table 2"),
        ("column", "cores"),
        ("column", "hours"),
    ]


def test_what_tells_long_commands_apart_is_not_cut_off() -> None:
    commands = [f"OMP_NUM_THREADS={n} ./a_long_program_name --input data/large.in" for n in (1, 2)]
    results = [{"command": command, "mean": 1, "times": [8]} for command in commands]
    data = json.dumps({"results": results}).encode()
    found = hyperfine.read(Source(Path("h.json"), data), Options(family="strong"))
    cells = [line.split("…")[1].rstrip() for line in found_lines(found, 80) if "THREADS=" in line]
    assert cells == ["_THREADS=1 ./a_long_", "_THREADS=2 ./a_long_"]


def test_the_question_before_a_lock_names_the_stages_without_a_law() -> None:
    runs = tuple(Run(n, (5.0,), stages_s={"input": 4.0, "host": 1.0}) for n in (8, 16))
    stages = (Stage("input", "fixed"), Stage("host", after=("input",)))
    made = forecast(steps_of(Experiment("strong", "x", stages=stages, run=runs)), 32)
    assert assumed_words(made) == " No law chosen, assumed fixed: host."
    chosen = (stages[0], Stage("host", "fixed", after=("input",)))
    assert assumed_words(forecast(steps_of(Experiment("strong", "x", stages=chosen, run=runs)), 32)) == ""


def test_a_sentence_has_one_full_stop() -> None:
    assert sentence("it is 0.5 of the baseline's.") == "It is 0.5 of the baseline's."
    assert sentence("no stage yet") == "No stage yet."
