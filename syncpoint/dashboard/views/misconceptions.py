"""The misconceptions of a class, as its failed tests show them, and what helps."""

from functools import partial

import pandas as pd
import panel as pn

from ...core.results import exercise_name
from .. import queries, verdicts
from ..source import Source
from ..tabulator import COUNT, TEXT, Column, Table
from ..url_state import UrlState
from .view import View, come_into_sight

NONE_YET = "*No student failed a test that has an explanation.*"
CHOOSE = "*Click a misconception to read what students often believe, and what helps.*"

# Readable on light and dark pages.
CODE = """
code, pre { color: inherit !important; background: #8883 !important; border-radius: 4px }
pre * { color: inherit !important; background: none !important }
"""


class MisconceptionsView(View):
    """The number of students of one assignment with each misconception, and the explanation of the chosen one."""

    def __init__(self, source: Source, url_state: UrlState):
        super().__init__(source, url_state)
        self._beliefs = Table(
            "misconceptions",
            "Misconceptions",
            [
                Column("students", "students", COUNT, 105),
                Column("graded", "of", COUNT, 70),
                Column("belief", "misconception", TEXT, 330),
                Column("exercises", "exercises", TEXT, 200),
                Column("slug", "page", TEXT, 160),
            ],
            choose=lambda row: url_state.open(misconception=row.slug),
        )
        self._explanation = pn.pane.Markdown(
            renderer="markdown-it",
            renderer_options={"html": False},
            stylesheets=[CODE],
            sizing_mode="stretch_width",
        )
        come_into_sight(self._explanation)
        self.layout = pn.Column(self._explanation, self._beliefs.layout, sizing_mode="stretch_width")

    def update(self) -> None:
        """Count them, and show the explanation."""
        assignment = self.url_state.assignment
        found = self.source.result(_found, assignment)
        self._beliefs.show(found)
        chosen = self.source.explanations.get(self.url_state.misconception)
        if chosen is not None:
            self._explanation.object = f"#### {chosen.title}\n\n{chosen.text}"
        else:
            self._explanation.object = NONE_YET if found.empty else CHOOSE


def _found(source: Source, assignment: str) -> pd.DataFrame:
    rows, pages = partial(source.cache.rows, assignment=assignment), source.explanations
    found = verdicts.misconceptions(rows(verdicts.outcomes))
    return found.assign(
        graded=verdicts.counted(rows(verdicts.costs), source.read(queries.excused, assignment)),
        belief=found.slug.map(
            lambda slug: pages[slug].title.replace("`", "") if slug in pages else slug.replace("-", " ")
        ),
        exercises=found.exercises.map(lambda names: ", ".join(map(exercise_name, names.split(", ")))),
    )
