"""The cost of grading: the time and the memory of each submission."""

import pandas as pd
import panel as pn

from .. import verdicts
from ..charts import Histogram
from ..source import Source
from ..tabulator import NUMBER, TEXT, Column, Table
from ..url_state import UrlState
from .view import View


class CostView(View):
    """The costs of one assignment and their distribution."""

    def __init__(self, source: Source, url_state: UrlState):
        super().__init__(source, url_state)
        self._spread = Histogram("Seconds per submission", "seconds (wall-clock time)")
        self._costs = Table(
            "costs",
            "Cost per submission",
            [
                Column("student", "student", TEXT, 130),
                Column("seconds", "seconds", NUMBER),
                Column("peak_mib", "peak MiB", NUMBER, 110),
            ],
        )
        self.layout = pn.Column(self._spread.layout, self._costs.layout, sizing_mode="stretch_width")

    def update(self) -> None:
        """Read each submission's cost."""
        costs = self.source.result(_dearest_first, self.url_state.assignment)
        self._spread.show(costs.seconds[costs.seconds.notna()], _steps(costs.seconds.max()))
        self._costs.show(costs)


def _dearest_first(source: Source, assignment: str) -> pd.DataFrame:
    return source.cache.rows(verdicts.costs, assignment).sort_values("seconds", ascending=False)


def _steps(most: float) -> list[float]:
    """Twenty equal steps from 0 to at least ``most`` seconds."""
    top = most if most and most > 0 else 1.0
    return [top * step / 20 for step in range(21)]
