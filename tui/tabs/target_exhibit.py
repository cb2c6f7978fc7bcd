"""A target table as a page of runs shows it: what a step gives, beside what the target took."""

from __future__ import annotations

from collections.abc import Iterator, Set
from typing import ClassVar

from tui.model.flags import counted, ratio
from tui.model.quantity import format_number
from tui.model.run_text import printable_words
from tui.model.study import Experiment, Study
from tui.model.target import SUMMARIES, Summary, TargetRow, target_table
from tui.tabs.exhibit import Exhibit
from tui.widgets import target_columns
from tui.widgets.columns import COVER, GLYPHS
from tui.widgets.target_columns import target_view


class TargetExhibit(Exhibit):
    """A target table.

    Args:
        experiment: whose table it is.
        study: its weak-scaling experiments give the weak efficiency of the same pairs.
        summary: over the seeds.
    """

    COVERS: ClassVar[frozenset[str]] = target_columns.COVERS
    SELF_TEST: ClassVar[frozenset[str]] = target_columns.SELF_TEST

    def __init__(self, experiment: Experiment, study: Study, summary: Summary = "median") -> None:
        self.table = target_table(experiment, summary, study)
        self.view = target_view(self.table)

    def heading(self, covered: Set[str]) -> tuple[str, ...]:
        """The summary, D0 and what was withdrawn."""
        table, base = self.table, self.table.base
        parts = [f"{SUMMARIES[table.summary]} (m: another)"]
        if base is None or base.time is None:
            parts.append("no D0: no configuration has a time to the target")
        else:
            hidden = "target" in covered and base.derived
            time = COVER if hidden else format_number(base.time)
            parts.append(f"D0 = {self.title(base)}, {time} s to the target")
        if table.withdrawn:
            parts.append(f"{table.withdrawn} withdrawn, kept in the file")
        return tuple(parts)

    def judgements(self, row: TargetRow | None, covered: Set[str]) -> list[str]:
        """What the row's numbers say together, then its remarks, then those of the experiment."""
        if "flags" in covered:
            return [f"Judgements: {COVER}"]
        said = []
        if row is not None:
            for each in row.remarks:
                said.append(f"{GLYPHS[each.severity]} {_sentence(each.sentence)}")
            together = [f"{GLYPHS['notes']} {COVER}"] if covered else [*self._together(row)]
            said = [*together, *said]
            said += [f"{GLYPHS['notes']} {_sentence(f'withdrawn: {why}')}" for why in _reasons(row)]
        return [*said, *(f"{GLYPHS['notes']} {_sentence(note)}" for note in self.table.general)]

    def title(self, row: TargetRow) -> str:
        """The configuration."""
        label = f" ({printable_words(row.label)})" if row.label else ""
        return f"{counted(row.devices, self.table.counts)}{label}"

    def _together(self, row: TargetRow) -> Iterator[str]:
        """The two efficiencies of the row in one breath, what it cost, and how sure that is."""
        base, glyph = self.table.base, GLYPHS["notes"]
        if base is None or base.device_hours is None or row.speedup is None or row.device_hours is None:
            return
        hours = f"{format_number(row.device_hours)} device-hours"
        if row is base:
            yield f"{glyph} The baseline: {hours} to the target."
            return
        target = ratio(float(row.target_efficiency or 0))
        there = f"the target came {ratio(float(row.speedup))} times as soon"
        devices = f"on {ratio(row.devices / base.devices).rstrip('0').rstrip('.')} times the devices"
        if row.system_efficiency is None or row.inflation is None:
            yield f"{glyph} {there.capitalize()} {devices}: {target} per device."
        else:
            system, inflation = ratio(float(row.system_efficiency)), ratio(float(row.inflation))
            percent = f"{100 * float(row.system_efficiency):.1f} %"
            yield (
                f"{glyph} The steps are {percent} efficient, but per device only {target} to the target: "
                if row.inflation > 1
                else f"{glyph} The steps are {percent} efficient, and per device {target} to the target: "
            ) + (
                f"{there} {devices}, with {inflation} times the work. System efficiency {system} ÷ inflation "
                f"{inflation} = {target}."
            )
        if row.weak_efficiency is not None:
            weak = ratio(row.weak_efficiency)
            yield f"{glyph} The weak table of this study (tab 3) has {weak} for the same pair."
        times = ratio(float(row.device_hours / base.device_hours))
        yield f"{glyph} {hours} against {format_number(base.device_hours)} at D0: {times} times."
        if row.spread is not None and row.spread.low is not None and row.spread.high is not None:
            bounds = f"{ratio(row.spread.low)} to {ratio(row.spread.high)}"
            words = row.spread.words.replace("jobs", "seeds")
            yield f"{glyph} The speedup to the target lies from {bounds} ({words})."


def _sentence(words: str) -> str:
    """A note of the model as a sentence of its own."""
    shown = printable_words(words).rstrip(".")
    return f"{shown[:1].upper()}{shown[1:]}."


def _reasons(row: TargetRow) -> list[str]:
    """Why runs of the row were withdrawn, each reason once."""
    return list(dict.fromkeys(run.withdrawn for run in row.runs if run.withdrawn))
