"""How far a set of times, and a ratio of two of them, spreads from job to job.

The interval of a ratio is the percentile bootstrap of the ratio of two medians (Efron, "Bootstrap
methods: another look at the jackknife", Annals of Statistics 7(1), 1979), without drawing a single
sample: the median of n values drawn with replacement is one of few values, with weights that depend on
n alone, so the distribution of the ratio is known exactly and its percentiles are read off it.
"""

from __future__ import annotations

import math
import statistics
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Places = NDArray[np.intp]

LEVEL = 0.95
JOBS_FOR_INTERVAL = 5
"""Fewer jobs on either side give the range of the ratios, without a percentage."""

NEGLIGIBLE = 1e-17
"""Weight below which a value of the median is left out; all of them together stay below 1e-12."""

HALVINGS = 50
"""Bisection steps after which the bounds of a percentile differ by rounding only."""

FEW = 256
"""So many ratios between the bounds, on average over the rows, are listed and sorted rather than halved."""

EXACT_JOBS = 100
"""Up to so many jobs every value that a median can take is kept apart."""

GROUPS = 512
"""With more jobs neighbouring values are taken together, each group at its own mean; that moves an end of
the interval by less than a thousandth of its width.
"""

BLOCK = 1_000_000
"""Values of medians that are held at once; more rows are done in turn."""


@dataclass(frozen=True)
class RatioSpread:
    """Where a ratio of medians may lie: a 95 % interval, the plain range of ratios, or nothing known."""

    kind: Literal["interval", "range", "none"]
    jobs: int
    """Jobs on the side that has fewer."""
    low: float | None = None
    high: float | None = None

    def reaches(self, value: float) -> bool:
        """Whether the value lies within the spread; never when nothing is known."""
        return self.low is not None and self.high is not None and self.low <= value <= self.high

    def scaled(self, factor: float) -> RatioSpread:
        """The spread of the ratio times a factor that is known exactly."""
        if self.low is None or self.high is None:
            return self
        return RatioSpread(self.kind, self.jobs, self.low * factor, self.high * factor)

    @property
    def words(self) -> str:
        """What the table says beside the numbers, or in their place."""
        if self.kind == "interval":
            return f"95 % interval, {self.jobs} jobs or more on each side"
        if self.kind == "range":
            return f"range of the ratios, {self.jobs} jobs: no percentage"
        if self.jobs == 1:
            return "one job: its steps say nothing about the next"
        return "no interval: a time of 0 has no ratio"


def median(values: Sequence[float]) -> float:
    """The middle value, or the mean of the two middle ones. Needs one value."""
    ordered = sorted(values)
    half = len(ordered) // 2
    return float(ordered[half]) if len(ordered) % 2 else (ordered[half - 1] + ordered[half]) / 2


def mean(values: Sequence[float]) -> float:
    """The arithmetic mean, which is what a total is charged by."""
    return math.fsum(values) / len(values)


def relative_range(values: Sequence[float]) -> float:
    """(max − min)/median; 0 for a median of 0."""
    middle = median(values)
    return float(max(values) - min(values)) / middle if middle > 0 else 0.0


def relative_iqr(values: Sequence[float]) -> float:
    """Distance of the quartiles over the median; 0 for a median of 0. Needs two values."""
    lower, middle, upper = statistics.quantiles(values, n=4, method="inclusive")
    return (upper - lower) / middle if middle > 0 else 0.0


def modified_z(values: Sequence[float]) -> list[float]:
    """How far each value lies from the median, in units that an outlier cannot inflate.

    0.6745·(x − median)/MAD; where more than half of the values are equal (MAD 0) the mean absolute
    deviation stands in with its factor 0.7979. Source: Iglewicz and Hoaglin, "How to detect and handle
    outliers", ASQC 1993; the fallback as in IBM SPSS's modified z score.
    """
    middle = median(values)
    distances = [abs(value - middle) for value in values]
    scale = median(distances) / 0.6745 or mean(distances) / 0.7979
    return [(value - middle) / scale if scale else 0.0 for value in values]


def of_ratio(above: Sequence[float], below: Sequence[float]) -> RatioSpread:
    """The spread of median(above)/median(below); each value is one job."""
    return of_ratios(above, [below])[0]


def of_ratios(above: Sequence[float], rows: Sequence[Sequence[float]]) -> list[RatioSpread]:
    """The spread of median(above)/median(row) for many rows; they all share the noise of `above`."""
    found: list[RatioSpread] = []
    alike: dict[int, list[int]] = defaultdict(list)
    shortest, longest = min(above), max(above)
    for place, below in enumerate(rows):
        jobs = min(len(above), len(below))
        if jobs < 2 or shortest <= 0 or min(below) <= 0:
            found.append(RatioSpread("none", jobs))
            continue
        # The range of the ratios; where there are jobs enough an interval takes its place below.
        found.append(RatioSpread("range", jobs, shortest / max(below), longest / min(below)))
        if jobs >= JOBS_FOR_INTERVAL:
            alike[len(below)].append(place)
    for places in alike.values():
        bounds = bootstrap_intervals(above, [rows[place] for place in places])
        for place, (low, high) in zip(places, bounds, strict=True):
            found[place] = RatioSpread("interval", found[place].jobs, low, high)
    return found


def exceeds(above: Sequence[float], below: Sequence[float], value: float) -> bool:
    """Whether median(above)/median(below) is above a value beyond its spread, as `of_ratio` has it.

    One evaluation of the distribution answers that: the lower end of the interval lies above the value
    exactly when less than 2.5 % of the distribution lies at or below it. All times above 0.
    """
    if min(len(above), len(below)) < JOBS_FOR_INTERVAL:
        single = min(len(above), len(below)) == 1
        ratio = median(above) / median(below) if single else min(above) / max(below)
        return ratio > value
    upper, lower, weights = _distributions(above, [below])
    return bool((upper.before[upper.up_to(value * lower)] @ weights)[0] < (1 - LEVEL) / 2)


def bootstrap_intervals(
    above: Sequence[float], rows: Sequence[Sequence[float]], level: float = LEVEL
) -> list[tuple[float, float]]:
    """The exact percentile bootstrap interval of median(above)/median(row) for each row.

    All times above 0; all rows of the same length.
    """
    import numpy as np

    tail = (1 - level) / 2
    per_block = max(1, BLOCK // len(median_weights(len(rows[0]))[2]))
    found: list[tuple[float, float]] = []
    for start in range(0, len(rows), per_block):
        upper, lower, weights = _distributions(above, rows[start : start + per_block])
        ends = np.stack([_percentile(share, upper, lower, weights) for share in (tail, 1 - tail)], axis=1)
        found += [(low, high) for low, high in ends.tolist()]
    return found


def _distributions(above: Sequence[float], rows: Sequence[Sequence[float]]) -> tuple[_Side, Floats, Floats]:
    """The distribution of the median above, and the values and weights of the medians below."""
    import numpy as np

    values, weights = _medians(np.sort(np.asarray([above], dtype=float), axis=1))
    order = np.argsort(values[0], kind="stable")
    upper = _Side(values[0][order], np.concatenate(([0.0], np.cumsum(weights[order]))))
    lower, lower_weights = _medians(np.sort(np.asarray(rows, dtype=float), axis=1))
    return upper, lower, lower_weights


@dataclass(frozen=True)
class _Side:
    """The distribution of one median: ascending values and the weight of all before each."""

    values: Floats
    before: Floats

    def up_to(self, limits: Floats) -> Places:
        """How many values are at or below each limit."""
        import numpy as np

        return np.searchsorted(self.values, limits, side="right")

    def quantile(self, share: float) -> float:
        """The smallest value with at least this share of the weight at or below it."""
        import numpy as np

        place = np.searchsorted(self.before[1:], share)
        return float(self.values[min(int(place), len(self.values) - 1)])


def _percentile(share: float, upper: _Side, lower: Floats, weights: Floats) -> Floats:
    """For each row the smallest r with P(A/B ≤ r) = Σ wk·F_A(r·bk) at or above `share`.

    `lower` has the shape (rows, values of the median). The bounds are halved until few of the ratios
    ai/bk lie between them; those are listed and added up in order, which ends at one of them exactly.
    """
    import numpy as np

    low, high = _bounds(share, upper, lower, weights)
    first, last = upper.up_to(low[:, None] * lower), upper.up_to(high[:, None] * lower)
    for _ in range(HALVINGS):
        if int((last - first).sum()) <= FEW * len(lower):
            return _smallest_to_reach(share, upper, lower, weights, (first, last), high)
        middle = np.sqrt(low * high)
        between = upper.up_to(middle[:, None] * lower)
        enough = upper.before[between] @ weights >= share
        high, last = np.where(enough, middle, high), np.where(enough[:, None], between, last)
        low, first = np.where(enough, low, middle), np.where(enough[:, None], first, between)
    # Still many between bounds this close: they are one ratio, many times over.
    return high


def _smallest_to_reach(
    share: float, upper: _Side, lower: Floats, weights: Floats, between: tuple[Places, Places], high: Floats
) -> Floats:
    """Lists the ratios ai/bk between the bounds, sorts them in each row, and adds up their weights."""
    import numpy as np

    first, last = between
    row, column = np.nonzero(last - first)
    repeats = (last - first)[row, column]
    starts = np.repeat(np.cumsum(repeats) - repeats, repeats)
    place = np.repeat(first[row, column], repeats) + np.arange(len(starts)) - starts
    row, column = np.repeat(row, repeats), np.repeat(column, repeats)
    ratio = upper.values[place] / lower[row, column]
    order = np.lexsort((ratio, row))
    row, ratio, place, column = row[order], ratio[order], place[order], column[order]
    total = np.cumsum((upper.before[place + 1] - upper.before[place]) * weights[column])
    earlier = np.concatenate(([0.0], total))[np.searchsorted(row, np.arange(len(lower)))]
    missing = share - upper.before[first] @ weights
    reached = total - earlier[row] >= missing[row]
    result: Floats = high.copy()
    # Written last to first, so that the first ratio that reaches it is the one that stays.
    result[row[reached][::-1]] = ratio[reached][::-1]
    return result


def _bounds(share: float, upper: _Side, lower: Floats, weights: Floats) -> tuple[Floats, Floats]:
    """Ratios below and above the percentile of every row, from the two sides' own percentiles.

    P(A/B < a/b) ≤ P(A < a) + P(B > b), and P(A/B ≤ a/b) ≥ P(A ≤ a)·P(B ≥ b); for a share above one
    half the same is said of what is left over.
    """
    import numpy as np

    rest = 1 - share
    sum_low, product_low = share / 2, share**0.5
    sum_high, product_high = rest / 2, rest**0.5
    order = np.argsort(lower, axis=1, kind="stable")
    ascending = np.take_along_axis(lower, order, axis=1)
    before = np.cumsum(weights[order], axis=1)

    def of_rows(portion: float) -> Floats:
        places = np.minimum((before < portion).sum(axis=1), lower.shape[1] - 1)
        chosen: Floats = ascending[np.arange(len(ascending)), places]
        return chosen

    if share <= 0.5:
        low = upper.quantile(sum_low) / of_rows(1 - sum_low)
        high = upper.quantile(product_low) / of_rows(1 - product_low)
    else:
        low = upper.quantile(1 - product_high) / of_rows(product_high)
        high = upper.quantile(1 - sum_high) / of_rows(sum_high)
    # A hair wider, so that a bound that is itself the percentile lies between them.
    return low * (1 - 1e-9), high * (1 + 1e-9)


def _medians(rows: Floats) -> tuple[Floats, Floats]:
    """The values that the median of a resample of each sorted row can take, and their weights."""
    import numpy as np

    first, second, weights = median_weights(rows.shape[1])
    values = (rows[:, first] + rows[:, second]) / 2
    if rows.shape[1] <= EXACT_JOBS:
        return values, weights
    order = np.argsort(first + second, kind="stable")
    starts = np.linspace(0, len(order), min(GROUPS, len(order)), endpoint=False).astype(int)
    together = np.add.reduceat(weights[order], starts)
    return np.add.reduceat((values * weights)[:, order], starts, axis=1) / together, together


@lru_cache(maxsize=64)
def median_weights(n: int) -> tuple[Places, Places, Floats]:
    """How likely the median of n values drawn with replacement is (x_i + x_j)/2.

    Returns the places i ≤ j (from 0) in the sorted values, and the weight of each pair. For odd n only
    i = j occurs. The weights add up to 1 but for those below `NEGLIGIBLE`. With F(k, r) the chance that
    at least r of n draws fall among the k smallest values, and m = n // 2:

    - n odd: weight of x_i = F(i, m+1) − F(i−1, m+1);
    - n even, i < j: C(n, m)·[(i/n)^m − ((i−1)/n)^m]·[((n−j+1)/n)^m − ((n−j)/n)^m];
      i = j: what is left of F(i, m) − F(i−1, m).
    """
    import numpy as np

    places = _central_places(n)
    half = n // 2
    own = _order_statistic(places, n, half + n % 2)
    if n % 2:
        kept = own > NEGLIGIBLE
        return places[kept] - 1, places[kept] - 1, own[kept]
    first, second, weights = _pairs(places, n)
    left_over = own - np.bincount(first - places[0], weights=weights, minlength=len(own))
    first = np.concatenate((first, places)) - 1
    second = np.concatenate((second, places)) - 1
    weights = np.concatenate((weights, left_over))
    kept = weights > NEGLIGIBLE
    return first[kept], second[kept], weights[kept]


def _central_places(n: int) -> Places:
    """The places from 1 at which the median can lie: 10 standard deviations of a binomial around the
    middle, which for a hundred values is all of them.
    """
    import numpy as np

    reach = int(5 * n**0.5) + 2
    return np.arange(max(1, n // 2 + 1 - reach), min(n, n // 2 + 1 + reach) + 1)


def _order_statistic(places: Places, n: int, rank: int) -> Floats:
    """F(k, r) − F(k−1, r) for each place k: how likely the r-th smallest of n draws is x_k.

    That is the integral of the density of Beta(r, n−r+1) from (k−1)/n to k/n, by 20 Gauss points: exact
    for the polynomial of degree n−1 up to n = 40, and to rounding where the intervals get narrow.
    """
    import numpy as np

    points, shares = np.polynomial.legendre.leggauss(20)
    at = (places[:, None] - 0.5 + points / 2) / n
    constant = math.lgamma(n + 1) - math.lgamma(rank) - math.lgamma(n - rank + 1)
    density = np.exp(constant + (rank - 1) * np.log(at) + (n - rank) * np.log1p(-at))
    integral: Floats = density @ shares / (2 * n)
    return integral


def _pairs(places: Places, n: int) -> tuple[Places, Places, Floats]:
    """The weights of i < j for even n, as a band: they fall by about e with each place between."""
    import numpy as np

    half = n // 2
    constant = math.lgamma(n + 1) - 2 * math.lgamma(half + 1)
    width = np.arange(1, 48)
    first, second = (axis.ravel() for axis in np.broadcast_arrays(places[:, None], places[:, None] + width))
    inside = second <= n
    first, second = first[inside], second[inside]

    def log_step(upper: Places) -> Floats:
        """log of (upper/n)^m − ((upper−1)/n)^m."""
        step: Floats = half * np.log(upper / n) + np.log1p(-(((upper - 1) / upper) ** half))
        return step

    weights = np.exp(constant + log_step(first) + log_step(n - second + 1))
    return first, second, weights
