"""A published table typed into a real terminal, and the program killed while runs are typed."""

from __future__ import annotations

import re
import signal
from pathlib import Path

import pytest

from tests.published import PAWSEY
from tests.terminal.harness import Session
from tests.terminal.lab import opened
from tui.files.study import read

pytestmark = pytest.mark.terminal

TO_STRONG = ("\x07", "\x1b[C", "enter")


def on_the_strong_tab(session: Session) -> Session:
    """From the lab to the empty table."""
    opened(session).send(TO_STRONG[0]).send(TO_STRONG[1]).wait_for("No runs here yet")
    return session.send(TO_STRONG[2]).wait_for("Press a to type a run")


def shown(session: Session, cores: str) -> list[str]:
    """T, E, S and cost of one row on the screen; empty when it is not there."""
    found = re.compile(rf"\s{cores}  +(\S+)  +(\S+)  +(\S+)  +(\S+)(\s|$)")
    for line in session.screen:
        match = found.search(line)
        if match and line[:1] in (" ", ">"):
            return list(match.groups()[:4])
    return []


def on_disk(home: Path) -> list[tuple[int, list[float]]]:
    """The runs in the only study of the state folder."""
    (file,) = (home / "state" / "rooflab" / "studies").glob("*.toml")
    document, _ = read(file)
    (experiment,) = document.study.experiment
    return [(run.devices, list(run.times_s)) for run in experiment.run]


def test_a_published_table_typed_in_by_keys(start, tmp_path):
    session = on_the_strong_tab(start())
    session.send("a")
    for cores, seconds, *_ in PAWSEY:
        session.send(f"{cores}\t{seconds}\r")
    session.wait_for(lambda s: all(shown(s, cores)[1:] == row for cores, _, *row in PAWSEY))
    session.wait_for("Saved.")
    assert on_disk(tmp_path) == [(int(cores), [float(seconds)]) for cores, seconds, *_ in PAWSEY]


def test_what_was_called_saved_survives_a_kill_and_the_line_being_typed_comes_back(start, tmp_path):
    session = on_the_strong_tab(start())
    session.send("a", "24\t2876.22\r").wait_for("Added 24 devices, 2876 s. Saved.")
    session.send("48\t1488.54\t").wait_for(lambda s: "48       1488.54" in s.text)
    drafts = tmp_path / "state" / "rooflab" / "drafts"
    session.wait_for(lambda s: any("1488.54" in file.read_text() for file in drafts.glob("*.json")))
    session.send("sto").signal(signal.SIGKILL)
    session.wait()
    assert on_disk(tmp_path) == [(24, [2876.22])]

    (file,) = (tmp_path / "state" / "rooflab" / "studies").glob("*.toml")
    again = start(str(file)).wait_for("typed and not committed").wait_for("48       1488.54")
    again.send("enter").wait_for("Added 48 devices, 1489 s. Saved.")
    assert on_disk(tmp_path) == [(24, [2876.22]), (48, [1488.54])]


def test_a_program_killed_at_once_lost_no_run_that_it_called_saved(start, tmp_path):
    session = on_the_strong_tab(start())
    session.send("a")
    for cores, seconds, *_ in PAWSEY[:4]:
        session.send(f"{cores}\t{seconds}\r")
    session.wait_for(lambda s: re.search(r"Added (\d+) devices, .* s\. Saved\.", s.text))
    saved = int(re.search(r"Added (\d+) devices, .* s\. Saved\.", session.text)[1])
    session.signal(signal.SIGKILL)
    session.wait()
    counts = [devices for devices, _ in on_disk(tmp_path)]
    typed = [int(cores) for cores, *_ in PAWSEY[:4]]
    assert counts == typed[: len(counts)]
    assert saved in counts
