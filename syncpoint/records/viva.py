"""The written viva: the questions of each student, and the first prediction for each."""

from nbgrader.api import Assignment, BaseCell, Grade, Gradebook, SubmittedAssignment
from sqlalchemy import select
from sqlalchemy.orm import Session

from ..core.strip import strip_control
from .database import one_transaction
from .graded_cells import graded_cells
from .mark_log import acting
from .tables import VivaQuestion, utc_now

VIVA = "viva"  # its name in the log of marks


def questions(session: Session, assignment: str, student: str = "") -> list[VivaQuestion]:
    """Return an assignment's questions in order, for everybody or one student."""
    mine = [VivaQuestion.student == student] if student else []
    found = select(VivaQuestion).where(VivaQuestion.assignment == assignment, *mine)
    return list(session.scalars(found.order_by(VivaQuestion.student, VivaQuestion.number)))


def asked(session: Session) -> list[tuple[str, str]]:
    found = session.execute(select(VivaQuestion.student, VivaQuestion.assignment).distinct())
    return [(student, assignment) for student, assignment in found]


def predict(gradebook: Gradebook, student: str, assignment: str, number: int, choice: str, why: str) -> bool:
    """Store a prediction, with extra credit for a right one; return False if there is no such open question."""
    with one_transaction(gradebook) as session:
        one = session.get(VivaQuestion, (student, assignment, number))
        if one is None or one.predicted_at is not None:
            return False
        one.prediction, one.why, one.predicted_at = choice, strip_control(why), utc_now()
        if one.worth and choice == one.kind:
            mark = graded_cells(Grade).where(
                SubmittedAssignment.student_id == student,
                Assignment.name == assignment,
                BaseCell.name == f"test_{one.exercise}",
            )
            with acting(session, VIVA, f"question {number}"):
                for grade in session.scalars(mark):
                    grade.extra_credit = (grade.extra_credit or 0.0) + one.worth
        return True
