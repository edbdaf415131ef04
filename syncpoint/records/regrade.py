"""Questions about marks: a student asks about one exercise, a TA answers once, which closes it."""

from nbgrader.api import Assignment, BaseCell, Gradebook, Notebook
from sqlalchemy import Engine, select, update
from sqlalchemy.orm import Session

from ..core.names import some
from ..core.results import exercise_name
from ..core.strip import strip_control
from .accommodations import find_submission
from .errors import RegradeError
from .tables import RegradeRequest, utc_now

LONGEST = 4000  # characters of a question, and of an answer


def ask(gradebook: Gradebook, student: str, assignment: str, exercise: str, question: str, once: bool = False) -> int:
    """Queue a student's question about an exercise (with or without ``test_``); return its number.

    With `once`, a question that was asked before in the same words keeps its number.

    Raises:
        RegradeError: If there is no such student or exercise, or no question.
    """
    if find_submission(gradebook.db(), student, assignment) is None:
        raise RegradeError(f"nothing of {student} in {assignment} is graded yet: run `syncpoint grade {assignment}`.")
    cells = gradebook.db.scalars(
        select(BaseCell.name)
        .join(Notebook, Notebook.id == BaseCell.notebook_id)
        .join(Assignment, Assignment.id == Notebook.assignment_id)
        .where(Assignment.name == assignment, BaseCell.type.in_(("GradeCell", "TaskCell")))
        .order_by(BaseCell.name)
    ).all()
    cell = next((name for name in cells if exercise in (name, exercise_name(name))), None)
    if cell is None:
        raise RegradeError(f"{assignment} has no exercise {exercise!r}: it has {some(cells)}.")
    what = {"student": student, "assignment": assignment, "exercise": cell, "question": _text(question, "question")}
    if once and (number := gradebook.db.scalar(select(RegradeRequest.id).filter_by(**what).limit(1))) is not None:
        return number
    request = RegradeRequest(asked_at=utc_now(), **what)
    gradebook.db.add(request)
    gradebook.db.commit()
    return request.id


def answer(engine: Engine, number: int, text: str, who: str) -> tuple[str, str]:
    """Answer a question, which closes it, or raise RegradeError. An existing answer stays."""
    with engine.begin() as connection:
        closed = connection.execute(
            update(RegradeRequest)
            .where(RegradeRequest.id == number, RegradeRequest.answered_at.is_(None))
            .values(answer=_text(text, "answer"), answered_by=who, answered_at=utc_now())
        ).rowcount
        if not closed:
            by = connection.scalar(select(RegradeRequest.answered_by).where(RegradeRequest.id == number))
            none = f"there is no question {number}: list the questions with `syncpoint questions`."
            raise RegradeError(none if by is None else f"{by} has already answered it.")
        asked = select(RegradeRequest.student, RegradeRequest.assignment).where(RegradeRequest.id == number)
        student, assignment = connection.execute(asked).one()
    return student, assignment


def questions(session: Session, assignment: str = "", student: str = "") -> list[RegradeRequest]:
    """Return questions, open ones first, then by age; of one assignment, one student, or both."""
    wanted = {name: value for name, value in (("assignment", assignment), ("student", student)) if value}
    order = RegradeRequest.answered_at.isnot(None), RegradeRequest.id
    return list(session.scalars(select(RegradeRequest).filter_by(**wanted).order_by(*order)))


def _text(written: str, what: str) -> str:
    text = strip_control(written.strip())
    if not text:
        raise RegradeError(f"the {what} is empty.")
    if len(text) > LONGEST:
        raise RegradeError(f"the {what} has more than {LONGEST} characters.")
    return text
