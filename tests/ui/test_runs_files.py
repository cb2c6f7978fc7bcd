"""Study files in the app: opened, kept while typing, changed by others, not writable, and brought back."""

from __future__ import annotations

import os
from pathlib import Path

from textual.widgets import Input

from tests.ui.runs import message, on_tab, opened, row, start_with, study, type_run, until, words
from tests.ui.screens import curves, lines, start, text
from tui.files import drafts
from tui.model.study import Run
from tui.tabs.open_screen import NameScreen, OpenScreen
from tui.tabs.text_screen import TextScreen
from tui.workspace import Status

STUDY = """\
# measured on the old cluster
format = 1
title = "two counts"

[[experiment]]
family = "strong"
name = "loop"
counts = "GPU"

  [[experiment.run]]
  devices = 8
  times_s = [40.0]   # first try

  [[experiment.run]]
  devices = 16
  times_s = [22.5]
"""


def written(folder: Path, name: str = "study.toml", contents: str = STUDY) -> Path:
    """A study on the disk."""
    path = folder / name
    path.write_text(contents, encoding="utf-8")
    return path


async def test_a_study_opens_on_the_tab_of_its_family_and_an_edit_keeps_what_was_written(
    tmp_path: Path,
) -> None:
    path = written(tmp_path)
    app = start_with(path)
    async with app.run_test(size=(80, 23)) as pilot:
        await opened(pilot)
        assert row(app, "16")[2] == "0.889"
        assert f"Opened two counts: {path}" in message(app)
        await pilot.press("a")
        await type_run(pilot, "32", "12.5")
        await until(pilot, "Saved.")
    after = path.read_text(encoding="utf-8")
    assert after.startswith(STUDY)
    assert "devices = 32" in after


async def test_faults_of_a_file_are_all_listed_with_their_lines_and_nothing_is_opened(tmp_path: Path) -> None:
    faulty = STUDY.replace("[40.0]", '"40"').replace('family = "strong"', 'family = "strnog"')
    app = start_with(written(tmp_path, contents=faulty))
    async with app.run_test(size=(80, 23)) as pilot:
        await until(pilot, lambda: isinstance(app.screen, TextScreen))
        await until(pilot, "no study yet")
        assert "line 6" in text(app)
        assert "line 12" in text(app)
        await pilot.press("q")
        assert app.study is None or study(app).experiment == ()


async def test_recent_studies_are_offered_and_opened_with_ctrl_o(tmp_path: Path) -> None:
    path = written(tmp_path)
    first = start_with(path)
    async with first.run_test(size=(80, 23)) as pilot:
        await opened(pilot)
        await pilot.press("ctrl+q")
    app = start()
    async with app.run_test(size=(80, 23)) as pilot:
        await on_tab(pilot)
        await until(pilot, "Your last table: ctrl+o, then Enter.")
        assert "two counts" in text(app)
        await pilot.press("ctrl+o")
        await until(pilot, lambda: isinstance(app.screen, OpenScreen))
        await pilot.press(*"nothing.toml", "enter")
        await until(pilot, "nothing.toml is no file here")
        await pilot.press("ctrl+u", "enter")
        await until(pilot, lambda: words(app, "16"))
        await pilot.press("ctrl+o")
        await until(pilot, "a new study, empty")
        await pilot.press("down", "enter")
        await until(pilot, lambda: study(app).experiment == ())


async def test_a_scratch_study_gets_its_file_with_the_first_run_and_is_found_again(state: Path) -> None:
    app = start()
    async with app.run_test(size=(80, 23)) as pilot:
        await on_tab(pilot)
        assert not (state / "studies").exists()
        await pilot.press("a")
        await type_run(pilot, "8", "40")
        await until(pilot, "Saved.")
        (file,) = (state / "studies").iterdir()
        assert "devices = 8" in file.read_text()
        assert file.stat().st_mode & 0o077 == 0


async def test_a_half_typed_line_is_kept_when_a_field_is_left_and_offered_back(
    tmp_path: Path, state: Path
) -> None:
    path = written(tmp_path)
    first = start_with(path)
    async with first.run_test(size=(80, 23)) as pilot:
        await opened(pilot)
        await pilot.press("a", *"32", "tab", *"12.5 12.", "tab", *"oom")
        await until(pilot, lambda: list((state / "drafts").glob("*.json")))
        first._studies.close()
        (kept,) = (state / "drafts").glob("*.json")
        lost = kept.with_name(kept.name.replace(str(os.getpid()), "999999999"))
        kept.rename(lost)  # as if another program had been killed now
        assert drafts.left_behind(state / "drafts", path)[0].fields == {
            "devices": "32",
            "times_s": "12.5 12.",
        }
    second = start_with(path)
    async with second.run_test(size=(80, 23)) as pilot:
        await opened(pilot)
        await until(pilot, "typed and not committed")
        assert len(study(second).experiment[0].run) == 2
        await pilot.press("tab", *"6", "enter")
        await until(pilot, "Saved.")
        assert study(second).experiment[0].run[-1] == Run(32, (12.5, 12.6))
        second._studies.close()
        assert list((state / "drafts").iterdir()) == []


async def test_a_line_given_up_is_not_offered_again(tmp_path: Path, state: Path) -> None:
    app = start_with(written(tmp_path))
    async with app.run_test(size=(80, 23)) as pilot:
        await opened(pilot)
        await pilot.press("a", *"32", "tab")
        await until(pilot, lambda: list((state / "drafts").glob("*.json")))
        await pilot.press("ctrl+r")
        app._studies.close()
        assert list((state / "drafts").iterdir()) == []
        assert app.page.query_one(".field-devices").value == ""


async def test_a_file_changed_by_another_program_is_not_overwritten_but_reloaded_or_copied(
    tmp_path: Path, state: Path
) -> None:
    path = written(tmp_path)
    app = start_with(path)
    async with app.run_test(size=(80, 23)) as pilot:
        await opened(pilot)
        theirs = STUDY.replace("22.5", "21.0")
        path.write_text(theirs, encoding="utf-8")
        await pilot.press("a")
        await type_run(pilot, "32", "12.5")
        await until(pilot, "^L reloads it, ^N saves yours as a copy.")
        assert path.read_text(encoding="utf-8") == theirs
        assert "Not saved yet" in message(app)
        assert words(app, "32")
        # What is only in memory can still be lost with the program: its line stays kept.
        assert list((state / "drafts").glob("*.json"))
        await pilot.press("ctrl+n")
        await until(pilot, lambda: isinstance(app.screen, NameScreen))
        field = app.screen.query_one("#path", Input)
        field.value = f"{tmp_path}/no folder/copy.toml"
        await pilot.press("enter", "d")  # a key too many is typed into the name, and does nothing else
        await until(pilot, "there is no folder")
        assert isinstance(app.screen, NameScreen)
        assert "no folder/copy" in field.value
        assert "d" in field.value.removeprefix(f"{tmp_path}/no folder/")
        assert not any(run.withdrawn for run in study(app).experiment[0].run)
        field.value = f"{tmp_path}/study-copy.toml"
        await pilot.press("enter")
        await until(pilot, "Saved as")
        await until(pilot, lambda: not list((state / "drafts").glob("*.json")))
        copy = tmp_path / "study-copy.toml"
        assert "devices = 32" in copy.read_text(encoding="utf-8")
        assert "^L reloads" not in text(app)
        assert path.read_text(encoding="utf-8") == theirs


async def test_reloading_takes_the_file_and_undo_brings_back_what_was_here(tmp_path: Path) -> None:
    path = written(tmp_path)
    app = start_with(path)
    async with app.run_test(size=(80, 23)) as pilot:
        await opened(pilot)
        path.write_text(STUDY.replace("22.5", "21.0"), encoding="utf-8")
        await pilot.press("a")
        await type_run(pilot, "32", "12.5")
        await until(pilot, "^L reloads")
        await pilot.press("ctrl+l")
        await until(pilot, lambda: words(app, "16") and row(app, "16")[1] == "21")
        assert not words(app, "32")
        await pilot.press("escape", "u")
        await until(pilot, lambda: words(app, "32"))
        assert row(app, "16")[1] == "22.5"


async def test_what_cannot_be_written_is_kept_and_goes_to_disk_on_another_try(
    tmp_path: Path, state: Path
) -> None:
    folder = tmp_path / "away"
    folder.mkdir()
    path = written(folder)
    app = start_with(path)
    async with app.run_test(size=(80, 23)) as pilot:
        await opened(pilot)
        folder.rename(tmp_path / "elsewhere")
        await pilot.press("a")
        await type_run(pilot, "32", "12.5")
        await until(pilot, "^N saves")
        assert words(app, "32")
        (kept,) = (state / "studies").glob("*-kept.toml")
        assert kept.name in text(app).replace("\n", "").replace(" ", "")
        await pilot.press("ctrl+q")
        await until(pilot, "Leaving leaves the last changes in")
        (tmp_path / "elsewhere").rename(folder)
        await pilot.press("ctrl+l")
        await until(pilot, lambda: isinstance(app.study_status, Status) and app.study_status.saved)
        assert "devices = 32" in path.read_text(encoding="utf-8")
        assert "Leaving" not in text(app)
        assert not kept.exists()


async def test_every_key_of_the_banners_is_in_the_palette() -> None:
    app = start()
    async with app.run_test(size=(80, 23)) as pilot:
        await curves(pilot)
        titles = [command.title for command in app.get_system_commands(app.screen)]
        for title in ("open (^o)", "new name (^n)", "load again (^l)"):
            assert title in titles
        assert lines(app)[0].startswith(" 1 Roofline")
