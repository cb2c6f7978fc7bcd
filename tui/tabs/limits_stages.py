"""The first pages of the Limits tab as lines: stages by count with their bars, and the dependency path."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from rich.cells import cell_len

from tui.files.report_limits import remainder_words
from tui.files.report_numbers import shown
from tui.model.flags import counted
from tui.model.laws import Fit, Number
from tui.model.limits import Limits
from tui.model.path import NoPath, Timing
from tui.model.predict import Forecast
from tui.model.run_text import printable_words
from tui.model.stage_edits import stage_names
from tui.widgets.columns import COVER, cut
from tui.widgets.efficiency_table import Line
from tui.widgets.stage_lines import Grid, PageLines, facts, paragraphs, remarks, sentence
from tui.widgets.stage_view import PARTS

COVERS = frozenset(
    (
        *("path", "slack", "loss", "ideal", "efficiency", "speedup"),
        *("cost", "memory", "measured", "late"),
    )
)
"""The words that cover something here. `path`: the longest path, all that follows from it, and the page of
the prediction with its rules that know no stages; `measured`: which parts were measured; `late`: the chance
of a late rank, and what is predicted from it.
"""

GLYPHS = "#=+o%~*x@&"
"""One for each stage in the bars; the same in ASCII."""
_UNEXPLAINED = "."
_HEADING = 8
_UNKNOWN = "unknown"


@dataclass(frozen=True)
class Look:
    """How a page is looked at.

    Attributes:
        width: cells of a line.
        shift: columns scrolled to the left.
        count: the count of the page of the path; the largest measured one where it is None.
        covered: of `COVERS`, what an exercise asks for.
    """

    width: int
    shift: int = 0
    count: int | None = None
    covered: frozenset[str] = frozenset()

    def hides(self, word: str) -> bool:
        """Whether it is covered."""
        return word in self.covered


def hides_forecast(limits: Limits, look: Look) -> bool:
    """Whether what is predicted is covered: it is a path, and a law of late ranks gives their chance away."""
    return look.hides("path") or (look.hides("late") and bool(tails(limits)))


def tails(limits: Limits) -> list[str]:
    """The stages that wait for late ranks."""
    return [name for name, law in limits.laws.items() if isinstance(law, Fit) and law.law == "tail"]


def counts_of(limits: Limits) -> list[int]:
    """Every count that has a run, in order: the rows of the page of stages."""
    return sorted({run.devices for run in limits.experiment.run})


# --------------------------------------------------------------------------------------- stages by count


def stages_page(limits: Limits, look: Look) -> PageLines:
    """Counts by stages, with what the path makes of them, and a bar for each count."""
    names = stage_names(limits.experiment)
    titles = (cut(limits.steps.of, _HEADING), "T s", *(cut(name, _HEADING) for name in names))
    counts = counts_of(limits)
    rows = [_count_row(limits, count, names, look) for count in counts]
    styles = ["" if isinstance(limits.timings.get(count), Timing) else "warns" for count in counts]
    grid = Grid((*titles, "path", "rest", "limit"), rows, 0, 2, styles, tail=True)
    return grid.page(look.width, look.shift, cursor=True).then(_bars(limits, names, look))


def _count_row(limits: Limits, count: int, names: tuple[str, ...], look: Look) -> tuple[str, ...]:
    steps = limits.steps
    timing = limits.timings.get(count)
    if not steps.has(count):
        run = next(run for run in limits.experiment.run if run.devices == count)
        time = next((row.time_s for row in limits.rows.rows if row.devices == count), None)
        why = "awaited" if _awaited(limits, count) else "left out"
        seconds = (shown(run.stages_s.get(name)) for name in names)
        return (str(count), "–" if time is None else shown(time), *seconds, "–", "–", why)
    point = steps.point(count)
    ends = ("–", "–", _UNKNOWN)
    if isinstance(timing, Timing):
        ends = (shown(timing.total), shown(point.time - timing.total), timing.limit)
        ends = (COVER, COVER, COVER) if look.hides("path") else ends
    return (str(count), shown(point.time), *(shown(point.seconds.get(name)) for name in names), *ends)


def _awaited(limits: Limits, count: int) -> bool:
    """Whether a count has a run whose time is to come; one that failed has none to come."""
    runs = [run for run in limits.experiment.run if run.devices == count and not run.withdrawn]
    return any(not run.times_s and run.status == "completed" for run in runs)


def count_note(limits: Limits, count: int, look: Look) -> str:
    """What is to be said of the row of one count."""
    steps = limits.steps
    if not steps.has(count):
        if _awaited(limits, count):
            return f"{counted(count, steps.of)}: its step time is awaited."
        why = printable_words(steps.left_out.get(count, "no run counts"))
        return f"The run at {counted(count, steps.of)} takes no part: {why}."
    timing = limits.timings[count]
    if isinstance(timing, str):
        return sentence(timing)
    if look.hides("path"):
        return "Path, rest and limit are covered: the exercise asks for them."
    said = [f"At {count} the limit is {timing.limit}, on the path {' → '.join(timing.path)}"]
    rest = steps.remainder(count)
    said += [remainder_words(count, rest)] if rest else []
    said += [] if look.hides("slack") else _slack_words(timing)
    if steps.point(count).questioned and not look.hides("efficiency"):
        said.append("its efficiency is above one and unexplained (c on its table writes the cause)")
    return f"{printable_words('; '.join(said))}."


def _slack_words(timing: Timing) -> list[str]:
    """The slack beside the path, stages with the same one together."""
    alike: dict[Number, list[str]] = {}
    for name, spare in timing.slack.items():
        if spare:
            alike.setdefault(spare, []).append(name)
    return [f"{shown(spare)} s of slack in {', '.join(names)}" for spare, names in alike.items()]


def _bars(limits: Limits, names: tuple[str, ...], look: Look) -> list[Line]:
    """A bar of the path's stages for each count whose path is known, on one scale of seconds."""
    known = {count: timing for count, timing in limits.timings.items() if isinstance(timing, Timing)}
    if not known or look.hides("path"):
        return []
    times = {count: limits.steps.point(count).time for count in known}
    tails = {count: _tail(times[count], timing) for count, timing in known.items()}
    longest = max(max(times[count], timing.total) for count, timing in known.items())
    label, tail = max(len(str(count)) for count in known), max(map(len, tails.values()))
    room = max(8, look.width - label - tail - 3)
    legend = [
        (f" {_glyph(place)} {cut(printable_words(name), 16)} ", _part(place))
        for place, name in enumerate(names)
    ]
    lines = [*_legend(legend, look.width)]
    for count, timing in known.items():
        spans = _bar(timing, names, times[count], room / float(longest))
        lines.append(((f" {count:>{label}} ", ""), *spans, (tails[count], "")))
    return lines


def _tail(time: Number, timing: Timing) -> str:
    """What stands behind a bar: the measured step, and by how much its stages exceed it."""
    over = timing.total - time
    return f" {shown(time)} s" + (f", {shown(over)} over" if over > 0 else "")


def _legend(entries: list[tuple[str, str]], width: int) -> list[Line]:
    lines: list[list[tuple[str, str]]] = [[]]
    for entry in (*entries, (f" {_UNEXPLAINED} no stage", "")):
        if sum(cell_len(text) for text, _ in (*lines[-1], entry)) > width and lines[-1]:
            lines.append([])
        lines[-1].append(entry)
    return [tuple(line) for line in lines]


def _bar(timing: Timing, names: tuple[str, ...], time: Number, scale: float) -> Line:
    """Ends are rounded, not lengths, so that a bar is as long as its sum."""
    spans: list[tuple[str, str]] = []
    end: Number = Fraction(0)
    for name in timing.path:
        start, end = end, end + timing.seconds[name]
        place = names.index(name)
        spans.append(
            (_glyph(place) * (round(float(end) * scale) - round(float(start) * scale)), _part(place))
        )
    spans.append((_UNEXPLAINED * (round(float(time) * scale) - round(float(end) * scale)), ""))
    return tuple(spans)


def _glyph(place: int) -> str:
    return GLYPHS[place % len(GLYPHS)]


def _part(place: int) -> str:
    return f"part{place % PARTS}"


# -------------------------------------------------------------------------------------------- the path


def path_counts(limits: Limits) -> list[int]:
    """The counts whose path can be looked at: the measured ones, and the predicted one."""
    counts = {point.devices for point in limits.steps.points}
    if isinstance(limits.forecast, Forecast):
        counts.add(limits.forecast.devices)
    return sorted(counts)


def shown_count(limits: Limits, chosen: int | None) -> int | None:
    """The count whose path is looked at; None while nothing is measured."""
    measured = [point.devices for point in limits.steps.points]
    return chosen if chosen is not None or not measured else measured[-1]


def path_page(limits: Limits, look: Look) -> PageLines:
    """The dependency path of one count: each stage at its time, the longest branch marked."""
    count = shown_count(limits, look.count)
    if count is None:
        return _edges_only(limits, look)
    made = limits.forecast if isinstance(limits.forecast, Forecast) else None
    predicted = not limits.steps.has(count)
    timing = made.timing if made is not None and predicted else limits.timings.get(count, _UNKNOWN)
    if isinstance(timing, str):
        return _edges_only(limits, look, sentence(timing))
    hidden = hides_forecast(limits, look) if predicted else look.hides("path")
    path = COVER if hidden else " → ".join(timing.path)
    named = [(f"at {count}", f"{COVER if hidden else shown(timing.total)} s along the path {path}")]
    if predicted:
        named.append(("", "by the laws of the stages; its run is awaited"))
    else:
        rest = limits.steps.remainder(count)
        explained = "which is all of it" if not rest else remainder_words(count, rest)
        named.append(
            ("measured", f"{shown(limits.steps.point(count).time)} s" + ("" if hidden else f", {explained}"))
        )
    named.append(("limit", COVER if hidden else f"{timing.limit}, the largest stage on the path"))
    head = facts(named, look.width)
    drawn = _drawing(timing, limits, look, hidden=hidden, predicted=predicted)
    lines = (*head, (), drawn.head, *drawn.lines)
    rows = tuple(place + len(head) + 2 for place in drawn.rows)
    return PageLines(lines, rows=rows).then(remarks(_path_notes(limits), look.width))


def _path_notes(limits: Limits) -> list[str]:
    return ["* on the longest path; dots are the slack of a stage beside it", *limits.steps.notes]


def _edges_only(limits: Limits, look: Look, why: str = "") -> PageLines:
    """The stages and what each comes after, where there are no seconds to draw."""
    try:
        after = limits.steps.graph.after
    except NoPath as error:
        return PageLines(
            tuple(paragraphs([sentence(str(error)), "", "n names the first stage."], look.width))
        )
    rows = [(name, ", ".join(earlier) or "(from the start)") for name, earlier in after.items()]
    grid = Grid(("stage", "comes after"), rows, 2)
    page = grid.page(look.width, cursor=True, widest=40)
    said = [why or "No count is measured yet, so nothing can be drawn."]
    return page.then([*paragraphs(said, look.width), *remarks(limits.steps.notes, look.width)])


def _drawing(timing: Timing, limits: Limits, look: Look, *, hidden: bool, predicted: bool) -> PageLines:
    """The stages, with bars where their path may be seen; seconds that are predicted are covered with it."""
    after = limits.steps.graph.after
    wide = look.width >= 76
    rows = []
    for name, seconds in timing.seconds.items():
        mark = "?" if hidden else "*" if name in timing.path else " "
        guess = hidden and predicted
        spare = COVER if look.hides("slack") or guess else shown(timing.slack[name])
        edge = (", ".join(after[name]) or "–",) if wide else ()
        rows.append((f"{mark} {name}", *edge, COVER if guess else shown(seconds), spare))
    titles = ("  stage", *(("after",) if wide else ()), "s", "slack")
    page = Grid(titles, rows, 1 + wide, len(titles)).page(look.width, cursor=True, widest=18)
    if hidden:
        return page
    left = (
        max((cell_len("".join(text for text, _ in line)) for line in (page.head, *page.lines)), default=0) + 2
    )
    room = max(6, look.width - left - 2)
    starts = _starts(timing, limits.steps.graph.order, after)
    lines = []
    for line, name in zip(page.lines, timing.seconds, strict=True):
        text = "".join(part for part, _ in line)
        bar = _at_its_time(timing, name, starts[name], room, dots=not look.hides("slack"))
        lines.append(((f"{text:<{left}}", "bold" if name in timing.path else ""), *bar))
    head = "".join(part for part, _ in page.head)
    end = f"{shown(timing.total)} s"
    scale = "0 s" + end.rjust(room - 3) if room >= len(end) + 5 else ""
    return PageLines(tuple(lines), ((f"{head:<{left}}{scale}", "head"),), page.rows)


def _starts(
    timing: Timing, order: tuple[str, ...], after: Mapping[str, tuple[str, ...]]
) -> dict[str, Number]:
    """When each stage begins: as soon as all that it comes after have ended."""
    starts: dict[str, Number] = {}
    for name in order:
        ends = (starts[each] + timing.seconds[each] for each in after[name])
        starts[name] = max(ends, default=Fraction(0))
    return starts


def _at_its_time(timing: Timing, name: str, start: Number, room: int, *, dots: bool) -> Line:
    """A stage as a bar from its start to its end, and its slack as dots behind it."""
    if not timing.total:
        return ()
    scale = room / float(timing.total)
    first, last = round(float(start) * scale), round(float(start + timing.seconds[name]) * scale)
    if timing.seconds[name] and last == first:
        first, last = (first, first + 1) if first < room else (first - 1, first)
    until = round(float(start + timing.seconds[name] + timing.slack[name]) * scale) if dots else last
    place = list(timing.seconds).index(name)
    glyph = "█" if name in timing.path else "░"
    return ((" " * first, ""), (glyph * (last - first), _part(place)), ("·" * max(0, until - last), ""))
