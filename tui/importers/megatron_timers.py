"""The timers of Megatron-LM as stages of one update.

Times of the passes contain the loading of the batch, and the optimizer's parts are contained in its total.
What a rank spends in receiving from or sending to its pipeline neighbours is mostly waiting for them, and so
is the all-reduce of the embeddings where there is a pipeline: the first and the last stage meet there, one of
them long done (visible in the logs of github.com/bigscience-workshop/bigscience, experiments/gpt2-meg). So
both are `wait`; only collectives of the data-parallel and tensor-parallel groups are `communication`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from .log_lines import number

_ONE = re.compile(rb"\| *([\w./-]+): *([\d.]+)")
_ACROSS = re.compile(rb"\n +([\w./-]+) *\.+: \((?:([\d.]+), )?([\d.]+)\)")

_PASSES = ("forward-compute", "backward-compute")
_COLLECTIVES = (
    "backward-params-all-reduce",
    "backward-layernorm-all-reduce",
    "layernorm-grads-all-reduce",
    "all-grads-sync",
    "params-all-gather",
    "grads-all-reduce",
    "grads-reduce-scatter",
)
_EMBEDDING = ("backward-embedding-all-reduce", "embedding-grads-all-reduce")
_INPUT = "batch-generator"
_OPTIMIZER = "optimizer"


def one_rank(line: bytes, pipeline: int | None) -> dict[str, float]:
    """Seconds of the stages of one update, from a line of one rank's timers; empty where it has none.

    Args:
        line: "time (ms) | forward-compute: 264.79 | ...", an average over the interval.
        pipeline: stages of the pipeline, where known.
    """
    times = {name.decode(): _milliseconds(value) for name, value in _ONE.findall(line)}
    return _stages(times, times, pipeline)


def across_ranks(block: bytes, pipeline: int | None) -> dict[str, float]:
    """The same from the lines "(min, max) time across ranks (ms):".

    The slowest rank sets the time of the passes, of the batch and of the optimizer; in a collective the last
    rank to come waits least, so the smallest time is that of the communication.
    """
    shown = _ACROSS.findall(block)
    most = {name.decode(): _milliseconds(high) for name, _, high in shown}
    least = {name.decode(): _milliseconds(low or high) for name, low, high in shown}
    return _stages(most, least, pipeline)


def _milliseconds(value: bytes) -> float:
    return (number(value) or 0.0) / 1000


def _stages(most: Mapping[str, float], least: Mapping[str, float], pipeline: int | None) -> dict[str, float]:
    passes = [most[name] for name in _PASSES if name in most]
    if not passes:
        return {}
    loading = most.get(_INPUT, 0.0)
    waits = [value for name, value in least.items() if _between_stages(name)]
    collectives = [least[name] for name in _COLLECTIVES if name in least]
    (waits if (pipeline or 2) > 1 else collectives).extend(
        least[name] for name in _EMBEDDING if name in least
    )
    parts = {
        "compute": max(0.0, sum(passes) - loading),
        "input": loading,
        "communication": sum(collectives),
        "wait": sum(waits),
        "optimizer": most.get(_OPTIMIZER, 0.0),
    }
    return {name: value for name, value in parts.items() if value}


def _between_stages(name: str) -> bool:
    """Whether a timer is one of the pipeline's sends and receives."""
    return name.startswith(("forward-", "backward-")) and ("recv" in name or "send" in name)
