"""Strong, weak and model-size tables: samples in, rows with their ratios and flags out.

The order of work: gather the runs into samples, choose the baseline, let the rules say which samples
may be compared with it, compute the ratios of those, then let the rules judge the result.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from tui.model import flag_notes, flag_rules, flag_warnings, ratios
from tui.model.comparison import Case, Comparison, Setting, cases_of, raised, setting_of
from tui.model.flags import Flag, amount
from tui.model.rows import Baseline, Row, Table
from tui.model.samples import Sample, counts_nodes, device_count, node_count, samples
from tui.model.spread import RatioSpread, of_ratios
from tui.model.study import Domain, Experiment, Family, Machine, Study

_NO_MACHINE = Machine()
_JUDGING = (*flag_warnings.RULES, *flag_notes.RULES)


def tables(study: Study, family: Family | None = None, baseline: int | None = None) -> tuple[Table, ...]:
    """One table for every strong, weak and model-size experiment of a study, in file order.

    Args:
        family: read every experiment as this family instead of its own.
        baseline: the count D0 to compare with, instead of each experiment's own.

    Raises:
        ValueError: when an experiment has no completed run at `baseline`.
    """
    targets = [experiment for experiment in study.experiment if experiment.family == "target"]
    return tuple(
        table(experiment, study.machine, family, baseline, targets)
        for experiment in study.experiment
        if experiment.family != "target"
    )


def table(
    experiment: Experiment,
    machine: Machine = _NO_MACHINE,
    family: Family | None = None,
    baseline: int | None = None,
    targets: Sequence[Experiment] = (),
) -> Table:
    """The table of one experiment.

    Args:
        machine: gives the network boundaries, filled nodes and what is charged.
        family: read the runs as this family instead of the experiment's own.
        baseline: the count D0 to compare with, instead of the experiment's own.
        targets: time-to-target experiments of the same study, for the note beside a growing batch.

    Raises:
        ValueError: when the family is `target`, or no completed feasible run has the count `baseline`.
    """
    experiment = replace(experiment, family=family or experiment.family)
    if experiment.family == "target":
        raise ValueError("time to a quality target is no scaling table; it has a table of its own")
    return tabulate(samples(experiment), experiment, machine, baseline, targets)


def tabulate(
    gathered: Sequence[Sample],
    experiment: Experiment,
    machine: Machine = _NO_MACHINE,
    baseline: int | None = None,
    targets: Sequence[Experiment] = (),
) -> Table:
    """The table of samples that are gathered already, as a bulk import does; else as `table`."""
    cases = cases_of(gathered, experiment, machine)
    setting = setting_of(cases, experiment, machine, targets)
    chosen = _baseline(cases, setting, baseline)
    base = cases[chosen.row] if chosen else None
    blocks = [raised(flag_rules.RULES, Comparison(here, base, setting)) for here in cases]
    comparable = [not flags and _both_timed(here, base) for here, flags in zip(cases, blocks, strict=True)]
    spreads = _spreads(cases, base, comparable, setting)
    smaller = _next_smaller(cases, comparable)
    rows: list[Row] = []
    for place, (here, flags) in enumerate(zip(cases, blocks, strict=True)):
        row = _bare_row(here, flags, setting)
        if base is not None and comparable[place]:
            row = _compared(row, here, base, setting)
            gain = _per_doubling(smaller[place], here, setting)
            row = replace(row, spread=spreads.get(place), per_doubling=gain)
        about = Comparison(here, base, setting, row, smaller[place])
        rows.append(replace(row, flags=(*flags, *raised(_JUDGING, about))))
    return Table(
        family=experiment.family,
        name=experiment.name,
        counts=experiment.counts,
        work=_work_in_words(cases, setting),
        time_means=experiment.time_means or "",
        baseline=chosen,
        rows=tuple(rows),
        flags=flag_notes.of_table(rows, chosen, setting),
        boundaries=_boundaries(cases, setting),
        withdrawn=sum(len(sample.withdrawn) for sample in gathered),
    )


# --------------------------------------------------------------------------------------------- baseline


def _baseline(cases: Sequence[Case], setting: Setting, asked: int | None) -> Baseline | None:
    """The row to compare with: completed and feasible, by default the one with the smallest count."""
    feasible = [place for place, case in enumerate(cases) if _feasible(case, setting)]
    counts = sorted({cases[place].sample.devices for place in feasible})
    if asked is not None and asked not in counts:
        listed = ", ".join(map(str, counts)) or "none"
        raise ValueError(
            f"{setting.experiment.name}: no completed run with {setting.counted(asked)} to compare with; "
            f"counts that can be a baseline: {listed}"
        )
    if not counts:
        return None
    written = setting.experiment.baseline
    devices = asked or (written if written in counts else counts[0])
    places = [place for place in feasible if cases[place].sample.devices == devices]
    place = places[0] if len(places) == 1 else _most_comparable(cases, places, setting)
    chosen = _how_chosen(cases, devices, setting, asked)
    if len(places) > 1:
        chosen += f"; of {len(places)} rows there the one comparable with most others, then the fastest"
    time = cases[place].sample.time
    assert time is not None
    return Baseline(devices, _kind(setting, devices, counts), chosen, time, place)


def _feasible(case: Case, setting: Setting) -> bool:
    """Whether a row could be a baseline: something completed, of sound layout, that fits the memory."""
    if case.measured is None or (setting.family == "weak" and case.work is None):
        return False
    alone = Comparison(case, None, setting)
    unsound = {flag.code for flag in raised(flag_rules.RULES, alone)} - {"devices-constant"}
    return not unsound and flag_warnings.over_memory(alone) is None


def _most_comparable(cases: Sequence[Case], places: Sequence[int], setting: Setting) -> int:
    """Of several rows at D0: the one that fewest flags set apart from the others, then the fastest."""

    def rank(place: int) -> tuple[int, float]:
        base = cases[place]
        blocked = sum(bool(raised(flag_rules.RULES, Comparison(here, base, setting))) for here in cases)
        here = base.measured
        return blocked, -(here.work / here.time) if here else 0.0

    return min(places, key=rank)


def _how_chosen(cases: Sequence[Case], devices: int, setting: Setting, asked: int | None) -> str:
    written = setting.experiment.baseline
    if asked is not None:
        return "asked for"
    if written == devices:
        return "written in the study"
    chosen = "smallest completed feasible count"
    if written is not None:
        chosen += f" (the study names {written}, which has no completed feasible run)"
    passed_over = sorted({case.sample.devices for case in cases if case.sample.devices < devices})
    if passed_over:
        chosen += f"; passed over: {', '.join(map(str, passed_over))}"
    return chosen


def _kind(setting: Setting, devices: int, counts: Sequence[int]) -> str:
    """The kind as declared, where it can be true of this count."""
    declared = setting.experiment.baseline_kind
    if devices == 1:
        return declared or "one device"
    return "smallest feasible" if devices == counts[0] else "chosen by hand"


# ------------------------------------------------------------------------------------------------- rows


def _both_timed(here: Case, base: Case | None) -> bool:
    return base is not None and here.measured is not None


def _bare_row(case: Case, blocks: Sequence[Flag], setting: Setting) -> Row:
    """What a row is by itself, before it is compared with anything."""
    sample, experiment = case.sample, setting.experiment
    cost, capacity, peak = case.costed, experiment.memory_per_device_gib, experiment.peak_flops_per_device
    rate = _rate(case, blocks)
    flops = rate * case.flop_per_unit / sample.devices if rate and case.flop_per_unit else None
    hours = _charged_hours(case, setting)
    price = setting.machine.price
    stages = sample.stages_s
    return Row(
        sample=sample,
        place=case.place,
        time_s=sample.time,
        time_min_s=sample.fastest,
        time_max_s=sample.slowest,
        time_mean_s=sample.mean_time,
        device_seconds=ratios.device_seconds(cost) if cost else None,
        charged_hours=hours,
        price=hours * price if hours is not None and price is not None else None,
        work=case.work,
        rate=rate,
        flops_per_device=flops,
        peak_share=flops / peak if flops is not None and peak else None,
        arithmetic_per_device=case.arithmetic,
        memory_share=sample.memory_gib / capacity if sample.memory_gib is not None and capacity else None,
        largest_stage=max(stages, key=lambda name: stages[name]) if stages else "",
    )


def _rate(case: Case, blocks: Sequence[Flag]) -> float | None:
    """W/T, where the time is that of W: not of skipped updates, nor of another batch than W's."""
    codes = {flag.code for flag in blocks}
    other_work = "batch-changed" in codes and case.run.work is None and case.work_declared
    if case.work is None or case.measured is None or "updates-skipped" in codes or other_work:
        return None
    return case.work.amount / case.measured.time


def _charged_hours(case: Case, setting: Setting) -> float | None:
    """Device-hours billed for one time; whole nodes where nodes are billed."""
    machine, time = setting.machine, case.sample.mean_time
    devices = device_count(case.run, setting.experiment, machine)
    if machine.charged == "node":
        nodes = node_count(case.run, setting.experiment, machine)
        devices = nodes * machine.devices_per_node if nodes and machine.devices_per_node else None
    if machine.charged is None or devices is None or time is None or case.reads_zero:
        return None
    return devices * time / 3600


def _compared(row: Row, case: Case, base: Case, setting: Setting) -> Row:
    """The row with its ratios against the baseline; model sizes are never an efficiency of each other."""
    here, first, cost, first_cost = case.measured, base.measured, case.costed, base.costed
    assert here is not None
    assert first is not None
    assert cost is not None
    assert first_cost is not None
    row = replace(
        row,
        comparable=True,
        ideal=float(ratios.ideal(first, here)),
        arithmetic_ratio=_quotient(case.arithmetic, base.arithmetic),
        efficiency_by_arithmetic=_quotient(_flops(case), _flops(base)),
    )
    if setting.family == "model-size":
        return row
    row = replace(row, relative_cost=ratios.relative_cost(first_cost, cost))
    if setting.family == "weak":
        return replace(
            row,
            efficiency=ratios.weak_efficiency(first, here),
            scaled_speedup=ratios.scaled_speedup(first, here),
        )
    return replace(
        row,
        speedup=ratios.speedup(first, here),
        efficiency=ratios.efficiency(first, here),
        karp_flatt=ratios.karp_flatt(first, here),
    )


def _flops(case: Case) -> float | None:
    """Achieved FLOP/s on each device."""
    return case.arithmetic / case.measured.time if case.arithmetic and case.measured else None


def _quotient(above: float | None, below: float | None) -> float | None:
    return above / below if above is not None and below else None


def _spreads(
    cases: Sequence[Case], base: Case | None, comparable: Sequence[bool], setting: Setting
) -> dict[int, RatioSpread]:
    """The spread of every efficiency against the baseline's; the baseline itself has none."""
    first = base.measured if base else None
    if base is None or first is None or setting.family == "model-size":
        return {}
    places = [place for place, ok in enumerate(comparable) if ok and cases[place] is not base]
    bounds = of_ratios(base.sample.jobs, [cases[place].sample.jobs for place in places])
    found: dict[int, RatioSpread] = {}
    for place, each in zip(places, bounds, strict=True):
        here = cases[place].measured
        if here is not None:
            found[place] = each.scaled(here.work * first.devices / (first.work * here.devices))
    return found


def _next_smaller(cases: Sequence[Case], comparable: Sequence[bool]) -> list[Case | None]:
    """For every comparable row the one with the next smaller count in the same domain and with the same
    sequence length; where that count has several, the one of the same layout, else the fastest.
    """
    found: list[Case | None] = [None] * len(cases)
    below: dict[object, list[Case]] = {}
    level: dict[object, list[Case]] = {}
    for place, case in enumerate(cases):
        if not comparable[place]:
            continue
        alike = (case.place, case.run.sequence_length)
        here = level.setdefault(alike, [])
        if here and here[0].sample.devices < case.sample.devices:
            below[alike], level[alike] = here, []
        level[alike].append(case)
        found[place] = _closest(case, below.get(alike, []))
    return found


def _closest(case: Case, candidates: Sequence[Case]) -> Case | None:
    def rank(other: Case) -> tuple[bool, float]:
        same = all(
            getattr(other.run, name) == getattr(case.run, name)
            for name in ("threads_per_rank", "tp", "pp", "cp", "ep", "vpp")
        )
        return not same, other.sample.time or 0.0

    return min(candidates, key=rank, default=None)


def _per_doubling(smaller: Case | None, here: Case, setting: Setting) -> float | None:
    if smaller is None or smaller.measured is None or here.measured is None or setting.family == "model-size":
        return None
    return ratios.per_doubling(smaller.measured, here.measured)


# ---------------------------------------------------------------------------------------------- headings


def _work_in_words(cases: Sequence[Case], setting: Setting) -> str:
    """What W is, for the line above the table."""
    experiment = setting.experiment
    declared, model = experiment.work, experiment.work_model
    first = next((case.work for case in cases if case.work), None)
    if experiment.family == "weak" and model is not None and model.per_device is not None:
        return f"{amount(model.per_device, model.of)} per {experiment.counts}"
    declared_for_all = ""
    if declared is not None:
        details = [f"{declared.sequences} sequences" if declared.sequences else "", declared.lengths]
        listed = "; ".join(part for part in (*details, declared.optimizer) if part)
        declared_for_all = f"W = {amount(declared.amount, declared.of)}" + (f" ({listed})" if listed else "")
    written = [case.run.work is not None for case in cases]
    if any(written):
        rest = f"else {declared_for_all}" if declared_for_all else "not with all"
        return "W as written with every row" if all(written) else f"W as written with its row, {rest}"
    if declared_for_all:
        return declared_for_all
    if experiment.family == "strong":
        if first is not None:
            return f"W = one global batch of {amount(first.amount, first.of)}"
        return "W is not written: taken to be the same in all rows"
    if first is not None and first.of:
        return f"W = global batch, in {first.of}"
    if experiment.family == "weak":
        return "W = D assumed: no work is written"
    return "W is not written"


def _boundaries(cases: Sequence[Case], setting: Setting) -> tuple[Domain, ...]:
    """The rungs of the ladder that lie between the counts, in the unit of the counts."""
    counts = [case.sample.devices for case in cases]
    per_count = setting.machine.devices_per_node if counts_nodes(setting.experiment) else 1
    if not counts or not per_count:
        return ()
    rungs = (Domain(domain.name, domain.devices // per_count) for domain in setting.machine.domains)
    return tuple(rung for rung in rungs if min(counts) <= rung.devices < max(counts))
