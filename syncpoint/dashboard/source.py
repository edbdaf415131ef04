"""What every view stands on: the gradebook, the course folder, and where formgrader answers."""

from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from glob import glob
from typing import Any
from urllib.parse import quote

import nbformat
import pandas as pd
from sqlalchemy import Engine

from ..core.strip import show_control
from ..course.folder import SIMILARITY_REPORT, Course
from ..report.misconceptions_page import Misconception, read_misconceptions
from ..report.readable import as_written
from . import read
from .html import render
from .people import People, people


@dataclass(frozen=True)
class Source:
    """A course and its gradebook.  Students go in and come out as they are shown, see :mod:`.people`.

    Attributes:
        formgrader: Its address in the browser.
    """

    course: Course
    engine: Engine
    formgrader: str

    @property
    def people(self) -> People:
        """How students are named."""
        return people(self.engine)

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
        order = {name: place for place, name in enumerate(self.course.source(assignment).graded_cells())}
        return found.sort_values(
            "exercise", key=lambda names: names.map(lambda n: order.get(n, len(order)))
        ).reset_index(drop=True)

    def handed_in(self, assignment: str) -> set[str]:
        """Whose folder lies in ``submitted/``: the gradebook hears of a submission only when its grading begins."""
        folders = (self.course.root / "submitted").glob(f"*/{assignment}")
        return {self.people.shown_as(path.parent.name) for path in folders}

    def similarity(self, assignment: str) -> datetime | None:
        """When a tool last reported who wrote alike (UTC); None without a report, or where nobody may be named."""
        report = self.course.similarity / assignment / SIMILARITY_REPORT
        if self.people.anonymous or not any(report.glob("*")):
            return None
        return datetime.fromtimestamp(report.stat().st_mtime, UTC)

    def written(self, student: str, assignment: str, notebook: str, cell: str) -> str:
        """What a student wrote in a cell, by nbgrader's copy, as plain text; "" if there is none."""
        whose = self.people.student(student)
        if whose is None:
            return ""
        path = self.course.root / "autograded" / whose / assignment / f"{notebook}.ipynb"
        try:
            cells = nbformat.read(path, as_version=4).cells
        except (OSError, ValueError):
            return ""
        found = (as_written(c) for c in cells if c.metadata.get("nbgrader", {}).get("grade_id") == cell)
        return show_control(next(found, ""))

    def links(self, student: str) -> str:
        """The notebooks of a student as HTML: the feedback, if it was made, and formgrader, which shows names."""
        notebooks, whose = {}, self.people.student(student) or ""
        for assignment, notebook, identity in read.notebooks(self.engine, student).itertuples(index=False):
            pages = {}
            if (self.course.root / "feedback" / whose / assignment / f"{notebook}.html").is_file():
                pages["feedback"] = address("feedback", student, assignment, notebook)
            if not self.people.anonymous:
                pages["formgrader"] = f"{self.formgrader}/submissions/{quote(identity)}/"
            notebooks[f"{assignment}/{notebook}"] = pages
        return render("links.html", notebooks=notebooks)


def address(*parts: str) -> str:
    """The address of one of our own pages, as seen from the dashboard."""
    return "/".join(quote(part, safe="") for part in parts)
