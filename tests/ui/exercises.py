"""What the tests of exercises in the app share: opening one, and doing its steps by keys."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from textual.events import Key
from textual.pilot import Pilot

from tests.ui.screens import Clock, curves, terminal, text
from tui.app import RooflabApp
from tui.guide.attempt import Attempt
from tui.guide.catalogue import find
from tui.guide.entering import asked_columns
from tui.guide.handin import decode
from tui.guide.panel_page import asks_confidence
from tui.guide.regrade import Scripts, regrade
from tui.guide.script import Options, Play, ResetStep, Runs
from tui.guide.state import StepState, points_text, result
from tui.guide.wanted import Wanted
from tui.model.study import Experiment
from tui.model.trial import Phase
from tui.tabs.choice_screen import ChoiceScreen
from tui.widgets.efficiency_table import EfficiencyTable
from tui.widgets.runs_editor import LineInput, RunsEditor

PATIENCE = 30.0
"""Seconds to wait for what must come; machines are shared."""

_CHARACTERS = {" ": "space", ",": "comma", ".": "full_stop"}


def start_exercise(
    name: str, *, new: bool = False, session: Path | None = None, clock: Clock | None = None, **environ: str
) -> RooflabApp:
    """The app, opening an exercise by its id or its file."""
    wanted = Wanted(find(name), new=new, session=session)
    return RooflabApp(terminal=terminal(**environ), exercise=wanted, now=clock or Clock())


def attempt(app: RooflabApp) -> Attempt:
    """The open exercise."""
    assert app.attempt is not None
    return app.attempt


def here(app: RooflabApp) -> str:
    """Id of the step on show; "end" behind the last one."""
    step = attempt(app).session.step
    return step.id if step is not None else "end"


def score(app: RooflabApp) -> str:
    """The points so far, as the screen says them."""
    return points_text(result(attempt(app).session).earned)


def state_of(app: RooflabApp, step: str) -> StepState:
    """What is known of a step."""
    session = attempt(app).session
    return next(s for s, each in zip(session.states, session.exercise.steps, strict=True) if each.id == step)


def said(app: RooflabApp) -> str:
    """The line at the bottom of the panel: what to do next, or how a number is read."""
    return str(app.query_one("#guide-message").visual)


def table_text(app: RooflabApp) -> str:
    """What the table in front shows, out of sight too, and what is said below it."""
    table = app.page.query_one(EfficiencyTable)
    assert table._view is not None
    return "\n".join(" ".join(table._view.cells(row, table._covered)) for row in table._view.rows)


def shown_rows(app: RooflabApp) -> list[list[str]]:
    """Count and time of the rows of the table in front."""
    view = app.page.query_one(EfficiencyTable)._view
    assert view is not None
    return [[column.cell(row) for column in view.columns[1:3]] for row in view.rows]


def field_texts(app: RooflabApp) -> list[str]:
    """What is typed into the lab's fields."""
    return [app.query_one(f"#{field}").value for field in ("intensity", "bandwidth", "prediction")]


# Waiting and typing ------------------------------------------------------------------------------


async def when(app: RooflabApp, condition: Callable[[], object], what: str = "") -> None:
    """Wait until a condition holds and no key is under way; fails with the screen."""
    end = time.monotonic() + PATIENCE
    while app.is_running and (app._under_way or app._typed_ahead or not condition()):
        assert time.monotonic() < end, f"never came: {what or condition}\n{text(app)}"
        assert app._exception is None, app._exception
        await asyncio.sleep(0.002)


def keys(*parts: str) -> list[str]:
    """Names of keys; a part that begins with = is typed, character by character."""
    return [
        key
        for part in parts
        for key in ([_CHARACTERS.get(c, c) for c in part[1:]] if part.startswith("=") else [part])
    ]


async def type_keys(pilot: Pilot[None], *parts: str) -> None:
    """Send keys in one go, as a packet from a slow line brings them, and wait until the last has acted."""
    app = pilot.app
    assert isinstance(app, RooflabApp)
    for key in keys(*parts):
        shown = {"space": " ", "comma": ",", "full_stop": "."}.get(key, key)
        event = Key(key, shown if len(shown) == 1 else None)
        event.set_sender(app)
        app.post_message(event)
    await pilot._wait_for_screen()
    await when(app, lambda: True)
    await pilot.pause(0)


async def opened(pilot: Pilot[None], script: str = "") -> None:
    """Wait until an exercise is open, the one of an id where it is given."""
    app = pilot.app
    assert isinstance(app, RooflabApp)

    def stands() -> bool:
        open_one = app.attempt.session.exercise.script.id if app.attempt is not None else ""
        return bool(app.query("GuidePanel")) and open_one != "" and open_one == (script or open_one)

    await when(app, stands, f"the exercise {script}")
    await curves(pilot)


# Steps -------------------------------------------------------------------------------------------


async def play(pilot: Pilot[None]) -> None:
    """F5, and at once to the end of the animation."""
    app = pilot.app
    assert isinstance(app, RooflabApp)
    await type_keys(pilot, "f5")
    if app.lab.phase is Phase.PLAYING:
        await type_keys(pilot, "f5")
    await when(app, lambda: app.lab.phase is not Phase.PLAYING)


async def enter_row(pilot: Pilot[None], step: Runs, cells: Sequence[str]) -> None:
    """A row of the table the step watches: its blanks filled in, or typed anew."""
    app = pilot.app
    assert isinstance(app, RooflabApp)
    data = attempt(app).session.exercise.sets[step.data]
    row = dict(zip(asked_columns(step, data), cells, strict=True))
    if isinstance(app.focused, LineInput):
        await type_keys(pilot, "escape")  # out of the edit line
    if data.blanks:
        blank = {column for place, column in data.blanks if data.keys[place] == row["devices"]}
        counts = sorted({run.devices for run in experiment(app, data.id).run})
        at = counts.index(int(row["devices"]))
        row = {column: row[column] for column in blank}
        await type_keys(pilot, "home", *["down"] * at, "enter")
    else:
        await type_keys(pilot, "a")
    editor = app.page.query_one(RunsEditor)
    fields = [key for key, box in editor._boxes.items() if box.display]
    texts = {("times_s" if column == "time_s" else column): text for column, text in row.items()}
    typed: list[str] = []
    for key in fields[: max(map(fields.index, texts)) + 1]:
        typed += ["end", "ctrl+u", f"={texts[key]}"] if key in texts else []
        typed.append("tab")
    await type_keys(pilot, *typed[:-1], "enter")


def experiment(app: RooflabApp, name: str) -> Experiment:
    """A table of the exercise as it stands."""
    assert app.study is not None
    (found,) = [each for each in app.study.experiment if each.name == name]
    return found


async def do_line(pilot: Pilot[None], line: str) -> None:
    """Do by keys what a line of the plain runner does at the step on show."""
    app = pilot.app
    assert isinstance(app, RooflabApp)
    session = attempt(app).session
    step = session.step
    if isinstance(step, Play):
        await play(pilot)
    elif isinstance(step, Runs):
        await enter_row(pilot, step, line.split(", "))
    elif isinstance(step, ResetStep):
        await type_keys(pilot, "f7")
    elif isinstance(step, Options):
        await choose(pilot, [int(each) for each in line.split()])
    else:
        await type_keys(pilot, *(["ctrl+u", f"={line}"] if line else []), "enter")


async def choose(pilot: Pilot[None], numbers: Sequence[int]) -> None:
    """Pick options by digit; where several may be, only these are marked then."""
    body = pilot.app.query_one("#guide-body")
    for at in sorted(body.marked - {number - 1 for number in numbers}):
        await type_keys(pilot, str(at + 1))
    await type_keys(pilot, *(str(number) for number in numbers if number - 1 not in body.marked), "enter")


async def do_lines(pilot: Pilot[None], lines: Iterable[str], look: Callable[[], None] = lambda: None) -> None:
    """Do the exercise from the step on show by the lines that the plain runner takes; `look` around each."""
    app = pilot.app
    assert isinstance(app, RooflabApp)
    for line in lines:
        await go_on(pilot)
        look()
        await do_line(pilot, line)
        look()
    await go_on(pilot)


async def go_on(pilot: Pilot[None]) -> None:
    """Past the introduction and past what is done, to the next step that wants something, or to the end."""
    app = pilot.app
    assert isinstance(app, RooflabApp)
    while attempt(app).session.step is not None:
        now = attempt(app)
        if not now.intro and (not now.session.state.done or asks_confidence(now)):
            return
        await type_keys(pilot, "enter")


async def pick(pilot: Pilot[None], words: str) -> None:
    """Choose the answer that begins with these words from the list on top."""
    app = pilot.app
    assert isinstance(app, RooflabApp)
    await when(app, lambda: isinstance(app.screen, ChoiceScreen), "a list")
    assert isinstance(app.screen, ChoiceScreen)
    (at,) = [at for at, choice in enumerate(offered(app)) if choice.startswith(words)]
    await type_keys(pilot, "home", *["down"] * at, "enter")


async def from_menu(pilot: Pilot[None], words: str) -> None:
    """F2, and the choice that begins with these words."""
    await type_keys(pilot, "f2")
    await pick(pilot, words)


def offered(app: RooflabApp) -> list[str]:
    """The choices of the list on top."""
    assert isinstance(app.screen, ChoiceScreen)
    return [answer[2:] for answer in app.screen._answers]  # behind its digit


# What is stored ----------------------------------------------------------------------------------


def transcripts(state: Path) -> list[Path]:
    """Every transcript below a state folder."""
    return sorted(state.glob("sessions/*/*/transcript.jsonl"))


def graded(path: Path) -> str:
    """The points of a hand-in, graded again from its raw answers."""
    grade = regrade(decode(path.read_bytes()), Scripts())
    assert grade.faults == ()
    return points_text(grade.result.earned)
