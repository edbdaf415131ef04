"""A student's tries for an assignment, with the changes between them: points, and a diff of the answers."""

import difflib
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from itertools import pairwise

from ..core.messages import Message, message, say
from ..core.results import exercise_name
from ..core.strip import strip_control
from ..records.tables import TryRecord
from .html import NOTHING, Html, join, tag

MAX_COMPARISONS = 5  # newest comparisons on a page
LINES = 200  # of one answer's diff
PRE = "white-space:pre-wrap;overflow-wrap:anywhere"
CELL = "padding:.1em 1.2em .1em 0;text-align:left"
Show = Callable[[datetime], str]


def changes(before: TryRecord, after: TryRecord) -> Iterator[tuple[str, float | None, float | None, list[str]]]:
    """Yield each exercise whose points or answer changed: its name, points before and after, and a unified diff."""
    for name, (points, _, text) in after.exercises.items():
        old_points, _, old_text = before.exercises.get(name, (None, 0.0, ""))
        lines = list(difflib.unified_diff(old_text.splitlines(), text.splitlines(), lineterm="", n=2))[2:]
        if lines or points != old_points:
            shown = [*lines[:LINES], *["..."] * (len(lines) > LINES)]
            yield exercise_name(name.rpartition("/")[2]), old_points, points, list(map(strip_control, shown))


def history(tries: Sequence[TryRecord], show: Show) -> Html:
    """Return a student's tries as HTML; empty if there is only a first try of their own."""
    counted = next((one for one in tries if one.counts), None)
    parts = []
    if counted is not None and counted.submitter:
        parts.append(tag("p", say("tries_group", student=counted.submitter)))
    if len(tries) > 1:
        heads = (say(f"tries_{name}") for name in ("number", "time", "points"))
        rows = [tag("tr", *(tag("th", head, style=CELL) for head in (*heads, "")))]
        for number, one in enumerate(tries, 1):
            points = say("points", points=round(one.points, 2), most=one.max_points)
            cells = (str(number), _time(one, show), points, say("tries_counts") if one.counts else "")
            rows.append(tag("tr", *(tag("td", text, style=CELL) for text in cells)))
        parts += [tag("p", tag("strong", say("tries_title"))), tag("table", *rows)]
        pairs = list(enumerate(pairwise(tries), 1))
        parts += [_compared(number, before, after) for number, (before, after) in reversed(pairs[-MAX_COMPARISONS:])]
    return tag("div", *parts) if parts else NOTHING


def lines(tries: Sequence[TryRecord], show: Show) -> Iterator[str]:
    """Yield a student's tries as text; a star is in front of the one that counts."""
    for number, one in enumerate(tries, 1):
        sign = "*" if one.counts else " "
        yield f"{sign} {number}  {_time(one, show)}  {one.points:g} of {one.max_points:g} points"
    for number, (before, after) in enumerate(pairwise(tries), 1):
        yield f"\n{number} -> {number + 1}"
        for name, old, new, diff in changes(before, after):
            yield from (f"{name}: {_points(old)} -> {_points(new)}", *diff)


def _time(one: TryRecord, show: Show) -> str:
    return show(one.submitted_at.replace(tzinfo=UTC)) if one.submitted_at else say("tries_no_time")


def _points(points: float | None) -> Message:
    return Message.of("tries_none") if points is None else message("{points:g}", points=round(points, 2))


def _compared(number: int, before: TryRecord, after: TryRecord) -> Html:
    found = []
    for name, old, new, diff in changes(before, after):
        found.append(tag("div", say("tries_points_change", name=name, before=_points(old), after=_points(new))))
        if diff:
            found.append(tag("pre", "\n".join(diff), style=PRE))
    summary = tag("summary", say("tries_changed", before=number, after=number + 1), style="cursor:pointer")
    return tag("details", summary, join(*found) if found else say("tries_same"))
