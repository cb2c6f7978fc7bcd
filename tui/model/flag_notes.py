"""What to know beside a row, and what is to be said of a table as a whole."""

from __future__ import annotations

from collections.abc import Sequence
from math import isinf

from tui.model.comparison import Comparison, Rule, Setting
from tui.model.flag_rules import SAME, WORK_SLACK
from tui.model.flag_warnings import NOISE, above_one, explained, within_spread
from tui.model.flags import Flag, amount, counted, ratio, seconds
from tui.model.rows import Baseline, Row
from tui.model.samples import counts_nodes, global_batch
from tui.model.seeds import medians_to_target
from tui.model.spread import JOBS_FOR_INTERVAL
from tui.model.study import Run

SILENT_SLACK = 0.01
"""How far W/D of a weak row may lie from the baseline's without a word."""


def one_job(about: Comparison) -> str | None:
    """A ratio with a single job on one side has no spread."""
    row = about.row
    if row is None or row.efficiency is None or row.spread is None or row.spread.jobs != 1:
        return None
    side = "" if row.jobs == 1 else " at the baseline"
    return f"No interval{side}: {row.spread.words}."


def few_jobs(about: Comparison) -> str | None:
    """Too few jobs for a percentage."""
    row = about.row
    if row is None or row.efficiency is None or row.spread is None:
        return None
    bounds = row.spread
    if not 1 < bounds.jobs < JOBS_FOR_INTERVAL or bounds.low is None or bounds.high is None:
        return None
    return (
        f"{bounds.jobs} jobs: the efficiency ranges from {ratio(bounds.low)} to {ratio(bounds.high)}; an "
        f"interval with a percentage needs {JOBS_FOR_INTERVAL} jobs on each side."
    )


def above_one_within_spread(about: Comparison) -> str | None:
    """E above one, but 1 lies within its spread."""
    row = about.row
    if row is None or row.efficiency is None or row.spread is None or not above_one(about):
        return None
    if explained(about) or not within_spread(row):
        return None
    return f"Efficiency {ratio(row.efficiency)} is above one within its spread: {row.spread.words}."


def above_one_explained(about: Comparison) -> str | None:
    """E above one, with its cause."""
    row, sample = about.row, about.here.sample
    if row is None or row.efficiency is None or not above_one(about) or not explained(about):
        return None
    written = "Cause written"
    if 0 < len(sample.caused) < len(sample.jobs):
        written += f" with {len(sample.caused)} of {counted(len(sample.jobs), 'job')}"
    return f"Efficiency {ratio(row.efficiency)} is above one. {written}: {sample.cause}."


def jobs_not_completed(about: Comparison) -> str | None:
    """Jobs of a timed row that gave no time: T is that of the others."""
    sample = about.here.sample
    ended = [run.status for run in sample.counted if run.status != "completed"]
    if not sample.jobs or not ended:
        return None
    of_jobs = f"{len(ended)} of {len(ended) + len(sample.jobs)} jobs"
    how = ", ".join(sorted({status.replace("-", " ") for status in ended}))
    where = about.setting.counted(sample.devices)
    return f"{of_jobs} at {where} did not complete: {how}. T is of the others."


def cost_of_mean(about: Comparison) -> str | None:
    """The mean, which is paid for, is far from the median, which is T."""
    time, mean = about.here.sample.time, about.here.sample.mean_time
    if about.here.costed is None or not time or not mean or abs(mean / time - 1) <= NOISE:
        return None
    ratios = "E" if about.setting.family != "model-size" else "T"
    why = (
        "a slow job or step is paid for and hardly moves the median"
        if mean > time
        else "some jobs or steps were far faster"
    )
    return f"Cost uses the mean {seconds(mean)}, {ratios} the median {seconds(time)}: {why}."


def batch_grows(about: Comparison) -> str | None:
    """Weak scaling: a larger global batch is another optimization."""
    if about.base is None:
        return None
    experiment = about.setting.experiment
    here, base = global_batch(about.here.run, experiment), global_batch(about.base.run, experiment)
    if here is None or base is None or here <= base:
        return None
    grows = f"he global batch grows from {base} to {here}: the optimization takes another path"
    measured = _to_target(about)
    if measured:
        return f"{measured}; t{grows}."
    return f"T{grows}, so this is no promise of the same quality sooner."


def batch_unknown(about: Comparison) -> str | None:
    """The global batch is written on one side only, so nobody can see whether it is the same."""
    if about.base is None or about.is_baseline:
        return None
    experiment = about.setting.experiment
    here, base = global_batch(about.here.run, experiment), global_batch(about.base.run, experiment)
    if (here is None) == (base is None):
        return None
    sides = f"{here} here and not written" if base is None else f"not written here and {base}"
    return (
        f"The global batch is {sides} at the baseline: that both did the same work cannot be checked. "
        "Enter it for all."
    )


def _to_target(about: Comparison) -> str:
    """The measured speedup to the quality target of the same pair of rows, where the study has it.

    It comes first in its sentence, so that it is never what a small screen cuts off.
    """
    found = medians_to_target(about.setting.targets, about.base.run, about.here.run) if about.base else None
    if found is None or about.base is None:
        return ""
    base, here, experiment = found
    if isinf(base):
        return ""
    if isinf(here):
        return f"In this study ({experiment.name}) it did not reach the target"
    speedup = base / here
    per_device = speedup * about.base.sample.devices / about.here.sample.devices
    return f"Speedup to the target ({experiment.name}): {ratio(speedup)}, {ratio(per_device)} per device"


def layout_differs(about: Comparison) -> str | None:
    """The row lay otherwise on the machine than the baseline; more of the same is no difference."""
    if about.base is None or about.is_baseline:
        return None
    here, base = _shape(about, about.here.run), _shape(about, about.base.run)
    changes = [
        f"{name} {amount(base[name])} → {amount(value)}"
        for name, value in here.items()
        if name in base and value != base[name]
    ]
    return f"Layout against the baseline: {', '.join(changes)}." if changes else None


def _shape(about: Comparison, run: Run) -> dict[str, float]:
    """What of a layout does not grow with the count by itself."""
    names = ("threads_per_rank", "tp", "pp", "cp", "ep", "vpp")
    shape = {name.replace("_", " "): float(getattr(run, name)) for name in names if getattr(run, name)}
    unit = about.setting.of
    if run.nodes and not counts_nodes(about.setting.experiment):
        shape[f"{unit} per node"] = run.devices / run.nodes
    if run.ranks:
        shape[f"ranks per {unit}"] = run.ranks / run.devices
    return shape


def work_differs_slightly(about: Comparison) -> str | None:
    """Weak scaling: W/D is 1 to 5 % off the baseline's."""
    if about.base is None or about.here.work is None or about.base.work is None:
        return None
    here = about.here.work.amount / about.here.sample.devices
    base = about.base.work.amount / about.base.sample.devices
    off = here / base - 1 if base else 0.0
    if not SILENT_SLACK + SAME < abs(off) <= WORK_SLACK + SAME:
        return None
    return (
        f"W per {about.setting.of} is {amount(here)} here and {amount(base)} at the baseline "
        f"({100 * off:+.1f} %): the efficiency counts work done, not time alone."
    )


def withdrawn(about: Comparison) -> str | None:
    """Runs that no longer count, with their reasons."""
    runs = about.here.sample.withdrawn
    if not runs:
        return None
    reasons = "; ".join(dict.fromkeys(run.withdrawn for run in runs))
    return f"{len(runs)} run{'s' if len(runs) > 1 else ''} withdrawn and not in T: {reasons}."


RULES = (
    Rule("jobs-not-completed", jobs_not_completed),
    Rule("one-job", one_job, ("strong", "weak")),
    Rule("few-jobs", few_jobs, ("strong", "weak")),
    Rule("above-one-within-spread", above_one_within_spread, ("strong", "weak")),
    Rule("above-one-explained", above_one_explained, ("strong", "weak")),
    Rule("cost-of-mean", cost_of_mean),
    Rule("batch-grows", batch_grows, ("weak", "model-size")),
    Rule("batch-unknown", batch_unknown, ("strong", "weak")),
    Rule("layout-differs", layout_differs),
    Rule("work-differs-slightly", work_differs_slightly, ("weak",)),
    Rule("withdrawn", withdrawn),
)


def of_table(rows: Sequence[Row], baseline: Baseline | None, setting: Setting) -> tuple[Flag, ...]:
    """What is to be said of the table as a whole."""
    flags: list[Flag] = []
    if setting.family == "weak" and setting.devices_constant:
        flags += [flag for row in rows[:1] for flag in row.flags if flag.code == "devices-constant"]
    if setting.family == "model-size":
        return ()  # its rows are no efficiency of each other, and no trend over the count
    counts = sorted({row.devices for row in rows if row.comparable})
    if len(counts) == 2:
        low, high = counts
        flags.append(
            Flag(
                "two-counts-only",
                f"Only {low} and {setting.counted(high)} can be compared: two counts are no trend. "
                "Measure a third before drawing a line.",
            )
        )
    if baseline is not None and baseline.devices != 1:
        flags.append(
            Flag(
                "baseline-not-one",
                f"The baseline has {setting.counted(baseline.devices)}: speedup and efficiency are relative "
                f"to D0 = {baseline.devices}, not to 1.",
            )
        )
    return tuple(flags)
