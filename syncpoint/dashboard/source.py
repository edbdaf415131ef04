"""The data behind every view: the gradebook, the course folder, and formgrader's address."""

from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from glob import glob
from typing import Any
from urllib.parse import quote

import nbformat
import pandas as pd
from sqlalchemy import Engine
from sqlalchemy.orm import Session

from ..core.strip import show_control
from ..course.folder import SIMILARITY_REPORT, Course
from ..records.totals import percent, read_totals
from ..report.misconceptions_page import Misconception, read_misconceptions
from ..report.readable import as_written
from . import read
from .html import render
from .people import People, people


@dataclass(frozen=True)
class Source:
    """A course and its gradebook.  Students are named as they are shown, see :mod:`.people`."""

    course: Course
    engine: Engine
    formgrader: str  # formgrader's address in the browser

    @property
    def people(self) -> People:
        """How students are named."""
        return people(self.engine)

    def version(self) -> tuple[Any, ...]:
        """Return a value that changes when a submission arrives or the gradebook changes in a way that a view shows."""
        return read.version(self.engine), frozenset(glob("*/*", root_dir=self.course.root / "submitted"))

    @cached_property
    def explanations(self) -> dict[str, Misconception]:
        """Return the pages about misconceptions, by slug."""
        return read_misconceptions(self.course.misconceptions_page)

    def exercises(self, assignment: str) -> pd.DataFrame:
        """Return the exercises of an assignment in the order of their cells, see :func:`.read.exercises`."""
        found = read.exercises(self.engine, assignment)
        order = {name: place for place, name in enumerate(self.course.source(assignment).graded_cells())}
        return found.sort_values(
            "exercise", key=lambda names: names.map(lambda n: order.get(n, len(order)))
        ).reset_index(drop=True)

    def submitted_by(self, assignment: str) -> set[str]:
        """Return the students with a folder in ``submitted/``; the gradebook lists submissions only after grading."""
        folders = (self.course.root / "submitted").glob(f"*/{assignment}")
        return {self.people.shown_as(path.parent.name) for path in folders}

    def totals(self) -> pd.Series | None:
        """Return the course total of each student as people read it; None if the course has no rules for one."""
        with Session(self.engine) as session:
            totals = read_totals(self.course, session)
        if totals is None:
            return None
        shown = {self.people.shown_as(student): percent(total) for student, total in totals.items()}
        return pd.Series(shown, dtype=object)

    def similarity(self, assignment: str) -> datetime | None:
        """Return when the similarity report was made (UTC); None without a report or if names must not be shown."""
        report = self.course.similarity / assignment / SIMILARITY_REPORT
        if self.people.anonymous or not any(report.glob("*")):
            return None
        return datetime.fromtimestamp(report.stat().st_mtime, UTC)

    def written(self, student: str, assignment: str, notebook: str, cell: str) -> str:
        """Return what a student wrote in a cell, from nbgrader's copy, as plain text; "" if there is none."""
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
        """Return links to a student's notebooks as HTML: feedback, if it exists, and formgrader, which shows names."""
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
    """Return the address of one of the dashboard's pages, relative to the dashboard."""
    return "/".join(quote(part, safe="") for part in parts)
