"""The CSV table with our own column names: what is read, and every fault at once with what to do."""

from __future__ import annotations

import datetime as dt
from dataclasses import fields
from pathlib import Path

import pytest

from tui.importers import own_csv
from tui.model.study import Run

NO_NUMBER = "does not start with a number: write a number, like 12.5 or 1.25e9"
NOT_DONE = "; where the run did not complete leave the cell blank and write failed in a column status"
SPLIT = "put quotation marks round a cell that contains the separator"


def runs(text: str) -> tuple[Run, ...]:
    return own_csv.parse(text.encode()).run


def faults(text: str | bytes) -> list[str]:
    with pytest.raises(own_csv.NotATable) as caught:
        own_csv.parse(text.encode() if isinstance(text, str) else text, Path("runs.csv"))
    assert str(caught.value).startswith("runs.csv: ")
    return [str(fault) for fault in caught.value.faults]


# what is read


def test_rows_are_jobs_and_times_in_a_row_are_steps() -> None:
    assert runs("devices,time_s,time_s\n4,1.5,\n4,1.4,1.6\n") == (Run(4, (1.5,)), Run(4, (1.4, 1.6)))
    assert runs("devices,times_s\n4,40.2 40.5;40.1\n") == (Run(4, (40.2, 40.5, 40.1)),)


def test_every_kind_of_field_is_read() -> None:
    (run,) = runs(
        "devices,time_s,status,work,global_batch,nodes,domain,memory_gib,hosts,date,stages_s.Halo 2,note,"
        "withdrawn,reached,seed,quality,updates,time_to_target_s,time_means\n"
        '8,"2 ms",Failed,4194304,1024,1,"two, domains",61.5,g01 g02,2026-11-28,0.5,a,sick,true,-3,-0.25,7,'
        "2 h,main loop\n"
    )
    assert run == Run(
        8,
        (0.002,),
        "failed",
        work=4194304.0,
        global_batch=1024,
        nodes=1,
        domain="two, domains",
        memory_gib=61.5,
        hosts=("g01", "g02"),
        date=dt.date(2026, 11, 28),
        stages_s={"Halo 2": 0.5},
        note="a",
        withdrawn="sick",
        reached=True,
        seed=-3,
        quality=-0.25,
        updates=7,
        time_to_target_s=7200.0,
        time_means="main loop",
    )


def test_only_tables_inside_a_run_have_no_column() -> None:
    """A new field of a run must be readable, or be named here."""
    left = {each.name for each in fields(Run)} - set(own_csv.FIELDS)
    assert left == {"work_model", "stages_s", "extra"}


@pytest.mark.parametrize(
    "text",
    [
        "\ufeffdevices,time_s\r\n4,1.5\r\n\r\n",
        "devices;time_s\n4;1,5\n",
        "devices\ttime_s\n4\t1.5\n",
        " Devices , Time_s \n 4 , 1.5 \n",
        '# a remark, with "quotes\n\ndevices,time_s\n# another\n4,1.5',
        "devices,time_s,nodes\n4,1.5,\n",
    ],
    ids=["mark and CRLF", "semicolons and decimal commas", "tabs", "blanks", "remarks", "a blank cell"],
)
def test_the_same_run_in_other_dresses(text: str) -> None:
    assert runs(text) == (Run(4, (1.5,)),)


def test_a_quoted_cell_may_follow_a_blank() -> None:
    assert runs('devices, time_s, note\n4, "1.5", "a, b"\n') == (Run(4, (1.5,), note="a, b"),)


def test_a_blank_time_is_a_run_without_one() -> None:
    assert runs("devices,time_s,status\n4,,out-of-memory\n") == (Run(4, (), "out-of-memory"),)


def test_columns_without_a_meaning_are_kept_as_they_came_and_named() -> None:
    read = own_csv.parse(b"devices,time_s,Speedup,row\n1,2,1.00,a\n2,1,2.0,\n")
    assert [run.extra for run in read.run] == [{"Speedup": "1.00", "row": "a"}, {"Speedup": "2.0"}]
    assert read.notes == ("columns without a meaning here, kept as they came: Speedup, row",)


def test_a_remark_that_was_a_run_is_mentioned() -> None:
    read = own_csv.parse(b"devices,time_s\n# after the upgrade\n64,2.9\n# 64,2.96\n")
    assert len(read.run) == 1
    assert read.notes == ("read as a remark, not as a run, because of its #: line 4",)


def test_a_note_may_go_over_lines() -> None:
    read = runs('devices,time_s,note\n1,2,"a\nb"\n1,2,c\n')
    assert [run.note for run in read] == ["a b", "c"]


# faults


def test_every_fault_is_told_at_once() -> None:
    assert faults(
        '# remark\ndevices,time_s,work,status,nodes\nx,1,,,\n2,gave up,,,\n3,1,600,,,\n4,"1,600",,,\n'
        "5,2,,done?,\n6,-1,,,0\n7,nan\n,x,,,\n8.5,3,1e40,,\n"
    ) == [
        f'line 3: devices: "x" {NO_NUMBER}',
        f'line 4: time_s: "gave up" {NO_NUMBER}{NOT_DONE}',
        f"line 5: has 6 cells, the header has 5: {SPLIT}, or take the separators at its end away",
        'line 6: time_s: "1,600" has two readings: do you mean 1600 or 1.600?',
        'line 7: status: read "done?", expected one of completed, failed, out-of-memory, stopped',
        'line 8: time_s: read "-1", expected 0 or more: no time is below 0',
        'line 8: nodes: read "0", expected a whole number, 1 or more, like 16',
        "line 9: has 2 cells, the header has 5: a blank cell needs its separator too",
        "line 10: devices: is blank; write how many devices the run had",
        f'line 10: time_s: "x" {NO_NUMBER}{NOT_DONE}',
        'line 11: devices: read "8.5", expected a whole number, 1 or more, like 16',
        'line 11: work: "1e40" is too large: values below 1e31 are read',
    ]


def test_a_fault_after_a_note_of_two_lines_has_its_own_line() -> None:
    assert faults('devices,time_s,note\n1,2,"a\nb"\nx,2,\n')[0].startswith("line 4: devices: ")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "there is no row: the first line names the columns, as devices,time_s"),
        ("devices,time_s\n", "there are columns and no row below them: add the runs"),
        ("1,2\n3,4\n", '"1, 2" is no header: put a line above it that names the columns, as devices,time_s'),
        ("count,time_s\n1,2\n", '"count, time_s" has no column devices: name the column of the counts so'),
        ("devices,work\n1,2\n", '"devices, work" has no column time_s: name the column of the seconds so'),
        ("devices,time_s,\n1,2,\n", "column 3: the column has no name: name it, or take its separator away"),
        ("device,time_s\n1,2\n", 'column 1: unknown column "device"; did you mean devices?'),
        (
            "devices,time_ms\n1,2\n",
            'column 2: unknown column "time_ms"; did you mean time_s, in seconds (or with the unit at every '
            "value, as 12.5 ms)?",
        ),
        ("devices,time_s,batch\n1,2,3\n", 'column 3: unknown column "batch"; did you mean global_batch?'),
        (
            "devices,time_s,nodes,Nodes\n1,2,3,4\n",
            'column 3: "nodes" stands twice in the header: rename one of them or take it away',
        ),
        (
            'devices,time_s\n1,"2\n',
            "cannot be split into cells (unexpected end of data): check its quotation marks",
        ),
        (
            "devices,time_s,date\n1,2,28.11.2026\n",
            'date: read "28.11.2026", expected a date like 2026-11-30 or 2026-11-30T09:12:00Z',
        ),
        (
            "devices,time_s,reached\n1,2,perhaps\n",
            'reached: read "perhaps", expected yes or no, or true or false',
        ),
        ("devices,time_s,seed\n1,2,1.5\n", 'seed: read "1.5", expected a whole number, like 3'),
        (
            "devices,time_s,quality\n1,2,good\n",
            'quality: "good" does not start with a number: write a number, like 12.5 or 1.25e9',
        ),
    ],
)
def test_one_sentence_says_what_is_wrong_and_what_to_do(text: str, sentence: str) -> None:
    assert faults(text)[0].partition(": ")[2] == sentence


def test_a_header_of_very_many_columns_is_refused_at_once() -> None:
    names = ",".join(f"c{number}" for number in range(20_000))
    assert faults(f"devices,time_s,{names}\n1,2\n") == [
        "line 1: has 20,002 columns, and up to 1,000 are read: keep those of the count, of the time and of "
        "what tells the rows apart"
    ]


@pytest.mark.parametrize(
    ("header", "ours"),
    [
        ("devices,time_s", True),
        ("# remark\n\n Devices ; wall_s", True),
        ("devices,time_to_target_s,seed", True),
        ("cores,time_s", False),
        ("devices,time", False),
        ("ranks,nodes,times_s", False),
    ],
)
def test_only_a_count_and_a_time_of_our_names_make_it_ours(header: str, ours: bool) -> None:
    assert own_csv.is_ours(f"{header}\n1;2\n".encode()) is ours


def test_a_name_near_a_column_that_is_there_is_another_column() -> None:
    assert runs("devices,time_s,times\n1,2,3\n")[0].extra == {"times": "3"}


def test_bytes_that_are_no_text_are_named() -> None:
    assert faults(b"devices,time_s\n1,\xff\n") == [
        "line 2: byte 3 is 0xff, which is not UTF-8; save the file as UTF-8"
    ]
