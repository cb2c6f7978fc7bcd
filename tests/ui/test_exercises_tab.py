"""Tab 6: the list of exercises; start, resume, start again, read, and sessions of several terminals."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from textual.pilot import Pilot
from textual.widgets import OptionList, Tabs

from tests.guide.first_roofline import ROOFLINE
from tests.guide.playing import exercise
from tests.guide.playing import lines as answers
from tests.ui.exercises import (
    attempt,
    do_lines,
    from_menu,
    go_on,
    here,
    opened,
    pick,
    start_exercise,
    transcripts,
    type_keys,
    when,
)
from tests.ui.screens import lines, start, text
from tui.app import RooflabApp
from tui.guide.store import kept_sessions
from tui.tabs.choice_screen import ChoiceScreen
from tui.tabs.exercises import ExercisesTab

THREE = "roofline-three-trials"


async def on_the_list(pilot: Pilot[None]) -> RooflabApp:
    """The app on tab 6 with the list read."""
    app = pilot.app
    assert isinstance(app, RooflabApp)
    await type_keys(pilot, "escape", "6")
    await when(app, lambda: app.query("ExercisesTab OptionList") and listed(app), "the list")
    return app


def listed(app: RooflabApp) -> list[str]:
    """Ids in the list in its order."""
    options = app.query_one("ExercisesTab OptionList", OptionList).options
    return [option.id for option in options if option.id]


def line_of(app: RooflabApp, title: str) -> str:
    """The line of an exercise on the screen."""
    (line,) = [line for line in lines(app) if title in line and " min" in line]
    return line


async def leave(pilot: Pilot[None]) -> None:
    """F2, the last choice: leave, and the list is read anew."""
    app = pilot.app
    assert isinstance(app, RooflabApp)
    before = app.query_one(ExercisesTab)._progress if app.query(ExercisesTab) else None
    await from_menu(pilot, "Leave the exercise")
    await when(app, lambda: app.attempt is None)
    await when(app, lambda: app.query_one(ExercisesTab)._progress is not before, "the list, read anew")


async def start_the_first(pilot: Pilot[None], *keys: str) -> None:
    """From the list into the exercise under the cursor."""
    await type_keys(pilot, *(keys or ("enter",)))
    await opened(pilot)


# The list ----------------------------------------------------------------------------------------


async def test_the_list_has_order_minutes_level_and_what_comes_before() -> None:
    app = start()
    async with app.run_test(size=(80, 23)) as pilot:
        await on_the_list(pilot)
        assert len(listed(app)) == 20
        assert listed(app)[0] == THREE
        words = line_of(app, "Three trials under one roof").split()
        assert words[0] == "1"
        assert words[-3:] == ["15", "min", "intro"]
        await type_keys(pilot, *["down"] * listed(app).index("strong-shrinking-batch"))
        assert "Better after: strong-first-table." in text(app)
        assert "Numbers: synthetic" in text(app)
        await pilot.resize_terminal(60, 20)
        await when(app, lambda: "intro" not in text(app))
        shown = line_of(app, "The batch that shrank")
        assert shown.rstrip().endswith("20 min")
        assert max(map(len, lines(app))) <= 60
        assert "Better after: strong-first-table." in text(app)


async def test_a_script_that_cannot_be_started_says_why_and_its_title_is_no_markup(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "scripts"
    folder.mkdir()
    (folder / "broken.toml").write_text('format = 1\nid = "broken"\n')
    good = (
        'format = 1\nid = "odd"\nrevision = 1\ntitle = "[red]odd[/] \\u001b[31mred"\n'
        'goal = "After this [b]nothing[/b]."\n[[step]]\nid = "r"\nkind = "read"\ntext = "x"\n'
    )
    (folder / "odd.toml").write_text(good)
    monkeypatch.setenv("ROOFLAB_SCRIPTS", str(folder))
    app = start()
    async with app.run_test(size=(80, 23)) as pilot:
        await on_the_list(pilot)
        assert listed(app)[-2:] == ["broken", "odd"]
        await type_keys(pilot, "end")
        assert "[red]odd[/]" in line_of(app, "odd")
        assert "After this [b]nothing[/b]." in text(app)
        assert "\x1b" not in text(app)
        await type_keys(pilot, "up")
        assert "It cannot be started: line" in text(app)
        await type_keys(pilot, "enter")
        assert app.attempt is None
        assert "It cannot be started" in lines(app)[1]


# Start, resume, start again, read ----------------------------------------------------------------


async def test_started_left_resumed_at_the_same_step_and_started_again_with_the_old_one_kept(
    state: Path,
) -> None:
    app = start()
    async with app.run_test(size=(80, 23)) as pilot:
        await on_the_list(pilot)
        await start_the_first(pilot)
        assert "Predict attainable GFLOP/s before you look" in text(app)
        await type_keys(pilot, "enter", "enter", "f7", "=8", "enter", "=60", "enter")
        assert here(app) == "t1-set"
        assert "B reads 60" in text(app)
        await leave(pilot)
        assert line_of(app, "Three trials").rstrip().endswith("2 of 18 steps")

        await start_the_first(pilot)
        assert "Resumed: 2 of 18 steps done." in text(app)
        assert here(app) == "t1-set"
        assert attempt(app).session.state.checks == 1
        assert app.query_one("#bandwidth").value == "60"
        await leave(pilot)

        await start_the_first(pilot, "n")
        assert "Predict attainable GFLOP/s before you look" in text(app)
        await leave(pilot)
        assert len(transcripts(state)) == 2
        await when(app, lambda: "2 sessions (s)" in text(app))
        await type_keys(pilot, "s")
        assert isinstance(app.screen, ChoiceScreen)
        assert "0 of 18 steps" in text(app)
        assert "2 of 18 steps" in text(app)
        await type_keys(pilot, "2", "enter")
        await opened(pilot)
        assert here(app) == "t1-set"


async def test_a_finished_one_is_done_in_the_list_and_can_be_read() -> None:
    app = start_exercise(THREE)
    async with app.run_test(size=(80, 23)) as pilot:
        await opened(pilot)
        await do_lines(pilot, answers(exercise(THREE), ROOFLINE[THREE], None))
        assert "14 of 14 points (100 %): passed" in text(app)
        await pick(pilot, "Leave")
        await on_the_list(pilot)
        await when(app, lambda: "✓ done" in line_of(app, "Three trials"))
        await start_the_first(pilot)
        await when(app, lambda: isinstance(app.screen, ChoiceScreen), "the end")
        await pick(pilot, "Read the steps again")
        assert here(app) == "intro"
        await type_keys(pilot, "f3")
        assert "This is the first step." in text(app)
        await type_keys(pilot, "f4", "f4", "f4", "f4")
        assert here(app) == "t1-play"
        assert "✓ right: 400 read as 400 GFLOP/s." in text(app)
    (kept,) = kept_sessions(THREE)
    assert kept.session.finished


async def test_enter_pressed_twice_opens_once_and_choosing_it_again_goes_back_to_it(state: Path) -> None:
    app = start()
    async with app.run_test(size=(80, 23)) as pilot:
        await on_the_list(pilot)
        await start_the_first(pilot, "enter", "enter")
        await type_keys(pilot, "enter")
        await go_on(pilot)
        assert here(app) == "intro"
        await on_the_list(pilot)
        await type_keys(pilot, "enter")
        await when(app, lambda: app.query_one("#tabs", Tabs).active == "roofline")
        assert here(app) == "intro"
        assert len(app.query("GuidePanel")) == 1
    assert len(transcripts(state)) == 1


async def test_two_terminals_have_a_session_each(state: Path) -> None:
    command = [sys.executable, "-m", "tui", "lab", "run", THREE, "--plain"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as other:
        assert other.stdin is not None
        assert other.stdout is not None
        next(line for line in other.stdout if "Step 1 of 18" in line)
        app = start()
        async with app.run_test(size=(80, 23)) as pilot:
            await on_the_list(pilot)
            await when(app, lambda: "0 of 18 steps, open in another terminal" in text(app))
            await type_keys(pilot, "s", "enter")
            assert "open in another terminal" in lines(app)[1]
            assert app.attempt is None
            await start_the_first(pilot)
            assert "It is open in another terminal too" in text(app)
            await from_menu(pilot, "Start again")
            await when(app, lambda: len(transcripts(state)) == 3)
            await opened(pilot)
        other.stdin.close()
    assert len(kept_sessions(THREE)) == 3


def test_what_opens_exercises_is_loaded_on_a_thread() -> None:
    """An import on the event loop would hold up the keys."""
    watched = subprocess.run(
        [sys.executable, "-c", WATCHED], capture_output=True, text=True, check=True, timeout=120
    )
    found = dict(line.split() for line in watched.stdout.splitlines())
    assert found == {"tui.exercise_owner": "rooflab-imports", "tui.tabs.exercises": "rooflab-imports"}


WATCHED = """
import asyncio, sys, threading
from importlib.abc import MetaPathFinder

class Watch(MetaPathFinder):
    def find_spec(self, name, path, target=None):
        if name in ("tui.exercise_owner", "tui.tabs.exercises"):
            print(name, threading.current_thread().name, flush=True)

sys.meta_path.insert(0, Watch())
from tests.ui.exercises import opened, start_exercise

async def main():
    app = start_exercise("roofline-three-trials")
    async with app.run_test(size=(80, 23)) as pilot:
        await opened(pilot)

asyncio.run(main())
"""
