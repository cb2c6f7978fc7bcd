"""The Textual app: wiring only. Events are folded into their owner here, and tabs watch the owner."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable
from functools import partial
from importlib import import_module
from typing import ClassVar

from textual import on
from textual.app import ComposeResult, SystemCommand
from textual.binding import Binding
from textual.events import Resize
from textual.filter import LineFilter
from textual.reactive import reactive
from textual.screen import Screen
from textual.widgets import ContentSwitcher, Static, Tab, Tabs

from tui.commands import COMMANDS, TABS, find
from tui.files.writer import Writer
from tui.guide.lab_session import DONE, HANGUP, LabSession
from tui.model.trial import Lab, apply, replay
from tui.tabs.base import TabPage
from tui.tabs.help_screen import HelpScreen
from tui.tabs.roofline import RooflineTab
from tui.tabs.waiting import WaitingTab
from tui.terminal.ascii_filter import AsciiFilter
from tui.terminal.detect import Terminal
from tui.terminal.guard import Guard
from tui.widgets.did import Did
from tui.widgets.lines import KeyBar
from tui.widgets.plot_view import PlotView
from tui.widgets.typeahead import KeysInOrder

SMALLEST = (60, 20)
"""Columns and rows below which one sentence stands in place of the instrument."""
NARROW_TABS_BELOW = 70


class RooflabApp(KeysInOrder):
    """The instrument on the screen."""

    TITLE = "rooflab"
    CSS_PATH = "app.tcss"
    COMMAND_PALETTE_BINDING = "ctrl+p"
    BINDINGS: ClassVar = [
        Binding(
            ",".join(command.keys),
            f"run_command('{command.id}')",
            command.label,
            show=False,
            # Leaving must work wherever the focus is, dialogs included.
            priority=command.id == "quit",
        )
        for command in COMMANDS
        if command.id != "palette"
    ]

    lab: reactive[Lab] = reactive(Lab, init=False)
    """The roofline lab as it is now; only `on_did` changes it."""

    def __init__(self, *, terminal: Terminal, now: Callable[[], float] = time.monotonic) -> None:
        # Native ANSI colours from the start: they follow the terminal's own palette, light or dark, and
        # under NO_COLOR Textual then removes them altogether instead of turning them grey on grey.
        super().__init__(ansi_color=True)
        self.HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (80, "-normal"), (110, "-wide")]
        self.VERTICAL_BREAKPOINTS = [(0, "-short"), (30, "-tall")]
        self.theme = "ansi-dark"
        self._now = now
        self._ascii = terminal.glyphs == "ascii"
        self._ascii_filter = AsciiFilter()
        self._writer = Writer()
        self._session = LabSession(self._writer, self._cannot_store)
        self._guard = Guard(self._line_lost)

    # Screen --------------------------------------------------------------------------------------

    def compose(self) -> ComposeResult:
        yield Tabs(*(Tab(f"{n} {label}", id=tab) for n, (tab, label, _) in enumerate(TABS, 1)), id="tabs")
        yield Static("", markup=False, id="trouble")
        with ContentSwitcher(initial="roofline", id="pages"):
            yield RooflineTab(self._now)
        yield Static("", markup=False, id="too-small")
        yield KeyBar()

    def on_mount(self) -> None:
        self._guard.start()
        self.query_one(KeyBar).show_tab("roofline")
        events = self._session.resume()
        if events:
            self.lab = replay(events)
            self.query_one(RooflineTab).fill_fields(self.lab)
        self.page.focus_first()
        if self.lab.trials:
            count = len(self.lab.trials)
            trials = "1 trial" if count == 1 else f"{count} trials"
            self.page.say(f"Brought back {trials}: the last session was cut off. F7 Reset goes on.")
        self.call_after_refresh(self._load_in_background)

    def get_line_filters(self) -> list[LineFilter]:
        filters = list(super().get_line_filters())
        return [*filters, self._ascii_filter] if self._ascii else filters

    @property
    def page(self) -> TabPage:
        """The tab page in front."""
        pages = self.query_one("#pages", ContentSwitcher)
        return pages.get_child_by_id(pages.current or "roofline", TabPage)

    @on(Tabs.TabActivated)
    async def _show_page(self, event: Tabs.TabActivated) -> None:
        pages = self.query_one("#pages", ContentSwitcher)
        tab = event.tab.id or "roofline"
        if tab == pages.current:
            return
        if not pages.query(f"#{tab}"):
            await pages.add_content(WaitingTab(tab))
        pages.current = tab
        if not isinstance(self.focused, Tabs):
            self.page.focus_first()
        self.query_one(KeyBar).show_tab(tab)

    def on_resize(self, event: Resize) -> None:
        width, height = event.size
        narrow = width < NARROW_TABS_BELOW
        for number, (tab, label, short) in enumerate(TABS, start=1):
            self.query_one(f"#tabs #{tab}", Tab).label = f"{number} {short if narrow else label}"
        small = width < SMALLEST[0] or height < SMALLEST[1]
        self.screen_stack[0].set_class(small, "-too-small")
        self.query_one("#too-small", Static).update(
            f"This window is {width}x{height}; rooflab needs {SMALLEST[0]}x{SMALLEST[1]}."
            " Make it larger (nothing is lost), or ctrl+q quits."
        )

    # Events --------------------------------------------------------------------------------------

    @on(Did)
    def _fold(self, message: Did) -> None:
        self._session.record(message.event)
        self.lab = apply(self.lab, message.event)

    # Commands ------------------------------------------------------------------------------------

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Commands of another tab do nothing and are not in the palette."""
        if action != "run_command" or not self.is_running:
            return True
        command = find(str(parameters[0]))
        return not command.tabs or self.query_one("#pages", ContentSwitcher).current in command.tabs

    def action_run_command(self, command_id: str) -> None:
        if command_id.startswith("tab-"):
            self.query_one("#tabs", Tabs).active = command_id.removeprefix("tab-")
        elif command_id in self._own_commands:
            self._own_commands[command_id](self)
        else:
            self.page.run_command(command_id)

    def get_system_commands(self, screen: Screen[object]) -> Iterable[SystemCommand]:
        for command in COMMANDS:
            if command.id != "palette" and self.check_action("run_command", (command.id,)):
                title = f"{command.label} ({command.shown_keys})"
                yield SystemCommand(title, command.help, partial(self.action_run_command, command.id))

    def _leave(self) -> None:
        self._stop(DONE)
        self.exit()

    def _help(self) -> None:
        pages = self.query_one("#pages", ContentSwitcher)
        self.push_screen(HelpScreen(pages.current or "", self.page.HELP_TEXT))

    def _swap_glyphs(self) -> None:
        self._ascii = not self._ascii
        self.refresh_css(animate=False)
        for widget in self.screen.walk_children():
            widget.refresh()

    def _focus_tabs(self) -> None:
        self.query_one("#tabs", Tabs).focus()

    _own_commands: ClassVar[dict[str, Callable[[RooflabApp], object]]] = {
        "quit": _leave,
        "help": _help,
        "glyphs": _swap_glyphs,
        "tabs": _focus_tabs,
        "suspend": KeysInOrder.action_suspend_process,
    }

    # Storing and leaving -------------------------------------------------------------------------

    def _stop(self, reason: str) -> None:
        self._guard.stop()
        self._session.end(reason)
        self._writer.close(timeout=2.0)

    def _line_lost(self, status: int) -> None:
        """The terminal went away or somebody ended the program: keep the trials for the next start."""
        self._stop(HANGUP)
        self.exit(return_code=status)

    def _cannot_store(self, error: Exception) -> None:
        # Called on the writer's thread; after the loop has ended there is no screen left to say it on.
        if self.is_running:
            self.call_later(self._show_trouble, error)

    def _show_trouble(self, error: Exception) -> None:
        reason = getattr(error, "strerror", None) or str(error)
        banner = self.query_one("#trouble", Static)
        banner.update(f"Trials are kept only until you quit, they cannot be stored: {reason}.")
        banner.display = True

    def _load_in_background(self) -> None:
        # plotext and numpy take 120 to 210 ms on the event loop, where they would hold up a key.
        threading.Thread(target=self._load, name="rooflab-imports", daemon=True).start()

    def _load(self) -> None:
        from tui.plotting import canvas

        try:
            canvas.load()
        except canvas.CanvasUnavailable as error:
            sentence = str(error)
        else:
            sentence = ""
            import_module("numpy")
        if self.is_running:
            self.call_later(self._curves_ready, sentence)

    def _curves_ready(self, unavailable: str) -> None:
        for plot in self.query(PlotView):
            plot.curves_ready(unavailable)
