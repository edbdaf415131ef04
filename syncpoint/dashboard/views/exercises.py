"""The exercises: how hard each one is, and where points are lost."""

import numpy as np
import pandas as pd
import panel as pn

from ...core.results import exercise_name
from .. import queries, verdicts
from ..charts import Bars, TestBars
from ..item_analysis import analyse
from ..source import Source
from ..tabulator import COUNT, NUMBER, SHARE, TEXT, Column, Table
from ..url_state import UrlState
from .view import View

HOW_TO_READ = (
    "*Difficulty* is the mean share of the points: the lower, the harder. *Discrimination* is the correlation with the "
    "points in all other exercises (point-biserial if an exercise is only passed or failed): check exercises "
    "below 0.2."
)
MOST = 20  # bars of tests; the table has them all
NOT_READ = "nothing graded or read yet"


class ExercisesView(View):
    """Item analysis of one assignment."""

    def __init__(self, source: Source, url_state: UrlState):
        super().__init__(source, url_state)
        self._bars = Bars("Mean share of the points")
        self._items = Table(
            "exercises",
            "Item analysis",
            [
                Column("exercise", "exercise", TEXT, 150),
                Column("max_points", "points", NUMBER, 80),
                Column("students", "students", COUNT),
                Column("mean", "mean", NUMBER, 80),
                Column("difficulty", "difficulty", NUMBER),
                Column("discrimination", "discrimination", NUMBER, 140),
                Column("full", "all points", SHARE),
                Column("none", "no points", SHARE),
            ],
        )
        self._tests = Table(
            "tests",
            "Points lost per test",
            [
                Column("exercise", "exercise", TEXT, 150),
                Column("title", "test", TEXT, 360),
                Column("failed", "failed", COUNT, 80),
                Column("tried", "of", COUNT, 70),
                Column("lost", "points lost", NUMBER, 100),
                Column("each", "per student", NUMBER, 100),
            ],
            choose=self._who_failed,
        )
        self._failed = TestBars("Students who failed each test: click a bar to see who", choose=self._who_failed)
        self.layout = pn.Column(
            self._bars.layout,
            self._failed.layout,
            self._items.layout,
            pn.pane.Markdown(HOW_TO_READ, sizing_mode="stretch_width"),
            self._tests.layout,
            sizing_mode="stretch_width",
        )

    def update(self) -> None:
        """Read and analyze the assignment."""
        source, assignment = self.source, self.url_state.assignment
        items = source.result(_items, assignment)
        tests, failed = source.result(_tests, assignment)
        # An empty bar would suggest that every student lost all points.
        pairs = zip(items.exercise, items.students, strict=True)
        heads = [name if students else f"{name} ({NOT_READ})" for name, students in pairs]
        self._bars.show(heads, items.difficulty.fillna(0.0).tolist())
        self._items.show(items)
        self._tests.show(tests)
        self._failed.show(failed)

    def _who_failed(self, row: pd.Series) -> None:
        self.url_state.open(view="students", failed=f"{row.cell}/{row.test}", only="all", search="")


def _items(source: Source, assignment: str) -> pd.DataFrame:
    marks = source.cache.rows(queries.marks, assignment)
    items = analyse(marks[~marks.excused] if marks.excused.any() else marks, source.exercises(assignment))
    return items.assign(exercise=items.exercise.map(exercise_name))


def _tests(source: Source, assignment: str) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return the tests by the points that they cost, and those that most students failed."""
    tests = verdicts.tests(source.engine, source.cache.rows(verdicts.outcomes, assignment))
    tests = tests.take(np.argsort(-tests.lost.to_numpy(), kind="stable")).reset_index(drop=True)
    names = pd.Series([exercise_name(cell) for cell in tests.exercise], tests.index, dtype=object)
    tests = tests.assign(cell=tests.exercise, exercise=names, each=tests.lost / tests.tried)
    most = np.argsort(-tests.failed.to_numpy(), kind="stable")[: min(MOST, int((tests.failed > 0).sum()))]
    return tests, tests.take(most)
