"""The base of exports to learning platforms: the platform's ids, and a CSV file with a row for each student."""

import re
import unicodedata
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from nbgrader.api import Gradebook
from traitlets import Dict, Unicode

from ..core.names import some
from ..core.spreadsheet import FORMULA, csv_file, guarded
from ..nbgrader_hooks.export_plugin import Content, Export, ExportError
from ..records.grades import ExportSelection, StudentGrades, possible, read_grades
from ..records.roster_file import read_roster
from ..records.totals import PERCENT, with_total

PAGE = "see docs/how-to/collect-and-export.md"
OPEN = "{title}: empty for {students}, whose total is not final: something is unmarked or can still be submitted."


class LmsExport(Export):
    """A CSV file that a learning platform matches with its students."""

    roster = Unicode(
        "", help="A CSV file with the column id, and LMS id or login. Its ids replace those in the gradebook."
    ).tag(config=True)
    total = Unicode(
        "", help="The title of the column for the course total in percent (c.CourseTotal). Default: no such column."
    ).tag(config=True)
    titles = Dict(
        value_trait=Unicode(),
        key_trait=Unicode(),
        help='The titles of the columns on the platform: {"async": "Homework 1 (4711)"}. Default: the assignments\' '
        "names.",
    ).tag(config=True)
    quoted = False  # whether the platform asks for quotation marks around all values
    reserved = "(?!)"  # a pattern of the platform's own columns, in any case
    odd_title = ""  # the note on an assignment's {name} whose {title} {why}

    def content(self, gradebook: Gradebook, selection: ExportSelection) -> Content:
        known = [assignment.name for assignment in gradebook.assignments]
        self._check_titles(known)
        students = read_grades(gradebook, selection)
        if self.roster:
            path = Path(self.roster)
            students = _with_ids_of(path, students, {student.id for student in gradebook.students})
        assignments = possible(gradebook, selection)
        notes = [*self.check_ids(students), *self.odd_titles(list(assignments)), *_notes(students, selection)]
        if self.total:
            self._check_total(known)
            totals = self.totals(gradebook)
            students = [with_total(student, totals[student.id], self.total) for student in students]
            assignments[self.total] = PERCENT
            if is_open := [student.id for student in students if self.total in student.unread]:
                notes.append(OPEN.format(title=self.total, students=some(is_open)))
        return Content(csv_file(self.rows(students, assignments), self.quoted), len(students), tuple(notes))

    def check_ids(self, students: Sequence[StudentGrades]) -> Iterator[str]:
        """Check that everybody has a unique LMS id; yield notes about the ids."""
        _check_ids(students, self.roster)
        yield from ()

    def title(self, assignment: str) -> str:
        """Return the heading of an assignment's column."""
        return self.titles.get(assignment, assignment)

    def _check_titles(self, known: Sequence[str]) -> None:
        option = f"{type(self).__name__}.titles"
        unknown = [name for name in self.titles if name not in known]
        if unknown:
            raise ExportError(f"{option} names {some(unknown)}, but the gradebook has {some(known)}: fix the name.")
        shared = [title for title, times in Counter(map(self.title, known)).items() if times > 1]
        if shared:
            whose = [name for name in known if self.title(name) == shared[0]]
            raise ExportError(f"{some(whose)} have the same title {shared[0]!r}: give each its own title in {option}.")

    def _check_total(self, known: Iterable[str]) -> None:
        why = trouble(self.total, self.reserved)
        if self.total in {*known, *map(self.title, known)}:
            why = "is that of an assignment"
        if why:
            raise ExportError(f"{type(self).__name__}.total: the title {self.total!r} {why}. Choose another one.")

    def odd_titles(self, assignments: Sequence[str]) -> Iterator[str]:
        """Report assignments whose column heading means something else to the platform."""
        for name in assignments:
            if self.odd_title and (why := trouble(self.title(name), self.reserved)):
                yield self.odd_title.format(name=name, title=self.title(name), why=why)

    def rows(self, students: Sequence[StudentGrades], assignments: dict[str, float]) -> Iterator[list[str]]:
        """Return the lines of the file, headings first."""
        raise NotImplementedError


class UserNameExport(LmsExport):
    """A CSV file that a platform matches by user names, which everybody has."""

    def check_ids(self, students: Sequence[StudentGrades]) -> Iterator[str]:
        """Check that everybody has a unique user name; yield students for whom the file has the id instead."""
        _check_own("user name", {student.id: self.user_name(student).casefold() for student in students})
        nameless = [student.id for student in students if not student.login]
        if 0 < len(nameless) < len(students):
            yield f"no login for {some(nameless)}: the file has their id as the user name."

    def user_name(self, student: StudentGrades) -> str:
        """Return the login; the id if the roster does not name it."""
        return student.login or student.id

    def cells(self, student: StudentGrades, assignments: Iterable[str]) -> list[str]:
        """The student's points; an empty cell for none."""
        return [number(student.points[name]) if name in student.points else "" for name in assignments]


def trouble(title: str, reserved: str) -> str:
    """Return why a title cannot be a column heading, as the end of a sentence; "" if it can.

    ``reserved`` is a pattern of the platform's own columns, in any case.
    """
    plain = " ".join(unicodedata.normalize("NFKC", title).split())
    if not plain:
        return "is empty"
    if re.search(reserved, plain, re.IGNORECASE):
        return "is a name that the platform reserves for its own columns"
    if title.startswith(FORMULA):
        return "would be a formula in a spreadsheet"
    if title != title.strip() or any(unicodedata.category(character) in ("Cc", "Cf") for character in title):
        return "has leading or trailing spaces, or invisible characters"
    return ""


def _with_ids_of(path: Path, students: list[StudentGrades], known: Container[str]) -> list[StudentGrades]:
    """Return the students with LMS ids and logins from a roster."""
    ids = {person.id: person for person in read_roster(path)}
    missing = [student.id for student in students if student.id not in ids]
    if missing:
        raise ExportError(f"not in {path}: {some(missing)}. Add them, or leave them out ({PAGE}).")
    unknown = [id for id in ids if id not in known]
    if unknown:
        raise ExportError(
            f"in {path}, but not in the gradebook: {some(unknown)}. Fix these ids in the file, or run "
            f"`syncpoint roster {path}` if they are new."
        )
    return [
        replace(student, lms_id=ids[student.id].lms_user_id, login=ids[student.id].login or student.login)
        for student in students
    ]


def _check_ids(students: Sequence[StudentGrades], roster: str) -> None:
    missing = [student.id for student in students if not student.lms_id]
    if missing:
        fix = f"add it in {roster}" if roster else "put it into a roster and run `syncpoint roster FILE`"
        raise ExportError(f"no LMS id for {some(missing)}: {fix}, or leave these students out ({PAGE}).")
    _check_own("LMS id", {student.id: student.lms_id for student in students})


def _check_own(kind: str, names: Mapping[str, str]) -> None:
    """Check that no two students have the same name."""
    shared = [name for name, times in Counter(names.values()).items() if times > 1]
    if shared:
        whose = [student for student, name in names.items() if name == shared[0]]
        fix = f"fix the roster, or leave one of them out ({PAGE})"
        raise ExportError(f"{some(whose)} have the same {kind} {shared[0]!r}: {fix}.")


def _notes(students: list[StudentGrades], selection: ExportSelection) -> Iterator[str]:
    """Yield notes on points in the file that are not final."""
    for assignment in selection.assignments:
        unread = [student.id for student in students if assignment in student.unread]
        if unread:
            yield f"{assignment}: answers of {some(unread)} have not been read yet; their points may still grow."
        excused = [student.id for student in students if assignment in student.excused]
        if excused:
            yield f"{assignment}: excused, so without points: {some(excused)}."
        absent = [s.id for s in students if assignment not in s.points and assignment not in s.excused]
        if absent:
            yield f"{assignment}: nothing is graded for {some(absent)}; their cells are empty, not 0."


def name_of(student: StudentGrades) -> str:
    """Return the name with the last name first; the id if the name is unknown."""
    return guarded(", ".join(filter(None, (student.last_name, student.first_name))) or student.id)


def number(points: float) -> str:
    """Format points for all platforms: 7, 7.5, 7.3333."""
    return f"{points:.10g}"
