"""What holds for a whole experiment, and for its machine, as texts in a form's fields and back."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, get_args

from tui.model.numerals import ReadError, quoted
from tui.model.quantity import read, read_number
from tui.model.run_text import EditError, one_of, plain, printable_words
from tui.model.study import (
    BaselineKind,
    Charged,
    Domain,
    Experiment,
    Family,
    Machine,
    TimeMeans,
    Work,
    WorkModel,
)


@dataclass(frozen=True)
class FormField:
    """One field of the form.

    Attributes:
        key: name in the study file; those of the machine begin with `machine.`.
        label: what stands before it, and what a sentence about it calls it.
        hint: an example, shown while it is empty, in words that cannot be taken for what is typed.
    """

    key: str
    label: str
    hint: str


_NAME = FormField("name", "name", "any name for this experiment")
_GOAL = FormField("name", "name, with target", "like loss 2.80 on 8 to 64 GPU")
_COUNTS = FormField("counts", "devices are", "like GPU, or node, core, rank")
_MEANS = FormField("time_means", "one time is", "one of: one update, main loop, whole job")
_WORK = FormField("work", "W, all devices", "like 4194304 tokens; the same at every count")
_DETAILS = FormField("lengths", "W in detail", "like all 4096 long, AdamW")
_PER_DEVICE = FormField("per_device", "W per device", "like 32000 tokens")
_FLOP = FormField("flop_per_unit", "FLOP per unit", "like 6 GFLOP per token")
_POSITION = FormField("flop_per_unit_position", "and per position", "like 0.5 MFLOP per token and position")
_PEAK = FormField("peak_flops_per_device", "peak, a device", "like 989 TFLOP/s")
_MEMORY = FormField("memory_per_device_gib", "memory, a device", "like 80 GiB")
_KIND = FormField("baseline_kind", "baseline is", "one of: smallest feasible, best serial, one device")
_NODE = FormField("machine.devices_per_node", "devices a node", "like 8")
_DOMAINS = FormField("machine.domains", "networks", "like 8 node; 128 leaf switch (smallest first)")
_CHARGED = FormField("machine.charged", "billed by", "node or device")
_MACHINE = (_NODE, _DOMAINS, _CHARGED)

_FORMS: dict[str, tuple[FormField, ...]] = {
    "strong": (_NAME, _WORK, _DETAILS, _MEANS, _COUNTS, _KIND, _FLOP, _PEAK, _MEMORY, *_MACHINE),
    "weak": (_NAME, _PER_DEVICE, _FLOP, _POSITION, _MEANS, _COUNTS, _KIND, _PEAK, _MEMORY, *_MACHINE),
    "model-size": (_NAME, _WORK, _MEANS, _COUNTS, _FLOP, _PEAK, _MEMORY, *_MACHINE),
    "target": (_GOAL, _COUNTS, _MEANS),
}

DEFAULT_NAMES = {
    "strong": "strong scaling",
    "weak": "weak scaling",
    "model-size": "model sizes",
    "target": "time to target",
}


def form_fields(family: Family) -> tuple[FormField, ...]:
    """The fields of a family's form."""
    return _FORMS[family]


def form_texts(experiment: Experiment, machine: Machine) -> dict[str, str]:
    """The texts of every field of the experiment's form, empty where nothing is declared."""
    return {field.key: _written(field.key, experiment, machine) for field in form_fields(experiment.family)}


def _written(key: str, experiment: Experiment, machine: Machine) -> str:
    if key == "machine.domains":
        return "; ".join(f"{domain.devices} {domain.name}" for domain in machine.domains)
    if key.startswith("machine."):
        return _text(getattr(machine, key.removeprefix("machine.")))
    work, model = experiment.work, experiment.work_model or WorkModel()
    if key == "work":
        return f"{plain(work.amount)} {work.of}".strip() if work else ""
    if key == "lengths":
        return work.lengths if work else ""
    if key == "per_device":
        return f"{plain(model.per_device)} {model.of}".strip() if model.per_device is not None else ""
    if key == "flop_per_unit_position" or (key == "flop_per_unit" and model.flop_per_unit is not None):
        return _text(getattr(model, key))
    if key == "counts":
        return "" if experiment.counts == "device" else experiment.counts
    return _text(getattr(experiment, key))


def _text(value: Any) -> str:
    if value is None:
        return ""
    return plain(value) if isinstance(value, (int, float)) else str(value)


def read_form(
    texts: Mapping[str, str], experiment: Experiment, machine: Machine
) -> tuple[Experiment, Machine]:
    """The experiment and machine with what the form says; fields that kept their text keep their value.

    Raises:
        EditError: for the first text that cannot be taken.
    """
    old = form_texts(experiment, machine)
    for field in form_fields(experiment.family):
        text = printable_words(texts.get(field.key, "")).strip()
        if text == old[field.key]:
            continue
        try:
            experiment, machine = _with(field.key, text, experiment, machine)
        except EditError as error:
            # What is wrong stands behind the name of the key; the form knows the field by its label.
            wrong = error.sentence.partition(": ")[2]
            raise EditError(f"{field.label}: {wrong}", error.field) from None
    if not experiment.name:
        raise EditError("name: nothing was typed; every experiment needs a name.", "name")
    return experiment, machine


def _with(key: str, text: str, experiment: Experiment, machine: Machine) -> tuple[Experiment, Machine]:
    """One field set, or taken out where the text is empty."""
    if key.startswith("machine."):
        name = key.removeprefix("machine.")
        value: Any = _domains(text) if name == "domains" else _machine_value(name, text)
        return experiment, replace(machine, **{name: value})
    if key in ("work", "lengths"):
        return replace(experiment, work=_work(key, text, experiment.work)), machine
    if key in ("per_device", "flop_per_unit_position") or (
        key == "flop_per_unit" and experiment.family == "weak"
    ):
        return replace(experiment, work_model=_model(key, text, experiment.work_model)), machine
    return replace(experiment, **{key: _value(key, text)}), machine


def _value(key: str, text: str) -> Any:
    if key == "counts":
        return _unit(key, text) or "device"
    if key == "name":
        return text
    if not text:
        return None
    if key == "time_means":
        return one_of(key, text, get_args(TimeMeans))
    if key == "baseline_kind":
        return one_of(key, text, get_args(BaselineKind))
    units = {"flop_per_unit": "FLOP", "peak_flops_per_device": "FLOP/s", "memory_per_device_gib": "GiB"}
    return _number(key, text, units[key])


_PER = r"(?:\s+per\s+|\s*/\s*)(?!s\b|sec\b|seconds?\b)"
"""What may stand before the name of the unit or device that a number is for: `6 GFLOP per token`."""


def _number(key: str, text: str, unit: str) -> float:
    try:
        value = read(re.sub(_PER + r"[^\W\d_].*$", "", text), unit).value
    except ReadError as error:
        raise EditError(f"{key}: {error.sentence}", key) from None
    if value <= 0:
        raise EditError(f"{key}: read {quoted(text)}, expected more than 0; leave it empty if unknown.", key)
    return float(value)


_LONGEST_UNIT = 3
"""Words."""
_PREFIXES = {"k": 10**3, "M": 10**6, "G": 10**9, "T": 10**12}


def _amount_of(key: str, text: str) -> tuple[float, str]:
    """`32000 tokens` as amount and unit word."""
    match = re.fullmatch(r"(.*?[0-9])\s*([^\W\d_][^\d]*)?", text.strip())
    try:
        value = read_number(match[1] if match else text)
    except ReadError as error:
        raise EditError(f"{key}: {error.sentence}", key) from None
    if value <= 0:
        raise EditError(f"{key}: read {quoted(text)}, expected an amount above 0, like 32000 tokens.", key)
    of = ((match[2] if match else "") or "").strip()
    prefix = re.fullmatch(r"([kMGT])(?:\s+(.*))?", of)
    if prefix:
        # `4M tokens` is four million tokens, not four of a unit called "M tokens".
        value, of = value * _PREFIXES[prefix[1]], prefix[2] or ""
    return float(value), _unit(key, of)


def _unit(key: str, text: str) -> str:
    """A word for what is counted; an explanation behind it would stand in every heading."""
    if len(text.split()) > _LONGEST_UNIT or "," in text or ";" in text:
        wanted = "one to three words and no comma, like tokens"
        raise EditError(f"{key}: read {quoted(text)} as the unit, expected {wanted}.", key)
    return text


def _work(key: str, text: str, before: Work | None) -> Work | None:
    if key == "work":
        if not text:
            return None
        amount, of = _amount_of(key, text)
        return replace(before or Work(amount), amount=amount, of=of)
    if before is None:
        if not text:
            return None
        raise EditError("lengths: say first how much W is, like 4194304 tokens.", "work")
    return replace(before, lengths=text)


def _model(key: str, text: str, before: WorkModel | None) -> WorkModel | None:
    model = before or WorkModel()
    if key == "per_device":
        amount, of = _amount_of(key, text) if text else (None, "")
        model = replace(model, per_device=amount, of=of)
    else:
        flop: Any = {key: _number(key, text, "FLOP") if text else None}
        model = replace(model, **flop)
    return None if model == WorkModel() else model


def _machine_value(name: str, text: str) -> Any:
    key = f"machine.{name}"
    if not text:
        return None
    if name == "charged":
        return one_of(key, text, get_args(Charged))
    if not text.isdecimal() or int(text) < 1:
        raise EditError(f"{key}: read {quoted(text)}, expected a whole number, 1 or more, like 8.", key)
    return int(text)


def _domains(text: str) -> tuple[Domain, ...]:
    domains: list[Domain] = []
    for part in filter(None, (each.strip() for each in text.split(";"))):
        match = re.fullmatch(r"([0-9]+)\s+(\S.*)", part)
        if not match or int(match[1]) < 1:
            wanted = "a count and a name, like 8 node; 128 leaf switch"
            raise EditError(f"networks: read {quoted(part)}, expected {wanted}.", "machine.domains")
        if domains and int(match[1]) <= domains[-1].devices:
            raise EditError(
                f"networks: {quoted(part)} does not reach further than the one before it; list the "
                "networks from the smallest to the largest.",
                "machine.domains",
            )
        domains.append(Domain(match[2].strip(), int(match[1])))
    return tuple(domains)
