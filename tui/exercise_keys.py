"""What keys mean while an exercise is open."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, ClassVar

from tui.events import Played, Reset
from tui.guide.events import Goto, HintAsked, Next
from tui.guide.state import can_show, hint_wait
from tui.tabs.roofline import RooflineTab

if TYPE_CHECKING:
    from tui.app import RooflabApp
    from tui.exercise_owner import ExerciseOwner


class ExerciseKeys:
    """Does what a command asks of the open exercise.

    Args:
        app: where its instrument is.
        owner: of the open exercise.
    """

    HELP_TEXT: ClassVar[str] = (
        "An exercise is open. The panel at the bottom says what to do; the instrument above it works as ever."
        " Enter goes on where nothing is asked. Numbers may carry units, a comma or a point, a per cent sign:"
        " the line below shows how they are read. Choices: a digit or up and down, then Enter. Tab goes from"
        " the guide to the instrument, Esc back to the guide.\n\n"
        "F2 is the menu: solution, do it for me, steps, free play, leaving. F6 opens a hint, F8 gives the"
        " panel the whole screen, F3 and F4 read other steps. Everything you commit is on disk at once."
    )

    def __init__(self, app: RooflabApp, owner: ExerciseOwner) -> None:
        self._app = app
        self._owner = owner

    def run(self, command_id: str) -> bool:
        """Do what a key means in an exercise; False where it is the page's own."""
        keys: dict[str, Callable[[], object]] = {
            "play": self._play,
            "reveal": self._play,
            "reset": self._reset,
            "back": lambda: self._move(-1),
            "forward": lambda: self._move(1),
            "hint": self._hint,
            "panel": self._owner.enlarge_panel,
            "exercise-menu": self._owner.ask_what_to_do,
        }
        if command_id not in keys:
            return False
        keys[command_id]()
        return True

    def _play(self) -> None:
        if self._owner.on_roofline:
            self._app.go_to_tab("roofline")
            self._app.query_one(RooflineTab).play()
        else:
            self._owner.fold(Played())

    def _reset(self) -> None:
        if self._owner.on_roofline:
            self._app.go_to_tab("roofline")
            self._app.query_one(RooflineTab).reset()
        else:
            self._owner.fold(Reset())

    def _move(self, by: int) -> None:
        """To the step before or after, as far as the exercise is done."""
        session = self._owner.session
        place = session.here + by
        if 0 <= place < len(session.states) and place <= session.first_open:
            self._owner.fold(Goto(session.exercise.steps[place].id))
        elif by > 0 and session.finished:
            self._owner.fold(Next())
        else:
            later = "The next step opens when this one is done."
            self._owner.say("This is the first step." if by < 0 else later)

    def _hint(self) -> None:
        session = self._owner.session
        step = session.step
        now = self._owner.store.elapsed
        wait = hint_wait(session, now)
        if step is None or session.state.hints >= len(step.hints):
            more = " F2 shows the solution." if can_show(session) else ""
            opened = step is not None and step.hints
            self._owner.say(("No more hints." if opened else "There are no hints for this step.") + more)
        elif wait:
            self._owner.say(f"The next hint opens in {max(1, round(wait))} s: think about the last one.")
        else:
            self._owner.fold(HintAsked(round(now, 3)))
