"""What events do to a study: runs typed, pasted, withdrawn, explained, and the experiment around them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pytest

from tui.model import scaling
from tui.model.edits import Edit, EditError, family_of, fold
from tui.model.experiment_text import _amount_of, form_texts
from tui.model.run_text import run_texts
from tui.model.study import Domain, Experiment, Machine, Run, Study, Work, WorkModel, problems
from tui.study_events import (
    BaselineChosen,
    CauseWritten,
    ExperimentSet,
    LineDropped,
    RunCommitted,
    RunsPasted,
    RunWithdrawn,
    Undone,
)


def typed(study: Study, family: str = "strong", place: int | None = None, **fields: str) -> Edit:
    """One line of the edit line, committed."""
    name = next((each.name for each in study.experiment if each.family == family), "")
    return fold(study, RunCommitted(family, name, place, fields))


def runs_of(edit: Edit) -> tuple[Run, ...]:
    """The runs of the only experiment."""
    (experiment,) = edit.study.experiment
    return experiment.run


def sentence_of(study: Study, **fields: str) -> EditError:
    """The error that a committed line gives."""
    with pytest.raises(EditError) as caught:
        typed(study, **fields)
    return caught.value


# ---------------------------------------------------------------------------------------------- one run


def test_the_first_run_makes_its_experiment() -> None:
    edit = typed(Study(), devices="24", times_s="2876.22")
    (experiment,) = edit.study.experiment
    assert (experiment.family, experiment.name) == ("strong", "strong scaling")
    assert experiment.run == (Run(24, (2876.22,)),)
    assert (edit.experiment, edit.place) == ("strong scaling", 0)
    assert "24 devices, 2876 s" in edit.said
    assert "24 devices" in edit.label


def test_several_numbers_are_steps_of_one_job_and_units_are_read() -> None:
    (run,) = runs_of(typed(Study(), devices="8", times_s="40.2 40.5; 40.1", memory_gib="61.5"))
    assert run.times_s == (40.2, 40.5, 40.1)
    assert run.memory_gib == 61.5
    (run,) = runs_of(typed(Study(), devices="8", times_s="250 ms"))
    assert run.times_s == (0.25,)


@pytest.mark.parametrize(
    ("fields", "field", "words"),
    [
        ({"times_s": "40"}, "devices", ["devices", "nothing was typed"]),
        ({"devices": "8x"}, "devices", ['"8x"', "alone"]),
        ({"devices": "2.5"}, "devices", ['"2.5"', "whole number"]),
        ({"devices": "0"}, "devices", ['"0"', "1 or more"]),
        ({"devices": "1,024"}, "devices", ["1024 or 1.024"]),
        ({"devices": "8", "times_s": "40.2 -1"}, "times_s", ["times", '"-1"', "0 or more"]),
        ({"devices": "8", "times_s": "40.2 1,600"}, "times_s", ["times", "Value 2"]),
        ({"devices": "8", "times_s": "450 x"}, "times_s", ['times: "x" is no time', "blanks between"]),
        ({"devices": "8", "times_s": "40.2 5 GB/s"}, "times_s", ['"GB/s" is no time']),
        ({"devices": "8", "times_s": "40.2 secnds"}, "times_s", ['"secnds"', "did you mean"]),
        (
            {"devices": "8", "times_s": "40.2,40.5"},
            "times_s",
            ['"40.2,40.5" holds commas', "write blanks between the steps of a job: 40.2 40.5."],
        ),
        ({"devices": "8", "reached": "perhaps"}, "reached", ["yes or no"]),
        ({"devices": "8", "seed": "1.5"}, "seed", ['"1.5"', "whole number"]),
        ({"devices": "8", "time_to_target_s": "5 GB"}, "time_to_target_s", ["time to target", '"5 GB"']),
        ({"devices": "8", "status": "lost"}, "status", ["status", '"lost"', "out-of-memory"]),
        ({"devices": "8", "memory_gib": "5 s"}, "memory_gib", ["memory", '"5 s"']),
        ({"devices": "8", "other": "dpp=2"}, "other", ["dpp", "did you mean pp"]),
        ({"devices": "8", "other": "hello"}, "other", ["name=value"]),
        ({"devices": "8", "other": "dp="}, "other", ["dp has no value"]),
        ({"devices": "8", "other": "devices=9"}, "other", ["a field of its own"]),
    ],
    ids=lambda value: str(value)[:40],
)
def test_what_cannot_be_read_is_named_with_its_field(
    fields: Mapping[str, str], field: str, words: list[str]
) -> None:
    error = sentence_of(Study(), **fields)
    assert error.field == field
    for word in words:
        assert word in error.sentence
    assert error.sentence.endswith((".", "?"))


def test_customary_words_for_a_status_and_the_beginning_of_one() -> None:
    for text, status in [("oom", "out-of-memory"), ("f", "failed"), ("stop", "stopped"), ("ok", "completed")]:
        (run,) = runs_of(typed(Study(), devices="8", status=text))
        assert run.status == status


def test_the_other_field_takes_what_has_no_field_of_its_own() -> None:
    other = "dp=4 tp=2; hosts=n1,n2 stages_s.input=0.25 skipped_updates=0"
    (run,) = runs_of(typed(Study(), devices="8", times_s="1", other=other))
    assert (run.dp, run.tp, run.hosts, run.stages_s) == (4, 2, ("n1", "n2"), {"input": 0.25})
    assert run.skipped_updates == 0


FULL = Run(
    devices=8,
    times_s=(40.2, 0.1),
    status="failed",
    global_batch=1024,
    nodes=1,
    domain="one switch",
    memory_gib=61.5,
    dp=4,
    tp=2,
    hosts=("n1", "n2"),
    stages_s={"compute": 36.0},
    busy_s=(1.5, 2.0),
    parameters=7e9,
    note="first",
    extra={"queue": "short", "MFU": 0.4},
    label="r1",
)


@pytest.mark.parametrize("family", ["strong", "weak", "model-size"])
def test_a_run_that_is_loaded_and_committed_unchanged_is_the_same_run(family: str) -> None:
    experiment = Experiment(family_of(family), "x", run=(FULL,))
    texts = {key: text for key, text in run_texts(FULL, experiment.family).items() if text}
    edit = fold(Study(experiment=(experiment,)), RunCommitted(family, "x", 0, texts))
    assert runs_of(edit) == (FULL,)


def test_a_field_that_was_emptied_says_nothing_any_more_and_the_rest_stays() -> None:
    study = Study(experiment=(Experiment("strong", "x", run=(FULL,)),))
    texts = run_texts(FULL, "strong")
    texts = {key: text for key, text in texts.items() if text and key not in ("global_batch", "note")}
    texts["other"] = texts["other"].replace("tp=2", "tp=1")
    (run,) = runs_of(fold(study, RunCommitted("strong", "x", 0, texts)))
    assert (run.global_batch, run.note, run.tp) == (None, "", 1)
    assert (run.extra, run.stages_s, run.dp) == (FULL.extra, FULL.stages_s, 4)


def test_work_written_as_a_table_survives_an_edit_of_another_field() -> None:
    run = Run(8, (1.0,), work=Work(100.0, "tokens", lengths="all 4"))
    study = Study(experiment=(Experiment("weak", "x", run=(run,)),))
    texts = {key: text for key, text in run_texts(run, "weak").items() if text} | {"times_s": "2"}
    (after,) = runs_of(fold(study, RunCommitted("weak", "x", 0, texts)))
    assert after.work == run.work
    assert after.times_s == (2.0,)


def test_the_only_run_of_the_baseline_keeps_its_count() -> None:
    study = typed(Study(), devices="8", times_s="40").study
    study = fold(study, BaselineChosen("strong scaling", "8")).study
    with pytest.raises(EditError, match="8 is the baseline"):
        typed(study, place=0, devices="16", times_s="40")


def test_control_characters_never_reach_the_study() -> None:
    (run,) = runs_of(typed(Study(), devices="8", note="a\x1b[31mb\tc\x00"))
    assert run.note == "a[31mb c"


# ------------------------------------------------------------------------------------------------ paste

PAWSEY = """\
# Cores Runtime[s] Relative_Runtime Speedup Efficiency Relative_Cost
24 2876.22 1 1 100 1
48 1488.54 0.517533 1.93224 96.6121 1.03507
96 794.762 0.276322 3.61897 90.4743 1.10529
"""
"""The head of a published table: https://github.com/PawseySC/supercomputing-user-training,
testing-job-runs/scaling-data (LAMMPS, 802,176 atoms, 10,000 steps)."""


def pasted(text: str, family: str = "strong") -> Edit:
    """A paste into an empty study."""
    return fold(Study(), RunsPasted(family, "", text))


def test_a_published_table_is_read_with_its_headings_and_agrees_with_itself() -> None:
    edit = pasted(PAWSEY)
    table = scaling.table(edit.study.experiment[0])
    assert [row.devices for row in table.rows] == [24, 48, 96]
    assert [round(row.speedup or 0, 5) for row in table.rows] == [1, 1.93224, 3.61897]
    assert [round(row.relative_cost or 0, 5) for row in table.rows] == [1, 1.03507, 1.10529]
    assert not any("derived-clash" in row.codes for row in table.rows)
    assert "3 rows" in edit.said
    assert "Speedup" in edit.said


def test_a_published_efficiency_that_is_wrong_is_flagged() -> None:
    edit = pasted(PAWSEY.replace("96.6121", "76.6121"))
    assert "derived-clash" in scaling.table(edit.study.experiment[0]).rows[1].codes


@pytest.mark.parametrize(
    "text",
    [
        "8\t40.5\n16\t22.25",
        "8,40.5\n16,22.25\n",
        "8;40,5\n16;22,25",
        "8 40.5\n\n16 22.25",
        "8 40,5\r\n16 22,25",
        "GPUs,T [s]\n8,40.5\n16,22.25",
        "time_s\tdevices\n40.5\t8\n22.25\t16",
        "nodes  runtime\n8  40.5\n16  22.25",
        '"D","T"\n"8","40.5"\n"16","22.25"',
    ],
    ids=lambda text: repr(text[:18]),
)
def test_the_same_two_runs_in_the_layouts_people_copy(text: str) -> None:
    assert [(run.devices, run.times_s) for run in runs_of(pasted(text))] == [(8, (40.5,)), (16, (22.25,))]


def test_several_time_columns_are_steps_of_one_job_and_rows_are_jobs() -> None:
    runs = runs_of(pasted("8 40.2 40.5 40.1\n8 41 41.5 41.25"))
    assert [run.times_s for run in runs] == [(40.2, 40.5, 40.1), (41.0, 41.5, 41.25)]


def test_columns_of_a_run_and_of_no_meaning() -> None:
    runs = runs_of(pasted("devices,time_s,global_batch,tp,queue\n8,40,1024,2,short\n16,22,,,"))
    assert (runs[0].global_batch, runs[0].tp, runs[0].extra) == (1024, 2, {"queue": "short"})
    assert (runs[1].global_batch, runs[1].tp, runs[1].extra) == (None, None, {})


def test_rows_that_cannot_be_read_are_left_out_by_name() -> None:
    edit = pasted("8 40\nsixteen 22\n32 12\n64 -6")
    assert [run.devices for run in runs_of(edit)] == [8, 32]
    assert "Left out 2" in edit.said
    assert 'line 2: devices: "sixteen"' in edit.said
    assert "line 4: times" in edit.said


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (" \n", "Nothing was pasted"),
        ("devices,time_s\n", "headings and no rows"),
        ("queue,time_s\nshort,40", "No column holds the count"),
        ("devices,queue\n8,short", "No column holds a time"),
        ("8 x\n16 y", "None of 2 rows"),
    ],
)
def test_a_paste_without_runs_says_what_is_missing(text: str, words: str) -> None:
    with pytest.raises(EditError, match=words):
        pasted(text)


# ------------------------------------------------------------------- withdrawn, baseline, cause, undo


@pytest.fixture
def three() -> Study:
    """Runs above one: 1, 120 s; 2, 56 s; 4, 31 s."""
    return pasted("1 120\n2 56\n4 31").study


def test_a_withdrawn_run_stays_with_its_reason_and_can_count_again(three: Study) -> None:
    edit = fold(three, RunWithdrawn("strong scaling", (1,), "shared\nnode"))
    assert runs_of(edit)[1].withdrawn == "shared node"
    assert runs_of(edit)[1].times_s == (56.0,)
    assert scaling.table(edit.study.experiment[0]).withdrawn == 1
    back = fold(edit.study, RunWithdrawn("strong scaling", (1,), ""))
    assert back.study == three


def test_the_baseline_is_part_of_the_result(three: Study) -> None:
    edit = fold(three, BaselineChosen("strong scaling", "2"))
    table = scaling.table(edit.study.experiment[0])
    assert table.baseline is not None
    assert table.baseline.devices == 2
    assert table.rows[2].efficiency == pytest.approx(56 / 62)
    assert problems(edit.study) == ()
    assert fold(edit.study, BaselineChosen("strong scaling", "")).study == three


@pytest.mark.parametrize("devices", ["8", "3x"])
def test_a_count_that_cannot_be_the_baseline_is_refused(three: Study, devices: str) -> None:
    with pytest.raises(EditError):
        fold(three, BaselineChosen("strong scaling", devices))


def test_a_run_out_of_memory_is_no_baseline(three: Study) -> None:
    study = typed(three, devices="8", status="oom").study
    with pytest.raises(EditError, match="no completed run with 8"):
        fold(study, BaselineChosen("strong scaling", "8"))


def test_a_cause_explains_an_efficiency_above_one_and_can_be_taken_back(three: Study) -> None:
    flagged = scaling.table(three.experiment[0]).rows[1]
    assert "above-one-unexplained" in flagged.codes
    edit = fold(three, CauseWritten("strong scaling", 1, "activations fit at 2"))
    assert "above-one-explained" in scaling.table(edit.study.experiment[0]).rows[1].codes
    assert fold(edit.study, CauseWritten("strong scaling", 1, "")).study == three


def test_a_cause_is_written_with_all_jobs_of_the_row_and_not_with_later_ones(three: Study) -> None:
    two = typed(three, devices="2", times_s="55").study
    edit = fold(two, CauseWritten("strong scaling", 1, "cache"))
    assert [run.cause for run in runs_of(edit)] == ["", "cache", "", "cache"]
    later = typed(edit.study, devices="2", times_s="30").study
    assert "above-one-explained" in scaling.table(later.experiment[0]).rows[1].codes
    later = typed(later, devices="2", times_s="30").study
    assert "above-one-unexplained" in scaling.table(later.experiment[0]).rows[1].codes


def test_events_about_what_is_gone_say_so(three: Study) -> None:
    with pytest.raises(EditError, match="no experiment"):
        fold(three, CauseWritten("other", 0, "x"))
    with pytest.raises(EditError, match="not there any more"):
        fold(three, CauseWritten("strong scaling", 9, "x"))
    with pytest.raises(TypeError):
        fold(three, Undone())
    with pytest.raises(TypeError):
        fold(three, LineDropped())


# ------------------------------------------------------------------------------------------ experiments


def test_a_weak_family_is_declared_in_words() -> None:
    fields = {
        "name": "tokens",
        "per_device": "32000 tokens",
        "flop_per_unit": "6 GFLOP",
        "flop_per_unit_position": "0.5 MFLOP",
        "counts": "GPU",
        "time_means": "one",
        "machine.domains": "8 NVLink node; 128 leaf switch",
    }
    edit = fold(Study(), ExperimentSet("weak", "", fields))
    (experiment,) = edit.study.experiment
    assert experiment.work_model == WorkModel(32000.0, "tokens", 6e9, 5e5)
    assert (experiment.counts, experiment.time_means) == ("GPU", "one update")
    assert edit.study.machine.domains == (Domain("NVLink node", 8), Domain("leaf switch", 128))
    again = form_texts(experiment, edit.study.machine)
    assert fold(edit.study, ExperimentSet("weak", "tokens", again)).study == edit.study


def test_what_the_form_does_not_show_stays() -> None:
    work = Work(100.0, "tokens", sequences=7, optimizer="AdamW")
    before = Experiment("strong", "x", work=work, peak_source="dense", run=(Run(8, (1.0,)),))
    machine = Machine(name="cluster", price=2.4, domains=(Domain("leaf; east", 8),))
    study = Study(machine=machine, experiment=(before,))
    texts = form_texts(before, study.machine) | {"work": "200 tokens", "name": "y"}
    edit = fold(study, ExperimentSet("strong", "x", texts))
    (after,) = edit.study.experiment
    assert after.work == Work(200.0, "tokens", sequences=7, optimizer="AdamW")
    assert (after.name, after.peak_source, after.run) == ("y", "dense", before.run)
    assert edit.study.machine == study.machine


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"name": ""}, "name"),
        ({"name": "taken"}, "name"),
        ({"name": "x", "work": "tokens"}, "work"),
        ({"name": "x", "work": "0 tokens"}, "work"),
        ({"name": "x", "lengths": "all 4"}, "work"),
        ({"name": "x", "time_means": "a week"}, "time_means"),
        ({"name": "x", "peak_flops_per_device": "989 GB/s"}, "peak_flops_per_device"),
        ({"name": "x", "machine.devices_per_node": "0"}, "machine.devices_per_node"),
        ({"name": "x", "machine.domains": "node 8"}, "machine.domains"),
        ({"name": "x", "machine.domains": "128 leaf; 8 node"}, "machine.domains"),
    ],
    ids=lambda value: str(value)[:40],
)
def test_a_form_that_cannot_be_taken_names_its_field(fields: Mapping[str, str], field: str) -> None:
    study = Study(experiment=(Experiment("strong", "taken"),))
    with pytest.raises(EditError) as caught:
        fold(study, ExperimentSet("strong", "", fields))
    assert caught.value.field == field


def test_a_second_experiment_of_the_same_kind_gets_a_free_name() -> None:
    study = typed(Study(), devices="8", times_s="1").study
    edit = fold(study, RunCommitted("strong", "", None, {"devices": "8"}))
    assert [each.name for each in edit.study.experiment] == ["strong scaling", "strong scaling 2"]


@pytest.mark.parametrize(
    ("key", "text", "value"),
    [
        ("flop_per_unit", "6 GFLOP per token", 6e9),
        ("flop_per_unit", "6 GFLOP/token", 6e9),
        ("peak_flops_per_device", "989 TFLOP/s per GPU", 989e12),
        ("memory_per_device_gib", "80 GiB per device", 80.0),
    ],
)
def test_a_number_may_say_what_it_is_for(key: str, text: str, value: float) -> None:
    edit = fold(Study(), ExperimentSet("strong", "", {"name": "x", key: text}))
    assert getattr(edit.study.experiment[0], key) == value


@pytest.mark.parametrize(
    ("key", "text", "said"),
    [
        ("flop_per_unit", "6 GFLOP per second", 'FLOP per unit: "6 GFLOP per second" is a compute rate'),
        ("memory_per_device_gib", "lots", 'memory, a device: "lots"'),
        ("time_means", "a week", 'one time is: read "a week"'),
        ("machine.devices_per_node", "x", 'devices a node: read "x"'),
        ("machine.domains", "node 8", 'networks: read "node 8"'),
        ("lengths", "all 4", "W in detail: say first how much W is"),
    ],
)
def test_a_form_names_its_fields_by_their_labels(key: str, text: str, said: str) -> None:
    with pytest.raises(EditError) as caught:
        fold(Study(), ExperimentSet("strong", "", {"name": "x", key: text}))
    assert caught.value.sentence.startswith(said)


def test_a_time_that_does_not_count_is_said_to_be_kept() -> None:
    assert "marked failed: the seconds are kept" in typed(Study(), devices="8", times_s="4", status="f").said
    assert "reads 0" in typed(Study(), devices="8", times_s="4 0").said
    assert typed(Study(), devices="8", times_s="4").said == "Added 8 devices, 4 s."


# ---------------------------------------------------------------------------------- runs towards a target


def test_a_run_towards_a_target_is_typed_and_changed() -> None:
    fields = {"devices": "8", "time_to_target_s": "2 h", "seed": "-1", "reached": "yes", "quality": "-2.5"}
    edit = typed(Study(), "target", **fields, work_to_target="3000256 samples", schedule="cosine")
    (run,) = runs_of(edit)
    assert run == Run(
        8,
        time_to_target_s=7200.0,
        seed=-1,
        reached=True,
        quality=-2.5,
        work_to_target=3000256.0,
        schedule="cosine",
    )
    assert edit.said == "Added 8 devices, seed -1, 7200 s to the target."
    texts = run_texts(run, "target")
    assert (texts["reached"], texts["seed"], texts["quality"]) == ("yes", "-1", "-2.5")
    lost = typed(edit.study, "target", 0, **{**texts, "reached": "no"})
    assert "target not reached. It did not reach the target: the seconds are kept" in lost.said
    assert runs_of(typed(edit.study, "target", 0, **texts)) == (run,)


def test_a_run_of_another_family_keeps_what_it_says_of_a_target() -> None:
    run = Run(8, (1.0,), seed=0, reached=False, updates=7, label="a b", schedule="cosine")
    study = Study(experiment=(Experiment("strong", "x", run=(run,)),))
    texts = {key: text for key, text in run_texts(run, "strong").items() if text} | {"times_s": "2"}
    (after,) = runs_of(fold(study, RunCommitted("strong", "x", 0, texts)))
    assert after == replace(run, times_s=(2.0,))


@pytest.mark.parametrize(
    ("text", "runs"),
    [
        ("8 100\n16 60", (Run(8, time_to_target_s=100.0), Run(16, time_to_target_s=60.0))),
        ("GPUs,T [min]\n8,2", (Run(8, time_to_target_s=120.0),)),
        (
            "D\tbatch (seq)\ts/step\tupdates to target loss\n8\t256\t1.00\t40000",
            (Run(8, (1.0,), global_batch=256, updates=40000),),
        ),
        ("D,seed,converged\n8,0,no", (Run(8, seed=0, reached=False),)),
    ],
    ids=lambda value: str(value)[:20],
)
def test_runs_towards_a_target_are_pasted(text: str, runs: tuple[Run, ...]) -> None:
    assert runs_of(pasted(text, "target")) == runs


@pytest.mark.parametrize(
    ("text", "words"),
    [("8 256 100", "line of headings"), ("D,seed\n8,1", "No column holds a result")],
)
def test_a_paste_without_a_result_asks_for_one(text: str, words: str) -> None:
    with pytest.raises(EditError, match=words):
        pasted(text, "target")


def test_a_unit_in_a_heading_is_that_of_its_column() -> None:
    for heading in ("T [ms]", "time (ms)", "time_ms"):
        assert runs_of(pasted(f"D,{heading}\n8,40\n16,20.5"))[1].times_s == (0.0205,)
    assert runs_of(pasted("D,T [s]\n8,40"))[0].times_s == (40.0,)
    assert runs_of(pasted("D,T [ms]\n8,40 s"))[0].times_s == (40.0,)


def test_a_clock_is_a_time() -> None:
    assert runs_of(pasted("8 1:30\n16 0:45,5"))[1].times_s == (45.5,)
    assert [run.times_s for run in runs_of(pasted("D,time\n8,1:02:03\n16,1:30"))] == [(3723.0,), (90.0,)]
    assert runs_of(pasted("D,time (h)\n8,1:30"))[0].times_s == (5400.0,)


def test_a_pasted_column_of_nodes_is_not_taken_for_devices() -> None:
    gpus = pasted("GPUs,time_s\n1,10\n8,2")
    assert gpus.study.experiment[0].counts == "GPU"
    nodes = "nodes\ttime (min)\n1\t10,5\n2\t5,4"
    with pytest.raises(EditError, match=r"another unit of the count \(GPU, not node\)"):
        fold(gpus.study, RunsPasted("strong", "strong scaling", nodes))
    bare = pasted("1 10\n8 2").study  # nobody said what 1 and 8 count, and it was hardly nodes
    with pytest.raises(EditError, match=r"\(device, not node\)"):
        fold(bare, RunsPasted("strong", "strong scaling", nodes))
    fresh = pasted(nodes)
    assert fresh.study.experiment[0].counts == "node"
    more = fold(fresh.study, RunsPasted("strong", "strong scaling", "node,time_s\n4,160"))
    assert [run.devices for run in runs_of(more)] == [1, 2, 4]


def test_a_paste_says_how_its_headings_were_read_also_to_undo() -> None:
    edit = pasted("cores;time (min);queue\n8;10,5;a\n16;5,4;b")
    assert edit.label == "paste 2 rows, read as cores = devices, time (min) = times in min"
    assert edit.said == f"Added 2 rows, read as {edit.label[22:]}. Kept as they are: queue."
    assert pasted("8 40\n16 20").label == "paste 2 rows, read as devices, times"


def test_a_baseline_of_runs_towards_a_target_needs_a_time() -> None:
    study = pasted("D,ttt,reached\n8,,no\n16,60,yes\n32,40,yes", "target").study
    edit = fold(study, BaselineChosen("time to target", "32"))
    assert edit.study.experiment[0].baseline == 32
    with pytest.raises(EditError, match="8 devices have no time to the target"):
        fold(study, BaselineChosen("time to target", "8"))


@pytest.mark.parametrize(
    ("typed", "amount", "of"),
    [
        ("4M tokens", 4e6, "tokens"),
        ("32 k", 32e3, ""),
        ("1.5 G cells", 1.5e9, "cells"),
        ("8 Mesh cells", 8, "Mesh cells"),
    ],
)
def test_a_prefix_between_number_and_unit_is_a_factor(typed: str, amount: float, of: str) -> None:
    assert _amount_of("work", typed) == (amount, of)
