"""Grading health: what interrupted notebooks, and what looked suspicious."""

import pandas as pd
import panel as pn

from ...core.results import CRASHES, LIMITS, TIMEOUTS
from .. import verdicts
from ..html import Html, render
from ..source import Source, address
from ..tabulator import COUNT, TEXT, Column, Table
from ..url_state import UrlState
from .view import View, tiles

EVERY_KIND = "every kind"
WHAT_HAPPENED = [
    Column("student", "student", TEXT, 130),
    Column("notebook", "notebook", TEXT, 150),
    Column("kind", "kind", TEXT, 100),
    Column("message", "what happened", TEXT, 420),
    Column("graded", "graded (UTC)", TEXT, 150),
]


class HealthView(View):
    """Whether the grading of one assignment can be trusted."""

    def __init__(self, source: Source, url_state: UrlState):
        super().__init__(source, url_state)
        self._tiles = Html(sizing_mode="stretch_width")
        self._kinds = Table(
            "kinds",
            "What interrupted or disturbed notebooks",
            [Column("kind", "kind", TEXT, 120), Column("times", "times", COUNT), Column("students", "students", COUNT)],
            choose=lambda row: url_state.open(kind=row.kind),
        )
        self._kind = pn.widgets.Select(label="Show", options=[EVERY_KIND], width=200)
        self._kind.param.watch(lambda event: url_state.open(kind="" if event.new == EVERY_KIND else event.new), "value")
        self._incidents = Table("incidents", "Each incident", WHAT_HAPPENED, choose=self._open_student)
        self._acts = Table("acts", "Suspicious acts, for you to judge", WHAT_HAPPENED, choose=self._open_student)
        self._alike = Html(sizing_mode="stretch_width")
        self.layout = pn.Column(
            self._tiles,
            self._kinds.layout,
            self._kind,
            self._incidents.layout,
            self._acts.layout,
            self._alike,
            sizing_mode="stretch_width",
        )

    def update(self) -> None:
        """Read the incidents and suspicious acts of the assignment's grading."""
        assignment = self.url_state.assignment
        self._tiles.object, kinds, incidents, acts = self.source.result(_health, assignment)
        self._kinds.show(kinds)
        self._kind.options = [EVERY_KIND, *sorted(kinds.kind)]
        self._kind.value = self.url_state.kind if self.url_state.kind in set(kinds.kind) else EVERY_KIND
        chosen = self._kind.value != EVERY_KIND
        self._incidents.show(incidents[incidents.kind == self.url_state.kind] if chosen else incidents)
        self._acts.show(acts)
        reported = self.source.similarity(assignment)
        self._alike.object = (
            render("alike.html", address=address("similarity", assignment, ""), reported=reported) if reported else ""
        )

    def _open_student(self, row: pd.Series) -> None:
        self.url_state.open(view="students", student=row.student)


def _health(source: Source, assignment: str) -> tuple[str, pd.DataFrame, pd.DataFrame, pd.DataFrame]:
    """Return the tiles as HTML, the kinds of incidents, the incidents and the suspicious acts."""
    incidents, acts, costs = (
        source.cache.rows(query, assignment) for query in (verdicts.incidents, verdicts.acts, verdicts.costs)
    )
    shown = tiles(
        {
            "crashes": int(incidents.kind.isin(CRASHES).sum()),
            "time-outs": int(incidents.kind.isin(TIMEOUTS).sum()),
            "limits hit": int(incidents.kind.isin(LIMITS).sum()),
            "suspicious acts": len(acts),
            "seconds, median": f"{costs.seconds.median():.1f}" if costs.seconds.notna().any() else "·",
        }
    )
    students: dict[str, list[str]] = {}
    for student, kind in zip(incidents.student, incidents.kind, strict=True):
        students.setdefault(kind, []).append(student)
    counted = [(kind, len(each), len(set(each))) for kind, each in students.items()]
    counted.sort(key=lambda one: (-one[1], one[0]))
    kinds = pd.DataFrame(counted, columns=["kind", "times", "students"])
    return shown, kinds, verdicts.latest_first(incidents), verdicts.latest_first(acts)
