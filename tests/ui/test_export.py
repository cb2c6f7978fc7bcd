"""ctrl+s: a report of the open study, what was typed kept until it is written, and no file lost."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.ui.runs import message, on_tab, opened, start_with, type_run, until
from tui import cli
from tui.export_owner import NOTHING


async def test_a_bad_folder_keeps_what_was_typed_and_the_report_is_that_of_the_command(
    exercises: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(exercises.parent)
    app = start_with(exercises)
    async with app.run_test(size=(80, 23)) as pilot:
        await opened(pilot)
        await pilot.press("ctrl+s")
        await until(pilot, str(exercises.with_suffix(".md"))[:40])
        await pilot.press("ctrl+u", *"nosuch/r.md", "enter")
        await until(pilot, "there is no folder")
        assert app.focused is not None
        assert app.focused.value == "nosuch/r.md"
        Path("nosuch").mkdir()
        await pilot.press("enter")
        await until(pilot, lambda: message(app).endswith("r.md: 6 tables and 18 plots."))
    written = Path("nosuch/r.md").read_text(encoding="utf-8")
    words = ["export", str(exercises), "--format", "markdown", "--output", "nosuch/r.md"]
    assert cli.main([*words, "--force"]) == 1
    assert Path("nosuch/r.md").read_text(encoding="utf-8") == written
    assert "┤" in written
    capsys.readouterr()


async def test_a_file_that_is_there_is_asked_about_and_the_kind_changes_its_suffix(
    exercises: Path, tmp_path: Path
) -> None:
    mine = tmp_path / "exercises.csv"
    mine.write_text("mine")
    app = start_with(exercises)
    async with app.run_test(size=(60, 20)) as pilot:
        await opened(pilot)
        await pilot.press("ctrl+s", "down", "down")
        assert app.focused is not None
        assert app.focused.value == str(mine)
        await pilot.press("enter")
        await until(pilot, "is there already")
        assert mine.read_text() == "mine"
        await pilot.press("enter")
        await until(pilot, lambda: "Wrote" in message(app))
        assert mine.read_text().startswith("family,name,")


async def test_a_study_that_its_file_does_not_hold_is_reported_as_such(
    state: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    app = start_with()
    async with app.run_test(size=(80, 23)) as pilot:
        await on_tab(pilot)
        await pilot.press("ctrl+s")
        assert message(app) == NOTHING
        await pilot.press("a")
        await type_run(pilot, "8", "40")
        await until(pilot, "Saved.")
        (file,) = (state / "studies").glob("*.toml")
        file.write_text(file.read_text().replace("40", "41"))
        await pilot.press("ctrl+s")
        await until(pilot, " report.md ")
        await pilot.press("enter")
        await until(pilot, lambda: "Wrote" in message(app))
    written = Path("report.md").read_text(encoding="utf-8")
    assert "T(D0) = 40 s" in written
    assert "it is in no file as it is reported here" in written
    assert "SHA-256" not in written
