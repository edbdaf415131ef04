"""What every view stands on: the gradebook, the course folder, and where formgrader answers."""

from dataclasses import dataclass
from functools import cached_property
from glob import glob
from html import escape
from pathlib import Path
from typing import Any
from urllib.parse import quote

import nbformat
import pandas as pd
from sqlalchemy import Engine

from ..course.folder import Course
from ..report.misconceptions import Misconception, read_misconceptions
from . import read


@dataclass(frozen=True)
class Source:
    """A course and its gradebook.

    Attributes:
        formgrader: Its address in the browser.
    """

    course: Course
    engine: Engine
    formgrader: str

    def version(self) -> tuple[Any, ...]:
        """Changes whenever something is handed in, or written to the gradebook, that a view shows."""
        return read.version(self.engine), frozenset(glob("*/*", root_dir=self.course.root / "submitted"))

    @cached_property
    def explanations(self) -> dict[str, Misconception]:
        """The pages about misconceptions, by slug."""
        return read_misconceptions(self.course.misconceptions_page)

    def exercises(self, assignment: str) -> pd.DataFrame:
        """The exercises of an assignment in the order of their cells, see :func:`.read.exercises`."""
        found = read.exercises(self.engine, assignment)
        order = {name: place for place, name in enumerate(self.course.graded_cells(assignment))}
        return found.sort_values(
            "exercise", key=lambda names: names.map(lambda n: order.get(n, len(order)))
        ).reset_index(drop=True)

    def handed_in(self, assignment: str) -> set[str]:
        """Whose folder lies in ``submitted/``: the gradebook hears of a submission only when its grading begins."""
        return {path.parent.name for path in (self.course.root / "submitted").glob(f"*/{assignment}")}

    def feedback(self, student: str, assignment: str, notebook: str) -> Path:
        """The page that the student gets, whether it is there or not."""
        return self.course.root / "feedback" / student / assignment / f"{notebook}.html"

    def written(self, student: str, assignment: str, notebook: str, cell: str) -> str:
        """What a student wrote in a cell, as nbgrader's copy has it; "" if there is none."""
        path = self.course.root / "autograded" / student / assignment / f"{notebook}.ipynb"
        try:
            cells = nbformat.read(path, as_version=4).cells
        except (OSError, ValueError):
            return ""
        return next((c.source for c in cells if c.metadata.get("nbgrader", {}).get("grade_id") == cell), "")

    def links(self, student: str) -> str:
        """The notebooks of a student as HTML: the feedback, if it was made, and the place in formgrader."""
        lines = []
        for assignment, notebook, identity in read.notebooks(self.engine, student).itertuples(index=False):
            where = f"{escape(assignment)}/{escape(notebook)}"
            pages = [_link(f"{self.formgrader}/submissions/{quote(identity)}/", "formgrader")]
            if self.feedback(student, assignment, notebook).is_file():
                pages.insert(
                    0, _link("feedback/" + "/".join(map(_quoted, (student, assignment, notebook))), "feedback")
                )
            lines.append(f"<li>{where}: {' · '.join(pages)}</li>")
        return f"<ul>{''.join(lines)}</ul>"


def _quoted(part: str) -> str:
    return quote(part, safe="")


def _link(address: str, text: str) -> str:
    return f'<a href="{escape(address)}" target="_blank" rel="noopener noreferrer">{text}</a>'
