"""The long table: a row for each test of each exercise of each student, for whoever looks into a class."""

from io import BytesIO
from typing import TYPE_CHECKING

from nbgrader.api import Assignment, Gradebook, SubmittedAssignment
from sqlalchemy import Executable, and_, select

from ..core.results import shares
from ..core.spreadsheet import guarded
from ..records.database import upgrade
from ..records.tables import NotebookRecord, OutcomeRecord, VerdictRecord
from .export import Chosen, Content, Export, ExportError

if TYPE_CHECKING:
    import pandas

# Columns and their types in both files, in this order; docs/exports.md tells what they mean.
COLUMNS = {
    "student": "string",
    "assignment": "string",
    "notebook": "string",
    "exercise": "string",
    "test": "string",
    "title": "string",
    "outcome": "string",
    "weight": "float64",
    "core": "bool",
    "points": "float64",
    "max_points": "float64",
    "misconception": "string",
    "seconds": "float64",
    "graded_at": "datetime64[us, UTC]",
    "engine": "string",
    "graders": "string",
}


class OutcomesCsvExport(Export):
    """The long table as CSV."""

    file = "outcomes.csv"

    def content(self, gradebook: Gradebook, chosen: Chosen) -> Content:
        """Return the table in UTF-8.

        Raises:
            ExportError: If the gradebook's students or assignments do not allow the file.
        """
        table = read_outcomes(gradebook, chosen)
        # A title is the only text here that is written freely.
        table["title"] = table["title"].map(guarded)
        return Content(table.to_csv(index=False).encode(), table["student"].nunique())


class OutcomesParquetExport(Export):
    """The long table as Parquet, with the types of its columns."""

    file = "outcomes.parquet"

    def content(self, gradebook: Gradebook, chosen: Chosen) -> Content:
        """Return the table.

        Raises:
            ExportError: If the gradebook's students or assignments do not allow the file.
        """
        table, file = read_outcomes(gradebook, chosen), BytesIO()
        table.to_parquet(file, index=False)
        return Content(file.getvalue(), table["student"].nunique())


def read_outcomes(gradebook: Gradebook, chosen: Chosen) -> "pandas.DataFrame":
    """Return the outcomes of the chosen; an exercise that could not be tested is one row without a test.

    points, max_points: the test's share of the exercise's, so that the rows of an exercise sum up to its score.

    Raises:
        ExportError: If nothing was graded.
    """
    import pandas

    upgrade(gradebook.engine)
    table = pandas.DataFrame(gradebook.db.execute(_outcomes(chosen)).mappings().all())
    if table.empty:
        raise ExportError("nothing was graded yet: run `nbgrader autograde <assignment>`.")
    tested = table["test"].notna()
    passed, table["core"] = table["passed"].eq(True), table["core"].eq(True)
    tests = table.assign(passed=passed)[tested].groupby("verdict", sort=False)[["weight", "passed", "core"]]
    found = [share for _, rows in tests for share in shares(rows.itertuples())]
    split = pandas.DataFrame(found, table.index[tested], ["worth", "earned"], float).reindex(table.index)
    table["points"] = (table["max_points"] * split["earned"]).fillna(0.0)
    table["max_points"] *= split["worth"].fillna(1.0)
    table["outcome"] = passed.map({True: "passed", False: "failed"}).where(tested, "not tested")
    table["graded_at"] = pandas.to_datetime(table["graded_at"], utc=True)
    texts = {name: "" for name, kind in COLUMNS.items() if kind == "string"}
    return table.fillna({**texts, "weight": 0.0, "seconds": 0.0})[list(COLUMNS)].astype(COLUMNS)


def _outcomes(chosen: Chosen) -> Executable:
    """One row for each outcome, in the order of the tests; of submissions that nbgrader still has."""
    submitted = and_(
        SubmittedAssignment.assignment_id == Assignment.id, SubmittedAssignment.student_id == NotebookRecord.student
    )
    return (
        select(
            NotebookRecord.student,
            NotebookRecord.assignment,
            NotebookRecord.notebook,
            VerdictRecord.id.label("verdict"),
            VerdictRecord.exercise,
            OutcomeRecord.name.label("test"),
            OutcomeRecord.title,
            OutcomeRecord.passed,
            OutcomeRecord.weight,
            OutcomeRecord.core,
            VerdictRecord.max_points,
            OutcomeRecord.misconception,
            OutcomeRecord.seconds,
            NotebookRecord.graded_at,
            NotebookRecord.engine,
            NotebookRecord.graders,
        )
        .join(VerdictRecord, VerdictRecord.notebook_id == NotebookRecord.id)
        .outerjoin(OutcomeRecord, OutcomeRecord.verdict_id == VerdictRecord.id)
        .join(Assignment, Assignment.name == NotebookRecord.assignment)
        .join(SubmittedAssignment, submitted)
        .where(NotebookRecord.student.in_(chosen.students), NotebookRecord.assignment.in_(chosen.assignments))
        .order_by(
            NotebookRecord.student,
            NotebookRecord.assignment,
            NotebookRecord.notebook,
            VerdictRecord.id,
            OutcomeRecord.id,
        )
    )
