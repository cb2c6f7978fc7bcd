"""An app whose keys and palette come from the one table of commands."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import ClassVar

from textual.app import SystemCommand
from textual.binding import Binding, BindingType
from textual.screen import Screen

from tui.commands import COMMANDS, Command, find
from tui.widgets.typeahead import KeysInOrder


class Commanded(KeysInOrder):
    """Binds every command's keys to `action_run_command`, which the app itself defines."""

    COMMAND_PALETTE_BINDING = "ctrl+p"
    BINDINGS: ClassVar[list[BindingType]] = [
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

    def offers(self, command: Command) -> bool:
        """Whether a command can be given now."""
        return not command.tabs

    def action_run_command(self, command_id: str) -> None:
        """Do what a command says."""

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Commands of another tab do nothing and are not in the palette."""
        if action != "run_command" or not self.is_running:
            return True
        return self.offers(find(str(parameters[0])))

    def get_system_commands(self, screen: Screen[object]) -> Iterable[SystemCommand]:
        for command in COMMANDS:
            if command.id != "palette" and self.offers(command):
                title = f"{command.label} ({command.shown_keys})"
                yield SystemCommand(title, command.help, partial(self.action_run_command, command.id))
