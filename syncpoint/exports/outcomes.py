"""The long table for analysis: one row for each test of each exercise of each student."""

from io import BytesIO
from typing import TYPE_CHECKING

from nbgrader.api import Assignment, Gradebook, SubmittedAssignment
from sqlalchemy import Executable, and_, select

from ..core.points import shares
from ..core.spreadsheet import guarded
from ..nbgrader_hooks.export_plugin import Content, Export, ExportError
from ..records.grades import ExportSelection
from ..records.tables import NotebookRecord, OutcomeRecord, VerdictRecord

if TYPE_CHECKING:
    import pandas

# The columns of both files in order, with their types; docs/reference/platforms.md explains them. Each has the place
# where it is read; None: it is computed.
COLUMNS = {
    "student": ("string", NotebookRecord.student),
    "assignment": ("string", NotebookRecord.assignment),
    "notebook": ("string", NotebookRecord.notebook),
    "exercise": ("string", VerdictRecord.exercise),
    "test": ("string", OutcomeRecord.name),
    "title": ("string", OutcomeRecord.title),
    "outcome": ("string", None),
    "weight": ("float64", OutcomeRecord.weight),
    "core": ("bool", OutcomeRecord.core),
    "value": ("bool", OutcomeRecord.value),
    "points": ("float64", None),
    "max_points": ("float64", VerdictRecord.max_points),
    "misconception": ("string", OutcomeRecord.misconception),
    "seconds": ("float64", OutcomeRecord.seconds),
    "graded_at": ("datetime64[us, UTC]", NotebookRecord.graded_at),
    "engine": ("string", NotebookRecord.engine),
    "graders": ("string", NotebookRecord.graders),
}
TYPES = {name: kind for name, (kind, _) in COLUMNS.items()}


class OutcomesCsvExport(Export):
    """The long table as CSV."""

    file = "outcomes.csv"

    def content(self, gradebook: Gradebook, selection: ExportSelection) -> Content:
        table = read_outcomes(gradebook, selection)
        # Titles are the only free text here.
        table["title"] = table["title"].map(guarded)
        return Content(table.to_csv(index=False).encode(), table["student"].nunique())


class OutcomesParquetExport(Export):
    """The long table as Parquet, with the types of its columns."""

    file = "outcomes.parquet"

    def content(self, gradebook: Gradebook, selection: ExportSelection) -> Content:
        table, file = read_outcomes(gradebook, selection), BytesIO()
        table.to_parquet(file, index=False)
        return Content(file.getvalue(), table["student"].nunique())


def read_outcomes(gradebook: Gradebook, selection: ExportSelection) -> "pandas.DataFrame":
    """Return the chosen outcomes; an exercise that could not be tested is one row without a test.

    points, max_points: the test's share of the exercise's, so that the rows of an exercise sum up to its score.

    Raises:
        ExportError: If nothing was graded.
    """
    import pandas

    table = pandas.DataFrame(gradebook.db.execute(_outcomes(selection)).mappings().all())
    if table.empty:
        raise ExportError("nothing has been graded yet: run `nbgrader autograde <assignment>`.")
    tested = table["test"].notna()
    passed = table["passed"].eq(True)
    tests = table.assign(passed=passed)[tested].groupby("verdict", sort=False)[["weight", "passed", "core", "value"]]
    found = [share for _, rows in tests for share in shares(rows.itertuples())]
    split = pandas.DataFrame(found, table.index[tested], ["worth", "earned"], float).reindex(table.index)
    table["points"] = (table["max_points"] * split["earned"]).fillna(0.0)
    table["max_points"] *= split["worth"].fillna(1.0)
    table["outcome"] = passed.map({True: "passed", False: "failed"}).where(tested, "not tested")
    table["graded_at"] = pandas.to_datetime(table["graded_at"], utc=True)
    # An exercise that could not be tested has no values of a test.
    empty = {name: {"string": "", "bool": False}.get(kind, 0) for name, kind in TYPES.items() if name != "graded_at"}
    return table.fillna(empty)[list(TYPES)].astype(TYPES)


def _outcomes(selection: ExportSelection) -> Executable:
    """One row for each outcome, in the order of the tests; of submissions that nbgrader still has."""
    submitted = and_(
        SubmittedAssignment.assignment_id == Assignment.id, SubmittedAssignment.student_id == NotebookRecord.student
    )
    return (
        select(
            VerdictRecord.id.label("verdict"),
            OutcomeRecord.passed,
            *(column.label(name) for name, (_, column) in COLUMNS.items() if column is not None),
        )
        .join(VerdictRecord, VerdictRecord.notebook_id == NotebookRecord.id)
        .outerjoin(OutcomeRecord, OutcomeRecord.verdict_id == VerdictRecord.id)
        .join(Assignment, Assignment.name == NotebookRecord.assignment)
        .join(SubmittedAssignment, submitted)
        .where(NotebookRecord.student.in_(selection.students), NotebookRecord.assignment.in_(selection.assignments))
        .order_by(
            NotebookRecord.student,
            NotebookRecord.assignment,
            NotebookRecord.notebook,
            VerdictRecord.id,
            OutcomeRecord.id,
        )
    )
