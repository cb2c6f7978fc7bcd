"""What blocks a comparison: rows that did not do the same thing, or did not finish it.

A blocked row keeps its time in the table and gets no ratio; its sentence says which number would be
right, or what to run.
"""

from __future__ import annotations

from math import isclose, prod

from tui.model import ratios
from tui.model.comparison import Comparison, Rule
from tui.model.flags import amount, ratio, seconds
from tui.model.samples import batch_of_parts, counts_devices, global_batch, model_of
from tui.model.study import Run, TimeMeans

WORK_SLACK = 0.05
"""How far W/D of a weak row may lie from the baseline's."""

SAME = 1e-9
"""Relative difference below which two amounts of work are the same number."""


def work_changed(about: Comparison) -> str | None:
    """Strong scaling: W is another."""
    here, base = about.here.work, about.base and about.base.work
    if not about.here.work_declared or here is None or not base or about.base is None:
        return None
    if here.of == base.of and isclose(here.amount, base.amount, rel_tol=SAME):
        return None
    return (
        f"W is {amount(here.amount, here.of)} here and {amount(base.amount, base.of)} at "
        f"{about.setting.counted(about.base.sample.devices)}: strong scaling times the same W. "
        "Run that W here, or compare these rows as weak scaling."
    )


def batch_changed(about: Comparison) -> str | None:
    """Strong scaling: the optimizer update covers another number of sequences."""
    if about.base is None or about.is_baseline:
        return None
    experiment = about.setting.experiment
    pairs = (
        (global_batch(about.here.run, experiment), global_batch(about.base.run, experiment)),
        (batch_of_parts(about.here.run, experiment), batch_of_parts(about.base.run, experiment)),
    )
    for here, base in pairs:
        if here is not None and base is not None and here != base:
            return _batches(about, here, base)
    return None


def _batches(about: Comparison, here: int, base: int) -> str:
    assert about.base is not None
    time = about.here.sample.time
    pace = ""
    if time is not None:
        covers, whole = seconds(time), seconds(time * base / here)
        pace = f" {covers} cover only {here}" if here < base else f" {covers} cover {here}"
        pace += f"; at this pace {base} take {whole}."
    return (
        f"The global batch is {here} here and {base} at {about.setting.counted(about.base.sample.devices)}."
        f"{pace} Keep {base}, for example by accumulating, to compare."
    )


def updates_skipped(about: Comparison) -> str | None:
    """The time contains updates that changed nothing."""
    runs = [run for run in about.here.sample.counted if run.skipped_updates]
    if not runs:
        return None
    skipped = sum(run.skipped_updates or 0 for run in runs)
    valid = [run for run in runs if run.wall_s is not None and run.valid_updates]
    goodput = ""
    if valid:
        wall = sum(run.wall_s or 0 for run in valid) / sum(run.valid_updates or 0 for run in valid)
        goodput = f" Each valid update took {seconds(wall)} of wall time."
    updates = "1 skipped update" if skipped == 1 else f"{skipped} skipped updates"
    return f"The measured time contains {updates}.{goodput} Time only steps that update the model."


def not_completed(about: Comparison) -> str | None:
    """No run of the row completed with a time."""
    sample = about.here.sample
    if sample.jobs or not sample.counted:
        return None
    words = {"failed": "failed", "out-of-memory": "ran out of memory", "stopped": "was stopped"}
    ended = sorted({words[run.status] for run in sample.counted if run.status != "completed"})
    where = about.setting.counted(sample.devices)
    if not ended:
        return f"No time yet at {where}: enter it when the run has completed."
    kept = [seconds(time) for run in sample.counted for time in run.times_s]
    said = f" {', '.join(kept[:3])} of it stay in the file and do not count." if kept else ""
    return f"The run at {where} {' or '.join(ended)}: there is no completed time to compare.{said}"


def work_not_proportional(about: Comparison) -> str | None:
    """Weak scaling: W/D is more than 5 % off the baseline's."""
    if about.base is None or about.is_baseline or about.setting.devices_constant:
        return None
    here, base = about.here.work, about.base.work
    count, first = about.here.sample.devices, about.base.sample.devices
    if here is None or base is None:
        return f"W at {about.setting.counted(count)} is not written, that of other rows is: enter it."
    right = base.amount * count / first
    if isclose(here.amount, right, rel_tol=WORK_SLACK + SAME):
        return None
    return (
        f"W is {amount(here.amount, here.of)}; {count}/{first} times the "
        f"{amount(base.amount)} at {about.setting.counted(first)} is {amount(right, here.of)}. "
        f"{_read_instead(about)}"
    )


def _read_instead(about: Comparison) -> str:
    """The number that the times do give, where they give one."""
    here, base = about.here.measured, about.base.measured if about.base else None
    if here is None or base is None:
        return "Run that W to compare."
    if isclose(here.work, base.work, rel_tol=SAME):
        strong = ratio(ratios.efficiency(base, here))
        return f"W did not grow, so this is strong scaling with an efficiency of {strong}."
    rate = ratio(ratios.weak_efficiency(base, here))
    return f"Run that W to compare; the work per device and second is {rate} of the baseline's."


def devices_constant(about: Comparison) -> str | None:
    """Weak scaling: all rows have the same count."""
    if not about.setting.devices_constant:
        return None
    return (
        f"All rows have {about.setting.counted(about.here.sample.devices)}: work that grows on a fixed "
        "count is a study of problem size, not weak scaling. Vary the count, with W in proportion to it."
    )


def other_work_model(about: Comparison) -> str | None:
    """Weak scaling: the work is counted in another unit, or modelled otherwise."""
    if about.base is None or about.is_baseline:
        return None
    here, base = about.here, about.base
    if here.work and base.work and here.work.of and base.work.of and here.work.of != base.work.of:
        return f"W is counted in {here.work.of} here and in {base.work.of} at the baseline: use one unit."
    ours = model_of(here.run, about.setting.experiment)
    theirs = model_of(base.run, about.setting.experiment)
    if ours is None or theirs is None or ours == theirs:
        return None
    for name in ("of", "flop_per_unit", "flop_per_unit_position"):
        mine, yours = getattr(ours, name), getattr(theirs, name)
        if mine != yours:
            return (
                f"The work model has {name} = {_said(mine)} here and {_said(yours)} at the baseline: "
                "this row belongs to another family."
            )
    return None


def other_model(about: Comparison) -> str | None:
    """The rows ran different models."""
    if about.base is None:
        return None
    for name in ("parameters", "active_parameters", "routing"):
        here, base = getattr(about.here.run, name), getattr(about.base.run, name)
        if here and base and here != base:
            return (
                f"{name.replace('_', ' ').capitalize()}: {_said(here)} here and {_said(base)} at the "
                "baseline. Another model is another family: put it in a model-size experiment."
            )
    return None


def time_means_differs(about: Comparison) -> str | None:
    """One time stands for something else than the baseline's."""
    if about.base is None:
        return None
    default = about.setting.experiment.time_means
    here: TimeMeans | None = about.here.run.time_means or default
    base: TimeMeans | None = about.base.run.time_means or default
    if here == base or here is None or base is None:
        return None
    return f"One time is {here} here and {base} at the baseline: enter times of the same thing."


def layout_product(about: Comparison) -> str | None:
    """The parallel degrees do not multiply to the devices.

    Experts are laid over the data-parallel devices in some systems and are an axis of their own in
    others, so both products pass; virtual pipeline stages share their devices and never multiply.
    """
    devices = _devices(about)
    run = about.here.run
    degrees = {name: getattr(run, name) for name in ("dp", "tp", "pp", "cp") if getattr(run, name)}
    if devices is None or not (degrees or run.ep):
        return None
    product = prod(degrees.values())
    if _multiplies(run, product, devices):
        return None
    spelled = " · ".join(f"{name} {value}" for name, value in degrees.items())
    return f"{spelled} = {product}, but the run has {devices} devices: correct the layout or the count."


def _devices(about: Comparison) -> int | None:
    """How many devices the degrees must multiply to; `None` where the counts count something else."""
    experiment = about.setting.experiment
    if counts_devices(experiment):
        return about.here.run.devices
    if experiment.counts.strip().lower() in ("node", "nodes") and about.setting.machine.devices_per_node:
        return about.here.run.devices * about.setting.machine.devices_per_node
    return None


def _multiplies(run: Run, product: int, devices: int) -> bool:
    if run.dp is None:
        # Without dp the rest of the devices are replicas.
        return devices % product == 0
    return devices in (product, product * (run.ep or 1))


def _said(value: object) -> str:
    return amount(value) if isinstance(value, (int, float)) else str(value or "none")


RULES = (
    Rule("work-changed", work_changed, ("strong",)),
    Rule("batch-changed", batch_changed, ("strong",)),
    Rule("updates-skipped", updates_skipped),
    Rule("not-completed", not_completed),
    Rule("work-not-proportional", work_not_proportional, ("weak",)),
    Rule("devices-constant", devices_constant, ("weak",)),
    Rule("other-work-model", other_work_model, ("weak",)),
    Rule("other-model", other_model, ("strong", "weak")),
    Rule("time-means-differs", time_means_differs),
    Rule("layout-product", layout_product),
)
