"""The base of all exports: nbgrader's options, one-line errors, and a file that is complete or absent."""

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

from nbgrader.api import Gradebook
from nbgrader.coursedir import CourseDirectory
from nbgrader.plugins import ExportPlugin

from ..core.atomic_write import usual_mode, write_whole
from ..core.course_total import Total
from ..core.errors import SyncpointError
from ..core.names import some
from ..course.folder import Course
from ..records.database import upgrade
from ..records.grades import ExportSelection
from ..records.totals import totals_or_error


class ExportError(SyncpointError):
    """Nothing was exported; the text says why and what to do."""


@dataclass(frozen=True)
class Content:
    """The content of a file."""

    data: bytes
    students: int  # number of students in it
    notes: tuple[str, ...] = ()  # sentences for the person who exports


class Export(ExportPlugin):
    """An export that writes one file.  A subclass names it and makes its content."""

    file = ""

    def export(self, gradebook: Gradebook) -> None:
        """Write the file and report its content. If that fails, nbgrader ends with a one-line error."""
        path = Path(self.to or self.file)
        # such as /dev/stdout, which is not replaced
        stays = path.is_symlink() or (path.exists() and not path.is_file())
        try:
            upgrade(gradebook.engine)
            selection = self.selection(gradebook)
            content = self.content(gradebook, selection)
            if stays:
                path.write_bytes(content.data)
            else:
                write_whole(path, content.data, usual_mode())
        except SyncpointError as problem:
            self._fail(str(problem))
        except OSError as problem:
            self._fail(f"{path} cannot be written ({problem.strerror}); name another file with --to.")
        summary = f"{path}: {', '.join(selection.assignments)}; students: {content.students}."
        print(summary, *content.notes, sep="\n", file=sys.stderr if stays else sys.stdout)

    def content(self, gradebook: Gradebook, selection: ExportSelection) -> Content:
        """Return the content of the file, or raise ExportError or CourseError."""
        raise NotImplementedError

    def selection(self, gradebook: Gradebook) -> ExportSelection:
        """Return the students and assignments selected by nbgrader's options, or raise ExportError."""
        assignments = _pick("assignment", [assignment.name for assignment in gradebook.assignments], self.assignment)
        if not assignments:
            raise ExportError(
                "the gradebook has no assignment: run `nbgrader generate_assignment <assignment>` to add one."
            )
        excluded = CourseDirectory(parent=self).student_id_exclude.split(",")
        students = _pick("student", sorted(student.id for student in gradebook.students), self.student)
        return ExportSelection(assignments, tuple(student for student in students if student not in excluded))

    def totals(self, gradebook: Gradebook) -> Mapping[str, Total | None]:
        """Return everybody's course total. Raises CourseError if the course has no rules for one."""
        return totals_or_error(Course(Path(CourseDirectory(parent=self).root).absolute()), gradebook.db())

    def _fail(self, problem: str) -> NoReturn:
        self.log.error("Nothing was exported: %s", problem)
        raise SystemExit(1)


def _pick(kind: str, known: Sequence[str], wanted: Sequence[object]) -> tuple[str, ...]:
    """Return the requested names, or all; nbgrader passes names of digits as numbers."""
    names = list(map(str, wanted))
    unknown = [name for name in names if name not in known]
    if unknown:
        raise ExportError(f"the gradebook has no {kind} {some(unknown)}: it has {some(known) or 'none'}.")
    return tuple(name for name in known if not names or name in names)
