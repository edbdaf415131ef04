"""Ids of students that nbgrader cannot store: the school's, the platform's login, GitHub's."""

from collections import defaultdict

from sqlalchemy import select
from sqlalchemy.orm import Session

from .tables import StudentIdRecord


def student_ids(session: Session) -> dict[str, dict[str, str]]:
    """The ids of each student who has any, by student and kind."""
    found: dict[str, dict[str, str]] = defaultdict(dict)
    for row in session.execute(select(StudentIdRecord.student, StudentIdRecord.kind, StudentIdRecord.value)):
        found[row.student][row.kind] = row.value
    return dict(found)


def set_student_id(session: Session, student: str, kind: str, value: str) -> None:
    """Give a student an id; an earlier one of this kind is replaced."""
    session.merge(StudentIdRecord(student=student, kind=kind, value=value))
