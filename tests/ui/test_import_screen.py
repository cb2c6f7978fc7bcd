"""Tables and logs in the app: the picker, what a file was understood as, its questions, and taking it in."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest
from textual.events import Paste
from textual.pilot import Pilot
from textual.screen import Screen
from textual.widgets import Input

from tests.ui.runs import message, on_tab, row, start_with, study, until, words
from tests.ui.screens import curves, lines, start, text
from tui.app import RooflabApp
from tui.importers import registry
from tui.importers.imported import Imported, Options, Source
from tui.model.study import Experiment, Run, Study
from tui.tabs import import_view, reading_screen
from tui.tabs.choice_screen import ChoiceScreen, LineScreen
from tui.tabs.import_screen import ImportScreen
from tui.tabs.open_screen import OpenScreen
from tui.tabs.reading_screen import ReadingScreen

UNCLEAR = "threads,time\n1,44869891889\n2,24869891889\n4,13869891889\n"
"""Nanoseconds, as a grayscale filter printed them; nothing in it says so."""

CLEAR = "cores,time_s\n8,40.2\n16,20.4\n32,11.0\n"


def log(steps: int = 40) -> str:
    """A training log with a slow start, a checkpoint and skipped updates."""
    text = "using world size: 16, data-parallel-size: 16, tensor-model-parallel size: 1\n"
    for number in range(10, 10 * steps + 1, 10):
        if number == 200:
            text += "saving checkpoint at iteration 190\n"
        time = {10: 2200.0, 200: 1500.0}.get(number, 820.0)
        text += (
            f" iteration {number}/ 1000 | consumed samples: {number} |"
            f" elapsed time per iteration (ms): {time} | learning rate: 1.0E-04 | global batch size: 512 |"
            f" number of skipped iterations: {4 if number == 300 else 0} | number of nan iterations: 0 |\n"
        )
    return text


def written(folder: Path, name: str, contents: str | bytes) -> Path:
    """A file to be opened."""
    path = folder / name
    path.write_bytes(contents.encode() if isinstance(contents, str) else contents)
    return path


def on(app: RooflabApp, kind: type[Screen[object]]) -> bool:
    """Whether a screen of that kind is in front."""
    return isinstance(app.screen, kind)


async def previewed(pilot: Pilot[None]) -> None:
    """Wait until the preview of a file is in front."""
    app = pilot.app
    assert isinstance(app, RooflabApp)
    await curves(pilot)
    await until(pilot, lambda: on(app, ImportScreen))
    await until(pilot, "read as")


async def go_to(pilot: Pilot[None], path: Path | str) -> None:
    """Paste a path into the picker and press Enter."""
    app = pilot.app
    await until(pilot, lambda: isinstance(app.screen, OpenScreen))
    field = app.screen.query_one("#path", Input)
    field.value = ""
    field.post_message(Paste(str(path)))
    await pilot.press("enter")


async def choose(pilot: Pilot[None], item: str) -> None:
    """Move to a line of the preview and press Enter."""
    app = pilot.app
    assert isinstance(app, RooflabApp)
    await pilot.press("home")
    for _ in range(30):
        if any(line.lstrip().startswith(f"> {item}") for line in lines(app)):
            break
        await pilot.press("down")
    await pilot.press("enter")
    await pilot.pause()


async def test_what_is_open_is_asked_before_anything_is_taken_in(tmp_path: Path) -> None:
    app = start_with(written(tmp_path, "t.csv", UNCLEAR))
    async with app.run_test(size=(60, 20)) as pilot:
        await previewed(pilot)
        assert "t.csv: 4 lines: 3 read as runs, 1 headings and rules" in text(app)
        await pilot.press("home", "enter")  # the line that takes in goes to the first question
        await pilot.pause()
        assert on(app, ImportScreen)
        assert study(app).experiment == ()
        await pilot.press("enter")
        await until(pilot, lambda: on(app, ChoiceScreen))
        assert "1 nanoseconds" in text(app)
        await pilot.press("1")
        await until(pilot, "time in ns")
        await pilot.press("enter", "2")
        await until(pilot, "3 runs: Enter adds them")
        await pilot.press("enter")
        await until(pilot, "Saved.")
        assert not on(app, ImportScreen)
        (experiment,) = study(app).experiment
        assert (experiment.name, experiment.family) == ("t", "weak")
        assert experiment.run[0].times_s == (44.869891889,)
        assert "Added 3 runs of t.csv" in message(app)
        await pilot.press("u")
        await until(pilot, lambda: study(app).experiment == ())


async def test_a_column_is_changed_by_key_and_the_runs_go_into_the_open_experiment(
    tmp_path: Path, exercises: Path
) -> None:
    table = "cores,wall,elapsed_ms\n2,1,60.5\n4,2,31.0\n"
    written(tmp_path, "more strong.csv", table)
    app = start_with(exercises)
    async with app.run_test(size=(80, 23)) as pilot:
        await until(pilot, " T s ")
        await pilot.press("ctrl+o")
        await go_to(pilot, f"{tmp_path}/more\\ strong.csv")  # as a shell completes it
        await previewed(pilot)
        await choose(pilot, "wall")
        await until(pilot, "What is wall?")
        await pilot.press("home", *["down"] * list(_roles()).index("ignore"), "down", "enter")
        await until(pilot, "wall           kept as it came")
        await choose(pilot, "elapsed_ms")
        await pilot.press("home", *["down"] * list(_roles()).index("time"), "down", "enter")
        await until(pilot, "In what unit is elapsed_ms?")
        await pilot.press("home", *["down"] * 4, "enter")
        await until(pilot, "time in s ")
        await choose(pilot, "goes into")
        await until(pilot, "the experiment above one")
        await pilot.press("4")
        await until(pilot, "adds them to the experiment above one")
        await pilot.press("home", "enter")
        await until(pilot, "another unit of the count")
        assert on(app, ImportScreen)  # cores are not devices: it says so, and everything stays
        await choose(pilot, "goes into")
        await pilot.press("1")
        await until(pilot, "a new experiment of this study")
        await pilot.press("home", "enter")
        await until(pilot, "Saved.")
        added = study(app).experiment[-1]
        assert added.name == "more strong"
        assert [run.times_s for run in added.run] == [(60.5,), (31.0,)]
        assert added.run[0].extra == {"wall": "1"}
        assert row(app, "4")[1] == "31"


def _roles() -> dict[str, str]:
    from tui.importers.roles import names_of_columns

    return names_of_columns()


async def test_a_window_of_steps_is_chosen_with_its_reason_and_kept(tmp_path: Path) -> None:
    app = start_with(written(tmp_path, "run.log", log()))
    async with app.run_test(size=(80, 23)) as pilot:
        await previewed(pilot)
        await pilot.press("enter", "1")
        await until(pilot, "1 run: Enter adds")
        screen = lines(app)
        at = next(place for place, line in enumerate(screen) if "iterations 1 to 400" in line)
        assert screen[at + 1].strip() == "⠉" + "⣀" * 18 + "⠤" + "⣀" * 20
        assert screen[at + 2].strip() == "w" + " " * 18 + "c" + " " * 9 + "s"
        assert "0.82 s for an update in the steady state, 0.8803 s of wall" in text(app)
        await choose(pilot, "steps")
        await until(pilot, lambda: on(app, LineScreen))
        await pilot.press(*"210:290", "enter")
        await until(pilot, "a window needs its reason")
        await pilot.press(*" after the ramp", "enter")
        await until(pilot, "iterations 210 to 290: after the ramp")
        assert on(app, ImportScreen)
        await pilot.press("home", "enter")
        await until(pilot, "Saved.")
        (run,) = study(app).experiment[0].run
        assert run.times_s == (0.82,) * 8  # the intervals that end at 220 to 290
        assert run.note == "iterations 210 to 290 (after the ramp)"


async def test_the_picker_goes_through_folders_and_comes_back_from_a_preview(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    inside = tmp_path / "runs" / "july"
    inside.mkdir(parents=True)
    (tmp_path / "runs" / "august").mkdir()
    written(inside, "strong.csv", CLEAR)
    written(inside, ".hidden.csv", CLEAR)
    monkeypatch.chdir(tmp_path)
    app = start()
    async with app.run_test(size=(60, 20)) as pilot:
        await on_tab(pilot)
        await pilot.press("ctrl+o")
        await until(pilot, "runs/")
        await pilot.press(*"ru", "enter")
        await until(pilot, "july/")
        await pilot.press(*"july", "enter")
        await until(pilot, "strong.csv")
        assert ".hidden" not in text(app)
        await pilot.press(*".hid")
        await until(pilot, ".hidden.csv")
        await pilot.press("ctrl+u", "backspace")
        await until(pilot, "> july/")  # out of the folder, and it is chosen
        await pilot.press("enter")
        await until(pilot, "strong.csv")
        await pilot.press(*"nosuch")
        await until(pilot, "No name here has 'nosuch' in it")
        await pilot.press("ctrl+u", *"strong", "enter")
        await previewed(pilot)
        await pilot.press("escape")
        await until(pilot, lambda: on(app, OpenScreen))
        assert study(app).experiment == ()
        assert "> strong.csv" in text(app)
        await pilot.press("enter")
        await previewed(pilot)
        await pilot.press("enter")
        await until(pilot, "Saved.")
        assert not on(app, OpenScreen)
        assert row(app, "16")[2] == "0.985"


async def test_a_file_that_cannot_be_read_is_one_sentence_and_the_picker_stays(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    written(tmp_path, "empty.csv", b"")
    with (tmp_path / "huge.csv").open("wb") as file:
        file.write(CLEAR.encode())
        file.truncate(1 << 31)
    written(tmp_path, "words.txt", "hello\nworld\n")
    app = start()
    async with app.run_test(size=(80, 23)) as pilot:
        await on_tab(pilot)
        await pilot.press("ctrl+o")
        for name, sentence in {
            "pipe": "is a device or a pipe, not a file",
            "empty.csv": "is empty: there is nothing to read in it",
            "huge.csv": "has 2.1 GB; tables and results are read up to 256 MiB",
            "gone.csv": "is no file here",
        }.items():
            await go_to(pilot, tmp_path / name)
            await until(pilot, lambda said=sentence: said in " ".join(text(app).replace("│", "").split()))
            assert on(app, OpenScreen)
        await go_to(pilot, tmp_path / "words.txt")
        await until(pilot, "words.txt is of no format that is known here. Read it as:")
        await pilot.press("enter")
        await previewed(pilot)
        await pilot.press("home", "enter")
        await until(pilot, "There is no run to take in")


async def test_what_a_file_says_is_shown_as_text_and_commands_nothing(tmp_path: Path) -> None:
    hostile = "cores,time_s,[red]x[/red]\n8,40.2,\x1b[2J[bold]\n16,20.4,\u202ea\n"
    app = start_with(written(tmp_path, "strong.csv", hostile))
    async with app.run_test(size=(80, 23)) as pilot:
        await previewed(pilot)
        assert "[red]x[/red]" in text(app)
        assert "[bold]  a" in text(app)
        assert "\x1b" not in text(app)
        assert "\u202e" not in text(app)


async def test_a_long_reading_shows_how_far_it_is_and_is_stopped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    at_work, stopped = threading.Event(), threading.Event()

    def read(source: Source, options: Options | None = None, as_format: str | None = None) -> Imported:
        try:
            while True:
                source.progressed(40, 100)
                at_work.set()
                stopped.wait(0.01)
        finally:
            stopped.set()

    monkeypatch.setattr(registry, "read", read)
    monkeypatch.setattr("tui.file_reader.AFTER_S", 0.001)
    app = start_with(written(tmp_path, "strong.csv", CLEAR))
    async with app.run_test(size=(60, 20)) as pilot:
        await curves(pilot)
        await until(pilot, lambda: on(app, ReadingScreen))
        await until(pilot, "40 % of 1 kB")
        assert at_work.is_set()
        await pilot.press("escape")
        await until(pilot, "Stopped; nothing was changed.")
        assert stopped.wait(5)
        assert not on(app, ReadingScreen)


def test_texts_of_files_have_no_signs_that_command_a_terminal_or_turn_it_round() -> None:
    assert import_view.clean("a\u202e\x1b[2J\n[b]\x00 c\x9b1m") == "a[2J [b] c1m"


def test_progress_is_a_bar_and_a_share() -> None:
    assert reading_screen.progress_line(0, 0) == "opening it"
    assert reading_screen.progress_line(30, 120_000_000).endswith("-   0 % of 120 MB")
    assert reading_screen.progress_line(60_000, 120_000) == "#" * 15 + "-" * 15 + "  50 % of 120 kB"


async def test_another_study_on_the_tabs_leaves_the_own_one_and_its_line_untouched(tmp_path: Path) -> None:
    path = written(tmp_path, "own.toml", OWN)
    app = start_with(path)
    before = path.read_bytes()
    async with app.run_test(size=(80, 23)) as pilot:
        await until(pilot, " T s ")
        await pilot.press("a", *"32", "tab", *"12", "tab")
        owner = app._studies
        await until(pilot, lambda: owner.workspace.line.typed is not None)
        owner.put_aside(Study(experiment=(Experiment("strong", "given", run=(Run(2, (9.0,)),)),)))
        await until(pilot, lambda: words(app, "2"))
        assert owner.exercise_open
        await pilot.press("escape", "ctrl+o")
        await until(pilot, "An exercise is open; leave it first.")
        await pilot.press("a", *"4", "tab", *"5", "enter")
        await until(pilot, lambda: words(app, "4"))
        assert "Saving" not in message(app)
        owner.bring_back()
        await until(pilot, lambda: words(app, "16"))
        assert not owner.exercise_open
        await until(pilot, "This line was typed and not committed: 32 12.")
        assert path.read_bytes() == before
        owner.keep_as_study()
        await until(pilot, lambda: words(app, "4") and app.study_status.saved)
        assert path.read_bytes() == before
        kept = owner.workspace.path
        assert kept is not None
        assert kept.parent == tmp_path / "rooflab" / "studies"
        assert "devices = 4" in kept.read_text(encoding="utf-8")


OWN = """\
format = 1

[[experiment]]
family = "strong"
name = "loop"
run = [ {devices = 8, times_s = [40.0]}, {devices = 16, times_s = [22.5]} ]
"""
