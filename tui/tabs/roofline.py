"""Tab 1: the roofline lab."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from rich.text import Text
from textual import on
from textual.actions import SkipAction
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal
from textual.widgets import Input, Label

from tui.events import Event, InputsSet, Locked, PlayAsked, Predicted, Reset
from tui.model.quantity import ReadError
from tui.model.roofline import Limit
from tui.model.trial import (
    BANDWIDTH_UNIT,
    INTENSITY_UNIT,
    RATE_UNIT,
    Lab,
    Phase,
    read_bandwidth,
    read_intensity,
    read_prediction,
)
from tui.model.verdict import FIRST_STEP, SCOPE, SCOPE_SHORT, next_step, send_refusal, verdict
from tui.plotting.roofline import Scene
from tui.tabs.base import TabPage
from tui.tabs.scene import lab_scene
from tui.widgets.did import Did
from tui.widgets.lines import FittingLine, Line, MessageLine
from tui.widgets.plot_view import PlotView
from tui.widgets.quantity_input import QuantityInput
from tui.widgets.trial_log import TrialLog


class RooflineTab(TabPage):
    """Reset, set I and B, predict, Play, read the verdict.

    Args:
        now: the clock that Play follows, seconds.
    """

    BINDINGS: ClassVar = [
        Binding("enter", "play", show=False),
        Binding("escape,ctrl+r", "leave_field", show=False),
    ]
    HELP_TEXT: ClassVar[str] = (
        "The roofline lab. A kernel does I floating-point operations for each byte it moves (arithmetic"
        " intensity, FLOP/byte). The memory delivers B decimal GB/s. The machine never does more than 1000"
        " GFLOP/s, the compute cap. What rate is attainable?\n\n"
        "One trial: type I and B, write down your prediction, press Enter or F5. Play locks all three, draws"
        " the answer and says which limit binds. F7 empties the fields for the next trial; earlier trials"
        " stay in the log and, dimmed, on the plot.\n\n"
        "Numbers may carry units (0.2 TB/s, 400 GFLOP/s, 4/5); the message line shows how each was read.\n\n"
        "The plot: digits are trials, ? is your prediction, dashes are the cap, the solid curve is what is"
        " attainable and the dotted one what the memory alone could feed. v changes between the response over"
        " B and the log-log roof; from 110 columns on both are shown. On the roof, dotted slopes are the"
        " roofs of earlier bandwidths, and joined digits are trials in one place, their rates beside them."
    )

    def __init__(self, now: Callable[[], float]) -> None:
        super().__init__(id="roofline")
        self._intensity = QuantityInput(read_intensity, id="intensity")
        self._bandwidth = QuantityInput(read_bandwidth, id="bandwidth")
        self._prediction = QuantityInput(read_prediction, id="prediction")
        self._plot = PlotView(now)
        self._log = TrialLog()
        self._message = MessageLine(FIRST_STEP)
        self._verdict = Line("", markup=False, id="verdict")
        self._lab = Lab()
        self._told: tuple[str, ...] = ("", "", "")
        """The texts of the fields that the lab holds, or will once the posted events are folded."""
        self._notice = ""
        """Something said that stays in the message line until the person goes on."""
        self._guided = False
        """An exercise is open: it says what comes next, and Enter in the prediction commits without Play."""
        self._allowed = (True, True)
        """Whether an exercise lets the inputs, and the prediction, be typed now."""

    @property
    def fields(self) -> tuple[QuantityInput, QuantityInput, QuantityInput]:
        """I, B and the prediction, in the order they are filled."""
        return (self._intensity, self._bandwidth, self._prediction)

    def compose(self) -> ComposeResult:
        with Horizontal(id="inputs"):
            yield Label("I", markup=False, classes="name")
            yield self._intensity
            yield Label(INTENSITY_UNIT, markup=False, classes="unit")
            yield Label("B", markup=False, classes="name")
            yield self._bandwidth
            yield Label(BANDWIDTH_UNIT, markup=False, classes="unit")
            yield Label("predict", markup=False, classes="name")
            yield self._prediction
            yield Label(RATE_UNIT, markup=False, classes="unit")
        # The message stands in the plot's top margin, and lies over its first rows where it needs more.
        yield self._message
        yield self._plot
        yield self._log
        yield self._verdict
        yield FittingLine(SCOPE, SCOPE_SHORT, id="scope")

    def on_mount(self) -> None:
        self.watch(self.app, "lab", self.show_lab)

    # What is shown -------------------------------------------------------------------------------

    def show_lab(self, lab: Lab) -> None:
        """Redraw everything that the lab's state decides."""
        before, self._lab = self._lab, lab
        self._told = _texts(lab)
        if lab.phase is not Phase.SETTING and not self._guided:
            # The focus leaves the locked fields by itself, so that letters act at once.
            self.screen.set_focus(self._log)
        if self._guided:
            self._follow(before)
        self._lock_fields()
        if lab.phase is Phase.PLAYING:
            self._plot.play(self._scene())
        elif before.phase is not Phase.PLAYING or lab.phase is not Phase.PLAYED:
            self._plot.show(self._scene())
        self._log.show(lab)
        self._show_verdict(lab)
        self.say(self._notice or self._standing_message())

    def say(self, sentence: str) -> None:
        self._message.say(sentence)

    # Inside an exercise ---------------------------------------------------------------------------

    def guide(self, on: bool) -> None:
        """Let an exercise lead from here on, or no longer."""
        self._guided, self._allowed, self._notice = on, (True, True), ""
        if on:
            self._plot.skip()
            self.fill_texts(("", "", ""))
            self.say("")

    def allow(self, *, inputs: bool, prediction: bool) -> None:
        """Say which fields an exercise lets be typed now."""
        self._allowed = (inputs, prediction)
        self._lock_fields()

    def _lock_fields(self) -> None:
        inputs, prediction = self._allowed if self._guided else (True, True)
        setting = self._lab.phase is Phase.SETTING
        for field in self.fields:
            allowed = prediction if field is self._prediction else inputs
            field.disabled = not (setting and allowed)

    def _follow(self, before: Lab) -> None:
        """Write into the fields what the exercise has changed in the lab."""
        pairs = zip(self.fields, _texts(before), _texts(self._lab), strict=True)
        for field, old, new in pairs:
            if old != new and field.value.strip() != new:
                with field.prevent(Input.Changed):
                    field.value = new

    @property
    def texts(self) -> tuple[str, ...]:
        """What the fields hold, as it was typed."""
        return tuple(field.value for field in self.fields)

    def fill_texts(self, texts: tuple[str, ...]) -> None:
        """Write texts into the fields, readable or not."""
        for field, text in zip(self.fields, texts, strict=False):
            with field.prevent(Input.Changed):
                field.value = text
        self._told = _texts(self._lab)
        if self._lab.phase is Phase.SETTING:
            self._plot.show(self._scene())

    def _note(self, sentence: str) -> None:
        self._notice = sentence
        self.say(sentence)

    def focus_first(self) -> None:
        if self._lab.phase is not Phase.SETTING:
            self.screen.set_focus(self._log)
            return
        open_fields = [field for field in self.fields if not field.disabled]
        empty = [field for field in open_fields if field.blank]
        self.screen.set_focus(next(iter([*empty, *reversed(open_fields)]), None))

    def _standing_message(self) -> str:
        step = "" if self._guided else next_step(self._lab)
        readings = (self._lab.intensity, self._lab.bandwidth, self._lab.prediction)
        said = [reading.said for reading in readings if reading]
        echoed = f"{said[-1]}. {step}".rstrip() if said else step
        return echoed if len(echoed) <= self.app.size.width - 2 else step

    def _show_verdict(self, lab: Lab) -> None:
        if lab.phase is not Phase.PLAYED or lab.current is None:
            self._verdict.show("")
            return
        trial = lab.current
        style = "bold red" if trial.outcome.limit is Limit.COMPUTE else "bold"
        limit, prediction = verdict(trial)
        head, colon, rest = limit.partition(":")
        self._verdict.show(Text.assemble((head + colon, style), rest, "\n", prediction))

    def _scene(self) -> Scene:
        intensity, bandwidth, prediction = (field.reading() for field in self.fields)
        return lab_scene(self._lab, (intensity, bandwidth, prediction))

    def fill_fields(self, lab: Lab) -> None:
        """Write what a lab brought back from storage holds into the fields."""
        self.fill_texts(_texts(lab))

    # What the person does ------------------------------------------------------------------------

    @on(Input.Changed)
    def _echo(self, event: Input.Changed) -> None:
        """Show how the text is read while it is typed, and where the prediction would stand."""
        self._notice = ""
        if self._lab.phase is not Phase.SETTING or not isinstance(event.input, QuantityInput):
            return
        self._plot.show(self._scene())
        if event.input.blank:
            self.say(self._standing_message())
            return
        then = "goes on" if event.input is not self._prediction else "commits" if self._guided else "plays"
        try:
            self.say(f"{event.input.read_now().said}. Enter {then}.")
        except ReadError as error:
            self.say(error.sentence)

    @on(Input.Submitted)
    def _enter(self, event: Input.Submitted) -> None:
        if self._lab.phase is not Phase.SETTING:
            return
        if event.input is self._prediction and self._guided:
            self._commit()
            self.post_message(Did(Predicted(self._prediction.value)))
            return
        if event.input is self._prediction:
            self.play()
            return
        field = event.input
        assert isinstance(field, QuantityInput)
        try:
            field.read_now()
        except ReadError as error:
            self.say(error.sentence)
            return
        self._commit()
        onward = self._bandwidth if field is self._intensity else self._prediction
        if not onward.disabled:
            self.screen.set_focus(onward)

    @on(QuantityInput.LinesPasted)
    def _paste_lines(self, event: QuantityInput.LinesPasted) -> None:
        """Lines pasted into a field fill it and the fields after it."""
        places = self.fields[self.fields.index(event.field) :]
        for field, line in zip(places, event.lines, strict=False):
            with field.prevent(Input.Changed):
                field.value = line
        left = event.lines[len(places) :]
        filled = min(len(places), len(event.lines))
        more = f" No field was left for {', '.join(left)}." if left else ""
        self._commit()
        self._note(f"{filled} fields filled; Enter goes on.{more}")
        self.screen.set_focus(places[filled - 1])

    @on(Input.Blurred)
    def _leave(self) -> None:
        if self._lab.phase is Phase.SETTING:
            self._commit()

    def run_command(self, command_id: str) -> None:
        if command_id == "play":
            self.play()
        elif command_id == "reset":
            self.reset()
        elif command_id == "view":
            self._plot.next_view()
        elif command_id == "send":
            self.say(send_refusal(self._lab))

    def action_leave_field(self) -> None:
        """Out of the fields, so that letters and digits are keys again; in an exercise to its guide."""
        if self._guided:
            raise SkipAction
        self.screen.set_focus(self._log)
        self._note("Letters are keys now: v view, r Reset, 1-6 tabs. Tab: back to the fields.")

    def action_play(self) -> None:
        """Enter where no field has the focus."""
        self.play()

    def play(self) -> None:
        """Lock and start, skip a running animation, or say what is missing."""
        self._notice = ""
        if self._lab.phase is Phase.PLAYING:
            self._plot.skip()
            return
        if self._lab.phase is Phase.PLAYED:
            self.say(next_step(self._lab))
            return
        for field in self.fields:
            if field is self._prediction and field.blank:
                continue
            try:
                field.read_now()
            except ReadError as error:
                self.screen.set_focus(field)
                self.say(error.sentence)
                return
        self._commit()
        unasked = self._prediction.blank and not self._lab.asked and not self._guided
        self.post_message(Did(PlayAsked() if unasked else Locked()))
        if unasked:
            self.screen.set_focus(self._prediction)

    def reset(self) -> None:
        """Empty the fields and the current marks; the trials stay."""
        self._notice = ""
        self._plot.skip()
        if self._guided:
            # The fields follow, where the exercise lets it happen; what is only typed is not in the lab.
            for field, held in zip(self.fields, _texts(self._lab), strict=True):
                if field.value.strip() != held and not field.disabled:
                    field.value = ""
            self.post_message(Did(Reset()))
            return
        for field in self.fields:
            field.disabled = False
            field.value = ""
        self.screen.set_focus(self._intensity)
        self.post_message(Did(Reset()))

    def _commit(self) -> None:
        """Post what the fields say now, where it differs from what the lab holds or was just told."""
        events = self.uncommitted()
        self._told = tuple(field.value if field.reading() else "" for field in self.fields)
        for event in events:
            self.post_message(Did(event))

    def uncommitted(self) -> list[Event]:
        if self._lab.phase is not Phase.SETTING:
            return []
        *inputs, prediction = (field.value if field.reading() else "" for field in self.fields)
        *told_inputs, told_prediction = self._told
        events: list[Event] = []
        if inputs != told_inputs:
            events.append(InputsSet(*inputs))
        if prediction != told_prediction and not self._guided:
            events.append(Predicted(prediction))
        return events


def _texts(lab: Lab) -> tuple[str, ...]:
    readings = (lab.intensity, lab.bandwidth, lab.prediction)
    return tuple(reading.text if reading else "" for reading in readings)
