"""What to be careful with in a row that is shown: each rule gives a sentence or nothing."""

from __future__ import annotations

from math import isclose, log

from tui.model import ratios, spread
from tui.model.comparison import Comparison, Rule
from tui.model.flags import amount, counted, ratio, seconds
from tui.model.imported import Derived, derived, iterations
from tui.model.quantity import format_number
from tui.model.rows import Row
from tui.model.samples import batch_of_parts, device_count, node_count
from tui.model.spread import JOBS_FOR_INTERVAL
from tui.model.study import COMPUTE, HOST

ABOVE_ONE = 1 + 1e-9
"""An efficiency up to here is 1 with the rounding of floats."""

ARITHMETIC_SLACK = 0.01
NOISE = 0.10
OUTLIER = 3.5
TIMER_STEPS = 10


def above_one(about: Comparison) -> bool:
    """Whether a row is more efficient than the baseline. With fewer devices than the baseline's that is
    what losing efficiency looks like from the other end, and says nothing.
    """
    row, base = about.row, about.base
    if row is None or base is None or row.efficiency is None or row.devices < base.sample.devices:
        return False
    return row.efficiency > ABOVE_ONE


def within_spread(row: Row) -> bool:
    """Whether 1 lies within the spread of the efficiency; one job has no spread to lie within."""
    return row.spread is not None and row.spread.reaches(1.0)


def caused(about: Comparison) -> float | None:
    """The efficiency of the jobs that a cause was written with, which is what it explains; `None` where
    none of them has a time.
    """
    row, sample = about.row, about.here.sample
    if row is None or row.efficiency is None or not sample.time or not sample.caused:
        return None
    return row.efficiency * sample.time / spread.median(sample.caused)


def explained(about: Comparison) -> bool:
    """Whether a cause is written, and for an efficiency that is not far below the present one: jobs that
    were added later are not excused by what was said of others.
    """
    row, then = about.row, caused(about)
    if row is None or row.efficiency is None or not about.here.sample.cause:
        return False
    return then is None or row.efficiency <= then * (1 + NOISE)


def above_one_unexplained(about: Comparison) -> str | None:
    """E above one beyond the spread, and nobody wrote why, or why for a smaller one."""
    row = about.row
    if row is None or row.efficiency is None or not above_one(about):
        return None
    if explained(about) or within_spread(row):
        return None
    then, sample = caused(about), about.here.sample
    if sample.cause and then is not None:
        of_jobs = f"{len(sample.caused)} of {counted(len(sample.jobs), 'job')}"
        return (
            f"Efficiency is {ratio(row.efficiency)} now; the cause was written with {of_jobs} whose "
            f"efficiency is {ratio(then)}: {sample.cause}. Check the other jobs, then write the cause again."
        )
    times = format_number(row.ideal or 0)
    return (
        f"Efficiency {ratio(row.efficiency)} is above one and unexplained: {times} times the devices do not "
        f"give more than {times} times by themselves. Check that the work is the same, then write the cause: "
        "memory, cache, algorithm, baseline."
    )


def gain_above_ideal(about: Comparison) -> str | None:
    """More than twice the work per second for twice the devices, beyond the spread."""
    row, smaller = about.row, about.smaller
    if row is None or smaller is None or row.per_doubling is None or row.per_doubling <= 2 * ABOVE_ONE:
        return None
    here, below = about.here, smaller.sample
    if here.measured is None or smaller.measured is None:
        return None
    # The gain is (R·w)^(1/doublings) for the ratio R of times and w of works; 2 is reached at 2^doublings.
    doublings = log(row.devices / below.devices, 2)
    grown = here.measured.work / smaller.measured.work
    if not spread.exceeds(below.jobs, here.sample.jobs, 2.0**doublings * ABOVE_ONE / grown):
        return None
    return (
        f"× {ratio(row.per_doubling)} per doubling from {below.devices} to "
        f"{about.setting.counted(row.devices)} is more than the ideal 2: look for what else changed "
        "before trusting it."
    )


def domain_crossed(about: Comparison) -> str | None:
    """The row lies in a larger network domain than the baseline."""
    if about.base is None:
        return None
    here, base = about.here.place, about.base.place
    ordered = here.rung is not None and base.rung is not None
    crossed = (here.rung or 0) > (base.rung or 0) if ordered else here.name != base.name
    if not crossed:
        return None
    mine, theirs = here.name or "an unnamed domain", base.name or "an unnamed domain"
    return (
        f"{mine} here, {theirs} at the baseline: a step across a network boundary is not comparable with "
        "one inside. Compare rows of equal placement."
    )


def local_shape_changed(about: Comparison) -> str | None:
    """Micro-batch, accumulation or local shape are not the baseline's."""
    if about.base is None:
        return None
    changes = [
        f"{name.replace('_', '-')} {base} → {here}"
        for name in ("micro_batch", "accumulation", "local_shape")
        for here, base in [(getattr(about.here.run, name), getattr(about.base.run, name))]
        if here and base and here != base
    ]
    if not changes:
        return None
    return (
        f"{', '.join(changes)} against the baseline: recorded, because it can change the speed of the "
        "kernels and the timing of communication."
    )


def local_batch_mismatch(about: Comparison) -> str | None:
    """dp · micro-batch · accumulation is not the global batch."""
    run = about.here.run
    product = batch_of_parts(run, about.setting.experiment)
    if run.global_batch is None or product is None or product == run.global_batch:
        return None
    replicas = product // ((run.micro_batch or 1) * (run.accumulation or 1))
    return (
        f"{replicas} replicas · micro-batch {run.micro_batch} · accumulation {run.accumulation} = {product}, "
        f"but the global batch says {run.global_batch}: correct one of them."
    )


def arithmetic_changed(about: Comparison) -> str | None:
    """Weak scaling: each device computes more or less than at the baseline."""
    row = about.row
    if row is None or row.arithmetic_ratio is None:
        return None
    if isclose(row.arithmetic_ratio, 1, rel_tol=ARITHMETIC_SLACK):
        return None
    both = ""
    if row.efficiency is not None and row.efficiency_by_arithmetic is not None:
        both = (
            f" Efficiency {ratio(row.efficiency)} by {(row.work.of if row.work else '') or 'work'}, "
            f"{ratio(row.efficiency_by_arithmetic)} by arithmetic: report both."
        )
    return f"Each device does {ratio(row.arithmetic_ratio)} times the baseline's arithmetic.{both}"


def sequences_changed(about: Comparison) -> str | None:
    """The sequence lengths differ; in a weak table said only where no arithmetic ratio says it better."""
    weak = about.setting.family == "weak"
    if about.base is None or (weak and about.row is not None and about.row.arithmetic_ratio is not None):
        return None
    here, base = about.here.run.sequence_length, about.base.run.sequence_length
    ours, theirs = about.here.work, about.base.work
    if here and base and here != base:
        told = f"Sequences are {here} long here and {base} at the baseline"
    elif ours and theirs and ours.lengths and theirs.lengths and ours.lengths != theirs.lengths:
        told = f"Sequence lengths: {ours.lengths} here, {theirs.lengths} at the baseline"
    else:
        return None
    advice = "declare a work model with FLOP per unit and position" if weak else "run the same lengths"
    return f"{told}: equal tokens are not equal arithmetic, so {advice}."


def iterations_changed(about: Comparison) -> str | None:
    """A solver needed another number of iterations."""
    if about.base is None:
        return None
    here, base = iterations(about.here.run), iterations(about.base.run)
    if here is None or base is None or here == base:
        return None
    return (
        f"{amount(here)} iterations here and {amount(base)} at the baseline: the time to the solution is "
        "what scales; a rate per iteration hides that they are not equally many."
    )


def noisy(about: Comparison) -> str | None:
    """Jobs of the same row differ by more than a tenth."""
    jobs = about.here.sample.jobs
    if len(jobs) < 2:
        return None
    if len(jobs) < JOBS_FOR_INTERVAL:
        width, name = spread.relative_range(jobs), "range"
    else:
        width, name = spread.relative_iqr(jobs), "middle half"
    if width <= NOISE:
        return None
    return (
        f"The {name} of {len(jobs)} jobs is {100 * width:.0f} % of their median ({seconds(min(jobs))} to "
        f"{seconds(max(jobs))}): look at hosts and dates, and run more jobs."
    )


def outlier(about: Comparison) -> str | None:
    """One job lies far from the others; it stays in the row."""
    jobs = about.here.sample.jobs
    if len(jobs) < JOBS_FOR_INTERVAL:
        return None
    score, time = max((abs(score), time) for score, time in zip(spread.modified_z(jobs), jobs, strict=True))
    if score <= OUTLIER:
        return None
    return (
        f"{seconds(time)} lies far from the median {seconds(spread.median(jobs))} of {len(jobs)} jobs "
        f"(modified z {score:.1f}): find out why; withdraw it only with a reason."
    )


def below_timer_resolution(about: Comparison) -> str | None:
    """The time is too short for the clock that measured it."""
    time, step = about.here.sample.time, about.setting.time_step_s
    if time is None:
        return None
    if about.here.reads_zero:
        which = "The time reads 0 s" if time == 0 else "One of its times reads 0 s"
        return f"{which}: the clock did not see it, so no ratio is made of it. Time more work in one go."
    if step is None or time >= TIMER_STEPS * step * (1 - 1e-9):
        return None
    return (
        f"{seconds(time)}, and no time here has digits below {seconds(step)}: as written it may be "
        f"{50 * step / time:.0f} % more or less. Write the digits of the clock, or time more work in one go."
    )


def derived_clash(about: Comparison) -> str | None:
    """An imported speedup, efficiency or percentage does not follow from its own times."""
    for run in about.here.sample.counted:
        for each in derived(run):
            own = _own(about, each)
            if own is None or each.agrees(own) or (each.meaning == "share of peak" and _twice(each, own)):
                continue
            told = f"{each.column} {each.text} was imported; its own times give {ratio(own)}."
            return told + _why(about, each)
    return None


def _own(about: Comparison, each: Derived) -> float | None:
    row = about.row
    if row is None:
        return None
    if each.meaning == "speedup":
        return row.scaled_speedup if about.setting.family == "weak" else row.speedup
    if each.meaning == "efficiency":
        return row.efficiency
    return row.peak_share if each.meaning == "share of peak" else None


def _why(about: Comparison, each: Derived) -> str:
    """The one wrong formula that is common enough to be recognised."""
    here, base = about.here.measured, about.base.measured if about.base else None
    if about.setting.family != "weak" or each.meaning != "efficiency" or here is None or base is None:
        return ""
    if each.agrees(ratios.efficiency(base, here)):
        return " It is T(D0)·D0/(T·D), the formula of strong scaling: here the work grew already."
    return ""


def sparse_peak(about: Comparison) -> str | None:
    """A share of peak that a peak for sparse matrices, twice the dense one, would explain."""
    row, source = about.row, about.setting.experiment.peak_source
    if row is None or row.peak_share is None:
        return None
    share = f"{100 * row.peak_share:.1f} % of peak"
    if "sparse" in source.lower():
        return f"{share} is of {source!r}: dense kernels reach at most half of it. Enter the dense peak."
    if row.peak_share > 1:
        return f"{share} cannot be: check the FLOP per unit, and whether the peak is the right one."
    for run in about.here.sample.counted:
        for each in derived(run):
            if each.meaning == "share of peak" and _twice(each, row.peak_share):
                return (
                    f"{each.column} {each.text} was imported, {share} computed: a factor of 2 is the one "
                    "between a dense and a sparse peak. Enter the dense one."
                )
    return None


def _twice(each: Derived, own: float) -> bool:
    return any(
        isclose(reading, own * factor, rel_tol=0.05) for reading in each.readings for factor in (2, 0.5)
    )


def over_memory(about: Comparison) -> str | None:
    """A device held more than it has."""
    used, capacity = about.here.sample.memory_gib, about.setting.experiment.memory_per_device_gib
    if used is None or capacity is None or used <= capacity:
        return None
    return (
        f"{format_number(used)} GiB on one device is above its {format_number(capacity)} GiB: check both "
        "numbers; a row that does not fit is no baseline."
    )


def idle_devices(about: Comparison) -> str | None:
    """Nodes were held and not filled."""
    machine, experiment = about.setting.machine, about.setting.experiment
    nodes = node_count(about.here.run, experiment, machine)
    devices = device_count(about.here.run, experiment, machine)
    if machine.charged == "device" or not machine.devices_per_node or nodes is None or devices is None:
        return None
    held = nodes * machine.devices_per_node
    if devices >= held:
        return None
    charged = ", and they are charged" if machine.charged == "node" else ""
    of_nodes = "1 node" if nodes == 1 else f"{nodes} nodes"
    return f"{held - devices} of the {held} devices of {of_nodes} stood idle{charged}: fill the nodes."


def overhead_bound(about: Comparison) -> str | None:
    """What does not shrink with the count is the largest part of the step. Compute is the work itself,
    constant where the work grows with the devices.
    """
    stages = about.here.sample.stages_s
    fixed = {stage.name for stage in about.setting.experiment.stages if stage.law == "fixed"} | {HOST}
    overhead = {name: time for name, time in stages.items() if name in fixed - {COMPUTE} and time > 0}
    rest = {name: time for name, time in stages.items() if name not in overhead}
    total = sum(overhead.values())
    if not overhead or total <= max(rest.values(), default=total):
        return None
    largest = max(rest, key=lambda name: rest[name])
    *others, last = overhead
    named = f"{', '.join(others)} and {last} take" if others else f"{last} takes"
    return (
        f"{named} {seconds(total)}, more than any other stage ({largest} {seconds(rest[largest])}): more "
        f"devices do not shorten {HOST} work and stages whose law is fixed ({COMPUTE} is not counted)."
    )


RULES = (
    Rule("above-one-unexplained", above_one_unexplained, ("strong", "weak")),
    Rule("gain-above-ideal", gain_above_ideal, ("strong", "weak")),
    Rule("domain-crossed", domain_crossed, ("strong", "weak")),
    Rule("local-shape-changed", local_shape_changed, ("strong", "weak")),
    Rule("local-batch-mismatch", local_batch_mismatch),
    Rule("arithmetic-changed", arithmetic_changed, ("weak",)),
    Rule("sequences-changed", sequences_changed, ("strong", "weak")),
    Rule("iterations-changed", iterations_changed, ("strong", "weak")),
    Rule("noisy", noisy),
    Rule("outlier", outlier),
    Rule("below-timer-resolution", below_timer_resolution),
    Rule("derived-clash", derived_clash),
    Rule("sparse-peak", sparse_peak),
    Rule("over-memory", over_memory),
    Rule("idle-devices", idle_devices),
    Rule("overhead-bound", overhead_bound),
)
