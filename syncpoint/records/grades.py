"""The points that count, for each student and assignment, with manual points and late penalties."""

from collections.abc import Mapping
from dataclasses import dataclass

from nbgrader.api import Assignment, Grade, Gradebook, Student, SubmittedAssignment, SubmittedNotebook
from sqlalchemy import Executable, exists, or_, select

from .accommodations import excused
from .student_details import student_ids


@dataclass(frozen=True)
class ExportSelection:
    """The assignments and students that nbgrader's options choose: assignments in its order, students by id."""

    assignments: tuple[str, ...]
    students: tuple[str, ...]


@dataclass(frozen=True)
class StudentGrades:
    """One student."""

    id: str
    first_name: str
    last_name: str
    email: str
    lms_id: str
    points: dict[str, float]  # by assignment, without ungraded assignments
    unread: frozenset[str]  # assignments with an answer that a person still has to read
    excused: frozenset[str] = frozenset()  # assignments that do not count for the student
    login: str = ""  # their user name on the platform; "" if the roster does not name it
    school_id: str = ""  # the school's number for them; "" if the roster does not name it


def possible(gradebook: Gradebook, selection: ExportSelection) -> dict[str, float]:
    """The maximum points by assignment."""
    rows = gradebook.db.execute(select(Assignment.name, Assignment.max_score))
    points = {name: float(most) for name, most in rows}
    return {name: points[name] for name in selection.assignments}


def read_grades(gradebook: Gradebook, selection: ExportSelection) -> list[StudentGrades]:
    points: dict[str, dict[str, float]] = {student: {} for student in selection.students}
    unread: dict[str, set[str]] = {student: set() for student in selection.students}
    for row in gradebook.db.execute(_submissions(selection)):
        points[row.student][row.assignment] = max(0.0, round(float(row.score) - float(row.penalty), 4))
        if row.unread:
            unread[row.student].add(row.assignment)
    free = excused(gradebook.db())
    for student, assignment in free:
        points.get(student, {}).pop(assignment, None)
        unread.get(student, set()).discard(assignment)
    known = {student.id: student for student in gradebook.students}
    ids = student_ids(gradebook.db())
    return [
        _student(
            known[name],
            points[name],
            frozenset(unread[name]),
            frozenset(assignment for student, assignment in free if student == name),
            ids.get(name, {}),
        )
        for name in selection.students
    ]


def _submissions(selection: ExportSelection) -> Executable:
    """The graded submissions of the chosen, by nbgrader's own sums."""
    # nbgrader enters a submission before grading it: without any score it is ungraded, not worth 0.
    graded = exists().where(
        SubmittedNotebook.assignment_id == SubmittedAssignment.id,
        Grade.notebook_id == SubmittedNotebook.id,
        or_(Grade.auto_score.is_not(None), Grade.manual_score.is_not(None)),
    )
    return (
        select(
            SubmittedAssignment.student_id.label("student"),
            Assignment.name.label("assignment"),
            SubmittedAssignment.score.label("score"),
            SubmittedAssignment.late_submission_penalty.label("penalty"),
            SubmittedAssignment.needs_manual_grade.label("unread"),
        )
        .join(Assignment, Assignment.id == SubmittedAssignment.assignment_id)
        .where(
            Assignment.name.in_(selection.assignments), SubmittedAssignment.student_id.in_(selection.students), graded
        )
    )


def _student(
    student: Student, points: dict[str, float], unread: frozenset[str], excused: frozenset[str], ids: Mapping[str, str]
) -> StudentGrades:
    fields = (student.first_name, student.last_name, student.email, student.lms_user_id)
    first, last, email, lms_id = (text or "" for text in fields)
    others = ids.get("login", ""), ids.get("school_id", "")
    return StudentGrades(student.id, first, last, email, lms_id, points, unread, excused, *others)
