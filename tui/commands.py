"""One Command per thing a person can do by key: footer, help screen and command palette read this table.

A command with an empty `tabs` works everywhere; the others only on the tabs they name. Every command has
a letter or a ctrl key, because terminals and window managers take function keys for themselves.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Command:
    """An action, its keys and its words."""

    id: str
    """What the app and the tabs call it: `run_command(id)`."""
    keys: tuple[str, ...]
    """Textual key names, the one shown in the footer first."""
    label: str
    """One word or two, for footer and palette."""
    help: str
    """One sentence, for help and palette."""
    tabs: tuple[str, ...] = ()
    footer: bool = False

    @property
    def shown_keys(self) -> str:
        """The keys as help prints them: `F5 or p`."""
        return " or ".join(shown_key(key) for key in self.keys)


def shown_key(key: str) -> str:
    """A key name as people know it, in ASCII: `F5`, `^q`, `u`."""
    if key.startswith("ctrl+"):
        return "^" + key.removeprefix("ctrl+")
    if len(key) > 1 and key[0] == "f" and key[1:].isdigit():
        return key.upper()
    return key


TABS: tuple[tuple[str, str, str], ...] = (
    ("roofline", "Roofline", "Roof"),
    ("strong", "Strong", "Strong"),
    ("weak", "Weak", "Weak"),
    ("limits", "Limits", "Limits"),
    ("target", "Target", "Target"),
    ("exercises", "Exercises", "Exerc."),
)
"""Id, label, and the label where the screen is narrow, of each tab in order."""

LAB = ("roofline",)

COMMANDS: tuple[Command, ...] = (
    Command("quit", ("ctrl+q",), "quit", "Store everything and leave.", footer=True),
    Command("help", ("f1", "question_mark"), "help", "Keys and what this tab is for.", footer=True),
    Command("play", ("f5", "p"), "Play", "Lock inputs and prediction and watch the result.", LAB, True),
    Command("reset", ("f7", "r"), "Reset", "Empty the fields and start the next trial.", LAB, True),
    Command("view", ("v",), "view", "Change between the response over B and the log-log roof.", LAB, True),
    Command("send", ("s",), "send to Strong", "Ask to send the trials to the Strong table.", LAB),
    Command("glyphs", ("f9", "ctrl+t"), "glyphs", "Change between Unicode and plain ASCII characters."),
    Command("tabs", ("ctrl+g",), "tabs", "Move to the tab bar; left and right choose a tab."),
    Command("palette", ("ctrl+p",), "commands", "Search all commands by name."),
    Command("suspend", ("ctrl+z",), "suspend", "Back to the shell for a moment; fg returns."),
    *(
        Command(f"tab-{tab}", (str(number),), f"{label} tab", f"Go to the {label} tab.")
        for number, (tab, label, _) in enumerate(TABS, start=1)
    ),
)


def find(command_id: str) -> Command:
    """The command of that id.

    Raises:
        KeyError: when there is none.
    """
    return _BY_ID[command_id]


_BY_ID = {command.id: command for command in COMMANDS}
