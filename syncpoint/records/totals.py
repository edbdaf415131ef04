"""Each student's course total from the gradebook: marks, penalties, excuses, and open points."""

from collections import defaultdict
from collections.abc import Callable, Collection
from dataclasses import replace

from nbgrader.api import Assignment, Grade, GradeCell, Student, SubmittedAssignment, SubmittedNotebook, TaskCell
from sqlalchemy import case, func, or_, select, union_all
from sqlalchemy.orm import Session

from ..core.course_total import Part, Total, course_total
from ..course.errors import CourseError
from ..course.folder import Course
from ..course.total import SECTION, total_rules
from .accommodations import due_of, excused, students_with_more_time
from .graded_cells import graded_cells
from .grades import StudentGrades
from .late import opening
from .tables import utc_now

NO_RULES = (
    "there is no course total: set c.CourseTotal in nbgrader_config.py (docs/how-to/tries-and-totals.md), or name an "
    "assignment."
)
PERCENT = 100.0  # the maximum of a total, if it is a column next to assignments


def read_totals(
    course: Course, session: Session, students: Collection[str] | None = None
) -> dict[str, Total | None] | None:
    """Return the total of these students, or of everybody; None without rules. Raises CourseError for wrong ones."""
    settings = course.settings()
    if SECTION not in settings:
        return None
    most = {name: float(points) for name, points in session.execute(select(Assignment.name, Assignment.max_score))}
    rules = total_rules(settings, {*most, *course.assignments()})
    names = [name for name in rules.weights or most if most.get(name, 1) > 0]
    marks = _marks(session, names, students)
    free, missed = excused(session), _missed(course, session)
    everybody = sorted(session.scalars(select(Student.id)))
    found = {}
    for student in everybody if students is None else [one for one in everybody if one in students]:
        parts = {}
        for name in names:
            if (student, name) in free:
                parts[name] = Part(0.0, 0.0, excused=True)
            elif (student, name) in marks:
                low, high = marks[student, name]
                parts[name] = Part(low / most[name], high / most[name])
            else:
                parts[name] = Part(0.0, 0.0 if missed(student, name) else 1.0)
        found[student] = course_total(parts, rules)
    return found


def totals_or_error(course: Course, session: Session) -> dict[str, Total | None]:
    """Return everybody's total. Raises CourseError if the course has no rules, or if they are not valid."""
    found = read_totals(course, session)
    if found is None:
        raise CourseError(NO_RULES)
    return found


def with_total(student: StudentGrades, total: Total | None, name: str) -> StudentGrades:
    """Return a student with their total as points, in percent, under the name of an assignment.

    A total that is still open has no points and counts as unread.
    """
    if total is None:
        return student
    if not total.known:
        return replace(student, unread=student.unread | {name})
    return replace(student, points={**student.points, name: PERCENT * total.low})


def percent(total: Total | None) -> str:
    """Format a total for people: "72.5%", "60 to 80%", or "-" for none."""
    if total is None:
        return "-"
    low, high = (f"{round(100 * share, 1):g}" for share in (total.low, total.high))
    return f"{low}%" if low == high else f"{low} to {high}%"


def _missed(course: Course, session: Session) -> Callable[[str, str], bool]:
    """Return a function: whether a student has submitted nothing for an assignment, and its due date has passed."""
    now, given = utc_now(), students_with_more_time(session)
    dues = {row.name: row.duedate for row in session.execute(select(Assignment.name, Assignment.duedate))}

    def missed(student: str, assignment: str) -> bool:
        due = dues.get(assignment)
        if due is not None and now > due and student in given:
            due = due_of(session, student, assignment, opening(course))
        # Submitted but ungraded work may get any points.
        return due is not None and now > due and not (course.root / "submitted" / student / assignment).is_dir()

    return missed


def _marks(
    session: Session, assignments: Collection[str], students: Collection[str] | None
) -> dict[tuple[str, str], tuple[float, float]]:
    """Return the certain and the possible points of each graded submission, by student and assignment."""
    worth = union_all(
        *(select(kind.id.label("cell"), kind.max_score.label("points")) for kind in (GradeCell, TaskCell))
    ).subquery()
    unread = Grade.needs_manual_grade
    marks = (
        graded_cells(
            SubmittedAssignment.student_id.label("student"),
            Assignment.name.label("assignment"),
            SubmittedAssignment.id.label("submission"),
            func.sum(case((unread, 0.0), else_=Grade.score)).label("certain"),
            func.sum(case((unread, worth.c.points), else_=0.0)).label("open"),
        )
        .join(worth, worth.c.cell == Grade.cell_id)
        .where(Assignment.name.in_(assignments))
        .group_by(SubmittedAssignment.student_id, Assignment.name, SubmittedAssignment.id)
        # nbgrader enters a submission before it grades it
        .having(func.sum(case((or_(Grade.auto_score.is_not(None), Grade.manual_score.is_not(None)), 1), else_=0)) > 0)
    )
    penalties: dict[str, float] = defaultdict(float)
    of_notebooks = select(SubmittedNotebook.assignment_id, SubmittedNotebook.late_submission_penalty)
    if students is not None:
        marks = marks.where(SubmittedAssignment.student_id.in_(students))
        of_notebooks = of_notebooks.join(SubmittedAssignment, SubmittedAssignment.id == SubmittedNotebook.assignment_id)
        of_notebooks = of_notebooks.where(SubmittedAssignment.student_id.in_(students))
    for submission, penalty in session.execute(of_notebooks):
        penalties[submission] += penalty or 0.0
    found = {}
    for row in session.execute(marks):
        low = max(0.0, float(row.certain) - penalties[row.submission])
        found[row.student, row.assignment] = (low, low + float(row.open))
    return found
