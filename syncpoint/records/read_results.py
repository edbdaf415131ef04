"""Reads the stored results of a submission as the judge's own plain data."""

from dataclasses import dataclass, fields
from datetime import datetime
from typing import Any

from nbgrader.api import Gradebook
from sqlalchemy import inspect, select
from sqlalchemy.orm import Session

from ..core.explanations_of_tests import Explanation
from ..core.messages import from_data
from ..core.names import did_you_mean
from ..core.results import Cost, ExerciseResult, Incident, NotebookResult, Status, SuspiciousAct, TestResult, Versions
from ..course.errors import CourseError
from ..course.folder import Course
from .accommodations import find_submission
from .database import upgrade
from .gradebook import open_gradebook
from .tables import Base, NotebookRecord, OutcomeRecord, VerdictRecord


@dataclass(frozen=True)
class GradedNotebook:
    """One notebook of one submission."""

    name: str
    graded_at: datetime  # UTC
    notebook_result: NotebookResult


def read_graded(course: Course, student: str, assignment: str) -> list[GradedNotebook]:
    """Return all notebooks of a submission as they were graded last, or raise CourseError."""
    with open_gradebook(course) as gradebook:
        # verdicts of a submission that was removed do not count
        there = find_submission(gradebook.db(), student, assignment) is not None
        stored = _read(gradebook, student, assignment) if there else []
        if not stored:
            raise CourseError(_why_nothing(course, gradebook, student, assignment))
    return stored


def _why_nothing(course: Course, gradebook: Gradebook, student: str, assignment: str) -> str:
    course.check_assignment(assignment)
    if (course.root / "submitted" / student / assignment).is_dir():
        command = f"syncpoint grade {assignment} --student {student}"
        return f"nothing was graded for {student} in {assignment}: run `{command}`."
    then = did_you_mean(student, (one.id for one in gradebook.students)) or "."
    return f"there is no folder submitted/{student}/{assignment}: {student} has submitted nothing{then}"


def _read(gradebook: Gradebook, student: str, assignment: str) -> list[GradedNotebook]:
    upgrade(gradebook.engine)
    records = gradebook.db.scalars(
        select(NotebookRecord).filter_by(student=student, assignment=assignment).order_by(NotebookRecord.notebook)
    )
    return [GradedNotebook(record.notebook, record.graded_at, notebook_result(record)) for record in records]


def read_exercise(session: Session, student: str, assignment: str, exercise: str) -> tuple[str, ExerciseResult] | None:
    """Return the notebook of an exercise and its stored result, if there is one."""
    if not inspect(session.get_bind()).has_table(NotebookRecord.__tablename__):
        return None
    found = session.execute(
        select(NotebookRecord.notebook, VerdictRecord)
        .join(VerdictRecord, VerdictRecord.notebook_id == NotebookRecord.id)
        .where(NotebookRecord.student == student, NotebookRecord.assignment == assignment)
        .where(VerdictRecord.exercise == exercise)
    ).first()
    return None if found is None else (found.notebook, _verdict(found.VerdictRecord))


def notebook_result(record: NotebookRecord) -> NotebookResult:
    return NotebookResult(
        versions=Versions(**_fields(Versions, record)),
        exercises=tuple(map(_verdict, record.verdicts)),
        incidents=tuple(Incident(**_fields(Incident, row)) for row in record.incidents),
        acts=tuple(SuspiciousAct(**_fields(SuspiciousAct, row)) for row in record.acts),
        cost=_cost(record),
    )


def _cost(record: NotebookRecord) -> Cost | None:
    if record.total is None:
        return None
    return Cost(**{name: seconds or 0.0 for name, seconds in _fields(Cost, record).items()})


def _fields(kind: type[Cost | SuspiciousAct | Incident | TestResult | Versions], record: Base) -> dict[str, Any]:
    """Return the values of a row for a result: all fields with the name of a column."""
    return {field.name: getattr(record, field.name) for field in fields(kind) if hasattr(record, field.name)}


def _verdict(record: VerdictRecord) -> ExerciseResult:
    tests, notes = tuple(map(_outcome, record.outcomes)), tuple(map(from_data, record.notes))
    return ExerciseResult(name=record.exercise, max_points=record.max_points, tests=tests, notes=notes)


def _outcome(record: OutcomeRecord) -> TestResult:
    words = Explanation(title=record.title, hint=record.hint, misconception=record.misconception)
    return TestResult(**_fields(TestResult, record) | {"status": Status(record.status), "words": words})


def used_results(gradebook: Gradebook, but: str = "") -> set[str]:
    """Return the keys of results on which marks in the gradebook depend, except those of only one student."""
    upgrade(gradebook.engine)
    wanted = select(NotebookRecord.result_key).where(
        NotebookRecord.result_key.isnot(None), NotebookRecord.student != but
    )
    return {str(key) for key in gradebook.db.scalars(wanted)}
