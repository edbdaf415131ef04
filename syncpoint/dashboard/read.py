"""The dashboard's queries: each is one SQL statement that returns a data frame.

Nothing is added up here row by row, because a course of a thousand students has hundreds of thousands of outcomes.
:mod:`.verdicts` has the queries about verdicts.
Arguments and results name students as the engine says, see :mod:`.people`.
"""

from collections.abc import Sequence
from typing import Any

import pandas as pd
from nbgrader.api import (
    Assignment,
    BaseCell,
    Grade,
    GradeCell,
    Notebook,
    Student,
    SubmittedAssignment,
    SubmittedNotebook,
    TaskCell,
)
from sqlalchemy import Engine, Numeric, Select, String, case, func, or_, select, union_all

from ..records.graded_cells import graded_cells, of_cell, of_notebook
from ..records.tables import (
    AnswerRecord,
    ExcuseRecord,
    MarkChange,
    NotebookRecord,
    RegradeRequest,
    TryRecord,
)
from .people import people


def version(engine: Engine) -> tuple[Any, ...]:
    """Return a value that changes whenever grading, a TA or a roster writes something that a view shows.

    Short tables are read whole; long tables are counted and added up.  This takes milliseconds.
    """
    statements = [
        select(func.max(NotebookRecord.graded_at), func.count(), func.max(NotebookRecord.id)),
        select(func.count(), func.sum(Grade.manual_score), func.sum(Grade.extra_credit), _number(_unread())),
        select(func.count(), func.sum(GradeCell.max_score)),
        select(func.count(), func.max(SubmittedAssignment.timestamp)),
        select(func.count(), func.sum(SubmittedNotebook.late_submission_penalty)),
        select(SubmittedAssignment.id, SubmittedAssignment.extension)
        .where(SubmittedAssignment.extension.isnot(None))
        .order_by(SubmittedAssignment.id),
        select(Assignment.name, Assignment.duedate).order_by(Assignment.name),
        select(Student.id, Student.first_name, Student.last_name).order_by(Student.id),
        select(func.max(MarkChange.id)),
        select(func.max(TryRecord.id), func.count(), func.sum(TryRecord.points)),
        select(func.count(), func.max(RegradeRequest.answered_at)).select_from(RegradeRequest),
        select(ExcuseRecord.student, ExcuseRecord.assignment).order_by(ExcuseRecord.student, ExcuseRecord.assignment),
    ]
    with engine.connect() as connection:
        return tuple(tuple(row) for statement in statements for row in connection.execute(statement))


def assignments(engine: Engine) -> pd.DataFrame:
    """Return all assignments by due date: assignment, max_points."""
    return frame(
        engine,
        select(Assignment.name.label("assignment"), Assignment.max_score.label("max_points")).order_by(
            Assignment.duedate.is_(None), Assignment.duedate, Assignment.name
        ),
    )


def submissions(engine: Engine) -> pd.DataFrame:
    """Return all submissions of all assignments.

    student, first_name, last_name, assignment, points (less the penalty), max_points, share (of the points that have
    been read, 0 to 1; none if none have), excused (it does not count for the student), late (submitted after the due
    date; never if excused), unread (answers that wait for a person), graded_at (UTC; none until all of its notebooks
    are graded).
    """
    marks, notebooks = _marks_of_submissions(), _notebooks_of_submissions()
    found = frame(
        engine,
        select(
            SubmittedAssignment.student_id.label("student"),
            Student.first_name,
            Student.last_name,
            Assignment.name.label("assignment"),
            Assignment.max_score.label("max_points"),
            marks.c.points,
            notebooks.c.penalty,
            marks.c.unread,
            marks.c.unread_points,
            marks.c.unread_worth,
            notebooks.c.graded_at,
            SubmittedAssignment.timestamp,
            Assignment.duedate,
            SubmittedAssignment.extension,
            ExcuseRecord.student.isnot(None).label("excused"),
        )
        .join(Assignment, SubmittedAssignment.assignment_id == Assignment.id)
        .join(Student, Student.id == SubmittedAssignment.student_id)
        .outerjoin(marks, marks.c.submission == SubmittedAssignment.id)
        .outerjoin(notebooks, notebooks.c.submission == SubmittedAssignment.id)
        .outerjoin(ExcuseRecord, (ExcuseRecord.student == Student.id) & (ExcuseRecord.assignment == Assignment.name))
        .order_by(SubmittedAssignment.student_id),
    )
    due = pd.to_datetime(found.duedate) + pd.to_timedelta(found.extension).fillna(pd.Timedelta(0))
    points = found.points.astype(float).fillna(0.0) - found.penalty.astype(float).fillna(0.0)
    read_points = points - found.unread_points.astype(float).fillna(0.0)
    read_worth = found.max_points - found.unread_worth.astype(float).fillna(0.0)
    return found.assign(
        graded_at=pd.to_datetime(found.graded_at),
        excused=found.excused.astype(bool),
        late=(pd.to_datetime(found.timestamp) > due) & ~found.excused.astype(bool),
        points=points.clip(lower=0.0),
        share=read_points.clip(lower=0.0) / read_worth.where(read_worth > 0),
        unread=found.unread.fillna(0).astype(int),
    )["student first_name last_name assignment points max_points share excused late unread graded_at".split()]


def _marks_of_submissions() -> Any:
    """Select the points of each submission, and those of its answers that wait for a person."""
    worth = union_all(
        *(select(kind.id.label("cell"), kind.max_score.label("points")) for kind in (GradeCell, TaskCell))
    ).subquery()
    return (
        select(
            SubmittedNotebook.assignment_id.label("submission"),
            func.sum(Grade.score).label("points"),
            _number(_unread()).label("unread"),
            func.sum(case((_unread(), Grade.score), else_=0.0)).label("unread_points"),
            func.sum(case((_unread(), worth.c.points), else_=0.0)).label("unread_worth"),
        )
        .join(Grade, Grade.notebook_id == SubmittedNotebook.id)
        .outerjoin(worth, worth.c.cell == Grade.cell_id)
        .group_by(SubmittedNotebook.assignment_id)
        .subquery()
    )


def _notebooks_of_submissions() -> Any:
    """Select the penalty of each submission, and when the last of its notebooks was graded."""
    all_graded = func.count(NotebookRecord.id) == func.count(SubmittedNotebook.id)
    return (
        select(
            SubmittedNotebook.assignment_id.label("submission"),
            func.sum(SubmittedNotebook.late_submission_penalty).label("penalty"),
            case((all_graded, func.max(NotebookRecord.graded_at))).label("graded_at"),
        )
        .join(Notebook, Notebook.id == SubmittedNotebook.notebook_id)
        .join(Assignment, Assignment.id == Notebook.assignment_id)
        .join(SubmittedAssignment, SubmittedAssignment.id == SubmittedNotebook.assignment_id)
        .outerjoin(NotebookRecord, of_notebook(NotebookRecord))
        .group_by(SubmittedNotebook.assignment_id)
        .subquery()
    )


def excused(engine: Engine, assignment: str) -> set[str]:
    """Return the students for whom an assignment does not count."""
    with engine.connect() as connection:
        found = connection.scalars(select(ExcuseRecord.student).where(ExcuseRecord.assignment == assignment))
        return set(map(people(engine).shown_as, found))


def mark_changes(engine: Engine, student: str) -> pd.DataFrame:
    """Return changes of a student's marks, newest first: at (UTC), who, how, why, assignment, exercise, mark, ..."""
    whose = people(engine).student(student)
    return frame(engine, select(MarkChange).where(MarkChange.student == whose).order_by(MarkChange.id.desc()))


def answers(engine: Engine, assignment: str, cells: Sequence[str]) -> pd.DataFrame:
    """Return the answers in these cells, and those that have changed since they were marked, unread ones first.

    Student, exercise, notebook, points, unread, changed.
    """
    changed = _unread() & AnswerRecord.marked_digest.isnot(None)
    found = frame(
        engine,
        graded_cells(
            SubmittedAssignment.student_id.label("student"),
            BaseCell.name.label("exercise"),
            Notebook.name.label("notebook"),
            Grade.score.label("points"),
            _unread().label("unread"),
            changed.label("changed"),
        )
        .outerjoin(AnswerRecord, of_cell(AnswerRecord))
        .where(Assignment.name == assignment, or_(BaseCell.name.in_(cells), changed))
        .order_by(SubmittedAssignment.student_id),
    ).astype({"points": float, "unread": bool, "changed": bool})
    return found.sort_values(["unread", "exercise"], ascending=[False, True], kind="stable", ignore_index=True)


def questions(engine: Engine, assignment: str) -> pd.DataFrame:
    """Return students' questions about their marks, open ones first: id, student, exercise, question, answer, ..."""
    found = frame(engine, select(RegradeRequest).where(RegradeRequest.assignment == assignment))
    by_age = found.sort_values("id")
    return by_age.iloc[by_age.answered_at.notna().argsort(kind="stable")].reset_index(drop=True)


def tries(engine: Engine, assignment: str) -> pd.DataFrame:
    """Return all tries of an assignment in order: student, number (from 1), share (of the judge's points, 0 to 1)."""
    found = frame(
        engine,
        select(TryRecord.student, TryRecord.points, TryRecord.max_points)
        .where(TryRecord.assignment == assignment)
        .order_by(TryRecord.id),
    )
    number = found.groupby("student").cumcount() + 1
    return found.assign(number=number, share=found.points / found.max_points.where(found.max_points > 0))


def students(engine: Engine) -> pd.DataFrame:
    """Return all students of the gradebook: student, first_name, last_name."""
    return frame(
        engine,
        select(Student.id.label("student"), Student.first_name, Student.last_name).order_by(Student.id),
    )


def exercises(engine: Engine, assignment: str) -> pd.DataFrame:
    """Return the exercises of an assignment that have points: exercise, max_points."""

    def cells(kind: Any) -> Select[Any]:
        return (
            select(kind.name.label("exercise"), kind.max_score.label("max_points"))
            .join(Notebook, Notebook.id == kind.notebook_id)
            .join(Assignment, Assignment.id == Notebook.assignment_id)
            .where(Assignment.name == assignment)
        )

    return frame(engine, union_all(cells(GradeCell), cells(TaskCell)))


def marks(engine: Engine, assignment: str) -> pd.DataFrame:
    """Return one row for each student and exercise: student, exercise, points, unread, excused."""
    return frame(
        engine,
        graded_cells(
            SubmittedAssignment.student_id.label("student"),
            BaseCell.name.label("exercise"),
            Grade.score.label("points"),
            _unread().label("unread"),
            ExcuseRecord.student.isnot(None).label("excused"),
        )
        .outerjoin(ExcuseRecord, excuses(SubmittedAssignment.student_id))
        .where(Assignment.name == assignment),
    ).astype({"points": float, "unread": bool, "excused": bool})


def notebooks(engine: Engine, student: str) -> pd.DataFrame:
    """Return the notebooks of one student: assignment, notebook, identity (formgrader's)."""
    return frame(
        engine,
        select(
            Assignment.name.label("assignment"),
            Notebook.name.label("notebook"),
            SubmittedNotebook.id.label("identity"),
        )
        .join(Notebook, Notebook.id == SubmittedNotebook.notebook_id)
        .join(SubmittedAssignment, SubmittedAssignment.id == SubmittedNotebook.assignment_id)
        .join(Assignment, Assignment.id == SubmittedAssignment.assignment_id)
        .where(SubmittedAssignment.student_id == people(engine).student(student))
        .order_by(Assignment.name, Notebook.name),
    )


def excuses(student: Any) -> Any:
    """Return the condition that an excuse is this student's, for the assignment in the query."""
    return (ExcuseRecord.student == student) & (ExcuseRecord.assignment == Assignment.name)


def _unread() -> Any:
    return Grade.needs_manual_grade


def _number(condition: Any) -> Any:
    """Count the rows for which a condition holds."""
    return func.sum(case((condition, 1), else_=0))


def frame(engine: Engine, statement: Any) -> pd.DataFrame:
    """Run a query.  Missing text becomes an empty string, and a missing number NaN, never None."""
    with engine.connect() as connection:
        found = pd.read_sql(statement, connection)
    for column in statement.selected_columns:
        if isinstance(column.type, String):
            found[column.name] = found[column.name].astype(object).fillna("")
        elif isinstance(column.type, Numeric):
            found[column.name] = found[column.name].astype(float)
    return people(engine).shown(found)
