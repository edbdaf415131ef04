"""What the dashboard reads: each question is one SQL statement, and its answer a data frame.

Nothing is added up here row by row: a course of a thousand students has hundreds of thousands of outcomes.
Verdicts of submissions that nbgrader no longer has are left out, and so is the database they came from.
Students are named as the engine says, see :mod:`.people`, in what is returned and in what is asked for.
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
from sqlalchemy import Engine, Numeric, Select, String, case, exists, func, or_, select, union_all

from ..records.graded_cells import graded_cells, of_cell, of_notebook
from ..records.tables import (
    ActRecord,
    AnswerRecord,
    ExcuseRecord,
    IncidentRecord,
    MarkChange,
    NotebookRecord,
    OutcomeRecord,
    RegradeRequest,
    VerdictRecord,
)
from .people import people


def version(engine: Engine) -> tuple[Any, ...]:
    """Return what changes whenever a grading, a TA or a roster wrote something that a view shows; takes milliseconds.

    What is short is read as it is; long tables are counted and added up.
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
        select(func.count(), func.max(RegradeRequest.answered_at)).select_from(RegradeRequest),
        select(ExcuseRecord.student, ExcuseRecord.assignment).order_by(ExcuseRecord.student, ExcuseRecord.assignment),
    ]
    with engine.connect() as connection:
        return tuple(tuple(row) for statement in statements for row in connection.execute(statement))


def assignments(engine: Engine) -> pd.DataFrame:
    """All assignments, by due date: assignment, max_points."""
    return _frame(
        engine,
        select(Assignment.name.label("assignment"), Assignment.max_score.label("max_points")).order_by(
            Assignment.duedate.is_(None), Assignment.duedate, Assignment.name
        ),
    )


def submissions(engine: Engine) -> pd.DataFrame:
    """Return all submissions of all assignments.

    student, first_name, last_name, assignment, points (less the penalty), max_points, share (of the points of what is
    read, 0 to 1; none if nothing is), excused (it does not count for the student), late (handed in after the due date;
    what is excused never is), unread (answers that wait for a person), graded_at (UTC; none before all of its notebooks
    are graded).
    """
    marks, notebooks = _marks_of_submissions(), _notebooks_of_submissions()
    found = _frame(
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
    """The points of each submission, and those of its answers that wait for a person."""
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
    """The penalty of each submission, and when the last of its notebooks was graded."""
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
    """Students for whom an assignment does not count."""
    with engine.connect() as connection:
        found = connection.scalars(select(ExcuseRecord.student).where(ExcuseRecord.assignment == assignment))
        return set(map(people(engine).shown_as, found))


def mark_changes(engine: Engine, student: str) -> pd.DataFrame:
    """Who changed which mark of a student, newest first: at (UTC), who, how, why, assignment, exercise, mark, ..."""
    whose = people(engine).student(student)
    return _frame(engine, select(MarkChange).where(MarkChange.student == whose).order_by(MarkChange.id.desc()))


def answers(engine: Engine, assignment: str, cells: Sequence[str]) -> pd.DataFrame:
    """The answers in these cells, and those that have changed since somebody marked them; unread ones first.

    Returns:
        student, exercise, notebook, points, unread, changed.
    """
    changed = _unread() & AnswerRecord.marked_digest.isnot(None)
    found = _frame(
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
    """What students asked about their marks, open questions first: id, student, exercise, question, answer, ..."""
    found = _frame(engine, select(RegradeRequest).where(RegradeRequest.assignment == assignment))
    by_age = found.sort_values("id")
    return by_age.iloc[by_age.answered_at.notna().argsort(kind="stable")].reset_index(drop=True)


def students(engine: Engine) -> pd.DataFrame:
    """Everybody in the gradebook: student, first_name, last_name."""
    return _frame(
        engine,
        select(Student.id.label("student"), Student.first_name, Student.last_name).order_by(Student.id),
    )


def exercises(engine: Engine, assignment: str) -> pd.DataFrame:
    """Everything with points in an assignment: exercise, max_points."""

    def cells(kind: Any) -> Select[Any]:
        return (
            select(kind.name.label("exercise"), kind.max_score.label("max_points"))
            .join(Notebook, Notebook.id == kind.notebook_id)
            .join(Assignment, Assignment.id == Notebook.assignment_id)
            .where(Assignment.name == assignment)
        )

    return _frame(engine, union_all(cells(GradeCell), cells(TaskCell)))


def marks(engine: Engine, assignment: str) -> pd.DataFrame:
    """One row for each student and exercise: student, exercise, points, unread, excused."""
    return _frame(
        engine,
        graded_cells(
            SubmittedAssignment.student_id.label("student"),
            BaseCell.name.label("exercise"),
            Grade.score.label("points"),
            _unread().label("unread"),
            ExcuseRecord.student.isnot(None).label("excused"),
        )
        .outerjoin(ExcuseRecord, _excuses(SubmittedAssignment.student_id))
        .where(Assignment.name == assignment),
    ).astype({"points": float, "unread": bool, "excused": bool})


def tests(engine: Engine, assignment: str) -> pd.DataFrame:
    """Return one row for each test: exercise, test, title, tried, failed, lost (points of all students together).

    Where no test could run, the row has no name and the title says so.
    """
    # As syncpoint.core.results.shares has it; the half of the core tests was lost by those of them that failed.
    weights = _of_the_exercise(OutcomeRecord.weight)
    core = _of_the_exercise(case((OutcomeRecord.core, 1), else_=0))
    core_failed = _of_the_exercise(case((OutcomeRecord.core & ~OutcomeRecord.passed, 1), else_=0))
    by_weight = OutcomeRecord.weight / func.nullif(weights, 0)
    lesson = case((OutcomeRecord.core, 1.0 / func.nullif(core_failed, 0)), else_=0.0)
    share = case((core > 0, (by_weight + lesson) / 2), else_=by_weight)
    each = (
        _of_those_who_count(
            assignment,
            select(
                VerdictRecord.exercise,
                OutcomeRecord.name.label("test"),
                OutcomeRecord.title,
                case((OutcomeRecord.passed, 0), else_=1).label("failed"),
                case((OutcomeRecord.passed, 0.0), else_=VerdictRecord.max_points * share).label("lost"),
            )
            .join(VerdictRecord, VerdictRecord.id == OutcomeRecord.verdict_id)
            .join(NotebookRecord, NotebookRecord.id == VerdictRecord.notebook_id),
        )
    ).subquery()
    tried = select(
        each.c.exercise,
        each.c.test,
        func.max(each.c.title).label("title"),
        func.count().label("tried"),
        func.sum(each.c.failed).label("failed"),
        func.sum(each.c.lost).label("lost"),
    ).group_by(each.c.exercise, each.c.test)
    untried = _of_those_who_count(
        assignment,
        select(
            VerdictRecord.exercise, func.count().label("tried"), func.sum(VerdictRecord.max_points).label("lost")
        ).join(NotebookRecord, NotebookRecord.id == VerdictRecord.notebook_id),
    ).where(~exists().where(OutcomeRecord.verdict_id == VerdictRecord.id))
    nothing = _frame(engine, untried.group_by(VerdictRecord.exercise))
    nothing = nothing.assign(test="", title="(no test could run)", failed=nothing.tried)
    found = pd.concat([_frame(engine, tried), nothing[nothing.tried > 0]], ignore_index=True)
    return found.astype({"tried": int, "failed": int, "lost": float})


def _of_the_exercise(value: Any) -> Any:
    """The sum over all tests of the same exercise of the same student."""
    return func.sum(value).over(partition_by=OutcomeRecord.verdict_id)


def misconceptions(engine: Engine, assignment: str) -> pd.DataFrame:
    """What the class believes, most frequent first: slug, exercises (one text), students (how many)."""
    pairs = _of_those_who_count(
        assignment,
        select(OutcomeRecord.misconception.label("slug"), VerdictRecord.exercise, NotebookRecord.student)
        .distinct()
        .join(VerdictRecord, VerdictRecord.id == OutcomeRecord.verdict_id)
        .join(NotebookRecord, NotebookRecord.id == VerdictRecord.notebook_id),
    ).where(~OutcomeRecord.passed, OutcomeRecord.misconception != "")
    found = _frame(engine, pairs)
    ranked = found.groupby("slug").agg(
        exercises=("exercise", lambda names: ", ".join(sorted(set(names)))), students=("student", "nunique")
    )
    return ranked.reset_index().sort_values(["students", "slug"], ascending=[False, True], ignore_index=True)


def counted(engine: Engine, assignment: str) -> int:
    """How many students were graded, without those who are excused."""
    found = _frame(engine, _of_those_who_count(assignment, select(NotebookRecord.student).distinct()))
    return len(found)


def incidents(engine: Engine, assignment: str) -> pd.DataFrame:
    """What stopped or disturbed notebooks: student, notebook, kind, message, graded_at (UTC)."""
    return _messages(engine, assignment, IncidentRecord)


def acts(engine: Engine, assignment: str) -> pd.DataFrame:
    """Suspicious acts: student, notebook, kind, message, graded_at (UTC)."""
    return _messages(engine, assignment, ActRecord)


def _messages(engine: Engine, assignment: str, table: Any) -> pd.DataFrame:
    found = _frame(
        engine,
        _of(
            assignment,
            select(
                NotebookRecord.student, NotebookRecord.notebook, table.kind, table.message, NotebookRecord.graded_at
            ).join(NotebookRecord, NotebookRecord.id == table.notebook_id),
        ).order_by(NotebookRecord.graded_at.desc(), table.id),
    )
    found["message"] = found["message"].map(str)
    # By the minute, as it is shown: a class is graded in the order of its ids.
    minute = pd.to_datetime(found.graded_at).dt.floor("min")
    return found.loc[minute.sort_values(ascending=False, kind="stable").index].reset_index(drop=True)


def costs(engine: Engine, assignment: str) -> pd.DataFrame:
    """What grading cost, for each submission: student, seconds (wall clock), peak_mib (of its largest notebook)."""
    return _frame(
        engine,
        _of(
            assignment,
            select(
                NotebookRecord.student,
                func.sum(NotebookRecord.total).label("seconds"),
                func.max(NotebookRecord.peak_mib).label("peak_mib"),
            ),
        ).group_by(NotebookRecord.student),
    ).astype({"seconds": float, "peak_mib": float})


def notebooks(engine: Engine, student: str) -> pd.DataFrame:
    """The notebooks of one student: assignment, notebook, identity (formgrader's)."""
    return _frame(
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


def _of_those_who_count(assignment: str, statement: Any) -> Any:
    """The same without excused students: what is counted of a class."""
    return _of(assignment, statement).where(~exists().where(_excuses(NotebookRecord.student)))


def _of(assignment: str, statement: Any) -> Any:
    """The rows of one assignment whose submissions nbgrader still has."""
    return (
        statement.join(Assignment, Assignment.name == NotebookRecord.assignment)
        .join(
            SubmittedAssignment,
            (SubmittedAssignment.assignment_id == Assignment.id)
            & (SubmittedAssignment.student_id == NotebookRecord.student),
        )
        .where(Assignment.name == assignment)
    )


def _excuses(student: Any) -> Any:
    """Whether an excuse is this student's, for the assignment that is read."""
    return (ExcuseRecord.student == student) & (ExcuseRecord.assignment == Assignment.name)


def _unread() -> Any:
    return Grade.needs_manual_grade


def _number(condition: Any) -> Any:
    """For how many rows it holds."""
    return func.sum(case((condition, 1), else_=0))


def _frame(engine: Engine, statement: Any) -> pd.DataFrame:
    """Ask the database.  A text that is missing is an empty one; a number that is missing is NaN, never None."""
    with engine.connect() as connection:
        found = pd.read_sql(statement, connection)
    for column in statement.selected_columns:
        if isinstance(column.type, String):
            found[column.name] = found[column.name].astype(object).fillna("")
        elif isinstance(column.type, Numeric):
            found[column.name] = found[column.name].astype(float)
    return people(engine).shown(found)
