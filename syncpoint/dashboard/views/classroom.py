"""The class: who submitted, how far grading is, and how the points are distributed."""

import pandas as pd
import panel as pn

from .. import read
from ..charts import Histogram
from ..source import Source
from ..table import COUNT, NUMBER, SHARE, TEXT, Column, Table
from ..url_state import UrlState
from .view import View, tiles

NEW_RUN = pd.Timedelta(minutes=2)  # after a gap this long between graded submissions, a new run begins
UNREAD = " Shares leave out answers that nobody has read yet; mean and median count only fully read submissions."
TENTHS = [10.0 * tenth for tenth in range(11)]


class ClassView(View):
    """One assignment in numbers, and all assignments in a table."""

    def __init__(self, source: Source, url_state: UrlState):
        super().__init__(source, url_state)
        self._tiles = pn.pane.HTML(sizing_mode="stretch_width")
        self._progress = pn.indicators.Progress(value=0, max=100, bar_color="info", sizing_mode="stretch_width")
        self._line = pn.pane.Markdown(margin=(0, 10), sizing_mode="stretch_width")
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
        source, folders = self.source, self.source.folders
        most = source.read(read.assignments, "")
        source.cache.rows_of_all(read.submissions, most.assignment)
        rows = [
            {"assignment": name, "max_points": points, **source.result(_row, name, folders)}
            for name, points in most.itertuples(index=False)
        ]
        self._table.show(pd.DataFrame(rows, columns=list(self._table.frame.columns)))
        self._show_chosen(source.cache.rows(read.submissions, self.url_state.assignment))
        self._show_tries(source.read(read.tries, self.url_state.assignment))

    def _show_chosen(self, found: pd.DataFrame) -> None:
        graded = found[found.graded_at.notna()]
        submitted = self.source.result(_row, self.url_state.assignment, self.source.folders)["submitted"]
        self._tiles.object = tiles(
            {
                "submitted": submitted,
                "graded": len(graded),
                "late": int(found.late.sum()),
                "to mark by hand": int((found.unread > 0).sum()),
            }
        )
        self._progress.value = round(100 * len(graded) / submitted) if submitted else 0
        self._progress.bar_color = "success" if len(graded) == submitted else "info"
        self._line.object = _progress(submitted, graded.graded_at) + (UNREAD if (graded.unread > 0).any() else "")
        self._spread.show((100 * graded.share[~graded.excused]).dropna(), TENTHS)

    def _show_tries(self, tries: pd.DataFrame) -> None:
        """Show how the class improves from one try to the next."""
        tries = tries.assign(before=tries.groupby("student").share.shift(), full=tries.share >= 1)
        by_number = tries.groupby("number", as_index=False)
        rows = by_number.agg(
            students=("student", "size"), share=("share", "mean"), before=("before", "mean"), full=("full", "sum")
        )
        self._tries.layout.visible = len(rows) > 1
        self._tries.show(rows)


def _row(source: Source, assignment: str) -> dict[str, object]:
    """Count the submissions of an assignment."""
    found = source.cache.rows(read.submissions, assignment)
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
