"""The log of marks as lines and as a CSV file."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from ..core.atomic_write import write_whole
from ..core.spreadsheet import csv_file, guarded
from ..core.strip import strip_control
from ..nbgrader_hooks.export_plugin import ExportError
from ..records.mark_log import UNKNOWN_ACTOR
from ..records.tables import MarkChange

HEADS = ("at", "who", "how", "why", "student", "assignment", "notebook", "exercise", "mark", "before", "after")


def lines(changes: Sequence[MarkChange]) -> Iterator[str]:
    for one in changes:
        who = one.who or UNKNOWN_ACTOR
        by = f"{who} ({one.how})" if one.how else who
        where = "/".join(filter(None, (one.assignment, one.notebook, one.exercise)))
        why = f": {one.why}" if one.why else ""
        change = f"{one.student}  {where}: {one.mark}"
        if (one.before, one.after) != (None, None):  # an excuse has no points
            change += f" {_points(one.before)} -> {_points(one.after)}"
        what = change if one.student else one.mark  # a removed student is not named
        yield strip_control(f"{one.at:%Y-%m-%d %H:%M:%S} UTC  {what}, by {by}{why}")
    if not changes:
        yield "No mark was changed."


def write(path: Path, changes: Sequence[MarkChange]) -> None:
    """Write a CSV file in UTF-8, completely or not at all."""
    rows: list[Sequence[str]] = [HEADS]
    for one in changes:
        points = ("" if value is None else f"{value:.10g}" for value in (one.before, one.after))
        texts = (getattr(one, name) for name in HEADS[1:9])
        rows.append([f"{one.at:%Y-%m-%d %H:%M:%S}", *map(guarded, texts), *points])
    try:
        write_whole(path, csv_file(rows))
    except OSError as problem:
        raise ExportError(f"{path} cannot be written ({problem.strerror}); name another file with --to.") from None


def _points(points: float | None) -> str:
    return "none" if points is None else f"{points:g}"
