"""The lab tab by keys: trials, messages, what is locked when, and what is on the screen."""

from __future__ import annotations

import asyncio
from fractions import Fraction as F

import pytest
from textual.events import Key, Paste
from textual.message import Message
from textual.widgets import Input

from tests.ui.screens import SIZES, Clock, curves, lines, play_trial, start, text, three_trials
from tui.events import InputsSet, Locked, Played, Predicted, Reset
from tui.model.roofline import Limit
from tui.model.trial import Phase
from tui.widgets.did import Did
from tui.widgets.plot_view import PlotView

THIRD_TRIAL_80x23 = """\
 1 Roofline  2 Strong  3 Weak  4 Limits  5 Target  6 Exercises
 I 8            FLOP/byte  B 200          GB/s  predict 1600          GFLOP/s
 1600 read as 1600 GFLOP/s. Played: F7 Reset starts trial 4.
1600┤ GFLOP/s                                                  you: 1600 = I·B ?
    │                                                              ⢀ ⠠ ⠐ ⠈
    │                                                      ⢀ ⠠ ⠐ ⠈
1000┤╌ compute cap ╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌⣀⣀⣀⣀⣀⣀⣀⣀ ▲ COMPUTE CAP 1000 3
    │                                     ⢀⣀⡠⠤⠔⠒⠊⠉⠉
 800┤                             ⣀⣀⡠⠤⠔⠒⠊⠉2
    │                     ⣀⣀⠤⠤⠒⠒⠉⠉
 400┤            ⢀⣀⣀⠤⠤⠒1⠉⠉
    │    ⢀⣀⡠⠤⠔⠒⠊⠉⠁
   0┤⠔⠒⠊⠉⠁
    └┬─────────────────┬──────────────────┬─────────────────┬──────────────────┬
     0                 50                100               150          200 GB/s
 #  I  B    I·B   cap   attainable  limit    predicted
 1  8  50   400   1000  400         memory   400 ✓ right
 2  8  100  800   1000  800         memory   800 ✓ right
 3  8  200  1600  1000  1000        COMPUTE  1600 ✗ I·B without the cap
 COMPUTE CAP: I·B = 1600 is 600 GFLOP/s above the cap.
 You forgot the cap. The knee is at B = 125 GB/s.
 Only a hypothetical bandwidth changed: one device, same work per rank.
 ^q quit  F1 help  F5 Play  F7 Reset  v view  ^g tabs"""


async def test_the_screen_after_the_third_trial() -> None:
    app = start()
    async with app.run_test(size=(80, 23)) as pilot:
        await curves(pilot)
        await three_trials(pilot)
        assert text(app) == THIRD_TRIAL_80x23


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
async def test_three_trials_by_keys_at_every_size(size: tuple[int, int]) -> None:
    app = start()
    async with app.run_test(size=size) as pilot:
        await curves(pilot)
        await three_trials(pilot)
        assert [t.outcome.attainable for t in app.lab.trials] == [400, 800, 1000]
        assert [t.outcome.limit for t in app.lab.trials] == [Limit.MEMORY, Limit.MEMORY, Limit.COMPUTE]
        screen = lines(app)
        rows = (["400", "memory", "right"], ["800", "memory", "right"], ["1600", "1000", "COMPUTE", "✗"])
        for words in rows:
            assert any(all(word in line for word in words) for line in screen), words
        assert any("COMPUTE CAP 1000" in line for line in screen)
        assert any("you: 1600 = I·B" in line for line in screen)
        assert any("You forgot the cap." in line for line in screen)
        assert any("one device, same work" in line for line in screen)
        assert not any(line.endswith("…") for line in screen)


async def test_every_event_is_posted_once_and_in_order() -> None:
    posted: list[Did] = []
    app = start()

    def hook(message: Message) -> None:
        # The hook hears a message at every widget it climbs past.
        if isinstance(message, Did) and not any(message is one for one in posted):
            posted.append(message)

    async with app.run_test(size=(80, 23), message_hook=hook) as pilot:
        await play_trial(pilot, "8", "50", "400")
        await pilot.press("f7")
    trial = [InputsSet("8", ""), InputsSet("8", "50"), Predicted("400"), Locked(), Played()]
    assert [message.event for message in posted] == [*trial, Reset()]


async def test_the_first_thing_on_the_screen_says_what_to_do_and_the_focus_is_there() -> None:
    app = start()
    async with app.run_test(size=(80, 23)) as pilot:
        await pilot.pause()
        assert app.focused is not None
        assert app.focused.id == "intensity"
        assert lines(app)[2].strip() == "Type the arithmetic intensity I, for example 8, and press Enter."
        assert "Three to try: I = 8 with B = 50" in text(app)


async def test_the_prediction_stands_on_the_plot_before_play_and_nothing_of_the_answer_does() -> None:
    app = start()
    async with app.run_test(size=(80, 23)) as pilot:
        await curves(pilot)
        await pilot.press(*"8", "enter", *"200", "enter", *"1600")
        await pilot.pause()
        screen = text(app)
        assert "you: 1600 ?" in screen
        for secret in ("COMPUTE", "knee", "125", "I·B =", "above"):
            assert secret not in screen, secret
        assert "⠒" not in screen


async def test_the_reading_is_echoed_while_it_is_typed() -> None:
    app = start()
    async with app.run_test(size=(80, 23)) as pilot:
        await pilot.press(*"8", "enter", *"0.2 TB/s")
        assert lines(app)[2].strip() == "0.2 TB/s read as 200 GB/s. Enter goes on."


BAD = [
    pytest.param("1,600", "1.600", id="asked back"),
    pytest.param("400 Gb/s", "bits", id="bits"),
    pytest.param("abc", "abc", id="no number"),
    pytest.param("0", "above 0", id="zero"),
    pytest.param("-8", "above 0", id="negative"),
    pytest.param("1e400", "1e400", id="out of range"),
    pytest.param("[/]", "[/]", id="markup"),
    pytest.param("a[b]c", "a[b]c", id="more markup"),
]


@pytest.mark.parametrize(("typed", "said"), BAD)
@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
async def test_what_cannot_be_read_is_said_whole_and_kept(
    typed: str, said: str, size: tuple[int, int]
) -> None:
    app = start()
    async with app.run_test(size=size) as pilot:
        await pilot.press(*"8", "enter", *typed, "enter")
        await pilot.pause()
        assert app.query_one("#bandwidth", Input).value == typed
        assert app.focused is not None
        assert app.focused.id == "bandwidth"
        message = " ".join(line.strip() for line in lines(app)[2:6])
        assert message.startswith("Bandwidth B")
        assert said in message
        assert app.lab.bandwidth is None


async def test_play_names_the_field_that_is_missing_and_goes_there() -> None:
    app = start()
    async with app.run_test(size=(80, 23)) as pilot:
        await pilot.press(*"8", "enter", "f5")
        await pilot.pause()
        assert lines(app)[2].strip().startswith("Bandwidth B")
        assert app.focused is not None
        assert app.focused.id == "bandwidth"
        assert app.lab.trials == ()


async def test_play_without_a_prediction_asks_once_then_plays() -> None:
    app = start()
    async with app.run_test(size=(80, 23)) as pilot:
        await pilot.press(*"8", "enter", *"50", "enter", "enter")
        await pilot.pause()
        assert "No prediction yet: write one, or F5 again plays without." in lines(app)[2]
        assert app.lab.trials == ()
        await pilot.press("f5")
        app.query_one(PlotView).skip()
        await pilot.pause()
        assert app.lab.trials[0].prediction is None
        assert "none" in text(app)


async def test_after_play_fields_are_locked_letters_act_and_reset_starts_anew() -> None:
    app = start()
    async with app.run_test(size=(80, 23)) as pilot:
        await curves(pilot)
        await play_trial(pilot, "8", "50", "400")
        assert all(field.disabled for field in app.query("#inputs Input"))
        await pilot.press("v")
        assert "10000┤" in text(app)
        await pilot.press("p")
        assert "F7 Reset starts trial 2" in lines(app)[2]
        assert len(app.lab.trials) == 1
        await pilot.press("r")
        await pilot.pause()
        assert app.focused is not None
        assert app.focused.id == "intensity"
        assert [field.value for field in app.query("#inputs Input").results(Input)] == ["", "", ""]
        assert "400 ✓ right" in text(app)


async def test_sending_to_the_strong_table_is_refused_in_a_sentence() -> None:
    app = start()
    async with app.run_test(size=(80, 23)) as pilot:
        await three_trials(pilot)
        await pilot.press("s")
        assert "devices 1, 1, 1" in lines(app)[2]
        assert "nothing was scaled" in lines(app)[2]


async def test_play_draws_what_the_clock_says_and_ends_by_itself() -> None:
    clock = Clock()
    app = start(clock)
    async with app.run_test(size=(80, 23)) as pilot:
        await curves(pilot)
        await pilot.press(*"8", "enter", *"200", "enter", *"1600", "enter")
        plot = app.query_one(PlotView)
        clock.seconds += 1.0
        plot._tick()
        await pilot.pause()
        # Half of the time: the point is at B = 100, where 800 GFLOP/s are attained.
        row = next(line for line in lines(app) if "●" in line)
        assert abs(row.index("●") - (5 + 74 / 2)) <= 1
        assert "COMPUTE" not in text(app)
        clock.seconds += 1.0
        plot._tick()
        await pilot.pause()
        assert app.lab.phase is Phase.PLAYED
        assert "●" not in text(app)
        assert "COMPUTE CAP 1000" in text(app)


async def test_a_hidden_tab_pauses_play() -> None:
    clock = Clock()
    app = start(clock)
    async with app.run_test(size=(80, 23)) as pilot:
        await pilot.press(*"8", "enter", *"200", "enter", *"1600", "enter")
        plot = app.query_one(PlotView)
        clock.seconds += 0.5
        await pilot.press("2")
        await pilot.pause()
        clock.seconds += 60
        plot._tick()
        await pilot.press("1")
        await pilot.pause()
        assert app.lab.phase is Phase.PLAYING
        clock.seconds += 1.4
        plot._tick()
        await pilot.pause()
        assert app.lab.phase is Phase.PLAYING
        clock.seconds += 0.2
        plot._tick()
        await pilot.pause()
        assert app.lab.phase is Phase.PLAYED


@pytest.mark.parametrize("key", ["enter", "f5"])
async def test_a_running_play_is_skipped_by_key(key: str) -> None:
    app = start()
    async with app.run_test(size=(80, 23)) as pilot:
        await pilot.press(*"8", "enter", *"200", "enter", *"1600", "enter")
        assert app.lab.phase is Phase.PLAYING
        await pilot.press(key)
        await pilot.pause()
        assert app.lab.phase is Phase.PLAYED


async def test_without_motion_there_is_one_final_frame() -> None:
    app = start()
    app.animation_level = "none"
    async with app.run_test(size=(80, 23)) as pilot:
        await pilot.press(*"8", "enter", *"50", "enter", *"400", "enter")
        await pilot.pause()
        assert app.lab.phase is Phase.PLAYED
        assert app.query_one(PlotView)._timer is None


async def test_reset_during_play_keeps_the_trial() -> None:
    app = start()
    async with app.run_test(size=(80, 23)) as pilot:
        await pilot.press(*"8", "enter", *"50", "enter", *"400", "enter", "f7", *"8", "enter")
        await pilot.pause()
        assert [t.outcome.attainable for t in app.lab.trials] == [400]
        assert app.lab.phase is Phase.SETTING
        assert app.lab.intensity is not None
        assert app.lab.intensity.value == 8


async def test_keys_that_arrive_in_one_packet_go_where_they_were_meant() -> None:
    app = start()
    async with app.run_test(size=(80, 23)) as pilot:
        await pilot.pause()
        first = [*"8", "enter", *"50", "enter", *"400", "enter", "f5", "f7"]
        second = [*"4", "enter", *"100", "enter", *"999"]
        for key in [*first, *second]:
            app.post_message(Key(key, key if len(key) == 1 else None))
        for _ in range(400):
            await asyncio.sleep(0)
            await pilot.pause()
            if app.query_one("#prediction", Input).value == "999":
                break
        assert app.query_one("#prediction", Input).value == "999"
        assert [(t.intensity, t.bandwidth, t.prediction) for t in app.lab.trials] == [(8, 50, 400)]
        assert app.lab.bandwidth is not None
        assert app.lab.bandwidth.value == F(100)


async def test_a_resize_storm_loses_nothing_in_any_phase() -> None:
    clock = Clock()
    app = start(clock)
    sizes = [(200, 60), (60, 20), (1, 1), (59, 19), (110, 24), (20, 5), (109, 50), (80, 23)]

    async def storm(pilot) -> None:
        for size in sizes:
            await pilot.resize_terminal(*size)
        await pilot.pause()

    async with app.run_test(size=(80, 23)) as pilot:
        await curves(pilot)
        await pilot.press(*"8", "enter", *"200", "enter", *"16")
        await storm(pilot)
        await pilot.press(*"00", "enter")
        clock.seconds += 1.0
        await storm(pilot)
        assert app.lab.phase is Phase.PLAYING
        assert any("●" in line for line in lines(app))
        clock.seconds += 1.1
        app.query_one(PlotView)._tick()
        await storm(pilot)
        assert "▲ COMPUTE CAP 1000 1" in text(app)
        assert "1600 ✗ I·B without the cap" in text(app)
        assert [(t.intensity, t.bandwidth, t.prediction) for t in app.lab.trials] == [(8, 200, 1600)]


async def test_many_trials_scroll_and_the_newest_is_shown() -> None:
    app = start()
    app.animation_level = "none"
    async with app.run_test(size=(80, 23)) as pilot:
        for number in range(1, 8):
            await pilot.press(*"8", "enter", *str(10 * number), "enter", *"5", "enter", "f7")
        await pilot.pause()
        screen = text(app)
        assert " 7  8  70" in screen
        assert " 5  8  50" in screen
        assert " 4  8  40" not in screen


async def test_lines_pasted_into_a_field_fill_the_fields_after_it_and_none_is_lost() -> None:
    app = start()
    async with app.run_test(size=(80, 23)) as pilot:
        await pilot.pause()
        app.post_message(Paste("8\n200\n1600\n99\n"))
        await pilot.pause()
        await pilot.pause()
        assert [field.value for field in app.query("#inputs Input").results(Input)] == ["8", "200", "1600"]
        assert "3 fields filled; Enter goes on. No field was left for 99." in lines(app)[2]
        await pilot.press("enter")
        assert app.lab.trials[0].prediction == 1600


async def test_escape_leaves_the_field_so_that_letters_are_keys() -> None:
    app = start()
    async with app.run_test(size=(80, 23)) as pilot:
        await curves(pilot)
        await pilot.press("8")
        assert "v view" not in lines(app)[-1]
        await pilot.press("escape")
        await pilot.pause()
        assert "v view" in lines(app)[-1]
        assert "Letters are keys now" in lines(app)[2]
        await pilot.press("v")
        assert "10000┤" in text(app)
        assert app.query_one("#intensity", Input).value == "8"
        await pilot.press("tab", "tab", "0")
        assert app.query_one("#intensity", Input).value in ("8", "80")


@pytest.mark.parametrize(("intensity", "bandwidth"), [("8", "0.001"), ("1e-12", "200"), ("1e-6", "1e-6")])
async def test_small_results_play_like_any_other(intensity: str, bandwidth: str) -> None:
    app = start()
    async with app.run_test(size=(80, 23)) as pilot:
        await curves(pilot)
        await play_trial(pilot, intensity, bandwidth, "1")
        assert app.lab.phase is Phase.PLAYED
