"""The gradebook for Canvas: a CSV file that its Gradebook imports."""

from collections.abc import Iterator, Sequence

from traitlets import Dict, Enum, Unicode

from .grades import StudentGrades
from .lms import LmsExport, name_of, number

IDENTITIES = ("ID", "SIS User ID", "SIS Login ID")


class CanvasExport(LmsExport):
    """The columns of Canvas's own export: the student, three ids, the section, one column for each assignment.

    The line below the heads tells the points that there are.  An assignment is found by its title, or by
    ``title (number)``; Canvas offers to create one that it does not find.  A student without points has an empty cell.

    Formats: https://community.canvaslms.com/t5/Instructor-Guide/How-do-I-import-grades-in-the-Gradebook/ta-p/807, and
    what Canvas makes of a file: lib/gradebook_importer.rb in https://github.com/instructure/canvas-lms.
    """

    file = "canvas.csv"
    id_column = Enum(IDENTITIES, "ID", help="The column of Canvas that the LMS ids belong in.").tag(config=True)
    titles = Dict(
        value_trait=Unicode(),
        key_trait=Unicode(),
        help='What Canvas calls the assignments: {"async": "Homework 1 (4711)"}; else their names here.',
    ).tag(config=True)

    def rows(self, students: Sequence[StudentGrades], assignments: dict[str, float]) -> Iterator[list[str]]:
        """The lines of the file."""
        yield ["Student", *IDENTITIES, "Section", *(self.titles.get(name, name) for name in assignments)]
        yield ["Points Possible", "", "", "", "", *map(number, assignments.values())]
        for student in students:
            ids = [student.lms_id if column == self.id_column else "" for column in IDENTITIES]
            points = [number(student.points[name]) if name in student.points else "" for name in assignments]
            yield [name_of(student), *ids, "", *points]
