"""The data behind every view: the gradebook, the course folder, and formgrader's address."""

import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property, partial
from pathlib import Path
from typing import Any
from urllib.parse import quote

import nbformat
import numpy as np
import pandas as pd
from nbformat import NotebookNode
from nbgrader.utils import is_grade, is_solution
from sqlalchemy import Engine
from sqlalchemy.orm import Session

from ..core.strip import show_control
from ..course.cells import grade_id
from ..course.folder import SIMILARITY_REPORT, Course
from ..records.read_results import read_exercise
from ..records.totals import percent, read_totals
from ..report.exercise import render as render_exercise
from ..report.misconceptions_page import Misconception, read_misconceptions
from ..report.readable import original_text
from ..report.why import assertions
from . import queries
from .cache import Cache
from .html import render
from .people import People, people

PART = 1000  # folders that are checked at a time: of 5,000, each one is checked every ten seconds
TICK = 1_000_000_000  # nanoseconds, more than between two ticks of a disk's clock


@dataclass(frozen=True)
class Source:
    """A course and its gradebook. Students have their displayed names, see :mod:`.people`."""

    course: Course
    engine: Engine
    formgrader: str  # formgrader's address in the browser

    @property
    def people(self) -> People:
        """How students are named."""
        return people(self.engine)

    def version(self) -> tuple[Any, ...]:
        """Return a value that changes when a submission arrives or the gradebook changes in a way that a view shows."""
        return self.cache.look(), self._submitted.look()

    @cached_property
    def cache(self) -> Cache:
        """The gradebook data read so far, for all pages."""
        return Cache(self.engine)

    @cached_property
    def _submitted(self) -> "Submitted":
        return Submitted(self.course.root / "submitted")

    @cached_property
    def explanations(self) -> dict[str, Misconception]:
        """Return the pages about misconceptions, by slug."""
        return read_misconceptions(self.course.misconceptions_page)

    def exercises(self, assignment: str) -> pd.DataFrame:
        """Return the exercises of an assignment in the order of their cells, see :func:`.queries.exercises`."""
        found = self.read(queries.exercises, assignment)
        order = {name: place for place, name in enumerate(self.course.source(assignment).graded_cells())}
        places = np.argsort([order.get(name, len(order)) for name in found.exercise], kind="stable")
        return found.take(places).reset_index(drop=True)

    def read(self, query: Callable[[Engine, str], Any], assignment: str) -> Any:
        """Return the result of a query of :mod:`.queries` or :mod:`.verdicts`, which is run once for all pages."""
        return self.cache.result((query, assignment), (), partial(query, self.engine, assignment))

    def result(self, compute: Callable[..., Any], assignment: str, *depends: Any) -> Any:
        """Return ``compute(source, assignment)``, computed once for all pages, and again if ``depends`` differs."""
        return self.cache.result((compute, assignment), depends, partial(compute, self, assignment))

    @property
    def folders(self) -> int:
        """A number that grows when a folder is added to ``submitted/`` or removed."""
        return self._submitted.number

    def submitted_by(self, assignment: str) -> set[str]:
        """Return the students with a folder in ``submitted/``; the gradebook lists submissions only after grading."""
        return {self.people.shown_as(student) for student in self._submitted.by(assignment)}

    def totals(self) -> pd.Series | None:
        """Return each student's course total for people; None if the course has no rules for one."""
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
        found = (original_text(c) for c in self._cells(whose, assignment, notebook) if grade_id(c) == cell)
        return show_control(next(found, ""))

    def evidence(self, student: str, assignment: str, exercise: str) -> tuple[str, str, str]:
        """Return a student's code or written answer, the judge's report as HTML, and the failed assertions."""
        whose = self.people.student(student) or ""
        with Session(self.engine) as session:
            found = read_exercise(session, whose, assignment, exercise)
        if found is None:  # a person reads the answer
            copies = sorted((self.course.root / "autograded" / whose / assignment).glob("*.ipynb")) if whose else []
            answers = (self.written(student, assignment, copy.stem, exercise) for copy in copies)
            return next(filter(None, answers), ""), "", ""
        notebook, result = found
        code: list[str] = []
        for cell in self._cells(whose, assignment, notebook):
            if grade_id(cell) == exercise:
                break
            code = [] if is_grade(cell) else [*code, original_text(cell)] if is_solution(cell) else code
        report = self.people.page_without_names(render_exercise(result).encode(), whose).decode()
        return show_control("\n\n\n".join(code)), report, assertions(result)

    def _cells(self, whose: str, assignment: str, notebook: str) -> list[NotebookNode]:
        """Return the cells of nbgrader's copy of a notebook; none if it cannot be read."""
        path = self.course.root / "autograded" / whose / assignment / f"{notebook}.ipynb"
        try:
            return list(nbformat.read(path, as_version=4).cells)
        except (OSError, ValueError):
            return []

    def links(self, student: str) -> str:
        """Return links to a student's notebooks as HTML: feedback, if it exists, and formgrader, which shows names."""
        notebooks, whose = {}, self.people.student(student) or ""
        for assignment, notebook, identity in queries.notebooks(self.engine, student).itertuples(index=False):
            pages = {}
            if (self.course.root / "feedback" / whose / assignment / f"{notebook}.html").is_file():
                pages["feedback"] = address("feedback", student, assignment, notebook)
            if not self.people.anonymous:
                pages["formgrader"] = f"{self.formgrader}/submissions/{quote(identity)}/"
            notebooks[f"{assignment}/{notebook}"] = pages
        return render("links.html", notebooks=notebooks)


class Submitted:
    """The folders in ``submitted/``: a student's folder is listed again only after a change.

    Args:
        root: The folder; it need not exist.
    """

    def __init__(self, root: Path):
        self._root = root
        self._at = 0  # when the folder was changed, in nanoseconds; 0: list it again
        self._names: list[str] = []
        self._times: dict[str, int] = {}  # when each student's folder was changed, in nanoseconds; 0: list it again
        self._folders: dict[str, set[str]] = {}  # the students of each assignment
        self._checked = 0
        self.number = 0

    def look(self) -> int:
        """Check new students' folders, and the next part of the others; return a number that grows with each change."""
        root, new = str(self._root), set[str]()
        # A second change within a clock tick would be missed, so recent changes are listed again.
        young = time.time_ns() - TICK
        if (now := _changed_at(root)) != self._at or not now:
            self._names, self._at = _visible(self._root), now if now <= young else 0
            new = set(self._names) - self._times.keys()
            for student in self._times.keys() - set(self._names):
                self._put(student, set())
                del self._times[student]
        part = self._names[self._checked : self._checked + PART]
        self._checked = self._checked + PART if self._checked + PART < len(self._names) else 0
        for student in [*part, *new.difference(part)]:
            at = _changed_at(f"{root}/{student}")  # thousands of paths would take longer than the rest
            if self._times.get(student) != at:
                self._put(student, set(_visible(self._root / student)))
                self._times[student] = at if at <= young else 0
        return self.number

    def by(self, assignment: str) -> set[str]:
        """Return the students with a folder of an assignment at the last check."""
        if not self._times:
            self.look()
        return self._folders.get(assignment, set())

    def _put(self, student: str, assignments: set[str]) -> None:
        before = {name for name, students in self._folders.items() if student in students}
        for name in before ^ assignments:
            self._folders.setdefault(name, set()).symmetric_difference_update({student})
        self.number += before != assignments


def _visible(folder: Path) -> list[str]:
    """Return the names in a folder that do not begin with a dot; none without a folder."""
    try:
        return [name for name in os.listdir(folder) if not name.startswith(".")]
    except (FileNotFoundError, NotADirectoryError):
        return []


def _changed_at(folder: str) -> int:
    """Return when a folder was changed, in nanoseconds; 0 if it has just been removed."""
    try:
        return os.stat(folder).st_mtime_ns
    except FileNotFoundError:
        return 0


def address(*parts: str) -> str:
    """Return the address of one of the dashboard's pages, relative to the dashboard."""
    return "/".join(quote(part, safe="") for part in parts)
