"""Tries cheats: submits them to a copy of the course, and grades them all with `nbgrader autograde`.

The copy is in a separate folder and is reduced to the exercises that the cheats attack: their graders and
scenarios are the real ones, and every step from the listing to the gradebook is the one that a submission takes.
"""

import contextlib
import io
import os
import shutil
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import nbformat
from nbformat import NotebookNode
from nbgrader.apps.api import NbGraderAPI

from ..core.results import exercise_name
from ..course.cells import grade_id
from ..course.child_process import SPAWN, end_with_parent
from ..course.errors import CourseError
from ..course.folder import CONFIG, Course
from ..course.gradebook_setting import with_gradebook
from ..course.nbgrader_command import environment
from ..demo.sample_submission import MARKER, SampleSubmission, reference_solutions
from ..judge.cells import is_autograded
from ..records.gradebook import open_gradebook
from ..records.read_results import read_graded
from .cheat import Cheat

Found = tuple[dict[str, float], tuple[str, ...], str, float]  # all fields of a CheatTrial except the cheat


@dataclass(frozen=True)
class CheatTrial:
    """The result of grading one cheat."""

    cheat: Cheat
    points: dict[str, float]  # by exercise, as in the gradebook; empty if it was not graded
    acts: tuple[str, ...]  # the kinds of reported suspicious acts
    log: str  # nbgrader's log for its kind
    seconds: float  # seconds for running and judging

    @property
    def stolen(self) -> dict[str, float]:
        """The exercises with more points than the cheat deserves there."""
        return {e: points for e, points in self.points.items() if points > self.cheat.share(e).points}

    @property
    def complaint(self) -> str:
        """Where the points differ from the deserved ones; empty if they agree, or if the gap is known."""
        return "; ".join(self._complaints())

    @property
    def pays(self) -> bool:
        """Whether this is a known gap that is still open."""
        return bool(self.cheat.known and self.stolen)

    def _complaints(self) -> Iterator[str]:
        if not self.points:
            yield "was not graded"
        if self.cheat.known and not self.cheat.at_times and self.points and not self.stolen:
            yield "is a known gap that no longer gains points: record this in the file and in docs/explanation/trust.md"
        for exercise, points in self.points.items():
            share = self.cheat.share(exercise)
            if points > share.points and not self.cheat.known:
                yield f"got {points:g} for {exercise}, but deserves {share}"
            elif points < share.points and not share.at_most:
                yield f"got only {points:g} for {exercise}, but deserves {share}"


def try_cheats(course: Course, cheats: list[Cheat], folder: Path, jobs: int = 1) -> Iterator[CheatTrial]:
    """Grade the cheats, ``jobs`` at a time, in a copy of the course in ``folder``; yield them as they end."""
    copy = Course(folder)
    with ProcessPoolExecutor(jobs, SPAWN, _enter, (folder,)) as pool:
        try:
            _make(course, copy, cheats)
            for assignment in sorted({cheat.assignment for cheat in cheats}):
                pool.submit(_release, copy, assignment).result()
            _hand_in(copy, course, cheats)
            batches = {pool.submit(_grade, copy, *_names(batch)): batch for batch in _batches(cheats)}
            for done in as_completed(batches):
                yield from (
                    CheatTrial(cheat, *found) for cheat, found in zip(batches[done], done.result(), strict=True)
                )
        finally:
            pool.shutdown(cancel_futures=True)


def _make(course: Course, copy: Course, cheats: list[Cheat]) -> None:
    """Create everything that generate_assignment and autograde need."""
    for assignment in sorted({cheat.assignment for cheat in cheats}):
        cells = set().union(*(cheat.cells for cheat in cheats if cheat.assignment == assignment))
        target = copy.source(assignment).folder
        shutil.copytree(course.source(assignment).folder, target, ignore=shutil.ignore_patterns("*.ipynb", ".*", "_*"))
        for path in sorted(course.source(assignment).folder.glob("*.ipynb")):
            notebook = cut(nbformat.read(path, as_version=4), cells)
            if any(map(is_autograded, notebook.cells)):
                nbformat.write(notebook, target / path.name)
        for folder in course.graders(assignment).folders():
            copy.graders(folder.name).folder.mkdir(parents=True, exist_ok=True)
        own = course.graders(assignment).folder
        for module in (*course.graders(assignment).modules().values(), *own.glob("*.toml")):
            if exercise_name(module.stem) in cells or not module.stem.startswith("test_"):
                shutil.copy(module, copy.graders(assignment).folder)
        if (scenarios := course.graders(assignment).scenarios()) is not None:
            target = copy.root / scenarios.relative_to(course.root)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(scenarios, target)
    for module in (course.root / "grader_tests").glob("*.py"):
        shutil.copy(module, copy.root / "grader_tests")
    for path in (*course.root.glob(".venv-*"), course.root / "docs"):
        (copy.root / path.name).symlink_to(path)
    (copy.root / CONFIG).write_text(with_gradebook((course.root / CONFIG).read_text()))


def cut(notebook: NotebookNode, cells: set[str]) -> NotebookNode:
    """Return the instructor's notebook with only these exercises.

    Other graded, shown or checked cells are left out.  Other exercises' solutions are included: a grader may need them.
    """
    remaining = []
    for cell in notebook.cells:
        identity = grade_id(cell)
        wanted = identity in cells or exercise_name(identity) in cells
        nbgrader = cell.metadata.get("nbgrader", {})
        if not identity or identity.startswith("check_") or (nbgrader["grade"] and not wanted):
            continue
        if nbgrader["solution"] and not wanted:
            cell.source = MARKER.sub("", cell.source)
            nbgrader.update(solution=False, locked=True)
        remaining.append(cell)
    notebook.cells = remaining
    return notebook


def _batches(cheats: list[Cheat]) -> list[list[Cheat]]:
    """Group cheats by kind and assignment: one call of nbgrader grades many, because it starts slowly."""
    batches: dict[tuple[str, str], list[Cheat]] = {}
    for cheat in cheats:
        batches.setdefault((cheat.assignment, cheat.kind), []).append(cheat)
    return sorted(batches.values(), key=len, reverse=True)  # the longest first, so that all workers end together


def _names(batch: list[Cheat]) -> tuple[str, str, list[str]]:
    """Return a batch's data for a process; the steps of a cheat stay here."""
    return batch[0].assignment, batch[0].kind, [cheat.student for cheat in batch]


def _hand_in(copy: Course, course: Course, cheats: list[Cheat]) -> None:
    solutions = {name: reference_solutions(course, name) for name in {cheat.assignment for cheat in cheats}}
    for cheat in cheats:
        folder = copy.root / "submitted" / cheat.student / cheat.assignment
        cheat.hand_in(SampleSubmission.released(copy, cheat.assignment), solutions[cheat.assignment], folder)


def _enter(folder: Path) -> None:
    end_with_parent()
    os.chdir(folder)
    os.environ.update(environment())


def _release(copy: Course, assignment: str) -> None:
    done = _quietly(NbGraderAPI(config=copy.settings()).generate_assignment, assignment)
    if not done["success"]:
        raise CourseError(f"the copy of {assignment} could not be released: {_log_of(done)}")
    with open_gradebook(copy):
        pass  # its tables are made now, before several processes try at once


def _grade(copy: Course, assignment: str, kind: str, students: list[str]) -> list[Found]:
    """Grade cheats of one kind against one assignment in one call of nbgrader's."""
    done = _quietly(NbGraderAPI(config=copy.settings()).autograde, assignment, f"{kind}_[0-9]*")
    return [_found(copy, student, assignment, _log_of(done)) for student in students]


def _found(copy: Course, student: str, assignment: str, log: str) -> Found:
    """A cheat's data in the gradebook."""
    try:
        notebook_results = [found.notebook_result for found in read_graded(copy, student, assignment)]
    except CourseError:
        return {}, (), log, 0.0
    acts = sorted({act.kind for notebook_result in notebook_results for act in notebook_result.acts})
    seconds = sum(notebook_result.cost.total for notebook_result in notebook_results if notebook_result.cost)
    return _points(copy, student, assignment), tuple(acts), log, seconds


def _points(copy: Course, student: str, assignment: str) -> dict[str, float]:
    with open_gradebook(copy) as gradebook:
        return {
            exercise_name(exercise): float(
                gradebook.find_grade(exercise, notebook, assignment, student).auto_score or 0.0
            )
            for exercise, notebook in copy.source(assignment).exercises().items()
        }


def _quietly(call: Callable[..., dict[str, Any]], *arguments: str) -> dict[str, Any]:
    """Call nbgrader's API without its progress lines, and return its result."""
    with contextlib.redirect_stderr(io.StringIO()):
        return call(*arguments)


def _log_of(done: dict[str, Any]) -> str:
    """Return the log of nbgrader's API, and the error that ended it."""
    return "\n".join(filter(None, (done.get("log"), done.get("error"))))
