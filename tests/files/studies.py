"""Hypothesis strategies for studies that have no problems, and for the many ways to lay one out as TOML."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from hypothesis import strategies as st

from tui.files.toml import inline, key
from tui.model import study as model

text = st.text(st.characters(codec="utf-8"), max_size=12)
words = st.sampled_from(
    ["", "GPU", "tokens", 'a "quoted" word', "back\\slash", "# no remark", "ünïcode", "a\nb"]
)
named = st.text("abc é.#=[]\"'", min_size=1, max_size=4)
amounts = st.just(0.0) | st.floats(1e-30, 1e30)
counts = st.integers(1, 2**40)
optional_counts = st.none() | counts
optional_amounts = st.none() | amounts
moments = st.datetimes(timezones=st.just(dt.timezone.utc))
times = st.lists(amounts, max_size=4).map(tuple)
seconds = st.dictionaries(named, amounts, max_size=3)

works = st.builds(model.Work, amounts, words, optional_counts, text)
work_models = st.builds(model.WorkModel, optional_amounts, words, optional_amounts)

runs = st.builds(
    model.Run,
    devices=counts,
    times_s=times,
    status=st.sampled_from(["completed", "failed", "out-of-memory", "stopped"]),
    work=st.none() | amounts | works,
    work_model=st.none() | work_models,
    global_batch=optional_counts,
    hosts=st.lists(words, max_size=2).map(tuple),
    stages_s=seconds,
    date=st.none() | st.dates() | moments | st.datetimes(),
    note=text,
    withdrawn=words,
    extra=st.dictionaries(named, words | st.integers() | st.booleans() | amounts, max_size=3),
    seed=st.none() | st.integers(-5, 5),
    reached=st.none() | st.booleans(),
)

predictions = st.builds(model.Prediction, counts, moments, amounts, words)


@st.composite
def stages(draw: Callable[..., Any]) -> tuple[model.Stage, ...]:
    names = draw(st.lists(named, max_size=3, unique=True))
    return tuple(
        model.Stage(
            name,
            draw(st.none() | st.sampled_from(["split", "tail"])),
            tuple(names[:place]) if draw(st.booleans()) else (),
            None,
            draw(seconds),
        )
        for place, name in enumerate(names)
    )


@st.composite
def experiments(draw: Callable[..., Any], name: str) -> model.Experiment:
    run = tuple(draw(st.lists(runs, max_size=3)))
    return model.Experiment(
        family=draw(st.sampled_from(["strong", "weak", "model-size", "target"])),
        name=name,
        baseline=draw(st.none() | st.sampled_from([each.devices for each in run])) if run else None,
        memory_per_device_gib=draw(optional_amounts),
        work=draw(st.none() | works),
        stages=draw(stages()),
        run=run,
        prediction=tuple(draw(st.lists(predictions, max_size=2))),
    )


@st.composite
def studies(draw: Callable[..., Any]) -> model.Study:
    ladder = sorted(draw(st.sets(counts, max_size=2)))
    domains = tuple(model.Domain(f"rung {place}", devices) for place, devices in enumerate(ladder))
    machine = model.Machine(draw(text), "", draw(optional_counts), domains, None, draw(optional_amounts))
    names = draw(st.lists(named, max_size=3, unique=True))
    return model.Study(
        title=draw(text),
        machine=draw(st.sampled_from([machine, model.Machine()])),
        experiment=tuple(draw(experiments(name)) for name in names),
    )


@st.composite
def neighbours(draw: Callable[..., Any], study: model.Study) -> model.Study:
    """A study that differs from this one the way edits make it differ: any part changed, added or gone."""
    other = draw(studies())
    experiment = list(study.experiment)
    for place, one in enumerate(experiment):
        run = list(one.run)
        for spot in range(len(run)):
            if draw(st.booleans()):
                run[spot] = draw(st.sampled_from([draw(runs), replace(run[spot], withdrawn="sick node")]))
        spot = draw(st.integers(0, len(run)))
        run[spot : spot + draw(st.integers(0, 1))] = draw(st.lists(runs, max_size=2))
        have = {each.devices for each in run}
        experiment[place] = replace(
            one,
            run=tuple(run),
            baseline=one.baseline if one.baseline in have else None,
            work=draw(st.sampled_from([one.work, draw(st.none() | works)])),
            prediction=(*one.prediction, *draw(st.lists(predictions, max_size=1))),
        )
    if draw(st.booleans()):
        taken = {each.name for each in experiment}
        experiment += [each for each in other.experiment if each.name not in taken]
    if experiment and draw(st.booleans()):
        experiment.pop(draw(st.integers(0, len(experiment) - 1)))
    return replace(
        study,
        title=draw(st.sampled_from([study.title, other.title])),
        machine=draw(st.sampled_from([study.machine, other.machine])),
        experiment=tuple(experiment),
    )


class Scribe:
    """Writes plain values as TOML in a way drawn at random, with a numbered remark wherever one may stand."""

    def __init__(self, draw: Callable[..., Any]) -> None:
        self._draw = draw
        self.remarks: list[str] = []

    def document(self, values: Mapping[str, Any]) -> str:
        """A whole file."""
        return self._remark_line() + self._table(values, ()) + self._remark_line()

    def _pick(self, *options: Any) -> Any:
        return self._draw(st.sampled_from(options))

    def _remark(self) -> str:
        if not self._pick(True, False, False):
            return ""
        self.remarks.append(f"# remark {len(self.remarks)} [x] = \"'")
        return self.remarks[-1]

    def _remark_line(self) -> str:
        blank, indent = self._pick("", "\n"), self._pick("", "  ")
        return f"{blank}{indent}{self._remark()}\n"

    def _table(self, values: Mapping[str, Any], path: tuple[str, ...]) -> str:
        entries, sections = "", []
        for name, value in values.items():
            shown = self._pick(key(name), inline(name))
            if isinstance(value, dict) and value and self._pick(True, False):
                sections.append([self._section(value, (*path, name), "[{}]")])
            elif isinstance(value, dict) and value and self._pick(True, False):
                entries += "".join(self._entry(f"{shown} . {key(each)}", value[each]) for each in value)
            elif (
                value
                and isinstance(value, list)
                and isinstance(value[0], dict)
                and self._pick(True, True, False)
            ):
                sections.append([self._section(each, (*path, name), "[[{}]]") for each in value])
            else:
                entries += self._entry(shown, value)
        return entries + self._interleaved(sections)

    def _interleaved(self, sections: list[list[str]]) -> str:
        out = ""
        while sections:
            first = self._pick(*sections)
            out += first.pop(0)
            sections = [each for each in sections if each]
        return out

    def _section(self, values: Mapping[str, Any], path: tuple[str, ...], brackets: str) -> str:
        header = brackets.format(self._pick(".", " . ").join(map(key, path)))
        above = self._remark_line() + self._pick("", "  ")
        return f"{above}{header} {self._remark()}\n{self._table(values, path)}"

    def _entry(self, name: str, value: Any) -> str:
        indent = self._pick("", "  ")
        before = self._remark_line() if self._pick(True, False, False) else ""
        return f"{before}{indent}{name}{self._pick(' = ', '=')}{self._value(value)} {self._remark()}\n"

    def _value(self, value: Any) -> str:
        if isinstance(value, dict):
            pairs = ", ".join(f"{key(name)} = {self._one_line(each)}" for name, each in value.items())
            return f"{{{self._pick('', ' ')}{pairs}}}"
        if isinstance(value, list) and value and self._pick(True, False):
            return self._tall_array(value)
        return self._one_line(value)

    def _tall_array(self, value: list[Any]) -> str:
        lines = [f"    {self._one_line(each)},{self._remark()}\n" for each in value]
        if not self._pick(True, False):
            lines[-1] = lines[-1].replace(",", "", 1) if lines[-1].count(",") == 1 else lines[-1]
        return f"[\n{self._remark_line()}{''.join(lines)}]"

    def _one_line(self, value: Any) -> str:
        if isinstance(value, str) and value.isprintable() and "'" not in value and self._pick(True, False):
            return f"'{value}'"
        if isinstance(value, str) and self._pick(True, False):
            return '"""\n' + inline(value)[1:-1] + '"""'
        return inline(value)
