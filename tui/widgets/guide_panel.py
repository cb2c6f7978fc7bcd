"""The guide panel below the instrument: the step on show, a field or options for its answer, and feedback."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal, Vertical
from textual.message import Message
from textual.widgets import Input

from tui.events import Predicted
from tui.guide.attempt import Attempt, moment
from tui.guide.events import (
    Answered,
    Chosen,
    Confidence,
    Discussed,
    LinesMarked,
    Next,
    Reflected,
    Revised,
    Withdrawn,
)
from tui.guide.panel_page import PanelPage, asks_confidence, page_of
from tui.guide.script import Flaw, Numeric, Options, Pause, Play, Predict, Reflect, Runs, SetInputs
from tui.guide.state import Tone, order
from tui.model.quantity import ReadError, read
from tui.model.trial import Phase
from tui.widgets.did import Did
from tui.widgets.guide_body import GuideBody
from tui.widgets.lines import Line, MessageLine

if TYPE_CHECKING:
    from tui.events import Event

CONFIDENT = "Withdraw it? Enter takes the prediction back, Esc keeps it."


class GuidePanel(Vertical):
    """Docked below the instrument while an exercise is open."""

    DEFAULT_CSS = """
    GuidePanel { height: 8; padding: 0 1; }
    GuidePanel #guide-head { height: 1; text-style: bold reverse; padding: 0 1; margin: 0 -1; }
    GuidePanel #guide-body { height: 1fr; }
    GuidePanel MessageLine { height: 1; padding: 0; text-style: dim; }
    GuidePanel #guide-answer { height: 1; display: none; }
    GuidePanel #guide-label { width: auto; margin: 0 1 0 0; }
    GuidePanel Input { width: 1fr; height: 1; border: none; padding: 0; background: $background;
        text-style: underline; }
    GuidePanel Input:focus { text-style: underline bold; }
    """
    BINDINGS: ClassVar = [
        Binding("up", "scroll(-1)", show=False),
        Binding("down", "scroll(1)", show=False),
        Binding("pageup", "scroll_page(-1)", show=False),
        Binding("pagedown", "scroll_page(1)", show=False),
        Binding("escape,ctrl+r", "leave_field", show=False),
        Binding("tab,shift+tab", "to_instrument", show=False),
    ]

    def __init__(self) -> None:
        super().__init__(id="guide")
        self._head = Line("", markup=False, id="guide-head")
        self._body = GuideBody()
        self._message = MessageLine("", id="guide-message")
        self._label = Line("", markup=False, id="guide-label")
        self._input = Input(compact=True, select_on_focus=False, id="guide-input")
        self._input.cursor_blink = False
        self._attempt: Attempt | None = None
        self._page: PanelPage | None = None
        self._drafts: dict[str, str] = {}
        """What was typed and not committed, by step."""
        self._away = False
        """The focus is on the instrument."""
        self._left_empty = ""
        """Id of the step that Enter was pressed on with nothing written."""
        self._revising = False
        """The field holds another prediction instead of the one that is locked."""

    def compose(self) -> ComposeResult:
        yield self._head
        yield self._body
        yield self._message
        with Horizontal(id="guide-answer"):
            yield self._label
            yield self._input

    def on_mount(self) -> None:
        self._fit()
        self.watch(self.app, "attempt", self.show)
        self.watch(self.screen, "focused", self._focus_moved, init=False)

    # What is shown -------------------------------------------------------------------------------

    def show(self, attempt: Attempt | None) -> None:
        """Show an exercise as it stands now."""
        before, self._attempt = self._attempt, attempt
        if attempt is None or attempt.session.step is None:
            return
        fresh = before is None or moment(before) != moment(attempt)
        other_step = before is None or before.session.here != attempt.session.here
        if other_step:
            self._revising = False
        if fresh:
            self._keep_draft(before)
        self._redraw(fresh=other_step)
        if fresh:
            self._fill_field(attempt)
        if attempt.said.tone in (Tone.WRONG, Tone.UNREADABLE):
            self._input.select_all()  # the next answer takes the place of this one

    def _redraw(self, *, fresh: bool = False) -> None:
        attempt = self._attempt
        if attempt is None or attempt.session.step is None:
            return
        self._page = page_of(attempt, max(20, self.app.size.width - 2))
        entry = "Instead" if self._revising else self._page.entry
        self._body.takes_digits = 3 if asks_confidence(attempt) else 0
        self.query_one("#guide-answer").display = bool(entry)
        self._label.update(f"{entry}:")
        self._body.load(self._page, fresh=fresh)
        self._message.say(self._standing(attempt))

    def _standing(self, attempt: Attempt) -> str:
        if attempt.said.tone is Tone.ASK:
            return CONFIDENT
        if self._revising:
            return "Type the prediction that shall stand, Enter commits it, Esc keeps the old one."
        if self._away and not self._is_done_elsewhere(attempt):
            return "Esc: back to the guide."
        return self._page.prompt if self._page else ""

    def _focus_moved(self) -> None:
        away = self.screen.focused is not None and not self.has_focus_within
        if away != self._away:
            self._away = away
            if self._attempt is not None:
                self._message.say(self._standing(self._attempt))

    @on(GuideBody.Scrolled)
    def _show_head(self) -> None:
        if self._page is None:
            return
        width = max(20, self.app.size.width - 2)
        size = f"F8 {'smaller' if self.full else 'larger'}" if width > 70 else ""
        right = "  ".join(filter(None, [self._body.scrolled, size]))
        left = self._page.head
        room = width - len(right) - 1
        left = left if len(left) <= room else left[: room - 3] + "..."
        self._head.show(left.ljust(room + 1) + right)

    def on_resize(self) -> None:
        self._fit()
        self._redraw()

    def _fit(self) -> None:
        rows = self.app.size.height
        self.styles.height = "1fr" if self.has_class("-full") else 7 if rows < 23 else max(8, rows // 3)

    def enlarge(self, full: bool) -> None:
        """Take the whole screen, or give it back to the instrument."""
        self.set_class(full, "-full")
        self.screen.set_class(full, "-guide-full")
        self._fit()
        self._show_head()

    @property
    def full(self) -> bool:
        """Whether it has the whole screen."""
        return self.has_class("-full")

    # Focus and drafts ----------------------------------------------------------------------------

    def place_focus(self) -> bool:
        """Put the focus where the learner goes on, in the field or on the rows.

        False where the step goes on at the instrument, which then takes it.
        """
        attempt = self._attempt
        if attempt is None or attempt.session.step is None or self.app.screen is not self.screen:
            return True
        if attempt.intro or attempt.lab.phase is Phase.PLAYING or attempt.said.tone is Tone.ASK:
            self.screen.set_focus(self._body)
        elif self._revising or (self._page is not None and self._page.entry):
            self.screen.set_focus(self._input)
        elif self._is_done_elsewhere(attempt):
            if self.full and attempt.session.exercise.script.instrument != "none":
                self.enlarge(False)
            return False
        else:
            self.screen.set_focus(self._body)
        return True

    def take_focus(self) -> None:
        """Put the focus into the guide, wherever the step goes on."""
        typing = self._revising or (self._page is not None and self._page.entry)
        self.screen.set_focus(self._input if typing else self._body)

    def _is_done_elsewhere(self, attempt: Attempt) -> bool:
        session = attempt.session
        step = session.step
        if session.free or (session.state.done and not session.practising):
            return session.free
        if isinstance(step, SetInputs):
            return attempt.inputs_open
        return isinstance(step, Runs) or (isinstance(step, Predict) and attempt.on_roofline)

    def _keep_draft(self, before: Attempt | None) -> None:
        if before is not None and before.session.step is not None and self._input.value:
            self._drafts[before.session.step.id] = self._input.value

    def _fill_field(self, attempt: Attempt) -> None:
        step = attempt.session.step
        assert step is not None
        with self._input.prevent(Input.Changed):
            self._input.value = "" if attempt.session.state.done else self._drafts.get(step.id, "")
        self._input.cursor_position = len(self._input.value)

    # What the person does ------------------------------------------------------------------------

    def _do(self, event: Event) -> None:
        self.post_message(Did(event))

    @on(Input.Changed, "#guide-input")
    def _echo(self, event: Input.Changed) -> None:
        """Say how a number is read while it is typed; not whether it is right."""
        step = self._attempt.session.step if self._attempt else None
        if not isinstance(step, Numeric) or not event.value.strip():
            self._message.say(self._standing(self._attempt) if self._attempt else "")
            return
        try:
            reading = read(event.value, step.unit or "1", accept=step.accept, require_unit=step.require_unit)
        except ReadError as error:
            self._message.say(error.sentence)
        else:
            then = "commits" if isinstance(step, Predict) else "answers"
            self._message.say(f"{reading.said}. Enter {then}.")

    @on(Input.Submitted, "#guide-input")
    def _submit(self, event: Input.Submitted) -> None:
        step = self._attempt.session.step if self._attempt else None
        if step is None:
            return
        self._drafts.pop(step.id, None)
        if self._revising:
            self._revising = False
            self._do(Revised(event.value))
        elif isinstance(step, Reflect):
            self._reflect(step, event.value)
        elif isinstance(step, Numeric):
            self._do(Predicted(event.value) if isinstance(step, Predict) else Answered(event.value))

    def _reflect(self, step: Reflect, text: str) -> None:
        """Save a text; an empty one only after a second Enter, for it closes the step."""
        if not text.strip() and self._left_empty != step.id:
            self._left_empty = step.id
            self._message.say("Nothing is written yet. Enter once more leaves this step empty.")
        else:
            self._do(Reflected(text))

    @on(GuideBody.Entered)
    def _enter(self) -> None:
        attempt = self._attempt
        if attempt is None:
            return
        for event in self._goes_on(attempt) if attempt.session.step is not None else (Next(),):
            self._do(event)

    def _goes_on(self, attempt: Attempt) -> Iterator[Event]:
        session = attempt.session
        step = session.step
        if attempt.intro:
            yield Next()
        elif attempt.lab.phase is Phase.PLAYING or (isinstance(step, Play) and not session.state.done):
            self.app.call_later(self.app.run_action, "run_command('play')")
        elif attempt.said.tone is Tone.ASK:
            yield Withdrawn()
        elif session.state.done and not session.practising:
            yield Next()
        elif isinstance(step, Options):
            yield from self._picked(attempt, step)
        elif isinstance(step, Pause) and step.discuss:
            yield Discussed()
            yield Next()
        else:
            yield Next()

    def _picked(self, attempt: Attempt, step: Options) -> Iterator[Event]:
        names = order(attempt.session, step)
        ids = tuple(names[place] for place in self._body.picks)
        if not ids:
            many = "Mark at least one: its digit, or space at the cursor. Then Enter."
            one = "Choose one first: its digit, or up and down. Then Enter."
            self._message.say(many if step.select == "many" else one)
            return
        yield LinesMarked(ids) if isinstance(step, Flaw) else Chosen(ids)

    @on(GuideBody.Typed)
    def _sure(self, event: GuideBody.Typed) -> None:
        self._do(Confidence(event.digit))

    @on(GuideBody.BackedOut)
    def action_leave_field(self) -> None:
        """Esc: keep what is locked, or leave the field so that letters and digits are keys again."""
        if self._revising:
            self._revising = False
            self._redraw()
        self.screen.set_focus(self._body)
        if self._attempt is not None and self._attempt.said.tone is Tone.ASK:
            self.post_message(self.AskDropped())

    def action_to_instrument(self) -> None:
        """Over to the instrument, where there is one."""
        if self._attempt is not None and self._attempt.session.exercise.script.instrument != "none":
            if self.full:
                self.enlarge(False)
            self.app.call_later(self.app.run_action, "into_page")

    class AskDropped(Message):
        """What was asked is not wanted."""

    def revise(self) -> None:
        """Let another prediction be typed."""
        self._revising = True
        self._input.value = ""
        self._redraw()
        self.place_focus()

    def say(self, sentence: str) -> None:
        """Show one sentence in the panel's message line."""
        self._message.say(sentence)

    def action_scroll(self, by: int) -> None:
        """Scroll the rows from the field."""
        self._body.action_move(by)

    def action_scroll_page(self, by: int) -> None:
        """Scroll the rows from the field by a page."""
        self._body.action_page(by)
