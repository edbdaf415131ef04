"""A person's marks for written answers: score and comment, stored as formgrader stores them."""

import hashlib
import json
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from nbgrader.api import (
    Assignment,
    BaseCell,
    Comment,
    Grade,
    Gradebook,
    MissingEntry,
    Notebook,
    SolutionCell,
    SubmittedAssignment,
)
from sqlalchemy import Connection, Select, select
from sqlalchemy.orm import Session, aliased

from ..core.strip import strip_control
from ..course.answer_rubric import Rubric
from ..course.errors import RubricError
from .database import one_transaction
from .graded_answers import text_of
from .graded_cells import graded_cells, of_cell, of_notebook
from .mark_log import acting
from .tables import AnswerRecord, MarkChange, NotebookRecord


@dataclass(frozen=True)
class Answer:
    """The address of an answer: student, assignment, notebook and cell."""

    student: str
    assignment: str
    notebook: str
    cell: str


@dataclass(frozen=True)
class AnswerState:
    """An answer's state in the gradebook when a marker sees it."""

    answer: Answer
    points: float | None  # current points; None for none
    unread: bool  # whether it waits for a person
    comment: str  # the comment that the student reads
    graded: str  # identifies what was graded: a digest of the text, or the time of grading if no text is stored
    marked_text: str | None = None  # the text that the mark was given for, if different
    text: str | None = None  # the student's text; None if it is not stored

    @property
    def version(self) -> str:
        """A value that changes with every field here."""
        values = (self.points, self.unread, self.comment, self.graded)
        return hashlib.sha256(json.dumps(values).encode()).hexdigest()


class AnswerChanged(RubricError):
    """The answer has changed since it was shown; the message says what, and ``now`` is its state."""

    def __init__(self, message: str, now: AnswerState):
        super().__init__(message)
        self.now = now


def see(session: Session | Connection, answer: Answer) -> AnswerState:
    """Return an answer's state. Raises RubricError if there is no such answer."""
    row = session.execute(
        _with_comments(
            Grade.manual_score,
            Grade.auto_score,
            Grade.extra_credit,
            Grade.needs_manual_grade,
            Comment.manual_comment,
            Comment.auto_comment,
            NotebookRecord.graded_at,
            AnswerRecord.text,
            AnswerRecord.digest,
            AnswerRecord.marked_text,
        )
        .outerjoin(NotebookRecord, of_notebook(NotebookRecord))
        .outerjoin(AnswerRecord, of_cell(AnswerRecord))
        .where(
            SubmittedAssignment.student_id == answer.student,
            Assignment.name == answer.assignment,
            Notebook.name == answer.notebook,
            BaseCell.name == answer.cell,
        )
    ).first()
    if row is None:
        where = f"{answer.assignment}/{answer.notebook}/{answer.cell} of {answer.student}"
        raise RubricError(f"the gradebook has no {where}: there is nothing to mark.")
    given = [row.manual_score if row.manual_score is not None else row.auto_score, row.extra_credit]
    points = None if given == [None, None] else sum(float(one) for one in given if one is not None)
    comment = row.manual_comment if row.manual_comment is not None else row.auto_comment
    unread, graded = bool(row.needs_manual_grade), row.digest or str(row.graded_at)
    older = row.marked_text if unread else None  # a marker who has read it has marked the current text
    text = text_of(session, (answer.student, answer.assignment, answer.notebook, answer.cell), row.text)
    return AnswerState(answer, points, unread, comment or "", graded, older, text)


def _with_comments(*columns: Any) -> Select[Any]:
    """Select these columns of all marks and their comments."""
    solution = aliased(SolutionCell, flat=True)
    return (
        graded_cells(*columns)
        .outerjoin(solution, (solution.notebook_id == Notebook.id) & (solution.name == BaseCell.name))
        .outerjoin(Comment, (Comment.cell_id == solution.id) & (Comment.notebook_id == Grade.notebook_id))
    )


def _what_changed(session: Session, before: AnswerState, now: AnswerState) -> str:
    """Return a sentence for the marker who saw the earlier state."""
    if before.graded != now.graded:
        return "the student has submitted again, and another text was graded since you opened it."
    of = now.answer
    log = select(MarkChange.who).filter_by(
        student=of.student, assignment=of.assignment, notebook=of.notebook, exercise=of.cell
    )
    by = session.scalar(log.order_by(MarkChange.id.desc()).limit(1)) or "somebody"
    points = "no points" if now.points is None else f"{now.points:g} points"
    return f"{by} changed its mark or comment since you opened it; it now has {points}."


def mark(
    gradebook: Gradebook,
    answer: Answer,
    rubric: Rubric,
    met: Collection[int],
    note: str,
    *,
    how: str,
    who: str = "",
    seen: AnswerState | None = None,
) -> float:
    """Write the score of the criteria (by number) that an answer fulfills, and a comment that says which.

    ``how`` (a page) and ``who`` (a dashboard's account, else the Unix user) are for the log of marks.  ``seen`` is the
    answer and its mark as the marker saw them, None if no marker saw them.

    Raises:
        AnswerChanged: If the answer or its mark has changed since; then nothing is written.
        RubricError: If there is no such answer, or if the criteria and the cell have different points.
    """
    where = (answer.cell, answer.notebook, answer.assignment, answer.student)
    with one_transaction(gradebook) as session:
        try:
            grade, comment = gradebook.find_grade(*where), gradebook.find_comment(*where)
        except MissingEntry as problem:
            raise RubricError(f"{problem}: there is nothing to mark.") from None
        if seen is not None and (now := see(session, answer)).version != seen.version:
            raise AnswerChanged(_what_changed(session, seen, now), now)
        rubric.check(answer.cell, grade.max_score)
        score = rubric.points(met)
        with acting(session, how, "rubric", who):
            grade.manual_score, grade.needs_manual_grade = score, False
            comment.manual_comment = strip_control(rubric.comment(met, note))
    return score


def keep(gradebook: Gradebook, seen: AnswerState) -> None:
    """Keep a mark for an earlier text, because a person has read the new one. Raises AnswerChanged or RubricError."""
    answer = seen.answer
    with one_transaction(gradebook) as session:
        now = see(session, answer)
        if now.version != seen.version:
            raise AnswerChanged(_what_changed(session, seen, now), now)
        if now.points is None:
            raise RubricError(f"{answer.cell} of {answer.student} has no mark to keep: give one in formgrader.")
        grade = gradebook.find_grade(answer.cell, answer.notebook, answer.assignment, answer.student)
        grade.needs_manual_grade = False


def outdated(session: Session | Connection, assignment: str, cell: str, rubric: Rubric) -> list[Answer]:
    """Return the answers whose marks used other points for this rubric's criteria.

    Answers that wait for a person are left out.
    """
    rows = session.execute(
        _with_comments(SubmittedAssignment.student_id, Notebook.name, Grade.manual_score, Comment.manual_comment).where(
            Assignment.name == assignment,
            BaseCell.name == cell,
            Grade.manual_score.isnot(None),
            Grade.needs_manual_grade.is_(False),
        )
    )
    found = (
        Answer(student, assignment, notebook, cell)
        for student, notebook, score, comment in rows
        if rubric.is_outdated(comment or "", float(score))
    )
    return sorted(found, key=lambda answer: (answer.notebook, answer.student))


def follow_rubric(
    gradebook: Gradebook, rubric: Rubric, answers: Collection[Answer], *, how: str, who: str = ""
) -> None:
    """Give marks that `outdated` returned, all of one cell, their criteria's present points, or raise RubricError."""
    assignment, cell = next((answer.assignment, answer.cell) for answer in answers)
    with one_transaction(gradebook) as session:
        if set(outdated(session, assignment, cell, rubric)) != set(answers):
            raise RubricError(f"somebody has changed marks of {cell} in the meantime.")
        with acting(session, how, "rubric changed", who):
            for answer in answers:
                where = (answer.cell, answer.notebook, answer.assignment, answer.student)
                grade, comment = gradebook.find_grade(*where), gradebook.find_comment(*where)
                rubric.check(cell, grade.max_score)
                met, note = rubric.read(comment.manual_comment)
                grade.manual_score = rubric.points(met)
                comment.manual_comment = strip_control(rubric.comment(met, note))
