"""The dashboard's state in the address of the page, so that a view can be shared as a link."""

from typing import Any
from urllib.parse import parse_qs, urlencode

import param

VIEWS = {
    "class": "Class",
    "exercises": "Exercises",
    "misconceptions": "Misconceptions",
    "students": "Students",
    "answers": "Written answers",
    "questions": "Questions",
    "health": "Grading health",
    "cost": "Grading cost",
}
FILTERS = {
    "all": "all students",
    "unread": "with answers to read",
    "late": "late",
    "weak": "with less than half of the points",
    "missing": "without a graded submission",
    "disturbed": "interrupted, disturbed or flagged",
}


class UrlState(param.Parameterized):
    """The state of one address.  An empty string means that nothing is chosen."""

    view: Any = param.Selector(objects=list(VIEWS))
    assignment = param.String()
    misconception = param.String(doc="The slug whose explanation is open.")
    student = param.String(doc="The student whose history is open.")
    search = param.String(doc="Part of the id or name of a student.")
    only: Any = param.Selector(objects=list(FILTERS), doc="Which students are listed.")
    failed = param.String(doc="An exercise and a test of it, as exercise/test: only students who failed it are listed.")
    kind = param.String(doc="The kind of incidents that are listed.")

    def go(self, query: str) -> None:
        """Go to a query such as ``?view=students&search=ada``; anything unknown gets its default."""
        given = {key: values[-1] for key, values in parse_qs(query.removeprefix("?")).items()}
        with param.parameterized.batch_call_watchers(self):
            for name in NAMES:
                known = self.param[name]
                value = given.get(name, known.default)
                if not isinstance(known, param.Selector) or value in known.objects:
                    setattr(self, name, value)

    def open(self, **chosen: str) -> None:
        """Change several parameters at once."""
        self.param.update(**chosen)

    def query(self, earlier: str = "") -> str:
        """Return the query for this state, with the other parameters (the theme) of ``earlier``, the query so far."""
        others = {key: values[-1] for key, values in parse_qs(earlier.removeprefix("?")).items() if key not in NAMES}
        chosen = {name: getattr(self, name) for name in NAMES if getattr(self, name) != self.param[name].default}
        return f"?{urlencode(others | chosen)}" if others or chosen else ""


NAMES = [name for name in UrlState.param if name != "name"]
