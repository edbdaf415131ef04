"""The course total of each student with its parts, as a CSV file."""

from nbgrader.api import Gradebook

from ..core.spreadsheet import csv_file, guarded
from ..nbgrader_hooks.export_plugin import Content, Export
from ..records.grades import ExportSelection

PERSON = ("student", "first_name", "last_name", "email", "lms_id")
OPEN = "{count} totals are not final: something is unmarked or can still be submitted."


class TotalsCsvExport(Export):
    """One row for each student: the total in percent, from and to, and the share of each assignment in percent.

    An assignment that is not marked yet has what is certain; an excused one is empty.
    """

    file = "totals.csv"

    def content(self, gradebook: Gradebook, selection: ExportSelection) -> Content:
        """Return the file in UTF-8; all assignments count, whichever are selected."""
        totals = self.totals(gradebook)
        known = {student.id: student for student in gradebook.students}
        names = sorted({name for total in totals.values() if total for name in total.parts})
        rows: list[list[object]] = [[*PERSON, "total_from", "total_to", *names]]
        for student in selection.students:
            one, total = known[student], totals[student]
            person = [student, guarded(one.first_name or ""), guarded(one.last_name or ""), one.email, one.lms_user_id]
            shares = [_percent(total.low), _percent(total.high)] if total else ["", ""]
            parts = [total.parts.get(name) if total else None for name in names]
            marks = ["" if part is None or part.excused else _percent(part.low) for part in parts]
            rows.append([*person, *shares, *marks])
        chosen = [totals[student] for student in selection.students]
        count = sum(total is not None and not total.known for total in chosen)
        notes = (OPEN.format(count=count),) if count else ()
        return Content(csv_file(rows), len(selection.students), notes)


def _percent(share: float) -> str:
    return f"{round(100 * share, 2):g}"
