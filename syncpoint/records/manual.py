"""What a person gives for a written answer: score and comment, written as formgrader writes them."""

from collections.abc import Collection
from dataclasses import dataclass

from nbgrader.api import Gradebook, MissingEntry

from ..core.strip import strip_control
from ..course.rubric import Rubric, RubricError
from .database import one_transaction, upgrade
from .mark_log import acting


@dataclass(frozen=True)
class Answer:
    """Whose answer, and which."""

    student: str
    assignment: str
    notebook: str
    cell: str


def mark(
    gradebook: Gradebook, answer: Answer, rubric: Rubric, met: Collection[int], note: str, *, how: str, who: str = ""
) -> float:
    """Write the score of the criteria that an answer fulfils, and a comment that says which.

    Args:
        gradebook: It is changed.
        answer: Whose, and which.
        rubric: Of this cell.
        met: The numbers of the criteria that it fulfils.
        note: What the student reads besides.
        how: By which page, for the log of marks.
        who: A dashboard's account; else the Unix user.

    Returns:
        The score.

    Raises:
        RubricError: If there is no such answer, or if the criteria have other points than the cell.
    """
    upgrade(gradebook.engine)
    where = (answer.cell, answer.notebook, answer.assignment, answer.student)
    with one_transaction(gradebook) as session:
        try:
            grade, comment = gradebook.find_grade(*where), gradebook.find_comment(*where)
        except MissingEntry as problem:
            raise RubricError(f"{problem}: there is nothing to mark.") from None
        rubric.check(answer.cell, grade.max_score)
        score = rubric.points(met)
        with acting(session, how, "rubric", who):
            grade.manual_score, grade.needs_manual_grade = score, False
            comment.manual_comment = strip_control(rubric.comment(met, note))
    return score
