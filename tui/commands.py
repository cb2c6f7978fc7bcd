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
    exercise: bool = False
    """Whether it works only while an exercise is open."""

    @property
    def shown_keys(self) -> str:
        """The keys as help prints them: `F5 or p`."""
        return " or ".join(shown_key(key) for key in self.keys)


def shown_key(key: str) -> str:
    """A key name as people know it, in ASCII: `F5`, `^q`, `u`."""
    if key in _SIGNS:
        return _SIGNS[key]
    if key.startswith("ctrl+"):
        return "^" + key.removeprefix("ctrl+")
    if len(key) > 1 and key[0] == "f" and key[1:].isdigit():
        return key.upper()
    return key


_SIGNS = {"question_mark": "?", "comma": ",", "full_stop": "."}

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
RUNS = ("strong", "weak")
LIMITS = ("limits",)
STEPS = (*RUNS, *LIMITS)
"""Tabs that show the steps of runs."""
TARGET = ("target",)
TABLES = (*RUNS, *TARGET)
STUDY = (*STEPS, *TARGET)
LIST = ("exercises",)
_MENU = "Steps, solution, do it for me, practise, free play, leaving."

COMMANDS: tuple[Command, ...] = (
    Command("quit", ("ctrl+q",), "quit", "Leave; studies stay stored, the lab starts empty.", footer=True),
    Command("help", ("f1", "question_mark"), "help", "Keys and what this tab is for.", footer=True),
    Command("play", ("f5", "p"), "Play", "Lock inputs and prediction and watch the result.", LAB, True),
    Command("reset", ("f7", "r"), "Reset", "Empty the fields and start the next trial.", LAB, True),
    Command("add", ("a",), "add", "Type a new run into the edit line.", STUDY, True),
    Command("view", ("v",), "view", "The next view of the plot, or page.", (*LAB, *STEPS), True),
    Command("undo", ("u",), "undo", "Take the last change of the study back.", STUDY, True),
    Command("redo", ("U",), "redo", "Do again what was undone.", STUDY),
    Command("summary", ("m",), "summary", "Median, mean or olympic mean over the seeds.", TARGET, True),
    Command("baseline", ("b",), "D0", "Make this count the baseline D0; again: the default.", TABLES, True),
    Command("withdraw", ("d",), "withdraw", "Withdraw a run for a reason; the file keeps it.", TABLES, True),
    Command("cause", ("c",), "cause", "Write why an efficiency is above one.", RUNS, True),
    Command("declare", ("w",), "work", "Say what W is, what T means, and what machine it was.", TABLES, True),
    Command("experiments", ("e",), "experiments", "Another experiment, or a new one.", STUDY, True),
    Command("flags", ("f",), "flags", "Everything that is to be said of this row.", TABLES, True),
    Command("cover", ("h",), "cover", "Cover S, E and cost for a self-test, and uncover them.", TABLES),
    Command("losses", ("l",), "losses", "Where the time of this row, or of two counts, went.", STEPS),
    Command("revert", ("ctrl+r",), "revert", "Give up what was typed into the edit line.", STUDY),
    Command("stage", ("n",), "stage", "A new stage: its law, and what it comes after.", LIMITS, True),
    Command("law", ("g",), "law", "The next law for this stage.", LIMITS),
    Command("predict", ("p",), "predict", "The step at another count.", LIMITS, True),
    Command("lock", ("k",), "lock", "Lock the prediction, before its run is entered.", LIMITS, True),
    Command("drop-stage", ("x",), "remove", "Take this stage out, with its seconds.", LIMITS, True),
    Command("view-back", ("V",), "page before", "The page before this one.", LIMITS),
    Command("exercise-menu", ("f2", "o"), "menu", _MENU, footer=True, exercise=True),
    Command("reveal", ("f5", "y"), "Play", "Show what the exercise hides until now.", STUDY, True, True),
    Command("hint", ("f6", "i"), "hint", "The next hint for this step.", footer=True, exercise=True),
    Command("panel", ("f8", "z"), "panel", "The guide over the whole screen.", footer=True, exercise=True),
    Command("back", ("f3", "comma"), "back", "Read the step before again.", footer=True, exercise=True),
    Command("forward", ("f4", "full_stop"), "forward", "The next step.", footer=True, exercise=True),
    Command("start-again", ("n",), "start again", "Start it again; the old session is kept.", LIST, True),
    Command("sessions", ("s",), "sessions", "All sessions of this exercise.", LIST, True),
    Command("send", ("s",), "send to Strong", "Ask to send the trials to the Strong table.", LAB),
    Command("open", ("ctrl+o",), "open", "Open a study, or take in the runs of a table or a log."),
    Command("save-as", ("ctrl+n",), "new name", "Save the study under another name and go on there."),
    Command("export", ("ctrl+s",), "export", "Write a report of the study: Markdown with its plots, or CSV."),
    Command("again", ("ctrl+l",), "load again", "Read the study's file again, or try again to write it."),
    Command("glyphs", ("f9", "ctrl+t"), "glyphs", "Change between Unicode and plain ASCII characters."),
    Command("tabs", ("ctrl+g",), "tabs", "Move to the tab bar; left and right choose a tab.", footer=True),
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
