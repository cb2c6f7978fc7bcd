"""Runs of a file become part of a study: what is said once for all stays said, and nothing twice."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tui.model.edits import EditError, fold
from tui.model.study import Experiment, Run, Study, Work
from tui.model.taking_in import take_in
from tui.study_events import RunsImported

THERE = Experiment("strong", "x", counts="GPU", run=(Run(8, (40.0,)),))
STUDY = Study(title="mine", experiment=(THERE,))


def test_an_experiment_of_another_name_is_added_and_of_the_same_name_joined() -> None:
    new = Experiment("strong", "y", run=(Run(8, (40.0,)), Run(16, (21.0,))))
    added = take_in(STUDY, new)
    assert added.study.experiment == (THERE, new)
    joined = take_in(STUDY, replace(new, name="x"))
    assert joined.study.experiment == (replace(THERE, run=(Run(8, (40.0,)), Run(16, (21.0,)))),)
    assert (joined.runs, joined.known, joined.place) == (1, 1, 1)


def test_what_only_the_file_says_of_all_its_runs_goes_to_each_of_them() -> None:
    work = Work(4096.0, "tokens")
    new = Experiment("strong", "x", counts="GPU", work=work, time_means="one update", run=(Run(16, (21.0,)),))
    (experiment,) = take_in(STUDY, new).study.experiment
    assert experiment.work is None
    assert experiment.run[1] == Run(16, (21.0,), work=work, time_means="one update")


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"family": "weak"}, "another family .strong, not weak."),
        ({"counts": "node"}, "another unit of the count .GPU, not node."),
        ({"work": Work(2.0)}, "another work"),
        ({"time_means": "whole job"}, "another meaning of its times .one update, not whole job."),
    ],
)
def test_runs_that_mean_something_else_are_not_mixed(change: dict[str, object], sentence: str) -> None:
    there = replace(THERE, work=Work(1.0), time_means="one update")
    new = Experiment("strong", "x", counts="GPU", run=(Run(16, (21.0,)),))
    with pytest.raises(EditError, match=sentence):
        take_in(Study(experiment=(there,)), replace(new, **change))  # type: ignore[arg-type]


def test_an_import_is_one_edit_with_names_of_its_own() -> None:
    new = Experiment("strong", "x", run=(Run(2, (9.0,)),))
    edit = fold(STUDY, RunsImported("dir/table.csv", "", (new, replace(new, name="z"))))
    assert [each.name for each in edit.study.experiment] == ["x", "x 2", "z"]
    assert (edit.label, edit.experiment, edit.place) == ("import 2 runs", "x 2", 0)
    assert edit.said == "Added 2 runs of table.csv as 2 experiments. u takes them back."
    first = fold(Study(), RunsImported("dir/table.csv", "", (new,)))
    assert first.study.title == "table"


def test_an_import_that_adds_nothing_is_refused_with_a_sentence() -> None:
    again = RunsImported("t.csv", "x", (replace(THERE, name="t"),))
    with pytest.raises(EditError, match=r"all runs of t\.csv are in that experiment already"):
        fold(STUDY, again)
    with pytest.raises(EditError, match="There is no experiment 'gone' any more"):
        fold(STUDY, replace(again, into="gone"))
