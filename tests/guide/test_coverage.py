"""Every sentence of the lesson keeps a graded step: what nobody is asked, nobody learns here."""

from __future__ import annotations

from tests.guide.scripts import SHIPPED
from tui.guide.lint import scripts_in
from tui.guide.reader import load
from tui.guide.script import CLASS_OF

LESSON = {
    "S0": "strong and weak scaling answer different fixed-work questions",
    "S1": "strong scaling keeps a defined global work unit",
    "S2": "same global batch, sequence distribution, model and valid update",
    "S3": "micro-batches and accumulation may change, and are recorded",
    "S4": "smaller local matrices may use devices less efficiently",
    "S5": "a global batch reduced with the device time is no improvement",
    "S6": "a feasible baseline D0, and completed time for the same W",
    "S7": "the ideal speedup is D/D0",
    "S8": "efficiency is the measured speedup divided by that factor",
    "S9": "an efficiency above one needs an explanation, not extrapolation",
    "S10": "topology and placement are kept",
    "S11": "weak scaling grows the global work with the device count",
    "S12": "the ideal time stays constant",
    "S13": "the work model is specified: equal tokens may not be equal arithmetic",
    "S14": "communication can still grow",
    "S15": "exact global work and observed time are reported",
    "S16": "a larger global batch changes the optimization trajectory",
    "S17": "schedule, noise, updates per token and time to a threshold can differ",
    "S18": "weak efficiency is a system measurement, no guarantee of quality",
    "S19": "quality and total valid work to a target are compared separately",
    "S20": "model-size scaling is another declared family",
    "S21": "communication, input, bubbles, shapes and tails are measured at each scale",
    "S22": "a fixed host overhead becomes a larger fraction",
    "S23": "extra ranks lengthen collectives and make slow arrivals likelier",
    "S24": "the dependency path predicts the next limit, which is then tested",
    "S25": "device-time cost and memory feasibility stand beside wall time",
    "S26": "the roofline lab is a bounded resource response, not device scaling",
    "S27": "I = 8 and B = 50 give 400 GFLOP/s",
    "S28": "I = 8 and B = 100 give 800 GFLOP/s",
    "S29": "I = 8 and B = 200 give the cap of 1000 GFLOP/s, not 1600",
    "S30": "the instrument changes a bandwidth, not GPUs or work per rank",
    "S31": "saturation is a resource ceiling; scaling comes from real experiments",
}
"""The sentences of the lesson, shortened."""


def tags() -> dict[str, list[str]]:
    """For each tag on a graded step that gives points, the steps that bear it; "" for steps without one."""
    found: dict[str, list[str]] = {}
    for path in scripts_in(SHIPPED):
        for step in load(path).values["step"]:
            if CLASS_OF[step["kind"]].GRADED and step.get("points", 0):
                for tag in step.get("x_covers", [""]):
                    found.setdefault(tag, []).append(f"{path.stem}/{step['id']}")
    return found


def test_every_sentence_of_the_lesson_has_a_graded_step() -> None:
    missing = [f"{tag}: {sentence}" for tag, sentence in LESSON.items() if tag not in tags()]
    assert not missing, "no graded step left for " + "; ".join(missing)


def test_every_graded_step_says_which_sentences_it_teaches() -> None:
    assert {tag: steps for tag, steps in tags().items() if tag not in LESSON} == {}


def test_tags_stand_only_where_something_is_graded() -> None:
    ungraded = [
        f"{path.stem}/{step['id']}"
        for path in scripts_in(SHIPPED)
        for step in load(path).values["step"]
        if "x_covers" in step and not (CLASS_OF[step["kind"]].GRADED and step.get("points", 0))
    ]
    assert ungraded == []
