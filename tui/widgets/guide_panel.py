"""The guide panel below the instrument: the step on show, a field or options for its answer, and feedback."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, ClassVar

from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal, Vertical
from textual.message import Message
from textual.widgets import Input, Static

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
from tui.guide.panel_page import PanelPage, Row, asks_confidence, page_of
from tui.guide.script import Flaw, Numeric, Options, Pause, Play, Predict, Reflect, Runs, SetInputs
from tui.guide.state import Tone, order
from tui.model.quantity import ReadError, read
from tui.model.trial import Phase
from tui.widgets.did import Did
from tui.widgets.lines import Line, MessageLine

if TYPE_CHECKING:
    from tui.events import Event

STYLES = {"right": "bold green", "wrong": "bold", "hint": "italic", "note": "bold", "head": "bold"}
"""Feedback also says right or wrong in words and a glyph."""
CONFIDENT = "Withdraw it? Enter takes the prediction back, Esc keeps it."


class GuideBody(Static, can_focus=True):
    """The rows of a step: scrolled by itself, with a cursor on the options."""

    BINDINGS: ClassVar = [
        Binding("up", "move(-1)", show=False),
        Binding("down", "move(1)", show=False),
        Binding("pageup", "page(-1)", show=False),
        Binding("pagedown", "page(1)", show=False),
        Binding("enter", "enter", show=False),
        Binding("space", "mark", show=False),
        Binding("escape,ctrl+r", "back_out", show=False),
        *(Binding(str(digit), f"digit({digit})", show=False) for digit in range(1, 10)),
    ]

    class Entered(Message):
        """Enter was pressed."""

    class Typed(Message):
        """A digit was pressed that picks no option."""

        def __init__(self, digit: int) -> None:
            super().__init__()
            self.digit = digit

    class BackedOut(Message):
        """Esc was pressed."""

    def __init__(self) -> None:
        super().__init__("", markup=False, id="guide-body")
        self._rows: tuple[Row, ...] = ()
        self._top = 0
        self._options = 0
        self._many = False
        self.takes_digits = 0
        """Digits that mean something here although there are no options; others are tabs."""
        self.at = -1
        """The option under the cursor; below 0 until one is chosen, so that no key too many answers."""
        self.marked: frozenset[int] = frozenset()

    def load(self, page: PanelPage, *, fresh: bool) -> None:
        """Show a page; `fresh` when it is of another step."""
        self._rows, self._options, self._many = page.rows, page.options, page.many
        if fresh:
            self.at, self.marked, self._top = -1, frozenset(), 0
        if page.reveal:
            # The first row of what was said comes into sight, with as much before it as fits.
            self._top = min(page.reveal, max(0, len(self._rows) - self._height))
        self._draw()

    @property
    def picks(self) -> tuple[int, ...]:
        """The options that Enter answers with."""
        if self._many:
            return tuple(sorted(self.marked))
        return (self.at,) if self._options and self.at >= 0 else ()

    @property
    def _height(self) -> int:
        return max(1, self.size.height)

    @property
    def scrolled(self) -> str:
        """What is out of sight, in a word."""
        above, below = self._top > 0, self._top + self._height < len(self._rows)
        keys = "/".join(key for key, there in (("PgUp", above), ("PgDn", below)) if there)
        return f"{keys}: more" if keys else ""

    def on_resize(self) -> None:
        self._draw()

    def on_focus(self) -> None:
        self._draw()

    def on_blur(self) -> None:
        self._draw()

    def _draw(self) -> None:
        self._top = max(0, min(self._top, len(self._rows) - self._height))
        text = Text(no_wrap=True, overflow="crop")
        for row in self._rows[self._top : self._top + self._height]:
            text.append_text(self._line(row))
            text.append("\n")
        self.update(text, layout=False)
        self.post_message(self.Scrolled())

    class Scrolled(Message):
        """Other rows are in sight."""

    def _line(self, row: Row) -> Text:
        style = STYLES.get(row.style, "")
        if row.option is None or not self._options:
            return Text(row.text, style=style)
        here = row.option == self.at
        first = row.text[:4].strip().rstrip(".").isdigit()
        mark = (">" if here else " ") if first else " "
        box = ("[x]" if row.option in self.marked else "[ ]") if self._many and first else ""
        box = box or ("   " if self._many else "")
        return Text(f"{mark}{box}{row.text}", style="reverse" if here and self.has_focus else style)

    # What the person does ------------------------------------------------------------------------

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """A digit that means nothing here is a tab's."""
        if action == "digit":
            return int(str(parameters[0])) <= (self._options or self.takes_digits)
        return True

    def action_move(self, by: int) -> None:
        """The option before or after, or scrolling where there are none."""
        if self._options:
            self.at = max(0, min(self.at + by, self._options - 1))
            rows = [place for place, row in enumerate(self._rows) if row.option == self.at]
            if rows:
                self._top = min(self._top, rows[0])
                self._top = max(self._top, rows[-1] - self._height + 1)
        else:
            self._top += by
        self._draw()

    def action_page(self, by: int) -> None:
        """Scroll nearly a whole page."""
        self._top += by * max(1, self._height - 1)
        self._draw()

    def action_digit(self, digit: int) -> None:
        """Choose or mark an option by its number."""
        if not self._options:
            self.post_message(self.Typed(digit))
            return
        self.action_move(digit - 1 - self.at)
        if self._many:
            self.action_mark()

    def action_mark(self) -> None:
        """Mark the option under the cursor, or take the mark away."""
        if self._many and self._options and self.at >= 0:
            self.marked ^= {self.at}
            self._draw()

    def action_enter(self) -> None:
        """Answer, or go on."""
        self.post_message(self.Entered())

    def action_back_out(self) -> None:
        """Leave a question of the panel's own."""
        self.post_message(self.BackedOut())


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
        Binding("tab,shift+tab", "app.into_page", show=False),
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
        if attempt.said.tone is Tone.WRONG:
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
        return self._page.prompt if self._page else ""

    @on(GuideBody.Scrolled)
    def _show_head(self) -> None:
        if self._page is None:
            return
        width = max(20, self.app.size.width - 2)
        right = "  ".join(filter(None, [self._body.scrolled, "F8 larger" if width > 70 else ""]))
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
        step, state = attempt.session.step, attempt.session.state
        if state.done or attempt.session.free:
            return attempt.session.free
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
            self._do(Reflected(event.value))
        elif isinstance(step, Numeric):
            self._do(Predicted(event.value) if isinstance(step, Predict) else Answered(event.value))

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
