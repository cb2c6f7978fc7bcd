"""The app around the tabs: tab bar, help, palette, glyphs, small windows, trouble, and coming back."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.command import CommandPalette
from textual.widgets import Tabs

from tests.ui.runs import until
from tests.ui.screens import SIZES, curves, lines, play_trial, start, text, three_trials
from tui.commands import COMMANDS, TABS, find, shown_key
from tui.guide.lab_session import DONE, HANGUP
from tui.tabs.help_screen import HelpScreen


@pytest.mark.parametrize(
    ("number", "says"),
    [
        (2, "Press a to type a run"),
        (3, "Press a"),
        (4, "a to type a count"),
        (5, "Press a"),
        (6, "Enter starts"),
    ],
)
async def test_each_empty_tab_says_what_to_do_first(number: int, says: str) -> None:
    app = start()
    async with app.run_test(size=(80, 23)) as pilot:
        await play_trial(pilot, "8", "50", "400")
        await pilot.press(str(number))
        await pilot.pause()
        assert app.query_one("#tabs", Tabs).active == TABS[number - 1][0]
        await until(pilot, says)
        await pilot.press("1")
        await pilot.pause()
        assert "400 ✓ right" in text(app)


async def test_digits_typed_into_a_field_are_digits() -> None:
    app = start()
    async with app.run_test(size=(80, 23)) as pilot:
        await pilot.press("2")
        assert app.query_one("#tabs", Tabs).active == "roofline"
        await pilot.press("ctrl+g", "right")
        await pilot.pause()
        assert app.query_one("#tabs", Tabs).active == "strong"


async def test_shift_tab_from_the_first_field_reaches_the_tab_bar() -> None:
    app = start()
    async with app.run_test(size=(80, 23)) as pilot:
        await pilot.press("shift+tab")
        assert isinstance(app.focused, Tabs)
        await pilot.press("right", "right")
        await pilot.pause()
        assert app.query_one("#tabs", Tabs).active == "weak"


async def test_the_labels_of_the_tabs_shorten_on_a_narrow_screen() -> None:
    app = start()
    async with app.run_test(size=(60, 20)) as pilot:
        await pilot.pause()
        assert lines(app)[0] == " 1 Roof  2 Strong  3 Weak  4 Limits  5 Target  6 Exerc."
        await pilot.resize_terminal(80, 23)
        await pilot.pause()
        assert lines(app)[0] == " 1 Roofline  2 Strong  3 Weak  4 Limits  5 Target  6 Exercises"


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("close", ["q", "f1", "enter", "escape"])
async def test_help_opens_over_a_field_names_every_key_and_closes(close: str, size: tuple[int, int]) -> None:
    app = start()
    async with app.run_test(size=size) as pilot:
        await pilot.press("8", "f1")
        await pilot.pause()
        assert isinstance(app.screen, HelpScreen)
        seen: dict[str, None] = {}
        for _ in range(70):
            seen.update(dict.fromkeys(line.strip("│▁▂▃▄▅▆▇█ ") for line in lines(app)))
            await pilot.press("down")
        shown = " ".join(" ".join(seen).split())
        for command in COMMANDS:
            if not command.exercise and (not command.tabs or "roofline" in command.tabs):
                assert command.help in shown
        await pilot.press(close)
        await pilot.pause()
        assert not isinstance(app.screen, HelpScreen)
        await pilot.press("0")
        assert app.query_one("#intensity").value == "80"


async def test_every_command_is_in_the_palette_and_none_of_another_tab() -> None:
    app = start()
    async with app.run_test(size=(80, 23)) as pilot:
        await pilot.press("ctrl+p")
        await pilot.pause()
        assert isinstance(app.screen, CommandPalette)
        await pilot.press("escape")
        titles = [command.title for command in app.get_system_commands(app.screen)]
        assert "Play (F5 or p)" in titles
        own = [command for command in COMMANDS if not command.exercise]
        here = [command for command in own if not command.tabs or "roofline" in command.tabs]
        assert len(titles) == len(here) - 1  # all but the palette itself
        await pilot.press("ctrl+g", "right")
        await pilot.pause()
        titles = [command.title for command in app.get_system_commands(app.screen)]
        assert "Play (F5 or p)" not in titles


def test_every_command_has_a_letter_or_a_ctrl_key() -> None:
    for command in COMMANDS:
        assert any(len(shown_key(key)) == 1 or key.startswith("ctrl+") for key in command.keys)
    assert "question_mark" in find("help").keys


def test_no_key_means_two_things_on_one_tab() -> None:
    for tab, _, _ in TABS:
        here = [command for command in COMMANDS if not command.tabs or tab in command.tabs]
        keys = [key for command in here for key in command.keys]
        assert len(keys) == len(set(keys)), tab
    keys = [key for command in COMMANDS for key in command.keys]
    # Keys that a plain terminal cannot send, or that screen and tmux keep for themselves.
    assert not {"ctrl+h", "ctrl+i", "ctrl+m", "ctrl+a", "ctrl+b", "ctrl+enter"} & set(keys)


async def test_f9_changes_every_glyph_on_the_screen_at_once_and_back() -> None:
    app = start()
    async with app.run_test(size=(80, 23)) as pilot:
        await curves(pilot)
        await three_trials(pilot)
        unicode_screen = text(app)
        assert not unicode_screen.isascii()
        await pilot.press("f9")
        await pilot.pause()
        assert text(app).isascii()
        assert "1600 = I*B" in text(app)
        await pilot.press("f9")
        await pilot.pause()
        assert text(app) == unicode_screen


async def test_a_locale_without_unicode_starts_in_ascii() -> None:
    app = start(LANG="C", LC_ALL="C", STY="1.pts")
    async with app.run_test(size=(80, 23)) as pilot:
        await curves(pilot)
        await three_trials(pilot)
        await pilot.press("f1")
        await pilot.pause()
        assert text(app).isascii()


@pytest.mark.parametrize("size", [(59, 23), (80, 19), (20, 5), (1, 1)])
async def test_a_window_that_is_too_small_says_so_and_loses_nothing(size: tuple[int, int]) -> None:
    app = start()
    async with app.run_test(size=(80, 23)) as pilot:
        await pilot.press("8", "enter", "5")
        await pilot.resize_terminal(*size)
        await pilot.pause()
        said = " ".join(" ".join(lines(app)).split())
        assert said.startswith(f"This window is {size[0]}x{size[1]}"[: max(0, size[0] - 2)])
        await pilot.press("0")
        await pilot.resize_terminal(80, 23)
        await pilot.pause()
        assert "B 50" in lines(app)[1]
        assert "window" not in text(app)


async def test_a_lab_that_was_cut_off_comes_back_and_says_so() -> None:
    first = start()
    async with first.run_test(size=(80, 23)) as pilot:
        await three_trials(pilot)
        first._stop(HANGUP)
    second = start()
    async with second.run_test(size=(80, 23)) as pilot:
        await curves(pilot)
        said = " ".join(line.strip() for line in lines(second)[2:4])
        assert said.startswith("Brought back 3 trials: the last session was cut off. Played: F7 Reset")
        assert "1600 ✗ I·B without the cap" in text(second)
        assert "B 200" in lines(second)[1]
        await pilot.press("f7")
        await play_trial(pilot, "4", "100", "400")
        assert [trial.number for trial in second.lab.trials] == [1, 2, 3, 4]
        second._stop(DONE)
    third = start()
    async with third.run_test(size=(80, 23)):
        assert third.lab.trials == ()


async def test_what_was_typed_when_the_line_dropped_comes_back_into_its_fields() -> None:
    first = start()
    async with first.run_test(size=(80, 23)) as pilot:
        await play_trial(pilot, "8", "50", "400")
        await pilot.press("f7", *"8", "enter", *"100", "enter", *"77")
        await pilot.pause()
        first._line_lost(129)
    assert first.return_code == 129
    second = start()
    async with second.run_test(size=(80, 23)) as pilot:
        await pilot.pause()
        assert "I 8" in lines(second)[1]
        assert "B 100" in lines(second)[1]
        assert "predict 77" in lines(second)[1]
        assert "Brought back 1 trial: the last session was cut off. Ready" in lines(second)[2]
        assert second.focused is not None
        assert second.focused.id == "prediction"


async def test_a_state_folder_that_takes_nothing_is_said_in_a_banner(state: Path) -> None:
    state.write_text("in the way", encoding="utf-8")
    app = start()
    async with app.run_test(size=(80, 23)) as pilot:
        await play_trial(pilot, "8", "50", "400")
        app._writer.close()
        await pilot.pause()
        assert "cannot be stored" in text(app)
        assert "XDG_STATE_HOME" in text(app)
        assert "400 ✓ right" in text(app)
