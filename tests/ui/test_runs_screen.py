"""The screen of a tab of runs: at every size, in ASCII, covered, empty, with hostile names and many runs."""

from __future__ import annotations

from pathlib import Path

import pytest
from rich.cells import cell_len
from textual.widgets import Input

from tests.ui.runs import message, on_tab, opened, row, start_with, study, table, until, words
from tests.ui.screens import SIZES, lines, text
from tui.model.study import Run
from tui.tabs.runs_page import RunsPage


async def test_a_self_test_covers_what_is_to_be_worked_out(exercises: Path) -> None:
    app = start_with(exercises)
    async with app.run_test(size=(80, 40)) as pilot:
        await opened(pilot)
        await pilot.press("e", "3", "down", "h")
        await until(pilot, "▒▒")
        for secret in ("1.071", "0.968", "2.143", "0.857", "above one beyond", "unexplained", "Efficiency"):
            assert secret not in text(app), secret
        assert row(app, "2")[1] == "56"
        await pilot.press("h")
        await until(pilot, "1.071")


async def test_an_exercise_covers_columns_that_a_self_test_does_not_uncover(exercises: Path) -> None:
    app = start_with(exercises)
    async with app.run_test(size=(120, 40)) as pilot:
        await opened(pilot)
        await pilot.press("e", "3", "down")
        page = app.page
        assert isinstance(page, RunsPage)
        page.cover(frozenset({"speedup", "efficiency", "knee"}))
        await until(pilot, "▒▒ [above-one-unexplained]")
        assert words(app, "2")[0][1:4] == ["56", "▒▒", "▒▒"]
        assert words(app, "2")[0][4] == "0.933"
        assert "! unexplained" in text(app)
        for secret in ("1.071", "3.871", "0.857", "above one and"):
            assert secret not in text(app), secret
        await pilot.press("h")
        await until(pilot, lambda: words(app, "2")[0][4] == "▒▒")
        assert "[above-one" not in text(app)
        await pilot.press("h", "c")
        await until(pilot, lambda: words(app, "2")[0][4] == "0.933")
        assert words(app, "2")[0][2:4] == ["▒▒", "▒▒"]
        await pilot.press("escape", "down", "c")
        assert "E = ▒▒; asked only above one" in text(app)
        page.cover(frozenset({"speedup"}))
        await until(pilot, lambda: words(app, "2")[0][2:4] == ["1.071", "▒▒"])
        page.cover(frozenset())
        await until(pilot, "No interval: one job")


async def test_a_covered_work_is_covered_in_the_heading_and_in_the_edit_line_too(exercises: Path) -> None:
    app = start_with(exercises)
    async with app.run_test(size=(120, 40)) as pilot:
        await opened(pilot)
        await pilot.press("3")
        await until(pilot, lambda: words(app, "64"))
        page = app.page
        assert isinstance(page, RunsPage)
        page.cover(frozenset({"work"}))
        await until(pilot, "W = ▒▒")
        assert "32000" not in text(app)
        assert "256000" not in text(app)
        await pilot.press("enter", "tab", "tab", "tab", *"99", "enter")
        await until(pilot, "Saved.")
        assert study(app).experiment[-1].run[0].work == 99
        await pilot.press("home", "enter")
        field = page.query_one(".field-work", Input)
        assert (field.value, field.password) == ("99", True)
        await pilot.press("ctrl+r", "a")
        assert not field.password


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
async def test_flags_count_time_and_efficiency_stay_while_the_rest_scrolls(
    size: tuple[int, int], exercises: Path
) -> None:
    app = start_with(exercises)
    async with app.run_test(size=size) as pilot:
        await opened(pilot)
        await pilot.press("e", "2")
        await until(pilot, lambda: words(app, "16"))
        head = next(line for line in lines(app) if "flags" in line)
        assert head.split()[:5] == ["flags", "D", "T", "s", "E"]
        assert "cost" in head
        for _ in range(30):
            await pilot.press("right")
        last = next(line for line in lines(app) if "flags" in line)
        assert last.split()[:5] == ["flags", "D", "T", "s", "E"]
        assert not last.endswith(">")
        assert "accum" in last
        assert row(app, "16")[1:3] == ["13.2", "0.758"]


async def test_the_screen_is_ascii_where_the_locale_is(exercises: Path) -> None:
    app = start_with(exercises, ROOFLAB_ASCII="1", LANG="C", LC_ALL="C", STY="1.pts")
    async with app.run_test(size=(80, 40)) as pilot:
        await opened(pilot)
        await pilot.press("e", "4")
        await until(pilot, "placement")
        assert text(app).isascii()
        await pilot.press("h")
        await until(pilot, "##")
        assert text(app).isascii()


async def test_names_from_a_file_are_text_and_no_markup(tmp_path: Path) -> None:
    path = tmp_path / "hostile.toml"
    path.write_text(
        'format = 1\n[[experiment]]\nfamily = "strong"\nname = "[red]x[/] \\u001b[2J"\n'
        'run = [ {devices = 8, times_s = [1.0], domain = "[b]", withdrawn = "[/] \\u0007"},\n'
        '{devices = 8, times_s = [1.0], domain = "計算ノード"},\n'
        '{devices = 16, times_s = [0.5], domain = "x"} ]\n',
        encoding="utf-8",
    )
    app = start_with(path)
    async with app.run_test(size=(80, 23)) as pilot:
        await opened(pilot)
        assert "[red]x[/] [2J" in text(app)
        # Wide characters take two cells and push nothing aside.
        rows = ["".join(part for part, _ in line) for line in table(app)._drawn[1:]]
        assert any("計算ノード" in line for line in rows)
        assert len({cell_len(line) for line in rows}) == 1
        await pilot.press("e")
        await until(pilot, "Experiments: a digit")
        assert "[red]x[/] [2J" in text(app)
        assert "\x1b" not in text(app)
        assert "\x07" not in text(app)


async def test_a_table_of_many_runs_is_made_aside_and_keys_are_answered_meanwhile(tmp_path: Path) -> None:
    path = tmp_path / "many.toml"
    runs = "\n".join(
        f"[[experiment.run]]\ndevices = {count}\ntimes_s = [{1000 / count}]" for count in range(1, 301)
    )
    path.write_text(
        f'format = 1\n[[experiment]]\nfamily = "strong"\nname = "many"\n{runs}\n', encoding="utf-8"
    )
    app = start_with(path)
    async with app.run_test(size=(80, 23)) as pilot:
        await opened(pilot)
        assert len(study(app).experiment[0].run) == 300
        # What is out of sight is counted, and every row is somewhere.
        first, last = (
            next(place for place, line in enumerate(lines(app)) if words in line)
            for words in (" flags ", "▼")
        )
        in_sight = last - first - 1
        assert f"▼ {300 - in_sight} more below: PgUp" in lines(app)[last]
        await pilot.press("end")
        await until(pilot, f"▲ {300 - in_sight} more above: PgUp")
        assert row(app, "300")[2] == "1.000"
        assert table(app).cursor == 299
        await pilot.press("enter", "tab", "home", "9", "enter")
        await until(pilot, "Saved.")
        await until(pilot, lambda: words(app, "300") and row(app, "300")[2] != "1.000")


async def test_a_resize_storm_loses_nothing_of_what_is_being_typed(exercises: Path) -> None:
    app = start_with(exercises)
    async with app.run_test(size=(80, 23)) as pilot:
        await opened(pilot)
        await pilot.press("e", "2", "v", "a", *"32", "tab", *"8.")
        for size in [(200, 60), (60, 20), (1, 1), (59, 19), (110, 24), (20, 5), (80, 40), (80, 23)]:
            await pilot.resize_terminal(*size)
        await pilot.pause()
        await pilot.press("1", "enter")
        await until(pilot, "Saved.")
        assert study(app).experiment[1].run[-1] == Run(32, (8.1,))
        await until(pilot, lambda: words(app, "32"))
        assert lines(app)[-1].strip().startswith("^q quit")


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
async def test_an_empty_table_says_what_to_type_and_nothing_is_cut(size: tuple[int, int]) -> None:
    app = start_with()
    async with app.run_test(size=size) as pilot:
        await on_tab(pilot)
        said = " ".join(text(app).split())
        assert "type the count, Tab, the seconds, Enter" in said
        assert "Or paste rows from a spreadsheet: count and seconds, with or without headings." in said
        assert "w declares what W is" in said
        assert "Esc or ctrl+r leaves the line; up and down in it go to other runs." in said
        assert all(len(line) <= size[0] for line in lines(app))


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
async def test_a_form_has_room_for_what_is_typed_and_says_what_each_field_takes(
    size: tuple[int, int], exercises: Path
) -> None:
    app = start_with(exercises)
    async with app.run_test(size=size) as pilot:
        await opened(pilot)
        await pilot.press("w")
        await until(pilot, "What holds for all runs")
        at = next(place for place, line in enumerate(lines(app)) if "memory, a device" in line)
        assert "memory, a device  (like 80 GiB)" in lines(app)[at]
        ladder = "8 NVLink node; 128 leaf switch; 1024 core"[: size[0] - 24]
        await pilot.press(*["tab"] * 8, *"80 GiB", *["tab"] * 2, *ladder)
        assert "memory, a device  80 GiB" in lines(app)[at]
        assert f"networks          {ladder}" in text(app)
        assert "networks: like 8 node; 128 leaf switch (smallest first)" in text(app)


async def test_a_question_says_what_the_keys_do_and_the_cursor_stays_where_it_was(exercises: Path) -> None:
    app = start_with(exercises)
    async with app.run_test(size=(80, 23)) as pilot:
        await opened(pilot)
        await pilot.press("e", "3", "down", "c")
        assert message(app) == "Enter writes the cause; Esc or ctrl+r: nothing changes."
        await pilot.press(*"cache", "enter")
        await until(pilot, "Cause written")
        await pilot.press("down", "h", "h", "d")
        assert message(app) == "Enter withdraws it and keeps it in the file; Esc or ctrl+r: nothing changes."
        assert table(app).cursor == 2
