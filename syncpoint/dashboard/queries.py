"""The dashboard's queries: each returns a data frame from one SQL statement, or two.

Nothing is added up here row by row, because a course of a thousand students has hundreds of thousands of outcomes.
:mod:`.verdicts` has the queries about verdicts.
Arguments and results name students as the engine says, see :mod:`.people`.
"""

from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import count
from typing import Any

import numpy as np
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
from sqlalchemy import Boolean, Engine, Float, Numeric, Select, String, case, false, func, select, true, union_all

from ..records.graded_cells import graded_cells, of_cell, of_notebook
from ..records.tables import (
    AnswerRecord,
    ExcuseRecord,
    MarkChange,
    NotebookRecord,
    RegradeRequest,
    TryRecord,
    VivaQuestion,
)
from .people import people

HOUR = timedelta(hours=1)
CELLS = (GradeCell.__table__, TaskCell.__table__)
KINDS = ((Float, float), (Numeric, float), (Boolean, bool))  # other columns get a type that fits their values


# The statements of a state that are always the same; making them takes as long as running them for a small class.
# The students as one text: thousands of rows would take longer than all the rest.
_LINE = Student.id + "\t" + func.coalesce(Student.first_name, "") + "\t" + func.coalesce(Student.last_name, "")
_LINES = select(_LINE.label("line")).order_by(Student.id).subquery()
EVERYBODY = (
    *(select(func.count(), func.sum(kind.max_score)) for kind in (GradeCell, TaskCell)),
    select(Assignment.id, Assignment.name, Assignment.duedate).order_by(Assignment.name),
    select(func.aggregate_strings(_LINES.c.line, "\n")),
)
OTHERS = (
    select(SubmittedAssignment.student_id, Assignment.name, SubmittedAssignment.extension)
    .join(Assignment, Assignment.id == SubmittedAssignment.assignment_id)
    .where(SubmittedAssignment.extension.isnot(None)),
    select(ExcuseRecord.student, ExcuseRecord.assignment),
    select(RegradeRequest.student, RegradeRequest.assignment, RegradeRequest.id, RegradeRequest.answered_at),
)
_OF_ASSIGNMENT = (
    select(
        SubmittedAssignment.assignment_id.label("id"),
        func.count().label("number"),
        func.max(SubmittedAssignment.timestamp).label("latest"),
    )
    .group_by(SubmittedAssignment.assignment_id)
    .subquery()
)
SUBMITTED = select(Assignment.name, _OF_ASSIGNMENT.c.number, _OF_ASSIGNMENT.c.latest).join(
    _OF_ASSIGNMENT, _OF_ASSIGNMENT.c.id == Assignment.id
)
# The marks are counted by cell first: that reads nothing but our index of unread answers.
_WAITING = (
    select(Grade.cell_id, func.count().label("number"))
    .where(Grade.needs_manual_grade)
    .group_by(Grade.cell_id)
    .subquery()
)
UNREAD = (
    select(Assignment.name, func.sum(_WAITING.c.number))
    .select_from(_WAITING)
    .join(BaseCell, BaseCell.id == _WAITING.c.cell_id)
    .join(Notebook, Notebook.id == BaseCell.notebook_id)
    .join(Assignment, Assignment.id == Notebook.assignment_id)
    .group_by(Assignment.name)
)
ASKED = select(VivaQuestion.assignment, func.count()).group_by(VivaQuestion.assignment)
PREDICTIONS = (
    select(VivaQuestion.student, VivaQuestion.assignment, VivaQuestion.number, VivaQuestion.predicted_at)
    .where(VivaQuestion.predicted_at.isnot(None))
    .order_by(VivaQuestion.predicted_at.desc())
    .limit(1000)
)
LAST = select(
    select(func.max(NotebookRecord.graded_at)).scalar_subquery(), select(func.max(MarkChange.id)).scalar_subquery()
)


@dataclass(frozen=True)
class State:
    """A summary of the gradebook at one moment; two of them show what has changed in between.

    Attributes:
        everybody: Names, assignments and cells: a change of these concerns all rows.
        counts: For each assignment: submissions, the latest time stamp, answers that wait for a person, and questions
            about students' own code.
        recent: Rows of the last gradings, changes of marks and predictions; they begin with student and assignment.
        others: All rows of extensions, excuses and questions, in the same form.
        graded_at: When the last notebook was graded (UTC); None if none was.
        change: The number of the last change of a mark.
    """

    everybody: tuple[Any, ...]
    counts: dict[str, tuple[Any, ...]]
    recent: frozenset[tuple[Any, ...]]
    others: frozenset[tuple[Any, ...]]
    graded_at: datetime | None
    change: int

    def touched(self, earlier: "State") -> dict[str, set[str]]:
        """Return the students with changes, by assignment; "" stands for changes without a student."""
        found: dict[str, set[str]] = {}
        for student, assignment, *_ in (self.recent - earlier.recent) | (self.others ^ earlier.others):
            found.setdefault(assignment, set()).add(student)
        for assignment in self.counts.keys() | earlier.counts.keys():
            if assignment not in found and self.counts.get(assignment) != earlier.counts.get(assignment):
                found[assignment] = {""}
        return found


def state(engine: Engine, earlier: State | None = None) -> State:
    """Read the gradebook's state.  It is read at every change, so most of its statements only count.

    Args:
        engine: The gradebook's engine.
        earlier: The previous state; what is recent begins before it.

    Returns:
        The state.  Because transactions may end in another order than they began, recent gradings begin an hour before
        ``earlier``, and recent changes a thousand changes before it.
    """
    with engine.connect() as connection:

        def rows(statement: Any) -> list[tuple[Any, ...]]:
            return [tuple(row) for row in connection.execute(statement)]

        ((graded_at, change),) = rows(LAST)
        change = change or 0
        since, number = (earlier.graded_at, earlier.change) if earlier else (graded_at, change)
        gradings = select(
            NotebookRecord.student, NotebookRecord.assignment, NotebookRecord.id, NotebookRecord.graded_at
        ).where(NotebookRecord.graded_at > since - HOUR if since else true())
        changes = select(MarkChange.student, MarkChange.assignment, MarkChange.id).where(MarkChange.id > number - 1000)
        waits, asked = dict(rows(UNREAD)), dict(rows(ASKED))
        return State(
            everybody=tuple(tuple(rows(statement)) for statement in EVERYBODY),
            counts={
                name: (number, latest, int(waits.get(name, 0)), asked.get(name, 0))
                for name, number, latest in rows(SUBMITTED)
            },
            recent=frozenset((*rows(gradings), *rows(changes), *rows(PREDICTIONS))),
            others=frozenset(row for statement in OTHERS for row in rows(statement)),
            graded_at=graded_at,
            change=change,
        )


def assignments(engine: Engine, assignment: str = "") -> pd.DataFrame:
    """Return all assignments (or one) by due date: assignment, max_points."""
    return frame(
        engine,
        select(Assignment.name.label("assignment"), Assignment.max_score.label("max_points"))
        .order_by(Assignment.duedate.is_(None), Assignment.duedate, Assignment.name)
        .where(*_of_assignment(assignment)),
    )


def submissions(engine: Engine, assignment: str = "", students: Collection[str] | None = None) -> pd.DataFrame:
    """Return all submissions, or only those of one assignment and of these students, by student.

    student, assignment, points (less the penalty), max_points, share (of the points that have
    been read, 0 to 1; none if none have), excused (it does not count for the student), late (submitted after the due
    date; never if excused), unread (answers that wait for a person), graded_at (UTC; none until all of its notebooks
    are graded).
    """
    extended = SubmittedAssignment.extension.isnot(None)  # few are, so only their times are read, and added up here
    found = frame(
        engine,
        select(
            SubmittedAssignment.id.label("submission"),
            SubmittedAssignment.student_id.label("student"),
            Assignment.name.label("assignment"),
            func.coalesce(SubmittedAssignment.timestamp > Assignment.duedate, false()).label("late"),
            *(case((extended, time)).label(time.key) for time in (SubmittedAssignment.timestamp, Assignment.duedate)),
            SubmittedAssignment.extension,
            ExcuseRecord.student.isnot(None).label("excused"),
        )
        .join(Assignment, SubmittedAssignment.assignment_id == Assignment.id)
        .outerjoin(ExcuseRecord, excuses(SubmittedAssignment.student_id))
        .where(*_of_assignment(assignment), *_of_students(students))
        .order_by(SubmittedAssignment.student_id),
    )
    most = dict(assignments(engine).itertuples(index=False))
    notebooks = frame(engine, _notebooks_of_submissions(engine, assignment, students))
    # As arrays: with a few rows, each step of a data frame takes longer than a query.
    number = len(found)  # also the place of notebooks whose submission is not listed; it is cut off at the end
    place = dict(zip(found.submission, range(number), strict=True))
    of = np.array([place.get(submission, number) for submission in notebooks.submission], dtype=int)

    def total(values: Any) -> np.ndarray:
        return np.bincount(of, values, number + 1)[:number]

    def sum_of(name: str) -> np.ndarray:
        return total(np.nan_to_num(notebooks[name].to_numpy(dtype=float)))

    graded_at = np.zeros(number + 1, "datetime64[us]")
    np.maximum.at(graded_at, of, _times(notebooks.graded_at))  # a missing time wins: not all is graded
    graded_at = np.where(total(None) > 0, graded_at[:number], np.datetime64("NaT"))
    due = _times(found.duedate) + pd.to_timedelta(found.extension).to_numpy("timedelta64[us]")
    late = np.where(found.extension.notna(), _times(found.timestamp) > due, found.late)
    max_points = np.array([most.get(name) for name in found.assignment], dtype=float)
    points = sum_of("points") - sum_of("penalty")
    worth = max_points - sum_of("unread_worth")
    read_points = np.maximum(points - sum_of("unread_points"), 0.0)
    return pd.DataFrame(
        {
            "student": found.student,
            "assignment": found.assignment,
            "points": np.maximum(points, 0.0),
            "max_points": max_points,
            "share": read_points / np.where(worth > 0, worth, np.nan),
            "excused": found.excused,
            "late": late & ~found.excused,
            "unread": sum_of("unread").astype(int),
            "graded_at": graded_at,
        }
    )


def _times(values: pd.Series) -> np.ndarray:
    return pd.to_datetime(values).to_numpy("datetime64[us]")


def _of_assignment(assignment: str) -> list[Any]:
    return [Assignment.name == assignment] if assignment else []


def _of_students(students: Collection[str] | None) -> list[Any]:
    return [] if students is None else [SubmittedAssignment.student_id.in_(sorted(students))]


def _notebooks_of_submissions(engine: Engine, assignment: str, students: Collection[str] | None) -> Select[Any]:
    """Select notebooks: submission, points, penalty, graded_at, and the number of unread answers.

    The marks are added up first: in one pass through their table, or along nbgrader's index, which has the cell first.
    """
    worth = func.coalesce(
        *(select(kind.c.max_score).where(kind.c.id == Grade.cell_id).scalar_subquery() for kind in CELLS), 0.0
    )
    marks = select(
        Grade.notebook_id.label("notebook"),
        func.sum(Grade.score).label("points"),
        _number(_unread()).label("unread"),
        func.sum(case((_unread(), Grade.score), else_=0.0)).label("unread_points"),
        func.sum(case((_unread(), worth), else_=0.0)).label("unread_worth"),
    ).group_by(Grade.notebook_id)
    notebooks, cells = _ids(engine, assignment)
    if assignment:
        marks = marks.where(Grade.cell_id.in_(cells))
    if students is not None:
        theirs = _submitted(notebooks, SubmittedNotebook.id).where(Assignment.name == assignment)
        marks = marks.where(Grade.notebook_id.in_(theirs.where(*_of_students(students))))
    found = marks.subquery()
    return (
        _submitted(
            notebooks,
            SubmittedAssignment.id.label("submission"),
            SubmittedNotebook.late_submission_penalty.label("penalty"),
            NotebookRecord.graded_at,
            *(found.c[name] for name in ("points", "unread", "unread_points", "unread_worth")),
        )
        .join(Notebook, Notebook.id == SubmittedNotebook.notebook_id)
        .outerjoin(NotebookRecord, of_notebook(NotebookRecord))
        .outerjoin(found, found.c.notebook == SubmittedNotebook.id)
        .where(*_of_assignment(assignment), *_of_students(students))
    )


def _ids(engine: Engine, assignment: str) -> tuple[list[str], list[str]]:
    """Return the ids of the notebooks of an assignment, or of all assignments, and of their cells."""
    cells = BaseCell.__table__.c
    statement = (
        select(Notebook.id, cells.id)
        .join(Assignment, Assignment.id == Notebook.assignment_id)
        .outerjoin(BaseCell.__table__, cells.notebook_id == Notebook.id)
        .where(*_of_assignment(assignment))
    )
    with engine.connect() as connection:
        rows = connection.execute(statement).all()
    return sorted({notebook for notebook, _ in rows}), [cell for _, cell in rows if cell]


def _submitted(notebooks: list[str] | None, *columns: Any) -> Select[Any]:
    """Select columns of submitted notebooks: of these, or of all.

    With the ids, each database follows nbgrader's indexes: submission, notebook, cell.
    """
    of_submission = SubmittedNotebook.assignment_id == SubmittedAssignment.id
    if notebooks is not None:
        of_submission &= SubmittedNotebook.notebook_id.in_(notebooks)
    return (
        select(*columns)
        .select_from(Assignment)
        .join(SubmittedAssignment, SubmittedAssignment.assignment_id == Assignment.id)
        .join(SubmittedNotebook, of_submission)
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


def waiting_texts(engine: Engine, assignment: str, notebook: str, cell: str) -> pd.DataFrame:
    """Return a cell's unmarked answers, as last graded: student, text."""
    return frame(
        engine,
        graded_cells(SubmittedAssignment.student_id.label("student"), AnswerRecord.text.label("text"))
        .join(AnswerRecord, of_cell(AnswerRecord))
        .where(
            Assignment.name == assignment,
            Notebook.name == notebook,
            BaseCell.name == cell,
            _unread(),
            AnswerRecord.marked_digest.is_(None),
        )
        .order_by(SubmittedAssignment.student_id),
    )


def questions(engine: Engine, assignment: str) -> pd.DataFrame:
    """Return students' questions about their marks, open ones first: id, student, exercise, question, answer, ..."""
    found = frame(engine, select(RegradeRequest).where(RegradeRequest.assignment == assignment))
    by_age = found.sort_values("id")
    return by_age.iloc[by_age.answered_at.notna().argsort(kind="stable")].reset_index(drop=True)


def explained(engine: Engine, assignment: str) -> pd.DataFrame:
    """Return the students with questions about their own code: student, asked, predicted, right."""
    return frame(
        engine,
        select(
            VivaQuestion.student,
            func.count().label("asked"),
            _number(VivaQuestion.predicted_at.isnot(None)).label("predicted"),
            _number(VivaQuestion.prediction == VivaQuestion.kind).label("right"),
        )
        .where(VivaQuestion.assignment == assignment)
        .group_by(VivaQuestion.student),
    )


def predictions(engine: Engine, student: str) -> pd.DataFrame:
    """Return a student's predictions: assignment, number, exercise, prediction, measured, why."""
    columns = VivaQuestion.assignment, VivaQuestion.number, VivaQuestion.exercise, VivaQuestion.prediction
    mine = VivaQuestion.student == people(engine).student(student), VivaQuestion.predicted_at.isnot(None)
    found = select(VivaQuestion.student, *columns, VivaQuestion.kind.label("measured"), VivaQuestion.why).where(*mine)
    return frame(engine, found.order_by(VivaQuestion.assignment, VivaQuestion.number))


def tries(engine: Engine, assignment: str) -> pd.DataFrame:
    """Return all tries of an assignment in order: student, number (from 1), share (of the judge's points, 0 to 1)."""
    found = frame(
        engine,
        select(TryRecord.student, TryRecord.points, TryRecord.max_points)
        .where(TryRecord.assignment == assignment)
        .order_by(TryRecord.id),
    )
    numbers, most = defaultdict[str, Iterator[int]](lambda: count(1)), found.max_points.to_numpy()
    return pd.DataFrame(
        {
            "student": found.student,
            "number": np.array([next(numbers[student]) for student in found.student], dtype=int),
            "share": found.points.to_numpy() / np.where(most > 0, most, np.nan),
        }
    )


def students(engine: Engine, assignment: str = "") -> pd.DataFrame:
    """Return all students of the gradebook, whatever the assignment: student, first_name, last_name."""
    return frame(
        engine,
        select(Student.id.label("student"), Student.first_name, Student.last_name).order_by(Student.id),
    )


def exercises(engine: Engine, assignment: str) -> pd.DataFrame:
    """Return the exercises of an assignment with points: exercise, max_points."""

    def cells(kind: Any) -> Select[Any]:
        return (
            select(kind.name.label("exercise"), kind.max_score.label("max_points"))
            .join(Notebook, Notebook.id == kind.notebook_id)
            .join(Assignment, Assignment.id == Notebook.assignment_id)
            .where(Assignment.name == assignment)
        )

    return frame(engine, union_all(cells(GradeCell), cells(TaskCell)))


def marks(engine: Engine, assignment: str, students: Collection[str] | None = None) -> pd.DataFrame:
    """Return one row for each student (or each of these) and exercise.

    Student, exercise, notebook, points, unread, changed (unread, since the answer was marked), excused.
    """
    notebooks, cells = _ids(engine, assignment)
    # The cells already choose the rows.  PostgreSQL takes the two conditions for independent, expects too few rows, and
    # would then follow an index for each of tens of thousands of marks.
    by_cells = engine.dialect.name == "postgresql" and students is None
    marked = select(AnswerRecord.cell).where(of_cell(AnswerRecord), AnswerRecord.marked_digest.isnot(None)).exists()
    found = frame(
        engine,
        _submitted(
            None if by_cells else notebooks,
            SubmittedAssignment.student_id.label("student"),
            BaseCell.name.label("exercise"),
            Notebook.name.label("notebook"),
            Grade.score.label("points"),
            _unread().label("unread"),
            case((_unread(), marked), else_=false()).label("changed"),
            ExcuseRecord.student.isnot(None).label("excused"),
        )
        .join(Grade, (Grade.notebook_id == SubmittedNotebook.id) & Grade.cell_id.in_(cells))
        .join(BaseCell, BaseCell.id == Grade.cell_id)
        .join(Notebook, Notebook.id == BaseCell.notebook_id)
        .outerjoin(ExcuseRecord, excuses(SubmittedAssignment.student_id))
        .where(Assignment.name == assignment, *_of_students(students)),
    )
    return repeated(found, "student", "exercise", "notebook")


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
    """Run a query. Missing text becomes an empty string, and a missing number NaN, never None.

    For a few rows, `pandas.read_sql` takes longer than all the rest of an update.
    """
    with engine.connect() as connection:
        rows = connection.execute(statement).all()
    columns, index = list(statement.selected_columns), pd.RangeIndex(len(rows))
    each = zip(*rows, strict=True) if rows else [()] * len(columns)
    data = {one.name: _series(one.type, values, index) for one, values in zip(columns, each, strict=True)}
    return people(engine).shown(pd.DataFrame(data, index))


def repeated(frame: pd.DataFrame, *names: str) -> pd.DataFrame:
    """Return a frame that has each different text of these columns once, so that texts are compared by number."""
    columns = {}
    for name in names:
        codes, texts = pd.factorize(frame[name].to_numpy(dtype=object))
        order = np.argsort(texts)
        places = np.empty(len(order), dtype=int)
        places[order] = np.arange(len(order))
        kinds = pd.Index(texts[order], dtype=object)
        columns[name] = pd.Categorical.from_codes(places[codes], kinds, validate=False)
    return frame.assign(**columns)


def _series(kind: Any, values: Sequence[Any], index: pd.RangeIndex) -> pd.Series:
    if isinstance(kind, String):
        return pd.Series(["" if value is None else value for value in values], index, dtype=object)
    return pd.Series(list(values), index, dtype=next((kinds[1] for kinds in KINDS if isinstance(kind, kinds[0])), None))
