"""How the seconds of one stage change with the count: the laws, and their parameters from measurements.

A law is a sum of parameters times known terms, so its parameters follow from least squares by two lines
of algebra. What is made small is the sum of squared *relative* residuals, because a stage of 40 s at
8 devices and of 5 s at 64 is to be met equally well at both. On `Fraction`s everything is exact; only
logarithms and roots that do not come out even turn a number into a float.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction

from tui.model.quantity import format_number
from tui.model.study import COMPUTE, LawName, Stage

Number = Fraction | float

BUBBLE_OF = COMPUTE
"""The stage whose seconds the bubbles are a share of."""


class Unfit(ValueError):
    """A law that cannot be used with what was measured; the text is one sentence."""


def exact(value: float) -> Fraction:
    """The number as it was typed, 0.1 as one tenth: so that sums on the screen come out even."""
    return Fraction(Decimal(repr(float(value))))


@dataclass(frozen=True)
class Place:
    """Where a law is asked for a number."""

    n: Number
    """The value of the law's variable, by default the device count."""
    bubbles: Number | None = None
    """(pp − 1)/(m·vpp) times the seconds of the compute stage there."""


@dataclass(frozen=True)
class Law:
    """One law: its formula, what its parameters are called, and the terms they multiply."""

    formula: str
    terms: Callable[[Place, Mapping[str, Number]], tuple[Number, ...]]
    params: tuple[str, ...] = ("a",)
    """Seconds, except for the factor of `bubble`."""
    shape: tuple[str, ...] = ()
    """Further names that a stage may set; they shape the terms."""
    limit: Callable[[Mapping[str, Number]], Number | None] = lambda p: None
    """What it comes to as its variable grows without end; `None` when it grows too, or nobody can say."""


def _zero(_: Mapping[str, Number]) -> Number:
    return Fraction(0)


LAWS: Mapping[LawName, Law] = {
    "split": Law("a/D", lambda at, _: (1 / at.n,), limit=_zero),
    "fixed": Law("a", lambda at, _: (Fraction(1),), limit=lambda p: p["a"]),
    "split+fixed": Law("a/D + b", lambda at, _: (1 / at.n, Fraction(1)), ("a", "b"), limit=lambda p: p["b"]),
    "ring": Law("2a(D-1)/D", lambda at, _: (2 * (at.n - 1) / at.n,), limit=lambda p: 2 * p["a"]),
    "linear": Law("a·D", lambda at, _: (at.n,)),
    "tree": Law("a·log2 D", lambda at, _: (log2(at.n),)),
    "per-doubling": Law("a + b·log2 D", lambda at, _: (Fraction(1), log2(at.n)), ("a", "b")),
    "halo": Law("a/D^(2/3)", lambda at, p: (1 / _root(at.n, p),), shape=("dimensions",), limit=_zero),
    "alltoall": Law("a(D-1)/D", lambda at, _: ((at.n - 1) / at.n,), limit=lambda p: p["a"]),
    "bubble": Law("a(pp-1)/(m·vpp)·compute", lambda at, _: (_bubbles(at),)),
    "tail": Law(
        "delay(1-(1-q)^D)",
        lambda at, p: (late(p["q"], at.n),),
        ("delay_s",),
        ("q",),
        limit=lambda p: p["delay_s"] if p["q"] > 0 else Fraction(0),
    ),
}
"""Every law. `ring` and `alltoall` are for a message whose size on each device stays: an all-reduce around
a ring passes 2(n−1)/n of it, an all-to-all exchange (n−1)/n (github.com/NVIDIA/nccl-tests,
doc/PERFORMANCE.md). `halo` is the surface of a block whose volume is 1/D of the whole, in three
dimensions or, with `dimensions = 2`, D^(−1/2). `bubble` is the idle share of a pipeline of pp stages fed
m micro-batches, interleaved vpp times (Narayanan et al., "Efficient large-scale language model training on
GPU clusters using Megatron-LM", SC 2021, section 2.2); its factor a is 1 where the schedule is ideal.
`tail` waits for the slowest of D ranks of which each is late by delay_s with chance q.
"""


def late(q: Number, devices: Number) -> Number:
    """The chance that at least one of D independent ranks is late, 1 − (1 − q)^D.

    Raises:
        ValueError: when q is no chance, or the ranks are fewer than 0.
    """
    if not 0 <= q <= 1:
        raise ValueError(f"a chance lies between 0 and 1; {format_number(q)} does not")
    if devices < 0:
        raise ValueError(f"there are no {format_number(devices)} ranks")
    whole = int(devices) if devices == int(devices) else devices
    return 1 - (1 - q) ** whole


def bubble_share(pp: Number, micro_batches: Number, vpp: Number = Fraction(1)) -> Number:
    """Idle time of a pipeline over its compute time, (pp − 1)/(m·vpp); m/(m + pp − 1) of the step is
    busy with vpp = 1.
    """
    return (pp - 1) / (micro_batches * vpp)


def log2(n: Number) -> Number:
    """log2, exact for powers of two."""
    if isinstance(n, float):
        return math.log2(n)
    power = n.numerator.bit_length() - n.denominator.bit_length()
    return Fraction(power) if n == Fraction(2) ** power else math.log2(n)


def _root(n: Number, params: Mapping[str, Number]) -> Number:
    """n^(2/3) or, in two dimensions, n^(1/2); exact where it comes out even."""
    dimensions = params.get("dimensions", 3)
    if dimensions not in (2, 3):
        raise Unfit(f"a halo has 2 or 3 dimensions, not {format_number(dimensions)}")
    power, root = (2, 3) if dimensions == 3 else (1, 2)
    guess = round(float(n) ** (1 / root))
    even = guess**root == n
    return Fraction(guess) ** power if even else float(n) ** (power / root)


def _bubbles(at: Place) -> Number:
    if at.bubbles is None:
        raise Unfit("bubbles need pp and the micro-batches of each pipeline, from accumulation or the batch")
    return at.bubbles


# -------------------------------------------------------------------------------------------- fitting


@dataclass(frozen=True)
class Measured:
    """The seconds of a stage at one count."""

    devices: int
    at: Place
    seconds: Number
    questioned: bool = False
    """Whether this run's efficiency is above one and nobody has said why."""


@dataclass(frozen=True)
class Fit:
    """A law with its parameters, and how well it meets what was measured."""

    stage: str
    law: LawName
    assumed: bool
    """Whether nobody wrote a law, so that it is taken to be fixed."""
    params: Mapping[str, Number]
    given: frozenset[str] = frozenset()
    """The parameters that the study sets; the others come from the measurements."""
    measured: tuple[Measured, ...] = ()
    residuals: Mapping[int, Number | None] = field(default_factory=dict)
    """(law − measured)/measured by count; `None` where 0 s were measured."""

    @property
    def by_construction(self) -> bool:
        """Whether there are no more counts than parameters to be found, so that it cannot but fit."""
        free = len(self.params) - len(self.given)
        return free > 0 and len([each for each in self.measured if each.seconds]) <= free

    @property
    def largest_residual(self) -> tuple[int, Number] | None:
        """The count where the law is furthest off, and by which share of what was measured."""
        known = [(devices, share) for devices, share in self.residuals.items() if share is not None]
        return max(known, key=lambda each: abs(float(each[1])), default=None)

    def at(self, place: Place) -> Number:
        """The seconds that the law gives.

        Raises:
            Unfit: when it gives less than 0 s, or the place lacks what the law runs over.
        """
        seconds = _value(LAWS[self.law], place, self.params)
        if seconds < 0:
            raise Unfit(
                f"the law of {self.stage} ({LAWS[self.law].formula}) gives {format_number(seconds)} s at "
                f"{format_number(place.n)}: choose another law, or measure another count"
            )
        return seconds

    @property
    def limit(self) -> Number | None:
        """What the law comes to without end of devices; `None` when it grows on, or nobody can say."""
        return LAWS[self.law].limit(self.params)


def fit(stage: Stage, measured: Sequence[Measured]) -> Fit:
    """The law of a stage through what was measured.

    Parameters that the stage sets stay; the others make the squares of the relative residuals least.
    Counts with 0 s have no relative residual and do not take part, unless there are only such.

    Raises:
        Unfit: when the stage sets an unknown parameter, when too few counts were measured, when they do
            not tell the parameters apart, or when a parameter would rest on a questioned run alone.
    """
    name: LawName = stage.law or "fixed"
    law = LAWS[name]
    given = {key: exact(value) for key, value in stage.params.items()}
    _refuse_unknown(stage.name, name, given)
    free = free_parameters(stage)
    if free:
        _refuse_too_few(stage.name, name, len(free), measured)
    params: dict[str, Number]
    if measured and all(each.seconds == 0 for each in measured):
        params = {**dict.fromkeys(free, Fraction(0)), **given}
    elif "q" in free:
        params = _fit_tail(stage.name, given, measured)
    else:
        params = {**given, **_least_squares(stage.name, law, given, free, measured)}
    residuals: dict[int, Number | None] = {}
    for each in measured:
        off = _value(law, each.at, params) - each.seconds
        residuals[each.devices] = off / each.seconds if each.seconds else None
    return Fit(stage.name, name, stage.law is None, params, frozenset(given), tuple(measured), residuals)


def free_parameters(stage: Stage) -> tuple[str, ...]:
    """The parameters that a stage leaves to the measurements."""
    law = LAWS[stage.law or "fixed"]
    shaping = ("q",) if stage.law == "tail" else ()
    return tuple(key for key in (*law.params, *shaping) if key not in stage.params)


def _value(law: Law, at: Place, params: Mapping[str, Number]) -> Number:
    terms = law.terms(at, params)
    total: Number = Fraction(0)
    for key, term in zip(law.params, terms, strict=True):
        total += params[key] * term
    return total


def _refuse_unknown(stage: str, name: LawName, given: Mapping[str, Number]) -> None:
    known = (*LAWS[name].params, *LAWS[name].shape)
    for key in given:
        if key not in known:
            raise Unfit(f"{stage}: the law {name} has no parameter {key!r}; it has {', '.join(known)}")
    if "q" in given and not 0 <= given["q"] <= 1:
        raise Unfit(f"{stage}: q is the chance that a rank is late, so not {format_number(given['q'])}")


def _refuse_too_few(stage: str, name: LawName, needed: int, measured: Sequence[Measured]) -> None:
    if len(measured) < needed:
        counts = ", ".join(str(each.devices) for each in measured) or "no count"
        plural = "s" if needed > 1 else ""
        raise Unfit(
            f"the law {name} of {stage} needs {needed} count{plural}, and it was measured at {counts}: "
            "measure another, or set its parameters"
        )
    if sum(not each.questioned for each in measured) < needed:
        doubtful = ", ".join(str(each.devices) for each in measured if each.questioned)
        raise Unfit(
            f"the law {name} of {stage} would rest on an unexplained efficiency above one (at {doubtful}): "
            "write its cause, or measure another count"
        )


def _least_squares(
    stage: str, law: Law, given: Mapping[str, Number], free: Sequence[str], measured: Sequence[Measured]
) -> dict[str, Number]:
    """One or two parameters by the normal equations of the relative residuals."""
    rows: list[tuple[list[Number], Number]] = []
    for each in measured:
        if each.seconds == 0 or not free:
            continue
        terms = dict(zip(law.params, law.terms(each.at, given), strict=True))
        known = sum((given[key] * terms[key] for key in law.params if key in given), Fraction(0))
        rows.append(([terms[key] / each.seconds for key in free], (each.seconds - known) / each.seconds))
    zero: Number = Fraction(0)
    order = range(len(free))
    normal = [[sum((row[i] * row[j] for row, _ in rows), zero) for j in order] for i in order]
    right = [sum((row[i] * share for row, share in rows), zero) for i in order]
    if len(free) == 2:
        (a, b), (_, d) = normal
        determinant = a * d - b * b
        if determinant > a * d * 1e-12:
            first, second = right
            return {
                free[0]: (first * d - second * b) / determinant,
                free[1]: (second * a - first * b) / determinant,
            }
    elif not free or normal[0][0] > 0:
        return {key: right[place] / normal[place][place] for place, key in enumerate(free)}
    counts = ", ".join(str(each.devices) for each in measured)
    raise Unfit(f"the counts {counts} do not tell the parameters of {stage} ({law.formula}) apart")


# ---------------------------------------------------------------------------------------- chance of a tail


def _fit_tail(stage: str, given: Mapping[str, Number], measured: Sequence[Measured]) -> dict[str, Number]:
    """q, and delay_s where it is not given: the only law that is not linear in a parameter.

    A grid over q finds the valley, Newton's steps on the residuals (Gauss and Newton) its floor.
    """
    points = [(float(each.at.n), float(each.seconds)) for each in measured if each.seconds]
    fixed = float(given["delay_s"]) if "delay_s" in given else None
    grid = [10 ** (power / 20) for power in range(-160, 0)]
    q = min(grid, key=lambda q: _miss(points, q, _delay(points, q, fixed)))
    if q in (grid[0], grid[-1]):
        raise Unfit(f"the counts do not tell how often a rank of {stage} is late: set q, its chance")
    delay = _delay(points, q, fixed)
    for _ in range(60):
        q, delay, step = _newton(points, q, delay, fixed)
        if step < 1e-15:
            break
    return {"q": q, "delay_s": given.get("delay_s", delay)}


def _delay(points: Sequence[tuple[float, float]], q: float, fixed: float | None) -> float:
    if fixed is not None:
        return fixed
    shares = [_chance(q, n) / seconds for n, seconds in points]
    return sum(shares) / sum(share * share for share in shares)


def _miss(points: Sequence[tuple[float, float]], q: float, delay: float) -> float:
    return math.fsum((delay * _chance(q, n) / seconds - 1) ** 2 for n, seconds in points)


def _chance(q: float, n: float) -> float:
    return -math.expm1(n * math.log1p(-q))


def _newton(
    points: Sequence[tuple[float, float]], q: float, delay: float, fixed: float | None
) -> tuple[float, float, float]:
    """One step on q, halved until it does not miss by more, and how far it went; delay follows q."""
    slope = square = 0.0
    follow = 0.0 if fixed is not None else _delay_slope(points, q)
    for n, seconds in points:
        chance, rise = _chance(q, n), n * math.pow(1 - q, n - 1)
        residual = delay * chance / seconds - 1
        by_q = (delay * rise + follow * chance) / seconds
        slope += by_q * residual
        square += by_q * by_q
    step = -slope / square if square else 0.0
    before = _miss(points, q, delay)
    for _ in range(40):
        moved = q + step
        if 0 < moved < 1 and _miss(points, moved, _delay(points, moved, fixed)) <= before:
            return moved, _delay(points, moved, fixed), abs(step) / q
        step /= 2
    return q, delay, 0.0


def _delay_slope(points: Sequence[tuple[float, float]], q: float) -> float:
    """How the best delay changes with q."""
    nudge = q * 1e-6
    return (_delay(points, q + nudge, None) - _delay(points, q - nudge, None)) / (2 * nudge)
