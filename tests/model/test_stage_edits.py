"""What the events of the Limits tab do to an experiment: seconds, stages, edges, locks."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.model.steps_builders import PIPELINE, pipeline, pipeline_run
from tui.model.edits import Edit, EditError, fold
from tui.model.limits import Asked, limits_of
from tui.model.losses import Budget
from tui.model.path import Graph
from tui.model.predict import Forecast
from tui.model.stage_edits import line_texts, read_line, stage_names, stage_texts, with_next_law
from tui.model.study import Experiment, Machine, Run, Stage, Study
from tui.study_events import LossesAsked, PredictionLocked, StageRemoved, StagesCommitted, StageSet

SECONDS = st.just(0.0) | st.floats(1e-9, 1e9)
MADE = "2026-11-30T09:12:00+00:00"


def stages_of(experiment: Experiment) -> dict[str, tuple[str, ...]]:
    """Each stage with what it comes after, as it is stored."""
    return {stage.name: stage.after for stage in experiment.stages}


def done(experiment: Experiment, *events: Any) -> Edit:
    """The edit of the last of several events."""
    study = Study(experiment=(experiment,))
    for event in events:
        edit = fold(study, event)
        study = edit.study
    return edit


def after(experiment: Experiment, *events: Any) -> Experiment:
    """The experiment after several events."""
    return done(experiment, *events).study.experiment[0]


def declare(name: str, stage: str = "", **texts: str) -> StageSet:
    """The form of a stage of the experiment `pipeline`."""
    return StageSet("strong", "pipeline", stage, {"name": name, **texts})


def refused(experiment: Experiment, event: Any) -> EditError:
    """The sentence that an event is refused with."""
    with pytest.raises(EditError) as error:
        done(experiment, event)
    return error.value


EMPTY = Experiment("strong", "pipeline", "GPU")

# ---------------------------------------------------------------------------------------------- the line


def test_a_line_changes_only_what_it_has_fields_for():
    before = pipeline_run(16, global_batch=512, note="kept", busy_s=(1.0, 2.0), extra={"x": 1})
    texts = {**line_texts(before), "stages_s.input": "800 ms", "stages_s.wait": "0"}
    run = read_line(texts, before)
    assert run == replace(before, stages_s={**before.stages_s, "input": 0.8, "wait": 0.0})
    assert list(run.stages_s) == ["compute", "communication", "bubble", "input", "host", "wait"]


def test_an_empty_field_means_not_measured_and_an_empty_time_awaited():
    before = pipeline_run(16)
    texts = {
        key: text for key, text in line_texts(before).items() if key not in ("times_s", "stages_s.input")
    }
    run = read_line(texts, before)
    assert (run.times_s, "input" in run.stages_s) == ((), False)
    assert read_line({"devices": "8"}) == Run(8)


@given(
    st.integers(1, 10**6),
    st.lists(SECONDS, max_size=4),
    st.dictionaries(st.sampled_from(["compute", "input", "rank tail", "x.y"]), SECONDS),
)
def test_a_run_on_the_line_comes_back_as_it_was(devices, times, seconds):
    run = Run(devices, tuple(times), stages_s=seconds, note="n")
    assert read_line(line_texts(run), run) == run
    assert read_line(line_texts(run)) == replace(run, note="")


@pytest.mark.parametrize(
    ("texts", "field", "words"),
    [
        ({"times_s": "3"}, "devices", "devices: nothing was typed"),
        ({"devices": "8", "stages_s.input": "soon"}, "stages_s.input", 'input: "soon" does not start'),
        ({"devices": "8", "stages_s.input": "-1"}, "stages_s.input", 'input: read "-1", expected 0 or more'),
        ({"devices": "8", "times_s": "-1"}, "times_s", "no time is below 0"),
    ],
    ids=lambda value: str(value)[:30],
)
def test_a_line_that_cannot_be_taken(texts, field, words):
    error = refused(EMPTY, StagesCommitted("strong", "pipeline", None, texts))
    assert error.field == field
    assert words in error.sentence


def test_a_line_makes_an_experiment_where_there_is_none_and_names_its_run():
    edit = fold(Study(), StagesCommitted("strong", "", None, {"devices": "8", "times_s": "2"}))
    assert (edit.label, edit.place, edit.experiment) == ("add 8 devices, 2 s", 0, "strong scaling")
    edit = fold(edit.study, StagesCommitted("strong", "strong scaling", 0, {"devices": "8", "times_s": "3"}))
    assert [run.times_s for run in edit.study.experiment[0].run] == [(3.0,)]


# -------------------------------------------------------------------------------------------- the stages


def test_the_pipeline_declared_stage_by_stage():
    made = after(
        EMPTY,
        declare("compute", law="split"),
        declare("communication", law="per-doubling", after="compute"),
        declare("bubble", law="fixed", after="communication"),
        declare("input", law="fixed"),
        declare("host", law="fixed", after="bubble input"),
    )
    assert made.stages == PIPELINE


def test_a_chain_stays_a_chain_and_its_first_edge_keeps_the_others():
    chain = after(EMPTY, declare("a"), declare("b", after="a"), declare("c", after="b"))
    assert stages_of(chain) == {"a": (), "b": (), "c": ()}
    assert stage_texts(chain, "c")["after"] == "b"
    assert stage_texts(chain)["after"] == "c"
    # b from the start: c still comes after b, which the file would not say without an edge.
    beside = after(chain, declare("b", "b"))
    assert stages_of(beside) == {"a": (), "b": (), "c": ("b",)}
    both = after(beside, declare("c", "c", after="a, b"))
    assert Graph(both.stages).after == {"a": (), "b": (), "c": ("a", "b")}


def test_stages_that_only_runs_name_are_declared_by_the_first_change():
    measured = pipeline(8, stages=())
    changed = after(measured, declare("bubble", "bubble", law="fixed", after="communication"))
    assert list(stages_of(changed)) == ["compute", "communication", "bubble", "input", "host"]
    assert changed.stages[2] == Stage("bubble", "fixed")
    assert stage_names(pipeline(8, stages=PIPELINE[:2])) == (
        "compute", "communication", "bubble", "input", "host",
    )  # fmt: skip


def test_a_renamed_stage_keeps_its_edges_and_its_seconds():
    renamed = after(pipeline(8, 16), declare("reading", "input", law="fixed"))
    assert renamed.stages[4].after == ("bubble", "reading")
    assert [list(run.stages_s) for run in renamed.run] == [
        ["compute", "communication", "bubble", "reading", "host"]
    ] * 2
    assert renamed.run[0].stages_s["reading"] == 17.5


def test_a_removed_stage_hands_its_edges_on_and_takes_its_seconds():
    edit = done(pipeline(8, 16), StageRemoved("pipeline", "communication"))
    left = edit.study.experiment[0]
    assert stages_of(left)["bubble"] == ("compute",)
    assert all("communication" not in run.stages_s for run in left.run)
    assert "its seconds at 8, 16" in edit.said
    only = after(pipeline(8, stages=()), StageRemoved("pipeline", "host"))
    assert stage_names(only) == ("compute", "communication", "bubble", "input")
    joined = Experiment("strong", "pipeline", stages=(Stage("a"), Stage("b"), Stage("c", after=("a", "b"))))
    assert "one chain" in done(joined, StageRemoved("pipeline", "c")).said


@pytest.mark.parametrize(
    ("event", "field", "words"),
    [
        (declare("compute", "compute", after="host"), "after", "these stages wait for each other"),
        (declare("compute", "compute", after="compute"), "after", "cannot wait for itself"),
        (declare("x", after="hots"), "after", 'no stage "hots"; did you mean host?'),
        (declare("x", after="zzz"), "after", "there are compute, communication"),
        (declare(""), "name", "nothing was typed"),
        (declare("rank tails"), "name", 'read "rank tails", expected one word, like rank_tails'),
        (declare("input"), "name", "there is a stage 'input' already"),
        (declare("x", law="sqrt"), "law", 'read "sqrt", expected one of split'),
        (declare("x", of="gpus"), "of", 'read "gpus"'),
        (declare("x", law="tail", params="p=1"), "params", "the law tail has delay_s=1 q=1"),
        (declare("x", law="tail", params="q=2"), "params", "between 0 and 1"),
        (declare("x", law="split", params="a=many"), "params", "a: "),
        (declare("x", "gone"), "", "There is no stage 'gone' any more"),
        (StageRemoved("pipeline", "gone"), "", "There is no stage 'gone' any more"),
        (StageSet("strong", "elsewhere", "", {"name": "x"}), "", "no experiment 'elsewhere' any more"),
    ],
    ids=lambda value: str(value)[:40],
)
def test_what_a_stage_cannot_be(event, field, words):
    error = refused(pipeline(8), event)
    assert words in error.sentence
    assert error.field == field


def test_stages_side_by_side_need_one_that_waits_for_both():
    alone = after(EMPTY, declare("a"))
    error = refused(alone, declare("b"))
    assert error.field == "after"
    assert "declare first the stage that waits for both" in error.sentence


def test_a_name_near_one_that_the_grid_asks_for_is_said():
    assert "asks for 'bubble'" in done(EMPTY, declare("bubbles")).said
    assert "asks for" not in done(EMPTY, declare("bubble")).said


def test_laws_come_round_and_drop_what_they_do_not_know():
    texts = stage_texts(
        Experiment("strong", "x", stages=(Stage("t", "tail", params={"q": 0.01, "delay_s": 1}),)), "t"
    )
    assert with_next_law(texts) == {**texts, "law": "split", "params": ""}
    seen = [texts["law"]]
    for _ in range(11):
        texts = with_next_law(texts)
        seen.append(texts["law"])
    assert seen[0] == seen[-1] == "tail"
    assert len(set(seen)) == 11


# ---------------------------------------------------------------------------------------------- the lock


def test_a_lock_is_stored_with_its_date_and_superseded_by_a_later_one():
    edit = done(pipeline(8, 16, 32), PredictionLocked("pipeline", "64", MADE))
    (made,) = edit.study.experiment[0].prediction
    assert (made.devices, made.time_s, made.limit) == (64, 18.5, "input")
    assert made.made.isoformat() == MADE
    assert edit.label.startswith("lock ")
    again = refused(edit.study.experiment[0], PredictionLocked("pipeline", "64", "2026-12-01T09:12:00+00:00"))
    assert "locked already" in again.sentence
    changed = after(edit.study.experiment[0], declare("input", "input", law="split"))
    later = after(changed, PredictionLocked("pipeline", "64", "2026-12-01T09:12:00+00:00"))
    assert later.prediction[0] == made
    assert [each.superseded for each in limits_of(later, Machine(), Asked()).locked] == [True, False]


@pytest.mark.parametrize(
    ("experiment", "devices", "words"),
    [
        (pipeline(8, 16, 32), "32", "was measured already"),
        (pipeline(8), "64", "one count says nothing"),
        (EMPTY, "64", "no stage is measured"),
        (pipeline(8, 16), "0", "a whole number, 1 or more"),
    ],
    ids=["measured", "one count", "no stage", "no count"],
)
def test_what_cannot_be_locked(experiment, devices, words):
    assert words in refused(experiment, PredictionLocked("pipeline", devices, MADE)).sentence


def test_the_limit_of_a_locked_prediction_keeps_its_name():
    locked = after(pipeline(8, 16, 32), PredictionLocked("pipeline", "64", MADE))
    error = refused(locked, declare("reading", "input", law="fixed"))
    assert error.field == "name"
    assert "is never edited, so the stage keeps its name" in error.sentence
    assert "bubbles" in stages_of(
        after(locked, declare("bubbles", "bubble", law="fixed", after="communication"))
    )


def test_asking_for_losses_changes_no_study():
    with pytest.raises(TypeError):
        fold(Study(experiment=(EMPTY,)), LossesAsked("pipeline", 8))


# ------------------------------------------------------------------------------------ everything at once


def test_what_is_asked_where_nothing_is_said():
    found = limits_of(pipeline(8, 16, 32), Machine(), Asked())
    assert (found.predicted, found.pair) == (64, (8, 32))
    assert isinstance(found.forecast, Forecast)
    assert isinstance(found.budget, Budget)
    assert (found.forecast.time, found.budget.lost) == (18.5, 7.625)
    # The count that was locked stays the question, also when its run has come.
    locked = after(pipeline(8, 16, 32), PredictionLocked("pipeline", "64", MADE))
    came = replace(locked, run=(*locked.run, pipeline_run(64)))
    assert limits_of(came, Machine(), Asked()).predicted == 64
    assert limits_of(came, Machine(), Asked()).locked[0].score is not None


@pytest.mark.parametrize(
    ("beside", "pair"), [(None, (4, 16)), (8, (4, 8)), (4, (4, 16)), (2, (2, 4))], ids=str
)
def test_losses_are_counted_from_d0(beside, pair):
    runs = tuple(
        Run(devices, (64 / devices,), stages_s={"compute": 64 / devices}) for devices in (2, 4, 8, 16)
    )
    based = Experiment("strong", "x", baseline=4, run=runs)
    assert limits_of(based, Machine(), Asked(beside=beside)).pair == pair


@pytest.mark.parametrize("counts", [(), (8,)], ids=["none", "one"])
def test_what_one_count_cannot_tell(counts):
    found = limits_of(pipeline(*counts), Machine(), Asked())
    assert isinstance(found.budget, str)
    assert isinstance(found.forecast, str)
    assert found.pair is None
    assert found.spread.low is None
