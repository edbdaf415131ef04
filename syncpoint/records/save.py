"""The nbgrader preprocessor that writes the scores and the verdicts behind them, in one transaction."""

import functools
from collections.abc import Hashable, Sequence
from typing import Any

from nbformat import NotebookNode
from nbgrader.api import Gradebook
from nbgrader.preprocessors import NbGraderPreprocessor, SaveAutoGrades
from nbgrader.utils import determine_grade
from sqlalchemy import insert, inspect, tuple_
from sqlalchemy.orm import Session

from ..core.messages import to_data
from ..core.results import NotebookResult
from ..core.strip import strip_control
from .answers import answer_records, answers_of, must_be_read
from .database import one_transaction, upgrade
from .forget import forget
from .mark_log import GRADING, acting
from .tables import ActRecord, Base, IncidentRecord, NotebookRecord, OutcomeRecord, VerdictRecord


class SaveGradesAndVerdicts(SaveAutoGrades):
    """nbgrader's SaveAutoGrades, which also writes what the judge left in the resources: both or neither."""

    def preprocess(self, nb: NotebookNode, resources: Any) -> tuple[NotebookNode, Any]:
        """Write one notebook.

        Raises:
            KeyError: If no judge stood before it: then nobody gets points.
        """
        names = resources["nbgrader"]
        notebook_result: NotebookResult = resources["syncpoint"]
        result: str | None = resources["syncpoint_result"]
        self.notebook_id, self.assignment_id, self.student_id = (
            names["notebook"],
            names["assignment"],
            names["student"],
        )
        self._answers, self._refused = answers_of(nb), resources["syncpoint_refused"]
        with Gradebook(names["db_url"]) as self.gradebook:
            upgrade(self.gradebook.engine)
            with one_transaction(self.gradebook) as session:
                self._records = answer_records(session, self.assignment_id, [self.student_id])
                with acting(session, GRADING):
                    nb, resources = NbGraderPreprocessor.preprocess(self, nb, resources)
                save(session, self.student_id, self.assignment_id, self.notebook_id, notebook_result, result)
        return nb, resources

    def _add_score(self, cell: NotebookNode, resources: Any) -> None:
        """Write the score of a cell, and whether a person must read it."""
        name = cell.metadata.nbgrader["grade_id"]
        grade = self.gradebook.find_grade(name, self.notebook_id, self.assignment_id, self.student_id)
        auto_score, _ = determine_grade(cell, self.log)
        grade.needs_manual_grade = must_be_read(
            self.gradebook.db,
            self._records,
            (self.student_id, self.assignment_id, self.notebook_id, name),
            self._answers[name],
            grade=grade,
            auto_score=auto_score,
            refused=self._refused,
        )
        grade.auto_score = auto_score


def save(
    session: Session,
    student: str,
    assignment: str,
    notebook: str,
    notebook_result: NotebookResult,
    result: str | None = None,
) -> None:
    """Put a notebook result in the place of the one kept before, see :func:`save_all`."""
    save_all(session, assignment, [(student, notebook, notebook_result, result)])


def save_all(session: Session, assignment: str, found: Sequence[tuple[str, str, NotebookResult, str | None]]) -> None:
    """Put the results of notebooks in the place of those kept before, with a statement for each table.

    Args:
        session: Of the gradebook's database, in a transaction.
        assignment: Its name.
        found: Student, notebook, what came of it, and the key of the result, if there is one.
    """
    which = tuple_(NotebookRecord.student, NotebookRecord.notebook).in_(
        [(student, name) for student, name, *_ in found]
    )
    forget(session, NotebookRecord.assignment == assignment, which)
    books = [
        {"student": student, "assignment": assignment, "notebook": name, "result_key": key}
        | _columns(NotebookRecord, result.versions)
        | NO_COST
        | _columns(NotebookRecord, result.cost)
        for student, name, result, key in found
    ]
    results = list(zip(_insert(session, NotebookRecord, books), (result for _, _, result, _ in found), strict=True))
    for table, name in ((IncidentRecord, "incidents"), (ActRecord, "acts")):
        _insert(
            session,
            table,
            [
                {"notebook_id": book, **_columns(table, one)}
                for book, result in results
                for one in getattr(result, name)
            ],
        )
    exercises = [(book, exercise) for book, result in results for exercise in result.exercises]
    verdicts = [
        {"notebook_id": book, "exercise": exercise.name}
        | _columns(VerdictRecord, exercise)
        | {"notes": [to_data(note) for note in exercise.notes]}
        for book, exercise in exercises
    ]
    outcomes = [
        {"verdict_id": verdict}
        | _columns(OutcomeRecord, test)
        | {"status": test.status.value, "detail": strip_control(test.detail)}
        for verdict, (_, exercise) in zip(_insert(session, VerdictRecord, verdicts), exercises, strict=True)
        for test in exercise.tests
    ]
    _insert(session, OutcomeRecord, outcomes)


NO_COST = dict.fromkeys(("kernel_start", "kernel_busy", "kernel_stop", "total", "peak_mib"))


def _insert(session: Session, table: Any, rows: list[dict[str, Any]]) -> Sequence[int]:
    """Insert rows.

    Returns:
        Their ids, in their order.
    """
    if not rows:
        return []
    # A value that is None has a meaning of its type's, and all rows go in with one statement.
    statement = insert(table).execution_options(render_nulls=True)
    return session.scalars(statement.returning(table.id, sort_by_parameter_order=True), rows).all()


@functools.cache
def _names(table: type[Base], result: Hashable) -> tuple[str, ...]:
    fields = {*getattr(result, "__dataclass_fields__", ()), *dir(result)}
    return tuple(name for name in inspect(table).column_attrs.keys() if name in fields)  # noqa: SIM118


def _columns(table: type[Base], result: Any) -> dict[str, Any]:
    """What a row takes over of a result: all that has the name of a column."""
    kind: Any = type(result)
    return {name: getattr(result, name) for name in _names(table, kind)}
