"""Measured runs by keys: typed, pasted, changed, withdrawn, explained; and what the table says of them."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from textual.events import Key, Paste
from textual.message import Message

from tests.published import PAWSEY
from tests.ui.runs import (
    EXERCISES,
    message,
    on_tab,
    opened,
    row,
    start_with,
    study,
    table,
    type_run,
    until,
    words,
)
from tests.ui.screens import lines, text
from tui.model.study import Run
from tui.study_events import BaselineChosen, LineLeft, RunCommitted, RunWithdrawn, Undone
from tui.widgets import typeahead
from tui.widgets.did import Did


async def test_a_published_table_typed_in_by_keys() -> None:
    app = start_with()
    async with app.run_test(size=(80, 23)) as pilot:
        await on_tab(pilot)
        assert "Press a to type a run" in message(app)
        await pilot.press("a")
        for cores, seconds, *_ in PAWSEY:
            await type_run(pilot, cores, seconds)
        await until(pilot, "Saved.")
        assert study(app).experiment[0].run == tuple(Run(int(d), (float(t),)) for d, t, *_ in PAWSEY)
        for cores, _, efficiency, speedup, cost in PAWSEY:
            assert row(app, cores)[2:5] == [efficiency, speedup, cost]
        assert "D0 = 24 devices, 2876 s (smallest feasible, by default)" in text(app)
        assert not any(line.endswith("…") for line in lines(app))
        # The line is ready for the next run, and Esc leaves it for the letters.
        await pilot.press("escape", "home", "v")
        await until(pilot, "E over device")
        assert "ideal" in text(app)
        await pilot.press("v", "v", "v")
        await until(pilot, lambda: words(app, "3072"))
        assert app.focused is table(app)


async def test_the_tables_of_the_exercises(exercises: Path) -> None:
    app = start_with(exercises)
    async with app.run_test(size=(80, 23)) as pilot:
        await opened(pilot)
        # A global batch that shrank has a time and the reason, and no efficiency.
        assert row(app, "8")[1:3] == ["21", "none"]
        assert row(app, "16")[1:3] == ["11.6", "none"]
        await pilot.press("down")
        assert "batch-changed" in text(app)
        assert "2048 take 42 s" in text(app)

        await pilot.press("e", "2")
        await until(pilot, lambda: "fixed" in lines(app)[1])
        assert row(app, "16")[2] == "0.758"

        await pilot.press("e", "3")
        await until(pilot, lambda: "above one" in lines(app)[1])
        assert any("unexplained" in line and "1.071" in line for line in lines(app))
        assert row(app, "8")[2] == "0.857"
        await pilot.press("home", "down", "b")
        await until(pilot, "D0 = 2 devices")
        assert row(app, "8")[2] == "0.800"

        await pilot.press("e", "4")
        await until(pilot, lambda: "placement" in lines(app)[1])
        assert sorted(each[2] for each in words(app, "8")) == ["0.780", "0.970"]
        crossed = [line for line in lines(app) if "┊8" in line]
        assert len(crossed) == 1
        assert "domain" in crossed[0]
        assert "x another network" in text(app)
        assert "not joined" in text(app)

        await pilot.press("e", "5")
        await until(pilot, lambda: "small matrices" in lines(app)[1])
        assert row(app, "32")[2] == "0.594"
        assert row(app, "32")[5:7] == ["190", "TFLOP/s"]

        await pilot.press("3")
        await until(pilot, lambda: words(app, "64"))
        assert row(app, "32")[2] == "0.889"
        plain = sorted(words(app, "64"), key=lambda parts: parts[1])
        assert [each[2:5] for each in plain] == [["0.800", "2048000", "0.800"], ["0.571", "2048000", "0.816"]]
        await pilot.press("end")
        assert "arithmetic-changed" in text(app)


async def test_a_row_is_loaded_changed_committed_undone_and_redone(exercises: Path) -> None:
    app = start_with(exercises)
    async with app.run_test(size=(80, 23)) as pilot:
        await opened(pilot)
        await pilot.press("e", "2", "down", "enter")
        assert app.focused is not None
        assert app.page.query_one(".field-times_s").value == "22.4"
        await pilot.press("tab", "backspace", "0", "enter")
        await until(pilot, "Saved.")
        assert app.focused is table(app)
        assert row(app, "8")[1] == "22"
        assert "{devices = 8, times_s = [22.0], global_batch = 2048" in exercises.read_text()
        await pilot.press("u")
        await until(
            pilot, lambda: "Undid: change 8 devices, 22 s" in message(app) and "Saved." in message(app)
        )
        assert row(app, "8")[1] == "22.4"
        assert exercises.read_text() == EXERCISES
        await pilot.press("U")
        await until(pilot, lambda: row(app, "8")[1] == "22")
        await pilot.press("u", "u")
        assert "Nothing to undo" in message(app)


async def test_every_event_is_posted_once_with_the_raw_texts() -> None:
    posted: list[Did] = []
    app = start_with()

    def hook(heard: Message) -> None:
        # The hook hears a message at every widget it climbs past.
        if isinstance(heard, Did) and not any(heard is one for one in posted):
            posted.append(heard)

    async with app.run_test(size=(80, 23), message_hook=hook) as pilot:
        await on_tab(pilot)
        await pilot.press("a")
        await type_run(pilot, "8", "40.2 s")
        await type_run(pilot, "16", "21")
        await pilot.press("escape", "b", "d", *"why", "enter", "u")
        await until(pilot, "Undid")
    name = "strong scaling"
    assert [each.event for each in posted if not isinstance(each.event, LineLeft)] == [
        RunCommitted("strong", "", None, {"devices": "8", "times_s": "40.2 s"}),
        RunCommitted("strong", name, None, {"devices": "16", "times_s": "21"}),
        BaselineChosen(name, "16"),
        RunWithdrawn(name, (1,), "why"),
        Undone(),
    ]
    left = [each.event.fields for each in posted if isinstance(each.event, LineLeft)]
    assert left == [{"devices": "8"}, {"devices": "16"}]


async def test_what_cannot_be_read_is_said_kept_and_not_committed() -> None:
    app = start_with()
    async with app.run_test(size=(80, 23)) as pilot:
        await on_tab(pilot)
        await pilot.press("a")
        await type_run(pilot, "8", "40.2 1,600")
        assert "Value 2" in message(app)
        assert study(app).experiment == ()
        assert app.focused is app.page.query_one(".field-times_s")
        assert app.focused.value == "40.2 1,600"
        await pilot.press(*["backspace"] * 5, *"41", "enter")
        assert study(app).experiment[0].run == (Run(8, (40.2, 41.0)),)


async def test_jobs_are_withdrawn_one_by_one_with_a_reason_and_counted() -> None:
    app = start_with()
    async with app.run_test(size=(80, 23)) as pilot:
        await on_tab(pilot)
        app.page.post_message(Paste("8 40\n8 41\n8 55\n16 21"))
        await until(pilot, "Added 4 rows")
        assert row(app, "8")[1] == "41"
        await pilot.press("d", "3", "enter")
        assert "only withdrawn for a reason" in message(app)
        await pilot.press("d", *"3 shared node", "enter")
        await until(pilot, "1 withdrawn, kept in the file")
        assert row(app, "8")[1] == "40.5"
        assert [run.withdrawn for run in study(app).experiment[0].run] == ["", "", "shared node", ""]
        assert "shared node" in text(app)
        await pilot.press("u")
        await until(pilot, lambda: row(app, "8")[1] == "41")


async def test_an_efficiency_above_one_is_explained_by_its_cause(exercises: Path) -> None:
    app = start_with(exercises)
    async with app.run_test(size=(80, 23)) as pilot:
        await opened(pilot)
        await pilot.press("e", "3", "down", "c", *"it fits at 2", "enter")
        await until(pilot, "Saved.")
        line = next(line for line in lines(app) if "1.071" in line)
        assert "unexplained" not in line
        assert "gain > 2" in line
        await pilot.press("f")
        await until(pilot, "Cause written: it fits at 2")
        assert "[gain-above-ideal]" in text(app)
        await pilot.press("q")


async def test_rows_pasted_on_the_table_are_one_step_and_into_a_field_are_asked_about() -> None:
    app = start_with()
    async with app.run_test(size=(80, 23)) as pilot:
        await on_tab(pilot)
        table(app).post_message(Paste("GPUs\tT [s]\n8\t40\n16\t22\n32\tx"))
        await until(pilot, "Added 2 rows")
        assert 'line 4: times: "x"' in " ".join(message(app).split())
        await pilot.press("a")
        assert app.focused is not None
        app.focused.post_message(Paste("64 8\n128 5\n"))
        await until(pilot, "Add 2 rows?")
        await pilot.press("escape")
        assert len(study(app).experiment[0].run) == 2
        assert app.focused is app.page.query_one(".field-devices")
        app.focused.post_message(Paste("64 8\n128 5\n"))
        await until(pilot, "Add 2 rows?")
        await pilot.press("enter")
        await until(pilot, lambda: len(study(app).experiment[0].run) == 4)
        await pilot.press("u", "u")
        await until(pilot, lambda: study(app).experiment == ())


@pytest.mark.parametrize("often", [typeahead.LOOK_AGAIN, 0.001])
async def test_rows_typed_with_tabs_and_line_ends_in_one_packet_build_rows(
    often: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    # On a loaded machine a key takes longer than many looks; the next one still waits for it.
    monkeypatch.setattr(typeahead, "LOOK_AGAIN", often)
    app = start_with()
    async with app.run_test(size=(80, 23)) as pilot:
        await on_tab(pilot)
        await pilot.press("a")
        names = {"\t": "tab", "\r": "enter", "\n": "ctrl+j", ".": "full_stop", " ": "space"}
        typed = "8\t40.5\r16\t22.25 22\n32\t12\r"
        await asyncio.gather(*(app.on_event(Key(names.get(key, key), key)) for key in typed))
        await until(
            pilot, lambda: app.study and app.study.experiment and len(study(app).experiment[0].run) == 3
        )
        assert study(app).experiment[0].run == (Run(8, (40.5,)), Run(16, (22.25, 22.0)), Run(32, (12.0,)))


async def test_up_and_down_walk_over_every_job_in_the_edit_line() -> None:
    app = start_with()
    async with app.run_test(size=(80, 23)) as pilot:
        await on_tab(pilot)
        app.page.post_message(Paste("16 21\n8 40\n8 41"))
        await until(pilot, "Added 3 rows")
        await pilot.press("home", "enter", "tab")
        times = app.page.query_one(".field-times_s")
        seen = [times.value]
        for _ in range(2):
            await pilot.press("down")
            seen.append(times.value)
        assert seen == ["40", "41", "21"]
        assert app.focused is times
        await pilot.press("1", "up")
        assert "Enter commits this line first" in message(app)
        assert times.value == "211"


async def test_an_experiment_is_declared_and_its_work_stands_in_the_heading() -> None:
    app = start_with()
    async with app.run_test(size=(80, 23)) as pilot:
        await on_tab(pilot, "weak")
        await pilot.press("w")
        await until(pilot, "What holds for all runs")
        await pilot.press("tab", *"32000 tokens", "tab", *"6 apples", "enter")
        await until(pilot, '"6 apples"')
        await pilot.press(*["backspace"] * 6, *"GFLOP", "enter")
        await until(pilot, "32000 tokens per device")
        assert study(app).experiment[0].work_model is not None
        await pilot.press("a")
        await type_run(pilot, "8", "12")
        await until(pilot, lambda: words(app, "8"))
        assert "256000" in row(app, "8")


async def test_model_sizes_are_a_new_experiment_of_the_weak_tab_without_an_efficiency(
    exercises: Path,
) -> None:
    app = start_with(exercises)
    async with app.run_test(size=(80, 23)) as pilot:
        await opened(pilot)
        await pilot.press("3")
        await until(pilot, lambda: words(app, "64"))
        await pilot.press("e")
        await until(pilot, "3 new model-size experiment")
        await pilot.press("3")
        await until(pilot, "What holds for all runs of this model-size experiment")
        await pilot.press("enter")
        await until(pilot, "Added the experiment model sizes. Saved.")
        await pilot.press("escape", "a")
        await type_run(pilot, "8", "10", "", "7e9")
        await type_run(pilot, "8", "20", "", "14e9")
        await until(pilot, lambda: len(words(app, "8")) == 2)
        sizes = study(app).experiment[-1]
        assert (sizes.family, [run.parameters for run in sizes.run]) == ("model-size", [7e9, 14e9])
        assert {parts[2] for parts in words(app, "8")} == {"7000000000", "14000000000"}
        head = next(line for line in lines(app) if line.startswith(" flags"))
        assert " E " not in head
        await pilot.press("escape", "e", "1")
        await until(pilot, lambda: words(app, "64"))
