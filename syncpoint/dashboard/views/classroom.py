"""The class: who submitted, how far grading is, and how the points are distributed."""

from typing import Any

import numpy as np
import pandas as pd
import panel as pn

from .. import queries
from ..charts import Histogram
from ..html import Html, render
from ..source import Source
from ..tabulator import COUNT, NUMBER, SHARE, TEXT, Column, Table
from ..url_state import UrlState
from .view import View, tiles

NEW_RUN = pd.Timedelta(minutes=2)  # after a gap this long between graded submissions, a new run begins
UNREAD = " Shares leave out answers that nobody has read yet; mean and median count only fully read submissions."
TENTHS = [10.0 * tenth for tenth in range(11)]


class ClassView(View):
    """One assignment in numbers, and all assignments in a table."""

    def __init__(self, source: Source, url_state: UrlState):
        super().__init__(source, url_state)
        self._tiles = Html(sizing_mode="stretch_width")
        self._progress = pn.indicators.Progress(value=0, max=100, bar_color="info", sizing_mode="stretch_width")
        self._line = Html(margin=(0, 10), sizing_mode="stretch_width")
        self._spread = Histogram("Points of the graded submissions", "% of the points")
        self._table = Table(
            "assignments",
            "All assignments",
            [
                Column("assignment", "assignment", TEXT, 130),
                Column("submitted", "submitted", COUNT),
                Column("graded", "graded", COUNT),
                Column("late", "late", COUNT),
                Column("unread", "to mark by hand", COUNT, 120),
                Column("max_points", "max. points", NUMBER, 120),
                Column("mean", "mean", NUMBER),
                Column("median", "median", NUMBER),
                Column("share", "mean share", SHARE),
            ],
            choose=lambda row: url_state.open(assignment=row.assignment),
        )
        self._tries = Table(
            "tries",
            "Points over the tries",
            [
                Column("number", "try", COUNT, 60),
                Column("students", "students", COUNT),
                Column("share", "mean share", SHARE),
                Column("before", "mean share of their previous try", SHARE, 220),
                Column("full", "with all points", COUNT, 130),
            ],
        )
        self.layout = pn.Column(
            self._tiles,
            self._progress,
            self._line,
            self._spread.layout,
            self._tries.layout,
            self._table.layout,
            sizing_mode="stretch_width",
        )

    def update(self) -> None:
        """Read all submissions and count them."""
        source, assignment, folders = self.source, self.url_state.assignment, self.source.folders
        self._table.show(source.result(_rows, "", source.cache.number, folders))
        row, line, shares = source.result(_chosen, assignment, folders)
        submitted, graded = row["submitted"], row["graded"]
        names = {"submitted": "submitted", "graded": "graded", "late": "late", "unread": "to mark by hand"}
        self._tiles.object = tiles({title: row[name] for name, title in names.items()})
        self._progress.value = round(100 * graded / submitted) if submitted else 0
        self._progress.bar_color = "success" if graded == submitted else "info"
        self._line.object = render("line.html", sentence=line)
        self._spread.show(shares, TENTHS)
        tries = source.result(_tries, assignment)
        self._tries.layout.visible = len(tries) > 1
        self._tries.show(tries)


def _rows(source: Source, _: str) -> pd.DataFrame:
    """Return one row for each assignment."""
    most = source.read(queries.assignments, "")
    source.cache.rows_of_all(queries.submissions, most.assignment)
    rows = [
        {"assignment": name, "max_points": points, **source.result(_row, name, source.folders)}
        for name, points in most.itertuples(index=False)
    ]
    return pd.DataFrame(rows)


def _chosen(source: Source, assignment: str) -> tuple[dict[str, Any], str, pd.Series]:
    """Return the numbers of an assignment, a sentence about its grading, and the shares of the points in percent."""
    found, row = source.cache.rows(queries.submissions, assignment), source.result(_row, assignment, source.folders)
    graded = found[found.graded_at.notna()]
    line = _progress(row["submitted"], graded.graded_at) + (UNREAD if (graded.unread > 0).any() else "")
    return row, line, (100 * graded.share[~graded.excused]).dropna()


def _tries(source: Source, assignment: str) -> pd.DataFrame:
    """Return how the class improves from one try to the next."""
    tries, last, before = source.read(queries.tries, assignment), dict[str, float](), list[float]()
    number, share = tries.number.to_numpy(), tries.share.to_numpy()
    for student, now in zip(tries.student, share.tolist(), strict=True):
        before.append(last.get(student, float("nan")))
        last[student] = now
    most = number.max(initial=0)

    def total(values: np.ndarray) -> np.ndarray:
        return np.bincount(number, values, most + 1)[1:]

    def mean(values: np.ndarray) -> np.ndarray:
        known = total(~np.isnan(values))
        return total(np.nan_to_num(values)) / np.where(known > 0, known, np.nan)

    return pd.DataFrame(
        {
            "number": np.arange(1, most + 1),
            "students": total(np.ones(len(number))).astype(int),
            "share": mean(share),
            "before": mean(np.array(before, dtype=float)),
            "full": total(share >= 1).astype(int),
        }
    )


def _row(source: Source, assignment: str) -> dict[str, Any]:
    """Count the submissions of an assignment."""
    found = source.cache.rows(queries.submissions, assignment)
    graded = found[found.graded_at.notna()]
    counted = graded[~graded.excused]
    read_points = counted.points[counted.unread == 0]
    return {
        "submitted": len(source.submitted_by(assignment) | set(found.student)),
        "graded": len(graded),
        "late": int(found.late.sum()),
        "unread": int((found.unread > 0).sum()),
        "mean": read_points.mean(),
        "median": read_points.median(),
        "share": counted.share.mean(),
    }


def _progress(submitted: int, graded_at: pd.Series) -> str:
    if not submitted:
        return "No submissions yet."
    if graded_at.empty:
        return f"None of {submitted} submissions is graded yet."
    moments = graded_at.sort_values()
    runs = (moments.diff() > NEW_RUN).cumsum()
    latest = moments[runs == runs.max()]  # when a class is graded again, this run grows
    run = f"{len(latest)} of them in the latest run, {latest.min():%Y-%m-%d %H:%M:%S} to {latest.max():%H:%M:%S} UTC."
    graded = len(graded_at)
    return f"All {graded} are graded, {run}" if graded == submitted else f"{graded} of {submitted} are graded, {run}"
