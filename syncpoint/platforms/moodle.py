"""Moodle: how it names files, and a CSV file for its "Grade import".

Files: ``Ada Lovelace_1234_assignsubmission_file/work.ipynb``: the student's name, and a number that is only valid for
this assignment.  If groups submit together, each has one folder, ``Group 1_17_assignsubmission_file``, and all students
without a group share one without a number.  Older versions have a copy for each member:
``Group 1-Ada Lovelace_1234_...``.
"""

import re
from collections.abc import Callable, Collection, Iterator, Sequence

from ..core.spreadsheet import guarded
from ..records.grades import StudentGrades
from .download import Download, Member, Platform, Sender, Upload, like
from .export import LmsExport, number

PERSON = ("First name", "Surname", "ID number", "Institution", "Department", "Email address")
NO_GRADE = "-"
BY_EMAIL = "Nobody has an LMS id: in Moodle's import, choose Map from 'Email address' and Map to 'useremail'."
# Titles of the other columns in Moodle's own export, which its import maps by name; grades end in "(Real)" or similar.
RESERVED = (
    r"^(first name|surname|last name|full name|id( number)?|institution|department|email( address)?|username"
    r"|course total( \(.*\))?|last downloaded from this course|feedback|ignore|new grade item)$"
    r"|\bfeedback\b.*\)$|\(feedback\)$"
)
# The last such text in a name is Moodle's; earlier ones may belong to a student's name.
FILE = re.compile(r"(?P<who>(?P<name>.+)_[0-9]+|[^_]+)_assignsubmission_(?P<kind>[a-z]+)_?(?P<called>.*)")

NO_GROUP = "Default group"  # what Moodle in English calls the students who are in no group
MAYBE_ONE_NAME = "what is before the dash in its name may be a group's name or belong to the person's"


class MoodleExport(LmsExport):
    """The columns of Moodle's own export: the student, and one column for each assignment.

    During the import, a teacher selects which column identifies the student ("Map from: ID number", "Map to:
    useridnumber") and to which grade item each assignment belongs.  A student without points has a hyphen.  If a school
    has no ID numbers, email addresses identify students.

    Format: https://docs.moodle.org/en/Grade_import; titles as in grade/import/csv/tests/load_data_test.php in
    https://github.com/moodle/moodle.
    """

    file, reserved = "moodle.csv", RESERVED
    odd_title = (
        "{name}: the column title {title!r} {why}: in Moodle's import, map it by hand to the grade item of the "
        "assignment, or choose another title in MoodleExport.titles."
    )

    def check_ids(self, students: Sequence[StudentGrades]) -> Iterator[str]:
        """Check that everybody has a unique LMS id or email address."""
        emails = {student.email.casefold() for student in students if student.email}
        if students and not any(student.lms_id for student in students) and len(emails) == len(students):
            yield BY_EMAIL
        else:
            yield from super().check_ids(students)

    def rows(self, students: Sequence[StudentGrades], assignments: dict[str, float]) -> Iterator[list[str]]:
        yield [*PERSON, *map(self.title, assignments)]
        for student in students:
            names = (guarded(student.first_name), guarded(student.last_name))
            points = [number(student.points[name]) if name in student.points else NO_GRADE for name in assignments]
            yield [*names, student.lms_id, "", "", student.email, *points]


def read(members: Sequence[Member], is_student: Callable[[str], bool]) -> Download | None:
    uploads: dict[str, Upload] = {}
    left_out = []
    names = {found["name"] or found["who"] for member in members if (found := FILE.fullmatch(member.path[0]))}
    grouped = all("-" in name for name in names)
    for member in members:
        found = FILE.fullmatch(member.path[0])
        if found is None:
            left_out.append(("/".join(member.path), "not Moodle's"))
            continue
        whole = found["name"] or found["who"]
        name = _without_group(whole, is_student) if grouped else whole
        doubt = MAYBE_ONE_NAME if name != whole and not _is_group(whole.removesuffix(f"-{name}"), names) else ""
        this = uploads.setdefault(found["who"], Upload(Sender(found["who"], name=name, doubt=doubt)))
        path = (*filter(None, [found["called"]]), *member.path[1:])
        if found["kind"] == "file" and path:
            this.files[path] = member
        else:
            left_out.append(("/".join(member.path), "text typed into Moodle, not a file"))
    return Download(PLATFORM.name, list(uploads.values()), left_out) if uploads else None


def _is_group(head: str, names: Collection[str]) -> bool:
    """Whether the text before a dash is a group's name: a number is in it, or several names begin with it."""
    return head == NO_GROUP or any(map(str.isdigit, head)) or sum(name.startswith(f"{head}-") for name in names) > 1


def _without_group(name: str, is_student: Callable[[str], bool]) -> str:
    """Return the person in a group member's name; all of it if several or no readings are students."""
    tails = [name[dash.end() :] for dash in re.finditer("-", name)]
    people = [tail for tail in tails if is_student(tail)]
    return people[0] if len(people) == 1 and not is_student(name) else name


PLATFORM = Platform("Moodle", like(FILE), read)
