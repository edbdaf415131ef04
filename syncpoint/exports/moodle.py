"""The gradebook for Moodle: a CSV file for its "Grade import"."""

from collections.abc import Iterator, Sequence

from ..core.spreadsheet import guarded
from .grades import StudentGrades
from .lms import LmsExport, number

PERSON = ("First name", "Surname", "ID number", "Institution", "Department", "Email address")
NO_GRADE = "-"


class MoodleExport(LmsExport):
    """The columns of Moodle's own export: who the student is, and one column for each assignment.

    Who imports it tells Moodle which column names the student ("Map from: ID number") by what ("Map to: useridnumber")
    and which grade item each assignment is.  A student without points has a hyphen.

    Format: https://docs.moodle.org/en/Grade_import; heads as in grade/import/csv/tests/load_data_test.php in
    https://github.com/moodle/moodle.
    """

    file = "moodle.csv"

    def rows(self, students: Sequence[StudentGrades], assignments: dict[str, float]) -> Iterator[list[str]]:
        """The lines of the file."""
        yield [*PERSON, *assignments]
        for student in students:
            names = (guarded(student.first_name), guarded(student.last_name))
            points = [number(student.points[name]) if name in student.points else NO_GRADE for name in assignments]
            yield [*names, student.lms_id, "", "", student.email, *points]
