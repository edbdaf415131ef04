"""The nbgrader preprocessor that writes the scores and the verdicts behind them, in one transaction."""

from typing import Any

from nbformat import NotebookNode
from nbgrader.api import Gradebook
from nbgrader.preprocessors import NbGraderPreprocessor, SaveAutoGrades
from sqlalchemy import inspect
from sqlalchemy.orm import Session

from ..core.messages import to_data
from ..core.results import ExerciseResult, NotebookResult, TestResult
from ..core.strip import strip_control
from .answers import NOT_KNOWN, AnswerRecord, answers_of, is_marked, records_of, stands
from .database import one_transaction, upgrade
from .forget import forget
from .mark_log import GRADING, acting
from .tables import Base, FlagRecord, IncidentRecord, NotebookRecord, OutcomeRecord, VerdictRecord


class SaveGradesAndVerdicts(SaveAutoGrades):
    """nbgrader's SaveAutoGrades, which also writes what the judge left in the resources: both or neither."""

    def preprocess(self, nb: NotebookNode, resources: Any) -> tuple[NotebookNode, Any]:
        """Write one notebook.

        Returns:
            Both as they were.

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
                self._kept = records_of(session, self.student_id, self.assignment_id, self.notebook_id)
                with acting(session, GRADING):
                    nb, resources = NbGraderPreprocessor.preprocess(self, nb, resources)
                save(session, self.student_id, self.assignment_id, self.notebook_id, notebook_result, result)
        return nb, resources

    def _add_score(self, cell: NotebookNode, resources: Any) -> None:
        """Write the score of a cell.  nbgrader has every mark given again; here one stays for the same answer."""
        name = cell.metadata.nbgrader["grade_id"]
        grade = self.gradebook.find_grade(name, self.notebook_id, self.assignment_id, self.student_id)
        marked, read, record = is_marked(grade), not grade.needs_manual_grade, self._kept.get(name)
        if record is None:
            record = AnswerRecord(
                student=self.student_id,
                assignment=self.assignment_id,
                notebook=self.notebook_id,
                cell=name,
                text="",
                digest=NOT_KNOWN,
            )
            self.gradebook.db.add(record)
        if self._refused:  # nbgrader calls all of a notebook read that was not handed in
            read = record.marked_digest is None
        super()._add_score(cell, resources)
        same = stands(record, self._answers[name], marked=marked, read=read)
        if marked and grade.score is not None:
            grade.needs_manual_grade = not same or (grade.manual_score is None and grade.auto_score is None)


def save(
    session: Session,
    student: str,
    assignment: str,
    notebook: str,
    notebook_result: NotebookResult,
    result: str | None = None,
) -> None:
    """Put a notebook result in the place of the one kept before.

    Args:
        session: Of the gradebook's database, in a transaction.
        student: Their id.
        assignment: Its name.
        notebook: Its name.
        notebook_result: What came of it.
        result: Its key, if there is one.
    """
    this = (
        NotebookRecord.student == student,
        NotebookRecord.assignment == assignment,
        NotebookRecord.notebook == notebook,
    )
    forget(session, *this)
    session.add(
        NotebookRecord(
            student=student,
            assignment=assignment,
            notebook=notebook,
            **_columns(NotebookRecord, notebook_result.versions),
            **_columns(NotebookRecord, notebook_result.cost),
            result_key=result,
            verdicts=[_verdict(exercise) for exercise in notebook_result.exercises],
            incidents=[
                IncidentRecord(**_columns(IncidentRecord, incident), sentence=incident.said)
                for incident in notebook_result.incidents
            ],
            flags=[FlagRecord(**_columns(FlagRecord, flag), sentence=flag.said) for flag in notebook_result.flags],
        )
    )
    session.flush()


def _verdict(exercise: ExerciseResult) -> VerdictRecord:
    return VerdictRecord(
        exercise=exercise.name,
        outcomes=[_outcome(test) for test in exercise.tests],
        **_columns(VerdictRecord, exercise) | {"notes": [to_data(note) for note in exercise.notes]},
    )


def _outcome(test: TestResult) -> OutcomeRecord:
    others = {"status": test.status.value, "message": test.said, "detail": strip_control(test.detail)}
    return OutcomeRecord(**_columns(OutcomeRecord, test) | others)


def _columns(table: type[Base], result: object) -> dict[str, Any]:
    """What a row takes over of a result: all that has the name of a column."""
    return {name: getattr(result, name) for name in inspect(table).column_attrs.keys() if hasattr(result, name)}  # noqa: SIM118
